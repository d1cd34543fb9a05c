//! The tool that does not behave.

mod bodies;
mod ends;
mod events;
mod framing;
mod statuses;

use std::io;

use super::behaviour::{Behaviour, Effect, When};
use super::exchange::{Exchange, Then};
use super::{protocol, tools};

pub(super) use events::{EVENTS, chunk};
pub(super) use statuses::{challenge, html};

/// The secrets in pages and errors for humans, which clients must not see.
pub const PLANTED: &[&str] = &[
    crate::faulty::FAKE_SECRET,
    "db.internal",
    "/srv/app/private",
    "Traceback",
    "<h1>",
    "nginx/1.27.0",
];

type Work = fn(&mut Exchange<'_>) -> io::Result<Then>;

/// Does what the argument `how` names.
pub(super) fn call(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let how = exchange.argument("how").as_str().unwrap_or_default();
    let known = Behaviour::named(how).filter(|each| each.when() == When::Call);
    let Some((behaviour, work)) = known.and_then(|known| Some((known, work(known)?))) else {
        return protocol::refuse(exchange, "200 OK", -32602, "no behaviour is called so");
    };
    // These two know best when they have been reached.
    let itself = [Behaviour::SessionGoneOnce, Behaviour::RedirectWithin].contains(&behaviour);
    if behaviour.effect() == Effect::Done && !itself {
        tools::execute(exchange);
    }
    work(exchange)
}

/// What a behaviour does; none for those of the start and those that do not read the request.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test holds the table against all behaviours"
)]
fn work(behaviour: Behaviour) -> Option<Work> {
    use Behaviour as B;
    let work: Work = match behaviour {
        B::ResetAfterReading => |_| Ok(Then::Reset),
        B::CloseWithoutAnswer => |_| Ok(Then::Close),
        B::ResetInHead => |exchange| ends::in_head(exchange, Then::Reset),
        B::CloseInHead => |exchange| ends::in_head(exchange, Then::Close),
        B::ResetInBody => ends::in_body,
        B::HalfOpen => |_| Ok(Then::Hold),
        B::CloseAfterAnswer => |exchange| ends::after_answer(exchange, Then::Close),
        B::CloseOnReuse => ends::close_on_reuse,
        B::ResetOnReuse => ends::reset_on_reuse,
        B::CloseAnnounced => ends::announced,
        B::SlowHead => framing::slow_head,
        B::EndlessHead => framing::endless_head,
        B::SlowBody => framing::slow_body,
        B::EndlessBody => framing::endless_body,
        B::LengthTooLong => |exchange| framing::length(exchange, 100, Then::Hold),
        B::LengthTooLongClose => |exchange| framing::length(exchange, 100, Then::Close),
        B::LengthTooShort => |exchange| framing::length(exchange, -10, Then::Next),
        B::LengthIsText => |exchange| framing::lengths(exchange, &["many"]),
        B::TwoLengths => |exchange| framing::lengths(exchange, &["10", "11"]),
        B::BadChunkSize => framing::bad_chunk_size,
        B::ChunkTooLong => framing::chunk_too_long,
        B::NoLastChunk => framing::no_last_chunk,
        B::UntilClose => framing::until_close,
        B::OldVersion => framing::old_version,
        B::BadStatusLine => framing::bad_status_line,
        B::NotHttp => framing::not_http,
        B::ManyHeaders => framing::many_headers,
        B::Interim => framing::interim,
        B::EndlessInterim => framing::endless_interim,
        B::SwitchingProtocols => framing::switching_protocols,
        other => {
            return events(other)
                .or_else(|| bodies(other))
                .or_else(|| statuses(other));
        }
    };
    Some(work)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test holds the table against all behaviours"
)]
fn events(behaviour: Behaviour) -> Option<Work> {
    use Behaviour as B;
    let work: Work = match behaviour {
        B::Events => events::plain,
        B::OddEvents => events::odd,
        B::EventCut => |exchange| events::half(exchange, Then::Close),
        B::EventReset => |exchange| events::half(exchange, Then::Reset),
        B::EventUnended => events::unended,
        B::EventsWithoutAnswer => events::without_answer,
        B::EventsGarbage => events::garbage,
        B::HugeEvent => events::huge,
        B::EndlessComments => events::endless_comments,
        B::SilentEvents => events::silent,
        B::EventsTwice => events::twice,
        B::EventsWrongId => events::wrong_id,
        B::EventsInvalidUtf8 => events::invalid_utf8,
        B::EventsProgress => events::progress,
        B::EventsFlood => events::flood,
        B::EventsStayOpen => events::stay_open,
        B::EventsResumed => |exchange| events::cut_with_id(exchange, true),
        B::EventsNotResumed => |exchange| events::cut_with_id(exchange, false),
        _ => return None,
    };
    Some(work)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test holds the table against all behaviours"
)]
fn bodies(behaviour: Behaviour) -> Option<Work> {
    use Behaviour as B;
    let work: Work = match behaviour {
        B::WrongId => bodies::wrong_id,
        B::IdOfAnotherType => bodies::id_of_another_type,
        B::Empty => |exchange| bodies::bytes(exchange, "200 OK", b""),
        B::Html => |exchange| html(exchange, "200 OK", &[]),
        B::HtmlAsJson => bodies::html_as_json,
        B::OtherJson => |exchange| bodies::bytes(exchange, "200 OK", br#"{"ok": true}"#),
        B::HalfJson => bodies::half,
        B::Accepted => |exchange| bodies::bytes(exchange, "202 Accepted", b""),
        B::NoContent => bodies::no_content,
        B::WrongType => bodies::wrong_type,
        B::InvalidUtf8 => bodies::invalid_utf8,
        B::Deep => bodies::deep,
        B::Gzip => bodies::gzip,
        B::HugeBody => bodies::huge,
        B::HugeLength => bodies::huge_length,
        B::HugeAnswer => bodies::huge_answer,
        _ => return None,
    };
    Some(work)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test holds the table against all behaviours"
)]
fn statuses(behaviour: Behaviour) -> Option<Work> {
    use Behaviour as B;
    const LATER: &[(&str, &str)] = &[("Retry-After", "7")];
    let work: Work = match behaviour {
        B::Unauthorized => challenge,
        B::Forbidden => statuses::forbidden,
        B::SessionGoneOnce => statuses::session_gone_once,
        B::SessionGoneForEver => statuses::session_gone,
        B::RpcErrorIn400 => |it| protocol::refuse(it, "400 Bad Request", -32602, "Not so."),
        B::BadRequest => |it| html(it, "400 Bad Request", &[]),
        B::MethodNotAllowed => |it| html(it, "405 Method Not Allowed", &[("Allow", "GET")]),
        B::NotAcceptable => |it| html(it, "406 Not Acceptable", &[]),
        B::TooLarge => |it| html(it, "413 Content Too Large", &[]),
        B::UnsupportedType => |it| html(it, "415 Unsupported Media Type", &[]),
        B::TooMany => |it| html(it, "429 Too Many Requests", LATER),
        B::ServerErrorHtml => |it| html(it, "500 Internal Server Error", &[]),
        B::ServerErrorJson => statuses::server_error_json,
        B::ServerErrorEmpty => |it| bodies::bytes(it, "500 Internal Server Error", b""),
        B::BadGateway => |it| html(it, "502 Bad Gateway", &[]),
        B::Unavailable => |it| html(it, "503 Service Unavailable", LATER),
        B::GatewayTimeout => |it| html(it, "504 Gateway Timeout", &[]),
        B::UnknownStatus => |it| html(it, "799 Whatever", &[]),
        B::HugeServerError => statuses::huge_server_error,
        B::RedirectWithin => statuses::redirect_within,
        B::RedirectLoop => |it| statuses::redirect(it, "307 Temporary Redirect", Some("/mcp")),
        B::RedirectElsewhere => statuses::redirect_elsewhere,
        B::SeeOther => |it| statuses::redirect(it, "303 See Other", Some("/moved")),
        B::RedirectNowhere => |it| statuses::redirect(it, "307 Temporary Redirect", None),
        B::RedirectToFile => {
            |it| statuses::redirect(it, "307 Temporary Redirect", Some("file:///etc/hostname"))
        }
        _ => return None,
    };
    Some(work)
}

#[cfg(test)]
mod tests {
    use super::{Behaviour, When, work};

    #[test]
    fn every_behaviour_of_a_call_does_something() {
        for behaviour in Behaviour::of(When::Call) {
            let unread = [Behaviour::ResetUnread, Behaviour::StopsReading].contains(&behaviour);
            assert_eq!(work(behaviour).is_none(), unread, "{behaviour:?}");
        }
    }
}
