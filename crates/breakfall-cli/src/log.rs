//! Our log, on stderr: what we say, and what the server behind us says there, which its users are used to see.

mod queue;

use std::fmt;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::writer::MakeWriterExt as _;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

pub(crate) use queue::flush;

use crate::args::{Log, LogFormat, LogLevel};
use crate::out;
use queue::Queue;

impl From<LogLevel> for LevelFilter {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Off => Self::OFF,
            LogLevel::Error => Self::ERROR,
            LogLevel::Warn => Self::WARN,
            LogLevel::Info => Self::INFO,
            LogLevel::Debug => Self::DEBUG,
        }
    }
}

/// How much is logged where nobody has said it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unsaid {
    /// What goes on, and what the server says.
    Everything,
    /// What the server says, and what somebody has to look after: the rest is told in other ways.
    Server,
}

/// How many servers there are whose words stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Servers {
    /// One, whose words are its user's own business: they stay as they are.
    One,
    /// Many, so that it has to be said whose words they are, and none may pass for ours or for those of another.
    Many,
}

/// Starts it. Done once, by commands that run a server.
pub(crate) fn start(log: &Log, unsaid: Unsaid, servers: Servers) {
    let is_told = move |event: &Metadata<'_>| match unsaid {
        Unsaid::Everything => true,
        Unsaid::Server => {
            is_of_server(event) || event.target() == "stdout" || *event.level() == Level::ERROR
        }
    };
    let is_said = log.level.is_some();
    let builder = tracing_subscriber::fmt()
        .with_max_level(log.level.unwrap_or(LogLevel::Info))
        .with_writer(Queue::stderr.with_filter(move |event| is_said || is_told(event)));
    // It fails only if there is a log already.
    let _ = match log.format.unwrap_or(LogFormat::Text) {
        LogFormat::Text => {
            tracing::subscriber::set_global_default(builder.event_format(Lines(servers)).finish())
        }
        LogFormat::Json => {
            out::speak_json();
            let builder = builder.json().flatten_event(true);
            tracing::subscriber::set_global_default(builder.finish())
        }
    };
}

/// One line an event. What a single server said stands there as it said it.
struct Lines(Servers);

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Line::default();
        event.record(&mut line);
        if is_of_server(event.metadata()) {
            return match self.0 {
                Servers::One => writeln!(writer, "{}", line.message),
                Servers::Many => {
                    let said = out::harmless(&line.message);
                    writeln!(writer, "[{}] {said}", line.upstream)
                }
            };
        }
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        // The private report of a fault has several lines; they stay together below the first.
        let message = out::harmless(line.message.trim_end()).replace('\n', "\n  ");
        // Behind the last of them its fields would read as a part of it.
        let between = if message.contains('\n') && !line.fields.is_empty() {
            "\n "
        } else {
            ""
        };
        let fields = out::harmless(&line.fields);
        writeln!(writer, "breakfall: {level}: {message}{between}{fields}")
    }
}

/// Whether the server said it on its stderr.
fn is_of_server(event: &Metadata<'_>) -> bool {
    event.target() == "stderr"
}

#[derive(Default)]
struct Line {
    message: String,
    /// Which server it is about.
    upstream: String,
    fields: String,
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "upstream" {
            value.clone_into(&mut self.upstream);
        }
        self.record_debug(field, &value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        use fmt::Write as _;
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
