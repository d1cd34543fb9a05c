//! A server's own warnings: their rows and their other languages.

use breakfall::catalog::warning::{WarningCode, WarningEntry};
use breakfall::code::Severity;
use breakfall::locale::{Language, Languages};
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, decode, encode};
use breakfall::{Catalog, Code, Entry, Outcome, Success, Warning, codes};
use serde_json::json;

static STOCK_LOW_ROW: WarningEntry = WarningEntry::new(
    "STOCK_LOW",
    "Only '{left}' of '{article}' left",
    "Few of these are left",
)
.severity(Severity::Info)
.meaning("The stock is nearly used up.");
const STOCK_LOW: WarningCode = WarningCode::new(&STOCK_LOW_ROW);

fn stock_low() -> Warning {
    Warning::new(STOCK_LOW)
        .context("article", "tea")
        .context("left", 3)
}

#[test]
fn a_warning_of_the_servers_own_has_a_row_and_translations() {
    let catalog = Catalog::builtin().with_warning(STOCK_LOW).unwrap();
    let languages = Languages::of(catalog);
    let source = languages.source();
    assert!(
        source.contains("# The stock is nearly used up."),
        "{source}"
    );
    assert!(
        source.contains("STOCK_LOW = Only '{ $left }' of '{ $article }' left"),
        "{source}"
    );
    let german =
        "STOCK_LOW = Nur noch '{ $left }' von '{ $article }' da\n    .plain = Nur noch wenige da\n";
    let languages = languages.with(Language::German, german).unwrap();
    let translator = languages.translator(Language::German);

    let warning = stock_low();
    assert_eq!(warning.text(), "Only '3' of 'tea' left");
    assert_eq!(
        (warning.code(), warning.level()),
        (Some("STOCK_LOW"), Severity::Info)
    );
    let warning = warning.in_language(translator.clone());
    assert_eq!(warning.text(), "Nur noch '3' von 'tea' da");
    let bare = Warning::new(STOCK_LOW).in_language(translator);
    assert_eq!(bare.text(), "Nur noch wenige da");

    for dialect in [Dialect::Native, Dialect::ResponseV2, Dialect::McpAql] {
        let success = Success::new(json!({"ok": true})).warning(stock_low());
        let outcome = Outcome::from(success);
        let document = encode(unredacted(&outcome), dialect, &Options::new()).unwrap();
        let Ok(Outcome::Success(read)) = decode(document.to_value(), dialect, &Options::new())
        else {
            panic!("a success in {dialect}")
        };
        let [warning] = read.warnings() else {
            panic!("one warning in {dialect}")
        };
        assert_eq!(warning.code(), Some("STOCK_LOW"), "{dialect}");
        assert_eq!(warning.text(), "Only '3' of 'tea' left", "{dialect}");
    }
}

#[test]
fn a_warning_of_the_servers_own_is_checked() {
    static UNQUOTED: WarningEntry =
        WarningEntry::new("STOCK_GONE", "No {article} left", "None left");
    static AGAIN: WarningEntry = WarningEntry::new("STOCK_LOW", "Stock is low", "Stock is low");
    static CODE: Entry = Entry::extends(codes::INTERNAL_ERROR, "STOCK_LOW");
    let error = Catalog::builtin().with_warning(WarningCode::new(&UNQUOTED));
    assert!(error.unwrap_err().to_string().contains("write '{article}'"));
    let twice = Catalog::builtin().with_warning(STOCK_LOW).unwrap();
    let twice = twice.with_warning(WarningCode::new(&AGAIN)).unwrap_err();
    assert!(twice.to_string().contains("registered already"), "{twice}");
    let catalog = Catalog::builtin().with_warning(STOCK_LOW).unwrap();
    let error = catalog.with(Code::new(&CODE)).unwrap_err();
    assert!(error.to_string().contains("registered already"), "{error}");
}
