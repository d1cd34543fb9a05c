//! Codes and classification rules of an operator.

use std::collections::BTreeSet;
use std::ops::Range;

use breakfall::Catalog;
use breakfall::catalog::CODES;
use breakfall::classify::{Classifier, RuleError, TextRule};
use breakfall::code::{Category, Hint, Retry};
use breakfall::suggest::nearest;
use serde_json::{Map, Value as Json, json};

use super::kinds::{entries, list, mapped, optional, text};
use super::problem::ConfigProblem;
use super::reader::{Position, Reader, listed};
use super::schema::Definitions;
use super::setting::{Kind, settings};
use super::switch::{Switch, switch};
use super::tree::{YamlNode, YamlValue};

/// The known codes.
#[derive(Debug, Clone)]
pub(super) struct OwnCodes {
    pub(super) catalog: Catalog,
    /// Codes of the operator with errors, which are not in the catalogue.
    broken: BTreeSet<String>,
}

impl Default for OwnCodes {
    fn default() -> Self {
        let (catalog, broken) = (Catalog::builtin(), BTreeSet::new());
        Self { catalog, broken }
    }
}

impl OwnCodes {
    /// Whether a code exists only in its erroneous declaration, which was reported.
    fn is_broken(&self, name: &str, reader: &Reader<'_>) -> bool {
        self.broken.contains(name) || reader.failed_at(&format!("codes.{name}"))
    }

    fn add(&mut self, name: String, row: &CodeRow, reader: &mut Reader<'_>) {
        let position = reader.given(&name).unwrap_or_default();
        for key in ADAPTER_KEYS {
            if let Some(place) = row.place(key) {
                let problem = position.problem(format!("'{key}' belongs to an adapter"));
                let problem = problem.at(place);
                reader.report(problem.hint("write a rule under 'classify' instead"));
            }
        }
        row.check_actions(&position, reader);
        let Err(error) = self.catalog.add_map(&name, &row.map) else {
            return;
        };
        let extended = row.map.get("extends").and_then(Json::as_str);
        let follows = extended.is_some_and(|name| self.is_broken(name, reader));
        for wrong in error.problems() {
            // Reported where the extended code is.
            if follows && wrong.field == "extends" {
                continue;
            }
            let place = row.place(&wrong.field);
            let problem = position.problem(&*wrong.problem);
            let problem = problem.at(place.unwrap_or_else(|| position.key.clone()));
            reader.report(problem.hint(&*wrong.fix));
        }
        self.broken.insert(name);
    }
}

/// Keys of the catalogue that are for adapters.
const ADAPTER_KEYS: [&str; 2] = ["maps_from_http", "condition"];

/// Codes by name.
pub(super) fn own_codes() -> impl Kind<Value = OwnCodes> {
    let names = json!({"propertyNames": {"pattern": "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$"}});
    mapped(entries(CodeRowKind), names, |rows, reader| {
        let mut codes = OwnCodes::default();
        for (name, row) in rows {
            codes.add(name, &row, reader);
        }
        Some(codes)
    })
}

/// A code as it is written. The catalogue knows its keys, and what is wrong with them.
struct CodeRow {
    map: Map<String, Json>,
    /// Where its fields stand, with dots where they nest.
    places: Vec<(String, Range<usize>)>,
}

impl CodeRow {
    /// Where a field stands, or as much of its path as there is.
    fn place(&self, field: &str) -> Option<Range<usize>> {
        let mut path = field;
        loop {
            if let Some((_, place)) = self.places.iter().find(|(have, _)| have == path) {
                return Some(place.clone());
            }
            path = path.rsplit_once('.')?.0;
        }
    }

    /// Recovery actions are words of a closed list: agents branch on them.
    fn check_actions(&self, position: &Position, reader: &mut Reader<'_>) {
        let known = CODES.iter().flat_map(|code| code.entry().actions);
        let known: BTreeSet<&str> = known.copied().collect();
        let known: Vec<&str> = known.into_iter().collect();
        let actions = self.map.get("actions").and_then(Json::as_array);
        let actions = actions.into_iter().flatten().filter_map(Json::as_str);
        for action in actions.filter(|action| !known.contains(action)) {
            let message = format!("'{action}' is none of the recovery actions");
            let place = self.place("actions");
            let problem = position.problem(message);
            let problem = problem.at(place.unwrap_or_else(|| position.key.clone()));
            let problem = suggesting(problem, nearest(action, known.iter().copied()));
            reader.report(problem.hint(format!("they are {}", listed(&known))));
        }
    }
}

struct CodeRowKind;

impl Kind for CodeRowKind {
    type Value = CodeRow;

    fn read(
        &self,
        node: &YamlNode,
        _: Option<&CodeRow>,
        reader: &mut Reader<'_>,
    ) -> Option<CodeRow> {
        reader.entries(node)?;
        let mut places = Vec::new();
        let Json::Object(map) = json_of(node, "", &mut places) else {
            return None;
        };
        Some(CodeRow { map, places })
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        let text = |about: &str| json!({"type": ["string", "null"], "description": about});
        let word = |about: &str, all: Vec<&'static str>| {
            let all = all.into_iter().map(Some).chain([None]);
            json!({"enum": all.collect::<Vec<_>>(), "description": about})
        };
        let categories = Category::ALL.iter().map(|category| category.as_str());
        let categories: Vec<&str> = categories.collect();
        let retries = Retry::ALL.iter().map(|retry| retry.as_str()).collect();
        let hints = Hint::ALL.iter().map(|hint| hint.as_str()).collect();
        json!({
            "type": "object",
            "description": "A code of your own: how such a failure is told, in every format.",
            "additionalProperties": false,
            "properties": {
                "extends": text("The code it is a special case of: what is left out here is taken from there."),
                "category": text(&format!("Without `extends`, what kind of failure it is: {}.", categories.join(", "))),
                "message_template": text("What happened, in a sentence. '{name}' stands for a detail."),
                "remediation": text("What the caller should do."),
                "user_message": text("What a person may be told."),
                "meaning": text("What it means, for a list of codes."),
                "when": text("When it is used, for a list of codes."),
                "retry": word("Whether the call may be repeated.", retries),
                "http": {"type": ["integer", "null"], "minimum": 400, "maximum": 599, "description": "The HTTP status."},
                "hint": word("How to recover, in a word.", hints),
                "actions": {"type": ["array", "null"], "items": {"type": "string"}, "description": "Recovery actions, the preferred one first."},
                "details": {"type": ["object", "null"], "additionalProperties": {"type": "object"}, "description": "Details by name, each with `type`, and if wanted `required` and `about`."},
            },
        })
    }
}

/// A node as JSON. A key without a value is the same as no key.
fn json_of(node: &YamlNode, path: &str, places: &mut Vec<(String, Range<usize>)>) -> Json {
    match &node.value {
        YamlValue::Null => Json::Null,
        YamlValue::Bool(value) => (*value).into(),
        YamlValue::Number(digits) => {
            serde_json::from_str(digits).unwrap_or_else(|_| digits.as_str().into())
        }
        YamlValue::Text(text) => text.as_str().into(),
        YamlValue::List(items) => {
            let items = items.iter();
            Json::Array(
                items
                    .map(|item| json_of(item, path, &mut Vec::new()))
                    .collect(),
            )
        }
        YamlValue::Map(entries) => {
            let mut map = Map::new();
            for (key, node) in entries.iter().filter(|(_, node)| !node.is_null()) {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{}", key.text);
                let place = match node.value {
                    YamlValue::Map(_) => key.span.clone(),
                    YamlValue::Null
                    | YamlValue::Bool(_)
                    | YamlValue::Number(_)
                    | YamlValue::Text(_)
                    | YamlValue::List(_) => node.span.clone(),
                };
                places.push((path.clone(), place));
                map.insert(key.text.clone(), json_of(node, &path, places));
            }
            map.into()
        }
    }
}

settings! {
    /// Words by which a failure is recognised.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct PhraseRule {
        /// The code they stand for: one of `breakfall explain`, or your own.
        pub code: String = String::new() => text();
        /// Words separated by spaces, matched as whole words in any case. `a|b` stands for either, `_` for one name.
        pub phrases: Vec<String> = Vec::new() => phrases();
        /// What it recognises, for people.
        pub about: Option<String> = None => optional(text());
    }
    impl Section {
        const REQUIRED: &'static [&'static str] = &["code", "phrases"];
        const SUBJECT: &'static str = "a rule";
        const EXAMPLE: &'static str = "{ code: RATE_LIMIT_EXCEEDED, phrases: [\"slow down please\"] }";
    }
}

fn phrases() -> impl Kind<Value = Vec<String>> {
    mapped(list(text()), json!({"minItems": 1}), |phrases, _| {
        Some(phrases)
    })
}

/// Rules by name.
pub(super) fn classifier(codes: &OwnCodes) -> impl Kind<Value = Classifier> {
    let names = json!({"propertyNames": {"pattern": "^[a-z0-9-]+([.][a-z0-9-]+)*$"}});
    mapped(entries(switch::<PhraseRule>()), names, |rules, reader| {
        let mut classifier = Classifier::new();
        for (id, rule) in rules {
            let changed = match &rule {
                Switch::Off => classifier.clone().without(&id),
                Switch::On(rule) => match text_rule(&id, rule, codes, reader) {
                    Some(rule) => classifier.clone().with(rule),
                    None => continue,
                },
            };
            match changed {
                Ok(changed) => classifier = changed,
                Err(error) => report(&error, &id, &rule, reader),
            }
        }
        Some(classifier)
    })
}

fn text_rule(
    id: &str,
    rule: &PhraseRule,
    codes: &OwnCodes,
    reader: &mut Reader<'_>,
) -> Option<TextRule> {
    for phrase in rule.phrases.iter().filter(|phrase| is_expression(phrase)) {
        reader.note(format!(
            "rule '{id}': the phrase '{phrase}' is read as words, not as a regular expression"
        ));
    }
    let position = reader.given(&format!("{id}.code"))?;
    // With any other code what else is wrong with the rule is reported too.
    let is_broken = codes.is_broken(&rule.code, reader);
    let instead = is_broken.then_some(breakfall::codes::INTERNAL_UNKNOWN);
    let Some(code) = codes.catalog.get(&rule.code).or(instead) else {
        let problem = position.problem(format!("there is no code '{}'", rule.code));
        let suggested = codes.catalog.suggest(&rule.code);
        let problem = suggesting(problem, suggested.as_ref().map(|code| code.name()));
        reader.report(
            problem.hint("`breakfall explain` lists the codes; your own stand under 'codes'"),
        );
        return None;
    };
    reader.given(&format!("{id}.phrases"))?;
    let mut text = TextRule::new(id, code);
    if let Some(about) = &rule.about {
        text = text.about(about.clone());
    }
    let phrases = rule.phrases.iter();
    Some(phrases.fold(text, |text, phrase| text.phrase(phrase.clone())))
}

fn report(error: &RuleError, id: &str, rule: &Switch<PhraseRule>, reader: &mut Reader<'_>) {
    let position = reader.given(id).unwrap_or_default();
    let problem = match (error, rule) {
        (
            RuleError::BadPhrase {
                phrase, problem, ..
            },
            Switch::On(rule),
        ) => {
            let index = rule.phrases.iter().position(|other| other == phrase);
            let place = index.and_then(|index| reader.given(&format!("{id}.phrases[{index}]")));
            let message = format!("this phrase {}", problem.as_str());
            place.unwrap_or(position).problem(message)
        }
        (RuleError::NoPhrase(_), Switch::On(_)) => {
            let place = reader.given(&format!("{id}.phrases"));
            place.unwrap_or(position).problem(error.to_string())
        }
        (RuleError::Unknown { nearest, .. }, _) => {
            let problem = position.key_problem("there is no rule of this name to switch off");
            suggesting(problem, nearest.as_deref())
        }
        _ => position.key_problem(error.to_string()),
    };
    reader.report(
        problem
            .hint("docs/classification.md lists the rules there are, and how a phrase is written"),
    );
}

fn suggesting(problem: ConfigProblem, nearest: Option<&str>) -> ConfigProblem {
    match nearest {
        Some(nearest) => problem.label(format!("did you mean '{nearest}'?")),
        None => problem,
    }
}

fn is_expression(phrase: &str) -> bool {
    let marks = [".*", ".+", "\\", "[", "(?", "?)"];
    phrase.starts_with('^')
        || phrase.ends_with('$')
        || marks.iter().any(|mark| phrase.contains(mark))
}
