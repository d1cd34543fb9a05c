### The English texts, generated from src/catalog and src/phrase: edit those, not this file. A translation has the same
### messages and attributes with the same values; docs/languages.md says how to make one.

## validation

# A value has the right type and still cannot be used: it breaks a rule no narrower validation code describes.
# $param_name: The name of the parameter, or the dotted path to it.
# $reason: Why the value was refused, in one sentence.
VALIDATION_INVALID_VALUE = Parameter '{ $param_name }' has an invalid value
    .plain = Invalid value
    .sentence = Parameter '{ $param_name }' has an invalid value: { $reason }
    .remediation = Correct '{ $param_name }' as the details say, then call again.
    .remediation-plain = Correct the value as the details say, then call again.
    .user = Some of the information given is not valid.

# The call lacks a parameter the operation cannot do without.
# $param_name: The name of the missing parameter.
VALIDATION_MISSING_PARAM = Missing required parameter '{ $param_name }'
    .plain = Missing required parameter
    .remediation = Add '{ $param_name }' to the arguments, then call again.
    .remediation-plain = Add the missing parameter to the arguments, then call again.
    .user = Some required information is missing.

# A parameter is there but has the wrong JSON type.
# $param_name: The name of the parameter, or the dotted path to it.
# $expected_type: The type the schema wants.
# $actual_type: The type that came.
VALIDATION_INVALID_TYPE = Parameter '{ $param_name }' expected '{ $expected_type }', got '{ $actual_type }'
    .plain = Parameter has the wrong type
    .remediation = Send '{ $param_name }' as { $expected_type }, then call again.
    .remediation-plain = Send the parameter with the type its schema declares, then call again.
    .user = Some information was given in the wrong form.

# A string is not written the way it has to be: it fails a regular expression or a named format such as an e-mail address or a date.
# $param_name: The name of the parameter, or the dotted path to it.
# $pattern: The regular expression, or the name of the format.
VALIDATION_PATTERN_MISMATCH = Parameter '{ $param_name }' does not match '{ $pattern }'
    .plain = Parameter does not match its pattern
    .remediation = Rewrite '{ $param_name }' to match '{ $pattern }', then call again.
    .remediation-plain = Rewrite the value to match its declared pattern, then call again.
    .user = Some information is not written the way it has to be.

# The value is not one of those the parameter allows.
# $param_name: The name of the parameter, or the dotted path to it.
# $allowed_values: The list of allowed values.
VALIDATION_INVALID_ENUM = Parameter '{ $param_name }' must be one of '{ $allowed_values }'
    .plain = Parameter is not one of the allowed values
    .remediation = Pick an allowed value for '{ $param_name }': { $allowed_values }.
    .remediation-plain = Pick one of the values the tool's input schema lists.
    .user = One of the choices given does not exist.

# A number, a length or a count lies outside the bounds of the parameter.
# $param_name: The name of the parameter, or the dotted path to it.
# $minimum: The smallest value allowed.
# $maximum: The largest value allowed.
VALIDATION_OUT_OF_RANGE = Parameter '{ $param_name }' is out of range
    .plain = Parameter is out of range
    .sentence = Parameter '{ $param_name }' must be between { $minimum } and { $maximum }
    .remediation = Send a value from { $minimum } to { $maximum } for '{ $param_name }'.
    .remediation-plain = Send a value inside the bounds of the tool's input schema.
    .user = A number given is too small or too large.

# The arguments contain parameters the operation does not have. For fields inside the input object of an update there is VALIDATION_UNKNOWN_FIELD.
# $operation: The operation that was called.
# $param_list: The unknown names.
# $valid_params: The names the operation has.
VALIDATION_UNKNOWN_PARAM = Unknown parameter(s) for operation '{ $operation }': { $param_list }
    .plain = Unknown parameter(s)
    .remediation = Remove the unknown parameters or use these names: { $valid_params }.
    .remediation-plain = Remove the unknown parameters or look up their names in the tool's input schema.
    .user = The request contained something the tool does not understand.

# The input object of an update names fields the resource does not have. For the arguments themselves there is VALIDATION_UNKNOWN_PARAM.
# $operation: The operation that was called.
# $unknown_fields: The unknown names.
# $valid_fields: The names the resource has.
VALIDATION_UNKNOWN_FIELD = Unknown field(s) in the input of operation '{ $operation }': '{ $unknown_fields }'
    .plain = Unknown field(s) in the input
    .remediation = Leave the unknown fields out of the input object; it may have: { $valid_fields }.
    .remediation-plain = Leave the unknown fields out of the input object.
    .user = One of the things to be changed does not exist.

# The bytes of the request are not UTF-8.
VALIDATION_INVALID_ENCODING = Invalid character encoding in request
    .remediation = Encode the request as UTF-8, then send it again.
    .user = The request contained characters nobody can read.

# A request or its response is larger, longer, wider or deeper than the limits allow.
# $limit_type: Which limit was passed.
# $limit_value: The limit.
# $unit: What is counted.
VALIDATION_PAYLOAD_TOO_LARGE = Payload exceeds { $limit_type } limit of { $limit_value }
    .plain = Payload too large
    .remediation = Ask for less or send less: stay within { $limit_value } { $unit }.
    .remediation-plain = Ask for less or send less, for example in several smaller calls.
    .user = The request or its answer is too large.

# The operation exists, but behind another endpoint than the one that was called.
# $operation: The operation that was called.
# $expected_endpoint: The endpoint that has the operation.
# $actual_endpoint: The endpoint that was called.
VALIDATION_ENDPOINT_MISMATCH = Operation '{ $operation }' belongs to endpoint '{ $expected_endpoint }', not '{ $actual_endpoint }'
    .plain = Operation belongs to another endpoint
    .remediation = Call '{ $operation }' through the '{ $expected_endpoint }' endpoint instead.
    .remediation-plain = Call the operation through the endpoint its schema names.
    .user = The request was sent to the wrong place.

# The call tries to set a field only the server sets.
# $param_name: The name of the parameter, or the dotted path to it.
VALIDATION_READ_ONLY_FIELD = Parameter '{ $param_name }' is read-only
    .plain = Parameter is read-only
    .remediation = Leave '{ $param_name }' out of the change: the server sets it.
    .remediation-plain = Leave read-only fields out of the change: the server sets them.
    .user = One of the things to be changed cannot be changed.

# A batch as a whole is malformed, so none of its operations was tried.
# $reason: What is wrong with the batch.
BATCH_VALIDATION_ERROR = Batch request is invalid: '{ $reason }'
    .plain = Batch request is invalid
    .remediation = Send the batch as a list of objects, each with an operation and its params; nothing of it has been done yet.
    .user = The list of things to do is not valid.

# A schema document lacks a field it must have.
# $field_path: Dotted path of the field in the schema document.
SCHEMA_MISSING_FIELD = Schema field '{ $field_path }' is missing
    .plain = Schema field is missing
    .remediation = Add the field '{ $field_path }' to the schema document.
    .remediation-plain = Add the missing field to the schema document.
    .user = The description of the service is incomplete.

# A field of a schema document has the wrong type.
# $field_path: Dotted path of the field in the schema document.
# $expected_type: The type the document should have here.
# $actual_type: The type found, or missing.
SCHEMA_INVALID_TYPE = Schema field '{ $field_path }' expected '{ $expected_type }', got '{ $actual_type }'
    .plain = Schema field has the wrong type
    .remediation = Change the schema field '{ $field_path }' to { $expected_type }.
    .remediation-plain = Change the schema field to the type the loader expects.
    .user = The description of the service has a mistake.

# A schema document refers to a type that is not declared.
# $field_path: Dotted path of the field in the schema document.
# $actual_value: The name that was referred to.
SCHEMA_UNRESOLVED_REF = Schema reference '{ $actual_value }' in '{ $field_path }' cannot be resolved
    .plain = Schema reference cannot be resolved
    .remediation = Declare the type '{ $actual_value }' or point the reference to a declared one.
    .remediation-plain = Declare the missing type or point the reference to a declared one.
    .user = The description of the service points to something missing.

# Two things in a schema document bear the same name.
# $field_path: Dotted path of the field in the schema document.
# $actual_value: The name declared twice.
SCHEMA_DUPLICATE_NAME = Schema name '{ $actual_value }' in '{ $field_path }' is already taken
    .plain = Schema name is already taken
    .remediation = Rename one of the two declarations of '{ $actual_value }'.
    .remediation-plain = Rename one of the two declarations with the same name.
    .user = The description of the service uses one name twice.

# A name in a schema document is not written as names have to be.
# $field_path: Dotted path of the field in the schema document.
# $expected_value: The pattern names have to match.
# $actual_value: The name found.
SCHEMA_INVALID_NAME = Schema name '{ $actual_value }' in '{ $field_path }' does not match '{ $expected_value }'
    .plain = Schema name is not written as required
    .remediation = Rename '{ $actual_value }' to match '{ $expected_value }'.
    .remediation-plain = Rename it to match the naming rule of the schema.
    .user = A name in the description of the service is not allowed.

# The document uses a schema version on its way out.
# $expected_value: The version to move to.
# $actual_value: The version found.
SCHEMA_VERSION_DEPRECATED = Schema version '{ $actual_value }' is deprecated; use '{ $expected_value }'
    .plain = Schema version is deprecated
    .remediation = Migrate the schema document to version '{ $expected_value }'.
    .remediation-plain = Migrate the schema document to the current version.
    .user = The description of the service is outdated.

# The document uses a schema version the loader cannot read.
# $expected_value: The versions the loader reads.
# $actual_value: The version found.
SCHEMA_VERSION_UNSUPPORTED = Schema version '{ $actual_value }' is not supported; use '{ $expected_value }'
    .plain = Schema version is not supported
    .remediation = Rewrite the schema document for a supported version: { $expected_value }.
    .remediation-plain = Rewrite the schema document for a supported version.
    .user = The description of the service is written for another version.

## authentication

# The call needs credentials and came without any.
# $service: The service that was called.
AUTHENTICATION_REQUIRED = Authentication required for '{ $service }'
    .plain = Authentication required
    .remediation = Sign in to '{ $service }' or configure credentials for it, then call again.
    .remediation-plain = Sign in or configure credentials, then call again.
    .user = You need to sign in first.

# Credentials were sent and were not accepted.
# $service: The service that was called.
AUTHENTICATION_INVALID_CREDENTIALS = Authentication failed: credentials for '{ $service }' were refused
    .plain = Authentication failed: credentials were refused
    .remediation = Replace the credentials for '{ $service }': the same ones will be refused again.
    .remediation-plain = Replace the credentials: the same ones will be refused again.
    .user = Your sign-in details were not accepted.

# The credentials were good once and are no longer. Not to be confused with TOKEN_EXPIRED, which is about confirmation tokens.
# $service: The service that was called.
AUTHENTICATION_EXPIRED = Authentication expired: credentials for '{ $service }' are no longer valid
    .plain = Authentication expired: credentials are no longer valid
    .remediation = Refresh the access token or sign in again, then call again.
    .user = Your sign-in has expired; please sign in again.

## authorization

# The caller is known and may not do this.
# $reason: Why access was refused, in one sentence.
# $required_scope: The scope or permission that would be enough.
PERMISSION_DENIED = Permission denied: '{ $reason }'
    .plain = Permission denied
    .remediation = Ask an administrator for the permission '{ $required_scope }', or reach the goal another way.
    .remediation-plain = Ask an administrator for access, or reach the goal another way.
    .user = You do not have permission to do this.

# The adapter or server has not earned enough trust for this operation.
# $operation: The operation that was called.
# $required_trust: The least trust level the operation asks for.
# $actual_trust: The trust level of the adapter.
PERMISSION_TRUST_LEVEL_INSUFFICIENT = Operation '{ $operation }' requires trust level '{ $required_trust }', adapter has '{ $actual_trust }'
    .plain = Operation requires a higher trust level
    .remediation = Have the adapter promoted to trust level '{ $required_trust }', or use an operation with less danger.
    .remediation-plain = Have the adapter promoted to a higher trust level, or use an operation with less danger.
    .user = This action is blocked until the connection has been reviewed.

# The operation is too dangerous for the trust its adapter has, and no confirmation can change this.
# $operation: The operation that was called.
# $danger_level: The danger of the operation.
# $adapter_trust: The trust level of the adapter.
# $minimum_trust_required: The least trust level that is not denied.
PERMISSION_DANGER_LEVEL_DENIED = Operation '{ $operation }' (danger: { $danger_level }) denied for adapter trust level '{ $adapter_trust }'
    .plain = Operation denied for its danger level
    .remediation = Choose a less dangerous operation, or ask the operator to raise the adapter to trust level '{ $minimum_trust_required }'.
    .remediation-plain = Choose a less dangerous operation, or ask the operator to raise the adapter's trust level.
    .user = This action is too risky to run here.

# A policy forbids the operation to every caller.
# $operation: The operation that was called.
PERMISSION_NOT_ALLOWED = Permission denied: operation '{ $operation }' is not allowed
    .plain = Permission denied: operation is not allowed
    .remediation = Choose an operation the policy allows, or ask the operator to allow '{ $operation }'.
    .remediation-plain = Choose an operation the policy allows, or ask the operator to allow this one.
    .user = This action is not permitted here.

# The feature exists and is switched off.
# $feature: The feature that is off.
PERMISSION_FEATURE_DISABLED = Permission denied: feature '{ $feature }' is disabled
    .plain = Permission denied: feature is disabled
    .remediation = Ask the operator to switch on '{ $feature }', or work without it.
    .remediation-plain = Ask the operator to switch the feature on, or work without it.
    .user = This feature is switched off.

## not_found

# The thing the call is about does not exist, or the caller cannot see it.
# $resource_type: What kind of thing it is, for example repository.
# $resource_id: The identifier nothing was found for.
NOT_FOUND_RESOURCE = Resource '{ $resource_type }' not found: '{ $resource_id }'
    .plain = Resource not found
    .sentence = { $resource_type } '{ $resource_id }' not found
    .remediation = Verify the { $resource_type } ID exists.
    .remediation-plain = Verify the ID of the resource, or list the ones there are.
    .user = The thing you asked for could not be found.

# There is no tool or operation of this name. Correcting arguments will not help; discovering the right name will.
# $operation_name: The name that was asked for.
# $available: Names the caller may use instead.
NOT_FOUND_OPERATION = Unknown operation: '{ $operation_name }'
    .plain = Unknown operation
    .remediation = Call one of the available operations instead: { $available }.
    .remediation-plain = List the tools or operations the server has and call one of them.
    .user = The requested action does not exist.

## conflict

# What the call wants to create is there already.
# $resource_type: What kind of thing it is.
# $resource_id: Its identifier.
CONFLICT_ALREADY_EXISTS = Resource '{ $resource_type }' already exists: '{ $resource_id }'
    .plain = Resource already exists
    .remediation = Use the existing { $resource_type } '{ $resource_id }', or create one under another name.
    .remediation-plain = Use the existing resource, or create one under another name.
    .user = This already exists.

# The resource has changed since the caller read it.
# $expected_version: The version the caller built on.
# $actual_version: The version there is now.
CONFLICT_VERSION_MISMATCH = Version conflict: expected '{ $expected_version }', found '{ $actual_version }'
    .plain = Version conflict
    .remediation = Read the resource again, apply the change to version '{ $actual_version }', then retry.
    .remediation-plain = Read the resource again, apply the change to its current version, then retry.
    .user = Somebody else changed this in the meantime.

# The resource is in a state in which the operation makes no sense.
# $operation: The operation that was tried.
# $current_state: The state the resource is in.
CONFLICT_INVALID_STATE = Conflict: operation '{ $operation }' is not possible in state '{ $current_state }'
    .plain = Conflict with the current state
    .remediation = Read the current state and first bring the resource into one in which '{ $operation }' is possible.
    .remediation-plain = Read the current state and first bring the resource into a suitable one.
    .user = This cannot be done in the current situation.

# The very same operation has been carried out before; doing it again would double its effect.
# $operation: The operation that came twice.
CONFLICT_DUPLICATE_OPERATION = Conflict: operation '{ $operation }' was already carried out
    .plain = Conflict: operation was already carried out
    .remediation = Use the result of the first call; do not send this one again.
    .user = This has already been done.

## rate_limit

# Too many calls in too short a time. The same call will work once the window has moved on.
# $limit: How many calls the window allows.
# $window: The length of the window.
# $retry_after_seconds: Whole seconds to wait before the next try.
RATE_LIMIT_EXCEEDED = API rate limit exceeded
    .sentence = Rate limit exceeded: { $limit } requests per { $window }
    .remediation = Wait { $retry_after_seconds } seconds before retrying.
    .remediation-plain = Wait for the limit to reset before retrying.
    .user = Too many requests were made; please try again in a moment.

# A quota has reached the point where a person should decide whether to go on.
# $expires_at: When the token expires.
RATE_LIMIT_QUOTA_PAUSE = Quota pause threshold reached
    .remediation = Ask a person whether to go on; then send the same call with the token in '_quota_continue' before { $expires_at }.
    .remediation-plain = Ask a person whether to go on; then send the same call with the token in '_quota_continue'.
    .user = Your usage budget is nearly spent; do you want to go on?

# A quota is used up. Nothing passes until it resets.
# $resets_at: When the quota resets.
RATE_LIMIT_QUOTA_EXHAUSTED = Quota exhausted
    .remediation = Stop calling until { $resets_at }, or ask the operator for a larger quota.
    .remediation-plain = Stop calling until the quota resets, or ask the operator for a larger one.
    .user = Your usage budget is spent for now.

## confirmation

# The operation is dangerous enough for a person to agree first. Nothing has been done yet.
# $confirmation_token: The token to send along once the person has agreed.
# $expires_at: When the token expires.
CONFIRMATION_REQUIRED = This operation requires confirmation
    .remediation = Ask a person to approve; then send the same call with the argument _confirmation set to '{ $confirmation_token }' before { $expires_at }.
    .remediation-plain = Ask a person to approve; then send the same call with the token in '_confirmation'.
    .user = This action needs your approval first.

# The confirmation token is unknown or malformed; the two are deliberately not told apart.
TOKEN_INVALID = Invalid confirmation token
    .remediation = Send the call without a token to get a new one, then ask a person to approve it.
    .user = The approval was not recognised.

# The confirmation token was real and its time is over. Expired credentials are AUTHENTICATION_EXPIRED.
TOKEN_EXPIRED = Confirmation token has expired
    .remediation = Drop the expired token, ask a person to approve once more, and use the new token in time.
    .user = The approval came too late; please approve again.

# The confirmation token has been redeemed before; it is good for one call only.
TOKEN_ALREADY_USED = Confirmation token has already been used
    .remediation = Look for the result of the earlier call; ask for a new approval only if the action must happen a second time.
    .user = This approval has already been used.

# The confirmation token was issued for another call: another operation, other arguments or another caller.
# $token_operation: The operation the token was issued for.
TOKEN_SCOPE_MISMATCH = Confirmation token scope mismatch
    .remediation = Use the token only with the very call it was issued for ('{ $token_operation }'), or ask a person to approve this one.
    .remediation-plain = Use the token only with the very call it was issued for, or ask a person to approve this one.
    .user = The approval was given for a different action.

## business

# The call is well formed and permitted, and a rule of the domain still forbids it.
# $rule: The rule, by name or in a few words.
BUSINESS_RULE_VIOLATION = Business rule '{ $rule }' violated
    .plain = Business rule violated
    .remediation = Change the request to keep to the rule '{ $rule }', or let a person decide.
    .remediation-plain = Change the request to keep to the rule, or let a person decide.
    .user = This is not possible under the rules of the service.

# The account does not hold enough for the operation.
# $required: The amount needed.
# $available: The amount there is.
BUSINESS_INSUFFICIENT_BALANCE = Insufficient balance: '{ $required }' needed, '{ $available }' available
    .plain = Insufficient balance
    .remediation = Check the balance, then add funds or ask for a smaller amount.
    .user = There is not enough credit for this.

## unavailable

# The service is down or refuses work for the moment.
# $service: The service that was called.
UNAVAILABLE_SERVICE = Service '{ $service }' is unavailable
    .plain = Service unavailable
    .remediation = Wait a little, then retry with growing pauses in between.
    .user = The service is not available right now; please try again later.

# Something the service itself relies on has failed.
# $dependency: What failed.
UNAVAILABLE_DEPENDENCY = Service dependency '{ $dependency }' failed
    .plain = Service dependency failed
    .remediation = Use another tool for this step, or retry once '{ $dependency }' works again.
    .remediation-plain = Use another tool for this step, or retry once the dependency works again.
    .user = A part of the service is not working right now.

# No answer came in time. Whether the operation took effect is not known.
# $timeout_ms: How long was waited, in milliseconds.
# $operation: The operation that was called.
UNAVAILABLE_TIMEOUT = Service did not answer within '{ $timeout_ms }' ms
    .plain = Service did not answer in time
    .sentence = Operation '{ $operation }' did not finish within { $timeout_ms } ms
    .remediation = Check whether the call took effect; if not, retry with a longer timeout or a smaller request.
    .user = The service took too long to answer.

# The service has failed so often of late that calls are not passed on for a while.
# $service: The service that was called.
# $retry_after_seconds: Whole seconds to wait before the next try.
UNAVAILABLE_CIRCUIT_OPEN = Service '{ $service }' is paused after repeated failures
    .plain = Service is paused after repeated failures
    .remediation = Use a fallback now, or call again in { $retry_after_seconds } seconds.
    .remediation-plain = Use a fallback now, or call again when the service has recovered.
    .user = The service has been failing and is being given a rest.

# Too many calls are in flight; this one was turned away before it reached the service.
# $service: The service that was called.
UNAVAILABLE_OVERLOADED = Service '{ $service }' is overloaded
    .plain = Service is overloaded
    .remediation = Send fewer calls in parallel, and retry this one after a short pause.
    .user = The service is very busy; please try again in a moment.

# The service could not be reached over the network.
# $service: The service that was called.
UNAVAILABLE_NETWORK = Service '{ $service }' cannot be reached
    .plain = Service cannot be reached
    .remediation = Check the network and the address of the service, then retry; use another service if there is one.
    .user = The service could not be reached.

# No secure connection to the service could be made. Retrying does not help: a certificate or a setting has to change.
# $service: The service that was called.
UNAVAILABLE_TLS = Service '{ $service }' failed the TLS handshake
    .plain = Service failed the TLS handshake
    .remediation = Do not retry; ask the operator to fix the certificate or TLS settings of '{ $service }'.
    .remediation-plain = Do not retry; ask the operator to fix the certificate or TLS settings.
    .user = A secure connection to the service could not be made.

## internal

# A defect: an unexpected failure.
# $description: What the target said, redacted and shortened.
INTERNAL_ERROR = Internal error: '{ $description }'
    .plain = Internal error
    .remediation = Retry once; if it fails again, give the correlation id to support.
    .user = The service had an internal problem; support can look into it.

# The target answered with something no one can read.
# $service: The service that was called.
INTERNAL_BAD_UPSTREAM = Internal error: answer of '{ $service }' is unreadable
    .plain = Internal error: upstream answer is unreadable
    .remediation = Retry once; if the answer stays unreadable, use another tool.
    .user = The service gave an answer nobody could read.

# An adapter reported an error of its own vocabulary. Whether to retry depends on what it said.
# $adapter: The adapter that failed.
# $original_error: The adapter's own name for the error.
INTERNAL_ADAPTER = Internal error: adapter '{ $adapter }' failed
    .plain = Internal error: adapter failed
    .remediation = Decide by the adapter's own error '{ $original_error }'; use another tool if in doubt.
    .remediation-plain = Decide by the details of the adapter's own error; use another tool if in doubt.
    .user = The connected service reported a problem of its own.

# The operation is known by name, but this server has not built it.
# $operation: The operation that was called.
INTERNAL_NOT_IMPLEMENTED = Operation '{ $operation }' is not implemented
    .plain = Operation is not implemented
    .remediation = Use another tool in place of '{ $operation }'; no change of arguments will help.
    .remediation-plain = Use another tool; no change of arguments will help.
    .user = This service cannot do this yet.

# The server is set up wrongly. Callers cannot mend it; the operator can.
# $setting: The setting, by its name in the configuration.
INTERNAL_CONFIGURATION = Internal error: setting '{ $setting }' is missing or invalid
    .plain = Internal error: configuration is invalid
    .remediation = Do not retry; ask the operator to correct the setting '{ $setting }'.
    .remediation-plain = Do not retry; ask the operator to correct the configuration.
    .user = The service is not set up correctly.

# A failure that could not be classified.
INTERNAL_UNKNOWN = Internal error: failure of unknown kind
    .remediation = Do not retry blindly; give the correlation id to support for investigation.
    .user = An unexpected problem occurred; support can look into it.

# Every item of a batch failed. The fault takes its behaviour from the failures of the items where they agree.
# $total: How many items the batch had.
BATCH_FAILED = All { $total } operations failed
    .plain = All operations failed
    .remediation = Read the errors of the items, remove the cause they share, then send the batch once more.
    .user = None of the requested steps worked.

# Some items of a batch succeeded and others failed. Most dialects tell this as a success with warnings; the code exists for those which aggregate.
# $total: How many items the batch had.
# $failed: How many failed.
BATCH_PARTIAL_FAILURE = { $failed } of { $total } operations failed
    .plain = Some operations failed
    .remediation = Keep the results of the items which succeeded, and send only the failed ones again after fixing them.
    .user = Some of the requested steps did not work.

## Warnings

# Content was cut to fit a token or size limit; the core of the result is there.
CONTENT_TRUNCATED = Content was truncated to fit the size limit

# Whole items were left out of the result.
# $dropped_count: How many items are missing.
CONTENT_DROPPED = Left out '{ $dropped_count }' item(s) to fit the size limit
    .plain = Some items were left out to fit the size limit

# Content of low priority was replaced by summaries.
PRIORITY_SUMMARIZED = Content of low priority was replaced by summaries

# The summariser failed and something simpler took its place.
SUMMARY_PROVIDER_FAILED = Summaries could not be made; a fallback was used

# The token budget hit its lower bound.
TOKEN_BUDGET_FLOORED = The token budget was raised to its minimum

# Default limits are in force.
LIMITS_DEFAULTED = Default limits are in force

# Content left out of the result could not be stored for later either.
ARCHIVE_WRITE_FAILED = Content left out could not be archived

# Protected content alone took more than its share.
PROTECTED_OVERFLOW = Protected content passed its share and pushed other content out

# Stored state came from an older schema and was brought up to date.
STATE_MIGRATION_RECOVERED = Stored state was migrated from an older version

# Token counts are estimates.
TOKEN_COUNT_ESTIMATE_USED = Token counts are estimated

# The result comes from a cache and may be out of date.
# $age_seconds: How old the cached data is.
STALE_CACHE = Results may be stale: cache age '{ $age_seconds }' seconds
    .plain = Results may be stale

# Some items failed while others succeeded.
# $failed: How many failed.
# $total: How many there were.
PARTIAL_FAILURE = { $failed } of { $total } items failed
    .plain = Some items failed

# A field in the call or the result is on its way out.
# $field: The field.
DEPRECATED_FIELD = Field '{ $field }' is deprecated
    .plain = A deprecated field was used

# Few calls are left before the rate limit bites.
RATE_LIMIT_APPROACHING = Approaching the rate limit

# The result comes from a substitute for the usual source.
# $fallback: What answered.
FALLBACK_USED = Fallback '{ $fallback }' was used
    .plain = A fallback was used

# A quota is nearly spent. The call itself went through.
RATE_LIMIT_QUOTA_WARNING = Approaching quota limit

# An operation, a parameter or a feature is on its way out.
# $deprecated_item: Its name.
DEPRECATION_WARNING = '{ $deprecated_item }' is deprecated
    .plain = Something deprecated was used

# A list in the call or the result was shortened to its limit.
# $field: The field.
# $limit: The most it may have.
VALIDATION_TRUNCATED_WARNING = Field '{ $field }' was shortened to '{ $limit }' entries
    .plain = A field was shortened to its limit

# The operation took longer than it should.
# $operation: The operation.
# $duration_ms: How long it took.
PERFORMANCE_SLOW_QUERY_WARNING = Operation '{ $operation }' was slow: '{ $duration_ms }' ms
    .plain = The operation was slow

# The arguments did not fit the schema and were changed to fit before the call.
# $params: The parameters that were changed.
ARGUMENTS_REPAIRED = Arguments were repaired: '{ $params }'
    .plain = Arguments were repaired

# The arguments do not fit the schema of the tool; they went on as they were sent.
# $params: The parameters that do not fit.
ARGUMENTS_MISMATCH = Arguments do not fit the schema: '{ $params }'
    .plain = Arguments do not fit the schema

# The arguments could not be checked; they were sent on as they came.
# $operation: The tool.
ARGUMENTS_UNCHECKED = Arguments of '{ $operation }' were not checked
    .plain = Arguments were not checked

# The result does not fit the schema the tool promises for it.
# $operation: The tool.
OUTPUT_MISMATCH = Result of '{ $operation }' does not fit its output schema
    .plain = The result does not fit its output schema

# The server calls the result a success, and its text reads like a failure. It is passed on as it came.
# $operation: The tool.
# $rule: The rule that sees it.
# $looks_like: The code of the failure it reads like.
LOOKS_FAILED = '{ $operation }' succeeded, says its server, but the text reads like a failure: '{ $looks_like }', by the rule '{ $rule }'. Unless you asked for this very text, the call failed. This is no reason to call again
    .plain = The server calls this a success, but the text reads like a failure. Unless you asked for this very text, the call failed. This is no reason to call again

# The tools of a server may have changed since it was last asked for them.
# $upstream: The server.
TOOL_LIST_STALE = Tools of '{ $upstream }' may have changed since they were listed
    .plain = The tools may have changed since they were listed

# A server behind the gateway did not answer, so its part of the result is missing.
# $upstream: The upstream.
UPSTREAM_LOST = No answer from upstream '{ $upstream }'; its part is missing
    .plain = An upstream did not answer; its part is missing

# Some names were too long together with that of their server, so their ends were replaced.
# $shortened_count: How many there are.
NAMES_SHORTENED = Shortened '{ $shortened_count }' overlong name(s)
    .plain = Overlong names were shortened

# Parts of the result have a form that the client's version of the protocol does not know, and were changed or left out.
# $fields: The members of the result that differ from what the server said.
RESULT_ADAPTED = Adapted to an older version of the protocol: '{ $fields }'
    .plain = Parts were adapted to an older version of the protocol

# The arguments contained names the tool does not have; they were let through or removed.
# $unknown_params: The unknown names.
UNKNOWN_PARAM_IGNORED = Parameter(s) not in the schema: '{ $unknown_params }'
    .plain = There are parameters the schema does not have

# The call succeeded, but not the first time.
# $attempts: How many attempts there were, the good one included.
RETRIED = Succeeded after '{ $attempts }' attempts
    .plain = Succeeded after a retry

# There were more warnings than a response carries; the most important were kept.
# $suppressed_count: How many were left out.
WARNINGS_SUPPRESSED = '{ $suppressed_count }' further warning(s) left out
    .plain = Further warnings were left out

## Sentences that belong to no code

repeat-later = Call again later, waiting longer each time.
repeat-once = Call once more; if that fails too, use another tool, or ask whoever runs the server.
do-not-repeat = Do not make the same call again; use another tool, or ask whoever runs the server.
confirm = Confirm
batch-partial = { $failed } of { $total } items could not be processed
batch-failed = Failed to process all { $total } items
batch-done = All { $total } items are done
batch-waits = { $succeeded } of { $total } items are done
io-not-found = File or resource does not exist
io-permission-denied = Permission denied: server may not use the file or resource
io-read-only = Permission denied: storage is read-only
io-already-exists = File or resource exists already
io-refused = Connection was refused
io-reset = Connection was reset by the other side
io-aborted = Connection was aborted
io-not-connected = Connection is not open
io-broken-pipe = Connection was closed by the other side
io-host-unreachable = Host cannot be reached
io-network-unreachable = Network cannot be reached
io-network-down = Network is down
io-address-not-available = Network address is not available
io-address-in-use = Network address is in use by somebody else
io-timed-out = Operation took too long
io-would-block = Resource is busy
io-busy = Resource is in use by somebody else
io-executable-busy = Program file is in use
io-deadlock = Resource is locked by somebody else
io-interrupted = Operation was interrupted
io-invalid-input = Value cannot be used for the operation
io-invalid-filename = File name is invalid
io-not-a-directory = Path does not lead to a directory
io-is-a-directory = Path leads to a directory
io-directory-not-empty = Directory is not empty
io-file-too-large = File is too large
io-arguments-too-long = Arguments of the program are too long
io-invalid-data = Data cannot be read: it is malformed
io-unexpected-end = Data ended too early
io-write-zero = Data could not be written
io-stale-handle = Network storage lost the file
io-storage-full = Storage of the server is full
io-storage-quota = Storage quota of the server is used up
io-out-of-memory = Server is out of memory
io-unsupported = Operation is not supported here
exit-not-found = Command of the server was not found
exit-not-executable = Command of the server cannot be executed
exit-configuration = Server ended because it is configured wrongly
exit-start-success = Command ended without serving: it may not be a server
exit-unexpected-end = Server ended while it was in use
exit-temporary = Server ended for a reason it calls temporary
exit-killed = Server was killed by { $signal }
exit-stopped = Server was terminated by { $signal }
exit-out-of-memory = Server ran out of memory
exit-crash = Server crashed
exit-failed = Server ended with an error
exit-start-failed = Server ended with an error while it started
service-other = Request could not be completed
service-timeout = Service did not answer in time
service-tls = Service failed the TLS handshake
service-unreadable = Answer of the service is unreadable
service-broken-off = Connection broke off during the transfer
service-closed = Connection was closed before the answer came
service-unbuilt = Request could not be built
service-dns = Name of the service is not known to the network
service-connect = Service cannot be reached
service-redirect = Service redirects without end
service-upgrade = Service does not speak the protocol it was asked to
service-builder = Request to the service could not be built
http-status = HTTP status { $status }
json-syntax = JSON is malformed
json-end = JSON ended too early
json-io = JSON could not be moved
json-data = JSON does not have the expected form
json-value = Value does not have the expected form
parse-text = Text is not UTF-8
parse-range = Number is out of range
parse-integer = Value is not a whole number
parse-number = Value is not a number
parse-boolean = Value is neither true nor false
call-cancelled = The call was cancelled
call-open-address = Ask the person to open the address in the details and finish there, then call again.
call-neither = The response has neither a result nor an error
call-read-words = Read what the server said, and change the call or what it acts on; if that does not help, ask for help with the correlation id.
call-ask-user = Do not call again on your own; ask the user what they want.
call-untold = The failure was counted but not told
call-paused = Tool '{ $tool }' of service '{ $service }' is paused after repeated failures
call-uncertain = The call may or may not have taken effect. Look first, and call again only if it has not.
call-uncertain-user = It is not certain whether this was done. Please check before you try again.
unknown-method = Unknown method '{ $method }'
unknown-tool = Unknown tool '{ $tool }'
unknown-tool-near = Unknown tool '{ $tool }'; did you mean '{ $nearest }'?
call-nearest = Call '{ $nearest }' if that is what you meant, or list the tools.
call-meant = Did you mean '{ $nearest }'? Call it, or another tool the server lists.
call-one-of-more = Call one of the available operations instead: { $available }, and { $count } more. List the tools for all of them.
arguments-unfit = The arguments do not fit: { $reason }
arguments-params = The parameters of 'tools/call' do not fit its schema
argument-type = An argument must be { $expected }, got { $actual }
argument-value = An argument must be { $expected }
and-more = and { $count } more
ask-correct = '{ $tool }' cannot go on: { $wrong }. { $what }
ask-what = What should { $names } be?
ask-instead = What should '{ $name }' be instead of '{ $before }'?
ask-advice = Or ask the user what { $names } should be.
ask-declined = The user was asked for { $names } and declined
ask-no-others = Do not call again with other values on your own; go on without it, or ask the user what they want.
rule-missing = required but missing
rule-one-missing = one of { $names } is required
rule-type = expected { $expected }
rule-type-got = expected { $expected }, got { $actual }
rule-unknown = unknown name
rule-no-value = fits nothing: the schema allows no value here
rule-value = must be { $value }
rule-values = must be one of { $values }
rule-values-more = must be one of { $values } or { $count } others
rule-at-least = must be at least { $limit }
rule-more-than = must be more than { $limit }
rule-at-most = must be at most { $limit }
rule-less-than = must be less than { $limit }
rule-least-characters = must have at least { $limit } characters
rule-most-characters = must have at most { $limit } characters
rule-least-items = must have at least { $limit } items
rule-most-items = must have at most { $limit } items
rule-least-members = must have at least { $limit } members
rule-most-members = must have at most { $limit } members
rule-pattern = must match the pattern { $pattern }
rule-format = must be written as { $format }
rule-multiple = must be a multiple of { $of }
rule-unique = must not repeat an item
rule-no-alternative = fits none of the alternatives
rule-several = fits several alternatives that exclude each other
rule-depth = must not be nested deeper than { $limit } levels
rule-contains = lacks an item the schema asks for
rule-false = is not allowed here
rule-not = is what the schema rules out
rule-items = has items the schema does not allow
rule-schema = does not match the schema
rule-range = is out of range
rule-unexplained = does not match the schema; it is too large to say where
rule-unjudged = cannot be checked: the schema is too intricate for arguments of this size
repair-meant = did you mean '{ $name }'?
repair-omit = leave it out
repair-bound = { $value } is the nearest value allowed
repair-rename = rename '{ $name }' to '{ $to }'
repair-leave-out = leave out '{ $name }'
repair-send = send '{ $name }' as { $value }
repair-add-value = add '{ $name }': { $value }
repair-add = add '{ $name }'
repair-add-one = add { $names }
repair-remove = remove '{ $name }'
repair-rule = '{ $name }' { $rule }
rule-parameter = Parameter '{ $name }' { $rule }
