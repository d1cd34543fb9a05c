//! References: `${NAME}`, `${NAME:-default}` and `${file:PATH}`.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::read_file;

/// What references refer to.
pub trait Environment {
    /// The value of an environment variable.
    fn variable(&self, name: &str) -> Option<OsString>;

    /// What a file contains.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    fn file(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Whether something has this path.
    fn exists(&self, path: &Path) -> bool;
}

/// The environment of this process and the files of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn variable(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        read_file::read(path, MAX_SECRET_FILE_BYTES + 1)
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}

/// No secret is larger, in bytes.
const MAX_SECRET_FILE_BYTES: u64 = 64 << 10;

/// A reference that could not be replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnresolvedReference {
    /// The part of the text that is wrong.
    pub(super) part: String,
    pub(super) message: String,
    pub(super) hint: String,
    /// Whether the texts above quote the value, which may be a secret.
    pub(super) quotes: bool,
}

/// A text with its references replaced; and whether there were any.
pub(super) fn resolve(
    text: &str,
    folder: &Path,
    environment: &dyn Environment,
) -> Result<(String, bool), Vec<UnresolvedReference>> {
    let mut out = String::with_capacity(text.len());
    let mut problems = Vec::new();
    let mut any = false;
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("$$") {
            out.push('$');
            rest = after;
            continue;
        }
        let Some((whole, inside)) = bracketed(rest) else {
            problems.push(lone(rest));
            rest = &rest[1..];
            continue;
        };
        any = true;
        match value(inside, folder, environment) {
            Ok(value) => out.push_str(&value),
            Err((message, hint)) => problems.push(UnresolvedReference {
                part: whole.to_owned(),
                message,
                hint,
                quotes: !is_named(inside),
            }),
        }
        rest = &rest[whole.len()..];
    }
    out.push_str(rest);
    if problems.is_empty() {
        Ok((out, any))
    } else {
        Err(problems)
    }
}

/// The variables that the references of a text name.
pub(super) fn variables(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("$$") {
            rest = after;
        } else if let Some((whole, inside)) = bracketed(rest) {
            let name = inside.split_once(":-").map_or(inside, |(name, _)| name);
            names.extend(Some(name).filter(|name| is_name(name)));
            rest = &rest[whole.len()..];
        } else {
            rest = &rest[1..];
        }
    }
    names
}

/// A reference at the start of a text, and what is in it.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix("${")?;
    let end = inside.find('}')?;
    Some((&text[..end + 3], &inside[..end]))
}

/// A dollar that starts no reference.
fn lone(text: &str) -> UnresolvedReference {
    if text.starts_with("${") {
        return UnresolvedReference {
            part: "${".to_owned(),
            message: "a reference is not closed".to_owned(),
            hint: "write ${NAME}, or $${ for the two characters".to_owned(),
            quotes: false,
        };
    }
    let name: String = text[1..].chars().take_while(|c| is_word(*c)).collect();
    UnresolvedReference {
        part: format!("${name}"),
        message: "a single '$' stands for nothing".to_owned(),
        hint: if is_name(&name) {
            format!("write ${{{name}}} for the variable, or $${name} for the text")
        } else {
            "write $$ for a dollar".to_owned()
        },
        quotes: true,
    }
}

/// The value of a reference. Problems never quote a value.
fn value(
    inside: &str,
    folder: &Path,
    environment: &dyn Environment,
) -> Result<String, (String, String)> {
    if let Some(path) = inside.strip_prefix("file:") {
        return contents(path, folder, environment);
    }
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    if !is_name(name) {
        let message = format!("'{name}' is no name of a variable");
        let hint = "a name has letters (A to Z, a to z), digits and _, and begins with no digit: ${NAME}, ${NAME:-default} or ${file:/path}; $${ stands for the two characters";
        return Err((message, hint.to_owned()));
    }
    if default.is_some_and(|default| default.contains("${")) {
        let hint = "write the default as it is".to_owned();
        return Err(("a default cannot have a reference in it".to_owned(), hint));
    }
    match (environment.variable(name), default) {
        (Some(value), Some(default)) if value.is_empty() => Ok(default.to_owned()),
        (Some(value), _) => value.into_string().map_err(|_| {
            let message = format!("the environment variable {name} is not UTF-8");
            (message, "set it to a text".to_owned())
        }),
        (None, Some(default)) => Ok(default.to_owned()),
        (None, None) => {
            let message = format!("the environment variable {name} is not set");
            let hint = format!("set it, or give a default: ${{{name}:-…}}");
            Err((message, hint))
        }
    }
}

fn contents(
    path: &str,
    folder: &Path,
    environment: &dyn Environment,
) -> Result<String, (String, String)> {
    if path.is_empty() {
        let hint = "write ${file:/run/secrets/name}".to_owned();
        return Err(("the reference names no file".to_owned(), hint));
    }
    let place = join(folder, path);
    let wrong = |message: String| (message, "the file holds the value, as UTF-8".to_owned());
    let bytes = environment.file(&place).map_err(|error| {
        let message = format!("cannot read {}: {}", place.display(), reason(&error));
        (
            message,
            "check the path; a relative one starts at the directory of the configuration"
                .to_owned(),
        )
    })?;
    if bytes.len() as u64 > MAX_SECRET_FILE_BYTES {
        return Err(wrong(format!(
            "{} is larger than {} KiB",
            place.display(),
            MAX_SECRET_FILE_BYTES >> 10
        )));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| wrong(format!("{} is not UTF-8", place.display())))?;
    // Editors and `echo` end a file with a line break that does not belong to the secret.
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.is_empty() {
        return Err(wrong(format!("{} is empty", place.display())));
    }
    Ok(text.to_owned())
}

/// A path as the configuration means it: a relative one starts where the file is.
pub(super) fn join(folder: &Path, path: &str) -> PathBuf {
    folder.join(path)
}

/// An I/O error without the number in brackets.
pub(super) fn reason(error: &io::Error) -> String {
    let full = error.to_string();
    match full.split_once(" (os error ") {
        Some((reason, _)) => reason.to_owned(),
        None => full,
    }
}

/// A text as it was written, without the defaults of its references: they may be secrets, and stand in for some.
pub(super) fn without_defaults(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some((whole, inside)) = bracketed(rest) else {
            break;
        };
        match inside.split_once(":-") {
            Some((name, default)) if !default.is_empty() && is_name(name) => {
                out.extend(["${", name, ":-…}"]);
            }
            Some(_) | None => out.push_str(whole),
        }
        rest = &rest[whole.len()..];
    }
    out + rest
}

/// Whether a text is a single reference. Its name or path may be shown; a default may be secret.
pub(super) fn is_reference(text: &str) -> bool {
    bracketed(text).is_some_and(|(whole, inside)| {
        whole == text && (is_name(inside) || inside.starts_with("file:"))
    })
}

/// Whether a reference has a valid name or path, which may be shown.
fn is_named(inside: &str) -> bool {
    let name = inside.split_once(":-").map_or(inside, |(name, _)| name);
    inside.starts_with("file:") || is_name(name)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_word)
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_is_not_shown_and_everything_else_is() {
        for (written, shown) in [
            ("--token=${TOK:-SECRET}&b=${B}", "--token=${TOK:-…}&b=${B}"),
            ("${A:-}${file:/a:-b}", "${A:-}${file:/a:-b}"),
            ("${A:-x", "${A:-x"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_defaults(written), shown);
        }
    }

    /// `A` is set, `EMPTY` is empty, `/secret` has a line.
    struct SmallEnvironment;

    impl Environment for SmallEnvironment {
        fn variable(&self, name: &str) -> Option<OsString> {
            match name {
                "A" => Some("one".into()),
                "EMPTY" => Some(OsString::new()),
                _ => None,
            }
        }

        fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
            match path.to_str() {
                Some("/secret") => Ok(b"s3cr3t\r\n".to_vec()),
                Some("/etc/here/near") => Ok(b"near\n\n".to_vec()),
                Some("/empty") => Ok(b"\n".to_vec()),
                Some("/binary") => Ok(vec![0xff]),
                Some("/large") => Ok(vec![b'x'; 70_000]),
                _ => Err(io::ErrorKind::NotFound.into()),
            }
        }

        fn exists(&self, _: &Path) -> bool {
            false
        }
    }

    #[test]
    fn the_variables_of_a_text_are_found() {
        for (text, names) in [
            ("plain $$ $${A} $A ${", &[] as &[&str]),
            ("${A}${file:/secret}<${B:-${x}>", &["A", "B"]),
        ] {
            assert_eq!(variables(text), names, "{text}");
        }
    }

    fn try_resolve(text: &str) -> Result<(String, bool), Vec<UnresolvedReference>> {
        resolve(text, Path::new("/etc/here"), &SmallEnvironment)
    }

    #[test]
    fn references_are_replaced_and_other_text_is_kept() {
        for (text, value, any) in [
            ("plain", "plain", false),
            ("${A}", "one", true),
            ("<${A}|${A}>", "<one|one>", true),
            ("${NONE:-two}", "two", true),
            ("${NONE:-}", "", true),
            ("${EMPTY:-two}", "two", true),
            ("${EMPTY}", "", true),
            ("${A:-two}", "one", true),
            ("${file:/secret}", "s3cr3t", true),
            ("${file:near}", "near\n", true),
            ("$$", "$", false),
            ("$${A}", "${A}", false),
            ("$$$$a", "$$a", false),
            ("ü${A}ü", "üoneü", true),
        ] {
            assert_eq!(try_resolve(text), Ok((value.to_owned(), any)), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_replaced_is_told_without_a_value() {
        for (text, part, message) in [
            (
                "x${NONE}",
                "${NONE}",
                "the environment variable NONE is not set",
            ),
            ("$A", "$A", "a single '$' stands for nothing"),
            ("a$", "$", "a single '$' stands for nothing"),
            ("${A", "${", "a reference is not closed"),
            ("${}", "${}", "'' is no name of a variable"),
            ("${1A}", "${1A}", "'1A' is no name of a variable"),
            (
                "${B:-${A}}",
                "${B:-${A}",
                "a default cannot have a reference in it",
            ),
            ("${file:}", "${file:}", "the reference names no file"),
            (
                "${file:/none}",
                "${file:/none}",
                "cannot read /none: entity not found",
            ),
            ("${file:/empty}", "${file:/empty}", "/empty is empty"),
            ("${file:/binary}", "${file:/binary}", "/binary is not UTF-8"),
            (
                "${file:/large}",
                "${file:/large}",
                "/large is larger than 64 KiB",
            ),
        ] {
            let problems = try_resolve(text).unwrap_err();
            let told: Vec<_> = problems
                .iter()
                .map(|problem| (&*problem.part, &*problem.message))
                .collect();
            assert_eq!(told, [(part, message)], "{text}");
        }
        assert_eq!(try_resolve("${NONE} ${ALSO}").unwrap_err().len(), 2);
    }
}
