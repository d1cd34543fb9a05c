//! Holds the order of a crate's modules: `lib.rs` lists foundations first, and each module imports only those above it.
//!
//! A cycle of modules has at least one import that points down the list, so that the order forbids cycles, too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The imports of modules that stand below the importing one: `importer -> imported: file`, in the order of the files.
/// Imports of tests do not count.
///
/// # Panics
/// When the sources cannot be read.
pub fn upward_imports(src: &Path) -> Vec<String> {
    let root = ["lib.rs", "main.rs"].map(|name| src.join(name));
    let root = root.iter().find(|file| file.exists());
    let root = std::fs::read_to_string(root.expect("a crate has a root")).expect("it is text");
    let modules = modules(&root);
    let place: BTreeMap<&str, usize> = modules
        .iter()
        .enumerate()
        .map(|(at, module)| (module.as_str(), at))
        .collect();
    let mut upward = Vec::new();
    for file in files(src) {
        let relative = file.strip_prefix(src).expect("it was found there");
        let path: Vec<String> = relative
            .with_extension("")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .filter(|part| part != "mod")
            .collect();
        let module = path[0].as_str();
        let is_test = path
            .last()
            .is_some_and(|last| last == "tests" || last == "fuzzed");
        let Some(own) = place.get(module).filter(|_| !is_test) else {
            continue;
        };
        let text = std::fs::read_to_string(&file).expect("it is text");
        for imported in imports(&without_tests(&text), path.len()) {
            if place.get(imported.as_str()).is_some_and(|at| at > own) {
                upward.push(format!("{module} -> {imported}: {}", relative.display()));
            }
        }
    }
    upward
}

/// The modules a crate's root lists, in order.
fn modules(root: &str) -> Vec<String> {
    let declared = without_tests(root);
    let declared = declared.lines().filter_map(|line| {
        let line = line
            .strip_prefix("pub ")
            .or_else(|| line.strip_prefix("pub(crate) "))
            .unwrap_or(line);
        line.strip_prefix("mod ")?
            .strip_suffix(';')
            .map(str::to_owned)
    });
    declared.collect()
}

/// Every source file below a folder but the crate's root.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.retain(|file| {
        ["lib.rs", "main.rs"]
            .iter()
            .all(|root| *file != folder.join(root))
    });
    found.sort();
    found
}

/// The source without comments and without items of tests.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if start.starts_with("#[cfg(test)]") || start.starts_with("#[cfg(any(test") {
            let indent = &line[..line.len() - start.len()];
            let end = format!("{indent}}}");
            // Attributes, and then the item: on one line, or up to the brace below its start.
            let item = lines.find(|line| !line.trim_start().starts_with("#["));
            let is_whole = item.is_none_or(|item| item.ends_with([';', '}']));
            if !is_whole {
                lines.find(|line| line.starts_with(&end));
            }
        } else if !start.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The top-level modules a source names, in a module of some depth.
fn imports(text: &str, depth: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for root in ["crate::".to_owned(), "super::".repeat(depth)] {
        for (at, _) in text.match_indices(&root) {
            let is_start = !text[..at].ends_with(|before: char| {
                before.is_alphanumeric() || matches!(before, '_' | '$' | ':')
            });
            if !is_start {
                continue;
            }
            let rest = &text[at + root.len()..];
            match rest.strip_prefix('{') {
                Some(group) => found.extend(group_members(group)),
                None => found.extend(name(rest)),
            }
        }
    }
    found
}

/// The first name of each path in a group of imports.
fn group_members(group: &str) -> Vec<String> {
    let mut members = Vec::new();
    let (mut depth, mut is_first) = (0_usize, true);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_first = true,
            _ if is_first && !character.is_whitespace() => {
                is_first = false;
                members.extend(name(&group[at..]));
            }
            _ => {}
        }
    }
    members
}

fn name(path: &str) -> Option<String> {
    let end = path.find(|character: char| !(character.is_alphanumeric() || character == '_'));
    let name = &path[..end.unwrap_or(path.len())];
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crate_of(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("there is room");
        for (name, text) in files {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
            std::fs::write(file, text).expect("a file");
        }
        upward_imports(folder.path())
    }

    const ROOT: (&str, &str) = (
        "lib.rs",
        "//! A crate.\n\nmod low;\npub mod middle;\n#[cfg(test)]\nmod planted;\npub(crate) mod high;\n",
    );

    #[test]
    fn imports_of_modules_above_are_fine() {
        let found = crate_of(&[
            ROOT,
            ("low.rs", "use std::fmt;\n"),
            (
                "middle/mod.rs",
                "use crate::low;\n// use crate::high;\nmod part;\n",
            ),
            (
                "middle/part.rs",
                "use super::Thing;\nuse crate::middle::Other;\n",
            ),
            ("high.rs", "use crate::{low, middle::{Thing, Other}};\n"),
        ]);
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn an_upward_import_is_found_however_it_is_written() {
        let found = crate_of(&[
            ROOT,
            ("low.rs", "use crate::{fmt, high::{Thing, middle}};\n"),
            ("middle/mod.rs", "use super::high::Thing;\n"),
            (
                "middle/part.rs",
                "fn part() { super::super::high::part() }\n",
            ),
            ("high.rs", ""),
        ]);
        let wanted = [
            "low -> high: low.rs",
            "middle -> high: middle/mod.rs",
            "middle -> high: middle/part.rs",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_cycle_has_an_upward_import() {
        let found = crate_of(&[
            ROOT,
            ("low.rs", "use crate::middle::Thing;\n"),
            ("middle/mod.rs", "use crate::high::Thing;\n"),
            ("high.rs", "use crate::low::Thing;\n"),
        ]);
        assert_eq!(
            found,
            ["low -> middle: low.rs", "middle -> high: middle/mod.rs"]
        );
    }

    #[test]
    fn tests_may_import_what_they_like() {
        let test = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::high;\n    fn b() {\n    }\n}\n";
        assert_eq!(
            crate_of(&[
                ROOT,
                ("low.rs", test),
                ("middle/tests.rs", "use crate::high;\n")
            ]),
            [""; 0]
        );
        let behind = format!("{test}use crate::high;\n");
        assert_eq!(
            crate_of(&[ROOT, ("low.rs", &behind)]),
            ["low -> high: low.rs"]
        );
    }
}
