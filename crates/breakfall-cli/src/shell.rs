//! Command lines to type into a shell.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What to type to start this program again: its name if PATH leads to it, or the path it was started by.
pub(crate) fn program_name() -> String {
    let started_by = std::env::args_os().next().unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    match std::env::current_exe() {
        Ok(program) => called(&program, &started_by, &path),
        Err(_) => NAME.to_owned(),
    }
}

/// The whole path of this program: where PATH leads to it, since that stays when it is updated, or else its own.
pub(crate) fn program_path() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let Ok(program) = std::env::current_exe() else {
        return NAME.to_owned();
    };
    let found = in_path(&program, &path).filter(|found| found.is_absolute());
    found.unwrap_or(program).display().to_string()
}

/// What starts this program on every machine where PATH leads to it, if it does here; or else its whole path.
pub(crate) fn shared_program() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match std::env::current_exe() {
        Ok(program) if in_path(&program, &path).is_none() => program.display().to_string(),
        Ok(_) | Err(_) => NAME.to_owned(),
    }
}

fn called(program: &Path, started_by: &OsStr, path: &OsStr) -> String {
    if in_path(program, path).is_some() {
        return NAME.to_owned();
    }
    let started_by = Path::new(started_by);
    // A name alone is looked for in PATH.
    let is_path = started_by.components().count() > 1 && same(started_by, program);
    let shown = if is_path { started_by } else { program };
    line(&[shown.display().to_string()])
}

/// The file that the name of this program leads to, if that is this program.
fn in_path(program: &Path, path: &OsStr) -> Option<PathBuf> {
    let found = std::env::split_paths(path)
        .map(|folder| folder.join(NAME))
        .find(|file| file.is_file());
    found.filter(|file| same(file, program))
}

fn same(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(Path::canonicalize);
    matches!((one, other), (Ok(one), Ok(other)) if one == other)
}

const NAME: &str = "breakfall";

/// A command line to be typed.
pub(crate) fn line(words: &[String]) -> String {
    let words = words.iter().map(|word| quoted(word));
    words.collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if word.chars().any(char::is_control) {
        return escaped(word);
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// With control characters as escapes.
fn escaped(word: &str) -> String {
    let mut out = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\n' => out.push_str(r"\n"),
            '\t' => out.push_str(r"\t"),
            '\\' | '\'' => out.extend(['\\', c]),
            c if c.is_control() => {
                // Always three digits, so that a digit after it is not read as part of it.
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).bytes();
                out.extend(bytes.map(|byte| format!(r"\{byte:03o}")));
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_shown_where_the_name_would_not_be_found() {
        let folder = tempfile::tempdir().unwrap();
        let [bin, other] = ["my bin", "other"].map(|name| folder.path().join(name));
        for folder in [&bin, &other] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join(NAME), "").unwrap();
        }
        let program = bin.join(NAME);
        let called = |started_by: &Path, path: &Path| {
            called(&program, started_by.as_os_str(), path.as_os_str())
        };
        let here = bin.join("../my bin/breakfall");
        assert_eq!(called(&here, &bin), "breakfall");
        let quoted = |path: &Path| format!("'{}'", path.display());
        assert_eq!(called(&here, folder.path()), quoted(&here));
        // Another one would be found.
        assert_eq!(called(&here, &other), quoted(&here));
        assert_eq!(
            called(Path::new("breakfall"), folder.path()),
            quoted(&program)
        );
    }

    #[test]
    fn words_are_quoted_only_where_a_shell_would_interpret_them() {
        assert_eq!(quoted("-y"), "-y");
        assert_eq!(quoted("@scope/server"), "@scope/server");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted("a\n\u{1b}7\\'"), r"$'a\n\0337\\\''");
    }
}
