//! The log, on stderr: events of Breakfall, and the stderr of servers.

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

use crate::args::{LogArgs, LogFormat, LogLevel};
use crate::output;
use queue::LogQueue;

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

/// How much is logged without `--log`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DefaultVerbosity {
    /// Everything up to the level.
    Everything,
    /// Output of the server and errors; the command itself prints the rest.
    Server,
}

/// How many servers write to the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerCount {
    /// One: its stderr is passed on unchanged to the user who started it.
    One,
    /// Many: each line carries the name of its server, so that no server can imitate another, or the gateway.
    Many,
}

/// Starts the log; once, in commands that run a server.
pub(crate) fn start(log: &LogArgs, verbosity: DefaultVerbosity, servers: ServerCount) {
    let passes = move |event: &Metadata<'_>| match verbosity {
        DefaultVerbosity::Everything => true,
        DefaultVerbosity::Server => {
            is_of_server(event) || event.target() == "stdout" || *event.level() == Level::ERROR
        }
    };
    let has_level = log.level.is_some();
    let builder = tracing_subscriber::fmt()
        .with_max_level(log.level.unwrap_or(LogLevel::Info))
        .with_writer(LogQueue::stderr.with_filter(move |event| has_level || passes(event)));
    // It fails only if a log was set before.
    let _ = match log.format.unwrap_or(LogFormat::Text) {
        LogFormat::Text => tracing::subscriber::set_global_default(
            builder.event_format(TextLogFormat(servers)).finish(),
        ),
        LogFormat::Json => {
            output::use_json();
            let builder = builder.json().flatten_event(true);
            tracing::subscriber::set_global_default(builder.finish())
        }
    };
}

/// One line for each event; stderr of a single server unchanged.
struct TextLogFormat(ServerCount);

impl<S, N> FormatEvent<S, N> for TextLogFormat
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
        let mut line = EventLine::default();
        event.record(&mut line);
        if is_of_server(event.metadata()) {
            return match self.0 {
                ServerCount::One => writeln!(writer, "{}", line.message),
                ServerCount::Many => {
                    let text = output::printable_lines(&line.message);
                    writeln!(writer, "[{}] {text}", line.upstream)
                }
            };
        }
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        // The private report of a fault has several lines; those after the first are indented.
        let message = output::printable_lines(line.message.trim_end()).replace('\n', "\n  ");
        // The fields get a line of their own after a message of several lines.
        let between = if message.contains('\n') && !line.fields.is_empty() {
            "\n "
        } else {
            ""
        };
        let fields = output::printable_lines(&line.fields);
        writeln!(writer, "breakfall: {level}: {message}{between}{fields}")
    }
}

/// Whether it is a line of a server's stderr.
fn is_of_server(event: &Metadata<'_>) -> bool {
    event.target() == "stderr"
}

#[derive(Default)]
struct EventLine {
    message: String,
    /// The name of the server.
    upstream: String,
    fields: String,
}

impl Visit for EventLine {
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
