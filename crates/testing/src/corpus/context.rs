//! The texts of failing servers, in which a leak or something harmless stands.

use serde_json::json;

use super::plant::{Form, Plant};
use super::random::Random;
use super::words::{PARTS, VERBS};

/// A text with its leak in it.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) text: String,
    pub(crate) secret: Vec<String>,
    /// Words around the leak that a reader still needs.
    pub(crate) keep: Vec<String>,
}

/// Sets a leak in a random text.
pub(crate) fn set(random: &mut Random, plant: Plant) -> Scene {
    let (text, keep) = place(random, &plant.text, plant.form);
    Scene {
        text,
        secret: plant.secret,
        keep,
    }
}

/// Sets several leaks in one text.
pub(crate) fn set_all(random: &mut Random, plants: Vec<Plant>) -> Scene {
    let mut all = Scene {
        text: String::new(),
        secret: Vec::new(),
        keep: Vec::new(),
    };
    let joint = random.pick(&["\n", "\r\n", "\n\n"]);
    // A part that one leak hides may be public in another, a name for instance.
    let texts: Vec<_> = plants.iter().map(|plant| plant.text.clone()).collect();
    for (number, plant) in plants.into_iter().enumerate() {
        let (sentence, keep) = sentence(random, &plant.text, plant.form);
        if !all.text.is_empty() {
            all.text.push_str(joint);
        }
        all.text.push_str(&sentence);
        let said = |secret: &String| {
            let mut others = texts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != number);
            others.any(|(_, text)| text.contains(secret))
        };
        all.secret
            .extend(plant.secret.into_iter().filter(|secret| !said(secret)));
        all.keep.extend(keep);
    }
    all.text = envelope(random, &all.text);
    all
}

/// Sets something harmless in a random text.
pub(crate) fn surround(random: &mut Random, harmless: &str, form: Form) -> String {
    place(random, harmless, form).0
}

fn place(random: &mut Random, text: &str, form: Form) -> (String, Vec<String>) {
    let (sentence, keep) = sentence(random, text, form);
    (envelope(random, &sentence), keep)
}

fn sentence(random: &mut Random, text: &str, form: Form) -> (String, Vec<String>) {
    let opening = random.pick(OPENINGS);
    match form {
        Form::Word => {
            let language = random.pick(LANGUAGES);
            let template = random.pick(language);
            let (head, tail) = template.split_once("{}").expect("a template has a slot");
            let (left, right) = wrapping(random);
            let (_, keep) = around(&format!("{opening}{head}"), "", tail);
            (format!("{opening}{head}{left}{text}{right}{tail}"), keep)
        }
        Form::Line => {
            let head = random.pick(LINE_HEADS);
            around(&format!("{opening}{head}"), text, random.pick(LINE_TAILS))
        }
        Form::Block => {
            let head = random.pick(BLOCK_HEADS);
            around(&format!("{opening}{head}"), text, random.pick(BLOCK_TAILS))
        }
    }
}

/// A text between two others, and what must stay of these.
fn around(before: &str, text: &str, after: &str) -> (String, Vec<String>) {
    let kept = [before, after].map(bare).into_iter();
    let kept = kept
        .filter(|part| part.len() > 5)
        .map(str::to_owned)
        .collect();
    (format!("{before}{text}{after}"), kept)
}

const LINE_TAILS: &[&str] = &[
    "",
    "",
    "\n",
    "\nplease try again later",
    "\r\nretrying in 5 s",
];

const BLOCK_TAILS: &[&str] = &["", "", "\n", "\n\nplease try again later"];

/// Without what a redactor may take along: space and punctuation next to the leak.
fn bare(words: &str) -> &str {
    words.trim_matches(|letter: char| !letter.is_alphanumeric())
}

fn wrapping(random: &mut Random) -> (&'static str, &'static str) {
    if random.one_in(2) {
        ("", "")
    } else {
        random.pick(WRAPPINGS)
    }
}

/// How the text of a failure reaches us: bare, in a log, as JSON, after much else.
fn envelope(random: &mut Random, text: &str) -> String {
    match random.below(12) {
        0 => json!({ "error": text }).to_string(),
        1 => json!({"error": {"code": 500, "message": text}, "status": "failed"}).to_string(),
        2 => json!({"content": [{"type": "text", "text": text}], "isError": true}).to_string(),
        3 => format!("{} {text}", stamp(random)),
        4 => {
            let line_end = random.pick(&["\n", "\r\n"]);
            let before: Vec<_> = (0..random.between(1, 4))
                .map(|_| log_line(random))
                .collect();
            let after = log_line(random);
            format!("{}{line_end}{text}{line_end}{after}", before.join(line_end))
        }
        5 if random.one_in(3) => {
            let joint = if text.contains('\n') { "\n" } else { " " };
            format!("{}{joint}{text}{joint}{}", padding(random), padding(random))
        }
        6 => format!("{text}\r\n"),
        _ => text.to_owned(),
    }
}

fn stamp(random: &mut Random) -> String {
    let (day, hour, minute) = (
        random.between(10, 28),
        random.between(10, 23),
        random.between(10, 59),
    );
    let level = random.pick(&["ERROR", "WARN", "error:", "[fatal]", "CRITICAL"]);
    format!(
        "2026-03-{day}T{hour}:{minute}:07.{}Z {level}",
        random.digits(3)
    )
}

fn log_line(random: &mut Random) -> String {
    let (part, verb) = (random.pick(PARTS), random.pick(VERBS));
    format!(
        "{} {part}: {verb} finished with status {}",
        stamp(random),
        random.between(1, 9)
    )
}

/// A few kilobytes of words without meaning or danger.
pub(crate) fn padding(random: &mut Random) -> String {
    let words = (0..random.between(60, 500)).map(|_| random.pick(FILLING));
    words.collect::<Vec<_>>().join(" ")
}

const OPENINGS: &[&str] = &[
    "",
    "",
    "",
    "",
    "Error: ",
    "error: ",
    "ERROR: ",
    "MCP error -32603: ",
    "MCP error -32602: ",
    "RuntimeError: ",
    "ToolError: ",
    "500 Internal Server Error: ",
    "Uncaught (in promise) Error: ",
    "fatal: ",
    "panic: ",
    "[ERROR] ",
    "Fehler: ",
    "エラー: ",
    "❌ ",
    "Error executing tool run_report: ",
];

const WRAPPINGS: &[(&str, &str)] = &[
    ("'", "'"),
    ("\"", "\""),
    ("`", "`"),
    ("(", ")"),
    ("<", ">"),
    ("[", "]"),
    ("“", "”"),
    ("„", "“"),
    ("«", "»"),
    ("「", "」"),
    ("‘", "’"),
    ("", ","),
    ("", "."),
    ("", ";"),
    ("", "!"),
    ("**", "**"),
    ("= ", ""),
    (": ", ""),
    ("→ ", ""),
    ("\n", "\n"),
    ("\t", "\t"),
    ("{", "}"),
    ("|", "|"),
    ("", "…"),
];

const LANGUAGES: &[&[&str]] = &[ENGLISH, ENGLISH, SPANISH, GERMAN, JAPANESE, LOUD];

const ENGLISH: &[&str] = &[
    "could not use {} for this request",
    "the upstream rejected {} twice",
    "{} was refused by the server",
    "the request with {} failed after 3 attempts",
    "failed to process {} and gave up",
    "unexpected {} in the configuration",
    "The call did not succeed because {} is not valid.",
    "invalid value: {}",
    "cannot continue with {} here; check the settings and try again",
    "{}",
    "got {}",
];

const SPANISH: &[&str] = &[
    "no se pudo usar {} en esta petición",
    "el servidor rechazó {} otra vez",
    "fallo al procesar {} por falta de tiempo",
    "valor no válido: {}",
    "{} no está permitido aquí",
    "¿Seguro que {} es correcto?",
];

const GERMAN: &[&str] = &[
    "konnte {} nicht verwenden",
    "der Server hat {} abgelehnt",
    "Fehler bei der Verarbeitung von {} im dritten Versuch",
    "ungültiger Wert: {}",
    "{} wurde zurückgewiesen, bitte prüfen",
    "für {} fehlt die Berechtigung",
];

const JAPANESE: &[&str] = &[
    "{}を使用できませんでした",
    "サーバーが{}を拒否しました",
    "処理に失敗しました：{}",
    "無効な値です（{}）",
    "値「{}」は正しくありません",
    "入力された{}は、確認できませんでした。",
];

const LOUD: &[&str] = &[
    "COULD NOT USE {} FOR THIS REQUEST",
    "REJECTED: {}",
    "FATAL {} IS NOT ACCEPTED",
];

const LINE_HEADS: &[&str] = &[
    "",
    "",
    "the call failed: ",
    "upstream said: ",
    "request was: ",
    "while running: ",
    "not accepted: ",
    "fallo: ",
    "abgebrochen bei: ",
    "失敗しました：",
    "the last line of the log\n",
    "could not continue (attempt 2)\n",
    "GAVE UP: ",
];

const BLOCK_HEADS: &[&str] = &[
    "",
    "",
    "the job did not finish\n",
    "upstream answered with\n\n",
    "el proceso falló\n",
    "Der Vorgang wurde abgebrochen\n",
    "処理を完了できませんでした\n",
    "COULD NOT FINISH\r\n",
];

#[rustfmt::skip]
const FILLING: &[&str] = &[
    "the", "report", "for", "this", "month", "was", "not", "ready", "when", "it", "should", "be", "and",
    "therefore", "nothing", "could", "begin", "until", "somebody", "looked", "again;", "after", "that", "all",
    "went", "well.", "Please", "wait,", "then", "try", "once", "more", "with", "fewer", "rows",
];
