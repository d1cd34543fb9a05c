//! Finds `proves!` in source files, and the test each one stands in, as rustfmt writes them: by the indentation of lines.
//!
//! Module paths come from file paths and inline `mod` blocks. A `#[path]` or a function named by a macro is not
//! followed; such a claim is then missing from the list of tests and reported, never silently believed.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A test that says it proves something.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Claim {
    pub(super) package: String,
    pub(super) target: Target,
    /// Modules and function: what the test runner calls the test inside its binary.
    pub(super) path: String,
    pub(super) ids: Vec<String>,
    pub(super) file: String,
    pub(super) line: usize,
}

/// Which of a package's test binaries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// The library, or the main binary of a package without one.
    Source,
    /// A file or folder of `src/bin`.
    Bin(String),
    /// A file or folder of `tests`.
    Test(String),
}

/// The folders packages are in. An example shows things the library alone cannot.
pub(super) const PACKAGES: &[&str] = &["crates", "examples"];

/// The claims of one file; `file` is its path from the root of the workspace, as `crates/NAME/src/…`.
pub(super) fn claims(file: &str, source: &str) -> Vec<Claim> {
    let Some((package, target, outer)) = locate(file) else {
        return Vec::new();
    };
    let (mut modules, mut functions) = (Vec::new(), Vec::new());
    let mut claims = Vec::new();
    for (at, line) in source.lines().enumerate() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text == "}" {
            modules.retain(|(outside, _)| *outside < indent);
        } else if let Some(name) = item(text, "mod ").filter(|_| text.ends_with('{')) {
            modules.push((indent, name));
        } else if let Some(name) = item(text, "fn ") {
            functions.retain(|(outside, _)| *outside < indent);
            functions.push((indent, name));
        } else if text
            .strip_prefix("testing::")
            .unwrap_or(text)
            .starts_with("proves!(")
        {
            let lines = source.lines().skip(at);
            let claim: String = lines
                .scan(false, |end, line| {
                    (!std::mem::replace(end, line.contains(");"))).then_some(line)
                })
                .collect();
            let inside = modules.iter().map(|(_, name)| *name);
            let function = functions
                .iter()
                .rev()
                .find(|(outside, _)| *outside < indent);
            let path = outer
                .iter()
                .map(String::as_str)
                .chain(inside)
                .chain(function.map(|(_, name)| *name));
            claims.push(Claim {
                package: package.clone(),
                target: target.clone(),
                path: path.collect::<Vec<_>>().join("::"),
                ids: claim
                    .split('"')
                    .skip(1)
                    .step_by(2)
                    .map(str::to_owned)
                    .collect(),
                file: file.to_owned(),
                line: at + 1,
            });
        }
    }
    claims
}

/// The name a line gives an item of a kind.
fn item<'a>(line: &'a str, kind: &str) -> Option<&'a str> {
    let mut rest = line;
    while !rest.starts_with(kind) {
        let word = [
            "pub ",
            "pub(crate) ",
            "pub(super) ",
            "async ",
            "const ",
            "unsafe ",
        ];
        rest = word.iter().find_map(|word| rest.strip_prefix(word))?;
    }
    let name = &rest[kind.len()..];
    name.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

/// The package and target of a file, and the modules its path stands for.
fn locate(file: &str) -> Option<(String, Target, Vec<String>)> {
    let mut parts = file.strip_suffix(".rs")?.split('/');
    if !PACKAGES.contains(&parts.next()?) {
        return None;
    }
    let package = parts.next()?.to_owned();
    let top = parts.next()?;
    let mut rest: Vec<String> = parts.map(str::to_owned).collect();
    let is_bin = top == "src" && rest.first().is_some_and(|first| first == "bin");
    if is_bin {
        rest.remove(0);
    }
    let target = match top {
        "src" if !is_bin => Target::Source,
        "src" | "tests" if rest.is_empty() => return None,
        "src" => Target::Bin(rest.remove(0)),
        "tests" => Target::Test(rest.remove(0)),
        _ => return None,
    };
    // The root of a target and the head of a folder add no name of their own.
    if rest.last().is_some_and(|last| last == "mod") || rest == ["main"] || rest == ["lib"] {
        rest.pop();
    }
    Some((package, target, rest))
}

/// The part of `cargo nextest list --message-format json` that is read: the tests that really exist.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Listing {
    rust_suites: BTreeMap<String, Suite>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
struct Suite {
    package_name: String,
    binary_name: String,
    kind: String,
    #[serde(default)]
    testcases: BTreeMap<String, Case>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
struct Case {
    ignored: bool,
    filter_match: FilterMatch,
}

#[derive(Deserialize, Debug)]
struct FilterMatch {
    status: String,
}

impl Listing {
    /// The binary that runs the test of a claim.
    pub(super) fn binary(&self, claim: &Claim) -> Option<&str> {
        let mut suites = self
            .rust_suites
            .iter()
            .filter(|(_, suite)| suite.holds(claim));
        let (binary, case) =
            suites.find_map(|(binary, suite)| Some((binary, suite.testcases.get(&claim.path)?)))?;
        (!case.ignored && case.filter_match.status == "matches").then_some(binary)
    }
}

impl Suite {
    fn holds(&self, claim: &Claim) -> bool {
        self.package_name == claim.package
            && match &claim.target {
                Target::Source => self.kind != "test",
                Target::Bin(name) => self.kind == "bin" && self.binary_name == *name,
                Target::Test(name) => self.kind == "test" && self.binary_name == *name,
            }
    }
}
