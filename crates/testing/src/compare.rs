//! The same client, the same server, the same steps: once direct and once through something in between. What the client
//! got to see must be the same, and so must the bytes on its wire.

mod judged;
mod volatile;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::clients::{Client, Era, Reply, Report};
use crate::servers::Server;

pub use volatile::{Place, VOLATILE, Volatile};

/// Everything in which the way through the wrapper differs from the direct one, each in words. The wrapper is what comes
/// before the command of the server, as in `sh -c 'exec "$@"' sh`.
///
/// # Panics
/// When a client or server is not installed or does not work at all.
pub fn differences(
    server: Server,
    client: Client,
    era: Era,
    wrapper: &[&str],
    folder: &Path,
) -> Vec<String> {
    Direct::observe(server, client, era, folder).differences(wrapper, folder)
}

/// What a client sees without anything in between.
#[derive(Debug)]
pub struct Direct {
    server: Server,
    client: Client,
    era: Era,
    seen: Observed,
}

impl Direct {
    /// Takes the steps.
    ///
    /// # Panics
    /// When a client or server is not installed or does not work at all.
    pub fn observe(server: Server, client: Client, era: Era, folder: &Path) -> Self {
        Self {
            server,
            client,
            era,
            seen: observe(server, client, era, &[], folder),
        }
    }

    /// Takes them again through a wrapper that should change nothing, and tells what it changes.
    ///
    /// # Panics
    /// As [`Direct::observe`].
    pub fn differences(&self, wrapper: &[&str], folder: &Path) -> Vec<String> {
        self.compare(wrapper, folder, |one, other| one == other)
    }

    /// Takes them again through a wrapper that should change failures alone, and tells what else it changes, and which
    /// failures it left as they were.
    ///
    /// # Panics
    /// As [`Direct::observe`].
    pub fn differences_but_failures(&self, wrapper: &[&str], folder: &Path) -> Vec<String> {
        self.compare(wrapper, folder, judged::is_as_it_should_be)
    }

    fn compare(
        &self,
        wrapper: &[&str],
        folder: &Path,
        is_same: fn(&str, &str) -> bool,
    ) -> Vec<String> {
        let direct = &self.seen;
        let wrapped = observe(self.server, self.client, self.era, wrapper, folder);
        let mut found = Vec::new();
        if direct.protocol != wrapped.protocol {
            found.push(format!(
                "{:?} became {:?}",
                direct.protocol, wrapped.protocol
            ));
        }
        for (step, (one, other)) in direct.replies.iter().zip(&wrapped.replies).enumerate() {
            if !is_same(&message(one), &message(other)) {
                let step = &self.server.steps(&folder.join("play"))[step];
                found.push(format!(
                    "{step:?}\n  direct:  {one:?}\n  through: {other:?}"
                ));
            }
        }
        for (kind, one, other) in [
            ("answer", &direct.answers, &wrapped.answers),
            ("message", &direct.others, &wrapped.others),
        ] {
            for place in 0..one.len().max(other.len()) {
                let pair = (one.get(place), other.get(place));
                if !matches!(pair, (Some(one), Some(other)) if is_same(one, other)) {
                    let (one, other) = (shown(pair.0), shown(pair.1));
                    found.push(format!(
                        "{kind} {place}\n  direct:  {one}\n  through: {other}"
                    ));
                }
            }
        }
        found
    }
}

/// Whether a client saw the same success, or was told of a failure so that it can act on it.
pub fn is_same_but_for_failures(direct: &Reply, through: &Reply) -> bool {
    judged::is_as_it_should_be(&message(direct), &message(through))
}

/// What a client made of a message, as the message it made it of.
fn message(reply: &Reply) -> String {
    match reply {
        Reply::Result(result) => json!({ "result": result }).to_string(),
        Reply::Error(error) => json!({ "error": error }).to_string(),
        Reply::Refused(words) => words.clone(),
    }
}

/// What came to the client, without what is different every time.
#[derive(Debug)]
struct Observed {
    protocol: Option<String>,
    replies: Vec<Reply>,
    /// Lines that answer a request.
    answers: Vec<String>,
    /// All other lines, those of a method in order.
    others: Vec<String>,
}

fn observe(server: Server, client: Client, era: Era, wrapper: &[&str], folder: &Path) -> Observed {
    let play = folder.join("play");
    server.prepare(&play);
    let heard = folder.join("heard");
    let heard = heard.to_str().expect("folders of tests have plain names");
    let command = server.command(&play);
    let mut through = vec![
        "sh",
        "-c",
        r#"heard=$1; shift; "$@" | tee "$heard""#,
        "sh",
        heard,
    ];
    through.extend(wrapper);
    through.extend(command.iter().map(String::as_str));
    let Report {
        protocol, replies, ..
    } = client.perform(era, &through, &server.steps(&play));
    let heard = fs::read_to_string(heard).expect("tee wrote it");
    let (answers, mut others): (Vec<&str>, Vec<&str>) =
        heard.lines().partition(|line| is_answer(line));
    // A server that asks or tells something when a while has passed does so between any two other messages.
    others.sort_by_key(|line| method(line));
    let still = |lines: Vec<&str>| -> Vec<String> {
        let each = |line: &&str| volatile::still_line(server, line);
        lines.iter().map(each).collect()
    };
    Observed {
        protocol,
        replies: replies
            .into_iter()
            .map(|reply| volatile::still_reply(server, reply))
            .collect(),
        answers: still(answers),
        others: volatile::without_timing(server, still(others)),
    }
}

fn method(line: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    message.get("method")?.as_str().map(str::to_owned)
}

fn is_answer(line: &str) -> bool {
    serde_json::from_str::<Value>(line)
        .is_ok_and(|message| message.get("id").is_some() && message.get("method").is_none())
}

fn shown(line: Option<&String>) -> String {
    match line {
        Some(line) => line.chars().take(600).collect(),
        None => "nothing".to_owned(),
    }
}
