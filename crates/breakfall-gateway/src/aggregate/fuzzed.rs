//! Entry point for fuzz targets: identifiers that clients return, and messages of servers.

use super::list::{ListMethod, ListPage};
use super::merge::Merger;
use super::seal::{Seal, SealPurpose};
use super::{UpstreamNames, inward, outward, uris};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits};

/// Parses a text as a name, an address, a cursor, a request state, a list and a message.
///
/// # Panics
/// When an invariant is broken: names and addresses survive a round trip, a sealed text opens only where it belongs,
/// and a seal cannot be forged.
pub fn take(text: &str) {
    let names = UpstreamNames::new(["files", "shop"], "__").expect("they differ");
    let seal = Seal::with_key(&[7; 32]);
    let asker = Merger {
        names: &names,
        seal: &seal,
        principal: "somebody",
        is_modern: text.len().is_multiple_of(2),
    };
    for at in 0..names.len() {
        let joined = names.join(at, text);
        assert!(joined.len() <= UpstreamNames::MAX_NAME_BYTES);
        assert_eq!(names.split(&joined).map(|(at, _)| at), Some(at));
        let address = uris::front(&names, at) + text;
        assert_eq!(uris::split(&names, &address), Some((at, text)));
        sealed(&seal, &names, at, text);
        for list in ListMethod::ALL {
            // Only checked for panics: the server decides what it means.
            let _ = ListPage::read(asker.view(at), list, text);
        }
        if let Ok(frame) = Frame::parse(text.into(), &FrameLimits::REQUEST) {
            let _ = inward::told(asker.view(at), frame.clone());
            let _ = outward::told(asker.view(at), frame);
        }
    }
    for list in ListMethod::ALL {
        assert!(asker.open_cursor(list, text).is_none(), "a forged cursor");
        let about = SealPurpose {
            what: list.method(),
            upstream: "",
            principal: "somebody",
        };
        // A genuine seal around arbitrary text.
        let _ = asker.open_cursor(list, &seal.close(about, text));
    }
}

fn sealed(seal: &Seal, names: &UpstreamNames, at: usize, text: &str) {
    let about = SealPurpose {
        what: "state",
        upstream: names.upstream(at),
        principal: "somebody",
    };
    assert_eq!(seal.open(about, text), None, "a forged state");
    let sealed = seal.close(about, text);
    assert_eq!(seal.open(about, &sealed), Some(text));
    let elsewhere = SealPurpose {
        upstream: names.upstream(1 - at),
        ..about
    };
    assert_eq!(seal.open(elsewhere, &sealed), None);
    let other = SealPurpose {
        principal: "somebody else",
        ..about
    };
    assert_eq!(seal.open(other, &sealed), None);
    assert_eq!(seal.open(about, &(sealed + "x")), None);
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_of_every_kind_hold_what_has_to() {
        let long = "x".repeat(100);
        let texts = [
            "",
            "files__read",
            "breakfall://shop/file:///a",
            "0123456789abcdef0123456789abcdef.{}",
            r#"{"tools":[{"name":"a"},7,{"name":"a"}],"nextCursor":"n"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"files__a","requestState":"s"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"file:///a"}]}}"#,
            &long,
        ];
        texts.into_iter().for_each(super::take);
    }
}
