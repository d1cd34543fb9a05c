//! The gate, through the binary: which calls are made, denied, and confirmed.

mod odd_servers;

use std::path::{Path, PathBuf};
use std::process::Command;

use breakfall::confirm::{ArgumentsHash, CallScope, ConfirmationToken, TokenGrant, TokenPurpose};
use breakfall::gate::DangerLevel;
use breakfall_gateway::store::{Sqlite, TokenStore as _};
use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;
use testing::wire::Wire;

/// The demo shop behind the gateway.
struct Shop {
    wire: Wire,
    next: u64,
    _folder: Option<TempDir>,
}

impl Shop {
    fn start(args: &[&str], folder: Option<TempDir>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
        let mut wire = Wire::start(command.args(args));
        wire.initialize();
        Self {
            wire,
            next: 1,
            _folder: folder,
        }
    }

    /// Behind `run -c`, with these lines at the top of the configuration and these for the shop.
    fn of(top: &str, shop: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("breakfall.yaml");
        let file = configured(&file, top, shop);
        Self::start(&["run", "-c", &file], Some(folder))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        self.wire.ask(self.next, method, params);
        self.wire.answer(self.next)["result"].take()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// The error object of a refused call.
    fn refused(&mut self, tool: &str, arguments: &Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["_meta"]["dev.breakfall/error"].take()
    }

    fn code(&mut self, tool: &str, arguments: &Value) -> String {
        let error = self.refused(tool, arguments);
        error["code"].as_str().expect("a code").to_owned()
    }

    fn passes(&mut self, tool: &str, arguments: &Value) {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], Value::Null, "{tool}: {result}");
    }

    /// The token that a refused call is given.
    fn token(&mut self, tool: &str, arguments: &Value) -> String {
        let error = self.refused(tool, arguments);
        assert_eq!(error["code"], "CONFIRMATION_REQUIRED", "{error}");
        let token = error["details"]["confirmation_token"].as_str();
        token.expect("a token").to_owned()
    }
}

fn configured(file: &Path, top: &str, shop: &str) -> String {
    let text = format!("store: memory\n{top}\nupstreams:\n  shop:\n    demo: true\n    {shop}\n");
    let text = if top.contains("store:") {
        text.replacen("store: memory\n", "", 1)
    } else {
        text
    };
    std::fs::write(file, text).expect("there is room");
    file.to_str().expect("a plain path").to_owned()
}

fn with_token(arguments: &Value, token: &str) -> Value {
    let mut arguments = arguments.clone();
    arguments["_confirmation"] = token.into();
    arguments
}

fn refund() -> Value {
    json!({"order_id": "ord-1001", "amount_cents": 1000, "reason": "late"})
}

#[test]
fn a_destructive_call_is_made_once_for_each_confirmation() {
    testing::proves!("S4-49", "S4-54", "S4-56", "S4-57");
    let mut shop = Shop::of(
        "",
        "tools: { refund_order: { danger: destructive, reasons: [money leaves] } }",
    );
    let error = shop.refused("refund_order", &refund());
    let details = &error["details"];
    assert_eq!(
        (
            &error["code"],
            &details["operation"],
            &details["danger_level"],
            &details["reasons"]
        ),
        (
            &json!("CONFIRMATION_REQUIRED"),
            &json!("refund_order"),
            &json!("destructive"),
            &json!(["money leaves"])
        )
    );
    let expires_at: Timestamp = details["expires_at"]
        .as_str()
        .expect("a time")
        .parse()
        .expect("a time");
    let lives = expires_at.duration_since(Timestamp::now()).as_secs();
    assert!((280..=300).contains(&lives), "{lives}");
    let token = details["confirmation_token"]
        .as_str()
        .expect("a token")
        .to_owned();
    // Another call cannot use it, and leaves it good.
    let mut other = refund();
    other["amount_cents"] = json!(2000);
    let error = shop.refused("refund_order", &with_token(&other, &token));
    assert_eq!(error["code"], "TOKEN_SCOPE_MISMATCH");
    assert_eq!(error["details"]["token"], json!(token));
    assert_eq!(error["details"]["token_operation"], "refund_order");
    assert_eq!(error["details"]["requested_operation"], "refund_order");
    // The same call in other words can.
    let same = json!({"reason": "late", "_confirmation": token, "amount_cents": 1000.0, "order_id": "ord-1001"});
    shop.passes("refund_order", &same);
    let error = shop.refused("refund_order", &same);
    assert_eq!(error["code"], "TOKEN_ALREADY_USED");
    assert_eq!(error["details"]["token"], json!(token));
    assert!(error["details"]["consumed_at"].is_string(), "{error}");
    // No token is no token, however that is written.
    let none = json!({"order_id": "ord-1001", "amount_cents": 1000, "reason": "late", "_confirmation": null});
    assert_eq!(shop.code("refund_order", &none), "CONFIRMATION_REQUIRED");
    // Unknown and malformed ones look the same.
    for token in ["conf_abc123xyz", "yes", ""] {
        let error = shop.refused("refund_order", &with_token(&refund(), token));
        assert_eq!(error["code"], "TOKEN_INVALID");
        assert_eq!(error["message"], "Invalid confirmation token");
    }
}

const TRUSTS: [&str; 5] = [
    "untested",
    "generated",
    "validated",
    "community_reviewed",
    "certified",
];
const DANGERS: [&str; 5] = [
    "safe",
    "reversible",
    "destructive",
    "dangerous",
    "forbidden",
];
/// The least trust for each danger where the table denies.
const MINIMUM: [&str; 5] = [
    "",
    "validated",
    "validated",
    "community_reviewed",
    "certified",
];
/// One tool for each danger.
const TOOLS: [&str; 5] = [
    "get_order",
    "list_orders",
    "search_products",
    "tour",
    "flaky_stock",
];
/// A row for each danger, a column for each trust: introspection only, allowed, confirmed, denied.
const LITERAL: [&str; 5] = ["iaaaa", "ddaaa", "ddcaa", "dddca", "ddddc"];
const STRICT: [&str; 5] = ["iaaaa", "ddaaa", "ddccc", "dddcc", "ddddc"];

#[test]
fn every_cell_of_the_table_is_what_a_caller_meets() {
    testing::proves!("S4-47", "S4-48");
    for (gate, table) in [("matrix", LITERAL), ("strict", STRICT)] {
        for (column, trust) in TRUSTS.iter().enumerate() {
            let declared = TOOLS
                .iter()
                .zip(DANGERS)
                .map(|(tool, danger)| format!("{tool}: {{ danger: {danger} }}"));
            let declared: Vec<String> = declared.collect();
            let mut shop = Shop::of(
                &format!("gate: {gate}"),
                &format!("trust: {trust}\n    tools: {{ {} }}", declared.join(", ")),
            );
            let arguments = [
                json!({"order_id": "ord-1001"}),
                json!({}),
                json!({"query": "belt"}),
                json!({}),
                json!({"sku": "mat-01"}),
            ];
            for (row, (tool, arguments)) in TOOLS.iter().zip(&arguments).enumerate() {
                let cell = table[row].as_bytes()[column];
                let at = format!("{gate}: {} at {trust}", DANGERS[row]);
                match cell {
                    b'a' => shop.passes(tool, arguments),
                    b'c' => {
                        let token = shop.token(tool, arguments);
                        shop.passes(tool, &with_token(arguments, &token));
                    }
                    b'i' => {
                        let error = shop.refused(tool, arguments);
                        assert_eq!(error["code"], "PERMISSION_TRUST_LEVEL_INSUFFICIENT", "{at}");
                        let expected = json!({"operation": tool, "required_trust": "generated", "actual_trust": trust, "danger_level": row});
                        includes(&error["details"], &expected);
                    }
                    _ => {
                        let error = shop.refused(tool, arguments);
                        assert_eq!(error["code"], "PERMISSION_DANGER_LEVEL_DENIED", "{at}");
                        let expected = json!({
                            "operation": tool, "danger_level": DANGERS[row], "adapter_trust": trust,
                            "minimum_trust_required": MINIMUM[row],
                        });
                        includes(&error["details"], &expected);
                    }
                }
            }
        }
    }
}

fn includes(details: &Value, expected: &Value) {
    for (key, value) in expected.as_object().expect("an object") {
        assert_eq!(&details[key], value, "{key}: {details}");
    }
}

#[test]
fn the_overlay_refuses_before_the_table() {
    let mut shop = Shop::of("trust_policy: { minimum_trust_for_deletes: certified }", "");
    let error = shop.refused("refund_order", &refund());
    assert_eq!(error["code"], "PERMISSION_TRUST_LEVEL_INSUFFICIENT");
    includes(
        &error["details"],
        &json!({"required_trust": "certified", "actual_trust": "validated", "danger_level": 2}),
    );
    let mut shop = Shop::of(
        "trust_policy: { require_confirmation_below: certified }",
        "tools: { get_order: { danger: reversible } }",
    );
    let order = json!({"order_id": "ord-1001"});
    let token = shop.token("get_order", &order);
    shop.passes("get_order", &with_token(&order, &token));
}

#[test]
fn run_without_a_configuration_shows_danger_and_holds_nothing_up() {
    let danger = |shop: &mut Shop, tool: &str| {
        let list = shop.ask("tools/list", &json!({}));
        let tools = list["tools"].as_array().expect("tools").clone();
        let found = tools.into_iter().find(|item| item["name"] == tool);
        found.expect("it is listed")["_meta"]["dev.breakfall/danger"].take()
    };
    let mut shop = Shop::start(&["run", "--demo"], None);
    let shown = json!({"level": "destructive", "gate": "confirm"});
    assert_eq!(danger(&mut shop, "refund_order"), shown);
    assert_eq!(danger(&mut shop, "get_order"), Value::Null);
    shop.passes("refund_order", &refund());
    // With `--gate` the same call has to be confirmed.
    let mut shop = Shop::start(&["run", "--gate", "--demo"], None);
    assert_eq!(danger(&mut shop, "refund_order"), shown);
    let token = shop.token("refund_order", &refund());
    shop.passes("refund_order", &with_token(&refund(), &token));
    let mut shop = Shop::of("gate: report", "");
    shop.passes("refund_order", &refund());
}

#[test]
fn wire_only_calls_pass_the_gate_too() {
    let mut shop = Shop::of("", "wire_only: true");
    let told = |shop: &mut Shop, arguments: &Value| {
        shop.next += 1;
        shop.wire.call(shop.next, "refund_order", arguments);
        shop.wire.answer(shop.next)
    };
    let refused = told(&mut shop, &refund());
    let text = refused.to_string();
    assert!(text.contains("CONFIRMATION_REQUIRED"), "{text}");
    let start = text.find("conf_").expect("a token");
    let token = &text[start..start + 48];
    let done = told(&mut shop, &with_token(&refund(), token));
    assert_eq!(done["result"]["isError"], Value::Null, "{done}");
    assert!(done["result"]["content"].is_array(), "{done}");
}

#[test]
fn an_expired_token_and_that_of_another_process_are_told_as_such() {
    testing::proves!("S4-55");
    let folder = tempfile::tempdir().expect("a folder");
    let db: PathBuf = folder.path().join("store.db");
    let store = Sqlite::open(&db).expect("it is made");
    let issue = |byte: u8, issued_at: Timestamp| {
        let token = ConfirmationToken::from_bytes(TokenPurpose::Confirmation, [byte; 32]);
        let arguments = ArgumentsHash::of(&refund().to_string(), None).expect("JSON");
        let scope = CallScope::new(None, "shop", "refund_order", arguments);
        let record = TokenGrant::new(scope, DangerLevel::Destructive).at(issued_at);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        runtime
            .block_on(store.issue_token(token.hash(), record))
            .expect("room");
        token.reveal().to_owned()
    };
    let now = Timestamp::now();
    let hour_ago = now - std::time::Duration::from_mins(30);
    let (old, fresh) = (issue(1, hour_ago), issue(2, now));
    let top = format!("store: sqlite:{}", db.display());
    let mut shop = Shop::of(&top, "");
    let error = shop.refused("refund_order", &with_token(&refund(), &old));
    assert_eq!(error["code"], "TOKEN_EXPIRED");
    assert_eq!(error["details"]["token"], json!(old));
    let time = |name: &str| -> Timestamp {
        error["details"][name]
            .as_str()
            .expect(name)
            .parse()
            .expect("a time")
    };
    let late = time("current_time")
        .duration_since(time("expired_at"))
        .as_mins();
    assert!((24..=26).contains(&late), "{late}");
    shop.passes("refund_order", &with_token(&refund(), &fresh));
    assert_eq!(
        shop.code("refund_order", &with_token(&refund(), &fresh)),
        "TOKEN_ALREADY_USED"
    );
    // Tokens survive the process; only their hashes are in the file.
    let token = shop.token("refund_order", &refund());
    drop(shop);
    let mut shop = Shop::of(&top, "");
    shop.passes("refund_order", &with_token(&refund(), &token));
    for entry in std::fs::read_dir(folder.path()).expect("a folder") {
        let bytes = std::fs::read(entry.expect("a file").path()).expect("it is read");
        assert!(
            !bytes
                .windows(token.len())
                .any(|window| window == token.as_bytes())
        );
    }
}

#[test]
fn a_way_to_confirm_that_is_not_there_yet_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for way in ["human", "elicit"] {
        let top = format!("confirm: {{ dangerous: {way} }}");
        let file = configured(&folder.path().join("breakfall.yaml"), &top, "");
        let checked = Command::new(env!("CARGO_BIN_EXE_breakfall"))
            .args(["config", "check", &file])
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&checked.stderr).into_owned();
        assert_eq!(checked.status.code(), Some(3), "{said}");
        assert!(
            said.contains(&format!("'{way}' is none of the ways to confirm a call")),
            "{said}"
        );
    }
}

#[test]
fn explain_says_what_happens_to_a_call_and_which_rule_decides() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = configured(
        &folder.path().join("breakfall.yaml"),
        "keys: { ada: 0123456789abcdef }\ntrust_policy: { minimum_trust_for_deletes: certified }",
        "tools: { pay: { danger: reversible, reasons: [money leaves] } }",
    );
    let explain = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_breakfall"))
            .args([&["explain"], args].concat())
            .output()
            .expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let json = |args: &[&str]| -> Value {
        serde_json::from_str(&explain(&[args, &["--json"]].concat())).expect("JSON")
    };
    let found = json(&["--tool", "refund", "-c", &file]);
    let cases = found[0]["cases"].as_array().expect("cases");
    let told: Vec<_> = cases
        .iter()
        .map(|case| {
            (
                case["danger"].as_str(),
                case["outcome"].as_str(),
                case["rule"].as_str(),
            )
        })
        .collect();
    let table = Some("the table of trust and danger (strict)");
    assert_eq!(
        told,
        [
            (Some("reversible"), Some("allowed"), table),
            (
                Some("destructive"),
                Some("trust_insufficient"),
                Some("trust_policy: minimum_trust_for_deletes")
            ),
            (Some("reversible"), Some("allowed"), table),
        ]
    );
    assert_eq!(found[0]["callers"], json!(["ada"]));
    let declared = json(&["--tool", "pay", "-c", &file]);
    assert_eq!(declared[0]["cases"].as_array().map(Vec::len), Some(1));
    assert_eq!(declared[0]["cases"][0]["danger_rule"], "by declaration");
    let page = explain(&["--tool", "purge_logs"]);
    for line in [
        "dangerous, by the name pattern 'purge_*'",
        "PERMISSION_DANGER_LEVEL_DENIED; not denied from trust: community_reviewed up",
        "every client",
    ] {
        assert!(page.contains(line), "{page}");
    }
}
