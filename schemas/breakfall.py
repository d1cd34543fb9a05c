"""Types of the documents Breakfall writes, one set per dialect, and of the vocabularies in them.

Generated from the catalogue and the dialects; `./check bless` rewrites it.

A comparison of `error["code"]` narrows the rest of the object. The unions know the built-in codes only: an object with a
server's own code is the `Own...` class beside the union. Details have the shapes their rows give them; a key that a row
requires (it says so) may still be missing where a fault was made from the failure of another server.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict, get_args

__all__ = [
    "ALL_CATEGORY",
    "ALL_CODE",
    "ALL_CONFIDENCE",
    "ALL_ERROR_MODEL_CODE",
    "ALL_FIDELITY",
    "ALL_MCP_AQL_CODE",
    "ALL_MCP_AQL_SEVERITY",
    "ALL_MCP_AQL_WARNING_CODE",
    "ALL_MCP_ERROR_CODE",
    "ALL_ORIGIN",
    "ALL_RECOVERY_HINT",
    "ALL_RESPONSE_V2_CODE",
    "ALL_RESPONSE_V2_ERROR_TYPE",
    "ALL_RESPONSE_V2_WARNING_CODE",
    "ALL_RETRY_POLICY",
    "ALL_SEVERITY",
    "ALL_STATUS",
    "ALL_TOOL_ERROR_CODE",
    "ALL_WARNING_CODE",
    "ArchiveWriteFailedContext",
    "ArgumentsMismatchContext",
    "ArgumentsRepairedContext",
    "ArgumentsUncheckedContext",
    "AuthenticationExpiredDetails",
    "AuthenticationInvalidCredentialsDetails",
    "AuthenticationRequiredDetails",
    "BatchFailedDetails",
    "BatchItem",
    "BatchItem1",
    "BatchItem2",
    "BatchItem3",
    "BatchPartialFailureDetails",
    "BatchReport",
    "BatchValidationErrorDetails",
    "Block",
    "BusinessInsufficientBalanceDetails",
    "BusinessRuleViolationDetails",
    "Category",
    "Choice",
    "Code",
    "Confidence",
    "ConfirmationRequiredDetails",
    "ConflictAlreadyExistsDetails",
    "ConflictDuplicateOperationDetails",
    "ConflictInvalidStateDetails",
    "ConflictVersionMismatchDetails",
    "ContentDroppedContext",
    "ContentTruncatedContext",
    "DeprecatedFieldContext",
    "DeprecationWarningContext",
    "ErrorModelCode",
    "ErrorModelContext",
    "ErrorModelDetails",
    "ErrorModelDocument",
    "ErrorModelError",
    "ErrorModelFailure",
    "FallbackUsedContext",
    "Fidelity",
    "InternalAdapterDetails",
    "InternalBadUpstreamDetails",
    "InternalConfigurationDetails",
    "InternalErrorDetails",
    "InternalNotImplementedDetails",
    "InternalUnknownDetails",
    "JsonBlock",
    "JsonBlockMeta",
    "LimitsDefaultedContext",
    "LooksFailedContext",
    "MarkdownBlock",
    "MarkdownBlockMeta",
    "McpAqlBatch",
    "McpAqlBatchPartialFailureDetails",
    "McpAqlBatchSummary",
    "McpAqlBatchValidationErrorDetails",
    "McpAqlCode",
    "McpAqlCommonDetails",
    "McpAqlConfirmationRequiredDetails",
    "McpAqlConflictAlreadyExistsDetails",
    "McpAqlConflictInsufficientBalanceDetails",
    "McpAqlConflictInvalidStateDetails",
    "McpAqlConflictVersionMismatchDetails",
    "McpAqlDocument",
    "McpAqlError",
    "McpAqlErrorBase",
    "McpAqlErrorBatchPartialFailure",
    "McpAqlErrorBatchValidationError",
    "McpAqlErrorConfirmationRequired",
    "McpAqlErrorConflictAlreadyExists",
    "McpAqlErrorConflictInsufficientBalance",
    "McpAqlErrorConflictInvalidState",
    "McpAqlErrorConflictVersionMismatch",
    "McpAqlErrorInternalError",
    "McpAqlErrorNotFoundOperation",
    "McpAqlErrorNotFoundResource",
    "McpAqlErrorPermissionDangerLevelDenied",
    "McpAqlErrorPermissionDenied",
    "McpAqlErrorPermissionTrustLevelInsufficient",
    "McpAqlErrorRateLimitExceeded",
    "McpAqlErrorRateLimitQuotaExhausted",
    "McpAqlErrorRateLimitQuotaPause",
    "McpAqlErrorSchemaDuplicateName",
    "McpAqlErrorSchemaInvalidName",
    "McpAqlErrorSchemaInvalidType",
    "McpAqlErrorSchemaMissingField",
    "McpAqlErrorSchemaUnresolvedRef",
    "McpAqlErrorSchemaVersionDeprecated",
    "McpAqlErrorSchemaVersionUnsupported",
    "McpAqlErrorSerializationParseError",
    "McpAqlErrorTokenAlreadyUsed",
    "McpAqlErrorTokenExpired",
    "McpAqlErrorTokenInvalid",
    "McpAqlErrorTokenScopeMismatch",
    "McpAqlErrorValidationBusinessRule",
    "McpAqlErrorValidationEndpointMismatch",
    "McpAqlErrorValidationInvalidEncoding",
    "McpAqlErrorValidationInvalidEnum",
    "McpAqlErrorValidationInvalidType",
    "McpAqlErrorValidationInvalidValue",
    "McpAqlErrorValidationMissingParam",
    "McpAqlErrorValidationOutOfRange",
    "McpAqlErrorValidationPatternMismatch",
    "McpAqlErrorValidationPayloadTooLarge",
    "McpAqlErrorValidationReadOnlyField",
    "McpAqlErrorValidationUnknownField",
    "McpAqlErrorValidationUnknownParam",
    "McpAqlFailure",
    "McpAqlInternalErrorDetails",
    "McpAqlItem",
    "McpAqlItemSuccess",
    "McpAqlNotFoundOperationDetails",
    "McpAqlNotFoundResourceDetails",
    "McpAqlPermissionDangerLevelDeniedDetails",
    "McpAqlPermissionDeniedDetails",
    "McpAqlPermissionTrustLevelInsufficientDetails",
    "McpAqlRateLimitExceededDetails",
    "McpAqlRateLimitQuotaExhaustedDetails",
    "McpAqlRateLimitQuotaPauseDetails",
    "McpAqlSchemaDuplicateNameDetails",
    "McpAqlSchemaInvalidNameDetails",
    "McpAqlSchemaInvalidTypeDetails",
    "McpAqlSchemaMissingFieldDetails",
    "McpAqlSchemaUnresolvedRefDetails",
    "McpAqlSchemaVersionDeprecatedDetails",
    "McpAqlSchemaVersionUnsupportedDetails",
    "McpAqlSerializationParseErrorDetails",
    "McpAqlSeverity",
    "McpAqlSuccess",
    "McpAqlSuccessMeta",
    "McpAqlTokenAlreadyUsedDetails",
    "McpAqlTokenExpiredDetails",
    "McpAqlTokenInvalidDetails",
    "McpAqlTokenScopeMismatchDetails",
    "McpAqlValidationBusinessRuleDetails",
    "McpAqlValidationEndpointMismatchDetails",
    "McpAqlValidationInvalidEncodingDetails",
    "McpAqlValidationInvalidEnumDetails",
    "McpAqlValidationInvalidTypeDetails",
    "McpAqlValidationInvalidValueDetails",
    "McpAqlValidationMissingParamDetails",
    "McpAqlValidationOutOfRangeDetails",
    "McpAqlValidationPatternMismatchDetails",
    "McpAqlValidationPayloadTooLargeDetails",
    "McpAqlValidationReadOnlyFieldDetails",
    "McpAqlValidationUnknownFieldDetails",
    "McpAqlValidationUnknownParamDetails",
    "McpAqlWarning",
    "McpAqlWarningArchiveWriteFailed",
    "McpAqlWarningArgumentsMismatch",
    "McpAqlWarningArgumentsRepaired",
    "McpAqlWarningArgumentsUnchecked",
    "McpAqlWarningBase",
    "McpAqlWarningCode",
    "McpAqlWarningContentDropped",
    "McpAqlWarningContentTruncated",
    "McpAqlWarningDeprecatedField",
    "McpAqlWarningDeprecationWarning",
    "McpAqlWarningFallbackUsed",
    "McpAqlWarningLimitsDefaulted",
    "McpAqlWarningLooksFailed",
    "McpAqlWarningNamesShortened",
    "McpAqlWarningOutputMismatch",
    "McpAqlWarningPartialFailure",
    "McpAqlWarningPerformanceSlowQueryWarning",
    "McpAqlWarningPrioritySummarized",
    "McpAqlWarningProtectedOverflow",
    "McpAqlWarningRateLimitApproaching",
    "McpAqlWarningRateLimitQuotaWarning",
    "McpAqlWarningResultAdapted",
    "McpAqlWarningRetried",
    "McpAqlWarningStaleCache",
    "McpAqlWarningStateMigrationRecovered",
    "McpAqlWarningSummaryProviderFailed",
    "McpAqlWarningTokenBudgetFloored",
    "McpAqlWarningTokenCountEstimateUsed",
    "McpAqlWarningToolListStale",
    "McpAqlWarningUnknownParamIgnored",
    "McpAqlWarningUnspecifiedWarning",
    "McpAqlWarningUpstreamLost",
    "McpAqlWarningValidationTruncatedWarning",
    "McpAqlWarningWarningsSuppressed",
    "McpErrorCode",
    "McpErrorDetails",
    "McpErrorDocument",
    "McpErrorObject",
    "NamesShortenedContext",
    "NativeBatch",
    "NativeBatchMeta",
    "NativeDocument",
    "NativeError",
    "NativeErrorAuthenticationExpired",
    "NativeErrorAuthenticationInvalidCredentials",
    "NativeErrorAuthenticationRequired",
    "NativeErrorBase",
    "NativeErrorBatchFailed",
    "NativeErrorBatchPartialFailure",
    "NativeErrorBatchValidationError",
    "NativeErrorBusinessInsufficientBalance",
    "NativeErrorBusinessRuleViolation",
    "NativeErrorConfirmationRequired",
    "NativeErrorConflictAlreadyExists",
    "NativeErrorConflictDuplicateOperation",
    "NativeErrorConflictInvalidState",
    "NativeErrorConflictVersionMismatch",
    "NativeErrorInternalAdapter",
    "NativeErrorInternalBadUpstream",
    "NativeErrorInternalConfiguration",
    "NativeErrorInternalError",
    "NativeErrorInternalNotImplemented",
    "NativeErrorInternalUnknown",
    "NativeErrorNotFoundOperation",
    "NativeErrorNotFoundResource",
    "NativeErrorPermissionDangerLevelDenied",
    "NativeErrorPermissionDenied",
    "NativeErrorPermissionFeatureDisabled",
    "NativeErrorPermissionNotAllowed",
    "NativeErrorPermissionTrustLevelInsufficient",
    "NativeErrorRateLimitExceeded",
    "NativeErrorRateLimitQuotaExhausted",
    "NativeErrorRateLimitQuotaPause",
    "NativeErrorSchemaDuplicateName",
    "NativeErrorSchemaInvalidName",
    "NativeErrorSchemaInvalidType",
    "NativeErrorSchemaMissingField",
    "NativeErrorSchemaUnresolvedRef",
    "NativeErrorSchemaVersionDeprecated",
    "NativeErrorSchemaVersionUnsupported",
    "NativeErrorTokenAlreadyUsed",
    "NativeErrorTokenExpired",
    "NativeErrorTokenInvalid",
    "NativeErrorTokenScopeMismatch",
    "NativeErrorUnavailableCircuitOpen",
    "NativeErrorUnavailableDependency",
    "NativeErrorUnavailableNetwork",
    "NativeErrorUnavailableOverloaded",
    "NativeErrorUnavailableService",
    "NativeErrorUnavailableTimeout",
    "NativeErrorUnavailableTls",
    "NativeErrorValidationEndpointMismatch",
    "NativeErrorValidationInvalidEncoding",
    "NativeErrorValidationInvalidEnum",
    "NativeErrorValidationInvalidType",
    "NativeErrorValidationInvalidValue",
    "NativeErrorValidationMissingParam",
    "NativeErrorValidationOutOfRange",
    "NativeErrorValidationPatternMismatch",
    "NativeErrorValidationPayloadTooLarge",
    "NativeErrorValidationReadOnlyField",
    "NativeErrorValidationUnknownField",
    "NativeErrorValidationUnknownParam",
    "NativeFailure",
    "NativeFailureMeta",
    "NativeQuestion",
    "NativeQuestionMeta",
    "NativeSuccess",
    "NativeSuccessMeta",
    "NeedsInput",
    "NeedsInputNeedsInput",
    "NotFoundOperationDetails",
    "NotFoundResourceDetails",
    "Origin",
    "OutputMismatchContext",
    "OwnMcpAqlError",
    "OwnMcpAqlWarning",
    "OwnNativeError",
    "OwnProblem",
    "OwnResponseV2Warning",
    "OwnWarning",
    "PartialFailureContext",
    "PerformanceSlowQueryWarningContext",
    "PermissionDangerLevelDeniedDetails",
    "PermissionDeniedDetails",
    "PermissionFeatureDisabledDetails",
    "PermissionNotAllowedDetails",
    "PermissionTrustLevelInsufficientDetails",
    "PlainResponseV2Warning",
    "PlainWarning",
    "PrioritySummarizedContext",
    "Problem",
    "ProblemAuthenticationExpired",
    "ProblemAuthenticationInvalidCredentials",
    "ProblemAuthenticationRequired",
    "ProblemBase",
    "ProblemBatchFailed",
    "ProblemBatchPartialFailure",
    "ProblemBatchValidationError",
    "ProblemBusinessInsufficientBalance",
    "ProblemBusinessRuleViolation",
    "ProblemConfirmationRequired",
    "ProblemConflictAlreadyExists",
    "ProblemConflictDuplicateOperation",
    "ProblemConflictInvalidState",
    "ProblemConflictVersionMismatch",
    "ProblemInternalAdapter",
    "ProblemInternalBadUpstream",
    "ProblemInternalConfiguration",
    "ProblemInternalError",
    "ProblemInternalNotImplemented",
    "ProblemInternalUnknown",
    "ProblemNotFoundOperation",
    "ProblemNotFoundResource",
    "ProblemPermissionDangerLevelDenied",
    "ProblemPermissionDenied",
    "ProblemPermissionFeatureDisabled",
    "ProblemPermissionNotAllowed",
    "ProblemPermissionTrustLevelInsufficient",
    "ProblemRateLimitExceeded",
    "ProblemRateLimitQuotaExhausted",
    "ProblemRateLimitQuotaPause",
    "ProblemSchemaDuplicateName",
    "ProblemSchemaInvalidName",
    "ProblemSchemaInvalidType",
    "ProblemSchemaMissingField",
    "ProblemSchemaUnresolvedRef",
    "ProblemSchemaVersionDeprecated",
    "ProblemSchemaVersionUnsupported",
    "ProblemTokenAlreadyUsed",
    "ProblemTokenExpired",
    "ProblemTokenInvalid",
    "ProblemTokenScopeMismatch",
    "ProblemUnavailableCircuitOpen",
    "ProblemUnavailableDependency",
    "ProblemUnavailableNetwork",
    "ProblemUnavailableOverloaded",
    "ProblemUnavailableService",
    "ProblemUnavailableTimeout",
    "ProblemUnavailableTls",
    "ProblemValidationEndpointMismatch",
    "ProblemValidationInvalidEncoding",
    "ProblemValidationInvalidEnum",
    "ProblemValidationInvalidType",
    "ProblemValidationInvalidValue",
    "ProblemValidationMissingParam",
    "ProblemValidationOutOfRange",
    "ProblemValidationPatternMismatch",
    "ProblemValidationPayloadTooLarge",
    "ProblemValidationReadOnlyField",
    "ProblemValidationUnknownField",
    "ProblemValidationUnknownParam",
    "ProtectedOverflowContext",
    "Provenance",
    "RateLimitApproachingContext",
    "RateLimitExceededDetails",
    "RateLimitQuotaExhaustedDetails",
    "RateLimitQuotaPauseDetails",
    "RateLimitQuotaWarningContext",
    "RecoveryHint",
    "ResponseV2Code",
    "ResponseV2Document",
    "ResponseV2ErrorType",
    "ResponseV2FailedItem",
    "ResponseV2Failure",
    "ResponseV2FailureData",
    "ResponseV2FailureMeta",
    "ResponseV2Question",
    "ResponseV2RateLimit",
    "ResponseV2Success",
    "ResponseV2SuccessMeta",
    "ResponseV2ValidationError",
    "ResponseV2Warning",
    "ResponseV2WarningArchiveWriteFailed",
    "ResponseV2WarningArgumentsMismatch",
    "ResponseV2WarningArgumentsRepaired",
    "ResponseV2WarningArgumentsUnchecked",
    "ResponseV2WarningBase",
    "ResponseV2WarningCode",
    "ResponseV2WarningContentDropped",
    "ResponseV2WarningContentTruncated",
    "ResponseV2WarningDeprecatedField",
    "ResponseV2WarningDeprecationWarning",
    "ResponseV2WarningFallbackUsed",
    "ResponseV2WarningLimitsDefaulted",
    "ResponseV2WarningLooksFailed",
    "ResponseV2WarningNamesShortened",
    "ResponseV2WarningOutputMismatch",
    "ResponseV2WarningPartialFailure",
    "ResponseV2WarningPerformanceSlowQueryWarning",
    "ResponseV2WarningPrioritySummarized",
    "ResponseV2WarningProtectedOverflow",
    "ResponseV2WarningRateLimitApproaching",
    "ResponseV2WarningResultAdapted",
    "ResponseV2WarningRetried",
    "ResponseV2WarningStaleCache",
    "ResponseV2WarningStateMigrationRecovered",
    "ResponseV2WarningSummaryProviderFailed",
    "ResponseV2WarningTokenBudgetFloored",
    "ResponseV2WarningTokenCountEstimateUsed",
    "ResponseV2WarningToolListStale",
    "ResponseV2WarningUnknownParamIgnored",
    "ResponseV2WarningUpstreamLost",
    "ResponseV2WarningValidationTruncatedWarning",
    "ResponseV2WarningWarningsSuppressed",
    "ResultAdaptedContext",
    "RetriedContext",
    "RetryAdvice",
    "RetryAdvice1",
    "RetryAdvice2",
    "RetryPolicy",
    "SchemaDuplicateNameDetails",
    "SchemaInvalidNameDetails",
    "SchemaInvalidTypeDetails",
    "SchemaMissingFieldDetails",
    "SchemaUnresolvedRefDetails",
    "SchemaVersionDeprecatedDetails",
    "SchemaVersionUnsupportedDetails",
    "Severity",
    "StaleCacheContext",
    "StateMigrationRecoveredContext",
    "Status",
    "SuccessNotes",
    "SummaryProviderFailedContext",
    "TextBlock",
    "TokenAlreadyUsedDetails",
    "TokenBudgetFlooredContext",
    "TokenCountEstimateUsedContext",
    "TokenExpiredDetails",
    "TokenInvalidDetails",
    "TokenScopeMismatchDetails",
    "ToolErrorCode",
    "ToolErrorContent",
    "ToolErrorDetails",
    "ToolErrorDocument",
    "ToolErrorFailure",
    "ToolErrorFailureMeta",
    "ToolErrorObject",
    "ToolErrorQuestion",
    "ToolErrorQuestionMeta",
    "ToolErrorSuccess",
    "ToolErrorSuccessMeta",
    "ToolErrorWarning",
    "ToolListStaleContext",
    "UnavailableCircuitOpenDetails",
    "UnavailableDependencyDetails",
    "UnavailableNetworkDetails",
    "UnavailableOverloadedDetails",
    "UnavailableServiceDetails",
    "UnavailableTimeoutDetails",
    "UnavailableTlsDetails",
    "UnknownParamIgnoredContext",
    "UpstreamLostContext",
    "ValidationEndpointMismatchDetails",
    "ValidationInvalidEncodingDetails",
    "ValidationInvalidEnumDetails",
    "ValidationInvalidTypeDetails",
    "ValidationInvalidValueDetails",
    "ValidationMissingParamDetails",
    "ValidationOutOfRangeDetails",
    "ValidationPatternMismatchDetails",
    "ValidationPayloadTooLargeDetails",
    "ValidationReadOnlyFieldDetails",
    "ValidationTruncatedWarningContext",
    "ValidationUnknownFieldDetails",
    "ValidationUnknownParamDetails",
    "Violation",
    "Warning",
    "WarningArchiveWriteFailed",
    "WarningArgumentsMismatch",
    "WarningArgumentsRepaired",
    "WarningArgumentsUnchecked",
    "WarningBase",
    "WarningCode",
    "WarningContentDropped",
    "WarningContentTruncated",
    "WarningDeprecatedField",
    "WarningDeprecationWarning",
    "WarningFallbackUsed",
    "WarningLimitsDefaulted",
    "WarningLooksFailed",
    "WarningNamesShortened",
    "WarningOutputMismatch",
    "WarningPartialFailure",
    "WarningPerformanceSlowQueryWarning",
    "WarningPrioritySummarized",
    "WarningProtectedOverflow",
    "WarningRateLimitApproaching",
    "WarningRateLimitQuotaWarning",
    "WarningResultAdapted",
    "WarningRetried",
    "WarningStaleCache",
    "WarningStateMigrationRecovered",
    "WarningSummaryProviderFailed",
    "WarningTokenBudgetFloored",
    "WarningTokenCountEstimateUsed",
    "WarningToolListStale",
    "WarningUnknownParamIgnored",
    "WarningUpstreamLost",
    "WarningValidationTruncatedWarning",
    "WarningWarningsSuppressed",
    "WarningsSuppressedContext",
]


Code: TypeAlias = Literal[
    "VALIDATION_INVALID_VALUE",
    "VALIDATION_MISSING_PARAM",
    "VALIDATION_INVALID_TYPE",
    "VALIDATION_PATTERN_MISMATCH",
    "VALIDATION_INVALID_ENUM",
    "VALIDATION_OUT_OF_RANGE",
    "VALIDATION_UNKNOWN_PARAM",
    "VALIDATION_UNKNOWN_FIELD",
    "VALIDATION_INVALID_ENCODING",
    "VALIDATION_PAYLOAD_TOO_LARGE",
    "VALIDATION_ENDPOINT_MISMATCH",
    "VALIDATION_READ_ONLY_FIELD",
    "BATCH_VALIDATION_ERROR",
    "SCHEMA_MISSING_FIELD",
    "SCHEMA_INVALID_TYPE",
    "SCHEMA_UNRESOLVED_REF",
    "SCHEMA_DUPLICATE_NAME",
    "SCHEMA_INVALID_NAME",
    "SCHEMA_VERSION_DEPRECATED",
    "SCHEMA_VERSION_UNSUPPORTED",
    "AUTHENTICATION_REQUIRED",
    "AUTHENTICATION_INVALID_CREDENTIALS",
    "AUTHENTICATION_EXPIRED",
    "PERMISSION_DENIED",
    "PERMISSION_TRUST_LEVEL_INSUFFICIENT",
    "PERMISSION_DANGER_LEVEL_DENIED",
    "PERMISSION_NOT_ALLOWED",
    "PERMISSION_FEATURE_DISABLED",
    "CONFIRMATION_REQUIRED",
    "TOKEN_INVALID",
    "TOKEN_EXPIRED",
    "TOKEN_ALREADY_USED",
    "TOKEN_SCOPE_MISMATCH",
    "NOT_FOUND_RESOURCE",
    "NOT_FOUND_OPERATION",
    "CONFLICT_ALREADY_EXISTS",
    "CONFLICT_VERSION_MISMATCH",
    "CONFLICT_INVALID_STATE",
    "CONFLICT_DUPLICATE_OPERATION",
    "RATE_LIMIT_EXCEEDED",
    "RATE_LIMIT_QUOTA_PAUSE",
    "RATE_LIMIT_QUOTA_EXHAUSTED",
    "BUSINESS_RULE_VIOLATION",
    "BUSINESS_INSUFFICIENT_BALANCE",
    "UNAVAILABLE_SERVICE",
    "UNAVAILABLE_DEPENDENCY",
    "UNAVAILABLE_TIMEOUT",
    "UNAVAILABLE_CIRCUIT_OPEN",
    "UNAVAILABLE_OVERLOADED",
    "UNAVAILABLE_NETWORK",
    "UNAVAILABLE_TLS",
    "INTERNAL_ERROR",
    "INTERNAL_BAD_UPSTREAM",
    "INTERNAL_ADAPTER",
    "INTERNAL_NOT_IMPLEMENTED",
    "INTERNAL_CONFIGURATION",
    "INTERNAL_UNKNOWN",
    "BATCH_FAILED",
    "BATCH_PARTIAL_FAILURE",
]
"""The built-in codes, by category and within it from the general to the particular."""

ALL_CODE: Final[tuple[Code, ...]] = get_args(Code)


Category: TypeAlias = Literal[
    "validation",
    "authentication",
    "authorization",
    "not_found",
    "conflict",
    "rate_limit",
    "confirmation",
    "business",
    "unavailable",
    "internal",
]
"""The closed class of a failure."""

ALL_CATEGORY: Final[tuple[Category, ...]] = get_args(Category)


Severity: TypeAlias = Literal[
    "info",
    "warning",
    "error",
]
"""How bad a warning is."""

ALL_SEVERITY: Final[tuple[Severity, ...]] = get_args(Severity)


RetryPolicy: TypeAlias = Literal[
    "never",
    "after_change",
    "once",
    "backoff",
    "after",
]
"""May the call be repeated, and on what condition?"""

ALL_RETRY_POLICY: Final[tuple[RetryPolicy, ...]] = get_args(RetryPolicy)


RecoveryHint: TypeAlias = Literal[
    "RETRY_LATER",
    "CHECK_INPUT",
    "TRY_ALTERNATIVE",
    "REPORT_TO_USER",
]
"""One word on how to recover."""

ALL_RECOVERY_HINT: Final[tuple[RecoveryHint, ...]] = get_args(RecoveryHint)


Origin: TypeAlias = Literal[
    "caller",
    "gateway",
    "upstream",
    "tool",
]
"""Whose doing it was."""

ALL_ORIGIN: Final[tuple[Origin, ...]] = get_args(Origin)


Confidence: TypeAlias = Literal[
    "exact",
    "structural",
    "textual",
    "default",
]
"""How sure a classification is, surest first."""

ALL_CONFIDENCE: Final[tuple[Confidence, ...]] = get_args(Confidence)


Fidelity: TypeAlias = Literal[
    "full",
    "partial",
    "summary",
    "reference_only",
]
"""How much of the full content a success carries."""

ALL_FIDELITY: Final[tuple[Fidelity, ...]] = get_args(Fidelity)


Status: TypeAlias = Literal[
    "mvp",
    "phase1",
    "future",
    "companion",
    "extension",
    "custom",
]
"""How firmly a code is promised."""

ALL_STATUS: Final[tuple[Status, ...]] = get_args(Status)


WarningCode: TypeAlias = Literal[
    "CONTENT_TRUNCATED",
    "CONTENT_DROPPED",
    "PRIORITY_SUMMARIZED",
    "SUMMARY_PROVIDER_FAILED",
    "TOKEN_BUDGET_FLOORED",
    "LIMITS_DEFAULTED",
    "ARCHIVE_WRITE_FAILED",
    "PROTECTED_OVERFLOW",
    "STATE_MIGRATION_RECOVERED",
    "TOKEN_COUNT_ESTIMATE_USED",
    "STALE_CACHE",
    "PARTIAL_FAILURE",
    "DEPRECATED_FIELD",
    "RATE_LIMIT_APPROACHING",
    "FALLBACK_USED",
    "RATE_LIMIT_QUOTA_WARNING",
    "DEPRECATION_WARNING",
    "VALIDATION_TRUNCATED_WARNING",
    "PERFORMANCE_SLOW_QUERY_WARNING",
    "ARGUMENTS_REPAIRED",
    "ARGUMENTS_MISMATCH",
    "ARGUMENTS_UNCHECKED",
    "OUTPUT_MISMATCH",
    "LOOKS_FAILED",
    "TOOL_LIST_STALE",
    "UPSTREAM_LOST",
    "NAMES_SHORTENED",
    "RESULT_ADAPTED",
    "UNKNOWN_PARAM_IGNORED",
    "RETRIED",
    "WARNINGS_SUPPRESSED",
]
"""The built-in warnings."""

ALL_WARNING_CODE: Final[tuple[WarningCode, ...]] = get_args(WarningCode)


class RetryAdvice1(TypedDict):
    """Part of a document: `RetryAdvice1`."""

    policy: Literal["never", "after_change"]
    """On what condition the call may be repeated."""

    retryable: Literal[False]
    """Whether simply repeating the call may help."""

    after_ms: NotRequired[int]
    """How long to wait first, in milliseconds."""


class RetryAdvice2(TypedDict):
    """Part of a document: `RetryAdvice2`."""

    policy: Literal["once", "backoff", "after"]
    """On what condition the call may be repeated."""

    retryable: Literal[True]
    """Whether simply repeating the call may help."""

    after_ms: NotRequired[int]
    """How long to wait first, in milliseconds."""


RetryAdvice: TypeAlias = "RetryAdvice1 | RetryAdvice2"
"""Whether, when and on what condition to repeat the call."""


class Violation(TypedDict):
    """One broken rule of one value."""

    pointer: str
    """Where, as a JSON pointer into the arguments."""

    keyword: NotRequired[str]
    """The schema keyword or named constraint."""

    message: NotRequired[str]
    """What is wrong, in words."""

    expected: NotRequired[Any]
    """What would have been right."""

    got: NotRequired[Any]
    """What came."""

    suggestion: NotRequired[Any]
    """A value that would do."""


class Provenance(TypedDict):
    """Which rule classified a bare failure, and how sure it was."""

    rule: str
    """The rule."""

    confidence: Confidence
    """How sure it is."""


class Choice(TypedDict):
    """One answer to choose."""

    label: str
    """What the user sees."""

    value: str
    """What the tool gets."""

    description: NotRequired[str]
    """More about it."""

    field: NotRequired[str]
    """The field it answers."""


class NeedsInputNeedsInput(TypedDict):
    """Part of a document: `NeedsInputNeedsInput`."""

    fields: list[str]
    """The fields that have to be filled."""

    reason: str
    """Why it is needed."""

    suggestions: NotRequired[dict[str, list[str]]]
    """Values that would do, by field."""


class NeedsInput(TypedDict):
    """A question to the user. A normal step of the conversation, not an error."""

    kind: Literal["needsInput:v1"]
    """The discriminator."""

    type: Literal["elicitation"]
    """Always the same."""

    message: str
    """The question."""

    needsInput: NotRequired[NeedsInputNeedsInput]
    """What is needed, and why."""

    options: NotRequired[list[Choice]]
    """Answers to choose from."""


class ValidationInvalidValueDetails(TypedDict, total=False):
    """Details of `VALIDATION_INVALID_VALUE`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    operation: str
    """The operation that was called."""

    reason: str
    """Why the value was refused, in one sentence."""

    expected: str
    """What would have been accepted."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class ValidationMissingParamDetails(TypedDict, total=False):
    """Details of `VALIDATION_MISSING_PARAM`."""

    param_name: str
    """Required by the row. The name of the missing parameter."""

    operation: str
    """The operation that needs it."""


class ValidationInvalidTypeDetails(TypedDict, total=False):
    """Details of `VALIDATION_INVALID_TYPE`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    expected_type: str
    """Required by the row. The type the schema wants."""

    actual_type: str
    """Required by the row. The type that came."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class ValidationPatternMismatchDetails(TypedDict, total=False):
    """Details of `VALIDATION_PATTERN_MISMATCH`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    pattern: str
    """Required by the row. The regular expression, or the name of the format."""

    example: str
    """A value of the wanted form."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class ValidationInvalidEnumDetails(TypedDict, total=False):
    """Details of `VALIDATION_INVALID_ENUM`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    allowed_values: Any
    """Required by the row. The list of allowed values."""

    suggestion: Any
    """The allowed value nearest to the one given."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class ValidationOutOfRangeDetails(TypedDict, total=False):
    """Details of `VALIDATION_OUT_OF_RANGE`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    minimum: float
    """The smallest value allowed."""

    maximum: float
    """The largest value allowed."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class ValidationUnknownParamDetails(TypedDict, total=False):
    """Details of `VALIDATION_UNKNOWN_PARAM`."""

    operation: str
    """Required by the row. The operation that was called."""

    unknown_params: list[str]
    """Required by the row. The unknown names."""

    valid_params: list[str]
    """Required by the row. The names the operation has."""


class ValidationUnknownFieldDetails(TypedDict, total=False):
    """Details of `VALIDATION_UNKNOWN_FIELD`."""

    operation: str
    """Required by the row. The operation that was called."""

    unknown_fields: list[str]
    """Required by the row. The unknown names."""

    valid_fields: list[str]
    """The names the resource has."""


class ValidationInvalidEncodingDetails(TypedDict, total=False):
    """Details of `VALIDATION_INVALID_ENCODING`."""

    location: str
    """Where in the request, for example params.description."""

    byte_offset: int
    """Offset of the first bad byte."""


class ValidationPayloadTooLargeDetails(TypedDict, total=False):
    """Details of `VALIDATION_PAYLOAD_TOO_LARGE`."""

    limit_type: Literal["request_size", "response_size", "string_length", "array_elements", "nesting_depth"]
    """Required by the row. Which limit was passed."""

    limit_value: int
    """Required by the row. The limit."""

    actual_value: int
    """Required by the row. The size or count measured."""

    unit: Literal["bytes", "elements", "levels"]
    """Required by the row. What is counted."""


class ValidationEndpointMismatchDetails(TypedDict, total=False):
    """Details of `VALIDATION_ENDPOINT_MISMATCH`."""

    operation: str
    """Required by the row. The operation that was called."""

    expected_endpoint: str
    """Required by the row. The endpoint that has the operation."""

    actual_endpoint: str
    """Required by the row. The endpoint that was called."""


class ValidationReadOnlyFieldDetails(TypedDict, total=False):
    """Details of `VALIDATION_READ_ONLY_FIELD`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    operation: str
    """The operation that was called."""


class BatchValidationErrorDetails(TypedDict, total=False):
    """Details of `BATCH_VALIDATION_ERROR`."""

    reason: str
    """Required by the row. What is wrong with the batch."""

    index: int
    """Position of the first bad entry."""


class SchemaMissingFieldDetails(TypedDict, total=False):
    """Details of `SCHEMA_MISSING_FIELD`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_type: str
    """Required by the row. The type the document should have here."""

    actual_type: str
    """Required by the row. The type found, or missing."""

    suggestion: str
    """How to put it right, if known."""


class SchemaInvalidTypeDetails(TypedDict, total=False):
    """Details of `SCHEMA_INVALID_TYPE`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_type: str
    """Required by the row. The type the document should have here."""

    actual_type: str
    """Required by the row. The type found, or missing."""

    suggestion: str
    """How to put it right, if known."""


class SchemaUnresolvedRefDetails(TypedDict, total=False):
    """Details of `SCHEMA_UNRESOLVED_REF`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. The types the document declares."""

    actual_value: Any
    """Required by the row. The name that was referred to."""

    suggestion: str
    """How to put it right, if known."""


class SchemaDuplicateNameDetails(TypedDict, total=False):
    """Details of `SCHEMA_DUPLICATE_NAME`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. A name that is still free, or where the name was taken first."""

    actual_value: Any
    """Required by the row. The name declared twice."""

    suggestion: str
    """How to put it right, if known."""


class SchemaInvalidNameDetails(TypedDict, total=False):
    """Details of `SCHEMA_INVALID_NAME`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. The pattern names have to match."""

    actual_value: Any
    """Required by the row. The name found."""

    suggestion: str
    """How to put it right, if known."""


class SchemaVersionDeprecatedDetails(TypedDict, total=False):
    """Details of `SCHEMA_VERSION_DEPRECATED`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. The version to move to."""

    actual_value: Any
    """Required by the row. The version found."""

    suggestion: str
    """How to put it right, if known."""


class SchemaVersionUnsupportedDetails(TypedDict, total=False):
    """Details of `SCHEMA_VERSION_UNSUPPORTED`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. The versions the loader reads."""

    actual_value: Any
    """Required by the row. The version found."""

    suggestion: str
    """How to put it right, if known."""


class AuthenticationRequiredDetails(TypedDict, total=False):
    """Details of `AUTHENTICATION_REQUIRED`."""

    service: str
    """The service that was called."""

    scheme: str
    """The way to authenticate, for example Bearer."""


class AuthenticationInvalidCredentialsDetails(TypedDict, total=False):
    """Details of `AUTHENTICATION_INVALID_CREDENTIALS`."""

    service: str
    """The service that was called."""

    scheme: str
    """The way to authenticate, for example Bearer."""


class AuthenticationExpiredDetails(TypedDict, total=False):
    """Details of `AUTHENTICATION_EXPIRED`."""

    service: str
    """The service that was called."""

    expired_at: str
    """When the credentials expired."""


class PermissionDeniedDetails(TypedDict, total=False):
    """Details of `PERMISSION_DENIED`."""

    reason: str
    """Why access was refused, in one sentence."""

    required_scope: str
    """The scope or permission that would be enough."""


class PermissionTrustLevelInsufficientDetails(TypedDict, total=False):
    """Details of `PERMISSION_TRUST_LEVEL_INSUFFICIENT`."""

    operation: str
    """Required by the row. The operation that was called."""

    required_trust: Literal["untested", "generated", "validated", "community_reviewed", "certified"]
    """Required by the row. The least trust level the operation asks for."""

    actual_trust: str
    """Required by the row. The trust level of the adapter."""

    danger_level: int
    """The danger of the operation, 0 to 4."""


class PermissionDangerLevelDeniedDetails(TypedDict, total=False):
    """Details of `PERMISSION_DANGER_LEVEL_DENIED`."""

    operation: str
    """Required by the row. The operation that was called."""

    danger_level: Literal["safe", "reversible", "destructive", "dangerous", "forbidden"]
    """Required by the row. The danger of the operation."""

    adapter_trust: str
    """Required by the row. The trust level of the adapter."""

    minimum_trust_required: str
    """Required by the row. The least trust level that is not denied."""

    reasons: list[str]
    """Why the operation is dangerous."""


class PermissionNotAllowedDetails(TypedDict, total=False):
    """Details of `PERMISSION_NOT_ALLOWED`."""

    operation: str
    """Required by the row. The operation that was called."""

    reason: str
    """The rule that forbids it."""


class PermissionFeatureDisabledDetails(TypedDict, total=False):
    """Details of `PERMISSION_FEATURE_DISABLED`."""

    feature: str
    """Required by the row. The feature that is off."""

    operation: str
    """The operation that was called."""


class ConfirmationRequiredDetails(TypedDict, total=False):
    """Details of `CONFIRMATION_REQUIRED`."""

    operation: str
    """Required by the row. The operation that waits for consent."""

    danger_level: str
    """Required by the row. The danger of the operation."""

    reasons: list[str]
    """Why consent is asked for."""

    confirmation_message: str
    """The question to put to the person."""

    confirmation_token: str
    """Required by the row. The token to send along once the person has agreed."""

    expires_at: str
    """Required by the row. When the token expires."""

    not_before: str
    """The earliest moment the token may be redeemed, if there is a cooldown."""


class TokenInvalidDetails(TypedDict, total=False):
    """Details of `TOKEN_INVALID`."""

    token: str
    """Required by the row. The token that was presented."""


class TokenExpiredDetails(TypedDict, total=False):
    """Details of `TOKEN_EXPIRED`."""

    token: str
    """Required by the row. The token that was presented."""

    expired_at: str
    """Required by the row. When it expired."""

    current_time: str
    """Required by the row. The server's time when it was presented."""


class TokenAlreadyUsedDetails(TypedDict, total=False):
    """Details of `TOKEN_ALREADY_USED`."""

    token: str
    """Required by the row. The token that was presented."""

    consumed_at: str
    """When it was redeemed."""


class TokenScopeMismatchDetails(TypedDict, total=False):
    """Details of `TOKEN_SCOPE_MISMATCH`."""

    token: str
    """Required by the row. The token that was presented."""

    token_operation: str
    """Required by the row. The operation the token was issued for."""

    requested_operation: str
    """Required by the row. The operation it was presented with."""


class NotFoundResourceDetails(TypedDict, total=False):
    """Details of `NOT_FOUND_RESOURCE`."""

    resource_type: str
    """What kind of thing it is, for example repository."""

    resource_id: str
    """The identifier nothing was found for."""


class NotFoundOperationDetails(TypedDict, total=False):
    """Details of `NOT_FOUND_OPERATION`."""

    operation: str
    """Required by the row. The name that was asked for."""

    available: list[str]
    """Names the caller may use instead."""


class ConflictAlreadyExistsDetails(TypedDict, total=False):
    """Details of `CONFLICT_ALREADY_EXISTS`."""

    resource_type: str
    """What kind of thing it is."""

    resource_id: str
    """Its identifier."""


class ConflictVersionMismatchDetails(TypedDict, total=False):
    """Details of `CONFLICT_VERSION_MISMATCH`."""

    expected_version: str
    """Required by the row. The version the caller built on."""

    actual_version: str
    """Required by the row. The version there is now."""

    resource_type: str
    """What kind of thing it is."""

    resource_id: str
    """Its identifier."""


class ConflictInvalidStateDetails(TypedDict, total=False):
    """Details of `CONFLICT_INVALID_STATE`."""

    operation: str
    """Required by the row. The operation that was tried."""

    current_state: str
    """Required by the row. The state the resource is in."""

    allowed_states: list[str]
    """The states in which the operation is possible."""

    resource_type: str
    """What kind of thing it is."""

    resource_id: str
    """Its identifier."""


class ConflictDuplicateOperationDetails(TypedDict, total=False):
    """Details of `CONFLICT_DUPLICATE_OPERATION`."""

    operation: str
    """Required by the row. The operation that came twice."""

    idempotency_key: str
    """The key both calls share."""

    first_seen_at: str
    """When the first call came."""

    original_result: Any
    """The result of the first call, if it is kept."""


class RateLimitExceededDetails(TypedDict, total=False):
    """Details of `RATE_LIMIT_EXCEEDED`."""

    limit: int
    """Required by the row. How many calls the window allows."""

    remaining: int
    """Required by the row. How many are left, usually none."""

    window: Literal["second", "minute", "hour", "day"]
    """Required by the row. The length of the window."""

    resets_at: str
    """Required by the row. When the window resets."""


class RateLimitQuotaPauseDetails(TypedDict, total=False):
    """Details of `RATE_LIMIT_QUOTA_PAUSE`."""

    metric: str
    """Required by the row. The metric that is counted, for example requests_per_hour."""

    current: float
    """Required by the row. Usage so far."""

    pause_threshold: float
    """Required by the row. Where the pause begins."""

    hard_stop_threshold: float
    """Where everything stops, if there is such a point."""

    confirmation_token: str
    """Required by the row. The token to send along once a person has agreed."""

    expires_at: str
    """Required by the row. When the token expires."""


class RateLimitQuotaExhaustedDetails(TypedDict, total=False):
    """Details of `RATE_LIMIT_QUOTA_EXHAUSTED`."""

    metric: str
    """Required by the row. The metric that is counted, for example requests_per_hour."""

    current: float
    """Required by the row. Usage so far."""

    hard_stop_threshold: float
    """Required by the row. Where everything stops."""

    resets_at: str
    """Required by the row. When the quota resets."""


class BusinessRuleViolationDetails(TypedDict, total=False):
    """Details of `BUSINESS_RULE_VIOLATION`."""

    rule: str
    """Required by the row. The rule, by name or in a few words."""

    reason: str
    """How the call breaks it."""

    operation: str
    """The operation that was called."""


class BusinessInsufficientBalanceDetails(TypedDict, total=False):
    """Details of `BUSINESS_INSUFFICIENT_BALANCE`."""

    required: float
    """The amount needed."""

    available: float
    """The amount there is."""

    currency: str
    """The unit of both amounts."""


class UnavailableServiceDetails(TypedDict, total=False):
    """Details of `UNAVAILABLE_SERVICE`."""

    service: str
    """The service that was called."""

    upstream_error: str
    """What the target said, redacted and shortened."""


class UnavailableDependencyDetails(TypedDict, total=False):
    """Details of `UNAVAILABLE_DEPENDENCY`."""

    dependency: str
    """What failed."""

    service: str
    """The service that was called."""

    upstream_error: str
    """What the target said, redacted and shortened."""


class UnavailableTimeoutDetails(TypedDict, total=False):
    """Details of `UNAVAILABLE_TIMEOUT`."""

    timeout_ms: int
    """How long was waited, in milliseconds."""

    service: str
    """The service that was called."""

    operation: str
    """The operation that was called."""


class UnavailableCircuitOpenDetails(TypedDict, total=False):
    """Details of `UNAVAILABLE_CIRCUIT_OPEN`."""

    service: str
    """The service that was called."""

    failures: int
    """How many calls failed in a row."""


class UnavailableOverloadedDetails(TypedDict, total=False):
    """Details of `UNAVAILABLE_OVERLOADED`."""

    service: str
    """The service that was called."""

    in_flight: int
    """Calls running when this one came."""

    limit: int
    """How many may run."""


class UnavailableNetworkDetails(TypedDict, total=False):
    """Details of `UNAVAILABLE_NETWORK`."""

    service: str
    """The service that was called."""

    transport_code: Literal["TRANSPORT_DNS_ERROR", "TRANSPORT_CONNECTION_REFUSED", "TRANSPORT_TIMEOUT", "TRANSPORT_TLS_ERROR", "TRANSPORT_NETWORK_ERROR"]
    """What kind of network failure it was."""


class UnavailableTlsDetails(TypedDict, total=False):
    """Details of `UNAVAILABLE_TLS`."""

    service: str
    """The service that was called."""

    reason: str
    """Which check failed."""


class InternalErrorDetails(TypedDict, total=False):
    """Details of `INTERNAL_ERROR`."""

    upstream_error: str
    """What the target said, redacted and shortened."""


class InternalBadUpstreamDetails(TypedDict, total=False):
    """Details of `INTERNAL_BAD_UPSTREAM`."""

    service: str
    """The service that was called."""

    content_type: str
    """The media type the answer claimed."""

    preview: str
    """The first 200 characters, redacted."""


class InternalAdapterDetails(TypedDict, total=False):
    """Details of `INTERNAL_ADAPTER`."""

    adapter: str
    """The adapter that failed."""

    original_error: str
    """The adapter's own name for the error."""

    upstream_error: str
    """What the target said, redacted and shortened."""


class InternalNotImplementedDetails(TypedDict, total=False):
    """Details of `INTERNAL_NOT_IMPLEMENTED`."""

    operation: str
    """Required by the row. The operation that was called."""


class InternalConfigurationDetails(TypedDict, total=False):
    """Details of `INTERNAL_CONFIGURATION`."""

    setting: str
    """The setting, by its name in the configuration."""

    reason: str
    """What is wrong with it."""


class InternalUnknownDetails(TypedDict, total=False):
    """Details of `INTERNAL_UNKNOWN`."""

    foreign_code: str
    """The code it came with, if it had one."""

    upstream_error: str
    """What the target said, redacted and shortened."""


class BatchFailedDetails(TypedDict, total=False):
    """Details of `BATCH_FAILED`."""

    total: int
    """Required by the row. How many items the batch had."""

    succeeded: int
    """Required by the row. Always 0 here."""

    failed: int
    """Required by the row. Equal to total here."""

    errors: list[dict[str, Any]]
    """Required by the row. One object per failed item: index, code, message."""


class BatchPartialFailureDetails(TypedDict, total=False):
    """Details of `BATCH_PARTIAL_FAILURE`."""

    total: int
    """Required by the row. How many items the batch had."""

    succeeded: int
    """Required by the row. How many succeeded."""

    failed: int
    """Required by the row. How many failed."""

    errors: list[dict[str, Any]]
    """Required by the row. One object per failed item: index, code, message."""


class ContentTruncatedContext(TypedDict, total=False):
    """Facts about `CONTENT_TRUNCATED`."""

    total: int
    """How much there was."""

    returned: int
    """How much was kept."""

    unit: str
    """What is counted, for example tokens or bytes."""

    field: str
    """The part of the result concerned."""


class ContentDroppedContext(TypedDict, total=False):
    """Facts about `CONTENT_DROPPED`."""

    dropped_count: int
    """Required by the row. How many items are missing."""

    dropped_ids: list[str]
    """Which ones, to fetch them singly."""

    reason: str
    """Why, for example token_budget_exceeded."""


class PrioritySummarizedContext(TypedDict, total=False):
    """Facts about `PRIORITY_SUMMARIZED`."""

    summarized_count: int
    """How many items were summarised."""


class SummaryProviderFailedContext(TypedDict, total=False):
    """Facts about `SUMMARY_PROVIDER_FAILED`."""

    provider: str
    """The summariser that failed."""

    fallback: str
    """What was used instead, for example raw content."""


class TokenBudgetFlooredContext(TypedDict, total=False):
    """Facts about `TOKEN_BUDGET_FLOORED`."""

    requested: int
    """The budget asked for."""

    floor: int
    """The minimum used."""


class LimitsDefaultedContext(TypedDict, total=False):
    """Facts about `LIMITS_DEFAULTED`."""

    limits: list[str]
    """The limits that were not configured."""


class ArchiveWriteFailedContext(TypedDict, total=False):
    """Facts about `ARCHIVE_WRITE_FAILED`."""

    archive: str
    """Where it should have gone."""

    lost_ids: list[str]
    """The items concerned."""


class ProtectedOverflowContext(TypedDict, total=False):
    """Facts about `PROTECTED_OVERFLOW`."""

    allocated: int
    """The share it had."""

    used: int
    """What it took."""


class StateMigrationRecoveredContext(TypedDict, total=False):
    """Facts about `STATE_MIGRATION_RECOVERED`."""

    from_version: str
    """The version found."""

    to_version: str
    """The version now."""


class TokenCountEstimateUsedContext(TypedDict, total=False):
    """Facts about `TOKEN_COUNT_ESTIMATE_USED`."""

    estimation_method: str
    """The rule of thumb, for example character_ratio."""

    accuracy_estimate: float
    """How close it usually comes, 0 to 1."""


class StaleCacheContext(TypedDict, total=False):
    """Facts about `STALE_CACHE`."""

    age_seconds: int
    """How old the cached data is."""


class PartialFailureContext(TypedDict, total=False):
    """Facts about `PARTIAL_FAILURE`."""

    failed: int
    """Required by the row. How many failed."""

    total: int
    """Required by the row. How many there were."""

    failed_ids: list[str]
    """Which ones."""


class DeprecatedFieldContext(TypedDict, total=False):
    """Facts about `DEPRECATED_FIELD`."""

    field: str
    """Required by the row. The field."""

    replacement: str
    """What to use instead."""


class RateLimitApproachingContext(TypedDict, total=False):
    """Facts about `RATE_LIMIT_APPROACHING`."""

    limit: int
    """Calls the window allows."""

    remaining: int
    """Calls left."""

    resets_at: str
    """When the window resets."""


class FallbackUsedContext(TypedDict, total=False):
    """Facts about `FALLBACK_USED`."""

    fallback: str
    """What answered."""

    primary: str
    """What should have answered."""


class RateLimitQuotaWarningContext(TypedDict, total=False):
    """Facts about `RATE_LIMIT_QUOTA_WARNING`."""

    metric: str
    """Required by the row. The metric that is counted."""

    current: float
    """Required by the row. Usage so far."""

    warn_threshold: float
    """Required by the row. Where warnings begin."""

    pause_threshold: float
    """Where the pause begins."""


class DeprecationWarningContext(TypedDict, total=False):
    """Facts about `DEPRECATION_WARNING`."""

    type: Literal["operation", "parameter", "feature"]
    """Required by the row. What kind of thing it is."""

    deprecated_item: str
    """Required by the row. Its name."""

    replacement: str
    """What to use instead."""

    removal_date: str
    """The day it goes."""

    migration_guide: str
    """Where to read on."""


class ValidationTruncatedWarningContext(TypedDict, total=False):
    """Facts about `VALIDATION_TRUNCATED_WARNING`."""

    field: str
    """Required by the row. The field."""

    original_count: int
    """Required by the row. Entries before."""

    truncated_count: int
    """Required by the row. Entries after."""

    limit: int
    """Required by the row. The most it may have."""


class PerformanceSlowQueryWarningContext(TypedDict, total=False):
    """Facts about `PERFORMANCE_SLOW_QUERY_WARNING`."""

    operation: str
    """Required by the row. The operation."""

    duration_ms: int
    """Required by the row. How long it took."""

    threshold_ms: int
    """Required by the row. How long it should take."""

    suggestions: list[str]
    """Ways to make it faster."""


class ArgumentsRepairedContext(TypedDict, total=False):
    """Facts about `ARGUMENTS_REPAIRED`."""

    params: list[str]
    """Required by the row. The parameters that were changed."""

    repairs: list[dict[str, Any]]
    """What was done to each: param_name, from, to."""


class ArgumentsMismatchContext(TypedDict, total=False):
    """Facts about `ARGUMENTS_MISMATCH`."""

    params: list[str]
    """Required by the row. The parameters that do not fit."""

    violations: list[dict[str, Any]]
    """Each broken rule: pointer, keyword, message, expected, suggestion."""


class ArgumentsUncheckedContext(TypedDict, total=False):
    """Facts about `ARGUMENTS_UNCHECKED`."""

    operation: str
    """Required by the row. The tool."""

    reason: str
    """Why they could not be checked."""


class OutputMismatchContext(TypedDict, total=False):
    """Facts about `OUTPUT_MISMATCH`."""

    operation: str
    """Required by the row. The tool."""

    violations: list[dict[str, Any]]
    """Each broken rule: pointer, keyword, message, expected."""


class LooksFailedContext(TypedDict, total=False):
    """Facts about `LOOKS_FAILED`."""

    operation: str
    """Required by the row. The tool."""

    rule: str
    """Required by the row. The rule that sees it."""

    looks_like: str
    """Required by the row. The code of the failure it reads like."""

    advice: str
    """What to do about it."""


class ToolListStaleContext(TypedDict, total=False):
    """Facts about `TOOL_LIST_STALE`."""

    upstream: str
    """Required by the row. The server."""


class UpstreamLostContext(TypedDict, total=False):
    """Facts about `UPSTREAM_LOST`."""

    upstream: str
    """Required by the row. The upstream."""

    reason: str
    """Why it is missing."""


class NamesShortenedContext(TypedDict, total=False):
    """Facts about `NAMES_SHORTENED`."""

    shortened_count: int
    """Required by the row. How many there are."""

    names: list[str]
    """What they are called in the list."""

    original_names: list[str]
    """What their servers call them, in the same order."""


class ResultAdaptedContext(TypedDict, total=False):
    """Facts about `RESULT_ADAPTED`."""

    fields: list[str]
    """Required by the row. The members of the result that differ from what the server said."""

    tools: list[str]
    """The tools concerned, if it is a list of tools."""


class UnknownParamIgnoredContext(TypedDict, total=False):
    """Facts about `UNKNOWN_PARAM_IGNORED`."""

    unknown_params: list[str]
    """Required by the row. The unknown names."""

    valid_params: list[str]
    """The names the tool has."""


class RetriedContext(TypedDict, total=False):
    """Facts about `RETRIED`."""

    attempts: int
    """Required by the row. How many attempts there were, the good one included."""

    waited_ms: int
    """Time spent waiting between them."""

    last_code: str
    """The code of the last failure."""


class WarningsSuppressedContext(TypedDict, total=False):
    """Facts about `WARNINGS_SUPPRESSED`."""

    suppressed_count: int
    """Required by the row. How many were left out."""


class NativeErrorBase(TypedDict):
    """What every NativeError has."""

    message: str
    """What happened, in a sentence."""

    domain_code: NotRequired[str]
    """The name the domain or another vocabulary has for it."""

    violations: NotRequired[list[Violation]]
    """Every broken rule."""

    retry: RetryAdvice
    """May the call be repeated?"""

    remediation: str
    """What the caller should do."""

    recovery_actions: list[str]
    """Recovery actions, the preferred one first."""

    recovery_hint: RecoveryHint
    """One word on how to recover."""

    user_message: str
    """What a person may be told."""

    fallback_tool: NotRequired[str]
    """A tool to call instead."""

    corrective_params: NotRequired[Any]
    """Complete arguments that would do."""

    origin: Origin
    """Whose doing it was."""

    provenance: NotRequired[Provenance]
    """Which rule classified a bare failure."""

    http_status: NotRequired[int]
    """The HTTP status of an upstream's answer."""

    docs_url: NotRequired[str]
    """Where to read more."""

    needs_input: NotRequired[NeedsInput]
    """The question to put to a person, if it is theirs to answer."""

    correlation_id: str
    """The id under which the operator finds the rest."""

    timestamp: str
    """When it happened."""


class NativeErrorValidationInvalidValue(NativeErrorBase):
    """`VALIDATION_INVALID_VALUE`."""
    code: Literal["VALIDATION_INVALID_VALUE"]
    category: Literal["validation"]
    details: NotRequired[ValidationInvalidValueDetails]


class NativeErrorValidationMissingParam(NativeErrorBase):
    """`VALIDATION_MISSING_PARAM`."""
    code: Literal["VALIDATION_MISSING_PARAM"]
    category: Literal["validation"]
    details: NotRequired[ValidationMissingParamDetails]


class NativeErrorValidationInvalidType(NativeErrorBase):
    """`VALIDATION_INVALID_TYPE`."""
    code: Literal["VALIDATION_INVALID_TYPE"]
    category: Literal["validation"]
    details: NotRequired[ValidationInvalidTypeDetails]


class NativeErrorValidationPatternMismatch(NativeErrorBase):
    """`VALIDATION_PATTERN_MISMATCH`."""
    code: Literal["VALIDATION_PATTERN_MISMATCH"]
    category: Literal["validation"]
    details: NotRequired[ValidationPatternMismatchDetails]


class NativeErrorValidationInvalidEnum(NativeErrorBase):
    """`VALIDATION_INVALID_ENUM`."""
    code: Literal["VALIDATION_INVALID_ENUM"]
    category: Literal["validation"]
    details: NotRequired[ValidationInvalidEnumDetails]


class NativeErrorValidationOutOfRange(NativeErrorBase):
    """`VALIDATION_OUT_OF_RANGE`."""
    code: Literal["VALIDATION_OUT_OF_RANGE"]
    category: Literal["validation"]
    details: NotRequired[ValidationOutOfRangeDetails]


class NativeErrorValidationUnknownParam(NativeErrorBase):
    """`VALIDATION_UNKNOWN_PARAM`."""
    code: Literal["VALIDATION_UNKNOWN_PARAM"]
    category: Literal["validation"]
    details: NotRequired[ValidationUnknownParamDetails]


class NativeErrorValidationUnknownField(NativeErrorBase):
    """`VALIDATION_UNKNOWN_FIELD`."""
    code: Literal["VALIDATION_UNKNOWN_FIELD"]
    category: Literal["validation"]
    details: NotRequired[ValidationUnknownFieldDetails]


class NativeErrorValidationInvalidEncoding(NativeErrorBase):
    """`VALIDATION_INVALID_ENCODING`."""
    code: Literal["VALIDATION_INVALID_ENCODING"]
    category: Literal["validation"]
    details: NotRequired[ValidationInvalidEncodingDetails]


class NativeErrorValidationPayloadTooLarge(NativeErrorBase):
    """`VALIDATION_PAYLOAD_TOO_LARGE`."""
    code: Literal["VALIDATION_PAYLOAD_TOO_LARGE"]
    category: Literal["validation"]
    details: NotRequired[ValidationPayloadTooLargeDetails]


class NativeErrorValidationEndpointMismatch(NativeErrorBase):
    """`VALIDATION_ENDPOINT_MISMATCH`."""
    code: Literal["VALIDATION_ENDPOINT_MISMATCH"]
    category: Literal["validation"]
    details: NotRequired[ValidationEndpointMismatchDetails]


class NativeErrorValidationReadOnlyField(NativeErrorBase):
    """`VALIDATION_READ_ONLY_FIELD`."""
    code: Literal["VALIDATION_READ_ONLY_FIELD"]
    category: Literal["validation"]
    details: NotRequired[ValidationReadOnlyFieldDetails]


class NativeErrorBatchValidationError(NativeErrorBase):
    """`BATCH_VALIDATION_ERROR`."""
    code: Literal["BATCH_VALIDATION_ERROR"]
    category: Literal["validation"]
    details: NotRequired[BatchValidationErrorDetails]


class NativeErrorSchemaMissingField(NativeErrorBase):
    """`SCHEMA_MISSING_FIELD`."""
    code: Literal["SCHEMA_MISSING_FIELD"]
    category: Literal["validation"]
    details: NotRequired[SchemaMissingFieldDetails]


class NativeErrorSchemaInvalidType(NativeErrorBase):
    """`SCHEMA_INVALID_TYPE`."""
    code: Literal["SCHEMA_INVALID_TYPE"]
    category: Literal["validation"]
    details: NotRequired[SchemaInvalidTypeDetails]


class NativeErrorSchemaUnresolvedRef(NativeErrorBase):
    """`SCHEMA_UNRESOLVED_REF`."""
    code: Literal["SCHEMA_UNRESOLVED_REF"]
    category: Literal["validation"]
    details: NotRequired[SchemaUnresolvedRefDetails]


class NativeErrorSchemaDuplicateName(NativeErrorBase):
    """`SCHEMA_DUPLICATE_NAME`."""
    code: Literal["SCHEMA_DUPLICATE_NAME"]
    category: Literal["validation"]
    details: NotRequired[SchemaDuplicateNameDetails]


class NativeErrorSchemaInvalidName(NativeErrorBase):
    """`SCHEMA_INVALID_NAME`."""
    code: Literal["SCHEMA_INVALID_NAME"]
    category: Literal["validation"]
    details: NotRequired[SchemaInvalidNameDetails]


class NativeErrorSchemaVersionDeprecated(NativeErrorBase):
    """`SCHEMA_VERSION_DEPRECATED`."""
    code: Literal["SCHEMA_VERSION_DEPRECATED"]
    category: Literal["validation"]
    details: NotRequired[SchemaVersionDeprecatedDetails]


class NativeErrorSchemaVersionUnsupported(NativeErrorBase):
    """`SCHEMA_VERSION_UNSUPPORTED`."""
    code: Literal["SCHEMA_VERSION_UNSUPPORTED"]
    category: Literal["validation"]
    details: NotRequired[SchemaVersionUnsupportedDetails]


class NativeErrorAuthenticationRequired(NativeErrorBase):
    """`AUTHENTICATION_REQUIRED`."""
    code: Literal["AUTHENTICATION_REQUIRED"]
    category: Literal["authentication"]
    details: NotRequired[AuthenticationRequiredDetails]


class NativeErrorAuthenticationInvalidCredentials(NativeErrorBase):
    """`AUTHENTICATION_INVALID_CREDENTIALS`."""
    code: Literal["AUTHENTICATION_INVALID_CREDENTIALS"]
    category: Literal["authentication"]
    details: NotRequired[AuthenticationInvalidCredentialsDetails]


class NativeErrorAuthenticationExpired(NativeErrorBase):
    """`AUTHENTICATION_EXPIRED`."""
    code: Literal["AUTHENTICATION_EXPIRED"]
    category: Literal["authentication"]
    details: NotRequired[AuthenticationExpiredDetails]


class NativeErrorPermissionDenied(NativeErrorBase):
    """`PERMISSION_DENIED`."""
    code: Literal["PERMISSION_DENIED"]
    category: Literal["authorization"]
    details: NotRequired[PermissionDeniedDetails]


class NativeErrorPermissionTrustLevelInsufficient(NativeErrorBase):
    """`PERMISSION_TRUST_LEVEL_INSUFFICIENT`."""
    code: Literal["PERMISSION_TRUST_LEVEL_INSUFFICIENT"]
    category: Literal["authorization"]
    details: NotRequired[PermissionTrustLevelInsufficientDetails]


class NativeErrorPermissionDangerLevelDenied(NativeErrorBase):
    """`PERMISSION_DANGER_LEVEL_DENIED`."""
    code: Literal["PERMISSION_DANGER_LEVEL_DENIED"]
    category: Literal["authorization"]
    details: NotRequired[PermissionDangerLevelDeniedDetails]


class NativeErrorPermissionNotAllowed(NativeErrorBase):
    """`PERMISSION_NOT_ALLOWED`."""
    code: Literal["PERMISSION_NOT_ALLOWED"]
    category: Literal["authorization"]
    details: NotRequired[PermissionNotAllowedDetails]


class NativeErrorPermissionFeatureDisabled(NativeErrorBase):
    """`PERMISSION_FEATURE_DISABLED`."""
    code: Literal["PERMISSION_FEATURE_DISABLED"]
    category: Literal["authorization"]
    details: NotRequired[PermissionFeatureDisabledDetails]


class NativeErrorConfirmationRequired(NativeErrorBase):
    """`CONFIRMATION_REQUIRED`."""
    code: Literal["CONFIRMATION_REQUIRED"]
    category: Literal["confirmation"]
    details: NotRequired[ConfirmationRequiredDetails]


class NativeErrorTokenInvalid(NativeErrorBase):
    """`TOKEN_INVALID`."""
    code: Literal["TOKEN_INVALID"]
    category: Literal["confirmation"]
    details: NotRequired[TokenInvalidDetails]


class NativeErrorTokenExpired(NativeErrorBase):
    """`TOKEN_EXPIRED`."""
    code: Literal["TOKEN_EXPIRED"]
    category: Literal["confirmation"]
    details: NotRequired[TokenExpiredDetails]


class NativeErrorTokenAlreadyUsed(NativeErrorBase):
    """`TOKEN_ALREADY_USED`."""
    code: Literal["TOKEN_ALREADY_USED"]
    category: Literal["confirmation"]
    details: NotRequired[TokenAlreadyUsedDetails]


class NativeErrorTokenScopeMismatch(NativeErrorBase):
    """`TOKEN_SCOPE_MISMATCH`."""
    code: Literal["TOKEN_SCOPE_MISMATCH"]
    category: Literal["confirmation"]
    details: NotRequired[TokenScopeMismatchDetails]


class NativeErrorNotFoundResource(NativeErrorBase):
    """`NOT_FOUND_RESOURCE`."""
    code: Literal["NOT_FOUND_RESOURCE"]
    category: Literal["not_found"]
    details: NotRequired[NotFoundResourceDetails]


class NativeErrorNotFoundOperation(NativeErrorBase):
    """`NOT_FOUND_OPERATION`."""
    code: Literal["NOT_FOUND_OPERATION"]
    category: Literal["not_found"]
    details: NotRequired[NotFoundOperationDetails]


class NativeErrorConflictAlreadyExists(NativeErrorBase):
    """`CONFLICT_ALREADY_EXISTS`."""
    code: Literal["CONFLICT_ALREADY_EXISTS"]
    category: Literal["conflict"]
    details: NotRequired[ConflictAlreadyExistsDetails]


class NativeErrorConflictVersionMismatch(NativeErrorBase):
    """`CONFLICT_VERSION_MISMATCH`."""
    code: Literal["CONFLICT_VERSION_MISMATCH"]
    category: Literal["conflict"]
    details: NotRequired[ConflictVersionMismatchDetails]


class NativeErrorConflictInvalidState(NativeErrorBase):
    """`CONFLICT_INVALID_STATE`."""
    code: Literal["CONFLICT_INVALID_STATE"]
    category: Literal["conflict"]
    details: NotRequired[ConflictInvalidStateDetails]


class NativeErrorConflictDuplicateOperation(NativeErrorBase):
    """`CONFLICT_DUPLICATE_OPERATION`."""
    code: Literal["CONFLICT_DUPLICATE_OPERATION"]
    category: Literal["conflict"]
    details: NotRequired[ConflictDuplicateOperationDetails]


class NativeErrorRateLimitExceeded(NativeErrorBase):
    """`RATE_LIMIT_EXCEEDED`."""
    code: Literal["RATE_LIMIT_EXCEEDED"]
    category: Literal["rate_limit"]
    details: NotRequired[RateLimitExceededDetails]


class NativeErrorRateLimitQuotaPause(NativeErrorBase):
    """`RATE_LIMIT_QUOTA_PAUSE`."""
    code: Literal["RATE_LIMIT_QUOTA_PAUSE"]
    category: Literal["rate_limit"]
    details: NotRequired[RateLimitQuotaPauseDetails]


class NativeErrorRateLimitQuotaExhausted(NativeErrorBase):
    """`RATE_LIMIT_QUOTA_EXHAUSTED`."""
    code: Literal["RATE_LIMIT_QUOTA_EXHAUSTED"]
    category: Literal["rate_limit"]
    details: NotRequired[RateLimitQuotaExhaustedDetails]


class NativeErrorBusinessRuleViolation(NativeErrorBase):
    """`BUSINESS_RULE_VIOLATION`."""
    code: Literal["BUSINESS_RULE_VIOLATION"]
    category: Literal["business"]
    details: NotRequired[BusinessRuleViolationDetails]


class NativeErrorBusinessInsufficientBalance(NativeErrorBase):
    """`BUSINESS_INSUFFICIENT_BALANCE`."""
    code: Literal["BUSINESS_INSUFFICIENT_BALANCE"]
    category: Literal["business"]
    details: NotRequired[BusinessInsufficientBalanceDetails]


class NativeErrorUnavailableService(NativeErrorBase):
    """`UNAVAILABLE_SERVICE`."""
    code: Literal["UNAVAILABLE_SERVICE"]
    category: Literal["unavailable"]
    details: NotRequired[UnavailableServiceDetails]


class NativeErrorUnavailableDependency(NativeErrorBase):
    """`UNAVAILABLE_DEPENDENCY`."""
    code: Literal["UNAVAILABLE_DEPENDENCY"]
    category: Literal["unavailable"]
    details: NotRequired[UnavailableDependencyDetails]


class NativeErrorUnavailableTimeout(NativeErrorBase):
    """`UNAVAILABLE_TIMEOUT`."""
    code: Literal["UNAVAILABLE_TIMEOUT"]
    category: Literal["unavailable"]
    details: NotRequired[UnavailableTimeoutDetails]


class NativeErrorUnavailableCircuitOpen(NativeErrorBase):
    """`UNAVAILABLE_CIRCUIT_OPEN`."""
    code: Literal["UNAVAILABLE_CIRCUIT_OPEN"]
    category: Literal["unavailable"]
    details: NotRequired[UnavailableCircuitOpenDetails]


class NativeErrorUnavailableOverloaded(NativeErrorBase):
    """`UNAVAILABLE_OVERLOADED`."""
    code: Literal["UNAVAILABLE_OVERLOADED"]
    category: Literal["unavailable"]
    details: NotRequired[UnavailableOverloadedDetails]


class NativeErrorUnavailableNetwork(NativeErrorBase):
    """`UNAVAILABLE_NETWORK`."""
    code: Literal["UNAVAILABLE_NETWORK"]
    category: Literal["unavailable"]
    details: NotRequired[UnavailableNetworkDetails]


class NativeErrorUnavailableTls(NativeErrorBase):
    """`UNAVAILABLE_TLS`."""
    code: Literal["UNAVAILABLE_TLS"]
    category: Literal["unavailable"]
    details: NotRequired[UnavailableTlsDetails]


class NativeErrorInternalError(NativeErrorBase):
    """`INTERNAL_ERROR`."""
    code: Literal["INTERNAL_ERROR"]
    category: Literal["internal"]
    details: NotRequired[InternalErrorDetails]


class NativeErrorInternalBadUpstream(NativeErrorBase):
    """`INTERNAL_BAD_UPSTREAM`."""
    code: Literal["INTERNAL_BAD_UPSTREAM"]
    category: Literal["internal"]
    details: NotRequired[InternalBadUpstreamDetails]


class NativeErrorInternalAdapter(NativeErrorBase):
    """`INTERNAL_ADAPTER`."""
    code: Literal["INTERNAL_ADAPTER"]
    category: Literal["internal"]
    details: NotRequired[InternalAdapterDetails]


class NativeErrorInternalNotImplemented(NativeErrorBase):
    """`INTERNAL_NOT_IMPLEMENTED`."""
    code: Literal["INTERNAL_NOT_IMPLEMENTED"]
    category: Literal["internal"]
    details: NotRequired[InternalNotImplementedDetails]


class NativeErrorInternalConfiguration(NativeErrorBase):
    """`INTERNAL_CONFIGURATION`."""
    code: Literal["INTERNAL_CONFIGURATION"]
    category: Literal["internal"]
    details: NotRequired[InternalConfigurationDetails]


class NativeErrorInternalUnknown(NativeErrorBase):
    """`INTERNAL_UNKNOWN`."""
    code: Literal["INTERNAL_UNKNOWN"]
    category: Literal["internal"]
    details: NotRequired[InternalUnknownDetails]


class NativeErrorBatchFailed(NativeErrorBase):
    """`BATCH_FAILED`."""
    code: Literal["BATCH_FAILED"]
    category: Literal["internal"]
    details: NotRequired[BatchFailedDetails]


class NativeErrorBatchPartialFailure(NativeErrorBase):
    """`BATCH_PARTIAL_FAILURE`."""
    code: Literal["BATCH_PARTIAL_FAILURE"]
    category: Literal["internal"]
    details: NotRequired[BatchPartialFailureDetails]


class OwnNativeError(NativeErrorBase):
    """A NativeError that is not built in."""

    code: str
    """Which failure: a built-in code or a server's own."""

    category: Category
    """The class of the code."""

    details: NotRequired[dict[str, Any]]
    """The free part."""


NativeError: TypeAlias = "NativeErrorValidationInvalidValue | NativeErrorValidationMissingParam | NativeErrorValidationInvalidType | NativeErrorValidationPatternMismatch | NativeErrorValidationInvalidEnum | NativeErrorValidationOutOfRange | NativeErrorValidationUnknownParam | NativeErrorValidationUnknownField | NativeErrorValidationInvalidEncoding | NativeErrorValidationPayloadTooLarge | NativeErrorValidationEndpointMismatch | NativeErrorValidationReadOnlyField | NativeErrorBatchValidationError | NativeErrorSchemaMissingField | NativeErrorSchemaInvalidType | NativeErrorSchemaUnresolvedRef | NativeErrorSchemaDuplicateName | NativeErrorSchemaInvalidName | NativeErrorSchemaVersionDeprecated | NativeErrorSchemaVersionUnsupported | NativeErrorAuthenticationRequired | NativeErrorAuthenticationInvalidCredentials | NativeErrorAuthenticationExpired | NativeErrorPermissionDenied | NativeErrorPermissionTrustLevelInsufficient | NativeErrorPermissionDangerLevelDenied | NativeErrorPermissionNotAllowed | NativeErrorPermissionFeatureDisabled | NativeErrorConfirmationRequired | NativeErrorTokenInvalid | NativeErrorTokenExpired | NativeErrorTokenAlreadyUsed | NativeErrorTokenScopeMismatch | NativeErrorNotFoundResource | NativeErrorNotFoundOperation | NativeErrorConflictAlreadyExists | NativeErrorConflictVersionMismatch | NativeErrorConflictInvalidState | NativeErrorConflictDuplicateOperation | NativeErrorRateLimitExceeded | NativeErrorRateLimitQuotaPause | NativeErrorRateLimitQuotaExhausted | NativeErrorBusinessRuleViolation | NativeErrorBusinessInsufficientBalance | NativeErrorUnavailableService | NativeErrorUnavailableDependency | NativeErrorUnavailableTimeout | NativeErrorUnavailableCircuitOpen | NativeErrorUnavailableOverloaded | NativeErrorUnavailableNetwork | NativeErrorUnavailableTls | NativeErrorInternalError | NativeErrorInternalBadUpstream | NativeErrorInternalAdapter | NativeErrorInternalNotImplemented | NativeErrorInternalConfiguration | NativeErrorInternalUnknown | NativeErrorBatchFailed | NativeErrorBatchPartialFailure"
"""A failure, the same object in `_meta`, in `structuredContent` and in the `data` of JSON-RPC errors."""


class WarningBase(TypedDict):
    """What every Warning has."""

    severity: Severity
    """How bad it is."""

    message: str
    """Its words."""


class WarningContentTruncated(WarningBase):
    """`CONTENT_TRUNCATED`."""
    code: Literal["CONTENT_TRUNCATED"]
    context: NotRequired[ContentTruncatedContext]


class WarningContentDropped(WarningBase):
    """`CONTENT_DROPPED`."""
    code: Literal["CONTENT_DROPPED"]
    context: NotRequired[ContentDroppedContext]


class WarningPrioritySummarized(WarningBase):
    """`PRIORITY_SUMMARIZED`."""
    code: Literal["PRIORITY_SUMMARIZED"]
    context: NotRequired[PrioritySummarizedContext]


class WarningSummaryProviderFailed(WarningBase):
    """`SUMMARY_PROVIDER_FAILED`."""
    code: Literal["SUMMARY_PROVIDER_FAILED"]
    context: NotRequired[SummaryProviderFailedContext]


class WarningTokenBudgetFloored(WarningBase):
    """`TOKEN_BUDGET_FLOORED`."""
    code: Literal["TOKEN_BUDGET_FLOORED"]
    context: NotRequired[TokenBudgetFlooredContext]


class WarningLimitsDefaulted(WarningBase):
    """`LIMITS_DEFAULTED`."""
    code: Literal["LIMITS_DEFAULTED"]
    context: NotRequired[LimitsDefaultedContext]


class WarningArchiveWriteFailed(WarningBase):
    """`ARCHIVE_WRITE_FAILED`."""
    code: Literal["ARCHIVE_WRITE_FAILED"]
    context: NotRequired[ArchiveWriteFailedContext]


class WarningProtectedOverflow(WarningBase):
    """`PROTECTED_OVERFLOW`."""
    code: Literal["PROTECTED_OVERFLOW"]
    context: NotRequired[ProtectedOverflowContext]


class WarningStateMigrationRecovered(WarningBase):
    """`STATE_MIGRATION_RECOVERED`."""
    code: Literal["STATE_MIGRATION_RECOVERED"]
    context: NotRequired[StateMigrationRecoveredContext]


class WarningTokenCountEstimateUsed(WarningBase):
    """`TOKEN_COUNT_ESTIMATE_USED`."""
    code: Literal["TOKEN_COUNT_ESTIMATE_USED"]
    context: NotRequired[TokenCountEstimateUsedContext]


class WarningStaleCache(WarningBase):
    """`STALE_CACHE`."""
    code: Literal["STALE_CACHE"]
    context: NotRequired[StaleCacheContext]


class WarningPartialFailure(WarningBase):
    """`PARTIAL_FAILURE`."""
    code: Literal["PARTIAL_FAILURE"]
    context: NotRequired[PartialFailureContext]


class WarningDeprecatedField(WarningBase):
    """`DEPRECATED_FIELD`."""
    code: Literal["DEPRECATED_FIELD"]
    context: NotRequired[DeprecatedFieldContext]


class WarningRateLimitApproaching(WarningBase):
    """`RATE_LIMIT_APPROACHING`."""
    code: Literal["RATE_LIMIT_APPROACHING"]
    context: NotRequired[RateLimitApproachingContext]


class WarningFallbackUsed(WarningBase):
    """`FALLBACK_USED`."""
    code: Literal["FALLBACK_USED"]
    context: NotRequired[FallbackUsedContext]


class WarningRateLimitQuotaWarning(WarningBase):
    """`RATE_LIMIT_QUOTA_WARNING`."""
    code: Literal["RATE_LIMIT_QUOTA_WARNING"]
    context: NotRequired[RateLimitQuotaWarningContext]


class WarningDeprecationWarning(WarningBase):
    """`DEPRECATION_WARNING`."""
    code: Literal["DEPRECATION_WARNING"]
    context: NotRequired[DeprecationWarningContext]


class WarningValidationTruncatedWarning(WarningBase):
    """`VALIDATION_TRUNCATED_WARNING`."""
    code: Literal["VALIDATION_TRUNCATED_WARNING"]
    context: NotRequired[ValidationTruncatedWarningContext]


class WarningPerformanceSlowQueryWarning(WarningBase):
    """`PERFORMANCE_SLOW_QUERY_WARNING`."""
    code: Literal["PERFORMANCE_SLOW_QUERY_WARNING"]
    context: NotRequired[PerformanceSlowQueryWarningContext]


class WarningArgumentsRepaired(WarningBase):
    """`ARGUMENTS_REPAIRED`."""
    code: Literal["ARGUMENTS_REPAIRED"]
    context: NotRequired[ArgumentsRepairedContext]


class WarningArgumentsMismatch(WarningBase):
    """`ARGUMENTS_MISMATCH`."""
    code: Literal["ARGUMENTS_MISMATCH"]
    context: NotRequired[ArgumentsMismatchContext]


class WarningArgumentsUnchecked(WarningBase):
    """`ARGUMENTS_UNCHECKED`."""
    code: Literal["ARGUMENTS_UNCHECKED"]
    context: NotRequired[ArgumentsUncheckedContext]


class WarningOutputMismatch(WarningBase):
    """`OUTPUT_MISMATCH`."""
    code: Literal["OUTPUT_MISMATCH"]
    context: NotRequired[OutputMismatchContext]


class WarningLooksFailed(WarningBase):
    """`LOOKS_FAILED`."""
    code: Literal["LOOKS_FAILED"]
    context: NotRequired[LooksFailedContext]


class WarningToolListStale(WarningBase):
    """`TOOL_LIST_STALE`."""
    code: Literal["TOOL_LIST_STALE"]
    context: NotRequired[ToolListStaleContext]


class WarningUpstreamLost(WarningBase):
    """`UPSTREAM_LOST`."""
    code: Literal["UPSTREAM_LOST"]
    context: NotRequired[UpstreamLostContext]


class WarningNamesShortened(WarningBase):
    """`NAMES_SHORTENED`."""
    code: Literal["NAMES_SHORTENED"]
    context: NotRequired[NamesShortenedContext]


class WarningResultAdapted(WarningBase):
    """`RESULT_ADAPTED`."""
    code: Literal["RESULT_ADAPTED"]
    context: NotRequired[ResultAdaptedContext]


class WarningUnknownParamIgnored(WarningBase):
    """`UNKNOWN_PARAM_IGNORED`."""
    code: Literal["UNKNOWN_PARAM_IGNORED"]
    context: NotRequired[UnknownParamIgnoredContext]


class WarningRetried(WarningBase):
    """`RETRIED`."""
    code: Literal["RETRIED"]
    context: NotRequired[RetriedContext]


class WarningWarningsSuppressed(WarningBase):
    """`WARNINGS_SUPPRESSED`."""
    code: Literal["WARNINGS_SUPPRESSED"]
    context: NotRequired[WarningsSuppressedContext]


class PlainWarning(WarningBase):
    """A Warning without a code."""

    context: NotRequired[dict[str, Any]]
    """Facts about it."""


class OwnWarning(WarningBase):
    """A Warning that is not built in."""

    code: str
    """Which warning; a plain one has none."""

    context: NotRequired[dict[str, Any]]
    """Facts about it."""


Warning: TypeAlias = "WarningContentTruncated | WarningContentDropped | WarningPrioritySummarized | WarningSummaryProviderFailed | WarningTokenBudgetFloored | WarningLimitsDefaulted | WarningArchiveWriteFailed | WarningProtectedOverflow | WarningStateMigrationRecovered | WarningTokenCountEstimateUsed | WarningStaleCache | WarningPartialFailure | WarningDeprecatedField | WarningRateLimitApproaching | WarningFallbackUsed | WarningRateLimitQuotaWarning | WarningDeprecationWarning | WarningValidationTruncatedWarning | WarningPerformanceSlowQueryWarning | WarningArgumentsRepaired | WarningArgumentsMismatch | WarningArgumentsUnchecked | WarningOutputMismatch | WarningLooksFailed | WarningToolListStale | WarningUpstreamLost | WarningNamesShortened | WarningResultAdapted | WarningUnknownParamIgnored | WarningRetried | WarningWarningsSuppressed | PlainWarning"
"""What rides on a success: it worked, but the caller should know this."""


class TextBlock(TypedDict):
    """A text block of MCP."""

    type: Literal["text"]
    """Always the same."""

    text: str
    """The words."""


class Block(TypedDict):
    """A block of MCP, of any kind."""

    type: str
    """The kind of block."""


class SuccessNotes(TypedDict):
    """What rides on a success."""

    warnings: NotRequired[list[Warning]]
    """What degraded the success."""

    content_fidelity: NotRequired[Fidelity]
    """How much of the content is there."""

    correlation_id: NotRequired[str]
    """The id of the call."""

    meta: NotRequired[dict[str, Any]]
    """Operational metadata that came along."""


NativeFailureMeta = TypedDict(
    "NativeFailureMeta",
    {
        # The whole of it, for programs.
        "dev.breakfall/error": "NativeError",
    },
)
"""Part of a document: `NativeFailureMeta`."""


class NativeFailure(TypedDict):
    """A failed call."""

    content: list[TextBlock | Block]
    """Words for a model."""

    _meta: NativeFailureMeta
    """What is not meant for the model."""

    structuredContent: NotRequired[NativeError]
    """The error once more, where the tool declares no output schema."""

    isError: Literal[True]
    """Marks a failure."""


NativeSuccessMeta = TypedDict(
    "NativeSuccessMeta",
    {
        # The whole of it, for programs.
        "dev.breakfall/success": "SuccessNotes",
    },
)
"""Part of a document: `NativeSuccessMeta`."""


class NativeSuccess(TypedDict):
    """A call that worked. The first block is the data; a second one has the warnings in words."""

    content: list[TextBlock | Block]
    """Words for a model."""

    _meta: NativeSuccessMeta
    """What is not meant for the model."""

    structuredContent: NotRequired[dict[str, Any]]
    """The data."""

    isError: NotRequired[Literal[False]]
    """Never true here."""


NativeQuestionMeta = TypedDict(
    "NativeQuestionMeta",
    {
        # The whole of it, for programs.
        "dev.breakfall/needs_input": "NeedsInput",
    },
)
"""Part of a document: `NativeQuestionMeta`."""


class NativeQuestion(TypedDict):
    """A call that needs something from the user first."""

    content: list[TextBlock | Block]
    """Words for a model."""

    _meta: NativeQuestionMeta
    """What is not meant for the model."""

    structuredContent: NotRequired[NeedsInput]
    """The question once more, where the tool declares no output schema."""

    isError: NotRequired[Literal[False]]
    """Never true here."""


NativeBatchMeta = TypedDict(
    "NativeBatchMeta",
    {
        # The whole of it, for programs.
        "dev.breakfall/batch": "BatchReport",
    },
)
"""Part of a document: `NativeBatchMeta`."""


class NativeBatch(TypedDict):
    """A batch. It is an error if everything failed."""

    content: list[TextBlock | Block]
    """Words for a model."""

    _meta: NativeBatchMeta
    """What is not meant for the model."""

    structuredContent: NotRequired[BatchReport]
    """The batch once more, where the tool declares no output schema."""

    isError: NotRequired[bool]
    """Whether everything failed."""


NativeDocument: TypeAlias = "NativeFailure | NativeSuccess | NativeQuestion | NativeBatch"
"""Any document of the dialect."""


class BatchItem1(TypedDict):
    """Part of a document: `BatchItem1`."""

    index: int
    """Its position in the request, from zero."""

    id: NotRequired[str]
    """The caller's name for it."""

    operation: NotRequired[str]
    """Its operation."""

    status: Literal["succeeded"]
    """What it came to."""

    data: Any
    """Its result."""


class BatchItem2(TypedDict):
    """Part of a document: `BatchItem2`."""

    index: int
    """Its position in the request, from zero."""

    id: NotRequired[str]
    """The caller's name for it."""

    operation: NotRequired[str]
    """Its operation."""

    status: Literal["failed"]
    """What it came to."""

    error: NativeError
    """Why."""


class BatchItem3(TypedDict):
    """Part of a document: `BatchItem3`."""

    index: int
    """Its position in the request, from zero."""

    id: NotRequired[str]
    """The caller's name for it."""

    operation: NotRequired[str]
    """Its operation."""

    status: Literal["pending"]
    """What it came to."""

    error: NativeError
    """Why."""


BatchItem: TypeAlias = "BatchItem1 | BatchItem2 | BatchItem3"
"""One item of a batch."""


class BatchReport(TypedDict):
    """A batch in the common form, for dialects that have none of their own."""

    total: int
    """How many items there were."""

    succeeded: int
    """How many are done."""

    failed: int
    """How many failed."""

    pending: NotRequired[int]
    """How many wait for a confirmation, if any."""

    halted: NotRequired[Literal[True]]
    """The batch stopped at its first pending item."""

    verb: NotRequired[list[str]]
    """What was done to the items, as infinitive and participle."""

    message: NotRequired[str]
    """A sentence on what failed, if anything."""

    warnings: NotRequired[list[Warning]]
    """What else to know."""

    results: list[BatchItem]
    """The items, in the order they were asked for."""


ResponseV2Code: TypeAlias = Literal[
    "VALIDATION_ERROR",
    "MISSING_REQUIRED",
    "INVALID_FORMAT",
    "VALUE_OUT_OF_RANGE",
    "AUTHENTICATION_REQUIRED",
    "INVALID_CREDENTIALS",
    "TOKEN_EXPIRED",
    "PERMISSION_DENIED",
    "RESOURCE_CONFLICT",
    "RESOURCE_NOT_FOUND",
    "RESOURCE_ALREADY_EXISTS",
    "RATE_LIMIT_EXCEEDED",
    "QUOTA_EXCEEDED",
    "SERVICE_UNAVAILABLE",
    "DEPENDENCY_FAILED",
    "INTERNAL_ERROR",
]
"""The registry of `error_code`. A domain may bring names of its own."""

ALL_RESPONSE_V2_CODE: Final[tuple[ResponseV2Code, ...]] = get_args(ResponseV2Code)


ResponseV2ErrorType: TypeAlias = Literal[
    "validation",
    "authentication",
    "authorization",
    "conflict",
    "not_found",
    "rate_limit",
    "unavailable",
    "internal",
]
"""The classes of `error_type`."""

ALL_RESPONSE_V2_ERROR_TYPE: Final[tuple[ResponseV2ErrorType, ...]] = get_args(ResponseV2ErrorType)


ResponseV2WarningCode: TypeAlias = Literal[
    "CONTENT_TRUNCATED",
    "CONTENT_DROPPED",
    "PRIORITY_SUMMARIZED",
    "SUMMARY_PROVIDER_FAILED",
    "TOKEN_BUDGET_FLOORED",
    "LIMITS_DEFAULTED",
    "ARCHIVE_WRITE_FAILED",
    "PROTECTED_OVERFLOW",
    "STATE_MIGRATION_RECOVERED",
    "TOKEN_COUNT_ESTIMATE_USED",
    "STALE_CACHE",
    "PARTIAL_FAILURE",
    "DEPRECATED_FIELD",
    "RATE_LIMIT_APPROACHING",
    "FALLBACK_USED",
    "DEPRECATION_WARNING",
    "VALIDATION_TRUNCATED_WARNING",
    "PERFORMANCE_SLOW_QUERY_WARNING",
    "ARGUMENTS_REPAIRED",
    "ARGUMENTS_MISMATCH",
    "ARGUMENTS_UNCHECKED",
    "OUTPUT_MISMATCH",
    "LOOKS_FAILED",
    "TOOL_LIST_STALE",
    "UPSTREAM_LOST",
    "NAMES_SHORTENED",
    "RESULT_ADAPTED",
    "UNKNOWN_PARAM_IGNORED",
    "RETRIED",
    "WARNINGS_SUPPRESSED",
]
"""The registry of warnings."""

ALL_RESPONSE_V2_WARNING_CODE: Final[tuple[ResponseV2WarningCode, ...]] = get_args(ResponseV2WarningCode)


class ResponseV2WarningBase(TypedDict):
    """What every ResponseV2Warning has."""

    severity: Severity
    """How bad it is."""

    message: str
    """Its words."""


class ResponseV2WarningContentTruncated(ResponseV2WarningBase):
    """`CONTENT_TRUNCATED`."""
    code: Literal["CONTENT_TRUNCATED"]
    context: NotRequired[ContentTruncatedContext]


class ResponseV2WarningContentDropped(ResponseV2WarningBase):
    """`CONTENT_DROPPED`."""
    code: Literal["CONTENT_DROPPED"]
    context: NotRequired[ContentDroppedContext]


class ResponseV2WarningPrioritySummarized(ResponseV2WarningBase):
    """`PRIORITY_SUMMARIZED`."""
    code: Literal["PRIORITY_SUMMARIZED"]
    context: NotRequired[PrioritySummarizedContext]


class ResponseV2WarningSummaryProviderFailed(ResponseV2WarningBase):
    """`SUMMARY_PROVIDER_FAILED`."""
    code: Literal["SUMMARY_PROVIDER_FAILED"]
    context: NotRequired[SummaryProviderFailedContext]


class ResponseV2WarningTokenBudgetFloored(ResponseV2WarningBase):
    """`TOKEN_BUDGET_FLOORED`."""
    code: Literal["TOKEN_BUDGET_FLOORED"]
    context: NotRequired[TokenBudgetFlooredContext]


class ResponseV2WarningLimitsDefaulted(ResponseV2WarningBase):
    """`LIMITS_DEFAULTED`."""
    code: Literal["LIMITS_DEFAULTED"]
    context: NotRequired[LimitsDefaultedContext]


class ResponseV2WarningArchiveWriteFailed(ResponseV2WarningBase):
    """`ARCHIVE_WRITE_FAILED`."""
    code: Literal["ARCHIVE_WRITE_FAILED"]
    context: NotRequired[ArchiveWriteFailedContext]


class ResponseV2WarningProtectedOverflow(ResponseV2WarningBase):
    """`PROTECTED_OVERFLOW`."""
    code: Literal["PROTECTED_OVERFLOW"]
    context: NotRequired[ProtectedOverflowContext]


class ResponseV2WarningStateMigrationRecovered(ResponseV2WarningBase):
    """`STATE_MIGRATION_RECOVERED`."""
    code: Literal["STATE_MIGRATION_RECOVERED"]
    context: NotRequired[StateMigrationRecoveredContext]


class ResponseV2WarningTokenCountEstimateUsed(ResponseV2WarningBase):
    """`TOKEN_COUNT_ESTIMATE_USED`."""
    code: Literal["TOKEN_COUNT_ESTIMATE_USED"]
    context: NotRequired[TokenCountEstimateUsedContext]


class ResponseV2WarningStaleCache(ResponseV2WarningBase):
    """`STALE_CACHE`."""
    code: Literal["STALE_CACHE"]
    context: NotRequired[StaleCacheContext]


class ResponseV2WarningPartialFailure(ResponseV2WarningBase):
    """`PARTIAL_FAILURE`."""
    code: Literal["PARTIAL_FAILURE"]
    context: NotRequired[PartialFailureContext]


class ResponseV2WarningDeprecatedField(ResponseV2WarningBase):
    """`DEPRECATED_FIELD`."""
    code: Literal["DEPRECATED_FIELD"]
    context: NotRequired[DeprecatedFieldContext]


class ResponseV2WarningRateLimitApproaching(ResponseV2WarningBase):
    """`RATE_LIMIT_APPROACHING`."""
    code: Literal["RATE_LIMIT_APPROACHING"]
    context: NotRequired[RateLimitApproachingContext | RateLimitQuotaWarningContext]


class ResponseV2WarningFallbackUsed(ResponseV2WarningBase):
    """`FALLBACK_USED`."""
    code: Literal["FALLBACK_USED"]
    context: NotRequired[FallbackUsedContext]


class ResponseV2WarningDeprecationWarning(ResponseV2WarningBase):
    """`DEPRECATION_WARNING`."""
    code: Literal["DEPRECATION_WARNING"]
    context: NotRequired[DeprecationWarningContext]


class ResponseV2WarningValidationTruncatedWarning(ResponseV2WarningBase):
    """`VALIDATION_TRUNCATED_WARNING`."""
    code: Literal["VALIDATION_TRUNCATED_WARNING"]
    context: NotRequired[ValidationTruncatedWarningContext]


class ResponseV2WarningPerformanceSlowQueryWarning(ResponseV2WarningBase):
    """`PERFORMANCE_SLOW_QUERY_WARNING`."""
    code: Literal["PERFORMANCE_SLOW_QUERY_WARNING"]
    context: NotRequired[PerformanceSlowQueryWarningContext]


class ResponseV2WarningArgumentsRepaired(ResponseV2WarningBase):
    """`ARGUMENTS_REPAIRED`."""
    code: Literal["ARGUMENTS_REPAIRED"]
    context: NotRequired[ArgumentsRepairedContext]


class ResponseV2WarningArgumentsMismatch(ResponseV2WarningBase):
    """`ARGUMENTS_MISMATCH`."""
    code: Literal["ARGUMENTS_MISMATCH"]
    context: NotRequired[ArgumentsMismatchContext]


class ResponseV2WarningArgumentsUnchecked(ResponseV2WarningBase):
    """`ARGUMENTS_UNCHECKED`."""
    code: Literal["ARGUMENTS_UNCHECKED"]
    context: NotRequired[ArgumentsUncheckedContext]


class ResponseV2WarningOutputMismatch(ResponseV2WarningBase):
    """`OUTPUT_MISMATCH`."""
    code: Literal["OUTPUT_MISMATCH"]
    context: NotRequired[OutputMismatchContext]


class ResponseV2WarningLooksFailed(ResponseV2WarningBase):
    """`LOOKS_FAILED`."""
    code: Literal["LOOKS_FAILED"]
    context: NotRequired[LooksFailedContext]


class ResponseV2WarningToolListStale(ResponseV2WarningBase):
    """`TOOL_LIST_STALE`."""
    code: Literal["TOOL_LIST_STALE"]
    context: NotRequired[ToolListStaleContext]


class ResponseV2WarningUpstreamLost(ResponseV2WarningBase):
    """`UPSTREAM_LOST`."""
    code: Literal["UPSTREAM_LOST"]
    context: NotRequired[UpstreamLostContext]


class ResponseV2WarningNamesShortened(ResponseV2WarningBase):
    """`NAMES_SHORTENED`."""
    code: Literal["NAMES_SHORTENED"]
    context: NotRequired[NamesShortenedContext]


class ResponseV2WarningResultAdapted(ResponseV2WarningBase):
    """`RESULT_ADAPTED`."""
    code: Literal["RESULT_ADAPTED"]
    context: NotRequired[ResultAdaptedContext]


class ResponseV2WarningUnknownParamIgnored(ResponseV2WarningBase):
    """`UNKNOWN_PARAM_IGNORED`."""
    code: Literal["UNKNOWN_PARAM_IGNORED"]
    context: NotRequired[UnknownParamIgnoredContext]


class ResponseV2WarningRetried(ResponseV2WarningBase):
    """`RETRIED`."""
    code: Literal["RETRIED"]
    context: NotRequired[RetriedContext]


class ResponseV2WarningWarningsSuppressed(ResponseV2WarningBase):
    """`WARNINGS_SUPPRESSED`."""
    code: Literal["WARNINGS_SUPPRESSED"]
    context: NotRequired[WarningsSuppressedContext]


class PlainResponseV2Warning(ResponseV2WarningBase):
    """A ResponseV2Warning without a code."""

    context: NotRequired[dict[str, Any]]
    """Facts about it."""


class OwnResponseV2Warning(ResponseV2WarningBase):
    """A ResponseV2Warning that is not built in."""

    code: str
    """Which warning; a plain one has none."""

    context: NotRequired[dict[str, Any]]
    """Facts about it."""


ResponseV2Warning: TypeAlias = "ResponseV2WarningContentTruncated | ResponseV2WarningContentDropped | ResponseV2WarningPrioritySummarized | ResponseV2WarningSummaryProviderFailed | ResponseV2WarningTokenBudgetFloored | ResponseV2WarningLimitsDefaulted | ResponseV2WarningArchiveWriteFailed | ResponseV2WarningProtectedOverflow | ResponseV2WarningStateMigrationRecovered | ResponseV2WarningTokenCountEstimateUsed | ResponseV2WarningStaleCache | ResponseV2WarningPartialFailure | ResponseV2WarningDeprecatedField | ResponseV2WarningRateLimitApproaching | ResponseV2WarningFallbackUsed | ResponseV2WarningDeprecationWarning | ResponseV2WarningValidationTruncatedWarning | ResponseV2WarningPerformanceSlowQueryWarning | ResponseV2WarningArgumentsRepaired | ResponseV2WarningArgumentsMismatch | ResponseV2WarningArgumentsUnchecked | ResponseV2WarningOutputMismatch | ResponseV2WarningLooksFailed | ResponseV2WarningToolListStale | ResponseV2WarningUpstreamLost | ResponseV2WarningNamesShortened | ResponseV2WarningResultAdapted | ResponseV2WarningUnknownParamIgnored | ResponseV2WarningRetried | ResponseV2WarningWarningsSuppressed | PlainResponseV2Warning"
"""A structured warning."""


class ResponseV2ValidationError(TypedDict):
    """One broken rule of one value. To the letter it has `field`, `message` and `received` only."""

    field: str
    """Where, as a dotted name."""

    received: NotRequired[Any]
    """What came."""

    pointer: NotRequired[str]
    """Where, as a JSON pointer into the arguments."""

    keyword: NotRequired[str]
    """The schema keyword or named constraint."""

    message: NotRequired[str]
    """What is wrong, in words."""

    expected: NotRequired[Any]
    """What would have been right."""

    got: NotRequired[Any]
    """What came."""

    suggestion: NotRequired[Any]
    """A value that would do."""


class ResponseV2FailedItem(TypedDict):
    """An item of a batch that failed."""

    id: str | int
    """The caller's name for it, or its position."""

    reason: str
    """Why, in a short phrase."""


class ResponseV2RateLimit(TypedDict):
    """The state of a limit."""

    limit: NotRequired[int]
    """How many calls the window allows."""

    remaining: NotRequired[int]
    """How many are left, usually none."""

    reset_at: NotRequired[str]
    """When the window resets."""

    period: NotRequired[Literal["second", "minute", "hour", "day"]]
    """The length of the window."""

    retry_after: NotRequired[int]
    """Whole seconds to wait before the next try."""


class ResponseV2FailureData(TypedDict):
    """What is known about a failure. To the letter it may be empty."""

    error_code: NotRequired[ResponseV2Code | str]
    """Which failure. Absent, to the letter, where nobody said so."""

    error_type: NotRequired[ResponseV2ErrorType]
    """The class of the failure."""

    resource_type: NotRequired[str]
    """What kind of thing it is, for example repository."""

    resource_id: NotRequired[str]
    """The identifier nothing was found for."""

    limit: NotRequired[int]
    """How many calls the window allows."""

    period: NotRequired[Literal["second", "minute", "hour", "day"]]
    """The length of the window."""

    field: NotRequired[str]
    """The name of the parameter, or the dotted path to it."""

    required_permission: NotRequired[Any]
    """The permission that is missing."""

    details: NotRequired[dict[str, Any]]
    """The free part."""

    validation_errors: NotRequired[list[ResponseV2ValidationError]]
    """Every broken rule."""

    retry_after_seconds: NotRequired[int]
    """Whole seconds to wait before the next try."""

    remediation: NotRequired[str]
    """What the caller should do."""

    docs_url: NotRequired[str]
    """Where to read more."""

    failed: NotRequired[list[ResponseV2FailedItem]]
    """The items of a batch, when all failed."""

    pending: NotRequired[list[str | int]]
    """The items that wait for a confirmation."""

    batch: NotRequired[BatchReport]
    """The batch in full."""


class ResponseV2FailureMeta(TypedDict):
    """Metadata of a failure."""

    version: Literal["response-v2"]
    """The version of the envelope."""

    request_id: NotRequired[str]
    """The id under which the operator finds the rest."""

    rate_limit: NotRequired[ResponseV2RateLimit]
    """The state of the limit that was hit."""


class ResponseV2SuccessMeta(TypedDict):
    """Metadata of a success."""

    version: Literal["response-v2"]
    """The version of the envelope."""

    request_id: NotRequired[str]
    """The id of the call."""

    warnings: NotRequired[list[str]]
    """What degraded the success, in words."""

    warning_details: NotRequired[list[ResponseV2Warning]]
    """The same, for programs."""

    content_fidelity: NotRequired[Fidelity]
    """How much of the content is there."""

    content_fidelity_schema_version: NotRequired[str]
    """The version of that vocabulary."""

    dropped_content_ids: NotRequired[list[str]]
    """Content that is not in the data, by its ids."""

    content_archive_hashes: NotRequired[dict[str, str]]
    """Archives of that content, with their hashes."""


class ResponseV2Success(TypedDict):
    """It worked."""

    success: Literal[True]
    """Which of the two states it is."""

    data: dict[str, Any]
    """The payload, or what is known about the failure."""

    error: None
    """A sentence on what went wrong, and only then."""

    meta: ResponseV2SuccessMeta
    """Metadata."""


class ResponseV2Question(TypedDict):
    """It needs something from the user first."""

    success: Literal[True]
    """Which of the two states it is."""

    data: NeedsInput
    """The payload, or what is known about the failure."""

    error: None
    """A sentence on what went wrong, and only then."""

    meta: ResponseV2SuccessMeta
    """Metadata."""


class ResponseV2Failure(TypedDict):
    """It did not work."""

    success: Literal[False]
    """Which of the two states it is."""

    data: ResponseV2FailureData
    """The payload, or what is known about the failure."""

    error: str
    """A sentence on what went wrong, and only then."""

    meta: ResponseV2FailureMeta
    """Metadata."""


ResponseV2Document: TypeAlias = "ResponseV2Success | ResponseV2Question | ResponseV2Failure"
"""Any document of the dialect: a success without an error, or a failure with one."""


McpErrorCode: TypeAlias = Literal[
    "VALIDATION_FAILED",
    "INVALID_INPUT",
    "OPERATION_NOT_ALLOWED",
    "UNAUTHORIZED",
    "FORBIDDEN",
    "DUPLICATE_OPERATION",
    "NOT_FOUND",
    "BUSINESS_RULE_VIOLATION",
    "RATE_LIMITED",
    "INSUFFICIENT_BALANCE",
    "SERVICE_UNAVAILABLE",
    "DEPENDENCY_FAILED",
    "TIMEOUT",
    "CIRCUIT_OPEN",
    "INTERNAL_ERROR",
]
"""The codes of the dialect."""

ALL_MCP_ERROR_CODE: Final[tuple[McpErrorCode, ...]] = get_args(McpErrorCode)


class McpErrorDetails(TypedDict):
    """The free part, and what the object has no place for."""

    field: NotRequired[str]
    """The parameter at fault."""

    domain_code: NotRequired[str]
    """The name the domain or another vocabulary has for it."""

    http_status: NotRequired[int]
    """The HTTP status of an upstream's answer."""

    remediation: NotRequired[str]
    """What the caller should do."""

    docs_url: NotRequired[str]
    """Where to read more."""

    violations: NotRequired[list[Violation]]
    """Every broken rule."""


class McpErrorObject(TypedDict):
    """A failure."""

    code: McpErrorCode
    """Which failure."""

    message: str
    """What happened, in a sentence."""

    details: NotRequired[McpErrorDetails]
    """The free part."""

    retry_after_ms: NotRequired[int]
    """How long to wait before the next try, in milliseconds."""

    recovery_actions: list[str]
    """Recovery actions, the preferred one first."""

    fallback_tool: NotRequired[str]
    """A tool to call instead."""

    correlation_id: str
    """The id under which the operator finds the rest."""

    timestamp: str
    """When it happened."""

    recovery_hint: NotRequired[RecoveryHint]
    """One word on how to recover. Absent, to the letter, unless it was set."""

    userMessage: NotRequired[str]
    """What a person may be told. Absent, to the letter, unless it was set."""

    corrective_params: NotRequired[Any]
    """Complete arguments that would do."""


McpErrorDocument: TypeAlias = "McpErrorObject | NeedsInput | BatchReport | Any"
"""Any document of the dialect: an error, or the payload of a success as it is."""


ErrorModelCode: TypeAlias = Literal[
    2001,
    2002,
    2003,
    3001,
    3002,
    4001,
    4002,
    5001,
]
"""The numbers of the dialect."""

ALL_ERROR_MODEL_CODE: Final[tuple[ErrorModelCode, ...]] = get_args(ErrorModelCode)


class ErrorModelContext(TypedDict):
    """Anything else that is safe to show."""

    retryAfterMs: NotRequired[int]
    """How long to wait before the next try, in milliseconds."""

    correlationId: NotRequired[str]
    """The id under which the operator finds the rest."""

    httpStatus: NotRequired[int]
    """The HTTP status of an upstream's answer."""

    docsUrl: NotRequired[str]
    """Where to read more."""

    violations: NotRequired[list[Violation]]
    """Every broken rule."""


class ErrorModelDetails(TypedDict):
    """More about a failure."""

    originalError: NotRequired[str]
    """The name the domain has for it, or ours where the number says too little."""

    field: NotRequired[str]
    """The parameter at fault."""

    reason: NotRequired[str]
    """A short machine-readable reason."""

    suggestion: NotRequired[str]
    """What the caller should do."""

    context: NotRequired[ErrorModelContext]
    """Anything else that is safe to show."""


class ErrorModelError(TypedDict):
    """A failure."""

    code: ErrorModelCode
    """Which failure."""

    message: str
    """What happened, in a sentence."""

    retryable: bool
    """Whether repeating the call may help."""

    details: NotRequired[ErrorModelDetails]
    """More about it."""


class ErrorModelFailure(TypedDict):
    """A failed call."""

    error: ErrorModelError
    """Why."""


ErrorModelDocument: TypeAlias = "ErrorModelFailure | NeedsInput | BatchReport | Any"
"""Any document of the dialect: a failure, or the payload of a success as it is."""


ToolErrorCode: TypeAlias = Literal[
    "CLIENT_ERROR",
    "AUTHENTICATION_ERROR",
    "NOT_FOUND",
    "SERVER_ERROR",
    "NETWORK_ERROR",
    "UNKNOWN_ERROR",
]
"""The codes of the dialect."""

ALL_TOOL_ERROR_CODE: Final[tuple[ToolErrorCode, ...]] = get_args(ToolErrorCode)


class ToolErrorDetails(TypedDict):
    """The free part, and what the object has no place for."""

    field: NotRequired[str]
    """The parameter at fault."""

    statusCode: NotRequired[int]
    """The HTTP status, where one exists."""

    domainCode: NotRequired[str]
    """The name the domain or another vocabulary has for it."""

    remediation: NotRequired[str]
    """What the caller should do."""

    retryAfterMs: NotRequired[int]
    """How long to wait before the next try, in milliseconds."""

    correlationId: NotRequired[str]
    """The id under which the operator finds the rest."""

    docsUrl: NotRequired[str]
    """Where to read more."""

    violations: NotRequired[list[Violation]]
    """Every broken rule."""


class ToolErrorObject(TypedDict):
    """A failure."""

    kind: Literal["toolError:v1"]
    """The discriminator."""

    code: ToolErrorCode
    """Which failure."""

    message: str
    """What happened, in a sentence."""

    retryable: bool
    """Whether repeating the call may help."""

    details: NotRequired[ToolErrorDetails]
    """The free part."""


MarkdownBlockMeta = TypedDict(
    "MarkdownBlockMeta",
    {
        # The media type once more, for transports that strip the other.
        "dev.breakfall/mimeType": "Literal[\"text/markdown\"]",
    },
)
"""Part of a document: `MarkdownBlockMeta`."""


class MarkdownBlock(TypedDict):
    """Words for a person."""

    type: Literal["text"]
    """Always the same."""

    text: str
    """The text."""

    mimeType: Literal["text/markdown"]
    """The media type."""

    _meta: NotRequired[MarkdownBlockMeta]
    """Absent to the letter."""


JsonBlockMeta = TypedDict(
    "JsonBlockMeta",
    {
        # The media type once more, for transports that strip the other.
        "dev.breakfall/mimeType": "Literal[\"application/json\"]",
    },
)
"""Part of a document: `JsonBlockMeta`."""


class JsonBlock(TypedDict):
    """The object as JSON, indented by two."""

    type: Literal["text"]
    """Always the same."""

    text: str
    """The text."""

    mimeType: Literal["application/json"]
    """The media type."""

    _meta: NotRequired[JsonBlockMeta]
    """Absent to the letter."""


ToolErrorContent: TypeAlias = "list[MarkdownBlock] | list[JsonBlock] | list[MarkdownBlock | JsonBlock]"
"""The blocks of a format: `markdown`, `json` or `both`. A JSON block comes last."""


class ToolErrorWarning(TypedDict):
    """What rides on a success."""

    code: NotRequired[str]
    """Which warning."""

    severity: str
    """How much it matters."""

    message: str
    """What to know."""

    context: NotRequired[dict[str, Any]]
    """The facts."""


ToolErrorFailureMeta = TypedDict(
    "ToolErrorFailureMeta",
    {
        # What degraded the success.
        "dev.breakfall/warnings": "NotRequired[list[ToolErrorWarning]]",
    },
)
"""Part of a document: `ToolErrorFailureMeta`."""


class ToolErrorFailure(TypedDict):
    """A failed call."""

    content: ToolErrorContent
    """The blocks of the format."""

    structuredContent: ToolErrorObject
    """The object, in every format."""

    isError: Literal[True]
    """Marks a failure."""

    _meta: NotRequired[ToolErrorFailureMeta]
    """What the object has no place for."""


ToolErrorQuestionMeta = TypedDict(
    "ToolErrorQuestionMeta",
    {
        # What degraded the success.
        "dev.breakfall/warnings": "NotRequired[list[ToolErrorWarning]]",
    },
)
"""Part of a document: `ToolErrorQuestionMeta`."""


class ToolErrorQuestion(TypedDict):
    """A call that needs something from the user first."""

    content: ToolErrorContent
    """The blocks of the format."""

    structuredContent: NeedsInput
    """The question, in every format."""

    isError: NotRequired[Literal[False]]
    """Never true here."""

    _meta: NotRequired[ToolErrorQuestionMeta]
    """What the object has no place for."""


ToolErrorSuccessMeta = TypedDict(
    "ToolErrorSuccessMeta",
    {
        # What degraded the success.
        "dev.breakfall/warnings": "NotRequired[list[ToolErrorWarning]]",
    },
)
"""Part of a document: `ToolErrorSuccessMeta`."""


class ToolErrorSuccess(TypedDict):
    """A call that worked."""

    content: ToolErrorContent
    """The blocks of the format."""

    structuredContent: NotRequired[dict[str, Any]]
    """The data, if it is an object."""

    isError: NotRequired[Literal[False]]
    """Never true here."""

    _meta: NotRequired[ToolErrorSuccessMeta]
    """What the object has no place for."""


ToolErrorDocument: TypeAlias = "ToolErrorFailure | ToolErrorQuestion | ToolErrorSuccess"
"""Any document of the dialect."""


McpAqlCode: TypeAlias = Literal[
    "VALIDATION_INVALID_VALUE",
    "VALIDATION_INVALID_TYPE",
    "VALIDATION_MISSING_PARAM",
    "VALIDATION_PATTERN_MISMATCH",
    "VALIDATION_INVALID_ENUM",
    "VALIDATION_OUT_OF_RANGE",
    "VALIDATION_UNKNOWN_PARAM",
    "VALIDATION_UNKNOWN_FIELD",
    "VALIDATION_INVALID_ENCODING",
    "VALIDATION_PAYLOAD_TOO_LARGE",
    "VALIDATION_ENDPOINT_MISMATCH",
    "NOT_FOUND_OPERATION",
    "VALIDATION_READ_ONLY_FIELD",
    "BATCH_VALIDATION_ERROR",
    "SCHEMA_MISSING_FIELD",
    "SCHEMA_INVALID_TYPE",
    "SCHEMA_UNRESOLVED_REF",
    "SCHEMA_DUPLICATE_NAME",
    "SCHEMA_INVALID_NAME",
    "SCHEMA_VERSION_DEPRECATED",
    "SCHEMA_VERSION_UNSUPPORTED",
    "PERMISSION_DENIED",
    "PERMISSION_TRUST_LEVEL_INSUFFICIENT",
    "PERMISSION_DANGER_LEVEL_DENIED",
    "CONFIRMATION_REQUIRED",
    "TOKEN_INVALID",
    "TOKEN_EXPIRED",
    "TOKEN_ALREADY_USED",
    "TOKEN_SCOPE_MISMATCH",
    "NOT_FOUND_RESOURCE",
    "CONFLICT_ALREADY_EXISTS",
    "CONFLICT_VERSION_MISMATCH",
    "CONFLICT_INVALID_STATE",
    "RATE_LIMIT_EXCEEDED",
    "RATE_LIMIT_QUOTA_PAUSE",
    "RATE_LIMIT_QUOTA_EXHAUSTED",
    "VALIDATION_BUSINESS_RULE",
    "CONFLICT_INSUFFICIENT_BALANCE",
    "INTERNAL_ERROR",
    "SERIALIZATION_PARSE_ERROR",
    "BATCH_PARTIAL_FAILURE",
]
"""The registered codes of the dialect."""

ALL_MCP_AQL_CODE: Final[tuple[McpAqlCode, ...]] = get_args(McpAqlCode)


McpAqlWarningCode: TypeAlias = Literal[
    "CONTENT_TRUNCATED",
    "CONTENT_DROPPED",
    "PRIORITY_SUMMARIZED",
    "SUMMARY_PROVIDER_FAILED",
    "TOKEN_BUDGET_FLOORED",
    "LIMITS_DEFAULTED",
    "ARCHIVE_WRITE_FAILED",
    "PROTECTED_OVERFLOW",
    "STATE_MIGRATION_RECOVERED",
    "TOKEN_COUNT_ESTIMATE_USED",
    "STALE_CACHE",
    "PARTIAL_FAILURE",
    "DEPRECATED_FIELD",
    "RATE_LIMIT_APPROACHING",
    "FALLBACK_USED",
    "RATE_LIMIT_QUOTA_WARNING",
    "DEPRECATION_WARNING",
    "VALIDATION_TRUNCATED_WARNING",
    "PERFORMANCE_SLOW_QUERY_WARNING",
    "ARGUMENTS_REPAIRED",
    "ARGUMENTS_MISMATCH",
    "ARGUMENTS_UNCHECKED",
    "OUTPUT_MISMATCH",
    "LOOKS_FAILED",
    "TOOL_LIST_STALE",
    "UPSTREAM_LOST",
    "NAMES_SHORTENED",
    "RESULT_ADAPTED",
    "UNKNOWN_PARAM_IGNORED",
    "RETRIED",
    "WARNINGS_SUPPRESSED",
    "UNSPECIFIED_WARNING",
]
"""The registered warnings of the dialect."""

ALL_MCP_AQL_WARNING_CODE: Final[tuple[McpAqlWarningCode, ...]] = get_args(McpAqlWarningCode)


McpAqlSeverity: TypeAlias = Literal[
    "low",
    "medium",
    "high",
]
"""How bad a warning is; an absent one is medium."""

ALL_MCP_AQL_SEVERITY: Final[tuple[McpAqlSeverity, ...]] = get_args(McpAqlSeverity)


class McpAqlCommonDetails(TypedDict, total=False):
    """The keys any details may have, whatever the code."""

    http_status: int
    """The HTTP status somebody upstream answered with, or the one that tells codes of one name apart."""

    retry_after_seconds: int
    """Whole seconds to wait before the next try."""

    domain_code: str
    """The name the domain or another vocabulary has for it."""

    remediation: str
    """What the caller should do."""

    docs_url: str
    """Where to read more."""

    violations: list[Violation]
    """Every broken rule."""


class McpAqlErrorBase(TypedDict):
    """What every McpAqlError has."""

    message: str
    """What happened, in the words of the code's template."""


class McpAqlErrorValidationInvalidValue(McpAqlErrorBase):
    """`VALIDATION_INVALID_VALUE`."""
    code: Literal["VALIDATION_INVALID_VALUE"]
    details: NotRequired[McpAqlValidationInvalidValueDetails]


class McpAqlErrorValidationInvalidType(McpAqlErrorBase):
    """`VALIDATION_INVALID_TYPE`."""
    code: Literal["VALIDATION_INVALID_TYPE"]
    details: NotRequired[McpAqlValidationInvalidTypeDetails]


class McpAqlErrorValidationMissingParam(McpAqlErrorBase):
    """`VALIDATION_MISSING_PARAM`."""
    code: Literal["VALIDATION_MISSING_PARAM"]
    details: NotRequired[McpAqlValidationMissingParamDetails]


class McpAqlErrorValidationPatternMismatch(McpAqlErrorBase):
    """`VALIDATION_PATTERN_MISMATCH`."""
    code: Literal["VALIDATION_PATTERN_MISMATCH"]
    details: NotRequired[McpAqlValidationPatternMismatchDetails]


class McpAqlErrorValidationInvalidEnum(McpAqlErrorBase):
    """`VALIDATION_INVALID_ENUM`."""
    code: Literal["VALIDATION_INVALID_ENUM"]
    details: NotRequired[McpAqlValidationInvalidEnumDetails]


class McpAqlErrorValidationOutOfRange(McpAqlErrorBase):
    """`VALIDATION_OUT_OF_RANGE`."""
    code: Literal["VALIDATION_OUT_OF_RANGE"]
    details: NotRequired[McpAqlValidationOutOfRangeDetails]


class McpAqlErrorValidationUnknownParam(McpAqlErrorBase):
    """`VALIDATION_UNKNOWN_PARAM`."""
    code: Literal["VALIDATION_UNKNOWN_PARAM"]
    details: NotRequired[McpAqlValidationUnknownParamDetails]


class McpAqlErrorValidationUnknownField(McpAqlErrorBase):
    """`VALIDATION_UNKNOWN_FIELD`."""
    code: Literal["VALIDATION_UNKNOWN_FIELD"]
    details: NotRequired[McpAqlValidationUnknownFieldDetails]


class McpAqlErrorValidationInvalidEncoding(McpAqlErrorBase):
    """`VALIDATION_INVALID_ENCODING`."""
    code: Literal["VALIDATION_INVALID_ENCODING"]
    details: NotRequired[McpAqlValidationInvalidEncodingDetails]


class McpAqlErrorValidationPayloadTooLarge(McpAqlErrorBase):
    """`VALIDATION_PAYLOAD_TOO_LARGE`."""
    code: Literal["VALIDATION_PAYLOAD_TOO_LARGE"]
    details: NotRequired[McpAqlValidationPayloadTooLargeDetails]


class McpAqlErrorValidationEndpointMismatch(McpAqlErrorBase):
    """`VALIDATION_ENDPOINT_MISMATCH`."""
    code: Literal["VALIDATION_ENDPOINT_MISMATCH"]
    details: NotRequired[McpAqlValidationEndpointMismatchDetails]


class McpAqlErrorNotFoundOperation(McpAqlErrorBase):
    """`NOT_FOUND_OPERATION`."""
    code: Literal["NOT_FOUND_OPERATION"]
    details: NotRequired[McpAqlNotFoundOperationDetails]


class McpAqlErrorValidationReadOnlyField(McpAqlErrorBase):
    """`VALIDATION_READ_ONLY_FIELD`."""
    code: Literal["VALIDATION_READ_ONLY_FIELD"]
    details: NotRequired[McpAqlValidationReadOnlyFieldDetails]


class McpAqlErrorBatchValidationError(McpAqlErrorBase):
    """`BATCH_VALIDATION_ERROR`."""
    code: Literal["BATCH_VALIDATION_ERROR"]
    details: NotRequired[McpAqlBatchValidationErrorDetails]


class McpAqlErrorSchemaMissingField(McpAqlErrorBase):
    """`SCHEMA_MISSING_FIELD`."""
    code: Literal["SCHEMA_MISSING_FIELD"]
    details: NotRequired[McpAqlSchemaMissingFieldDetails]


class McpAqlErrorSchemaInvalidType(McpAqlErrorBase):
    """`SCHEMA_INVALID_TYPE`."""
    code: Literal["SCHEMA_INVALID_TYPE"]
    details: NotRequired[McpAqlSchemaInvalidTypeDetails]


class McpAqlErrorSchemaUnresolvedRef(McpAqlErrorBase):
    """`SCHEMA_UNRESOLVED_REF`."""
    code: Literal["SCHEMA_UNRESOLVED_REF"]
    details: NotRequired[McpAqlSchemaUnresolvedRefDetails]


class McpAqlErrorSchemaDuplicateName(McpAqlErrorBase):
    """`SCHEMA_DUPLICATE_NAME`."""
    code: Literal["SCHEMA_DUPLICATE_NAME"]
    details: NotRequired[McpAqlSchemaDuplicateNameDetails]


class McpAqlErrorSchemaInvalidName(McpAqlErrorBase):
    """`SCHEMA_INVALID_NAME`."""
    code: Literal["SCHEMA_INVALID_NAME"]
    details: NotRequired[McpAqlSchemaInvalidNameDetails]


class McpAqlErrorSchemaVersionDeprecated(McpAqlErrorBase):
    """`SCHEMA_VERSION_DEPRECATED`."""
    code: Literal["SCHEMA_VERSION_DEPRECATED"]
    details: NotRequired[McpAqlSchemaVersionDeprecatedDetails]


class McpAqlErrorSchemaVersionUnsupported(McpAqlErrorBase):
    """`SCHEMA_VERSION_UNSUPPORTED`."""
    code: Literal["SCHEMA_VERSION_UNSUPPORTED"]
    details: NotRequired[McpAqlSchemaVersionUnsupportedDetails]


class McpAqlErrorPermissionDenied(McpAqlErrorBase):
    """`PERMISSION_DENIED`."""
    code: Literal["PERMISSION_DENIED"]
    details: NotRequired[McpAqlPermissionDeniedDetails]


class McpAqlErrorPermissionTrustLevelInsufficient(McpAqlErrorBase):
    """`PERMISSION_TRUST_LEVEL_INSUFFICIENT`."""
    code: Literal["PERMISSION_TRUST_LEVEL_INSUFFICIENT"]
    details: NotRequired[McpAqlPermissionTrustLevelInsufficientDetails]


class McpAqlErrorPermissionDangerLevelDenied(McpAqlErrorBase):
    """`PERMISSION_DANGER_LEVEL_DENIED`."""
    code: Literal["PERMISSION_DANGER_LEVEL_DENIED"]
    details: NotRequired[McpAqlPermissionDangerLevelDeniedDetails]


class McpAqlErrorConfirmationRequired(McpAqlErrorBase):
    """`CONFIRMATION_REQUIRED`."""
    code: Literal["CONFIRMATION_REQUIRED"]
    details: NotRequired[McpAqlConfirmationRequiredDetails]


class McpAqlErrorTokenInvalid(McpAqlErrorBase):
    """`TOKEN_INVALID`."""
    code: Literal["TOKEN_INVALID"]
    details: NotRequired[McpAqlTokenInvalidDetails]


class McpAqlErrorTokenExpired(McpAqlErrorBase):
    """`TOKEN_EXPIRED`."""
    code: Literal["TOKEN_EXPIRED"]
    details: NotRequired[McpAqlTokenExpiredDetails]


class McpAqlErrorTokenAlreadyUsed(McpAqlErrorBase):
    """`TOKEN_ALREADY_USED`."""
    code: Literal["TOKEN_ALREADY_USED"]
    details: NotRequired[McpAqlTokenAlreadyUsedDetails]


class McpAqlErrorTokenScopeMismatch(McpAqlErrorBase):
    """`TOKEN_SCOPE_MISMATCH`."""
    code: Literal["TOKEN_SCOPE_MISMATCH"]
    details: NotRequired[McpAqlTokenScopeMismatchDetails]


class McpAqlErrorNotFoundResource(McpAqlErrorBase):
    """`NOT_FOUND_RESOURCE`."""
    code: Literal["NOT_FOUND_RESOURCE"]
    details: NotRequired[McpAqlNotFoundResourceDetails]


class McpAqlErrorConflictAlreadyExists(McpAqlErrorBase):
    """`CONFLICT_ALREADY_EXISTS`."""
    code: Literal["CONFLICT_ALREADY_EXISTS"]
    details: NotRequired[McpAqlConflictAlreadyExistsDetails]


class McpAqlErrorConflictVersionMismatch(McpAqlErrorBase):
    """`CONFLICT_VERSION_MISMATCH`."""
    code: Literal["CONFLICT_VERSION_MISMATCH"]
    details: NotRequired[McpAqlConflictVersionMismatchDetails]


class McpAqlErrorConflictInvalidState(McpAqlErrorBase):
    """`CONFLICT_INVALID_STATE`."""
    code: Literal["CONFLICT_INVALID_STATE"]
    details: NotRequired[McpAqlConflictInvalidStateDetails]


class McpAqlErrorRateLimitExceeded(McpAqlErrorBase):
    """`RATE_LIMIT_EXCEEDED`."""
    code: Literal["RATE_LIMIT_EXCEEDED"]
    details: NotRequired[McpAqlRateLimitExceededDetails]


class McpAqlErrorRateLimitQuotaPause(McpAqlErrorBase):
    """`RATE_LIMIT_QUOTA_PAUSE`."""
    code: Literal["RATE_LIMIT_QUOTA_PAUSE"]
    details: NotRequired[McpAqlRateLimitQuotaPauseDetails]


class McpAqlErrorRateLimitQuotaExhausted(McpAqlErrorBase):
    """`RATE_LIMIT_QUOTA_EXHAUSTED`."""
    code: Literal["RATE_LIMIT_QUOTA_EXHAUSTED"]
    details: NotRequired[McpAqlRateLimitQuotaExhaustedDetails]


class McpAqlErrorValidationBusinessRule(McpAqlErrorBase):
    """`VALIDATION_BUSINESS_RULE`."""
    code: Literal["VALIDATION_BUSINESS_RULE"]
    details: NotRequired[McpAqlValidationBusinessRuleDetails]


class McpAqlErrorConflictInsufficientBalance(McpAqlErrorBase):
    """`CONFLICT_INSUFFICIENT_BALANCE`."""
    code: Literal["CONFLICT_INSUFFICIENT_BALANCE"]
    details: NotRequired[McpAqlConflictInsufficientBalanceDetails]


class McpAqlErrorInternalError(McpAqlErrorBase):
    """`INTERNAL_ERROR`."""
    code: Literal["INTERNAL_ERROR"]
    details: NotRequired[McpAqlInternalErrorDetails]


class McpAqlErrorSerializationParseError(McpAqlErrorBase):
    """`SERIALIZATION_PARSE_ERROR`."""
    code: Literal["SERIALIZATION_PARSE_ERROR"]
    details: NotRequired[McpAqlSerializationParseErrorDetails]


class McpAqlErrorBatchPartialFailure(McpAqlErrorBase):
    """`BATCH_PARTIAL_FAILURE`."""
    code: Literal["BATCH_PARTIAL_FAILURE"]
    details: NotRequired[McpAqlBatchPartialFailureDetails]


class OwnMcpAqlError(McpAqlErrorBase):
    """A McpAqlError that is not built in."""

    code: str
    """Which failure: a registered code or a server's own."""

    details: NotRequired[McpAqlCommonDetails]
    """The free part."""


McpAqlError: TypeAlias = "McpAqlErrorValidationInvalidValue | McpAqlErrorValidationInvalidType | McpAqlErrorValidationMissingParam | McpAqlErrorValidationPatternMismatch | McpAqlErrorValidationInvalidEnum | McpAqlErrorValidationOutOfRange | McpAqlErrorValidationUnknownParam | McpAqlErrorValidationUnknownField | McpAqlErrorValidationInvalidEncoding | McpAqlErrorValidationPayloadTooLarge | McpAqlErrorValidationEndpointMismatch | McpAqlErrorNotFoundOperation | McpAqlErrorValidationReadOnlyField | McpAqlErrorBatchValidationError | McpAqlErrorSchemaMissingField | McpAqlErrorSchemaInvalidType | McpAqlErrorSchemaUnresolvedRef | McpAqlErrorSchemaDuplicateName | McpAqlErrorSchemaInvalidName | McpAqlErrorSchemaVersionDeprecated | McpAqlErrorSchemaVersionUnsupported | McpAqlErrorPermissionDenied | McpAqlErrorPermissionTrustLevelInsufficient | McpAqlErrorPermissionDangerLevelDenied | McpAqlErrorConfirmationRequired | McpAqlErrorTokenInvalid | McpAqlErrorTokenExpired | McpAqlErrorTokenAlreadyUsed | McpAqlErrorTokenScopeMismatch | McpAqlErrorNotFoundResource | McpAqlErrorConflictAlreadyExists | McpAqlErrorConflictVersionMismatch | McpAqlErrorConflictInvalidState | McpAqlErrorRateLimitExceeded | McpAqlErrorRateLimitQuotaPause | McpAqlErrorRateLimitQuotaExhausted | McpAqlErrorValidationBusinessRule | McpAqlErrorConflictInsufficientBalance | McpAqlErrorInternalError | McpAqlErrorSerializationParseError | McpAqlErrorBatchPartialFailure"
"""A failure."""


class McpAqlWarningBase(TypedDict):
    """What every McpAqlWarning has."""

    severity: NotRequired[McpAqlSeverity]
    """How bad it is."""

    message: str
    """Its words."""


class McpAqlWarningContentTruncated(McpAqlWarningBase):
    """`CONTENT_TRUNCATED`."""
    code: Literal["CONTENT_TRUNCATED"]
    details: NotRequired[ContentTruncatedContext]


class McpAqlWarningContentDropped(McpAqlWarningBase):
    """`CONTENT_DROPPED`."""
    code: Literal["CONTENT_DROPPED"]
    details: NotRequired[ContentDroppedContext]


class McpAqlWarningPrioritySummarized(McpAqlWarningBase):
    """`PRIORITY_SUMMARIZED`."""
    code: Literal["PRIORITY_SUMMARIZED"]
    details: NotRequired[PrioritySummarizedContext]


class McpAqlWarningSummaryProviderFailed(McpAqlWarningBase):
    """`SUMMARY_PROVIDER_FAILED`."""
    code: Literal["SUMMARY_PROVIDER_FAILED"]
    details: NotRequired[SummaryProviderFailedContext]


class McpAqlWarningTokenBudgetFloored(McpAqlWarningBase):
    """`TOKEN_BUDGET_FLOORED`."""
    code: Literal["TOKEN_BUDGET_FLOORED"]
    details: NotRequired[TokenBudgetFlooredContext]


class McpAqlWarningLimitsDefaulted(McpAqlWarningBase):
    """`LIMITS_DEFAULTED`."""
    code: Literal["LIMITS_DEFAULTED"]
    details: NotRequired[LimitsDefaultedContext]


class McpAqlWarningArchiveWriteFailed(McpAqlWarningBase):
    """`ARCHIVE_WRITE_FAILED`."""
    code: Literal["ARCHIVE_WRITE_FAILED"]
    details: NotRequired[ArchiveWriteFailedContext]


class McpAqlWarningProtectedOverflow(McpAqlWarningBase):
    """`PROTECTED_OVERFLOW`."""
    code: Literal["PROTECTED_OVERFLOW"]
    details: NotRequired[ProtectedOverflowContext]


class McpAqlWarningStateMigrationRecovered(McpAqlWarningBase):
    """`STATE_MIGRATION_RECOVERED`."""
    code: Literal["STATE_MIGRATION_RECOVERED"]
    details: NotRequired[StateMigrationRecoveredContext]


class McpAqlWarningTokenCountEstimateUsed(McpAqlWarningBase):
    """`TOKEN_COUNT_ESTIMATE_USED`."""
    code: Literal["TOKEN_COUNT_ESTIMATE_USED"]
    details: NotRequired[TokenCountEstimateUsedContext]


class McpAqlWarningStaleCache(McpAqlWarningBase):
    """`STALE_CACHE`."""
    code: Literal["STALE_CACHE"]
    details: NotRequired[StaleCacheContext]


class McpAqlWarningPartialFailure(McpAqlWarningBase):
    """`PARTIAL_FAILURE`."""
    code: Literal["PARTIAL_FAILURE"]
    details: NotRequired[PartialFailureContext]


class McpAqlWarningDeprecatedField(McpAqlWarningBase):
    """`DEPRECATED_FIELD`."""
    code: Literal["DEPRECATED_FIELD"]
    details: NotRequired[DeprecatedFieldContext]


class McpAqlWarningRateLimitApproaching(McpAqlWarningBase):
    """`RATE_LIMIT_APPROACHING`."""
    code: Literal["RATE_LIMIT_APPROACHING"]
    details: NotRequired[RateLimitApproachingContext]


class McpAqlWarningFallbackUsed(McpAqlWarningBase):
    """`FALLBACK_USED`."""
    code: Literal["FALLBACK_USED"]
    details: NotRequired[FallbackUsedContext]


class McpAqlWarningRateLimitQuotaWarning(McpAqlWarningBase):
    """`RATE_LIMIT_QUOTA_WARNING`."""
    code: Literal["RATE_LIMIT_QUOTA_WARNING"]
    details: NotRequired[RateLimitQuotaWarningContext]


class McpAqlWarningDeprecationWarning(McpAqlWarningBase):
    """`DEPRECATION_WARNING`."""
    code: Literal["DEPRECATION_WARNING"]
    details: NotRequired[DeprecationWarningContext]


class McpAqlWarningValidationTruncatedWarning(McpAqlWarningBase):
    """`VALIDATION_TRUNCATED_WARNING`."""
    code: Literal["VALIDATION_TRUNCATED_WARNING"]
    details: NotRequired[ValidationTruncatedWarningContext]


class McpAqlWarningPerformanceSlowQueryWarning(McpAqlWarningBase):
    """`PERFORMANCE_SLOW_QUERY_WARNING`."""
    code: Literal["PERFORMANCE_SLOW_QUERY_WARNING"]
    details: NotRequired[PerformanceSlowQueryWarningContext]


class McpAqlWarningArgumentsRepaired(McpAqlWarningBase):
    """`ARGUMENTS_REPAIRED`."""
    code: Literal["ARGUMENTS_REPAIRED"]
    details: NotRequired[ArgumentsRepairedContext]


class McpAqlWarningArgumentsMismatch(McpAqlWarningBase):
    """`ARGUMENTS_MISMATCH`."""
    code: Literal["ARGUMENTS_MISMATCH"]
    details: NotRequired[ArgumentsMismatchContext]


class McpAqlWarningArgumentsUnchecked(McpAqlWarningBase):
    """`ARGUMENTS_UNCHECKED`."""
    code: Literal["ARGUMENTS_UNCHECKED"]
    details: NotRequired[ArgumentsUncheckedContext]


class McpAqlWarningOutputMismatch(McpAqlWarningBase):
    """`OUTPUT_MISMATCH`."""
    code: Literal["OUTPUT_MISMATCH"]
    details: NotRequired[OutputMismatchContext]


class McpAqlWarningLooksFailed(McpAqlWarningBase):
    """`LOOKS_FAILED`."""
    code: Literal["LOOKS_FAILED"]
    details: NotRequired[LooksFailedContext]


class McpAqlWarningToolListStale(McpAqlWarningBase):
    """`TOOL_LIST_STALE`."""
    code: Literal["TOOL_LIST_STALE"]
    details: NotRequired[ToolListStaleContext]


class McpAqlWarningUpstreamLost(McpAqlWarningBase):
    """`UPSTREAM_LOST`."""
    code: Literal["UPSTREAM_LOST"]
    details: NotRequired[UpstreamLostContext]


class McpAqlWarningNamesShortened(McpAqlWarningBase):
    """`NAMES_SHORTENED`."""
    code: Literal["NAMES_SHORTENED"]
    details: NotRequired[NamesShortenedContext]


class McpAqlWarningResultAdapted(McpAqlWarningBase):
    """`RESULT_ADAPTED`."""
    code: Literal["RESULT_ADAPTED"]
    details: NotRequired[ResultAdaptedContext]


class McpAqlWarningUnknownParamIgnored(McpAqlWarningBase):
    """`UNKNOWN_PARAM_IGNORED`."""
    code: Literal["UNKNOWN_PARAM_IGNORED"]
    details: NotRequired[UnknownParamIgnoredContext]


class McpAqlWarningRetried(McpAqlWarningBase):
    """`RETRIED`."""
    code: Literal["RETRIED"]
    details: NotRequired[RetriedContext]


class McpAqlWarningWarningsSuppressed(McpAqlWarningBase):
    """`WARNINGS_SUPPRESSED`."""
    code: Literal["WARNINGS_SUPPRESSED"]
    details: NotRequired[WarningsSuppressedContext]


class McpAqlWarningUnspecifiedWarning(McpAqlWarningBase):
    """`UNSPECIFIED_WARNING`."""
    code: Literal["UNSPECIFIED_WARNING"]
    details: NotRequired[dict[str, Any]]


class OwnMcpAqlWarning(McpAqlWarningBase):
    """A McpAqlWarning that is not built in."""

    code: str
    """Which warning; a plain one has none."""

    details: NotRequired[dict[str, Any]]
    """Facts about it."""


McpAqlWarning: TypeAlias = "McpAqlWarningContentTruncated | McpAqlWarningContentDropped | McpAqlWarningPrioritySummarized | McpAqlWarningSummaryProviderFailed | McpAqlWarningTokenBudgetFloored | McpAqlWarningLimitsDefaulted | McpAqlWarningArchiveWriteFailed | McpAqlWarningProtectedOverflow | McpAqlWarningStateMigrationRecovered | McpAqlWarningTokenCountEstimateUsed | McpAqlWarningStaleCache | McpAqlWarningPartialFailure | McpAqlWarningDeprecatedField | McpAqlWarningRateLimitApproaching | McpAqlWarningFallbackUsed | McpAqlWarningRateLimitQuotaWarning | McpAqlWarningDeprecationWarning | McpAqlWarningValidationTruncatedWarning | McpAqlWarningPerformanceSlowQueryWarning | McpAqlWarningArgumentsRepaired | McpAqlWarningArgumentsMismatch | McpAqlWarningArgumentsUnchecked | McpAqlWarningOutputMismatch | McpAqlWarningLooksFailed | McpAqlWarningToolListStale | McpAqlWarningUpstreamLost | McpAqlWarningNamesShortened | McpAqlWarningResultAdapted | McpAqlWarningUnknownParamIgnored | McpAqlWarningRetried | McpAqlWarningWarningsSuppressed | McpAqlWarningUnspecifiedWarning"
"""What rides on a success: it worked, but the caller should know this."""


class McpAqlValidationInvalidValueDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_INVALID_VALUE`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    operation: str
    """The operation that was called."""

    reason: str
    """Why the value was refused, in one sentence."""

    expected: str
    """What would have been accepted."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class McpAqlValidationInvalidTypeDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_INVALID_TYPE`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    expected_type: str
    """Required by the row. The type the schema wants."""

    actual_type: str
    """Required by the row. The type that came."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class McpAqlValidationMissingParamDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_MISSING_PARAM`."""

    param_name: str
    """Required by the row. The name of the missing parameter."""

    operation: str
    """The operation that needs it."""


class McpAqlValidationPatternMismatchDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_PATTERN_MISMATCH`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    pattern: str
    """Required by the row. The regular expression, or the name of the format."""

    example: str
    """A value of the wanted form."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class McpAqlValidationInvalidEnumDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_INVALID_ENUM`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    allowed_values: Any
    """Required by the row. The list of allowed values."""

    suggestion: Any
    """The allowed value nearest to the one given."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class McpAqlValidationOutOfRangeDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_OUT_OF_RANGE`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    minimum: float
    """The smallest value allowed."""

    maximum: float
    """The largest value allowed."""

    value: Any
    """The value that was refused, if it is safe to repeat."""


class McpAqlValidationUnknownParamDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_UNKNOWN_PARAM`."""

    operation: str
    """Required by the row. The operation that was called."""

    unknown_params: list[str]
    """Required by the row. The unknown names."""

    valid_params: list[str]
    """Required by the row. The names the operation has."""


class McpAqlValidationUnknownFieldDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_UNKNOWN_FIELD`."""

    operation: str
    """Required by the row. The operation that was called."""

    unknown_fields: list[str]
    """Required by the row. The unknown names."""

    valid_fields: list[str]
    """The names the resource has."""


class McpAqlValidationInvalidEncodingDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_INVALID_ENCODING`."""

    location: str
    """Where in the request, for example params.description."""

    byte_offset: int
    """Offset of the first bad byte."""


class McpAqlValidationPayloadTooLargeDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_PAYLOAD_TOO_LARGE`."""

    limit_type: Literal["request_size", "response_size", "string_length", "array_elements", "nesting_depth"]
    """Required by the row. Which limit was passed."""

    limit_value: int
    """Required by the row. The limit."""

    actual_value: int
    """Required by the row. The size or count measured."""

    unit: Literal["bytes", "elements", "levels"]
    """Required by the row. What is counted."""


class McpAqlValidationEndpointMismatchDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_ENDPOINT_MISMATCH`."""

    operation: str
    """Required by the row. The operation that was called."""

    expected_endpoint: str
    """Required by the row. The endpoint that has the operation."""

    actual_endpoint: str
    """Required by the row. The endpoint that was called."""


class McpAqlNotFoundOperationDetails(McpAqlCommonDetails, total=False):
    """Details of `NOT_FOUND_OPERATION`."""

    operation: str
    """Required by the row. The name that was asked for."""

    available: list[str]
    """Names the caller may use instead."""


class McpAqlValidationReadOnlyFieldDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_READ_ONLY_FIELD`."""

    param_name: str
    """Required by the row. The name of the parameter, or the dotted path to it."""

    operation: str
    """The operation that was called."""


class McpAqlBatchValidationErrorDetails(McpAqlCommonDetails, total=False):
    """Details of `BATCH_VALIDATION_ERROR`."""

    reason: str
    """Required by the row. What is wrong with the batch."""

    index: int
    """Position of the first bad entry."""


class McpAqlSchemaMissingFieldDetails(McpAqlCommonDetails, total=False):
    """Details of `SCHEMA_MISSING_FIELD`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_type: str
    """Required by the row. The type the document should have here."""

    actual_type: str
    """Required by the row. The type found, or missing."""

    suggestion: str
    """How to put it right, if known."""


class McpAqlSchemaInvalidTypeDetails(McpAqlCommonDetails, total=False):
    """Details of `SCHEMA_INVALID_TYPE`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_type: str
    """Required by the row. The type the document should have here."""

    actual_type: str
    """Required by the row. The type found, or missing."""

    suggestion: str
    """How to put it right, if known."""


class McpAqlSchemaUnresolvedRefDetails(McpAqlCommonDetails, total=False):
    """Details of `SCHEMA_UNRESOLVED_REF`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. The types the document declares."""

    actual_value: Any
    """Required by the row. The name that was referred to."""

    suggestion: str
    """How to put it right, if known."""


class McpAqlSchemaDuplicateNameDetails(McpAqlCommonDetails, total=False):
    """Details of `SCHEMA_DUPLICATE_NAME`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. A name that is still free, or where the name was taken first."""

    actual_value: Any
    """Required by the row. The name declared twice."""

    suggestion: str
    """How to put it right, if known."""


class McpAqlSchemaInvalidNameDetails(McpAqlCommonDetails, total=False):
    """Details of `SCHEMA_INVALID_NAME`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. The pattern names have to match."""

    actual_value: Any
    """Required by the row. The name found."""

    suggestion: str
    """How to put it right, if known."""


class McpAqlSchemaVersionDeprecatedDetails(McpAqlCommonDetails, total=False):
    """Details of `SCHEMA_VERSION_DEPRECATED`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. The version to move to."""

    actual_value: Any
    """Required by the row. The version found."""

    suggestion: str
    """How to put it right, if known."""


class McpAqlSchemaVersionUnsupportedDetails(McpAqlCommonDetails, total=False):
    """Details of `SCHEMA_VERSION_UNSUPPORTED`."""

    field_path: str
    """Required by the row. Dotted path of the field in the schema document."""

    expected_value: Any
    """Required by the row. The versions the loader reads."""

    actual_value: Any
    """Required by the row. The version found."""

    suggestion: str
    """How to put it right, if known."""


class McpAqlPermissionDeniedDetails(McpAqlCommonDetails, total=False):
    """Details of `PERMISSION_DENIED`."""

    service: str
    """The service that was called."""

    scheme: str
    """The way to authenticate, for example Bearer."""

    expired_at: str
    """When the credentials expired."""

    reason: str
    """Why access was refused, in one sentence."""

    required_scope: str
    """The scope or permission that would be enough."""

    operation: str
    """The operation that was called."""

    feature: str
    """The feature that is off."""


class McpAqlPermissionTrustLevelInsufficientDetails(McpAqlCommonDetails, total=False):
    """Details of `PERMISSION_TRUST_LEVEL_INSUFFICIENT`."""

    operation: str
    """Required by the row. The operation that was called."""

    required_trust: Literal["untested", "generated", "validated", "community_reviewed", "certified"]
    """Required by the row. The least trust level the operation asks for."""

    actual_trust: str
    """Required by the row. The trust level of the adapter."""

    danger_level: int
    """The danger of the operation, 0 to 4."""


class McpAqlPermissionDangerLevelDeniedDetails(McpAqlCommonDetails, total=False):
    """Details of `PERMISSION_DANGER_LEVEL_DENIED`."""

    operation: str
    """Required by the row. The operation that was called."""

    danger_level: Literal["safe", "reversible", "destructive", "dangerous", "forbidden"]
    """Required by the row. The danger of the operation."""

    adapter_trust: str
    """Required by the row. The trust level of the adapter."""

    minimum_trust_required: str
    """Required by the row. The least trust level that is not denied."""

    reasons: list[str]
    """Why the operation is dangerous."""


class McpAqlConfirmationRequiredDetails(McpAqlCommonDetails, total=False):
    """Details of `CONFIRMATION_REQUIRED`."""

    operation: str
    """Required by the row. The operation that waits for consent."""

    danger_level: str
    """Required by the row. The danger of the operation."""

    reasons: list[str]
    """Why consent is asked for."""

    confirmation_message: str
    """The question to put to the person."""

    confirmation_token: str
    """Required by the row. The token to send along once the person has agreed."""

    expires_at: str
    """Required by the row. When the token expires."""

    not_before: str
    """The earliest moment the token may be redeemed, if there is a cooldown."""


class McpAqlTokenInvalidDetails(McpAqlCommonDetails, total=False):
    """Details of `TOKEN_INVALID`."""

    token: str
    """Required by the row. The token that was presented."""


class McpAqlTokenExpiredDetails(McpAqlCommonDetails, total=False):
    """Details of `TOKEN_EXPIRED`."""

    token: str
    """Required by the row. The token that was presented."""

    expired_at: str
    """Required by the row. When it expired."""

    current_time: str
    """Required by the row. The server's time when it was presented."""


class McpAqlTokenAlreadyUsedDetails(McpAqlCommonDetails, total=False):
    """Details of `TOKEN_ALREADY_USED`."""

    token: str
    """Required by the row. The token that was presented."""

    consumed_at: str
    """When it was redeemed."""


class McpAqlTokenScopeMismatchDetails(McpAqlCommonDetails, total=False):
    """Details of `TOKEN_SCOPE_MISMATCH`."""

    token: str
    """Required by the row. The token that was presented."""

    token_operation: str
    """Required by the row. The operation the token was issued for."""

    requested_operation: str
    """Required by the row. The operation it was presented with."""


class McpAqlNotFoundResourceDetails(McpAqlCommonDetails, total=False):
    """Details of `NOT_FOUND_RESOURCE`."""

    resource_type: str
    """What kind of thing it is, for example repository."""

    resource_id: str
    """The identifier nothing was found for."""


class McpAqlConflictAlreadyExistsDetails(McpAqlCommonDetails, total=False):
    """Details of `CONFLICT_ALREADY_EXISTS`."""

    resource_type: str
    """What kind of thing it is."""

    resource_id: str
    """Its identifier."""

    operation: str
    """The operation that came twice."""

    idempotency_key: str
    """The key both calls share."""

    first_seen_at: str
    """When the first call came."""

    original_result: Any
    """The result of the first call, if it is kept."""


class McpAqlConflictVersionMismatchDetails(McpAqlCommonDetails, total=False):
    """Details of `CONFLICT_VERSION_MISMATCH`."""

    expected_version: str
    """Required by the row. The version the caller built on."""

    actual_version: str
    """Required by the row. The version there is now."""

    resource_type: str
    """What kind of thing it is."""

    resource_id: str
    """Its identifier."""


class McpAqlConflictInvalidStateDetails(McpAqlCommonDetails, total=False):
    """Details of `CONFLICT_INVALID_STATE`."""

    operation: str
    """Required by the row. The operation that was tried."""

    current_state: str
    """Required by the row. The state the resource is in."""

    allowed_states: list[str]
    """The states in which the operation is possible."""

    resource_type: str
    """What kind of thing it is."""

    resource_id: str
    """Its identifier."""


class McpAqlRateLimitExceededDetails(McpAqlCommonDetails, total=False):
    """Details of `RATE_LIMIT_EXCEEDED`."""

    limit: int
    """Required by the row. How many calls the window allows."""

    remaining: int
    """Required by the row. How many are left, usually none."""

    window: Literal["second", "minute", "hour", "day"]
    """Required by the row. The length of the window."""

    resets_at: str
    """Required by the row. When the window resets."""


class McpAqlRateLimitQuotaPauseDetails(McpAqlCommonDetails, total=False):
    """Details of `RATE_LIMIT_QUOTA_PAUSE`."""

    metric: str
    """Required by the row. The metric that is counted, for example requests_per_hour."""

    current: float
    """Required by the row. Usage so far."""

    pause_threshold: float
    """Required by the row. Where the pause begins."""

    hard_stop_threshold: float
    """Where everything stops, if there is such a point."""

    confirmation_token: str
    """Required by the row. The token to send along once a person has agreed."""

    expires_at: str
    """Required by the row. When the token expires."""


class McpAqlRateLimitQuotaExhaustedDetails(McpAqlCommonDetails, total=False):
    """Details of `RATE_LIMIT_QUOTA_EXHAUSTED`."""

    metric: str
    """Required by the row. The metric that is counted, for example requests_per_hour."""

    current: float
    """Required by the row. Usage so far."""

    hard_stop_threshold: float
    """Required by the row. Where everything stops."""

    resets_at: str
    """Required by the row. When the quota resets."""


class McpAqlValidationBusinessRuleDetails(McpAqlCommonDetails, total=False):
    """Details of `VALIDATION_BUSINESS_RULE`."""

    rule: str
    """Required by the row. The rule, by name or in a few words."""

    reason: str
    """How the call breaks it."""

    operation: str
    """The operation that was called."""


class McpAqlConflictInsufficientBalanceDetails(McpAqlCommonDetails, total=False):
    """Details of `CONFLICT_INSUFFICIENT_BALANCE`."""

    required: float
    """The amount needed."""

    available: float
    """The amount there is."""

    currency: str
    """The unit of both amounts."""


class McpAqlInternalErrorDetails(McpAqlCommonDetails, total=False):
    """Details of `INTERNAL_ERROR`."""

    service: str
    """The service that was called."""

    upstream_error: str
    """What the target said, redacted and shortened."""

    dependency: str
    """What failed."""

    timeout_ms: int
    """How long was waited, in milliseconds."""

    operation: str
    """The operation that was called."""

    failures: int
    """How many calls failed in a row."""

    in_flight: int
    """Calls running when this one came."""

    limit: int
    """How many may run."""

    transport_code: Literal["TRANSPORT_DNS_ERROR", "TRANSPORT_CONNECTION_REFUSED", "TRANSPORT_TIMEOUT", "TRANSPORT_TLS_ERROR", "TRANSPORT_NETWORK_ERROR"]
    """What kind of network failure it was."""

    reason: str
    """Which check failed."""

    adapter: str
    """The adapter that failed."""

    original_error: str
    """The adapter's own name for the error."""

    setting: str
    """The setting, by its name in the configuration."""

    foreign_code: str
    """The code it came with, if it had one."""


class McpAqlSerializationParseErrorDetails(McpAqlCommonDetails, total=False):
    """Details of `SERIALIZATION_PARSE_ERROR`."""

    service: str
    """The service that was called."""

    content_type: str
    """The media type the answer claimed."""

    preview: str
    """The first 200 characters, redacted."""


class McpAqlBatchPartialFailureDetails(McpAqlCommonDetails, total=False):
    """Details of `BATCH_PARTIAL_FAILURE`."""

    total: int
    """Required by the row. How many items the batch had."""

    succeeded: int
    """Required by the row. Always 0 here."""

    failed: int
    """Required by the row. Equal to total here."""

    errors: list[dict[str, Any]]
    """Required by the row. One object per failed item: index, code, message."""


class McpAqlSuccessMeta(TypedDict):
    """Part of a document: `McpAqlSuccessMeta`."""

    request_id: NotRequired[str]
    """The id of the call."""


class McpAqlSuccess(TypedDict):
    """A call that worked, or one that needs something from the user first."""

    success: Literal[True]
    """It worked."""

    data: Any
    """The payload."""

    _meta: NotRequired[McpAqlSuccessMeta]
    """Metadata."""

    warnings: NotRequired[list[McpAqlWarning]]
    """What degraded the success, worst first."""


class McpAqlFailure(TypedDict):
    """A failed call. Closed to other keys."""

    success: Literal[False]
    """It did not work."""

    error: McpAqlError
    """Why."""


McpAqlDocument: TypeAlias = "McpAqlSuccess | McpAqlBatch | McpAqlFailure"
"""Any document of the dialect."""


class McpAqlItemSuccess(TypedDict):
    """The result of an item that is done."""

    success: Literal[True]
    """It worked."""

    data: Any
    """The payload."""


class McpAqlItem(TypedDict):
    """One item of a batch."""

    index: int
    """Its position in the request, from zero."""

    operation: NotRequired[str]
    """Its operation."""

    id: NotRequired[str]
    """The caller's name for it; absent to the letter."""

    result: McpAqlItemSuccess | McpAqlFailure
    """What it came to."""

    status: NotRequired[Literal["pending_confirmation"]]
    """Neither done nor failed: it waits for a person."""


class McpAqlBatchSummary(TypedDict):
    """Part of a document: `McpAqlBatchSummary`."""

    total: int
    """How many items there were."""

    succeeded: int
    """How many are done."""

    failed: int
    """How many failed."""

    halted: NotRequired[Literal[True]]
    """The batch stopped at its first pending item."""

    pending_confirmation: NotRequired[int]
    """How many wait for a confirmation."""


class McpAqlBatch(TypedDict):
    """A batch with the result of every item."""

    success: Literal[True]
    """The batch was processed."""

    data: None
    """The results stand beside it."""

    results: list[McpAqlItem]
    """The items, in the order they were asked for."""

    summary: McpAqlBatchSummary
    """How many came to what."""

    warnings: NotRequired[list[McpAqlWarning]]
    """What degraded the success, worst first."""


class ProblemBase(TypedDict):
    """What every Problem has."""

    detail: str
    """What happened, in a sentence."""

    instance: str
    """This very failure."""

    domain_code: NotRequired[str]
    """The name the domain or another vocabulary has for it."""

    violations: NotRequired[list[Violation]]
    """Every broken rule."""

    retry: NotRequired[RetryAdvice]
    """May the call be repeated?"""

    remediation: NotRequired[str]
    """What the caller should do."""

    recovery_actions: NotRequired[list[str]]
    """Recovery actions, the preferred one first."""

    recovery_hint: NotRequired[RecoveryHint]
    """One word on how to recover."""

    user_message: NotRequired[str]
    """What a person may be told."""

    fallback_tool: NotRequired[str]
    """A tool to call instead."""

    corrective_params: NotRequired[Any]
    """Complete arguments that would do."""

    origin: NotRequired[Origin]
    """Whose doing it was."""

    provenance: NotRequired[Provenance]
    """Which rule classified a bare failure."""

    http_status: NotRequired[int]
    """The HTTP status of an upstream's answer."""

    docs_url: NotRequired[str]
    """Where to read more."""

    needs_input: NotRequired[NeedsInput]
    """The question to put to a person, if it is theirs to answer."""

    correlation_id: NotRequired[str]
    """The id under which the operator finds the rest."""

    timestamp: NotRequired[str]
    """When it happened."""


class ProblemValidationInvalidValue(ProblemBase):
    """`VALIDATION_INVALID_VALUE`."""
    type: Literal["urn:breakfall:code:VALIDATION_INVALID_VALUE"]
    title: Literal["Invalid value"]
    status: Literal[422]
    code: NotRequired[Literal["VALIDATION_INVALID_VALUE"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationInvalidValueDetails]


class ProblemValidationMissingParam(ProblemBase):
    """`VALIDATION_MISSING_PARAM`."""
    type: Literal["urn:breakfall:code:VALIDATION_MISSING_PARAM"]
    title: Literal["Missing required parameter"]
    status: Literal[400]
    code: NotRequired[Literal["VALIDATION_MISSING_PARAM"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationMissingParamDetails]


class ProblemValidationInvalidType(ProblemBase):
    """`VALIDATION_INVALID_TYPE`."""
    type: Literal["urn:breakfall:code:VALIDATION_INVALID_TYPE"]
    title: Literal["Parameter has the wrong type"]
    status: Literal[400]
    code: NotRequired[Literal["VALIDATION_INVALID_TYPE"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationInvalidTypeDetails]


class ProblemValidationPatternMismatch(ProblemBase):
    """`VALIDATION_PATTERN_MISMATCH`."""
    type: Literal["urn:breakfall:code:VALIDATION_PATTERN_MISMATCH"]
    title: Literal["Parameter does not match its pattern"]
    status: Literal[422]
    code: NotRequired[Literal["VALIDATION_PATTERN_MISMATCH"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationPatternMismatchDetails]


class ProblemValidationInvalidEnum(ProblemBase):
    """`VALIDATION_INVALID_ENUM`."""
    type: Literal["urn:breakfall:code:VALIDATION_INVALID_ENUM"]
    title: Literal["Parameter is not one of the allowed values"]
    status: Literal[422]
    code: NotRequired[Literal["VALIDATION_INVALID_ENUM"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationInvalidEnumDetails]


class ProblemValidationOutOfRange(ProblemBase):
    """`VALIDATION_OUT_OF_RANGE`."""
    type: Literal["urn:breakfall:code:VALIDATION_OUT_OF_RANGE"]
    title: Literal["Parameter is out of range"]
    status: Literal[422]
    code: NotRequired[Literal["VALIDATION_OUT_OF_RANGE"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationOutOfRangeDetails]


class ProblemValidationUnknownParam(ProblemBase):
    """`VALIDATION_UNKNOWN_PARAM`."""
    type: Literal["urn:breakfall:code:VALIDATION_UNKNOWN_PARAM"]
    title: Literal["Unknown parameter(s)"]
    status: Literal[400]
    code: NotRequired[Literal["VALIDATION_UNKNOWN_PARAM"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationUnknownParamDetails]


class ProblemValidationUnknownField(ProblemBase):
    """`VALIDATION_UNKNOWN_FIELD`."""
    type: Literal["urn:breakfall:code:VALIDATION_UNKNOWN_FIELD"]
    title: Literal["Unknown field(s) in the input"]
    status: Literal[400]
    code: NotRequired[Literal["VALIDATION_UNKNOWN_FIELD"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationUnknownFieldDetails]


class ProblemValidationInvalidEncoding(ProblemBase):
    """`VALIDATION_INVALID_ENCODING`."""
    type: Literal["urn:breakfall:code:VALIDATION_INVALID_ENCODING"]
    title: Literal["Invalid character encoding in request"]
    status: Literal[400]
    code: NotRequired[Literal["VALIDATION_INVALID_ENCODING"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationInvalidEncodingDetails]


class ProblemValidationPayloadTooLarge(ProblemBase):
    """`VALIDATION_PAYLOAD_TOO_LARGE`."""
    type: Literal["urn:breakfall:code:VALIDATION_PAYLOAD_TOO_LARGE"]
    title: Literal["Payload too large"]
    status: Literal[413]
    code: NotRequired[Literal["VALIDATION_PAYLOAD_TOO_LARGE"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationPayloadTooLargeDetails]


class ProblemValidationEndpointMismatch(ProblemBase):
    """`VALIDATION_ENDPOINT_MISMATCH`."""
    type: Literal["urn:breakfall:code:VALIDATION_ENDPOINT_MISMATCH"]
    title: Literal["Operation belongs to another endpoint"]
    status: Literal[400]
    code: NotRequired[Literal["VALIDATION_ENDPOINT_MISMATCH"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationEndpointMismatchDetails]


class ProblemValidationReadOnlyField(ProblemBase):
    """`VALIDATION_READ_ONLY_FIELD`."""
    type: Literal["urn:breakfall:code:VALIDATION_READ_ONLY_FIELD"]
    title: Literal["Parameter is read-only"]
    status: Literal[422]
    code: NotRequired[Literal["VALIDATION_READ_ONLY_FIELD"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[ValidationReadOnlyFieldDetails]


class ProblemBatchValidationError(ProblemBase):
    """`BATCH_VALIDATION_ERROR`."""
    type: Literal["urn:breakfall:code:BATCH_VALIDATION_ERROR"]
    title: Literal["Batch request is invalid"]
    status: Literal[400]
    code: NotRequired[Literal["BATCH_VALIDATION_ERROR"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[BatchValidationErrorDetails]


class ProblemSchemaMissingField(ProblemBase):
    """`SCHEMA_MISSING_FIELD`."""
    type: Literal["urn:breakfall:code:SCHEMA_MISSING_FIELD"]
    title: Literal["Schema field is missing"]
    status: Literal[422]
    code: NotRequired[Literal["SCHEMA_MISSING_FIELD"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[SchemaMissingFieldDetails]


class ProblemSchemaInvalidType(ProblemBase):
    """`SCHEMA_INVALID_TYPE`."""
    type: Literal["urn:breakfall:code:SCHEMA_INVALID_TYPE"]
    title: Literal["Schema field has the wrong type"]
    status: Literal[422]
    code: NotRequired[Literal["SCHEMA_INVALID_TYPE"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[SchemaInvalidTypeDetails]


class ProblemSchemaUnresolvedRef(ProblemBase):
    """`SCHEMA_UNRESOLVED_REF`."""
    type: Literal["urn:breakfall:code:SCHEMA_UNRESOLVED_REF"]
    title: Literal["Schema reference cannot be resolved"]
    status: Literal[422]
    code: NotRequired[Literal["SCHEMA_UNRESOLVED_REF"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[SchemaUnresolvedRefDetails]


class ProblemSchemaDuplicateName(ProblemBase):
    """`SCHEMA_DUPLICATE_NAME`."""
    type: Literal["urn:breakfall:code:SCHEMA_DUPLICATE_NAME"]
    title: Literal["Schema name is already taken"]
    status: Literal[422]
    code: NotRequired[Literal["SCHEMA_DUPLICATE_NAME"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[SchemaDuplicateNameDetails]


class ProblemSchemaInvalidName(ProblemBase):
    """`SCHEMA_INVALID_NAME`."""
    type: Literal["urn:breakfall:code:SCHEMA_INVALID_NAME"]
    title: Literal["Schema name is not written as required"]
    status: Literal[422]
    code: NotRequired[Literal["SCHEMA_INVALID_NAME"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[SchemaInvalidNameDetails]


class ProblemSchemaVersionDeprecated(ProblemBase):
    """`SCHEMA_VERSION_DEPRECATED`."""
    type: Literal["urn:breakfall:code:SCHEMA_VERSION_DEPRECATED"]
    title: Literal["Schema version is deprecated"]
    status: Literal[422]
    code: NotRequired[Literal["SCHEMA_VERSION_DEPRECATED"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[SchemaVersionDeprecatedDetails]


class ProblemSchemaVersionUnsupported(ProblemBase):
    """`SCHEMA_VERSION_UNSUPPORTED`."""
    type: Literal["urn:breakfall:code:SCHEMA_VERSION_UNSUPPORTED"]
    title: Literal["Schema version is not supported"]
    status: Literal[422]
    code: NotRequired[Literal["SCHEMA_VERSION_UNSUPPORTED"]]
    category: NotRequired[Literal["validation"]]
    details: NotRequired[SchemaVersionUnsupportedDetails]


class ProblemAuthenticationRequired(ProblemBase):
    """`AUTHENTICATION_REQUIRED`."""
    type: Literal["urn:breakfall:code:AUTHENTICATION_REQUIRED"]
    title: Literal["Authentication required"]
    status: Literal[401]
    code: NotRequired[Literal["AUTHENTICATION_REQUIRED"]]
    category: NotRequired[Literal["authentication"]]
    details: NotRequired[AuthenticationRequiredDetails]


class ProblemAuthenticationInvalidCredentials(ProblemBase):
    """`AUTHENTICATION_INVALID_CREDENTIALS`."""
    type: Literal["urn:breakfall:code:AUTHENTICATION_INVALID_CREDENTIALS"]
    title: Literal["Authentication failed: credentials were refused"]
    status: Literal[401]
    code: NotRequired[Literal["AUTHENTICATION_INVALID_CREDENTIALS"]]
    category: NotRequired[Literal["authentication"]]
    details: NotRequired[AuthenticationInvalidCredentialsDetails]


class ProblemAuthenticationExpired(ProblemBase):
    """`AUTHENTICATION_EXPIRED`."""
    type: Literal["urn:breakfall:code:AUTHENTICATION_EXPIRED"]
    title: Literal["Authentication expired: credentials are no longer valid"]
    status: Literal[401]
    code: NotRequired[Literal["AUTHENTICATION_EXPIRED"]]
    category: NotRequired[Literal["authentication"]]
    details: NotRequired[AuthenticationExpiredDetails]


class ProblemPermissionDenied(ProblemBase):
    """`PERMISSION_DENIED`."""
    type: Literal["urn:breakfall:code:PERMISSION_DENIED"]
    title: Literal["Permission denied"]
    status: Literal[403]
    code: NotRequired[Literal["PERMISSION_DENIED"]]
    category: NotRequired[Literal["authorization"]]
    details: NotRequired[PermissionDeniedDetails]


class ProblemPermissionTrustLevelInsufficient(ProblemBase):
    """`PERMISSION_TRUST_LEVEL_INSUFFICIENT`."""
    type: Literal["urn:breakfall:code:PERMISSION_TRUST_LEVEL_INSUFFICIENT"]
    title: Literal["Operation requires a higher trust level"]
    status: Literal[403]
    code: NotRequired[Literal["PERMISSION_TRUST_LEVEL_INSUFFICIENT"]]
    category: NotRequired[Literal["authorization"]]
    details: NotRequired[PermissionTrustLevelInsufficientDetails]


class ProblemPermissionDangerLevelDenied(ProblemBase):
    """`PERMISSION_DANGER_LEVEL_DENIED`."""
    type: Literal["urn:breakfall:code:PERMISSION_DANGER_LEVEL_DENIED"]
    title: Literal["Operation denied for its danger level"]
    status: Literal[403]
    code: NotRequired[Literal["PERMISSION_DANGER_LEVEL_DENIED"]]
    category: NotRequired[Literal["authorization"]]
    details: NotRequired[PermissionDangerLevelDeniedDetails]


class ProblemPermissionNotAllowed(ProblemBase):
    """`PERMISSION_NOT_ALLOWED`."""
    type: Literal["urn:breakfall:code:PERMISSION_NOT_ALLOWED"]
    title: Literal["Permission denied: operation is not allowed"]
    status: Literal[403]
    code: NotRequired[Literal["PERMISSION_NOT_ALLOWED"]]
    category: NotRequired[Literal["authorization"]]
    details: NotRequired[PermissionNotAllowedDetails]


class ProblemPermissionFeatureDisabled(ProblemBase):
    """`PERMISSION_FEATURE_DISABLED`."""
    type: Literal["urn:breakfall:code:PERMISSION_FEATURE_DISABLED"]
    title: Literal["Permission denied: feature is disabled"]
    status: Literal[403]
    code: NotRequired[Literal["PERMISSION_FEATURE_DISABLED"]]
    category: NotRequired[Literal["authorization"]]
    details: NotRequired[PermissionFeatureDisabledDetails]


class ProblemConfirmationRequired(ProblemBase):
    """`CONFIRMATION_REQUIRED`."""
    type: Literal["urn:breakfall:code:CONFIRMATION_REQUIRED"]
    title: Literal["This operation requires confirmation"]
    status: Literal[403]
    code: NotRequired[Literal["CONFIRMATION_REQUIRED"]]
    category: NotRequired[Literal["confirmation"]]
    details: NotRequired[ConfirmationRequiredDetails]


class ProblemTokenInvalid(ProblemBase):
    """`TOKEN_INVALID`."""
    type: Literal["urn:breakfall:code:TOKEN_INVALID"]
    title: Literal["Invalid confirmation token"]
    status: Literal[400]
    code: NotRequired[Literal["TOKEN_INVALID"]]
    category: NotRequired[Literal["confirmation"]]
    details: NotRequired[TokenInvalidDetails]


class ProblemTokenExpired(ProblemBase):
    """`TOKEN_EXPIRED`."""
    type: Literal["urn:breakfall:code:TOKEN_EXPIRED"]
    title: Literal["Confirmation token has expired"]
    status: Literal[403]
    code: NotRequired[Literal["TOKEN_EXPIRED"]]
    category: NotRequired[Literal["confirmation"]]
    details: NotRequired[TokenExpiredDetails]


class ProblemTokenAlreadyUsed(ProblemBase):
    """`TOKEN_ALREADY_USED`."""
    type: Literal["urn:breakfall:code:TOKEN_ALREADY_USED"]
    title: Literal["Confirmation token has already been used"]
    status: Literal[403]
    code: NotRequired[Literal["TOKEN_ALREADY_USED"]]
    category: NotRequired[Literal["confirmation"]]
    details: NotRequired[TokenAlreadyUsedDetails]


class ProblemTokenScopeMismatch(ProblemBase):
    """`TOKEN_SCOPE_MISMATCH`."""
    type: Literal["urn:breakfall:code:TOKEN_SCOPE_MISMATCH"]
    title: Literal["Confirmation token scope mismatch"]
    status: Literal[403]
    code: NotRequired[Literal["TOKEN_SCOPE_MISMATCH"]]
    category: NotRequired[Literal["confirmation"]]
    details: NotRequired[TokenScopeMismatchDetails]


class ProblemNotFoundResource(ProblemBase):
    """`NOT_FOUND_RESOURCE`."""
    type: Literal["urn:breakfall:code:NOT_FOUND_RESOURCE"]
    title: Literal["Resource not found"]
    status: Literal[404]
    code: NotRequired[Literal["NOT_FOUND_RESOURCE"]]
    category: NotRequired[Literal["not_found"]]
    details: NotRequired[NotFoundResourceDetails]


class ProblemNotFoundOperation(ProblemBase):
    """`NOT_FOUND_OPERATION`."""
    type: Literal["urn:breakfall:code:NOT_FOUND_OPERATION"]
    title: Literal["Unknown operation"]
    status: Literal[404]
    code: NotRequired[Literal["NOT_FOUND_OPERATION"]]
    category: NotRequired[Literal["not_found"]]
    details: NotRequired[NotFoundOperationDetails]


class ProblemConflictAlreadyExists(ProblemBase):
    """`CONFLICT_ALREADY_EXISTS`."""
    type: Literal["urn:breakfall:code:CONFLICT_ALREADY_EXISTS"]
    title: Literal["Resource already exists"]
    status: Literal[409]
    code: NotRequired[Literal["CONFLICT_ALREADY_EXISTS"]]
    category: NotRequired[Literal["conflict"]]
    details: NotRequired[ConflictAlreadyExistsDetails]


class ProblemConflictVersionMismatch(ProblemBase):
    """`CONFLICT_VERSION_MISMATCH`."""
    type: Literal["urn:breakfall:code:CONFLICT_VERSION_MISMATCH"]
    title: Literal["Version conflict"]
    status: Literal[409]
    code: NotRequired[Literal["CONFLICT_VERSION_MISMATCH"]]
    category: NotRequired[Literal["conflict"]]
    details: NotRequired[ConflictVersionMismatchDetails]


class ProblemConflictInvalidState(ProblemBase):
    """`CONFLICT_INVALID_STATE`."""
    type: Literal["urn:breakfall:code:CONFLICT_INVALID_STATE"]
    title: Literal["Conflict with the current state"]
    status: Literal[409]
    code: NotRequired[Literal["CONFLICT_INVALID_STATE"]]
    category: NotRequired[Literal["conflict"]]
    details: NotRequired[ConflictInvalidStateDetails]


class ProblemConflictDuplicateOperation(ProblemBase):
    """`CONFLICT_DUPLICATE_OPERATION`."""
    type: Literal["urn:breakfall:code:CONFLICT_DUPLICATE_OPERATION"]
    title: Literal["Conflict: operation was already carried out"]
    status: Literal[409]
    code: NotRequired[Literal["CONFLICT_DUPLICATE_OPERATION"]]
    category: NotRequired[Literal["conflict"]]
    details: NotRequired[ConflictDuplicateOperationDetails]


class ProblemRateLimitExceeded(ProblemBase):
    """`RATE_LIMIT_EXCEEDED`."""
    type: Literal["urn:breakfall:code:RATE_LIMIT_EXCEEDED"]
    title: Literal["API rate limit exceeded"]
    status: Literal[429]
    code: NotRequired[Literal["RATE_LIMIT_EXCEEDED"]]
    category: NotRequired[Literal["rate_limit"]]
    details: NotRequired[RateLimitExceededDetails]


class ProblemRateLimitQuotaPause(ProblemBase):
    """`RATE_LIMIT_QUOTA_PAUSE`."""
    type: Literal["urn:breakfall:code:RATE_LIMIT_QUOTA_PAUSE"]
    title: Literal["Quota pause threshold reached"]
    status: Literal[429]
    code: NotRequired[Literal["RATE_LIMIT_QUOTA_PAUSE"]]
    category: NotRequired[Literal["rate_limit"]]
    details: NotRequired[RateLimitQuotaPauseDetails]


class ProblemRateLimitQuotaExhausted(ProblemBase):
    """`RATE_LIMIT_QUOTA_EXHAUSTED`."""
    type: Literal["urn:breakfall:code:RATE_LIMIT_QUOTA_EXHAUSTED"]
    title: Literal["Quota exhausted"]
    status: Literal[429]
    code: NotRequired[Literal["RATE_LIMIT_QUOTA_EXHAUSTED"]]
    category: NotRequired[Literal["rate_limit"]]
    details: NotRequired[RateLimitQuotaExhaustedDetails]


class ProblemBusinessRuleViolation(ProblemBase):
    """`BUSINESS_RULE_VIOLATION`."""
    type: Literal["urn:breakfall:code:BUSINESS_RULE_VIOLATION"]
    title: Literal["Business rule violated"]
    status: Literal[422]
    code: NotRequired[Literal["BUSINESS_RULE_VIOLATION"]]
    category: NotRequired[Literal["business"]]
    details: NotRequired[BusinessRuleViolationDetails]


class ProblemBusinessInsufficientBalance(ProblemBase):
    """`BUSINESS_INSUFFICIENT_BALANCE`."""
    type: Literal["urn:breakfall:code:BUSINESS_INSUFFICIENT_BALANCE"]
    title: Literal["Insufficient balance"]
    status: Literal[402]
    code: NotRequired[Literal["BUSINESS_INSUFFICIENT_BALANCE"]]
    category: NotRequired[Literal["business"]]
    details: NotRequired[BusinessInsufficientBalanceDetails]


class ProblemUnavailableService(ProblemBase):
    """`UNAVAILABLE_SERVICE`."""
    type: Literal["urn:breakfall:code:UNAVAILABLE_SERVICE"]
    title: Literal["Service unavailable"]
    status: Literal[503]
    code: NotRequired[Literal["UNAVAILABLE_SERVICE"]]
    category: NotRequired[Literal["unavailable"]]
    details: NotRequired[UnavailableServiceDetails]


class ProblemUnavailableDependency(ProblemBase):
    """`UNAVAILABLE_DEPENDENCY`."""
    type: Literal["urn:breakfall:code:UNAVAILABLE_DEPENDENCY"]
    title: Literal["Service dependency failed"]
    status: Literal[502]
    code: NotRequired[Literal["UNAVAILABLE_DEPENDENCY"]]
    category: NotRequired[Literal["unavailable"]]
    details: NotRequired[UnavailableDependencyDetails]


class ProblemUnavailableTimeout(ProblemBase):
    """`UNAVAILABLE_TIMEOUT`."""
    type: Literal["urn:breakfall:code:UNAVAILABLE_TIMEOUT"]
    title: Literal["Service did not answer in time"]
    status: Literal[504]
    code: NotRequired[Literal["UNAVAILABLE_TIMEOUT"]]
    category: NotRequired[Literal["unavailable"]]
    details: NotRequired[UnavailableTimeoutDetails]


class ProblemUnavailableCircuitOpen(ProblemBase):
    """`UNAVAILABLE_CIRCUIT_OPEN`."""
    type: Literal["urn:breakfall:code:UNAVAILABLE_CIRCUIT_OPEN"]
    title: Literal["Service is paused after repeated failures"]
    status: Literal[503]
    code: NotRequired[Literal["UNAVAILABLE_CIRCUIT_OPEN"]]
    category: NotRequired[Literal["unavailable"]]
    details: NotRequired[UnavailableCircuitOpenDetails]


class ProblemUnavailableOverloaded(ProblemBase):
    """`UNAVAILABLE_OVERLOADED`."""
    type: Literal["urn:breakfall:code:UNAVAILABLE_OVERLOADED"]
    title: Literal["Service is overloaded"]
    status: Literal[503]
    code: NotRequired[Literal["UNAVAILABLE_OVERLOADED"]]
    category: NotRequired[Literal["unavailable"]]
    details: NotRequired[UnavailableOverloadedDetails]


class ProblemUnavailableNetwork(ProblemBase):
    """`UNAVAILABLE_NETWORK`."""
    type: Literal["urn:breakfall:code:UNAVAILABLE_NETWORK"]
    title: Literal["Service cannot be reached"]
    status: Literal[502]
    code: NotRequired[Literal["UNAVAILABLE_NETWORK"]]
    category: NotRequired[Literal["unavailable"]]
    details: NotRequired[UnavailableNetworkDetails]


class ProblemUnavailableTls(ProblemBase):
    """`UNAVAILABLE_TLS`."""
    type: Literal["urn:breakfall:code:UNAVAILABLE_TLS"]
    title: Literal["Service failed the TLS handshake"]
    status: Literal[502]
    code: NotRequired[Literal["UNAVAILABLE_TLS"]]
    category: NotRequired[Literal["unavailable"]]
    details: NotRequired[UnavailableTlsDetails]


class ProblemInternalError(ProblemBase):
    """`INTERNAL_ERROR`."""
    type: Literal["urn:breakfall:code:INTERNAL_ERROR"]
    title: Literal["Internal error"]
    status: Literal[500]
    code: NotRequired[Literal["INTERNAL_ERROR"]]
    category: NotRequired[Literal["internal"]]
    details: NotRequired[InternalErrorDetails]


class ProblemInternalBadUpstream(ProblemBase):
    """`INTERNAL_BAD_UPSTREAM`."""
    type: Literal["urn:breakfall:code:INTERNAL_BAD_UPSTREAM"]
    title: Literal["Internal error: upstream answer is unreadable"]
    status: Literal[502]
    code: NotRequired[Literal["INTERNAL_BAD_UPSTREAM"]]
    category: NotRequired[Literal["internal"]]
    details: NotRequired[InternalBadUpstreamDetails]


class ProblemInternalAdapter(ProblemBase):
    """`INTERNAL_ADAPTER`."""
    type: Literal["urn:breakfall:code:INTERNAL_ADAPTER"]
    title: Literal["Internal error: adapter failed"]
    status: Literal[502]
    code: NotRequired[Literal["INTERNAL_ADAPTER"]]
    category: NotRequired[Literal["internal"]]
    details: NotRequired[InternalAdapterDetails]


class ProblemInternalNotImplemented(ProblemBase):
    """`INTERNAL_NOT_IMPLEMENTED`."""
    type: Literal["urn:breakfall:code:INTERNAL_NOT_IMPLEMENTED"]
    title: Literal["Operation is not implemented"]
    status: Literal[501]
    code: NotRequired[Literal["INTERNAL_NOT_IMPLEMENTED"]]
    category: NotRequired[Literal["internal"]]
    details: NotRequired[InternalNotImplementedDetails]


class ProblemInternalConfiguration(ProblemBase):
    """`INTERNAL_CONFIGURATION`."""
    type: Literal["urn:breakfall:code:INTERNAL_CONFIGURATION"]
    title: Literal["Internal error: configuration is invalid"]
    status: Literal[500]
    code: NotRequired[Literal["INTERNAL_CONFIGURATION"]]
    category: NotRequired[Literal["internal"]]
    details: NotRequired[InternalConfigurationDetails]


class ProblemInternalUnknown(ProblemBase):
    """`INTERNAL_UNKNOWN`."""
    type: Literal["urn:breakfall:code:INTERNAL_UNKNOWN"]
    title: Literal["Internal error: failure of unknown kind"]
    status: Literal[500]
    code: NotRequired[Literal["INTERNAL_UNKNOWN"]]
    category: NotRequired[Literal["internal"]]
    details: NotRequired[InternalUnknownDetails]


class ProblemBatchFailed(ProblemBase):
    """`BATCH_FAILED`."""
    type: Literal["urn:breakfall:code:BATCH_FAILED"]
    title: Literal["All operations failed"]
    status: Literal[500]
    code: NotRequired[Literal["BATCH_FAILED"]]
    category: NotRequired[Literal["internal"]]
    details: NotRequired[BatchFailedDetails]


class ProblemBatchPartialFailure(ProblemBase):
    """`BATCH_PARTIAL_FAILURE`."""
    type: Literal["urn:breakfall:code:BATCH_PARTIAL_FAILURE"]
    title: Literal["Some operations failed"]
    status: Literal[500]
    code: NotRequired[Literal["BATCH_PARTIAL_FAILURE"]]
    category: NotRequired[Literal["internal"]]
    details: NotRequired[BatchPartialFailureDetails]


class OwnProblem(ProblemBase):
    """A Problem that is not built in."""

    type: str
    """Which failure: a built-in code or a server's own."""

    title: str
    """What the code means, the same every time."""

    status: int
    """The HTTP status."""

    code: NotRequired[str]
    """The code."""

    category: NotRequired[Category]
    """The class of the code."""

    details: NotRequired[dict[str, Any]]
    """The free part."""


Problem: TypeAlias = "ProblemValidationInvalidValue | ProblemValidationMissingParam | ProblemValidationInvalidType | ProblemValidationPatternMismatch | ProblemValidationInvalidEnum | ProblemValidationOutOfRange | ProblemValidationUnknownParam | ProblemValidationUnknownField | ProblemValidationInvalidEncoding | ProblemValidationPayloadTooLarge | ProblemValidationEndpointMismatch | ProblemValidationReadOnlyField | ProblemBatchValidationError | ProblemSchemaMissingField | ProblemSchemaInvalidType | ProblemSchemaUnresolvedRef | ProblemSchemaDuplicateName | ProblemSchemaInvalidName | ProblemSchemaVersionDeprecated | ProblemSchemaVersionUnsupported | ProblemAuthenticationRequired | ProblemAuthenticationInvalidCredentials | ProblemAuthenticationExpired | ProblemPermissionDenied | ProblemPermissionTrustLevelInsufficient | ProblemPermissionDangerLevelDenied | ProblemPermissionNotAllowed | ProblemPermissionFeatureDisabled | ProblemConfirmationRequired | ProblemTokenInvalid | ProblemTokenExpired | ProblemTokenAlreadyUsed | ProblemTokenScopeMismatch | ProblemNotFoundResource | ProblemNotFoundOperation | ProblemConflictAlreadyExists | ProblemConflictVersionMismatch | ProblemConflictInvalidState | ProblemConflictDuplicateOperation | ProblemRateLimitExceeded | ProblemRateLimitQuotaPause | ProblemRateLimitQuotaExhausted | ProblemBusinessRuleViolation | ProblemBusinessInsufficientBalance | ProblemUnavailableService | ProblemUnavailableDependency | ProblemUnavailableTimeout | ProblemUnavailableCircuitOpen | ProblemUnavailableOverloaded | ProblemUnavailableNetwork | ProblemUnavailableTls | ProblemInternalError | ProblemInternalBadUpstream | ProblemInternalAdapter | ProblemInternalNotImplemented | ProblemInternalConfiguration | ProblemInternalUnknown | ProblemBatchFailed | ProblemBatchPartialFailure"
"""A problem document, `application/problem+json`."""
