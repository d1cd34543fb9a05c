//! The arguments, as typed. The texts here are the help, the man pages and the completions.

mod call;
mod doctor;
mod init;
mod quota;
mod serve;
mod usage;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstream::ColorChoice;
use breakfall::catalog::CODES;
use breakfall::code::Status;
use breakfall::locale::Language;
use breakfall::redact::Redactor;
use breakfall::wire::{Dialect, Format};
use breakfall::{Category, CorrelationId, Retry};
use breakfall_gateway::config::{self, HintTrust};
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use jiff::{SignedDuration, Timestamp};

pub(crate) use call::CallArgs;
pub(crate) use doctor::DoctorArgs;
pub(crate) use init::InitArgs;
pub(crate) use quota::QuotaArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use usage::usage;

use crate::exit;
use crate::report::CommandError;

/// The error layer for the Model Context Protocol: every request is answered, every failure says what to do
#[derive(Debug, Parser)]
#[command(
    name = "breakfall",
    version,
    max_term_width = 100,
    after_help = START,
    after_long_help = format!("{START}\n\n{}", exit::HELP)
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to write in colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorMode,
}

/// When output has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorMode {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl From<ColorMode> for ColorChoice {
    fn from(mode: ColorMode) -> Self {
        match mode {
            ColorMode::Auto => Self::Auto,
            ColorMode::Always => Self::Always,
            ColorMode::Never => Self::Never,
        }
    }
}

impl ColorMode {
    /// The mode that arguments ask for, before they are parsed: help and mistakes have colours too.
    pub(crate) fn of(args: impl Iterator<Item = OsString>) -> Self {
        let mut args = args.take_while(|word| word != "--");
        let asked = args.find_map(|word| {
            let word = word.to_str()?;
            word.strip_prefix("--color").map(str::to_owned)
        });
        let asked = asked.and_then(|asked| match asked.strip_prefix('=') {
            Some(mode) => Some(mode.to_owned()),
            None => args.next()?.into_string().ok(),
        });
        let mode = asked.and_then(|mode| Self::from_str(&mode, true).ok());
        mode.unwrap_or(Self::Auto)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    Serve(ServeArgs),
    Call(CallArgs),
    Init(InitArgs),
    Doctor(DoctorArgs),
    Explain(ExplainArgs),
    Convert(ConvertArgs),
    Quota(QuotaArgs),
    /// Check a configuration, or print the schema of one
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man pages, as roff
    Manpage {
        /// Write a page for each command into this directory instead
        #[arg(long, value_name = "DIRECTORY")]
        dir: Option<PathBuf>,
    },
}

/// Run in front of a server: what works passes unchanged, and what fails says why, what to do and whether to repeat it
///
/// Put it in front of the command line of any MCP server that speaks on its standard streams.
#[derive(Debug, clap::Args)]
#[command(override_usage = RUN_USAGE, after_help = RUN)]
pub(crate) struct RunArgs {
    /// The server: its program and arguments, all that follows. The `--` in front is needed only if the program begins with `-`
    #[arg(trailing_var_arg = true, required_unless_present_any = ["demo", "config"], value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    /// Run the built-in demo shop, whose tools fail in every way there is
    #[arg(long, conflicts_with = "command")]
    pub(crate) demo: bool,

    /// Run in front of a server of a configuration; other options override it
    #[arg(long, short, value_name = "FILE", value_parser = file(), conflicts_with_all = ["command", "demo"])]
    pub(crate) config: Option<PathBuf>,

    /// The server of the configuration, if it has several
    #[arg(long, value_name = "NAME", requires = "config", conflicts_with_all = ["command", "demo"])]
    pub(crate) upstream: Option<String>,

    /// The name of the server in messages and in the log
    #[arg(long)]
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) server: ServerArgs,

    /// Pass calls and answers unchanged: nothing is checked, repeated, classified or recorded
    #[arg(long)]
    pub(crate) wire_only: bool,

    /// Whether a tool that says it only reads, or may be called twice, is called again after a failure [default: believe]
    #[arg(long, value_name = "WORD", value_parser = words(HintTrust::ALL, HintTrust::as_str))]
    pub(crate) hints: Option<HintTrust>,

    /// Hold up dangerous calls without a configuration: those that destroy something have to be confirmed
    #[arg(long)]
    pub(crate) gate: bool,

    /// What is taken out of failures: all that is not the caller's business, secrets alone, or nothing [default: full]
    #[arg(long, value_name = "WORD")]
    pub(crate) redact: Option<Redaction>,

    /// How long to wait before a server that ended is started again; doubles each time [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) restart_delay: Option<Duration>,

    /// How long a server may be silent once a call is past its deadline before it is started again, or `off` [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = duration_or_off)]
    pub(crate) stuck_after: Option<DurationOrOff>,

    #[command(flatten, next_help_heading = "Log, on stderr")]
    pub(crate) log: LogArgs,
}

/// A time, or `None` for `off`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DurationOrOff(pub(crate) Option<Duration>);

/// How a server is started, and its timeouts.
#[derive(Debug, clap::Args)]
pub(crate) struct ServerArgs {
    /// An environment variable for the server, besides those of this process
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, conflicts_with = "demo")]
    pub(crate) env: Vec<(String, String)>,

    /// The directory the server runs in
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "demo")]
    pub(crate) cwd: Option<PathBuf>,

    /// How long a request may go without an answer or progress, for example 30s or 5m [default: 5m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// How long a request may take in total, whatever progress is reported [default: 30m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_timeout: Option<Duration>,
}

impl ServerArgs {
    /// Checks options against each other.
    ///
    /// # Errors
    /// When one contradicts another.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        match (self.timeout, self.max_timeout) {
            (Some(idle), Some(total)) if total < idle => {
                let error = CommandError::input("--max-timeout is shorter than --timeout");
                Err(error.hint("--timeout is how long the server may say nothing, --max-timeout how long a request may take in total"))
            }
            _ => Ok(()),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct LogArgs {
    /// How much to log. The stderr of the server counts as info [default: info; call: stderr of the server]
    #[arg(long = "log", value_name = "LEVEL")]
    pub(crate) level: Option<LogLevel>,

    /// How to write the log [default: text]
    #[arg(long = "log-format", value_name = "FORMAT")]
    pub(crate) format: Option<LogFormat>,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Nothing
    Off,
    /// What needs attention
    Error,
    /// Also failures that were handled
    Warn,
    /// Also the stderr of the server, and under `serve` every call
    Info,
    /// Also details
    Debug,
}

impl LogArgs {
    /// The options, and for those that are absent the settings of a configuration.
    pub(crate) fn or(&self, log: config::LogSettings) -> Self {
        Self {
            level: self
                .level
                .or_else(|| LogLevel::from_word(log.level.as_str())),
            format: self
                .format
                .or_else(|| LogFormat::from_word(log.format.as_str())),
        }
    }
}

impl LogLevel {
    /// The level a configuration names.
    fn from_word(word: &str) -> Option<Self> {
        Self::from_str(word, true).ok()
    }
}

impl LogFormat {
    /// The format a configuration names.
    fn from_word(word: &str) -> Option<Self> {
        Self::from_str(word, true).ok()
    }
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// An object a line, for programs
    Json,
}

/// Say what an error code means and what to do about it, or show the failure with a correlation id
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLAIN)]
pub(crate) struct ExplainArgs {
    /// A code: its name or number in any format, an HTTP status, a JSON-RPC code, or the name of a warning; or a correlation id
    ///
    /// Upper and lower case of a code are the same. An id is looked up in the store of this user's gateway; the beginning of one
    /// is enough, if no other begins so.
    /// With --list, a text to look for in names, meanings and messages.
    #[arg(allow_negative_numbers = true, required_unless_present_any = LISTING)]
    pub(crate) code: Option<String>,

    /// Write JSON: an object for a code or an id, an array for a list
    #[arg(long)]
    pub(crate) json: bool,

    /// List the latest failures of this user's gateways, ten unless a number is given
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "10",
        value_parser = clap::value_parser!(u16).range(1..=1000),
        conflicts_with_all = ["code", "list", "language"]
    )]
    pub(crate) last: Option<u16>,

    /// Say what the gate would do with calls of a tool, and by which rule; no server is started
    ///
    /// With -c, for each server of the configuration; otherwise for any server with the defaults of `serve`.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["code", "list", "last", "language"])]
    pub(crate) tool: Option<String>,

    /// Look an id up in the store of this configuration, or a tool in the configuration itself
    #[arg(long, short, value_name = "FILE", conflicts_with = "list")]
    pub(crate) config: Option<PathBuf>,

    /// Also show the texts of a language
    #[arg(long, value_name = "LANGUAGE", value_parser = languages(), conflicts_with = "list")]
    pub(crate) language: Option<Language>,

    /// List the codes
    #[arg(long, short)]
    pub(crate) list: bool,

    #[command(flatten, next_help_heading = "Filters of --list")]
    pub(crate) filter: ListFilter,
}

#[derive(Debug, Default, clap::Args)]
pub(crate) struct ListFilter {
    /// Codes of one category
    #[arg(long, requires = "list", value_parser = categories())]
    pub(crate) category: Option<Category>,

    /// Show the names the codes have in a wire format
    #[arg(long, requires = "list", value_name = "FORMAT", value_parser = dialects())]
    pub(crate) dialect: Option<Dialect>,

    /// Codes of one retry class
    #[arg(long, requires = "list", value_name = "CLASS", value_parser = retries(), conflicts_with = "retryable")]
    pub(crate) retry: Option<Retry>,

    /// Codes whose call may succeed if repeated
    #[arg(long, requires = "list")]
    pub(crate) retryable: bool,

    /// Codes of one status: how firmly they are promised
    #[arg(long, requires = "list", value_parser = statuses())]
    pub(crate) status: Option<Status>,

    /// The warnings, which ride on successes
    #[arg(long, requires = "list", conflicts_with_all = ["category", "retry", "retryable", "status"])]
    pub(crate) warnings: bool,
}

/// Convert an error, a success or a batch from one wire format to another
///
/// Reads a bare document, an MCP tool result or a JSON-RPC response, writes JSON, and says on stderr what the target
/// format cannot carry.
#[derive(Debug, clap::Args)]
#[command(after_help = CONVERT)]
pub(crate) struct ConvertArgs {
    #[arg(help = format!(
        "The input, at most {} MiB of UTF-8, nested up to {MAX_JSON_DEPTH} levels; standard input without it or with `-`",
        MAX_CONVERT_BYTES >> 20
    ))]
    pub(crate) file: Option<PathBuf>,

    /// The format of the input
    #[arg(long, value_name = "FORMAT", default_value = AUTO, value_parser = sources())]
    pub(crate) from: InputFormat,

    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_parser = dialects())]
    pub(crate) to: Dialect,

    /// Write the target format exactly as its own document defines it, without extensions
    #[arg(long)]
    pub(crate) strict: bool,

    /// Which blocks tool-error writes
    #[arg(long, value_name = "BLOCKS", value_parser = formats())]
    pub(crate) format: Option<Format>,

    /// What to write around it
    #[arg(long = "as", value_name = "SHAPE", default_value = "document")]
    pub(crate) shape: OutputShape,

    /// What to take out
    #[arg(long, value_name = "AMOUNT", default_value = "full")]
    pub(crate) redact: Redaction,

    /// Write JSON on one line
    #[arg(long)]
    pub(crate) compact: bool,

    /// Do not print on stderr what was recognised and what is lost
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// The correlation id of a failure that has none; formats that must have one get a fresh UUID otherwise
    #[arg(long, value_name = "ID", value_parser = correlation_id)]
    pub(crate) correlation_id: Option<CorrelationId>,

    /// The time of a failure that has none; formats that must have one get the present otherwise
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    pub(crate) timestamp: Option<Timestamp>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show what a configuration means, or all its problems
    #[command(after_help = CHECK)]
    Check {
        /// The configuration; `-` is standard input
        #[arg(default_value = DEFAULT_CONFIG)]
        file: PathBuf,

        /// Write JSON: the settings, the notes and the problems with their places
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of a configuration, for editors
    #[command(after_help = SCHEMA)]
    Schema,
}

/// The format of the input of `convert`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputFormat {
    /// Recognised by its structure.
    Auto,
    /// Stated by the caller.
    Stated(Dialect),
}

/// What is taken out of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Redaction {
    /// What no client may read: secrets, personal data, paths, hosts, SQL, stack traces
    Full,
    /// What no operator may read: secrets
    Secrets,
    /// Nothing
    Off,
}

impl Redaction {
    pub(crate) fn redactor(self) -> Redactor {
        Redactor::new(self.setting().audience())
    }

    /// The same in a configuration.
    pub(crate) const fn setting(self) -> config::Redaction {
        match self {
            Self::Full => config::Redaction::Full,
            Self::Secrets => config::Redaction::Secrets,
            Self::Off => config::Redaction::Off,
        }
    }
}

/// The message `convert` writes around the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputShape {
    /// The document the format defines
    Document,
    /// The result of an MCP tool call that carries it
    ToolResult,
    /// A JSON-RPC error, for failures at protocol level
    RpcError,
}

const START: &str = "\
Start here:
  breakfall init --dry-run
  breakfall run -- npx -y @modelcontextprotocol/server-everything
  breakfall serve
  breakfall call --demo tour
  breakfall explain VALIDATION_MISSING_PARAM
  breakfall convert --to native error.json";

const RUN_USAGE: &str = "\
breakfall run [OPTIONS] -- COMMAND...
       breakfall run [OPTIONS] --config FILE [--upstream NAME]
       breakfall run [OPTIONS] --demo";

const RUN: &str = "\
Examples:
  breakfall run --demo
  breakfall run -- npx -y @modelcontextprotocol/server-filesystem .
  breakfall run --timeout 30s -- uvx mcp-server-git
  breakfall run --config breakfall.yaml --upstream files
In the configuration of a client, put `breakfall run --` in front of the command of a server:
  { \"command\": \"breakfall\", \"args\": [\"run\", \"--\", \"npx\", \"-y\", \"some-server\"] }";

const EXPLAIN: &str = "\
Examples:
  breakfall explain VALIDATION_MISSING_PARAM
  breakfall explain 2002            a number of error-model
  breakfall explain -32602          a code of JSON-RPC
  breakfall explain --list --category rate_limit
  breakfall explain --list timeout  the codes that have to do with it
  breakfall explain 019bffac-42fb-7a31-8c5a-0e6f0d1f7c11  the failure with an id
  breakfall explain --last          the latest failures, with their ids";

const CONVERT: &str = "\
Examples:
  breakfall convert --to native error.json
  breakfall convert --from mcp-aql --to response-v2 < error.json
  breakfall convert --to tool-error --format both --as tool-result error.json";

const CHECK: &str = "\
Examples:
  breakfall config check
  breakfall config check --json gateway.yaml";

const SCHEMA: &str = "\
Example:
  breakfall config schema > breakfall.schema.json
  and as the first line of breakfall.yaml:
  # yaml-language-server: $schema=./breakfall.schema.json";

/// The largest input of `convert`. Parsed, a document takes up to two hundred times its size, so this bounds memory.
pub(crate) const MAX_CONVERT_BYTES: u64 = 1 << 20;

/// The deepest JSON that is read, in lists and objects inside each other; the bound of the parser.
pub(crate) const MAX_JSON_DEPTH: usize = 127;

/// The configuration of `config check` and `serve` without a file.
pub(crate) const DEFAULT_CONFIG: &str = "breakfall.yaml";

/// Options that make a code unnecessary. A filter without `--list` is refused, but not because a code is missing.
const LISTING: [&str; 9] = [
    "tool",
    "list",
    "last",
    "category",
    "dialect",
    "retry",
    "retryable",
    "status",
    "warnings",
];

const AUTO: &str = "auto";

fn dialects() -> impl TypedValueParser<Value = Dialect> {
    words(Dialect::ALL, Dialect::as_str)
}

fn languages() -> impl TypedValueParser<Value = Language> {
    words(Language::ALL, Language::as_str)
}

fn categories() -> impl TypedValueParser<Value = Category> {
    words(Category::ALL, Category::as_str)
}

fn retries() -> impl TypedValueParser<Value = Retry> {
    words(Retry::ALL, Retry::as_str)
}

/// The statuses that occur in the catalogue.
fn statuses() -> impl TypedValueParser<Value = Status> {
    let occurs = |status: &Status| CODES.iter().any(|code| code.entry().status == *status);
    let all: Vec<Status> = Status::ALL.iter().copied().filter(occurs).collect();
    words(&all, Status::as_str)
}

fn formats() -> impl TypedValueParser<Value = Format> {
    words(Format::ALL, Format::as_str)
}

fn sources() -> impl TypedValueParser<Value = InputFormat> {
    let names = Dialect::ALL.iter().map(|dialect| dialect.as_str());
    let values = std::iter::once(AUTO).chain(names).map(PossibleValue::new);
    PossibleValuesParser::new(values)
        .map(|word| Dialect::from_name(&word).map_or(InputFormat::Auto, InputFormat::Stated))
}

/// Parses the words of a closed set. Clap lists them and finds the nearest to a wrong one.
fn words<T: Copy + Send + Sync + 'static>(
    all: &[T],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> + use<T> {
    let all = all.to_vec();
    let names: Vec<PossibleValue> = all
        .iter()
        .map(|value| PossibleValue::new(word(*value)))
        .collect();
    PossibleValuesParser::new(names).try_map(move |name| {
        let found = all.iter().copied().find(|value| word(*value) == name);
        found.ok_or("not one of the words")
    })
}

fn correlation_id(text: &str) -> Result<CorrelationId, String> {
    CorrelationId::new(text).map_err(|error| error.to_string())
}

fn duration(text: &str) -> Result<Duration, String> {
    let parsed: Result<SignedDuration, _> = text.parse();
    let duration = parsed
        .ok()
        .and_then(|parsed| Duration::try_from(parsed).ok())
        .or_else(|| config::duration(text).ok());
    match duration {
        Some(duration) if duration.is_zero() => Err("it must be longer than zero".to_owned()),
        Some(duration) if duration > config::MAX_TIME => Err("the longest is 30d".to_owned()),
        Some(duration) => Ok(duration),
        // Some would read seconds, others milliseconds.
        None if text.parse::<f64>().is_ok() => Err(format!("it has no unit: {text}s or {text}ms?")),
        None => Err("expected a time, for example 250ms, 30s, 5m or 1h30m".to_owned()),
    }
}

fn duration_or_off(text: &str) -> Result<DurationOrOff, String> {
    let time = (text != "off").then(|| duration(text)).transpose();
    time.map(DurationOrOff)
}

/// The file of a configuration, which is read again when it changes.
fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            Err("name a file; standard input belongs to the client")
        } else {
            Ok(path)
        }
    })
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// A header as it is written in HTTP.
fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected 'NAME: VALUE'".to_owned()),
    }
}

fn timestamp(text: &str) -> Result<Timestamp, String> {
    let parsed = text.parse();
    parsed.map_err(|_| "expected RFC 3339, for example 2026-01-31T12:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Args::command().debug_assert();
    }
}
