//! The server that is measured, over HTTP and on the standard streams.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::net::SocketAddr;
use std::os::fd::AsFd as _;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use memchr::memchr;
use tokio::net::TcpListener;

use crate::answer::Answers;

/// Serves HTTP at an address for ever: JSON answers, no sessions.
pub(crate) fn http(address: SocketAddr) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let answers = Answers::new();
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let answers = answers.clone();
            let service = service_fn(move |request| answer(request, answers.clone()));
            let serving = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // A connection that breaks is one that ends.
            tokio::spawn(async { drop(serving.await) });
        }
    })
}

async fn answer(
    request: Request<Incoming>,
    answers: Answers,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::ACCEPTED;
    if request.method() != Method::POST {
        *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        return Ok(response);
    }
    let Ok(body) = request.into_body().collect().await else {
        *response.status_mut() = StatusCode::BAD_REQUEST;
        return Ok(response);
    };
    if let Some(answer) = answers.to(&body.to_bytes()) {
        *response.status_mut() = StatusCode::OK;
        *response.body_mut() = Full::new(answer.into());
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
    }
    Ok(response)
}

/// Serves the standard streams until the input ends.
pub(crate) fn stdio() -> io::Result<()> {
    // As files, because the standard handles copy everything once more.
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let answers = Answers::new();
    let mut buffer = vec![0; 256 << 10];
    let mut kept = 0;
    loop {
        let read = input.read(&mut buffer[kept..])?;
        if read == 0 {
            return Ok(());
        }
        let end = kept + read;
        let mut from = 0;
        while let Some(length) = memchr(b'\n', &buffer[from..end]) {
            if let Some(mut answer) = answers.to(&buffer[from..from + length]) {
                answer.push(b'\n');
                output.write_all(&answer)?;
            }
            from += length + 1;
        }
        buffer.copy_within(from..end, 0);
        kept = end - from;
    }
}
