//! One connection, from its first byte to its end.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::connection_state::ConnectionState;
use super::front::{Front, HttpService};
use super::monitored_io::MonitoredIo;
use super::preface_io::{PREFACE, PrefaceIo, is_http2};
use super::refusal::HttpRefusal;
use super::tls::{ALPN_HTTP2, TlsCertificate};
use crate::error::ReplyOptions;
use crate::repoll::Repoll;

/// What a connection is served with.
#[derive(Debug)]
pub(super) struct ConnectionContext<S> {
    pub(super) front: Arc<Front>,
    pub(super) service: Arc<S>,
    pub(super) state: Arc<ConnectionState>,
}

/// Serves a connection without TLS.
pub(super) async fn serve<S: HttpService>(mut stream: TcpStream, context: ConnectionContext<S>) {
    // Until the first byte a connection has neither buffers nor a parser.
    let mut start = [0; PREFACE.len()];
    let Ok(length) = stream.peek(&mut start).await else {
        return;
    };
    if start[..length].starts_with(&TLS_HANDSHAKE) {
        context.front.warn_of_tls();
        let what = "This address does not speak TLS";
        return refuse(&mut stream, what, "Use the same URL with 'http://'.").await;
    }
    if let Some(is_http2) = is_http2(&start[..length]).or((length == 0).then_some(false)) {
        return Repoll::new(serve_http(stream, is_http2, context)).await;
    }
    // The header timeout covers these bytes too.
    context.state.received();
    if let Ok(Some((stream, is_http2))) = PrefaceIo::read(stream).await {
        if is_http2 {
            context.state.preface_received();
        }
        Repoll::new(serve_http(stream, is_http2, context)).await;
    }
}

/// Serves a connection with TLS.
pub(super) async fn serve_tls<S: HttpService>(
    mut stream: TcpStream,
    tls: Arc<TlsCertificate>,
    handshake_timeout: Duration,
    context: ConnectionContext<S>,
) {
    let mut first = [0];
    match stream.peek(&mut first).await {
        Ok(1) if first == TLS_HANDSHAKE => {}
        Ok(1) => {
            let what = "This address speaks TLS only";
            return refuse(&mut stream, what, "Use the same URL with 'https://'.").await;
        }
        Ok(_) | Err(_) => return,
    }
    let accepted = TlsAcceptor::from(tls.config()).accept(stream);
    let stream = match timeout(handshake_timeout, accepted).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return tracing::debug!(%error, "TLS handshake failed"),
        Err(_) => return tracing::debug!("TLS handshake timed out"),
    };
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(ALPN_HTTP2);
    Repoll::new(serve_http(stream, is_http2, context)).await;
}

/// Answers a client that speaks TLS to a plain address, or the reverse.
async fn refuse(stream: &mut TcpStream, what: &str, remedy: &'static str) {
    let body = HttpRefusal::bad(what, remedy).message_bytes(None, &ReplyOptions::default());
    let length = body.len();
    let head = format!(
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    // The connection ends in either case.
    let _ = stream.write_all(&[head.into_bytes(), body].concat()).await;
}

/// [`Repoll`] boxes this, so that a connection that waits for its first byte is small.
async fn serve_http<T, S>(stream: T, is_http2: bool, context: ConnectionContext<S>)
where
    T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    S: HttpService,
{
    let ConnectionContext {
        front,
        service,
        state,
    } = context;
    let monitor = Arc::clone(&state);
    let answer = service_fn(move |request| {
        let (front, service) = (Arc::clone(&front), Arc::clone(&service));
        let guard = state.begin_request();
        async move {
            let response = front.answer(&*service, request, guard).await;
            // In HTTP/1 the connection is as stuck as its only response; in HTTP/2 each response has a window.
            let tracked = response.map(|body| if is_http2 { body.tracked() } else { body });
            Ok::<_, Infallible>(tracked)
        }
    });
    let ended = if is_http2 {
        let mut http = http2::Builder::new(TokioExecutor::new());
        http.max_concurrent_streams(MAX_STREAMS)
            .max_header_list_size(MAX_HEADER_BYTES);
        let io = TokioIo::new(MonitoredIo::without_heads(stream, monitor));
        http.serve_connection(io, answer).await
    } else {
        let mut http = http1::Builder::new();
        // The header timeout is ours: one clock for all connections instead of a timer for each request.
        http.header_read_timeout(None).max_buf_size(READ_BUFFER);
        let io = TokioIo::new(MonitoredIo::new(stream, monitor));
        http.serve_connection(io, answer).await
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "connection closed with an error");
    }
}

/// The first byte of a TLS handshake.
const TLS_HANDSHAKE: [u8; 1] = [0x16];
/// The size of the read buffer, and so of the headers of a request.
const READ_BUFFER: usize = 64 << 10;
const MAX_HEADER_BYTES: u32 = 64 << 10;
/// The number of concurrent requests on one HTTP/2 connection.
const MAX_STREAMS: u32 = 1000;
