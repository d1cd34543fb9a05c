//! What must not compile, in a crate of its own because its dependencies are compiled again for it. The compiler's words are in the `.stderr` file beside each case of `tests/ui`;
//! `TRYBUILD=overwrite` writes them anew.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

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

/// An error that a new check tells has to stand in a case.
#[test]
fn every_error_of_the_derive_has_a_case() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = files(&here.join("tests/ui/derive"), "stderr").concat();
    let sources = files(&here.join("../breakfall-derive/src"), "rs");
    let errors: Vec<String> = sources
        .iter()
        .flat_map(|source| sentences(source))
        .collect();
    assert!(errors.len() > 40, "only {} errors", errors.len());
    // What stands between braces is filled in.
    let is_told = |error: &&String| {
        error
            .split(['{', '}'])
            .step_by(2)
            .all(|part| cases.contains(part))
    };
    let missing: Vec<_> = errors.iter().filter(|error| !is_told(error)).collect();
    assert!(missing.is_empty(), "without a case: {missing:#?}");
}

/// The texts of all files with an extension, below a folder too.
fn files(folder: &Path, extension: &str) -> Vec<String> {
    let entries = folder.read_dir().expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let read = |path: PathBuf| match path.extension() {
        None => files(&path, extension),
        Some(found) if found == extension => vec![read_to_string(path).expect("a text")],
        Some(_) => Vec::new(),
    };
    paths.flat_map(read).collect()
}

/// The literals of some code that are sentences for an author.
fn sentences(code: &str) -> Vec<String> {
    let other = ["//", "reason = ", "about: "];
    let is_code = |line: &&str| {
        let line = line.trim_start();
        !other.iter().any(|start| line.starts_with(start)) && !line.contains("\"sets the ")
    };
    let code: Vec<&str> = code
        .lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .filter(is_code)
        .collect();
    let code = code.join("\n").replace("\\\"", "\u{1}");
    // Every second piece stands between quotes.
    let literals = code.split('"').skip(1).step_by(2).map(|literal| {
        let lines = literal.split("\\\n").map(str::trim_start);
        lines.collect::<String>().replace('\u{1}', "\"")
    });
    literals
        .filter(|text| text.contains(' ') && text.len() > 20)
        .collect()
}
