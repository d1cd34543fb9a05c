//! Very many at once, and nothing is left of them.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use testing::http::{Client, Connection, LEGACY, Request};

use super::{Gateway, content, faulty, pid, until};

/// What a gateway uses.
#[derive(Debug)]
struct Used {
    files: usize,
    children: usize,
}

impl Used {
    fn by(gateway: &Gateway) -> Self {
        Self {
            files: gateway.files(),
            children: gateway.children(),
        }
    }

    /// Whether it is no more than before. It may be less: a connection may have been on its way out then.
    fn is_within(&self, before: &Self) -> bool {
        self.files <= before.files && self.children <= before.children
    }
}

fn park(number: usize) -> Value {
    json!({"name": "park", "arguments": {"number": number}})
}

fn end(gateway: &Gateway, client: &Client, path: &str) {
    let session = client.session.as_deref().expect("a session");
    let request = Request::new("DELETE", path).header("Mcp-Session-Id", session);
    let ended = Connection::open(gateway.address).ask(&request);
    assert!(ended.expect("it answers").status < 300);
}

#[test]
fn a_thousand_sessions_each_with_its_own_server_leave_nothing() {
    const SESSIONS: usize = 1000;
    const PROCESSES: usize = 100;
    let gateway = Gateway::of(&format!(
        "upstreams:\n  shop: {{ demo: true }}\n  odd:\n    {}\n",
        faulty()
    ));
    end(&gateway, &gateway.legacy("/mcp/shop"), "/mcp/shop");
    let before = Used::by(&gateway);
    let memory = gateway.memory();
    let path = |number: usize| {
        if number < PROCESSES {
            "/mcp/odd"
        } else {
            "/mcp/shop"
        }
    };
    let numbers: Vec<usize> = (0..SESSIONS).collect();
    let clients: Vec<Client> = thread::scope(|scope| {
        let workers: Vec<_> = numbers
            .chunks(SESSIONS / 8)
            .map(|numbers| {
                let address = gateway.address;
                let open = move || -> Vec<Client> {
                    let clients = numbers
                        .iter()
                        .map(|number| Client::legacy(address, path(*number)));
                    clients.collect()
                };
                scope.spawn(open)
            })
            .collect();
        let clients = workers
            .into_iter()
            .map(|worker| worker.join().expect("sessions"));
        clients.flatten().collect()
    });
    assert_eq!(gateway.children(), PROCESSES);
    let full = Client::silent(gateway.address, "/mcp/shop", LEGACY).initialize();
    assert_eq!(full.status, 503, "{}", full.text());
    for client in clients.iter().step_by(97) {
        let answer = client.ask("l", "tools/list", &json!({}));
        assert!(answer["result"]["tools"].is_array(), "{answer}");
    }
    let mut pids: Vec<u64> = clients[..PROCESSES].iter().map(pid).collect();
    pids.sort_unstable();
    pids.dedup();
    assert_eq!(pids.len(), PROCESSES, "each has its own");
    for (number, client) in clients.iter().enumerate() {
        end(&gateway, client, path(number));
    }
    until("everything is given back", || {
        Used::by(&gateway).is_within(&before).then_some(())
    });
    let grown = gateway.memory().saturating_sub(memory);
    assert!(grown < 48 << 20, "{} MiB more than before", grown >> 20);
    // And there is room again.
    gateway.legacy("/mcp/odd");
}

#[test]
fn sessions_that_are_opened_at_once_are_no_more_than_are_allowed() {
    const CLIENTS: usize = 16;
    let gateway = Gateway::of("sessions: { max: 4 }\nupstreams:\n  shop: { demo: true }\n");
    for _ in 0..20 {
        let barrier = Barrier::new(CLIENTS);
        let open = || {
            let mut client = Client::silent(gateway.address, "/mcp", LEGACY);
            barrier.wait();
            let session = client.initialize().header("Mcp-Session-Id")?.to_owned();
            client.session = Some(session);
            Some(client)
        };
        let opened: Vec<Client> = thread::scope(|scope| {
            let threads: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(open)).collect();
            let threads = threads.into_iter();
            threads
                .filter_map(|thread| thread.join().expect("a response"))
                .collect()
        });
        assert_eq!(opened.len(), 4);
        for client in &opened {
            end(&gateway, client, "/mcp");
        }
    }
}

#[test]
fn ten_thousand_calls_under_way_at_once_are_all_answered() {
    const CALLS: usize = 10_000;
    testing::many_files();
    let gateway = Gateway::of(&format!("upstreams:\n  odd:\n    {}\n", faulty()));
    let client = gateway.legacy("/mcp");
    pid(&client);
    let before = Used::by(&gateway);
    let memory = gateway.memory();
    let calls: Vec<TcpStream> = (0..CALLS)
        .map(|number| {
            let message = client.message(number, "tools/call", &park(number));
            let request = client.post(&message).header("Connection", "close");
            let mut stream = TcpStream::connect(gateway.address).expect("it listens");
            let bytes = request.bytes(&gateway.address.to_string());
            stream.write_all(&bytes).expect("it reads");
            stream
        })
        .collect();
    until("all are under way", || {
        let answer = client.call("s", "state", &json!({}));
        (content(&answer)["parked"] == CALLS).then_some(())
    });
    let answer = client.call("r", "release", &json!({}));
    assert_eq!(content(&answer)["released"], CALLS);
    for (number, mut call) in calls.into_iter().enumerate() {
        let mut response = String::new();
        call.read_to_string(&mut response).expect("a response");
        let (head, _) = response.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        let own = format!("\"number\":{number}}}");
        assert!(response.contains(&own), "{response}");
    }
    until("every connection is given back", || {
        Used::by(&gateway).is_within(&before).then_some(())
    });
    let grown = gateway.memory().saturating_sub(memory);
    assert!(grown < 256 << 20, "{} MiB more than before", grown >> 20);
}

#[test]
fn ten_thousand_idle_connections_do_no_harm() {
    testing::many_files();
    let gateway = Gateway::of("upstreams: { shop: { demo: true } }");
    let client = gateway.legacy("/mcp");
    let before = Used::by(&gateway);
    let memory = gateway.memory();
    let count = testing::most_files().saturating_sub(500).min(10_000);
    assert!(count >= 1000, "{count} connections are none");
    let mut idle = Vec::new();
    while idle.len() < count {
        idle.push(TcpStream::connect(gateway.address).expect("it listens"));
        // Not faster than they are let in, or the system makes us wait for a second.
        if idle.len() % 500 == 0 || idle.len() == count {
            // What was on its way out before may be gone.
            until("they are let in", || {
                (gateway.files() + 8 >= before.files + idle.len()).then_some(())
            });
        }
    }
    let each = gateway.memory().saturating_sub(memory) / count;
    assert!(each < 4096, "{each} bytes for each of {count}");
    for id in 0..100 {
        let answer = client.call(id, "get_order", &json!({"order_id": "ord-1001"}));
        assert_eq!(content(&answer)["status"], "paid", "{answer}");
    }
    drop(idle);
    until("every connection is given back", || {
        Used::by(&gateway).is_within(&before).then_some(())
    });
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a process that hangs does so by the clock"
)]
fn a_server_that_hangs_does_not_affect_others() {
    let gateway = Gateway::of(&format!(
        "upstreams:\n  shop: {{ demo: true }}\n  odd:\n    {}\n  stuck:\n    command: [sleep, '1000']\n    timeout: 3s\n",
        faulty()
    ));
    let is_over = AtomicBool::new(false);
    let address = gateway.address;
    let all = thread::scope(|scope| {
        let stuck = scope.spawn(|| {
            let refused = Client::silent(address, "/mcp/stuck", LEGACY).initialize();
            is_over.store(true, Ordering::Relaxed);
            refused
        });
        let all = scope.spawn(|| {
            let begun = Instant::now();
            (Client::legacy(address, "/mcp"), begun.elapsed())
        });
        let (shop, odd) = (gateway.legacy("/mcp/shop"), gateway.modern("/mcp/odd"));
        let mut calls = 0;
        while !is_over.load(Ordering::Relaxed) {
            let answer = shop.call(calls, "get_order", &json!({"order_id": "ord-1001"}));
            assert_eq!(content(&answer)["status"], "paid", "{answer}");
            let answer = odd.call(calls, "echo", &json!({"n": calls}));
            assert_eq!(content(&answer)["n"], calls, "{answer}");
            calls += 1;
        }
        assert!(calls > 20, "only {calls} calls while one server hung");
        let refused = stuck.join().expect("an answer");
        let data = refused.json()["error"]["data"].clone();
        assert_eq!(data["code"], "UNAVAILABLE_TIMEOUT", "{data}");
        all.join().expect("a session with all")
    });
    let (all, waited) = all;
    // A request to all of them waits at most as long as its answer may take: three seconds, and some for the machine.
    assert!(waited.as_secs() < 10, "{waited:?}");
    let begun = Instant::now();
    let answer = all.ask("l", "tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().map(Vec::len);
    assert!(tools.is_some_and(|tools| tools > 10), "{answer}");
    assert!(begun.elapsed().as_secs() < 8, "{:?}", begun.elapsed());
    let answer = all.call(1, "shop__get_order", &json!({"order_id": "ord-1001"}));
    assert_eq!(content(&answer)["status"], "paid", "{answer}");
    let answer = all.call(2, "odd__echo", &json!({"n": 2}));
    assert_eq!(content(&answer)["n"], 2, "{answer}");
}

#[test]
fn a_session_that_does_not_read_its_answers_is_closed_and_logged() {
    let mut gateway = Gateway::of(&format!(
        "sessions: {{ unread: 32MiB }}\nlimits: {{ response: 32MiB }}\nupstreams:\n  odd:\n    {}\n",
        faulty()
    ));
    let client = gateway.legacy("/mcp");
    let params = json!({"name": "echo", "arguments": {"text": "x".repeat(12 << 20)}});
    let unread = [1, 2].map(|id| client.open(&client.message(id, "tools/call", &params)));
    let line = gateway.says("session closed: the client does not read its answers");
    assert!(line.contains("unread_bytes"), "{line}");
    let read =
        unread.map(|mut connection| connection.response().is_ok_and(|one| one.status == 200));
    assert_eq!(read, [false, false]);
    let ping = client.message(3, "ping", &json!({}));
    assert_eq!(client.send(&ping).status, 404);
    let other = gateway.legacy("/mcp");
    assert_eq!(other.send(&ping).status, 200);
}
