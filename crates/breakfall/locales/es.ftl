### Español. Trato neutro, en infinitivo; los mensajes van sin punto final, los remedios y las frases para personas con él.

## validation

VALIDATION_INVALID_VALUE = El parámetro '{ $param_name }' tiene un valor no válido
    .plain = Valor no válido
    .sentence = El parámetro '{ $param_name }' tiene un valor no válido: { $reason }
    .remediation = Corregir '{ $param_name }' según los detalles y repetir la llamada.
    .remediation-plain = Corregir el valor según los detalles y repetir la llamada.
    .user = Algunos de los datos no son válidos.

VALIDATION_MISSING_PARAM = Falta el parámetro requerido '{ $param_name }'
    .plain = Falta un parámetro requerido
    .remediation = Añadir '{ $param_name }' a los argumentos y repetir la llamada.
    .remediation-plain = Añadir a los argumentos el parámetro que falta y repetir la llamada.
    .user = Faltan datos necesarios.

VALIDATION_INVALID_TYPE = El parámetro '{ $param_name }' debía ser '{ $expected_type }' y es '{ $actual_type }'
    .plain = El parámetro es de un tipo incorrecto
    .remediation = Enviar '{ $param_name }' como { $expected_type } y repetir la llamada.
    .remediation-plain = Enviar el parámetro con el tipo que declara su esquema y repetir la llamada.
    .user = Algunos datos tienen una forma incorrecta.

VALIDATION_PATTERN_MISMATCH = El parámetro '{ $param_name }' no se ajusta a '{ $pattern }'
    .plain = El parámetro no se ajusta a su patrón
    .remediation = Escribir '{ $param_name }' de modo que se ajuste a '{ $pattern }' y repetir la llamada.
    .remediation-plain = Escribir el valor de modo que se ajuste al patrón declarado y repetir la llamada.
    .user = Algunos datos no están escritos como deben estarlo.

VALIDATION_INVALID_ENUM = El parámetro '{ $param_name }' debe ser uno de estos valores: '{ $allowed_values }'
    .plain = El parámetro no es uno de los valores permitidos
    .remediation = Elegir un valor permitido para '{ $param_name }': { $allowed_values }.
    .remediation-plain = Elegir uno de los valores que enumera el esquema de entrada de la herramienta.
    .user = Una de las opciones elegidas no existe.

VALIDATION_OUT_OF_RANGE = El parámetro '{ $param_name }' está fuera de rango
    .plain = El parámetro está fuera de rango
    .sentence = El parámetro '{ $param_name }' debe estar entre { $minimum } y { $maximum }
    .remediation = Enviar para '{ $param_name }' un valor de { $minimum } a { $maximum }.
    .remediation-plain = Enviar un valor dentro de los límites del esquema de entrada de la herramienta.
    .user = Un número es demasiado pequeño o demasiado grande.

VALIDATION_UNKNOWN_PARAM = Parámetros desconocidos para la operación '{ $operation }': { $param_list }
    .plain = Parámetros desconocidos
    .remediation = Quitar los parámetros desconocidos o usar estos nombres: { $valid_params }.
    .remediation-plain = Quitar los parámetros desconocidos o buscar sus nombres en el esquema de entrada de la herramienta.
    .user = La solicitud contenía algo que la herramienta no entiende.

VALIDATION_UNKNOWN_FIELD = Campos desconocidos en la entrada de la operación '{ $operation }': '{ $unknown_fields }'
    .plain = Campos desconocidos en la entrada
    .remediation = Quitar del objeto de entrada los campos desconocidos; puede tener: { $valid_fields }.
    .remediation-plain = Quitar del objeto de entrada los campos desconocidos.
    .user = Algo de lo que se quería cambiar no existe.

VALIDATION_INVALID_ENCODING = Codificación de caracteres no válida en la solicitud
    .remediation = Codificar la solicitud en UTF-8 y enviarla de nuevo.
    .user = La solicitud contenía caracteres ilegibles.

VALIDATION_PAYLOAD_TOO_LARGE = El contenido supera el límite { $limit_type } de { NUMBER($limit_value) }
    .plain = El contenido es demasiado grande
    .remediation = Pedir o enviar menos: no pasar de { NUMBER($limit_value) } { $unit ->
            [bytes] { $limit_value ->
                [one] byte
               *[other] bytes
            }
            [elements] { $limit_value ->
                [one] elemento
               *[other] elementos
            }
            [levels] { $limit_value ->
                [one] nivel
               *[other] niveles
            }
           *[other] { $unit }
        }.
    .remediation-plain = Pedir o enviar menos, por ejemplo en varias llamadas más pequeñas.
    .user = La solicitud o su respuesta es demasiado grande.

VALIDATION_ENDPOINT_MISMATCH = La operación '{ $operation }' pertenece al endpoint '{ $expected_endpoint }', no a '{ $actual_endpoint }'
    .plain = La operación pertenece a otro endpoint
    .remediation = Llamar a '{ $operation }' a través del endpoint '{ $expected_endpoint }'.
    .remediation-plain = Llamar a la operación a través del endpoint que indica su esquema.
    .user = La solicitud se envió al lugar equivocado.

VALIDATION_READ_ONLY_FIELD = El parámetro '{ $param_name }' es de solo lectura
    .plain = El parámetro es de solo lectura
    .remediation = Quitar '{ $param_name }' del cambio: lo fija el servidor.
    .remediation-plain = Quitar del cambio los campos de solo lectura: los fija el servidor.
    .user = Algo de lo que se quería cambiar no se puede cambiar.

BATCH_VALIDATION_ERROR = La solicitud por lotes no es válida: '{ $reason }'
    .plain = La solicitud por lotes no es válida
    .remediation = Enviar el lote como una lista de objetos con operation y params; todavía no se ha hecho nada.
    .user = La lista de tareas no es válida.

SCHEMA_MISSING_FIELD = Falta el campo '{ $field_path }' del esquema
    .plain = Falta un campo del esquema
    .remediation = Añadir el campo '{ $field_path }' al documento del esquema.
    .remediation-plain = Añadir al documento del esquema el campo que falta.
    .user = La descripción del servicio está incompleta.

SCHEMA_INVALID_TYPE = El campo '{ $field_path }' del esquema debía ser '{ $expected_type }' y es '{ $actual_type }'
    .plain = El campo del esquema es de un tipo incorrecto
    .remediation = Cambiar el campo '{ $field_path }' del esquema a { $expected_type }.
    .remediation-plain = Cambiar el campo del esquema al tipo que espera el lector.
    .user = La descripción del servicio tiene un error.

SCHEMA_UNRESOLVED_REF = La referencia '{ $actual_value }' en '{ $field_path }' del esquema no se puede resolver
    .plain = Una referencia del esquema no se puede resolver
    .remediation = Declarar el tipo '{ $actual_value }' o apuntar la referencia a uno declarado.
    .remediation-plain = Declarar el tipo que falta o apuntar la referencia a uno declarado.
    .user = La descripción del servicio remite a algo que falta.

SCHEMA_DUPLICATE_NAME = El nombre '{ $actual_value }' en '{ $field_path }' del esquema ya está ocupado
    .plain = El nombre ya está ocupado en el esquema
    .remediation = Cambiar el nombre de una de las dos declaraciones de '{ $actual_value }'.
    .remediation-plain = Cambiar el nombre de una de las dos declaraciones que lo comparten.
    .user = La descripción del servicio usa un nombre dos veces.

SCHEMA_INVALID_NAME = El nombre '{ $actual_value }' en '{ $field_path }' del esquema no se ajusta a '{ $expected_value }'
    .plain = Un nombre del esquema no está escrito como se exige
    .remediation = Cambiar el nombre '{ $actual_value }' para que se ajuste a '{ $expected_value }'.
    .remediation-plain = Cambiar el nombre para que se ajuste a la regla del esquema.
    .user = Un nombre de la descripción del servicio no está permitido.

SCHEMA_VERSION_DEPRECATED = La versión '{ $actual_value }' del esquema está obsoleta; usar '{ $expected_value }'
    .plain = La versión del esquema está obsoleta
    .remediation = Migrar el documento del esquema a la versión '{ $expected_value }'.
    .remediation-plain = Migrar el documento del esquema a la versión actual.
    .user = La descripción del servicio está anticuada.

SCHEMA_VERSION_UNSUPPORTED = La versión '{ $actual_value }' del esquema no se admite; usar '{ $expected_value }'
    .plain = La versión del esquema no se admite
    .remediation = Reescribir el documento del esquema para una versión admitida: { $expected_value }.
    .remediation-plain = Reescribir el documento del esquema para una versión admitida.
    .user = La descripción del servicio está escrita para otra versión.

## authentication

AUTHENTICATION_REQUIRED = Se requiere autenticación para '{ $service }'
    .plain = Se requiere autenticación
    .remediation = Iniciar sesión en '{ $service }' o configurar credenciales para él y repetir la llamada.
    .remediation-plain = Iniciar sesión o configurar credenciales y repetir la llamada.
    .user = Es necesario iniciar sesión primero.

AUTHENTICATION_INVALID_CREDENTIALS = Error de autenticación: las credenciales de '{ $service }' fueron rechazadas
    .plain = Error de autenticación: las credenciales fueron rechazadas
    .remediation = Sustituir las credenciales de '{ $service }': las mismas se rechazarán otra vez.
    .remediation-plain = Sustituir las credenciales: las mismas se rechazarán otra vez.
    .user = Los datos de inicio de sesión no se han aceptado.

AUTHENTICATION_EXPIRED = Autenticación caducada: las credenciales de '{ $service }' ya no son válidas
    .plain = Autenticación caducada: las credenciales ya no son válidas
    .remediation = Renovar el token de acceso o iniciar sesión de nuevo y repetir la llamada.
    .user = La sesión ha caducado; es necesario iniciarla de nuevo.

## authorization

PERMISSION_DENIED = Permiso denegado: '{ $reason }'
    .plain = Permiso denegado
    .remediation = Pedir a la administración el permiso '{ $required_scope }' o alcanzar el objetivo de otro modo.
    .remediation-plain = Pedir acceso a la administración o alcanzar el objetivo de otro modo.
    .user = No hay permiso para hacer esto.

PERMISSION_TRUST_LEVEL_INSUFFICIENT = La operación '{ $operation }' exige el nivel de confianza '{ $required_trust }'; el adaptador tiene '{ $actual_trust }'
    .plain = La operación exige un nivel de confianza más alto
    .remediation = Hacer que el adaptador ascienda al nivel de confianza '{ $required_trust }' o usar una operación menos peligrosa.
    .remediation-plain = Hacer que el adaptador ascienda de nivel de confianza o usar una operación menos peligrosa.
    .user = Esta acción está bloqueada hasta que se revise la conexión.

PERMISSION_DANGER_LEVEL_DENIED = Operación '{ $operation }' (peligro: { $danger_level }) denegada para un adaptador con nivel de confianza '{ $adapter_trust }'
    .plain = Operación denegada por su nivel de peligro
    .remediation = Elegir una operación menos peligrosa o pedir a quien opera el servidor que suba el adaptador al nivel de confianza '{ $minimum_trust_required }'.
    .remediation-plain = Elegir una operación menos peligrosa o pedir a quien opera el servidor que suba la confianza del adaptador.
    .user = Esta acción es demasiado arriesgada aquí.

PERMISSION_NOT_ALLOWED = Permiso denegado: la operación '{ $operation }' no está permitida
    .plain = Permiso denegado: la operación no está permitida
    .remediation = Elegir una operación permitida o pedir a quien opera el servidor que permita '{ $operation }'.
    .remediation-plain = Elegir una operación permitida o pedir a quien opera el servidor que permita esta.
    .user = Esta acción no está permitida aquí.

PERMISSION_FEATURE_DISABLED = Permiso denegado: la función '{ $feature }' está desactivada
    .plain = Permiso denegado: la función está desactivada
    .remediation = Pedir a quien opera el servidor que active '{ $feature }' o trabajar sin ella.
    .remediation-plain = Pedir a quien opera el servidor que active la función o trabajar sin ella.
    .user = Esta función está desactivada.

## not_found

NOT_FOUND_RESOURCE = Recurso '{ $resource_type }' no encontrado: '{ $resource_id }'
    .plain = Recurso no encontrado
    .sentence = { $resource_type } '{ $resource_id }' no encontrado
    .remediation = Comprobar que existe el ID de '{ $resource_type }'.
    .remediation-plain = Comprobar el ID del recurso o pedir la lista de los que hay.
    .user = No se ha encontrado lo que se pedía.

NOT_FOUND_OPERATION = Operación desconocida: '{ $operation_name }'
    .plain = Operación desconocida
    .remediation = Llamar en su lugar a una de las operaciones disponibles: { $available }.
    .remediation-plain = Pedir la lista de herramientas u operaciones del servidor y llamar a una de ellas.
    .user = La acción solicitada no existe.

## conflict

CONFLICT_ALREADY_EXISTS = El recurso '{ $resource_type }' ya existe: '{ $resource_id }'
    .plain = El recurso ya existe
    .remediation = Usar '{ $resource_type }' con el ID '{ $resource_id }', que ya existe, o crearlo con otro nombre.
    .remediation-plain = Usar el recurso que ya existe o crear uno con otro nombre.
    .user = Esto ya existe.

CONFLICT_VERSION_MISMATCH = Conflicto de versiones: se esperaba '{ $expected_version }' y hay '{ $actual_version }'
    .plain = Conflicto de versiones
    .remediation = Leer de nuevo el recurso, aplicar el cambio a la versión '{ $actual_version }' y reintentar.
    .remediation-plain = Leer de nuevo el recurso, aplicar el cambio a su versión actual y reintentar.
    .user = Otra persona ha cambiado esto entretanto.

CONFLICT_INVALID_STATE = Conflicto: la operación '{ $operation }' no es posible en el estado '{ $current_state }'
    .plain = Conflicto con el estado actual
    .remediation = Leer el estado actual y llevar antes el recurso a uno en el que '{ $operation }' sea posible.
    .remediation-plain = Leer el estado actual y llevar antes el recurso a uno adecuado.
    .user = Esto no se puede hacer en la situación actual.

CONFLICT_DUPLICATE_OPERATION = Conflicto: la operación '{ $operation }' ya se había realizado
    .plain = Conflicto: la operación ya se había realizado
    .remediation = Usar el resultado de la primera llamada; no enviar esta otra vez.
    .user = Esto ya está hecho.

## rate_limit

RATE_LIMIT_EXCEEDED = Límite de solicitudes de la API superado
    .sentence = Límite de solicitudes superado: { NUMBER($limit) } { $limit ->
            [one] solicitud
           *[other] solicitudes
        } por { $window ->
            [second] segundo
            [minute] minuto
            [hour] hora
            [day] día
           *[other] { $window }
        }
    .remediation = Esperar { NUMBER($retry_after_seconds) } { $retry_after_seconds ->
            [one] segundo
           *[other] segundos
        } antes de reintentar.
    .remediation-plain = Esperar a que el límite se restablezca antes de reintentar.
    .user = Se han hecho demasiadas solicitudes; conviene intentarlo de nuevo en un momento.

RATE_LIMIT_QUOTA_PAUSE = Umbral de pausa de la cuota alcanzado
    .remediation = Preguntar a una persona si se continúa; después enviar la misma llamada con el token en '_quota_continue' antes de { $expires_at }.
    .remediation-plain = Preguntar a una persona si se continúa; después enviar la misma llamada con el token en '_quota_continue'.
    .user = La cuota de uso está casi agotada; ¿se debe continuar?

RATE_LIMIT_QUOTA_EXHAUSTED = Cuota agotada
    .remediation = No llamar más hasta { $resets_at } o pedir a quien opera el servidor una cuota mayor.
    .remediation-plain = No llamar más hasta que la cuota se restablezca o pedir a quien opera el servidor una mayor.
    .user = La cuota de uso está agotada por ahora.

## confirmation

CONFIRMATION_REQUIRED = Esta operación requiere confirmación
    .remediation = Pedir la aprobación de una persona; después enviar la misma llamada con el argumento _confirmation con el valor '{ $confirmation_token }' antes de { $expires_at }.
    .remediation-plain = Pedir la aprobación de una persona; después enviar la misma llamada con el token en '_confirmation'.
    .user = Esta acción necesita antes una aprobación.

TOKEN_INVALID = Token de confirmación no válido
    .remediation = Enviar la llamada sin token para obtener uno nuevo y pedir después la aprobación de una persona.
    .user = No se ha reconocido la aprobación.

TOKEN_EXPIRED = El token de confirmación ha caducado
    .remediation = Descartar el token caducado, pedir otra vez la aprobación de una persona y usar el nuevo a tiempo.
    .user = La aprobación llegó demasiado tarde; es necesario aprobar de nuevo.

TOKEN_ALREADY_USED = El token de confirmación ya se ha usado
    .remediation = Buscar el resultado de la llamada anterior; pedir otra aprobación solo si la acción debe repetirse.
    .user = Esta aprobación ya se ha usado.

TOKEN_SCOPE_MISMATCH = El token de confirmación no corresponde a esta llamada
    .remediation = Usar el token solo con la llamada para la que se emitió ('{ $token_operation }') o pedir que una persona apruebe esta.
    .remediation-plain = Usar el token solo con la llamada para la que se emitió o pedir que una persona apruebe esta.
    .user = La aprobación era para otra acción.

## business

BUSINESS_RULE_VIOLATION = Se incumple la regla de negocio '{ $rule }'
    .plain = Se incumple una regla de negocio
    .remediation = Cambiar la solicitud para que cumpla la regla '{ $rule }' o dejar que decida una persona.
    .remediation-plain = Cambiar la solicitud para que cumpla la regla o dejar que decida una persona.
    .user = Las reglas del servicio no lo permiten.

BUSINESS_INSUFFICIENT_BALANCE = Saldo insuficiente: hacen falta '{ NUMBER($required) }' y hay '{ NUMBER($available) }'
    .plain = Saldo insuficiente
    .remediation = Consultar el saldo y añadir fondos o pedir una cantidad menor.
    .user = No hay saldo suficiente para esto.

## unavailable

UNAVAILABLE_SERVICE = El servicio '{ $service }' no está disponible
    .plain = Servicio no disponible
    .remediation = Esperar un poco y reintentar con pausas cada vez más largas.
    .user = El servicio no está disponible en este momento; conviene intentarlo más tarde.

UNAVAILABLE_DEPENDENCY = Ha fallado '{ $dependency }', de lo que depende el servicio
    .plain = Ha fallado algo de lo que depende el servicio
    .remediation = Usar otra herramienta para este paso o reintentar cuando '{ $dependency }' vuelva a funcionar.
    .remediation-plain = Usar otra herramienta para este paso o reintentar cuando lo que ha fallado vuelva a funcionar.
    .user = Una parte del servicio no funciona en este momento.

UNAVAILABLE_TIMEOUT = El servicio no respondió en '{ NUMBER($timeout_ms) }' ms
    .plain = El servicio no respondió a tiempo
    .sentence = La operación '{ $operation }' no terminó en { NUMBER($timeout_ms) } ms
    .remediation = Comprobar si la llamada tuvo efecto; si no, reintentar con más tiempo o con una solicitud más pequeña.
    .user = El servicio tardó demasiado en responder.

UNAVAILABLE_CIRCUIT_OPEN = El servicio '{ $service }' está en pausa tras fallos repetidos
    .plain = El servicio está en pausa tras fallos repetidos
    .remediation = Usar ahora una alternativa o llamar de nuevo dentro de { NUMBER($retry_after_seconds) } { $retry_after_seconds ->
            [one] segundo
           *[other] segundos
        }.
    .remediation-plain = Usar ahora una alternativa o llamar de nuevo cuando el servicio se haya recuperado.
    .user = El servicio venía fallando y se le está dando un descanso.

UNAVAILABLE_OVERLOADED = El servicio '{ $service }' está sobrecargado
    .plain = El servicio está sobrecargado
    .remediation = Enviar menos llamadas en paralelo y reintentar esta tras una breve pausa.
    .user = El servicio está muy ocupado; conviene intentarlo de nuevo en un momento.

UNAVAILABLE_NETWORK = No se puede acceder al servicio '{ $service }'
    .plain = No se puede acceder al servicio
    .remediation = Comprobar la red y la dirección del servicio y reintentar; usar otro servicio si lo hay.
    .user = No se ha podido acceder al servicio.

UNAVAILABLE_TLS = Falló la negociación TLS con el servicio '{ $service }'
    .plain = Falló la negociación TLS con el servicio
    .remediation = No reintentar; pedir a quien opera el servidor que corrija el certificado o los ajustes TLS de '{ $service }'.
    .remediation-plain = No reintentar; pedir a quien opera el servidor que corrija el certificado o los ajustes TLS.
    .user = No se ha podido establecer una conexión segura con el servicio.

## internal

INTERNAL_ERROR = Error interno: '{ $description }'
    .plain = Error interno
    .remediation = Reintentar una vez; si falla de nuevo, dar el ID de correlación al soporte.
    .user = El servicio ha tenido un problema interno; el soporte puede investigarlo.

INTERNAL_BAD_UPSTREAM = Error interno: la respuesta de '{ $service }' es ilegible
    .plain = Error interno: la respuesta de origen es ilegible
    .remediation = Reintentar una vez; si la respuesta sigue siendo ilegible, usar otra herramienta.
    .user = La respuesta del servicio era ilegible.

INTERNAL_ADAPTER = Error interno: ha fallado el adaptador '{ $adapter }'
    .plain = Error interno: ha fallado el adaptador
    .remediation = Decidir según el error propio del adaptador '{ $original_error }'; en caso de duda, usar otra herramienta.
    .remediation-plain = Decidir según los detalles del error propio del adaptador; en caso de duda, usar otra herramienta.
    .user = El servicio conectado ha comunicado un problema propio.

INTERNAL_NOT_IMPLEMENTED = La operación '{ $operation }' no está implementada
    .plain = La operación no está implementada
    .remediation = Usar otra herramienta en lugar de '{ $operation }'; cambiar los argumentos no servirá.
    .remediation-plain = Usar otra herramienta; cambiar los argumentos no servirá.
    .user = Este servicio todavía no puede hacer esto.

INTERNAL_CONFIGURATION = Error interno: el ajuste '{ $setting }' falta o no es válido
    .plain = Error interno: la configuración no es válida
    .remediation = No reintentar; pedir a quien opera el servidor que corrija el ajuste '{ $setting }'.
    .remediation-plain = No reintentar; pedir a quien opera el servidor que corrija la configuración.
    .user = El servicio no está bien configurado.

INTERNAL_UNKNOWN = Error interno: fallo de tipo desconocido
    .remediation = No reintentar a ciegas; dar el ID de correlación al soporte para que lo investigue.
    .user = Ha ocurrido un problema inesperado; el soporte puede investigarlo.

BATCH_FAILED = { $total ->
        [one] Ha fallado la única operación
       *[other] Han fallado las { NUMBER($total) } operaciones
    }
    .plain = Han fallado todas las operaciones
    .remediation = Leer los errores de los elementos, eliminar la causa que comparten y enviar el lote otra vez.
    .user = No ha funcionado ninguno de los pasos solicitados.

BATCH_PARTIAL_FAILURE = { $failed ->
        [one] Ha fallado
       *[other] Han fallado
    } { NUMBER($failed) } de { NUMBER($total) } { $total ->
        [one] operación
       *[other] operaciones
    }
    .plain = Han fallado algunas operaciones
    .remediation = Conservar los resultados de los elementos correctos y reenviar, ya corregidos, solo los que fallaron.
    .user = No han funcionado algunos de los pasos solicitados.

## Warnings

CONTENT_TRUNCATED = El contenido se ha recortado para ajustarse al límite de tamaño

CONTENT_DROPPED = { $dropped_count ->
        [one] Se ha omitido
       *[other] Se han omitido
    } '{ NUMBER($dropped_count) }' { $dropped_count ->
        [one] elemento
       *[other] elementos
    } para cumplir el límite de tamaño
    .plain = Se han omitido algunos elementos para cumplir el límite de tamaño

PRIORITY_SUMMARIZED = El contenido de baja prioridad se ha sustituido por resúmenes

SUMMARY_PROVIDER_FAILED = No se han podido hacer resúmenes; se ha usado una alternativa

TOKEN_BUDGET_FLOORED = El presupuesto de tokens se ha elevado a su mínimo

LIMITS_DEFAULTED = Rigen los límites predeterminados

ARCHIVE_WRITE_FAILED = No se ha podido archivar el contenido omitido

PROTECTED_OVERFLOW = El contenido protegido superó su parte y desplazó otro contenido

STATE_MIGRATION_RECOVERED = El estado guardado se ha migrado desde una versión anterior

TOKEN_COUNT_ESTIMATE_USED = Los recuentos de tokens son estimaciones

STALE_CACHE = Los resultados pueden estar desactualizados: la caché tiene '{ NUMBER($age_seconds) }' { $age_seconds ->
        [one] segundo
       *[other] segundos
    }
    .plain = Los resultados pueden estar desactualizados

PARTIAL_FAILURE = { $failed ->
        [one] Ha fallado
       *[other] Han fallado
    } { NUMBER($failed) } de { NUMBER($total) } { $total ->
        [one] elemento
       *[other] elementos
    }
    .plain = Han fallado algunos elementos

DEPRECATED_FIELD = El campo '{ $field }' está obsoleto
    .plain = Se ha usado un campo obsoleto

RATE_LIMIT_APPROACHING = El límite de solicitudes está cerca

FALLBACK_USED = Se ha usado la alternativa '{ $fallback }'
    .plain = Se ha usado una alternativa

RATE_LIMIT_QUOTA_WARNING = El límite de la cuota está cerca

DEPRECATION_WARNING = '{ $deprecated_item }' está obsoleto
    .plain = Se ha usado algo obsoleto

VALIDATION_TRUNCATED_WARNING = El campo '{ $field }' se ha acortado a '{ NUMBER($limit) }' { $limit ->
        [one] entrada
       *[other] entradas
    }
    .plain = Un campo se ha acortado a su límite

PERFORMANCE_SLOW_QUERY_WARNING = La operación '{ $operation }' fue lenta: '{ NUMBER($duration_ms) }' ms
    .plain = La operación fue lenta

ARGUMENTS_REPAIRED = Se han reparado argumentos: '{ $params }'
    .plain = Se han reparado argumentos

ARGUMENTS_MISMATCH = Los argumentos no se ajustan al esquema: '{ $params }'
    .plain = Los argumentos no se ajustan al esquema

ARGUMENTS_UNCHECKED = No se han comprobado los argumentos de '{ $operation }'
    .plain = No se han comprobado los argumentos

OUTPUT_MISMATCH = El resultado de '{ $operation }' no se ajusta a su esquema de salida
    .plain = El resultado no se ajusta a su esquema de salida

LOOKS_FAILED = '{ $operation }' tuvo éxito, según su servidor, pero el texto parece el de un fallo: '{ $looks_like }', por la regla '{ $rule }'. Si no es el texto que se pidió, la llamada falló. No es motivo para repetirla
    .plain = El servidor dice que esto tuvo éxito, pero el texto parece el de un fallo. Si no es el texto que se pidió, la llamada falló. No es motivo para repetirla

TOOL_LIST_STALE = Las herramientas de '{ $upstream }' pueden haber cambiado desde que se listaron
    .plain = Las herramientas pueden haber cambiado desde que se listaron

UPSTREAM_LOST = El servidor de origen '{ $upstream }' no respondió; falta su parte
    .plain = Un servidor de origen no respondió; falta su parte

NAMES_SHORTENED = Se han acortado '{ $shortened_count }' nombres demasiado largos
    .plain = Se han acortado nombres demasiado largos

RESULT_ADAPTED = Adaptado a una versión anterior del protocolo: '{ $fields }'
    .plain = Algunas partes se han adaptado a una versión anterior del protocolo

UNKNOWN_PARAM_IGNORED = Parámetros que no están en el esquema: '{ $unknown_params }'
    .plain = Hay parámetros que no están en el esquema

RETRIED = Conseguido tras '{ NUMBER($attempts) }' { $attempts ->
        [one] intento
       *[other] intentos
    }
    .plain = Conseguido tras un reintento

WARNINGS_SUPPRESSED = { $suppressed_count ->
        [one] Se ha omitido
       *[other] Se han omitido
    } '{ NUMBER($suppressed_count) }' { $suppressed_count ->
        [one] advertencia
       *[other] advertencias
    } más
    .plain = Se han omitido más advertencias

## Sentences that belong to no code

repeat-later = Llamar de nuevo más tarde, esperando cada vez más.
repeat-once = Repetir la llamada una vez; si también falla, usar otra herramienta o preguntar a quien opera el servidor.
do-not-repeat = No repetir la misma llamada; usar otra herramienta o preguntar a quien opera el servidor.
confirm = Confirmar
batch-partial = No se { $failed ->
        [one] ha procesado
       *[other] han procesado
    } { NUMBER($failed) } de { NUMBER($total) } { $total ->
        [one] elemento
       *[other] elementos
    }
batch-failed = { $total ->
        [one] No se ha procesado el único elemento
       *[other] No se ha procesado ninguno de los { NUMBER($total) } elementos
    }
batch-done = { $total ->
        [one] El único elemento está listo
       *[other] Los { NUMBER($total) } elementos están listos
    }
batch-waits = { $succeeded ->
        [one] Está listo
       *[other] Están listos
    } { NUMBER($succeeded) } de { NUMBER($total) } { $total ->
        [one] elemento
       *[other] elementos
    }

io-not-found = El archivo o recurso no existe
io-permission-denied = Permiso denegado: el servidor no puede usar el archivo o recurso
io-read-only = Permiso denegado: el almacenamiento es de solo lectura
io-already-exists = El archivo o recurso ya existe
io-refused = La conexión fue rechazada
io-reset = El otro extremo restableció la conexión
io-aborted = La conexión se interrumpió
io-not-connected = La conexión no está abierta
io-broken-pipe = El otro extremo cerró la conexión
io-host-unreachable = No se puede acceder al host
io-network-unreachable = No se puede acceder a la red
io-network-down = La red no funciona
io-address-not-available = La dirección de red no está disponible
io-address-in-use = La dirección de red ya está en uso
io-timed-out = La operación tardó demasiado
io-would-block = El recurso está ocupado
io-busy = Otro está usando el recurso
io-executable-busy = El archivo del programa está en uso
io-deadlock = Otro tiene bloqueado el recurso
io-interrupted = La operación se interrumpió
io-invalid-input = El valor no sirve para la operación
io-invalid-filename = El nombre de archivo no es válido
io-not-a-directory = La ruta no lleva a un directorio
io-is-a-directory = La ruta lleva a un directorio
io-directory-not-empty = El directorio no está vacío
io-file-too-large = El archivo es demasiado grande
io-arguments-too-long = Los argumentos del programa son demasiado largos
io-invalid-data = No se pueden leer los datos: están mal formados
io-unexpected-end = Los datos terminaron antes de tiempo
io-write-zero = No se pudieron escribir los datos
io-stale-handle = El almacenamiento de red perdió el archivo
io-storage-full = El almacenamiento del servidor está lleno
io-storage-quota = La cuota de almacenamiento del servidor está agotada
io-out-of-memory = El servidor no tiene memoria libre
io-unsupported = La operación no se admite aquí

exit-not-found = No se encontró el comando del servidor
exit-not-executable = No se puede ejecutar el comando del servidor
exit-configuration = El servidor terminó por una configuración incorrecta
exit-start-success = El comando terminó sin dar servicio: quizá no sea un servidor
exit-unexpected-end = El servidor terminó mientras se usaba
exit-temporary = El servidor terminó por una causa que llama temporal
exit-killed = El servidor fue eliminado por { $signal }
exit-stopped = El servidor fue detenido por { $signal }
exit-out-of-memory = El servidor se quedó sin memoria
exit-crash = El servidor falló de forma abrupta
exit-failed = El servidor terminó con un error
exit-start-failed = El servidor terminó con un error al arrancar

service-other = No se pudo completar la solicitud
service-timeout = El servicio no respondió a tiempo
service-tls = El servicio falló en la negociación TLS
service-unreadable = La respuesta del servicio es ilegible
service-broken-off = La conexión se cortó durante la transferencia
service-closed = La conexión se cerró antes de la respuesta
service-unbuilt = No se pudo preparar la solicitud
service-dns = La red no conoce el nombre del servicio
service-connect = No se puede contactar con el servicio
service-redirect = El servicio redirige sin fin
service-upgrade = El servicio no habla el protocolo solicitado
service-builder = No se pudo preparar la solicitud al servicio
http-status = Estado HTTP { $status }

json-syntax = El JSON está mal formado
json-end = El JSON terminó antes de tiempo
json-io = No se pudo transferir el JSON
json-data = El JSON no tiene la forma esperada
json-value = El valor no tiene la forma esperada
parse-text = El texto no es UTF-8
parse-range = El número está fuera de rango
parse-integer = El valor no es un número entero
parse-number = El valor no es un número
parse-boolean = El valor no es ni true ni false

call-cancelled = La llamada se canceló
call-open-address = Pedir a la persona que abra la dirección de los detalles y termine allí; después, repetir la llamada.
call-neither = La respuesta no tiene ni resultado ni error
call-read-words = Leer lo que dijo el servidor y cambiar la llamada o aquello sobre lo que actúa; si no sirve, pedir ayuda con el ID de correlación.
call-ask-user = No repetir la llamada por cuenta propia; preguntar al usuario qué desea.
call-untold = El fallo se contó, pero no se explicó
call-paused = La herramienta '{ $tool }' del servicio '{ $service }' está en pausa tras fallos repetidos
call-uncertain = No se sabe si la llamada tuvo efecto. Comprobarlo primero y repetir la llamada solo si no lo tuvo.
call-uncertain-user = No es seguro que esto se haya hecho. Conviene comprobarlo antes de volver a intentarlo.
unknown-method = Método desconocido: '{ $method }'
unknown-tool = Herramienta desconocida: '{ $tool }'
unknown-tool-near = Herramienta desconocida: '{ $tool }'; ¿se quería decir '{ $nearest }'?
call-nearest = Llamar a '{ $nearest }' si era eso, o pedir la lista de herramientas.
call-meant = ¿Se quería decir '{ $nearest }'? Llamar a esa herramienta o a otra de la lista del servidor.
call-one-of-more = Llamar a una de las operaciones disponibles: { $available } y { NUMBER($count) } más. Todas están en la lista de herramientas.

arguments-unfit = Los argumentos no encajan: { $reason }
arguments-params = Los parámetros de 'tools/call' no se ajustan a su esquema
argument-type = Un argumento debe ser { $expected } y es { $actual }
argument-value = Un argumento debe ser { $expected }

and-more = y { NUMBER($count) } más

ask-correct = '{ $tool }' no puede continuar: { $wrong }. { $what }
ask-what = ¿Qué valor debe tener { $names }?
ask-instead = ¿Qué valor debe tener '{ $name }' en lugar de '{ $before }'?
ask-advice = O preguntar al usuario qué valor debe tener { $names }.
ask-declined = Se preguntó al usuario por { $names } y no quiso responder
ask-no-others = No repetir la llamada con otros valores por cuenta propia; seguir sin ella o preguntar al usuario qué desea.

rule-missing = es obligatorio y falta
rule-one-missing = hace falta uno de { $names }
rule-type = se esperaba { $expected }
rule-type-got = se esperaba { $expected } y llegó { $actual }
rule-unknown = nombre desconocido
rule-no-value = no encaja con nada: el esquema no admite aquí ningún valor
rule-value = debe ser { $value }
rule-values = debe ser uno de { $values }
rule-values-more = debe ser uno de { $values } o uno de otros { NUMBER($count) }
rule-at-least = debe ser como mínimo { $limit }
rule-more-than = debe ser mayor que { $limit }
rule-at-most = debe ser como máximo { $limit }
rule-less-than = debe ser menor que { $limit }
rule-least-characters = debe tener al menos { NUMBER($limit) } { $limit ->
        [one] carácter
       *[other] caracteres
    }
rule-most-characters = debe tener como máximo { NUMBER($limit) } { $limit ->
        [one] carácter
       *[other] caracteres
    }
rule-least-items = debe tener al menos { NUMBER($limit) } { $limit ->
        [one] elemento
       *[other] elementos
    }
rule-most-items = debe tener como máximo { NUMBER($limit) } { $limit ->
        [one] elemento
       *[other] elementos
    }
rule-least-members = debe tener al menos { NUMBER($limit) } { $limit ->
        [one] miembro
       *[other] miembros
    }
rule-most-members = debe tener como máximo { NUMBER($limit) } { $limit ->
        [one] miembro
       *[other] miembros
    }
rule-pattern = debe ajustarse al patrón { $pattern }
rule-format = debe escribirse como { $format }
rule-multiple = debe ser múltiplo de { $of }
rule-unique = no debe repetir ningún elemento
rule-no-alternative = no encaja con ninguna de las alternativas
rule-several = encaja con varias alternativas que se excluyen
rule-depth = no debe anidarse a más de { NUMBER($limit) } niveles
rule-contains = no contiene un elemento que pide el esquema
rule-false = no se admite aquí
rule-not = es lo que el esquema excluye
rule-items = tiene elementos que el esquema no admite
rule-schema = no se ajusta al esquema
rule-range = está fuera de rango
rule-unexplained = no se ajusta al esquema; es demasiado grande para decir dónde
rule-unjudged = no se puede comprobar: el esquema es demasiado complejo para argumentos de este tamaño

repair-meant = ¿se quería decir '{ $name }'?
repair-omit = omitirlo
repair-bound = { $value } es el valor admitido más cercano
repair-rename = cambiar el nombre de '{ $name }' a '{ $to }'
repair-leave-out = omitir '{ $name }'
repair-send = enviar '{ $name }' como { $value }
repair-add-value = añadir '{ $name }': { $value }
repair-add = añadir '{ $name }'
repair-add-one = añadir { $names }
repair-remove = quitar '{ $name }'
repair-rule = '{ $name }': { $rule }
rule-parameter = Parámetro '{ $name }': { $rule }
