//! Faults and outcomes: nothing private in any dialect, format or place.

use breakfall::redact::{Audience, Redacted, Redactor, unredacted};
use breakfall::wire::{Dialect, Format, Options, encode, rpc_error, tool_result};
use breakfall::{
    Batch, Choice, Elicitation, Fault, Outcome, Success, Timestamp, Violation, Warning, codes,
};
use serde_json::json;

/// One of each: a trace, a statement, a path, a host, a key, a password, somebody's address and card.
const PRIVATE: &[&str] = &[
    "Traceback (most recent call last):\n  File \"/srv/shop/orders.py\", line 7, in close_order\n    raise Locked\nLocked: busy",
    "SELECT total FROM shop_orders WHERE customer = 'ada'",
    "cannot open '/srv/shop/db.key'",
    "no route to orders-db.prod.internal",
    "key ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    "password=hunter2",
    "mail to ada@example.com failed",
    "card 4111 1111 1111 1111 declined",
];

const GONE: &[&str] = &[
    "orders.py",
    "close_order\\n",
    "shop_orders",
    "db.key",
    "orders-db",
    "ghp_A1b2",
    "hunter2",
    "ada@example.com",
    "4111 1111",
    "/srv/",
];

fn loaded() -> Fault {
    let all = PRIVATE.join("\n");
    let question = Elicitation::new(all.clone())
        .field("path")
        .reason(all.clone())
        .suggest("path", [all.clone()])
        .option(Choice {
            label: all.clone(),
            value: all.clone(),
            description: Some(all.clone()),
            field: None,
        });
    Fault::new(codes::UNAVAILABLE_DEPENDENCY)
        .message(all.clone())
        .detail("upstream_error", all.clone())
        .detail(
            "nested",
            json!({"list": [all.clone()], "password": "hunter2", "api_key": "hunter2"}),
        )
        .detail("ada@example.com", 1)
        .violation(
            Violation::at("/user/password")
                .keyword("format")
                .message(all.clone())
                .expected(all.clone())
                .got("hunter2")
                .suggestion(all.clone()),
        )
        .domain_code(all.clone())
        .remediation(all.clone())
        .user_message(all.clone())
        .fallback_tool(all.clone())
        .docs_url("https://ada:hunter2@docs.example.com/?token=hunter2")
        .actions([all.clone()])
        .corrective_params(json!({"query": all.clone(), "password": "hunter2"}))
        .ask(question)
        .caused_by(all.clone())
        .note(all)
}

fn outcomes(redactor: &Redactor) -> Vec<Redacted<Outcome>> {
    let batch = Batch::new("delete", "deleted")
        .done("1", json!({"kept": "as it is"}))
        .failed("ada@example.com", loaded())
        .pending("3", loaded())
        .warning(Warning::plain(PRIVATE.join("\n")));
    let success = Success::new(json!({"path": "mine"}))
        .warning(Warning::plain(PRIVATE.join("\n")).context("secret", "hunter2"));
    let question = Elicitation::new(PRIVATE.join("\n")).reason(PRIVATE[5]);
    let all = [
        Outcome::from(loaded()),
        batch.into(),
        success.into(),
        question.into(),
    ];
    all.into_iter()
        .map(|outcome| redactor.outcome(outcome))
        .collect()
}

fn assert_clean(text: &str, place: &str) {
    for gone in GONE {
        assert!(!text.contains(gone), "{gone:?} in {place}: {text}");
    }
}

#[test]
fn nothing_private_leaves_in_any_dialect_or_format() {
    testing::proves!("S0-04", "S2-33");
    // Without redaction it would: the test can fail.
    let raw = encode(
        unredacted(&loaded().into()),
        Dialect::Native,
        &Options::new(),
    )
    .unwrap()
    .to_json();
    assert!(raw.contains("hunter2") && raw.contains("shop_orders"));
    for outcome in outcomes(&Redactor::client()) {
        for &dialect in Dialect::ALL {
            for strict in [false, true] {
                for &format in Format::ALL {
                    let options = Options::new()
                        .strict(strict)
                        .format(format)
                        .aggregate(strict);
                    let place =
                        format!("{dialect}, strict {strict}, {format:?}, {}", outcome.kind());
                    if let Ok(document) = encode(outcome.as_ref(), dialect, &options) {
                        assert_clean(&document.to_json(), &place);
                        assert_clean(&document.to_pretty(), &place);
                    }
                    if let Ok(result) = tool_result(outcome.as_ref(), dialect, &options) {
                        assert_clean(&result.to_json(), &place);
                    }
                    if let Some(fault) = outcome.fault() {
                        assert_clean(
                            &rpc_error(fault, dialect, &options).to_value().to_string(),
                            &place,
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_message_of_a_row_is_filled_with_what_is_left() {
    let fault = Redactor::client().fault(Fault::not_found("file", "/srv/shop/db.key"));
    assert_eq!(fault.public().message(), "file '[path]' not found");
    let sent = json!({"file": "/srv/shop/db.key"});
    let fault = Redactor::client()
        .sparing(&sent)
        .fault(Fault::not_found("file", "/srv/shop/db.key"));
    assert_eq!(
        fault.public().message(),
        "file '/srv/shop/db.key' not found"
    );
}

#[test]
fn a_confirmation_token_reaches_whoever_has_to_send_it_back() {
    let token = "conf_q8Zr1tLw4mX7";
    let fault = Fault::confirmation_required("drop", "destructive", token, Timestamp::UNIX_EPOCH)
        .message(format!("send {token}"));
    let fault = Redactor::client().fault(fault);
    assert_eq!(
        fault.public().details().text("confirmation_token"),
        Some(token)
    );
    assert_eq!(fault.public().message(), "send [redacted:api-key]");
    let elsewhere = Redactor::client().fault(Fault::internal().detail("confirmation_token", token));
    assert_eq!(
        elsewhere.public().details().text("confirmation_token"),
        Some("[redacted:secret]")
    );
}

#[test]
fn data_of_a_success_is_not_ours_to_rewrite() {
    let data = json!({"password": "hunter2", "path": "/home/ada/x.txt"});
    let outcome = Redactor::client().outcome(Success::new(data.clone()));
    let Outcome::Success(success) = outcome.into_inner() else {
        panic!("a success stays one");
    };
    assert_eq!(success.data(), &data);
}

#[test]
fn the_private_report_has_everything_but_secrets() {
    for audience in Audience::ALL {
        let report = Redactor::new(*audience).report(&loaded());
        for kept in [
            "orders.py",
            "shop_orders",
            "/srv/shop/db.key",
            "orders-db.prod.internal",
        ] {
            assert!(report.contains(kept), "{kept}: {report}");
        }
        for gone in ["hunter2", "ghp_A1b2", "4111 1111"] {
            assert!(!report.contains(gone), "{gone}: {report}");
        }
    }
}

#[test]
fn nobody_gets_everything() {
    let fault = Redactor::new(Audience::Unredacted).fault(loaded());
    assert!(fault.public().message().contains("hunter2"));
}

#[test]
fn a_redacted_outcome_stays_as_it_is() {
    for outcome in outcomes(&Redactor::client()) {
        let text = format!("{outcome:?}");
        let again = Redactor::client().outcome(outcome.into_inner());
        assert_eq!(format!("{again:?}"), text);
    }
}

#[test]
fn an_id_that_is_a_secret_is_no_id() {
    let id = breakfall::CorrelationId::new("ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8").unwrap();
    let fault = Redactor::client().fault(Fault::internal().correlation_id(id));
    assert_eq!(fault.public().correlation_id(), None);
    let id = breakfall::CorrelationId::new("018f2b5e-7c41-7d9a-9f0e-6a1c2b3d4e5f").unwrap();
    let fault = Redactor::client().fault(Fault::internal().correlation_id(id.clone()));
    assert_eq!(fault.public().correlation_id(), Some(&id));
}

#[test]
fn what_is_below_a_telling_key_of_the_arguments_goes() {
    let fault = Fault::invalid("no")
        .violation(Violation::at("/api_key/0").got("plain words"))
        .violation(Violation::at("/login/password/new").suggestion("plain words"))
        .violation(Violation::at("/password/minLength").got(8))
        .violation(Violation::at("/tags/0").got("other words"));
    let fault = Redactor::client().fault(fault);
    let value = rpc_error(fault.public(), Dialect::Native, &Options::new()).to_value();
    let object = &value["data"]["violations"];
    assert_eq!(object[0]["got"], "[redacted:api-key]", "{object}");
    assert_eq!(object[1]["suggestion"], "[redacted:password]", "{object}");
    assert_eq!(object[2]["got"], 8, "{object}");
    assert_eq!(object[3]["got"], "other words", "{object}");
}

/// No client reads "[trace]" alone.
#[test]
fn the_sentence_of_the_row_stands_in_front_of_mere_markers() {
    let sql = PRIVATE[1];
    let fault = || {
        Fault::unavailable("shop")
            .message(sql)
            .remediation(sql)
            .user_message(sql)
            .fallback_tool("/srv/app/tool")
    };
    let shown = Redactor::client().fault(fault());
    let row = Fault::unavailable("shop");
    let row = row.public();
    assert_eq!(shown.public().message(), format!("{} [sql]", row.message()));
    assert_eq!(shown.public().remediation(), row.remediation());
    assert_eq!(shown.public().user_message(), row.user_message());
    assert_eq!(shown.public().fallback_tool(), None);
    let again = Redactor::client().shown(&shown);
    assert_eq!(again.public().message(), shown.public().message());
    let german = Redactor::client().fault(fault().in_language(breakfall::locale::Language::German));
    let sentence = Fault::unavailable("shop").in_language(breakfall::locale::Language::German);
    assert_eq!(
        german.public().message(),
        format!("{} [sql]", sentence.public().message())
    );
    let kept = Redactor::client().fault(Fault::invalid("cannot open '/srv/a/b.key'"));
    assert_eq!(kept.public().message(), "cannot open '[path]'");
}

#[test]
fn the_sentence_of_the_row_stands_before_a_message_of_which_only_markers_are_left() {
    let redactor = Redactor::client();
    let own = Fault::internal();
    let own = own.public().message().into_owned();
    let trace = "Traceback (most recent call last):\n  File \"/srv/a.py\", line 1, in f\n    g()";
    for (text, rest) in [(trace, "[trace]"), ("/srv/app/db.key", "[path]")] {
        let shown = redactor.shown(&Fault::internal().message(text));
        assert_eq!(shown.public().message(), format!("{own} {rest}"));
        let again = redactor.shown(&Fault::internal().message(shown.public().message()));
        assert_eq!(again.public().message(), shown.public().message());
    }
    let kept = redactor.shown(&Fault::internal().message("cannot open /srv/app/db.key"));
    assert_eq!(kept.public().message(), "cannot open [path]");
}
