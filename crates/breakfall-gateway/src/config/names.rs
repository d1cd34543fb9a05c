//! UpstreamNames of tools and prompts of many servers in one list: the server's name, a separator, the name it gave.
//!
//! What models are offered has to fit `^[A-Za-z0-9_-]{1,64}$`, which the makers of the big ones demand, so dots and
//! slashes are out. One underscore is in most names already; two hardly ever are, and clients that put a name of
//! their own in front use two as well.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest as _, Sha256};

/// How all servers are told apart by what stands in front of their names.
#[derive(Debug, Clone)]
pub struct UpstreamNames(Vec<PrefixedName>);

#[derive(Debug, Clone)]
struct PrefixedName {
    /// As it is configured.
    whole: Box<str>,
    /// What stands in front, with the separator.
    prefix: Box<str>,
}

/// Two servers, by their places, of which one could have a tool that is called like one of the other: what stands in
/// front of the second begins with what stands in front of the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct NameConflict(pub usize, pub usize);

impl UpstreamNames {
    /// What stands between the name of a server and the name of a tool, unless it is configured.
    pub const SEPARATOR: &str = "__";

    /// The longest name a model can be offered.
    pub const MAX_NAME_BYTES: usize = 64;

    /// UpstreamNames for these servers.
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
    /// When two of them could be taken for one another.
    pub fn new<'a>(
        upstreams: impl IntoIterator<Item = &'a str>,
        separator: &str,
    ) -> Result<Self, NameConflict> {
        let names = Self::unchecked(upstreams, separator);
        let conflict = names.conflicts().next();
        conflict.map_or(Ok(names), Err)
    }

    /// All of them, whether they can be told apart or not.
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

    /// Each pair that cannot be told apart. What stands in front of one must not begin with what stands in front of
    /// another, or the other could have a tool whose name goes on like that.
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
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// What a server is called.
    pub fn upstream(&self, at: usize) -> &str {
        &self.0[at].whole
    }

    /// The server of a name.
    pub fn find(&self, upstream: &str) -> Option<usize> {
        self.0.iter().position(|name| *name.whole == *upstream)
    }

    /// What stands in front of a server's names.
    pub fn prefix(&self, at: usize) -> &str {
        &self.0[at].prefix
    }

    /// What a tool or prompt of a server is called in the list of all. Of one that is too long the end is replaced by
    /// a fingerprint of the whole, and one with other characters than a model can be offered gets others and a
    /// fingerprint, so it is called the same tomorrow.
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

    /// A word of a server with its name in front, however long: nothing but length limits a task's id.
    pub fn tag(&self, at: usize, word: &str) -> String {
        [self.prefix(at), word].concat()
    }

    /// The server a name belongs to, and the name it gave, or the start of it if it was too long.
    pub fn split<'a>(&self, joined: &'a str) -> Option<(usize, &'a str)> {
        let mut all = self.0.iter().enumerate();
        all.find_map(|(at, name)| Some((at, joined.strip_prefix(&*name.prefix)?)))
    }

    /// Whether a name has only characters that models take.
    pub(crate) fn is_usable(name: &str) -> bool {
        name.bytes().all(is_usable)
    }

    /// Whether a name looks as if it had been replaced, or its end. One that was given like that looks the same.
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

/// At most so long, with a fingerprint of the whole at the end if that takes cutting.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let kept = text.floor_char_boundary(most - FINGERPRINT - 1);
    Cow::Owned(format!("{}_{}", &text[..kept], fingerprint(text)))
}

/// A name that models can be offered, for one that they cannot.
fn rewritten(prefix: &str, name: &str, whole: &str) -> String {
    let most = UpstreamNames::MAX_NAME_BYTES - REWRITTEN.len() - FINGERPRINT;
    let usable = |c: char| u8::try_from(c).is_ok_and(is_usable);
    let chars = name.chars().map(|c| if usable(c) { c } else { '_' });
    let mut joined = prefix.to_owned();
    joined.extend(chars.take(most.saturating_sub(prefix.len())));
    joined + REWRITTEN + &fingerprint(whole)
}

/// Whether it may stand in a name that models are offered.
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
/// What stands between a name with other characters and its fingerprint. No letter of a fingerprint is in it.
const REWRITTEN: &str = "_1";
/// What may stand in front of a name, so that at least as much is left for the name itself.
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
