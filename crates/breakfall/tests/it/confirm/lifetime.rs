//! Tokens as they are written, and how long they live.

use std::collections::BTreeSet;
use std::time::Duration;

use breakfall::confirm::{ConfirmationToken, TokenGrant, TokenHash, TokenPurpose, token_lifetime};
use breakfall::gate::DangerLevel;
use proptest::prelude::*;

use super::{call, second};

#[test]
fn lifetimes_have_the_defaults_and_caps_of_the_specification() {
    let minutes = |purpose, danger, wanted: Option<u64>| {
        token_lifetime(purpose, danger, wanted.map(Duration::from_mins)).as_secs() / 60
    };
    let conf = TokenPurpose::Confirmation;
    for danger in [DangerLevel::Destructive, DangerLevel::Dangerous] {
        let minutes = |wanted| minutes(conf, danger, wanted);
        assert_eq!(
            [None, Some(1), Some(15), Some(16)].map(minutes),
            [5, 1, 15, 15]
        );
    }
    let forbidden = |wanted| minutes(conf, DangerLevel::Forbidden, wanted);
    assert_eq!(
        [None, Some(1), Some(5), Some(6)].map(forbidden),
        [2, 1, 5, 5]
    );
    let quota = |wanted| minutes(TokenPurpose::QuotaContinue, DangerLevel::Safe, wanted);
    assert_eq!(
        [None, Some(1), Some(10), Some(11)].map(quota),
        [5, 1, 10, 10]
    );
    let grant = TokenGrant::new(call("drop", "{}"), DangerLevel::Forbidden);
    assert_eq!(
        grant.lifetime(Duration::MAX).at(second(0)).expires_at,
        second(300)
    );
}

#[test]
fn random_tokens_are_all_different_and_256_bits_long() {
    let tokens = (0..1000).map(|_| ConfirmationToken::random(TokenPurpose::Confirmation));
    let tokens: BTreeSet<String> = tokens
        .map(|token| token.expect("bytes").reveal().to_owned())
        .collect();
    assert_eq!(tokens.len(), 1000);
    assert!(tokens.iter().all(|token| token.len() == "conf_".len() + 43));
}

#[test]
fn the_grammar_has_both_prefixes_and_its_lengths() {
    let accepted = |text: &str| ConfirmationToken::parse(text).is_some();
    let name = |length: usize| "a".repeat(length);
    assert!(accepted(&format!("conf_{}", name(3))) && !accepted(&format!("conf_{}", name(2))));
    assert!(accepted(&format!("conf_{}", name(64))) && !accepted(&format!("conf_{}", name(65))));
    assert!(accepted(&format!("quota_continue_{}", name(64))));
    assert!(!accepted(&format!("quota_continue_{}", name(65))) && !accepted("quota_continue_"));
    for text in [
        "",
        "conf",
        "abc123xyz9",
        "Conf_abc123",
        "conf_abc.123",
        "conf_äbc123",
        " conf_abc123",
    ] {
        assert!(!accepted(text), "{text}");
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(256))]

    #[test]
    fn tokens_are_as_different_as_their_bytes(one in any::<[u8; 32]>(), other in any::<[u8; 32]>(), is_quota in any::<bool>()) {
        let purpose = if is_quota { TokenPurpose::QuotaContinue } else { TokenPurpose::Confirmation };
        let (a, b) = (ConfirmationToken::from_bytes(purpose, one), ConfirmationToken::from_bytes(purpose, other));
        prop_assert_eq!(a == b, one == other);
        prop_assert_eq!(a.hash() == b.hash(), one == other);
        prop_assert_eq!(ConfirmationToken::parse(a.reveal()), Some(a.clone()));
        prop_assert_eq!(TokenHash::from_bytes(*a.hash().as_bytes()), a.hash());
        prop_assert!(a.reveal().len() <= 80);
    }
}
