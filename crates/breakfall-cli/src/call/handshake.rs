//! Getting to know each other, in whichever era of the protocol the server lives.

use breakfall_mcp::jsonrpc::{Frame, Kind};
use serde_json::{Value, json};

use super::Done;
use super::session::{Meta, Session};

/// Introduces us. Every server of today takes the handshake of 2025-11-25, also those that speak 2026-07-28 as well;
/// one that speaks nothing else refuses it, and is asked in its own way.
pub(super) async fn shake(session: &mut Session) -> Result<(), Done> {
    let params = json!({
        "protocolVersion": LEGACY,
        "capabilities": abilities(),
        "clientInfo": us(),
    });
    let answer = session.ask("initialize", &params).await?;
    if answer.kind() == Kind::Result {
        return session.tell("notifications/initialized", &json!({})).await;
    }
    if !is_unknown(&answer) {
        return Err(Done::Refused(answer));
    }
    let found = session
        .ask("server/discover", &json!({"_meta": meta()}))
        .await?;
    if found.kind() != Kind::Result {
        return Err(Done::Refused(answer));
    }
    session.modern();
    Ok(())
}

/// What every request of 2026-07-28 carries.
pub(super) fn meta() -> Meta {
    let key = |name: &str| format!("io.modelcontextprotocol/{name}");
    Meta::from_iter([
        (key("protocolVersion"), MODERN.into()),
        (key("clientCapabilities"), abilities()),
        (key("clientInfo"), us()),
        (key("logLevel"), "info".into()),
    ])
}

/// We can be asked: whoever calls may have given an answer, and hears of the question otherwise.
fn abilities() -> Value {
    json!({"elicitation": {}})
}

fn us() -> Value {
    json!({"name": "breakfall", "version": env!("CARGO_PKG_VERSION")})
}

/// Whether a server may have refused because it does not know the handshake, or not in this form.
fn is_unknown(answer: &Frame) -> bool {
    let error: Option<Value> = answer
        .body()
        .and_then(|body| serde_json::from_str(body).ok());
    let code = error.and_then(|error| error["code"].as_i64());
    code.is_some_and(|code| REFUSALS.contains(&code))
}

const LEGACY: &str = "2025-11-25";
const MODERN: &str = "2026-07-28";

/// No such method, no such version, and the ways to say that something is missing.
const REFUSALS: [i64; 5] = [-32601, -32022, -32602, -32600, -32021];
