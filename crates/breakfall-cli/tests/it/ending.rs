//! The end of `breakfall run`: whoever waits is told, it is recorded, and nothing is left running.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use testing::faulty::{self, Trail};
use testing::wire::Wire;

use crate::{breakfall, run};

/// `run` in front of a command, with records of its own.
fn started(state: &Path, server: &mut Command) -> Wire {
    let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    command.args(["run", "--"]).arg(server.get_program());
    command.args(server.get_args());
    let mut wire = Wire::start(command.env("XDG_STATE_HOME", state));
    wire.initialize();
    wire
}

fn terminate(wire: &Wire) {
    let pid = wire.pid().to_string();
    let asked = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(asked.expect("there is a kill").success());
}

#[test]
fn calls_under_way_when_it_is_asked_to_end_are_answered_and_recorded() {
    for helper in [None, Some("grandchild")] {
        let folder = tempfile::tempdir().expect("a folder");
        let trail = Trail::new(folder.path());
        let mut server = Command::new(faulty::program());
        server.arg("--trail").arg(trail.file());
        let mut wire = started(folder.path(), &mut server);
        if let Some(how) = helper {
            wire.call("helper", "misbehave", &json!({"how": how}));
            wire.answer("helper");
        }
        wire.call("silence", "misbehave", &json!({"how": "silence"}));
        wire.call("parked", "park", &json!({}));
        // It is answered after they were sent.
        wire.ask("ping", "ping", &json!({}));
        wire.answer("ping");
        terminate(&wire);
        wire.wait();
        let seen = wire.end();
        assert!(seen.status.success(), "{seen:?}");
        assert_eq!(trail.left_over(), Vec::<u32>::new(), "left running");
        for id in ["silence", "parked"] {
            let answers = seen.answers(id);
            let [answer] = answers.as_slice() else {
                panic!("{id}: {seen:?}");
            };
            let told = &answer["result"]["_meta"]["dev.breakfall/error"];
            assert_eq!(told["code"], "UNAVAILABLE_SERVICE", "{answer}");
            assert_eq!(told["details"]["executed"], "unknown", "{answer}");
            assert_eq!(told["retry"]["retryable"], false, "{answer}");
            let id = told["correlation_id"].as_str().expect("an id");
            let explain = breakfall(&["explain", id, "--json"]);
            let known = run(explain.env("XDG_STATE_HOME", folder.path()));
            assert!(known.status.success(), "{known:?}");
        }
        assert!(seen.stderr.contains("failed=2"), "{seen:?}");
    }
}
