### Deutsch. Sachlich und ohne Anrede; Meldungen ohne Schlusspunkt, Abhilfen und Sätze für Menschen mit.

## validation

VALIDATION_INVALID_VALUE = Parameter '{ $param_name }' enthält einen ungültigen Wert
    .plain = Ungültiger Wert
    .sentence = Parameter '{ $param_name }' enthält einen ungültigen Wert: { $reason }
    .remediation = '{ $param_name }' nach den Angaben in den Details korrigieren, dann erneut aufrufen.
    .remediation-plain = Den Wert nach den Angaben in den Details korrigieren, dann erneut aufrufen.
    .user = Einige der Angaben sind ungültig.

VALIDATION_MISSING_PARAM = Pflichtparameter '{ $param_name }' fehlt
    .plain = Pflichtparameter fehlt
    .remediation = '{ $param_name }' in den Argumenten ergänzen, dann erneut aufrufen.
    .remediation-plain = Den fehlenden Parameter in den Argumenten ergänzen, dann erneut aufrufen.
    .user = Es fehlen notwendige Angaben.

VALIDATION_INVALID_TYPE = Parameter '{ $param_name }': '{ $expected_type }' erwartet, '{ $actual_type }' erhalten
    .plain = Der Parameter ist vom falschen Typ
    .remediation = '{ $param_name }' als { $expected_type } senden, dann erneut aufrufen.
    .remediation-plain = Den Parameter mit dem Typ senden, den sein Schema vorgibt, dann erneut aufrufen.
    .user = Einige Angaben sind in der falschen Form.

VALIDATION_PATTERN_MISMATCH = Parameter '{ $param_name }' entspricht nicht '{ $pattern }'
    .plain = Der Parameter entspricht nicht seinem Muster
    .remediation = '{ $param_name }' nach dem Muster '{ $pattern }' schreiben, dann erneut aufrufen.
    .remediation-plain = Den Wert nach dem angegebenen Muster schreiben, dann erneut aufrufen.
    .user = Einige Angaben sind nicht so geschrieben, wie sie sein müssen.

VALIDATION_INVALID_ENUM = Parameter '{ $param_name }' muss einer der Werte '{ $allowed_values }' sein
    .plain = Der Parameter ist keiner der erlaubten Werte
    .remediation = Einen erlaubten Wert für '{ $param_name }' wählen: { $allowed_values }.
    .remediation-plain = Einen der Werte wählen, die das Eingabeschema des Tools aufzählt.
    .user = Eine der gewählten Möglichkeiten gibt es nicht.

VALIDATION_OUT_OF_RANGE = Parameter '{ $param_name }' liegt außerhalb des Bereichs
    .plain = Der Parameter liegt außerhalb des Bereichs
    .sentence = Parameter '{ $param_name }' muss zwischen { $minimum } und { $maximum } liegen
    .remediation = Für '{ $param_name }' einen Wert von { $minimum } bis { $maximum } senden.
    .remediation-plain = Einen Wert innerhalb der Grenzen des Eingabeschemas senden.
    .user = Eine Zahl ist zu klein oder zu groß.

VALIDATION_UNKNOWN_PARAM = Unbekannte Parameter für Operation '{ $operation }': { $param_list }
    .plain = Unbekannte Parameter
    .remediation = Die unbekannten Parameter entfernen oder diese Namen verwenden: { $valid_params }.
    .remediation-plain = Die unbekannten Parameter entfernen oder ihre Namen im Eingabeschema des Tools nachsehen.
    .user = Die Anfrage enthielt etwas, das das Tool nicht versteht.

VALIDATION_UNKNOWN_FIELD = Unbekannte Felder in der Eingabe von Operation '{ $operation }': '{ $unknown_fields }'
    .plain = Unbekannte Felder in der Eingabe
    .remediation = Die unbekannten Felder aus dem Eingabeobjekt weglassen; erlaubt sind: { $valid_fields }.
    .remediation-plain = Die unbekannten Felder aus dem Eingabeobjekt weglassen.
    .user = Etwas, das geändert werden sollte, gibt es nicht.

VALIDATION_INVALID_ENCODING = Ungültige Zeichenkodierung in der Anfrage
    .remediation = Die Anfrage als UTF-8 kodieren und noch einmal senden.
    .user = Die Anfrage enthielt Zeichen, die sich nicht lesen lassen.

VALIDATION_PAYLOAD_TOO_LARGE = Die Nutzdaten überschreiten das Limit { $limit_type } von { NUMBER($limit_value) }
    .plain = Die Nutzdaten sind zu groß
    .remediation = Weniger anfordern oder senden: höchstens { NUMBER($limit_value) } { $unit ->
            [bytes] { $limit_value ->
                [one] Byte
               *[other] Bytes
            }
            [elements] { $limit_value ->
                [one] Element
               *[other] Elemente
            }
            [levels] { $limit_value ->
                [one] Ebene
               *[other] Ebenen
            }
           *[other] { $unit }
        }.
    .remediation-plain = Weniger anfordern oder senden, zum Beispiel in mehreren kleineren Aufrufen.
    .user = Die Anfrage oder die Antwort darauf ist zu groß.

VALIDATION_ENDPOINT_MISMATCH = Operation '{ $operation }' gehört zum Endpunkt '{ $expected_endpoint }', nicht zu '{ $actual_endpoint }'
    .plain = Die Operation gehört zu einem anderen Endpunkt
    .remediation = '{ $operation }' über den Endpunkt '{ $expected_endpoint }' aufrufen.
    .remediation-plain = Die Operation über den Endpunkt aufrufen, den ihr Schema nennt.
    .user = Die Anfrage ging an die falsche Stelle.

VALIDATION_READ_ONLY_FIELD = Parameter '{ $param_name }' ist schreibgeschützt
    .plain = Der Parameter ist schreibgeschützt
    .remediation = '{ $param_name }' aus der Änderung weglassen: den Wert setzt der Server.
    .remediation-plain = Schreibgeschützte Felder aus der Änderung weglassen: ihre Werte setzt der Server.
    .user = Etwas, das geändert werden sollte, lässt sich nicht ändern.

BATCH_VALIDATION_ERROR = Die Stapelanfrage ist ungültig: '{ $reason }'
    .plain = Die Stapelanfrage ist ungültig
    .remediation = Den Stapel als Liste von Objekten mit operation und params senden; bisher ist nichts davon ausgeführt.
    .user = Die Liste der Aufgaben ist ungültig.

SCHEMA_MISSING_FIELD = Schemafeld '{ $field_path }' fehlt
    .plain = Schemafeld fehlt
    .remediation = Das Feld '{ $field_path }' im Schemadokument ergänzen.
    .remediation-plain = Das fehlende Feld im Schemadokument ergänzen.
    .user = Die Beschreibung des Dienstes ist unvollständig.

SCHEMA_INVALID_TYPE = Schemafeld '{ $field_path }': '{ $expected_type }' erwartet, '{ $actual_type }' erhalten
    .plain = Das Schemafeld ist vom falschen Typ
    .remediation = Das Schemafeld '{ $field_path }' in { $expected_type } ändern.
    .remediation-plain = Das Schemafeld in den Typ ändern, den der Leser erwartet.
    .user = Die Beschreibung des Dienstes enthält einen Fehler.

SCHEMA_UNRESOLVED_REF = Schemaverweis '{ $actual_value }' in '{ $field_path }' lässt sich nicht auflösen
    .plain = Der Schemaverweis lässt sich nicht auflösen
    .remediation = Den Typ '{ $actual_value }' deklarieren oder auf einen deklarierten verweisen.
    .remediation-plain = Den fehlenden Typ deklarieren oder auf einen deklarierten verweisen.
    .user = Die Beschreibung des Dienstes verweist auf etwas, das fehlt.

SCHEMA_DUPLICATE_NAME = Schemaname '{ $actual_value }' in '{ $field_path }' ist schon vergeben
    .plain = Der Schemaname ist schon vergeben
    .remediation = Eine der beiden Deklarationen von '{ $actual_value }' umbenennen.
    .remediation-plain = Eine der beiden gleichnamigen Deklarationen umbenennen.
    .user = Die Beschreibung des Dienstes verwendet einen Namen doppelt.

SCHEMA_INVALID_NAME = Schemaname '{ $actual_value }' in '{ $field_path }' entspricht nicht '{ $expected_value }'
    .plain = Der Schemaname ist nicht so geschrieben wie verlangt
    .remediation = '{ $actual_value }' so umbenennen, dass der Name '{ $expected_value }' entspricht.
    .remediation-plain = Den Namen an die Namensregel des Schemas anpassen.
    .user = Ein Name in der Beschreibung des Dienstes ist nicht erlaubt.

SCHEMA_VERSION_DEPRECATED = Schemaversion '{ $actual_value }' ist veraltet; stattdessen '{ $expected_value }' verwenden
    .plain = Die Schemaversion ist veraltet
    .remediation = Das Schemadokument auf Version '{ $expected_value }' umstellen.
    .remediation-plain = Das Schemadokument auf die aktuelle Version umstellen.
    .user = Die Beschreibung des Dienstes ist veraltet.

SCHEMA_VERSION_UNSUPPORTED = Schemaversion '{ $actual_value }' wird nicht unterstützt; stattdessen '{ $expected_value }' verwenden
    .plain = Die Schemaversion wird nicht unterstützt
    .remediation = Das Schemadokument für eine unterstützte Version neu schreiben: { $expected_value }.
    .remediation-plain = Das Schemadokument für eine unterstützte Version neu schreiben.
    .user = Die Beschreibung des Dienstes ist für eine andere Version geschrieben.

## authentication

AUTHENTICATION_REQUIRED = Anmeldung bei '{ $service }' erforderlich
    .plain = Anmeldung erforderlich
    .remediation = Bei '{ $service }' anmelden oder Zugangsdaten dafür einrichten, dann erneut aufrufen.
    .remediation-plain = Anmelden oder Zugangsdaten einrichten, dann erneut aufrufen.
    .user = Bitte zuerst anmelden.

AUTHENTICATION_INVALID_CREDENTIALS = Anmeldung fehlgeschlagen: Zugangsdaten für '{ $service }' wurden abgelehnt
    .plain = Anmeldung fehlgeschlagen: Zugangsdaten wurden abgelehnt
    .remediation = Die Zugangsdaten für '{ $service }' ersetzen: dieselben würden wieder abgelehnt.
    .remediation-plain = Die Zugangsdaten ersetzen: dieselben würden wieder abgelehnt.
    .user = Die Anmeldedaten wurden nicht angenommen.

AUTHENTICATION_EXPIRED = Anmeldung abgelaufen: Zugangsdaten für '{ $service }' sind nicht mehr gültig
    .plain = Anmeldung abgelaufen: Zugangsdaten sind nicht mehr gültig
    .remediation = Das Zugriffstoken erneuern oder neu anmelden, dann erneut aufrufen.
    .user = Die Anmeldung ist abgelaufen; bitte neu anmelden.

## authorization

PERMISSION_DENIED = Zugriff verweigert: '{ $reason }'
    .plain = Zugriff verweigert
    .remediation = Die Administration um die Berechtigung '{ $required_scope }' bitten oder das Ziel anders erreichen.
    .remediation-plain = Die Administration um Zugriff bitten oder das Ziel anders erreichen.
    .user = Dafür fehlt die Berechtigung.

PERMISSION_TRUST_LEVEL_INSUFFICIENT = Operation '{ $operation }' verlangt Vertrauensstufe '{ $required_trust }', der Adapter ist auf '{ $actual_trust }'
    .plain = Die Operation verlangt eine höhere Vertrauensstufe
    .remediation = Den Adapter auf Vertrauensstufe '{ $required_trust }' heben lassen oder eine weniger gefährliche Operation verwenden.
    .remediation-plain = Den Adapter auf eine höhere Vertrauensstufe heben lassen oder eine weniger gefährliche Operation verwenden.
    .user = Diese Aktion ist gesperrt, bis die Verbindung geprüft ist.

PERMISSION_DANGER_LEVEL_DENIED = Operation '{ $operation }' (Gefahr: { $danger_level }) abgelehnt für Adapter mit Vertrauensstufe '{ $adapter_trust }'
    .plain = Die Operation wurde wegen ihrer Gefahrenstufe abgelehnt
    .remediation = Eine weniger gefährliche Operation wählen oder den Betreiber bitten, den Adapter auf Vertrauensstufe '{ $minimum_trust_required }' zu heben.
    .remediation-plain = Eine weniger gefährliche Operation wählen oder den Betreiber bitten, die Vertrauensstufe des Adapters zu heben.
    .user = Diese Aktion ist hier zu riskant.

PERMISSION_NOT_ALLOWED = Zugriff verweigert: Operation '{ $operation }' ist nicht erlaubt
    .plain = Zugriff verweigert: Operation ist nicht erlaubt
    .remediation = Eine erlaubte Operation wählen oder den Betreiber bitten, '{ $operation }' zu erlauben.
    .remediation-plain = Eine erlaubte Operation wählen oder den Betreiber bitten, diese zu erlauben.
    .user = Diese Aktion ist hier nicht erlaubt.

PERMISSION_FEATURE_DISABLED = Zugriff verweigert: Funktion '{ $feature }' ist abgeschaltet
    .plain = Zugriff verweigert: Funktion ist abgeschaltet
    .remediation = Den Betreiber bitten, '{ $feature }' einzuschalten, oder ohne sie arbeiten.
    .remediation-plain = Den Betreiber bitten, die Funktion einzuschalten, oder ohne sie arbeiten.
    .user = Diese Funktion ist abgeschaltet.

## not_found

NOT_FOUND_RESOURCE = Ressource '{ $resource_type }' nicht gefunden: '{ $resource_id }'
    .plain = Ressource nicht gefunden
    .sentence = { $resource_type } '{ $resource_id }' nicht gefunden
    .remediation = Prüfen, ob es die ID für '{ $resource_type }' gibt.
    .remediation-plain = Die ID der Ressource prüfen oder die vorhandenen auflisten.
    .user = Das Gesuchte wurde nicht gefunden.

NOT_FOUND_OPERATION = Unbekannte Operation: '{ $operation_name }'
    .plain = Unbekannte Operation
    .remediation = Stattdessen eine der verfügbaren Operationen aufrufen: { $available }.
    .remediation-plain = Die Tools oder Operationen des Servers auflisten und eine davon aufrufen.
    .user = Die gewünschte Aktion gibt es nicht.

## conflict

CONFLICT_ALREADY_EXISTS = Ressource '{ $resource_type }' gibt es schon: '{ $resource_id }'
    .plain = Die Ressource gibt es schon
    .remediation = '{ $resource_type }' mit der ID '{ $resource_id }' verwenden oder unter einem anderen Namen anlegen.
    .remediation-plain = Die vorhandene Ressource verwenden oder eine unter anderem Namen anlegen.
    .user = Das gibt es schon.

CONFLICT_VERSION_MISMATCH = Versionskonflikt: '{ $expected_version }' erwartet, '{ $actual_version }' gefunden
    .plain = Versionskonflikt
    .remediation = Die Ressource neu lesen, die Änderung auf Version '{ $actual_version }' anwenden, dann wiederholen.
    .remediation-plain = Die Ressource neu lesen, die Änderung auf ihre aktuelle Version anwenden, dann wiederholen.
    .user = Das wurde inzwischen von anderer Seite geändert.

CONFLICT_INVALID_STATE = Konflikt: Operation '{ $operation }' ist im Zustand '{ $current_state }' nicht möglich
    .plain = Konflikt mit dem aktuellen Zustand
    .remediation = Den aktuellen Zustand lesen und die Ressource zuerst in einen bringen, in dem '{ $operation }' möglich ist.
    .remediation-plain = Den aktuellen Zustand lesen und die Ressource zuerst in einen passenden bringen.
    .user = Das geht in der jetzigen Lage nicht.

CONFLICT_DUPLICATE_OPERATION = Konflikt: Operation '{ $operation }' wurde schon ausgeführt
    .plain = Konflikt: Operation wurde schon ausgeführt
    .remediation = Das Ergebnis des ersten Aufrufs verwenden; diesen nicht noch einmal senden.
    .user = Das ist schon erledigt.

## rate_limit

RATE_LIMIT_EXCEEDED = Ratenlimit der API überschritten
    .sentence = Ratenlimit überschritten: { NUMBER($limit) } { $limit ->
            [one] Anfrage
           *[other] Anfragen
        } pro { $window ->
            [second] Sekunde
            [minute] Minute
            [hour] Stunde
            [day] Tag
           *[other] { $window }
        }
    .remediation = { NUMBER($retry_after_seconds) } { $retry_after_seconds ->
            [one] Sekunde
           *[other] Sekunden
        } warten, dann wiederholen.
    .remediation-plain = Warten, bis das Limit zurückgesetzt ist, dann wiederholen.
    .user = Es gab zu viele Anfragen; bitte gleich noch einmal versuchen.

RATE_LIMIT_QUOTA_PAUSE = Pausenschwelle des Kontingents erreicht
    .remediation = Einen Menschen fragen, ob es weitergehen soll; dann denselben Aufruf mit dem Token in '_quota_continue' vor { $expires_at } senden.
    .remediation-plain = Einen Menschen fragen, ob es weitergehen soll; dann denselben Aufruf mit dem Token in '_quota_continue' senden.
    .user = Das Nutzungskontingent ist fast aufgebraucht; soll es weitergehen?

RATE_LIMIT_QUOTA_EXHAUSTED = Kontingent aufgebraucht
    .remediation = Bis { $resets_at } nicht mehr aufrufen oder den Betreiber um ein größeres Kontingent bitten.
    .remediation-plain = Bis zum Zurücksetzen des Kontingents nicht mehr aufrufen oder den Betreiber um ein größeres bitten.
    .user = Das Nutzungskontingent ist vorerst aufgebraucht.

## confirmation

CONFIRMATION_REQUIRED = Diese Operation muss bestätigt werden
    .remediation = Einen Menschen um Freigabe bitten; dann denselben Aufruf mit dem Argument _confirmation mit dem Wert '{ $confirmation_token }' vor { $expires_at } senden.
    .remediation-plain = Einen Menschen um Freigabe bitten; dann denselben Aufruf mit dem Token in '_confirmation' senden.
    .user = Diese Aktion muss zuerst freigegeben werden.

TOKEN_INVALID = Ungültiges Bestätigungstoken
    .remediation = Den Aufruf ohne Token senden, um ein neues zu bekommen, dann einen Menschen um Freigabe bitten.
    .user = Die Freigabe wurde nicht erkannt.

TOKEN_EXPIRED = Das Bestätigungstoken ist abgelaufen
    .remediation = Das abgelaufene Token verwerfen, erneut um Freigabe bitten und das neue Token rechtzeitig verwenden.
    .user = Die Freigabe kam zu spät; bitte noch einmal freigeben.

TOKEN_ALREADY_USED = Das Bestätigungstoken wurde schon verwendet
    .remediation = Das Ergebnis des früheren Aufrufs suchen; nur dann neu um Freigabe bitten, wenn die Aktion ein zweites Mal geschehen muss.
    .user = Diese Freigabe wurde schon verwendet.

TOKEN_SCOPE_MISMATCH = Das Bestätigungstoken gilt nicht für diesen Aufruf
    .remediation = Das Token nur mit genau dem Aufruf verwenden, für den es ausgestellt ist ('{ $token_operation }'), oder diesen freigeben lassen.
    .remediation-plain = Das Token nur mit genau dem Aufruf verwenden, für den es ausgestellt ist, oder diesen freigeben lassen.
    .user = Die Freigabe galt einer anderen Aktion.

## business

BUSINESS_RULE_VIOLATION = Geschäftsregel '{ $rule }' verletzt
    .plain = Geschäftsregel verletzt
    .remediation = Die Anfrage so ändern, dass sie die Regel '{ $rule }' einhält, oder einen Menschen entscheiden lassen.
    .remediation-plain = Die Anfrage so ändern, dass sie die Regel einhält, oder einen Menschen entscheiden lassen.
    .user = Das ist nach den Regeln des Dienstes nicht möglich.

BUSINESS_INSUFFICIENT_BALANCE = Guthaben reicht nicht: '{ NUMBER($required) }' nötig, '{ NUMBER($available) }' verfügbar
    .plain = Guthaben reicht nicht
    .remediation = Das Guthaben prüfen, dann aufladen oder einen kleineren Betrag verlangen.
    .user = Dafür reicht das Guthaben nicht.

## unavailable

UNAVAILABLE_SERVICE = Dienst '{ $service }' ist nicht verfügbar
    .plain = Dienst nicht verfügbar
    .remediation = Etwas warten, dann mit wachsenden Pausen wiederholen.
    .user = Der Dienst ist gerade nicht verfügbar; bitte später noch einmal versuchen.

UNAVAILABLE_DEPENDENCY = Vom Dienst benötigtes '{ $dependency }' ist ausgefallen
    .plain = Etwas, das der Dienst benötigt, ist ausgefallen
    .remediation = Für diesen Schritt ein anderes Tool verwenden oder wiederholen, sobald '{ $dependency }' wieder läuft.
    .remediation-plain = Für diesen Schritt ein anderes Tool verwenden oder wiederholen, sobald der ausgefallene Teil wieder läuft.
    .user = Ein Teil des Dienstes ist gerade gestört.

UNAVAILABLE_TIMEOUT = Dienst antwortete nicht innerhalb von '{ NUMBER($timeout_ms) }' ms
    .plain = Dienst antwortete nicht rechtzeitig
    .sentence = Operation '{ $operation }' wurde nicht innerhalb von { NUMBER($timeout_ms) } ms fertig
    .remediation = Prüfen, ob der Aufruf gewirkt hat; wenn nicht, mit längerer Frist oder kleinerer Anfrage wiederholen.
    .user = Der Dienst brauchte zu lange für eine Antwort.

UNAVAILABLE_CIRCUIT_OPEN = Dienst '{ $service }' pausiert nach wiederholten Ausfällen
    .plain = Dienst pausiert nach wiederholten Ausfällen
    .remediation = Jetzt einen Ersatz verwenden oder in { NUMBER($retry_after_seconds) } { $retry_after_seconds ->
            [one] Sekunde
           *[other] Sekunden
        } erneut aufrufen.
    .remediation-plain = Jetzt einen Ersatz verwenden oder erneut aufrufen, wenn sich der Dienst erholt hat.
    .user = Der Dienst war gestört und macht eine Pause.

UNAVAILABLE_OVERLOADED = Dienst '{ $service }' ist überlastet
    .plain = Dienst ist überlastet
    .remediation = Weniger Aufrufe gleichzeitig senden und diesen nach einer kurzen Pause wiederholen.
    .user = Der Dienst ist stark ausgelastet; bitte gleich noch einmal versuchen.

UNAVAILABLE_NETWORK = Dienst '{ $service }' ist nicht erreichbar
    .plain = Dienst ist nicht erreichbar
    .remediation = Netzwerk und Adresse des Dienstes prüfen, dann wiederholen; falls vorhanden, einen anderen Dienst verwenden.
    .user = Der Dienst war nicht erreichbar.

UNAVAILABLE_TLS = TLS-Handshake mit Dienst '{ $service }' fehlgeschlagen
    .plain = TLS-Handshake mit dem Dienst fehlgeschlagen
    .remediation = Nicht wiederholen; den Betreiber bitten, Zertifikate oder TLS-Einstellungen von '{ $service }' zu berichtigen.
    .remediation-plain = Nicht wiederholen; den Betreiber bitten, Zertifikate oder TLS-Einstellungen zu berichtigen.
    .user = Eine sichere Verbindung zum Dienst kam nicht zustande.

## internal

INTERNAL_ERROR = Interner Fehler: '{ $description }'
    .plain = Interner Fehler
    .remediation = Einmal wiederholen; schlägt es wieder fehl, die Korrelations-ID an den Support geben.
    .user = Im Dienst gab es ein internes Problem; der Support kann nachsehen.

INTERNAL_BAD_UPSTREAM = Interner Fehler: Antwort von '{ $service }' ist nicht lesbar
    .plain = Interner Fehler: Antwort des Zielsystems ist nicht lesbar
    .remediation = Einmal wiederholen; bleibt die Antwort unlesbar, ein anderes Tool verwenden.
    .user = Die Antwort des Dienstes war nicht lesbar.

INTERNAL_ADAPTER = Interner Fehler: Adapter '{ $adapter }' ist gescheitert
    .plain = Interner Fehler: Adapter ist gescheitert
    .remediation = Nach dem eigenen Fehler des Adapters '{ $original_error }' entscheiden; im Zweifel ein anderes Tool verwenden.
    .remediation-plain = Nach den Details zum eigenen Fehler des Adapters entscheiden; im Zweifel ein anderes Tool verwenden.
    .user = Der verbundene Dienst meldete ein eigenes Problem.

INTERNAL_NOT_IMPLEMENTED = Operation '{ $operation }' ist nicht implementiert
    .plain = Die Operation ist nicht implementiert
    .remediation = Anstelle von '{ $operation }' ein anderes Tool verwenden; andere Argumente helfen nicht.
    .remediation-plain = Ein anderes Tool verwenden; andere Argumente helfen nicht.
    .user = Das kann dieser Dienst noch nicht.

INTERNAL_CONFIGURATION = Interner Fehler: Einstellung '{ $setting }' fehlt oder ist ungültig
    .plain = Interner Fehler: Konfiguration ist ungültig
    .remediation = Nicht wiederholen; den Betreiber bitten, die Einstellung '{ $setting }' zu berichtigen.
    .remediation-plain = Nicht wiederholen; den Betreiber bitten, die Konfiguration zu berichtigen.
    .user = Der Dienst ist nicht richtig eingerichtet.

INTERNAL_UNKNOWN = Interner Fehler: Ausfall unbekannter Art
    .remediation = Nicht blind wiederholen; die Korrelations-ID zur Klärung an den Support geben.
    .user = Es gab ein unerwartetes Problem; der Support kann nachsehen.

BATCH_FAILED = { $total ->
        [one] Die einzige Operation ist fehlgeschlagen
       *[other] Alle { NUMBER($total) } Operationen sind fehlgeschlagen
    }
    .plain = Alle Operationen sind fehlgeschlagen
    .remediation = Die Fehler der Einträge lesen, die gemeinsame Ursache beseitigen, dann den Stapel noch einmal senden.
    .user = Keiner der gewünschten Schritte ist gelungen.

BATCH_PARTIAL_FAILURE = { NUMBER($failed) } von { NUMBER($total) } { $total ->
        [one] Operation
       *[other] Operationen
    } fehlgeschlagen
    .plain = Einige Operationen sind fehlgeschlagen
    .remediation = Die Ergebnisse der gelungenen Einträge behalten und nur die fehlgeschlagenen berichtigt noch einmal senden.
    .user = Einige der gewünschten Schritte sind nicht gelungen.

## Warnings

CONTENT_TRUNCATED = Der Inhalt wurde gekürzt, um die Größengrenze einzuhalten

CONTENT_DROPPED = '{ NUMBER($dropped_count) }' { $dropped_count ->
        [one] Eintrag
       *[other] Einträge
    } weggelassen, um die Größengrenze einzuhalten
    .plain = Einige Einträge wurden weggelassen, um die Größengrenze einzuhalten

PRIORITY_SUMMARIZED = Inhalte von geringer Priorität wurden durch Zusammenfassungen ersetzt

SUMMARY_PROVIDER_FAILED = Zusammenfassungen ließen sich nicht erstellen; ein Ersatz wurde verwendet

TOKEN_BUDGET_FLOORED = Das Token-Budget wurde auf sein Minimum angehoben

LIMITS_DEFAULTED = Es gelten die Standardgrenzen

ARCHIVE_WRITE_FAILED = Weggelassene Inhalte ließen sich nicht archivieren

PROTECTED_OVERFLOW = Geschützte Inhalte überschritten ihren Anteil und verdrängten andere

STATE_MIGRATION_RECOVERED = Der gespeicherte Zustand wurde von einer älteren Version übernommen

TOKEN_COUNT_ESTIMATE_USED = Die Tokenzahlen sind geschätzt

STALE_CACHE = Ergebnisse sind möglicherweise veraltet: Alter im Cache '{ NUMBER($age_seconds) }' { $age_seconds ->
        [one] Sekunde
       *[other] Sekunden
    }
    .plain = Ergebnisse sind möglicherweise veraltet

PARTIAL_FAILURE = { NUMBER($failed) } von { NUMBER($total) } { $total ->
        [one] Eintrag
       *[other] Einträgen
    } fehlgeschlagen
    .plain = Einige Einträge sind fehlgeschlagen

DEPRECATED_FIELD = Feld '{ $field }' ist veraltet
    .plain = Ein veraltetes Feld wurde verwendet

RATE_LIMIT_APPROACHING = Das Ratenlimit ist bald erreicht

FALLBACK_USED = Ersatz '{ $fallback }' wurde verwendet
    .plain = Ein Ersatz wurde verwendet

RATE_LIMIT_QUOTA_WARNING = Das Kontingent ist bald aufgebraucht

DEPRECATION_WARNING = '{ $deprecated_item }' ist veraltet
    .plain = Etwas Veraltetes wurde verwendet

VALIDATION_TRUNCATED_WARNING = Feld '{ $field }' wurde auf '{ NUMBER($limit) }' { $limit ->
        [one] Eintrag
       *[other] Einträge
    } gekürzt
    .plain = Ein Feld wurde auf seine Grenze gekürzt

PERFORMANCE_SLOW_QUERY_WARNING = Operation '{ $operation }' war langsam: '{ NUMBER($duration_ms) }' ms
    .plain = Die Operation war langsam

ARGUMENTS_REPAIRED = Argumente wurden repariert: '{ $params }'
    .plain = Argumente wurden repariert

ARGUMENTS_MISMATCH = Argumente passen nicht zum Schema: '{ $params }'
    .plain = Argumente passen nicht zum Schema

ARGUMENTS_UNCHECKED = Argumente von '{ $operation }' wurden nicht geprüft
    .plain = Argumente wurden nicht geprüft

OUTPUT_MISMATCH = Ergebnis von '{ $operation }' passt nicht zu seinem Ausgabeschema
    .plain = Das Ergebnis passt nicht zu seinem Ausgabeschema

LOOKS_FAILED = '{ $operation }' war laut Server erfolgreich, aber der Text liest sich wie ein Fehlschlag: '{ $looks_like }', nach der Regel '{ $rule }'. Wenn nicht genau dieser Text gewünscht war, ist der Aufruf fehlgeschlagen. Das ist kein Grund, erneut aufzurufen
    .plain = Laut Server war dies erfolgreich, aber der Text liest sich wie ein Fehlschlag. Wenn nicht genau dieser Text gewünscht war, ist der Aufruf fehlgeschlagen. Das ist kein Grund, erneut aufzurufen

TOOL_LIST_STALE = Tools von '{ $upstream }' können sich geändert haben, seit sie aufgelistet wurden
    .plain = Die Tools können sich geändert haben, seit sie aufgelistet wurden

UPSTREAM_LOST = Keine Antwort von Upstream '{ $upstream }'; sein Teil fehlt
    .plain = Ein Upstream antwortete nicht; sein Teil fehlt

NAMES_SHORTENED = '{ $shortened_count }' zu lange Namen gekürzt
    .plain = Zu lange Namen wurden gekürzt

RESULT_ADAPTED = An eine ältere Version des Protokolls angepasst: '{ $fields }'
    .plain = Teile wurden an eine ältere Version des Protokolls angepasst

UNKNOWN_PARAM_IGNORED = Parameter, die das Schema nicht kennt: '{ $unknown_params }'
    .plain = Es gibt Parameter, die das Schema nicht kennt

RETRIED = Gelungen nach '{ NUMBER($attempts) }' { $attempts ->
        [one] Versuch
       *[other] Versuchen
    }
    .plain = Gelungen nach einer Wiederholung

WARNINGS_SUPPRESSED = '{ NUMBER($suppressed_count) }' weitere { $suppressed_count ->
        [one] Warnung
       *[other] Warnungen
    } weggelassen
    .plain = Weitere Warnungen wurden weggelassen

## Sentences that belong to no code

repeat-later = Später erneut aufrufen, jedes Mal nach längerer Pause.
repeat-once = Den Aufruf einmal wiederholen; schlägt er wieder fehl, ein anderes Tool verwenden oder den Betreiber des Servers fragen.
do-not-repeat = Denselben Aufruf nicht wiederholen; ein anderes Tool verwenden oder den Betreiber des Servers fragen.
confirm = Bestätigen
batch-partial = { NUMBER($failed) } von { NUMBER($total) } { $total ->
        [one] Eintrag
       *[other] Einträgen
    } nicht verarbeitet
batch-failed = { $total ->
        [one] Der einzige Eintrag wurde nicht verarbeitet
       *[other] Keiner der { NUMBER($total) } Einträge wurde verarbeitet
    }
batch-done = { $total ->
        [one] Der einzige Eintrag ist fertig
       *[other] Alle { NUMBER($total) } Einträge sind fertig
    }
batch-waits = { NUMBER($succeeded) } von { NUMBER($total) } { $total ->
        [one] Eintrag
       *[other] Einträgen
    } fertig

io-not-found = Datei oder Ressource gibt es nicht
io-permission-denied = Zugriff verweigert: Der Server darf Datei oder Ressource nicht nutzen
io-read-only = Zugriff verweigert: Der Speicher ist schreibgeschützt
io-already-exists = Datei oder Ressource gibt es bereits
io-refused = Die Verbindung wurde abgelehnt
io-reset = Die Gegenseite setzte die Verbindung zurück
io-aborted = Die Verbindung wurde abgebrochen
io-not-connected = Die Verbindung ist nicht offen
io-broken-pipe = Die Gegenseite schloss die Verbindung
io-host-unreachable = Der Host ist nicht erreichbar
io-network-unreachable = Das Netzwerk ist nicht erreichbar
io-network-down = Das Netzwerk ist ausgefallen
io-address-not-available = Die Netzwerkadresse ist nicht verfügbar
io-address-in-use = Die Netzwerkadresse ist bereits belegt
io-timed-out = Die Operation dauerte zu lange
io-would-block = Die Ressource ist beschäftigt
io-busy = Die Ressource wird gerade von anderen verwendet
io-executable-busy = Die Programmdatei wird gerade verwendet
io-deadlock = Die Ressource ist von anderen gesperrt
io-interrupted = Die Operation wurde unterbrochen
io-invalid-input = Der Wert ist für die Operation nicht verwendbar
io-invalid-filename = Der Dateiname ist ungültig
io-not-a-directory = Der Pfad führt nicht zu einem Verzeichnis
io-is-a-directory = Der Pfad führt zu einem Verzeichnis
io-directory-not-empty = Das Verzeichnis ist nicht leer
io-file-too-large = Die Datei ist zu groß
io-arguments-too-long = Die Argumente des Programms sind zu lang
io-invalid-data = Die Daten sind fehlerhaft aufgebaut und nicht lesbar
io-unexpected-end = Die Daten endeten zu früh
io-write-zero = Die Daten ließen sich nicht schreiben
io-stale-handle = Der Netzwerkspeicher verlor die Datei
io-storage-full = Der Speicherplatz des Servers ist voll
io-storage-quota = Das Speicherkontingent des Servers ist aufgebraucht
io-out-of-memory = Dem Server fehlt Arbeitsspeicher
io-unsupported = Die Operation wird hier nicht unterstützt

exit-not-found = Der Befehl des Servers wurde nicht gefunden
exit-not-executable = Der Befehl des Servers ist nicht ausführbar
exit-configuration = Der Server endete wegen falscher Konfiguration
exit-start-success = Der Befehl endete, ohne zu dienen: Vielleicht ist er kein Server
exit-unexpected-end = Der Server endete während der Benutzung
exit-temporary = Der Server endete aus einem nach eigener Angabe vorübergehenden Grund
exit-killed = Der Server wurde durch { $signal } abgebrochen
exit-stopped = Der Server wurde durch { $signal } beendet
exit-out-of-memory = Dem Server ging der Arbeitsspeicher aus
exit-crash = Der Server ist abgestürzt
exit-failed = Der Server endete mit einem Fehler
exit-start-failed = Der Server endete beim Start mit einem Fehler

service-other = Die Anfrage ließ sich nicht abschließen
service-timeout = Der Dienst antwortete nicht rechtzeitig
service-tls = Der Dienst scheiterte am TLS-Handshake
service-unreadable = Die Antwort des Dienstes ist nicht lesbar
service-broken-off = Die Verbindung brach während der Übertragung ab
service-closed = Die Verbindung wurde vor der Antwort geschlossen
service-unbuilt = Die Anfrage ließ sich nicht aufbauen
service-dns = Der Name des Dienstes ist im Netzwerk unbekannt
service-connect = Der Dienst lässt sich nicht erreichen
service-redirect = Der Dienst leitet endlos weiter
service-upgrade = Der Dienst spricht das verlangte Protokoll nicht
service-builder = Die Anfrage an den Dienst ließ sich nicht aufbauen
http-status = HTTP-Status { $status }

json-syntax = Das JSON ist fehlerhaft
json-end = Das JSON endete zu früh
json-io = Das JSON ließ sich nicht übertragen
json-data = Das JSON entspricht nicht der erwarteten Form
json-value = Der Wert entspricht nicht der erwarteten Form
parse-text = Der Text ist kein UTF-8
parse-range = Die Zahl liegt außerhalb des Bereichs
parse-integer = Der Wert ist keine ganze Zahl
parse-number = Der Wert ist keine Zahl
parse-boolean = Der Wert ist weder true noch false

call-cancelled = Der Aufruf wurde abgebrochen
call-open-address = Die Person bitten, die Adresse in den Details zu öffnen und dort fortzufahren, danach erneut aufrufen.
call-neither = Die Antwort enthält weder Ergebnis noch Fehler
call-read-words = Lesen, was der Server sagt, und den Aufruf ändern oder das, worauf er wirkt; hilft das nicht, mit der Korrelations-ID um Hilfe bitten.
call-ask-user = Nicht von sich aus erneut aufrufen; den Benutzer fragen, was er möchte.
call-untold = Der Fehlschlag wurde gezählt, aber nicht beschrieben
call-paused = Tool '{ $tool }' des Dienstes '{ $service }' pausiert nach wiederholten Ausfällen
call-uncertain = Ob der Aufruf gewirkt hat, ist nicht bekannt. Erst nachsehen und nur dann erneut aufrufen, wenn er nicht gewirkt hat.
call-uncertain-user = Es ist nicht sicher, ob dies ausgeführt wurde. Vor einem neuen Versuch bitte nachsehen.
unknown-method = Unbekannte Methode '{ $method }'
unknown-tool = Unbekanntes Tool '{ $tool }'
unknown-tool-near = Unbekanntes Tool '{ $tool }'; war '{ $nearest }' gemeint?
call-nearest = '{ $nearest }' aufrufen, falls das gemeint war, oder die Tools auflisten.
call-meant = War '{ $nearest }' gemeint? Dieses Tool aufrufen oder ein anderes aus der Liste des Servers.
call-one-of-more = Stattdessen eine der verfügbaren Operationen aufrufen: { $available } und { NUMBER($count) } weitere. Alle stehen in der Liste der Tools.

arguments-unfit = Die Argumente passen nicht: { $reason }
arguments-params = Die Parameter von 'tools/call' passen nicht zum Schema
argument-type = Ein Argument muss { $expected } sein und ist { $actual }
argument-value = Ein Argument muss { $expected } sein

and-more = und { NUMBER($count) } weitere

ask-correct = '{ $tool }' kann nicht fortfahren: { $wrong }. { $what }
ask-what = Welcher Wert soll für { $names } gelten?
ask-instead = Welcher Wert soll für '{ $name }' statt '{ $before }' gelten?
ask-advice = Oder den Benutzer fragen, welcher Wert für { $names } gelten soll.
ask-declined = Der Benutzer wollte { $names } nicht angeben
ask-no-others = Nicht von sich aus mit anderen Werten erneut aufrufen; ohne diesen Aufruf weitermachen oder den Benutzer fragen, was er möchte.

rule-missing = erforderlich, fehlt aber
rule-one-missing = eines von { $names } ist erforderlich
rule-type = erwartet war { $expected }
rule-type-got = { $expected } erwartet, { $actual } erhalten
rule-unknown = unbekannter Name
rule-no-value = passt zu nichts: Das Schema lässt hier keinen Wert zu
rule-value = muss { $value } sein
rule-values = muss eines von { $values } sein
rule-values-more = muss eines von { $values } oder { NUMBER($count) } weiteren sein
rule-at-least = muss mindestens { $limit } sein
rule-more-than = muss größer als { $limit } sein
rule-at-most = darf höchstens { $limit } sein
rule-less-than = muss kleiner als { $limit } sein
rule-least-characters = muss mindestens { NUMBER($limit) } Zeichen lang sein
rule-most-characters = darf höchstens { NUMBER($limit) } Zeichen lang sein
rule-least-items = muss mindestens { NUMBER($limit) } { $limit ->
        [one] Element
       *[other] Elemente
    } enthalten
rule-most-items = darf höchstens { NUMBER($limit) } { $limit ->
        [one] Element
       *[other] Elemente
    } enthalten
rule-least-members = muss mindestens { NUMBER($limit) } { $limit ->
        [one] Feld
       *[other] Felder
    } enthalten
rule-most-members = darf höchstens { NUMBER($limit) } { $limit ->
        [one] Feld
       *[other] Felder
    } enthalten
rule-pattern = muss dem Muster { $pattern } entsprechen
rule-format = muss als { $format } geschrieben sein
rule-multiple = muss ein Vielfaches von { $of } sein
rule-unique = darf kein Element wiederholen
rule-no-alternative = passt zu keiner der Alternativen
rule-several = passt zu mehreren Alternativen, die einander ausschließen
rule-depth = darf nicht tiefer als { NUMBER($limit) } Ebenen verschachtelt sein
rule-contains = enthält ein vom Schema verlangtes Element nicht
rule-false = ist hier nicht erlaubt
rule-not = ist vom Schema ausgeschlossen
rule-items = enthält Elemente, die das Schema nicht zulässt
rule-schema = passt nicht zum Schema
rule-range = liegt außerhalb des Bereichs
rule-unexplained = passt nicht zum Schema; für eine Ortsangabe ist es zu groß
rule-unjudged = ist nicht prüfbar: Das Schema ist für so große Argumente zu verwickelt

repair-meant = war '{ $name }' gemeint?
repair-omit = weglassen
repair-bound = { $value } ist der nächste erlaubte Wert
repair-rename = '{ $name }' in '{ $to }' umbenennen
repair-leave-out = '{ $name }' weglassen
repair-send = '{ $name }' als { $value } senden
repair-add-value = '{ $name }' ergänzen: { $value }
repair-add = '{ $name }' ergänzen
repair-add-one = { $names } ergänzen
repair-remove = '{ $name }' entfernen
repair-rule = Bei '{ $name }': { $rule }
rule-parameter = Parameter '{ $name }': { $rule }
