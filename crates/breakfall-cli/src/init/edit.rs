//! The edits that put `breakfall run` in front of a server, or take it away: raw spans of the text, so that comments, order and
//! layout stay.

use breakfall_mcp::jsonrpc::Edit;
use serde_json::Value;

use crate::client_file::{CommandEntry, EntrySource, JsonNode, ServerEntry, Wrapped, wrapped};

/// What happens to a server.
#[derive(Debug)]
pub(super) enum ServerChange {
    /// Its entry is edited.
    Edited {
        edits: Vec<Edit>,
        /// Options of `breakfall run` that go with it.
        dropped: Vec<String>,
    },
    /// It stays as it is, for this reason.
    Left(String),
}

/// Puts `breakfall run --` in front of a server. `program` is what starts this program.
pub(super) fn wrap(text: &str, server: &ServerEntry<'_>, program: &str) -> ServerChange {
    let entry = match command(server) {
        Ok(entry) => entry,
        Err(reason) => return ServerChange::Left(reason),
    };
    if wrapped(entry.program, &entry.words).is_some() {
        return ServerChange::Left("breakfall is there already".to_owned());
    }
    let command = &entry.command.value.span;
    // As it was written, escapes included.
    let words = [r#""run""#, r#""--""#, &text[command.clone()]];
    let program = Value::from(program).to_string();
    let (at, inserted) = if let Some(args) = entry.args {
        let items = args.value.items().unwrap_or_default();
        let (at, separator) = match items.first() {
            Some(first) => (first.span.start, separator(text, &args.value, first)),
            None => (args.value.span.start + 1, ", ".to_owned()),
        };
        let mut inserted = words.join(&separator);
        if !items.is_empty() {
            inserted.push_str(&separator);
        }
        (at, inserted)
    } else {
        // In front of the command, where people do not write them: an undo recognises the place.
        let args = format!(r#""args": [{}], "#, words.join(", "));
        (entry.command.key_span.start, args)
    };
    let mut edits = vec![(command.clone(), program), (at..at, inserted)];
    edits.sort_by_key(|(at, _)| at.start);
    ServerChange::Edited {
        edits,
        dropped: Vec::new(),
    }
}

/// Takes `breakfall run` away from a server.
pub(super) fn unwrap(text: &str, server: &ServerEntry<'_>) -> ServerChange {
    let entry = match command(server) {
        Ok(entry) => entry,
        Err(reason) => return ServerChange::Left(reason),
    };
    let start = match wrapped(entry.program, &entry.words) {
        Some(Wrapped::Command(start)) => start,
        Some(Wrapped::Other) => {
            let reason = "its breakfall does not stand in front of a command";
            return ServerChange::Left(reason.to_owned());
        }
        None => return ServerChange::Left("there is no breakfall".to_owned()),
    };
    let Some((args, items)) = entry
        .args
        .and_then(|args| Some((args, args.value.items()?)))
    else {
        return ServerChange::Left("there is no breakfall".to_owned());
    };
    let command = text[items[start].span.clone()].to_owned();
    let removed = match items.get(start + 1) {
        Some(next) => items[0].span.start..next.span.start,
        None if is_in_front(text, &entry) => args.key_span.start..entry.command.key_span.start,
        None => {
            let (last, end) = (items[start].span.end, args.value.span.end - 1);
            let has_comma = text[last..end].contains(',');
            items[0].span.start..if has_comma { end } else { last }
        }
    };
    let mut edits = vec![
        (entry.command.value.span.clone(), command),
        (removed, String::new()),
    ];
    edits.sort_by_key(|(at, _)| (at.start, at.end));
    let options = entry.words[1..start].iter().filter(|word| **word != "--");
    ServerChange::Edited {
        edits,
        dropped: options.map(|word| (*word).to_owned()).collect(),
    }
}

/// The command line of a server, or why it is left alone.
fn command<'a>(server: &ServerEntry<'a>) -> Result<CommandEntry<'a>, String> {
    match server.source() {
        EntrySource::Command(entry) => Ok(entry),
        EntrySource::Url(_) => Err(
            "it is reached by URL, and `breakfall run` starts commands; `breakfall serve` can stand in front of it".to_owned(),
        ),
        EntrySource::Unknown => Err("its entry has no command that is a text, with a list of texts for args".to_owned()),
    }
}

/// What stands between two words of a list: a new line where each has its own.
fn separator(text: &str, list: &JsonNode, first: &JsonNode) -> String {
    let before = &text[list.span.start + 1..first.span.start];
    if let Some(line) = before.rfind('\n')
        && before[line..].trim().is_empty()
    {
        let is_crlf = before[..line].ends_with('\r');
        let end = if is_crlf { ",\r" } else { "," };
        return format!("{end}{}", &before[line..]);
    }
    let items = list.items().unwrap_or_default();
    let is_compact = items.get(1).is_some_and(|second| {
        let between = &text[first.span.end..second.span.start];
        between == ","
    });
    if is_compact { "," } else { ", " }.to_owned()
}

/// Whether the arguments stand directly in front of the command, where [`wrap`] puts them if there were none.
fn is_in_front(text: &str, entry: &CommandEntry<'_>) -> bool {
    entry.args.is_some_and(|args| {
        let (args, command) = (args.value.span.end, entry.command.key_span.start);
        args < command && &text[args..command] == ", "
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use breakfall_mcp::jsonrpc::edited;

    /// The text with all its servers changed.
    fn changed(text: &str, change: impl Fn(&str, &ServerEntry<'_>) -> ServerChange) -> String {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("mcp.json");
        std::fs::write(&path, text).expect("there is room");
        let file = crate::client_file::ClientFile::read(&path).expect("it is JSON");
        let edits = file
            .servers()
            .into_iter()
            .flat_map(|server| match change(text, &server) {
                ServerChange::Edited { edits, .. } => edits,
                ServerChange::Left(_) => Vec::new(),
            });
        edited(text, &edits.collect::<Vec<_>>())
    }

    #[test]
    fn an_entry_is_edited_in_its_own_layout_and_an_undo_restores_every_byte() {
        #[rustfmt::skip]
        let cases = [
            (
                r#"{"mcpServers":{"a":{"command":"npx","args":["-y","x"]}}}"#,
                r#"{"mcpServers":{"a":{"command":"breakfall","args":["run","--","npx","-y","x"]}}}"#,
            ),
            (
                r#"{"servers": {"a": {"args": ["-y", /* which */ "x",], "command": "n\u0070x"}}}"#,
                r#"{"servers": {"a": {"args": ["run", "--", "n\u0070x", "-y", /* which */ "x",], "command": "breakfall"}}}"#,
            ),
            (
                "{\"mcpServers\": {\"a\": {\n  \"command\": \"uvx\", // it\n  \"args\": [\n    // first\n    \"mcp-server-git\"\n  ]\n}}}",
                "{\"mcpServers\": {\"a\": {\n  \"command\": \"breakfall\", // it\n  \"args\": [\n    // first\n    \"run\",\n    \"--\",\n    \"uvx\",\n    \"mcp-server-git\"\n  ]\n}}}",
            ),
            (
                "{\"servers\":{\"a\":{\r\n\t\"command\": \"x\",\r\n\t\"args\": [\r\n\t\t\"y\"\r\n\t]}}}",
                "{\"servers\":{\"a\":{\r\n\t\"command\": \"breakfall\",\r\n\t\"args\": [\r\n\t\t\"run\",\r\n\t\t\"--\",\r\n\t\t\"x\",\r\n\t\t\"y\"\r\n\t]}}}",
            ),
            (
                "{\"mcpServers\": {\"a\": {\n  \"command\": \"x\",\n  \"env\": {}\n}}}",
                "{\"mcpServers\": {\"a\": {\n  \"args\": [\"run\", \"--\", \"x\"], \"command\": \"breakfall\",\n  \"env\": {}\n}}}",
            ),
            (
                "{\"mcpServers\": {\"a\": {\n  \"command\": \"x\",\n  \"args\": []\n}}}",
                "{\"mcpServers\": {\"a\": {\n  \"command\": \"breakfall\",\n  \"args\": [\"run\", \"--\", \"x\"]\n}}}",
            ),
        ];
        for (text, want) in cases {
            let wrapped = changed(text, |text, server| wrap(text, server, "breakfall"));
            assert_eq!(wrapped, want);
            let again = changed(&wrapped, |text, server| wrap(text, server, "breakfall"));
            assert_eq!(again, want, "a second time nothing changes");
            assert_eq!(changed(&wrapped, unwrap), text);
        }
    }

    #[test]
    fn an_undo_takes_options_and_a_trailing_comma_with_it() {
        let text = r#"{"servers":{"a":{"command":"/opt/breakfall","args":["run","--timeout","3s","--","x",]}}}"#;
        let want = r#"{"servers":{"a":{"command":"x","args":[]}}}"#;
        assert_eq!(changed(text, unwrap), want);
    }
}
