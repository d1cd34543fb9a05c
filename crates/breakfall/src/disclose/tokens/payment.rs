//! Payments and shops.

use super::{Body, Kind, kind, random};

pub(super) const KINDS: &[Kind] = &[
    // Stripe and those who write keys like it.
    kind("sk_live_", Body::Token, 10),
    kind("sk_test_", Body::Token, 10),
    kind("sk_prod_", Body::Token, 10),
    kind("rk_live_", Body::Token, 10),
    kind("rk_test_", Body::Token, 10),
    kind("rk_prod_", Body::Token, 10),
    kind("ek_live_", Body::Token, 10),
    kind("ek_test_", Body::Token, 10),
    kind("ek_prod_", Body::Token, 10),
    kind("sec_live_", Body::Token, 10),
    kind("sec_test_", Body::Token, 10),
    kind("sec_prod_", Body::Token, 10),
    kind("whsec_", Body::Base64, 20),
    random("sk_", Body::Alnum, 32),
    // Square.
    kind("sq0atp-", Body::Token, 20),
    kind("sq0csp-", Body::Token, 20),
    kind("sq0idp-", Body::Token, 20),
    kind("sq0idb-", Body::Token, 20),
    kind("EAAA", Body::Token, 60),
    random("EAAA", Body::Token, 50),
    // Braintree: the dollar signs are part of it.
    kind("access_token$production$", Body::Parts, 10),
    kind("access_token$sandbox$", Body::Parts, 10),
    // Shopify.
    kind("shpat_", Body::Alnum, 30),
    kind("shpca_", Body::Alnum, 30),
    kind("shppa_", Body::Alnum, 30),
    kind("shpss_", Body::Alnum, 30),
    kind("shptka_", Body::Alnum, 30),
    // Others.
    kind("rzp_live_", Body::Alnum, 14),
    kind("rzp_test_", Body::Alnum, 14),
    kind("FLWSECK_TEST-", Body::Alnum, 12),
    kind("FLWSECK-", Body::Alnum, 32),
    kind("FLWSECK_", Body::Token, 12),
    kind("access-production-", Body::Token, 30),
    kind("access-sandbox-", Body::Token, 30),
    kind("access-development-", Body::Token, 30),
    random("live_", Body::Alnum, 30),
    random("test_", Body::Alnum, 30),
    kind("EZAK", Body::Alnum, 50),
    kind("EZTK", Body::Alnum, 50),
    kind("shippo_live_", Body::Hex, 40),
    kind("shippo_test_", Body::Hex, 40),
    kind("duffel_live_", Body::Token, 40),
    kind("duffel_test_", Body::Token, 40),
    kind("cko_", Body::Alnum, 30),
    random("AQE", Body::Base64, 90),
    random("pdl_", Body::Token, 30),
    random("lsq_", Body::Alnum, 30),
];
