//! Tokens in memory.

use breakfall::confirm::{ClockSkew, ConfirmationToken, TokenBook, TokenPurpose, TokenRefusal};

use super::{call, record, second};

const CONFIRMS: TokenPurpose = TokenPurpose::Confirmation;

#[test]
fn a_token_is_forgotten_an_hour_after_its_expiry_and_not_before() {
    let token = ConfirmationToken::from_bytes(CONFIRMS, [1; 32]).hash();
    let mut book = TokenBook::default();
    book.issue(token, record()).expect("room");
    let hour = 300 + 3600;
    assert_eq!(book.purge(second(hour - 1)), 0);
    assert!(book.load(&token).is_some());
    assert_eq!(book.purge(second(hour)), 1);
    assert!(book.load(&token).is_none());
}

#[test]
fn issuing_forgets_what_is_old() {
    let token = |byte| ConfirmationToken::from_bytes(CONFIRMS, [byte; 32]).hash();
    let mut book = TokenBook::default();
    book.issue(token(1), record()).expect("room");
    let mut later = record();
    later.issued_at = second(300 + 3600);
    book.issue(token(2), later).expect("room");
    assert!(book.load(&token(1)).is_none() && book.load(&token(2)).is_some());
}

#[test]
fn a_revoked_token_is_as_good_as_unknown_and_a_used_one_cannot_be_revoked() {
    let token = |byte| ConfirmationToken::from_bytes(CONFIRMS, [byte; 32]).hash();
    let own = call("delete", r#"{"id":7}"#);
    let skew = ClockSkew::default();
    let mut book = TokenBook::default();
    for byte in [1, 2] {
        book.issue(token(byte), record()).expect("room");
    }
    assert_eq!(book.live(second(1), skew), 2);
    assert!(book.revoke(&token(1), second(1)));
    assert!(!book.revoke(&token(1), second(1)));
    let refused = book.consume(&token(1), CONFIRMS, &own, second(2), skew);
    assert_eq!(refused, Err(TokenRefusal::Invalid));
    assert_eq!(
        book.consume(&token(2), CONFIRMS, &own, second(2), skew),
        Ok(())
    );
    assert!(!book.revoke(&token(2), second(3)));
    assert!(!book.revoke(&token(3), second(3)));
    assert_eq!(book.live(second(3), skew), 0);
}
