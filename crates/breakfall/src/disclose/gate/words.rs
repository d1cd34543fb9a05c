//! Words that call for a rule. Those in capitals are seen as stretches without a small letter.

use std::sync::LazyLock;

use aho_corasick::packed::{self, Searcher};
use aho_corasick::{AhoCorasick, Match, Span};

use super::super::finder::Finder;
use super::super::{address, assign, auth, pem, run, sql, trace};

/// What a word calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Calls {
    Assignment,
    Authorization,
    Basic,
    Bearer,
    Cookie,
    Inner,
    Option,
    Parameters,
    Pem,
    Reached,
    Run,
    Sixth,
    Sql,
    Table,
    Trace,
}

// The words in two sets. Which word is in which has no meaning: a search for many words at once looks at four of their
// bytes in a coarse way, and these are the sets in which ordinary text is mistaken least often for one of them.
/// One set.
const ONE: &[(&str, Calls)] = &[
    ("assw", Calls::Assignment),
    ("ecret", Calls::Assignment),
    ("oken", Calls::Assignment),
    ("key:", Calls::Assignment),
    ("key\"", Calls::Assignment),
    ("key'", Calls::Assignment),
    ("key ", Calls::Assignment),
    ("Key:", Calls::Assignment),
    ("Key\"", Calls::Assignment),
    ("Key'", Calls::Assignment),
    ("Key ", Calls::Assignment),
    ("pwd:", Calls::Assignment),
    ("sphra", Calls::Assignment),
    ("auth:", Calls::Assignment),
    ("auth\"", Calls::Assignment),
    ("auth'", Calls::Assignment),
    ("uthori", Calls::Authorization),
    ("ooki", Calls::Cookie),
    ("Basic ", Calls::Basic),
    (" -u ", Calls::Option),
    ("sshpass", Calls::Option),
    ("-Lines:", Calls::Pem),
    ("elect", Calls::Sql),
    ("nsert ", Calls::Sql),
    ("pdate ", Calls::Sql),
    ("elete ", Calls::Sql),
    (".ex:", Calls::Trace),
    ("\", line ", Calls::Trace),
    ("panicked at", Calls::Trace),
    (".priv", Calls::Inner),
    ("ip-10-", Calls::Inner),
    ("ookup ", Calls::Reached),
    ("esolve", Calls::Reached),
    ("fe80:", Calls::Sixth),
    ("_confirma", Calls::Assignment),
    ("near '", Calls::Sql),
];

/// The other.
const TWO: &[(&str, Calls)] = &[
    ("pwd\"", Calls::Assignment),
    ("pwd'", Calls::Assignment),
    ("redent", Calls::Assignment),
    ("earer ", Calls::Bearer),
    ("LTAI", Calls::Run),
    ("table ", Calls::Table),
    ("grant ", Calls::Sql),
    ("[parameters: ", Calls::Parameters),
    ("raceback", Calls::Trace),
    ("  at ", Calls::Trace),
    ("\tat ", Calls::Trace),
    (".java", Calls::Trace),
    (".rb:", Calls::Trace),
    (".go:", Calls::Trace),
    ("_continue", Calls::Assignment),
    ("oroutine ", Calls::Trace),
    ("backtrace", Calls::Trace),
    ("\n#0 ", Calls::Trace),
    (".intern", Calls::Inner),
    (".intra", Calls::Inner),
    (".local", Calls::Inner),
    (".lan", Calls::Inner),
    (".corp", Calls::Inner),
    (".svc", Calls::Inner),
    (".consul", Calls::Inner),
    (".cluster", Calls::Inner),
    (".home", Calls::Inner),
    ("ip-17", Calls::Inner),
    ("ip-19", Calls::Inner),
    ("onnect", Calls::Reached),
    ("host", Calls::Reached),
    ("Host", Calls::Reached),
    ("dial tcp", Calls::Reached),
];

pub(super) fn search(finder: &mut Finder<'_>) {
    for lane in LANES.iter() {
        finder.rewind();
        let mut from = 0;
        while let Some(found) = lane.find(finder.text, from) {
            from = found.start() + 1;
            let (word, calls) = lane.words[found.pattern().as_usize()];
            call(finder, calls, found.start(), word);
        }
    }
}

fn call(finder: &mut Finder<'_>, calls: Calls, at: usize, word: &str) {
    match calls {
        Calls::Assignment => assign::find(finder, at + 2),
        Calls::Authorization => auth::authorization(finder, at),
        Calls::Basic => auth::basic(finder, at),
        Calls::Bearer => auth::bearer(finder, at),
        Calls::Cookie => auth::cookie(finder, at),
        Calls::Inner => address::inner(finder, at),
        Calls::Option if word.starts_with(' ') => auth::option(finder, at + 1),
        Calls::Option => auth::option(finder, at + word.len() + 1),
        Calls::Parameters => sql::parameters(finder, at + 1),
        Calls::Pem => pem::putty(finder, at.saturating_sub(b"Private".len())),
        Calls::Reached => address::reached(finder, at),
        Calls::Run => run::find(finder, at),
        Calls::Sixth => address::v6(finder, at),
        Calls::Sql => sql::find(finder, at),
        Calls::Table => sql::table(finder, at),
        Calls::Trace => trace::find(finder, at + usize::from(word.starts_with('\n'))),
    }
}

/// A search for some words at once.
struct Lane {
    words: &'static [(&'static str, Calls)],
    packed: Option<Searcher>,
    plain: Option<AhoCorasick>,
}

impl Lane {
    fn new(words: &'static [(&'static str, Calls)]) -> Self {
        let texts = || words.iter().map(|(word, _)| word);
        let packed = packed::Config::new().builder().extend(texts()).build();
        let plain = packed
            .is_none()
            .then(|| AhoCorasick::new(texts()).expect("a few dozen short words fit an automaton"));
        Self {
            words,
            packed,
            plain,
        }
    }

    fn find(&self, text: &[u8], from: usize) -> Option<Match> {
        let rest = Span {
            start: from.min(text.len()),
            end: text.len(),
        };
        match (&self.packed, &self.plain) {
            (Some(packed), _) => packed.find_in(text, rest),
            (None, Some(plain)) => plain.find(aho_corasick::Input::new(text).span(rest)),
            (None, None) => None,
        }
    }
}

static LANES: LazyLock<[Lane; 2]> = LazyLock::new(|| [ONE, TWO].map(Lane::new));
