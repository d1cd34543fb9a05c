//! Messengers.

use super::{Body, Kind, kind, random};

pub(super) const KINDS: &[Kind] = &[
    // Slack.
    kind("xoxa-", Body::Token, 10),
    kind("xoxb-", Body::Token, 10),
    kind("xoxe-", Body::Token, 10),
    kind("xoxo-", Body::Token, 10),
    kind("xoxp-", Body::Token, 10),
    kind("xoxr-", Body::Token, 10),
    kind("xoxs-", Body::Token, 10),
    kind("xoxe.xox", Body::Dotted, 20),
    kind("xapp-", Body::Token, 20),
    kind("xwfp-", Body::Token, 20),
    kind("xoxc-", Body::Token, 20),
    kind("xoxd-", Body::Base64, 20),
    // Others.
    kind("mfa.", Body::Token, 60),
    random("syt_", Body::Token, 30),
    random("EAACEdEose0cBA", Body::Alnum, 20),
    random("EAAG", Body::Alnum, 60),
    random("EAAB", Body::Alnum, 60),
    random("AAAAAAAAAAAAAAAAAAAA", Body::Base64, 40),
    random("IGQV", Body::Token, 60),
];
