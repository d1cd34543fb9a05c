//! The file as written. The comments on its keys are the documentation editors show: they are the schema's words.

mod tool;
mod upstream;

pub(super) use tool::{Breaker, Concurrency, Fallback, Retry, Tool};
pub(super) use upstream::{Command, Quota, Restart, Upstream};

use breakfall::locale::Language;
use breakfall::wire::{Dialect, Format as Blocks};

use super::care::Switch;
use super::keep::Audit;
use super::kinds::{Choice, Count, Example, List, Map, One, Plain, Size, Time};
use super::log::{Format, Level};
use super::names::Names;
use super::policy::{Danger, Metric, Trust};
use super::read::{Reader, table};
use super::row::Row;
use super::service::Lost;
use super::tree::Node;
use super::validation::{Mode, Unlisted};

table! {
    /// The configuration of Breakfall.
    #[schemars(extend("required" = ["upstreams"]))]
    File {
        /// The address clients reach the gateway at, as `HOST:PORT`. Other machines reach it only if the host is not a loopback address.
        #[schemars(with = "Option<String>", extend("default" = "127.0.0.1:7332"))]
        listen: Plain,

        /// The certificate of the gateway. With it clients use `https://`.
        tls: Tls,

        /// Who may come in: names of clients, and the key each sends as `Authorization: Bearer KEY`. A key has 16 characters or more; references like `${NAME}` and `${file:PATH}` keep it out of this file.
        #[schemars(extend("minProperties" = 1, "propertyNames" = {"pattern": PRINCIPAL_PATTERN}))]
        keys: Map<Plain>,

        /// Names clients reach the gateway by, `NAME` or `NAME:PORT`, beside addresses and the names of this machine itself. Others are refused, because a web page can make a browser believe that its own name leads here.
        hosts: List<Plain>,

        /// Web pages whose scripts may call the gateway, as `https://NAME`, beside those of this machine.
        origins: List<Plain>,

        /// How many sessions clients may have.
        sessions: Sessions,

        /// How long calls that are under way may take when the gateway ends.
        #[schemars(extend("default" = "30s"))]
        drain: Time,

        /// Where state is kept: `memory` (gone with the process), `sqlite` (a file in the user's state directory), `sqlite:FILE`, or `redis://HOST` for several gateways that share it.
        #[schemars(extend("default" = "sqlite", "examples" = ["memory", "sqlite", "sqlite:/var/lib/breakfall/state.db", "redis://127.0.0.1:6379"]))]
        store: String,

        /// Whether every call leaves an entry in the audit trail of the store.
        #[schemars(extend("default" = "on"))]
        audit: One<Audit>,

        /// How much is kept of the past.
        retention: Retention,

        /// The wire format of errors.
        #[schemars(extend("default" = "native"))]
        dialect: One<Dialect>,

        /// Which blocks `tool-error` writes: words, the object, or both.
        #[schemars(extend("default" = "markdown"))]
        format: One<Blocks>,

        /// Whether a wire format is held to the letter of its own document, without anything of ours beside it.
        #[schemars(extend("default" = false))]
        strict: bool,

        /// The language of errors for callers who ask for none.
        #[schemars(extend("default" = "en"))]
        locale: One<Language>,

        /// How much of a server's own error text is passed on. A longer one is cut, and says so.
        #[schemars(extend("default" = "64KiB"))]
        error_text_limit: Size,

        /// Whether failures that call themselves successes are told as what they are.
        #[schemars(extend("default" = true))]
        unmask: bool,

        /// Codes of your own, by name: upper-case words joined by underscores.
        #[schemars(extend("propertyNames" = {"pattern": CODE_PATTERN}))]
        codes: Map<Row>,

        /// Rules by which failures are recognised in words, by name: your own, which come first, and `off` for a rule that is built in.
        #[schemars(extend("propertyNames" = {"pattern": RULE_PATTERN}))]
        classify: Map<Switch<Phrases>>,

        /// The servers behind the gateway, by name. A name has letters, digits, `-` and `_`, and stands in front of the names of the server's tools.
        #[schemars(extend("minProperties" = 1, "propertyNames" = {"pattern": NAME_PATTERN}))]
        upstreams: Map<Upstream>,

        /// What stands between the name of a server and that of its tool where all are served as one, `/mcp`.
        #[schemars(extend("default" = Names::SEPARATOR, "pattern" = SEPARATOR_PATTERN))]
        separator: String,

        /// What happens to the tools of a server that is lost where all are served as one: they are kept and said to be unavailable, or they are hidden.
        #[schemars(extend("default" = "keep"))]
        lost_upstream: One<Lost>,

        /// How big and how deep messages may be.
        limits: Limits,

        /// What the gateway says about itself, on standard error.
        log: Log,
    }
}

/// What a code may be called.
const CODE_PATTERN: &str = "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$";

/// What a rule may be called.
const RULE_PATTERN: &str = "^[a-z0-9-]+([.][a-z0-9-]+)*$";

/// What a client may be called.
const PRINCIPAL_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$";

/// What every client takes in the name of a tool, and no name needs itself.
const SEPARATOR_PATTERN: &str = "^[_-]{1,8}$";

table! {
    /// The certificate of the gateway.
    #[schemars(extend("required" = ["cert", "key"]))]
    Tls {
        /// The chain of certificates, a file in PEM. A relative path starts at the directory of this file; a file that changes is read again.
        #[schemars(extend("minLength" = 1))]
        cert: String,

        /// The private key, a file in PEM. A relative path starts at the directory of this file.
        #[schemars(extend("minLength" = 1))]
        key: String,
    }
}

table! {
    /// How many sessions clients may have. A server that is a command is started for each.
    Sessions {
        /// At the same time.
        #[schemars(extend("default" = 1000, "minimum" = 1, "maximum" = 100_000))]
        max: Count,

        /// How long one is kept without a request.
        #[schemars(extend("default" = "30m"))]
        idle: Time,
    }
}

table! {
    /// How much is kept of the past. Whatever is beyond one of these goes.
    Retention {
        /// How many reports on failures, for `breakfall explain ID`.
        #[schemars(extend("default" = 10_000, "minimum" = 1, "maximum" = MAX_KEPT))]
        count: Count,

        /// How old they may be.
        #[schemars(extend("default" = "7d"))]
        age: Time,

        /// How many entries of the audit trail.
        #[schemars(extend("default" = 100_000, "minimum" = 1, "maximum" = MAX_KEPT))]
        audit_count: Count,

        /// How old they may be.
        #[schemars(extend("default" = "30d"))]
        audit_age: Time,
    }
}

/// As many as anybody has a disk for.
pub(super) const MAX_KEPT: u64 = 100_000_000;

/// What an upstream may be called.
pub(super) const NAME_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";

table! {
    /// Words by which a failure is recognised.
    #[schemars(extend("required" = ["code", "phrases"]))]
    Phrases {
        /// The code they stand for: one of `breakfall explain`, or your own.
        code: String,

        /// Words separated by spaces, matched as whole words in any case. `a|b` stands for either, `_` for one name.
        #[schemars(extend("minItems" = 1))]
        phrases: List<String>,

        /// What it recognises, for people.
        about: String,
    }
}

impl Example for Phrases {
    const EXAMPLE: &'static str = "{ code: RATE_LIMIT_EXCEEDED, phrases: [\"slow down please\"] }";
}

table! {
    /// How big and how deep messages may be.
    Limits {
        /// The largest message of a client.
        #[schemars(extend("default" = "16MiB"))]
        request: Size,

        /// The largest message of a server.
        #[schemars(extend("default" = "64MiB"))]
        response: Size,

        /// Lists and objects inside each other.
        #[schemars(extend("default" = 128, "minimum" = 1, "maximum" = 128))]
        depth: Count,
    }
}

table! {
    /// What the gateway says about itself, on standard error.
    Log {
        /// The least important thing it says.
        #[schemars(extend("default" = "info"))]
        level: One<Level>,

        /// Lines for people, or JSON for programs.
        #[schemars(extend("default" = "text"))]
        format: One<Format>,
    }
}

macro_rules! choices {
    ($($type:ty: $what:literal,)+) => {
        $(impl Choice for $type {
            const WHAT: &'static str = $what;

            fn all() -> &'static [Self] {
                Self::ALL
            }

            fn word(self) -> &'static str {
                self.as_str()
            }
        })+
    };
}

choices! {
    Dialect: "dialects",
    Blocks: "formats",
    Language: "languages",
    Trust: "levels of trust",
    Danger: "levels of danger",
    Metric: "metrics",
    Audit: "settings of the audit trail",
    Lost: "ways to treat a lost upstream",
    Mode: "ways to validate",
    Unlisted: "ways to treat an unlisted tool",
    Level: "log levels",
    Format: "log formats",
}
