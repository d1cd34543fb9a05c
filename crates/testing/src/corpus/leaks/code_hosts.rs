//! Code hosts, registries and the tools around them.

use crate::corpus::encoding::{base64, crc_base62};
use crate::corpus::plant::{Form, Plant};
use crate::corpus::random::{ALNUM, Random, URL_SAFE};
use crate::corpus::words::{FIRMS, project};

/// Thirty random characters, six of checksum.
pub(super) fn classic(random: &mut Random, prefix: &str) -> String {
    let random_part = random.text(ALNUM, 30);
    let check = crc_base62(&random_part);
    format!("{prefix}{random_part}{check}")
}

pub(super) fn github_classic(random: &mut Random) -> Plant {
    let plant = Plant::credential(classic(random, "ghp_"));
    if random.one_in(4) {
        let rest = format!("@github.com/{}/{}.git", random.pick(FIRMS), project(random));
        return plant.within("https://", &rest, Form::Word);
    }
    plant
}

pub(super) fn github_fine_grained(random: &mut Random) -> Plant {
    let (id, rest) = (random.text(ALNUM, 22), random.text(ALNUM, 59));
    Plant::credential(format!("github_pat_{id}_{rest}"))
}

/// Of an app, for a user, to refresh, of an OAuth app.
pub(super) fn github_app(random: &mut Random) -> Plant {
    let prefix = random.pick(&["ghs_", "ghu_", "ghr_", "gho_"]);
    let plant = Plant::credential(classic(random, prefix));
    if random.one_in(4) {
        return plant.within(
            "fatal: could not read from https://x-access-token:",
            "@github.com/",
            Form::Line,
        );
    }
    plant
}

pub(super) fn gitlab(random: &mut Random) -> Plant {
    let kinds: &[(&str, usize)] = &[
        ("glpat-", 20),
        ("glpat-", 20),
        ("gldt-", 20),
        ("glrt-", 20),
        ("glft-", 20),
    ];
    let (kind, length) = random.pick(kinds);
    Plant::credential(if random.one_in(5) {
        format!("glptt-{}", random.hex(40))
    } else {
        format!("{kind}{}", random.text(URL_SAFE, length))
    })
}

pub(super) fn npm(random: &mut Random) -> Plant {
    let plant = Plant::credential(classic(random, "npm_"));
    if random.one_in(3) {
        return plant.within("//registry.npmjs.org/:_authToken=", "", Form::Line);
    }
    plant
}

/// A macaroon for pypi.org: its first bytes are always the same.
pub(super) fn pypi(random: &mut Random) -> Plant {
    let length = random.between(85, 150);
    Plant::credential(format!(
        "pypi-AgEIcHlwaS5vcmc{}",
        random.text(URL_SAFE, length)
    ))
}

pub(super) fn docker_hub(random: &mut Random) -> Plant {
    Plant::credential(format!("dckr_pat_{}", random.text(URL_SAFE, 27)))
}

pub(super) fn rubygems(random: &mut Random) -> Plant {
    Plant::credential(format!("rubygems_{}", random.hex(48)))
}

pub(super) fn atlassian(random: &mut Random) -> Plant {
    let (body, check) = (
        random.text(URL_SAFE, 178),
        random.text("0123456789ABCDEF", 8),
    );
    Plant::credential(format!("ATATT3xFfGF0{body}={check}"))
}

pub(super) fn postman(random: &mut Random) -> Plant {
    let (id, rest) = (random.hex(24), random.hex(34));
    Plant::credential(format!("PMAK-{id}-{rest}"))
}

pub(super) fn linear(random: &mut Random) -> Plant {
    Plant::credential(format!("lin_api_{}", random.text(ALNUM, 40)))
}

/// Of an organisation, with claims inside; or of a user.
pub(super) fn sentry(random: &mut Random) -> Plant {
    if random.one_in(2) {
        return Plant::credential(format!("sntryu_{}", random.hex(64)));
    }
    let claims = format!(
        "{{\"iat\":17{}.{},\"url\":\"https://sentry.io\",\"region_url\":\"https://us.sentry.io\",\"org\":\"{}\"}}",
        random.digits(8),
        random.number(6),
        random.pick(FIRMS)
    );
    let (claims, rest) = (base64(claims.as_bytes()), random.text(ALNUM, 43));
    Plant::credential(format!("sntrys_{claims}_{rest}"))
}
