//! The proxy variables of the environment.

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc;
use std::thread;

use crate::{breakfall, run};

/// A server that sends the first line of every request to the test and answers none.
fn listen() -> (SocketAddr, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut line = String::new();
            BufReader::new(stream.expect("a connection"))
                .read_line(&mut line)
                .expect("a line");
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    (address, lines)
}

#[test]
fn the_proxy_variables_are_honoured_but_not_for_loopback() {
    let (proxy, at_proxy) = listen();
    let (server, at_server) = listen();
    let call = |url: &str| {
        let command = breakfall(&["call", url, "anything"]);
        let command = command.env("HTTP_PROXY", format!("http://{proxy}"));
        run(command.env("HTTPS_PROXY", format!("http://{proxy}")));
    };
    call(&format!("http://{server}/mcp"));
    assert_eq!(at_server.recv().unwrap(), "POST /mcp HTTP/1.1\r\n");
    assert!(at_proxy.try_recv().is_err(), "loopback is never proxied");

    call("http://upstream.test/mcp");
    let line = at_proxy.recv().unwrap();
    assert_eq!(line, "POST http://upstream.test/mcp HTTP/1.1\r\n");
    while at_proxy.try_recv().is_ok() {}

    call("https://upstream.test/mcp");
    let line = at_proxy.recv().unwrap();
    assert_eq!(line, "CONNECT upstream.test:443 HTTP/1.1\r\n");
}
