//! Credentials that say what they are by how they begin.
//!
//! One row for each shape: what follows the beginning, how much of it at least, and the beginnings that have it. The formats
//! are those their issuers document, or scan public repositories for.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::bytes::{ByteStats, before, is_base64, is_token, run, run_back};

/// The characters that may follow the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenBody {
    /// Letters and digits.
    Alnum,
    /// Lower-case hexadecimal digits.
    Hex,
    /// Capital letters and digits.
    Upper,
    /// Letters, digits, `_` and `-`.
    Token,
    /// The same with dots.
    Dotted,
    /// Base64 in either alphabet.
    Base64,
    /// Parts of letters and digits, joined by dollar signs.
    Parts,
}

impl TokenBody {
    const fn fits(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Token => is_token(byte),
            Self::Dotted => is_token(byte) || byte == b'.',
            Self::Base64 => is_base64(byte),
            Self::Parts => byte.is_ascii_alphanumeric() || byte == b'$',
        }
    }
}

/// Kinds of credentials with the same shape.
struct TokenShape {
    body: TokenBody,
    least: usize,
    looks: TokenProof,
    prefixes: &'static str,
}

/// What the rest must look like where people use such a beginning too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenProof {
    Anyhow,
    /// Letters and digits.
    Mixed,
    /// Made by a machine.
    Random,
}

use TokenBody::{Alnum, Base64, Dotted, Hex, Parts, Token, Upper};
use TokenProof::{Anyhow, Mixed, Random};

const fn row(
    body: TokenBody,
    least: usize,
    looks: TokenProof,
    prefixes: &'static str,
) -> TokenShape {
    TokenShape {
        body,
        least,
        looks,
        prefixes,
    }
}

const SHAPES: &[TokenShape] = &[
    row(Alnum, 12, Anyhow, "LTAI FLWSECK_TEST-"),
    row(Token, 16, Anyhow, "django-insecure- APA91b"),
    row(Alnum, 14, Anyhow, "rzp_live_ rzp_test_"),
    row(Alnum, 20, Anyhow, "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit."),
    row(Alnum, 24, Anyhow, "ATBB"),
    row(
        Alnum,
        30,
        Anyhow,
        "hf_ api_org_ r8_ pplx- ls__ cfut_ cfat_ cfk_ nfp_ nfc_ nfo_ nfu_ nfb_ nbf_ napi_ sbp_ ico- rpa_ ghp_ gho_ ghu_ ghs_ ghr_ \
         pnb_ npm_ shpat_ shpca_ shppa_ shpss_ shptka_ shpua_ cko_ lin_api_ lin_oauth_ ntn_ phc_ phx_ ddp_ hbp_ rnt_",
    ),
    row(Alnum, 32, Anyhow, "FLWSECK-"),
    row(Alnum, 40, Anyhow, "gsk_ csk- hcloud_ sgp-"),
    row(Alnum, 50, Anyhow, "CLOJARS_ EZAK EZTK rdme_ hcaik_"),
    row(Alnum, 60, Anyhow, "AKCp"),
    row(
        Base64,
        20,
        Anyhow,
        "xoxd- bedrock-api-key- whsec_ secret-live- secret-test-",
    ),
    row(Base64, 30, Anyhow, "glc_"),
    row(Base64, 40, Anyhow, "fm1r_ fm1a_ fm2_ cmVmdGtuO sntrys_"),
    row(Base64, 50, Anyhow, "ATCTT3 ATATT3 eyJrIjoi"),
    row(Base64, 60, Anyhow, "ATST ATOA"),
    row(
        Dotted,
        18,
        Anyhow,
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas-",
    ),
    row(Dotted, 20, Anyhow, "xoxe.xox ya29. dp.st."),
    row(Dotted, 24, Anyhow, "pscale_tkn_ pscale_pw_ pscale_oauth_"),
    row(Dotted, 40, Anyhow, "dt0c01. dt0s01. SG. tfp_"),
    row(Dotted, 60, Anyhow, "sk.eyJ"),
    row(Hex, 15, Anyhow, "NRJS-"),
    row(Hex, 30, Anyhow, "sk-or-v1- e2b_ def50200"),
    row(Hex, 32, Anyhow, "fc- dapi dose dsapi key- pubkey- SK AC"),
    row(
        Hex,
        40,
        Anyhow,
        "dop_v1_ doo_v1_ dor_v1_ pul- sqp_ squ_ sqa_ bkua_ gitea_ sntryu_ sntrya_ rubygems_ shippo_live_ shippo_test_ mlsn.",
    ),
    row(Hex, 60, Anyhow, "slk_"),
    row(
        Parts,
        10,
        Anyhow,
        "access_token$production$ access_token$sandbox$",
    ),
    row(
        Token,
        10,
        Anyhow,
        "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ ek_live_ ek_test_ ek_prod_ \
         sec_live_ sec_test_ sec_prod_",
    ),
    row(Token, 12, Anyhow, "FLWSECK_"),
    row(Token, 16, Anyhow, "tskey-"),
    row(
        Token,
        20,
        Anyhow,
        "sk-ant- sk-proj- sk-svcacct- sk-admin- tvly- esecret_ bb_live_ xapp- xwfp- xoxc- GOCSPX- vercel_blob_rw_ sb_secret_ hvs. hvb. \
         hvr. GR1348941 dckr_pat_ dckr_oat_ sq0atp- sq0csp- sq0idp- sq0idb- quota_continue_",
    ),
    row(
        Token,
        30,
        Anyhow,
        "lsv2_pt_ lsv2_sk_ wandb_v1_ AIza HRKU- ov1_ tgp_v1_ github_pat_ CCIPAT_ CCIPRJ_ access-production- access-sandbox- \
         access-development- PMAK- figd_ figo_ CFPAT- pat-na1- pat-eu1- NRII- NRIQ- glsa_ xaat-",
    ),
    row(Token, 32, Anyhow, "sgp_"),
    row(
        Token,
        40,
        Anyhow,
        "nvapi- jina_ pcsk_ atlasv1. duffel_live_ duffel_test_ xkeysib- xsmtpsib- fio-u-",
    ),
    row(Token, 43, Anyhow, "conf_"),
    row(Token, 50, Anyhow, "pypi-"),
    row(Token, 60, Anyhow, "mfa. ops_eyJ EAAA"),
    row(Upper, 16, Anyhow, "AKIA ASIA ABIA ACCA"),
    row(Upper, 17, Anyhow, "SCW"),
    row(Upper, 20, Anyhow, "NRAK-"),
    row(Upper, 30, Anyhow, "AGE-SECRET-KEY-1"),
    row(Upper, 54, Random, "SU SA SO SN SC"),
    row(Alnum, 8, Mixed, "conf_"),
    row(Token, 6, Mixed, "quota_continue_"),
    row(Alnum, 20, Random, "EAACEdEose0cBA AZDO rnd_"),
    row(Alnum, 22, Random, "fw_"),
    row(Alnum, 24, Random, "vcp_ vck_"),
    row(Alnum, 28, Random, "AKID"),
    row(Alnum, 30, Random, "pnu_ live_ test_ lsq_ secret_"),
    row(Alnum, 32, Random, "cio sk_"),
    row(Alnum, 40, Random, "fw- oy2"),
    row(Alnum, 60, Random, "EAAG EAAB"),
    row(Base64, 40, Random, "AAAAAAAAAAAAAAAAAAAA dG9rO"),
    row(Base64, 60, Random, "ABSK"),
    row(Base64, 90, Random, "AQE"),
    row(Dotted, 30, Random, "t1.9eu"),
    row(Dotted, 40, Random, "pat."),
    row(Dotted, 70, Random, "pat"),
    row(Token, 16, Random, "sk-"),
    row(Token, 20, Random, "AKLT fo1_ conf_"),
    row(Token, 24, Random, "re_"),
    row(Token, 30, Random, "syt_ 1//0 AQVN pdl_"),
    row(Token, 36, Random, "sdk-"),
    row(Token, 38, Random, "YC"),
    row(Token, 40, Random, "xai- pa- tk-us-"),
    row(Token, 50, Random, "EAAA"),
    row(Token, 60, Random, "cpk_ IGQV v1.0- ops_ jsr"),
];

/// The longest credential that is read as one.
const LONGEST: usize = 8 * 1024;

/// As much of one as tells whether it is one.
const ENOUGH: usize = 64;

/// What the credentials of the table begin with: the words that a search for them has to look for.
pub(super) fn prefixes() -> impl Iterator<Item = &'static str> {
    BY_PREFIX.keys().copied()
}

/// The end of a credential that begins with a prefix here, if one does.
pub(super) fn at(text: &[u8], start: usize, prefix: &str) -> Option<usize> {
    let begins = before(text, start).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if !begins || !text[start..].starts_with(prefix.as_bytes()) {
        return None;
    }
    let from = start + prefix.len();
    BY_PREFIX.get(prefix)?.iter().find_map(|shape| {
        let end = shape.end(text, from, ENOUGH.max(shape.least));
        let body = &text[from..end];
        let looks = || match shape.looks {
            Anyhow => true,
            Mixed => {
                body.iter().any(u8::is_ascii_digit) && body.iter().any(u8::is_ascii_alphabetic)
            }
            Random => looks_random(body) && !is_amid_base64(text, start, end),
        };
        if body.len() >= shape.least && looks() {
            return Some(shape.end(text, from, LONGEST));
        }
        shape.broken(text, from, end)
    })
}

impl TokenShape {
    /// Where one ends. A dot that ends a sentence does not belong to it, nor does an arrow.
    fn end(&self, text: &[u8], from: usize, most: usize) -> usize {
        let end = run(text, from, most, |byte| self.body.fits(byte));
        let arrow = text.get(end) == Some(&b'>');
        let last = text[from..end]
            .iter()
            .rposition(|byte| *byte != b'.' && !(arrow && *byte == b'-'));
        from + last.map_or(0, |last| last + 1)
    }

    /// The end of one that a line end breaks, as mail and terminals do.
    fn broken(&self, text: &[u8], from: usize, end: usize) -> Option<usize> {
        let next = line_break(text, end)?;
        let close = self.end(text, next, LONGEST);
        let body = [&text[from..end], &text[next..close]].concat();
        let fits = body.len() >= self.least && end - from >= 4 && close - next >= 4;
        (fits && looks_random(&body)).then_some(close)
    }
}

/// Past a line end and what an indented or quoted text puts around it.
pub(super) fn line_break(text: &[u8], at: usize) -> Option<usize> {
    let sign = run(text, at, 1, |byte| matches!(byte, b'\\' | b'='));
    let line = run(text, sign, 2, |byte| matches!(byte, b'\r' | b'\n'));
    let escaped = text[at..].starts_with(b"\\n");
    let next = if line > sign {
        line
    } else if escaped {
        at + 2
    } else {
        return None;
    };
    Some(run(text, next, 16, |byte| {
        matches!(byte, b' ' | b'\t' | b'>' | b'|')
    }))
}

fn looks_random(body: &[u8]) -> bool {
    let strong = |byte: &u8| byte.is_ascii_digit() | byte.is_ascii_uppercase();
    // Without any of these it is words, which is known sooner than what else it is made of.
    if !body.iter().fold(false, |any, byte| any | strong(byte)) {
        return false;
    }
    let shape = ByteStats::of(body);
    shape.is_random() || is_shuffled(&shape)
}

/// Small and capital letters in no order: chance leaves the digits out of one in some hundreds.
///
/// Names in which capitals begin the words have as many turns, but hardly two capitals in a row.
fn is_shuffled(shape: &ByteStats) -> bool {
    let ByteStats { cases, len, .. } = *shape;
    len >= 24 && (cases * 5 >= len * 2 || cases * 4 >= len && shape.capitals >= 2)
}

/// Whether data in base64 goes on before and after: any two letters follow one of its signs sooner or later.
fn is_amid_base64(text: &[u8], start: usize, end: usize) -> bool {
    if !matches!(before(text, start), Some(b'+' | b'/')) {
        return false;
    }
    let data = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let sides = [
        &text[run_back(text, start, 64, data)..start],
        &text[end..run(text, end, 64, data)],
    ];
    let [before, after] = sides.map(ByteStats::of);
    let len = before.len + after.len;
    len >= 40 && (before.cases + after.cases) * 8 >= len && before.digits + after.digits >= 2
}

/// The rows by what they begin with.
static BY_PREFIX: LazyLock<HashMap<&str, Vec<&TokenShape>>> = LazyLock::new(|| {
    let mut rows: HashMap<&str, Vec<&TokenShape>> = HashMap::new();
    for shape in SHAPES {
        for prefix in shape.prefixes.split_ascii_whitespace() {
            rows.entry(prefix).or_default().push(shape);
        }
    }
    rows
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_beginning_with_its_shortest_body_is_one_and_alone_is_none() {
        for shape in SHAPES {
            let signs: &[u8] = match shape.body {
                Hex => b"0a1b9c3d5e7f2468",
                Upper => b"A1B2C3D4E5F6G7H8",
                Alnum | Token | Dotted | Base64 | Parts => b"aB3dE5gH7jK9mN1p",
            };
            let body: Vec<u8> = signs.iter().copied().cycle().take(shape.least).collect();
            for prefix in shape.prefixes.split_ascii_whitespace() {
                let text = [b"key ", prefix.as_bytes(), &body, b" was refused"].concat();
                assert_eq!(
                    at(&text, 4, prefix),
                    Some(4 + prefix.len() + shape.least),
                    "{prefix}"
                );
                let alone = format!("key {prefix} was refused");
                assert_eq!(at(alone.as_bytes(), 4, prefix), None, "{prefix}");
            }
        }
    }
}
