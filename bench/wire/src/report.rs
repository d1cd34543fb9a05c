//! What was seen, as lines with a bar where there is one.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::load::Server;
use crate::measure::{AT_ONCE, All, Pair, Seen};

/// The lines of the report.
#[derive(Serialize)]
pub(crate) struct Report {
    /// Built without optimisation: the lines say nothing.
    is_debug: bool,
    lines: Vec<Line>,
}

/// One thing that was measured.
#[derive(Serialize)]
struct Line {
    what: String,
    unit: &'static str,
    /// Without the gateway, where that makes sense.
    bare: Option<f64>,
    through: f64,
    /// Through against bare.
    ratio: Option<f64>,
    added: Option<f64>,
    bar: Option<Bar>,
    is_passed: Option<bool>,
}

/// What a line has to reach.
#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Bar {
    /// The gateway may add so much.
    AddedAtMost(f64),
    /// It has to stay below.
    Below(f64),
    /// It has to be nothing at all.
    Zero,
}

impl Report {
    /// # Errors
    /// When the bare server looks slower than the same server behind the gateway: then something else was measured.
    pub(crate) fn of(all: &All, anyway: bool) -> Result<Self, String> {
        let mut lines = Vec::new();
        for seen in &all.calls {
            lines.extend(calls(seen, anyway)?);
        }
        let starts = all.starts.map(|times| at(times, 50, MILLISECOND));
        is_plausible("start-up", &starts, anyway)?;
        lines.push(Line::pair("start-up, median", "ms", &starts).bar(Bar::AddedAtMost(20.0)));
        if let Some(bytes) = all.memory {
            #[expect(clippy::cast_precision_loss, reason = "for people")]
            let megabytes = bytes as f64 / 1e6;
            lines.push(
                Line::one("memory when idle, after the load", "MB", megabytes)
                    .bar(Bar::Below(12.0)),
            );
        }
        if let Some(ran) = all.idle {
            let ran = ran.as_secs_f64() / MICROSECOND;
            lines.push(Line::one("while nothing is asked", "µs of CPU", ran).bar(Bar::Zero));
        }
        Ok(Self {
            is_debug: cfg!(debug_assertions),
            lines,
        })
    }

    pub(crate) fn is_passed(&self) -> bool {
        self.lines.iter().all(|line| line.is_passed != Some(false))
    }
}

fn calls(seen: &Seen, anyway: bool) -> Result<Vec<Line>, String> {
    let name = &seen.name;
    let median = seen.alone.map(|times| at(times, 50, MICROSECOND));
    // A real server may well be faster behind somebody who keeps its core awake.
    is_plausible(name, &median, anyway || seen.server != Server::Empty)?;
    let slow = seen.alone.map(|times| at(times, 99, MICROSECOND));
    let rate = seen.together.map(|times| 1e6 / at(times, 50, MICROSECOND));
    let mut lines = vec![
        Line::pair(format!("{name}, median"), "µs", &median),
        Line::pair(format!("{name}, 99 of 100"), "µs", &slow),
        Line::pair(format!("{name}, {AT_ONCE} in flight"), "calls/s", &rate),
    ];
    let pumped = Pair {
        bare: median.bare,
        through: at(&seen.pumped.alone, 50, MICROSECOND),
    };
    let pumped_rate = Pair {
        bare: rate.bare,
        through: 1e6 / at(&seen.pumped.together, 50, MICROSECOND),
    };
    lines.extend([
        Line::pair(format!("{name}, behind a pump, median"), "µs", &pumped),
        Line::pair(
            format!("{name}, behind a pump, {AT_ONCE} in flight"),
            "calls/s",
            &pumped_rate,
        ),
    ]);
    if let Some(cpu) = seen.cpu {
        let cpu = cpu.as_secs_f64() / MICROSECOND;
        lines.push(Line::one(
            format!("{name}, the gateway itself"),
            "µs of CPU",
            cpu,
        ));
    }
    if seen.server != Server::Empty
        && let Some(median) = lines.first_mut()
    {
        median.set(Bar::AddedAtMost(100.0));
    }
    Ok(lines)
}

fn is_plausible(what: &str, times: &Pair<f64>, anyway: bool) -> Result<(), String> {
    if anyway || times.bare <= times.through {
        return Ok(());
    }
    Err(format!(
        "{what}: the bare server took longer than the same server behind the gateway ({:.1} against {:.1}); \
         something else was measured, so there is no report. Try again on a machine with nothing else to do",
        times.bare, times.through
    ))
}

/// The time that so many of a hundred do not exceed, in a unit.
fn at(times: &[Duration], percent: usize, unit: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(f64::NAN, Duration::as_secs_f64) / unit
}

impl<T> Pair<T> {
    fn map<U>(&self, with: impl Fn(&T) -> U) -> Pair<U> {
        Pair {
            bare: with(&self.bare),
            through: with(&self.through),
        }
    }
}

impl Line {
    fn one(what: impl Into<String>, unit: &'static str, through: f64) -> Self {
        Self {
            what: what.into(),
            unit,
            bare: None,
            through,
            ratio: None,
            added: None,
            bar: None,
            is_passed: None,
        }
    }

    fn pair(what: impl Into<String>, unit: &'static str, pair: &Pair<f64>) -> Self {
        Self {
            bare: Some(pair.bare),
            ratio: Some(pair.through / pair.bare),
            added: Some(pair.through - pair.bare),
            ..Self::one(what, unit, pair.through)
        }
    }

    fn bar(mut self, bar: Bar) -> Self {
        self.set(bar);
        self
    }

    fn set(&mut self, bar: Bar) {
        self.bar = Some(bar);
        self.is_passed = match bar {
            Bar::AddedAtMost(most) => self.added.map(|added| added <= most),
            Bar::Below(most) => Some(self.through < most),
            Bar::Zero => Some(self.through <= 0.0),
        };
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = ["", "bare", "through", "added", "ratio"];
        let [what, bare, through, added, ratio] = columns;
        writeln!(
            f,
            "{what:44} {bare:>10} {through:>10} {added:>10} {ratio:>8}  bar"
        )?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        if self.is_debug {
            f.write_str("Built without --release: these numbers say nothing.\n")?;
        }
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>| value.map_or_else(String::new, shown);
        let what = format!("{} ({})", self.what, self.unit);
        let (bare, through) = (number(self.bare), shown(self.through));
        let added = match self.unit {
            // Calls are not added.
            "calls/s" => String::new(),
            _ => number(self.added),
        };
        let ratio = self
            .ratio
            .map_or_else(String::new, |ratio| format!("{ratio:.2} ×"));
        write!(
            f,
            "{what:44} {bare:>10} {through:>10} {added:>10} {ratio:>8}"
        )?;
        let Some((bar, is_passed)) = self.bar.zip(self.is_passed) else {
            return Ok(());
        };
        write!(
            f,
            "  {bar}: {}",
            if is_passed { "passed" } else { "MISSED" }
        )
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AddedAtMost(most) => write!(f, "adds at most {most}"),
            Self::Below(most) => write!(f, "below {most}"),
            Self::Zero => f.write_str("zero"),
        }
    }
}

fn shown(value: f64) -> String {
    let digits = usize::from(value.abs() < 100.0);
    format!("{value:.digits$}")
}

const MICROSECOND: f64 = 1e-6;
const MILLISECOND: f64 = 1e-3;
