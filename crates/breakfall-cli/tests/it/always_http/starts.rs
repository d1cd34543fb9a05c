//! Servers that are wrong from the start: the handshake is answered, and so is every call.

use serde_json::{Value, json};
use testing::faulty_http::{Behaviour, Options, Server, When};

use super::data;
use super::fate::Fate;
use super::front::{Behind, Front, Patience};

#[test]
fn nobody_listens() {
    let _answer = fails(
        Behaviour::ConnectionRefused,
        Fate::Fails("UNAVAILABLE_NETWORK", "no"),
    );
}

#[test]
fn an_end_at_once() {
    let _answer = fails(Behaviour::ClosesAtOnce, Fate::Unreached);
}

#[test]
fn a_reset_at_once() {
    let _answer = fails(Behaviour::ResetsAtOnce, Fate::Unreached);
}

#[test]
fn a_server_that_never_speaks() {
    let _answer = fails(Behaviour::NeverSpeaks, Fate::Late);
}

#[test]
fn a_portal() {
    let _answer = fails(Behaviour::Portal, Fate::BadUpstream);
}

#[test]
fn a_server_that_lets_nobody_in() {
    let _answer = fails(Behaviour::Locked, Fate::Configuration);
}

#[test]
fn http_instead_of_tls() {
    mistrusts(Behaviour::NotTls, "what answers does not speak TLS");
}

#[test]
fn a_certificate_nobody_vouches_for() {
    mistrusts(
        Behaviour::SelfSigned,
        "nobody who is trusted signed the certificate",
    );
}

#[test]
fn a_certificate_of_the_past() {
    mistrusts(Behaviour::Expired, "the certificate is expired");
}

#[test]
fn a_certificate_for_somebody_else() {
    mistrusts(Behaviour::WrongName, "the certificate is for another name");
}

#[test]
fn a_handshake_of_tls_that_is_cut() {
    let _answer = fails(Behaviour::TlsCut, Fate::Fails("UNAVAILABLE_NETWORK", "no"));
}

#[test]
fn a_handshake_of_tls_that_stalls() {
    let _answer = fails(
        Behaviour::TlsStalls,
        Fate::Fails("UNAVAILABLE_TIMEOUT", "no"),
    );
}

#[test]
fn a_request_of_http_2_nobody_takes() {
    let _answer = fails(Behaviour::GoAway, Fate::Unreached);
}

#[test]
fn a_request_of_http_2_that_is_refused() {
    let _answer = fails(Behaviour::StreamRefused, Fate::Unreached);
}

#[test]
fn a_request_of_http_2_that_fails() {
    let _answer = fails(Behaviour::StreamFailed, Fate::Cut);
}

#[test]
fn tls_as_it_should_be() {
    works(Behaviour::Tls);
}

#[test]
fn a_server_without_a_stream() {
    works(Behaviour::NoStream);
}

#[test]
fn a_server_without_sessions() {
    works(Behaviour::NoSessions);
}

#[test]
fn a_server_whose_streams_end_at_once() {
    let server = works(Behaviour::StreamEnds);
    let gets = server
        .seen()
        .iter()
        .filter(|seen| seen.method == "GET")
        .count();
    assert!(gets <= 3, "it is not asked again and again: {gets}");
}

#[test]
fn every_behaviour_of_the_start_is_named_above() {
    let source = include_str!("starts.rs");
    for behaviour in Behaviour::of(When::Start) {
        let name = format!("Behaviour::{behaviour:?}");
        assert!(source.contains(&name), "{name}");
    }
}

/// A certificate that is no good, and what is wrong with it.
fn mistrusts(behaviour: Behaviour, reason: &str) {
    let answer = fails(behaviour, Fate::Fails("UNAVAILABLE_TLS", "no"));
    let error = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(error["details"]["reason"], reason, "{answer}");
}

fn patience(time: &'static str) -> Patience {
    Patience {
        misbehave: time,
        others: time,
    }
}

/// A handshake and a call that fail, each once and in its way.
fn fails(behaviour: Behaviour, fate: Fate) -> Value {
    let server = Server::of(Options::default().start(behaviour));
    let mut behind = Behind::before_handshake(Front::Stdio, &server, patience("1s"));
    let answer = behind.initialize();
    assert!(answer["error"]["message"].is_string(), "{answer}");
    let it = behind.begin("it", "misbehave", &json!({"how": "events"}));
    let answer = behind.finish(it);
    fate.judge(&answer);
    assert!(server.all_executed().is_empty());
    behind.end();
    answer
}

/// Calls that are answered.
fn works(behaviour: Behaviour) -> Server {
    let server = Server::of(Options::default().start(behaviour));
    let mut behind = Behind::new(Front::Stdio, &server, patience("100s"));
    for how in ["events", "redirect-within", "close-announced"] {
        let it = behind.begin(how, "misbehave", &json!({"how": how}));
        let answer: Value = behind.finish(it);
        Fate::Answered.judge(&answer);
        assert_eq!(data(&answer)["how"], how);
        assert_eq!(server.executed(how), 1);
    }
    behind.end();
    server
}
