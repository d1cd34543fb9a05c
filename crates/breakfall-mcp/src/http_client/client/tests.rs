use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::yield_now;
use tokio::time::{Instant, advance, pause, resume};
use tokio_rustls::TlsAcceptor;

use super::super::connector::CONNECT_TIMEOUT;
use super::super::payload::Payload;
use super::*;
use crate::jsonrpc::RawMessage;

fn client(server: &str, ca: Option<&Path>, proxies: &Matcher) -> PooledClient {
    let server = server.parse().expect("a URI");
    PooledClient::new(&server, ca, proxies, 16).expect("a usable server")
}

fn post(url: &str) -> Request<RequestBody> {
    let payload = Payload::from(RawMessage::from(b"{}".to_vec()));
    let (body, _) = RequestBody::new(payload, None);
    let request = Request::post(url).body(body);
    request.expect("a request")
}

/// The text of a response; its connection is idle afterwards.
async fn text(client: &PooledClient, url: &str, is_repeatable: bool) -> String {
    let sent = client.send(post(url), is_repeatable).await;
    let mut body = sent.expect("a response").into_body();
    let mut bytes = Vec::new();
    while let Some(piece) = body.next().await {
        bytes.extend_from_slice(&piece.expect("a whole body"));
    }
    for _ in 0..100 {
        yield_now().await;
    }
    String::from_utf8(bytes).expect("text")
}

async fn wait(time: Duration) {
    pause();
    advance(time).await;
    resume();
    for _ in 0..100 {
        yield_now().await;
    }
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    (listener, address)
}

/// Answers every request with the number of its connection, what it asks for and its proxy credentials.
async fn serve<S>(stream: S, number: usize, is_http2: bool)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let service = service_fn(move |request: Request<Incoming>| async move {
        let credentials = request.headers().get(PROXY_AUTHORIZATION);
        let credentials = credentials.map(|value| value.to_str().expect("text"));
        let text = format!(
            "{number} {} {}",
            request.uri(),
            credentials.unwrap_or("none")
        );
        Ok::<_, Infallible>(Response::new(text))
    });
    let io = TokioIo::new(stream);
    // The client ends the connection.
    if is_http2 {
        let http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        let _ = http.serve_connection(io, service).await;
    } else {
        let http = hyper::server::conn::http1::Builder::new();
        let _ = http.serve_connection(io, service).await;
    }
}

/// A server over plain HTTP/1.1.
async fn plain_server() -> String {
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        for number in 1.. {
            let (stream, _) = listener.accept().await.expect("a connection");
            tokio::spawn(serve(stream, number, false));
        }
    });
    address
}

/// TLS for a host, and the file with the certificate to trust.
fn tls(host: &str, protocol: &[u8]) -> (TlsAcceptor, tempfile::NamedTempFile) {
    let made = rcgen::generate_simple_self_signed(vec![host.to_owned()]);
    let rcgen::CertifiedKey { cert, signing_key } = made.expect("a certificate");
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider knows its versions")
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .expect("the key of the certificate");
    config.alpn_protocols = vec![protocol.to_vec()];
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), cert.pem()).expect("a file");
    (TlsAcceptor::from(Arc::new(config)), file)
}

fn number(text: &str) -> usize {
    let number = text.split(' ').next();
    number.and_then(|it| it.parse().ok()).expect("a number")
}

#[tokio::test(start_paused = true)]
async fn connects_to_a_dead_server_do_not_wait_for_each_other() {
    // It accepts connections and never answers.
    let (_listener, address) = listen().await;
    let url = format!("https://{address}/mcp");
    let client = Arc::new(client(&url, None, &Matcher::builder().build()));
    let begun = Instant::now();
    let sends: Vec<_> = (0..4)
        .map(|_| {
            let (client, url) = (Arc::clone(&client), url.clone());
            tokio::spawn(async move { client.send(post(&url), false).await })
        })
        .collect();
    for send in sends {
        let error = send.await.expect("no panic").expect_err("no TLS");
        assert!(error.is_connect(), "{error:?}");
    }
    let took = begun.elapsed();
    assert!(took < 2 * CONNECT_TIMEOUT, "{took:?}");
}

#[tokio::test]
async fn a_connection_idle_for_4_s_is_reused_only_for_a_request_that_may_be_repeated() {
    let url = format!("http://{}/mcp", plain_server().await);
    let client = client(&url, None, &Matcher::builder().build());
    let first = number(&text(&client, &url, false).await);
    wait(Duration::from_secs(3)).await;
    assert_eq!(number(&text(&client, &url, false).await), first);
    wait(Duration::from_millis(4_100)).await;
    let second = number(&text(&client, &url, false).await);
    assert_ne!(second, first);

    let repeatable = number(&text(&client, &url, true).await);
    wait(Duration::from_secs(50)).await;
    assert_eq!(number(&text(&client, &url, true).await), repeatable);
    let call = number(&text(&client, &url, false).await);
    assert_ne!(call, repeatable);
    wait(Duration::from_secs(61)).await;
    assert_ne!(number(&text(&client, &url, true).await), repeatable);
}

#[tokio::test]
async fn http2_connections_are_kept_for_60_s() {
    let (acceptor, ca) = tls("127.0.0.1", b"h2");
    let (listener, address) = listen().await;
    let connections = Arc::new(AtomicUsize::new(0));
    let accepted = Arc::clone(&connections);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            let number = accepted.fetch_add(1, Ordering::Relaxed) + 1;
            let stream = acceptor.accept(stream).await.expect("TLS");
            tokio::spawn(serve(stream, number, true));
        }
    });
    let url = format!("https://{address}/mcp");
    let client = client(&url, Some(ca.path()), &Matcher::builder().build());
    let first = number(&text(&client, &url, true).await);
    wait(Duration::from_secs(50)).await;
    assert_eq!(number(&text(&client, &url, false).await), first);
    wait(Duration::from_secs(61)).await;
    assert_ne!(number(&text(&client, &url, false).await), first);
    assert_eq!(connections.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn plain_http_goes_to_the_proxy_with_the_whole_url_and_credentials() {
    let proxy = format!("http://user:secret@{}", plain_server().await);
    let url = "http://upstream.test/mcp";
    let client = client(url, None, &Matcher::builder().http(proxy).build());
    assert_eq!(
        text(&client, url, false).await,
        "1 http://upstream.test/mcp Basic dXNlcjpzZWNyZXQ="
    );
}

#[tokio::test]
async fn https_goes_through_a_tunnel_of_the_proxy() {
    let (acceptor, ca) = tls("upstream.test", b"http/1.1");
    let (listener, address) = listen().await;
    let tunnel = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let connect = read_head(&mut stream).await;
        let accepted = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
        accepted.expect("an open connection");
        let stream = acceptor.accept(stream).await.expect("TLS");
        tokio::spawn(serve(stream, 1, false));
        connect
    });
    let proxies = Matcher::builder()
        .https(format!("http://user:secret@{address}"))
        .build();
    let url = "https://upstream.test/mcp";
    let client = client(url, Some(ca.path()), &proxies);
    assert_eq!(text(&client, url, false).await, "1 /mcp none");
    let connect = tunnel.await.expect("no panic");
    assert!(
        connect.starts_with("CONNECT upstream.test:443 HTTP/1.1\r\n"),
        "{connect}"
    );
    assert!(
        connect.contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n"),
        "{connect}"
    );
}

async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("a whole head"));
    }
    String::from_utf8(head).expect("text")
}
