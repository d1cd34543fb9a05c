//! On the wire only words change: every code in every language and every dialect reads back with the same facts.

use breakfall::catalog::CODES;
use breakfall::catalog::warning::{self, WARNINGS};
use breakfall::locale::Language;
use breakfall::read::Channel;
use breakfall::redact::{Redacted, Redactor, unredacted};
use breakfall::wire::{Dialect, Format, Options, decode, encode, native, rpc_error, tool_result};
use breakfall::{Fault, Outcome, Public, Success, Warning, codes, read};
use serde_json::{Value, json};

use super::TRANSLATED;
use crate::carried::trip;
use crate::sample::{document_of, full_fault, outcomes, sample_fault, sample_warning, stamp};

fn options() -> Vec<Options> {
    let mut all = Vec::new();
    for strict in [false, true] {
        for format in Format::ALL {
            all.push(Options::new().strict(strict).format(*format).stamp(stamp()));
        }
    }
    all
}

/// Everything a fault says but its words.
fn facts(public: &Public) -> Value {
    json!({
        "code": public.code().name(),
        "domain_code": public.domain_code(),
        "retry": public.retry().to_string(),
        "wait": public.retry_after_seconds(),
        "actions": public.actions().collect::<Vec<_>>(),
        "hint": public.hint().as_str(),
        "details": public.details(),
        "violations": public.violations().len(),
        "fallback_tool": public.fallback_tool(),
        "corrective_params": public.corrective_params(),
        "origin": public.origin().as_str(),
        "http_status": public.http_status(),
        "correlation_id": public.correlation_id().map(ToString::to_string),
        "timestamp": public.timestamp().map(|at| at.to_string()),
        "docs_url": public.docs_url(),
    })
}

#[test]
fn every_code_reads_back_with_its_facts_in_every_language_and_dialect() {
    for code in CODES {
        for make in [sample_fault, full_fault, Fault::new] {
            for dialect in Dialect::ALL {
                for options in options() {
                    only_words_change(|| make(*code), *dialect, &options);
                }
            }
        }
    }
}

fn only_words_change(make: impl Fn() -> Fault, dialect: Dialect, options: &Options) {
    let through = |outcome: &Outcome| {
        let document = document_of(outcome, dialect, options);
        decode(document, dialect, options).unwrap()
    };
    let plain = Outcome::from(make());
    let english = through(&plain);
    for language in TRANSLATED {
        let outcome = Outcome::from(make()).in_language(language);
        let read = through(&outcome);
        let place = format!("{} in {language} by {dialect}", make().code());
        assert_eq!(trip(&outcome, dialect, options, true), Ok(()), "{place}");
        match (&read, &english) {
            (Outcome::Fault(read), Outcome::Fault(english)) => {
                let (read, english) = (read.public(), english.public());
                assert_eq!(facts(read), facts(english), "{place}");
                assert_ne!(read.message(), english.message(), "{place}");
            }
            (Outcome::NeedsInput(read), Outcome::NeedsInput(english)) => {
                assert_eq!(read.fields(), english.fields(), "{place}");
                assert_ne!(read.message(), english.message(), "{place}");
            }
            (Outcome::Batch(read), Outcome::Batch(english)) => {
                assert_eq!(read.tally(), english.tally(), "{place}");
                assert_ne!(read.sentence(), english.sentence(), "{place}");
            }
            _ => panic!("{place}: {} became {}", english.kind(), read.kind()),
        }
    }
}

#[test]
fn outcomes_of_every_kind_read_back_in_every_language() {
    for dialect in Dialect::ALL {
        for options in options() {
            for language in Language::ALL {
                for (name, outcome) in outcomes() {
                    let outcome = outcome.in_language(*language);
                    let told = trip(&outcome, *dialect, &options, true);
                    assert_eq!(told, Ok(()), "{name} in {language} by {dialect}");
                }
            }
        }
    }
}

/// What a client has that keeps nothing but the text.
fn text_of(fault: Fault) -> String {
    let outcome = Outcome::from(fault);
    let options = Options::new().stamp(stamp());
    let result = tool_result(unredacted(&outcome), Dialect::Native, &options).unwrap();
    let text = result.to_value()["content"][0]["text"].take();
    text.as_str().unwrap().to_owned()
}

#[test]
fn the_text_alone_is_read_back_in_every_language() {
    for code in CODES {
        for make in [sample_fault, full_fault, Fault::new] {
            for language in Language::ALL {
                let fault = make(*code).in_language(*language);
                let (retry, tool) = (
                    fault.public().retry(),
                    fault.public().fallback_tool().map(str::to_owned),
                );
                let text = text_of(fault);
                assert!(text.len() <= 400, "{language} {code}: {} bytes", text.len());
                let result = json!({"content": [{"type": "text", "text": text}], "isError": true});
                let reading = read(result);
                assert_eq!(reading.channel, Channel::Text, "{text}");
                let Outcome::Fault(fault) = &reading.outcome else {
                    panic!("{language} {code}: {text}")
                };
                let public = fault.public();
                assert_eq!(public.code(), *code, "{text}");
                assert_eq!(
                    public.retry().is_retryable(),
                    retry.is_retryable(),
                    "{text}"
                );
                assert_eq!(public.fallback_tool(), tool.as_deref(), "{text}");
                assert_eq!(
                    public.correlation_id().map(|id| id.as_str().len()),
                    Some(36),
                    "{text}"
                );
                assert!(!public.message().is_empty());
            }
        }
    }
}

/// Japanese takes three bytes a character and German takes its time; what there is to say fits all the same.
#[test]
fn the_plain_texts_of_every_code_fit_without_a_cut() {
    for code in CODES {
        for language in Language::ALL {
            let text = text_of(Fault::new(*code).in_language(*language));
            assert!(!text.contains('…'), "{language} {code}: {text}");
        }
    }
}

#[test]
fn a_long_japanese_text_is_cut_between_characters() {
    let mut cut = 0;
    for length in 60..90 {
        let fault = Fault::missing_param(&"長".repeat(length)).in_language(Language::Japanese);
        let text = native::object(unredacted(fault.public()), &Options::new()).preamble();
        assert!(text.len() <= 400 && !text.contains('\u{fffd}'), "{text}");
        cut += usize::from(text.contains('…'));
    }
    assert!(cut > 0, "nothing was cut");
}

#[test]
fn labels_keys_and_codes_are_never_translated() {
    for language in TRANSLATED {
        let fault = || {
            Fault::missing_param("owner")
                .fallback_tool("list_owners")
                .in_language(language)
        };
        let text = text_of(fault());
        for label in [
            "[VALIDATION_MISSING_PARAM] ",
            "\nFix: ",
            "\nRetry: not before something changes\n",
            "\nInstead: list_owners\n",
            "\nReference: ",
        ] {
            assert!(text.contains(label), "{text}");
        }
        for dialect in Dialect::ALL {
            let keys = |fault: Fault| {
                let options = Options::new().stamp(stamp());
                shape(&document_of(&fault.into(), *dialect, &options))
            };
            let english = Fault::missing_param("owner").fallback_tool("list_owners");
            assert_eq!(keys(fault()), keys(english), "{dialect}");
        }
    }
}

/// The keys of a document, without its values.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), shape(value)))
            .collect(),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Value::Null,
    }
}

#[test]
fn each_dialect_has_the_words_where_it_has_the_english() {
    let german = |dialect, options: &Options| {
        let fault = Fault::not_found("user", "usr_9").in_language(Language::German);
        document_of(&fault.into(), dialect, options)
    };
    let options = Options::new();
    let sentence = "user 'usr_9' nicht gefunden";
    let template = "Ressource 'user' nicht gefunden: 'usr_9'";
    let fix = "Prüfen, ob es die ID für 'user' gibt.";
    let user = "Das Gesuchte wurde nicht gefunden.";
    for (dialect, pointer, want) in [
        (
            Dialect::Native,
            "/_meta/dev.breakfall~1error/message",
            sentence,
        ),
        (
            Dialect::Native,
            "/_meta/dev.breakfall~1error/remediation",
            fix,
        ),
        (
            Dialect::Native,
            "/_meta/dev.breakfall~1error/user_message",
            user,
        ),
        (Dialect::ResponseV2, "/error", sentence),
        (Dialect::ResponseV2, "/data/remediation", fix),
        (Dialect::McpError, "/message", sentence),
        (Dialect::McpError, "/userMessage", user),
        (Dialect::ErrorModel, "/error/details/suggestion", fix),
        (Dialect::ToolError, "/structuredContent/message", sentence),
        (Dialect::McpAql, "/error/message", template),
        (Dialect::Problem, "/title", "Ressource nicht gefunden"),
        (Dialect::Problem, "/detail", sentence),
    ] {
        let document = german(dialect, &options);
        assert_eq!(document.pointer(pointer), Some(&json!(want)), "{document}");
    }
    let fault = Fault::not_found("user", "usr_9").in_language(Language::German);
    let rpc = rpc_error(unredacted(fault.public()), Dialect::Native, &options).to_value();
    assert_eq!(rpc["message"], sentence);
    assert_eq!(rpc["data"]["code"], "NOT_FOUND_RESOURCE");
}

#[test]
fn the_answer_that_gives_consent_is_labelled_in_the_language() {
    let fault = sample_fault(codes::CONFIRMATION_REQUIRED).in_language(Language::Spanish);
    let document = document_of(&fault.into(), Dialect::ToolError, &Options::new());
    let object = &document["structuredContent"];
    assert_eq!(object["message"], "Esta operación requiere confirmación");
    assert_eq!(object["options"][0]["label"], "Confirmar");
    assert_eq!(object["options"][0]["value"], "some_confirmation_token");
}

#[test]
fn warnings_are_in_the_language_down_to_the_one_that_counts_the_rest() {
    let all = WARNINGS.iter().fold(Success::new(1), |success, code| {
        success.warning(sample_warning(*code))
    });
    let outcome = Outcome::from(all).in_language(Language::German);
    let document = document_of(&outcome, Dialect::McpAql, &Options::new());
    let warnings = document["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 10);
    assert_eq!(warnings[9]["code"], "WARNINGS_SUPPRESSED");
    assert_eq!(warnings[9]["message"], "'22' weitere Warnungen weggelassen");
    let one = Warning::new(warning::STALE_CACHE).context("age_seconds", 1);
    let outcome = Outcome::from(Success::new(1).warning(one)).in_language(Language::German);
    let document = document_of(&outcome, Dialect::ResponseV2, &Options::new());
    assert_eq!(
        document["meta"]["warnings"][0],
        "Ergebnisse sind möglicherweise veraltet: Alter im Cache '1' Sekunde"
    );
}

#[test]
fn a_batch_that_failed_as_a_whole_speaks_one_language_throughout() {
    let batch = breakfall::Batch::new("delete", "deleted")
        .failed("a", sample_fault(codes::CONFIRMATION_REQUIRED))
        .failed("b", sample_fault(codes::CONFIRMATION_REQUIRED));
    let outcome = Outcome::from(batch).in_language(Language::German);
    let document = document_of(&outcome, Dialect::McpError, &Options::new());
    assert_eq!(
        document["message"],
        "Keiner der 2 Einträge wurde verarbeitet"
    );
    assert_eq!(
        document["details"]["remediation"],
        "Die Fehler der Einträge lesen, die gemeinsame Ursache beseitigen, dann den Stapel noch einmal senden."
    );
}

/// What is redacted after the language was chosen is redacted in that language.
#[test]
fn a_secret_is_redacted_in_every_language_whichever_comes_first() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let redactor = Redactor::client();
    for language in Language::ALL {
        for dialect in Dialect::ALL {
            let fault = || Fault::not_found("token", secret);
            let before = redactor.fault(fault().in_language(*language));
            let after = redactor.fault(fault()).in_language(*language);
            for fault in [before, after] {
                let outcome = Redacted::<Outcome>::from(fault);
                let document = encode(outcome.as_ref(), *dialect, &Options::new()).unwrap();
                let document = document.to_value().to_string();
                assert!(
                    !document.contains(secret),
                    "{language} {dialect}: {document}"
                );
            }
        }
    }
}
