//! Names of tools and prompts of many servers in one list: the server's name, a separator, the name of the tool.
//!
//! The large model providers require `^[A-Za-z0-9_-]{1,64}$` of the names of tools, so dots and slashes are out. Most names
//! have single underscores; hardly any has two in a row, and clients that add a prefix of their own use two as well.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest as _, Sha256};

/// The prefixes by which the tools of servers are told apart.
#[derive(Debug, Clone)]
pub struct UpstreamNames(Vec<PrefixedName>);

#[derive(Debug, Clone)]
struct PrefixedName {
    /// As it is configured.
    whole: Box<str>,
    /// The prefix, with the separator.
    prefix: Box<str>,
}

/// Two servers, by their indexes, whose tools could have the same name: the prefix of the second begins with the prefix of
/// the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct NameConflict(pub usize, pub usize);

impl UpstreamNames {
    /// The default separator between the name of a server and the name of a tool.
    pub const SEPARATOR: &str = "__";

    /// The longest name that model providers accept.
    pub const MAX_NAME_BYTES: usize = 64;

    /// The prefixes of these servers.
    ///
    /// ```
    /// use breakfall_gateway::config::{NameConflict, UpstreamNames};
    ///
    /// let names = UpstreamNames::new(["files", "shop"], "__").expect("they differ");
    /// assert_eq!(names.join(1, "refund"), "shop__refund");
    /// assert_eq!(names.split("shop__refund"), Some((1, "refund")));
    /// assert_eq!(UpstreamNames::new(["a__b", "a"], "__").unwrap_err(), NameConflict(1, 0));
    /// ```
    ///
    /// # Errors
    /// Tools of two servers could have the same name.
    pub fn new<'a>(
        upstreams: impl IntoIterator<Item = &'a str>,
        separator: &str,
    ) -> Result<Self, NameConflict> {
        let names = Self::unchecked(upstreams, separator);
        let conflict = names.conflicts().next();
        conflict.map_or(Ok(names), Err)
    }

    /// The prefixes, with conflicts if there are any.
    pub(super) fn unchecked<'a>(
        upstreams: impl IntoIterator<Item = &'a str>,
        separator: &str,
    ) -> Self {
        let names = upstreams.into_iter().map(|whole| {
            let prefix = shortened(whole, MAX_PREFIX_BYTES).into_owned() + separator;
            PrefixedName {
                whole: whole.into(),
                prefix: prefix.into(),
            }
        });
        Self(names.collect())
    }

    /// Each pair with a conflict. A prefix must not begin with another one, or the server of the shorter one could have a tool
    /// whose name goes on like the longer one.
    pub(super) fn conflicts(&self) -> impl Iterator<Item = NameConflict> {
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, name) in self.0.iter().enumerate() {
            first.entry(&name.prefix).or_insert(at);
        }
        let all = self.0.iter().enumerate();
        all.flat_map(move |(second, name)| {
            let prefix = &*name.prefix;
            let starts = prefix
                .char_indices()
                .map(|(end, c)| &prefix[..end + c.len_utf8()]);
            let found: Vec<NameConflict> = starts
                .filter_map(|start| first.get(start))
                .filter(|first| **first != second)
                .map(|first| NameConflict(*first, second))
                .collect();
            found
        })
    }

    /// How many servers there are.
    #[expect(clippy::len_without_is_empty, reason = "an empty list has no use")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The name of a server.
    pub fn upstream(&self, at: usize) -> &str {
        &self.0[at].whole
    }

    /// The index of the server with a name.
    pub fn find(&self, upstream: &str) -> Option<usize> {
        self.0.iter().position(|name| *name.whole == *upstream)
    }

    /// The prefix of a server.
    pub fn prefix(&self, at: usize) -> &str {
        &self.0[at].prefix
    }

    /// The name of a tool or prompt in the list of all servers. If it is too long, its end is replaced by a fingerprint; characters
    /// that providers refuse are replaced, and a fingerprint is added. The result is always the same.
    ///
    /// ```
    /// # use breakfall_gateway::config::UpstreamNames;
    /// let names = UpstreamNames::new(["files"], "__").expect("one");
    /// assert_eq!(names.join(0, "read file"), "files__read_file_1xpiu2skk");
    /// ```
    pub fn join(&self, at: usize, name: &str) -> String {
        let joined = self.tag(at, name);
        if !Self::is_usable(name) {
            return rewritten(self.prefix(at), name, &joined);
        }
        match shortened(&joined, Self::MAX_NAME_BYTES) {
            Cow::Borrowed(_) => joined,
            Cow::Owned(short) => short,
        }
    }

    /// A word of a server with its prefix, of any length: the id of a task, for example.
    pub fn tag(&self, at: usize, word: &str) -> String {
        [self.prefix(at), word].concat()
    }

    /// The server of a joined name, and the name of its tool, or the start of it if it was too long.
    pub fn split<'a>(&self, joined: &'a str) -> Option<(usize, &'a str)> {
        let mut all = self.0.iter().enumerate();
        all.find_map(|(at, name)| Some((at, joined.strip_prefix(&*name.prefix)?)))
    }

    /// Whether a name has only characters that model providers accept.
    pub(crate) fn is_usable(name: &str) -> bool {
        name.bytes().all(is_usable)
    }

    /// Whether a joined name may have been cut or rewritten, by its look.
    pub fn may_be_replaced(joined: &str) -> bool {
        let Some((start, end)) = joined.split_at_checked(joined.len().wrapping_sub(FINGERPRINT))
        else {
            return false;
        };
        let is_long =
            joined.len() > Self::MAX_NAME_BYTES - 4 && joined.len() <= Self::MAX_NAME_BYTES;
        let is_fingerprint = end.bytes().all(|letter| LETTERS.contains(&letter));
        (is_long && start.ends_with('_')) || (is_fingerprint && start.ends_with(REWRITTEN))
    }
}

impl fmt::Display for NameConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tools of two servers could be called the same")
    }
}

impl std::error::Error for NameConflict {}

/// A text cut to a length, with a fingerprint of the whole at its end if it was longer.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let kept = text.floor_char_boundary(most - FINGERPRINT - 1);
    Cow::Owned(format!("{}_{}", &text[..kept], fingerprint(text)))
}

/// An acceptable name in place of one with other characters.
fn rewritten(prefix: &str, name: &str, whole: &str) -> String {
    let most = UpstreamNames::MAX_NAME_BYTES - REWRITTEN.len() - FINGERPRINT;
    let usable = |c: char| u8::try_from(c).is_ok_and(is_usable);
    let chars = name.chars().map(|c| if usable(c) { c } else { '_' });
    let mut joined = prefix.to_owned();
    joined.extend(chars.take(most.saturating_sub(prefix.len())));
    joined + REWRITTEN + &fingerprint(whole)
}

/// Whether a character may stand in a name.
fn is_usable(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Forty bits are enough to tell the tools of one server apart: of a million pairs, one in a million is the same.
fn fingerprint(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let bits = hash[..5]
        .iter()
        .fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
    let letter = |at: usize| {
        let index = bits >> (5 * (FINGERPRINT - 1 - at)) & 31;
        char::from(LETTERS[usize::try_from(index).unwrap_or_default()])
    };
    (0..FINGERPRINT).map(letter).collect()
}

const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const FINGERPRINT: usize = 8;
/// Marks a rewritten name, in front of its fingerprint. No fingerprint has these characters.
const REWRITTEN: &str = "_1";
/// The longest prefix: as many bytes are left for the name itself.
const MAX_PREFIX_BYTES: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn servers_whose_names_could_be_mistaken_are_refused() {
        let conflict =
            |names: &[&str], separator| UpstreamNames::new(names.iter().copied(), separator).err();
        assert_eq!(conflict(&["a", "b", "c__d"], "__"), None);
        assert_eq!(
            conflict(&["a", "a_"], "__"),
            Some(NameConflict(0, 1)),
            "a___x"
        );
        assert_eq!(
            conflict(&["x__", "x_"], "__"),
            Some(NameConflict(1, 0)),
            "x____t"
        );
        assert_eq!(
            conflict(&["a", "b", "a__b"], "__"),
            Some(NameConflict(0, 2))
        );
        assert_eq!(conflict(&["my", "my_files"], "_"), Some(NameConflict(0, 1)));
        assert_eq!(conflict(&["a", "b", "a"], "-"), Some(NameConflict(0, 2)));
    }

    #[test]
    fn a_name_that_is_too_long_is_cut_the_same_way_every_time() {
        let names = UpstreamNames::new(["files"], "__").expect("one");
        let tool = "x".repeat(70);
        let short = names.join(0, &tool);
        assert_eq!(short, format!("files__{}_2rsbsclw", "x".repeat(48)));
        assert_eq!(short.len(), UpstreamNames::MAX_NAME_BYTES);
        assert!(
            UpstreamNames::may_be_replaced(&short)
                && !UpstreamNames::may_be_replaced("files__read")
        );
        assert_eq!(names.join(0, &"y".repeat(57)).len(), 64, "just fits, uncut");
    }

    #[test]
    fn a_name_no_model_takes_is_replaced_by_one_that_says_nearly_the_same() {
        let names = UpstreamNames::new(["files"], "__").expect("one");
        let weird = names.join(0, "weird name/é\0\"\n");
        assert_eq!(weird, "files__weird_name______1xx4v45fh");
        let (one, other) = (names.join(0, "a.b"), names.join(0, "a/b"));
        assert!(one.starts_with("files__a_b_1") && one != other, "{one}");
        assert!(!UpstreamNames::may_be_replaced("files__list_products"));
        let long = names.join(0, &"é".repeat(100));
        assert_eq!(long.len(), UpstreamNames::MAX_NAME_BYTES);
    }

    #[test]
    fn a_server_with_a_long_name_leaves_room_for_its_tools() {
        let long = "s".repeat(64);
        let names = UpstreamNames::new([&*long, "s"], "__").expect("they differ");
        let joined = names.join(0, "read_file");
        assert!(joined.ends_with("__read_file") && joined.len() < UpstreamNames::MAX_NAME_BYTES);
        assert_eq!(names.split(&joined), Some((0, "read_file")));
    }

    proptest! {
        #[test]
        fn what_is_joined_is_split_again(
            servers in proptest::collection::btree_set("[A-Za-z0-9][A-Za-z0-9_-]{0,40}", 1..6),
            separator in "[_-]{1,3}|x",
            tool in "\\PC{0,80}|[a-z_-]{0,70}",
        ) {
            let servers: Vec<String> = servers.into_iter().collect();
            if let Ok(names) = UpstreamNames::new(servers.iter().map(|name| &**name), &separator) {
                for at in 0..names.len() {
                    let joined = names.join(at, &tool);
                    prop_assert!(joined.len() <= UpstreamNames::MAX_NAME_BYTES);
                    prop_assert!(joined.bytes().all(is_usable), "{}", joined);
                    let (found, rest) = names.split(&joined).expect("it has a prefix");
                    prop_assert_eq!(found, at);
                    let is_usable = tool.bytes().all(is_usable);
                    if is_usable && names.prefix(at).len() + tool.len() <= UpstreamNames::MAX_NAME_BYTES {
                        prop_assert_eq!(rest, &*tool);
                    } else {
                        prop_assert!(UpstreamNames::may_be_replaced(&joined), "{}", joined);
                    }
                    let tagged = names.tag(at, &tool);
                    prop_assert_eq!(names.split(&tagged), Some((at, &*tool)));
                }
            }
        }

        #[test]
        fn two_servers_never_share_a_name(a in "[a-c_]{1,4}", b in "[a-c_]{1,4}", x in "[a-c_]{0,6}", y in "[a-c_]{0,6}") {
            prop_assume!(a != b);
            if let Ok(names) = UpstreamNames::new([&*a, &*b], "__") {
                prop_assert_ne!(names.join(0, &x), names.join(1, &y));
            }
        }
    }
}
