//! Ends of the connection, in every place there is.

use std::io;

use crate::faulty_http::exchange::{End, Exchange, Then, response};

use super::bodies::JSON;

pub(super) fn in_head(exchange: &mut Exchange<'_>, then: Then) -> io::Result<Then> {
    exchange.say("HTTP/1.1 200 OK\r\nContent-Type: applica")?;
    Ok(then)
}

pub(super) fn in_body(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let mut all = whole(exchange, &[]);
    all.truncate(all.len() - 20);
    exchange.say(all)?;
    Ok(Then::Reset)
}

pub(super) fn after_answer(exchange: &mut Exchange<'_>, then: Then) -> io::Result<Then> {
    exchange.say(whole(exchange, &[]))?;
    Ok(then)
}

pub(super) fn close_on_reuse(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    after_answer(exchange, Then::OnNext(End::Close))
}

pub(super) fn reset_on_reuse(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    after_answer(exchange, Then::OnNext(End::Reset))
}

pub(super) fn announced(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say(whole(exchange, &[("Connection", "close")]))?;
    Ok(Then::Close)
}

/// The right answer as a response.
fn whole(exchange: &Exchange<'_>, headers: &[(&str, &str)]) -> Vec<u8> {
    let body = exchange.right().to_string();
    response("200 OK", &[JSON, headers].concat(), body.as_bytes())
}
