//! Errors of HTTP libraries: made by those libraries, without a network.

use std::future::Future;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpListener;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use breakfall::classify::http::{Failure, upstream_fault};
use breakfall::{Confidence, Fault, Origin, Timestamp, codes};
use hyper::rt::{ReadBufCursor, Write as HyperWrite};

use super::verdict;
use Confidence::Structural;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(future)
}

/// A server on this machine that answers one connection with some bytes, or not at all.
fn serve(answer: Option<&'static [u8]>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept()?;
        let mut request = [0; 1024];
        let _ = stream.read(&mut request)?;
        match answer {
            Some(bytes) => stream.write_all(bytes),
            // Silent until the other side gives up.
            None => stream.read(&mut request).map(drop),
        }
    });
    format!("http://127.0.0.1:{port}/?key=sk-private-7")
}

/// Asks, and lets somebody read the answer.
fn get<T, F: Future<Output = reqwest::Result<T>>>(
    url: &str,
    read: impl FnOnce(reqwest::Response) -> F,
) -> reqwest::Result<T> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    block_on(async {
        let asked = client.get(url).timeout(Duration::from_millis(500)).send();
        read(asked.await?).await
    })
}

/// What reqwest says, and that the address stays private.
fn told<T>(result: reqwest::Result<T>) -> (&'static str, String) {
    let fault = Fault::from(result.err().expect("an error"));
    let public = format!("{:?}", fault.public());
    assert!(
        !public.contains("sk-private") && !public.contains("127.0.0.1"),
        "{public}"
    );
    assert!(fault.report().to_string().contains("caused by"));
    let origin = fault.responsible();
    assert_ne!(
        origin,
        Origin::Caller,
        "what a service answered is not the caller's doing"
    );
    let (code, rule, sure) = verdict(&fault);
    assert_eq!(sure, Structural);
    (code, rule.to_owned())
}

#[test]
fn errors_of_reqwest_are_told_apart() {
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let refused = get(
        &format!("http://127.0.0.1:{closed}/?key=sk-private-7"),
        |_| async { Ok(()) },
    );
    assert_eq!(
        told(refused),
        ("UNAVAILABLE_NETWORK", "reqwest.connect".to_owned())
    );
    let silent = get(&serve(None), |_| async { Ok(()) });
    assert_eq!(
        told(silent),
        ("UNAVAILABLE_TIMEOUT", "reqwest.timeout".to_owned())
    );
    let builder = reqwest::Client::new().get("no address sk-private").build();
    assert_eq!(
        told(builder),
        ("INTERNAL_CONFIGURATION", "reqwest.builder".to_owned())
    );
    let words = serve(Some(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnope"));
    let decode = get(&words, reqwest::Response::json::<u8>);
    assert_eq!(
        told(decode),
        ("INTERNAL_BAD_UPSTREAM", "reqwest.decode".to_owned())
    );
    let missing = serve(Some(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"));
    let status = get(&missing, |answer| async { answer.error_for_status() });
    assert_eq!(told(status), ("INTERNAL_ERROR", "http.404".to_owned()));
    let limited = serve(Some(
        b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n",
    ));
    let status = get(&limited, |answer| async { answer.error_for_status() });
    assert_eq!(told(status), ("RATE_LIMIT_EXCEEDED", "http.429".to_owned()));
}

async fn fetch(client: &reqwest::Client, url: &str) -> Result<Vec<u8>, Fault> {
    let response = client.get(url).send().await?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = response.bytes().await?;
    if status.is_success() {
        return Ok(body.into());
    }
    let failure = Failure::new(status.as_u16()).headers(&headers).body(&body);
    Err(upstream_fault(&failure, Timestamp::now()))
}

#[test]
fn the_recipe_of_the_readme_keeps_the_wait_and_the_words_of_a_response() {
    let recipe = include_str!("clients.rs").split_once("async fn fetch(");
    let (recipe, _) = recipe
        .and_then(|(_, rest)| rest.split_once("\n}\n"))
        .unwrap();
    assert!(
        include_str!("../../../README.md").contains(recipe),
        "write this: {recipe}"
    );
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let get = |answer| block_on(fetch(&client, &serve(Some(answer))));
    let limited = get(
        b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\ncontent-length: 9\r\n\r\nslow down",
    );
    let limited = limited.expect_err("a failure");
    assert_eq!(limited.code(), codes::RATE_LIMIT_EXCEEDED);
    assert_eq!(limited.wait(), Some(Duration::from_secs(7)));
    assert!(
        limited.report().to_string().contains("slow down"),
        "{}",
        limited.report()
    );
    let missing = get(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    assert_ne!(
        missing.expect_err("a failure").responsible(),
        Origin::Caller
    );
    let found = get(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
    assert_eq!(found.expect("a success"), b"hi");
}

#[test]
fn a_connection_that_breaks_is_the_networks_doing() {
    let nothing = get(&serve(Some(b"")), |_| async { Ok(()) });
    assert_eq!(told(nothing).0, "UNAVAILABLE_NETWORK");
    let half = serve(Some(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"));
    let half = get(&half, reqwest::Response::bytes);
    assert_eq!(told(half).0, "UNAVAILABLE_NETWORK");
    let garbage = get(&serve(Some(b"SSH-2.0-OpenSSH\r\n")), |_| async { Ok(()) });
    assert_eq!(told(garbage).0, "INTERNAL_BAD_UPSTREAM");
}

/// A connection that takes a request, and then answers with some bytes and ends or fails.
struct Script {
    answer: &'static [u8],
    end: Option<ErrorKind>,
    asked: bool,
    waiting: Option<Waker>,
}

fn script(answer: &'static [u8], end: Option<ErrorKind>) -> Script {
    Script {
        answer,
        end,
        asked: false,
        waiting: None,
    }
}

impl hyper::rt::Read for Script {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.asked {
            self.waiting = Some(context.waker().clone());
            return Poll::Pending;
        }
        let count = self.answer.len().min(into.remaining());
        let (now, later) = self.answer.split_at(count);
        into.put_slice(now);
        self.answer = later;
        Poll::Ready(match self.end.filter(|_| count == 0) {
            Some(kind) => Err(kind.into()),
            None => Ok(()),
        })
    }
}

impl HyperWrite for Script {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.asked = true;
        if let Some(waiting) = self.waiting.take() {
            waiting.wake();
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fn hyper_error(script: Script) -> hyper::Error {
    block_on(async {
        let shaken = hyper::client::conn::http1::handshake::<_, String>(script).await;
        let (mut sender, connection) = shaken.expect("a connection");
        let request = http::Request::new(String::new());
        let (answer, end) = tokio::join!(sender.send_request(request), connection);
        answer.err().or(end.err()).expect("an error")
    })
}

#[test]
fn errors_of_hyper_are_told_apart() {
    let cases = [
        (script(b"", None), "UNAVAILABLE_NETWORK", "hyper.incomplete"),
        (
            script(b"SSH-2.0-OpenSSH\r\n", None),
            "INTERNAL_BAD_UPSTREAM",
            "hyper.parse",
        ),
        (
            script(b"", Some(ErrorKind::ConnectionReset)),
            "UNAVAILABLE_NETWORK",
            "io.reset",
        ),
    ];
    for (script, code, rule) in cases {
        let fault = Fault::from(hyper_error(script));
        assert_eq!(verdict(&fault), (code, rule, Structural));
        assert!(fault.report().to_string().contains("caused by"));
    }
}
