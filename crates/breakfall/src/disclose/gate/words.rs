//! Words that call for a rule. Those in capitals are seen as stretches without a small letter.

use std::sync::LazyLock;

use aho_corasick::packed::{self, Searcher};
use aho_corasick::{AhoCorasick, Match, Span};

use super::super::finder::MarkFinder;
use super::super::{address, assign, auth, pem, run, sql, trace};

/// The rule that a word triggers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TriggeredRule {
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
const ONE: &[(&str, TriggeredRule)] = &[
    ("raceback", TriggeredRule::Trace),
    ("assw", TriggeredRule::Assignment),
    ("grant ", TriggeredRule::Sql),
    ("elete ", TriggeredRule::Sql),
    ("panicked at", TriggeredRule::Trace),
    ("ooki", TriggeredRule::Cookie),
    ("pdate ", TriggeredRule::Sql),
    ("auth", TriggeredRule::Authentication),
    ("oken", TriggeredRule::Assignment),
    ("Key\"", TriggeredRule::Assignment),
    ("nsert ", TriggeredRule::Sql),
    (".int", TriggeredRule::Inner),
    ("pwd:", TriggeredRule::Assignment),
    ("Host", TriggeredRule::Reached),
    ("LTAI", TriggeredRule::Run),
    ("fe80:", TriggeredRule::Sixth),
    ("key\"", TriggeredRule::Assignment),
    (".cluster", TriggeredRule::Inner),
    ("[parameters: ", TriggeredRule::Parameters),
    ("ip-1", TriggeredRule::Inner),
    ("_con", TriggeredRule::Assignment),
    ("Basic ", TriggeredRule::Basic),
    ("pwd'", TriggeredRule::Assignment),
    (" -u ", TriggeredRule::Option),
    ("elect", TriggeredRule::Sql),
    (".corp", TriggeredRule::Inner),
    ("near '", TriggeredRule::Sql),
    ("host", TriggeredRule::Reached),
    ("table ", TriggeredRule::Table),
    ("backtrace", TriggeredRule::Trace),
    ("pwd\"", TriggeredRule::Assignment),
    (".ex:", TriggeredRule::Trace),
];

/// The other.
const TWO: &[(&str, TriggeredRule)] = &[
    ("ecret", TriggeredRule::Assignment),
    ("onnect", TriggeredRule::Reached),
    ("\", line ", TriggeredRule::Trace),
    ("ookup ", TriggeredRule::Reached),
    (".go:", TriggeredRule::Trace),
    (".svc", TriggeredRule::Inner),
    ("Key'", TriggeredRule::Assignment),
    ("redent", TriggeredRule::Assignment),
    ("earer ", TriggeredRule::Bearer),
    (".consul", TriggeredRule::Inner),
    ("  at ", TriggeredRule::Trace),
    (".java", TriggeredRule::Trace),
    ("\tat ", TriggeredRule::Trace),
    ("uthori", TriggeredRule::Authorization),
    ("key:", TriggeredRule::Assignment),
    (".priv", TriggeredRule::Inner),
    ("key'", TriggeredRule::Assignment),
    (".rb:", TriggeredRule::Trace),
    ("Key:", TriggeredRule::Assignment),
    (".home", TriggeredRule::Inner),
    ("-Lines:", TriggeredRule::Pem),
    ("sshpass", TriggeredRule::Option),
    ("key ", TriggeredRule::Assignment),
    (".lan", TriggeredRule::Inner),
    ("esolve", TriggeredRule::Reached),
    ("oroutine ", TriggeredRule::Trace),
    ("Key ", TriggeredRule::Assignment),
    ("dial tcp", TriggeredRule::Reached),
    (".local", TriggeredRule::Inner),
    ("sphra", TriggeredRule::Assignment),
    ("\n#0 ", TriggeredRule::Trace),
];

/// Words for a password in languages in which it is called otherwise.
const SPOKEN: &[(&str, TriggeredRule)] = &[
    ("ontraseña", TriggeredRule::Spoken),
    ("ot de passe", TriggeredRule::Spoken),
    ("パスワード", TriggeredRule::Spoken),
    ("密码", TriggeredRule::Spoken),
    ("пароль", TriggeredRule::Spoken),
    ("Пароль", TriggeredRule::Spoken),
    ("비밀번호", TriggeredRule::Spoken),
];

pub(super) fn search(finder: &mut MarkFinder<'_>) {
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

fn call(finder: &mut MarkFinder<'_>, calls: TriggeredRule, at: usize, word: &str) {
    match calls {
        TriggeredRule::Assignment => assign::find(finder, at + 2),
        // Whatever else begins with it is much more frequent.
        TriggeredRule::Authentication => {
            if matches!(finder.text.get(at + word.len()), Some(b':' | b'"' | b'\'')) {
                assign::find(finder, at + 2);
            }
        }
        TriggeredRule::Authorization => auth::authorization(finder, at),
        TriggeredRule::Basic => auth::basic(finder, at),
        TriggeredRule::Bearer => auth::bearer(finder, at),
        TriggeredRule::Cookie => auth::cookie(finder, at),
        TriggeredRule::Inner => address::inner(finder, at),
        TriggeredRule::Option if word.starts_with(' ') => auth::option(finder, at + 1),
        TriggeredRule::Option => auth::option(finder, at + word.len() + 1),
        TriggeredRule::Parameters => sql::parameters(finder, at + 1),
        TriggeredRule::Pem => pem::putty(finder, at.saturating_sub(b"Private".len())),
        TriggeredRule::Reached => address::reached(finder, at),
        TriggeredRule::Run => run::find(finder, at),
        TriggeredRule::Sixth => address::v6(finder, at),
        TriggeredRule::Spoken => assign::spoken(finder, at + word.len()),
        TriggeredRule::Sql => sql::find(finder, at),
        TriggeredRule::Table => sql::table(finder, at),
        TriggeredRule::Trace => trace::find(finder, at + usize::from(word.starts_with('\n'))),
    }
}

/// A search for some words at once.
struct WordSearch {
    words: &'static [(&'static str, TriggeredRule)],
    packed: Option<Searcher>,
    plain: Option<AhoCorasick>,
}

impl WordSearch {
    fn new(words: &'static [(&'static str, TriggeredRule)]) -> Self {
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

static LANES: LazyLock<[WordSearch; 3]> = LazyLock::new(|| [ONE, TWO, SPOKEN].map(WordSearch::new));
