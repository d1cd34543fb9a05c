use breakfall_gateway::config::ConfigProblem;

use super::{parse, told, upstream};

#[test]
fn all_problems_are_told_at_once_in_the_order_of_the_file() {
    assert_eq!(
        told(
            "listen: 7332\n\
             store: sqlit\n\
             dialect: nativ\n\
             colour: red\n\
             limits: { request: 16M, depth: 900 }\n\
             upstreams:\n  \
               files:\n    \
                 comand: [npx]\n    \
                 timeout: 30\n  \
               both:\n    \
                 command: npx -y foo\n    \
                 url: ftp://x\n  \
               a b:\n    \
                 command: foo\n    \
                 timeout: 3s\n    \
                 timeout: 4s\n"
        ),
        [
            "1:9 '7332' is no address: it has no host",
            "2:8 'sqlit' is no store",
            "3:10 'nativ' is none of the dialects; did you mean 'native'?",
            "4:1 unknown key 'colour'",
            "5:20 '16M' is no size: the unit is not complete: MiB or MB?",
            "5:32 this limit is out of bounds",
            "8:5 unknown key 'comand'; did you mean 'command'?",
            "9:14 30 has no unit; did you mean 30s?",
            "11:14 a command with arguments is a list",
            "12:5 an upstream has 'command' or 'url', not both",
            "12:10 this is no URL to reach a server at: it starts with neither https:// nor http://",
            "13:3 'a b' is no name for an upstream",
            "16:5 'timeout' is written twice; here again",
        ]
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_problem_of_an_upstream_has_its_place() {
    for (line, what) in [
        (
            "timeout: soon",
            "4:14 'soon' is no duration: it does not start with a number",
        ),
        ("timeout: [1]", "4:14 expected a duration, got a list"),
        ("timeout: 0s", "4:14 no time at all is too short"),
        ("timeout: 31d", "4:14 '31d' is too long"),
        (
            "timeout: ${T}",
            "4:14 '${T}' is no duration: it does not start with a number",
        ),
        (
            "restart: { first: 1s, max: 1ms }",
            "4:32 max is shorter than first",
        ),
        (
            "restart: 5s",
            "4:14 expected a map of keys and values, got a text",
        ),
        ("trust: sure", "4:12 'sure' is none of the levels of trust"),
        (
            "trust: true",
            "4:12 expected one of untested, generated, validated, community_reviewed, certified, got a boolean",
        ),
        (
            "env: [A=b]",
            "4:10 expected a map of keys and values, got a list",
        ),
        ("env: { 'A=b': c }", "4:12 this is no name of a variable"),
        (
            "env: { A: }",
            "4:13 nothing is given; write \"\" for an empty text",
        ),
        ("env: { A: { B: c } }", "4:15 expected a text, got a map"),
        (
            "headers: { A: b }",
            "4:5 'headers' belongs to 'url', and this upstream has 'command'",
        ),
        ("args: foo", "4:11 expected a list, got a text"),
        ("args: [a, [b]]", "4:15 expected a text, got a list"),
        ("cwd: ''", "4:10 the path is empty"),
        ("demo: false", "4:11 demo is true, or left out"),
        ("tools: { '': {} }", "4:14 the pattern is empty"),
        (
            "tools: { 'a?': {} }",
            "4:14 'a?' has characters that mean nothing here",
        ),
        (
            "tools: { a: { danger: bad } }",
            "4:27 'bad' is none of the levels of danger",
        ),
        (
            "tools: { a: { idempotent: yes } }",
            "4:31 expected true or false, got a text",
        ),
        (
            "tools: { a: { timeout: 1d } }",
            "4:28 this is longer than the max_timeout of the server",
        ),
        (
            "validate: true",
            "4:15 expected one of reject, warn, strip, coerce, off, or a map of rules, got a boolean",
        ),
        (
            "validate: refuse",
            "4:15 'refuse' is none of the ways to validate",
        ),
        (
            "validate: rejet",
            "4:15 'rejet' is none of the ways to validate; did you mean 'reject'?",
        ),
        (
            "validate: { types: warn }",
            "4:17 unknown key 'types'; did you mean 'type'?",
        ),
        (
            "validate: { missing: strip }",
            "4:26 'strip' is none of the ways to treat this rule",
        ),
        (
            "validate: { unknown: coerce }",
            "4:26 'coerce' is none of the ways to treat this rule",
        ),
        (
            "validate: { coercible: strip }",
            "4:28 'strip' is none of the ways to treat this rule",
        ),
        (
            "validate: { output: coerce }",
            "4:25 'coerce' is none of the ways to treat this rule",
        ),
        (
            "validate: { enum: [warn] }",
            "4:23 expected one of reject, warn, off, got a list",
        ),
        (
            "unlisted: deny",
            "4:15 'deny' is none of the ways to treat an unlisted tool",
        ),
        (
            "tools: { a: { validate: { unknown: drop } } }",
            "4:40 'drop' is none of the ways to treat this rule",
        ),
        (
            "tools: { a: { unlisted: yes } }",
            "4:29 'yes' is none of the ways to treat an unlisted tool",
        ),
        (
            "tools: { a: { deprecated: true } }",
            "4:31 expected a text (in quotes), got a boolean",
        ),
        (
            "tools: { a: { deprecated: ' ' } }",
            "4:31 this says nothing",
        ),
        (
            "tools: { a: { deprecated: a } }",
            "4:31 a tool does not replace itself",
        ),
        (
            "tools: { a: { slow: 5 } }",
            "4:25 5 has no unit; did you mean 5s?",
        ),
        (
            "tools: { a: { slow: 0s } }",
            "4:25 no time at all is too short",
        ),
        (
            "tools: { a: { slow: 10s, timeout: fast } }",
            "4:25 no call takes this long: it is ended before",
        ),
        (
            "tools: { a: { slow: 30m } }",
            "4:25 no call takes this long: it is ended before",
        ),
        ("quotas: {}", "4:13 expected a list, got a map"),
        (
            "quotas: [{ metric: requests_per_year, warn: 1, pause: 2 }]",
            "4:24 'requests_per_year' is none of the metrics",
        ),
        ("rate: { requests: 60 }", "4:5 'rate' needs 'per'"),
        ("rate: on", "4:5 'rate' needs 'requests'"),
        (
            "rate: { requests: 60, per: 2m }",
            "4:32 '2m' is none of the windows",
        ),
        (
            "rate: { requests: 0, per: 1m }",
            "4:23 this number is out of bounds",
        ),
        (
            "rate: { requests: 1, per: 1m, by: client }",
            "4:39 'client' is none of the ways to count",
        ),
        ("cost: { currency: EUR }", "4:5 this costs nothing"),
        (
            "quotas: [{ metric: cost_per_day, warn: 1 }]",
            "4:14 no call costs anything without a currency, so this quota counts nothing",
        ),
        (
            "quotas: [{ metric: requests_per_day, warn: 5, hard_stop: 4 }]",
            "4:62 hard_stop comes before warn",
        ),
        (
            "quotas: [{ metric: requests_per_day, warn: 5 }, { metric: requests_per_day, warn: 6 }]",
            "4:53 requests_per_day is counted twice",
        ),
        (
            "quotas: [{ warn: 1, pause: 2 }]",
            "4:14 a quota needs 'metric'",
        ),
        (
            "quotas: [{ metric: requests_per_day, warn: 3, pause: 2 }]",
            "4:58 pause comes before warn",
        ),
        (
            "quotas: [{ metric: requests_per_day, warn: -3, pause: 2 }]",
            "4:48 expected a number that is not negative, got -3",
        ),
        (
            "quotas: [{ metric: requests_per_day, warn: 1, pause: 2, hard_stop: 1 }]",
            "4:72 hard_stop comes before pause",
        ),
        (
            "quotas: [{ metric: requests_per_day, warn: 1, pause: 2, currency: EUR }]",
            "4:61 a currency belongs to a cost",
        ),
        (
            "quotas: [{ metric: cost_per_day, warn: 1, pause: 2, currency: euro }]",
            "4:67 this is no currency",
        ),
    ] {
        let told = told(&upstream(line));
        let is_it = |told: &String| told == what || told.starts_with(&format!("{what}; "));
        assert!(
            told.iter().any(is_it),
            "{line}\n  told {told:?}\n  expected {what}"
        );
    }
}

#[test]
fn an_upstream_leads_to_exactly_one_place() {
    assert_eq!(
        told("upstreams: { one: {} }"),
        ["1:14 this upstream leads nowhere"]
    );
    assert_eq!(
        told("upstreams: { one: }"),
        ["1:17 expected a map of keys and values, got nothing"]
    );
    assert_eq!(
        told("upstreams: { one: { command: a, adapter: b } }"),
        ["1:33 an upstream has 'command' or 'adapter', not both"]
    );
    assert_eq!(
        told("upstreams: { one: { command: {} } }"),
        ["1:30 expected a program, or a list of a program and its arguments, got a map"]
    );
    assert_eq!(
        told("upstreams: { one: { command: [] } }"),
        ["1:30 the list names no program"]
    );
    assert_eq!(
        told("upstreams: { one: { command: ['', a] } }"),
        ["1:31 the program has no name"]
    );
    assert_eq!(
        told("upstreams: { one: { url: 'https://x', env: { A: b } } }"),
        ["1:39 'env' belongs to 'command', and this upstream has 'url'"]
    );
    assert_eq!(told("upstreams: {}"), ["1:1 no upstream is given"]);
    assert_eq!(told("listen: 127.0.0.1:1"), ["1:1 no upstream is given"]);
    assert_eq!(
        told("[a]"),
        ["1:1 expected a map of keys and values, got a list"]
    );
}

#[test]
fn an_upstream_that_leads_nowhere_is_told_where_it_can() {
    let problems = parse("upstreams: { one: {} }").unwrap_err();
    let hints: Vec<&str> = problems.iter().flat_map(ConfigProblem::hints).collect();
    assert_eq!(
        hints,
        ["give it a command or a url; `demo: true` is a shop to try things on"]
    );
}

#[test]
fn a_value_that_is_missing_is_told_once() {
    let nope = "nothing above is marked with '&' and this name";
    let itself = "a value cannot be part of itself";
    for (text, place, what) in [
        ("*nope", "1:1", nope),
        ("upstreams: *nope", "1:12", nope),
        ("upstreams: { one: *nope }", "1:19", nope),
        ("upstreams: { one: { command: *nope } }", "1:30", nope),
        ("upstreams: { one: { command: [*nope] } }", "1:31", nope),
        ("upstreams: { one: { command: [a, *nope] } }", "1:34", nope),
        ("upstreams: { one: { url: *nope } }", "1:26", nope),
        (
            "upstreams: { one: { command: a, env: { A: *nope } } }",
            "1:43",
            nope,
        ),
        (
            "upstreams: { one: { command: a, timeout: *nope } }",
            "1:42",
            nope,
        ),
        (
            "upstreams: { one: { command: a, <<: *nope } }",
            "1:37",
            nope,
        ),
        (
            "upstreams: { one: { command: a, <<: [*nope] } }",
            "1:38",
            nope,
        ),
        (
            "upstreams: { one: { command: a, *nope : b } }",
            "1:33",
            nope,
        ),
        (
            "upstreams: { one: &x { command: a, <<: *x } }",
            "1:40",
            itself,
        ),
        ("upstreams: &x { one: *x }", "1:22", itself),
    ] {
        assert_eq!(told(text), [format!("{place} {what}")], "{text}");
    }
}

#[test]
fn a_word_for_a_truth_value_is_known() {
    for (word, meant) in [
        ("yes", "true"),
        ("On", "true"),
        ("no", "false"),
        ("off", "false"),
    ] {
        assert_eq!(
            told(&format!("upstreams: {{ one: {{ demo: {word} }} }}")),
            [format!(
                "1:27 expected true or false, got a text; did you mean {meant}?"
            )]
        );
    }
    assert_eq!(
        told("upstreams: { one: { demo: maybe } }"),
        ["1:27 expected true or false, got a text"]
    );
}

#[test]
fn a_reference_with_no_name_is_told_what_a_name_is() {
    for key in ["cwd: '${A B}'", "env: { KEY: '${A B}' }"] {
        let text = format!("upstreams: {{ one: {{ command: a, {key} }} }}");
        let problems = parse(&text).unwrap_err();
        let hints: Vec<&str> = problems.iter().flat_map(ConfigProblem::hints).collect();
        let [hint] = hints.as_slice() else {
            panic!("{hints:?}");
        };
        assert!(
            hint.starts_with("a name has letters (A to Z, a to z), digits and _"),
            "{hint}"
        );
    }
    assert_eq!(
        told("upstreams: { one: { command: a, env: { KEY: '${A B}', OTHER: '${C:-${D}}' } } }"),
        [
            "1:46 a reference without the name of a variable",
            "1:63 a default cannot have a reference in it"
        ]
    );
}

#[test]
fn headers_are_those_of_the_server() {
    let headers = |headers: &str| {
        told(&format!(
            "upstreams: {{ one: {{ url: 'https://x', headers: {headers} }} }}"
        ))
    };
    assert_eq!(
        headers("{ 'A b': c }"),
        ["1:50 this is no name of a header"]
    );
    assert_eq!(
        headers("{ Content-Type: c }"),
        ["1:50 Breakfall sets the header 'Content-Type' itself"]
    );
    assert_eq!(
        headers("{ A: b, a: c }"),
        ["1:56 the header 'a' is written twice"]
    );
    assert_eq!(
        headers("{ A: \"b\\nc\" }"),
        ["1:53 a header cannot carry this value"]
    );
}

#[test]
fn a_problem_says_what_to_do() {
    let problems = parse("upstreams: { one: { command: npx -y '@a/b' } }").unwrap_err();
    let hints: Vec<_> = problems.iter().flat_map(ConfigProblem::hints).collect();
    assert_eq!(hints[0], "write [npx, -y, '''@a/b''']");
    for problem in parse("listen: x\nstore: y\ndialect: z\nlimits: { depth: 0 }\nupstreams: { '': { demo: true, timeout: 1 } }")
        .unwrap_err()
        .iter()
    {
        assert_ne!(problem.hints().count(), 0, "{problem}");
    }
}

#[test]
fn places_count_characters() {
    assert_eq!(
        told("upstreams: { ünï: { command: a, tmeout: 5s } }")[1],
        "1:33 unknown key 'tmeout'; did you mean 'timeout'?"
    );
}

#[test]
fn problems_are_shown_with_their_lines() {
    let problems = parse("upstreams:\n  one:\n    command: a\n    timeout: 1s\n    timeout: 2s\n")
        .unwrap_err();
    assert_eq!(
        problems.render(false, 100),
        "\
error: 'timeout' is written twice
 --> my.yaml:5:5
  |
4 |     timeout: 1s
  |     ------- first here
5 |     timeout: 2s
  |     ^^^^^^^ here again
  |
  = help: keep one of them
"
    );
    assert_eq!(
        problems.to_string(),
        "my.yaml:5:5: 'timeout' is written twice; here again"
    );
    assert!(problems.render(true, 100).contains("\u{1b}["));
}

#[test]
fn problems_are_data_for_programs() {
    let problems = parse("upstreams:\n  one:\n    comand: a\n").unwrap_err();
    let json = serde_json::to_value(&problems).unwrap();
    assert_eq!(
        json[0],
        serde_json::json!({
            "message": "unknown key 'comand'",
            "path": "upstreams.one.comand",
            "line": 3, "column": 5, "end_line": 3, "end_column": 11,
            "label": "did you mean 'command'?",
            "hints": ["the keys here are command, args, env, inherit_env, cwd, url, headers, pass_authorization, ca, resend_on_lost_session, adapter, demo, trust, hints, timeout, max_timeout, retry, breaker, concurrency, bridge, wire_only, restart, stuck_after, validate, unlisted, tools, dialect, format, strict, hidden_failures, redact, format_argument, rate, quotas and cost"],
        })
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_lets_clients_in_is_looked_at_closely() {
    let told = |lines: &str| told(&format!("{lines}\nupstreams: {{ one: {{ demo: true }} }}"));
    for (line, what) in [
        ("tls: { cert: a.pem }", "1:1 'tls' needs 'key'"),
        (
            "tls: { crt: a.pem, key: b }",
            "1:8 unknown key 'crt'; did you mean 'cert'?",
        ),
        ("tls: { cert: '', key: b }", "1:14 the path is empty"),
        (
            "tls: a.pem",
            "1:6 expected a map of keys and values, got a text",
        ),
        (
            "keys: {}",
            "1:1 no key is configured, so no client could connect",
        ),
        (
            "keys: [a]",
            "1:7 expected a map of keys and values, got a list",
        ),
        (
            "keys: { alice: short }",
            "1:16 this is no key: it is shorter than 16 characters",
        ),
        (
            "keys: { alice: 'has blanks in it, which no header takes' }",
            "1:16 this is no key: it has characters that cannot stand behind 'Bearer'",
        ),
        (
            "keys: { a b: 0123456789abcdef }",
            "1:9 this is no name for a client",
        ),
        (
            "keys: { a: 0123456789abcdef, b: 0123456789abcdef }",
            "1:33 'b' and 'a' have the same key",
        ),
        (
            "keys: { a: '${NOPE}' }",
            "1:13 the environment variable NOPE is not set",
        ),
        ("hosts: mcp.example.test", "1:8 expected a list, got a text"),
        (
            "hosts: ['https://mcp.example.test']",
            "1:9 'https://mcp.example.test' is no host: it is a URL",
        ),
        (
            "origins: [app.example.test]",
            "1:11 'app.example.test' is no origin: it has no https:// in front",
        ),
        (
            "origins: ['https://app.example.test/x']",
            "1:11 'https://app.example.test/x' is no origin: it has a path, and an origin has none",
        ),
        ("sessions: { max: 0 }", "1:18 this limit is out of bounds"),
        ("sessions: { idle: 0s }", "1:19 no time at all is too short"),
        (
            "sessions: { unread: 32MiB }",
            "1:21 sessions.unread is smaller than limits.response: 32MiB and 64MiB",
        ),
        (
            "limits: { response: 1GiB }",
            "1:21 sessions.unread is smaller than limits.response: 512MiB and 1GiB",
        ),
        ("drain: 10", "1:8 10 has no unit; did you mean 10s?"),
        ("separator: ' '", "1:12 ' ' is no separator"),
        ("separator: ''", "1:12 '' is no separator"),
        ("separator: .", "1:12 '.' is no separator"),
        (
            "lost_upstream: hid",
            "1:16 'hid' is none of the ways to treat a lost upstream; did you mean 'hide'?",
        ),
    ] {
        assert_eq!(told(line), [what], "{line}");
    }
}

#[test]
fn keys_of_clients_go_no_further() {
    let text = "keys: { a: 0123456789abcdef }\nupstreams: { one: { url: 'https://x', pass_authorization: true } }";
    assert_eq!(
        told(text),
        [
            "2:39 this would send the keys of clients to the server: both stand in the header Authorization"
        ]
    );
    assert!(parse(&text.replace("true", "false")).is_ok());
}

#[test]
fn two_upstreams_cannot_share_names() {
    assert_eq!(
        told("upstreams: { a: { demo: true }, a__b: { demo: true }, ab: { demo: true } }"),
        ["1:33 a tool of 'a' could have the same name as one of 'a__b': both begin with 'a__'"]
    );
    assert_eq!(
        told("separator: _\nupstreams: { my_: { demo: true }, my: { demo: true } }"),
        ["2:14 a tool of 'my' could have the same name as one of 'my_': both begin with 'my_'"]
    );
    assert_eq!(
        told("upstreams: { x__: { demo: true }, x_: { demo: true } }"),
        ["1:14 a tool of 'x_' could have the same name as one of 'x__': both begin with 'x___'"]
    );
    assert!(
        parse("separator: '-'\nupstreams: { a: { demo: true }, a__b: { demo: true } }").is_ok()
    );
}

#[test]
fn a_client_is_known_by_its_own_token_or_by_ours() {
    assert_eq!(
        told(
            "upstreams: { one: { url: 'https://x', headers: { authorization: b }, pass_authorization: true } }"
        ),
        ["1:70 an upstream has a header Authorization or passes the client's on, not both"]
    );
    assert_eq!(
        told("upstreams: { one: { command: a, pass_authorization: true, ca: a.pem } }"),
        [
            "1:33 'pass_authorization' belongs to 'url', and this upstream has 'command'",
            "1:59 'ca' belongs to 'url', and this upstream has 'command'",
        ]
    );
}
