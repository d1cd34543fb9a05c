use std::path::Path;
use std::time::Duration;

use breakfall::wire::Dialect;
use breakfall_gateway::config::{
    Config, LogFormat, LogLevel, LostUpstream, MessageLimits, RestartDelay, StoreLocation,
    TrustLevel, UnlistedTools, UpstreamSettings, UpstreamSource, ValidationMode, ValidationModes,
    ValidationRule,
};
use breakfall_mcp::timeouts::Timeouts;

use super::{World, accepted, parse, told};

const WHOLE: &str = r#"
listen: 127.0.0.1:7332
store: sqlite
dialect: native
upstreams:
  files:
    command: [npx, -y, "@modelcontextprotocol/server-filesystem", "."]
    trust: validated
    timeout: 30s
    tools:
      "read_*":  { idempotent: true }
  ledger:
    adapter: adapters/ledger-adapter.md  # REST API described in Markdown + YAML
  remote:
    url: https://mcp.example.test/mcp
"#;

#[test]
fn the_whole_file_of_the_design_is_understood() {
    let config = accepted(WHOLE);
    let names: Vec<_> = config
        .upstreams
        .iter()
        .map(|upstream| upstream.name.as_str())
        .collect();
    assert_eq!(names, ["files", "ledger", "remote"]);
    assert_eq!(config.replies.dialect, Dialect::Native);
    assert_eq!(config.store, StoreLocation::Default);

    let files = config.upstream("files").unwrap();
    assert_eq!(
        files.source.to_string(),
        "npx -y @modelcontextprotocol/server-filesystem ."
    );
    assert_eq!(files.timeouts.idle, Duration::from_secs(30));
    assert_eq!(files.timeouts.total, Duration::from_mins(30));
    assert_eq!(files.tools.policy("read_file").idempotent, Some(true));

    let ledger = config.upstream("ledger").unwrap();
    assert_eq!(ledger.trust, TrustLevel::Untested);
    assert_eq!(
        ledger.source,
        UpstreamSource::Adapter("adapters/ledger-adapter.md".into())
    );

    let remote = config.upstream("remote").unwrap();
    assert_eq!(remote.trust, TrustLevel::Validated);
    assert_eq!(remote.source.to_string(), "https://mcp.example.test/mcp");
}

#[test]
fn what_is_left_out_has_sensible_values() {
    let config = accepted("upstreams: { one: { command: a } }");
    assert_eq!(config.listen.to_string(), "127.0.0.1:7332");
    assert_eq!(config.limits, MessageLimits::default());
    assert_eq!(
        (config.log.level, config.log.format),
        (LogLevel::Info, LogFormat::Text)
    );
    let one = &config.upstreams[0];
    assert_eq!(one.timeouts, Timeouts::default());
    assert_eq!(one.restart, RestartDelay::default());
    assert_eq!(
        *one,
        UpstreamSettings::command("a", [""; 0]).with_name("one")
    );
    assert_eq!(config, Config::from(one.clone()));
    assert!(config.notes.is_empty());
}

#[test]
fn nothing_is_the_same_as_no_key() {
    let config = accepted(
        "listen:\nlimits:\nupstreams:\n  one:\n    command: a\n    env:\n    timeout:\n    url: ~\n",
    );
    assert_eq!(config, accepted("upstreams: { one: { command: a } }"));
}

#[test]
fn everything_can_be_set() {
    let config = accepted(
        "store: sqlite:state.db\n\
         limits: { request: 1MiB, response: 2 MB, depth: 12 }\n\
         log: { level: debug, format: json }\n\
         upstreams:\n  \
           one:\n    \
             command: [a, 1.10, true]\n    \
             args: [--verbose, 5]\n    \
             env: { PORT: 8080, DEBUG: true, EMPTY: '' }\n    \
             cwd: work\n    \
             timeout: 1h30m\n    \
             max_timeout: 2h\n    \
             restart: { first: 1ms, max: 250ms }\n    \
             tools: { '*': { timeout: 2s } }\n  \
           shop: { demo: true, trust: certified }\n",
    );
    assert_eq!(config.store, StoreLocation::Sqlite("state.db".into()));
    assert_eq!(
        (
            config.limits.request,
            config.limits.response,
            config.limits.depth
        ),
        (1 << 20, 2_000_000, 12)
    );
    assert_eq!(
        (config.log.level, config.log.format),
        (LogLevel::Debug, LogFormat::Json)
    );
    let one = config.upstream("one").unwrap();
    // As written: 1.10 is a version and no number here.
    assert_eq!(one.source.to_string(), "a 1.10 true --verbose 5");
    assert_eq!(one.limits, config.limits);
    assert_eq!(one.restart.first, Duration::from_millis(1));
    assert_eq!(one.timeouts.total, Duration::from_hours(2));
    assert_eq!(one.timeouts_with("anything").idle, Duration::from_secs(2));
    let UpstreamSource::Command(command) = &one.source else {
        panic!("{:?}", one.source)
    };
    assert_eq!(command.cwd.as_deref(), Some(Path::new("work")));
    let env: Vec<_> = command
        .env
        .iter()
        .map(|(name, value)| (name.as_str(), value.reveal()))
        .collect();
    assert_eq!(env, [("PORT", "8080"), ("DEBUG", "true"), ("EMPTY", "")]);
    let shop = config.upstream("shop").unwrap();
    assert_eq!(
        (&shop.source, shop.trust),
        (&UpstreamSource::Demo, TrustLevel::Certified)
    );
}

#[test]
fn how_clients_come_in_can_be_set() {
    let world = World {
        variables: [("ALICE", "0123456789abcdef"), ("NAME", "mcp.example.test")].into(),
        ..World::default()
    };
    let config = Config::parse_with(
        "listen: 0.0.0.0:443\n\
         tls: { cert: tls/server.pem, key: /run/server.key }\n\
         keys: { alice: '${ALICE}', bob@example.test: fedcba9876543210 }\n\
         hosts: ['${NAME}', 'GATEWAY:8443']\n\
         origins: ['https://App.example.test:443/']\n\
         sessions: { max: 5, idle: 1m, unread: 8MiB }\n\
         limits: { response: 8MiB }\n\
         drain: 0s\n\
         separator: '-'\n\
         lost_upstream: hide\n\
         upstreams: { one: { url: 'https://x.test/mcp', ca: my.pem } }\n",
        "/etc/gateway/my.yaml",
        &world,
    )
    .unwrap();
    let tls = config.tls.as_ref().unwrap();
    assert_eq!(tls.cert, Path::new("/etc/gateway/tls/server.pem"));
    assert_eq!(tls.key, Path::new("/run/server.key"));
    let keys = config.keys.iter();
    let keys: Vec<_> = keys
        .map(|key| (key.principal.as_str(), key.secret.reveal()))
        .collect();
    assert_eq!(
        keys,
        [
            ("alice", "0123456789abcdef"),
            ("bob@example.test", "fedcba9876543210")
        ]
    );
    assert_eq!(config.hosts, ["mcp.example.test", "gateway:8443"]);
    assert_eq!(config.origins, ["https://app.example.test"]);
    assert_eq!(config.sessions.max, 5);
    assert_eq!(config.sessions.idle, Duration::from_mins(1));
    assert_eq!(config.sessions.unread, 8 << 20);
    assert_eq!(config.drain, Duration::ZERO);
    assert_eq!(config.separator, "-");
    assert_eq!(config.lost_upstream, LostUpstream::Hide);
    let UpstreamSource::Url(remote) = &config.upstreams[0].source else {
        panic!("no url")
    };
    assert!(!remote.pass_authorization);
    assert!(config.upstreams[0].bridge);
    let plain = accepted("upstreams: { one: { demo: true, bridge: false } }");
    assert!(!plain.upstreams[0].bridge);
    assert_eq!(remote.ca.as_deref(), Some(Path::new("/etc/gateway/my.pem")));
    // Open to the network, but every client needs a key, and TLS keeps it secret.
    assert!(config.notes.iter().all(|note| note.label != "warning"));
    let open = "listen: 0.0.0.0:80\nkeys: { a: 0123456789abcdef }\nupstreams: { one: { url: 'https://x.test', pass_authorization: false } }";
    let open = accepted(open);
    let warned = open.notes.iter().filter(|note| note.label == "warning");
    let warned: Vec<_> = warned.map(|note| note.text.as_str()).collect();
    assert!(
        matches!(warned.as_slice(), [only] if only.contains("without 'tls'")),
        "{warned:?}"
    );
}

#[test]
fn times_that_are_not_set_fit_those_that_are() {
    let timeouts = |text: &str| accepted(&super::upstream(text)).upstreams[0].timeouts;
    let long = timeouts("timeout: 1h");
    assert_eq!(
        (long.idle, long.total),
        (Duration::from_hours(1), Duration::from_hours(1))
    );
    let short = timeouts("max_timeout: 1s");
    assert_eq!(
        (short.idle, short.total),
        (Duration::from_secs(1), Duration::from_secs(1))
    );
    let restart = |text: &str| accepted(&super::upstream(text)).upstreams[0].restart;
    assert_eq!(
        restart("restart: { first: 1m }").max,
        Duration::from_mins(1)
    );
    assert_eq!(
        restart("restart: { max: 5ms }").first,
        Duration::from_millis(5)
    );
}

#[test]
fn relative_paths_start_at_the_directory_of_the_file() {
    let world = World {
        files: [("/etc/gateway/token", "t\n")].into(),
        ..World::default()
    };
    let text = "store: sqlite:state.db\nupstreams: { one: { command: a, cwd: work, env: { T: '${file:token}' } }, two: { adapter: b.md } }";
    let config = Config::parse_with(text, "/etc/gateway/my.yaml", &world).unwrap();
    assert_eq!(
        config.store,
        StoreLocation::Sqlite("/etc/gateway/state.db".into())
    );
    assert_eq!(
        config.upstreams[1].source,
        UpstreamSource::Adapter("/etc/gateway/b.md".into())
    );
    let UpstreamSource::Command(command) = &config.upstreams[0].source else {
        panic!("no command")
    };
    assert_eq!(command.cwd.as_deref(), Some(Path::new("/etc/gateway/work")));
    assert_eq!(command.env[0].1.reveal(), "t");
}

#[test]
fn anchors_and_merges_save_typing() {
    let config = accepted(
        "upstreams:\n  \
           one: &base { command: a, timeout: 5s, trust: certified }\n  \
           two: { <<: *base, timeout: 6s }\n  \
           three: { <<: [{ command: b }, *base] }\n",
    );
    let seen: Vec<_> = config
        .upstreams
        .iter()
        .map(|upstream| {
            (
                upstream.source.to_string(),
                upstream.timeouts.idle.as_secs(),
                upstream.trust,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("a".to_owned(), 5, TrustLevel::Certified),
            ("a".to_owned(), 6, TrustLevel::Certified),
            ("b".to_owned(), 5, TrustLevel::Certified),
        ]
    );
}

#[test]
fn json_is_yaml_too() {
    let config =
        accepted(r#"{"upstreams": {"one": {"command": ["a", "\u00fc"], "timeout": "30s"}}}"#);
    assert_eq!(config.upstreams[0].source.to_string(), "a ü");
}

#[test]
fn a_mark_of_utf_8_is_skipped() {
    accepted("\u{feff}upstreams: { one: { command: a } }");
}

#[test]
fn a_setting_that_is_not_available_yet_is_an_error() {
    let file = "store: redis://127.0.0.1\nupstreams:\n  one:\n    demo: true\n    \
                quotas: [{ metric: requests_per_hour, warn: 8, pause: 9 }]\n";
    assert_eq!(
        told(file),
        [
            "1:8 redis is not available as a store in this version",
            "5:52 'pause' is not available in this version",
        ]
    );
    // Without a value they are no keys.
    accepted("upstreams: { one: { demo: true, quotas: , tools: { a: { danger: } } } }");
}

#[test]
fn what_may_be_meant_and_is_dangerous_is_told() {
    let config = accepted(
        "listen: 0.0.0.0:80\nupstreams: { one: { url: 'http://example.test/mcp' }, two: { url: 'http://127.0.0.1:1/' } }",
    );
    let warnings: Vec<_> = config
        .notes
        .iter()
        .filter(|note| note.label == "warning")
        .collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0]
            .text
            .contains("http://example.test/mcp is not encrypted")
    );
    assert!(
        warnings[1]
            .text
            .contains("listening at 0.0.0.0:80 lets other machines call every tool")
    );
}

#[test]
fn a_path_that_leads_nowhere_here_is_a_warning() {
    let config = Config::parse(
        "upstreams: { one: { command: a, cwd: /no/such/place } }",
        "my.yaml",
    )
    .unwrap();
    assert_eq!(
        config.notes[0].to_string(),
        "warning: upstreams.one.cwd: there is no directory '/no/such/place' on this machine"
    );
    assert!(
        parse("upstreams: { one: { command: a, cwd: /any } }")
            .unwrap()
            .notes
            .is_empty()
    );
}

#[test]
fn a_word_for_validation_stands_for_all_it_fits() {
    let modes = |validate: &str| {
        let file = format!("upstreams: {{ one: {{ demo: true, validate: {validate} }} }}");
        accepted(&file).upstreams[0].modes
    };
    let default = ValidationModes::default();
    assert_eq!(
        default.to_string(),
        "reject missing, type, enum, range, size, pattern, other; warn coercible, unknown, format, output"
    );
    assert_eq!(modes("off"), ValidationModes::all(ValidationMode::Off));
    assert_eq!(modes("warn"), ValidationModes::all(ValidationMode::Warn));
    assert_eq!(
        modes("reject"),
        ValidationModes::all(ValidationMode::Reject)
            .with(ValidationRule::Output, ValidationMode::Warn),
        "a result is refused by its own name only"
    );
    assert_eq!(
        modes("strip"),
        default.with(ValidationRule::Unknown, ValidationMode::Strip)
    );
    assert_eq!(
        modes("coerce"),
        default.with(ValidationRule::Coercible, ValidationMode::Coerce)
    );
    assert_eq!(
        modes("{ type: warn, enum: off, output: reject, unknown: }"),
        default
            .with(ValidationRule::Type, ValidationMode::Warn)
            .with(ValidationRule::Enum, ValidationMode::Off)
            .with(ValidationRule::Output, ValidationMode::Reject)
    );
}

#[test]
fn every_rule_has_its_key() {
    for rule in ValidationRule::ALL {
        let file = format!(
            "upstreams: {{ one: {{ demo: true, validate: {{ {}: off }} }} }}",
            rule.as_str()
        );
        let modes = accepted(&file).upstreams[0].modes;
        assert_eq!(
            modes,
            ValidationModes::default().with(*rule, ValidationMode::Off),
            "{rule:?}"
        );
    }
}

#[test]
fn the_more_exact_pattern_validates_its_own_way() {
    let config = accepted(
        "upstreams:\n  one:\n    demo: true\n    validate: { unknown: strip, enum: warn }\n    unlisted: allow\n    \
         tools:\n      '*': { validate: { enum: off }, slow: 5s }\n      \
         'read_*': { validate: coerce, unlisted: refuse }\n      \
         read_file: { validate: { unknown: reject }, deprecated: read_text, slow: 1s }\n",
    );
    let one = &config.upstreams[0];
    let all = ValidationModes::default().with(ValidationRule::Unknown, ValidationMode::Strip);
    assert_eq!(
        one.modes,
        all.with(ValidationRule::Enum, ValidationMode::Warn)
    );
    let all = all.with(ValidationRule::Enum, ValidationMode::Off);
    assert_eq!(one.modes_with("write"), all);
    let read = all.with(ValidationRule::Coercible, ValidationMode::Coerce);
    assert_eq!(one.modes_with("read_all"), read);
    assert_eq!(
        one.modes_with("read_file"),
        read.with(ValidationRule::Unknown, ValidationMode::Reject)
    );
    let policy = one.tools.policy("read_file");
    assert_eq!(policy.deprecated.as_deref(), Some("read_text"));
    assert_eq!(policy.slow, Some(Duration::from_secs(1)));
    assert_eq!(policy.unlisted, Some(UnlistedTools::Refuse));
    assert_eq!(one.unlisted, UnlistedTools::Allow);
    assert_eq!(one.tools.policy("write").slow, Some(Duration::from_secs(5)));
}

#[test]
fn a_described_api_knows_all_its_parameters() {
    let config = accepted("upstreams: { one: { adapter: a.md } }");
    assert_eq!(
        config.upstreams[0].modes,
        ValidationModes::default().with(ValidationRule::Unknown, ValidationMode::Reject)
    );
}

#[test]
fn the_nearest_place_says_how_much_of_a_tool_may_be_used() {
    let config = accepted(
        "time_zone: Europe/Berlin\nrate: { requests: 9, per: 1s }\nquotas: [{ metric: requests_per_day, warn: 1 }]\nupstreams:\n  one:\n    demo: true\n    \
         rate: { requests: 8, per: 1m, burst: 2, by: principal }\n    tools:\n      'a*': { rate: { requests: 7, per: 1h } }\n      ab: { quotas: [], rate: off }\n  two: { demo: true, rate: off }\n",
    );
    let usage = |upstream: usize, tool: &str| {
        let upstream = &config.upstreams[upstream];
        let usage = upstream
            .tools
            .usage(tool, &upstream.gateway_usage, &upstream.usage);
        let rate = usage
            .rate
            .map(|(scope, rate)| (scope.name("one"), rate.to_string()));
        let quotas = usage
            .quotas
            .map(|(scope, quotas)| (scope.name("one"), quotas.len()));
        (rate, quotas)
    };
    let of = |name: &str, rate: &str| Some((name.to_owned(), rate.to_owned()));
    let all = Some(("gateway".to_owned(), 1));
    assert_eq!(
        usage(0, "x"),
        (
            of("one", "8 calls in 1m, 2 at once for each principal"),
            all.clone()
        )
    );
    assert_eq!(usage(0, "ax"), (of("one/a*", "7 calls in 1h"), all.clone()));
    assert_eq!(usage(0, "ab"), (None, None));
    assert_eq!(usage(1, "x"), (None, all));
    assert_eq!(
        config.upstreams[0].time_zone.iana_name(),
        Some("Europe/Berlin")
    );
    assert_eq!(
        told("time_zone: Berlin\nupstreams: { one: { demo: true } }"),
        ["1:12 'Berlin' is no time zone"]
    );
}
