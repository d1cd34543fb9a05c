"""Uses the generated types the way a client would. `./check types` runs mypy over it: what must hold type-checks, and
every `type: ignore` marks something that must not, so a type that became too wide is an unused ignore and fails as well.
"""

from __future__ import annotations

from typing import assert_never

from breakfall import (
    ALL_CATEGORY,
    ALL_CODE,
    Category,
    Code,
    ErrorModelFailure,
    McpAqlDocument,
    McpAqlError,
    McpAqlFailure,
    McpErrorObject,
    NativeError,
    NativeFailure,
    OwnMcpAqlError,
    Problem,
    RecoveryHint,
    ResponseV2Document,
    ResponseV2Failure,
    ResponseV2Success,
    RetryAdvice,
    RetryPolicy,
    ToolErrorFailure,
    Warning,
)

# Vocabularies are closed.

code: Code = "VALIDATION_MISSING_PARAM"
policy: RetryPolicy = "after_change"
hint: RecoveryHint = "CHECK_INPUT"
misspelt: Code = "VALIDATION_MISING_PARAM"  # type: ignore[assignment]
luck: Category = "bad_luck"  # type: ignore[assignment]


def meaning(category: Category) -> str:
    if category == "validation" or category == "authentication" or category == "authorization":
        return "the caller"
    if category == "not_found" or category == "conflict" or category == "business":
        return "the thing"
    if category == "rate_limit" or category == "confirmation":
        return "later"
    if category == "unavailable" or category == "internal":
        return "somebody else"
    assert_never(category)


# The state of an envelope narrows it.


def answer(document: ResponseV2Document) -> str:
    if document["success"] is True:
        document["error"].upper()  # type: ignore[attr-defined]
        nothing: None = document["error"]
        return str(nothing)
    kind = document["data"].get("error_type")
    if kind == "business":  # type: ignore[comparison-overlap]
        return ""
    return document["error"].upper()


illegal: ResponseV2Success = {"success": True, "data": {}, "error": "But it failed", "meta": {"version": "response-v2"}}  # type: ignore[typeddict-item]
silent: ResponseV2Failure = {"success": False, "data": {}, "error": None, "meta": {"version": "response-v2"}}  # type: ignore[typeddict-item]
wide: ResponseV2Failure = {"success": False, "data": {}, "error": "No", "meta": {"version": "response-v2"}, "status": 1}  # type: ignore[typeddict-unknown-key]


# A code narrows the details.


def explain(error: McpAqlError) -> str:
    if error["code"] == "VALIDATION_MISSING_PARAM":
        name: str | None = error.get("details", {}).get("param_name")
        return name or error["message"]
    if error["code"] == "RATE_LIMIT_EXCEEDED":
        details = error.get("details", {})
        limit: str = details["limit"]  # type: ignore[assignment]
        wait: int = details.get("retry_after_seconds", 1)
        return f"{limit} {wait} {details['window']}"
    if error["code"] == "RATE_LIMIT_EXCEDED":  # type: ignore[comparison-overlap]
        return ""
    return error["message"]


missing: McpAqlFailure = {
    "success": False,
    "error": {
        "code": "VALIDATION_MISSING_PARAM",
        "message": "Missing required parameter 'owner'",
        "details": {"param_name": "owner"},
    },
}
own: OwnMcpAqlError = {"code": "ORDER_NOT_FOUND", "message": "Order 'ord_9' not found"}
mute: OwnMcpAqlError = {"code": "INTERNAL_ERROR"}  # type: ignore[typeddict-item]


def aql(document: McpAqlDocument) -> int:
    if document["success"] is False:
        return len(explain(document["error"]))
    return len(document.get("warnings", []))


# The advice on retries says both, and never contradicts itself.


def delay(retry: RetryAdvice) -> int | None:
    if retry["retryable"] is False:
        return None
    if retry["policy"] == "never":  # type: ignore[comparison-overlap]
        return None
    return retry.get("after_ms")


def native(document: NativeFailure) -> str:
    error: NativeError = document["_meta"]["dev.breakfall/error"]
    if error["code"] == "NOT_FOUND_RESOURCE":
        only: str = error["category"]
        return f"{only} {error.get('details', {}).get('resource_id')}"
    error["remedy"]  # type: ignore[typeddict-item]
    return f"{error['remediation']} {delay(error['retry'])}"


def warn(warning: Warning) -> int:
    return len(warning["message"])


def tool(document: ToolErrorFailure) -> str:
    retryable: bool = document["structuredContent"]["retryable"]
    return f"{document['structuredContent']['code']} {retryable}"


odd: ErrorModelFailure = {"error": {"code": 3999, "message": "Odd", "retryable": False}}  # type: ignore[typeddict-item]
helpless: McpErrorObject = {"code": "TIMEOUT", "message": "Slow", "correlation_id": "a", "timestamp": "t"}  # type: ignore[typeddict-item]


def status(problem: Problem) -> int:
    if problem["type"] == "urn:breakfall:code:NOT_FOUND_RESOURCE":
        return problem["status"]
    return problem["status"]


if __name__ == "__main__":
    assert code in ALL_CODE
    assert [meaning(category) for category in ALL_CATEGORY]
    assert explain(missing["error"]) == "owner"
