//! What a source is made of: a command and its environment, headers, paths.

use std::path::PathBuf;

use super::{At, Checker, Given, Secret};
use crate::config::file::{self, Command as Written};
use crate::config::kinds::{Map, Plain};
use crate::config::mask::said;
use crate::config::upstream::Command;
use breakfall_mcp::process::MaskedWord;

impl Checker<'_> {
    pub(super) fn command(&mut self, table: &file::Upstream) -> Option<Command> {
        let args = table.args.as_ref();
        let mut args: Vec<_> = args
            .into_iter()
            .flat_map(|args| self.words(&args.value.0))
            .collect();
        let env = self.variables(table.env.as_ref());
        let cwd = table
            .cwd
            .as_ref()
            .and_then(|given| self.existing(given, "directory"));
        let given = table.command.as_ref()?;
        let program = match &given.value {
            Written::Program(program) => self.program(&given.at, program),
            Written::Words(words) => {
                let before = self.words(words);
                let Some(first) = words.first() else {
                    if !self.reader.failed(&format!("{}[0]", given.at.path)) {
                        self.add(given.at.problem("the list names no program"));
                    }
                    return None;
                };
                args.splice(..0, before.into_iter().skip(1));
                self.nonempty(&first.at, &first.value.0)
            }
        };
        Some(Command {
            program: program?,
            args,
            env,
            cwd,
        })
    }

    /// A program that is written as a text. It is not taken apart: where would a path with blanks end?
    fn program(&mut self, at: &At, text: &str) -> Option<MaskedWord> {
        if text.contains(char::is_whitespace) {
            let words: Vec<String> = text.split_whitespace().map(quoted).collect();
            let mut problem = at.problem("a command with arguments is a list");
            if !words.is_empty() {
                problem = problem.hint(said(&format!("write [{}]", words.join(", "))));
            }
            let whole = said(&format!(
                "if all of it is the name of a file, write ['{text}']"
            ));
            self.add(problem.hint(whole));
            return None;
        }
        self.nonempty(at, text)
    }

    fn nonempty(&mut self, at: &At, text: &str) -> Option<MaskedWord> {
        if text.is_empty() {
            self.add(at.problem("the program has no name"));
            return None;
        }
        self.word(at, text)
    }

    fn words(&mut self, words: &[Given<Plain>]) -> Vec<MaskedWord> {
        words
            .iter()
            .filter_map(|given| self.word(&given.at, &given.value.0))
            .collect()
    }

    fn variables(&mut self, given: Option<&Given<Map<Plain>>>) -> Vec<(String, Secret)> {
        let mut out = Vec::new();
        for (name, given) in given.into_iter().flat_map(|given| &given.value.0) {
            if name.is_empty() || name.contains(['=', '\0']) {
                let problem = given.at.key_problem("this is no name of a variable");
                self.add(problem.hint("a name has no '=' in it; the value follows a ':'"));
            }
            if let Some(value) = self.secret(&given.at, &given.value.0) {
                out.push((name.clone(), value));
            }
        }
        out
    }

    pub(super) fn headers(&mut self, given: Option<&Given<Map<Plain>>>) -> Vec<(String, Secret)> {
        let mut out: Vec<(String, Secret)> = Vec::new();
        for (name, given) in given.into_iter().flat_map(|given| &given.value.0) {
            if name.is_empty() || !name.bytes().all(is_token) {
                self.add(
                    given
                        .at
                        .key_problem("this is no name of a header")
                        .hint("a name has letters, digits and '-'"),
                );
            } else if OURS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
                let problem = given
                    .at
                    .key_problem(format!("Breakfall sets the header '{name}' itself"));
                self.add(problem.hint("remove it"));
            } else if out
                .iter()
                .any(|(other, _)| other.eq_ignore_ascii_case(name))
            {
                let problem = given
                    .at
                    .key_problem(format!("the header '{name}' is written twice"));
                self.add(problem.hint("upper and lower case are the same here; keep one of them"));
            }
            if let Some(value) = self.secret(&given.at, &given.value.0) {
                if value
                    .reveal()
                    .chars()
                    .any(|c| c != '\t' && (c.is_control() || !c.is_ascii()))
                {
                    let problem = given.at.problem("a header cannot carry this value");
                    self.add(problem.hint("it is one line of ASCII"));
                }
                out.push((name.clone(), value));
            }
        }
        out
    }

    /// A path; whether it leads anywhere may differ where the file is used, so that is a warning.
    pub(super) fn existing(&mut self, given: &Given<String>, what: &str) -> Option<PathBuf> {
        let path = self.path(&given.at, &given.value)?;
        if !self.around.exists(&path) {
            let (key, written) = (&given.at.path, &given.value);
            self.warn(format!(
                "{key}: there is no {what} '{written}' on this machine"
            ));
        }
        Some(path)
    }
}

const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
        )
}

/// Headers of the transport.
const OURS: [&str; 11] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-method",
    "mcp-protocol-version",
    "mcp-session-id",
    "te",
    "transfer-encoding",
];

/// A word as an item of a list in brackets.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    if word.chars().all(plain) && word != "-" {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "''"))
    }
}
