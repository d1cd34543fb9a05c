//! Finds `proves!` in source files, and the test each one sits in.
//!
//! Module paths come from file paths and inline `mod` blocks. A `#[path]` or a function named by a macro is not
//! followed; such a claim is then missing from the list of tests and reported, never silently believed.

use super::lex::{Kind, Token, tokens};
use super::problem::{Place, Problem};

/// A test that says it proves something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Claim {
    pub(super) home: Home,
    /// Modules and function: what the test runner calls the test inside its binary.
    pub(super) path: String,
    pub(super) ids: Vec<String>,
    pub(super) place: Place,
}

/// The package and target a source file is compiled into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Home {
    pub(super) package: String,
    pub(super) target: Target,
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

/// What was found in one or many files.
#[derive(Default, Debug)]
pub(super) struct Scan {
    pub(super) claims: Vec<Claim>,
    pub(super) problems: Vec<Problem>,
}

impl Scan {
    /// Adds what one file holds; `file` is its path from the root of the workspace, as `crates/NAME/src/…` or
    /// `examples/NAME/src/…`.
    pub(super) fn file(&mut self, file: &str, source: &str) {
        let Some((home, modules)) = locate(file) else {
            return;
        };
        let mut walk = Walk {
            tokens: &tokens(source),
            at: 0,
            stack: modules.into_iter().map(Frame::Module).collect(),
            pending: None,
            test: false,
            home,
            file,
            found: self,
        };
        while walk.at < walk.tokens.len() {
            walk.step();
        }
    }
}

/// The folders packages are in. An example shows things the library alone cannot.
pub(super) const PACKAGES: &[&str] = &["crates", "examples"];

/// The target of a file and the modules its path stands for.
fn locate(file: &str) -> Option<(Home, Vec<String>)> {
    let mut parts = file.strip_suffix(".rs")?.split('/');
    let folder = parts.next()?;
    if !PACKAGES.contains(&folder) {
        return None;
    }
    let package = parts.next()?.to_owned();
    let top = parts.next()?;
    let mut rest: Vec<String> = parts.map(str::to_owned).collect();
    let target = match top {
        "src" if rest.first().is_some_and(|first| first == "bin") => {
            rest.remove(0);
            Target::Bin(take_first(&mut rest)?)
        }
        "src" => Target::Source,
        "tests" => Target::Test(take_first(&mut rest)?),
        _ => return None,
    };
    // The root of a target and the head of a folder add no name of their own.
    if rest.last().is_some_and(|last| last == "mod") || rest == ["main"] || rest == ["lib"] {
        rest.pop();
    }
    Some((Home { package, target }, rest))
}

fn take_first(parts: &mut Vec<String>) -> Option<String> {
    (!parts.is_empty()).then(|| parts.remove(0))
}

/// What an open delimiter belongs to.
enum Frame {
    Module(String),
    Function { name: Option<String>, test: bool },
    Other,
}

struct Walk<'a> {
    tokens: &'a [Token],
    at: usize,
    /// The modules of the file, then one frame per open delimiter.
    stack: Vec<Frame>,
    /// A module or function whose body has not begun, and the depth at which it will: arguments of a
    /// `proptest!` function hold braces of their own.
    pending: Option<(usize, Frame)>,
    /// Whether the attributes seen since the last item make the next function a test.
    test: bool,
    home: Home,
    file: &'a str,
    found: &'a mut Scan,
}

impl Walk<'_> {
    fn step(&mut self) {
        match &self.tokens[self.at].kind {
            Kind::Mark('#') if self.is_mark(1, '[') => return self.attribute(2),
            Kind::Mark('#') if self.is_mark(1, '!') && self.is_mark(2, '[') => {
                return self.attribute(3);
            }
            Kind::Mark('{') => {
                let frame = match self
                    .pending
                    .take_if(|(depth, _)| *depth == self.stack.len())
                {
                    Some((_, frame)) => frame,
                    None => Frame::Other,
                };
                self.stack.push(frame);
                self.test = false;
            }
            Kind::Mark('(' | '[') => self.stack.push(Frame::Other),
            Kind::Mark(')' | ']') => self.close(),
            Kind::Mark('}') => {
                self.close();
                self.test = false;
            }
            Kind::Mark(';') => {
                self.pending
                    .take_if(|(depth, _)| *depth == self.stack.len());
                self.test = false;
            }
            Kind::Word(word) if word == "mod" => {
                if let Some(name) = self.word(1) {
                    self.pending = Some((self.stack.len(), Frame::Module(name)));
                }
            }
            Kind::Word(word) if word == "fn" => {
                let name = self.word(1);
                // A function pointer type has neither a name nor a macro's stand-in for one.
                if name.is_some() || self.is_mark(1, '$') {
                    self.pending = Some((
                        self.stack.len(),
                        Frame::Function {
                            name,
                            test: self.test,
                        },
                    ));
                    self.test = false;
                }
            }
            Kind::Word(word) if word == "proves" && self.is_mark(1, '!') => return self.claim(),
            Kind::Word(_) | Kind::Text(_) | Kind::Mark(_) => {}
        }
        self.at += 1;
    }

    fn close(&mut self) {
        self.stack.pop();
    }

    /// Notes whether an attribute is a path that ends in `test`, and steps over it.
    fn attribute(&mut self, skip: usize) {
        self.at += skip;
        let mut last = None;
        let mut path = true;
        let mut depth = 1;
        while let Some(token) = self.tokens.get(self.at) {
            match &token.kind {
                Kind::Word(word) if path => last = Some(word.as_str()),
                Kind::Mark(':') => {}
                Kind::Mark('[' | '(' | '{') => (path, depth) = (false, depth + 1),
                Kind::Mark(']' | ')' | '}') => depth -= 1,
                Kind::Word(_) | Kind::Text(_) | Kind::Mark(_) => path = false,
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        self.test |= last == Some("test");
    }

    /// Reads the ids of one `proves!` and ascribes them to the function around it.
    fn claim(&mut self) {
        let place = Place {
            file: self.file.to_owned(),
            line: self.tokens[self.at].line,
        };
        // The name, the exclamation mark and the opening delimiter.
        self.at += 3;
        let mut ids = Vec::new();
        let mut literal = true;
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match &token.kind {
                Kind::Text(id) => ids.push(id.clone()),
                Kind::Mark(',') => {}
                Kind::Mark(')' | ']' | '}') => break,
                Kind::Word(_) | Kind::Mark(_) => literal = false,
            }
        }
        if !literal || ids.is_empty() {
            self.found.problems.push(Problem::NotLiteral(place));
            return;
        }
        match self.test_path() {
            Some(path) => self.found.claims.push(Claim {
                home: self.home.clone(),
                path,
                ids,
                place,
            }),
            None => self.found.problems.push(Problem::OutsideTest(place)),
        }
    }

    /// The path of the innermost function, if it is a test with a name.
    fn test_path(&self) -> Option<String> {
        let function = self.stack.iter().rev().find_map(|frame| match frame {
            Frame::Function { name, test } => Some(name.clone().filter(|_| *test)),
            Frame::Module(_) | Frame::Other => None,
        })??;
        let modules = self.stack.iter().filter_map(|frame| match frame {
            Frame::Module(name) => Some(name.clone()),
            Frame::Function { .. } | Frame::Other => None,
        });
        Some(modules.chain([function]).collect::<Vec<_>>().join("::"))
    }

    fn word(&self, ahead: usize) -> Option<String> {
        match &self.tokens.get(self.at + ahead)?.kind {
            Kind::Word(word) => Some(word.clone()),
            Kind::Text(_) | Kind::Mark(_) => None,
        }
    }

    fn is_mark(&self, ahead: usize, mark: char) -> bool {
        self.tokens
            .get(self.at + ahead)
            .is_some_and(|token| token.kind == Kind::Mark(mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(source: &str) -> Scan {
        let mut scan = Scan::default();
        scan.file("crates/a/src/lib.rs", source);
        scan
    }

    /// Each claim as `path: ids`.
    fn claims(source: &str) -> Vec<String> {
        let scan = scan(source);
        assert_eq!(scan.problems, []);
        scan.claims
            .iter()
            .map(|claim| format!("{}: {}", claim.path, claim.ids.join(" ")))
            .collect()
    }

    #[test]
    fn a_test_claims_the_ids_in_its_body() {
        let source = r#"
            #[test]
            fn one() { testing::proves!("S0-01", "S0-02",); }
            #[cfg(test)]
            mod tests {
                use testing::proves;
                fn helper<'a>() -> &'a str { "}" }
                mod inner { #[test] fn two() { let _ = |x: u8| { x }; proves!["S0-03"]; } }
                #[test]
                #[should_panic(expected = "}")]
                pub(crate) fn three() { proves!("S0-04"); proves!("S0-05"); }
            }
            #[tokio::test(flavor = "current_thread")]
            async fn four() { if true { proves!("S0-06") } }
        "#;
        assert_eq!(
            claims(source),
            [
                "one: S0-01 S0-02",
                "tests::inner::two: S0-03",
                "tests::three: S0-04",
                "tests::three: S0-05",
                "four: S0-06"
            ]
        );
    }

    #[test]
    fn tests_inside_proptest_are_found_whatever_their_arguments_hold() {
        let source = r#"
            proptest! {
                #![proptest_config(Config { cases: 9, ..Config::default() })]
                /// Says so.
                #[test]
                fn holds(x in any::<u8>().prop_map(|x| { x }), f in fun as fn(u8) -> u8) {
                    proves!("S0-01");
                    prop_assert!(x == x);
                }
                #[test] fn too(y in 0..3u8) { proves!("S0-02"); }
            }
        "#;
        assert_eq!(claims(source), ["holds: S0-01", "too: S0-02"]);
    }

    #[test]
    fn comments_strings_and_the_macro_itself_claim_nothing() {
        let source = r##"
            //! proves!("S0-01")
            macro_rules! proves { () => {}; }
            #[test]
            fn none() { let _ = r#"proves!("S0-02")"#; /* proves!("S0-03") */ }
        "##;
        assert!(claims(source).is_empty());
    }

    #[test]
    fn a_claim_outside_a_named_test_is_a_problem() {
        for source in [
            r#"fn helper() { proves!("S0-01"); }"#,
            r#"#[test] fn test() {} fn helper() { proves!("S0-01"); }"#,
            r#"#[test] fn test() { fn helper() { proves!("S0-01"); } }"#,
            r#"#[cfg(test)] fn helper() { proves!("S0-01"); }"#,
            r#"#[test] const X: u8 = 1; fn helper() { proves!("S0-01"); }"#,
            r#"proves!("S0-01");"#,
            r#"macro_rules! m { ($n:ident) => { #[test] fn $n() { proves!("S0-01"); } } }"#,
        ] {
            let scan = scan(source);
            let place = Place {
                file: "crates/a/src/lib.rs".to_owned(),
                line: 1,
            };
            assert_eq!(scan.problems, [Problem::OutsideTest(place)], "{source}");
            assert_eq!(scan.claims, [], "{source}");
        }
    }

    #[test]
    fn a_claim_of_anything_but_literals_is_a_problem() {
        for source in [
            "#[test] fn a() { proves!(ID); }",
            "#[test]\n fn a() { proves!(); }",
        ] {
            assert!(
                matches!(scan(source).problems[..], [Problem::NotLiteral(_)]),
                "{source}"
            );
        }
    }

    #[test]
    fn a_path_tells_package_target_and_modules() {
        let located = |file| {
            let (home, modules) = locate(file)?;
            Some((home.package, home.target, modules.join("::")))
        };
        let found = |target, modules: &str| Some(("a".to_owned(), target, modules.to_owned()));
        let named = str::to_owned;
        assert_eq!(located("crates/a/src/lib.rs"), found(Target::Source, ""));
        assert_eq!(located("crates/a/src/main.rs"), found(Target::Source, ""));
        assert_eq!(located("crates/a/src/b/mod.rs"), found(Target::Source, "b"));
        assert_eq!(
            located("crates/a/src/b/c.rs"),
            found(Target::Source, "b::c")
        );
        assert_eq!(
            located("crates/a/src/bin/d.rs"),
            found(Target::Bin(named("d")), "")
        );
        assert_eq!(
            located("crates/a/src/bin/d/main.rs"),
            found(Target::Bin(named("d")), "")
        );
        assert_eq!(
            located("crates/a/tests/it/main.rs"),
            found(Target::Test(named("it")), "")
        );
        assert_eq!(
            located("crates/a/tests/it/b/mod.rs"),
            found(Target::Test(named("it")), "b")
        );
        assert_eq!(
            located("crates/a/tests/e.rs"),
            found(Target::Test(named("e")), "")
        );
        assert_eq!(
            located("examples/a/src/tests.rs"),
            found(Target::Source, "tests")
        );
        assert_eq!(located("crates/a/build.rs"), None);
        assert_eq!(located("fuzz/a/src/lib.rs"), None);
        assert_eq!(located("docs/a.md"), None);
    }
}
