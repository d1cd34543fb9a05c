//! A row made at run time, before and after it is kept for good.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::registry::{Problem, is_inherited};
use super::{agree, lint};
use crate::code::{Code, Detail, Entry, Hint, Retry, Shape, Text};
use crate::template;

/// A row that has been checked but not yet interned.
#[derive(Debug)]
pub(super) struct RowDraft {
    pub(super) name: String,
    pub(super) base: Code,
    pub(super) message: Option<String>,
    pub(super) remediation: Option<String>,
    pub(super) user: Option<String>,
    pub(super) meaning: Option<String>,
    pub(super) when: Option<String>,
    pub(super) retry: Option<Retry>,
    pub(super) http: Option<u16>,
    pub(super) hint: Option<Hint>,
    pub(super) actions: Option<Vec<String>>,
    pub(super) details: Vec<DraftDetail>,
}

#[derive(Debug)]
pub(super) struct DraftDetail {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) required: bool,
    pub(super) about: String,
}

impl RowDraft {
    /// Keeps the row for the life of the process. Rows equal in content are kept once, so that reloading a
    /// configuration does not grow memory.
    pub(super) fn intern(self) -> Code {
        static KEPT: Mutex<BTreeMap<String, Code>> = Mutex::new(BTreeMap::new());
        // The base is one of the rows that live forever, so its address stands for its content.
        let content = format!("{:p} {self:?}", self.base.entry());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        *kept
            .entry(content)
            .or_insert_with(|| Code::new(Box::leak(Box::new(self.entry()))))
    }

    fn entry(self) -> Entry {
        let base = self.base.entry();
        let keys: Vec<&str> = self.details.iter().map(|key| key.name.as_str()).collect();
        let remediation = remediation(self.remediation.as_deref(), base, &keys);
        let mut entry = Entry::extends(self.base, leak(self.name));
        entry.remediation = remediation;
        if let Some(message) = self.message {
            let plain = without_placeholders(&message);
            let plain = if plain.is_empty() {
                base.message.plain
            } else {
                leak(plain)
            };
            entry.message = Text {
                template: leak(message),
                plain,
            };
        }
        entry.user = self.user.map_or(entry.user, leak);
        entry.meaning = self.meaning.map_or(entry.meaning, leak);
        entry.when = self.when.map_or(entry.when, leak);
        if let Some(retry) = self.retry {
            entry = entry.retry(retry);
        }
        entry.http = self.http.unwrap_or(entry.http);
        if let Some(hint) = self.hint {
            (entry.hint, entry.hint_with_fallback) = (hint, hint);
        }
        if let Some(actions) = self.actions {
            entry.actions = Vec::leak(actions.into_iter().map(leak).collect());
        }
        entry.details = Vec::leak(self.details.into_iter().map(DraftDetail::detail).collect());
        entry
    }

    /// The base's keys come first; a key declared anew replaces the base's.
    pub(super) fn inherit_details(&mut self) {
        let own = std::mem::take(&mut self.details);
        let inherited = self
            .base
            .entry()
            .details
            .iter()
            .map(DraftDetail::from_detail);
        self.details = inherited
            .filter(|key| own.iter().all(|mine| mine.name != key.name))
            .collect();
        self.details.extend(own);
    }

    /// A row that declares no details has those its texts mention, as texts that may be missing.
    pub(super) fn declare_placeholders(&mut self) {
        let texts = [self.message.as_deref(), self.remediation.as_deref()];
        let names: Vec<String> = texts
            .into_iter()
            .flatten()
            .flat_map(template::placeholders)
            .map(str::to_owned)
            .collect();
        for name in names {
            if self.details.iter().all(|key| key.name != name) {
                let about = "Named by the row's texts.".to_owned();
                self.details.push(DraftDetail {
                    name,
                    shape: Shape::Text,
                    required: false,
                    about,
                });
            }
        }
    }

    pub(super) fn lint(&self) -> Vec<Problem> {
        let keys: Vec<&str> = self.details.iter().map(|key| key.name.as_str()).collect();
        let all = || keys.iter().copied();
        let mut problems = Vec::new();
        let mut note = |field: &str, findings: Vec<lint::Finding>| {
            let broken = findings.iter().filter(|finding| !finding.is_style());
            problems.extend(broken.map(|finding| Problem::of(field, finding, &keys)));
        };
        if let Some(text) = self.message.as_deref().filter(|text| !is_inherited(text)) {
            note("message_template", lint::message(&self.name, text, all()));
        }
        if let Some(text) = &self.remediation {
            note("remediation", lint::advice(text, all()));
        }
        if let Some(text) = &self.user {
            note("user_message", lint::plain(text));
        }
        problems.extend(agree::problems(&self.behaviour()));
        problems
    }

    /// The parts of the row that can contradict each other.
    fn behaviour(&self) -> Entry {
        let mut entry = Entry::extends(self.base, "");
        if let Some(retry) = self.retry {
            entry = entry.retry(retry);
        }
        entry.http = self.http.unwrap_or(entry.http);
        entry.hint = self.hint.unwrap_or(entry.hint);
        if self.remediation.is_some() {
            entry = entry.remediation("the row's own");
        }
        entry
    }
}

impl DraftDetail {
    fn from_detail(detail: &Detail) -> Self {
        Self {
            name: detail.name.to_owned(),
            shape: detail.shape,
            required: detail.required,
            about: detail.about.to_owned(),
        }
    }

    fn detail(self) -> Detail {
        Detail {
            name: leak(self.name),
            shape: self.shape,
            required: self.required,
            about: leak(self.about),
        }
    }
}

fn remediation(own: Option<&str>, base: &Entry, keys: &[&str]) -> Text {
    let is_known = |text: &str| template::placeholders(text).all(|name| keys.contains(&name));
    match own {
        Some(text) if template::placeholders(text).next().is_none() => {
            Text::fixed(leak(text.to_owned()))
        }
        Some(text) => Text {
            template: leak(text.to_owned()),
            plain: base.remediation.plain,
        },
        None if is_known(base.remediation.template) => base.remediation,
        None => Text::fixed(base.remediation.plain),
    }
}

/// The plain form of a template: quoted spans with a placeholder fall out, and so does what would be left dangling. Nothing if
/// that makes no sentence.
fn without_placeholders(template: &str) -> String {
    let mut text = template.to_owned();
    for name in template::placeholders(template) {
        let token = format!("{{{name}}}");
        // A span with two placeholders is gone with the first of them.
        let Some(start) = text.find(&token) else {
            continue;
        };
        let after = start + token.len();
        let from = text[..start].rfind('\'').unwrap_or(start);
        let to = text[after..]
            .find('\'')
            .map_or(after, |mark| after + mark + 1);
        text.replace_range(from..to, "\0");
    }
    natural(&text)
}

/// What is left of a sentence from which values fell out, each marked by a [`HOLE`]. A word that led to one goes with it
/// ("edited by '{name}'" is "edited"); where the rest would read like half a sentence ("no in"), nothing is left.
fn natural(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut is_whole = true;
    for word in text.split_whitespace() {
        if !word.contains(HOLE) {
            words.push(word.to_owned());
            continue;
        }
        while words
            .pop_if(|last| LEADING.contains(&last.to_lowercase().as_str()))
            .is_some()
        {}
        let needed = words.last().map(|last| last.to_lowercase());
        is_whole &= needed.is_some_and(|last| !NEEDING.contains(&last.as_str()));
        let rest: String = word.chars().filter(|c| *c != HOLE).collect();
        let is_mark = !rest.is_empty() && rest.chars().all(|c| ",;:.!?".contains(c));
        match words.last_mut().filter(|_| is_mark) {
            Some(last) => last.push_str(&rest),
            None if rest.chars().any(char::is_alphanumeric) => words.push(rest),
            None => {}
        }
    }
    let is_whole = is_whole && (words.len() > 1 || !text.contains(HOLE));
    let text = if is_whole {
        words.join(" ")
    } else {
        String::new()
    };
    text.trim_end_matches([':', ',', ';', ' ', '(']).to_owned()
}

/// Stands for a value that fell out.
const HOLE: char = '\0';

/// Words that lead to a value and mean nothing without it.
const LEADING: &[&str] = &[
    "and", "as", "at", "by", "called", "for", "from", "in", "inside", "into", "named", "of", "on",
    "or", "to", "under", "via", "with", "within",
];

/// Words after which something has to come.
const NEEDING: &[&str] = &[
    "a", "an", "are", "be", "between", "has", "is", "must", "needs", "no", "not", "than", "the",
    "was", "were",
];

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_form_keeps_the_words_around_a_value() {
        for (template, plain) in [
            ("Period '{period}' is closed", "Period is closed"),
            (
                "Repository '{owner}/{repo}' not found",
                "Repository not found",
            ),
            (
                "Abuse detection triggered: '{reason}'",
                "Abuse detection triggered",
            ),
            (
                "The tool's keys '{a}' and '{b}' clash",
                "The tool's keys clash",
            ),
            ("Order '{id}' is edited by '{name}'", "Order is edited"),
            ("Nothing to fill", "Nothing to fill"),
            ("no '{a}' in '{b}'", ""),
            ("'{all}'", ""),
        ] {
            assert_eq!(without_placeholders(template), plain, "{template}");
        }
    }
}
