//! `docs/classification.md` lists the rules. What it lists is what there is.

use std::fmt::Write;

use breakfall::classify::{Classifier, Rule};

use crate::generated::assert_fresh;

#[test]
fn the_page_lists_every_rule() {
    assert_fresh("docs/classification.md", &page());
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    let classifier = Classifier::new();
    for (family, heading) in FAMILIES {
        let _ = write!(page, "\n## {heading}\n");
        let rules: Vec<_> = classifier.rules().collect();
        let of = rules
            .iter()
            .filter(|rule| rule.id.split('.').next() == Some(*family));
        for rule in of {
            page.push_str(&entry(rule));
        }
    }
    let known = |rule: &Rule<'_>| {
        FAMILIES
            .iter()
            .any(|(family, _)| rule.id.starts_with(family))
    };
    assert!(
        classifier.rules().all(|rule| known(&rule)),
        "a family without a heading"
    );
    super::tables::add_to(&mut page);
    page
}

fn entry(rule: &Rule<'_>) -> String {
    let mut text = format!("\n### `{}`\n\n{}\n\n", rule.id, rule.about);
    match rule.code {
        Some(code) => {
            let _ = writeln!(
                text,
                "→ [`{0}`](codes.md#{1}), {2}.",
                code.name(),
                code.name().to_lowercase(),
                rule.confidence.as_str()
            );
        }
        None => {
            let _ = writeln!(
                text,
                "→ what it finds decides, {}.",
                rule.confidence.as_str()
            );
        }
    }
    list(&mut text, "Recognises", rule.examples);
    list(&mut text, "Leaves alone", rule.counter_examples);
    text
}

fn list(text: &mut String, title: &str, examples: &[&str]) {
    let _ = write!(text, "\n{title}:\n\n");
    for example in examples {
        let line = if example.is_empty() {
            "(an empty text)".to_owned()
        } else {
            code(example)
        };
        let _ = writeln!(text, "- {line}");
    }
}

/// A text as inline code, whatever is in it.
pub(super) fn code(example: &str) -> String {
    let line = example.replace('\n', "⏎");
    if line.contains('`') {
        format!("`` {line} ``")
    } else {
        format!("`{line}`")
    }
}

const FAMILIES: &[(&str, &str)] = &[
    ("prefix", "Layers that come off first"),
    ("dump", "What validators print"),
    ("json", "JSON in a text"),
    ("text", "Words"),
    ("default", "The rest"),
    ("disguise", "Failures disguised as success"),
];

const HEAD: &str = "\
# How failures are recognised

Generated from the rules, whose examples below are also their tests; after a change run `./check bless`. In code the same lists are
`Classifier::rules()`, `classify::fixed_rules()` and `classify::rpc::rules()`. Failures that arrive as words come first; at the end are
[HTTP answers](#http-answers), [JSON-RPC errors](#json-rpc-errors), [errors of the operating system](#errors-of-the-operating-system) and
[processes that ended](#processes-that-ended).

A text is looked at once it is known to be about a failure: it came with `isError`, as the message of an error object, or as the body of
a failed request. A fault made of it carries the id of the rule and how sure it is: *exact* (the failure said so itself, in a format of
ours), *structural*, *textual*, or *default* (nothing matched; the code is `INTERNAL_UNKNOWN` and the words are kept).

- A rule on words needs whole words, in any case. Hyphens, underscores and camel case separate words, so `RateLimitError`, `rate_limit`
  and \"rate limit\" begin alike. A number counts only in the place of a status: \"status code 429\", \"HTTP 500\", \"404 Not Found\";
  \"500 items\" is no failure of a server.
- Of several rules on words that match, one that says something wins over one that only says that something went wrong; then a match
  in the first line, or in one that opens like an error (`Error: …`, `FooError: …`, `ERROR - …`), wins over one elsewhere; then the one
  that stands first on this page.
- A wait in words (\"retry after 7 seconds\", \"try again in 6m0s\", `Retry-After: 7`) is kept where the code allows a repetition.
- Of a text longer than 20 KiB the first 16 and the last 4 are looked at. The message keeps all of it.
- A rule is switched off by its id (`Classifier::without`); rules of one's own (`Classifier::with`) come before all of these.
";
