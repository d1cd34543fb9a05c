//! The official conformance suite finds the same through `serve` as without it, check for check.

use serde_json::json;
use testing::conformance::{Report, Server, Suite, program, run};

use super::Gateway;

#[test]
fn the_released_suite_finds_the_same_through_the_gateway() {
    let server = Server::http(&[]);
    let direct = run(server.url(), Suite::Released);
    same(&direct, &over_http(&server), Suite::Released);
    same(&direct, &over_stdio(), Suite::Released);
}

#[test]
fn the_suite_of_2025_11_25_finds_the_same_through_the_gateway() {
    let server = Server::http(&[]);
    let direct = run(server.url(), Suite::Legacy);
    same(&direct, &over_http(&server), Suite::Legacy);
    same(&direct, &over_stdio(), Suite::Legacy);
}

#[test]
fn the_suite_of_2026_07_28_finds_the_same_through_the_gateway() {
    let server = Server::http(&[]);
    let direct = run(server.url(), Suite::Modern);
    same(&direct, &over_http(&server), Suite::Modern);
}

fn over_http(server: &Server) -> Gateway {
    Gateway::before(&json!({"url": server.url()}))
}

/// In front of a server of the legacy era on standard streams.
fn over_stdio() -> Gateway {
    Gateway::before(&json!({"command": [program(), "--stdio", "--era", "legacy"]}))
}

fn same(direct: &Report, gateway: &Gateway, suite: Suite) {
    let through = run(&gateway.it(), suite);
    assert_eq!(direct.differences(&through), [""; 0]);
}
