//! How long to wait for an answer.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use breakfall::suggest::nearest;
use breakfall_mcp::timeouts::Timeouts;
use serde_json::{Value as Json, json};

use super::kinds::positive_duration;
use super::problem::ConfigProblem;
use super::reader::{Reader, listed};
use super::schema::Definitions;
use super::setting::{Kind, Visitor};
use super::tree::{Node, Value};
use super::units::{self, show_duration};

/// The timeout of a tool or server, as it is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two ways to set it")]
pub enum TimeoutSetting {
    /// This long without progress, and in all as long as for every tool of the server.
    Idle(Duration),
    /// As long as tools of a class.
    Class(TimeoutClass),
}

impl TimeoutSetting {
    /// The timeouts of a tool that may have a setting of its own, in place of its server's.
    pub fn replacing(own: Option<Self>, timeouts: Timeouts) -> Timeouts {
        match own {
            None => timeouts,
            Some(Self::Idle(idle)) => Timeouts {
                idle,
                total: timeouts.total.max(idle),
            },
            Some(Self::Class(class)) => class.timeouts(),
        }
    }
}

impl Display for TimeoutSetting {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Idle(idle) => f.write_str(&show_duration(*idle)),
            Self::Class(class) => Display::fmt(class, f),
        }
    }
}

/// A class of calls that take about as long as each other.
///
/// ```
/// use std::time::Duration;
/// use breakfall_gateway::config::TimeoutClass;
///
/// assert_eq!(TimeoutClass::from_word("slow"), Some(TimeoutClass::Slow));
/// assert_eq!(TimeoutClass::Slow.timeouts().idle, Duration::from_secs(120));
/// assert_eq!(TimeoutClass::Slow.timeouts().total, Duration::from_secs(300));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a closed set of words, matched in full"
)]
pub enum TimeoutClass {
    /// Looking something up.
    Fast,
    /// Ordinary work.
    Medium,
    /// Heavy work.
    Slow,
    /// Work for which no user waits.
    Background,
}

impl TimeoutClass {
    /// All of them, the shortest first.
    pub const ALL: &'static [Self] = &[Self::Fast, Self::Medium, Self::Slow, Self::Background];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Medium => "medium",
            Self::Slow => "slow",
            Self::Background => "background",
        }
    }

    /// The class of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|class| class.as_str() == word)
    }

    /// How long to wait without progress, and in all.
    pub const fn timeouts(self) -> Timeouts {
        let (idle, total) = match self {
            Self::Fast => (5, 10),
            Self::Medium => (30, 60),
            Self::Slow => (120, 300),
            Self::Background => (600, 3600),
        };
        Timeouts {
            idle: Duration::from_secs(idle),
            total: Duration::from_secs(total),
        }
    }
}

impl Display for TimeoutClass {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The timeouts in one line.
pub fn show_timeouts(timeouts: Timeouts) -> String {
    let (idle, total) = (show_duration(timeouts.idle), show_duration(timeouts.total));
    format!("{idle} without progress, {total} in all")
}

/// The settings of the timeouts of a server.
pub(super) fn settings(timeouts: &mut Timeouts, visitor: &mut impl Visitor) {
    let default = *timeouts;
    let mut own = TimeoutSetting::Idle(default.idle);
    visitor.setting("timeout", "How long to wait for an answer without a sign of life; progress starts it anew. Or a class, which says how long in all, too: `fast` (5s, 10s in all), `medium` (30s, 1m), `slow` (2m, 5m) or `background` (10m, 1h).", &mut own, timeout());
    visitor.setting(
        "max_timeout",
        "How long to wait for an answer in all, whatever progress there is.",
        &mut timeouts.total,
        positive_duration(),
    );
    visitor.check(|reader| {
        let total = reader.given("max_timeout");
        let (idle, of_class) = match own {
            TimeoutSetting::Idle(idle) => (idle, None),
            TimeoutSetting::Class(class) => {
                let timeouts = class.timeouts();
                (timeouts.idle, Some(timeouts.total))
            }
        };
        timeouts.idle = idle;
        match total {
            Some(_) if reader.given("timeout").is_none() => {
                timeouts.idle = idle.min(timeouts.total);
            }
            Some(total) if timeouts.total < idle => {
                let problem = total.problem("max_timeout is shorter than timeout");
                reader.report(
                    problem
                        .hint("max_timeout is the time in all, timeout the time without progress"),
                );
            }
            Some(_) => {}
            None => timeouts.total = of_class.unwrap_or(default.total.max(idle)),
        }
    });
}

/// A duration, or the word of a class of them.
pub(super) fn timeout() -> TimeoutKind {
    TimeoutKind
}

pub(super) struct TimeoutKind;

impl Kind for TimeoutKind {
    type Value = TimeoutSetting;

    fn read(
        &self,
        node: &Node,
        _: Option<&TimeoutSetting>,
        reader: &mut Reader<'_>,
    ) -> Option<TimeoutSetting> {
        if let Value::Text(text) = &node.value {
            if let Some(class) = TimeoutClass::from_word(text) {
                return Some(TimeoutSetting::Class(class));
            }
            let classes = classes();
            if let Some(nearest) = nearest(text, classes.iter().copied()) {
                let problem = ConfigProblem::new(format!("'{text}' is no duration and no class"));
                let problem = problem.label(format!("did you mean '{nearest}'?"));
                let hint = format!("the classes are {}", listed(&classes));
                return reader.refuse(node, problem.hint(hint));
            }
        }
        let idle = positive_duration().read(node, None, reader)?;
        Some(TimeoutSetting::Idle(idle))
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({
            "type": "string",
            "anyOf": [{"pattern": units::DURATION_PATTERN}, {"enum": classes()}],
            "examples": ["250ms", "30s", "5m", "1h30m", "fast"],
        })
    }

    fn default(&self, value: &TimeoutSetting) -> Option<Json> {
        Some(json!(value.to_string()))
    }
}

fn classes() -> Vec<&'static str> {
    let classes = TimeoutClass::ALL.iter();
    classes.map(|class| class.as_str()).collect()
}
