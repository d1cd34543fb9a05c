//! Reads the settings of a file. A problem is kept, and reading goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use breakfall::suggest::nearest;
use breakfall_mcp::process::MaskedWord;

use super::mask::{MaskCollector, is_name, is_secret_key, shown_name};
use super::notes::ConfigNote;
use super::problem::ConfigProblem;
use super::reference::{
    Environment, UnresolvedReference, join, resolve, variables, without_defaults,
};
use super::secret::Secret;
use super::setting::{Kind, Section, Visitor, keys};
use super::tree::{YamlKey, YamlNode, YamlValue};
use super::yaml::MissingValues;

/// Reads values, and keeps problems and notes.
pub(super) struct Reader<'a> {
    text: &'a str,
    /// Where relative paths start.
    folder: &'a Path,
    pub(super) environment: &'a dyn Environment,
    /// The environment variables that references name, with the place of each reference.
    pub(super) variables: Vec<(String, String)>,
    pub(super) problems: Vec<ConfigProblem>,
    pub(super) notes: Vec<ConfigNote>,
    /// Values that no message may show, since they may be secrets.
    pub(super) hidden: Vec<Range<usize>>,
    /// Values that could not be filled in, which was reported.
    pub(super) missing: MissingValues,
    /// Where settings were given, by their keys from the top.
    present: BTreeMap<String, Position>,
    /// Settings that were given, or probably meant, and could not be used.
    failed: BTreeSet<String>,
    path: Vec<Step>,
}

/// A key or an item on the way from the top.
struct Step {
    name: String,
    /// Whether messages may show the name.
    is_shown: bool,
    key: Range<usize>,
    span: Range<usize>,
}

/// Where a setting was given.
#[derive(Debug, Clone, Default)]
pub(super) struct Position {
    /// Its key; for an item of a list, the item.
    pub(super) key: Range<usize>,
    /// Its value.
    pub(super) span: Range<usize>,
    /// Its keys from the top, with dots, as messages show them.
    path: String,
}

impl Position {
    /// Its keys from the top, with dots.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// A problem of the value.
    pub(super) fn problem(&self, message: impl Into<String>) -> ConfigProblem {
        ConfigProblem::new(message)
            .at(self.span.clone())
            .of(self.path.clone())
    }

    /// A problem of the key, or of something missing below it.
    pub(super) fn key_problem(&self, message: impl Into<String>) -> ConfigProblem {
        self.problem(message).at(self.key.clone())
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, folder: &'a Path, environment: &'a dyn Environment) -> Self {
        Self {
            text,
            folder,
            environment,
            variables: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
            hidden: Vec::new(),
            missing: MissingValues::default(),
            present: BTreeMap::new(),
            failed: BTreeSet::new(),
            path: Vec::new(),
        }
    }

    /// The settings of a section; those that are left out stay as they are.
    pub(super) fn section<S: Section>(&mut self, node: &YamlNode, before: S) -> Option<S> {
        let YamlValue::Map(entries) = &node.value else {
            let mut problem = not_a_map(node);
            if !S::EXAMPLE.is_empty() {
                problem = problem.hint(format!("for example {}", S::EXAMPLE));
            }
            return self.refuse(node, problem);
        };
        Some(self.settings(entries, before))
    }

    /// The settings of a section from the entries of a map.
    pub(super) fn settings<S: Section>(&mut self, entries: &[(YamlKey, YamlNode)], before: S) -> S {
        let keys = keys::<S>();
        let mut follows_secret = false;
        for (key, node) in entries {
            if !keys.contains(&key.text.as_str()) {
                self.unknown(key, node, &keys, follows_secret);
            }
            follows_secret |= is_secret_key(&key.text) && node.is_empty();
        }
        let mut section = before;
        section.settings(&mut SectionReader {
            reader: self,
            entries,
        });
        for key in S::REQUIRED {
            if self.given(key).is_none() && !self.failed(key) {
                let problem = S::missing(key, &self.here());
                self.report(problem);
            }
        }
        section.check(self);
        section
    }

    /// The entries of a map.
    pub(super) fn entries<'n>(&mut self, node: &'n YamlNode) -> Option<&'n [(YamlKey, YamlNode)]> {
        match &node.value {
            YamlValue::Map(entries) => Some(entries),
            YamlValue::Null
            | YamlValue::Bool(_)
            | YamlValue::Number(_)
            | YamlValue::Text(_)
            | YamlValue::List(_) => {
                let hint = "write a line `NAME: VALUE` for each, indented and without '-'";
                self.refuse(node, not_a_map(node).hint(hint))
            }
        }
    }

    /// The value of a key of a map, or an item of a list.
    pub(super) fn item<K: Kind>(
        &mut self,
        name: String,
        key: Range<usize>,
        node: &YamlNode,
        before: Option<&K::Value>,
        kind: &K,
    ) -> Option<K::Value> {
        let is_item = name.starts_with('[');
        let is_secret = self.path.iter().any(|step| is_secret_key(&step.name));
        let is_shown = !is_secret || is_item || is_name(self.text, &key, &name);
        let span = node.span.clone();
        self.path.push(Step {
            name,
            is_shown,
            key,
            span,
        });
        let is_missing = self.missing.has(&node.span);
        let value = (!is_missing)
            .then(|| kind.read(node, before, self))
            .flatten();
        let (path, position) = (self.path(), self.here());
        self.path.pop();
        if value.is_none() {
            self.failed.insert(path.clone());
        }
        self.present.insert(path, position);
        value
    }

    /// Where the section or value is that is being read.
    pub(super) fn here(&self) -> Position {
        let Some(step) = self.path.last() else {
            return Position::default();
        };
        Position {
            key: step.key.clone(),
            span: step.span.clone(),
            path: self.shown_path(),
        }
    }

    /// The key of the section or value that is being read.
    pub(super) fn name(&self) -> &str {
        self.path.last().map_or("", |step| &step.name)
    }

    /// Where a setting of this section was given, if it could be used. Deeper ones have dots.
    pub(super) fn given(&self, key: &str) -> Option<Position> {
        self.present(key).filter(|_| !self.failed(key))
    }

    /// Where a setting of this section was given, whether it could be used or not.
    pub(super) fn present(&self, key: &str) -> Option<Position> {
        self.present.get(&self.path_to(key)).cloned()
    }

    /// Whether a setting of this section was given, or probably meant, and could not be used.
    pub(super) fn failed(&self, key: &str) -> bool {
        self.failed.contains(&self.path_to(key))
    }

    /// The same, by its keys from the top.
    pub(super) fn failed_at(&self, path: &str) -> bool {
        self.failed.contains(path)
    }

    /// Whether an entry of the map that is being read could not be used.
    pub(super) fn failed_entry(&self) -> bool {
        let below = self.path_to("");
        let mut after = self.failed.range(below.clone()..);
        after
            .by_ref()
            .take_while(|path| path.starts_with(&below))
            .any(|path| !path[below.len()..].contains('.'))
    }

    pub(super) fn report(&mut self, problem: ConfigProblem) {
        self.problems.push(problem);
    }

    pub(super) fn warn(&mut self, text: String) {
        self.notes.push(ConfigNote::warning(text));
    }

    pub(super) fn note(&mut self, text: String) {
        self.notes.push(ConfigNote::note(text));
    }

    /// Reports a value of the wrong kind.
    pub(super) fn wrong<T>(&mut self, node: &YamlNode, expected: &str) -> Option<T> {
        let kind = node.kind();
        self.refuse(
            node,
            ConfigProblem::new(format!("expected {expected}, got {kind}")),
        )
    }

    /// Reports a value that cannot be used where no reference is replaced.
    pub(super) fn refuse<T>(&mut self, node: &YamlNode, problem: ConfigProblem) -> Option<T> {
        let mut problem = problem.at(node.span.clone()).of(self.shown_path());
        if matches!(&node.value, YamlValue::Text(text) if text.contains("${")) {
            problem = problem.hint(NO_REFERENCE);
        }
        self.problems.push(problem);
        None
    }

    /// Reports a key that is not known. After a secret key without a value it may be meant to stand under it.
    fn unknown(&mut self, key: &YamlKey, node: &YamlNode, known: &[&str], follows_secret: bool) {
        let name = if follows_secret {
            shown_name(&key.text)
        } else {
            &key.text
        };
        let problem = ConfigProblem::new(format!("unknown key '{name}'"));
        let path = joined(self.shown_path(), name);
        let problem = problem.at(key.span.clone()).of(path);
        if name != key.text {
            self.hidden.push(key.span.clone());
        }
        let mut foreign = FOREIGN_KEYS.iter();
        if let Some(foreign) =
            foreign.find(|foreign| foreign.key == key.text && known.contains(&foreign.ours))
        {
            self.hide(key, node);
            self.failed.insert(self.path_to(foreign.ours));
            return self.report(problem.label(foreign.label).hint(foreign.hint));
        }
        let nearest = nearest(&key.text, known.iter().copied());
        if follows_secret || nearest.is_none_or(is_secret_key) {
            self.hide(key, node);
        }
        let problem = match nearest {
            Some(nearest) => {
                self.failed.insert(self.path_to(nearest));
                problem.label(format!("did you mean '{nearest}'?"))
            }
            None => problem,
        };
        self.report(problem.hint(format!("the keys here are {}", listed(known))));
    }

    /// Shows nothing of a value.
    fn hide(&mut self, key: &YamlKey, node: &YamlNode) {
        self.hidden
            .extend(MaskCollector::all_of(self.text, key, node));
    }

    /// The path as messages show it.
    fn shown_path(&self) -> String {
        let names = self.path.iter();
        let names = names.map(|step| if step.is_shown { &*step.name } else { "…" });
        names.fold(String::new(), joined)
    }

    fn path(&self) -> String {
        let names = self.path.iter().map(|step| step.name.as_str());
        names.fold(String::new(), joined)
    }

    fn path_to(&self, key: &str) -> String {
        joined(self.path(), key)
    }
}

/// Texts with references.
impl Reader<'_> {
    /// A text with its references replaced, shown as written.
    pub(super) fn word(&mut self, text: &str) -> Option<MaskedWord> {
        let (value, any) = self.resolved(text, false)?;
        Some(if any {
            MaskedWord::standing_for(without_defaults(text), value)
        } else {
            MaskedWord::from(OsString::from(value))
        })
    }

    /// A text with its references replaced, never shown.
    pub(super) fn secret(&mut self, text: &str) -> Option<Secret> {
        let (value, _) = self.resolved(text, true)?;
        Some(Secret::new(value))
    }

    /// A path, which starts at the directory of the file if it is relative.
    pub(super) fn file_path(&mut self, text: &str) -> Option<PathBuf> {
        if text.is_empty() {
            self.report(self.here().problem("the path is empty"));
            return None;
        }
        let word = self.word(text)?;
        Some(self.joined(word.reveal_str().unwrap_or_default()))
    }

    /// A relative path from the directory of the file.
    pub(super) fn joined(&self, path: &str) -> PathBuf {
        join(self.folder, path)
    }

    fn resolved(&mut self, text: &str, is_secret: bool) -> Option<(String, bool)> {
        let here = self.here();
        match resolve(text, self.folder, self.environment) {
            Ok((value, _)) if value.contains('\0') => {
                self.report(here.problem("a text with a NUL character cannot be passed on"));
                None
            }
            Ok(resolved) => {
                let names = variables(text).into_iter();
                self.variables
                    .extend(names.map(|name| (here.path.clone(), name.to_owned())));
                Some(resolved)
            }
            Err(unresolved) => {
                for reference in unresolved {
                    let span = self.part(&here.span, &reference.part);
                    let (message, hint) = explained(reference, is_secret);
                    self.report(here.problem(message).at(span).hint(hint));
                }
                None
            }
        }
    }

    /// Where a part of a value stands, if it stands there as it is.
    fn part(&self, span: &Range<usize>, part: &str) -> Range<usize> {
        let whole = self.text.get(span.clone()).unwrap_or_default();
        match whole.find(part) {
            Some(at) => span.start + at..span.start + at + part.len(),
            None => span.clone(),
        }
    }
}

/// Reads the settings of one section.
struct SectionReader<'r, 'a, 'n> {
    reader: &'r mut Reader<'a>,
    entries: &'n [(YamlKey, YamlNode)],
}

impl Visitor for SectionReader<'_, '_, '_> {
    fn setting<K: Kind>(
        &mut self,
        key: &'static str,
        _: &'static str,
        value: &mut K::Value,
        kind: K,
    ) {
        let Some((key, node)) = self.entries.iter().find(|(other, _)| other.text == key) else {
            return;
        };
        // A key without a value is the same as no key.
        if node.is_null() && !self.reader.missing.has(&node.span) {
            return;
        }
        let (name, span) = (key.text.clone(), key.span.clone());
        if let Some(read) = self.reader.item(name, span, node, Some(value), &kind) {
            *value = read;
        }
    }

    fn check(&mut self, check: impl FnOnce(&mut Reader<'_>)) {
        check(self.reader);
    }
}

fn not_a_map(node: &YamlNode) -> ConfigProblem {
    let kind = node.kind();
    ConfigProblem::new(format!("expected a map of keys and values, got {kind}"))
}

fn joined(mut path: String, name: &str) -> String {
    if !path.is_empty() && !name.starts_with('[') {
        path.push('.');
    }
    path.push_str(name);
    path
}

/// What is wrong with a reference; if the text is a secret, without quoting it.
fn explained(reference: UnresolvedReference, is_secret: bool) -> (String, String) {
    if is_secret && reference.quotes {
        if reference.part.starts_with("${") {
            let message = "a reference without the name of a variable";
            return (message.to_owned(), reference.hint);
        }
        return (
            "a '$' that starts no reference".to_owned(),
            "write $$ for a dollar, and ${NAME} for a variable".to_owned(),
        );
    }
    (reference.message, reference.hint)
}

/// Words in a sentence.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A key from the configuration of MCP clients, which operators paste here.
struct ForeignKey {
    key: &'static str,
    /// The key with the same meaning here.
    ours: &'static str,
    label: &'static str,
    hint: &'static str,
}

const FOREIGN_KEYS: [ForeignKey; 4] = [
    ForeignKey {
        key: "mcpServers",
        ours: "upstreams",
        label: SERVERS_LABEL,
        hint: SERVERS_HINT,
    },
    ForeignKey {
        key: "servers",
        ours: "upstreams",
        label: SERVERS_LABEL,
        hint: SERVERS_HINT,
    },
    ForeignKey {
        key: "type",
        ours: "command",
        label: "leave it out",
        hint: "a server with a 'command' is a program, and one with a 'url' is at an address",
    },
    ForeignKey {
        key: "serverUrl",
        ours: "url",
        label: "here it is called 'url'",
        hint: "rename it",
    },
];

const SERVERS_LABEL: &str = "here it is called 'upstreams'";
const SERVERS_HINT: &str = "rename it: 'command', 'args', 'env', 'url' and 'headers' of a server are the same as in the file of a client; leave out 'type'";

const NO_REFERENCE: &str = "references like ${NAME} are not replaced here: only in listen, tls, keys, hosts, origins, store, command, args, env, cwd, url, headers, ca and adapter";
