//! `run` in front of public servers changes nothing for the official clients, down to the bytes on their wire.

use testing::compare::differences;
use testing::servers::Server;

#[test]
fn the_server_that_has_everything_is_the_same_behind_run() {
    same(Server::Everything);
}

#[test]
fn the_filesystem_server_is_the_same_behind_run() {
    same(Server::Filesystem);
}

#[test]
fn the_memory_server_is_the_same_behind_run() {
    same(Server::Memory);
}

#[test]
fn the_time_server_is_the_same_behind_run() {
    same(Server::Time);
}

#[test]
fn the_git_server_is_the_same_behind_run() {
    same(Server::Git);
}

#[test]
fn a_server_on_fastmcp_is_the_same_behind_run() {
    same(Server::FastMcp);
}

/// With every client, in every era it has in common with the server.
fn same(server: Server) {
    let run = [env!("CARGO_BIN_EXE_breakfall"), "run", "--wire-only", "--"];
    let folder = tempfile::tempdir().unwrap();
    for (client, era) in server.clients() {
        let found = differences(server, client, era, &run, folder.path());
        assert!(
            found.is_empty(),
            "{client:?} in {era:?}: {} differences\n{}",
            found.len(),
            found.join("\n")
        );
    }
}
