//! The servers to check: those of a configuration, or of the file of a client.

use std::fs;
use std::path::{Path, PathBuf};

use breakfall_gateway::config::{Config, Secret, UpstreamSettings, UpstreamSource};

use super::expand::{ReferenceError, References};
use super::finding::Finding;
use super::secrets::Secrets;
use crate::client_file::{ClientFile, EntrySource, ServerEntry, Wrapped, home, is_shared, wrapped};
use crate::server;

/// A server to check.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) name: String,
    /// The file that lists it.
    pub(super) file: PathBuf,
    /// How to start it, as it may be shown.
    pub(super) shown: String,
    pub(super) plan: TargetPlan,
    /// Problems that show before it is started.
    pub(super) findings: Vec<Finding>,
    pub(super) secrets: Secrets,
    /// How a variable or a header is written in the file.
    pub(super) syntax: EntrySyntax,
}

#[derive(Debug)]
pub(super) enum TargetPlan {
    Check(Box<UpstreamSettings>),
    /// It is not started, for this reason.
    Skip(String),
}

/// The language of the file.
#[derive(Debug, Clone, Copy)]
pub(super) enum EntrySyntax {
    Yaml,
    Json,
}

impl EntrySyntax {
    /// How a member of a table is written.
    pub(super) fn member(self, table: &str, name: &str) -> String {
        match self {
            Self::Yaml => format!("{table}: {{ {name}: … }}"),
            Self::Json => format!("\"{table}\": {{ \"{name}\": \"…\" }}"),
        }
    }
}

/// The servers of a configuration.
pub(super) fn of_config(path: &Path, config: Config) -> Vec<Target> {
    let targets = config.upstreams.into_iter().map(|settings| Target {
        name: settings.name.clone(),
        file: path.to_owned(),
        shown: shown(&settings),
        secrets: Secrets::of(&settings, referred_to(&settings)),
        findings: placeholders(&settings, EntrySyntax::Yaml),
        plan: TargetPlan::Check(Box::new(settings)),
        syntax: EntrySyntax::Yaml,
    });
    targets.collect()
}

/// The servers in the file of a client.
pub(super) fn of_client(file: &ClientFile) -> Vec<Target> {
    let targets = file.servers().into_iter().map(|entry| {
        let target = |shown, plan, findings, secrets| Target {
            name: entry.shown(),
            file: file.path.clone(),
            shown,
            plan,
            findings,
            secrets,
            syntax: EntrySyntax::Json,
        };
        match settings(file, &entry) {
            Ok((settings, mut findings, values)) => {
                findings.extend(placeholders(&settings, EntrySyntax::Json));
                let secrets = Secrets::of(&settings, values);
                target(
                    shown(&settings),
                    TargetPlan::Check(Box::new(settings)),
                    findings,
                    secrets,
                )
            }
            Err(Unchecked::Skipped(reason)) => target(
                String::new(),
                TargetPlan::Skip(reason),
                Vec::new(),
                Secrets::default(),
            ),
            Err(Unchecked::Broken(finding)) => {
                let plan = TargetPlan::Skip(String::new());
                target(String::new(), plan, vec![finding], Secrets::default())
            }
        }
    });
    targets.collect()
}

/// Why a server cannot be started here.
enum Unchecked {
    /// That is no fault of its entry.
    Skipped(String),
    Broken(Finding),
}

impl From<ReferenceError> for Unchecked {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::NoVariable(name) => Self::Broken(Finding::new(
                format!("its entry refers to the variable {name}, which is not set"),
                format!(
                    "set {name} in the environment the client starts in, or write a value in its place"
                ),
            )),
            ReferenceError::OfClient(name) => {
                Self::Skipped(format!("the client alone knows the value of ${{{name}}}"))
            }
        }
    }
}

/// The settings of an entry, what is wrong with its form, and the values of the variables it refers to.
fn settings(
    file: &ClientFile,
    entry: &ServerEntry<'_>,
) -> Result<(UpstreamSettings, Vec<Finding>, Vec<String>), Unchecked> {
    let is_set = |key: &str, word: &str| {
        let value = entry
            .node
            .get(key)
            .map(|value| &file.text[value.span.clone()]);
        value == Some(word)
    };
    if is_set("disabled", "true") {
        return Err(Unchecked::Skipped("it is disabled".to_owned()));
    }
    let workspace = workspace(file, entry);
    let references = References::new(file.kind, workspace.clone());
    let mut findings = Vec::new();
    let settings = match entry.source() {
        EntrySource::Command(command) => {
            let words = [&[command.program][..], &command.words].concat();
            let start = match wrapped(command.program, &command.words) {
                Some(Wrapped::Command(start)) => {
                    findings.extend(missing_program(command.program));
                    start + 1
                }
                Some(Wrapped::Other) | None => 0,
            };
            let program = references.word(words[start])?;
            let words = words[start + 1..].iter().map(|word| references.word(word));
            let words = words.collect::<Result<Vec<_>, _>>()?;
            let settings = UpstreamSettings::command(program, words);
            let cwd = entry.node.get("cwd").and_then(|cwd| cwd.text());
            match cwd {
                Some(cwd) => settings.with_cwd(workspace.join(references.expand(cwd)?)),
                None if workspace.is_dir() => settings.with_cwd(workspace),
                None => settings,
            }
        }
        EntrySource::Url(_) if is_set("type", "\"sse\"") => {
            let reason = "it uses the transport SSE of 2024-11-05, which Breakfall does not speak";
            return Err(Unchecked::Skipped(reason.to_owned()));
        }
        EntrySource::Url(url) => UpstreamSettings::url(references.word(url)?),
        EntrySource::Unknown => {
            return Err(Unchecked::Broken(Finding::new(
                "its entry has neither a command nor a URL",
                "write \"command\": \"…\" with \"args\": [\"…\"] (each of them a text), or \"url\": \"https://…\"",
            )));
        }
    };
    let settings = with_env_file(settings, entry, &references)?.with_name(entry.name);
    let settings = entry
        .texts("env")
        .try_fold(settings, |settings, (name, value)| {
            // Clients take numbers, too.
            let text = value.text().unwrap_or(&file.text[value.span.clone()]);
            Ok::<_, Unchecked>(settings.with_env(name, Secret::new(references.expand(text)?)))
        })?;
    let settings = entry
        .texts("headers")
        .try_fold(settings, |settings, (name, value)| {
            let text = value.text().unwrap_or_default();
            Ok::<_, Unchecked>(settings.with_header(name, Secret::new(references.expand(text)?)))
        })?;
    Ok((settings, findings, references.into_values()))
}

/// Adds the variables of the file that VS Code reads.
fn with_env_file(
    settings: UpstreamSettings,
    entry: &ServerEntry<'_>,
    references: &References,
) -> Result<UpstreamSettings, Unchecked> {
    let Some(path) = entry.node.get("envFile").and_then(|path| path.text()) else {
        return Ok(settings);
    };
    let text = fs::read_to_string(references.expand(path)?).map_err(|error| {
        let reason = crate::report::io_reason(&error);
        let problem = format!("its envFile cannot be read: {path}: {reason}");
        Unchecked::Broken(Finding::new(
            problem,
            "correct the path, or create the file",
        ))
    })?;
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'));
    let variables = lines.filter_map(|line| line.split_once('='));
    Ok(variables.fold(settings, |settings, (name, value)| {
        let value = value.trim().trim_matches(['"', '\'']);
        settings.with_env(name.trim(), Secret::new(value))
    }))
}

/// The directory a client starts servers in.
fn workspace(file: &ClientFile, entry: &ServerEntry<'_>) -> PathBuf {
    if let Some(project) = entry.project {
        return PathBuf::from(project);
    }
    let path = file
        .path
        .canonicalize()
        .unwrap_or_else(|_| file.path.clone());
    if !is_shared(&file.path) {
        return home().unwrap_or_default();
    }
    let folder = path.parent().unwrap_or(&path);
    let is_settings = folder.ends_with(".vscode") || folder.ends_with(".cursor");
    let workspace = if is_settings { folder.parent() } else { None };
    workspace.unwrap_or(folder).to_owned()
}

/// The `breakfall` in front of a server is started by the client, not here.
fn missing_program(program: &str) -> Option<Finding> {
    let is_there = if program.contains('/') {
        Path::new(program).is_file()
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    };
    (!is_there).then(|| {
        Finding::new(
            format!("there is no program {program}, which stands in front of it"),
            "write the path of breakfall in its place",
        )
    })
}

/// Values that were to be replaced.
fn placeholders(settings: &UpstreamSettings, syntax: EntrySyntax) -> Vec<Finding> {
    let (table, values) = if let UpstreamSource::Command(command) = &settings.source {
        ("env", &command.env)
    } else if let UpstreamSource::Url(remote) = &settings.source {
        ("headers", &remote.headers)
    } else {
        return Vec::new();
    };
    let values = values
        .iter()
        .filter(|(_, value)| is_placeholder(value.reveal()));
    let findings = values.map(|(name, _)| {
        Finding::new(
            format!("the value of {name} is a placeholder"),
            format!("write the real one: {}", syntax.member(table, name)),
        )
    });
    findings.collect()
}

fn is_placeholder(value: &str) -> bool {
    let value = value
        .strip_prefix("Bearer ")
        .unwrap_or(value)
        .to_ascii_lowercase();
    let is_in_brackets = value.starts_with('<') && value.ends_with('>');
    let opening = [
        "your_",
        "your-",
        "your ",
        "replace_me",
        "changeme",
        "xxxx",
        "...",
    ];
    is_in_brackets || opening.iter().any(|opening| value.starts_with(opening))
}

/// What the references in a command line or a URL of a configuration stand for.
fn referred_to(settings: &UpstreamSettings) -> Vec<String> {
    let mut words = Vec::new();
    if let UpstreamSource::Command(command) = &settings.source {
        words.push(&command.program);
        words.extend(&command.args);
    }
    if let UpstreamSource::Url(remote) = &settings.source {
        words.push(&remote.url);
    }
    let values = words
        .into_iter()
        .filter(|word| word.is_reference())
        .map(|word| word.reveal().to_string_lossy().into_owned());
    let values = values.flat_map(|value| {
        let assigned = value.split_once('=').map(|(_, value)| value.to_owned());
        std::iter::once(value).chain(assigned)
    });
    values.collect()
}

/// How a server is started, without credentials.
fn shown(settings: &UpstreamSettings) -> String {
    if let UpstreamSource::Command(command) = &settings.source {
        let words = std::iter::once(&command.program).chain(&command.args);
        let words: Vec<_> = words.map(|word| word.to_string().into()).collect();
        return server::line(&words);
    }
    server::shown_url(&settings.source.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_no_secret() {
        for value in [
            "<API_KEY>",
            "your-api-key-here",
            "YOUR_TOKEN",
            "Bearer <token>",
            "xxxxxxx",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
        for value in ["sk-live-1", "production", "", "a<b>"] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
