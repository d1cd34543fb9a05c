//! The table of rules: which words they look at, what they find there, and examples, which are their tests.
//!
//! What «stands in such quotes» in an example must go, and all else of it stays.

mod code;
mod credentials;
mod database;
mod logins;
mod people;
mod places;

use super::finder::MarkFinder;
use super::mark::Mark;

/// One rule.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "examples are the tests of their rule")
)]
pub(super) struct RedactionRule {
    /// The kind of leak.
    pub(super) family: &'static str,
    /// Words of which each match holds one, whatever their case, with bars between them. The search for them is the prefilter.
    pub(super) words: &'static str,
    pub(super) action: RuleAction,
    /// Texts with something that must go.
    pub(super) go: &'static [&'static str],
    /// Texts that must stay as they are.
    pub(super) stay: &'static [&'static str],
}

/// How a rule looks at the place of one of its words.
#[derive(Debug, Clone, Copy)]
pub(super) enum RuleAction {
    /// By code, which is told where the word begins and ends.
    Code(fn(&mut MarkFinder<'_>, usize, usize)),
    /// By a pattern from the beginning of the word on. Its first group goes, or all of it if it has none.
    Pattern(Mark, &'static str),
}

/// Every rule.
pub(super) const RULES: &[RedactionRule] = &joined::<COUNT>(TABLES);

const TABLES: [&[RedactionRule]; 6] = [
    credentials::RULES,
    logins::RULES,
    database::RULES,
    code::RULES,
    places::RULES,
    people::RULES,
];

const COUNT: usize = {
    let mut count = 0;
    let mut table = 0;
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
};

const fn joined<const N: usize>(tables: [&[RedactionRule]; 6]) -> [RedactionRule; N] {
    let mut all = [tables[0][0]; N];
    let (mut table, mut row, mut at) = (0, 0, 0);
    while at < N {
        if row < tables[table].len() {
            all[at] = tables[table][row];
            row += 1;
            at += 1;
        } else {
            table += 1;
            row = 0;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::Redactor;
    use super::RULES;

    /// The parts of an example that must go, and the example without its quotes.
    fn planted(example: &str) -> (Vec<&str>, String) {
        let mut gone = Vec::new();
        let mut parts = example.split('«');
        let mut plain = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (secret, rest) = part.split_once('»').expect("quotes are closed");
            gone.push(secret);
            plain.push_str(secret);
            plain.push_str(rest);
        }
        (gone, plain)
    }

    #[test]
    fn every_example_goes_or_stays() {
        let redactor = Redactor::client();
        let mut wrong = Vec::new();
        for rule in RULES {
            assert!(
                rule.words.split('|').all(|word| word.len() > 1),
                "{}",
                rule.words
            );
            assert!(
                !rule.go.is_empty() && !rule.stay.is_empty(),
                "{} has no examples",
                rule.family
            );
            for example in rule.go {
                let (gone, plain) = planted(example);
                let clean = redactor.text(&plain);
                if gone.iter().any(|secret| clean.contains(secret)) || clean == plain {
                    wrong.push(format!("{}: {plain:?} became {clean:?}", rule.family));
                }
            }
            for plain in rule.stay {
                let clean = redactor.text(plain);
                if clean != *plain {
                    wrong.push(format!("{}: {plain:?} became {clean:?}", rule.family));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
