//! Whatever a server over HTTP does, every request is answered once, in time, and shows nothing it should not; nothing is done
//! twice, and other calls are not affected.
//!
//! Each test is one behaviour of the fault server, behind the real binary.

mod outcomes;
mod gateway;
mod races;
mod failed_starts;

use serde_json::{Value, json};
use testing::faulty_http::{Behaviour, Effect, Server, When};

use gateway::{Behind, Front, Timeouts};
use outcomes::Fate::{self, Answered, BadUpstream, Configuration, Cut, Fails, Late, Passed};

macro_rules! survives {
    ($($name:ident: $behaviour:ident => $fate:expr;)+) => {
        mod over_stdio {
            use super::*;
            $(
                #[test]
                fn $name() {
                    survive(Front::Stdio, Behaviour::$behaviour, $fate);
                }
            )+
        }

        mod over_http {
            use super::*;
            $(
                #[test]
                fn $name() {
                    survive(Front::Http, Behaviour::$behaviour, $fate);
                }
            )+
        }

        mod over_http_without_sessions {
            use super::*;
            $(
                #[test]
                fn $name() {
                    let fate = without_sessions(Behaviour::$behaviour, $fate);
                    survive(Front::HttpModern, Behaviour::$behaviour, fate);
                }
            )+
        }

        const SURVIVED: &[Behaviour] = &[$(Behaviour::$behaviour),+];
    };
}

survives! {
    a_reset_before_the_request_is_read: ResetUnread => Cut;
    a_reset_after_the_request_is_read: ResetAfterReading => Cut;
    an_end_instead_of_an_answer: CloseWithoutAnswer => Cut;
    a_reset_in_the_head: ResetInHead => Cut;
    an_end_in_the_head: CloseInHead => Cut;
    a_reset_in_the_body: ResetInBody => Cut;
    a_connection_nobody_answers_on: HalfOpen => Late;
    a_server_that_stops_reading: StopsReading => Late;
    an_end_right_after_the_answer: CloseAfterAnswer => Answered;
    an_end_when_the_connection_is_used_again: CloseOnReuse => Answered;
    a_reset_when_the_connection_is_used_again: ResetOnReuse => Answered;
    an_end_that_is_announced: CloseAnnounced => Answered;
    a_head_byte_by_byte: SlowHead => Answered;
    a_head_without_end: EndlessHead => Late;
    a_body_byte_by_byte: SlowBody => Answered;
    a_body_without_end: EndlessBody => Late;
    a_length_that_is_too_long: LengthTooLong => Late;
    a_length_that_is_too_long_and_the_end: LengthTooLongClose => Cut;
    a_length_that_is_too_short: LengthTooShort => BadUpstream;
    a_length_that_is_text: LengthIsText => BadUpstream;
    two_lengths: TwoLengths => BadUpstream;
    a_chunk_whose_size_is_no_number: BadChunkSize => BadUpstream;
    a_chunk_that_is_longer_than_its_size: ChunkTooLong => BadUpstream;
    chunks_without_the_last_one: NoLastChunk => Cut;
    an_answer_up_to_the_end: UntilClose => Answered;
    an_answer_of_the_version_before: OldVersion => Answered;
    a_status_line_that_is_none: BadStatusLine => BadUpstream;
    another_protocol: NotHttp => BadUpstream;
    ten_thousand_headers: ManyHeaders => BadUpstream;
    interim_answers: Interim => Answered;
    interim_answers_without_end: EndlessInterim => Late;
    another_protocol_to_switch_to: SwitchingProtocols => Fails("INTERNAL_UNKNOWN", "unknown");
    an_answer_in_a_stream: Events => Answered;
    an_answer_in_an_odd_stream: OddEvents => Answered;
    an_event_that_is_cut: EventCut => Cut;
    an_event_that_is_reset: EventReset => Cut;
    an_event_without_its_end: EventUnended => Cut;
    a_stream_that_ends_without_the_answer: EventsWithoutAnswer => Cut;
    garbage_in_a_stream: EventsGarbage => Answered;
    an_event_of_a_gigabyte: HugeEvent => BadUpstream;
    comments_for_ever: EndlessComments => Late;
    a_stream_that_says_nothing: SilentEvents => Late;
    an_answer_twice: EventsTwice => Answered;
    an_event_with_another_id: EventsWrongId => Cut;
    an_event_that_is_not_utf8: EventsInvalidUtf8 => BadUpstream;
    progress_before_the_answer: EventsProgress => Answered;
    ten_thousand_events: EventsFlood => Answered;
    a_stream_that_stays_open: EventsStayOpen => Answered;
    a_stream_to_come_back_to: EventsResumed => Answered;
    a_stream_there_is_no_coming_back_to: EventsNotResumed => Cut;
    an_answer_with_another_id: WrongId => BadUpstream;
    an_answer_with_its_id_as_another_type: IdOfAnotherType => Answered;
    an_empty_answer: Empty => BadUpstream;
    a_page_for_humans: Html => BadUpstream;
    a_page_for_humans_that_says_it_is_json: HtmlAsJson => BadUpstream;
    json_that_is_no_message: OtherJson => BadUpstream;
    half_a_message: HalfJson => BadUpstream;
    an_answer_as_if_to_a_notification: Accepted => BadUpstream;
    no_content: NoContent => BadUpstream;
    an_answer_of_the_wrong_type: WrongType => BadUpstream;
    an_answer_that_is_not_utf8: InvalidUtf8 => BadUpstream;
    an_answer_nested_a_hundred_thousand_deep: Deep => BadUpstream;
    an_answer_that_is_compressed: Gzip => BadUpstream;
    a_body_of_a_gigabyte: HugeBody => BadUpstream;
    a_body_of_a_gigabyte_that_is_announced: HugeLength => BadUpstream;
    an_answer_of_fifty_megabytes: HugeAnswer => Answered;
    a_401: Unauthorized => Configuration;
    a_403: Forbidden => Configuration;
    a_session_that_is_forgotten_once: SessionGoneOnce => Answered;
    sessions_that_are_always_forgotten: SessionGoneForEver => Fails("UNAVAILABLE_SERVICE", "unknown");
    an_error_in_a_400: RpcErrorIn400 => Passed;
    a_400: BadRequest => Fails("INTERNAL_BAD_UPSTREAM", "unknown");
    a_405: MethodNotAllowed => Configuration;
    a_406: NotAcceptable => Configuration;
    a_413: TooLarge => Fails("VALIDATION_PAYLOAD_TOO_LARGE", "no");
    a_415: UnsupportedType => Configuration;
    a_429: TooMany => Fails("RATE_LIMIT_EXCEEDED", "no");
    a_500_with_a_page: ServerErrorHtml => Fails("INTERNAL_ERROR", "unknown");
    a_500_with_json: ServerErrorJson => Fails("INTERNAL_ERROR", "unknown");
    a_500_with_nothing: ServerErrorEmpty => Fails("INTERNAL_ERROR", "unknown");
    a_502: BadGateway => Fails("UNAVAILABLE_DEPENDENCY", "unknown");
    a_503: Unavailable => Fails("UNAVAILABLE_SERVICE", "unknown");
    a_504: GatewayTimeout => Fails("UNAVAILABLE_TIMEOUT", "unknown");
    a_status_nobody_knows: UnknownStatus => Fails("INTERNAL_UNKNOWN", "unknown");
    a_500_of_a_gigabyte: HugeServerError => Fails("INTERNAL_ERROR", "unknown");
    a_redirect_within_the_server: RedirectWithin => Answered;
    a_redirect_in_a_circle: RedirectLoop => Configuration;
    a_redirect_to_another_host: RedirectElsewhere => Configuration;
    a_redirect_to_fetch_from: SeeOther => Fails("INTERNAL_CONFIGURATION", "unknown");
    a_redirect_to_nowhere: RedirectNowhere => Configuration;
    a_redirect_to_a_file: RedirectToFile => Configuration;
}

#[test]
fn every_behaviour_of_a_call_is_tested() {
    let all: Vec<_> = Behaviour::of(When::Call).collect();
    assert_eq!(SURVIVED, all);
}

/// What is different where there are no sessions, and nothing to come back to.
fn without_sessions(behaviour: Behaviour, fate: Fate) -> Fate {
    if behaviour == Behaviour::SessionGoneForEver {
        Passed
    } else if behaviour == Behaviour::EventsResumed {
        Cut
    } else {
        fate
    }
}

/// A call of the behaviour while another one is under way, and a call after it.
fn survive(front: Front, behaviour: Behaviour, fate: Fate) {
    let server = Server::start();
    let mut behind = Behind::new(front, &server, patience(fate));
    let bystander = behind.begin("bystander", "park", &json!({"n": 1}));
    // Else it may take the connection the other call has spoilt.
    server.wait_for_request("tools/call");
    let it = behind.begin("it", "misbehave", &arguments(behaviour));
    let answer = behind.finish(it);
    server.release(1);
    let bystander = behind.finish(bystander);
    let next = behind.begin("next", "echo", &json!({"n": 2}));
    let next = behind.finish(next);
    let memory = behind.memory();

    fate.judge(&answer);
    assert_eq!(data(&bystander), &json!({"n": 1}), "{bystander}");
    if !races::may_spoil_the_next(behaviour) {
        assert_eq!(data(&next), &json!({"n": 2}), "{next}");
    }
    let times = u64::from(behaviour.effect() == Effect::Done);
    assert_eq!(server.executed("once"), times, "{answer:.2000}");
    assert_eq!(server.accepted_elsewhere(), 0, "nothing goes elsewhere");
    assert!(memory < 256 << 10, "{memory} KiB");
    if behaviour == Behaviour::HalfOpen {
        is_told_to_stop(front, &server);
    }
    let messages = behind.end();
    for id in ["bystander", "it", "next"] {
        let is_answer = |each: &&Value| each["id"] == id && each.get("method").is_none();
        assert_eq!(messages.iter().filter(is_answer).count(), 1, "{id}");
    }
    look_closer(behaviour, &answer, &messages);
}

/// Long where the gateway has to notice by itself, short where only its patience can end.
fn patience(fate: Fate) -> Timeouts {
    Timeouts {
        misbehave: if fate == Late { "1s" } else { "100s" },
        others: "100s",
    }
}

fn arguments(behaviour: Behaviour) -> Value {
    let mut arguments = json!({"how": behaviour.name(), "key": "once"});
    if [Behaviour::ResetUnread, Behaviour::StopsReading].contains(&behaviour) {
        // More than fits between two ends of a connection, so that not all of it is on its way.
        arguments["pad"] = "x".repeat(10_000_000).into();
    }
    arguments
}

/// A server whose answer is no longer awaited is told in the way of its era.
fn is_told_to_stop(front: Front, server: &Server) {
    if front == Front::HttpModern {
        server.wait_for_abandoned(1);
    } else {
        server.wait_for_request("notifications/cancelled");
    }
}

/// What else there is to say about some.
fn look_closer(behaviour: Behaviour, answer: &Value, messages: &[Value]) {
    let error = &answer["result"]["_meta"]["dev.breakfall/error"];
    let count = |method: &str| {
        let of_that = |each: &&Value| each["method"] == method;
        messages.iter().filter(of_that).count()
    };
    let is = |other: Behaviour| behaviour == other;
    if is(Behaviour::HugeAnswer) {
        let text = &answer["result"]["content"][0]["text"];
        assert_eq!(text.as_str().map(str::len), Some(50_000_000));
    }
    if is(Behaviour::TooMany) {
        assert_eq!(error["retry"]["after_ms"], 7000, "{answer}");
    }
    if is(Behaviour::RpcErrorIn400) {
        let words = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(words.starts_with("Not so."), "{answer}");
    }
    let steps = if is(Behaviour::EventsProgress) { 3 } else { 0 };
    assert_eq!(count("notifications/progress"), steps);
    let logs = if is(Behaviour::EventsFlood) {
        10_000
    } else {
        0
    };
    let logs = logs + usize::from(is(Behaviour::EventsWithoutAnswer));
    assert_eq!(count("notifications/message"), logs);
}

fn data(answer: &Value) -> &Value {
    &answer["result"]["structuredContent"]
}
