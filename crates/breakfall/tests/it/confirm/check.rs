//! The check of a token, in its order.

use breakfall::confirm::{
    ArgumentsHash, CallScope, ClockSkew, ConfirmationToken, TokenGrant, TokenPurpose, TokenRefusal,
    TokenState,
};
use breakfall::gate::DangerLevel;
use breakfall::redact::{Audience, Redactor};
use breakfall::wire::{Dialect, Options, encode};
use serde_json::{Value, json};

use super::{call, call_by, record, second};

const CONFIRMS: TokenPurpose = TokenPurpose::Confirmation;
const SKEW: ClockSkew = ClockSkew::NONE;

fn mismatch() -> Result<(), TokenRefusal> {
    Err(TokenRefusal::ScopeMismatch {
        token_upstream: "shop".into(),
        token_operation: "delete".into(),
    })
}

/// The error object of MCP-AQL, as its caller reads it.
fn document(fault: breakfall::Fault) -> Value {
    let told = Redactor::client().outcome(fault);
    let options = Options::new().strict(true);
    let document = encode(told.as_ref(), Dialect::McpAql, &options);
    document.expect("a document").to_value()["error"].take()
}

#[test]
fn a_token_is_good_for_the_very_call_it_was_issued_for() {
    let record = record();
    let check = |call: &CallScope| record.check(CONFIRMS, call, second(1), SKEW);
    assert_eq!(check(&call("delete", r#"{ "id": 7.0 }"#)), Ok(()));
    assert_eq!(check(&call("delete", r#"{"id":8}"#)), mismatch());
    assert_eq!(check(&call("delete_all", r#"{"id":7}"#)), mismatch());
    let arguments = ArgumentsHash::of(r#"{"id":7}"#, None).expect("JSON");
    assert_eq!(
        check(&CallScope::new(Some("ada"), "bank", "delete", arguments)),
        mismatch()
    );
    assert_eq!(
        check(&call("delete", r#"{"id":7}"#).quota("requests_per_hour")),
        mismatch()
    );
}

#[test]
fn a_stranger_learns_nothing_about_a_token() {
    let mut record = record();
    let states = [
        TokenState::Issued,
        TokenState::Consumed(second(1)),
        TokenState::Revoked(second(1)),
    ];
    for state in states {
        record.state = state;
        for at in [0, 1, 10_000] {
            for (operation, arguments) in [("delete", r#"{"id":7}"#), ("other", "{}")] {
                for principal in [Some("bob"), None] {
                    let foreign = call_by(principal, operation, arguments);
                    let refused = record.check(CONFIRMS, &foreign, second(at), SKEW);
                    assert_eq!(refused, Err(TokenRefusal::Invalid));
                }
            }
        }
    }
    let told = |token: &str| {
        let fault = TokenRefusal::Invalid.fault(token, "delete", second(0));
        let fault = Redactor::client().fault(fault);
        let fault = fault.as_ref().public();
        (
            fault.code(),
            fault.message().into_owned(),
            fault.details().len(),
        )
    };
    // Unknown and malformed ones: all that differs is what was sent.
    assert_eq!(told("conf_abc123xyz"), told("nonsense"));
}

#[test]
fn what_is_checked_first_is_told_first() {
    let own = call("delete", r#"{"id":7}"#);
    let other = call("delete", r#"{"id":8}"#);
    let mut record = record();
    record.state = TokenState::Consumed(second(20));
    let late = second(300);
    // Scope, then expiry, then use.
    assert_eq!(record.check(CONFIRMS, &other, late, SKEW), mismatch());
    let expired = TokenRefusal::Expired {
        expired_at: second(300),
    };
    assert_eq!(record.check(CONFIRMS, &own, late, SKEW), Err(expired));
    let used = TokenRefusal::AlreadyUsed {
        consumed_at: second(20),
    };
    assert_eq!(record.check(CONFIRMS, &own, second(299), SKEW), Err(used));
    // A revoked token is not told from an unknown one.
    record.state = TokenState::Revoked(second(20));
    assert_eq!(
        record.check(CONFIRMS, &own, second(30), SKEW),
        Err(TokenRefusal::Invalid)
    );
}

#[test]
fn a_token_for_a_quota_confirms_nothing_and_the_other_way_round() {
    let own = call("delete", r#"{"id":7}"#).quota("requests_per_hour");
    let quota = TokenGrant::beyond_quota(own.clone()).at(second(0));
    let check = |purpose| quota.check(purpose, &own, second(1), SKEW);
    assert_eq!(check(TokenPurpose::QuotaContinue), Ok(()));
    assert_eq!(check(CONFIRMS), Err(TokenRefusal::Invalid));
}

#[test]
fn expiry_and_tolerance_hold_to_the_second() {
    let own = call("delete", r#"{"id":7}"#);
    let record = record();
    for (skew, last_good) in [(0, 299), (30, 329), (300, 599)] {
        let skew = ClockSkew::from_secs(skew).expect("in range");
        assert_eq!(
            record.check(CONFIRMS, &own, second(last_good), skew),
            Ok(())
        );
        let expired = Err(TokenRefusal::Expired {
            expired_at: second(300),
        });
        assert_eq!(
            record.check(CONFIRMS, &own, second(last_good + 1), skew),
            expired
        );
        assert!(
            record.is_live(second(last_good), skew) && !record.is_live(second(last_good + 1), skew)
        );
        // A clock that was set back farther than that tells nothing about its age.
        let back = -i64::from(skew.as_secs());
        assert_eq!(record.check(CONFIRMS, &own, second(back), skew), Ok(()));
        assert_eq!(
            record.check(CONFIRMS, &own, second(back - 1), skew),
            expired
        );
    }
}

#[test]
fn a_token_is_not_good_before_its_cooldown_is_over() {
    let own = call("delete", r#"{"id":7}"#);
    let cooldown = std::time::Duration::from_mins(1);
    let record = TokenGrant::new(own.clone(), DangerLevel::Dangerous).cooldown(cooldown);
    let record = record.at(second(0));
    assert_eq!(record.expires_at, second(360));
    assert_eq!(record.check(CONFIRMS, &own, second(60), SKEW), Ok(()));
    let early = record.check(CONFIRMS, &own, second(59), SKEW).unwrap_err();
    let fault = early.fault("conf_abc123xyz", "delete", second(59));
    assert_eq!(fault.code().name(), "CONFIRMATION_REQUIRED");
    assert_eq!(
        document(fault)["details"],
        json!({
            "operation": "delete",
            "danger_level": "dangerous",
            "confirmation_token": "conf_abc123xyz",
            "expires_at": second(360).to_string(),
            "not_before": second(60).to_string(),
            "retry_after_seconds": 1,
        })
    );
}

#[test]
fn each_refusal_has_the_details_of_the_specification() {
    testing::proves!("S4-54", "S4-55", "S4-56", "S4-57");
    let details = |refusal: TokenRefusal| -> (String, Value) {
        let error = document(refusal.fault("conf_abc123xyz", "delete", second(9)));
        let code = error["code"].as_str().expect("a code");
        (code.to_owned(), error["details"].clone())
    };
    let token = "conf_abc123xyz";
    let (time, now) = (second(1).to_string(), second(9).to_string());
    assert_eq!(
        details(TokenRefusal::Invalid),
        ("TOKEN_INVALID".into(), json!({"token": token}))
    );
    assert_eq!(
        details(TokenRefusal::Expired {
            expired_at: second(1)
        }),
        (
            "TOKEN_EXPIRED".into(),
            json!({"token": token, "expired_at": time, "current_time": now})
        )
    );
    assert_eq!(
        details(TokenRefusal::AlreadyUsed {
            consumed_at: second(1)
        }),
        (
            "TOKEN_ALREADY_USED".into(),
            json!({"token": token, "consumed_at": time})
        )
    );
    assert_eq!(
        details(TokenRefusal::ScopeMismatch {
            token_upstream: "shop".into(),
            token_operation: "refund".into()
        }),
        (
            "TOKEN_SCOPE_MISMATCH".into(),
            json!({"token": token, "token_operation": "refund", "requested_operation": "delete"})
        )
    );
}

#[test]
fn a_presented_token_reaches_its_presenter_and_no_operator() {
    let token = ConfirmationToken::from_bytes(CONFIRMS, [9; 32]);
    let faults = [
        TokenRefusal::Invalid.fault(token.reveal(), "delete", second(0)),
        breakfall::Fault::confirmation_required("delete", "destructive", token.reveal(), second(0)),
    ];
    for fault in faults {
        let shown = |redactor: Redactor| {
            let fault = redactor.fault(fault.clone());
            serde_json::to_string(fault.as_ref().public().details()).expect("JSON")
        };
        assert!(shown(Redactor::client()).contains(token.reveal()));
        assert!(!shown(Redactor::new(Audience::Operator)).contains(token.reveal()));
        assert!(!format!("{token:?}").contains(token.reveal()));
    }
    // Another secret under the same name is not a token of ours.
    let other = breakfall::Fault::new(breakfall::codes::TOKEN_INVALID)
        .detail("token", "ghp_q8Zr1tLw4mX7q8Zr1tLw4mX7q8Zr1tLw4mX7");
    let shown = Redactor::client().fault(other);
    assert_ne!(
        shown.as_ref().public().details().text("token"),
        Some("ghp_q8Zr1tLw4mX7q8Zr1tLw4mX7q8Zr1tLw4mX7")
    );
}
