//! How failures are recognised and told: codes and rules of the operator's own, formats, languages.

use std::collections::BTreeSet;

use breakfall::Catalog;
use breakfall::catalog::CODES;
use breakfall::classify::{Classifier, RuleError, TextRule};
use breakfall::suggest::nearest;
use serde_json::Value;

use super::{Checker, Given};
use crate::classify::Rules;
use crate::config::care::Switch;
use crate::config::file::{File, Phrases, Upstream};
use crate::config::kinds::{Example as _, List, Map, Size};
use crate::config::read::listed;
use crate::config::replies::Replies;
use crate::config::row::{OF_ADAPTERS, Row};
use crate::config::units::show_size;

impl Checker<'_> {
    /// What holds for all servers.
    pub(super) fn replies(&mut self, file: &File) -> Replies {
        let default = Replies::default();
        let codes = self.codes(file.codes.as_ref());
        let classifier = self.classifier(file.classify.as_ref(), &codes);
        let unmask = file.unmask.as_ref().is_none_or(|given| given.value);
        Replies {
            dialect: file
                .dialect
                .as_ref()
                .map_or(default.dialect, |given| given.value.0),
            format: file
                .format
                .as_ref()
                .map_or(default.format, |given| given.value.0),
            strict: file.strict.as_ref().is_some_and(|given| given.value),
            locale: file
                .locale
                .as_ref()
                .map_or(default.locale, |given| given.value.0),
            error_text_limit: self
                .text_limit(file.error_text_limit.as_ref())
                .unwrap_or(default.error_text_limit),
            format_argument: false,
            rules: Rules::of(classifier.unmask(unmask), codes.catalog),
        }
    }

    /// What holds for one server.
    pub(super) fn replies_of(table: &Upstream, all: &Replies) -> Replies {
        let mut replies = all.clone();
        if let Some(given) = &table.dialect {
            replies.dialect = given.value.0;
        }
        if let Some(given) = &table.format {
            replies.format = given.value.0;
        }
        if let Some(given) = &table.strict {
            replies.strict = given.value;
        }
        if let Some(given) = &table.unmask {
            replies.rules = replies.rules.unmask(given.value);
        }
        let argument = table.format_argument.as_ref();
        replies.format_argument = argument.is_some_and(|given| given.value);
        replies
    }

    fn text_limit(&mut self, given: Option<&Given<Size>>) -> Option<usize> {
        let given = given?;
        let size = usize::try_from(given.value.0).ok();
        let size = size.filter(|_| TEXT_LIMITS.contains(&given.value.0));
        if size.is_none() {
            let (least, most) = (
                show_size(*TEXT_LIMITS.start()),
                show_size(*TEXT_LIMITS.end()),
            );
            let problem = given.at.problem("this limit is out of bounds");
            self.add(problem.hint(format!("it is between {least} and {most}")));
        }
        size
    }

    fn codes<'a>(&mut self, given: Option<&'a Given<Map<Row>>>) -> Codes<'a> {
        let mut catalog = Catalog::builtin();
        let mut broken = BTreeSet::new();
        for (name, given) in given.into_iter().flat_map(|given| &given.value.0) {
            for key in OF_ADAPTERS {
                if let Some(place) = given.value.place(key) {
                    let problem = given.at.problem(format!("'{key}' belongs to an adapter"));
                    self.add(
                        problem
                            .at(place)
                            .hint("write a rule under 'classify' instead"),
                    );
                }
            }
            self.actions(given);
            let Err(error) = catalog.add_map(name, &given.value.map) else {
                continue;
            };
            let extended = given.value.map.get("extends").and_then(Value::as_str);
            let is_told = extended.is_some_and(|name| self.is_broken(name, &broken));
            broken.insert(&**name);
            let follows = |field: &str| is_told && field == "extends";
            for wrong in error.problems() {
                if follows(&wrong.field) {
                    continue;
                }
                let place = given.value.place(&wrong.field);
                let place = place.unwrap_or_else(|| given.at.key.clone());
                let problem = given.at.problem(&*wrong.problem).at(place);
                self.add(problem.hint(&*wrong.fix));
            }
        }
        Codes { catalog, broken }
    }

    /// Whether somebody wants there to be such a code, and is told what is wrong with it. That it is not there follows from
    /// that, and is not told.
    fn is_broken(&self, name: &str, broken: &BTreeSet<&str>) -> bool {
        broken.contains(name) || self.reader.failed(&format!("codes.{name}"))
    }

    /// Recovery actions are words of a closed list: agents branch on them.
    fn actions(&mut self, given: &Given<Row>) {
        let all: BTreeSet<&str> = CODES
            .iter()
            .flat_map(|code| code.entry().actions)
            .copied()
            .collect();
        let actions = given.value.map.get("actions").and_then(Value::as_array);
        let actions = actions.into_iter().flatten().filter_map(Value::as_str);
        for action in actions.filter(|action| !all.contains(action)) {
            let problem = given
                .at
                .problem(format!("'{action}' is none of the recovery actions"));
            let place = given.value.place("actions");
            let problem = problem.at(place.unwrap_or_else(|| given.at.key.clone()));
            let problem = match nearest(action, all.iter().copied()) {
                Some(meant) => problem.label(format!("did you mean '{meant}'?")),
                None => problem,
            };
            let all: Vec<&str> = all.iter().copied().collect();
            self.add(problem.hint(format!("they are {}", listed(&all))));
        }
    }

    fn classifier(
        &mut self,
        given: Option<&Given<Map<Switch<Phrases>>>>,
        codes: &Codes<'_>,
    ) -> Classifier {
        let mut classifier = Classifier::new();
        for (id, given) in given.into_iter().flat_map(|given| &given.value.0) {
            let changed = match &given.value {
                Switch::Off => classifier.clone().without(id),
                Switch::On(table) => match self.rule(id, given, table, codes) {
                    Some(rule) => classifier.clone().with(rule),
                    None => continue,
                },
            };
            match changed {
                Ok(changed) => classifier = changed,
                Err(error) => self.bad_rule(&error, given),
            }
        }
        classifier
    }

    fn rule(
        &mut self,
        id: &str,
        given: &Given<Switch<Phrases>>,
        table: &Phrases,
        codes: &Codes<'_>,
    ) -> Option<TextRule> {
        for (key, missing) in [
            ("code", table.code.is_none()),
            ("phrases", table.phrases.is_none()),
        ] {
            if missing && !self.reader.failed(&format!("{}.{key}", given.at.path)) {
                let problem = given.at.key_problem(format!("a rule needs '{key}'"));
                self.add(problem.hint(format!("for example {}, or off", Phrases::EXAMPLE)));
            }
        }
        let code = table.code.as_ref()?;
        // What else is wrong with the rule is told all the same.
        let is_told = self.is_broken(&code.value, &codes.broken);
        let instead = is_told.then_some(breakfall::codes::INTERNAL_UNKNOWN);
        let Some(found) = codes.catalog.get(&code.value).or(instead) else {
            let problem = code
                .at
                .problem(format!("there is no code '{}'", code.value));
            let problem = match codes.catalog.suggest(&code.value) {
                Some(meant) => problem.label(format!("did you mean '{}'?", meant.name())),
                None => problem,
            };
            self.add(
                problem.hint("`breakfall explain` lists the codes; your own stand under 'codes'"),
            );
            return None;
        };
        let mut rule = TextRule::new(id, found);
        if let Some(about) = &table.about {
            rule = rule.about(about.value.clone());
        }
        let phrases: &List<String> = &table.phrases.as_ref()?.value;
        Some(
            phrases
                .0
                .iter()
                .fold(rule, |rule, phrase| rule.phrase(phrase.value.clone())),
        )
    }

    fn bad_rule(&mut self, error: &RuleError, given: &Given<Switch<Phrases>>) {
        let at = &given.at;
        let phrases = match &given.value {
            Switch::On(table) => table.phrases.as_ref(),
            Switch::Off => None,
        };
        let problem = match (error, phrases) {
            (
                RuleError::BadPhrase {
                    phrase, problem, ..
                },
                Some(list),
            ) => {
                let found = list.value.0.iter().find(|given| given.value == *phrase);
                let at = found.map_or(at, |given| &given.at);
                at.problem(format!("this phrase {}", problem.as_str()))
            }
            (RuleError::NoPhrase(_), Some(list)) => list.at.problem(error.to_string()),
            (RuleError::Unknown { nearest, .. }, _) => {
                let problem = at.key_problem("there is no rule of this name to switch off");
                match nearest {
                    Some(nearest) => problem.label(format!("did you mean '{nearest}'?")),
                    None => problem,
                }
            }
            _ => at.key_problem(error.to_string()),
        };
        self.add(
            problem.hint(
                "docs/classification.md lists the rules there are, and how a phrase is written",
            ),
        );
    }
}

/// The codes there are.
struct Codes<'a> {
    catalog: Catalog,
    /// Those of the operator's own that are wrong, and so are not there.
    broken: BTreeSet<&'a str>,
}

/// Limits of a text that make sense.
const TEXT_LIMITS: std::ops::RangeInclusive<u64> = (1 << 10)..=(16 << 20);
