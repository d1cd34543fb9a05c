//! A fault as a JSON-RPC error.

use std::borrow::Cow;

use breakfall::Public;
use breakfall::wire::Options;
use breakfall::wire::native;

/// Errors a client acts on by itself: nobody reads their words.
pub fn is_acted_on(code: i64) -> bool {
    matches!(code, -32042 | -32022 | -32021 | -32020)
}

/// The words of an error, then code, remedy, retry and id: most programs show nothing but the words of an error. What could be
/// taken for the rest is quoted.
pub fn in_words(words: &str, shown: &Public, options: &Options) -> String {
    let text = native::object(shown, options).text();
    // Its first line is the code and the message, which is said already.
    let (first, rest) = text.split_once('\n').unwrap_or_default();
    let code = first.split_inclusive(']').next().unwrap_or_default();
    match native::quoted(words) {
        Cow::Borrowed(words) => format!("{words} {code}\n{rest}"),
        Cow::Owned(quote) => format!("{quote}\n{code}\n{rest}"),
    }
}
