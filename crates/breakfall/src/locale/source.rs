//! Fluent source of the English texts: what a translation starts from.

use std::fmt::Write as _;

use super::rows::{self, MessageRow};
use crate::catalog::CODES;
use crate::catalog::registry::Catalog;
use crate::catalog::warning::{WARNINGS, WarningCode};
use crate::code::{Category, Code, Detail, Status};
use crate::phrase::Phrase;
use crate::template::{self, ALIASES, TemplatePiece};

/// The English of every built-in text, as the source of a bundle. `locales/en.ftl` is this.
pub fn english() -> String {
    let mut out = String::from(HEAD);
    for category in Category::ALL {
        put(&mut out, format_args!("\n## {category}\n"));
        for code in CODES.iter().filter(|code| code.category() == *category) {
            put_code(&mut out, *code);
        }
    }
    put(&mut out, format_args!("\n## Warnings\n"));
    for code in WARNINGS {
        put_warning(&mut out, *code);
    }
    put(
        &mut out,
        format_args!("\n## Sentences that belong to no code\n\n"),
    );
    for phrase in Phrase::all() {
        message(&mut out, phrase.id, &rows::of_phrase(phrase));
    }
    out
}

/// The texts of a server's own rows, as the source of a bundle.
pub(super) fn own(catalog: &Catalog) -> String {
    let mut out = String::new();
    let is_own = |code: &Code| matches!(code.entry().status, Status::Custom);
    for code in catalog.iter().filter(is_own) {
        put_code(&mut out, code);
    }
    for code in catalog.own_warnings() {
        put_warning(&mut out, code);
    }
    out
}

const HEAD: &str = "\
### The English texts, generated from src/catalog and src/phrase: edit those, not this file. A translation has the same
### messages and attributes with the same values; docs/languages.md says how to make one.
";

fn put_code(out: &mut String, code: Code) {
    let entry = code.entry();
    let row = rows::of_code(entry);
    let said: String = row.iter().map(|(_, text)| *text).collect();
    comment(out, entry.meaning, entry.details, &said);
    message(out, entry.name, &row);
}

fn put_warning(out: &mut String, code: WarningCode) {
    let entry = code.entry();
    comment(out, entry.meaning, entry.context, entry.message.template);
    message(out, entry.name, &rows::of_warning(entry));
}

/// What a translator has to know: what it means, and what the values are.
fn comment(out: &mut String, meaning: &str, details: &[Detail], said: &str) {
    put(
        out,
        format_args!("\n# {}\n", meaning.replace(['\n', '\r'], " ")),
    );
    for detail in details {
        let alias = ALIASES.iter().find(|(_, key)| *key == detail.name);
        let names = [detail.name, alias.map_or(detail.name, |(alias, _)| alias)];
        let said = template::placeholders(said).find(|name| names.contains(name));
        if let Some(name) = said {
            put(out, format_args!("# ${name}: {}\n", detail.about));
        }
    }
}

fn message(out: &mut String, name: &str, row: &MessageRow) {
    for (part, text) in row {
        match part.attribute() {
            None => put(out, format_args!("{name} = ")),
            Some(attribute) => put(out, format_args!("    .{attribute} = ")),
        }
        pattern(out, text);
        out.push('\n');
    }
}

/// A template in Fluent's way of writing it.
fn pattern(out: &mut String, text: &str) {
    let edge = |text: &str| text.starts_with(char::is_whitespace) || text.is_empty();
    if edge(text) {
        out.push_str("{ \"\" }");
    }
    for piece in template::pieces(text) {
        match piece {
            TemplatePiece::Name(name) => put(out, format_args!("{{ ${name} }}")),
            TemplatePiece::Literal(words) => {
                for c in words.chars() {
                    match c {
                        '{' | '}' => put(out, format_args!("{{ \"{c}\" }}")),
                        '\n' | '\r' => put(out, format_args!("{{ \"\\u{:04X}\" }}", u32::from(c))),
                        c => out.push(c),
                    }
                }
            }
        }
    }
    if text.ends_with(char::is_whitespace) {
        out.push_str("{ \"\" }");
    }
}

fn put(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    out.write_fmt(arguments)
        .expect("writing to a string cannot fail");
}
