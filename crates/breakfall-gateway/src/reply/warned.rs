//! Warnings on a success: it worked, but the caller should know this.

use breakfall::disclose::Redactor;
use breakfall::wire::native::SUCCESS_KEY;
use breakfall::wire::{Dialect, Options, tool_result};
use breakfall::{Outcome, Success, Warning};
use serde_json::Value;

use super::Manner;
use crate::envelope::splice::{Object, each};

/// A result with warnings in the place its caller looks for them, and nothing else changed: worst first, each once, no more
/// than ten.
///
/// ```
/// use breakfall::Warning;
/// use breakfall_gateway::reply::{Manner, warned};
///
/// let result = r#"{"content":[],"n":1e400}"#;
/// let told = warned(result, &[Warning::plain("slow")], &Manner::default());
/// assert!(told.starts_with(r#"{"content":[],"n":1e400,"_meta":{"dev.breakfall/success":{"warnings":["#), "{told}");
/// ```
pub fn warned(result: &str, warnings: &[Warning], manner: &Manner) -> String {
    let Some(top) = Object::of(result, &["_meta"]).filter(|_| !warnings.is_empty()) else {
        return result.to_owned();
    };
    let meta = top
        .get("_meta")
        .filter(|raw| raw.starts_with('{'))
        .unwrap_or("{}");
    let Some(found) = Object::of(meta, &[SUCCESS_KEY]) else {
        return result.to_owned();
    };
    let given = found.get(SUCCESS_KEY).filter(|raw| raw.starts_with('{'));
    let success = told(given.unwrap_or("{}"), warnings, manner);
    let meta = found.edit().put(SUCCESS_KEY, success).write();
    top.edit().put("_meta", meta).write()
}

/// What rides on a success, with more warnings.
fn told(given: &str, warnings: &[Warning], manner: &Manner) -> String {
    let mut theirs: Vec<&str> = Vec::new();
    let object = Object::of(given, &["warnings"]);
    let list = object.as_ref().and_then(|object| object.get("warnings"));
    if let Some(list) = list {
        each(list, |one| theirs.push(one));
    }
    let mut all: Vec<(u8, String)> = theirs
        .iter()
        .map(|one| (rank(one), (*one).to_owned()))
        .collect();
    let room = MOST.saturating_sub(all.len()).max(1);
    for one in ours(warnings, manner, room) {
        if !theirs.contains(&&*one) {
            all.push((rank(&one), one));
        }
    }
    all.sort_by_key(|(rank, _)| *rank);
    let all: Vec<String> = all.into_iter().map(|(_, one)| one).collect();
    let list = format!("[{}]", all.join(","));
    match object {
        Some(object) => object.edit().put("warnings", list).write(),
        None => format!(r#"{{"warnings":{list}}}"#),
    }
}

/// Our own, as JSON.
fn ours(warnings: &[Warning], manner: &Manner, room: usize) -> Vec<String> {
    let mut curated = Warning::curated(warnings);
    curated.truncate(room);
    let success = curated
        .into_iter()
        .fold(Success::new(Value::Null), Success::warning);
    let mut outcome = Redactor::client().outcome(Outcome::Success(success));
    if let Some(language) = &manner.language {
        outcome = outcome.in_language(language.clone());
    }
    let result = tool_result(&outcome, Dialect::Native, &Options::new());
    let mut result = result.map(|result| result.to_value()).unwrap_or_default();
    let all = result["_meta"][SUCCESS_KEY]["warnings"].take();
    let all = all.as_array().into_iter().flatten();
    all.map(ToString::to_string).collect()
}

/// Where a warning stands among others: the worst first. One that does not say how bad it is is in the middle.
fn rank(warning: &str) -> u8 {
    let severity =
        Object::of(warning, &["severity"]).and_then(|one| Some(one.text("severity")?.into_owned()));
    match severity.as_deref() {
        Some("error" | "high" | "critical") => 0,
        Some("info" | "low") => 2,
        Some(_) | None => 1,
    }
}

/// How many warnings there may be.
const MOST: usize = 10;
