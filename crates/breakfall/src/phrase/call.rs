//! Calls that came to nothing, and their arguments.

use super::{Phrase, phrases};

phrases! {
    CALL:
    // Calls and methods.
    CALL_CANCELLED = "call-cancelled", "The call was cancelled";
    CALL_OPEN_ADDRESS = "call-open-address", "Ask the person to open the address in the details and finish there, then call again.";
    CALL_NEITHER = "call-neither", "The response has neither a result nor an error";
    CALL_READ_WORDS = "call-read-words", "Read what the server said, and change the call or what it acts on; if that does not help, ask for help with the correlation id.";
    CALL_ASK_USER = "call-ask-user", "Do not call again on your own; ask the user what they want.";
    CALL_UNTOLD = "call-untold", "The failure was counted but not told";
    CALL_PAUSED = "call-paused", "Tool '{tool}' of service '{service}' is paused after repeated failures";
    CALL_UNCERTAIN = "call-uncertain", "The call may or may not have taken effect. Look first, and call again only if it has not.";
    CALL_UNCERTAIN_USER = "call-uncertain-user", "It is not certain whether this was done. Please check before you try again.";
    UNKNOWN_METHOD = "unknown-method", "Unknown method '{method}'";
    UNKNOWN_TOOL = "unknown-tool", "Unknown tool '{tool}'";
    UNKNOWN_TOOL_NEAR = "unknown-tool-near", "Unknown tool '{tool}'; did you mean '{nearest}'?";
    CALL_NEAREST = "call-nearest", "Call '{nearest}' if that is what you meant, or list the tools.";
    CALL_MEANT = "call-meant", "Did you mean '{nearest}'? Call it, or another tool the server lists.";
    CALL_ONE_OF_MORE = "call-one-of-more", "Call one of the available operations instead: {available}, and {count} more. List the tools for all of them.";

    // Arguments, as far as a handler tells of them.
    ARGUMENTS_UNFIT = "arguments-unfit", "The arguments do not fit: {reason}";
    ARGUMENTS_PARAMS = "arguments-params", "The parameters of 'tools/call' do not fit its schema";
    ARGUMENT_TYPE = "argument-type", "An argument must be {expected}, got {actual}";
    ARGUMENT_VALUE = "argument-value", "An argument must be {expected}";

    // Lists.
    AND_MORE = "and-more", "and {count} more";
}
