//! Payments and shops.

use super::{TokenBody, TokenKind, kind, random};

pub(super) const KINDS: &[TokenKind] = &[
    // Stripe and those who write keys like it.
    kind("sk_live_", TokenBody::Token, 10),
    kind("sk_test_", TokenBody::Token, 10),
    kind("sk_prod_", TokenBody::Token, 10),
    kind("rk_live_", TokenBody::Token, 10),
    kind("rk_test_", TokenBody::Token, 10),
    kind("rk_prod_", TokenBody::Token, 10),
    kind("ek_live_", TokenBody::Token, 10),
    kind("ek_test_", TokenBody::Token, 10),
    kind("ek_prod_", TokenBody::Token, 10),
    kind("sec_live_", TokenBody::Token, 10),
    kind("sec_test_", TokenBody::Token, 10),
    kind("sec_prod_", TokenBody::Token, 10),
    kind("whsec_", TokenBody::Base64, 20),
    random("sk_", TokenBody::Alnum, 32),
    // Square.
    kind("sq0atp-", TokenBody::Token, 20),
    kind("sq0csp-", TokenBody::Token, 20),
    kind("sq0idp-", TokenBody::Token, 20),
    kind("sq0idb-", TokenBody::Token, 20),
    kind("EAAA", TokenBody::Token, 60),
    random("EAAA", TokenBody::Token, 50),
    // Braintree: the dollar signs are part of it.
    kind("access_token$production$", TokenBody::Parts, 10),
    kind("access_token$sandbox$", TokenBody::Parts, 10),
    // Shopify.
    kind("shpat_", TokenBody::Alnum, 30),
    kind("shpca_", TokenBody::Alnum, 30),
    kind("shppa_", TokenBody::Alnum, 30),
    kind("shpss_", TokenBody::Alnum, 30),
    kind("shptka_", TokenBody::Alnum, 30),
    // Others.
    kind("rzp_live_", TokenBody::Alnum, 14),
    kind("rzp_test_", TokenBody::Alnum, 14),
    kind("FLWSECK_TEST-", TokenBody::Alnum, 12),
    kind("FLWSECK-", TokenBody::Alnum, 32),
    kind("FLWSECK_", TokenBody::Token, 12),
    kind("access-production-", TokenBody::Token, 30),
    kind("access-sandbox-", TokenBody::Token, 30),
    kind("access-development-", TokenBody::Token, 30),
    random("live_", TokenBody::Alnum, 30),
    random("test_", TokenBody::Alnum, 30),
    kind("EZAK", TokenBody::Alnum, 50),
    kind("EZTK", TokenBody::Alnum, 50),
    kind("shippo_live_", TokenBody::Hex, 40),
    kind("shippo_test_", TokenBody::Hex, 40),
    kind("duffel_live_", TokenBody::Token, 40),
    kind("duffel_test_", TokenBody::Token, 40),
    kind("cko_", TokenBody::Alnum, 30),
    random("AQE", TokenBody::Base64, 90),
    random("pdl_", TokenBody::Token, 30),
    random("lsq_", TokenBody::Alnum, 30),
];
