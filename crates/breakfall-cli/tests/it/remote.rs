//! `run` in front of public servers over HTTP is for official clients what the same servers are on standard streams:
//! every reply is the same. The bytes need not be: over HTTP the servers themselves write, and tell, otherwise.

use testing::clients::Client;
use testing::compare::differences;
use testing::servers::Server;

#[test]
fn the_server_that_has_everything_is_the_same_over_http() {
    same(Server::Everything);
}

#[test]
fn a_server_on_fastmcp_is_the_same_over_http() {
    same(Server::FastMcp);
}

/// With the newer clients, in every era they have in common with the server.
fn same(server: Server) {
    let behind = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/remote/behind.py");
    let run = ["python3", behind, env!("CARGO_BIN_EXE_breakfall")];
    let folder = tempfile::tempdir().unwrap();
    let newer = |client| matches!(client, Client::Python2 | Client::TypeScript2);
    for (client, era) in server.clients().filter(|(client, _)| newer(*client)) {
        let mut found = differences(server, client, era, &run, folder.path());
        found.retain(|found| !found.starts_with("answer ") && !found.starts_with("message "));
        assert!(
            found.is_empty(),
            "{client:?} in {era:?}: {} differences\n{}",
            found.len(),
            found.join("\n")
        );
    }
}
