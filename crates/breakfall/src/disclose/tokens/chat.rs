//! Messengers.

use super::{TokenBody, TokenKind, kind, random};

pub(super) const KINDS: &[TokenKind] = &[
    // Slack.
    kind("xoxa-", TokenBody::Token, 10),
    kind("xoxb-", TokenBody::Token, 10),
    kind("xoxe-", TokenBody::Token, 10),
    kind("xoxo-", TokenBody::Token, 10),
    kind("xoxp-", TokenBody::Token, 10),
    kind("xoxr-", TokenBody::Token, 10),
    kind("xoxs-", TokenBody::Token, 10),
    kind("xoxe.xox", TokenBody::Dotted, 20),
    kind("xapp-", TokenBody::Token, 20),
    kind("xwfp-", TokenBody::Token, 20),
    kind("xoxc-", TokenBody::Token, 20),
    kind("xoxd-", TokenBody::Base64, 20),
    // Others.
    kind("mfa.", TokenBody::Token, 60),
    random("syt_", TokenBody::Token, 30),
    random("EAACEdEose0cBA", TokenBody::Alnum, 20),
    random("EAAG", TokenBody::Alnum, 60),
    random("EAAB", TokenBody::Alnum, 60),
    random("AAAAAAAAAAAAAAAAAAAA", TokenBody::Base64, 40),
    random("IGQV", TokenBody::Token, 60),
];
