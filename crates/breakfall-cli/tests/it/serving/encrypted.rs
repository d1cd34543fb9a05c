//! With a certificate.

use std::fs;
use std::path::Path;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedKey, IsCa, KeyPair, generate_simple_self_signed,
};
use serde_json::json;
use testing::http::{Client, Connection, LEGACY, Request};

use super::{Gateway, faulty, until};
use crate::{breakfall, run};

const CONFIG: &str =
    "tls: { cert: server.pem, key: server.key }\nupstreams: { shop: { demo: true } }\n";

/// Makes a certificate, and gives what to trust to trust it.
fn certify(folder: &Path) -> String {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    fs::write(folder.join("server.key"), signing_key.serialize_pem()).expect("a file");
    fs::write(folder.join("server.pem"), cert.pem()).expect("a file");
    cert.pem()
}

fn is_trusted(gateway: &Gateway, authority: &str) -> bool {
    let connection = Connection::open(gateway.address).sealed("localhost", authority);
    let health = Request::new("GET", "/healthz");
    let response = connection.and_then(|mut connection| connection.ask(&health));
    response.is_ok_and(|response| response.status == 200)
}

#[test]
fn clients_speak_in_tls_and_hear_so_if_they_do_not() {
    let mut authority = String::new();
    let gateway = Gateway::with(CONFIG, |folder| authority = certify(folder));
    assert!(
        gateway.greeting.contains("https://"),
        "{}",
        gateway.greeting
    );
    assert!(is_trusted(&gateway, &authority));
    let client = gateway.modern("/mcp");
    let call = json!({"name": "get_order", "arguments": {"order_id": "ord-1001"}});
    let request = client.post(&client.message(1, "tools/call", &call));
    let mut sealed = Connection::open(gateway.address)
        .sealed("localhost", &authority)
        .expect("it is trusted");
    let answer = sealed.ask(&request).expect("an answer").answer(1);
    assert_eq!(super::content(&answer)["status"], "paid", "{answer}");
    let plain = gateway.get("/healthz");
    assert_eq!(plain.status, 400);
    assert!(plain.text().contains("https://"), "{}", plain.text());
}

#[test]
fn a_new_certificate_is_shown_without_a_restart() {
    let mut old = String::new();
    let gateway = Gateway::with(CONFIG, |folder| old = certify(folder));
    assert!(is_trusted(&gateway, &old));
    let new = certify(gateway.folder.path());
    until("the new one is shown", || {
        is_trusted(&gateway, &new).then_some(())
    });
    assert!(!is_trusted(&gateway, &old));
}

#[test]
fn encryption_can_be_switched_on_while_it_runs() {
    let mut gateway = Gateway::of("upstreams: { shop: { demo: true } }\n");
    assert_eq!(gateway.get("/healthz").status, 200);
    let authority = certify(gateway.folder.path());
    gateway.write(CONFIG);
    gateway.says("configuration reloaded");
    assert!(is_trusted(&gateway, &authority));
}

#[test]
fn a_server_behind_a_certificate_of_ones_own_is_reached_over_one_connection_of_http_2() {
    const CALLS: usize = 50;
    let mut authority = String::new();
    let config = format!(
        "tls: {{ cert: server.pem, key: server.key }}\nupstreams:\n  odd:\n    {}\n",
        faulty()
    );
    let far = Gateway::with(&config, |folder| authority = certify(folder));
    let url = format!("https://localhost:{}/mcp", far.address.port());
    let near = Gateway::with(
        &json!({"upstreams": {"it": {"url": url, "ca": "far.pem"}}}).to_string(),
        |folder| fs::write(folder.join("far.pem"), &authority).expect("a file"),
    );
    for client in [near.legacy("/mcp"), near.modern("/mcp")] {
        super::pid(&client);
        let before = far.files();
        let park = |number| json!({"name": "park", "arguments": {"number": number}});
        let parked: Vec<Connection> = (0..CALLS)
            .map(|number| client.open(&client.message(number, "tools/call", &park(number))))
            .collect();
        until("all are under way", || {
            let answer = client.call("s", "state", &json!({}));
            (super::content(&answer)["parked"] == CALLS).then_some(())
        });
        assert!(far.files() <= before, "no connection for each of them");
        client.call("r", "release", &json!({}));
        for (number, mut call) in parked.into_iter().enumerate() {
            let answer = call.response().expect("an answer").answer(number);
            assert_eq!(super::content(&answer)["number"], number, "{answer}");
        }
    }
    // Only the named authority is trusted.
    let near = Gateway::before(&json!({"url": url}));
    let answer = Client::silent(near.address, "/mcp/it", LEGACY).initialize();
    let data = &answer.json()["error"]["data"];
    assert_eq!(data["code"], "UNAVAILABLE_TLS", "{data}");
}

#[test]
fn a_certificate_of_plain_openssl_is_refused_with_the_cause() {
    // What `openssl req -x509` makes: an authority that is shown as a server.
    let certify_plainly = |folder: &Path| {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(["localhost".to_owned()]).expect("a name");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let cert = params.self_signed(&key).expect("a certificate");
        fs::write(folder.join("server.key"), key.serialize_pem()).expect("a file");
        fs::write(folder.join("server.pem"), cert.pem()).expect("a file");
    };
    let gateway = Gateway::with(CONFIG, certify_plainly);
    let url = format!("https://localhost:{}/mcp", gateway.address.port());
    let args = ["call", "--ca", "server.pem", &url, "--list"];
    let output = run(breakfall(&args).current_dir(gateway.folder.path()));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{text}");
    assert!(text.contains("CA:TRUE"), "{text}");
    assert!(
        text.contains("basicConstraints=critical,CA:FALSE"),
        "{text}"
    );
}

#[test]
fn a_call_trusts_the_given_authority_and_says_why_it_refuses_others() {
    let gateway = Gateway::with(CONFIG, |folder| drop(certify(folder)));
    let port = gateway.address.port();
    let call = |scheme: &str, name: &str, more: &[&str]| {
        let url = format!("{scheme}://{name}:{port}/mcp");
        let ask = [&url, "get_order", r#"{"order_id":"ord-1001"}"#];
        let args = [&["call"], more, &ask].concat();
        let output = run(breakfall(&args).current_dir(gateway.folder.path()));
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        (output.status.code(), text)
    };
    let (code, text) = call("https", "localhost", &["--ca", "server.pem"]);
    assert!(code == Some(0) && text.contains("ord-1001"), "{text}");
    for (scheme, name, more, why, fix) in [
        (
            "https",
            "localhost",
            &[][..],
            "the certificate is not signed by a trusted authority",
            "--ca FILE",
        ),
        (
            "https",
            "127.0.0.1",
            &["--ca", "server.pem"][..],
            "the certificate is for another name",
            "a name that is in it",
        ),
        (
            "http",
            "localhost",
            &[][..],
            "speaks TLS only",
            "'https://'",
        ),
    ] {
        let (code, text) = call(scheme, name, more);
        assert_eq!(code, Some(5), "{text}");
        assert!(text.contains(why) && text.contains(fix), "{text}");
    }
    let (code, text) = call("https", "localhost", &["--ca", "nowhere.pem"]);
    assert!(code == Some(2) && text.contains("nowhere.pem"), "{text}");
}

#[test]
fn a_bad_certificate_is_one_clear_message() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("my.yaml"), CONFIG).expect("a file");
    let serve = |what: &str| {
        let args = ["serve", "-c", "my.yaml", "--listen", "127.0.0.1:0"];
        let output = run(breakfall(&args).current_dir(folder.path()));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(output.stdout.is_empty());
        assert!(
            stderr.contains(what) && stderr.contains("hint: under 'tls'"),
            "{stderr}"
        );
    };
    serve("cannot read the certificate 'server.pem'");
    certify(folder.path());
    fs::write(folder.path().join("server.pem"), "no certificate").expect("a file");
    serve("there is no certificate in 'server.pem'");
    certify(folder.path());
    let key = fs::read(folder.path().join("server.key")).expect("a file");
    certify(folder.path());
    fs::write(folder.path().join("server.key"), key).expect("a file");
    serve("does not belong to the certificate");
}
