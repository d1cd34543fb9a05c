//! A server's own rows in other languages.

use breakfall::code::{Detail, Shape};
use breakfall::locale::{Language, Languages, TranslationError};
use breakfall::{Catalog, Code, Entry, Fault, Outcome, codes};

static NOT_FOUND_ROW: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "ORDER_NOT_FOUND")
    .message(
        "Order '{order_id}' not found in '{shops}' shops",
        "Order not found",
    )
    .details(&[
        Detail {
            name: "order_id",
            shape: Shape::Text,
            required: true,
            about: "The order's id.",
        },
        Detail {
            name: "shops",
            shape: Shape::Integer,
            required: true,
            about: "How many were asked.",
        },
    ])
    .remediation("List the orders and pick an id from there.")
    .user("There is no such order.");
const NOT_FOUND: Code = Code::new(&NOT_FOUND_ROW);

static PAID_ROW: Entry = Entry::extends(codes::CONFLICT_INVALID_STATE, "ORDER_ALREADY_PAID");
const PAID: Code = Code::new(&PAID_ROW);

const GERMAN: &str = "\
# Our shop.
ORDER_NOT_FOUND = Bestellung '{ $order_id }' in '{ NUMBER($shops) }' { $shops ->
        [one] Laden
       *[other] Läden
    } nicht gefunden
    .plain = Bestellung nicht gefunden
    .remediation = Bestellungen auflisten und dort eine Nummer wählen.
    .user = Diese Bestellung gibt es nicht.
";

fn languages() -> Languages {
    let catalog = Catalog::builtin().with(NOT_FOUND).unwrap();
    Languages::of(catalog.with(PAID).unwrap())
}

fn fault(shops: u64) -> Fault {
    Fault::new(NOT_FOUND)
        .detail("order_id", "ord_7")
        .detail("shops", shops)
}

#[test]
fn a_servers_own_code_speaks_the_language_it_was_given() {
    testing::proves!("S4-76");
    let german = languages().with(Language::German, GERMAN).unwrap();
    let german = german.translator(Language::German);
    let said = fault(1).in_language(german.clone());
    let public = said.public();
    assert_eq!(
        public.message(),
        "Bestellung 'ord_7' in '1' Laden nicht gefunden"
    );
    assert_eq!(
        public.remediation(),
        "Bestellungen auflisten und dort eine Nummer wählen."
    );
    assert_eq!(public.user_message(), "Diese Bestellung gibt es nicht.");
    let said = fault(1200).in_language(german.clone());
    assert_eq!(
        said.public().message(),
        "Bestellung 'ord_7' in '1.200' Läden nicht gefunden"
    );
    let said = Fault::new(NOT_FOUND).in_language(german.clone());
    assert_eq!(said.public().message(), "Bestellung nicht gefunden");
    // The built-in codes speak it as before.
    let outcome = Outcome::from(Fault::missing_param("owner")).in_language(german);
    let built_in = outcome.fault().unwrap().public();
    assert_eq!(built_in.message(), "Pflichtparameter 'owner' fehlt");
}

#[test]
fn one_without_a_translation_keeps_its_own_words_and_does_not_borrow_its_bases() {
    let languages = languages().with(Language::German, GERMAN).unwrap();
    for language in [Language::Spanish, Language::Japanese] {
        let said = fault(2).in_language(languages.translator(language));
        assert_eq!(
            said.public().message(),
            "Order 'ord_7' not found in '2' shops"
        );
        assert_eq!(said.public().user_message(), "There is no such order.");
    }
    let said = Fault::new(PAID).in_language(languages.translator(Language::German));
    assert_eq!(said.public().message(), "Conflict with the current state");
    assert_eq!(
        fault(2).in_language(Language::German).public().message(),
        "Order 'ord_7' not found in '2' shops"
    );
}

#[test]
fn what_a_server_has_not_translated_yet_is_told() {
    let missing = |languages: &Languages, language| -> Vec<&str> {
        languages.missing(language).map(Code::name).collect()
    };
    let languages = languages();
    assert_eq!(
        missing(&languages, Language::German),
        ["ORDER_ALREADY_PAID", "ORDER_NOT_FOUND"]
    );
    let languages = languages.with(Language::German, GERMAN).unwrap();
    assert_eq!(
        missing(&languages, Language::German),
        ["ORDER_ALREADY_PAID"]
    );
    assert_eq!(missing(&languages, Language::Spanish).len(), 2);
}

#[test]
fn the_source_of_a_translation_is_accepted_as_one() {
    let languages = languages();
    let source = languages.source();
    assert!(
        source.contains("ORDER_NOT_FOUND = Order '{ $order_id }' not found in '{ $shops }' shops"),
        "{source}"
    );
    assert!(source.contains("# $order_id: The order's id."), "{source}");
    let languages = languages.with(Language::Japanese, &source).unwrap();
    assert_eq!(languages.missing(Language::Japanese).count(), 0);
    assert!(Languages::builtin().source().is_empty());
}

#[test]
fn a_server_may_say_a_built_in_text_in_other_words_but_not_in_english() {
    let words = "TOKEN_INVALID = Freigabecode unbekannt\n    .remediation = Neu anfragen.\n    .user = Unbekannter Code.\n";
    let german = Languages::builtin().with(Language::German, words).unwrap();
    let said = Fault::new(codes::TOKEN_INVALID).in_language(german.translator(Language::German));
    assert_eq!(said.public().message(), "Freigabecode unbekannt");
    let error = Languages::builtin()
        .with(Language::English, words)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the translation to 'en' cannot be used: line 1, 'TOKEN_INVALID': its English is the row's (leave it out)"
    );
}

#[test]
fn a_server_written_in_another_language_can_be_put_into_english() {
    let english = languages()
        .with(Language::English, &GERMAN.replace("Bestellung", "Order"))
        .unwrap();
    let said = fault(1).in_language(english.translator(Language::English));
    assert_eq!(
        said.public().message(),
        "Order 'ord_7' in '1' Laden nicht gefunden"
    );
    let plain = Fault::missing_param("x").in_language(english.translator(Language::English));
    assert_eq!(plain.public().message(), "Missing required parameter 'x'");
}

fn refused(source: &str) -> TranslationError {
    let refused = languages().with(Language::German, source);
    refused.expect_err(source)
}

/// A part of the source above, what it becomes, and what is said about it.
const MISTAKES: &[(&str, &str, &str)] = &[
    (
        "ORDER_NOT_FOUND",
        "ORDER_NOT_FOND",
        "line 2, 'ORDER_NOT_FOND': no code has this name (did you mean ORDER_NOT_FOUND?)",
    ),
    (
        "ORDER_NOT_FOUND",
        "Herbst",
        "line 2, 'Herbst': no code has this name (register the code first)",
    ),
    (
        "$order_id",
        "$order_ids",
        "line 2, 'ORDER_NOT_FOUND': the English has no value $order_ids (did you mean $order_id?); \
         line 2, 'ORDER_NOT_FOUND': the value $order_id of the English is missing (write { $order_id } where it belongs)",
    ),
    (
        "gibt es nicht.",
        "{ $order_id } gibt es nicht.",
        "line 8, 'ORDER_NOT_FOUND.user': the English has no value $order_id (leave it out)",
    ),
    (
        "    .user = Diese Bestellung gibt es nicht.\n",
        "",
        "line 2, 'ORDER_NOT_FOUND': .user is missing (write .user = …)",
    ),
    (
        ".remediation",
        ".remedation",
        "line 7, 'ORDER_NOT_FOUND.remedation': the row has no such text (did you mean .remediation?)",
    ),
    (
        ".user",
        ".sentence = x\n    .user",
        "line 8, 'ORDER_NOT_FOUND.sentence': the row has no such text (remove it)",
    ),
    (
        "# Our shop.\n",
        "TOKEN_INVALID = x\n    .remediation = x\n    .user = x\nTOKEN_INVALID = y\n",
        "line 4, 'TOKEN_INVALID': the message is there twice (remove one of the two)",
    ),
    (
        "    .user",
        "    .plain = x\n    .user",
        "line 6, 'ORDER_NOT_FOUND.plain': the text is there twice (remove one of the two)",
    ),
    (
        "NUMBER($shops)",
        "DATETIME($shops)",
        "line 2, 'ORDER_NOT_FOUND': the function DATETIME does not exist (write the value itself, or NUMBER($name))",
    ),
    (
        "NUMBER($shops)",
        "NUMBER($shops, minimumFractionDigits: 2)",
        "line 2, 'ORDER_NOT_FOUND': NUMBER has options (write NUMBER($name): the language decides how it looks)",
    ),
    (
        "NUMBER($shops)",
        "NUMBER(\"5\")",
        "line 2, 'ORDER_NOT_FOUND': NUMBER has other arguments than one value (write NUMBER($name))",
    ),
    (
        "Diese Bestellung",
        "{ TOKEN_INVALID }",
        "line 8, 'ORDER_NOT_FOUND.user': the text refers to the message 'TOKEN_INVALID' (write its words out)",
    ),
    (
        "Diese Bestellung",
        "{ -shop }",
        "line 8, 'ORDER_NOT_FOUND.user': the text refers to the term '-shop' (write its words out)",
    ),
    (
        "# Our shop.",
        "-shop = Laden",
        "line 1, '-shop': terms are not used here (write its words where they belong)",
    ),
    (
        "Bestellung '{ $order_id }' in '{ NUMBER($shops) }' { $shops ->\n        [one] Laden\n       *[other] Läden\n    } nicht gefunden",
        "",
        "line 2, 'ORDER_NOT_FOUND': the text itself is missing (write ORDER_NOT_FOUND = …)",
    ),
];

#[test]
fn each_mistake_is_told_with_its_line_and_what_to_do() {
    for (was, is, want) in MISTAKES {
        assert!(GERMAN.contains(was), "{was}");
        let error = refused(&GERMAN.replacen(was, is, 1));
        let said = error.to_string();
        let told = said.strip_prefix("the translation to 'de' cannot be used: ");
        assert_eq!(told, Some(*want));
        assert_eq!(error.language(), Language::German);
    }
}

#[test]
fn what_is_no_fluent_is_told_by_its_line() {
    for (source, line) in [
        ("ORDER_NOT_FOUND", 1),
        ("# fine\n\nORDER_NOT_FOUND = a { b\n", 4),
        ("ORDER_NOT_FOUND = { $shops ->\n    [one] x\n}\n", 3),
        ("\n\n\n???\n", 4),
        ("ü = x", 1),
    ] {
        let error = refused(source);
        let problem = &error.problems()[0];
        assert_eq!(problem.line, line, "{source:?}: {error}");
        assert!(
            problem.problem.starts_with("this is no Fluent: "),
            "{error}"
        );
    }
}

#[test]
fn a_text_is_added_once() {
    let german = languages().with(Language::German, GERMAN).unwrap();
    let error = german.clone().with(Language::German, GERMAN).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the translation to 'de' cannot be used: line 2, 'ORDER_NOT_FOUND': the message was added before (remove one of the two)"
    );
    assert!(
        german.with(Language::Spanish, GERMAN).is_ok(),
        "another language is another text"
    );
}
