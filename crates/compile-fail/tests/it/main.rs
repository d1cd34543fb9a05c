//! What must not compile, in a crate of its own because its dependencies are compiled again for it. The compiler's words are in the `.stderr` file beside each case of `tests/ui`;
//! `TRYBUILD=overwrite` writes them anew.

/// As `testing::proves!`, without the dependencies of that crate.
macro_rules! proves {
    ($($id:literal),+) => {
        const _: &[&str] = &[$($id),+];
    };
}

#[test]
fn what_must_not_compile_does_not() {
    // The private half stays with the server, for want of a way out.
    proves!("S0-08", "S2-36");
    // A success has no error, a failure has one, and there is no third.
    proves!("S0-88", "S0-89", "S0-90");
    // What failed does not pass for a success with nothing in it.
    proves!("S1-37");
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/private/*.rs");
    cases.compile_fail("tests/ui/outcome/*.rs");
    cases.compile_fail("tests/ui/derive/*.rs");
}
