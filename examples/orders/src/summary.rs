//! All orders in few words. When they do not fit, they are shortened before they are left out, what is left out is
//! archived, and every step that made the answer worse is announced in it.

use std::num::NonZeroU32;

use breakfall::catalog::warning;
use breakfall::{Fidelity, Success, Warning};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::ids::OrderId;
use crate::store::{Archive, Order, Status};

/// What is used where the caller states no budget, and the least that makes sense.
const USUAL_BUDGET: usize = 400;
const LEAST_BUDGET: usize = 30;

/// The first orders are shortened a little at most, and the very first are never left out.
const PREFERRED: usize = 5;
const KEPT: usize = 3;

const CUT: &str = " […]";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    #[default]
    Plain,
    /// Written by a service that is not there.
    Prose,
}

/// The orders of a customer within a budget of tokens.
pub fn summarize(
    orders: &[Order],
    budget: Option<NonZeroU32>,
    style: Style,
    archive: &mut Archive,
    migrated_from: Option<u32>,
) -> Success {
    // Nobody here knows how the caller's model counts.
    let mut warnings = vec![
        Warning::new(warning::TOKEN_COUNT_ESTIMATE_USED)
            .context("estimation_method", "character_ratio"),
    ];
    let budget = allocate(budget, &mut warnings);
    let mut lines = prioritize(orders, budget, &mut warnings);
    shorten(&mut lines, budget, style, &mut warnings);
    let (text, is_cut) = assemble(&lines, budget, &mut warnings);
    let dropped = dropped(&lines, &mut warnings);
    let is_whole = dropped.is_empty() && !is_cut;
    store(dropped, archive, &mut warnings);
    if let Some(version) = migrated_from {
        let migrated = Warning::new(warning::STATE_MIGRATION_RECOVERED);
        warnings.push(migrated.context("from_version", version.to_string()));
    }
    let fidelity = match (is_whole, lines.iter().all(|line| line.level == Level::Full)) {
        (false, _) => Fidelity::Partial,
        (true, false) => Fidelity::Summary,
        (true, true) => Fidelity::Full,
    };
    let data = json!({"summary": text, "orders": orders.len(), "tokens": tokens(&text)});
    let success = Success::new(data).fidelity(fidelity);
    warnings.into_iter().fold(success, Success::warning)
}

/// One order, as long as it may be.
struct Line<'a> {
    order: &'a Order,
    level: Level,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Full,
    KeyPoints,
    Headline,
    Dropped,
}

impl Line<'_> {
    /// What still has to be acted on is never left out.
    fn is_protected(&self) -> bool {
        self.order.status == Status::Open
    }

    fn text(&self) -> String {
        let order = self.order;
        let (id, quantity, note) = (&order.id, order.quantity, &order.note);
        let (article, status) = (order.article, order.status);
        match self.level {
            Level::Full => format!("{id}: {quantity} × {article:?}, {status:?}. {note}"),
            Level::KeyPoints => format!("{id}: {quantity} × {article:?}, {status:?}"),
            Level::Headline => id.to_string(),
            Level::Dropped => String::new(),
        }
    }

    fn is_shortened(&self) -> bool {
        matches!(self.level, Level::KeyPoints | Level::Headline)
    }
}

/// Four characters to the token, for want of anything better.
fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

fn joined(lines: &[Line<'_>]) -> String {
    let lines = lines.iter().filter(|line| line.level != Level::Dropped);
    lines.map(Line::text).collect::<Vec<_>>().join("\n")
}

fn allocate(budget: Option<NonZeroU32>, warnings: &mut Vec<Warning>) -> usize {
    let Some(asked) = budget else {
        let limits = Warning::new(warning::LIMITS_DEFAULTED);
        warnings.push(limits.context("limits", vec!["token_budget"]));
        return USUAL_BUDGET;
    };
    let budget = usize::try_from(asked.get()).unwrap_or(usize::MAX);
    if budget < LEAST_BUDGET {
        let floored = Warning::new(warning::TOKEN_BUDGET_FLOORED);
        warnings.push(
            floored
                .context("requested", asked.get())
                .context("floor", LEAST_BUDGET),
        );
    }
    budget.max(LEAST_BUDGET)
}

fn prioritize<'a>(
    orders: &'a [Order],
    budget: usize,
    warnings: &mut Vec<Warning>,
) -> Vec<Line<'a>> {
    let level = Level::Full;
    let mut lines: Vec<Line<'a>> = orders.iter().map(|order| Line { order, level }).collect();
    lines.sort_by_key(|line| !line.is_protected());
    let protected = lines.partition_point(Line::is_protected);
    let (used, allocated) = (tokens(&joined(&lines[..protected])), budget / 2);
    if used > allocated {
        let overflow = Warning::new(warning::PROTECTED_OVERFLOW);
        warnings.push(
            overflow
                .context("allocated", allocated)
                .context("used", used),
        );
    }
    lines
}

/// Shortens from the end until it fits: first a little, then more, and leaves out only after that.
fn shorten(lines: &mut [Line<'_>], budget: usize, style: Style, warnings: &mut Vec<Warning>) {
    for level in [Level::KeyPoints, Level::Headline, Level::Dropped] {
        for rank in (0..lines.len()).rev() {
            if tokens(&joined(lines)) <= budget {
                break;
            }
            let line = &mut lines[rank];
            let may = match level {
                Level::Full | Level::KeyPoints => true,
                Level::Headline => rank >= PREFERRED && !line.is_protected(),
                Level::Dropped => rank >= KEPT && !line.is_protected(),
            };
            if may {
                line.level = level;
            }
        }
    }
    if style == Style::Prose {
        let failed = Warning::new(warning::SUMMARY_PROVIDER_FAILED);
        warnings.push(
            failed
                .context("provider", "prose")
                .context("fallback", "plain"),
        );
    }
    let shortened = lines.iter().filter(|line| line.is_shortened()).count();
    if shortened > 0 {
        let summarized = Warning::new(warning::PRIORITY_SUMMARIZED);
        warnings.push(summarized.context("summarized_count", shortened));
    }
}

/// The text, and whether it had to be cut to fit after all.
fn assemble(lines: &[Line<'_>], budget: usize, warnings: &mut Vec<Warning>) -> (String, bool) {
    let text = joined(lines);
    let (most, is_cut) = (budget * 4, tokens(&text) > budget);
    if !is_cut {
        return (text, false);
    }
    let kept: String = text.chars().take(most - CUT.chars().count()).collect();
    let cut = kept + CUT;
    let truncated = Warning::new(warning::CONTENT_TRUNCATED)
        .context("total", tokens(&text))
        .context("returned", tokens(&cut))
        .context("unit", "tokens");
    warnings.push(truncated);
    (cut, true)
}

fn dropped(lines: &[Line<'_>], warnings: &mut Vec<Warning>) -> Vec<OrderId> {
    let lines = lines.iter().filter(|line| line.level == Level::Dropped);
    let ids: Vec<OrderId> = lines.map(|line| line.order.id.clone()).collect();
    if !ids.is_empty() {
        let dropped = Warning::new(warning::CONTENT_DROPPED)
            .context("dropped_count", ids.len())
            .context("dropped_ids", texts(&ids))
            .context("reason", "token_budget_exceeded");
        warnings.push(dropped);
    }
    ids
}

/// The archive is a convenience: `get_order` still finds what it has no room for, so its failure is none of ours.
fn store(dropped: Vec<OrderId>, archive: &mut Archive, warnings: &mut Vec<Warning>) {
    let lost = archive.keep(dropped);
    if !lost.is_empty() {
        let failed = Warning::new(warning::ARCHIVE_WRITE_FAILED)
            .context("archive", "summaries")
            .context("lost_ids", texts(&lost));
        warnings.push(failed);
    }
}

fn texts(ids: &[OrderId]) -> Vec<String> {
    ids.iter().map(OrderId::to_string).collect()
}
