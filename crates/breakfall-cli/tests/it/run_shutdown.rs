//! The end of `breakfall run`: open calls are answered and recorded, and nothing is left running.

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
    signal(wire, "-TERM");
}

fn signal(wire: &Wire, name: &str) {
    let pid = wire.pid().to_string();
    let asked = Command::new("kill").args([name, &pid]).status();
    assert!(asked.expect("there is a kill").success());
}

#[test]
fn calls_under_way_when_it_is_asked_to_end_are_answered_and_recorded() {
    for (helper, name) in [
        (None, "-TERM"),
        (Some("grandchild"), "-TERM"),
        (None, "-QUIT"),
    ] {
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
        signal(&wire, name);
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

/// A server that stays although its input has ended, and needs a moment to save its work when it is asked to go.
const SAVES: &str = r#"
import json, os, signal, sys, time
def save(*_):
    time.sleep(0.3)
    open(sys.argv[1], 'w').write('saved')
    os._exit(0)
signal.signal(signal.SIGTERM, save)
for line in sys.stdin:
    asked = json.loads(line)
    if 'id' in asked: print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': {}}), flush=True)
time.sleep(100)
"#;

#[test]
fn a_server_behind_a_program_that_starts_it_has_time_to_save_its_work() {
    for is_asked in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("work");
        let mut server = Command::new("sh");
        // What starts it ends at once when it is asked to.
        server.args(["-c", r#"python3 -c "$0" "$1"; true"#, SAVES]);
        let mut wire = started(folder.path(), server.arg(&file));
        if is_asked {
            terminate(&wire);
        }
        assert!(wire.close().success());
        let saved = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(saved, "saved", "asked: {is_asked}");
    }
}

#[test]
fn a_gateway_behind_a_gateway_ends_what_it_has_started() {
    for is_asked in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let trail = Trail::new(folder.path());
        let mut inner = Command::new(env!("CARGO_BIN_EXE_breakfall"));
        inner.args(["run", "--"]).arg(faulty::program());
        inner.args(["--start", "stubborn", "--trail"]);
        let mut wire = started(folder.path(), inner.arg(trail.file()));
        if is_asked {
            terminate(&wire);
        }
        assert!(wire.close().success());
        assert_eq!(trail.left_over(), Vec::<u32>::new(), "left running");
    }
}
