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
        "store: redis://:${TOKEN}@cache\n\
         upstreams:\n  \
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

#[test]
fn a_reference_may_be_shown() {
    let problems =
        parse("upstreams: { one: { command: a, env: { A: '${TOKEN}' }, x: 1 } }").unwrap_err();
    assert!(problems.render(false, 100).contains("A: '${TOKEN}'"));
}
