//! TLS and HTTP/2.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use breakfall_mcp::http_server::TlsCertificate;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::{Value, json};
use tempfile::TempDir;
use testing::http::{Connection, Request};

use super::{Gateway, until};

/// Files of a certificate.
struct Files {
    _dir: TempDir,
    cert: PathBuf,
    key: PathBuf,
}

impl Files {
    /// New files, and the certificate to trust.
    fn new() -> (Self, String) {
        let dir = tempfile::tempdir().expect("a directory");
        let files = Self {
            cert: dir.path().join("server.pem"),
            key: dir.path().join("server.key"),
            _dir: dir,
        };
        let authority = files.write();
        (files, authority)
    }

    /// Writes new files over them.
    fn write(&self) -> String {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        fs::write(&self.cert, cert.pem()).expect("it can be written");
        fs::write(&self.key, signing_key.serialize_pem()).expect("it can be written");
        cert.pem()
    }

    fn load(&self) -> Arc<TlsCertificate> {
        Arc::new(TlsCertificate::load(&self.cert, &self.key).expect("a good certificate"))
    }

    /// The error of loading them.
    fn fault(&self) -> String {
        let error = TlsCertificate::load(&self.cert, &self.key).expect_err("they are bad");
        let dir = self
            .cert
            .parent()
            .expect("a directory")
            .display()
            .to_string();
        error.to_string().replace(&dir, "")
    }
}

fn list() -> Request {
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    Request::post("/mcp", &message)
}

#[test]
fn with_a_certificate_every_connection_uses_tls() {
    let (files, authority) = Files::new();
    let gateway = Gateway::with(|settings| settings.tls = Some(files.load()));
    let connection = Connection::open(gateway.address).sealed("localhost", &authority);
    let response = connection
        .expect("it is trusted")
        .ask(&list())
        .expect("a response");
    assert_eq!(response.status, 400);
    assert_eq!(response.json()["id"], 7);

    let plain = Connection::open(gateway.address)
        .ask(&list())
        .expect("a response");
    assert_eq!(plain.status, 400);
    assert!(plain.text().contains("https://"), "{}", plain.text());
}

#[test]
fn changed_files_are_reloaded_and_bad_ones_are_refused() {
    let (files, old) = Files::new();
    let gateway = Gateway::with(|settings| {
        settings.tls = Some(files.load());
        settings.read_timeout = Duration::from_millis(200);
    });
    let is_trusted = |authority: &str| {
        let connection = Connection::open(gateway.address).sealed("localhost", authority);
        connection.is_ok_and(|mut connection| connection.ask(&list()).is_ok())
    };
    let mut kept = Connection::open(gateway.address)
        .sealed("localhost", &old)
        .expect("it is trusted");
    let new = files.write();
    until("the new one is shown", || is_trusted(&new));
    assert!(!is_trusted(&old));
    assert_eq!(
        kept.ask(&list()).expect("a response").status,
        400,
        "who is connected stays so"
    );
    fs::write(&files.cert, "nothing").expect("it can be written");
    let tls = TlsCertificate::load(&files.cert, &files.key);
    assert!(tls.is_err());
    assert!(is_trusted(&new), "and goes on");
}

#[test]
fn an_unusable_certificate_says_why() {
    let (files, _) = Files::new();
    let (other, _) = Files::new();
    let (cert, key) = (
        fs::read(&files.cert).expect("PEM"),
        fs::read(&files.key).expect("PEM"),
    );

    fs::copy(&other.key, &files.key).expect("it can be written");
    assert_eq!(
        files.fault(),
        "the key '/server.key' does not belong to the certificate"
    );
    fs::write(&files.key, &cert).expect("it can be written");
    assert!(
        files
            .fault()
            .starts_with("there is no private key in '/server.key'")
    );
    let locked =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    fs::write(&files.key, locked).expect("it can be written");
    assert!(files.fault().contains("openssl pkey"), "{}", files.fault());
    fs::remove_file(&files.key).expect("it is there");
    assert!(
        files
            .fault()
            .starts_with("cannot read the key '/server.key': ")
    );

    fs::write(&files.cert, &key).expect("it can be written");
    assert!(
        files
            .fault()
            .starts_with("there is no certificate in '/server.pem'")
    );
    let garbage = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    fs::write(&files.cert, garbage).expect("it can be written");
    fs::write(&files.key, &key).expect("it can be written");
    assert!(
        files
            .fault()
            .starts_with("the certificate '/server.pem' cannot be used")
    );
}

#[test]
fn http2_in_the_clear_is_understood_at_once() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let session = client.session.expect("a session");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let answers = runtime.expect("a runtime").block_on(async {
        let stream = tokio::net::TcpStream::connect(gateway.address)
            .await
            .expect("it listens");
        let http2 = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await;
        let (mut sender, connection) = http2.expect("HTTP/2");
        tokio::spawn(connection);
        let post = |id: u64| {
            let message = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
            http::Request::post(format!("http://{}/mcp", gateway.address))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("Mcp-Session-Id", &session)
                .body(Whole(Some(message.to_string().into())))
                .expect("a request")
        };
        // Both are open at once, on one connection.
        let first = tokio::spawn(sender.send_request(post(1)));
        let second = tokio::spawn(sender.send_request(post(2)));
        let calls = tokio::task::spawn_blocking(move || {
            let calls = [server.hear(), server.hear()];
            for call in calls.iter().rev() {
                server.reply(call, &json!({}));
            }
            server
        });
        let server = calls.await.expect("both were heard");
        let first = whole(first.await.expect("it runs").expect("a response")).await;
        let second = whole(second.await.expect("it runs").expect("a response")).await;
        drop(server);
        [first, second]
    });
    assert_eq!(
        answers.map(|answer| answer["id"].clone()),
        [json!(1), json!(2)]
    );
}

/// A body in one piece.
struct Whole(Option<Bytes>);

impl hyper::body::Body for Whole {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>> {
        std::task::Poll::Ready(
            self.0
                .take()
                .map(|bytes| Ok(hyper::body::Frame::data(bytes))),
        )
    }
}

async fn whole(response: http::Response<Incoming>) -> Value {
    use hyper::body::Body as _;
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while let Some(frame) =
        std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context)).await
    {
        if let Ok(data) = frame.expect("a frame").into_data() {
            bytes.extend_from_slice(&data);
        }
    }
    serde_json::from_slice(&bytes).expect("JSON")
}
