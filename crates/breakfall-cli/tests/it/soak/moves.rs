//! The calls a client makes, by its seed.

use serde_json::{Value, json};
use testing::corpus::Random;
use testing::faulty::{self, Leaves};
use testing::faulty_http;

/// A request to make.
#[derive(Debug)]
pub(super) struct SoakMove {
    pub(super) method: &'static str,
    pub(super) params: Value,
    /// The key under which the server counts the call, if it does.
    pub(super) key: Option<String>,
    /// What a success has to hold, for a tool that returns its arguments.
    pub(super) echo: Option<Value>,
    /// The client leaves afterwards, as its server hangs for ever.
    pub(super) ends_session: bool,
}

/// The kind of server a client calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerKind {
    /// Over stdio, one process for this client.
    OwnProcess,
    /// Over stdio, one process for all clients without a session.
    SharedProcess,
    /// Over HTTP.
    Http,
}

/// Draws the next request. `name` is unique among all requests.
pub(super) fn draw(random: &mut Random, kind: ServerKind, name: &str) -> SoakMove {
    let plain = |method, params| SoakMove {
        method,
        params,
        key: None,
        echo: None,
        ends_session: false,
    };
    match random.below(20) {
        0 => plain("tools/list", json!({})),
        1 => plain(
            "tools/call",
            json!({"name": "no_such_tool", "arguments": {}}),
        ),
        2 => plain("resources/list", json!({})),
        3..10 => {
            let arguments = json!({"who": name, "text": random.text("abc \"\\", 40)});
            SoakMove {
                echo: Some(arguments.clone()),
                ..plain(
                    "tools/call",
                    json!({"name": "echo", "arguments": arguments}),
                )
            }
        }
        _ => {
            let (how, ends_session) = misbehaviour(random, kind);
            let arguments = json!({
                "how": how, "key": name,
                // Small, so that there are many.
                "bytes": 300_000, "count": 300, "depth": 2_000, "ms": 1,
            });
            SoakMove {
                key: Some(name.to_owned()),
                ends_session,
                ..plain(
                    "tools/call",
                    json!({"name": "misbehave", "arguments": arguments}),
                )
            }
        }
    }
}

/// How a server misbehaves, and whether the client leaves because it hangs afterwards. Others stay, and the server is
/// replaced.
fn misbehaviour(random: &mut Random, kind: ServerKind) -> (&'static str, bool) {
    if kind == ServerKind::Http {
        let all: Vec<_> = faulty_http::Behaviour::of(faulty_http::When::Call).collect();
        return (random.pick(&all).name(), false);
    }
    // Questions to the client are for tests of their own.
    let all = faulty::Behaviour::of(faulty::When::Call);
    let mut all: Vec<_> = all
        .filter(|behaviour| !behaviour.name().starts_with("ask-"))
        .collect();
    if kind == ServerKind::SharedProcess && random.below(ONE_HANG_IN) > 0 {
        // A process that hangs keeps all other clients waiting until it is replaced.
        all.retain(|behaviour| behaviour.leaves() != Leaves::Stuck);
    }
    let chosen = random.pick(&all);
    let is_left =
        chosen.leaves() == Leaves::Stuck && kind == ServerKind::OwnProcess && random.below(2) == 0;
    (chosen.name(), is_left)
}

/// How rarely a process that many clients share may hang for ever.
const ONE_HANG_IN: usize = 20;
