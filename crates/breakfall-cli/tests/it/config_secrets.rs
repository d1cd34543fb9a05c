//! Nothing under `env`, `headers` and `keys` is printed, whatever YAML makes of it.

use crate::{breakfall, run};

/// Values that begin with a character that means something in YAML, or that are not closed.
const VALUES: &[&str] = &[
    "pl4nted",
    "*pl4nted",
    "&pl4nted",
    "&pl4nted x",
    "!pl4nted",
    "!pl4nted x",
    "#pl4nted",
    "x #pl4nted",
    "\"pl4nted",
    "'pl4nted",
    "\"pl4nted\" x",
    "@pl4nted",
    "`pl4nted",
    "%pl4nted",
    "|\n        pl4nted\n   pl4nted",
    ">pl4nted",
    "{ pl4nted",
    "{ pl4nted }",
    "[pl4nted",
    "pl4nted: x",
    "$pl4nted",
    "${A:-pl4nted}",
    "\n\t\tpl4nted",
    "\n    pl4nted",
    "\n  pl4nted",
    "a\n      A: pl4nted",
    "&a pl4nted\n      B: *a",
    "pl4nted\u{7}",
];

const CONTEXTS: &[&str] = &[
    "upstreams:\n  one:\n    command: a\n    env:\n      A: V\n    timeout: 5\n",
    "upstreams:\n  one:\n    url: https://x\n    headers: { A: V, B: c }\n    timeout: 5\n",
    "keys:\n  alice: V\nupstreams: { one: { demo: true, timeout: 5 } }\n",
    "upstreams:\n  one:\n    command: a\n    env:\n  A: V\n    timeout: 5\n",
];

/// What `config check` prints, for people and for programs.
fn printed(file: &[u8]) -> String {
    let outputs = [
        &["config", "check", "-"][..],
        &["config", "check", "--json", "-"],
    ];
    let outputs = outputs.map(|args| {
        let output = run(breakfall(args).stdin(file.to_vec()));
        let exit = output.status.code();
        assert!(matches!(exit, Some(0 | 3)), "{exit:?} {output:?}");
        [output.stdout, output.stderr].concat()
    });
    String::from_utf8(outputs.concat()).expect("it prints text")
}

#[test]
fn config_check_prints_no_secret_whatever_the_yaml() {
    for context in CONTEXTS {
        for value in VALUES {
            let text = context.replace('V', value);
            let said = printed(text.as_bytes());
            assert!(
                !said.contains("pl4") && !said.contains("4nted"),
                "{text}\n{said}"
            );
        }
    }
    let text = CONTEXTS[0].replace('V', "\"pl4nted");
    for file in [
        text.replace('\n', "\r\n").into_bytes(),
        format!("\u{feff}{text}").into_bytes(),
        [text.as_bytes(), b"\xff"].concat(),
    ] {
        let said = printed(&file);
        assert!(!said.contains("pl4") && !said.contains("4nted"), "{said}");
    }
}

#[test]
fn a_problem_beside_a_secret_shows_the_rest_of_the_file() {
    let text = "upstreams:\n  one:\n    command: a\n    env:\n      A: *pl4nted\n      B: ${NOPE}\n    timeout: 5\n";
    let said = printed(text.as_bytes());
    for shown in [
        "A: ********",
        "B: ${NOPE}",
        "    timeout: 5",
        "upstreams.one.env.B",
    ] {
        assert!(said.contains(shown), "{shown}\n{said}");
    }
}
