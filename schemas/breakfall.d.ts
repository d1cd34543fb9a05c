// Types of the documents Breakfall writes, one set per dialect, and of the vocabularies in them.
// Generated from the catalogue and the dialects; `./check bless` rewrites it.
//
// `Data` is the payload of a success. `Own` is a union of a server's own codes: without it, only the built-in ones are known
// and a `switch` over `code` narrows the rest of the object. Details have the shapes their rows give them; a key that a row
// requires may still be missing where a fault was made from the failure of another server, hence `Partial`.

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** Any JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** The built-in codes, by category and within it from the general to the particular. */
export type Code =
  | "VALIDATION_INVALID_VALUE"
  | "VALIDATION_MISSING_PARAM"
  | "VALIDATION_INVALID_TYPE"
  | "VALIDATION_PATTERN_MISMATCH"
  | "VALIDATION_INVALID_ENUM"
  | "VALIDATION_OUT_OF_RANGE"
  | "VALIDATION_UNKNOWN_PARAM"
  | "VALIDATION_UNKNOWN_FIELD"
  | "VALIDATION_INVALID_ENCODING"
  | "VALIDATION_PAYLOAD_TOO_LARGE"
  | "VALIDATION_ENDPOINT_MISMATCH"
  | "VALIDATION_READ_ONLY_FIELD"
  | "BATCH_VALIDATION_ERROR"
  | "SCHEMA_MISSING_FIELD"
  | "SCHEMA_INVALID_TYPE"
  | "SCHEMA_UNRESOLVED_REF"
  | "SCHEMA_DUPLICATE_NAME"
  | "SCHEMA_INVALID_NAME"
  | "SCHEMA_VERSION_DEPRECATED"
  | "SCHEMA_VERSION_UNSUPPORTED"
  | "AUTHENTICATION_REQUIRED"
  | "AUTHENTICATION_INVALID_CREDENTIALS"
  | "AUTHENTICATION_EXPIRED"
  | "PERMISSION_DENIED"
  | "PERMISSION_TRUST_LEVEL_INSUFFICIENT"
  | "PERMISSION_DANGER_LEVEL_DENIED"
  | "PERMISSION_NOT_ALLOWED"
  | "PERMISSION_FEATURE_DISABLED"
  | "CONFIRMATION_REQUIRED"
  | "TOKEN_INVALID"
  | "TOKEN_EXPIRED"
  | "TOKEN_ALREADY_USED"
  | "TOKEN_SCOPE_MISMATCH"
  | "NOT_FOUND_RESOURCE"
  | "NOT_FOUND_OPERATION"
  | "CONFLICT_ALREADY_EXISTS"
  | "CONFLICT_VERSION_MISMATCH"
  | "CONFLICT_INVALID_STATE"
  | "CONFLICT_DUPLICATE_OPERATION"
  | "RATE_LIMIT_EXCEEDED"
  | "RATE_LIMIT_QUOTA_PAUSE"
  | "RATE_LIMIT_QUOTA_EXHAUSTED"
  | "BUSINESS_RULE_VIOLATION"
  | "BUSINESS_INSUFFICIENT_BALANCE"
  | "UNAVAILABLE_SERVICE"
  | "UNAVAILABLE_DEPENDENCY"
  | "UNAVAILABLE_TIMEOUT"
  | "UNAVAILABLE_CIRCUIT_OPEN"
  | "UNAVAILABLE_OVERLOADED"
  | "UNAVAILABLE_NETWORK"
  | "UNAVAILABLE_TLS"
  | "INTERNAL_ERROR"
  | "INTERNAL_BAD_UPSTREAM"
  | "INTERNAL_ADAPTER"
  | "INTERNAL_NOT_IMPLEMENTED"
  | "INTERNAL_CONFIGURATION"
  | "INTERNAL_UNKNOWN"
  | "BATCH_FAILED"
  | "BATCH_PARTIAL_FAILURE";

/** The closed class of a failure. */
export type Category =
  | "validation"
  | "authentication"
  | "authorization"
  | "not_found"
  | "conflict"
  | "rate_limit"
  | "confirmation"
  | "business"
  | "unavailable"
  | "internal";

/** How bad a warning is. */
export type Severity =
  | "info"
  | "warning"
  | "error";

/** May the call be repeated, and on what condition? */
export type RetryPolicy =
  | "never"
  | "after_change"
  | "once"
  | "backoff"
  | "after";

/** One word on how to recover. */
export type RecoveryHint =
  | "RETRY_LATER"
  | "CHECK_INPUT"
  | "TRY_ALTERNATIVE"
  | "REPORT_TO_USER";

/** Whose doing it was. */
export type Origin =
  | "caller"
  | "gateway"
  | "upstream"
  | "tool";

/** How sure a classification is, surest first. */
export type Confidence =
  | "exact"
  | "structural"
  | "textual"
  | "default";

/** How much of the full content a success carries. */
export type Fidelity =
  | "full"
  | "partial"
  | "summary"
  | "reference_only";

/** How firmly a code is promised. */
export type Status =
  | "mvp"
  | "phase1"
  | "future"
  | "companion"
  | "extension"
  | "custom";

/** The built-in warnings. */
export type WarningCode =
  | "CONTENT_TRUNCATED"
  | "CONTENT_DROPPED"
  | "PRIORITY_SUMMARIZED"
  | "SUMMARY_PROVIDER_FAILED"
  | "TOKEN_BUDGET_FLOORED"
  | "LIMITS_DEFAULTED"
  | "ARCHIVE_WRITE_FAILED"
  | "PROTECTED_OVERFLOW"
  | "STATE_MIGRATION_RECOVERED"
  | "TOKEN_COUNT_ESTIMATE_USED"
  | "STALE_CACHE"
  | "PARTIAL_FAILURE"
  | "DEPRECATED_FIELD"
  | "RATE_LIMIT_APPROACHING"
  | "FALLBACK_USED"
  | "RATE_LIMIT_QUOTA_WARNING"
  | "DEPRECATION_WARNING"
  | "VALIDATION_TRUNCATED_WARNING"
  | "PERFORMANCE_SLOW_QUERY_WARNING"
  | "ARGUMENTS_REPAIRED"
  | "ARGUMENTS_MISMATCH"
  | "ARGUMENTS_UNCHECKED"
  | "OUTPUT_MISMATCH"
  | "LOOKS_FAILED"
  | "TOOL_LIST_STALE"
  | "UPSTREAM_LOST"
  | "NAMES_SHORTENED"
  | "RESULT_ADAPTED"
  | "UNKNOWN_PARAM_IGNORED"
  | "RETRIED"
  | "WARNINGS_SUPPRESSED";

/** Whether, when and on what condition to repeat the call. */
export type RetryAdvice =
  | {
    /** On what condition the call may be repeated. */
    policy: "never" | "after_change";
    /** Whether simply repeating the call may help. */
    retryable: false;
    /** How long to wait first, in milliseconds. */
    after_ms?: number;
  }
  | {
    /** On what condition the call may be repeated. */
    policy: "once" | "backoff" | "after";
    /** Whether simply repeating the call may help. */
    retryable: true;
    /** How long to wait first, in milliseconds. */
    after_ms?: number;
  };

/** One broken rule of one value. */
export interface Violation {
  /** Where, as a JSON pointer into the arguments. */
  pointer: string;
  /** The schema keyword or named constraint. */
  keyword?: string;
  /** What is wrong, in words. */
  message?: string;
  /** What would have been right. */
  expected?: JsonValue;
  /** What came. */
  got?: JsonValue;
  /** A value that would do. */
  suggestion?: JsonValue;
}

/** Which rule classified a bare failure, and how sure it was. */
export interface Provenance {
  /** The rule. */
  rule: string;
  /** How sure it is. */
  confidence: Confidence;
}

/** One answer to choose. */
export interface Choice {
  /** What the user sees. */
  label: string;
  /** What the tool gets. */
  value: string;
  /** More about it. */
  description?: string;
  /** The field it answers. */
  field?: string;
}

/** A question to the user. A normal step of the conversation, not an error. */
export interface NeedsInput {
  /** The discriminator. */
  kind: "needsInput:v1";
  /** Always the same. */
  type: "elicitation";
  /** The question. */
  message: string;
  /** What is needed, and why. */
  needsInput?: {
    /** The fields that have to be filled. */
    fields: Array<string>;
    /** Why it is needed. */
    reason: string;
    /** Values that would do, by field. */
    suggestions?: { [key: string]: Array<string> };
  };
  /** Answers to choose from. */
  options?: Array<Choice>;
}

/** Details of `VALIDATION_INVALID_VALUE`. */
export interface ValidationInvalidValueDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The operation that was called. */
  operation?: string;
  /** Why the value was refused, in one sentence. */
  reason?: string;
  /** What would have been accepted. */
  expected?: string;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_MISSING_PARAM`. */
export interface ValidationMissingParamDetails {
  /** The name of the missing parameter. */
  param_name: string;
  /** The operation that needs it. */
  operation?: string;
  [key: string]: unknown;
}

/** Details of `VALIDATION_INVALID_TYPE`. */
export interface ValidationInvalidTypeDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The type the schema wants. */
  expected_type: string;
  /** The type that came. */
  actual_type: string;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_PATTERN_MISMATCH`. */
export interface ValidationPatternMismatchDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The regular expression, or the name of the format. */
  pattern: string;
  /** A value of the wanted form. */
  example?: string;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_INVALID_ENUM`. */
export interface ValidationInvalidEnumDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The list of allowed values. */
  allowed_values: JsonValue;
  /** The allowed value nearest to the one given. */
  suggestion?: JsonValue;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_OUT_OF_RANGE`. */
export interface ValidationOutOfRangeDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The smallest value allowed. */
  minimum?: number;
  /** The largest value allowed. */
  maximum?: number;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_UNKNOWN_PARAM`. */
export interface ValidationUnknownParamDetails {
  /** The operation that was called. */
  operation: string;
  /** The unknown names. */
  unknown_params: Array<string>;
  /** The names the operation has. */
  valid_params: Array<string>;
  [key: string]: unknown;
}

/** Details of `VALIDATION_UNKNOWN_FIELD`. */
export interface ValidationUnknownFieldDetails {
  /** The operation that was called. */
  operation: string;
  /** The unknown names. */
  unknown_fields: Array<string>;
  /** The names the resource has. */
  valid_fields?: Array<string>;
  [key: string]: unknown;
}

/** Details of `VALIDATION_INVALID_ENCODING`. */
export interface ValidationInvalidEncodingDetails {
  /** Where in the request, for example params.description. */
  location?: string;
  /** Offset of the first bad byte. */
  byte_offset?: number;
  [key: string]: unknown;
}

/** Details of `VALIDATION_PAYLOAD_TOO_LARGE`. */
export interface ValidationPayloadTooLargeDetails {
  /** Which limit was passed. */
  limit_type: "request_size" | "response_size" | "string_length" | "array_elements" | "nesting_depth";
  /** The limit. */
  limit_value: number;
  /** The size or count measured. */
  actual_value: number;
  /** What is counted. */
  unit: "bytes" | "elements" | "levels";
  [key: string]: unknown;
}

/** Details of `VALIDATION_ENDPOINT_MISMATCH`. */
export interface ValidationEndpointMismatchDetails {
  /** The operation that was called. */
  operation: string;
  /** The endpoint that has the operation. */
  expected_endpoint: string;
  /** The endpoint that was called. */
  actual_endpoint: string;
  [key: string]: unknown;
}

/** Details of `VALIDATION_READ_ONLY_FIELD`. */
export interface ValidationReadOnlyFieldDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The operation that was called. */
  operation?: string;
  [key: string]: unknown;
}

/** Details of `BATCH_VALIDATION_ERROR`. */
export interface BatchValidationErrorDetails {
  /** What is wrong with the batch. */
  reason: string;
  /** Position of the first bad entry. */
  index?: number;
  [key: string]: unknown;
}

/** Details of `SCHEMA_MISSING_FIELD`. */
export interface SchemaMissingFieldDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The type the document should have here. */
  expected_type: string;
  /** The type found, or missing. */
  actual_type: string;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_INVALID_TYPE`. */
export interface SchemaInvalidTypeDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The type the document should have here. */
  expected_type: string;
  /** The type found, or missing. */
  actual_type: string;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_UNRESOLVED_REF`. */
export interface SchemaUnresolvedRefDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The types the document declares. */
  expected_value: JsonValue;
  /** The name that was referred to. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_DUPLICATE_NAME`. */
export interface SchemaDuplicateNameDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** A name that is still free, or where the name was taken first. */
  expected_value: JsonValue;
  /** The name declared twice. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_INVALID_NAME`. */
export interface SchemaInvalidNameDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The pattern names have to match. */
  expected_value: JsonValue;
  /** The name found. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_VERSION_DEPRECATED`. */
export interface SchemaVersionDeprecatedDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The version to move to. */
  expected_value: JsonValue;
  /** The version found. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_VERSION_UNSUPPORTED`. */
export interface SchemaVersionUnsupportedDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The versions the loader reads. */
  expected_value: JsonValue;
  /** The version found. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `AUTHENTICATION_REQUIRED`. */
export interface AuthenticationRequiredDetails {
  /** The service that was called. */
  service?: string;
  /** The way to authenticate, for example Bearer. */
  scheme?: string;
  [key: string]: unknown;
}

/** Details of `AUTHENTICATION_INVALID_CREDENTIALS`. */
export interface AuthenticationInvalidCredentialsDetails {
  /** The service that was called. */
  service?: string;
  /** The way to authenticate, for example Bearer. */
  scheme?: string;
  [key: string]: unknown;
}

/** Details of `AUTHENTICATION_EXPIRED`. */
export interface AuthenticationExpiredDetails {
  /** The service that was called. */
  service?: string;
  /** When the credentials expired. */
  expired_at?: string;
  [key: string]: unknown;
}

/** Details of `PERMISSION_DENIED`. */
export interface PermissionDeniedDetails {
  /** Why access was refused, in one sentence. */
  reason?: string;
  /** The scope or permission that would be enough. */
  required_scope?: string;
  [key: string]: unknown;
}

/** Details of `PERMISSION_TRUST_LEVEL_INSUFFICIENT`. */
export interface PermissionTrustLevelInsufficientDetails {
  /** The operation that was called. */
  operation: string;
  /** The least trust level the operation asks for. */
  required_trust: "untested" | "generated" | "validated" | "community_reviewed" | "certified";
  /** The trust level of the adapter. */
  actual_trust: string;
  /** The danger of the operation, 0 to 4. */
  danger_level?: number;
  [key: string]: unknown;
}

/** Details of `PERMISSION_DANGER_LEVEL_DENIED`. */
export interface PermissionDangerLevelDeniedDetails {
  /** The operation that was called. */
  operation: string;
  /** The danger of the operation. */
  danger_level: "safe" | "reversible" | "destructive" | "dangerous" | "forbidden";
  /** The trust level of the adapter. */
  adapter_trust: string;
  /** The least trust level that is not denied. */
  minimum_trust_required: string;
  /** Why the operation is dangerous. */
  reasons?: Array<string>;
  [key: string]: unknown;
}

/** Details of `PERMISSION_NOT_ALLOWED`. */
export interface PermissionNotAllowedDetails {
  /** The operation that was called. */
  operation: string;
  /** The rule that forbids it. */
  reason?: string;
  [key: string]: unknown;
}

/** Details of `PERMISSION_FEATURE_DISABLED`. */
export interface PermissionFeatureDisabledDetails {
  /** The feature that is off. */
  feature: string;
  /** The operation that was called. */
  operation?: string;
  [key: string]: unknown;
}

/** Details of `CONFIRMATION_REQUIRED`. */
export interface ConfirmationRequiredDetails {
  /** The operation that waits for consent. */
  operation: string;
  /** The danger of the operation. */
  danger_level: string;
  /** Why consent is asked for. */
  reasons?: Array<string>;
  /** The question to put to the person. */
  confirmation_message?: string;
  /** The token to send along once the person has agreed. */
  confirmation_token: string;
  /** When the token expires. */
  expires_at: string;
  /** The earliest moment the token may be redeemed, if there is a cooldown. */
  not_before?: string;
  [key: string]: unknown;
}

/** Details of `TOKEN_INVALID`. */
export interface TokenInvalidDetails {
  /** The token that was presented. */
  token: string;
  [key: string]: unknown;
}

/** Details of `TOKEN_EXPIRED`. */
export interface TokenExpiredDetails {
  /** The token that was presented. */
  token: string;
  /** When it expired. */
  expired_at: string;
  /** The server's time when it was presented. */
  current_time: string;
  [key: string]: unknown;
}

/** Details of `TOKEN_ALREADY_USED`. */
export interface TokenAlreadyUsedDetails {
  /** The token that was presented. */
  token: string;
  /** When it was redeemed. */
  consumed_at?: string;
  [key: string]: unknown;
}

/** Details of `TOKEN_SCOPE_MISMATCH`. */
export interface TokenScopeMismatchDetails {
  /** The token that was presented. */
  token: string;
  /** The operation the token was issued for. */
  token_operation: string;
  /** The operation it was presented with. */
  requested_operation: string;
  [key: string]: unknown;
}

/** Details of `NOT_FOUND_RESOURCE`. */
export interface NotFoundResourceDetails {
  /** What kind of thing it is, for example repository. */
  resource_type?: string;
  /** The identifier nothing was found for. */
  resource_id?: string;
  [key: string]: unknown;
}

/** Details of `NOT_FOUND_OPERATION`. */
export interface NotFoundOperationDetails {
  /** The name that was asked for. */
  operation: string;
  /** Names the caller may use instead. */
  available?: Array<string>;
  [key: string]: unknown;
}

/** Details of `CONFLICT_ALREADY_EXISTS`. */
export interface ConflictAlreadyExistsDetails {
  /** What kind of thing it is. */
  resource_type?: string;
  /** Its identifier. */
  resource_id?: string;
  [key: string]: unknown;
}

/** Details of `CONFLICT_VERSION_MISMATCH`. */
export interface ConflictVersionMismatchDetails {
  /** The version the caller built on. */
  expected_version: string;
  /** The version there is now. */
  actual_version: string;
  /** What kind of thing it is. */
  resource_type?: string;
  /** Its identifier. */
  resource_id?: string;
  [key: string]: unknown;
}

/** Details of `CONFLICT_INVALID_STATE`. */
export interface ConflictInvalidStateDetails {
  /** The operation that was tried. */
  operation: string;
  /** The state the resource is in. */
  current_state: string;
  /** The states in which the operation is possible. */
  allowed_states?: Array<string>;
  /** What kind of thing it is. */
  resource_type?: string;
  /** Its identifier. */
  resource_id?: string;
  [key: string]: unknown;
}

/** Details of `CONFLICT_DUPLICATE_OPERATION`. */
export interface ConflictDuplicateOperationDetails {
  /** The operation that came twice. */
  operation: string;
  /** The key both calls share. */
  idempotency_key?: string;
  /** When the first call came. */
  first_seen_at?: string;
  /** The result of the first call, if it is kept. */
  original_result?: JsonValue;
  [key: string]: unknown;
}

/** Details of `RATE_LIMIT_EXCEEDED`. */
export interface RateLimitExceededDetails {
  /** How many calls the window allows. */
  limit: number;
  /** How many are left, usually none. */
  remaining: number;
  /** The length of the window. */
  window: "second" | "minute" | "hour" | "day";
  /** When the window resets. */
  resets_at: string;
  [key: string]: unknown;
}

/** Details of `RATE_LIMIT_QUOTA_PAUSE`. */
export interface RateLimitQuotaPauseDetails {
  /** The metric that is counted, for example requests_per_hour. */
  metric: string;
  /** Usage so far. */
  current: number;
  /** Where the pause begins. */
  pause_threshold: number;
  /** Where everything stops, if there is such a point. */
  hard_stop_threshold?: number;
  /** The token to send along once a person has agreed. */
  confirmation_token: string;
  /** When the token expires. */
  expires_at: string;
  [key: string]: unknown;
}

/** Details of `RATE_LIMIT_QUOTA_EXHAUSTED`. */
export interface RateLimitQuotaExhaustedDetails {
  /** The metric that is counted, for example requests_per_hour. */
  metric: string;
  /** Usage so far. */
  current: number;
  /** Where everything stops. */
  hard_stop_threshold: number;
  /** When the quota resets. */
  resets_at: string;
  [key: string]: unknown;
}

/** Details of `BUSINESS_RULE_VIOLATION`. */
export interface BusinessRuleViolationDetails {
  /** The rule, by name or in a few words. */
  rule: string;
  /** How the call breaks it. */
  reason?: string;
  /** The operation that was called. */
  operation?: string;
  [key: string]: unknown;
}

/** Details of `BUSINESS_INSUFFICIENT_BALANCE`. */
export interface BusinessInsufficientBalanceDetails {
  /** The amount needed. */
  required?: number;
  /** The amount there is. */
  available?: number;
  /** The unit of both amounts. */
  currency?: string;
  [key: string]: unknown;
}

/** Details of `UNAVAILABLE_SERVICE`. */
export interface UnavailableServiceDetails {
  /** The service that was called. */
  service?: string;
  /** What the target said, redacted and shortened. */
  upstream_error?: string;
  [key: string]: unknown;
}

/** Details of `UNAVAILABLE_DEPENDENCY`. */
export interface UnavailableDependencyDetails {
  /** What failed. */
  dependency?: string;
  /** The service that was called. */
  service?: string;
  /** What the target said, redacted and shortened. */
  upstream_error?: string;
  [key: string]: unknown;
}

/** Details of `UNAVAILABLE_TIMEOUT`. */
export interface UnavailableTimeoutDetails {
  /** How long was waited, in milliseconds. */
  timeout_ms?: number;
  /** The service that was called. */
  service?: string;
  /** The operation that was called. */
  operation?: string;
  [key: string]: unknown;
}

/** Details of `UNAVAILABLE_CIRCUIT_OPEN`. */
export interface UnavailableCircuitOpenDetails {
  /** The service that was called. */
  service?: string;
  /** How many calls failed in a row. */
  failures?: number;
  [key: string]: unknown;
}

/** Details of `UNAVAILABLE_OVERLOADED`. */
export interface UnavailableOverloadedDetails {
  /** The service that was called. */
  service?: string;
  /** Calls running when this one came. */
  in_flight?: number;
  /** How many may run. */
  limit?: number;
  [key: string]: unknown;
}

/** Details of `UNAVAILABLE_NETWORK`. */
export interface UnavailableNetworkDetails {
  /** The service that was called. */
  service?: string;
  /** What kind of network failure it was. */
  transport_code?: "TRANSPORT_DNS_ERROR" | "TRANSPORT_CONNECTION_REFUSED" | "TRANSPORT_TIMEOUT" | "TRANSPORT_TLS_ERROR" | "TRANSPORT_NETWORK_ERROR";
  [key: string]: unknown;
}

/** Details of `UNAVAILABLE_TLS`. */
export interface UnavailableTlsDetails {
  /** The service that was called. */
  service?: string;
  /** Which check failed. */
  reason?: string;
  [key: string]: unknown;
}

/** Details of `INTERNAL_ERROR`. */
export interface InternalErrorDetails {
  /** What the target said, redacted and shortened. */
  upstream_error?: string;
  [key: string]: unknown;
}

/** Details of `INTERNAL_BAD_UPSTREAM`. */
export interface InternalBadUpstreamDetails {
  /** The service that was called. */
  service?: string;
  /** The media type the answer claimed. */
  content_type?: string;
  /** The first 200 characters, redacted. */
  preview?: string;
  [key: string]: unknown;
}

/** Details of `INTERNAL_ADAPTER`. */
export interface InternalAdapterDetails {
  /** The adapter that failed. */
  adapter?: string;
  /** The adapter's own name for the error. */
  original_error?: string;
  /** What the target said, redacted and shortened. */
  upstream_error?: string;
  [key: string]: unknown;
}

/** Details of `INTERNAL_NOT_IMPLEMENTED`. */
export interface InternalNotImplementedDetails {
  /** The operation that was called. */
  operation: string;
  [key: string]: unknown;
}

/** Details of `INTERNAL_CONFIGURATION`. */
export interface InternalConfigurationDetails {
  /** The setting, by its name in the configuration. */
  setting?: string;
  /** What is wrong with it. */
  reason?: string;
  [key: string]: unknown;
}

/** Details of `INTERNAL_UNKNOWN`. */
export interface InternalUnknownDetails {
  /** The code it came with, if it had one. */
  foreign_code?: string;
  /** What the target said, redacted and shortened. */
  upstream_error?: string;
  [key: string]: unknown;
}

/** Details of `BATCH_FAILED`. */
export interface BatchFailedDetails {
  /** How many items the batch had. */
  total: number;
  /** Always 0 here. */
  succeeded: number;
  /** Equal to total here. */
  failed: number;
  /** One object per failed item: index, code, message. */
  errors: Array<{ [key: string]: JsonValue }>;
  [key: string]: unknown;
}

/** Details of `BATCH_PARTIAL_FAILURE`. */
export interface BatchPartialFailureDetails {
  /** How many items the batch had. */
  total: number;
  /** How many succeeded. */
  succeeded: number;
  /** How many failed. */
  failed: number;
  /** One object per failed item: index, code, message. */
  errors: Array<{ [key: string]: JsonValue }>;
  [key: string]: unknown;
}

/** Facts about `CONTENT_TRUNCATED`. */
export interface ContentTruncatedContext {
  /** How much there was. */
  total?: number;
  /** How much was kept. */
  returned?: number;
  /** What is counted, for example tokens or bytes. */
  unit?: string;
  /** The part of the result concerned. */
  field?: string;
  [key: string]: unknown;
}

/** Facts about `CONTENT_DROPPED`. */
export interface ContentDroppedContext {
  /** How many items are missing. */
  dropped_count: number;
  /** Which ones, to fetch them singly. */
  dropped_ids?: Array<string>;
  /** Why, for example token_budget_exceeded. */
  reason?: string;
  [key: string]: unknown;
}

/** Facts about `PRIORITY_SUMMARIZED`. */
export interface PrioritySummarizedContext {
  /** How many items were summarised. */
  summarized_count?: number;
  [key: string]: unknown;
}

/** Facts about `SUMMARY_PROVIDER_FAILED`. */
export interface SummaryProviderFailedContext {
  /** The summariser that failed. */
  provider?: string;
  /** What was used instead, for example raw content. */
  fallback?: string;
  [key: string]: unknown;
}

/** Facts about `TOKEN_BUDGET_FLOORED`. */
export interface TokenBudgetFlooredContext {
  /** The budget asked for. */
  requested?: number;
  /** The minimum used. */
  floor?: number;
  [key: string]: unknown;
}

/** Facts about `LIMITS_DEFAULTED`. */
export interface LimitsDefaultedContext {
  /** The limits that were not configured. */
  limits?: Array<string>;
  [key: string]: unknown;
}

/** Facts about `ARCHIVE_WRITE_FAILED`. */
export interface ArchiveWriteFailedContext {
  /** Where it should have gone. */
  archive?: string;
  /** The items concerned. */
  lost_ids?: Array<string>;
  [key: string]: unknown;
}

/** Facts about `PROTECTED_OVERFLOW`. */
export interface ProtectedOverflowContext {
  /** The share it had. */
  allocated?: number;
  /** What it took. */
  used?: number;
  [key: string]: unknown;
}

/** Facts about `STATE_MIGRATION_RECOVERED`. */
export interface StateMigrationRecoveredContext {
  /** The version found. */
  from_version?: string;
  /** The version now. */
  to_version?: string;
  [key: string]: unknown;
}

/** Facts about `TOKEN_COUNT_ESTIMATE_USED`. */
export interface TokenCountEstimateUsedContext {
  /** The rule of thumb, for example character_ratio. */
  estimation_method?: string;
  /** How close it usually comes, 0 to 1. */
  accuracy_estimate?: number;
  [key: string]: unknown;
}

/** Facts about `STALE_CACHE`. */
export interface StaleCacheContext {
  /** How old the cached data is. */
  age_seconds?: number;
  [key: string]: unknown;
}

/** Facts about `PARTIAL_FAILURE`. */
export interface PartialFailureContext {
  /** How many failed. */
  failed: number;
  /** How many there were. */
  total: number;
  /** Which ones. */
  failed_ids?: Array<string>;
  [key: string]: unknown;
}

/** Facts about `DEPRECATED_FIELD`. */
export interface DeprecatedFieldContext {
  /** The field. */
  field: string;
  /** What to use instead. */
  replacement?: string;
  [key: string]: unknown;
}

/** Facts about `RATE_LIMIT_APPROACHING`. */
export interface RateLimitApproachingContext {
  /** Calls the window allows. */
  limit?: number;
  /** Calls left. */
  remaining?: number;
  /** When the window resets. */
  resets_at?: string;
  [key: string]: unknown;
}

/** Facts about `FALLBACK_USED`. */
export interface FallbackUsedContext {
  /** What answered. */
  fallback?: string;
  /** What should have answered. */
  primary?: string;
  [key: string]: unknown;
}

/** Facts about `RATE_LIMIT_QUOTA_WARNING`. */
export interface RateLimitQuotaWarningContext {
  /** The metric that is counted. */
  metric: string;
  /** Usage so far. */
  current: number;
  /** Where warnings begin. */
  warn_threshold: number;
  /** Where the pause begins. */
  pause_threshold?: number;
  [key: string]: unknown;
}

/** Facts about `DEPRECATION_WARNING`. */
export interface DeprecationWarningContext {
  /** What kind of thing it is. */
  type: "operation" | "parameter" | "feature";
  /** Its name. */
  deprecated_item: string;
  /** What to use instead. */
  replacement?: string;
  /** The day it goes. */
  removal_date?: string;
  /** Where to read on. */
  migration_guide?: string;
  [key: string]: unknown;
}

/** Facts about `VALIDATION_TRUNCATED_WARNING`. */
export interface ValidationTruncatedWarningContext {
  /** The field. */
  field: string;
  /** Entries before. */
  original_count: number;
  /** Entries after. */
  truncated_count: number;
  /** The most it may have. */
  limit: number;
  [key: string]: unknown;
}

/** Facts about `PERFORMANCE_SLOW_QUERY_WARNING`. */
export interface PerformanceSlowQueryWarningContext {
  /** The operation. */
  operation: string;
  /** How long it took. */
  duration_ms: number;
  /** How long it should take. */
  threshold_ms: number;
  /** Ways to make it faster. */
  suggestions?: Array<string>;
  [key: string]: unknown;
}

/** Facts about `ARGUMENTS_REPAIRED`. */
export interface ArgumentsRepairedContext {
  /** The parameters that were changed. */
  params: Array<string>;
  /** What was done to each: param_name, from, to. */
  repairs?: Array<{ [key: string]: JsonValue }>;
  [key: string]: unknown;
}

/** Facts about `ARGUMENTS_MISMATCH`. */
export interface ArgumentsMismatchContext {
  /** The parameters that do not fit. */
  params: Array<string>;
  /** Each broken rule: pointer, keyword, message, expected, suggestion. */
  violations?: Array<{ [key: string]: JsonValue }>;
  [key: string]: unknown;
}

/** Facts about `ARGUMENTS_UNCHECKED`. */
export interface ArgumentsUncheckedContext {
  /** The tool. */
  operation: string;
  /** Why they could not be checked. */
  reason?: string;
  [key: string]: unknown;
}

/** Facts about `OUTPUT_MISMATCH`. */
export interface OutputMismatchContext {
  /** The tool. */
  operation: string;
  /** Each broken rule: pointer, keyword, message, expected. */
  violations?: Array<{ [key: string]: JsonValue }>;
  [key: string]: unknown;
}

/** Facts about `LOOKS_FAILED`. */
export interface LooksFailedContext {
  /** The tool. */
  operation: string;
  /** The rule that sees it. */
  rule: string;
  /** The code of the failure it reads like. */
  looks_like: string;
  /** What to do about it. */
  advice?: string;
  [key: string]: unknown;
}

/** Facts about `TOOL_LIST_STALE`. */
export interface ToolListStaleContext {
  /** The server. */
  upstream: string;
  [key: string]: unknown;
}

/** Facts about `UPSTREAM_LOST`. */
export interface UpstreamLostContext {
  /** The upstream. */
  upstream: string;
  /** Why it is missing. */
  reason?: string;
  [key: string]: unknown;
}

/** Facts about `NAMES_SHORTENED`. */
export interface NamesShortenedContext {
  /** How many there are. */
  shortened_count: number;
  /** What they are called in the list. */
  names?: Array<string>;
  /** What their servers call them, in the same order. */
  original_names?: Array<string>;
  [key: string]: unknown;
}

/** Facts about `RESULT_ADAPTED`. */
export interface ResultAdaptedContext {
  /** The members of the result that differ from what the server said. */
  fields: Array<string>;
  /** The tools concerned, if it is a list of tools. */
  tools?: Array<string>;
  [key: string]: unknown;
}

/** Facts about `UNKNOWN_PARAM_IGNORED`. */
export interface UnknownParamIgnoredContext {
  /** The unknown names. */
  unknown_params: Array<string>;
  /** The names the tool has. */
  valid_params?: Array<string>;
  [key: string]: unknown;
}

/** Facts about `RETRIED`. */
export interface RetriedContext {
  /** How many attempts there were, the good one included. */
  attempts: number;
  /** Time spent waiting between them. */
  waited_ms?: number;
  /** The code of the last failure. */
  last_code?: string;
  [key: string]: unknown;
}

/** Facts about `WARNINGS_SUPPRESSED`. */
export interface WarningsSuppressedContext {
  /** How many were left out. */
  suppressed_count: number;
  [key: string]: unknown;
}

/** What every NativeError has. */
export interface NativeErrorBase {
  /** What happened, in a sentence. */
  message: string;
  /** The name the domain or another vocabulary has for it. */
  domain_code?: string;
  /** Every broken rule. */
  violations?: Array<Violation>;
  /** May the call be repeated? */
  retry: RetryAdvice;
  /** What the caller should do. */
  remediation: string;
  /** Recovery actions, the preferred one first. */
  recovery_actions: Array<string>;
  /** One word on how to recover. */
  recovery_hint: RecoveryHint;
  /** What a person may be told. */
  user_message: string;
  /** A tool to call instead. */
  fallback_tool?: string;
  /** Complete arguments that would do. */
  corrective_params?: JsonValue;
  /** Whose doing it was. */
  origin: Origin;
  /** Which rule classified a bare failure. */
  provenance?: Provenance;
  /** The HTTP status of an upstream's answer. */
  http_status?: number;
  /** Where to read more. */
  docs_url?: string;
  /** The question to put to a person, if it is theirs to answer. */
  needs_input?: NeedsInput;
  /** The id under which the operator finds the rest. */
  correlation_id: string;
  /** When it happened. */
  timestamp: string;
}

/** What a NativeError has besides, by `code`. */
export interface NativeErrorVariants {
  "VALIDATION_INVALID_VALUE": { category: "validation"; details?: Partial<ValidationInvalidValueDetails> };
  "VALIDATION_MISSING_PARAM": { category: "validation"; details?: Partial<ValidationMissingParamDetails> };
  "VALIDATION_INVALID_TYPE": { category: "validation"; details?: Partial<ValidationInvalidTypeDetails> };
  "VALIDATION_PATTERN_MISMATCH": { category: "validation"; details?: Partial<ValidationPatternMismatchDetails> };
  "VALIDATION_INVALID_ENUM": { category: "validation"; details?: Partial<ValidationInvalidEnumDetails> };
  "VALIDATION_OUT_OF_RANGE": { category: "validation"; details?: Partial<ValidationOutOfRangeDetails> };
  "VALIDATION_UNKNOWN_PARAM": { category: "validation"; details?: Partial<ValidationUnknownParamDetails> };
  "VALIDATION_UNKNOWN_FIELD": { category: "validation"; details?: Partial<ValidationUnknownFieldDetails> };
  "VALIDATION_INVALID_ENCODING": { category: "validation"; details?: Partial<ValidationInvalidEncodingDetails> };
  "VALIDATION_PAYLOAD_TOO_LARGE": { category: "validation"; details?: Partial<ValidationPayloadTooLargeDetails> };
  "VALIDATION_ENDPOINT_MISMATCH": { category: "validation"; details?: Partial<ValidationEndpointMismatchDetails> };
  "VALIDATION_READ_ONLY_FIELD": { category: "validation"; details?: Partial<ValidationReadOnlyFieldDetails> };
  "BATCH_VALIDATION_ERROR": { category: "validation"; details?: Partial<BatchValidationErrorDetails> };
  "SCHEMA_MISSING_FIELD": { category: "validation"; details?: Partial<SchemaMissingFieldDetails> };
  "SCHEMA_INVALID_TYPE": { category: "validation"; details?: Partial<SchemaInvalidTypeDetails> };
  "SCHEMA_UNRESOLVED_REF": { category: "validation"; details?: Partial<SchemaUnresolvedRefDetails> };
  "SCHEMA_DUPLICATE_NAME": { category: "validation"; details?: Partial<SchemaDuplicateNameDetails> };
  "SCHEMA_INVALID_NAME": { category: "validation"; details?: Partial<SchemaInvalidNameDetails> };
  "SCHEMA_VERSION_DEPRECATED": { category: "validation"; details?: Partial<SchemaVersionDeprecatedDetails> };
  "SCHEMA_VERSION_UNSUPPORTED": { category: "validation"; details?: Partial<SchemaVersionUnsupportedDetails> };
  "AUTHENTICATION_REQUIRED": { category: "authentication"; details?: Partial<AuthenticationRequiredDetails> };
  "AUTHENTICATION_INVALID_CREDENTIALS": { category: "authentication"; details?: Partial<AuthenticationInvalidCredentialsDetails> };
  "AUTHENTICATION_EXPIRED": { category: "authentication"; details?: Partial<AuthenticationExpiredDetails> };
  "PERMISSION_DENIED": { category: "authorization"; details?: Partial<PermissionDeniedDetails> };
  "PERMISSION_TRUST_LEVEL_INSUFFICIENT": { category: "authorization"; details?: Partial<PermissionTrustLevelInsufficientDetails> };
  "PERMISSION_DANGER_LEVEL_DENIED": { category: "authorization"; details?: Partial<PermissionDangerLevelDeniedDetails> };
  "PERMISSION_NOT_ALLOWED": { category: "authorization"; details?: Partial<PermissionNotAllowedDetails> };
  "PERMISSION_FEATURE_DISABLED": { category: "authorization"; details?: Partial<PermissionFeatureDisabledDetails> };
  "CONFIRMATION_REQUIRED": { category: "confirmation"; details?: Partial<ConfirmationRequiredDetails> };
  "TOKEN_INVALID": { category: "confirmation"; details?: Partial<TokenInvalidDetails> };
  "TOKEN_EXPIRED": { category: "confirmation"; details?: Partial<TokenExpiredDetails> };
  "TOKEN_ALREADY_USED": { category: "confirmation"; details?: Partial<TokenAlreadyUsedDetails> };
  "TOKEN_SCOPE_MISMATCH": { category: "confirmation"; details?: Partial<TokenScopeMismatchDetails> };
  "NOT_FOUND_RESOURCE": { category: "not_found"; details?: Partial<NotFoundResourceDetails> };
  "NOT_FOUND_OPERATION": { category: "not_found"; details?: Partial<NotFoundOperationDetails> };
  "CONFLICT_ALREADY_EXISTS": { category: "conflict"; details?: Partial<ConflictAlreadyExistsDetails> };
  "CONFLICT_VERSION_MISMATCH": { category: "conflict"; details?: Partial<ConflictVersionMismatchDetails> };
  "CONFLICT_INVALID_STATE": { category: "conflict"; details?: Partial<ConflictInvalidStateDetails> };
  "CONFLICT_DUPLICATE_OPERATION": { category: "conflict"; details?: Partial<ConflictDuplicateOperationDetails> };
  "RATE_LIMIT_EXCEEDED": { category: "rate_limit"; details?: Partial<RateLimitExceededDetails> };
  "RATE_LIMIT_QUOTA_PAUSE": { category: "rate_limit"; details?: Partial<RateLimitQuotaPauseDetails> };
  "RATE_LIMIT_QUOTA_EXHAUSTED": { category: "rate_limit"; details?: Partial<RateLimitQuotaExhaustedDetails> };
  "BUSINESS_RULE_VIOLATION": { category: "business"; details?: Partial<BusinessRuleViolationDetails> };
  "BUSINESS_INSUFFICIENT_BALANCE": { category: "business"; details?: Partial<BusinessInsufficientBalanceDetails> };
  "UNAVAILABLE_SERVICE": { category: "unavailable"; details?: Partial<UnavailableServiceDetails> };
  "UNAVAILABLE_DEPENDENCY": { category: "unavailable"; details?: Partial<UnavailableDependencyDetails> };
  "UNAVAILABLE_TIMEOUT": { category: "unavailable"; details?: Partial<UnavailableTimeoutDetails> };
  "UNAVAILABLE_CIRCUIT_OPEN": { category: "unavailable"; details?: Partial<UnavailableCircuitOpenDetails> };
  "UNAVAILABLE_OVERLOADED": { category: "unavailable"; details?: Partial<UnavailableOverloadedDetails> };
  "UNAVAILABLE_NETWORK": { category: "unavailable"; details?: Partial<UnavailableNetworkDetails> };
  "UNAVAILABLE_TLS": { category: "unavailable"; details?: Partial<UnavailableTlsDetails> };
  "INTERNAL_ERROR": { category: "internal"; details?: Partial<InternalErrorDetails> };
  "INTERNAL_BAD_UPSTREAM": { category: "internal"; details?: Partial<InternalBadUpstreamDetails> };
  "INTERNAL_ADAPTER": { category: "internal"; details?: Partial<InternalAdapterDetails> };
  "INTERNAL_NOT_IMPLEMENTED": { category: "internal"; details?: Partial<InternalNotImplementedDetails> };
  "INTERNAL_CONFIGURATION": { category: "internal"; details?: Partial<InternalConfigurationDetails> };
  "INTERNAL_UNKNOWN": { category: "internal"; details?: Partial<InternalUnknownDetails> };
  "BATCH_FAILED": { category: "internal"; details?: Partial<BatchFailedDetails> };
  "BATCH_PARTIAL_FAILURE": { category: "internal"; details?: Partial<BatchPartialFailureDetails> };
}

/** A failure, the same object in `_meta`, in `structuredContent` and in the `data` of JSON-RPC errors. */
export type NativeError<Own extends string = never> =
  | { [Tag in keyof NativeErrorVariants]: NativeErrorBase & { code: Tag } & NativeErrorVariants[Tag] }[keyof NativeErrorVariants]
  | ([Own] extends [never] ? never : NativeErrorBase & { code: Own } & { category: Category; details?: { [key: string]: JsonValue } });

/** What every Warning has. */
export interface WarningBase {
  /** How bad it is. */
  severity: Severity;
  /** Its words. */
  message: string;
}

/** What a Warning has besides, by `code`. */
export interface WarningVariants {
  "CONTENT_TRUNCATED": { context?: Partial<ContentTruncatedContext> };
  "CONTENT_DROPPED": { context?: Partial<ContentDroppedContext> };
  "PRIORITY_SUMMARIZED": { context?: Partial<PrioritySummarizedContext> };
  "SUMMARY_PROVIDER_FAILED": { context?: Partial<SummaryProviderFailedContext> };
  "TOKEN_BUDGET_FLOORED": { context?: Partial<TokenBudgetFlooredContext> };
  "LIMITS_DEFAULTED": { context?: Partial<LimitsDefaultedContext> };
  "ARCHIVE_WRITE_FAILED": { context?: Partial<ArchiveWriteFailedContext> };
  "PROTECTED_OVERFLOW": { context?: Partial<ProtectedOverflowContext> };
  "STATE_MIGRATION_RECOVERED": { context?: Partial<StateMigrationRecoveredContext> };
  "TOKEN_COUNT_ESTIMATE_USED": { context?: Partial<TokenCountEstimateUsedContext> };
  "STALE_CACHE": { context?: Partial<StaleCacheContext> };
  "PARTIAL_FAILURE": { context?: Partial<PartialFailureContext> };
  "DEPRECATED_FIELD": { context?: Partial<DeprecatedFieldContext> };
  "RATE_LIMIT_APPROACHING": { context?: Partial<RateLimitApproachingContext> };
  "FALLBACK_USED": { context?: Partial<FallbackUsedContext> };
  "RATE_LIMIT_QUOTA_WARNING": { context?: Partial<RateLimitQuotaWarningContext> };
  "DEPRECATION_WARNING": { context?: Partial<DeprecationWarningContext> };
  "VALIDATION_TRUNCATED_WARNING": { context?: Partial<ValidationTruncatedWarningContext> };
  "PERFORMANCE_SLOW_QUERY_WARNING": { context?: Partial<PerformanceSlowQueryWarningContext> };
  "ARGUMENTS_REPAIRED": { context?: Partial<ArgumentsRepairedContext> };
  "ARGUMENTS_MISMATCH": { context?: Partial<ArgumentsMismatchContext> };
  "ARGUMENTS_UNCHECKED": { context?: Partial<ArgumentsUncheckedContext> };
  "OUTPUT_MISMATCH": { context?: Partial<OutputMismatchContext> };
  "LOOKS_FAILED": { context?: Partial<LooksFailedContext> };
  "TOOL_LIST_STALE": { context?: Partial<ToolListStaleContext> };
  "UPSTREAM_LOST": { context?: Partial<UpstreamLostContext> };
  "NAMES_SHORTENED": { context?: Partial<NamesShortenedContext> };
  "RESULT_ADAPTED": { context?: Partial<ResultAdaptedContext> };
  "UNKNOWN_PARAM_IGNORED": { context?: Partial<UnknownParamIgnoredContext> };
  "RETRIED": { context?: Partial<RetriedContext> };
  "WARNINGS_SUPPRESSED": { context?: Partial<WarningsSuppressedContext> };
}

/** What rides on a success: it worked, but the caller should know this. */
export type Warning<Own extends string = never> =
  | { [Tag in keyof WarningVariants]: WarningBase & { code: Tag } & WarningVariants[Tag] }[keyof WarningVariants]
  | ([Own] extends [never] ? never : WarningBase & { code: Own } & { context?: { [key: string]: JsonValue } })
  | (WarningBase & { code?: never } & { context?: { [key: string]: JsonValue } });

/** A text block of MCP. */
export interface TextBlock {
  /** Always the same. */
  type: "text";
  /** The words. */
  text: string;
}

/** A block of MCP, of any kind. */
export interface Block {
  /** The kind of block. */
  type: string;
  [key: string]: unknown;
}

/** What rides on a success. */
export interface SuccessNotes<Own extends string = never> {
  /** What degraded the success. */
  warnings?: Array<Warning<Own>>;
  /** How much of the content is there. */
  content_fidelity?: Fidelity;
  /** The id of the call. */
  correlation_id?: string;
  /** Operational metadata that came along. */
  meta?: { [key: string]: JsonValue };
}

/** A failed call. */
export interface NativeFailure<Own extends string = never> {
  /** Words for a model. */
  content: [TextBlock, ...Array<Block>];
  /** What is not meant for the model. */
  _meta: {
    /** The whole of it, for programs. */
    "dev.breakfall/error": NativeError<Own>;
    [key: string]: unknown;
  };
  /** The error once more, where the tool declares no output schema. */
  structuredContent?: NativeError<Own>;
  /** Marks a failure. */
  isError: true;
}

/** A call that worked. The first block is the data; a second one has the warnings in words. */
export interface NativeSuccess<Data extends object = JsonObject, Own extends string = never> {
  /** Words for a model. */
  content: [TextBlock, ...Array<Block>];
  /** What is not meant for the model. */
  _meta: {
    /** The whole of it, for programs. */
    "dev.breakfall/success": SuccessNotes<Own>;
    [key: string]: unknown;
  };
  /** The data. */
  structuredContent?: Data;
  /** Never true here. */
  isError?: false;
}

/** A call that needs something from the user first. */
export interface NativeQuestion {
  /** Words for a model. */
  content: [TextBlock, ...Array<Block>];
  /** What is not meant for the model. */
  _meta: {
    /** The whole of it, for programs. */
    "dev.breakfall/needs_input": NeedsInput;
    [key: string]: unknown;
  };
  /** The question once more, where the tool declares no output schema. */
  structuredContent?: NeedsInput;
  /** Never true here. */
  isError?: false;
}

/** A batch. It is an error if everything failed. */
export interface NativeBatch<Own extends string = never> {
  /** Words for a model. */
  content: [TextBlock, ...Array<Block>];
  /** What is not meant for the model. */
  _meta: {
    /** The whole of it, for programs. */
    "dev.breakfall/batch": BatchReport<Own>;
    [key: string]: unknown;
  };
  /** The batch once more, where the tool declares no output schema. */
  structuredContent?: BatchReport<Own>;
  /** Whether everything failed. */
  isError?: boolean;
}

/** Any document of the dialect. */
export type NativeDocument<Data extends object = JsonObject, Own extends string = never> =
  | NativeFailure<Own>
  | NativeSuccess<Data, Own>
  | NativeQuestion
  | NativeBatch<Own>;

/** One item of a batch. */
export type BatchItem<Own extends string = never> =
  | {
    /** Its position in the request, from zero. */
    index: number;
    /** The caller's name for it. */
    id?: string;
    /** Its operation. */
    operation?: string;
    /** What it came to. */
    status: "succeeded";
    /** Its result. */
    data: JsonValue;
  }
  | {
    /** Its position in the request, from zero. */
    index: number;
    /** The caller's name for it. */
    id?: string;
    /** Its operation. */
    operation?: string;
    /** What it came to. */
    status: "failed";
    /** Why. */
    error: NativeError<Own>;
  }
  | {
    /** Its position in the request, from zero. */
    index: number;
    /** The caller's name for it. */
    id?: string;
    /** Its operation. */
    operation?: string;
    /** What it came to. */
    status: "pending";
    /** Why. */
    error: NativeError<Own>;
  };

/** A batch in the common form, for dialects that have none of their own. */
export interface BatchReport<Own extends string = never> {
  /** How many items there were. */
  total: number;
  /** How many are done. */
  succeeded: number;
  /** How many failed. */
  failed: number;
  /** How many wait for a confirmation, if any. */
  pending?: number;
  /** The batch stopped at its first pending item. */
  halted?: true;
  /** What was done to the items, as infinitive and participle. */
  verb?: [string, string];
  /** A sentence on what failed, if anything. */
  message?: string;
  /** What else to know. */
  warnings?: Array<Warning<Own>>;
  /** The items, in the order they were asked for. */
  results: Array<BatchItem<Own>>;
}

/** The registry of `error_code`. A domain may bring names of its own. */
export type ResponseV2Code =
  | "VALIDATION_ERROR"
  | "MISSING_REQUIRED"
  | "INVALID_FORMAT"
  | "VALUE_OUT_OF_RANGE"
  | "AUTHENTICATION_REQUIRED"
  | "INVALID_CREDENTIALS"
  | "TOKEN_EXPIRED"
  | "PERMISSION_DENIED"
  | "RESOURCE_CONFLICT"
  | "RESOURCE_NOT_FOUND"
  | "RESOURCE_ALREADY_EXISTS"
  | "RATE_LIMIT_EXCEEDED"
  | "QUOTA_EXCEEDED"
  | "SERVICE_UNAVAILABLE"
  | "DEPENDENCY_FAILED"
  | "INTERNAL_ERROR";

/** The classes of `error_type`. */
export type ResponseV2ErrorType =
  | "validation"
  | "authentication"
  | "authorization"
  | "conflict"
  | "not_found"
  | "rate_limit"
  | "unavailable"
  | "internal";

/** The registry of warnings. */
export type ResponseV2WarningCode =
  | "CONTENT_TRUNCATED"
  | "CONTENT_DROPPED"
  | "PRIORITY_SUMMARIZED"
  | "SUMMARY_PROVIDER_FAILED"
  | "TOKEN_BUDGET_FLOORED"
  | "LIMITS_DEFAULTED"
  | "ARCHIVE_WRITE_FAILED"
  | "PROTECTED_OVERFLOW"
  | "STATE_MIGRATION_RECOVERED"
  | "TOKEN_COUNT_ESTIMATE_USED"
  | "STALE_CACHE"
  | "PARTIAL_FAILURE"
  | "DEPRECATED_FIELD"
  | "RATE_LIMIT_APPROACHING"
  | "FALLBACK_USED"
  | "DEPRECATION_WARNING"
  | "VALIDATION_TRUNCATED_WARNING"
  | "PERFORMANCE_SLOW_QUERY_WARNING"
  | "ARGUMENTS_REPAIRED"
  | "ARGUMENTS_MISMATCH"
  | "ARGUMENTS_UNCHECKED"
  | "OUTPUT_MISMATCH"
  | "LOOKS_FAILED"
  | "TOOL_LIST_STALE"
  | "UPSTREAM_LOST"
  | "NAMES_SHORTENED"
  | "RESULT_ADAPTED"
  | "UNKNOWN_PARAM_IGNORED"
  | "RETRIED"
  | "WARNINGS_SUPPRESSED";

/** What every ResponseV2Warning has. */
export interface ResponseV2WarningBase {
  /** How bad it is. */
  severity: Severity;
  /** Its words. */
  message: string;
}

/** What a ResponseV2Warning has besides, by `code`. */
export interface ResponseV2WarningVariants {
  "CONTENT_TRUNCATED": { context?: Partial<ContentTruncatedContext> };
  "CONTENT_DROPPED": { context?: Partial<ContentDroppedContext> };
  "PRIORITY_SUMMARIZED": { context?: Partial<PrioritySummarizedContext> };
  "SUMMARY_PROVIDER_FAILED": { context?: Partial<SummaryProviderFailedContext> };
  "TOKEN_BUDGET_FLOORED": { context?: Partial<TokenBudgetFlooredContext> };
  "LIMITS_DEFAULTED": { context?: Partial<LimitsDefaultedContext> };
  "ARCHIVE_WRITE_FAILED": { context?: Partial<ArchiveWriteFailedContext> };
  "PROTECTED_OVERFLOW": { context?: Partial<ProtectedOverflowContext> };
  "STATE_MIGRATION_RECOVERED": { context?: Partial<StateMigrationRecoveredContext> };
  "TOKEN_COUNT_ESTIMATE_USED": { context?: Partial<TokenCountEstimateUsedContext> };
  "STALE_CACHE": { context?: Partial<StaleCacheContext> };
  "PARTIAL_FAILURE": { context?: Partial<PartialFailureContext> };
  "DEPRECATED_FIELD": { context?: Partial<DeprecatedFieldContext> };
  "RATE_LIMIT_APPROACHING": { context?: Partial<RateLimitApproachingContext> | Partial<RateLimitQuotaWarningContext> };
  "FALLBACK_USED": { context?: Partial<FallbackUsedContext> };
  "DEPRECATION_WARNING": { context?: Partial<DeprecationWarningContext> };
  "VALIDATION_TRUNCATED_WARNING": { context?: Partial<ValidationTruncatedWarningContext> };
  "PERFORMANCE_SLOW_QUERY_WARNING": { context?: Partial<PerformanceSlowQueryWarningContext> };
  "ARGUMENTS_REPAIRED": { context?: Partial<ArgumentsRepairedContext> };
  "ARGUMENTS_MISMATCH": { context?: Partial<ArgumentsMismatchContext> };
  "ARGUMENTS_UNCHECKED": { context?: Partial<ArgumentsUncheckedContext> };
  "OUTPUT_MISMATCH": { context?: Partial<OutputMismatchContext> };
  "LOOKS_FAILED": { context?: Partial<LooksFailedContext> };
  "TOOL_LIST_STALE": { context?: Partial<ToolListStaleContext> };
  "UPSTREAM_LOST": { context?: Partial<UpstreamLostContext> };
  "NAMES_SHORTENED": { context?: Partial<NamesShortenedContext> };
  "RESULT_ADAPTED": { context?: Partial<ResultAdaptedContext> };
  "UNKNOWN_PARAM_IGNORED": { context?: Partial<UnknownParamIgnoredContext> };
  "RETRIED": { context?: Partial<RetriedContext> };
  "WARNINGS_SUPPRESSED": { context?: Partial<WarningsSuppressedContext> };
}

/** A structured warning. */
export type ResponseV2Warning<Own extends string = never> =
  | { [Tag in keyof ResponseV2WarningVariants]: ResponseV2WarningBase & { code: Tag } & ResponseV2WarningVariants[Tag] }[keyof ResponseV2WarningVariants]
  | ([Own] extends [never] ? never : ResponseV2WarningBase & { code: Own } & { context?: { [key: string]: JsonValue } })
  | (ResponseV2WarningBase & { code?: never } & { context?: { [key: string]: JsonValue } });

/** One broken rule of one value. To the letter it has `field`, `message` and `received` only. */
export interface ResponseV2ValidationError {
  /** Where, as a dotted name. */
  field: string;
  /** What came. */
  received?: JsonValue;
  /** Where, as a JSON pointer into the arguments. */
  pointer?: string;
  /** The schema keyword or named constraint. */
  keyword?: string;
  /** What is wrong, in words. */
  message?: string;
  /** What would have been right. */
  expected?: JsonValue;
  /** What came. */
  got?: JsonValue;
  /** A value that would do. */
  suggestion?: JsonValue;
}

/** An item of a batch that failed. */
export interface ResponseV2FailedItem {
  /** The caller's name for it, or its position. */
  id: string | number;
  /** Why, in a short phrase. */
  reason: string;
}

/** The state of a limit. */
export interface ResponseV2RateLimit {
  /** How many calls the window allows. */
  limit?: number;
  /** How many are left, usually none. */
  remaining?: number;
  /** When the window resets. */
  reset_at?: string;
  /** The length of the window. */
  period?: "second" | "minute" | "hour" | "day";
  /** Whole seconds to wait before the next try. */
  retry_after?: number;
}

/** What is known about a failure. To the letter it may be empty. */
export interface ResponseV2FailureData<Own extends string = never> {
  /** Which failure. Absent, to the letter, where nobody said so. */
  error_code?: ResponseV2Code | string;
  /** The class of the failure. */
  error_type?: ResponseV2ErrorType;
  /** What kind of thing it is, for example repository. */
  resource_type?: string;
  /** The identifier nothing was found for. */
  resource_id?: string;
  /** How many calls the window allows. */
  limit?: number;
  /** The length of the window. */
  period?: "second" | "minute" | "hour" | "day";
  /** The name of the parameter, or the dotted path to it. */
  field?: string;
  /** The permission that is missing. */
  required_permission?: JsonValue;
  /** The free part. */
  details?: { [key: string]: JsonValue };
  /** Every broken rule. */
  validation_errors?: Array<ResponseV2ValidationError>;
  /** Whole seconds to wait before the next try. */
  retry_after_seconds?: number;
  /** What the caller should do. */
  remediation?: string;
  /** Where to read more. */
  docs_url?: string;
  /** The items of a batch, when all failed. */
  failed?: Array<ResponseV2FailedItem>;
  /** The items that wait for a confirmation. */
  pending?: Array<string | number>;
  /** The batch in full. */
  batch?: BatchReport<Own>;
  [key: string]: unknown;
}

/** Metadata of a failure. */
export interface ResponseV2FailureMeta {
  /** The version of the envelope. */
  version: "response-v2";
  /** The id under which the operator finds the rest. */
  request_id?: string;
  /** The state of the limit that was hit. */
  rate_limit?: ResponseV2RateLimit;
  [key: string]: unknown;
}

/** Metadata of a success. */
export interface ResponseV2SuccessMeta<Own extends string = never> {
  /** The version of the envelope. */
  version: "response-v2";
  /** The id of the call. */
  request_id?: string;
  /** What degraded the success, in words. */
  warnings?: Array<string>;
  /** The same, for programs. */
  warning_details?: Array<ResponseV2Warning<Own>>;
  /** How much of the content is there. */
  content_fidelity?: Fidelity;
  /** The version of that vocabulary. */
  content_fidelity_schema_version?: string;
  /** Content that is not in the data, by its ids. */
  dropped_content_ids?: Array<string>;
  /** Archives of that content, with their hashes. */
  content_archive_hashes?: { [key: string]: string };
  [key: string]: unknown;
}

/** It worked. */
export interface ResponseV2Success<Data extends object = JsonObject, Own extends string = never> {
  /** Which of the two states it is. */
  success: true;
  /** The payload, or what is known about the failure. */
  data: Data;
  /** A sentence on what went wrong, and only then. */
  error: null;
  /** Metadata. */
  meta: ResponseV2SuccessMeta<Own>;
}

/** It needs something from the user first. */
export interface ResponseV2Question<Own extends string = never> {
  /** Which of the two states it is. */
  success: true;
  /** The payload, or what is known about the failure. */
  data: NeedsInput;
  /** A sentence on what went wrong, and only then. */
  error: null;
  /** Metadata. */
  meta: ResponseV2SuccessMeta<Own>;
}

/** It did not work. */
export interface ResponseV2Failure<Own extends string = never> {
  /** Which of the two states it is. */
  success: false;
  /** The payload, or what is known about the failure. */
  data: ResponseV2FailureData<Own>;
  /** A sentence on what went wrong, and only then. */
  error: string;
  /** Metadata. */
  meta: ResponseV2FailureMeta;
}

/** Any document of the dialect: a success without an error, or a failure with one. */
export type ResponseV2Document<Data extends object = JsonObject, Own extends string = never> =
  | ResponseV2Success<Data, Own>
  | ResponseV2Question<Own>
  | ResponseV2Failure<Own>;

/** The codes of the dialect. */
export type McpErrorCode =
  | "VALIDATION_FAILED"
  | "INVALID_INPUT"
  | "OPERATION_NOT_ALLOWED"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "DUPLICATE_OPERATION"
  | "NOT_FOUND"
  | "BUSINESS_RULE_VIOLATION"
  | "RATE_LIMITED"
  | "INSUFFICIENT_BALANCE"
  | "SERVICE_UNAVAILABLE"
  | "DEPENDENCY_FAILED"
  | "TIMEOUT"
  | "CIRCUIT_OPEN"
  | "INTERNAL_ERROR";

/** The free part, and what the object has no place for. */
export interface McpErrorDetails {
  /** The parameter at fault. */
  field?: string;
  /** The name the domain or another vocabulary has for it. */
  domain_code?: string;
  /** The HTTP status of an upstream's answer. */
  http_status?: number;
  /** What the caller should do. */
  remediation?: string;
  /** Where to read more. */
  docs_url?: string;
  /** Every broken rule. */
  violations?: Array<Violation>;
  [key: string]: unknown;
}

/** A failure. */
export interface McpErrorObject {
  /** Which failure. */
  code: McpErrorCode;
  /** What happened, in a sentence. */
  message: string;
  /** The free part. */
  details?: McpErrorDetails;
  /** How long to wait before the next try, in milliseconds. */
  retry_after_ms?: number;
  /** Recovery actions, the preferred one first. */
  recovery_actions: Array<string>;
  /** A tool to call instead. */
  fallback_tool?: string;
  /** The id under which the operator finds the rest. */
  correlation_id: string;
  /** When it happened. */
  timestamp: string;
  /** One word on how to recover. Absent, to the letter, unless it was set. */
  recovery_hint?: RecoveryHint;
  /** What a person may be told. Absent, to the letter, unless it was set. */
  userMessage?: string;
  /** Complete arguments that would do. */
  corrective_params?: JsonValue;
}

/** Any document of the dialect: an error, or the payload of a success as it is. */
export type McpErrorDocument<Data = JsonValue, Own extends string = never> =
  | McpErrorObject
  | NeedsInput
  | BatchReport<Own>
  | Data;

/** The numbers of the dialect. */
export type ErrorModelCode =
  | 2001
  | 2002
  | 2003
  | 3001
  | 3002
  | 4001
  | 4002
  | 5001;

/** Anything else that is safe to show. */
export interface ErrorModelContext {
  /** How long to wait before the next try, in milliseconds. */
  retryAfterMs?: number;
  /** The id under which the operator finds the rest. */
  correlationId?: string;
  /** The HTTP status of an upstream's answer. */
  httpStatus?: number;
  /** Where to read more. */
  docsUrl?: string;
  /** Every broken rule. */
  violations?: Array<Violation>;
  [key: string]: unknown;
}

/** More about a failure. */
export interface ErrorModelDetails {
  /** The name the domain has for it, or ours where the number says too little. */
  originalError?: string;
  /** The parameter at fault. */
  field?: string;
  /** A short machine-readable reason. */
  reason?: string;
  /** What the caller should do. */
  suggestion?: string;
  /** Anything else that is safe to show. */
  context?: ErrorModelContext;
}

/** A failure. */
export interface ErrorModelError {
  /** Which failure. */
  code: ErrorModelCode;
  /** What happened, in a sentence. */
  message: string;
  /** Whether repeating the call may help. */
  retryable: boolean;
  /** More about it. */
  details?: ErrorModelDetails;
}

/** A failed call. */
export interface ErrorModelFailure {
  /** Why. */
  error: ErrorModelError;
}

/** Any document of the dialect: a failure, or the payload of a success as it is. */
export type ErrorModelDocument<Data = JsonValue, Own extends string = never> =
  | ErrorModelFailure
  | NeedsInput
  | BatchReport<Own>
  | Data;

/** The codes of the dialect. */
export type ToolErrorCode =
  | "CLIENT_ERROR"
  | "AUTHENTICATION_ERROR"
  | "NOT_FOUND"
  | "SERVER_ERROR"
  | "NETWORK_ERROR"
  | "UNKNOWN_ERROR";

/** The free part, and what the object has no place for. */
export interface ToolErrorDetails {
  /** The parameter at fault. */
  field?: string;
  /** The HTTP status, where one exists. */
  statusCode?: number;
  /** The name the domain or another vocabulary has for it. */
  domainCode?: string;
  /** What the caller should do. */
  remediation?: string;
  /** How long to wait before the next try, in milliseconds. */
  retryAfterMs?: number;
  /** The id under which the operator finds the rest. */
  correlationId?: string;
  /** Where to read more. */
  docsUrl?: string;
  /** Every broken rule. */
  violations?: Array<Violation>;
  [key: string]: unknown;
}

/** A failure. */
export interface ToolErrorObject {
  /** The discriminator. */
  kind: "toolError:v1";
  /** Which failure. */
  code: ToolErrorCode;
  /** What happened, in a sentence. */
  message: string;
  /** Whether repeating the call may help. */
  retryable: boolean;
  /** The free part. */
  details?: ToolErrorDetails;
}

/** Words for a person. */
export interface MarkdownBlock {
  /** Always the same. */
  type: "text";
  /** The text. */
  text: string;
  /** The media type. */
  mimeType: "text/markdown";
  /** Absent to the letter. */
  _meta?: {
    /** The media type once more, for transports that strip the other. */
    "dev.breakfall/mimeType": "text/markdown";
    [key: string]: unknown;
  };
}

/** The object as JSON, indented by two. */
export interface JsonBlock {
  /** Always the same. */
  type: "text";
  /** The text. */
  text: string;
  /** The media type. */
  mimeType: "application/json";
  /** Absent to the letter. */
  _meta?: {
    /** The media type once more, for transports that strip the other. */
    "dev.breakfall/mimeType": "application/json";
    [key: string]: unknown;
  };
}

/** The blocks of a format: `markdown`, `json` or `both`. A JSON block comes last. */
export type ToolErrorContent =
  | [MarkdownBlock]
  | [JsonBlock]
  | [MarkdownBlock, JsonBlock];

/** What rides on a success. */
export interface ToolErrorWarning {
  /** Which warning. */
  code?: string;
  /** How much it matters. */
  severity: string;
  /** What to know. */
  message: string;
  /** The facts. */
  context?: { [key: string]: JsonValue };
  [key: string]: unknown;
}

/** A failed call. */
export interface ToolErrorFailure {
  /** The blocks of the format. */
  content: ToolErrorContent;
  /** The object, in every format. */
  structuredContent: ToolErrorObject;
  /** Marks a failure. */
  isError: true;
  /** What the object has no place for. */
  _meta?: {
    /** What degraded the success. */
    "dev.breakfall/warnings"?: Array<ToolErrorWarning>;
    [key: string]: unknown;
  };
}

/** A call that needs something from the user first. */
export interface ToolErrorQuestion {
  /** The blocks of the format. */
  content: ToolErrorContent;
  /** The question, in every format. */
  structuredContent: NeedsInput;
  /** Never true here. */
  isError?: false;
  /** What the object has no place for. */
  _meta?: {
    /** What degraded the success. */
    "dev.breakfall/warnings"?: Array<ToolErrorWarning>;
    [key: string]: unknown;
  };
}

/** A call that worked. */
export interface ToolErrorSuccess<Data extends object = JsonObject> {
  /** The blocks of the format. */
  content: ToolErrorContent;
  /** The data, if it is an object. */
  structuredContent?: Data;
  /** Never true here. */
  isError?: false;
  /** What the object has no place for. */
  _meta?: {
    /** What degraded the success. */
    "dev.breakfall/warnings"?: Array<ToolErrorWarning>;
    [key: string]: unknown;
  };
}

/** Any document of the dialect. */
export type ToolErrorDocument<Data extends object = JsonObject> =
  | ToolErrorFailure
  | ToolErrorQuestion
  | ToolErrorSuccess<Data>;

/** The registered codes of the dialect. */
export type McpAqlCode =
  | "VALIDATION_INVALID_VALUE"
  | "VALIDATION_INVALID_TYPE"
  | "VALIDATION_MISSING_PARAM"
  | "VALIDATION_PATTERN_MISMATCH"
  | "VALIDATION_INVALID_ENUM"
  | "VALIDATION_OUT_OF_RANGE"
  | "VALIDATION_UNKNOWN_PARAM"
  | "VALIDATION_UNKNOWN_FIELD"
  | "VALIDATION_INVALID_ENCODING"
  | "VALIDATION_PAYLOAD_TOO_LARGE"
  | "VALIDATION_ENDPOINT_MISMATCH"
  | "NOT_FOUND_OPERATION"
  | "VALIDATION_READ_ONLY_FIELD"
  | "BATCH_VALIDATION_ERROR"
  | "SCHEMA_MISSING_FIELD"
  | "SCHEMA_INVALID_TYPE"
  | "SCHEMA_UNRESOLVED_REF"
  | "SCHEMA_DUPLICATE_NAME"
  | "SCHEMA_INVALID_NAME"
  | "SCHEMA_VERSION_DEPRECATED"
  | "SCHEMA_VERSION_UNSUPPORTED"
  | "PERMISSION_DENIED"
  | "PERMISSION_TRUST_LEVEL_INSUFFICIENT"
  | "PERMISSION_DANGER_LEVEL_DENIED"
  | "CONFIRMATION_REQUIRED"
  | "TOKEN_INVALID"
  | "TOKEN_EXPIRED"
  | "TOKEN_ALREADY_USED"
  | "TOKEN_SCOPE_MISMATCH"
  | "NOT_FOUND_RESOURCE"
  | "CONFLICT_ALREADY_EXISTS"
  | "CONFLICT_VERSION_MISMATCH"
  | "CONFLICT_INVALID_STATE"
  | "RATE_LIMIT_EXCEEDED"
  | "RATE_LIMIT_QUOTA_PAUSE"
  | "RATE_LIMIT_QUOTA_EXHAUSTED"
  | "VALIDATION_BUSINESS_RULE"
  | "CONFLICT_INSUFFICIENT_BALANCE"
  | "INTERNAL_ERROR"
  | "SERIALIZATION_PARSE_ERROR"
  | "BATCH_PARTIAL_FAILURE";

/** The registered warnings of the dialect. */
export type McpAqlWarningCode =
  | "CONTENT_TRUNCATED"
  | "CONTENT_DROPPED"
  | "PRIORITY_SUMMARIZED"
  | "SUMMARY_PROVIDER_FAILED"
  | "TOKEN_BUDGET_FLOORED"
  | "LIMITS_DEFAULTED"
  | "ARCHIVE_WRITE_FAILED"
  | "PROTECTED_OVERFLOW"
  | "STATE_MIGRATION_RECOVERED"
  | "TOKEN_COUNT_ESTIMATE_USED"
  | "STALE_CACHE"
  | "PARTIAL_FAILURE"
  | "DEPRECATED_FIELD"
  | "RATE_LIMIT_APPROACHING"
  | "FALLBACK_USED"
  | "RATE_LIMIT_QUOTA_WARNING"
  | "DEPRECATION_WARNING"
  | "VALIDATION_TRUNCATED_WARNING"
  | "PERFORMANCE_SLOW_QUERY_WARNING"
  | "ARGUMENTS_REPAIRED"
  | "ARGUMENTS_MISMATCH"
  | "ARGUMENTS_UNCHECKED"
  | "OUTPUT_MISMATCH"
  | "LOOKS_FAILED"
  | "TOOL_LIST_STALE"
  | "UPSTREAM_LOST"
  | "NAMES_SHORTENED"
  | "RESULT_ADAPTED"
  | "UNKNOWN_PARAM_IGNORED"
  | "RETRIED"
  | "WARNINGS_SUPPRESSED"
  | "UNSPECIFIED_WARNING";

/** How bad a warning is; an absent one is medium. */
export type McpAqlSeverity =
  | "low"
  | "medium"
  | "high";

/** The keys any details may have, whatever the code. */
export interface McpAqlCommonDetails {
  /** The HTTP status somebody upstream answered with, or the one that tells codes of one name apart. */
  http_status?: number;
  /** Whole seconds to wait before the next try. */
  retry_after_seconds?: number;
  /** The name the domain or another vocabulary has for it. */
  domain_code?: string;
  /** What the caller should do. */
  remediation?: string;
  /** Where to read more. */
  docs_url?: string;
  /** Every broken rule. */
  violations?: Array<Violation>;
  [key: string]: unknown;
}

/** What every McpAqlError has. */
export interface McpAqlErrorBase {
  /** What happened, in the words of the code's template. */
  message: string;
}

/** What a McpAqlError has besides, by `code`. */
export interface McpAqlErrorVariants {
  "VALIDATION_INVALID_VALUE": { details?: Partial<McpAqlValidationInvalidValueDetails> };
  "VALIDATION_INVALID_TYPE": { details?: Partial<McpAqlValidationInvalidTypeDetails> };
  "VALIDATION_MISSING_PARAM": { details?: Partial<McpAqlValidationMissingParamDetails> };
  "VALIDATION_PATTERN_MISMATCH": { details?: Partial<McpAqlValidationPatternMismatchDetails> };
  "VALIDATION_INVALID_ENUM": { details?: Partial<McpAqlValidationInvalidEnumDetails> };
  "VALIDATION_OUT_OF_RANGE": { details?: Partial<McpAqlValidationOutOfRangeDetails> };
  "VALIDATION_UNKNOWN_PARAM": { details?: Partial<McpAqlValidationUnknownParamDetails> };
  "VALIDATION_UNKNOWN_FIELD": { details?: Partial<McpAqlValidationUnknownFieldDetails> };
  "VALIDATION_INVALID_ENCODING": { details?: Partial<McpAqlValidationInvalidEncodingDetails> };
  "VALIDATION_PAYLOAD_TOO_LARGE": { details?: Partial<McpAqlValidationPayloadTooLargeDetails> };
  "VALIDATION_ENDPOINT_MISMATCH": { details?: Partial<McpAqlValidationEndpointMismatchDetails> };
  "NOT_FOUND_OPERATION": { details?: Partial<McpAqlNotFoundOperationDetails> };
  "VALIDATION_READ_ONLY_FIELD": { details?: Partial<McpAqlValidationReadOnlyFieldDetails> };
  "BATCH_VALIDATION_ERROR": { details?: Partial<McpAqlBatchValidationErrorDetails> };
  "SCHEMA_MISSING_FIELD": { details?: Partial<McpAqlSchemaMissingFieldDetails> };
  "SCHEMA_INVALID_TYPE": { details?: Partial<McpAqlSchemaInvalidTypeDetails> };
  "SCHEMA_UNRESOLVED_REF": { details?: Partial<McpAqlSchemaUnresolvedRefDetails> };
  "SCHEMA_DUPLICATE_NAME": { details?: Partial<McpAqlSchemaDuplicateNameDetails> };
  "SCHEMA_INVALID_NAME": { details?: Partial<McpAqlSchemaInvalidNameDetails> };
  "SCHEMA_VERSION_DEPRECATED": { details?: Partial<McpAqlSchemaVersionDeprecatedDetails> };
  "SCHEMA_VERSION_UNSUPPORTED": { details?: Partial<McpAqlSchemaVersionUnsupportedDetails> };
  "PERMISSION_DENIED": { details?: Partial<McpAqlPermissionDeniedDetails> };
  "PERMISSION_TRUST_LEVEL_INSUFFICIENT": { details?: Partial<McpAqlPermissionTrustLevelInsufficientDetails> };
  "PERMISSION_DANGER_LEVEL_DENIED": { details?: Partial<McpAqlPermissionDangerLevelDeniedDetails> };
  "CONFIRMATION_REQUIRED": { details?: Partial<McpAqlConfirmationRequiredDetails> };
  "TOKEN_INVALID": { details?: Partial<McpAqlTokenInvalidDetails> };
  "TOKEN_EXPIRED": { details?: Partial<McpAqlTokenExpiredDetails> };
  "TOKEN_ALREADY_USED": { details?: Partial<McpAqlTokenAlreadyUsedDetails> };
  "TOKEN_SCOPE_MISMATCH": { details?: Partial<McpAqlTokenScopeMismatchDetails> };
  "NOT_FOUND_RESOURCE": { details?: Partial<McpAqlNotFoundResourceDetails> };
  "CONFLICT_ALREADY_EXISTS": { details?: Partial<McpAqlConflictAlreadyExistsDetails> };
  "CONFLICT_VERSION_MISMATCH": { details?: Partial<McpAqlConflictVersionMismatchDetails> };
  "CONFLICT_INVALID_STATE": { details?: Partial<McpAqlConflictInvalidStateDetails> };
  "RATE_LIMIT_EXCEEDED": { details?: Partial<McpAqlRateLimitExceededDetails> };
  "RATE_LIMIT_QUOTA_PAUSE": { details?: Partial<McpAqlRateLimitQuotaPauseDetails> };
  "RATE_LIMIT_QUOTA_EXHAUSTED": { details?: Partial<McpAqlRateLimitQuotaExhaustedDetails> };
  "VALIDATION_BUSINESS_RULE": { details?: Partial<McpAqlValidationBusinessRuleDetails> };
  "CONFLICT_INSUFFICIENT_BALANCE": { details?: Partial<McpAqlConflictInsufficientBalanceDetails> };
  "INTERNAL_ERROR": { details?: Partial<McpAqlInternalErrorDetails> };
  "SERIALIZATION_PARSE_ERROR": { details?: Partial<McpAqlSerializationParseErrorDetails> };
  "BATCH_PARTIAL_FAILURE": { details?: Partial<McpAqlBatchPartialFailureDetails> };
}

/** A failure. */
export type McpAqlError<Own extends string = never> =
  | { [Tag in keyof McpAqlErrorVariants]: McpAqlErrorBase & { code: Tag } & McpAqlErrorVariants[Tag] }[keyof McpAqlErrorVariants]
  | ([Own] extends [never] ? never : McpAqlErrorBase & { code: Own } & { details?: Partial<McpAqlCommonDetails> });

/** What every McpAqlWarning has. */
export interface McpAqlWarningBase {
  /** How bad it is. */
  severity?: McpAqlSeverity;
  /** Its words. */
  message: string;
}

/** What a McpAqlWarning has besides, by `code`. */
export interface McpAqlWarningVariants {
  "CONTENT_TRUNCATED": { details?: Partial<ContentTruncatedContext> };
  "CONTENT_DROPPED": { details?: Partial<ContentDroppedContext> };
  "PRIORITY_SUMMARIZED": { details?: Partial<PrioritySummarizedContext> };
  "SUMMARY_PROVIDER_FAILED": { details?: Partial<SummaryProviderFailedContext> };
  "TOKEN_BUDGET_FLOORED": { details?: Partial<TokenBudgetFlooredContext> };
  "LIMITS_DEFAULTED": { details?: Partial<LimitsDefaultedContext> };
  "ARCHIVE_WRITE_FAILED": { details?: Partial<ArchiveWriteFailedContext> };
  "PROTECTED_OVERFLOW": { details?: Partial<ProtectedOverflowContext> };
  "STATE_MIGRATION_RECOVERED": { details?: Partial<StateMigrationRecoveredContext> };
  "TOKEN_COUNT_ESTIMATE_USED": { details?: Partial<TokenCountEstimateUsedContext> };
  "STALE_CACHE": { details?: Partial<StaleCacheContext> };
  "PARTIAL_FAILURE": { details?: Partial<PartialFailureContext> };
  "DEPRECATED_FIELD": { details?: Partial<DeprecatedFieldContext> };
  "RATE_LIMIT_APPROACHING": { details?: Partial<RateLimitApproachingContext> };
  "FALLBACK_USED": { details?: Partial<FallbackUsedContext> };
  "RATE_LIMIT_QUOTA_WARNING": { details?: Partial<RateLimitQuotaWarningContext> };
  "DEPRECATION_WARNING": { details?: Partial<DeprecationWarningContext> };
  "VALIDATION_TRUNCATED_WARNING": { details?: Partial<ValidationTruncatedWarningContext> };
  "PERFORMANCE_SLOW_QUERY_WARNING": { details?: Partial<PerformanceSlowQueryWarningContext> };
  "ARGUMENTS_REPAIRED": { details?: Partial<ArgumentsRepairedContext> };
  "ARGUMENTS_MISMATCH": { details?: Partial<ArgumentsMismatchContext> };
  "ARGUMENTS_UNCHECKED": { details?: Partial<ArgumentsUncheckedContext> };
  "OUTPUT_MISMATCH": { details?: Partial<OutputMismatchContext> };
  "LOOKS_FAILED": { details?: Partial<LooksFailedContext> };
  "TOOL_LIST_STALE": { details?: Partial<ToolListStaleContext> };
  "UPSTREAM_LOST": { details?: Partial<UpstreamLostContext> };
  "NAMES_SHORTENED": { details?: Partial<NamesShortenedContext> };
  "RESULT_ADAPTED": { details?: Partial<ResultAdaptedContext> };
  "UNKNOWN_PARAM_IGNORED": { details?: Partial<UnknownParamIgnoredContext> };
  "RETRIED": { details?: Partial<RetriedContext> };
  "WARNINGS_SUPPRESSED": { details?: Partial<WarningsSuppressedContext> };
  "UNSPECIFIED_WARNING": { details?: { [key: string]: JsonValue } };
}

/** What rides on a success: it worked, but the caller should know this. */
export type McpAqlWarning<Own extends string = never> =
  | { [Tag in keyof McpAqlWarningVariants]: McpAqlWarningBase & { code: Tag } & McpAqlWarningVariants[Tag] }[keyof McpAqlWarningVariants]
  | ([Own] extends [never] ? never : McpAqlWarningBase & { code: Own } & { details?: { [key: string]: JsonValue } });

/** Details of `VALIDATION_INVALID_VALUE`. */
export interface McpAqlValidationInvalidValueDetails extends McpAqlCommonDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The operation that was called. */
  operation?: string;
  /** Why the value was refused, in one sentence. */
  reason?: string;
  /** What would have been accepted. */
  expected?: string;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_INVALID_TYPE`. */
export interface McpAqlValidationInvalidTypeDetails extends McpAqlCommonDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The type the schema wants. */
  expected_type: string;
  /** The type that came. */
  actual_type: string;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_MISSING_PARAM`. */
export interface McpAqlValidationMissingParamDetails extends McpAqlCommonDetails {
  /** The name of the missing parameter. */
  param_name: string;
  /** The operation that needs it. */
  operation?: string;
  [key: string]: unknown;
}

/** Details of `VALIDATION_PATTERN_MISMATCH`. */
export interface McpAqlValidationPatternMismatchDetails extends McpAqlCommonDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The regular expression, or the name of the format. */
  pattern: string;
  /** A value of the wanted form. */
  example?: string;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_INVALID_ENUM`. */
export interface McpAqlValidationInvalidEnumDetails extends McpAqlCommonDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The list of allowed values. */
  allowed_values: JsonValue;
  /** The allowed value nearest to the one given. */
  suggestion?: JsonValue;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_OUT_OF_RANGE`. */
export interface McpAqlValidationOutOfRangeDetails extends McpAqlCommonDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The smallest value allowed. */
  minimum?: number;
  /** The largest value allowed. */
  maximum?: number;
  /** The value that was refused, if it is safe to repeat. */
  value?: JsonValue;
  [key: string]: unknown;
}

/** Details of `VALIDATION_UNKNOWN_PARAM`. */
export interface McpAqlValidationUnknownParamDetails extends McpAqlCommonDetails {
  /** The operation that was called. */
  operation: string;
  /** The unknown names. */
  unknown_params: Array<string>;
  /** The names the operation has. */
  valid_params: Array<string>;
  [key: string]: unknown;
}

/** Details of `VALIDATION_UNKNOWN_FIELD`. */
export interface McpAqlValidationUnknownFieldDetails extends McpAqlCommonDetails {
  /** The operation that was called. */
  operation: string;
  /** The unknown names. */
  unknown_fields: Array<string>;
  /** The names the resource has. */
  valid_fields?: Array<string>;
  [key: string]: unknown;
}

/** Details of `VALIDATION_INVALID_ENCODING`. */
export interface McpAqlValidationInvalidEncodingDetails extends McpAqlCommonDetails {
  /** Where in the request, for example params.description. */
  location?: string;
  /** Offset of the first bad byte. */
  byte_offset?: number;
  [key: string]: unknown;
}

/** Details of `VALIDATION_PAYLOAD_TOO_LARGE`. */
export interface McpAqlValidationPayloadTooLargeDetails extends McpAqlCommonDetails {
  /** Which limit was passed. */
  limit_type: "request_size" | "response_size" | "string_length" | "array_elements" | "nesting_depth";
  /** The limit. */
  limit_value: number;
  /** The size or count measured. */
  actual_value: number;
  /** What is counted. */
  unit: "bytes" | "elements" | "levels";
  [key: string]: unknown;
}

/** Details of `VALIDATION_ENDPOINT_MISMATCH`. */
export interface McpAqlValidationEndpointMismatchDetails extends McpAqlCommonDetails {
  /** The operation that was called. */
  operation: string;
  /** The endpoint that has the operation. */
  expected_endpoint: string;
  /** The endpoint that was called. */
  actual_endpoint: string;
  [key: string]: unknown;
}

/** Details of `NOT_FOUND_OPERATION`. */
export interface McpAqlNotFoundOperationDetails extends McpAqlCommonDetails {
  /** The name that was asked for. */
  operation: string;
  /** Names the caller may use instead. */
  available?: Array<string>;
  [key: string]: unknown;
}

/** Details of `VALIDATION_READ_ONLY_FIELD`. */
export interface McpAqlValidationReadOnlyFieldDetails extends McpAqlCommonDetails {
  /** The name of the parameter, or the dotted path to it. */
  param_name: string;
  /** The operation that was called. */
  operation?: string;
  [key: string]: unknown;
}

/** Details of `BATCH_VALIDATION_ERROR`. */
export interface McpAqlBatchValidationErrorDetails extends McpAqlCommonDetails {
  /** What is wrong with the batch. */
  reason: string;
  /** Position of the first bad entry. */
  index?: number;
  [key: string]: unknown;
}

/** Details of `SCHEMA_MISSING_FIELD`. */
export interface McpAqlSchemaMissingFieldDetails extends McpAqlCommonDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The type the document should have here. */
  expected_type: string;
  /** The type found, or missing. */
  actual_type: string;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_INVALID_TYPE`. */
export interface McpAqlSchemaInvalidTypeDetails extends McpAqlCommonDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The type the document should have here. */
  expected_type: string;
  /** The type found, or missing. */
  actual_type: string;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_UNRESOLVED_REF`. */
export interface McpAqlSchemaUnresolvedRefDetails extends McpAqlCommonDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The types the document declares. */
  expected_value: JsonValue;
  /** The name that was referred to. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_DUPLICATE_NAME`. */
export interface McpAqlSchemaDuplicateNameDetails extends McpAqlCommonDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** A name that is still free, or where the name was taken first. */
  expected_value: JsonValue;
  /** The name declared twice. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_INVALID_NAME`. */
export interface McpAqlSchemaInvalidNameDetails extends McpAqlCommonDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The pattern names have to match. */
  expected_value: JsonValue;
  /** The name found. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_VERSION_DEPRECATED`. */
export interface McpAqlSchemaVersionDeprecatedDetails extends McpAqlCommonDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The version to move to. */
  expected_value: JsonValue;
  /** The version found. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `SCHEMA_VERSION_UNSUPPORTED`. */
export interface McpAqlSchemaVersionUnsupportedDetails extends McpAqlCommonDetails {
  /** Dotted path of the field in the schema document. */
  field_path: string;
  /** The versions the loader reads. */
  expected_value: JsonValue;
  /** The version found. */
  actual_value: JsonValue;
  /** How to put it right, if known. */
  suggestion?: string;
  [key: string]: unknown;
}

/** Details of `PERMISSION_DENIED`. */
export interface McpAqlPermissionDeniedDetails extends McpAqlCommonDetails {
  /** The service that was called. */
  service?: string;
  /** The way to authenticate, for example Bearer. */
  scheme?: string;
  /** When the credentials expired. */
  expired_at?: string;
  /** Why access was refused, in one sentence. */
  reason?: string;
  /** The scope or permission that would be enough. */
  required_scope?: string;
  /** The operation that was called. */
  operation?: string;
  /** The feature that is off. */
  feature?: string;
  [key: string]: unknown;
}

/** Details of `PERMISSION_TRUST_LEVEL_INSUFFICIENT`. */
export interface McpAqlPermissionTrustLevelInsufficientDetails extends McpAqlCommonDetails {
  /** The operation that was called. */
  operation: string;
  /** The least trust level the operation asks for. */
  required_trust: "untested" | "generated" | "validated" | "community_reviewed" | "certified";
  /** The trust level of the adapter. */
  actual_trust: string;
  /** The danger of the operation, 0 to 4. */
  danger_level?: number;
  [key: string]: unknown;
}

/** Details of `PERMISSION_DANGER_LEVEL_DENIED`. */
export interface McpAqlPermissionDangerLevelDeniedDetails extends McpAqlCommonDetails {
  /** The operation that was called. */
  operation: string;
  /** The danger of the operation. */
  danger_level: "safe" | "reversible" | "destructive" | "dangerous" | "forbidden";
  /** The trust level of the adapter. */
  adapter_trust: string;
  /** The least trust level that is not denied. */
  minimum_trust_required: string;
  /** Why the operation is dangerous. */
  reasons?: Array<string>;
  [key: string]: unknown;
}

/** Details of `CONFIRMATION_REQUIRED`. */
export interface McpAqlConfirmationRequiredDetails extends McpAqlCommonDetails {
  /** The operation that waits for consent. */
  operation: string;
  /** The danger of the operation. */
  danger_level: string;
  /** Why consent is asked for. */
  reasons?: Array<string>;
  /** The question to put to the person. */
  confirmation_message?: string;
  /** The token to send along once the person has agreed. */
  confirmation_token: string;
  /** When the token expires. */
  expires_at: string;
  /** The earliest moment the token may be redeemed, if there is a cooldown. */
  not_before?: string;
  [key: string]: unknown;
}

/** Details of `TOKEN_INVALID`. */
export interface McpAqlTokenInvalidDetails extends McpAqlCommonDetails {
  /** The token that was presented. */
  token: string;
  [key: string]: unknown;
}

/** Details of `TOKEN_EXPIRED`. */
export interface McpAqlTokenExpiredDetails extends McpAqlCommonDetails {
  /** The token that was presented. */
  token: string;
  /** When it expired. */
  expired_at: string;
  /** The server's time when it was presented. */
  current_time: string;
  [key: string]: unknown;
}

/** Details of `TOKEN_ALREADY_USED`. */
export interface McpAqlTokenAlreadyUsedDetails extends McpAqlCommonDetails {
  /** The token that was presented. */
  token: string;
  /** When it was redeemed. */
  consumed_at?: string;
  [key: string]: unknown;
}

/** Details of `TOKEN_SCOPE_MISMATCH`. */
export interface McpAqlTokenScopeMismatchDetails extends McpAqlCommonDetails {
  /** The token that was presented. */
  token: string;
  /** The operation the token was issued for. */
  token_operation: string;
  /** The operation it was presented with. */
  requested_operation: string;
  [key: string]: unknown;
}

/** Details of `NOT_FOUND_RESOURCE`. */
export interface McpAqlNotFoundResourceDetails extends McpAqlCommonDetails {
  /** What kind of thing it is, for example repository. */
  resource_type?: string;
  /** The identifier nothing was found for. */
  resource_id?: string;
  [key: string]: unknown;
}

/** Details of `CONFLICT_ALREADY_EXISTS`. */
export interface McpAqlConflictAlreadyExistsDetails extends McpAqlCommonDetails {
  /** What kind of thing it is. */
  resource_type?: string;
  /** Its identifier. */
  resource_id?: string;
  /** The operation that came twice. */
  operation?: string;
  /** The key both calls share. */
  idempotency_key?: string;
  /** When the first call came. */
  first_seen_at?: string;
  /** The result of the first call, if it is kept. */
  original_result?: JsonValue;
  [key: string]: unknown;
}

/** Details of `CONFLICT_VERSION_MISMATCH`. */
export interface McpAqlConflictVersionMismatchDetails extends McpAqlCommonDetails {
  /** The version the caller built on. */
  expected_version: string;
  /** The version there is now. */
  actual_version: string;
  /** What kind of thing it is. */
  resource_type?: string;
  /** Its identifier. */
  resource_id?: string;
  [key: string]: unknown;
}

/** Details of `CONFLICT_INVALID_STATE`. */
export interface McpAqlConflictInvalidStateDetails extends McpAqlCommonDetails {
  /** The operation that was tried. */
  operation: string;
  /** The state the resource is in. */
  current_state: string;
  /** The states in which the operation is possible. */
  allowed_states?: Array<string>;
  /** What kind of thing it is. */
  resource_type?: string;
  /** Its identifier. */
  resource_id?: string;
  [key: string]: unknown;
}

/** Details of `RATE_LIMIT_EXCEEDED`. */
export interface McpAqlRateLimitExceededDetails extends McpAqlCommonDetails {
  /** How many calls the window allows. */
  limit: number;
  /** How many are left, usually none. */
  remaining: number;
  /** The length of the window. */
  window: "second" | "minute" | "hour" | "day";
  /** When the window resets. */
  resets_at: string;
  [key: string]: unknown;
}

/** Details of `RATE_LIMIT_QUOTA_PAUSE`. */
export interface McpAqlRateLimitQuotaPauseDetails extends McpAqlCommonDetails {
  /** The metric that is counted, for example requests_per_hour. */
  metric: string;
  /** Usage so far. */
  current: number;
  /** Where the pause begins. */
  pause_threshold: number;
  /** Where everything stops, if there is such a point. */
  hard_stop_threshold?: number;
  /** The token to send along once a person has agreed. */
  confirmation_token: string;
  /** When the token expires. */
  expires_at: string;
  [key: string]: unknown;
}

/** Details of `RATE_LIMIT_QUOTA_EXHAUSTED`. */
export interface McpAqlRateLimitQuotaExhaustedDetails extends McpAqlCommonDetails {
  /** The metric that is counted, for example requests_per_hour. */
  metric: string;
  /** Usage so far. */
  current: number;
  /** Where everything stops. */
  hard_stop_threshold: number;
  /** When the quota resets. */
  resets_at: string;
  [key: string]: unknown;
}

/** Details of `VALIDATION_BUSINESS_RULE`. */
export interface McpAqlValidationBusinessRuleDetails extends McpAqlCommonDetails {
  /** The rule, by name or in a few words. */
  rule: string;
  /** How the call breaks it. */
  reason?: string;
  /** The operation that was called. */
  operation?: string;
  [key: string]: unknown;
}

/** Details of `CONFLICT_INSUFFICIENT_BALANCE`. */
export interface McpAqlConflictInsufficientBalanceDetails extends McpAqlCommonDetails {
  /** The amount needed. */
  required?: number;
  /** The amount there is. */
  available?: number;
  /** The unit of both amounts. */
  currency?: string;
  [key: string]: unknown;
}

/** Details of `INTERNAL_ERROR`. */
export interface McpAqlInternalErrorDetails extends McpAqlCommonDetails {
  /** The service that was called. */
  service?: string;
  /** What the target said, redacted and shortened. */
  upstream_error?: string;
  /** What failed. */
  dependency?: string;
  /** How long was waited, in milliseconds. */
  timeout_ms?: number;
  /** The operation that was called. */
  operation?: string;
  /** How many calls failed in a row. */
  failures?: number;
  /** Calls running when this one came. */
  in_flight?: number;
  /** How many may run. */
  limit?: number;
  /** What kind of network failure it was. */
  transport_code?: "TRANSPORT_DNS_ERROR" | "TRANSPORT_CONNECTION_REFUSED" | "TRANSPORT_TIMEOUT" | "TRANSPORT_TLS_ERROR" | "TRANSPORT_NETWORK_ERROR";
  /** Which check failed. */
  reason?: string;
  /** The adapter that failed. */
  adapter?: string;
  /** The adapter's own name for the error. */
  original_error?: string;
  /** The setting, by its name in the configuration. */
  setting?: string;
  /** The code it came with, if it had one. */
  foreign_code?: string;
  [key: string]: unknown;
}

/** Details of `SERIALIZATION_PARSE_ERROR`. */
export interface McpAqlSerializationParseErrorDetails extends McpAqlCommonDetails {
  /** The service that was called. */
  service?: string;
  /** The media type the answer claimed. */
  content_type?: string;
  /** The first 200 characters, redacted. */
  preview?: string;
  [key: string]: unknown;
}

/** Details of `BATCH_PARTIAL_FAILURE`. */
export interface McpAqlBatchPartialFailureDetails extends McpAqlCommonDetails {
  /** How many items the batch had. */
  total: number;
  /** Always 0 here. */
  succeeded: number;
  /** Equal to total here. */
  failed: number;
  /** One object per failed item: index, code, message. */
  errors: Array<{ [key: string]: JsonValue }>;
  [key: string]: unknown;
}

/** A call that worked, or one that needs something from the user first. */
export interface McpAqlSuccess<Data = JsonValue, Own extends string = never> {
  /** It worked. */
  success: true;
  /** The payload. */
  data: Data;
  /** Metadata. */
  _meta?: {
    /** The id of the call. */
    request_id?: string;
    [key: string]: unknown;
  };
  /** What degraded the success, worst first. */
  warnings?: Array<McpAqlWarning<Own>>;
}

/** A failed call. Closed to other keys. */
export interface McpAqlFailure<Own extends string = never> {
  /** It did not work. */
  success: false;
  /** Why. */
  error: McpAqlError<Own>;
}

/** Any document of the dialect. */
export type McpAqlDocument<Data = JsonValue, Own extends string = never> =
  | McpAqlSuccess<Data, Own>
  | McpAqlBatch<Own>
  | McpAqlFailure<Own>;

/** The result of an item that is done. */
export interface McpAqlItemSuccess {
  /** It worked. */
  success: true;
  /** The payload. */
  data: JsonValue;
}

/** One item of a batch. */
export interface McpAqlItem<Own extends string = never> {
  /** Its position in the request, from zero. */
  index: number;
  /** Its operation. */
  operation?: string;
  /** The caller's name for it; absent to the letter. */
  id?: string;
  /** What it came to. */
  result: McpAqlItemSuccess | McpAqlFailure<Own>;
  /** Neither done nor failed: it waits for a person. */
  status?: "pending_confirmation";
}

/** A batch with the result of every item. */
export interface McpAqlBatch<Own extends string = never> {
  /** The batch was processed. */
  success: true;
  /** The results stand beside it. */
  data: null;
  /** The items, in the order they were asked for. */
  results: Array<McpAqlItem<Own>>;
  /** How many came to what. */
  summary: {
    /** How many items there were. */
    total: number;
    /** How many are done. */
    succeeded: number;
    /** How many failed. */
    failed: number;
    /** The batch stopped at its first pending item. */
    halted?: true;
    /** How many wait for a confirmation. */
    pending_confirmation?: number;
  };
  /** What degraded the success, worst first. */
  warnings?: Array<McpAqlWarning<Own>>;
}

/** What every Problem has. */
export interface ProblemBase {
  /** What happened, in a sentence. */
  detail: string;
  /** This very failure. */
  instance: string;
  /** The name the domain or another vocabulary has for it. */
  domain_code?: string;
  /** Every broken rule. */
  violations?: Array<Violation>;
  /** May the call be repeated? */
  retry?: RetryAdvice;
  /** What the caller should do. */
  remediation?: string;
  /** Recovery actions, the preferred one first. */
  recovery_actions?: Array<string>;
  /** One word on how to recover. */
  recovery_hint?: RecoveryHint;
  /** What a person may be told. */
  user_message?: string;
  /** A tool to call instead. */
  fallback_tool?: string;
  /** Complete arguments that would do. */
  corrective_params?: JsonValue;
  /** Whose doing it was. */
  origin?: Origin;
  /** Which rule classified a bare failure. */
  provenance?: Provenance;
  /** The HTTP status of an upstream's answer. */
  http_status?: number;
  /** Where to read more. */
  docs_url?: string;
  /** The question to put to a person, if it is theirs to answer. */
  needs_input?: NeedsInput;
  /** The id under which the operator finds the rest. */
  correlation_id?: string;
  /** When it happened. */
  timestamp?: string;
}

/** What a Problem has besides, by `type`. */
export interface ProblemVariants {
  "urn:breakfall:code:VALIDATION_INVALID_VALUE": { title: "Invalid value"; status: 422; code?: "VALIDATION_INVALID_VALUE"; category?: "validation"; details?: Partial<ValidationInvalidValueDetails> };
  "urn:breakfall:code:VALIDATION_MISSING_PARAM": { title: "Missing required parameter"; status: 400; code?: "VALIDATION_MISSING_PARAM"; category?: "validation"; details?: Partial<ValidationMissingParamDetails> };
  "urn:breakfall:code:VALIDATION_INVALID_TYPE": { title: "Parameter has the wrong type"; status: 400; code?: "VALIDATION_INVALID_TYPE"; category?: "validation"; details?: Partial<ValidationInvalidTypeDetails> };
  "urn:breakfall:code:VALIDATION_PATTERN_MISMATCH": { title: "Parameter does not match its pattern"; status: 422; code?: "VALIDATION_PATTERN_MISMATCH"; category?: "validation"; details?: Partial<ValidationPatternMismatchDetails> };
  "urn:breakfall:code:VALIDATION_INVALID_ENUM": { title: "Parameter is not one of the allowed values"; status: 422; code?: "VALIDATION_INVALID_ENUM"; category?: "validation"; details?: Partial<ValidationInvalidEnumDetails> };
  "urn:breakfall:code:VALIDATION_OUT_OF_RANGE": { title: "Parameter is out of range"; status: 422; code?: "VALIDATION_OUT_OF_RANGE"; category?: "validation"; details?: Partial<ValidationOutOfRangeDetails> };
  "urn:breakfall:code:VALIDATION_UNKNOWN_PARAM": { title: "Unknown parameter(s)"; status: 400; code?: "VALIDATION_UNKNOWN_PARAM"; category?: "validation"; details?: Partial<ValidationUnknownParamDetails> };
  "urn:breakfall:code:VALIDATION_UNKNOWN_FIELD": { title: "Unknown field(s) in the input"; status: 400; code?: "VALIDATION_UNKNOWN_FIELD"; category?: "validation"; details?: Partial<ValidationUnknownFieldDetails> };
  "urn:breakfall:code:VALIDATION_INVALID_ENCODING": { title: "Invalid character encoding in request"; status: 400; code?: "VALIDATION_INVALID_ENCODING"; category?: "validation"; details?: Partial<ValidationInvalidEncodingDetails> };
  "urn:breakfall:code:VALIDATION_PAYLOAD_TOO_LARGE": { title: "Payload too large"; status: 413; code?: "VALIDATION_PAYLOAD_TOO_LARGE"; category?: "validation"; details?: Partial<ValidationPayloadTooLargeDetails> };
  "urn:breakfall:code:VALIDATION_ENDPOINT_MISMATCH": { title: "Operation belongs to another endpoint"; status: 400; code?: "VALIDATION_ENDPOINT_MISMATCH"; category?: "validation"; details?: Partial<ValidationEndpointMismatchDetails> };
  "urn:breakfall:code:VALIDATION_READ_ONLY_FIELD": { title: "Parameter is read-only"; status: 422; code?: "VALIDATION_READ_ONLY_FIELD"; category?: "validation"; details?: Partial<ValidationReadOnlyFieldDetails> };
  "urn:breakfall:code:BATCH_VALIDATION_ERROR": { title: "Batch request is invalid"; status: 400; code?: "BATCH_VALIDATION_ERROR"; category?: "validation"; details?: Partial<BatchValidationErrorDetails> };
  "urn:breakfall:code:SCHEMA_MISSING_FIELD": { title: "Schema field is missing"; status: 422; code?: "SCHEMA_MISSING_FIELD"; category?: "validation"; details?: Partial<SchemaMissingFieldDetails> };
  "urn:breakfall:code:SCHEMA_INVALID_TYPE": { title: "Schema field has the wrong type"; status: 422; code?: "SCHEMA_INVALID_TYPE"; category?: "validation"; details?: Partial<SchemaInvalidTypeDetails> };
  "urn:breakfall:code:SCHEMA_UNRESOLVED_REF": { title: "Schema reference cannot be resolved"; status: 422; code?: "SCHEMA_UNRESOLVED_REF"; category?: "validation"; details?: Partial<SchemaUnresolvedRefDetails> };
  "urn:breakfall:code:SCHEMA_DUPLICATE_NAME": { title: "Schema name is already taken"; status: 422; code?: "SCHEMA_DUPLICATE_NAME"; category?: "validation"; details?: Partial<SchemaDuplicateNameDetails> };
  "urn:breakfall:code:SCHEMA_INVALID_NAME": { title: "Schema name is not written as required"; status: 422; code?: "SCHEMA_INVALID_NAME"; category?: "validation"; details?: Partial<SchemaInvalidNameDetails> };
  "urn:breakfall:code:SCHEMA_VERSION_DEPRECATED": { title: "Schema version is deprecated"; status: 422; code?: "SCHEMA_VERSION_DEPRECATED"; category?: "validation"; details?: Partial<SchemaVersionDeprecatedDetails> };
  "urn:breakfall:code:SCHEMA_VERSION_UNSUPPORTED": { title: "Schema version is not supported"; status: 422; code?: "SCHEMA_VERSION_UNSUPPORTED"; category?: "validation"; details?: Partial<SchemaVersionUnsupportedDetails> };
  "urn:breakfall:code:AUTHENTICATION_REQUIRED": { title: "Authentication required"; status: 401; code?: "AUTHENTICATION_REQUIRED"; category?: "authentication"; details?: Partial<AuthenticationRequiredDetails> };
  "urn:breakfall:code:AUTHENTICATION_INVALID_CREDENTIALS": { title: "Authentication failed: credentials were refused"; status: 401; code?: "AUTHENTICATION_INVALID_CREDENTIALS"; category?: "authentication"; details?: Partial<AuthenticationInvalidCredentialsDetails> };
  "urn:breakfall:code:AUTHENTICATION_EXPIRED": { title: "Authentication expired: credentials are no longer valid"; status: 401; code?: "AUTHENTICATION_EXPIRED"; category?: "authentication"; details?: Partial<AuthenticationExpiredDetails> };
  "urn:breakfall:code:PERMISSION_DENIED": { title: "Permission denied"; status: 403; code?: "PERMISSION_DENIED"; category?: "authorization"; details?: Partial<PermissionDeniedDetails> };
  "urn:breakfall:code:PERMISSION_TRUST_LEVEL_INSUFFICIENT": { title: "Operation requires a higher trust level"; status: 403; code?: "PERMISSION_TRUST_LEVEL_INSUFFICIENT"; category?: "authorization"; details?: Partial<PermissionTrustLevelInsufficientDetails> };
  "urn:breakfall:code:PERMISSION_DANGER_LEVEL_DENIED": { title: "Operation denied for its danger level"; status: 403; code?: "PERMISSION_DANGER_LEVEL_DENIED"; category?: "authorization"; details?: Partial<PermissionDangerLevelDeniedDetails> };
  "urn:breakfall:code:PERMISSION_NOT_ALLOWED": { title: "Permission denied: operation is not allowed"; status: 403; code?: "PERMISSION_NOT_ALLOWED"; category?: "authorization"; details?: Partial<PermissionNotAllowedDetails> };
  "urn:breakfall:code:PERMISSION_FEATURE_DISABLED": { title: "Permission denied: feature is disabled"; status: 403; code?: "PERMISSION_FEATURE_DISABLED"; category?: "authorization"; details?: Partial<PermissionFeatureDisabledDetails> };
  "urn:breakfall:code:CONFIRMATION_REQUIRED": { title: "This operation requires confirmation"; status: 403; code?: "CONFIRMATION_REQUIRED"; category?: "confirmation"; details?: Partial<ConfirmationRequiredDetails> };
  "urn:breakfall:code:TOKEN_INVALID": { title: "Invalid confirmation token"; status: 400; code?: "TOKEN_INVALID"; category?: "confirmation"; details?: Partial<TokenInvalidDetails> };
  "urn:breakfall:code:TOKEN_EXPIRED": { title: "Confirmation token has expired"; status: 403; code?: "TOKEN_EXPIRED"; category?: "confirmation"; details?: Partial<TokenExpiredDetails> };
  "urn:breakfall:code:TOKEN_ALREADY_USED": { title: "Confirmation token has already been used"; status: 403; code?: "TOKEN_ALREADY_USED"; category?: "confirmation"; details?: Partial<TokenAlreadyUsedDetails> };
  "urn:breakfall:code:TOKEN_SCOPE_MISMATCH": { title: "Confirmation token scope mismatch"; status: 403; code?: "TOKEN_SCOPE_MISMATCH"; category?: "confirmation"; details?: Partial<TokenScopeMismatchDetails> };
  "urn:breakfall:code:NOT_FOUND_RESOURCE": { title: "Resource not found"; status: 404; code?: "NOT_FOUND_RESOURCE"; category?: "not_found"; details?: Partial<NotFoundResourceDetails> };
  "urn:breakfall:code:NOT_FOUND_OPERATION": { title: "Unknown operation"; status: 404; code?: "NOT_FOUND_OPERATION"; category?: "not_found"; details?: Partial<NotFoundOperationDetails> };
  "urn:breakfall:code:CONFLICT_ALREADY_EXISTS": { title: "Resource already exists"; status: 409; code?: "CONFLICT_ALREADY_EXISTS"; category?: "conflict"; details?: Partial<ConflictAlreadyExistsDetails> };
  "urn:breakfall:code:CONFLICT_VERSION_MISMATCH": { title: "Version conflict"; status: 409; code?: "CONFLICT_VERSION_MISMATCH"; category?: "conflict"; details?: Partial<ConflictVersionMismatchDetails> };
  "urn:breakfall:code:CONFLICT_INVALID_STATE": { title: "Conflict with the current state"; status: 409; code?: "CONFLICT_INVALID_STATE"; category?: "conflict"; details?: Partial<ConflictInvalidStateDetails> };
  "urn:breakfall:code:CONFLICT_DUPLICATE_OPERATION": { title: "Conflict: operation was already carried out"; status: 409; code?: "CONFLICT_DUPLICATE_OPERATION"; category?: "conflict"; details?: Partial<ConflictDuplicateOperationDetails> };
  "urn:breakfall:code:RATE_LIMIT_EXCEEDED": { title: "API rate limit exceeded"; status: 429; code?: "RATE_LIMIT_EXCEEDED"; category?: "rate_limit"; details?: Partial<RateLimitExceededDetails> };
  "urn:breakfall:code:RATE_LIMIT_QUOTA_PAUSE": { title: "Quota pause threshold reached"; status: 429; code?: "RATE_LIMIT_QUOTA_PAUSE"; category?: "rate_limit"; details?: Partial<RateLimitQuotaPauseDetails> };
  "urn:breakfall:code:RATE_LIMIT_QUOTA_EXHAUSTED": { title: "Quota exhausted"; status: 429; code?: "RATE_LIMIT_QUOTA_EXHAUSTED"; category?: "rate_limit"; details?: Partial<RateLimitQuotaExhaustedDetails> };
  "urn:breakfall:code:BUSINESS_RULE_VIOLATION": { title: "Business rule violated"; status: 422; code?: "BUSINESS_RULE_VIOLATION"; category?: "business"; details?: Partial<BusinessRuleViolationDetails> };
  "urn:breakfall:code:BUSINESS_INSUFFICIENT_BALANCE": { title: "Insufficient balance"; status: 402; code?: "BUSINESS_INSUFFICIENT_BALANCE"; category?: "business"; details?: Partial<BusinessInsufficientBalanceDetails> };
  "urn:breakfall:code:UNAVAILABLE_SERVICE": { title: "Service unavailable"; status: 503; code?: "UNAVAILABLE_SERVICE"; category?: "unavailable"; details?: Partial<UnavailableServiceDetails> };
  "urn:breakfall:code:UNAVAILABLE_DEPENDENCY": { title: "Service dependency failed"; status: 502; code?: "UNAVAILABLE_DEPENDENCY"; category?: "unavailable"; details?: Partial<UnavailableDependencyDetails> };
  "urn:breakfall:code:UNAVAILABLE_TIMEOUT": { title: "Service did not answer in time"; status: 504; code?: "UNAVAILABLE_TIMEOUT"; category?: "unavailable"; details?: Partial<UnavailableTimeoutDetails> };
  "urn:breakfall:code:UNAVAILABLE_CIRCUIT_OPEN": { title: "Service is paused after repeated failures"; status: 503; code?: "UNAVAILABLE_CIRCUIT_OPEN"; category?: "unavailable"; details?: Partial<UnavailableCircuitOpenDetails> };
  "urn:breakfall:code:UNAVAILABLE_OVERLOADED": { title: "Service is overloaded"; status: 503; code?: "UNAVAILABLE_OVERLOADED"; category?: "unavailable"; details?: Partial<UnavailableOverloadedDetails> };
  "urn:breakfall:code:UNAVAILABLE_NETWORK": { title: "Service cannot be reached"; status: 502; code?: "UNAVAILABLE_NETWORK"; category?: "unavailable"; details?: Partial<UnavailableNetworkDetails> };
  "urn:breakfall:code:UNAVAILABLE_TLS": { title: "Service failed the TLS handshake"; status: 502; code?: "UNAVAILABLE_TLS"; category?: "unavailable"; details?: Partial<UnavailableTlsDetails> };
  "urn:breakfall:code:INTERNAL_ERROR": { title: "Internal error"; status: 500; code?: "INTERNAL_ERROR"; category?: "internal"; details?: Partial<InternalErrorDetails> };
  "urn:breakfall:code:INTERNAL_BAD_UPSTREAM": { title: "Internal error: upstream answer is unreadable"; status: 502; code?: "INTERNAL_BAD_UPSTREAM"; category?: "internal"; details?: Partial<InternalBadUpstreamDetails> };
  "urn:breakfall:code:INTERNAL_ADAPTER": { title: "Internal error: adapter failed"; status: 502; code?: "INTERNAL_ADAPTER"; category?: "internal"; details?: Partial<InternalAdapterDetails> };
  "urn:breakfall:code:INTERNAL_NOT_IMPLEMENTED": { title: "Operation is not implemented"; status: 501; code?: "INTERNAL_NOT_IMPLEMENTED"; category?: "internal"; details?: Partial<InternalNotImplementedDetails> };
  "urn:breakfall:code:INTERNAL_CONFIGURATION": { title: "Internal error: configuration is invalid"; status: 500; code?: "INTERNAL_CONFIGURATION"; category?: "internal"; details?: Partial<InternalConfigurationDetails> };
  "urn:breakfall:code:INTERNAL_UNKNOWN": { title: "Internal error: failure of unknown kind"; status: 500; code?: "INTERNAL_UNKNOWN"; category?: "internal"; details?: Partial<InternalUnknownDetails> };
  "urn:breakfall:code:BATCH_FAILED": { title: "All operations failed"; status: 500; code?: "BATCH_FAILED"; category?: "internal"; details?: Partial<BatchFailedDetails> };
  "urn:breakfall:code:BATCH_PARTIAL_FAILURE": { title: "Some operations failed"; status: 500; code?: "BATCH_PARTIAL_FAILURE"; category?: "internal"; details?: Partial<BatchPartialFailureDetails> };
}

/** A problem document, `application/problem+json`. */
export type Problem<Own extends string = never> =
  | { [Tag in keyof ProblemVariants]: ProblemBase & { type: Tag } & ProblemVariants[Tag] }[keyof ProblemVariants]
  | ([Own] extends [never] ? never : ProblemBase & { type: `urn:breakfall:code:${Own}` } & { title: string; status: number; code?: string; category?: Category; details?: { [key: string]: JsonValue } });
