//! Chat: bots, and webhook addresses.

use crate::corpus::encoding::base64url;
use crate::corpus::plant::{Plant, halves};
use crate::corpus::random::{ALNUM, Random, UPPER_ALNUM, URL_SAFE};
use crate::corpus::words::FIRMS;

pub(super) fn slack(random: &mut Random) -> Plant {
    let (team, user) = (random.number(12), random.number(13));
    Plant::credential(match random.below(3) {
        0 => format!("xoxb-{team}-{user}-{}", random.text(ALNUM, 24)),
        1 => format!(
            "xoxp-{team}-{user}-{}-{}",
            random.number(13),
            random.hex(32)
        ),
        _ => format!(
            "xapp-1-A{}-{user}-{}",
            random.text(UPPER_ALNUM, 10),
            random.hex(64)
        ),
    })
}

/// Everything behind the host is the secret.
pub(super) fn slack_webhook(random: &mut Random) -> Plant {
    let (team, channel) = (random.text(UPPER_ALNUM, 8), random.text(UPPER_ALNUM, 10));
    let key = random.text(ALNUM, 24);
    Plant::word(
        format!("https://hooks.slack.com/services/T{team}/B{channel}/{key}"),
        [key],
    )
}

/// The id of the bot, a time, a signature.
pub(super) fn discord_token(random: &mut Random) -> Plant {
    let id = base64url(random.number(18).as_bytes());
    let length = random.pick(&[27, 38]);
    let (time, signature) = (random.text(URL_SAFE, 6), random.text(URL_SAFE, length));
    Plant::word(format!("{id}.{time}.{signature}"), [signature])
}

pub(super) fn discord_webhook(random: &mut Random) -> Plant {
    let host = random.pick(&["discord.com", "discordapp.com", "ptb.discord.com"]);
    let (id, key) = (random.number(18), random.text(URL_SAFE, 68));
    Plant::word(
        format!("https://{host}/api/webhooks/{id}/{key}"),
        halves(&key),
    )
}

pub(super) fn telegram(random: &mut Random) -> Plant {
    let length = random.between(8, 10);
    let (id, key) = (random.number(length), random.text(URL_SAFE, 33));
    let token = format!("{id}:AA{key}");
    let secret = [key];
    if random.one_in(3) {
        Plant::word(
            format!("https://api.telegram.org/bot{token}/sendMessage"),
            secret,
        )
    } else {
        Plant::word(token, secret)
    }
}

pub(super) fn teams_webhook(random: &mut Random) -> Plant {
    let key = random.hex(32);
    let (group, tenant, owner) = (random.uuid(), random.uuid(), random.uuid());
    let firm = random.pick(FIRMS);
    let url = format!(
        "https://{firm}.webhook.office.com/webhookb2/{group}@{tenant}/IncomingWebhook/{key}/{owner}"
    );
    Plant::word(url, [key])
}
