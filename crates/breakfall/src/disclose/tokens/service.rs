//! Mail, monitoring, design, and everything else that hands out keys.

use super::{Body, Kind, kind, mixed, random};

pub(super) const KINDS: &[Kind] = &[
    // Mail.
    kind("SG.", Body::Dotted, 40),
    kind("key-", Body::Hex, 32),
    kind("pubkey-", Body::Hex, 32),
    kind("xkeysib-", Body::Token, 40),
    kind("xsmtpsib-", Body::Token, 40),
    random("re_", Body::Token, 24),
    kind("mlsn.", Body::Hex, 40),
    kind("PMAK-", Body::Token, 30),
    // Twilio.
    kind("SK", Body::Hex, 32),
    kind("AC", Body::Hex, 32),
    // Work.
    kind("lin_api_", Body::Alnum, 30),
    kind("lin_oauth_", Body::Alnum, 30),
    kind("ntn_", Body::Alnum, 30),
    random("secret_", Body::Alnum, 30),
    kind("figd_", Body::Token, 30),
    kind("figo_", Body::Token, 30),
    kind("CFPAT-", Body::Token, 30),
    random("pat", Body::Dotted, 70),
    kind("pat-na1-", Body::Token, 30),
    kind("pat-eu1-", Body::Token, 30),
    kind("tfp_", Body::Dotted, 40),
    kind("fio-u-", Body::Token, 40),
    kind("rdme_", Body::Alnum, 50),
    random("dG9rO", Body::Base64, 40),
    random("sdk-", Body::Token, 36),
    kind("shpua_", Body::Alnum, 30),
    kind("sgp-", Body::Alnum, 40),
    random("tk-us-", Body::Token, 40),
    kind("secret-live-", Body::Base64, 20),
    kind("secret-test-", Body::Base64, 20),
    kind("sk.eyJ", Body::Dotted, 60),
    // Monitoring.
    kind("NRAK-", Body::Upper, 20),
    kind("NRII-", Body::Token, 30),
    kind("NRIQ-", Body::Token, 30),
    kind("NRJS-", Body::Hex, 15),
    kind("glsa_", Body::Token, 30),
    kind("glc_", Body::Base64, 30),
    kind("eyJrIjoi", Body::Base64, 50),
    kind("phc_", Body::Alnum, 30),
    kind("phx_", Body::Alnum, 30),
    kind("ddp_", Body::Alnum, 30),
    kind("hcaik_", Body::Alnum, 50),
    kind("hbp_", Body::Alnum, 30),
    kind("xaat-", Body::Token, 30),
    kind("rnt_", Body::Alnum, 30),
    // Ours: tokens that confirm an operation.
    mixed("conf_", Body::Alnum, 8),
    mixed("quota_continue_", Body::Alnum, 6),
    random("conf_", Body::Token, 24),
];
