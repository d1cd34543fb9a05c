//! Names out of programs, and texts for programs.

use serde_json::json;

use super::Harmless;
use crate::corpus::random::Random;
use crate::corpus::words::{FIRMS, PARTS, THINGS, camel, capital, class, pascal, snake};

pub(super) fn tool_name(random: &mut Random) -> Harmless {
    let name = snake(random);
    Harmless::line(match random.below(5) {
        0 => format!(
            "tool '{name}' is not available; did you mean 'list_{}'?",
            random.pick(PARTS)
        ),
        1 => format!("Error executing tool {name}: the input was not accepted"),
        2 => format!(
            "call {}.{name} first, then {}/{name}",
            random.pick(PARTS),
            random.pick(PARTS)
        ),
        3 => format!("mcp__{}__{name} timed out", random.pick(PARTS)),
        _ => format!("{name}() takes 2 positional arguments but 3 were given"),
    })
}

/// Modules and types, outside of any trace.
pub(super) fn module(random: &mut Random) -> Harmless {
    let (firm, part) = (random.pick(FIRMS), random.pick(PARTS));
    Harmless::word(match random.below(8) {
        0 => format!("com.{firm}.{part}.{}", class(random)),
        1 => format!("std::collections::{}", class(random)),
        2 => format!("{firm}::{part}::{}", snake(random)),
        3 => format!("{firm}.{part}.{}", snake(random)),
        4 => format!("System.Collections.Generic.List<{}>", class(random)),
        5 => format!("@{firm}/{part}"),
        6 => format!("{}.prototype.{}", class(random), camel(random)),
        _ => format!("App\\{}\\{}", capital(part), class(random)),
    })
}

pub(super) fn identifier(random: &mut Random) -> Harmless {
    Harmless::word(match random.below(6) {
        0 => camel(random),
        1 => snake(random),
        2 => snake(random).to_uppercase(),
        3 => pascal(random),
        4 => format!("{}-{}", random.pick(PARTS), random.pick(THINGS)),
        _ => format!(
            "{}[{}].{}",
            random.pick(PARTS),
            random.between(0, 30),
            camel(random)
        ),
    })
}

pub(super) fn pattern(random: &mut Random) -> Harmless {
    let (low, high) = (random.between(2, 8), random.between(9, 40));
    let pattern = match random.below(6) {
        0 => format!("^[A-Z]{{{low}}}-\\d{{{high}}}$"),
        1 => format!("^[a-z][a-z0-9_]{{{low},{high}}}$"),
        2 => "^(?:[01]\\d|2[0-3]):[0-5]\\d$".to_owned(),
        3 => format!("^/api/v\\d+/{}$", random.pick(PARTS)),
        4 => "^[^@\\s]+@[^@\\s]+$".to_owned(),
        _ => "src/**/*.{ts,tsx}".to_owned(),
    };
    Harmless::line(match random.below(3) {
        0 => format!("'x' does not match '{pattern}'"),
        1 => json!({"expected": pattern, "got": "x"}).to_string(),
        _ => format!("must match pattern {pattern}"),
    })
}

/// Files without the place they lie in.
pub(super) fn file_name(random: &mut Random) -> Harmless {
    let thing = random.pick(THINGS);
    Harmless::word(match random.below(6) {
        0 => format!("{thing}.csv"),
        1 => "README.md".to_owned(),
        2 => format!("docs/{thing}.md"),
        3 => format!("./{}/{thing}.ts", random.pick(PARTS)),
        4 => format!("{thing}-2026-03.tar.gz"),
        _ => "package.json".to_owned(),
    })
}

pub(super) fn package(random: &mut Random) -> Harmless {
    let (firm, part) = (random.pick(FIRMS), random.pick(PARTS));
    let (major, minor) = (random.between(0, 9), random.between(0, 30));
    Harmless::line(match random.below(5) {
        0 => format!("could not resolve @{firm}/{part}@^{major}.{minor}.0"),
        1 => format!("ghcr.io/{firm}/{part}:{major}.{minor} not found"),
        2 => format!("pip install {firm}-{part}=={major}.{minor}.1 failed"),
        3 => format!("npx -y {part}@latest exited with code 1"),
        _ => format!("{firm}-{part} v{major}.{minor}.0 needs rustc 1.8{major} or newer"),
    })
}

pub(super) fn schema(random: &mut Random) -> Harmless {
    let (part, thing, high) = (
        random.pick(PARTS),
        random.pick(THINGS),
        random.between(2, 900),
    );
    Harmless::line(match random.below(6) {
        0 => json!({"type": "object", "required": [thing], "properties": {thing: {"type": "integer", "maximum": high}}}).to_string(),
        1 => format!("{part}.{thing}: Input should be a valid integer [type=int_parsing, input_value='abc', input_type=str]"),
        2 => format!("\"{thing}\" must be <= {high}"),
        3 => json!([{"code": "invalid_type", "expected": "string", "received": "undefined", "path": [thing], "message": "Required"}]).to_string(),
        4 => format!("missing properties: '{thing}', '{part}'"),
        _ => format!("Additional properties are not allowed ('{thing}' was unexpected)"),
    })
}

pub(super) fn table(random: &mut Random) -> Harmless {
    let rows: Vec<_> = (0..random.between(1, 6))
        .map(|row| {
            format!(
                "| {row} | {} | {}.{} |",
                random.pick(THINGS),
                random.between(1, 99),
                random.digits(2)
            )
        })
        .collect();
    Harmless::block(format!(
        "| # | {} | total |\n|---|---|---:|\n{}",
        random.pick(PARTS),
        rows.join("\n")
    ))
}

pub(super) fn log(random: &mut Random) -> Harmless {
    let (part, thing, count) = (
        random.pick(PARTS),
        random.pick(THINGS),
        random.between(1, 900),
    );
    Harmless::line(match random.below(5) {
        0 => format!("level=warn msg=\"{thing} skipped\" component={part} count={count}"),
        1 => format!("[INFO] {part} - {count} {thing}s read"),
        2 => format!("npm ERR! code ELIFECYCLE errno {count}"),
        3 => format!("WARN  {part}: slow {thing} ({count} ms), retry=2/5"),
        _ => format!("process exited with code {}, signal SIGTERM", count % 128),
    })
}
