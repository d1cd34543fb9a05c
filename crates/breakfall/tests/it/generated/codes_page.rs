//! `docs/codes.md`: every row as a person reads it.

use std::fmt::Write as _;

use breakfall::catalog::CODES;
use breakfall::catalog::decision::{Situation, Verdict};
use breakfall::catalog::warning::{Phase, WARNINGS, WarningEntry};
use breakfall::code::{Detail, Entry, Hint, Shape, Status};
use breakfall::{Category, Retry, Severity};

const FILE: &str = "docs/codes.md";

fn page() -> String {
    let mut page = String::from(
        "# Codes\n\n\
         Every code and warning of the built-in catalogue. This page is generated from the rows in\n\
         `crates/breakfall/src/catalog/`; edit those, not this page. `breakfall explain CODE` shows the same in a terminal, and\n\
         [`schemas/catalog.json`](../schemas/catalog.json) has it for programs.\n\n",
    );
    contents(&mut page);
    for category in Category::ALL {
        section(&mut page, *category);
    }
    vocabulary(&mut page);
    warnings(&mut page);
    decisions(&mut page);
    page
}

fn contents(page: &mut String) {
    let mut rows = Vec::new();
    for category in Category::ALL {
        let codes = CODES.iter().filter(|code| code.category() == *category);
        let links: Vec<String> = codes.map(|code| link(code.name())).collect();
        rows.push([link(category.as_str()), links.join(" · ")]);
    }
    let links: Vec<String> = WARNINGS.iter().map(|code| link(code.name())).collect();
    rows.push([link("warnings"), links.join(" · ")]);
    table(page, ["category", "codes"], rows);
    line(
        page,
        format_args!(
            "See also: {} · {} · {} · {}\n",
            link("retry"),
            link("status"),
            link("phases"),
            link("warning-or-error")
        ),
    );
}

fn section(page: &mut String, category: Category) {
    heading(page, 2, category.as_str(), category.as_str());
    line(page, format_args!("{}\n", about(category)));
    for code in CODES.iter().filter(|code| code.category() == category) {
        row(page, code.entry());
    }
}

const fn about(category: Category) -> &'static str {
    match category {
        Category::Validation => "The input is wrong; the same call with other arguments may work.",
        Category::Authentication => "The caller is not authenticated.",
        Category::Authorization => "The caller is known, and may not.",
        Category::NotFound => "What the call is about is not there.",
        Category::Conflict => "What the call is about is in another state than the call assumes.",
        Category::RateLimit => "Too much, too fast.",
        Category::Confirmation => {
            "A person has to agree first, or what they agreed to is something else."
        }
        Category::Business => "A rule of the domain forbids it.",
        Category::Unavailable => "Something the tool needs is not there.",
        Category::Internal => "A defect, ours or of something behind us.",
    }
}

fn row(page: &mut String, entry: &Entry) {
    heading(page, 3, entry.name, entry.name);
    line(page, format_args!("{}\n", entry.meaning));
    line(page, format_args!("*When:* {}\n", entry.when));
    table(page, ["", ""], facts(entry));
    details(page, "detail", entry.details);
    let names = &entry.names;
    let asks = names
        .needs_input
        .map(|field| format!(", asks for {}", code(field)));
    let strict = (names.mcp_aql_strict != names.mcp_aql)
        .then(|| format!(", strict {}", code(names.mcp_aql_strict)));
    let cells = [
        format!(
            "{}, type {}",
            code(names.response_v2),
            code(names.error_type)
        ),
        code(names.mcp_error),
        code(&names.error_model.to_string()),
        code(names.tool_error) + &asks.unwrap_or_default(),
        code(names.mcp_aql) + &strict.unwrap_or_default(),
        code(&format!("urn:breakfall:code:{}", entry.name)),
    ];
    let head = [
        "response-v2",
        "mcp-error",
        "error-model",
        "tool-error",
        "mcp-aql",
        "problem",
    ];
    table(page, head, [cells]);
}

fn facts(entry: &Entry) -> Vec<[String; 2]> {
    let mut facts = vec![["Message".to_owned(), code(entry.message.template)]];
    let mut fact = |name: &str, value: String| facts.push([name.to_owned(), value]);
    if entry.message.plain != entry.message.template {
        fact("without its values", code(entry.message.plain));
    }
    if let Some(sentence) = entry.sentence {
        fact("in every dialect but mcp-aql", code(sentence));
    }
    fact("Remediation", code(entry.remediation.template));
    if entry.remediation.plain != entry.remediation.template {
        fact("without its values", code(entry.remediation.plain));
    }
    fact("For a person", entry.user.to_owned());
    fact("Retry", code(entry.retry.as_str()));
    let rpc = entry
        .rpc
        .map_or("never at protocol level".to_owned(), |rpc| {
            code(&rpc.to_string())
        });
    fact(
        "HTTP · JSON-RPC · gRPC",
        format!(
            "{} · {rpc} · {}",
            code(&entry.http.to_string()),
            code(entry.grpc.as_str())
        ),
    );
    let actions: Vec<String> = entry.actions.iter().map(|action| code(action)).collect();
    if !actions.is_empty() {
        fact("Recovery actions", actions.join(", "));
    }
    fact("Hint", hints(entry.hint, entry.hint_with_fallback));
    fact("Origin", code(entry.origin.as_str()));
    fact(
        "Status",
        format!("{}, since {}", code(entry.status.as_str()), entry.since),
    );
    facts
}

fn hints(hint: Hint, with_fallback: Hint) -> String {
    let mut text = code(hint.as_str());
    if with_fallback != hint {
        write!(
            text,
            ", with a fallback tool {}",
            code(with_fallback.as_str())
        )
        .expect(INFALLIBLE);
    }
    text
}

fn details(page: &mut String, kind: &str, details: &[Detail]) {
    if details.is_empty() {
        return;
    }
    let rows = details.iter().map(|detail| {
        let required = if detail.required { "yes" } else { "" };
        [
            code(detail.name),
            shape(detail),
            required.to_owned(),
            detail.about.to_owned(),
        ]
    });
    table(page, [kind, "shape", "required", "what it says"], rows);
}

fn shape(detail: &Detail) -> String {
    match detail.shape {
        Shape::Text => "text".into(),
        Shape::OneOf(words) => words
            .iter()
            .map(|word| code(word))
            .collect::<Vec<_>>()
            .join(", "),
        Shape::Integer => "integer".into(),
        Shape::Number => "number".into(),
        Shape::Flag => "boolean".into(),
        Shape::Texts => "list of texts".into(),
        Shape::Timestamp => "timestamp (RFC 3339)".into(),
        Shape::Object => "object".into(),
        Shape::Objects => "list of objects".into(),
        Shape::Any => "anything".into(),
        other => panic!("no words for the shape {other:?} of '{}'", detail.name),
    }
}

fn vocabulary(page: &mut String) {
    heading(page, 2, "retry", "Retry");
    let words = |retry: &Retry| match retry {
        Retry::Never => "No.",
        Retry::AfterChange => "Only after something about the call or the world has changed.",
        Retry::Once => "One more time, at once or soon.",
        Retry::Backoff => "Yes, with exponential backoff and jitter.",
        Retry::After => "Yes, after the stated wait, or with backoff if none is stated.",
    };
    let yes = |retry: &Retry| {
        if retry.is_retryable() {
            "true"
        } else {
            "false"
        }
    };
    let rows = Retry::ALL.iter().map(|retry| {
        [
            code(retry.as_str()),
            words(retry).to_owned(),
            code(yes(retry)),
        ]
    });
    table(
        page,
        ["retry", "may the call be repeated?", "as a boolean"],
        rows,
    );
    heading(page, 2, "status", "Status");
    let words = |status: &Status| match status {
        Status::Mvp => "In the first registry of MCP-AQL, stable here.",
        Status::Phase1 => "Came to MCP-AQL with trust, danger, limits and tokens; stable here.",
        Status::Future => "Announced by MCP-AQL for later; stable here.",
        Status::Companion => "From a companion document of MCP-AQL.",
        Status::Extension => "Ours.",
        Status::Custom => "A server's own row.",
    };
    let rows = Status::ALL
        .iter()
        .map(|status| [code(status.as_str()), words(status).to_owned()]);
    table(page, ["status", "meaning"], rows);
}

fn warnings(page: &mut String) {
    heading(page, 2, "warnings", "Warnings");
    line(
        page,
        format_args!("What rides on a success: it worked, but the caller should know this.\n"),
    );
    let severities = Severity::ALL.iter().map(|severity| {
        let word = code(severity.as_str());
        [
            word,
            code(severity.urgency()),
            severity.consumer_action().to_owned(),
        ]
    });
    table(
        page,
        ["severity", "in mcp-aql", "what to do about it"],
        severities,
    );
    for code in WARNINGS {
        warning(page, code.entry());
    }
    heading(page, 2, "phases", "Phases");
    line(
        page,
        format_args!("The phases of preparing a response, in the order they run.\n"),
    );
    let phases = Phase::ALL.iter().map(|phase| {
        let warnings: Vec<String> = phase.warnings().map(|code| link(code.name())).collect();
        [
            phase.title().to_owned(),
            phase.trigger().to_owned(),
            warnings.join(" · "),
        ]
    });
    table(page, ["phase", "warns when", "with"], phases);
}

fn warning(page: &mut String, entry: &WarningEntry) {
    heading(page, 3, entry.name, entry.name);
    line(page, format_args!("{}\n", entry.meaning));
    line(page, format_args!("*When:* {}\n", entry.when));
    let mut facts = vec![["Message".to_owned(), code(entry.message.template)]];
    let mut fact = |name: &str, value: String| facts.push([name.to_owned(), value]);
    if entry.message.plain != entry.message.template {
        fact("without its values", code(entry.message.plain));
    }
    fact("Severity", code(entry.severity.as_str()));
    if let Some(phase) = entry.phase {
        fact("Phase", phase.title().to_owned());
    }
    fact("Registry", code(entry.source.as_str()));
    fact(
        "response-v2 · mcp-aql",
        format!("{} · {}", code(entry.response_v2), code(entry.mcp_aql)),
    );
    table(page, ["", ""], facts);
    details(page, "context", entry.context);
}

fn decisions(page: &mut String) {
    heading(page, 2, "warning-or-error", "Warning or error?");
    line(
        page,
        format_args!(
            "If the caller still gets what the call was for, it is a success with a warning; if not, it is a failure.\n"
        ),
    );
    let rows = Situation::ALL.iter().map(|situation| {
        let (verdict, name) = match situation.verdict() {
            Verdict::Warning(code) => ("warning", code.name()),
            Verdict::Error(code) => ("error", code.name()),
        };
        [
            situation.describe().to_owned(),
            verdict.to_owned(),
            link(name),
            situation.why().to_owned(),
        ]
    });
    table(page, ["situation", "verdict", "code", "why"], rows);
}

/// A heading with an anchor of its own, since renderers differ in the ones they make.
fn heading(page: &mut String, level: usize, anchor: &str, title: &str) {
    let marks = "#".repeat(level);
    line(
        page,
        format_args!("<a id=\"{anchor}\"></a>\n\n{marks} {title}\n"),
    );
}

fn table<const N: usize>(
    page: &mut String,
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) {
    line(page, format_args!("| {} |", head.join(" | ")));
    line(page, format_args!("|{}", "---|".repeat(N)));
    for row in rows {
        line(page, format_args!("| {} |", row.join(" | ")));
    }
    page.push('\n');
}

fn link(name: &str) -> String {
    format!("[{name}](#{name})")
}

/// Text in code style. The texts of rows have no backquotes, and a pipe would end the cell.
fn code(text: &str) -> String {
    assert!(!text.contains(['`', '|']), "{text}");
    format!("`{text}`")
}

fn line(page: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(page, "{text}").expect(INFALLIBLE);
}

const INFALLIBLE: &str = "writing to a string cannot fail";

#[test]
fn the_page_of_codes_is_fresh() {
    super::assert_fresh(FILE, &page());
}

#[test]
fn every_link_on_the_page_leads_to_an_anchor() {
    let page = page();
    let targets = page.split("](#").skip(1);
    let mut count = 0;
    for target in targets.map(|rest| rest.split(')').next().unwrap()) {
        let anchor = format!("<a id=\"{target}\"></a>");
        assert_eq!(page.matches(&anchor).count(), 1, "{target}");
        count += 1;
    }
    assert!(count > CODES.len() + WARNINGS.len());
}

#[test]
fn every_table_on_the_page_is_as_wide_as_its_head() {
    let mut width = None;
    for line in page().lines() {
        let cells = line.starts_with('|').then(|| line.matches('|').count());
        if let (Some(head), Some(cells)) = (width, cells) {
            assert_eq!(cells, head, "{line}");
        }
        width = cells;
    }
}
