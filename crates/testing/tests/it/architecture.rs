//! The architecture page names files and functions that exist.

use std::path::Path;

#[test]
fn every_file_and_function_of_the_architecture_page_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/ARCHITECTURE.md")).expect("the page");
    let (files, missing) = missing(&page, &root);
    assert_eq!(missing, [""; 0]);
    assert!(files > 60, "{files} files: the walks are gone");
}

#[test]
fn a_file_or_function_that_is_gone_is_reported() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = "| 1 | `mcp/lines.rs` | `no_such_function` | |\n| 2 | `mcp/gone.rs` | `run` | |\n";
    let (_, missing) = missing(page, &root);
    assert_eq!(
        missing,
        [
            "mcp/lines.rs: no_such_function",
            "mcp/gone.rs: no such file"
        ]
    );
}

/// How many files a page names, and those files and functions that do not exist.
fn missing(page: &str, root: &Path) -> (usize, Vec<String>) {
    let (mut files, mut missing) = (0, Vec::new());
    for line in page.lines() {
        for name in line.split('`').skip(1).step_by(2) {
            if let Some(path) = path_of(name) {
                files += 1;
                if !root.join(path).is_file() {
                    missing.push(format!("{name}: no such file"));
                }
            }
        }
        // A row of a walk: number, file, function.
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, number, file, function, ..] = cells.as_slice() else {
            continue;
        };
        if number.parse::<u32>().is_err() || file.is_empty() {
            continue;
        }
        let (file, function) = (file.trim_matches('`'), function.trim_matches('`'));
        let path = path_of(file).map(|path| root.join(path));
        let source = path.and_then(|path| std::fs::read_to_string(path).ok());
        let is_there = |source: String| {
            [format!("fn {function}("), format!("fn {function}<")]
                .iter()
                .any(|needle| source.contains(needle))
        };
        if !source.is_none_or(is_there) {
            missing.push(format!("{file}: {function}"));
        }
    }
    (files, missing)
}

fn path_of(name: &str) -> Option<String> {
    let is_file = Path::new(name).extension().is_some_and(|end| end == "rs");
    let (short, rest) = name.split_once('/').filter(|_| is_file)?;
    matches!(short, "mcp" | "gateway").then(|| format!("crates/breakfall-{short}/src/{rest}"))
}
