//! Addresses of resources: two servers may use the same one, so each gets its server's prefix.
//!
//! `file:///a` of `files` is `breakfall://files/file:///a`: without the prefix every byte is as before. A template
//! keeps its braces, so an expanded template is the prefix and the expanded original.

use super::UpstreamNames;

/// The scheme of prefixed addresses.
const SCHEME: &str = "breakfall://";

/// The prefix of a server's addresses.
pub(crate) fn front(names: &UpstreamNames, at: usize) -> String {
    format!("{SCHEME}{}/", names.upstream(at))
}

/// The server an address belongs to, and the server's own address.
pub(crate) fn split<'a>(names: &UpstreamNames, uri: &'a str) -> Option<(usize, &'a str)> {
    let (upstream, rest) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    Some((names.find(upstream)?, rest))
}

/// Whether a client can fetch a link on its own: such a link stays as it is.
pub(crate) fn is_web(uri: &str) -> bool {
    let starts = |scheme: &str| {
        uri.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    starts("https://") || starts("http://")
}

/// Whether a text may hold a prefixed address.
pub(crate) fn has_any(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), SCHEME.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_address_comes_back_as_it_was(uri in "\\PC{0,60}|breakfall://shop/x") {
            let names = UpstreamNames::new(["files", "shop"], "__").expect("they differ");
            for at in 0..2 {
                let wrapped = front(&names, at) + &uri;
                prop_assert_eq!(split(&names, &wrapped), Some((at, &*uri)));
            }
        }
    }

    #[test]
    fn an_address_without_a_known_prefix_has_no_server() {
        let names = UpstreamNames::new(["files"], "__").expect("one");
        for uri in [
            "file:///a",
            "breakfall://",
            "breakfall://files",
            "breakfall://other/x",
            "",
        ] {
            assert_eq!(split(&names, uri), None, "{uri}");
        }
        assert!(is_web("HTTPS://a") && !is_web("file:///https://") && !is_web("httpé"));
    }
}
