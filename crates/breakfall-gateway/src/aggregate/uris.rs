//! Addresses of resources of many servers: two may use the same one, so each has its server in front.
//!
//! `file:///a` of `files` is `breakfall://files/file:///a`: taking the front off gives back every byte, and a
//! template keeps its braces, so what a client makes of the template is the front and what it would have made.

use super::UpstreamNames;

/// The scheme of an address that says whose it is.
const SCHEME: &str = "breakfall://";

/// The front of a server's addresses.
pub(crate) fn front(names: &UpstreamNames, at: usize) -> String {
    format!("{SCHEME}{}/", names.upstream(at))
}

/// The server an address belongs to, and what that server calls it.
pub(crate) fn split<'a>(names: &UpstreamNames, uri: &'a str) -> Option<(usize, &'a str)> {
    let (upstream, rest) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    Some((names.find(upstream)?, rest))
}

/// Whether a client may fetch what a link leads to without anybody's help: such a link stays as it is.
pub(crate) fn is_web(uri: &str) -> bool {
    let starts = |scheme: &str| {
        uri.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    starts("https://") || starts("http://")
}

/// Whether a text might hold an address of ours.
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
    fn a_foreign_address_belongs_to_nobody() {
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
