//! The servers in the file of a client.

use super::jsonc::{JsonMember, JsonNode};

/// A server of a client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServerEntry<'a> {
    pub(crate) name: &'a str,
    /// The project it belongs to, in a file that lists several.
    pub(crate) project: Option<&'a str>,
    pub(crate) node: &'a JsonNode,
}

/// How a client reaches a server.
#[derive(Debug)]
pub(crate) enum EntrySource<'a> {
    /// The client starts it.
    Command(CommandEntry<'a>),
    /// It runs already.
    Url(&'a str),
    /// Its entry has neither a command nor a URL that are texts.
    Unknown,
}

/// The command line of a server, with its places in the file.
#[derive(Debug)]
pub(crate) struct CommandEntry<'a> {
    pub(crate) program: &'a str,
    pub(crate) command: &'a JsonMember,
    /// The arguments, if there is a list of them.
    pub(crate) args: Option<&'a JsonMember>,
    pub(crate) words: Vec<&'a str>,
}

impl<'a> ServerEntry<'a> {
    pub(crate) fn source(&self) -> EntrySource<'a> {
        let get = |key| self.node.get(key).and_then(JsonNode::text);
        let is_stdio = get("type").is_none_or(|kind| kind == "stdio");
        if let Some(command) = self.node.member("command")
            && let Some(program) = command.value.text()
            && is_stdio
        {
            let args = self.node.member("args");
            let items = args.map(|args| args.value.items().unwrap_or_default());
            let words: Option<Vec<_>> = items
                .unwrap_or_default()
                .iter()
                .map(JsonNode::text)
                .collect();
            let is_list = args.is_none_or(|args| args.value.items().is_some());
            return match words {
                Some(words) if is_list => EntrySource::Command(CommandEntry {
                    program,
                    command,
                    args,
                    words,
                }),
                Some(_) | None => EntrySource::Unknown,
            };
        }
        let url = get("url").or_else(|| get("serverUrl"));
        url.map_or(EntrySource::Unknown, EntrySource::Url)
    }

    /// The members of an object of the entry, with their texts.
    pub(crate) fn texts(&self, key: &str) -> impl Iterator<Item = (&'a str, &'a JsonNode)> {
        let members = self.node.get(key).map(JsonNode::members);
        let members = members.unwrap_or_default().iter();
        members.map(|member| (&*member.key, &member.value))
    }

    /// The name, and the project if there are several.
    pub(crate) fn shown(&self) -> String {
        match self.project {
            Some(project) => format!("{} ({project})", self.name),
            None => self.name.to_owned(),
        }
    }
}

/// The servers of a file, in its order; `None` if it has no place for servers.
pub(crate) fn servers(root: &JsonNode) -> Option<Vec<ServerEntry<'_>>> {
    let projects = root.get("projects").map(JsonNode::members);
    let of_projects = projects.unwrap_or_default().iter().filter_map(|project| {
        let table = project.value.get("mcpServers")?;
        Some((Some(&*project.key), table))
    });
    let tables = [
        root.get("mcpServers"),
        root.get("servers"),
        root.get("mcp").and_then(|mcp| mcp.get("servers")),
    ];
    let tables = tables.into_iter().flatten().map(|table| (None, table));
    let mut tables: Vec<_> = tables.chain(of_projects).collect();
    if tables.is_empty() {
        return None;
    }
    tables.sort_by_key(|(_, table)| table.span.start);
    let entries = tables.into_iter().flat_map(|(project, table)| {
        table.members().iter().map(move |member| ServerEntry {
            name: &member.key,
            project,
            node: &member.value,
        })
    });
    Some(entries.collect())
}
