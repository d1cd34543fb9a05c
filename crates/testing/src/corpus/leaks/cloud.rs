//! Clouds: keys whose shape their vendors document.

use serde_json::json;

use super::keys::pem_body;
use crate::corpus::encoding::base64;
use crate::corpus::plant::{Form, Plant, halves};
use crate::corpus::random::{ALNUM, HEX, Random, URL_SAFE};
use crate::corpus::words::{FIRMS, PARTS, project};

/// Four letters for the kind of key, sixteen of base 32.
pub(super) fn aws_id(random: &mut Random) -> String {
    let kind = random.pick(&["AKIA", "ASIA"]);
    format!(
        "{kind}{}",
        random.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
    )
}

pub(super) fn aws_access_key_id(random: &mut Random) -> Plant {
    let id = aws_id(random);
    match random.below(4) {
        0 => Plant::line(format!("aws_access_key_id = {id}"), [id]),
        1 => Plant::line(
            format!("InvalidClientTokenId: the security token of {id} is not valid (Service: Sts)"),
            [id],
        ),
        _ => Plant::word(id.clone(), [id]),
    }
}

/// Forty characters of base64: only its name tells it from a digest.
pub(super) fn aws_secret_key(random: &mut Random) -> Plant {
    let secret = base64(&random.bytes(30));
    let secrets = halves(&secret);
    let name = random.pick(&[
        "aws_secret_access_key",
        "AWS_SECRET_ACCESS_KEY",
        "SecretAccessKey",
        "secretAccessKey",
    ]);
    match random.below(5) {
        0 => Plant::line(format!("{name} = {secret}"), secrets),
        1 => Plant::line(format!("{name}={secret}"), secrets),
        2 => Plant::line(
            json!({ name: secret, "Region": "eu-west-1" }).to_string(),
            secrets,
        ),
        3 => Plant::line(format!("{name}: \"{secret}\""), secrets),
        _ => Plant::block(
            format!(
                "[default]\naws_access_key_id = {}\n{name} = {secret}\nregion = eu-central-1",
                aws_id(random)
            ),
            secrets,
        ),
    }
}

pub(super) fn google_api_key(random: &mut Random) -> Plant {
    Plant::credential(format!("AIza{}", random.text(URL_SAFE, 35)))
}

/// A client secret, or an access token of an hour.
pub(super) fn google_oauth(random: &mut Random) -> Plant {
    Plant::credential(if random.one_in(2) {
        format!("GOCSPX-{}", random.text(URL_SAFE, 28))
    } else {
        let length = random.between(120, 200);
        format!("ya29.a0{}", random.text(URL_SAFE, length))
    })
}

/// The file of a service account, as a library prints it when it cannot use it.
pub(super) fn gcp_service_account(random: &mut Random) -> Plant {
    let project = project(random);
    let lines = pem_body(random, 64);
    let email = format!("{}@{project}.iam.gserviceaccount.com", random.pick(PARTS));
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        lines.join("\n")
    );
    let file = json!({
        "type": "service_account",
        "project_id": project,
        "private_key_id": random.hex(40),
        "private_key": key,
        "client_email": email,
        "token_uri": "https://oauth2.googleapis.com/token",
    });
    let mut secret = lines;
    secret.push(email);
    if random.one_in(2) {
        let pretty = serde_json::to_string_pretty(&file).expect("a value is JSON");
        Plant::block(pretty, secret)
    } else {
        Plant::line(file.to_string(), secret)
    }
}

pub(super) fn azure_storage(random: &mut Random) -> Plant {
    let key = base64(&random.bytes(64));
    let account = format!("{}{}", random.pick(FIRMS), random.pick(PARTS));
    let secret = halves(&key);
    let text = match random.below(3) {
        0 => format!(
            "DefaultEndpointsProtocol=https;AccountName={account};AccountKey={key};EndpointSuffix=core.windows.net"
        ),
        1 => format!("AccountName={account};AccountKey={key}"),
        _ => format!(
            "Endpoint=sb://{account}.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey={key}"
        ),
    };
    let form = if random.one_in(2) {
        Form::Word
    } else {
        Form::Line
    };
    Plant { text, secret, form }
}

pub(super) fn digitalocean(random: &mut Random) -> Plant {
    let kind = random.pick(&["dop", "doo", "dor"]);
    Plant::credential(format!("{kind}_v1_{}", random.hex(64)))
}

pub(super) fn databricks(random: &mut Random) -> Plant {
    let end = random.pick(&["", "-2", "-3"]);
    Plant::credential(format!("dapi{}{end}", random.hex(32)))
}

pub(super) fn alibaba(random: &mut Random) -> Plant {
    Plant::credential(format!("LTAI{}", random.text(ALNUM, 20)))
}

/// Service tokens and batch tokens.
pub(super) fn vault(random: &mut Random) -> Plant {
    let (kind, length) = random.pick(&[("hvs.", 92), ("hvb.", 150)]);
    Plant::credential(format!("{kind}{}", random.text(URL_SAFE, length)))
}

pub(super) fn terraform_cloud(random: &mut Random) -> Plant {
    let (id, rest) = (random.strong(14), random.text(URL_SAFE, 67));
    Plant::credential(format!("{id}.atlasv1.{rest}"))
}

pub(super) fn fly(random: &mut Random) -> Plant {
    Plant::credential(format!("fo1_{}", random.text(URL_SAFE, 43)))
}

pub(super) fn doppler(random: &mut Random) -> Plant {
    Plant::credential(format!("dp.pt.{}", random.text(ALNUM, 43)))
}

pub(super) fn supabase(random: &mut Random) -> Plant {
    Plant::credential(format!("sbp_{}", random.text(HEX, 40)))
}
