//! The status of quotas for people.

use breakfall_gateway::resilience::quota::shown_number;

use super::status::{CountedUse, PlaceStatus, QuotaStatusReport};
use crate::layout::TextSheet;

pub(super) fn answer(report: &QuotaStatusReport<'_>, width: usize) -> String {
    let mut sheet = TextSheet::new(width);
    if report.places.is_empty() {
        sheet.title(
            "No limits",
            "the configuration has neither rate limits nor quotas",
        );
    }
    for (index, place) in report.places.iter().enumerate() {
        if index > 0 {
            sheet.gap();
        }
        describe(&mut sheet, place);
    }
    sheet.finish()
}

fn describe(sheet: &mut TextSheet, status: &PlaceStatus<'_>) {
    let place = status.place;
    let reset = status.next_reset();
    let reset = reset.map(|at| format!("next reset {at:.0}"));
    sheet.title(&place.name, &reset.unwrap_or_default());
    if let Some(rate) = &place.rate {
        sheet.field("Rate", &rate.to_string());
    }
    let rows: Vec<[String; 2]> = status.uses.iter().map(row).collect();
    sheet.table("Quotas", &rows);
}

fn row(counted: &CountedUse) -> [String; 2] {
    let CountedUse { principal, used } = counted;
    let quota = &used.quota;
    let mut words = format!(
        "{}: {} used, warn at {}",
        used.status().as_str(),
        shown_number(used.used.of(quota.metric)),
        quota.warn
    );
    for (step, at) in [("pause", quota.pause), ("stop", quota.hard_stop)] {
        words.extend(at.map(|at| format!(", {step} at {at}")));
    }
    words.extend(quota.currency.as_deref().map(|code| format!(" {code}")));
    words = format!("{words}, resets {:.0}", used.resets_at);
    let metric = quota.metric.as_str();
    let label = match principal {
        Some(principal) => format!("{metric} of {principal}"),
        None => metric.to_owned(),
    };
    [label, words]
}
