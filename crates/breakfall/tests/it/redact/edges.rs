//! Where a find begins and ends: what is part of a leak, and what is the sentence around it.

use breakfall::redact::Redactor;
use serde_json::json;

/// Each text becomes the other.
#[track_caller]
fn become_all(pairs: &[(&str, &str)]) {
    let redactor = Redactor::client();
    let wrong: Vec<String> = pairs
        .iter()
        .filter_map(|(text, want)| {
            let have = redactor.text(text);
            (have != *want)
                .then(|| format!("\n  {text:?}\n  became   {have:?}\n  not      {want:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn numbers_at_any_depth_below_a_telling_key_go() {
    let mut value = json!({"password": {"new": {"pin": 481_516, "minLength": 8, "set": true}}});
    Redactor::client().value(&mut value);
    assert_eq!(
        value,
        json!({"password": {"new": {"pin": "[redacted:password]", "minLength": 8, "set": true}}})
    );
}

#[test]
fn tokens_of_a_known_length_go_whole_whatever_they_are_made_of() {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh";
    let of = |len: usize| letters[..len].to_owned();
    let tokens = [
        format!("conf_{}", of(43)),
        format!("conf__-{}", of(41)),
        format!("conf_-{}-", of(41)),
        format!("conf_{}-{}_", of(20), of(21)),
        format!("quota_continue_{}", of(43)),
        format!("quota_continue__{}-{}-", of(20), of(20)),
        format!(
            "access_token$production${}${}",
            of(16),
            "0123456789abcdef".repeat(2)
        ),
        format!("glrt-{}", of(20)),
        format!("glft-{}", of(20)),
        format!("glft-{}--", of(18)),
        format!("GR1348941{}-", of(19)),
        format!("EAAA{}", of(60)),
        format!("sq0atp-{}", of(22)),
        format!("sq0csp-{}", of(43)),
        format!("LTAI{}", of(20)),
        format!("LTAI{}", of(12)),
    ];
    for token in tokens {
        for (before, after) in [
            ("", ""),
            ("a ", " b"),
            ("{\"x\":\"", "\"}"),
            ("(", ")."),
            ("鍵", "は無効"),
        ] {
            let text = format!("{before}{token}{after}");
            let want = format!("{before}[redacted:api-key]{after}");
            assert_eq!(Redactor::client().text(&text), want);
        }
    }
}

#[test]
fn a_token_goes_under_the_name_it_is_presented_back_in() {
    let token = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ";
    for name in ["_confirmation", "_quota_continue"] {
        let text = format!("bad arguments {{\"id\": 7, \"{name}\": \"{token}\"}}");
        let have = Redactor::client().text(&text).into_owned();
        assert_eq!(have, text.replace(token, "[redacted:secret]"));
        let escaped = text.replace('"', "\\\"");
        let have = Redactor::client().text(&escaped).into_owned();
        assert_eq!(have, escaped.replace(token, "[redacted:secret]"));
        let mut value = json!({name: token});
        Redactor::client().value(&mut value);
        assert_eq!(value, json!({name: "[redacted:secret]"}));
    }
}

#[test]
fn what_is_left_of_a_statement_goes() {
    become_all(&[
        (
            "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version \
             for the right syntax to use near 'WHERE email = 'x' LIMIT 1' at line 1",
            "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version \
             for the right syntax to use near '[sql]' at line 1",
        ),
        (
            "parse error near 'foo' at line 3",
            "parse error near 'foo' at line 3",
        ),
        (
            r#"{"e":"query failed: SELECT id FROM users WHERE a = 1\nRetry later","code":7}"#,
            r#"{"e":"query failed: [sql]\nRetry later","code":7}"#,
        ),
        (
            r#"{"e":"query failed: SELECT \"id\" FROM \"users\" WHERE a = 'x'","code":7}"#,
            r#"{"e":"query failed: [sql]","code":7}"#,
        ),
    ]);
}

#[test]
fn frames_go_with_their_functions() {
    become_all(&[
        (
            "boom\n\ngoroutine 7 [running]:\ngithub.com/acme/shop/pay.(*Ledger).Close(0xc0000b4000, {0x1, 0x2})\n\t/srv/pay/ledger.go:42 +0x1d\nmain.main()\n\t/srv/main.go:9 +0x20\nexit status 2",
            "boom\n\n[trace]",
        ),
        (
            "github.com/acme/shop/pay.Close(0xc0000b4000, 0x2)\n\t/srv/pay/ledger.go:42 +0x1d\ndone",
            "[trace]\ndone",
        ),
        (
            "failed: github.com/acme/shop/pay.(*Ledger).Close(...)\n\t/srv/pay/ledger.go:42\ncreated by net/http.(*Server).Serve in goroutine 1\n\t/usr/local/go/src/net/http/server.go:3285 +0x4b4\nTry again.",
            "failed: [trace]\nTry again.",
        ),
        (
            r#"{"error":"panic: boom\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/srv/main.go:12 +0x1d\n","code":5}"#,
            r#"{"error":"panic: boom\n\n[trace]\n","code":5}"#,
        ),
        (
            r#"{"error":"boom: main.pick(0x1, 0x2)\n\t/srv/main.go:12 +0x1d","code":5}"#,
            r#"{"error":"boom: [trace]","code":5}"#,
        ),
        (
            "Worker died: /srv/app/models/order.rb:42:in 'Order#close': no stock (StockError)",
            "Worker died: [trace]: no stock (StockError)",
        ),
        (
            "error app/models/order.rb:42:in `close': no stock (StockError)",
            "error [trace]: no stock (StockError)",
        ),
        (
            r#"{"m":"Boom\n   at Acme.Shop.Pay.Close(String id)","n":1}"#,
            r#"{"m":"Boom\n[trace]","n":1}"#,
        ),
        (
            r#"{"m":"Boom\n   at Acme.Shop.Pay.Close(String id)\n   at Acme.Api.Run()"}"#,
            r#"{"m":"Boom\n[trace]"}"#,
        ),
        (
            r#"{"m":"Boom\r\n   at Acme.Shop.Pay.Close(String id)\r\n   at Acme.Api.Run()\r\n"}"#,
            r#"{"m":"Boom\r\n[trace]\r\n"}"#,
        ),
    ]);
}

#[test]
fn paths_end_where_the_sentence_goes_on() {
    become_all(&[
        (
            r#"{"m":"no \\\\files01\\hr$\\pay\\2024.xlsx"}"#,
            r#"{"m":"no [path]"}"#,
        ),
        (
            r#"{"m":"no \\\\files01\\hr$\\pay\nnext"}"#,
            r#"{"m":"no [path]\nnext"}"#,
        ),
        (r"no \\files01\hr$\pay", "no [path]"),
        ("cannot read </etc/app/db.yaml>", "cannot read <[path]>"),
        ("<b>no</b> and </div>", "<b>no</b> and </div>"),
        (
            "/srv/app/config.ymlが見つかりません",
            "[path]が見つかりません",
        ),
        (
            "（/srv/app/config.yml）を開けません",
            "（[path]）を開けません",
        ),
        (
            "「C:\\Users\\ada\\x.txt」がありません",
            "「[path]」がありません",
        ),
        ("C:\\Users\\ada\\x.txtがありません", "[path]がありません"),
        ("\\\\files01\\hr\\x.txtがありません", "[path]がありません"),
        ("file:///srv/app/x.txtがありません", "[path]がありません"),
        ("/home/太郎/メモ.txt を", "[path] を"),
        ("stat ‘/etc/app/x’: no", "stat ‘[path]’: no"),
        (
            r#"{"m":"see file:///C:/Users/ada/x.txt\nRetry"}"#,
            r#"{"m":"see [path]\nRetry"}"#,
        ),
        (
            r#"{"m":"see file:///srv/app/x.txt\nRetry"}"#,
            r#"{"m":"see [path]\nRetry"}"#,
        ),
        (
            r#"{"m":"C:\\Users\\ada\\x.txt\nRetry"}"#,
            r#"{"m":"[path]\nRetry"}"#,
        ),
    ]);
}

#[test]
fn values_end_where_the_sentence_goes_on() {
    become_all(&[
        (
            "password=hunter2でログインできません",
            "password=[redacted:password]でログインできません",
        ),
        (
            "jdbc:mysql://db.example.com/shop?user=a&password=hunter2（接続不可）",
            "jdbc:mysql://[host]/shop?user=a&password=[redacted:password]（接続不可）",
        ),
        (
            "https://hooks.slack.com/services/T0001/B0001/abcdefABCDEF12は無効",
            "https://hooks.slack.com/services/[redacted:webhook]は無効",
        ),
        (
            "https://x.example.com/a?sig=abcdefABCDEF0123を確認",
            "https://x.example.com/a?sig=[redacted:signature]を確認",
        ),
        (
            "500 Internal Server Error: -----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0123456789abcdef\n-----END RSA PRIVATE KEY----- in store",
            "500 Internal Server Error: [redacted:private-key] in store",
        ),
        (
            "Error executing tool sign\n-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQdGBGWl0123456789abcdef0123\n=ab3d\n-----END PGP PRIVATE KEY BLOCK-----",
            "Error executing tool sign\n[redacted:private-key]",
        ),
        (
            r#"Error executing tool sign: {"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n","client_id":"12"}"#,
            r#"Error executing tool sign: {"type":"service_account","private_key":"[redacted:private-key]","client_id":"12"}"#,
        ),
    ]);
}

#[test]
fn private_addresses_go_in_full() {
    become_all(&[
        ("at fd12:3456:789a:1:2:3:4:5 now", "at [address] now"),
        ("[FDAA:0:0:1:0:0:0:9]:443", "[[address]]:443"),
        ("fc00:1111:2222:3333:4444:5555:6666:7777/64", "[address]/64"),
        ("fe80:0:0:0:1:2:3:4%eth0", "[address]"),
        ("digest fdcb:1234", "digest fdcb:1234"),
        ("mac fd:12:34:56:78:9a", "mac fd:12:34:56:78:9a"),
    ]);
}

#[test]
fn what_looks_like_a_leak_and_is_none_stays() {
    let innocent = [
        r#"send "Authorization: Digest <credentials>" and try again"#,
        r#"send "Authorization: Bearer <your token>", then retry with the new one"#,
        r"'Authorization: OAuth <token>' is what it wants",
        r#"{"m":"must match ^\\d{3}-\\w+\\.\\w\\d\nand more"}"#,
        r#"{"m":"must match \\d\nand more"}"#,
        r"must match ^[\\w.-]+@[\\w-]+\\.\\w+$\nTry",
        r#"cannot connect to {"server":"primary pool","orderLines":3}"#,
        r#"host lookup {"server":{"retryCount":3}}"#,
    ];
    for text in innocent {
        assert_eq!(Redactor::client().text(text), text);
    }
}

#[test]
fn an_address_is_seen_wherever_in_a_long_text_it_stands() {
    let words =
        "The order could not be closed because two of its items are still open and it was late.";
    for leak in [
        "fe80:a:b:c:d:e:f:a",
        "fe80:ab:1:2:3:4:5:6",
        "fe80:abc::1",
        "ip-10-0-3-17",
        "ip-172-31-7-200.eu-west-1.compute.internal",
    ] {
        for gap in 1..=32 {
            let text = format!("{words}{}{leak} {words}", " ".repeat(gap));
            let clean = Redactor::client().text(&text).into_owned();
            assert!(!clean.contains(leak), "{clean}");
            assert_eq!(clean.matches(words).count(), 2, "{clean}");
        }
    }
    become_all(&[("ip-1 is not ip-1-2-3", "ip-1 is not ip-1-2-3")]);
}
