//! Payment, mail, models and other services with keys of their own shape.

use crate::corpus::plant::{Form, Plant, halves};
use crate::corpus::random::{ALNUM, HEX, LETTERS, Random, UPPER_ALNUM, URL_SAFE};

pub(super) fn stripe(random: &mut Random) -> Plant {
    let kind = random.pick(&["sk_live_", "rk_live_"]);
    let length = random.pick(&[24, 99]);
    Plant::credential(format!("{kind}{}", random.text(ALNUM, length)))
}

/// Signs what arrives at a webhook.
pub(super) fn stripe_webhook(random: &mut Random) -> Plant {
    Plant::credential(format!("whsec_{}", random.text(ALNUM, 32)))
}

pub(super) fn square(random: &mut Random) -> Plant {
    Plant::credential(match random.below(3) {
        0 => format!("sq0atp-{}", random.text(URL_SAFE, 22)),
        1 => format!("sq0csp-{}", random.text(URL_SAFE, 43)),
        _ => format!("EAAA{}", random.text(URL_SAFE, 60)),
    })
}

pub(super) fn shopify(random: &mut Random) -> Plant {
    let kind = random.pick(&["shpat_", "shpca_", "shppa_", "shpss_"]);
    Plant::credential(format!("{kind}{}", random.hex(32)))
}

pub(super) fn braintree(random: &mut Random) -> Plant {
    let (id, key) = (
        random.text("0123456789bcdfghjkmnpqrstvwxyz", 16),
        random.hex(32),
    );
    Plant::word(format!("access_token$production${id}${key}"), [key])
}

pub(super) fn sendgrid(random: &mut Random) -> Plant {
    let (id, key) = (random.text(URL_SAFE, 22), random.text(URL_SAFE, 43));
    Plant::credential(format!("SG.{id}.{key}"))
}

/// The key itself by its shape, or the token of an account by its name.
pub(super) fn twilio(random: &mut Random) -> Plant {
    let key = random.hex(32);
    if random.one_in(2) {
        return Plant::credential(format!("SK{key}"));
    }
    let name = random.pick(&["TWILIO_AUTH_TOKEN=", "twilio_auth_token: ", "authToken="]);
    Plant::word(key.clone(), halves(&key)).within(name, "", Form::Line)
}

pub(super) fn mailgun(random: &mut Random) -> Plant {
    Plant::credential(format!("key-{}", random.hex(32)))
}

pub(super) fn mailchimp(random: &mut Random) -> Plant {
    let key = format!("{}-us{}", random.hex(32), random.between(1, 21));
    let name = random.pick(&[
        "MAILCHIMP_API_KEY=",
        "mailchimp api key: ",
        "\"apikey\": \"",
    ]);
    let after = if name.ends_with('"') { "\"" } else { "" };
    Plant::credential(key).within(name, after, Form::Line)
}

pub(super) fn notion(random: &mut Random) -> Plant {
    let (number, rest) = (random.number(11), random.text(ALNUM, 35));
    Plant::credential(format!("ntn_{number}{rest}"))
}

pub(super) fn grafana(random: &mut Random) -> Plant {
    let (body, check) = (random.text(ALNUM, 32), random.hex(8));
    Plant::credential(format!("glsa_{body}_{check}"))
}

pub(super) fn new_relic(random: &mut Random) -> Plant {
    Plant::credential(format!("NRAK-{}", random.text(UPPER_ALNUM, 27)))
}

pub(super) fn airtable(random: &mut Random) -> Plant {
    let (id, rest) = (random.text(ALNUM, 14), random.hex(64));
    Plant::credential(format!("pat{id}.{rest}"))
}

/// The name of the vendor in base64 stands in the middle of them all.
pub(super) fn openai(random: &mut Random) -> Plant {
    let (kind, length) = random.pick(&[
        ("sk-proj-", 74),
        ("sk-svcacct-", 58),
        ("sk-", 20),
        ("sk-admin-", 58),
    ]);
    let alphabet = if length == 20 { ALNUM } else { URL_SAFE };
    let (first, second) = (random.text(alphabet, length), random.text(alphabet, length));
    Plant::credential(format!("{kind}{first}T3BlbkFJ{second}"))
}

pub(super) fn anthropic(random: &mut Random) -> Plant {
    let kind = random.pick(&["api03", "admin01"]);
    Plant::credential(format!("sk-ant-{kind}-{}AA", random.text(URL_SAFE, 93)))
}

pub(super) fn hugging_face(random: &mut Random) -> Plant {
    Plant::credential(format!("hf_{}", random.text(LETTERS, 34)))
}

/// Others that sell models.
pub(super) fn model_vendors(random: &mut Random) -> Plant {
    let (kind, length) = random.pick(&[("gsk_", 52), ("pplx-", 48), ("r8_", 37)]);
    Plant::credential(format!("{kind}{}", random.text(ALNUM, length)))
}

/// More vendors whose keys begin with a mark of their own.
pub(super) fn marked(random: &mut Random) -> Plant {
    let (mark, alphabet, length) = random.pick(MARKED);
    Plant::credential(format!("{mark}{}", random.text(alphabet, length)))
}

const MARKED: &[(&str, &str, usize)] = &[
    ("pul-", HEX, 40),
    ("pscale_tkn_", URL_SAFE, 43),
    ("HRKU-AA", URL_SAFE, 58),
    ("xkeysib-", HEX, 64),
    ("AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    ("pnu_", ALNUM, 36),
    ("shippo_live_", HEX, 40),
    ("duffel_live_", URL_SAFE, 43),
    ("EZAK", ALNUM, 54),
    ("glc_", ALNUM, 96),
];
