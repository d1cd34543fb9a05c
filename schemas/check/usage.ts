// Uses the generated types the way a client would. `./check types` compiles it: what must hold compiles, and every
// `@ts-expect-error` marks something that must not, so a type that became too wide fails the check as well.

import type {
  Category,
  Code,
  ErrorModelDocument,
  McpAqlDocument,
  McpAqlError,
  McpAqlFailure,
  McpErrorObject,
  NativeDocument,
  NativeError,
  Problem,
  RecoveryHint,
  ResponseV2Document,
  RetryAdvice,
  RetryPolicy,
  ToolErrorDocument,
  Warning,
} from "../breakfall";

/** The compiler calls this only where nothing is left. */
declare function never(value: never): never;

// Vocabularies are closed.

export const code: Code = "VALIDATION_MISSING_PARAM";
export const category: Category = "rate_limit";
export const policy: RetryPolicy = "after_change";
export const hint: RecoveryHint = "CHECK_INPUT";
// @ts-expect-error: a misspelt code.
export const misspelt: Code = "VALIDATION_MISING_PARAM";
// @ts-expect-error: no such category.
export const luck: Category = "bad_luck";

export function meaning(category: Category): string {
  switch (category) {
    case "validation":
    case "authentication":
    case "authorization":
    case "not_found":
    case "conflict":
    case "rate_limit":
    case "confirmation":
    case "business":
    case "unavailable":
    case "internal":
      return category;
    default:
      return never(category);
  }
}

// The state of an envelope narrows it.

export function answer(document: ResponseV2Document<{ id: string }>): string {
  if (document.success) {
    const nothing: null = document.error;
    // @ts-expect-error: a success has no error to read.
    document.error.length;
    return "id" in document.data ? document.data.id : String(nothing);
  }
  // @ts-expect-error: a failure has no payload.
  document.data.id.length;
  const type = document.data.error_type;
  // @ts-expect-error: a failure of this class does not exist.
  if (type === "business") return "";
  return document.error.toUpperCase();
}

// @ts-expect-error: a success with an error is no legal state.
export const illegal: ResponseV2Document = { success: true, data: {}, error: "But it failed", meta: { version: "response-v2" } };
// @ts-expect-error: a failure without one is none either.
export const silent: ResponseV2Document = { success: false, data: {}, error: null, meta: { version: "response-v2" } };
// @ts-expect-error: the root is closed.
export const wide: ResponseV2Document = { success: false, data: {}, error: "No", meta: { version: "response-v2" }, status: 1 };

// A code narrows the details.

export function explain(error: McpAqlError): string {
  switch (error.code) {
    case "VALIDATION_MISSING_PARAM": {
      const name: string | undefined = error.details?.param_name;
      return name ?? error.message;
    }
    case "RATE_LIMIT_EXCEEDED": {
      const window: "second" | "minute" | "hour" | "day" | undefined = error.details?.window;
      const wait: number = error.details?.retry_after_seconds ?? 1;
      // @ts-expect-error: a limit is a number.
      const limit: string | undefined = error.details?.limit;
      return `${window} ${wait} ${limit}`;
    }
    // @ts-expect-error: no such code.
    case "RATE_LIMIT_EXCEDED":
      return "";
    default:
      return error.message;
  }
}

export const missing: McpAqlFailure = {
  success: false,
  error: { code: "VALIDATION_MISSING_PARAM", message: "Missing required parameter 'owner'", details: { param_name: "owner" } },
};
// @ts-expect-error: a name is a string.
export const numbered: McpAqlError = { code: "VALIDATION_MISSING_PARAM", message: "Missing", details: { param_name: 7 } };
// @ts-expect-error: an error has a message.
export const mute: McpAqlError = { code: "INTERNAL_ERROR" };

// A server adds its own codes by a type parameter.

export function order(error: McpAqlError<"ORDER_NOT_FOUND">): string {
  return error.code === "ORDER_NOT_FOUND" ? error.message : explain(error);
}
// @ts-expect-error: without the parameter the code is not known.
export const unknown: McpAqlError = { code: "ORDER_NOT_FOUND", message: "Order 'ord_9' not found" };

export function aql(document: McpAqlDocument<number[]>): number {
  if (!document.success) return explain(document.error).length;
  if ("results" in document) return document.summary.failed;
  const first: number | undefined = document.data[0];
  return first ?? document.warnings?.length ?? 0;
}

// The advice on retries says both, and never contradicts itself.

export function delay(retry: RetryAdvice): number | undefined {
  if (!retry.retryable) {
    const refused: "never" | "after_change" = retry.policy;
    return refused === "never" ? undefined : undefined;
  }
  // @ts-expect-error: what may be repeated is not forbidden.
  if (retry.policy === "never") return undefined;
  return retry.after_ms;
}
// @ts-expect-error: a contradiction.
export const contradiction: RetryAdvice = { policy: "never", retryable: true };

export function native(document: NativeDocument): string {
  if ("dev.breakfall/error" in document._meta) {
    const error = document._meta["dev.breakfall/error"] as NativeError;
    const known: Code = error.code;
    if (error.code === "NOT_FOUND_RESOURCE") {
      const only: "not_found" = error.category;
      const id: string | undefined = error.details?.resource_id;
      return `${known} ${only} ${id}`;
    }
    return `${error.remediation} ${delay(error.retry)}`;
  }
  return document.content[0].text;
}

export function warn(warning: Warning): number {
  if (warning.code === "CONTENT_DROPPED") {
    const dropped: number | undefined = warning.context?.dropped_count;
    return dropped ?? 0;
  }
  return warning.message.length;
}

export function tool(document: ToolErrorDocument): string {
  if (document.isError) {
    const kind: "toolError:v1" = document.structuredContent.kind;
    return `${kind} ${document.structuredContent.code}`;
  }
  // @ts-expect-error: only a failure has a code.
  return document.structuredContent.code;
}

export function number(document: ErrorModelDocument<{ total: number }>): number {
  return "error" in document ? document.error.code : 0;
}
// @ts-expect-error: no such number.
export const odd: ErrorModelDocument<never> = { error: { code: 3999, message: "Odd", retryable: false } };

export function problem(problem: Problem<"ORDER_NOT_FOUND">): number {
  if (problem.type === "urn:breakfall:code:NOT_FOUND_RESOURCE") {
    const status: 404 = problem.status;
    return status;
  }
  // @ts-expect-error: no code of that name has a type.
  if (problem.type === "urn:breakfall:code:ORDER_LOST") return 0;
  return problem.status;
}

// @ts-expect-error: recovery actions are required.
export const helpless: McpErrorObject = { code: "TIMEOUT", message: "Too slow", correlation_id: "a", timestamp: "2026-01-02T03:04:05.678Z" };
