//! Servers that are wrong from the start: the handshake is answered, and so is every call.

use serde_json::{Value, json};
use testing::faulty_http::{Behaviour, Options, Server, When};

use super::data;
use super::gateway::{Behind, Front, Timeouts};
use super::outcomes::Fate;

macro_rules! starts {
    ($($name:ident: $behaviour:ident => $check:expr;)+) => {
        mod over_stdio {
            use super::*;
            $(
                #[test]
                fn $name() {
                    $check(Front::Stdio, Behaviour::$behaviour);
                }
            )+
        }

        mod over_http {
            use super::*;
            $(
                #[test]
                fn $name() {
                    $check(Front::Http, Behaviour::$behaviour);
                }
            )+
        }

        mod over_http_without_sessions {
            use super::*;
            $(
                #[test]
                fn $name() {
                    $check(Front::HttpModern, Behaviour::$behaviour);
                }
            )+
        }

        const STARTED: &[Behaviour] = &[$(Behaviour::$behaviour),+];
    };
}

starts! {
    nobody_listens: ConnectionRefused => fails(Fate::Fails("UNAVAILABLE_NETWORK", "no"));
    an_end_at_once: ClosesAtOnce => fails(Fate::Unreached);
    a_reset_at_once: ResetsAtOnce => fails(Fate::Unreached);
    a_server_that_never_speaks: NeverSpeaks => fails(Fate::Fails("UNAVAILABLE_TIMEOUT", "no"));
    a_portal: Portal => fails(Fate::BadUpstream);
    a_server_that_lets_nobody_in: Locked => fails(Fate::Configuration);
    a_server_without_a_stream: NoStream => works;
    a_server_without_sessions: NoSessions => works;
    a_server_whose_streams_end_at_once: StreamEnds => does_not_insist;
    tls_as_it_should_be: Tls => works;
    http_instead_of_tls: NotTls => mistrusts("the server does not speak TLS");
    a_certificate_nobody_vouches_for: SelfSigned => mistrusts("the certificate is not signed by a trusted authority");
    a_certificate_of_the_past: Expired => mistrusts("the certificate is expired");
    a_certificate_for_somebody_else: WrongName => mistrusts("the certificate is for another name");
    a_handshake_of_tls_that_stalls: TlsStalls => fails(Fate::Fails("UNAVAILABLE_TIMEOUT", "no"));
    a_handshake_of_tls_that_is_cut: TlsCut => fails(Fate::Fails("UNAVAILABLE_NETWORK", "no"));
    a_request_of_http_2_nobody_takes: GoAway => fails(Fate::Fails("UNAVAILABLE_NETWORK", "no"));
    a_request_of_http_2_that_is_refused: StreamRefused => fails(Fate::Fails("UNAVAILABLE_NETWORK", "no"));
    a_request_of_http_2_that_fails: StreamFailed => fails(Fate::Cut);
}

#[test]
fn every_behaviour_of_the_start_is_tested() {
    let all: Vec<_> = Behaviour::of(When::Start).collect();
    assert_eq!(STARTED, all);
}

/// A bad certificate, and what is wrong with it.
fn mistrusts(reason: &'static str) -> impl Fn(Front, Behaviour) {
    move |front, behaviour| {
        let error = failed(front, behaviour, Fate::Fails("UNAVAILABLE_TLS", "no"));
        assert_eq!(error["details"]["reason"], reason, "{error}");
    }
}

fn fails(fate: Fate) -> impl Fn(Front, Behaviour) {
    move |front, behaviour| {
        let _error = failed(front, behaviour, fate);
    }
}

fn patience(time: &'static str) -> Timeouts {
    Timeouts {
        misbehave: time,
        others: time,
    }
}

/// A handshake and a call that fail, each once and in its way.
fn failed(front: Front, behaviour: Behaviour, fate: Fate) -> Value {
    let server = Server::of(Options::default().start(behaviour));
    let mut behind = Behind::before_handshake(front, &server, patience("1s"));
    let mut error = Value::Null;
    if front != Front::HttpModern {
        let answer = behind.initialize();
        error = answer["error"]["data"].clone();
        assert!(answer["error"]["message"].is_string(), "{answer}");
        assert_eq!(error["code"].as_str(), fate.code(), "{answer}");
    }
    // Without a session nothing else can be asked.
    if front != Front::Http {
        let it = behind.begin("it", "misbehave", &json!({"how": "events"}));
        let answer = behind.finish(it);
        // A server that has not shown what it is has not been asked anything else.
        let fate = match fate.code() {
            Some(code) if front == Front::HttpModern => Fate::Fails(code, "no"),
            _ => fate,
        };
        fate.judge(&answer);
        error = answer["result"]["_meta"]["dev.breakfall/error"].clone();
    }
    assert!(server.all_executed().is_empty());
    behind.end();
    error
}

/// Calls that are answered.
fn works(front: Front, behaviour: Behaviour) {
    let _server = worked(front, behaviour);
}

fn does_not_insist(front: Front, behaviour: Behaviour) {
    let server = worked(front, behaviour);
    let seen = server.seen();
    let gets = seen.iter().filter(|seen| seen.method == "GET").count();
    assert!(gets <= 3, "it is not asked again and again: {gets}");
}

fn worked(front: Front, behaviour: Behaviour) -> Server {
    let server = Server::of(Options::default().start(behaviour));
    let mut behind = Behind::new(front, &server, patience("100s"));
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
