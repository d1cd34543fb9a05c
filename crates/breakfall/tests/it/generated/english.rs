//! `crates/breakfall/locales/en.ftl`: the English of every text, for translators.

#[test]
fn the_english_bundle_is_the_rows() {
    super::assert_fresh(
        "crates/breakfall/locales/en.ftl",
        &breakfall::locale::english(),
    );
}
