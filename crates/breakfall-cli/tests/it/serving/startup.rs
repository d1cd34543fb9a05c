//! What it says when it starts, or why it does not.

use std::net::TcpListener;
use std::process::Command;

use serde_json::json;
use testing::clients::{Client, Reply};

use super::Gateway;
use crate::{breakfall, run};

#[test]
fn a_call_to_a_path_with_nothing_behind_it_shows_what_the_gateway_says() {
    let gateway = Gateway::demo();
    let url = format!("http://{}/mcp/none", gateway.address);
    let output = crate::run(crate::breakfall(&["call", &url, "get_order"]));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("There is nothing at this path"), "{stderr}");
    assert!(stderr.contains("fix: POST messages to '/mcp'"), "{stderr}");
}

#[test]
fn without_a_configuration_the_shop_is_served_and_the_way_there_is_shown() {
    let gateway = Gateway::demo();
    let address = gateway.address;
    snapbox::assert_data_eq!(
        gateway.greeting.replace(&address.to_string(), "ADDRESS"),
        snapbox::str![[r#"
Listening at http://ADDRESS/mcp

  demo  the built-in demo

Try it from another terminal:
  breakfall call http://ADDRESS/mcp get_order '{"order_id":"ord-9999"}'

"#]]
    );
    for client in [gateway.legacy("/mcp"), gateway.modern("/mcp/demo")] {
        let answer = client.call(7, "get_order", &json!({"order_id": "ord-1001"}));
        assert_eq!(super::content(&answer)["status"], "paid", "{answer}");
    }
}

#[test]
fn the_line_to_try_shows_a_failure_without_an_installation() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    command.env("PATH", "/usr/bin:/bin");
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let gateway = Gateway::started_by(command, &["--listen", "127.0.0.1:0"], folder);
    let line = gateway.greeting.lines().last().expect("a line");
    let tried = Command::new("sh")
        .args(["-c", line])
        .env("PATH", "/usr/bin:/bin")
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&tried.stderr);
    assert_eq!(tried.status.code(), Some(6), "{line}: {said}");
    assert!(said.contains("[NOT_FOUND_RESOURCE]"), "{line}: {said}");
}

#[test]
fn every_official_client_calls_a_tool_of_the_shop() {
    let gateway = Gateway::demo();
    let url = format!("http://{}/mcp", gateway.address);
    for (client, era) in Client::ALL {
        let call = ("get_order", json!({"order_id": "ord-1001"}));
        let report = client.drive(era, &[&url], &[call]);
        let [Reply::Result(result)] = report.replies.as_slice() else {
            panic!("{client:?} in {era:?}: {:?}", report.replies);
        };
        assert_eq!(
            result["structuredContent"]["status"], "paid",
            "{client:?} in {era:?}"
        );
    }
}

#[test]
fn a_port_that_is_taken_is_one_clear_message() {
    let other = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = other.local_addr().expect("it listens").to_string();
    let output = run(breakfall(&["serve", "--listen", &address]));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(9), "{stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(
        stderr,
        format!(
            "error: cannot listen at {address}: address already in use\n  \
             hint: stop the other program, or listen elsewhere: --listen 127.0.0.1:0 takes any free port\n"
        )
    );
}

#[test]
fn an_address_that_is_not_ours_is_told() {
    for (address, what) in [
        ("192.0.2.1:7332", "this machine does not have that address"),
        (
            "no-such-host.invalid:7332",
            "the host name 'no-such-host.invalid' cannot be resolved",
        ),
    ] {
        let output = run(breakfall(&["serve", "--listen", address]));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(9), "{stderr}");
        assert!(
            stderr.contains(what) && stderr.contains("hint:"),
            "{stderr}"
        );
    }
    let output = run(breakfall(&["serve", "--listen", "7332"]));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("it has no host; write HOST:PORT"),
        "{stderr}"
    );
}

#[test]
fn a_bad_configuration_is_told_with_its_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let serve = || run(breakfall(&["serve", "-c", "my.yaml"]).current_dir(folder.path()));
    let output = serve();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("cannot read the file"), "{stderr}");
    std::fs::write(
        folder.path().join("my.yaml"),
        "upstreams:\n  one:\n    comand: x\n",
    )
    .expect("a file");
    let output = serve();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(
        stderr.contains("my.yaml:3:5") && stderr.contains("did you mean 'command'?"),
        "{stderr}"
    );
}

#[test]
fn the_configuration_of_the_directory_is_served_unless_the_demo_is_asked_for() {
    let folder = || {
        let folder = tempfile::tempdir().expect("a folder");
        let config = "upstreams: { mine: { demo: true } }\n";
        std::fs::write(folder.path().join("breakfall.yaml"), config).expect("a file");
        folder
    };
    let mut gateway = Gateway::start(&["--listen", "127.0.0.1:0"], folder());
    assert!(
        gateway.greeting.contains("  mine  the built-in demo\n"),
        "{}",
        gateway.greeting
    );
    gateway.legacy("/mcp/mine");
    gateway.write("upstreams: { other: { demo: true } }\n");
    gateway.says("configuration reloaded");
    gateway.legacy("/mcp/other");
    let demo = Gateway::start(&["--demo", "--listen", "127.0.0.1:0"], folder());
    assert!(
        demo.greeting.contains("  demo  the built-in demo\n"),
        "{}",
        demo.greeting
    );
}

#[test]
fn listening_wider_without_keys_is_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut open = Gateway::start(&["--listen", "0.0.0.0:0"], folder);
    open.says("warning: listening at 0.0.0.0:0 lets other machines call every tool");
    let folder = tempfile::tempdir().expect("a folder");
    let config = "keys: { a: 0123456789abcdef }\nupstreams: { one: { demo: true } }";
    std::fs::write(folder.path().join("breakfall.yaml"), config).expect("a file");
    let args = ["-c", "breakfall.yaml", "--listen", "0.0.0.0:0"];
    let mut kept = Gateway::start(&args, folder);
    kept.signal("TERM");
    assert!(kept.ended().success());
    let log: Vec<String> = kept.lines.iter().collect();
    assert!(
        !log.iter().any(|line| line.contains("every tool")),
        "{log:?}"
    );
}

#[test]
fn what_it_says_to_try_works_with_a_key_in_it_and_says_so_without() {
    let key = "0123456789abcdef";
    let gateway = Gateway::of(&format!(
        "keys: {{ a: {key} }}\nupstreams: {{ shop: {{ demo: true }} }}\n"
    ));
    let mut lines = gateway.greeting().lines().map(str::trim);
    let line = lines
        .find_map(|line| line.strip_prefix("breakfall "))
        .expect("a line to try");
    let (before, after) = line
        .split_once(" -H 'Authorization: Bearer KEY' ")
        .expect("the place of the key");
    let header = format!("Authorization: Bearer {key}");
    let words = |text: &str| -> Vec<String> {
        text.split('\'')
            .enumerate()
            .flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            })
            .collect()
    };
    let mut args = words(before);
    args.extend(["-H".to_owned(), header]);
    args.extend(words(after));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = run(breakfall(&args));
    assert_eq!(output.status.code(), Some(6), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("[NOT_FOUND_RESOURCE]"), "{told}");

    let url = format!("http://{}/mcp", gateway.address());
    let output = run(breakfall(&["call", "--list", &url]));
    assert_eq!(output.status.code(), Some(5));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("does not accept the credentials")
            && told.contains("-H 'Authorization: Bearer KEY'")
            && !told.contains("setting"),
        "{told}"
    );
}

#[test]
fn what_servers_say_on_stderr_is_marked_as_theirs_and_moves_no_cursor() {
    let words = r#"printf 'breakfall: error: \033[31mboo\n' >&2; exec "$$0""#;
    let loud = json!({"command": ["sh", "-c", words, testing::faulty::program()]});
    let mut gateway = Gateway::of(&json!({"upstreams": {"loud": loud}}).to_string());
    gateway.legacy("/mcp");
    let line = gateway.says("boo");
    assert!(
        line.ends_with(r"Z [loud] breakfall: error: \u{1b}[31mboo"),
        "{line}"
    );
}
