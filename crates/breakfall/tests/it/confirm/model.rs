//! Random operations on tokens, against what must hold whatever their order.

use std::collections::BTreeMap;

use breakfall::confirm::{
    ClockSkew, ConfirmationToken, TokenBook, TokenGrant, TokenPurpose, TokenRefusal,
};
use breakfall::gate::DangerLevel;
use proptest::prelude::*;

use super::{call_by, second};

#[derive(Debug, Clone)]
enum Step {
    Issue { token: u8, principal: u8, id: u8 },
    Consume { token: u8, principal: u8, id: u8 },
    Revoke { token: u8 },
    Wait { seconds: i64 },
    Purge,
}

fn step() -> impl Strategy<Value = Step> {
    let (token, principal, id) = (0..4_u8, 0..2_u8, 0..2_u8);
    prop_oneof![
        (token.clone(), principal.clone(), id.clone()).prop_map(|(token, principal, id)| {
            Step::Issue {
                token,
                principal,
                id,
            }
        }),
        (token.clone(), principal, id).prop_map(|(token, principal, id)| Step::Consume {
            token,
            principal,
            id
        }),
        token.prop_map(|token| Step::Revoke { token }),
        prop_oneof![0..400_i64, -60..0_i64, 3000..5000_i64]
            .prop_map(|seconds| Step::Wait { seconds }),
        Just(Step::Purge),
    ]
}

/// What was issued, and whether it has been used or revoked.
struct Issued {
    principal: u8,
    id: u8,
    at: i64,
    is_over: bool,
}

proptest! {
    #![proptest_config(crate::properties::cases(1024))]

    #[test]
    fn a_token_works_once_in_time_for_its_own_call(steps in prop::collection::vec(step(), 1..40)) {
        let names = ["ada", "bob"];
        let scope = |principal: u8, id: u8| {
            call_by(Some(names[usize::from(principal)]), "delete", &format!(r#"{{"id":{id}}}"#))
        };
        let skew = ClockSkew::default();
        let mut book = TokenBook::default();
        let mut issued: BTreeMap<u8, Issued> = BTreeMap::new();
        let (mut now, mut serial) = (0_i64, 0_u8);
        // Each number stands for another token every time it is issued.
        let mut tokens: BTreeMap<u8, ConfirmationToken> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Issue { token, principal, id } => {
                    serial += 1;
                    let fresh = ConfirmationToken::from_bytes(TokenPurpose::Confirmation, [serial; 32]);
                    let grant = TokenGrant::new(scope(principal, id), DangerLevel::Destructive);
                    book.issue(fresh.hash(), grant.at(second(now))).expect("room");
                    tokens.insert(token, fresh);
                    issued.insert(token, Issued { principal, id, at: now, is_over: false });
                }
                Step::Consume { token, principal, id } => {
                    let Some(presented) = tokens.get(&token) else { continue };
                    let call = scope(principal, id);
                    let taken = book.consume(&presented.hash(), TokenPurpose::Confirmation, &call, second(now), skew);
                    let kept = issued.get_mut(&token).expect("issued");
                    let is_own = kept.principal == principal && kept.id == id;
                    let is_in_time = (kept.at - 30..kept.at + 330).contains(&now);
                    prop_assert_eq!(taken.is_ok(), is_own && is_in_time && !kept.is_over, "{:?}", taken);
                    if kept.principal != principal {
                        prop_assert_eq!(taken, Err(TokenRefusal::Invalid));
                    } else if taken.is_ok() {
                        kept.is_over = true;
                    }
                }
                Step::Revoke { token } => {
                    let Some(revoked) = tokens.get(&token) else { continue };
                    book.revoke(&revoked.hash(), second(now));
                    issued.get_mut(&token).expect("issued").is_over = true;
                }
                Step::Wait { seconds } => now += seconds,
                Step::Purge => {
                    book.purge(second(now));
                    // What is purged was issued long ago, and does not come alive again when the clock is set back.
                    for kept in issued.values_mut() {
                        kept.is_over |= now >= kept.at + 300 + 3600;
                    }
                }
            }
        }
    }
}
