//! Which of our languages a caller gets.

use breakfall::locale::Language::{self, English, German, Japanese, Spanish};

#[test]
fn the_best_language_we_have_is_chosen() {
    testing::proves!("S0-11");
    for (ranges, want) in [
        ("en", Some(English)),
        ("es", Some(Spanish)),
        ("de", Some(German)),
        ("ja", Some(Japanese)),
        // Regions, scripts, variants and extensions are no obstacle.
        ("es-MX", Some(Spanish)),
        ("es-419", Some(Spanish)),
        ("de-AT", Some(German)),
        ("DE-ch-1996", Some(German)),
        ("de-DE-u-co-phonebk", Some(German)),
        ("ja-Jpan-JP", Some(Japanese)),
        ("es_MX", Some(Spanish)),
        // What we do not speak is passed over.
        ("zh", None),
        ("zh, fr;q=0.9", None),
        ("zh, de", Some(German)),
        ("esperanto-x", None),
        ("e", None),
        ("den", None),
        // Weights decide, then order.
        (
            "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5",
            Some(English),
        ),
        ("en;q=0.8, de;q=0.9", Some(German)),
        ("de, en", Some(German)),
        ("en, de", Some(English)),
        ("de;q=0.5, ja;q=0.5", Some(German)),
        ("de;q=0.001, ja;q=0.002", Some(Japanese)),
        ("ja;q=1.000, de;q=1", Some(Japanese)),
        (" de ; q=0.1 ,\tja ; Q=0.2 ", Some(Japanese)),
        // A star is every language that is not named.
        ("*", Some(English)),
        ("zh, *;q=0.1", Some(English)),
        ("de;q=0.5, *;q=0.8", Some(English)),
        ("en;q=0.1, *;q=0.5", Some(Spanish)),
        ("en;q=0, *", Some(Spanish)),
        ("*-CH", Some(English)),
        ("*;q=0", None),
        // Zero rules a language out, but a region of it only that region.
        ("de;q=0", None),
        ("de;q=0, en", Some(English)),
        ("de-AT, de;q=0", None),
        ("de-AT;q=0, de", Some(German)),
        ("en;q=0, es;q=0, de;q=0, ja;q=0, *", None),
    ] {
        assert_eq!(Language::negotiate(ranges), want, "{ranges}");
    }
}

#[test]
fn what_is_not_well_formed_is_not_there() {
    for bad in [
        "",
        " ",
        ",",
        ";",
        ";q=1",
        "q=1",
        "de;q",
        "de;q=",
        "de;q=x",
        "de;q=2",
        "de;q=1.001",
        "de;q=-1",
        "de;q=0.1234",
        "de;q=1e0",
        "de;q=nan",
        "de;q=+1",
        "d e",
        "de-",
        "-de",
        "de--AT",
        "de-überlang",
        "de-123456789",
        "deutschland",
        "日本語",
        "{}",
        "de\0",
        "1de",
    ] {
        assert_eq!(Language::negotiate(bad), None, "{bad:?}");
        let with_good = format!("{bad}, ja;q=0.1");
        assert_eq!(Language::negotiate(&with_good), Some(Japanese), "{bad:?}");
    }
}

#[test]
fn a_list_without_end_is_read_in_bounded_time_and_only_at_its_beginning() {
    let endless = "zh,".repeat(1 << 20);
    assert_eq!(Language::negotiate(&endless), None);
    assert_eq!(Language::negotiate(&format!("de,{endless}")), Some(German));
    assert_eq!(Language::negotiate(&format!("{endless}de")), None);
    let one = format!("de-{}", "a".repeat(1 << 20));
    assert_eq!(Language::negotiate(&one), None);
    // Cut in the middle of a character and of a range: "ja" must not be left of "ja-…".
    let cut = format!("{}ja-{}", "ü,".repeat(1364), "x".repeat(50));
    assert_eq!(Language::negotiate(&cut), None);
}

#[test]
fn every_language_is_found_by_its_own_tag() {
    for language in Language::ALL {
        assert_eq!(Language::negotiate(language.as_str()), Some(*language));
        assert_eq!(language.to_string(), language.as_str());
    }
    assert_eq!(Language::default(), English);
}
