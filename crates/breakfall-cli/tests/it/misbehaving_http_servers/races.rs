//! A connection that ends just when it is used again: the call is lost at most, and never done twice.

use serde_json::json;
use testing::faulty_http::{Behaviour, Server};

use super::gateway::{Behind, Front, Timeouts};
use super::outcomes::{Fate, well_formed};

/// Whether the next call may be sent over a connection that ends on it.
pub(super) fn may_spoil_the_next(behaviour: Behaviour) -> bool {
    [Behaviour::CloseOnReuse, Behaviour::ResetOnReuse].contains(&behaviour)
}

#[test]
fn a_call_over_a_connection_that_ends_on_it_is_done_at_most_once() {
    for how in ["close-on-reuse", "reset-on-reuse"] {
        let server = Server::start();
        let mut behind = Behind::new(Front::Stdio, &server, PATIENT);
        for round in 0..5 {
            let key = format!("{how} {round}");
            let first = behind.begin(format!("first {key}"), "misbehave", &json!({"how": how}));
            Fate::Answered.judge(&behind.finish(first));
            let second = behind.begin(format!("second {key}"), "do", &json!({"key": key}));
            let answer = behind.finish(second);
            well_formed(&answer);
            let done = answer["result"]["isError"] != true;
            if !done {
                Fate::Cut.judge(&answer);
            }
            assert_eq!(server.executed(&key), u64::from(done), "{answer}");
        }
        behind.end();
    }
}

#[test]
fn a_connection_that_ended_while_idle_costs_no_call() {
    let server = Server::start();
    let mut behind = Behind::new(Front::Stdio, &server, PATIENT);
    for round in 0..20 {
        let key = format!("round {round}");
        let how = json!({"how": "close-after-answer", "key": key});
        let it = behind.begin(&*key, "misbehave", &how);
        Fate::Answered.judge(&behind.finish(it));
        assert_eq!(server.executed(&key), 1);
        server.wait_for_closed(round + 1);
    }
    behind.end();
}

#[test]
fn a_connection_is_used_again_after_a_stream_has_ended() {
    for front in [Front::Stdio, Front::Http, Front::HttpModern] {
        let server = Server::start();
        let mut behind = Behind::new(front, &server, PATIENT);
        let mut stream = |round: usize| {
            let it = behind.begin(format!("{round}"), "misbehave", &json!({"how": "events"}));
            Fate::Answered.judge(&behind.finish(it));
        };
        stream(0);
        let before = server.accepted();
        for round in 1..=30 {
            stream(round);
        }
        // The answer may be here before the end of its stream, which takes another connection, but not again and again.
        let more = server.accepted() - before;
        assert!(more <= 3, "{front:?}: {more} more connections");
        behind.end();
    }
}

const PATIENT: Timeouts = Timeouts {
    misbehave: "100s",
    others: "100s",
};
