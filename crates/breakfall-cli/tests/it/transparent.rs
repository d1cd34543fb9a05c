//! `run` in front of public servers changes nothing but failures for the official clients, down to the bytes on their wire.

use testing::compare::Direct;
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

/// With every client, in every era it has in common with the server: nothing is changed where nothing is judged, and
/// failures alone are where calls are.
fn same(server: Server) {
    let breakfall = env!("CARGO_BIN_EXE_breakfall");
    let folder = tempfile::tempdir().unwrap();
    for (client, era) in server.clients() {
        let direct = Direct::observe(server, client, era, folder.path());
        let wire = direct.differences(&[breakfall, "run", "--wire-only", "--"], folder.path());
        let judged = direct.differences_but_failures(&[breakfall, "run", "--"], folder.path());
        for (how, found) in [("on the wire", wire), ("judged", judged)] {
            assert!(
                found.is_empty(),
                "{client:?} in {era:?} {how}: {} differences\n{}",
                found.len(),
                found.join("\n")
            );
        }
    }
}
