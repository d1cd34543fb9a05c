//! The server and the official clients, over either transport.

use testing::clients::{Client, Era};
use testing::conformance::{Server, program, surprises, tour};

#[test]
fn official_clients_of_either_era_are_served_over_either_transport() {
    let program = program();
    let program = program.to_str().expect("target/ has a plain name");
    let server = Server::http(&[]);
    for (client, era) in Client::ALL {
        for command in [&[program, "--stdio"][..], &[server.url()]] {
            let report = client.perform(era, command, &tour());
            assert_eq!(
                surprises(&report),
                [""; 0],
                "{client:?} {era:?} {command:?}"
            );
        }
    }
}

#[test]
fn a_client_of_the_era_that_is_left_out_notices() {
    let server = Server::http(&["--era", "modern"]);
    let refused = std::panic::catch_unwind(|| {
        Client::TypeScript1.perform(Era::Legacy, &[server.url()], &tour())
    });
    assert!(refused.is_err());
}
