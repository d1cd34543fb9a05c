//! Public servers of both eras as one, for the official clients of both.

use std::path::Path;

use serde_json::{Value, json};
use testing::clients::{Client, Reply, Step};
use testing::servers::Server;

use super::Gateway;
use crate::{breakfall, run};

/// Four servers that work and one that ends as soon as it is started.
fn gateway(folder: &Path) -> Gateway {
    let server = |server: Server| json!({"command": server.command(folder)});
    Gateway::of(
        &json!({"upstreams": {
            "all": server(Server::Everything),
            "files": server(Server::Filesystem),
            "memory": server(Server::Memory),
            "time": server(Server::Time),
            "broken": {"command": ["false"]},
        }})
        .to_string(),
    )
}

#[test]
fn a_call_from_the_command_line_tells_which_upstream_is_lost() {
    let gateway =
        Gateway::of("upstreams: { shop: { demo: true }, broken: { command: ['false'] } }");
    let url = format!("http://{}/mcp", gateway.address);
    let said = |words: &[&str]| {
        let output = run(breakfall(&[&["call", "--log", "off"], words].concat()));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(output.stdout), text(output.stderr))
    };
    let (listed, warned) = said(&["--list", &url]);
    assert!(listed.contains("shop__get_order"), "{listed}");
    assert!(
        warned.contains("warning: ") && warned.contains("'broken'"),
        "{warned}"
    );
    // The gateway says what is wrong with the server of a tool that is not listed.
    let (_, failed) = said(&[&url, "broken__read"]);
    assert!(failed.contains("UNAVAILABLE_SERVICE"), "{failed}");
    let (bought, quiet) = said(&[&url, "shop__get_order", r#"{"order_id":"ord-1001"}"#]);
    assert!(bought.contains("ord-1001"), "{bought} {quiet}");
}

fn call(tool: &str, arguments: Value) -> Step {
    Step::Call {
        tool: tool.to_owned(),
        arguments,
        progress: tool.contains("long"),
    }
}

/// What a client does.
fn steps(file: &Path) -> [Step; 12] {
    [
        Step::Tools,
        call("all__echo", json!({"message": "ä 𝄞"})),
        call("files__read_text_file", json!({"path": file})),
        call("memory__read_graph", json!({})),
        call(
            "time__get_current_time",
            json!({"timezone": "Europe/Berlin"}),
        ),
        call(
            "all__trigger-long-running-operation",
            json!({"duration": 0.03, "steps": 3}),
        ),
        Step::Resources,
        Step::Read {
            uri: ADDRESS.to_owned(),
        },
        Step::Prompt {
            name: "all__args-prompt".to_owned(),
            arguments: json!({"city": "Ulm"}),
        },
        Step::Complete {
            prompt: "all__completable-prompt".to_owned(),
            argument: "department".to_owned(),
            value: "E".to_owned(),
        },
        call("read_text_file", json!({})),
        call("broken__x", json!({})),
    ]
}

const ADDRESS: &str = "breakfall://all/demo://resource/dynamic/text/1";

/// What it is told, step by step.
const WANTED: [&str; 12] = [
    "all__echo files__read_text_file memory__read_graph time__get_current_time UPSTREAM_LOST",
    "ä 𝄞",
    "found",
    "entities",
    "Europe/Berlin",
    "completed",
    "breakfall://all/demo://",
    ADDRESS,
    "Ulm",
    "Engineering",
    "files__read_text_file",
    "broken",
];

#[test]
fn four_public_servers_are_one_for_every_client_although_a_fifth_is_broken() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    std::fs::write(folder.path().join("a.txt"), "found").expect("there is room for a file");
    let gateway = gateway(folder.path());
    let url = format!("http://{}/mcp", gateway.address);
    let steps = steps(&folder.path().join("a.txt"));
    for (client, era) in Client::ALL {
        let report = client.perform(era, &[&url], &steps);
        for ((reply, wanted), step) in report.replies.iter().zip(WANTED).zip(&steps) {
            let told = told(reply);
            for part in wanted.split(if wanted.contains("__echo ") {
                ' '
            } else {
                '\0'
            }) {
                assert!(
                    told.contains(part),
                    "{client:?} {era:?} {step:?}: no {part} in {told}"
                );
            }
        }
        let is_error =
            |reply: &Reply| matches!(reply, Reply::Error(error) if error["code"] == -32602);
        assert!(
            is_error(&report.replies[10]),
            "{client:?}: {:?}",
            report.replies[10]
        );
        assert!(
            !report.progress.is_empty(),
            "{client:?} {era:?} hears of no progress"
        );
    }
}

fn told(reply: &Reply) -> String {
    match reply {
        Reply::Result(value) | Reply::Error(value) => value.to_string(),
        Reply::Refused(text) => text.clone(),
    }
}
