//! The same client, the same server, the same steps: once direct and once through something in between. What the client
//! got to see must be the same, and so must the bytes on its wire.

mod volatile;

use std::fs;
use std::path::Path;

use serde_json::Value;

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
    let direct = observe(server, client, era, &[], folder);
    let wrapped = observe(server, client, era, wrapper, folder);
    let mut found = Vec::new();
    if direct.protocol != wrapped.protocol {
        found.push(format!(
            "{:?} became {:?}",
            direct.protocol, wrapped.protocol
        ));
    }
    for (step, (one, other)) in direct.replies.iter().zip(&wrapped.replies).enumerate() {
        if one != other {
            let step = &server.steps(&folder.join("play"))[step];
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
            let (one, other) = (one.get(place), other.get(place));
            if one != other {
                let (one, other) = (shown(one), shown(other));
                found.push(format!(
                    "{kind} {place}\n  direct:  {one}\n  through: {other}"
                ));
            }
        }
    }
    found
}

/// What came to the client, without what is different every time.
struct Observed {
    protocol: Option<String>,
    replies: Vec<Reply>,
    /// Lines that answer a request.
    answers: Vec<String>,
    /// All other lines.
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
    let (answers, others) = heard.lines().partition(|line| is_answer(line));
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
        others: still(others),
    }
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
