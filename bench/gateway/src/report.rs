//! What was seen, as lines with bars where there are any.

use std::fmt;

use serde::Serialize;

use crate::answer::SMALL;
use crate::measure::{All, Case};
use crate::wrk::Seen;

/// The lines of the report.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Built without optimisation: the lines say nothing.
    is_debug: bool,
    lines: Vec<Line>,
    bars: Vec<Bar>,
}

/// Who was called how.
#[derive(Debug, Serialize)]
struct Line {
    load: String,
    who: &'static str,
    calls_per_second: f64,
    median_microseconds: f64,
    slow_microseconds: f64,
}

/// Something that has to be reached.
#[derive(Debug, Serialize)]
struct Bar {
    what: String,
    goal: &'static str,
    seen: f64,
    is_passed: bool,
}

impl Report {
    /// # Errors
    /// When nginx looks faster than the server behind it: then something else was measured.
    pub(crate) fn of(all: &All) -> Result<Self, String> {
        let mut lines = Vec::new();
        let mut bars = Vec::new();
        for case in &all.cases {
            let middle = Middle::of(case);
            middle.is_plausible()?;
            lines.extend(middle.lines());
            bars.extend(middle.bars());
        }
        bars.extend(recorded(all));
        for (when, bytes) in [
            ("before the load", all.before),
            ("after the load", all.after),
        ] {
            #[expect(clippy::cast_precision_loss, reason = "for people")]
            let megabytes = bytes.map(|bytes| bytes as f64 / 1e6);
            bars.extend(megabytes.map(|seen| Bar {
                what: format!("memory when idle, {when} (MB)"),
                goal: "below 12",
                seen,
                is_passed: seen < 12.0,
            }));
        }
        Ok(Self {
            is_debug: cfg!(debug_assertions),
            lines,
            bars,
        })
    }

    pub(crate) fn is_passed(&self) -> bool {
        self.bars.iter().all(|bar| bar.is_passed)
    }
}

/// Being fast by forgetting does not count. What was under way when wrk went is recorded too, and wrk does not know of it.
fn recorded(all: &All) -> Option<Bar> {
    let judged = |case: &Case| [&case.judged, &case.failing].map(|seen| calls(seen));
    let calls: f64 = all.cases.iter().flat_map(judged).sum();
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let seen = all.recorded as f64 / calls;
    (calls > 0.0).then(|| Bar {
        what: "full pipeline: audit entries, for each call".to_owned(),
        goal: "at least 1",
        seen,
        is_passed: seen >= 1.0,
    })
}

fn calls(seen: &[Seen]) -> f64 {
    seen.iter().map(|seen| seen.calls).sum()
}

/// The middle one of all rounds, for each.
struct Middle {
    load: String,
    direct: Seen,
    nginx: Seen,
    remote: Seen,
    child: Seen,
    peer: Seen,
    judged: Seen,
    failing: Option<Seen>,
    /// Pairs of what is measured: this Breakfall, and the other one.
    before: Vec<(&'static str, Seen, Seen)>,
    /// The bars are for 1 kB and 8 connections; everything else is for orientation.
    has_bars: bool,
}

impl Middle {
    fn of(case: &Case) -> Self {
        let connections = match case.connections {
            1 => "1 connection".to_owned(),
            more => format!("{more} connections"),
        };
        Self {
            load: format!("{} kB, {connections}", case.size / 1000),
            direct: middle(&case.direct),
            nginx: middle(&case.nginx),
            remote: middle(&case.remote),
            child: middle(&case.child),
            peer: middle(&case.peer),
            judged: middle(&case.judged),
            failing: (!case.failing.is_empty()).then(|| middle(&case.failing)),
            before: before(case),
            has_bars: case.connections == 8 && case.size == SMALL,
        }
    }

    fn is_plausible(&self) -> Result<(), String> {
        let (direct, nginx) = (self.direct.per_second, self.nginx.per_second);
        if direct >= nginx {
            return Ok(());
        }
        Err(format!(
            "{}: the server by itself was slower than behind nginx ({direct:.0} against {nginx:.0} calls per second); \
             something else was measured, so there is no report. Try again on a machine with nothing else to do",
            self.load
        ))
    }

    fn lines(&self) -> impl Iterator<Item = Line> {
        let all = [
            ("direct", self.direct),
            ("nginx", self.nginx),
            ("breakfall, HTTP", self.remote),
            ("breakfall, stdio", self.child),
            ("mcp-proxy, stdio", self.peer),
            ("full pipeline", self.judged),
        ];
        let failing = self.failing.map(|seen| ("error path", seen));
        let before = self.before.iter();
        let before = before.map(|(who, _, earlier)| (*who, *earlier));
        let failing = failing.into_iter().chain(before);
        let load = &self.load;
        all.into_iter().chain(failing).map(move |(who, seen)| Line {
            load: load.clone(),
            who,
            calls_per_second: seen.per_second,
            median_microseconds: seen.median,
            slow_microseconds: seen.slow,
        })
    }

    fn bars(&self) -> Vec<Bar> {
        let before = self.before.iter().map(|(who, ours, theirs)| {
            let what = format!("calls per second, against {who}");
            self.rate(&what, (*ours, *theirs), AT_LEAST_BEFORE)
        });
        let mut bars: Vec<_> = before.collect();
        if !self.has_bars {
            return bars;
        }
        bars.extend([
            self.rate(
                "calls per second, against nginx",
                (self.remote, self.nginx),
                AT_LEAST_NGINX,
            ),
            self.rate(
                "calls per second in front of a child, against mcp-proxy",
                (self.child, self.peer),
                AT_LEAST_PEER,
            ),
            self.rate(
                "full pipeline, against nginx",
                (self.judged, self.nginx),
                AT_LEAST_JUDGED,
            ),
        ]);
        bars.extend(self.failing.map(|failing| {
            let against = (failing, self.judged);
            self.rate(
                "error path, against the full pipeline",
                against,
                AT_LEAST_FAILING,
            )
        }));
        bars
    }

    fn rate(&self, what: &str, (ours, theirs): (Seen, Seen), (least, goal): Least) -> Bar {
        let seen = ours.per_second / theirs.per_second;
        Bar {
            what: format!("{}: {what}", self.load),
            goal,
            seen,
            is_passed: seen >= least,
        }
    }
}

type Least = (f64, &'static str);
const AT_LEAST_NGINX: Least = (0.7, "at least 0.7 ×");
const AT_LEAST_PEER: Least = (2.0, "at least 2 ×");
const AT_LEAST_JUDGED: Least = (0.45, "at least 0.45 ×");
const AT_LEAST_FAILING: Least = (0.45, "at least 0.45 ×");
const AT_LEAST_BEFORE: Least = (0.85, "at least 0.85 ×");

fn before(case: &Case) -> Vec<(&'static str, Seen, Seen)> {
    let Some(earlier) = &case.before else {
        return Vec::new();
    };
    let pairs = [
        ("before, HTTP", &case.remote, &earlier.remote),
        ("before, stdio", &case.child, &earlier.child),
        ("before, full pipeline", &case.judged, &earlier.judged),
        ("before, error path", &case.failing, &earlier.failing),
    ];
    let pairs = pairs.into_iter();
    let pairs = pairs.filter(|(_, _, earlier)| !earlier.is_empty());
    pairs
        .map(|(who, ours, earlier)| (who, middle(ours), middle(earlier)))
        .collect()
}

fn middle(all: &[Seen]) -> Seen {
    let of = |field: fn(&Seen) -> f64| {
        let mut values: Vec<f64> = all.iter().map(field).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    Seen {
        calls: of(|seen| seen.calls),
        per_second: of(|seen| seen.per_second),
        median: of(|seen| seen.median),
        slow: of(|seen| seen.slow),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = ["load", "who", "calls/s", "median µs", "99 of 100"];
        let [load, who, rate, median, slow] = columns;
        writeln!(f, "{load:24} {who:22} {rate:>10} {median:>10} {slow:>10}")?;
        for line in &self.lines {
            let Line {
                load,
                who,
                calls_per_second: rate,
                median_microseconds: median,
                slow_microseconds: slow,
            } = line;
            writeln!(
                f,
                "{load:24} {who:22} {rate:>10.0} {median:>10.0} {slow:>10.0}"
            )?;
        }
        writeln!(f)?;
        for bar in &self.bars {
            let outcome = if bar.is_passed { "passed" } else { "MISSED" };
            let Bar {
                what, goal, seen, ..
            } = bar;
            writeln!(f, "{what:72} {seen:>8.2}  {goal}: {outcome}")?;
        }
        if self.is_debug {
            f.write_str("Built without --release: these numbers say nothing.\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Earlier;

    fn seen(per_second: f64, median: f64) -> Vec<Seen> {
        vec![Seen {
            calls: per_second,
            per_second,
            median,
            slow: 2.0 * median,
        }]
    }

    /// All bars are just passed.
    fn passed() -> Case {
        Case {
            size: 1000,
            connections: 8,
            direct: seen(40_000.0, 100.0),
            nginx: seen(20_000.0, 200.0),
            remote: seen(14_000.0, 300.0),
            child: seen(20_000.0, 300.0),
            peer: seen(10_000.0, 700.0),
            judged: seen(9_000.0, 400.0),
            failing: seen(4_050.0, 500.0),
            before: None,
        }
    }

    fn all(case: Case) -> All {
        All {
            cases: vec![case],
            before: Some(3_000_000),
            after: Some(4_000_000),
            recorded: 13_050,
        }
    }

    fn is_passed(all: &All) -> bool {
        let report = Report::of(all).expect("nginx is slower than the server");
        report.is_passed()
    }

    #[test]
    fn bars_are_against_the_others_of_the_same_run() {
        assert!(is_passed(&all(passed())));
        let missed: [fn(&mut Case); 5] = [
            |case| case.remote = seen(13_900.0, 300.0),
            |case| case.child = seen(19_900.0, 300.0),
            |case| (case.judged, case.failing) = (seen(8_900.0, 400.0), seen(4_150.0, 500.0)),
            |case| case.failing = seen(4_000.0, 500.0),
            |case| {
                case.before = Some(Earlier {
                    remote: seen(16_500.0, 300.0),
                    child: seen(20_000.0, 300.0),
                    judged: seen(9_000.0, 400.0),
                    failing: seen(4_050.0, 500.0),
                });
            },
        ];
        for (index, miss) in missed.into_iter().enumerate() {
            let mut case = passed();
            miss(&mut case);
            assert!(!is_passed(&all(case)), "{index}");
        }
    }

    #[test]
    fn big_results_have_no_error_path() {
        let mut all = all(Case {
            failing: Vec::new(),
            ..passed()
        });
        all.recorded = 9_000;
        assert!(is_passed(&all));
        let report = Report::of(&all).expect("nginx is slower than the server");
        assert!(!report.to_string().contains("error path"), "{report}");
    }

    #[test]
    fn a_call_that_is_not_recorded_is_missed() {
        let mut all = all(passed());
        all.recorded -= 1;
        assert!(!is_passed(&all));
    }

    #[test]
    fn memory_has_a_bar_too() {
        let mut all = all(passed());
        all.after = Some(12_000_000);
        assert!(!is_passed(&all));
    }

    #[test]
    fn there_is_no_report_if_nginx_looks_faster_than_what_is_behind_it() {
        let case = Case {
            nginx: seen(40_001.0, 200.0),
            ..passed()
        };
        let error = Report::of(&all(case)).expect_err("it is not");
        assert!(error.contains("slower than behind nginx"), "{error}");
    }

    #[test]
    fn the_middle_of_all_rounds_counts() {
        let all = [seen(1.0, 30.0), seen(9.0, 10.0), seen(5.0, 20.0)].concat();
        let middle = middle(&all);
        assert_eq!(middle, seen(5.0, 20.0)[0]);
    }
}
