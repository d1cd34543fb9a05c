//! Confirmation tokens of Breakfall.

use crate::corpus::encoding::base64url;
use crate::corpus::plant::{Form, Plant, halves};
use crate::corpus::random::Random;

pub(super) fn confirmation(random: &mut Random) -> Plant {
    let token = format!("conf_{}", base64url(&random.bytes(32)));
    around(random, token)
}

pub(super) fn quota(random: &mut Random) -> Plant {
    let token = format!("quota_continue_{}", base64url(&random.bytes(32)));
    around(random, token)
}

/// Without its prefix, but named.
pub(super) fn named(random: &mut Random) -> Plant {
    let token = base64url(&random.bytes(32));
    let plant = Plant::word(token.clone(), halves(&token));
    let name = random.pick(&[
        "confirmation_token=",
        "confirmation_token: ",
        "confirmation token: ",
        "\"_confirmation\": \"",
    ]);
    let after = if name.ends_with('"') { "\"" } else { "" };
    plant.within(name, after, Form::Line)
}

fn around(random: &mut Random, token: String) -> Plant {
    let plant = Plant::credential(token);
    match random.below(4) {
        0 => plant.within("{\"_confirmation\":\"", "\"}", Form::Line),
        1 => plant.within("token ", " was already used", Form::Line),
        _ => plant,
    }
}
