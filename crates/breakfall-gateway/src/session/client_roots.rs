//! The roots of a client: directories it named itself.

use breakfall::redact::KnownValues;
use serde::Deserialize;

use breakfall_mcp::jsonrpc::splice::{Object, members};

/// What a client knows after it has answered `roots/list` with this result.
pub(super) fn listed(result: &str) -> KnownValues {
    let list: RootsResult = serde_json::from_str(result).unwrap_or_default();
    let roots = list.roots.iter().take(MAX_ROOTS);
    roots.fold(KnownValues::new(), |known, root| {
        let Some(path) = root.uri.strip_prefix("file://") else {
            return known;
        };
        // In a message it may stand as the URI or as the path.
        known.directory(path).directory(&percent_decoded(path))
    })
}

/// What the client of a call knows that brings the answers to requests for input.
pub(crate) fn returned(params: &str) -> KnownValues {
    let mut known = KnownValues::new();
    let params = Object::of(params, &["inputResponses"]);
    if let Some(responses) = params.as_ref().and_then(|all| all.get("inputResponses")) {
        // Answers that are not an object list no roots.
        let _ = members(responses, |_, response| {
            known = std::mem::take(&mut known).and(&listed(response));
        });
    }
    known
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| str::from_utf8(digits).ok());
        let decoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() {
            &after[2..]
        } else {
            after
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[derive(Deserialize, Default)]
struct RootsResult {
    roots: Vec<Root>,
}

#[derive(Deserialize)]
struct Root {
    uri: String,
}

/// More roots are not remembered.
const MAX_ROOTS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_the_directories_of_file_uris() {
        let result = r#"{"roots":[{"uri":"file:///srv/my%20notes/","name":"n"},{"uri":"https://a.example/x"},{"uri":"file:///tmp"}]}"#;
        let want = KnownValues::new()
            .directory("/srv/my%20notes")
            .directory("/srv/my notes");
        assert_eq!(listed(result), want);
        let params = format!(
            r#"{{"name":"x","inputResponses":{{"r":{result},"f":{{"action":"accept"}}}}}}"#
        );
        assert_eq!(returned(&params), want);
        for odd in ["", "[]", "{}", r#"{"roots":7}"#, r#"{"inputResponses":[]}"#] {
            assert!(listed(odd).is_empty() && returned(odd).is_empty(), "{odd}");
        }
        assert_eq!(percent_decoded("a%2Fb%zz%2"), "a/b%zz%2");
    }
}
