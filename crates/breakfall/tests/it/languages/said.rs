//! Which words a reader gets.

use std::time::Duration;

use breakfall::catalog::CODES;
use breakfall::catalog::warning::{self, WARNINGS};
use breakfall::locale::Language::{self, English, German, Japanese, Spanish};
use breakfall::locale::Translator;
use breakfall::wire::{Dialect, Options, decode};
use breakfall::{Batch, Fault, LimitType, Outcome, Retry, Warning, Window, codes};
use serde_json::{Value, json};

use super::{TRANSLATED, message, remedy};
use crate::sample::{document_of, full_fault, sample_fault, sample_warning};

/// An error as a client reads it, and what the client shows in a language.
fn shown(error: &Value, language: Language) -> String {
    let document = json!({"success": false, "error": error});
    let outcome = decode(document, Dialect::McpAql, &Options::new()).unwrap();
    let translator = Translator::from(language);
    let error = outcome.fault().unwrap().public();
    translator.message(error).into_owned()
}

#[test]
fn a_client_shows_the_text_of_language_and_code_filled_from_the_details() {
    testing::proves!("S4-76");
    let error = || json!({"code": "VALIDATION_MISSING_PARAM", "message": "No owner!", "details": {"param_name": "owner"}});
    assert_eq!(
        shown(&error(), Spanish),
        "Falta el parámetro requerido 'owner'"
    );
    assert_eq!(shown(&error(), German), "Pflichtparameter 'owner' fehlt");
    // Nothing to fill in is no reason not to translate.
    let limited = json!({"code": "RATE_LIMIT_EXCEEDED", "message": "Slow down"});
    assert_eq!(
        shown(&limited, Spanish),
        "Límite de solicitudes de la API superado"
    );
}

#[test]
fn a_client_falls_back_to_the_message_that_came_when_language_code_or_details_are_missing() {
    testing::proves!("S4-76");
    let details = json!({"param_name": "owner"});
    let error =
        json!({"code": "VALIDATION_MISSING_PARAM", "message": "No owner!", "details": details});
    assert_eq!(
        shown(&error, English),
        "No owner!",
        "English is the rows', not a bundle's"
    );
    let unknown = json!({"code": "SHOP_CLOSED", "message": "We are closed", "details": details});
    let bare = json!({"code": "VALIDATION_MISSING_PARAM", "message": "No owner!"});
    let other =
        json!({"code": "VALIDATION_MISSING_PARAM", "message": "No owner!", "details": {"x": 1}});
    for language in TRANSLATED {
        assert_eq!(shown(&unknown, language), "We are closed");
        assert_eq!(shown(&bare, language), "No owner!");
        assert_eq!(shown(&other, language), "No owner!");
    }
}

#[test]
fn every_text_of_every_code_is_in_the_language() {
    testing::proves!("S0-11");
    for code in CODES {
        for language in TRANSLATED {
            for fault in [Fault::new(*code), sample_fault(*code)] {
                let english = fault.public().clone();
                let fault = fault.in_language(language);
                let public = fault.public();
                assert_ne!(public.message(), english.message(), "{language} {code}");
                assert_ne!(
                    public.remediation(),
                    english.remediation(),
                    "{language} {code}"
                );
                assert_ne!(
                    public.user_message(),
                    english.user_message(),
                    "{language} {code}"
                );
                for text in [public.message(), public.remediation()] {
                    assert!(
                        !text.contains(['{', '}', '$', '\u{2068}']),
                        "{language} {code}: {text}"
                    );
                }
                assert_eq!(public.code(), english.code());
                assert_eq!(public.details(), english.details());
            }
        }
    }
}

#[test]
fn every_warning_is_in_the_language() {
    for code in WARNINGS {
        for language in TRANSLATED {
            for warning in [Warning::new(*code), sample_warning(*code)] {
                let english = warning.text().into_owned();
                let warning = warning.in_language(language);
                assert_ne!(warning.text(), english, "{language} {code}");
                assert_eq!(warning.code(), Some(code.name()));
            }
        }
    }
}

#[test]
fn english_is_what_the_rows_say() {
    for code in CODES {
        for fault in [Fault::new(*code), sample_fault(*code), full_fault(*code)] {
            let before = fault.public().clone();
            let through = fault.in_language(German).in_language(English);
            assert_eq!(*through.public(), before, "{code}");
        }
    }
}

#[test]
fn what_the_server_said_itself_stays() {
    let fault = || {
        Fault::missing_param("owner")
            .message("Who owns it?")
            .remediation("Name the owner.")
            .user_message("We need an owner.")
    };
    for language in TRANSLATED {
        let fault = fault().in_language(language);
        let public = fault.public();
        assert_eq!(public.message(), "Who owns it?");
        assert_eq!(public.remediation(), "Name the owner.");
        assert_eq!(public.user_message(), "We need an owner.");
        let warning = Warning::new(warning::STALE_CACHE)
            .message("Old")
            .in_language(language);
        assert_eq!(warning.text(), "Old");
    }
    // One text of the server's own does not keep the others from being translated.
    let fault = Fault::missing_param("owner")
        .message("Who?")
        .in_language(German);
    assert_eq!(
        fault.public().user_message(),
        "Es fehlen notwendige Angaben."
    );
}

#[test]
fn a_missing_value_gives_the_plain_text_of_the_language() {
    let bare = || Fault::new(codes::VALIDATION_MISSING_PARAM);
    assert_eq!(message(bare(), Spanish), "Falta un parámetro requerido");
    assert_eq!(message(bare(), German), "Pflichtparameter fehlt");
    assert_eq!(message(bare(), Japanese), "必須パラメーターがありません");
    for empty in [json!(null), json!(""), json!([])] {
        let fault = bare().detail("param_name", empty);
        assert_eq!(message(fault, German), "Pflichtparameter fehlt");
    }
    assert_eq!(
        remedy(Fault::new(codes::RATE_LIMIT_EXCEEDED), German),
        "Warten, bis das Limit zurückgesetzt ist, dann wiederholen."
    );
}

#[test]
fn the_words_follow_the_details() {
    let fault = Fault::new(codes::VALIDATION_MISSING_PARAM)
        .in_language(German)
        .field("owner");
    assert_eq!(fault.public().message(), "Pflichtparameter 'owner' fehlt");
    let fault = Fault::rate_limited(5, Window::Hour).in_language(German);
    let fault = fault.retry_after(Duration::from_secs(90));
    assert_eq!(
        fault.public().remediation(),
        "90 Sekunden warten, dann wiederholen."
    );
}

#[test]
fn names_that_are_no_keys_of_the_details_are_filled_all_the_same() {
    let fault = || Fault::unknown_operation("fly", &["walk", "swim"]);
    assert_eq!(message(fault(), German), "Unbekannte Operation: 'fly'");
    assert_eq!(
        remedy(fault(), Japanese),
        "代わりに次の操作のいずれかを呼び出してください：walk、swim。"
    );
    let fault = Fault::unknown_params("fly", &["wings"], &["legs"]);
    assert_eq!(
        message(fault, Spanish),
        "Parámetros desconocidos para la operación 'fly': wings"
    );
    let fault = Fault::internal().detail("upstream_error", "boom");
    assert_eq!(message(fault, German), "Interner Fehler: 'boom'");
}

/// Seconds, and the remedy that names them in Spanish, German and Japanese.
#[rustfmt::skip]
const WAITS: &[(u64, [&str; 3])] = &[
    (1, ["Esperar 1 segundo antes", "1 Sekunde warten,", "1秒待って"]),
    (2, ["Esperar 2 segundos antes", "2 Sekunden warten,", "2秒待って"]),
    (5, ["Esperar 5 segundos antes", "5 Sekunden warten,", "5秒待って"]),
    (1000, ["Esperar 1000 segundos antes", "1.000 Sekunden warten,", "1,000秒待って"]),
    (86_400, ["Esperar 86.400 segundos antes", "86.400 Sekunden warten,", "86,400秒待って"]),
];

/// How many entries were left out, and the warning that says so.
#[rustfmt::skip]
const DROPPED: &[(u64, [&str; 3])] = &[
    (0, ["Se han omitido '0' elementos para", "'0' Einträge weggelassen,", "'0'件を省き"]),
    (1, ["Se ha omitido '1' elemento para", "'1' Eintrag weggelassen,", "'1'件を省き"]),
    (2, ["Se han omitido '2' elementos para", "'2' Einträge weggelassen,", "'2'件を省き"]),
    (5, ["Se han omitido '5' elementos para", "'5' Einträge weggelassen,", "'5'件を省き"]),
    (1000, ["Se han omitido '1000' elementos para", "'1.000' Einträge weggelassen,", "'1,000'件を省き"]),
];

/// How many of four failed.
const FAILED: &[(u64, [&str; 3])] = &[
    (
        0,
        [
            "Han fallado 0 de 4 operaciones",
            "0 von 4 Operationen fehlgeschlagen",
            "4件の操作のうち0件が失敗",
        ],
    ),
    (
        1,
        [
            "Ha fallado 1 de 4 operaciones",
            "1 von 4 Operationen fehlgeschlagen",
            "4件の操作のうち1件が失敗",
        ],
    ),
    (
        4,
        [
            "Han fallado 4 de 4 operaciones",
            "4 von 4 Operationen fehlgeschlagen",
            "4件の操作のうち4件が失敗",
        ],
    ),
];

#[test]
fn a_count_has_the_form_its_language_gives_it() {
    let waits = |seconds, language| {
        let fault = Fault::rate_limited(5, Window::Hour);
        remedy(fault.retry_after(Duration::from_secs(seconds)), language)
    };
    let dropped = |count, language| {
        let warning = Warning::new(warning::CONTENT_DROPPED).context("dropped_count", count);
        warning.in_language(language).text().into_owned()
    };
    let failed = |count, language| {
        let fault = Fault::new(codes::BATCH_PARTIAL_FAILURE).detail("failed", count);
        message(fault.detail("total", 4), language)
    };
    let cases: [(_, &dyn Fn(u64, Language) -> String); 3] =
        [(WAITS, &waits), (DROPPED, &dropped), (FAILED, &failed)];
    for (table, say) in cases {
        for (count, want) in table {
            for (language, want) in TRANSLATED.into_iter().zip(want) {
                let said = say(*count, language);
                assert!(said.contains(want), "{count} in {language}: {said}");
            }
        }
    }
}

#[test]
fn the_window_and_the_unit_are_words_of_the_language() {
    let limited = |window| Fault::rate_limited(1, window);
    assert_eq!(
        message(limited(Window::Day), Spanish),
        "Límite de solicitudes superado: 1 solicitud por día"
    );
    assert_eq!(
        message(limited(Window::Hour), German),
        "Ratenlimit überschritten: 1 Anfrage pro Stunde"
    );
    assert_eq!(
        message(limited(Window::Minute), Japanese),
        "レート制限を超えました：1分あたり1件"
    );
    let odd = Fault::new(codes::RATE_LIMIT_EXCEEDED)
        .detail("limit", 12_000)
        .detail("window", "fortnight");
    assert_eq!(
        message(odd, German),
        "Ratenlimit überschritten: 12.000 Anfragen pro fortnight"
    );
    let large = |limit, actual| Fault::payload_too_large(limit, actual, actual + 1);
    assert_eq!(
        remedy(large(LimitType::RequestSize, 1_048_576), German),
        "Weniger anfordern oder senden: höchstens 1.048.576 Bytes."
    );
    assert_eq!(
        remedy(large(LimitType::NestingDepth, 1), Spanish),
        "Pedir o enviar menos: no pasar de 1 nivel."
    );
    assert_eq!(
        remedy(large(LimitType::ArrayElements, 100), Japanese),
        "要求または送信する量を100要素以内に減らしてください。"
    );
}

#[test]
fn a_quantity_is_written_as_the_language_writes_numbers_and_an_id_or_a_value_is_not() {
    let balance = || {
        Fault::new(codes::BUSINESS_INSUFFICIENT_BALANCE)
            .detail("required", 1234.5)
            .detail("available", 12345)
    };
    assert_eq!(
        message(balance(), German),
        "Guthaben reicht nicht: '1.234,5' nötig, '12.345' verfügbar"
    );
    assert_eq!(
        message(balance(), Spanish),
        "Saldo insuficiente: hacen falta '1234,5' y hay '12.345'"
    );
    assert_eq!(
        message(balance(), Japanese),
        "残高が足りません：'1,234.5'必要ですが、'12,345'しかありません"
    );
    // What the caller is to send back is written as JSON writes it.
    let range = Fault::out_of_range("port", Some(1024.0), Some(65535.5));
    assert_eq!(
        message(range, German),
        "Parameter 'port' muss zwischen 1024 und 65535.5 liegen"
    );
    let allowed = Fault::invalid_enum("year", &[2024, 2025]);
    assert_eq!(
        remedy(allowed, German),
        "Einen erlaubten Wert für 'year' wählen: 2024, 2025."
    );
    let id = Fault::new(codes::NOT_FOUND_RESOURCE)
        .detail("resource_type", "Order")
        .detail("resource_id", 1_234_567);
    assert_eq!(message(id, German), "Order '1234567' nicht gefunden");
    // A string stays a string.
    let text = Fault::new(codes::BUSINESS_INSUFFICIENT_BALANCE)
        .detail("required", "1234.5")
        .detail("available", "EUR 5");
    assert_eq!(
        message(text, German),
        "Guthaben reicht nicht: '1234.5' nötig, 'EUR 5' verfügbar"
    );
}

#[test]
fn a_remedy_that_overrules_the_row_is_in_the_language() {
    let again = Fault::missing_param("x").retry(Retry::Backoff);
    assert_eq!(
        remedy(again, German),
        "Später erneut aufrufen, jedes Mal nach längerer Pause."
    );
    let never = Fault::unavailable("x").retry(Retry::Never);
    assert_eq!(
        remedy(never, Spanish),
        "No repetir la misma llamada; usar otra herramienta o preguntar a quien opera el servidor."
    );
}

#[test]
fn a_question_made_of_the_message_follows_it_and_another_does_not() {
    let fault = Fault::not_found("order", "ord_9")
        .or_ask("order_id", ["ord_1"])
        .in_language(German);
    let question = fault.public().elicitation().unwrap();
    assert_eq!(question.message(), "order 'ord_9' nicht gefunden");
    let fault = fault.in_language(Spanish);
    assert_eq!(
        fault.public().elicitation().unwrap().message(),
        "order 'ord_9' no encontrado"
    );
    let own = Fault::not_found("order", "ord_9")
        .ask(breakfall::Elicitation::new("Which?"))
        .in_language(German);
    assert_eq!(own.public().elicitation().unwrap().message(), "Which?");
}

#[test]
fn the_operators_log_stays_english() {
    for language in TRANSLATED {
        let fault = Fault::missing_param("owner").note("found by the schema");
        let before = fault.report().to_string();
        let after = fault.in_language(language).report().to_string();
        assert_eq!(after, before);
        assert!(after.contains("Missing required parameter 'owner'"));
    }
}

#[test]
fn a_batch_says_its_sentence_in_the_language() {
    let failed = || Fault::not_found("order", "ord_9");
    let batch = |done: usize, bad: usize, waiting: usize| {
        let mut batch = Batch::new("delete", "deleted");
        for at in 0..done {
            batch = batch.done(at.to_string(), Value::Null);
        }
        for at in 0..bad {
            batch = batch.failed(at.to_string(), failed());
        }
        for at in 0..waiting {
            batch = batch.pending(at.to_string(), sample_fault(codes::CONFIRMATION_REQUIRED));
        }
        batch
    };
    let said = |batch: Batch, language| {
        let outcome = Outcome::from(batch).in_language(language);
        let result = document_of(&outcome, Dialect::Native, &Options::new());
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        text.lines().next().unwrap().to_owned()
    };
    for ((done, bad, waiting), language, want) in [
        ((3, 2, 0), English, "2 of 5 items could not be deleted"),
        ((3, 2, 0), German, "2 von 5 Einträgen nicht verarbeitet"),
        ((3, 1, 0), Spanish, "No se ha procesado 1 de 4 elementos"),
        ((0, 2, 0), Japanese, "2件すべてを処理できませんでした"),
        (
            (0, 1, 0),
            German,
            "Der einzige Eintrag wurde nicht verarbeitet",
        ),
        ((2, 0, 0), German, "Alle 2 Einträge sind fertig"),
        ((1, 0, 1), Spanish, "Está listo 1 de 2 elementos"),
    ] {
        assert_eq!(said(batch(done, bad, waiting), language), want);
    }
    let outcome = Outcome::from(batch(1, 1, 0)).in_language(German);
    let Outcome::Batch(german) = outcome else {
        panic!("a batch")
    };
    let (_, fault) = german.faults().next().unwrap();
    assert_eq!(fault.public().message(), "order 'ord_9' nicht gefunden");
}
