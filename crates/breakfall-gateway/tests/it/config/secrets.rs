use breakfall_gateway::config::{Config, ConfigError, UpstreamSource};
use breakfall_gateway::upstream::Upstream;

use super::World;

const PLANTED: &str = "pl4nted-s3cret";

fn world() -> World {
    World {
        variables: [("TOKEN", PLANTED), ("HOST", "mcp.example.test")].into(),
        files: [("/run/secrets/token", "pl4nted-s3cret\n")].into(),
    }
}

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse_with(text, "my.yaml", &world())
}

/// All texts that may be shown.
fn shown(result: &Result<Config, ConfigError>) -> String {
    match result {
        Ok(config) => {
            let sources: Vec<String> = config
                .upstreams
                .iter()
                .map(|upstream| {
                    let started = Upstream::from_config(upstream, crate::IN_PROCESS);
                    format!("{} {started:?}", upstream.source)
                })
                .collect();
            format!(
                "{config:?} {config:#?} {sources:?} {} {:?}",
                config.store, config.notes
            )
        }
        Err(problems) => format!(
            "{problems:?} {problems} {} {}",
            problems.render(true, 100),
            serde_json::to_string(problems).expect("they are plain data")
        ),
    }
}

#[test]
fn references_are_replaced_where_they_are_used_and_nowhere_else() {
    let config = parse(
        "upstreams:\n  \
           one:\n    \
             command: [server, --token, '${TOKEN}', 'a-${file:/run/secrets/token}-b', $$5]\n    \
             env: { A: '${TOKEN}', B: pl4nted-s3cret, C: '${NONE:-pl4nted-s3cret}' }\n  \
           two:\n    \
             url: https://${HOST}/mcp?key=${TOKEN}\n    \
             headers: { Authorization: 'Bearer ${TOKEN}' }\n",
    );
    let said = shown(&config);
    assert!(!said.contains(PLANTED), "{said}");
    let config = config.unwrap();
    let UpstreamSource::Command(command) = &config.upstreams[0].source else {
        panic!("no command")
    };
    let args: Vec<_> = command
        .args
        .iter()
        .map(|word| word.reveal_str().unwrap())
        .collect();
    assert_eq!(args, ["--token", PLANTED, "a-pl4nted-s3cret-b", "$5"]);
    assert!(
        command
            .env
            .iter()
            .all(|(_, value)| value.reveal() == PLANTED)
    );
    assert_eq!(
        command.to_string(),
        "server --token ${TOKEN} a-${file:/run/secrets/token}-b $5"
    );
    let UpstreamSource::Url(remote) = &config.upstreams[1].source else {
        panic!("no url")
    };
    assert_eq!(
        remote.url.reveal(),
        "https://mcp.example.test/mcp?key=pl4nted-s3cret"
    );
    assert_eq!(remote.url.to_string(), "https://${HOST}/mcp?key=${TOKEN}");
    assert_eq!(remote.headers[0].1.reveal(), "Bearer pl4nted-s3cret");
}

#[test]
fn a_reference_to_nothing_is_told_with_its_place() {
    let problems = parse(
        "upstreams:\n  one:\n    command: [a, \"--token=${NOPE}\", '${ALSO} ${TOKEN}']\n    env: { X: '${file:/none}' }\n",
    );
    let told: Vec<_> = problems
        .unwrap_err()
        .iter()
        .map(|problem| {
            let place = problem.place().unwrap();
            format!(
                "{}:{}-{} {} [{}]",
                place.line,
                place.column,
                place.end_column,
                problem.message(),
                problem.path()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "3:27-34 the environment variable NOPE is not set [upstreams.one.command[1]]",
            "3:38-45 the environment variable ALSO is not set [upstreams.one.command[2]]",
            "4:16-29 cannot read /none: entity not found [upstreams.one.env.X]",
        ]
    );
}

#[test]
fn no_problem_shows_a_secret() {
    for text in [
        // Beside a problem on the same line.
        "upstreams: { one: { command: a, env: { A: pl4nted-s3cret, B: [pl4nted-s3cret] }, x: 1 } }",
        "upstreams: { one: { url: 'https://x', headers: { A: \"Bearer pl4nted-s3cret\", 'B b': pl4nted-s3cret } } }",
        "upstreams: { one: { command: a, env: { A: '${NONE:-pl4nted-s3cret}', B: '${NONE}' } } }",
        // A dollar in it.
        "upstreams: { one: { command: a, env: { A: $pl4nted-s3cret } } }",
        "upstreams: { one: { command: a, env: { A: '${pl4nted-s3cret}' } } }",
        "upstreams: { one: { command: a, env: { A: '${pl4nted-s3cret' } } }",
        // What it stands for is wrong.
        "upstreams: { one: { url: 'x://${TOKEN}' } }",
        "listen: '${TOKEN}'\nupstreams: { one: { demo: true } }",
        "store: '${TOKEN}'\nupstreams: { one: { demo: true } }",
        "upstreams: { one: { url: 'https://x', headers: { A: \"${TOKEN}\\n\" } } }",
        // In the wrong place, or under a mistyped key.
        "upstreams: { one: { command: a, A_TOKEN: pl4nted-s3cret } }",
        "upstreams: { one: { command: a, envv: { A: pl4nted-s3cret } } }",
        "upstreams: { one: { command: a, header: { A: pl4nted-s3cret } } }",
        "env: { A: pl4nted-s3cret }\nupstreams: { one: { demo: true } }",
        // Keys of clients.
        "keys: { a: pl4nted-s3cret, b: '${TOKEN}' }\nupstreams: { one: { demo: true } }",
        "keys: [pl4nted-s3cret]\nupstreams: { one: { demo: true } }",
        "key: { a: pl4nted-s3cret }\nupstreams: { one: { demo: true } }",
        "hosts: ['${TOKEN}/']\nupstreams: { one: { demo: true } }",
        "origins: ['${TOKEN}']\nupstreams: { one: { demo: true } }",
        "keys:\n  a: pl4nted-s3cret: x\n",
        // No YAML at all.
        "upstreams:\n  one:\n    env:\n      A: pl4nted-s3cret: x\n",
        "upstreams:\n  one:\n    headers:\n      A: 'pl4nted-s3cret' x\n",
        // Written twice.
        "upstreams: { one: { command: a, env: { A: pl4nted-s3cret, A: pl4nted-s3cret } } }",
        // By its looks.
        "upstreams: { one: { url: 'http://user:pl4nted-s3cret@example.test', x: 1 } }",
        "upstreams: { one: { command: 'a --password=pl4nted-s3cret' } }",
        "upstreams: { one: { command: [a, --password=pl4nted-s3cret], x: 1 } }",
    ] {
        let result = parse(text);
        assert!(result.is_err(), "{text}");
        let said = shown(&result);
        assert!(
            !said.contains(PLANTED) && !said.contains("s3cret"),
            "{text}\n{said}"
        );
    }
}

/// Values that YAML reads as something else than a text, or not at all.
const HOSTILE_VALUES: &[&str] = &[
    "pl4nted",
    "*pl4nted",
    "&pl4nted",
    "&pl4nted x",
    "!pl4nted",
    "!pl4nted x",
    "!!pl4nted x",
    "!<pl4nted> x",
    "!pl4nted!x y",
    "#pl4nted",
    "x #pl4nted",
    "\"\" # pl4nted",
    "\"pl4nted",
    "'pl4nted",
    "\"pl4nted\" x",
    "'pl4nted' x",
    "'it's pl4nted'",
    "\"\\q pl4nted\"",
    "@pl4nted",
    "`pl4nted",
    "%pl4nted",
    "|pl4nted",
    "|\n        pl4nted",
    "|\n        pl4nted\n      # pl4nted",
    ">-\n  pl4nted",
    "|\npl4nted",
    "{pl4nted",
    "{pl4nted}",
    "{ a: pl4nted }",
    "[pl4nted",
    "[a, {b: pl4nted}]",
    "pl4nted: x",
    "? pl4nted",
    "- pl4nted",
    "-\n        - pl4nted",
    "\n      pl4nted",
    "\n\tpl4nted",
    "\n    pl4nted",
    "\npl4nted",
    "\rpl4nted",
    "${pl4nted",
    "$pl4nted",
    "${A:-pl4nted}",
    "${NOPE:-}pl4nted",
    "pl4nted\0",
    "pl4nted\u{7}",
    "\"pl4\\\n        nted",
    "&a pl4nted\n      Z: *a",
    "&a {b: pl4nted}\n      <<: *a",
    "{<<: pl4nted}",
    "!!binary pl4nted",
    "!!int pl4nted",
    "---\npl4nted",
    "x\n---\nA: pl4nted",
    "x\n...\npl4nted",
];

#[test]
fn nothing_under_a_secret_key_is_shown_whatever_the_yaml() {
    let contexts = [
        "upstreams:\n  one:\n    command: a\n    env:\n      A: V\n    tmeout: 5s\n",
        "upstreams:\n  one:\n    command: a\n    env: { A: V, B: c }\n    timeout: 5\n",
        "upstreams:\n  one:\n    command: a\n    env: V\n    timeout: 5\n",
        "upstreams:\n  one:\n    command: a\n    env:\n      - A: V\n    timeout: 5\n",
        "upstreams:\n  one:\n    command: a\n    env:\n    A: V\n    timeout: 5\n",
        "upstreams:\n  one:\n    command: a\n    env:\n  A: V\n    timeout: 5\n",
        "upstreams:\n  one:\n    command: a\n    env:\nA: V\nx: 5\n",
        "upstreams:\n  one:\n    command: a\n  env:\n    A: V\n    timeout: V\n",
        "upstreams:\n  one:\n    command: a\n\tenv:\n\t\tA: V\n",
        "upstreams:\n  one:\n    command: a\n    env:\n      A: b\n      A: V\n",
        "upstreams:\n  one:\n    env: { A: b }\n    command: a\n    env: { A: V }\n",
        "upstreams:\n  one:\n    url: https://x\n    \"headers\":\n      A: V\n    headers : V\n",
        "upstreams:\n  one:\n    url: https://x\n    ? headers\n    : A: V\n    x: 1\n",
        "upstreams:\n  one:\n    url: https://x\n    \"\\x65nv\":\n      A: V\n    x: 1\n",
        "keys:\n  alice: V\nupstreams: { one: { demo: true } }\n",
        "keys:\nalice: V\nupstreams: { one: { demo: true } }\n",
        "keys: V\nupstreams: { one: { demo: true, x: 1 } }\n",
        "keys: [V]\nupstreams: { one: { demo: true, x: 1 } }\n",
        "keys: { alice: V }\nupstreams: { one: { demo: true, x: 1 } }\n",
        "upstreams: { one: { x: 1, command: a, env: { A: V }, timeout: 5 } }\n",
        "upstreams: { one: { command: a, env: { A: \"V\", timeout: 5 } }\n",
        "{\"upstreams\": {\"one\": {\"command\": \"a\", \"env\": {\"A\": V}, \"x\": 1}}}\n",
        "mcpServers:\n  one:\n    command: a\n    env: { A: V }\n",
        "Env:\n  A: V\nupstreams: { one: { demo: true } }\n",
    ];
    let mut leaks = Vec::new();
    for context in contexts {
        for value in HOSTILE_VALUES {
            let text = context.replace('V', value);
            for text in [
                text.clone(),
                text.replace('\n', "\r\n"),
                text.replace('\n', "\r"),
                format!("\u{feff}{text}"),
                format!("# a comment\n{text}  - :\n"),
            ] {
                let result = Config::from_slice(text.as_bytes(), "my.yaml", &world());
                let said = shown(&result);
                if said.contains("pl4") || said.contains("4nted") {
                    leaks.push(format!("{text:?}\n{said}"));
                }
            }
        }
    }
    assert!(
        leaks.is_empty(),
        "{} leaks\n{}",
        leaks.len(),
        leaks.join("\n\n")
    );
}

#[test]
fn a_value_under_a_secret_key_goes_nowhere_else() {
    for text in [
        "upstreams: { one: { command: a, env: { A: &x pl4nted }, timeout: *x } }",
        "upstreams: { one: { command: a, env: &x { A: pl4nted }, x: *x } }",
        "upstreams: { one: { command: a, env: &x { timeout: pl4nted }, <<: *x } }",
        "upstreams: { one: { command: [a, &x pl4nted], env: { A: *x }, y: 1 } }",
        "upstreams: { one: { command: a, args: &x [b, pl4nted], env: *x, y: 1 } }",
        "tls: &x { crt: pl4nted }\nupstreams: { one: { command: a, env: *x } }",
        "tls: &x\n  crt: !pl4nted\nupstreams: { one: { command: a, env: *x } }",
        "tls: &x\n  crt: pl4nted\nupstreams: { one: { command: a, env: *x, y: [ } }",
    ] {
        let said = shown(&parse(text));
        assert!(!said.contains("pl4nted"), "{text}\n{said}");
    }
}

#[test]
fn names_that_are_no_names_are_not_shown() {
    for text in [
        "upstreams: { one: { command: a, env: { A=pl4nted } } }",
        "upstreams: { one: { command: a, env: { A=pl4nted: x } } }",
        "upstreams: { one: { command: a, env: { pl4nted } } }",
        "upstreams: { one: { command: a, env: { a pl4nted: x, a pl4nted: x } } }",
        "upstreams: { one: { url: 'https://x', headers: { 'A: pl4nted': x } } }",
        "upstreams: { one: { url: 'https://x', headers: { 'A: pl4nted': x, 'a: pl4nted': y } } }",
        "keys: { 'a: pl4nted': 0123456789abcdef, 'b: pl4nted': 0123456789abcdef }\nupstreams: { one: { demo: true } }",
        "upstreams:\n  one:\n    command: a\n    env: >\n    pl4nted<<: x\n",
        "keys:\n'a pl4nted': x\nupstreams: { one: { demo: true } }",
    ] {
        let result = parse(text);
        assert!(result.is_err(), "{text}");
        let said = shown(&result);
        assert!(!said.contains("pl4nted"), "{text}\n{said}");
    }
}

#[test]
fn what_stands_around_a_secret_is_shown() {
    let problems = parse(
        "upstreams:\n  one:\n    command: a\n    env: # old: pl4nted\n      A: x\n    timeout: 5\n",
    )
    .unwrap_err();
    assert!(problems.render(false, 100).contains("timeout: 5\n"));
    let problems =
        parse("upstreams:\n  one:\n    env: { A: x }\n    timeout: '5\n    ...\n").unwrap_err();
    let said = problems.render(false, 100);
    assert!(!said.contains('*'), "{said}");
}

#[test]
fn a_reference_may_be_shown() {
    let problems =
        parse("upstreams: { one: { command: a, env: { A: '${TOKEN}' }, x: 1 } }").unwrap_err();
    assert!(problems.render(false, 100).contains("A: '${TOKEN}'"));
}
