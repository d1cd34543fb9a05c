//! Which words are the server, the tool and the arguments.

use super::{SERVER, call, came, command, tool};
use crate::{breakfall, run};

#[test]
fn arguments_reach_the_tool_to_the_letter() {
    let given = r#"{"text" : "ü", "z":12345678901234567890123, "a": 1.50}"#;
    assert_eq!(
        call(&[], "", &["echo", given]),
        came(0, &format!("{given}\n"), "")
    );
    let args = call(&["--tool", "echo", "--args", given], "", &[]);
    assert_eq!(args, came(0, &format!("{given}\n"), ""));
    let args = call(&["--args", given], "", &["echo"]);
    assert_eq!(args, came(0, &format!("{given}\n"), ""));
    let odd = r#"{"text":"cut \ud83d", "n":1e400}"#;
    assert_eq!(
        call(&[], "", &["echo", odd]),
        came(0, &format!("{odd}\n"), "")
    );
}

#[test]
fn arguments_come_from_a_file_or_standard_input_too() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("args.json");
    std::fs::write(&file, "{\n  \"text\": \"a\"\r\n}\n").unwrap();
    let said = "{   \"text\": \"a\"  }\n";
    let from = format!("@{}", file.display());
    assert_eq!(call(&["--args", &from], "", &["echo"]), came(0, said, ""));
    let piped = command(&["--args", "-"], "", &["echo"]).stdin("{\n  \"text\": \"a\"\r\n}\n");
    assert_eq!(super::Came::from(run(piped)), came(0, said, ""));
}

#[test]
fn single_arguments_become_what_the_tool_wants() {
    let options = ["-a", "times=2", "--arg", "text=3", "-a", "other=4=4"];
    let said = "{\"other\":\"4=4\",\"text\":\"3\",\"times\":2}\n";
    assert_eq!(call(&options, "", &["echo"]), came(0, said, ""));
    let over = call(&options, "", &["echo", r#"{"text":"x","more":[1.0]}"#]);
    let said = "{\"text\":\"3\",\"more\":[1.0],\"other\":\"4=4\",\"times\":2}\n";
    assert_eq!(over, came(0, said, ""));
}

#[test]
fn arguments_that_are_no_object_are_told_by_place_and_nothing_is_started() {
    let hint = "  hint: quoted for the shell it looks like this: '{\"name\":\"value\"}'\n";
    for (arguments, what) in [
        (
            r#"{"a":"#,
            "the arguments, line 1, column 5: not JSON: EOF while parsing a value",
        ),
        (
            "{a:1}",
            "the arguments, line 1, column 2: not JSON: key must be a string",
        ),
        ("[1]", "the arguments: expected a JSON object, found a list"),
    ] {
        let output = run(breakfall(&[
            "call",
            "--",
            "/no/such/server",
            "echo",
            arguments,
        ]));
        assert_eq!(
            super::Came::from(output),
            came(2, "", &format!("error: {what}\n{hint}"))
        );
    }
    let null = breakfall(&["call", "--args", "-", "--", "/no/such/server", "echo"]).stdin("null");
    let what = "error: standard input: expected a JSON object, found null\n";
    assert_eq!(super::Came::from(run(null)), came(2, "", what));
    let none = call(&["--args", "@/no/such/file"], "", &["echo"]);
    let what = "error: cannot read /no/such/file: No such file or directory\n";
    assert_eq!(none, came(2, "", what));
}

#[test]
fn a_tool_the_server_does_not_have_is_not_called_and_the_nearest_is_named() {
    let came = tool("ehco");
    assert_eq!((came.exit, &*came.stdout), (Some(2), ""));
    let want = format!(
        "error: Unknown operation: 'ehco' [NOT_FOUND_OPERATION]\n  \
           fix: Did you mean 'echo'? Call it, or another tool the server lists.\n  \
           retry: not before something changes\n  \
           tools: echo, environment, bad_shape, blank, busy, confirm, deny_rpc, dies, disguised, elicits, half, image, input_required, \
         large, logs, mistake, partial, records, refuses, silent and 5 more\n  \
           hint: its tools and their arguments: breakfall call --list -- python3 {SERVER}\n"
    );
    assert_eq!(came.stderr, want);
}

#[test]
fn words_that_make_no_call_are_told_how_to() {
    let form = "  hint: write: breakfall call -- COMMAND... TOOL '{\"name\":\"value\"}'\n";
    for (words, want) in [
        (&[][..], format!("error: there is no tool to call\n{form}")),
        (
            &["--", "{}"],
            format!("error: there is no tool to call\n{form}"),
        ),
        (
            &["--", "server"],
            format!(
                "error: there is no server in front of the tool 'server'\n{form}  \
                   hint: to see the tools of a server: breakfall call --list -- server\n"
            ),
        ),
        (
            &["server", "tool"],
            "error: 'server' stands before the `--` that the command of the server follows\n  \
               hint: write: breakfall call -- server tool\n"
                .to_owned(),
        ),
        (
            &["http://127.0.0.1:1/mcp"],
            "error: there is no tool to call\n  \
               hint: write: breakfall call URL TOOL '{\"name\":\"value\"}'\n  \
               hint: to see its tools: breakfall call --list http://127.0.0.1:1/mcp\n"
                .to_owned(),
        ),
        (
            &["http://127.0.0.1:1/mcp", "a", "b"],
            "error: 'a' is too much in front of the tool 'b'\n  \
               hint: write: breakfall call URL TOOL '{\"name\":\"value\"}'\n"
                .to_owned(),
        ),
        (
            &["--list"],
            "error: there is no server to list the tools of\n  \
               hint: write: breakfall call --list -- COMMAND...\n"
                .to_owned(),
        ),
    ] {
        let output = run(breakfall(&[&["call"], words].concat()));
        assert_eq!(super::Came::from(output), came(2, "", &want), "{words:?}");
    }
}

#[test]
fn a_malformed_url_is_refused_with_what_is_missing() {
    for (words, want) in [
        (
            &["127.0.0.1:7332/mcp", "echo", "{\"a\":1}"][..],
            "error: the URL '127.0.0.1:7332/mcp' lacks http:// in front\n  \
               hint: write: breakfall call http://127.0.0.1:7332/mcp echo '{\"a\":1}'\n",
        ),
        (
            &["--list", "example.test:443"],
            "error: the URL 'example.test:443' lacks https:// in front\n  \
               hint: write: breakfall call --list https://example.test:443\n",
        ),
        (
            &["ftp://example.test", "echo"],
            "error: 'ftp' is not supported: a URL begins with http:// or https://\n  \
               hint: write: breakfall call URL TOOL '{\"name\":\"value\"}'\n",
        ),
        (
            &["HTTP://127.0.0.1:1/mcp", "echo"],
            "error: 'HTTP' is not supported: a URL begins with http:// or https://\n  \
               hint: write: breakfall call http://127.0.0.1:1/mcp echo\n",
        ),
    ] {
        let output = run(breakfall(&[&["call"], words].concat()));
        assert_eq!(super::Came::from(output), came(2, "", want), "{words:?}");
    }
}

#[test]
fn words_that_make_no_call_of_the_demo_are_told_so_too() {
    let demo = "  hint: write: breakfall call --demo TOOL '{\"name\":\"value\"}'\n";
    for (words, want) in [
        (
            &["--demo", "server", "tool"][..],
            format!("error: 'server' is too much in front of the tool 'tool'\n{demo}"),
        ),
        (
            &["--demo", "--list", "server"],
            "error: 'server' is too much: the demo needs no command\n  \
               hint: write: breakfall call --list --demo\n"
                .to_owned(),
        ),
        (
            &["--demo"],
            format!(
                "error: there is no tool to call\n{demo}  \
                   hint: to see its tools: breakfall call --list --demo\n"
            ),
        ),
        (
            &["--demo", "--args", "{}", "tour", "{\"a\":1}"],
            "error: there are arguments twice: {\"a\":1} and those of --args\n  \
               hint: leave one of them out\n"
                .to_owned(),
        ),
        (
            &["--demo", "tour", "--args", "@"],
            "error: the arguments: '@' names no file\n  \
               hint: write the file behind it: @arguments.json\n"
                .to_owned(),
        ),
    ] {
        let output = run(breakfall(&[&["call"], words].concat()));
        assert_eq!(super::Came::from(output), came(2, "", &want), "{words:?}");
    }
}

#[test]
fn arguments_that_no_request_can_carry_are_called_too_many() {
    let text = format!("{{\"text\":\"{}\"}}", "a".repeat(17 << 20));
    let output = run(breakfall(&["call", "--demo", "tour", "--args", "-"]).stdin(text));
    let want = "error: standard input: more than 16 MiB\n  \
                  hint: that is the largest request there is\n";
    assert_eq!(super::Came::from(output), came(2, "", want));
}

#[test]
fn the_tools_there_are_are_listed_once() {
    let output = run(breakfall(&["call", "--demo", "nothing_like_it"]));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches("refund_order").count(), 1, "{said}");
    let near = run(breakfall(&["call", "--demo", "get_ordr"]));
    let said = String::from_utf8(near.stderr).unwrap();
    assert!(said.contains("  tools: tour, "), "{said}");
}

#[test]
fn words_of_a_server_may_be_no_utf8_and_those_for_a_message_may_not() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let odd = OsStr::from_bytes(b"/data/\xff");
    let script = "
import os, sys
os.execv(sys.executable, [sys.executable, sys.argv[1]] if os.fsencode(sys.argv[2]) == b'/data/\\xff' else ['false'])";
    let command = breakfall(&["call", "--", "python3", "-c", script, SERVER]);
    let said = run(command.arg(odd).args(["echo", r#"{"text":"a"}"#]));
    assert_eq!(super::Came::from(said), came(0, "{\"text\":\"a\"}\n", ""));
    let none = run(breakfall(&["call", "--", "server"]).arg(odd));
    let want = "error: no tool is called '/data/\u{fffd}': it is not UTF-8\n";
    assert_eq!(super::Came::from(none), came(2, "", want));
    let ran = run(breakfall(&["run", "--", "/no/such/server"]).arg(odd));
    assert_eq!(ran.status.code(), Some(5), "{ran:?}");
}
