//! The built-in rules on words, in order: of those that match, the first one decides. The particular therefore stands
//! before the general, and a stated HTTP status between the two: "status code 403: rate limit exceeded" is a rate limit,
//! "status code 401: not found" is about credentials.
//!
//! Examples are the tests of their rule. They are in the words of servers that are around, with their names changed.

use crate::catalog::codes;
use crate::classify::rule::{RuleEffect, RuleRow};
use crate::fault::Confidence;

/// Rows as `id: CODE, about;` with the effect behind the code where there is one, then the phrases, the examples and the
/// counter-examples. A rule without a code stands for what it finds.
macro_rules! rules {
    ($($id:literal: $code:tt $($effect:ident)?, $about:literal; $phrases:expr; $examples:expr; $counter:expr;)*) => {
        &[$(RuleRow {
            id: $id,
            about: $about,
            code: rules!(@code $code),
            confidence: Confidence::Textual,
            effect: rules!(@effect $($effect)?),
            phrases: &$phrases,
            examples: &$examples,
            counter_examples: &$counter,
        },)*]
    };
    (@code -) => { None };
    (@code $code:ident) => { Some(codes::$code) };
    (@effect) => { RuleEffect::None };
    (@effect $effect:ident) => { RuleEffect::$effect };
}

/// Every rule on words.
pub(crate) static RULES: &[RuleRow] = rules! {
    "text.build": INTERNAL_UNKNOWN ReadWords, "What a compiler or a test run prints: about a program, not about the tool. Its words say what to change.";
    [
        "could not compile", "compilation failed|terminated|aborted",
        "cannot find value|function|type|macro|struct|trait|method|crate|attribute _ in this scope",
        "mismatched types", "is not assignable to type|parameter", "undefined reference to",
        "error ts2304|ts2305|ts2307|ts2339|ts2552", "cannot find symbol", "cannot find _ in scope",
        "does not exist in the current context", "fatal error _ file not found", "short test summary info",
        "tests failed", "failed tests", "test suites failed", "to rerun pass", "running _ test|tests",
    ];
    [
        "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5",
        "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        "running 2 tests\ntest parse::not_found ... FAILED\ntest result: FAILED. 1 passed; 1 failed\nerror: test failed, to rerun pass `--lib`",
        "running 1 test\ntest parse::not_found ... FAILED",
        "FAILED tests/test_auth.py::test_permission_denied - AssertionError: assert 200 == 403",
        "src/a.ts(3,5): error TS2304: Cannot find name 'x'.", "A.java:3: error: cannot find symbol",
        "a.swift:3:5: error: cannot find 'foo' in scope",
        "Foo.cs(12,5): error CS0103: The name 'x' does not exist in the current context",
        "src/a.h:3:10: fatal error: 'foo.h' file not found",
        "E   AssertionError: not found\n=== short test summary info ===\nFAILED tests/test_a.py::test_x",
    ];
    ["Connection test failed: timed out", "not found in the scope of this token"];

    "text.unknown-tool": NOT_FOUND_OPERATION, "The tool, method or operation does not exist.";
    [
        "unknown|unrecognized|nonexistent|invalid tool|operation|method|procedure",
        "tool|operation|method|procedure _ not found",
        "tool|operation|method|procedure _ was|is not found|registered|available",
        "tool|operation|method|procedure _ does not exist", "tool|operation|method|procedure not found",
        "no such tool|operation|method|procedure", "no tool named|called", "no tool with name",
    ];
    [
        "Unknown tool: get_wether", "Tool get_weather_forecast not found",
        "Error: Tool 'search orders' not found", "MCP error -32602: Tool x not found", "No such tool: fly",
    ];
    ["The tool could not open the file: not found", "method not allowed"];

    "text.unknown-param": VALIDATION_UNKNOWN_PARAM, "The arguments name a parameter that does not exist.";
    [
        "unknown|unexpected|unrecognized|unrecognised|unsupported|extra parameter|parameters|argument|arguments|param|params",
        "unknown|unexpected|unrecognized|extra keyword|query|input|named|request parameter|argument|field",
        "unknown|unexpected|unrecognized|unrecognised|extra field|fields|property|properties|key|keys|option",
        "got an unexpected keyword argument", "additional properties are not allowed",
        "must not have additional properties", "extra inputs are not permitted", "extra fields not permitted",
    ];
    [
        "Unknown parameter: 'colour'", "search() got an unexpected keyword argument 'colour'",
        "data must NOT have additional properties", "Unexpected field: colour",
    ];
    ["an unexpected error", "unexpected token in JSON"];

    "text.environment": INTERNAL_CONFIGURATION, "The server lacks a setting, a program or a module it needs.";
    [
        "environment variable|variables _ not set|defined|found",
        "environment variable|variables _ is|are|was not|required|missing",
        "environment variable|variables _ must be set", "environment variable|variables is|are not set",
        "missing environment variable|variables", "missing required environment variable|variables",
        "command not found", "executable file not found",
        "is not recognized as an internal or external command", "spawn _ enoent", "no module named",
        "cannot find module", "module not found error", "misconfigured", "misconfiguration",
        "configuration|config error|invalid|missing", "invalid|missing|incomplete configuration|config",
        "not configured", "improperly configured",
    ];
    [
        "Error: GITHUB_TOKEN environment variable is not set", "environment variable API_URL must be set",
        "sh: 1: pdftotext: command not found", "spawn git ENOENT",
        "ModuleNotFoundError: No module named 'pandas'", "Slack is not configured",
    ];
    ["file not found", "Unknown setting of the variable x"];

    "text.missing-param": VALIDATION_MISSING_PARAM, "A required parameter is absent.";
    [
        "missing required parameter|parameters|argument|arguments|field|fields|property|properties|input|param|params|value|values|key|keys",
        "missing parameter|parameters|argument|arguments|field|param|params|property",
        "missing _ required positional|keyword argument|arguments", "missing one or more required parameters",
        "required parameter|argument|field|property|param|input is|was|are missing",
        "required parameter|argument|field|property|param|input missing",
        "required parameter|argument|field|property|param|input _ is|was missing",
        "required parameter|argument|field|property|param|input _ not provided",
        "is a required property|parameter|argument|field", "must have required property", "field required",
        "parameter|argument|field|property _ is required|missing",
        "parameter|argument|field|property _ was not provided", "no value provided for required",
        "must be provided|specified|supplied",
    ];
    [
        "missing required parameter: owner", "Missing required arguments",
        "greet() missing 1 required positional argument: 'name'", "Required property is missing: query",
        "parameter 'owner' is required",
    ];
    ["authentication is required", "missing file x.txt"];

    "text.storage": UNAVAILABLE_SERVICE, "The server has run out of memory, disk or handles.";
    [
        "out of memory", "cannot|can't allocate memory", "could not allocate memory", "memory error",
        "heap limit", "oom killed", "enomem", "no space left", "disk full", "disk is full",
        "disk quota exceeded", "enospc", "edquot", "too many open files", "emfile", "enfile",
    ];
    [
        "ENOSPC: no space left on device, write",
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        "OSError: [Errno 24] Too many open files",
    ];
    ["out of range", "a memory of the past"];

    "text.quota": RATE_LIMIT_QUOTA_EXHAUSTED, "A quota or plan limit is used up.";
    [
        "quota exceeded|exhausted|reached|limit", "quota has been exceeded|exhausted|reached",
        "exceeded your|the|its quota", "exceeded your|the current|monthly|daily|api quota",
        "insufficient quota", "out of quota",
        "monthly|daily|hourly|weekly|usage|plan|spending limit exceeded|reached|hit",
        "reached your|the monthly|daily|hourly|weekly|usage|plan|spending limit",
        "exceeded your|the monthly|daily|hourly|weekly|usage|plan|spending limit",
        "api|request limit exceeded|reached", "reached your|the api|request limit",
        "reached your|the api request limit",
    ];
    [
        "Quota exceeded for quota metric 'Queries'",
        "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota",
        "Daily limit reached",
    ];
    ["Disk quota exceeded", "rate limit reached"];

    "text.rate-limit": RATE_LIMIT_EXCEEDED, "Too many calls in a window of time.";
    [
        "rate limit exceeded|reached|hit|error|exceed|exceeds", "rate limit has been exceeded|reached|hit",
        "exceeded your|the|our|api|a rate limit|limits", "hit your|the|our|api|a rate limit",
        "secondary rate limit", "rate limited", "rate limiting", "over rate limit", "rate limit for",
        "rate limit of _ still exceeded", "rate limit still exceeded", "rate limit _ requests|calls per",
        "too many requests", "too many api|tool calls|requests", "request|requests was|were|is|are throttled",
        "throttled", "throttling exception|error", "slow down", "resource exhausted",
    ];
    [
        "403 API rate limit of 10 still exceeded until 03:00, not making remote request. [rate reset in 42s]",
        "API rate limit exceeded for user ID 1.", "Error: 403 - API rate limit exceeded",
        "You have exceeded a secondary rate limit.", "Request was rejected due to rate limiting.",
        "RateLimitError: try later", "ThrottlingException: Rate exceeded",
        "Error: Too many requests. Retry after 7 seconds",
        "rate limit: 100 requests per 60 seconds. Try again in 13.5s", "RESOURCE_EXHAUSTED",
    ];
    ["Invalid value for parameter rate_limit", "separate limit exceeded", "Too many arguments"];

    "text.credentials-expired": AUTHENTICATION_EXPIRED, "The credentials were valid once.";
    [
        "token|session|credential|credentials|jwt|cookie|key|signature|login expired",
        "token|session|credential|credentials|jwt|cookie|key|signature|login has|have|is|are expired",
        "token|session|credential|credentials|jwt|cookie|key|signature|login is no longer valid",
        "expired token|session|credential|credentials|jwt|cookie",
        "security token included in the request is expired",
        "expired access|refresh|api|auth|bearer token|key",
    ];
    [
        "Error: token expired", "The access token has expired", "TokenExpiredError: jwt expired",
        "ExpiredTokenException", "Your session has expired. Please log in again.",
    ];
    ["certificate has expired", "the offer expired"];

    "text.bad-credentials": AUTHENTICATION_INVALID_CREDENTIALS, "The credentials were refused.";
    [
        "invalid|incorrect|wrong|bad credential|credentials|password|username",
        "invalid|incorrect|wrong|bad api|access|auth|bearer|authentication|refresh|security token|key",
        "invalid|incorrect|wrong|bad apikey|login|auth|authentication|authorization|jwt",
        "invalid|incorrect|wrong username|email or|and password", "invalid client secret|id|credentials",
        "invalid grant|token", "api key is|was invalid|incorrect|revoked", "api key not valid",
        "api key is not valid", "token is|was invalid|revoked", "token is not valid",
        "security token included in the request is invalid", "credentials are|were invalid|incorrect|rejected",
        "password authentication failed", "authentication failed|failure|error|unsuccessful",
        "failed to authenticate", "could not authenticate", "cannot authenticate", "unable to authenticate",
        "login failed", "access denied for user", "signature does not match",
        "signature we calculated does not match",
    ];
    [
        "The security token included in the request is invalid.", "Bad credentials",
        "Incorrect API key provided: sk-...", "invalid_grant",
        "FATAL: password authentication failed for user \"app\"",
        "Access denied for user 'app'@'localhost' (using password: YES)",
        "API key not valid. Please pass a valid API key.",
    ];
    ["Invalid path", "Unexpected token < in JSON at position 0"];

    "text.unauthenticated": AUTHENTICATION_REQUIRED, "Credentials are needed and none came.";
    [
        "unauthorized|unauthorised|unauthenticated", "not authenticated", "not logged|signed in",
        "authentication|login|authorization|credentials|sign-in required|needed",
        "authentication|login|authorization|credentials|sign-in is|are required|needed|missing",
        "api|access|auth key|token required", "api|access|auth key|token is required|missing",
        "missing api|access|auth|bearer key|token", "missing credentials|authentication|authorization",
        "no api|access|auth|bearer key|token", "no credentials|authentication",
        "unable to locate|find|load credentials", "could not find|load credentials",
        "could not load the default credentials", "api|access key|token not found|set|provided",
        "requires authentication|login", "must be logged|signed in", "must be authenticated",
        "please log|sign in", "please login|authenticate", "could not read username|password for",
        "terminal prompts disabled",
    ];
    [
        "Error: Unauthorized", "Requires authentication", "You are not logged in", "Missing API key",
        "Authentication required: run `tool login`", "No API key provided",
        "fatal: could not read Username for 'https://git.example.test': No such device or address",
    ];
    ["not authorized to perform: s3:GetObject"];

    "text.timeout": UNAVAILABLE_TIMEOUT, "No answer came in time.";
    [
        "timed out", "deadline exceeded", "etimedout", "esockettimedout",
        "timeout exceeded|expired|error|exception|reached|after|waiting|while|of", "timeout _ exceeded",
        "operation|request|requests|connection|read|connect|gateway|query|execution|idle|lock|statement|socket|response|tool|call|command|navigation|fetch timeout",
        "exceeded timeout", "exceeded the timeout", "timeout was reached", "took too long",
        "did not respond|complete|finish|answer in time", "did not respond|complete|finish|answer within",
        "no response|answer|reply in time", "no response|answer|reply within",
        "operation was aborted due to timeout",
    ];
    [
        "Request timed out", "MCP error -32001: Request timed out", "timeout of 5000ms exceeded",
        "TimeoutError: Navigation timeout of 30000 ms exceeded", "context deadline exceeded",
        "connect ETIMEDOUT 10.0.0.1:443", "java.net.SocketTimeoutException: Read timed out",
    ];
    ["invalid value for timeout", "timeout must be a positive integer"];

    "text.tls": UNAVAILABLE_TLS, "No secure connection could be made.";
    [
        "certificate has|is|was expired|revoked|invalid|untrusted",
        "certificate verify|verification|validation failed|error", "certificate is not trusted|valid",
        "certificate expired|revoked|unknown", "self signed certificate",
        "unable to verify the first certificate", "unable to get local issuer certificate",
        "bad|invalid|untrusted|expired peer|ssl|tls|server certificate",
        "bad|invalid|untrusted|expired certificate", "unknown certificate authority",
        "signed by unknown authority", "cert has expired", "ssl|tls error|handshake|alert|routines",
        "ssl cert", "handshake failure|failed", "err tls", "x509", "does not match certificate",
        "before secure tls connection was established",
    ];
    [
        "Hostname/IP does not match certificate's altnames",
        "Client network socket disconnected before secure TLS connection was established",
        "SSLCertVerificationError: certificate verify failed: self-signed certificate",
        "unable to get local issuer certificate", "x509: certificate signed by unknown authority",
        "CERT_HAS_EXPIRED", "tls handshake eof",
    ];
    ["You earned a certificate", "gift certificate not found"];

    "text.network": UNAVAILABLE_NETWORK, "The target could not be reached.";
    [
        "econnrefused|econnreset|econnaborted|enotfound|ehostunreach|enetunreach|enetdown|epipe|eai",
        "getaddrinfo", "connection refused|reset|aborted|closed|lost|failed|error|terminated|dropped",
        "connection was|is refused|reset|aborted|closed|lost|forcibly", "connection to _ failed|refused|lost",
        "connection to the server _ was refused|reset|closed", "could not connect",
        "cannot|can't|couldn't connect", "unable|failed to connect", "failed to establish a new connection",
        "failed to establish connection", "network is unreachable", "network error|failure|unreachable",
        "no route to host", "host unreachable", "host is unreachable|down", "server is unreachable",
        "no such host", "name or service not known", "name resolution", "nodename nor servname",
        "could not resolve host|hostname|dns|address|name|proxy",
        "cannot|can't|couldn't resolve host|hostname|dns|address|name|proxy", "unable to resolve host",
        "dns lookup|resolution|error|failure|query", "err name not resolved", "socket hang up", "fetch failed",
        "broken pipe", "server disconnected", "remote end closed connection", "dial tcp",
    ];
    [
        "connect ECONNREFUSED 127.0.0.1:5432", "getaddrinfo ENOTFOUND api.example.test",
        "TypeError: fetch failed", "Could not connect to the database",
        "[Errno -3] Temporary failure in name resolution", "dial tcp: lookup api.example.test: no such host",
        "MCP error -32000: Connection closed",
    ];
    ["network 'staging' not found", "the connection string is invalid"];

    "text.overloaded": UNAVAILABLE_OVERLOADED, "The service is up and has no room for more work.";
    [
        "overloaded", "too many connections|concurrent|clients", "too busy", "server|service is busy",
        "at capacity", "over capacity", "max|maximum concurrency", "concurrency limit",
    ];
    ["overloaded_error: Overloaded", "FATAL: sorry, too many clients already", "The server is busy, try later"];
    ["the operator is overloading the method"];

    "text.circuit-open": UNAVAILABLE_CIRCUIT_OPEN, "A circuit breaker keeps calls away.";
    [
        "circuit breaker is|was open", "circuit breaker open", "circuit is open", "circuit open",
        "breaker is open",
    ];
    ["Circuit breaker is open for host api", "CircuitBreakerOpenException"];
    ["a short circuit opened the fuse"];

    "text.version-mismatch": CONFLICT_VERSION_MISMATCH, "The resource changed since it was read.";
    [
        "version mismatch|conflict", "etag mismatch", "etag does not match", "precondition failed",
        "stale version|data|object|element|state|revision|read", "is|are stale",
        "has been modified|changed|updated since|by", "was modified|changed|updated since|by",
        "optimistic lock|locking", "could not serialize access", "concurrent update|modification|edit",
        "edit conflict", "conditional check failed|request", "operation cannot be fulfilled on",
        "object has been modified", "non fast forward", "updates were rejected because",
        "failed to push some refs",
    ];
    [
        "Operation cannot be fulfilled on deployments.apps \"x\": the object has been modified; please apply your changes to the latest version and try again",
        "! [rejected] main -> main (non-fast-forward)", "error: failed to push some refs to 'origin'",
        "Version mismatch: expected 3, got 4", "ConditionalCheckFailedException",
        "The document has been modified since you opened it", "StaleObjectStateException",
    ];
    ["unsupported protocol version"];

    "text.duplicate-operation": CONFLICT_DUPLICATE_OPERATION, "The same operation was carried out before.";
    [
        "already been processed|submitted|redeemed|executed", "already processed|submitted|redeemed",
        "duplicate request|operation|submission|transaction", "idempotency key",
    ];
    ["Payment already processed", "Duplicate request: idempotency key in use"];
    ["duplicate key value"];

    "text.already-exists": CONFLICT_ALREADY_EXISTS, "What the call wants to create is there already.";
    [
        "already exists|exist", "eexist", "duplicate key|entry|name|value|id|record|object|column|slug",
        "unique constraint|violation|index", "uniqueness constraint", "violates unique", "must be unique",
        "already been taken|used|registered|added", "already taken|registered", "name is taken",
        "username|email|handle|slug|subdomain is taken", "name|username|email|handle|slug|subdomain taken",
    ];
    [
        "name_taken", "username taken", "EEXIST: file already exists, mkdir 'a'",
        "duplicate key value violates unique constraint \"users_email_key\"",
        "UNIQUE constraint failed: users.email", "Validation Failed: name already exists on this account",
    ];
    ["pictures taken", "does not exist", "already closed"];

    "text.locked": UNAVAILABLE_DEPENDENCY, "A database or file is locked for the moment.";
    ["database is locked", "database table is locked", "deadlock detected|found|victim", "lock wait timeout"];
    ["sqlite3.OperationalError: database is locked", "deadlock detected"];
    ["the door is locked"];

    "text.upstream": UNAVAILABLE_DEPENDENCY, "Something the service relies on has failed.";
    [
        "bad gateway", "upstream connect error", "upstream error|failure|failed|unavailable",
        "dependency failed|failure|unavailable", "no healthy upstream",
    ];
    ["502 Bad Gateway", "upstream connect error or disconnect/reset before headers"];
    ["the upstream branch is behind"];

    "text.balance": BUSINESS_INSUFFICIENT_BALANCE, "The account does not hold enough.";
    [
        "insufficient balance|funds|credit|credits|money|tokens",
        "not enough balance|funds|credit|credits|money", "out of credits|funds", "credit balance is too low",
        "payment required", "balance is too low|insufficient", "billing hard limit",
    ];
    ["Insufficient funds", "Your credit balance is too low to access the API."];
    ["insufficient permissions"];

    "text.business-rule": BUSINESS_RULE_VIOLATION, "A rule of the domain forbids it.";
    [
        "business rule|rules", "insufficient inventory|stock", "out of stock", "card was declined",
        "card declined", "not eligible",
    ];
    ["Your card was declined.", "Item A-1 is out of stock"];
    ["out of stack space"];

    "text.confirmation": CONFIRMATION_REQUIRED, "Nothing was done: a person has to agree first.";
    [
        "confirmation required|needed", "confirmation is required|needed", "requires|needs confirmation",
        "pass|set confirm true", "set|setting confirm to true",
        "please confirm this|the action|operation|request|deletion|change",
    ];
    [
        "Confirmation required: pass confirm=true", "Please confirm this action by setting confirm to true",
        "This action requires confirmation",
    ];
    ["a confirmation was sent", "Please confirm your number of guests"];

    "text.feature-disabled": PERMISSION_FEATURE_DISABLED, "The feature exists and is switched off.";
    [
        "tool|feature|api|endpoint|service _ disabled", "tool|feature|api|endpoint|service _ is disabled",
        "tool|feature|api|endpoint|service is disabled", "tool|feature|api|endpoint|service has been disabled",
        "tool|feature|api|endpoint|service is not enabled", "api has not been used in project",
        "plan does not include|allow",
        "requires a pro|paid|premium|business|enterprise|team plan|subscription|account|license",
        "upgrade your plan|subscription",
        "not enabled for this|your account|project|workspace|organization|plan",
    ];
    [
        "Your plan does not include this feature. Please upgrade.", "This feature requires a Pro plan",
        "Tool deploy disabled", "This feature is disabled", "SSO is not enabled for your organization",
    ];
    ["the button is disabled"];

    "text.forbidden": PERMISSION_DENIED, "The caller may not do this.";
    [
        "permission|permissions denied|error", "permission to _ denied", "access denied",
        "access is|was denied", "access to _ is|was denied", "eacces|eperm|erofs", "operation not permitted",
        "read only file system", "not authorized|authorised",
        "insufficient permission|permissions|privilege|privileges|scope|scopes|rights|access",
        "does|do not have permission|access|permissions", "don't|doesn't have permission|access|permissions",
        "not enough permissions|privileges|rights",
        "does|do not have the|sufficient|required|necessary permission|permissions|rights",
        "lacks|lack permission|permissions",
        "does|do not have enough permission|permissions|privileges|rights",
        "requires admin|administrator|root|elevated|owner privileges|rights|permissions|access",
        "not in channel", "missing permission|permissions|scope|scopes",
        "missing required permission|permissions|scope|scopes",
        "outside allowed|permitted directories|directory|repository|root|roots|path|paths",
        "outside of allowed|permitted directories|directory|roots",
        "outside the allowed|permitted|sandbox|workspace|project", "resource not accessible by",
        "admin rights required",
    ];
    [
        "The user does not have enough permissions to access the calendar",
        "This operation requires admin privileges", "not_in_channel", "EACCES: permission denied, open 'x'",
        "Access denied - path outside allowed directories: a not in b",
        "Resource not accessible by integration", "User: app is not authorized to perform: s3:GetObject",
        "You don't have permission to view this page", "PermissionError: [Errno 13] Permission denied: 'x'",
    ];
    [
        "test_permission_denied FAILED: AssertionError: expected 1 got 2", "Ask for permission first",
        "permission 'read' not found",
    ];

    "text.not-allowed": PERMISSION_NOT_ALLOWED, "A policy forbids it.";
    [
        "blocked|denied|rejected|prohibited by policy|administrator|robots",
        "blocked|denied|rejected|prohibited by the|your|a policy|administrator|filter|user",
        "blocked|denied|rejected|prohibited by an administrator", "not allowed by",
        "is|are not in the allowed|permitted domains|list|hosts|commands",
        "only _ queries|statements|operations|requests are allowed|permitted", "read only mode",
        "read only transaction|replica|database|connection",
        "readonly transaction|replica|database|connection", "user declined|refused",
        "user rejected|denied the|this request|call|action|operation|tool",
        "autonomous fetching of this page is not allowed", "content policy",
    ];
    [
        "cannot execute INSERT in a read-only transaction",
        "READONLY You can't write against a read only replica.", "User declined the request",
        "Only SELECT queries are allowed for read_query",
        "Domain x.example is not in the allowed domains list.", "Request blocked by policy",
    ];
    ["method not allowed"];

    "text.encoding": VALIDATION_INVALID_ENCODING, "The text is not in the encoding it should be in.";
    [
        "invalid|malformed utf|unicode|encoding", "not valid utf", "not valid utf 8",
        "codec can't decode|encode", "unicode decode|encode error", "unsupported encoding",
    ];
    [
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0",
        "stream did not contain valid UTF-8: invalid UTF-8 sequence",
    ];
    ["invalid value"];

    "text.bad-upstream": INTERNAL_BAD_UPSTREAM, "The answer of another service could not be read.";
    [
        "unexpected token _ in json", "is not valid json", "unexpected end of json", "json decode error",
        "expecting value", "invalid|malformed|bad|unexpected|empty|unparseable response",
        "invalid|malformed json response", "failed|unable to parse|decode response",
        "failed|unable to parse|decode the|api|server response", "could not parse|decode response",
        "could not parse|decode the|api|server response", "error decoding response",
        "no structured content was provided", "output validation error", "invalid structured content",
    ];
    [
        "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON", "Unexpected end of JSON input",
        "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
        "error decoding response body",
        "Output validation error: Tool x has an output schema but no structured content was provided",
    ];
    ["Invalid JSON in parameter 'filter'"];

    "text.defect": INTERNAL_ERROR, "The tool itself is broken.";
    [
        "list|string|tuple|array|slice index out of range|bounds", "index out of bounds", "index out of range",
        "has no attribute", "is not a function", "is not subscriptable|iterable|callable",
        "cannot read property|properties of undefined|null", "undefined is not", "null pointer", "nil pointer",
        "segmentation fault", "panicked at", "unsupported operand", "key error",
        "unhandled exception|rejection|error|promise", "uncaught exception|error", "assertion failed",
        "assertion error", "attribute error", "name error", "recursion error", "stack overflow",
        "maximum call stack size exceeded", "object reference not set",
    ];
    [
        "Error opening project: list index out of range", "'NoneType' object has no attribute 'get'",
        "Cannot read properties of undefined (reading 'id')", "thread 'main' panicked at src/main.rs:4:5",
        "Maximum call stack size exceeded",
    ];
    ["page index is out of stock", "username error"];

    "text.too-large": VALIDATION_PAYLOAD_TOO_LARGE, "Something is larger than allowed.";
    [
        "payload|request|file|body|entity|message|content|input|response|prompt|image|attachment|upload|result|output|query|document too large|big",
        "is|was|are too large|big",
        "payload|request|body|message|content|input|response|prompt|result|output is|was too long",
        "exceeds the maximum|allowed|size|file|request|upload size|limit|length",
        "exceeds maximum|max size|length|allowed", "exceeds size limit", "size exceeds|exceeded",
        "size limit exceeded", "exceeds _ bytes", "exceeds the limit of", "maximum context length",
        "context length exceeded", "context window", "prompt is too long", "msg|text too long", "e2big|efbig",
    ];
    [
        "msg_too_long", "Request entity too large", "File size exceeds the limit of 10 MB",
        "This model's maximum context length is 8192 tokens",
        "Response from https://x.example exceeds 10485760 bytes",
    ];
    ["the value is too high"];

    "text.read-only-field": VALIDATION_READ_ONLY_FIELD, "The call sets a field only the server sets.";
    [
        "read only field|property|attribute|parameter", "field|property|attribute is read only",
        "field|property|attribute _ is read only", "field is frozen",
    ];
    ["Field 'id' is read-only"];
    ["the file system is read-only"];

    "text.http-status": - Status, "An HTTP status in the place of one: \"status code 429\", \"HTTP 500\", \"404 Not Found\". Its number decides.";
    [];
    [
        "Failed to fetch https://x.example/a - status code 429", "HTTP error! status: 503",
        "Request failed with status code 404", "404 Client Error: Not Found for url: https://x.example",
        "API error: 422 Unprocessable Entity", "the server returned 500",
        "PUT https://api.example.test/repos/a/b/contents/x: 409 x does not match 8a7b []",
    ];
    [
        "500 items", "Query returned 404 rows", "User 404 not found", "listening on port 500",
        "see https://example.test/a: 409 pages",
    ];

    "text.invalid-enum": VALIDATION_INVALID_ENUM, "A value is not one of the allowed ones.";
    [
        "must be one of", "should be one of", "expected one of", "is not one of", "must be equal to one of",
        "invalid enum|option|choice|literal", "not a valid choice|option|enum|enumeration", "unknown variant",
        "allowed|valid|supported|permitted values|options are",
        "allowed|valid|supported|permitted values|options", "one of the following",
    ];
    [
        "'purple' is not one of ['red', 'green']", "sort must be one of: asc, desc",
        "unknown variant `purple`, expected `red` or `green`", "Allowed values are red and green",
    ];
    ["one of the files is missing"];

    "text.out-of-range": VALIDATION_OUT_OF_RANGE, "A number, length or count is out of bounds.";
    [
        "out of range", "out of bounds", "must be between",
        "must be greater|less|more|larger|smaller|higher|lower than", "must be at least|most",
        "should be greater|less than", "should be at least|most", "should have at least|most",
        "must be positive|negative|non-negative|nonnegative", "must be a positive|non-negative",
        "must not exceed", "cannot exceed", "is greater|larger|more|higher than the maximum",
        "is less|smaller|lower than the minimum", "exceeds|above the maximum value", "below the minimum",
        "is too long|short|high|low", "too big|small expected", "ensure this value", "enametoolong",
    ];
    ["limit must be at most 100", "200 is greater than the maximum of 100", "page out of range"];
    ["list index out of range", "must be a string"];

    "text.invalid-type": VALIDATION_INVALID_TYPE, "A value has the wrong type.";
    [
        "is not of type", "must be of type", "wrong|invalid|incorrect type", "type mismatch",
        "must be string|number|integer|boolean|array|object|null",
        "must be a|an string|number|integer|boolean|array|object|list|dictionary|float",
        "should be a|an string|number|integer|boolean|array|object|list|dictionary|float",
        "should be a valid string|number|integer|boolean|list|dictionary|float|bytes|array|object",
        "is not a valid integer|number|float|boolean|list|dict|string",
        "expected string|number|integer|boolean|array|object|float|int|list received|got|but|instead",
        "expected _ received|got", "wrong kind of value",
        "invalid input expected string|number|int|boolean|array|object",
    ];
    [
        "5 is not of type 'string'", "data/limit must be integer",
        "invalid type: string \"x\", expected f64 at line 1 column 9", "'page' must be a number",
        "Input should be a valid integer",
    ];
    ["this type of error", "must be a member"];

    "text.format": VALIDATION_PATTERN_MISMATCH, "A string does not have the form it should have.";
    [
        "does not match pattern|regex|format|schema", "does not match the pattern|required|regex|expected",
        "must|should match pattern|format|regex", "must|should match the pattern|format|regex",
        "invalid email|url|uri|uuid|guid|date|datetime|timestamp|ip|cron|regex|hostname|base64|isbn|phone",
        "invalid date|time|number|address|id|date-time|iso|file format", "invalid format", "incorrect format",
        "not a valid email|url|uri|uuid|date|datetime|timestamp|ip|address|path|hostname",
        "must|should be a valid email|url|uri|uuid|date|datetime|timestamp|ip|hostname", "malformed",
        "badly formatted",
    ];
    [
        "'abc' does not match '^[0-9]+$': does not match pattern", "Invalid URL: htp:/x",
        "Invalid time format. Expected HH:MM [24-hour format]", "badly formatted UUID",
    ];
    ["Invalid path: 'x'"];

    "text.not-found": NOT_FOUND_RESOURCE, "What the call names does not exist.";
    [
        "not found", "enoent", "no such", "does|do|did not exist", "doesn't|don't|didn't exist",
        "no longer exists", "did not match any", "src refspec _ does not match any", "did not resolve to",
        "bad revision", "could not resolve to a", "cannot|can't|couldn't find|locate", "could not find|locate",
        "unable to find|locate", "failed to find|locate", "cannot be found", "could not be found",
        "nonexistent|non-existent",
        "unknown resource|prompt|user|table|column|database|project|repository|file|path|id|channel|revision|host|model|account|city|location|symbol",
        "no user|record|row|file|page|document|issue|repository|item|entity|resource|project|entry|match|matches|results|data found",
        "no time zone found", "no matching", "has been deleted|removed", "was deleted|removed",
        "undefined table|column", "not a git repository", "no element matches|found",
        "no page|file|document|user|project|table|channel|issue|item titled|named|called",
        "node with given id does not belong",
    ];
    [
        "fatal: not a git repository (or any of the parent directories): .git",
        "Ref 'nowhere' did not resolve to an object", "fatal: bad revision 'nope'",
        "error: src refspec nope does not match any", "ENOENT: no such file or directory, open 'a.txt'",
        "Entity with name x not found", "Error: relation \"orders\" does not exist", "no such table: orders",
        "NoSuchKey: The specified key does not exist.", "Could not find exact match for edit",
        "Unknown resource: file:///a", "There is no page titled 'Foo'", "No element matches selector .foo",
    ];
    ["Unknown tool: x", "a new file was found"];

    "text.invalid-state": CONFLICT_INVALID_STATE, "The resource is in a state in which the operation makes no sense.";
    [
        "conflict|conflicts|conflicting", "invalid|illegal|wrong state|status|transition",
        "illegal state exception", "not in a valid state", "is locked",
        "already running|started|stopped|closed|completed|merged|finished|active|cancelled|canceled|deleted|open|in",
        "is not running|open|active|started|connected|initialized|launched",
        "not connected|initialized|launched", "in current state", "in the|its current state", "not empty",
        "enotempty|ebusy|eaddrinuse", "failed precondition", "would be overwritten by", "nothing to commit",
        "cannot transition", "not mergeable", "branch _ checked out at", "has no upstream branch",
        "unrelated histories", "patch does not apply", "another git process", "is archived",
        "browser has been closed",
        "element is not visible|enabled|attached|stable|interactable|clickable|editable", "is in use",
        "cannot be modified|changed|deleted|edited|cancelled|canceled while|because|after|once",
    ];
    [
        "error: Your local changes to the following files would be overwritten by merge",
        "nothing to commit, working tree clean", "error: Cannot delete branch 'x' checked out at '/repo'",
        "fatal: The current branch x has no upstream branch.", "error: a.txt: patch does not apply",
        "Target page, context or browser has been closed", "Element is not visible",
        "Pull request is already merged", "Cannot transition issue from Done to In Progress",
        "merge conflict between base and head", "ENOTEMPTY: directory not empty, rmdir 'a'",
        "The instance is not running",
    ];
    ["database is locked", "already exists"];

    "text.division-by-zero": VALIDATION_INVALID_VALUE, "A number was divided by zero, so an argument is wrong.";
    ["division|divide|divided by zero", "zero division error"];
    ["division by zero", "Cannot divide by zero"];
    ["divided by two"];

    "text.unavailable": UNAVAILABLE_SERVICE, "The service is down or refuses work for the moment.";
    [
        "service|server|api|system|site|host|database|model|backend unavailable",
        "service|server|api|system|site|database|backend is|currently|temporarily unavailable|down|offline",
        "is|are currently|temporarily unavailable|down|overloaded|offline", "temporarily unavailable",
        "under|in|for|undergoing maintenance", "scheduled maintenance", "maintenance mode", "not ready yet",
        "starting up", "loading the dataset in memory", "shutting down", "unavailable",
    ];
    [
        "Service Unavailable", "The model is temporarily unavailable", "the database system is starting up",
        "LOADING Redis is loading the dataset in memory",
    ];
    ["the option is available"];

    "text.not-implemented": INTERNAL_NOT_IMPLEMENTED, "The operation is known and not built or not supported.";
    [
        "not implemented|supported", "not yet implemented|supported|available", "unimplemented|unsupported",
        "isn't|is not supported", "does|do not support", "doesn't|don't support", "method not allowed",
        "enosys|enotsup|eopnotsupp",
    ];
    ["NotImplementedError", "Error: unsupported file type '.xyz'", "Prompts are not supported"];
    ["support was contacted"];

    "text.syntax": VALIDATION_INVALID_VALUE, "What the caller wrote cannot be parsed: a query, an expression, a document.";
    [
        "mapping values are not allowed",
        "spaces|whitespace|tabs|characters|letters|digits|duplicates are not allowed", "syntax error",
        "invalid syntax", "parse|parsing error", "failed|unable to parse", "could not parse",
        "unexpected token|character|end|identifier", "unexpected eof while|in|at", "unterminated string",
    ];
    [
        "mapping values are not allowed in this context", "Spaces are not allowed in this field",
        "near \"SELEC\": syntax error", "SyntaxError: Invalid or unexpected token",
        "Failed to parse query: unexpected end of input",
    ];
    ["unexpected error"];

    "text.cut-off": UNAVAILABLE_NETWORK, "An answer broke off in the middle.";
    ["unexpected eof", "ended prematurely", "premature end|close"];
    ["unexpected EOF", "Response ended prematurely", "FetchError: Premature close"];
    ["SyntaxError: unexpected EOF while parsing"];

    "text.required": VALIDATION_MISSING_PARAM, "Something is required and absent.";
    [
        "is|are required", "must provide|specify|supply", "please provide|specify|supply",
        "not null constraint", "must not be empty|blank|null|none", "cannot be empty|blank|null|none",
        "can't be empty|blank|null|none", "should not be empty|blank|null|none", "missing field",
        "missing arguments",
    ];
    ["URL is required", "name cannot be empty"];
    ["a required course"];

    "text.invalid": VALIDATION_INVALID_VALUE, "A value is wrong, and nothing says how.";
    [
        "invalid", "einval|eisdir|enotdir", "illegal operation on a directory", "is|not a directory",
        "validation failed|error|errors|failure|exception", "failed validation",
        "bad request|argument|arguments|parameter|parameters|input|value", "illegal argument|value|character",
        "unprocessable", "must be", "must not", "must match", "should be", "cannot be", "is not valid",
        "not a valid", "value error", "cannot specify|use|combine both", "could not convert",
        "violates check|foreign|exclusion", "ambiguous", "strict mode violation",
        "multiple _ match|matched|matches|found", "more than one _ found|match|matches|matched",
        "be more specific",
    ];
    [
        "Found 3 orders matching 'x', please be more specific", "Multiple users match 'bob': bob1, bob2",
        "More than one order found",
        "locator.click: Error: strict mode violation: getByRole('button') resolved to 2 elements",
        "Invalid path: 'x'", "Validation Failed", "Bad Request", "Path must be absolute after normalization",
        "Cannot specify both head and tail parameters simultaneously",
        "EISDIR: illegal operation on a directory, read",
    ];
    ["a valid answer"];

    "text.forbidden-word": PERMISSION_DENIED, "The single words by which servers refuse.";
    ["forbidden", "not permitted|allowed", "denied", "disallowed", "prohibited"];
    ["Forbidden", "That is not allowed", "request denied"];
    ["permitted and allowed"];

    "text.by-user": PERMISSION_NOT_ALLOWED AskUser, "A user cancelled it. The caller asks the user, and does not repeat it by itself.";
    [
        "cancelled|canceled|aborted|interrupted by user",
        "cancelled|canceled|aborted|interrupted by the|your|a user",
        "user cancelled|canceled|aborted|interrupted", "user has cancelled|canceled|aborted|interrupted",
    ];
    [
        "cancelled by the user", "Operation canceled by user", "Error: User cancelled the dialog",
        "AbortError: The operation was aborted by the user",
    ];
    [
        "The order was already cancelled by the user", "The operation was canceled.",
        "cancelled by the scheduler",
    ];

    "text.cancelled": INTERNAL_UNKNOWN, "It was cancelled for an unknown reason, so the caller does not repeat it by itself.";
    [
        "request|operation|call|task|execution|query|job was|is|has cancelled|canceled|aborted",
        "request|operation|call|task|execution|query|job has been cancelled|canceled|aborted",
        "request|operation|call|task|execution|query|job cancelled|canceled|aborted",
        "cancelled|canceled error|exception", "abort error", "cancelled|canceled|aborted by",
    ];
    [
        "The operation was canceled.", "AbortError: This operation was aborted",
        "asyncio.exceptions.CancelledError",
    ];
    ["your order was cancelled"];

    "text.try-later": UNAVAILABLE_SERVICE, "The service asks the caller to come back later.";
    [
        "try|retry again|request|it|this later|soon|shortly", "retry later", "again later", "try again in",
        "again after some time",
    ];
    ["Please try again later", "Could not do it right now, try again in 30 seconds"];
    ["better late than never"];

    "text.internal": INTERNAL_ERROR Vague, "Something failed, and nothing says what.";
    [
        "internal server|service error|exception|failure", "internal error|exception|failure",
        "internal json rpc error", "unexpected error|exception|failure|problem",
        "unexpected server|internal error", "server error", "something went wrong",
    ];
    ["Internal Server Error", "An unexpected error occurred", "Something went wrong"];
    ["internal links", "an error occurred"];
};
