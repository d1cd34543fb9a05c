//! Ids, digests and data: they look random, and are not secret.

use serde_json::json;

use super::Harmless;
use crate::corpus::encoding::{base64, base64url};
use crate::corpus::random::{ALNUM, LOWER_ALNUM, Random};
use crate::corpus::words::PARTS;

pub(super) fn git_sha(random: &mut Random) -> Harmless {
    let length = random.pick(&[7, 8, 10, 12, 40, 40]);
    let sha = random.hex(length);
    match random.below(6) {
        0 => Harmless::line(format!("commit {sha} is not on the branch")),
        1 => Harmless::line(format!(
            "merge conflict between {sha} and {}",
            random.hex(length)
        )),
        2 => Harmless::line(format!("fatal: bad object {sha}")),
        3 => Harmless::line(format!(
            "HEAD is now at {sha} Fix the {} report",
            random.pick(PARTS)
        )),
        _ => Harmless::word(sha),
    }
}

pub(super) fn uuid(random: &mut Random) -> Harmless {
    let id = random.uuid();
    let id = if random.one_in(4) {
        id.to_uppercase()
    } else {
        id
    };
    match random.below(4) {
        0 => Harmless::line(format!("order {id} not found")),
        1 => Harmless::line(format!("{{\"id\":\"{id}\",\"status\":\"failed\"}}")),
        _ => Harmless::word(id),
    }
}

pub(super) fn ulid(random: &mut Random) -> Harmless {
    Harmless::word(format!(
        "01{}",
        random.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24)
    ))
}

pub(super) fn object_id(random: &mut Random) -> Harmless {
    Harmless::word(format!("6{}", random.hex(23)))
}

/// Ids that begin with the kind of thing they name.
pub(super) fn prefixed(random: &mut Random) -> Harmless {
    let kind = random.pick(&[
        "ord_", "usr_", "ses_", "cus_", "inv_", "req_", "evt_", "sub_", "run_", "msg_",
    ]);
    let alphabet = random.pick(&[ALNUM, LOWER_ALNUM]);
    let length = random.pick(&[14, 24]);
    Harmless::word(format!("{kind}{}", random.text(alphabet, length)))
}

pub(super) fn trace_id(random: &mut Random) -> Harmless {
    let (trace, span) = (random.hex(32), random.hex(16));
    Harmless::line(match random.below(3) {
        0 => format!("traceparent: 00-{trace}-{span}-01"),
        1 => format!("trace_id={trace} span_id={span}"),
        _ => format!("x-request-id: {}", random.uuid()),
    })
}

pub(super) fn digest(random: &mut Random) -> Harmless {
    Harmless::line(match random.below(7) {
        0 => format!(
            "checksum mismatch: expected sha256:{} but got sha256:{}",
            random.hex(64),
            random.hex(64)
        ),
        1 => format!("ETag: \"{}\"", random.hex(32)),
        2 => format!("etag W/\"{}\" does not match", random.hex(16)),
        3 => format!("md5 {} of the upload differs", random.hex(32)),
        4 => format!("integrity sha512-{} failed", base64(&random.bytes(64))),
        5 => format!("sha1: {}", random.hex(40)),
        _ => format!(
            "image {}@sha256:{} could not be pulled",
            random.pick(PARTS),
            random.hex(64)
        ),
    })
}

/// Pictures and documents on their way as text.
pub(super) fn base64_data(random: &mut Random) -> Harmless {
    let length = random.between(60, 400);
    match random.below(4) {
        0 => {
            let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
            bytes.extend(random.bytes(length));
            Harmless::line(format!("data:image/png;base64,{}", base64(&bytes)))
        }
        1 => {
            let mut bytes = b"\xff\xd8\xff\xe0\0\x10JFIF\0".to_vec();
            bytes.extend(random.bytes(length));
            let block = json!({"type": "image", "data": base64(&bytes), "mimeType": "image/jpeg"});
            Harmless::line(block.to_string())
        }
        2 => {
            let words: Vec<_> = (0..12).map(|_| random.pick(PARTS)).collect();
            let document = json!({"rows": words, "page": random.between(1, 40)}).to_string();
            Harmless::line(format!("body (base64): {}", base64(document.as_bytes())))
        }
        _ => {
            let mut bytes = b"%PDF-1.7\n".to_vec();
            bytes.extend(random.bytes(length));
            Harmless::line(format!("content: {}", base64(&bytes)))
        }
    }
}

/// Where the next page begins.
pub(super) fn cursor(random: &mut Random) -> Harmless {
    let position =
        json!({"v": 1, "offset": random.between(10, 9000), "sort": random.pick(PARTS)}).to_string();
    let cursor = base64url(position.as_bytes());
    Harmless::line(match random.below(3) {
        0 => format!("cursor={cursor} is too old"),
        1 => json!({"nextCursor": cursor, "has_more": true}).to_string(),
        _ => format!("invalid cursor '{cursor}'"),
    })
}

/// Numbers that machines hand out.
pub(super) fn snowflake(random: &mut Random) -> Harmless {
    Harmless::word(format!("1{}", random.digits(18)))
}

pub(super) fn pod(random: &mut Random) -> Harmless {
    const TAIL: &str = "bcdfghjklmnpqrstvwxz2456789";
    let (part, set, tail) = (
        random.pick(PARTS),
        random.text(TAIL, 10),
        random.text(TAIL, 5),
    );
    Harmless::word(format!("{part}-{set}-{tail}"))
}
