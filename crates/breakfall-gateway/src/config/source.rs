//! Where a server is: a command to start, a URL, an adapter, or the built-in demo.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use breakfall::redact::{Audience, Redactor};
use breakfall_mcp::process::MaskedWord;
use serde_json::{Value as Json, json};

use super::address::url;
use super::kinds::{entries, flag, keyed, list, list_item, mapped, optional, path, scalar, secret};
use super::mask::{redacted, shown_name};
use super::reader::Reader;
use super::schema::Definitions;
use super::secret::Secret;
use super::setting::{Kind, Visitor};
use super::tree::{YamlNode, YamlValue};
use super::word::{word as one_word, words};

/// Where a server is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum UpstreamSource {
    /// A program that the gateway starts and speaks to over its standard streams.
    Command(UpstreamCommand),
    /// A server that runs already, over HTTP.
    Url(UpstreamUrl),
    /// A REST API, described in a file.
    Adapter(PathBuf),
    /// The built-in demo, in this process.
    Demo,
}

/// A program, and what it is started with.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UpstreamCommand {
    /// A path, or a name to look for in `PATH`.
    pub program: MaskedWord,
    /// Its arguments.
    pub args: Vec<MaskedWord>,
    /// Variables added to those it inherits.
    pub env: Vec<(String, Secret)>,
    /// Which variables of the gateway it inherits.
    pub inherit_env: InheritedEnv,
    /// The variables that only other parts of the configuration refer to, in order.
    withheld: Vec<String>,
    /// The directory it runs in; without one, that of the gateway.
    pub cwd: Option<PathBuf>,
}

words! {
    /// Which variables of its own environment the gateway passes on to a command.
    InheritedEnv: "settings of the environment" {
        /// All but those that only other parts of the configuration refer to.
        Filtered = "filtered",
        /// All.
        All = "all",
        /// Those that every program needs: [`COMMON_VARIABLES`].
        Listed = "listed",
        /// None.
        None = "none",
    }
}

/// The variables that every program needs. None of them is secret.
pub const COMMON_VARIABLES: &[&str] = &[
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ",
    "USER",
];

/// A server over HTTP.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UpstreamUrl {
    /// Its address.
    pub url: MaskedWord,
    /// Headers of every request.
    pub headers: Vec<(String, Secret)>,
    /// Whether the client's own `Authorization` goes on to it, and its demand for one comes back.
    pub pass_authorization: bool,
    /// Certificates to trust beside those of this machine, in PEM.
    pub ca: Option<PathBuf>,
    /// Whether a call that found no session is sent again in a new one.
    pub resend_on_lost_session: ResendOnLostSession,
}

words! {
    /// Whether a call is sent again in a new session after the server has answered 404 to its session.
    ResendOnLostSession: "settings" {
        /// As the protocol has it: the server did not execute the call.
        On = "on",
        /// Only calls that may be executed twice are sent again.
        Off = "off",
    }
}

/// The keys of which an upstream has exactly one, the types of their values, and the keys that go with each.
pub(super) const SOURCES: [(&str, &[&str], &[&str]); 4] = [
    (
        "command",
        &["string", "array"],
        &[
            "args",
            "env",
            "inherit_env",
            "cwd",
            "restart",
            "stuck_after",
        ],
    ),
    (
        "url",
        &["string"],
        &[
            "headers",
            "pass_authorization",
            "ca",
            "resend_on_lost_session",
        ],
    ),
    ("adapter", &["string"], &[]),
    ("demo", &["boolean"], &[]),
];

/// The settings of a source.
#[expect(clippy::too_many_lines, reason = "a table of settings")]
pub(super) fn settings(source: &mut UpstreamSource, visitor: &mut impl Visitor) {
    let (mut command, mut args, mut env, mut cwd) = (Vec::new(), Vec::new(), Vec::new(), None);
    let mut inherit_env = InheritedEnv::Filtered;
    visitor.setting("command", "The program to start: its name or path, or a list of it and its arguments. It speaks MCP over its standard input and output.", &mut command, CommandKind);
    visitor.setting(
        "args",
        "Arguments of the command, after those that stand in `command` itself.",
        &mut args,
        list(word()),
    );
    visitor.setting(
        "env",
        "Variables of the command's environment, beside those it inherits.",
        &mut env,
        entries(keyed(secret(), check_variable)),
    );
    visitor.setting("inherit_env", "Which variables of Breakfall's environment the command inherits: `filtered`, all but those that only other parts of this file refer to (`keys`, other upstreams); `all`; `listed`, only those that every program needs, like `PATH` and `HOME`; or `none`.", &mut inherit_env, one_word());
    visitor.setting(
        "cwd",
        "The directory the command runs in. A relative path starts at the directory of this file.",
        &mut cwd,
        optional(path("directory")),
    );
    let (mut address, mut headers, mut pass_authorization, mut ca) =
        (None, Vec::new(), false, None);
    visitor.setting(
        "url",
        "The address of a server that runs already, over HTTP.",
        &mut address,
        optional(url()),
    );
    visitor.setting(
        "headers",
        "Headers of every request to the URL.",
        &mut headers,
        entries(keyed(header(), check_header)),
    );
    visitor.setting("pass_authorization", "Whether the `Authorization` of a client goes on to the server, and the server's demand for one comes back. Only for a server that expects the very tokens your clients have.", &mut pass_authorization, flag());
    visitor.setting("ca", "Certificates to trust beside those of this machine when the URL is `https://`, a file in PEM. A relative path starts at the directory of this file.", &mut ca, optional(path("file")));
    let mut resend = ResendOnLostSession::On;
    visitor.setting("resend_on_lost_session", "Whether a call is sent again in a new session after the server has answered 404, which says that it has forgotten the session and did not execute the call. `off`: only requests that may be executed twice are.", &mut resend, one_word());
    let (mut adapter, mut demo) = (None, false);
    visitor.setting("adapter", "The description of a REST API, a Markdown file with YAML. A relative path starts at the directory of this file.", &mut adapter, optional(path("file")));
    visitor.setting(
        "demo",
        "The built-in demo: a small shop that shows every kind of error.",
        &mut demo,
        demo_flag(),
    );
    visitor.check(|reader| {
        check_headers(&headers, pass_authorization, reader);
        let mut words = command.into_iter();
        let command = words.next().map(|program| UpstreamCommand {
            program,
            args: words.chain(args).collect(),
            env,
            inherit_env,
            withheld: Vec::new(),
            cwd,
        });
        if let Some(command) = &command {
            check_program(command, reader);
        }
        let url = address.map(|url| UpstreamUrl {
            url,
            headers,
            pass_authorization,
            ca,
            resend_on_lost_session: resend,
        });
        let chosen = command.map(UpstreamSource::Command);
        let chosen = chosen.or(url.map(UpstreamSource::Url));
        let chosen = chosen.or(adapter.map(UpstreamSource::Adapter));
        if let Some(chosen) = chosen.or(demo.then_some(UpstreamSource::Demo)) {
            *source = chosen;
        }
    });
}

/// A scalar with references.
pub(super) fn word() -> impl Kind<Value = MaskedWord> {
    mapped(scalar(), json!({}), |text, reader| reader.word(&text))
}

fn demo_flag() -> impl Kind<Value = bool> {
    mapped(flag(), json!({"enum": [true]}), |is_on, reader| {
        if !is_on {
            let problem = reader.here().problem("demo is true, or left out");
            reader.report(problem);
            return None;
        }
        Some(true)
    })
}

/// A program alone, or with its arguments.
struct CommandKind;

impl Kind for CommandKind {
    type Value = Vec<MaskedWord>;

    fn read(
        &self,
        node: &YamlNode,
        _: Option<&Vec<MaskedWord>>,
        reader: &mut Reader<'_>,
    ) -> Option<Vec<MaskedWord>> {
        let (position, first) = match &node.value {
            YamlValue::Text(text) if text.contains(char::is_whitespace) => {
                return split_command(text, reader);
            }
            YamlValue::Text(text) => (reader.here(), Some(text)),
            YamlValue::List(items) => {
                let words = list(word()).read(node, None, reader)?;
                let first = items.first().map(|item| &item.value);
                match (first, reader.present("[0]")) {
                    (Some(YamlValue::Text(first)), Some(position)) if first.is_empty() => {
                        (position, Some(first))
                    }
                    (Some(_), _) => return Some(words).filter(|words| !words.is_empty()),
                    (None, _) => {
                        reader.report(reader.here().problem("the list names no program"));
                        return None;
                    }
                }
            }
            YamlValue::Null | YamlValue::Bool(_) | YamlValue::Number(_) | YamlValue::Map(_) => {
                return reader.wrong(node, "a program, or a list of a program and its arguments");
            }
        };
        if first.is_none_or(String::is_empty) {
            reader.report(position.problem("the program has no name"));
            return None;
        }
        first
            .and_then(|text| reader.word(text))
            .map(|word| vec![word])
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({
            "type": ["string", "array"],
            "pattern": "^[^ \t\r\n]+$",
            "items": scalar().schema(definitions),
            "minItems": 1,
            "examples": [["npx", "-y", "@modelcontextprotocol/server-filesystem", "."]],
        })
    }
}

/// A program that does not exist is a warning: where the file is used it may.
fn check_program(command: &UpstreamCommand, reader: &mut Reader<'_>) {
    let (Some(program), Some(position)) = (command.program.reveal_str(), reader.given("command"))
    else {
        return;
    };
    let environment = reader.environment;
    let shown = &command.program;
    let (is_there, place) = if program.contains('/') {
        // A relative path starts where the program runs.
        let folder = command.cwd.as_deref().unwrap_or(Path::new(""));
        (environment.exists(&folder.join(program)), "on this machine")
    } else {
        let own = command.env.iter().rfind(|(name, _)| name == "PATH");
        let own = own.map(|(_, path)| OsString::from(path.reveal()));
        let Some(path) = own.or_else(|| environment.variable("PATH")) else {
            return;
        };
        let mut folders = std::env::split_paths(&path);
        (
            folders.any(|folder| environment.exists(&folder.join(program))),
            "in PATH",
        )
    };
    if !is_there {
        let key = position.path();
        reader.warn(format!("{key}: there is no program '{shown}' {place}"));
    }
}

/// Reports a command with arguments in one text. It is not taken apart: a path may have blanks too.
fn split_command<T>(text: &str, reader: &mut Reader<'_>) -> Option<T> {
    let words: Vec<String> = text.split_whitespace().map(list_item).collect();
    let mut problem = reader.here().problem("a command with arguments is a list");
    if !words.is_empty() {
        problem = problem.hint(redacted(&format!("write [{}]", words.join(", "))));
    }
    let whole = format!("if all of it is the name of a file, write ['{text}']");
    reader.report(problem.hint(redacted(&whole)));
    None
}

fn check_variable(reader: &mut Reader<'_>) {
    let name = reader.name();
    if name.is_empty() || name.contains(['=', '\0']) {
        let problem = reader.here().key_problem("this is no name of a variable");
        reader.report(problem.hint("a name has no '=' in it; the value follows a ':'"));
    }
}

fn check_header(reader: &mut Reader<'_>) {
    let name = reader.name();
    let here = reader.here();
    if name.is_empty() || !name.bytes().all(is_token) {
        let problem = here.key_problem("this is no name of a header");
        reader.report(problem.hint("a name has letters, digits and '-'"));
    } else if TRANSPORT_HEADERS
        .iter()
        .any(|own| own.eq_ignore_ascii_case(name))
    {
        let problem = here.key_problem(format!("Breakfall sets the header '{name}' itself"));
        reader.report(problem.hint("remove it"));
    }
}

fn header() -> impl Kind<Value = Secret> {
    mapped(secret(), json!({}), |value, reader| {
        let unfit = |c: char| c != '\t' && (c.is_control() || !c.is_ascii());
        if value.reveal().contains(unfit) {
            let problem = reader.here().problem("a header cannot carry this value");
            reader.report(problem.hint("it is one line of ASCII"));
        }
        Some(value)
    })
}

/// Header names that are the same but for upper and lower case; `Authorization` of two origins.
fn check_headers(headers: &[(String, Secret)], pass_authorization: bool, reader: &mut Reader<'_>) {
    let position = |name: &str, reader: &Reader<'_>| {
        reader
            .present(&format!("headers.{name}"))
            .unwrap_or_default()
    };
    for (index, (name, _)) in headers.iter().enumerate() {
        let is_same = |(other, _): &(String, Secret)| other.eq_ignore_ascii_case(name);
        if headers[..index].iter().any(is_same) {
            let message = format!("the header '{}' is written twice", shown_name(name));
            let problem = position(name, reader).key_problem(message);
            reader.report(problem.hint("upper and lower case are the same here; keep one of them"));
        }
    }
    let mut own = headers.iter().map(|(name, _)| name);
    if pass_authorization
        && let Some(name) = own.find(|name| name.eq_ignore_ascii_case("authorization"))
    {
        let header = position(name, reader);
        let problem = reader
            .given("pass_authorization")
            .unwrap_or_default()
            .key_problem(
                "an upstream has a header Authorization or passes the client's on, not both",
            );
        reader.report(
            problem
                .beside(header.key, "the header")
                .hint("remove one of them"),
        );
    }
}

const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
        )
}

/// Headers the transport sets.
const TRANSPORT_HEADERS: [&str; 11] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-method",
    "mcp-protocol-version",
    "mcp-session-id",
    "te",
    "transfer-encoding",
];

impl Display for UpstreamSource {
    /// In one line, without secrets.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(command) => Display::fmt(command, f),
            Self::Url(remote) => Display::fmt(&remote.url, f),
            Self::Adapter(file) => write!(f, "adapter {}", file.display()),
            Self::Demo => f.write_str("the built-in demo"),
        }
    }
}

impl Display for UpstreamCommand {
    /// The program and its arguments, quoted where a shell would need it, without credentials.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, word) in self.shown().iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            quote(word, f)?;
        }
        Ok(())
    }
}

impl UpstreamCommand {
    /// A program that inherits all variables, in the directory of the gateway.
    pub(super) fn new(program: MaskedWord, args: Vec<MaskedWord>) -> Self {
        Self {
            program,
            args,
            env: Vec::new(),
            inherit_env: InheritedEnv::Filtered,
            withheld: Vec::new(),
            cwd: None,
        }
    }

    /// Withholds variables of the gateway, but none that every program needs.
    pub(super) fn withhold(&mut self, names: impl Iterator<Item = String>) {
        let names = names.filter(|name| !COMMON_VARIABLES.contains(&name.as_str()));
        self.withheld.extend(names);
        self.withheld.sort_unstable();
        self.withheld.dedup();
    }

    /// The variables that only other parts of the configuration refer to.
    pub fn withheld(&self) -> &[String] {
        &self.withheld
    }

    /// The program and its arguments as they may be shown: references as they were written, no credentials.
    ///
    /// ```
    /// use breakfall_gateway::config::{UpstreamSettings, UpstreamSource};
    ///
    /// let upstream = UpstreamSettings::command("db", ["--password", "hunter2", "a b"]);
    /// let UpstreamSource::Command(command) = upstream.source else { unreachable!() };
    /// assert_eq!(command.shown(), ["db", "--password", "[redacted:password]", "a b"]);
    /// ```
    pub fn shown(&self) -> Vec<String> {
        let mut before = self.program.to_string();
        let mut words = vec![before.clone()];
        for word in &self.args {
            words.push(redacted_argument(&before, word));
            before = word.to_string();
        }
        words
    }
}

/// An argument without the credential in it. The argument before may name it: `--password …`. References are shown.
fn redacted_argument(before: &str, word: &MaskedWord) -> String {
    let shown = word.to_string();
    if word.is_reference() {
        return shown;
    }
    let redactor = Redactor::new(Audience::Operator);
    let alone = redactor.text(&shown).into_owned();
    if alone != shown {
        return alone;
    }
    let pair = format!("{before} {shown}");
    let clean = redactor.text(&pair);
    let rest = clean
        .strip_prefix(before)
        .and_then(|rest| rest.strip_prefix(' '));
    rest.map_or(shown, str::to_owned)
}

fn quote(word: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,${}[]".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        f.write_str(word)
    } else {
        write!(f, "'{}'", word.replace('\'', "'\\''"))
    }
}
