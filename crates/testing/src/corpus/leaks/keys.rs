//! Private keys and signed tokens.

use serde_json::json;

use crate::corpus::encoding::{base64, base64url};
use crate::corpus::plant::{Form, Plant};
use crate::corpus::random::Random;
use crate::corpus::words::{PARTS, person};

/// The lines between the marks.
pub(super) fn pem_body(random: &mut Random, width: usize) -> Vec<String> {
    let length = random.between(120, 700);
    let text = base64(&random.bytes(length));
    let lines = text.as_bytes().chunks(width);
    lines
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .filter(|line| line.len() > 16)
        .collect()
}

pub(super) fn pem(random: &mut Random) -> Plant {
    let kinds: &[(&str, usize)] = &[
        ("RSA PRIVATE KEY", 64),
        ("EC PRIVATE KEY", 64),
        ("OPENSSH PRIVATE KEY", 70),
        ("PRIVATE KEY", 64),
        ("ENCRYPTED PRIVATE KEY", 64),
        ("DSA PRIVATE KEY", 64),
    ];
    let (kind, width) = random.pick(kinds);
    let lines = pem_body(random, width);
    let mut all = vec![format!("-----BEGIN {kind}-----")];
    if kind == "RSA PRIVATE KEY" && random.one_in(3) {
        all.push("Proc-Type: 4,ENCRYPTED".to_owned());
        all.push(format!(
            "DEK-Info: AES-256-CBC,{}",
            random.text("0123456789ABCDEF", 32)
        ));
        all.push(String::new());
    }
    all.extend(lines.iter().cloned());
    // A log may cut a key off; what is there of it is secret all the same.
    if !random.one_in(6) {
        all.push(format!("-----END {kind}-----"));
    }
    match random.below(5) {
        // As an environment variable holds it.
        0 => Plant::line(format!("PRIVATE_KEY=\"{}\"", all.join("\\n")), lines),
        1 => Plant::line(all.join("\\n"), lines),
        // As it looks after a shell has split and joined it.
        2 => Plant::line(all.join(" "), lines),
        3 => Plant::block(all.join("\r\n"), lines),
        _ => Plant::block(all.join("\n"), lines),
    }
}

pub(super) fn pgp(random: &mut Random) -> Plant {
    let lines = pem_body(random, 64);
    let text = format!(
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{}\n={}\n-----END PGP PRIVATE KEY BLOCK-----",
        lines.join("\n"),
        base64(&random.bytes(3))
    );
    Plant::block(text, lines)
}

/// Header, claims and signature; the claims are not encrypted, so they are secret too.
pub(super) fn jwt(random: &mut Random) -> Plant {
    let algorithm = random.pick(&["HS256", "RS256", "ES256", "EdDSA"]);
    let key_id = random.hex(8);
    let header = if random.one_in(2) {
        json!({"alg": algorithm, "typ": "JWT"})
    } else {
        json!({"alg": algorithm, "kid": key_id, "typ": "JWT"})
    };
    let issued = random.between(1_700_000_000, 1_800_000_000);
    let claims = json!({
        "sub": person(random), "iss": random.pick(PARTS), "iat": issued, "exp": issued + 3600, "jti": random.uuid(),
    });
    let size = match algorithm {
        "HS256" => 32,
        "RS256" => 256,
        _ => 64,
    };
    let [header, claims] = [header, claims].map(|part| base64url(part.to_string().as_bytes()));
    let signature = base64url(&random.bytes(size));
    let token = format!("{header}.{claims}.{signature}");
    let plant = Plant::word(token, [claims, signature]);
    match random.below(5) {
        0 => plant.within("Authorization: Bearer ", "", Form::Line),
        1 => plant.within("id_token=", "", Form::Word),
        2 => plant.within("https://app.example.com/login?jwt=", "&lang=en", Form::Word),
        _ => plant,
    }
}
