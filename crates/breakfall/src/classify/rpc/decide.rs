//! The code an error stands for: by a rule, by what its data says, by its words, or by its number alone.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::Value;

use super::rules::{self, RpcRule};
use super::{RpcErrorParts, bare};
use crate::catalog::codes;
use crate::catalog::status::code_for_status;
use crate::classify::body::BodyReading;
use crate::classify::result::words_of;
use crate::classify::rule::RuleEffect;
use crate::classify::{page, text};
use crate::code::{Category, Code};
use crate::fault::{Confidence, Fault};

pub(super) struct RpcDecision {
    pub(super) code: Code,
    pub(super) rule: Cow<'static, str>,
    pub(super) confidence: Confidence,
    pub(super) vague: bool,
    pub(super) wait: Option<Duration>,
    pub(super) add: Option<AddToFault>,
    /// What the rule on words does besides.
    pub(super) effect: RuleEffect,
}

/// Adds to a fault what only its rule knows.
pub(super) type AddToFault = fn(Fault, &RpcErrorParts<'_>) -> Fault;

pub(super) fn decide(error: &RpcErrorParts<'_>, said: &BodyReading) -> RpcDecision {
    let number = error.number;
    if let Some(RpcRule {
        name,
        code,
        confidence,
        add,
        ..
    }) = rules::find(error)
    {
        return RpcDecision {
            add: *add,
            ..RpcDecision::of(*code, format!("rpc.{number}.{name}"), *confidence)
        };
    }
    let meaning = rules::meaning(number);
    let vague = meaning.is_none_or(|meaning| meaning.vague);
    if let Some(code) = said.code.filter(|_| vague) {
        let rule = format!("rpc.{number}.{}", said.shape);
        return RpcDecision::of(code, rule, Confidence::Structural);
    }
    let may = meaning.map_or(Category::ALL, |meaning| meaning.may);
    // Words beside the message say what a broken server ran into, which is seldom the caller's argument.
    let judge = |words: &str, is_message: bool| {
        let judged = text::judge(&error.call.masked(&page::without(words)))?;
        let category = judged.code.category();
        // Words that say what is wrong with an argument are clear, whatever the number blames.
        let is_clear = is_message
            && !may.is_empty()
            && category == Category::Validation
            && judged.code != codes::VALIDATION_INVALID_VALUE;
        (is_clear || may.contains(&category)).then_some(judged)
    };
    let says_nothing = |judged: &Option<text::TextJudgement>| {
        let has = meaning.map_or(codes::INTERNAL_ERROR, |meaning| meaning.code);
        judged.as_ref().is_none_or(|judged| judged.code == has)
    };
    let mut judged = judge(bare(error.message), true);
    // "Internal error" is what frameworks say; what happened stands beside it.
    let told = || {
        let words = said.message.as_deref().or_else(|| words_of(error.data));
        words.or_else(|| REASONS.iter().find_map(|key| error.data.get(key)?.as_str()))
    };
    let beside = error.data.as_str().or_else(told);
    if vague
        && says_nothing(&judged)
        && let Some(better) = beside.and_then(|words| judge(words, false))
    {
        judged = Some(better);
    }
    let wait = judged.as_ref().and_then(|judged| judged.wait);
    // Words that say what the number says make nothing less sure.
    let decided = match judged.filter(|judged| meaning.is_none_or(|have| have.code != judged.code))
    {
        Some(judged) => {
            let rule = format!("rpc.{number}.{}", judged.rule);
            RpcDecision {
                effect: judged.effect,
                ..RpcDecision::of(judged.code, rule, Confidence::Textual)
            }
        }
        None => by_number_and_wait(error, vague),
    };
    RpcDecision { wait, ..decided }
}

fn by_number_and_wait(error: &RpcErrorParts<'_>, vague: bool) -> RpcDecision {
    let number = error.number;
    match by_number(number, vague) {
        // An error that says when to retry also says that a retry makes sense.
        unknown if unknown.confidence == Confidence::Default && asks_to_wait(error.data) => {
            let rule = format!("rpc.{number}.retry-after");
            RpcDecision::of(codes::UNAVAILABLE_SERVICE, rule, Confidence::Structural)
        }
        decided => decided,
    }
}

/// Where else in its data an error says what happened.
#[rustfmt::skip]
const REASONS: &[&str] = &[
    "details", "reason", "cause", "description", "originalError", "original_error", "exception", "stderr",
];

fn asks_to_wait(data: &Value) -> bool {
    let keys = [
        "retryAfter",
        "retry_after",
        "retry_after_seconds",
        "retry_after_ms",
    ];
    let is_time = |key: &&str| {
        data.get(*key)
            .and_then(Value::as_f64)
            .is_some_and(|time| time > 0.0)
    };
    keys.iter().any(is_time)
}

/// What is left when nothing but the number speaks.
fn by_number(number: i64, vague: bool) -> RpcDecision {
    // Some servers send the status of the API behind them for a number.
    let status = u16::try_from(number)
        .ok()
        .filter(|number| (400..=599).contains(number));
    let rule = || format!("rpc.{number}");
    match (rules::meaning(number), status) {
        (Some(meaning), _) => RpcDecision {
            vague,
            ..RpcDecision::of(meaning.code, rule(), Confidence::Structural)
        },
        (None, Some(status)) => {
            let code = code_for_status(status);
            RpcDecision::of(code, format!("rpc.http-{status}"), Confidence::Structural)
        }
        (None, None) => RpcDecision {
            vague,
            ..RpcDecision::of(codes::INTERNAL_UNKNOWN, rule(), Confidence::Default)
        },
    }
}

impl RpcDecision {
    fn of(code: Code, rule: String, confidence: Confidence) -> Self {
        Self {
            code,
            rule: Cow::Owned(rule),
            confidence,
            vague: false,
            wait: None,
            add: None,
            effect: RuleEffect::None,
        }
    }
}
