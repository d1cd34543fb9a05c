//! The latest failures, one line each.

use breakfall_gateway::record::Report;

use crate::explain::list;
use crate::output::printable;

pub(super) fn page(reports: &[Report], terminal: Option<usize>) -> String {
    if reports.is_empty() {
        return String::new();
    }
    let titles = ["ID", "WHEN", "CODE", "CALL", "MESSAGE"];
    let mut cells = vec![titles.map(str::to_owned)];
    cells.extend(reports.iter().map(line));
    list::columns(&cells, terminal)
}

fn line(report: &Report) -> [String; 5] {
    let error = |key: &str| report.error[key].as_str().unwrap_or_default();
    let message = error("message").lines().next().unwrap_or_default();
    let when = report.timestamp.split('.').next().unwrap_or_default();
    [
        printable(&report.correlation_id),
        printable(&format!("{when}Z")),
        printable(error("code")),
        printable(&format!("{}/{}", report.upstream, report.tool)),
        printable(message),
    ]
}
