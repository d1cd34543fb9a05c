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
    Authentication,
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
    Spoken,
    Sql,
    Table,
    Trace,
}

// The words in two sets of at most thirty-two, for with more the search takes half as many bytes at a time. Which word is
// in which, and where, has no meaning: it looks at four bytes of each in a coarse way, and this is the order in which
// ordinary text is mistaken least often for one of them.
/// One set.
const ONE: &[(&str, Calls)] = &[
    ("raceback", Calls::Trace),
    ("assw", Calls::Assignment),
    ("grant ", Calls::Sql),
    ("elete ", Calls::Sql),
    ("panicked at", Calls::Trace),
    ("ooki", Calls::Cookie),
    ("pdate ", Calls::Sql),
    ("auth", Calls::Authentication),
    ("oken", Calls::Assignment),
    ("Key\"", Calls::Assignment),
    ("nsert ", Calls::Sql),
    (".int", Calls::Inner),
    ("pwd:", Calls::Assignment),
    ("Host", Calls::Reached),
    ("LTAI", Calls::Run),
    ("fe80:", Calls::Sixth),
    ("key\"", Calls::Assignment),
    (".cluster", Calls::Inner),
    ("[parameters: ", Calls::Parameters),
    ("ip-1", Calls::Inner),
    ("_con", Calls::Assignment),
    ("Basic ", Calls::Basic),
    ("pwd'", Calls::Assignment),
    (" -u ", Calls::Option),
    ("elect", Calls::Sql),
    (".corp", Calls::Inner),
    ("near '", Calls::Sql),
    ("host", Calls::Reached),
    ("table ", Calls::Table),
    ("backtrace", Calls::Trace),
    ("pwd\"", Calls::Assignment),
    (".ex:", Calls::Trace),
];

/// The other.
const TWO: &[(&str, Calls)] = &[
    ("ecret", Calls::Assignment),
    ("onnect", Calls::Reached),
    ("\", line ", Calls::Trace),
    ("ookup ", Calls::Reached),
    (".go:", Calls::Trace),
    (".svc", Calls::Inner),
    ("Key'", Calls::Assignment),
    ("redent", Calls::Assignment),
    ("earer ", Calls::Bearer),
    (".consul", Calls::Inner),
    ("  at ", Calls::Trace),
    (".java", Calls::Trace),
    ("\tat ", Calls::Trace),
    ("uthori", Calls::Authorization),
    ("key:", Calls::Assignment),
    (".priv", Calls::Inner),
    ("key'", Calls::Assignment),
    (".rb:", Calls::Trace),
    ("Key:", Calls::Assignment),
    (".home", Calls::Inner),
    ("-Lines:", Calls::Pem),
    ("sshpass", Calls::Option),
    ("key ", Calls::Assignment),
    (".lan", Calls::Inner),
    ("esolve", Calls::Reached),
    ("oroutine ", Calls::Trace),
    ("Key ", Calls::Assignment),
    ("dial tcp", Calls::Reached),
    (".local", Calls::Inner),
    ("sphra", Calls::Assignment),
    ("\n#0 ", Calls::Trace),
];

/// Words for a password in languages in which it is called otherwise.
const SPOKEN: &[(&str, Calls)] = &[
    ("ontraseña", Calls::Spoken),
    ("ot de passe", Calls::Spoken),
    ("パスワード", Calls::Spoken),
    ("密码", Calls::Spoken),
    ("пароль", Calls::Spoken),
    ("Пароль", Calls::Spoken),
    ("비밀번호", Calls::Spoken),
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
        // Whatever else begins with it is much more frequent.
        Calls::Authentication => {
            if matches!(finder.text.get(at + word.len()), Some(b':' | b'"' | b'\'')) {
                assign::find(finder, at + 2);
            }
        }
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
        Calls::Spoken => assign::spoken(finder, at + word.len()),
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

static LANES: LazyLock<[Lane; 3]> = LazyLock::new(|| [ONE, TWO, SPOKEN].map(Lane::new));
