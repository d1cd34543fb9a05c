//! The comparison finds every difference that is made, and no other.

use testing::clients::{Client, Era};
use testing::compare::differences;
use testing::servers::Server;

const NOTHING: &[&str] = &["sh", "-c", r#"exec "$@""#, "sh"];

#[test]
fn a_wrapper_that_does_nothing_makes_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    for (server, client, era) in [
        (Server::Everything, Client::TypeScript1, Era::Legacy),
        (Server::Git, Client::Python2, Era::Modern),
        (Server::FastMcp, Client::TypeScript2, Era::Modern),
    ] {
        let found = differences(server, client, era, NOTHING, folder.path());
        assert!(found.is_empty(), "{server:?}:\n{}", found.join("\n"));
    }
}

#[test]
fn whatever_a_wrapper_changes_is_found() {
    let changes = [
        ("another code", "s/-32602/-32603/"),
        ("a lost field", r#"s/"structuredContent"/"structured"/"#),
        ("a number written otherwise", r"s/0\.30000000000000004/0.3/"),
        ("a space", r#"s/"jsonrpc":"2.0"/"jsonrpc": "2.0"/"#),
        ("a lost notification", r#"/"notifications\/progress"/d"#),
        (
            "lost metadata",
            r#"s/"annotations":{[^}]*}/"annotations":{}/"#,
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (what, script) in changes {
        let program = format!(r#""$@" | sed -u '{script}'"#);
        let wrapper = ["sh", "-c", &program, "sh"];
        let (client, era) = (Client::TypeScript1, Era::Legacy);
        let found = differences(Server::Everything, client, era, &wrapper, folder.path());
        assert!(!found.is_empty(), "{what}");
    }
}
