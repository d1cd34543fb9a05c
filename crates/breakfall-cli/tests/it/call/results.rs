//! What is shown of a result.

use snapbox::str;

use super::{SERVER, call, came, command, tool};
use crate::{breakfall, run};

#[test]
fn text_is_text_and_nothing_else_is_said() {
    let said = call(&[], "", &["echo", r#"{"text":"hi"}"#]);
    assert_eq!(said, came(0, "{\"text\":\"hi\"}\n", ""));
}

#[test]
fn content_other_than_text_is_named_or_shown_as_json() {
    assert_eq!(tool("image"), came(0, "[image/png, 12 kB]\n", ""));
    let json = "{\n  \"z\": 1,\n  \"a\": [\n    true\n  ]\n}\n";
    assert_eq!(tool("structured"), came(0, json, ""));
    let all = "{\n  \"content\": \"all good\"\n}\n";
    assert_eq!(tool("bad_shape"), came(0, all, ""));
    assert_eq!(tool("blank"), came(0, "", "note: the result is empty\n"));
}

#[test]
fn json_is_the_result_as_it_was_sent() {
    let sent = "{\"content\": [], \"structuredContent\": {\"z\": 12345678901234567890123, \"a\": [1.5, {}]}}\n";
    assert_eq!(call(&["--json"], "", &["large"]), came(0, sent, ""));
    let failed = call(&["--json"], "", &["deny_rpc"]);
    let sent = "{\"error\":{\"code\": -32603, \"message\": \"The wheel came off\\nand rolled away\", \"data\": {\"wheel\": 3}}}\n";
    assert_eq!((failed.exit, &*failed.stdout), (Some(6), sent));
    assert!(failed.stderr.starts_with("error: "), "{failed:?}");
}

#[test]
fn half_a_character_is_a_sign_and_stays_half_a_character_for_programs() {
    assert_eq!(tool("half"), came(0, "cut \u{fffd}\n", ""));
    let sent = "{\"content\": [{\"type\": \"text\", \"text\": \"cut \\ud83d\"}]}\n";
    assert_eq!(call(&["--json"], "", &["half"]), came(0, sent, ""));
    // In what is said of a tool as well.
    let listed = call(&["--list"], "half", &[]);
    assert!(
        listed.stdout.contains("\nhalf\nCut: \u{fffd}\n"),
        "{listed:?}"
    );
    assert_eq!(call(&[], "half", &["blank"]), tool("blank"));
}

#[test]
fn progress_and_messages_go_to_stderr_line_by_line_unless_quiet() {
    let log = "progress: 1/2 half\\u{1b}[2J\nprogress: 2/2 all\nlog: warning: full (disk)\n";
    let said = call(&["--log", "off"], "", &["logs"]);
    assert_eq!(said, came(0, "done\n", log));
    let said = call(&["--quiet"], "", &["logs"]);
    assert_eq!(said, came(0, "done\n", "[python3] on stderr\n"));
}

#[test]
fn warnings_and_doubts_stand_beside_a_success() {
    assert_eq!(tool("warned"), came(0, "cut\n", "warning: There is more\n"));
    let doubt = "warning: the server calls this a success, but it reads like NOT_FOUND_OPERATION\n";
    assert_eq!(
        tool("disguised"),
        came(0, "Error: Unknown tool: fly\n", doubt)
    );
}

#[test]
fn the_server_has_the_environment_and_the_directory_it_was_given() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().canonicalize().unwrap();
    let cwd = path.to_str().unwrap();
    let said = call(
        &["--env", "GREETING=hej", "--cwd", cwd],
        "",
        &["environment"],
    );
    assert_eq!(said, came(0, &format!("hej in {cwd}\n"), ""));
}

#[test]
fn a_list_has_every_tool_with_its_arguments() {
    let listed = call(&["--list"], "pages", &[]);
    let first = listed.stdout.split("\nbad_shape\n").next().unwrap();
    snapbox::assert_data_eq!(
        first,
        str![[r#"
echo
Says its arguments.
takes     text   string, required  what to say
          times  integer = 1
          tone   high | low

environment

"#]]
    );
    assert_eq!((listed.exit, &*listed.stderr), (Some(0), ""));
    assert!(listed.stdout.ends_with("\nwords\n"), "{listed:?}");

    let json = run(command(&["--list", "--json"], "", &[])).stdout;
    let tools: Vec<serde_json::Value> = serde_json::from_slice(&json).unwrap();
    assert_eq!(tools.len(), 25);
    assert_eq!(tools[0]["inputSchema"]["required"][0], "text");
}

#[test]
fn a_server_that_cannot_list_its_tools_can_be_called() {
    let noise = "breakfall: warn: the server prints what is no message to its stdout, which belongs to the protocol: \
                 'Welcome!'; make it print to stderr upstream=\"python3\"\n";
    for (how, told) in [("listless", ""), ("endless", ""), ("banner", noise)] {
        assert_eq!(
            call(&[], how, &["image"]),
            came(0, "[image/png, 12 kB]\n", told),
            "{how}"
        );
    }
    let failed = call(&["--list"], "listless", &[]);
    assert_eq!(failed.exit, Some(6), "{failed:?}");
    let endless = call(&["--list"], "endless", &[]);
    let notes = "note: the server has no tools\nwarning: the server has more tools, and its list does not end\n";
    assert_eq!(endless, came(0, "", notes));
}

#[test]
fn a_server_of_the_newest_protocol_is_spoken_to_in_its_own_way() {
    assert_eq!(
        call(&[], "modern", &["image"]),
        came(0, "[image/png, 12 kB]\n", "")
    );
}

#[test]
fn a_failure_says_what_why_and_what_next() {
    let words = "error: Traceback (most recent call last): File \"x.py\" ValueError: no such colour [NOT_FOUND_RESOURCE]\n  \
                 said: Traceback (most recent call last):\n      File \"x.py\"\n    ValueError: no such colour\n  \
                 fix: Verify the ID of the resource, or list the ones there are.\n  retry: no\n";
    assert_eq!(tool("words"), came(6, "", words));
    let mistake = "error: There is no order '7' [ORDER_NOT_FOUND]\n  fix: List the orders.\n  retry: no\n  \
                   instead: the tool 'list_orders'\n  reference: req-2\n";
    assert_eq!(tool("mistake"), came(6, "", mistake));
    let rpc = tool("deny_rpc");
    assert!(rpc.stderr.contains("rolled away"), "{rpc:?}");
}

#[test]
fn arguments_that_would_do_are_a_line_that_works() {
    let options = ["--timeout", "90s", "--env", "TOKEN=hidden"];
    let failed = call(&options, "", &["echo", r#"{"text":5}"#]);
    let (head, line) = failed
        .stderr
        .split_once("  hint: arguments that would do: ")
        .unwrap();
    assert!(head.starts_with(
        "error: Parameter 'text' expected 'string', got 'number' [VALIDATION_INVALID_TYPE]\n"
    ));
    assert_eq!(
        line,
        format!(
            "breakfall call --env 'TOKEN=[secret]' --timeout 1m30s -- python3 {SERVER} echo '{{\"text\":\"it'\\''s\\n$5\"}}'\n"
        )
    );
    let binary = env!("CARGO_BIN_EXE_breakfall");
    let script = line.replacen("breakfall", &format!("'{binary}'"), 1);
    let again = std::process::Command::new("sh")
        .args(["-c", &script])
        .output();
    let want = came(0, "{\"text\":\"it's\\n$5\"}\n", "");
    assert_eq!(super::Came::from(again.unwrap()), want);
}

#[test]
fn where_the_server_does_not_know_better_arguments_its_schema_does() {
    let failed = call(&[], "", &["echo", r#"{"txet":"hi","times":2}"#]);
    assert_eq!(failed.exit, Some(6));
    let line = format!(
        "  hint: arguments that would do: breakfall call -- python3 {SERVER} echo '{{\"text\":\"hi\",\"times\":2}}'\n"
    );
    assert!(failed.stderr.ends_with(&line), "{failed:?}");
}

#[test]
fn the_demo_has_every_ending_without_any_server() {
    let demo =
        |words: &[&str]| super::Came::from(run(breakfall(&[&["call", "--demo"], words].concat())));
    for (words, exit) in [
        (&["get_order", r#"{"order_id":"ord-1001"}"#][..], 0),
        (&["get_ordre"], 2),
        (&["get_order", r#"{"order_id":"ord-9999"}"#], 6),
        (
            &[
                "refund_order",
                r#"{"amount_cents":24900,"order_id":"ord-1003","reason":"wrong_item"}"#,
            ],
            7,
        ),
        // Whether these were executed is unknown, and they only read.
        (&["rate_limited"], 8),
        (&["flaky_stock", r#"{"sku":"mat-01"}"#], 8),
        (&["upstream_down"], 8),
        (&["panic"], 8),
        (&["crash"], 8),
        (&["--timeout", "1s", "hang"], 8),
        (&["--list"], 0),
    ] {
        let came = demo(words);
        assert_eq!(came.exit, Some(exit), "{words:?}: {came:?}");
        // No report is kept, so no id is printed.
        assert!(!came.stderr.contains("reference:"), "{words:?}: {came:?}");
    }
}
