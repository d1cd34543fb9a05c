//! The names of methods.

/// The handshake of a session.
pub const INITIALIZE: &str = "initialize";
/// The end of the handshake.
pub const INITIALIZED: &str = "notifications/initialized";
/// The first request to a server without sessions.
pub const DISCOVER: &str = "server/discover";
/// Whether the other end answers.
pub const PING: &str = "ping";
/// A call of a tool.
pub const TOOLS_CALL: &str = "tools/call";
/// The list of tools.
pub const TOOLS_LIST: &str = "tools/list";
/// The list of tools is another.
pub const TOOLS_LIST_CHANGED: &str = "notifications/tools/list_changed";
/// The list of resources.
pub const RESOURCES_LIST: &str = "resources/list";
/// The list of resources is another.
pub const RESOURCES_LIST_CHANGED: &str = "notifications/resources/list_changed";
/// The list of templates of resources.
pub const RESOURCES_TEMPLATES_LIST: &str = "resources/templates/list";
/// The content of a resource.
pub const RESOURCES_READ: &str = "resources/read";
/// Subscribes to a resource.
pub const RESOURCES_SUBSCRIBE: &str = "resources/subscribe";
/// Ends a subscription to a resource.
pub const RESOURCES_UNSUBSCRIBE: &str = "resources/unsubscribe";
/// The content of a resource is another.
pub const RESOURCES_UPDATED: &str = "notifications/resources/updated";
/// The list of prompts.
pub const PROMPTS_LIST: &str = "prompts/list";
/// The list of prompts is another.
pub const PROMPTS_LIST_CHANGED: &str = "notifications/prompts/list_changed";
/// The text of a prompt.
pub const PROMPTS_GET: &str = "prompts/get";
/// Completions of an argument.
pub const COMPLETION_COMPLETE: &str = "completion/complete";
/// Sets the level of log messages.
pub const LOGGING_SET_LEVEL: &str = "logging/setLevel";
/// A log message.
pub const MESSAGE: &str = "notifications/message";
/// The progress of a request.
pub const PROGRESS: &str = "notifications/progress";
/// Cancels a request.
pub const CANCELLED: &str = "notifications/cancelled";
/// A stream of notifications.
pub const SUBSCRIPTIONS_LISTEN: &str = "subscriptions/listen";
/// A stream of notifications has begun.
pub const SUBSCRIPTIONS_ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
/// A question for the user of a client.
pub const ELICITATION_CREATE: &str = "elicitation/create";
/// A request for the model of a client.
pub const SAMPLING_CREATE: &str = "sampling/createMessage";
/// The roots of a client.
pub const ROOTS_LIST: &str = "roots/list";
/// The state of a task.
pub const TASKS_GET: &str = "tasks/get";
/// The list of tasks.
pub const TASKS_LIST: &str = "tasks/list";
/// The result of a task, once it is done.
pub const TASKS_RESULT: &str = "tasks/result";
/// Cancels a task.
pub const TASKS_CANCEL: &str = "tasks/cancel";
/// The state of a task is another.
pub const TASKS_STATUS: &str = "notifications/tasks/status";
/// A question to the user of a client is answered elsewhere.
pub const ELICITATION_COMPLETE: &str = "notifications/elicitation/complete";
/// The roots of a client are others.
pub const ROOTS_LIST_CHANGED: &str = "notifications/roots/list_changed";
/// Answers what a task asks.
pub const TASKS_UPDATE: &str = "tasks/update";
/// The state of a task is another, in 2026-07-28.
pub const TASKS_CHANGED: &str = "notifications/tasks";
/// What the methods about tasks begin with.
pub const TASKS_PREFIX: &str = "tasks/";
