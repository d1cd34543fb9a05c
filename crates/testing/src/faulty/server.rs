//! The loop: one line in, one decision.

use std::io::BufRead;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::Value;

use super::behaviour::Behaviour;
use super::call::Call;
use super::notes::Notes;
use super::options::Options;
use super::{methods, start, tools};
use crate::board::Board;

/// What every thread may use.
#[derive(Debug)]
pub(super) struct Server {
    pub options: Options,
    pub board: Board<Notes>,
}

impl Server {
    pub(super) fn new(options: Options) -> Arc<Self> {
        let board = Board::default();
        Arc::new(Self { options, board })
    }

    /// Reads until there is no more.
    pub(super) fn serve(self: &Arc<Self>, mut input: impl BufRead) -> ExitCode {
        let mut line = Vec::new();
        while input
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            if self.options.shows(Behaviour::ExitInHandshake) {
                return start::traceback();
            }
            // Input other than JSON is ignored silently, as public servers do.
            if let Ok(message) = serde_json::from_slice(&line) {
                self.receive(message);
            }
            line.clear();
        }
        ExitCode::SUCCESS
    }

    fn receive(self: &Arc<Self>, message: Value) {
        let Value::Object(mut fields) = message else {
            return;
        };
        let params = fields.remove("params").unwrap_or_default();
        match (fields.remove("method"), fields.remove("id")) {
            (Some(Value::String(method)), Some(id)) => {
                let number = 0;
                self.request(Call {
                    id,
                    method,
                    params,
                    number,
                });
            }
            (Some(Value::String(method)), None) => self.notified(&method, &params),
            (None, Some(id)) => {
                fields.remove("jsonrpc");
                let reply = Value::Object(fields);
                self.board
                    .note(|notes| notes.replies.insert(id.to_string(), reply));
            }
            _ => {}
        }
    }

    fn request(self: &Arc<Self>, call: Call) {
        if self.options.shows(Behaviour::SilentStart) {
            return;
        }
        if call.method == "tools/call" {
            tools::call(self, call);
        } else {
            methods::answer(self, &call);
        }
    }

    fn notified(&self, method: &str, params: &Value) {
        match method {
            "notifications/initialized" => self.board.note(|notes| notes.initialized += 1),
            "notifications/cancelled" => self.board.note(|notes| {
                let id = params["requestId"].clone();
                notes.parked.retain(|call| call.id != id);
                notes.listens.retain(|(listen, _)| *listen != id);
                notes.cancelled.push(id);
            }),
            _ => {}
        }
    }
}
