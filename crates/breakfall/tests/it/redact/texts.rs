//! Texts, word for word.

use std::borrow::Cow;

use breakfall::redact::{Audience, Redactor, only_markers};
use serde_json::json;

#[test]
fn the_sentence_stays_useful() {
    let cases = [
        (
            "could not open '/srv/app/db.key'",
            "could not open '[path]'",
        ),
        (
            "connect ECONNREFUSED 10.0.3.17:5432",
            "connect ECONNREFUSED [address]",
        ),
        (
            "getaddrinfo ENOTFOUND orders.prod.internal",
            "getaddrinfo ENOTFOUND [host]",
        ),
        (
            "query failed: SELECT * FROM users WHERE id = 7",
            "query failed: [sql]",
        ),
        (
            "No account for ada@example.com",
            "No account for [redacted:email]",
        ),
        (
            "password=hunter2; retry",
            "password=[redacted:password]; retry",
        ),
        (
            "Error: boom\n    at f (/app/a.js:1:2)\n    at g (/app/b.js:3:4)\nbye",
            "Error: boom\n[trace]\nbye",
        ),
        (
            "Traceback (most recent call last):\n  File \"/srv/a.py\", line 1, in f\n    g()\nValueError: bad /srv/x.db",
            "[trace]\nValueError: bad [path]",
        ),
        (
            "postgres://app:s3cret@db.example.com/shop",
            "postgres://app:[redacted:password]@[host]/shop",
        ),
        (
            "cannot reach postgres://u:hunter2horse@db-7.internal/x now",
            "cannot reach postgres://u:[redacted:password]@[host]/x now",
        ),
        (
            "cannot reach postgres://u:[redacted:password]@db-7.internal/x now",
            "cannot reach postgres://u:[redacted:password]@[host]/x now",
        ),
        ("\u{1b}[31mred\u{1b}[0m", "red"),
    ];
    for (text, clean) in cases {
        assert_eq!(Redactor::client().text(text), clean);
    }
}

#[test]
fn a_text_of_which_only_markers_remain_is_told_from_a_sentence() {
    let redactor = Redactor::client();
    for text in [
        "Traceback (most recent call last):\n  File \"/srv/a.py\", line 1, in f\n    g()",
        "Error: /srv/app/db.key",
        "SELECT * FROM users WHERE id = 7;",
        "[trace]\n[redacted:email] ([host])",
    ] {
        assert!(only_markers(&redactor.text(text)), "{text}");
    }
    for text in [
        "",
        "Error",
        "no",
        "[trace]\nValueError: bad",
        "[1] [path]",
        "[path",
        "日本 [path]",
    ] {
        assert!(!only_markers(&redactor.text(text)), "{text}");
    }
}

#[test]
fn a_text_without_anything_in_it_is_not_copied() {
    let text = "Rate limit exceeded: 100 requests per minute. Wait 45 seconds, then call list_orders again.";
    assert!(matches!(Redactor::client().text(text), Cow::Borrowed(_)));
}

#[test]
fn an_operator_sees_the_inside_and_no_secret() {
    let text = "open /srv/app/db.key by ada@example.com on 10.0.0.7 failed: password=hunter2, card 4111 1111 1111 1111, SSN 536-90-4399";
    let clean = Redactor::new(Audience::Operator).text(text).into_owned();
    assert_eq!(
        clean,
        "open /srv/app/db.key by ada@example.com on 10.0.0.7 failed: password=[redacted:password], card [redacted:card], SSN [redacted:national-id]"
    );
}

#[test]
fn what_the_caller_sent_comes_back_unless_it_is_a_secret() {
    let sent = json!({
        "path": "/home/ada/notes.txt",
        "to": ["bob@example.com"],
        "note": "mail carol@example.com about 10.1.2.3",
        "card": "4111 1111 1111 1111",
        "key": "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    });
    let redactor = Redactor::client().sparing(&sent);
    for kept in [
        "/home/ada/notes.txt",
        "bob@example.com",
        "carol@example.com",
        "10.1.2.3",
    ] {
        let text = format!("nothing to do for '{kept}' here");
        assert_eq!(redactor.text(&text), text);
    }
    assert_eq!(redactor.text("not '/home/ada/other.txt'"), "not '[path]'");
    for gone in [
        "4111 1111 1111 1111",
        "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    ] {
        assert!(!redactor.text(gone).contains(gone), "{gone}");
    }
}

#[test]
fn what_lies_below_a_directory_the_caller_named_stays_readable() {
    let sent = json!({
        "cwd": "/home/ada/proj", "root": "/workspace/", "command": "cd /opt/shop/web && make",
        "uri": "file:///srv/site/pages", "all": "/", "homes": "/home", "tmp": "/tmp", "win": "C:\\proj",
    });
    let redactor = Redactor::client().sparing(&sent);
    for kept in [
        "/home/ada/proj/src/a.c:3:9: error: expected ';'",
        "/workspace/src/b.ts(4,7): error TS2304: Cannot find name 'x'.",
        "cannot open '/opt/shop/web/index.html'",
        "  File \"/home/ada/proj/a.py\", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax",
        "could not read /srv/site/pages/a.md",
        r"could not read 'C:\proj\src\a.cs'",
    ] {
        assert_eq!(redactor.text(kept), kept);
    }
    for (text, clean) in [
        ("not '/home/ada/other/a.txt'", "not '[path]'"),
        ("not '/home/ada/project/a.txt'", "not '[path]'"),
        ("not '/home/ada/proj/../../bob/a.txt'", "not '[path]'"),
        ("not '/tmp/server/a.txt'", "not '[path]'"),
        ("not '/home/bob/a.txt'", "not '[path]'"),
        (
            "Traceback (most recent call last):\n  File \"/home/ada/proj/a.py\", line 3, in f\n    g()\nKeyError: 'x'",
            "[trace]\nKeyError: 'x'",
        ),
    ] {
        assert_eq!(redactor.text(text), clean);
    }
}

#[test]
fn a_host_the_caller_named_stays_readable_with_and_without_a_port() {
    let sent =
        json!({"h": "db7.corp.internal", "at": "10.0.0.7:5432", "url": "http://wiki.corp:8080/x"});
    let redactor = Redactor::client().sparing(&sent);
    for kept in [
        "cannot reach db7.corp.internal:5432",
        "cannot reach db7.corp.internal",
        "connection to 10.0.0.7 refused",
        "connection to 10.0.0.7:80 refused",
        "no answer from wiki.corp",
    ] {
        assert_eq!(redactor.text(kept), kept);
    }
    assert_eq!(
        redactor.text("cannot reach db8.corp.internal:5432"),
        "cannot reach [host]"
    );
}

#[test]
fn what_compilers_and_tests_say_keeps_its_relative_places() {
    for kept in [
        "  File \"src/a.py\", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax",
        "running 1 test\nthread 'tests::adds' panicked at src/lib.rs:10:9:\nassertion `left == right` failed\n  left: 3\n right: 4\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
        "thread 'tests::adds' panicked at 'boom', src/main.rs:4:5",
        "---- adds stdout ----\n\nthread 'adds' (4711) panicked at tests/it.rs:4:5:\nboom",
        "    def test_adds():\n>       assert add(1, 2) == 4\nE       assert 3 == 4\n\ntests/test_a.py:4: AssertionError\nFAILED tests/test_a.py::test_adds - assert 3 == 4",
        "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5\n  |\n2 |     x\n  |     ^ not found in this scope",
        "--- FAIL: TestAdd (0.00s)\n    a_test.go:7: got 3, want 4\nFAIL",
    ] {
        assert_eq!(Redactor::client().text(kept), kept);
    }
    for (text, clean) in [
        (
            "thread 'main' panicked at /srv/shop/src/main.rs:4:5:\nboom",
            "[trace]:\nboom",
        ),
        (
            "thread 'tests::adds' panicked at src/main.rs:4:5:\nboom\nstack backtrace:\n   0: core::panicking::panic_fmt\n             at /rustc/90b35a6/library/core/src/panicking.rs:72:14\n   1: shop::main\n             at ./src/main.rs:4:5",
            "thread 'tests::adds' panicked at src/main.rs:4:5:\nboom\n[trace]",
        ),
    ] {
        assert_eq!(Redactor::client().text(text), clean);
    }
}

#[test]
fn hosts_that_are_connected_to_with_a_password_are_the_inside_whatever_they_are_called() {
    for (text, clean) in [
        (
            "postgres://shop:hunter2@db.internal.example:5432/shop",
            "postgres://shop:[redacted:password]@[host]/shop",
        ),
        (
            "redis://:s3cr3t@cache.prod.acme.com:6379 is down",
            "redis://:[redacted:password]@[host] is down",
        ),
        (
            "mongodb://app:pw1@m1:27017,m2.acme.com:27017/x",
            "mongodb://app:[redacted:password]@[host],[host]/x",
        ),
        (
            "app:pw1@tcp(db7:3306)/x",
            "app:[redacted:password]@tcp([host])/x",
        ),
        (
            "amqp://app:pw1@localhost:5672",
            "amqp://app:[redacted:password]@localhost:5672",
        ),
        (
            "no answer from db.internal.example:5432",
            "no answer from [host]",
        ),
        (
            "Host=db7;Username=app;Password=x1",
            "Host=[host];Username=app;Password=[redacted:password]",
        ),
        (
            "host=db7 port=5432 user=app",
            "host=[host] port=5432 user=app",
        ),
        (
            "Data Source=tcp:sql1.acme.com;User ID=app",
            "Data Source=tcp:[host];User ID=app",
        ),
    ] {
        let once = Redactor::client().text(text).into_owned();
        assert_eq!(once, clean);
        assert_eq!(Redactor::client().text(&once), clean);
    }
    for kept in [
        "host=db7 is no setting",
        "at com.acme.internal.shop:12",
        "https://api.example.com:8443/x",
        "the package com.acme.internal.shop is missing",
    ] {
        assert_eq!(Redactor::client().text(kept), kept);
    }
}

#[test]
fn passwords_are_known_by_their_names_in_other_languages() {
    for (text, clean) in [
        ("Passwort: hunter2", "Passwort: [redacted:password]"),
        ("contraseña: hunter2", "contraseña: [redacted:password]"),
        (
            "Contraseña=\"sesamo\"",
            "Contraseña=\"[redacted:password]\"",
        ),
        (
            "mot de passe : hunter2",
            "mot de passe : [redacted:password]",
        ),
        (
            "Mot de passe\u{a0}: hunter2",
            "Mot de passe\u{a0}: [redacted:password]",
        ),
        ("パスワード: hunter2", "パスワード: [redacted:password]"),
        ("パスワード：hunter2。", "パスワード：[redacted:password]。"),
        ("user=app pass=hunter2", "user=app pass=[redacted:password]"),
    ] {
        assert_eq!(Redactor::client().text(text), clean);
        assert_eq!(Redactor::client().text(clean), clean);
    }
    for kept in [
        "Passwort: erforderlich",
        "Contraseña: obligatoria",
        "Mot de passe : requis",
        "パスワード: 必須",
        "pass=12 fail=0",
        "pass: all checks",
    ] {
        assert_eq!(Redactor::client().text(kept), kept);
    }
}

#[test]
fn the_secret_beside_an_id_of_an_access_key_goes_with_it() {
    let text = "AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    let clean = Redactor::client().text(text).into_owned();
    assert!(!clean.contains("wJalr"), "{clean}");
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(
        Redactor::client().bytes(b"a\xffb /home/ada/x.txt \xf0\x9f"),
        "a\u{fffd}b [path] \u{fffd}"
    );
    assert_eq!(
        Redactor::new(Audience::Unredacted).bytes(b"\xff"),
        "\u{fffd}"
    );
}

#[test]
fn headers_keep_their_scheme_and_their_names() {
    let redactor = Redactor::client();
    let cases = [
        ("Authorization", "Bearer abc", "Bearer [redacted:bearer]"),
        (
            "proxy-authorization",
            "Digest username=\"ada\", response=\"x\"",
            "Digest [redacted:secret]",
        ),
        ("authorization", "abc", "[redacted:secret]"),
        (
            "Cookie",
            "a=1; b=2",
            "a=[redacted:cookie]; b=[redacted:cookie]",
        ),
        (
            "set-cookie",
            "sid=8; Path=/; HttpOnly",
            "sid=[redacted:cookie]; Path=/; HttpOnly",
        ),
        ("X-Api-Key", "abc", "[redacted:api-key]"),
        ("X-Amz-Security-Token", "abc", "[redacted:secret]"),
        (
            "Location",
            "https://example.com/cb?token=abc",
            "https://example.com/cb?token=[redacted:secret]",
        ),
        ("Retry-After", "7", "7"),
        (
            "WWW-Authenticate",
            "Bearer realm=\"example\"",
            "Bearer realm=\"example\"",
        ),
    ];
    for (name, value, clean) in cases {
        let once = redactor.header(name, value).into_owned();
        assert_eq!(once, clean, "{name}");
        assert_eq!(redactor.header(name, &once), clean, "{name} again");
    }
    assert_eq!(
        Redactor::new(Audience::Unredacted).header("Cookie", "a=1"),
        "a=1"
    );
}

#[test]
fn audiences_have_words() {
    for audience in Audience::ALL {
        assert_eq!(Audience::from_word(audience.as_str()), Some(*audience));
    }
    assert_eq!(Audience::from_word("everybody"), None);
    assert_eq!(Redactor::default().audience(), Audience::Client);
}
