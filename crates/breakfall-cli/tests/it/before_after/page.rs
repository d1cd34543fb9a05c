//! The table of the README, and the page with every call.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::cases::Words;
use super::measure::{Told, texts};
use super::{Report, Row};

pub(super) const BEGIN: &str = "<!-- before and after: written by ./check bless -->";
pub(super) const END: &str = "<!-- until here -->";

/// The README with a table that is true.
pub(super) fn in_readme(readme: &str, reports: &[Report]) -> String {
    let (before, rest) = readme
        .split_once(BEGIN)
        .expect("the README has a place for it");
    let (_, after) = rest.split_once(END).expect("the place has an end");
    format!("{before}{BEGIN}\n{}{END}{after}", table(reports))
}

const HEAD: &str = "\
| server | bad calls | code | category | retry? | fix | id | leaks | no answer | told as success | its words kept |
|---|---|---|---|---|---|---|---|---|---|---|
";

fn table(reports: &[Report]) -> String {
    let rows = reports
        .iter()
        .map(|report| line(&report.title, &report.rows.iter().collect::<Vec<_>>()));
    let all: Vec<_> = reports.iter().flat_map(|report| &report.rows).collect();
    format!(
        "{HEAD}{}{}",
        rows.collect::<String>(),
        line("**all**", &all)
    )
}

/// How it was → how it is.
fn line(title: &str, rows: &[&Row]) -> String {
    let columns: [fn(&Told) -> bool; 8] = [
        |told| told.code,
        |told| told.category,
        |told| told.retry,
        |told| told.fix,
        |told| told.id,
        |told| told.leaks,
        |told| !told.is_answered,
        |told| told.is_success,
    ];
    let mut line = format!("| {title} | {} |", rows.len());
    for is in columns {
        let before = rows.iter().filter(|row| is(&row.before)).count();
        let after = rows.iter().filter(|row| is(&row.after)).count();
        let _infallible = write!(line, " {before} → {after} |");
    }
    let lost: Vec<_> = rows.iter().filter_map(|row| row.lost.as_ref()).collect();
    let kept = lost.iter().filter(|lost| lost.is_empty()).count();
    let _infallible = writeln!(line, " {kept} of {} |", lost.len());
    line
}

const OPENING: &str = "\
# Before and after

Calls that go wrong, each made twice: directly, and through `breakfall run` with the configuration there is without one. `./check` makes them all and compares;
`./check bless` writes this page and the table of the README.

How it is counted:

- *code, category, retry?, fix, id*: a program finds them, under any name that servers use for them, in the data of a JSON-RPC error, in `structuredContent`, in `_meta`
  or in a text that is JSON. The number of a JSON-RPC error is a code. Prose is not looked at: a reader who has to guess was told nothing.
  Behind Breakfall all of it stands in the first block of text, too.
- *leaks*: our own [redactor](redaction.md) would take something out that the caller does not know (it sent it, or it stands as a directory in the command line), or a planted secret, address, path or trace is there.
- *no answer*: the server answered everything else meanwhile, or died. Behind Breakfall the tool that hangs has 2 s instead of a minute; nothing else is set.
- *told as success*: a result that is not marked as an error.
- *its words kept*: code, message, data, content, `structuredContent`, `_meta` and unknown members are all there, but for what must not be seen; what
  breaks the schema of the tool's results stands in `_meta` instead, since clients throw it away otherwise. Where the server is never asked
  or does not answer there is nothing to keep.

What no rule can see stays as it is: a server that says \"deleted\" of something that was never there is believed.

";

/// The page.
pub(super) fn page(reports: &[Report]) -> String {
    let mut page = OPENING.to_owned();
    page.push_str(&table(reports));
    for report in reports {
        let title = report.title.replace('`', "");
        let _infallible = write!(
            page,
            "\n## {title}\n\n| what is wrong | direct | through Breakfall |\n|---|---|---|\n"
        );
        for row in &report.rows {
            let about = format!("{} (`{}`)", row.case.about, row.case.tool);
            let direct = row
                .direct
                .as_ref()
                .map_or("*no answer*".to_owned(), directly);
            let through = row
                .through
                .as_ref()
                .map_or("*no answer*".to_owned(), |answer| behind(answer, row));
            let _infallible = writeln!(page, "| {about} | {direct} | {through} |");
        }
    }
    page
}

fn directly(answer: &Value) -> String {
    if answer.get("error").or(answer.get("result")).is_none() {
        return "*no answer*".to_owned();
    }
    if let Some(error) = answer.get("error") {
        let message = error["message"].as_str().unwrap_or_default();
        return format!("{} {}", error["code"], cell(message));
    }
    let text = texts(answer).next().unwrap_or_default();
    let told = cell(text);
    if answer["result"]["isError"] == true {
        told
    } else {
        format!("*success:* {told}")
    }
}

fn behind(answer: &Value, row: &Row) -> String {
    let data = &answer["error"]["data"];
    let places = [
        &answer["result"]["_meta"]["dev.breakfall/error"],
        &data["dev.breakfall/error"],
        data,
    ];
    let object = places.into_iter().find(|object| object["code"].is_string());
    let object = object.cloned().unwrap_or_default();
    let word = |name: &str| object[name].as_str().unwrap_or("?").to_owned();
    let retry = object["retry"]["policy"].as_str().unwrap_or("?");
    let after = object["retry"]["after_ms"].as_u64();
    let after = after
        .map(|after| format!(" {after} ms"))
        .unwrap_or_default();
    let kept = match row.case.words {
        Words::Kept => "; its words follow",
        Words::None => "",
    };
    let (code, message, fix) = (
        word("code"),
        cell(&word("message")),
        cell(&word("remediation")),
    );
    format!("`{code}` {message}<br>fix: {fix}<br>retry: {retry}{after}{kept}")
}

/// A text that fits into a cell.
fn cell(text: &str) -> String {
    let words = text.split_ascii_whitespace().collect::<Vec<_>>();
    let line = timeless(&words.join(" "));
    let mut cut: String = line.chars().take(160).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    cut.replace('|', "\\|")
        .replace('<', "&lt;")
        .replace('*', "\\*")
}

/// A call took as long as it took.
fn timeless(line: &str) -> String {
    match line.split_once("did not finish within ") {
        Some((before, after)) => {
            let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}did not finish within …{after}")
        }
        None => line.to_owned(),
    }
}

/// The same on every machine: places that are only here have other names.
pub(super) fn still(value: Value, play: &Path) -> Value {
    match value {
        Value::String(text) => text.replace(&play.display().to_string(), "/play").into(),
        Value::Array(values) => values.into_iter().map(|value| still(value, play)).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(key, value)| (key, still(value, play)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}
