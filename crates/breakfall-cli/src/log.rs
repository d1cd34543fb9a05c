//! The log, on stderr: events of Breakfall, and the stderr of servers.

mod limits;
mod queue;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::writer::{MakeWriter, OptionalWriter};
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

/// Starts the log; once, in commands that run a server.
pub(crate) fn start(log: &LogArgs, verbosity: DefaultVerbosity) {
    let has_level = log.level.is_some();
    // A command whose output is for a person at a terminal has no times in it, unless a log is asked for.
    let is_timed = has_level || matches!(verbosity, DefaultVerbosity::Everything);
    IS_TIMED.store(is_timed, Ordering::Relaxed);
    let verbosity = (!has_level).then_some(verbosity);
    let builder = tracing_subscriber::fmt()
        .with_max_level(log.level.unwrap_or(LogLevel::Info))
        .with_writer(LogWriter(verbosity));
    // It fails only if a log was set before.
    let _ = match log.format.unwrap_or(LogFormat::Text) {
        LogFormat::Text => {
            tracing::subscriber::set_global_default(builder.event_format(TextLogFormat).finish())
        }
        LogFormat::Json => {
            output::use_json();
            let builder = builder.json().flatten_event(true);
            tracing::subscriber::set_global_default(builder.finish())
        }
    };
}

/// Decides which events reach the queue.
struct LogWriter(Option<DefaultVerbosity>);

impl LogWriter {
    fn passes(&self, event: &Metadata<'_>) -> bool {
        match self.0 {
            None | Some(DefaultVerbosity::Everything) => true,
            Some(DefaultVerbosity::Server) => {
                is_of_server(event) || event.target() == "stdout" || *event.level() == Level::ERROR
            }
        }
    }
}

impl MakeWriter<'_> for LogWriter {
    type Writer = OptionalWriter<LogQueue>;

    fn make_writer(&self) -> Self::Writer {
        OptionalWriter::some(LogQueue::stderr())
    }

    fn make_writer_for(&self, event: &Metadata<'_>) -> Self::Writer {
        let queue = LogQueue::stderr();
        if self.passes(event) && queue.admits(event) {
            OptionalWriter::some(queue)
        } else {
            OptionalWriter::none()
        }
    }
}

/// One line for each event; further lines of a message are indented. A line of a server begins with its name in brackets, as
/// no other line does, so that no server can imitate another, or the gateway.
struct TextLogFormat;

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
        let time = time();
        if is_of_server(event.metadata()) {
            let name = output::printable(&line.upstream);
            let text = output::printable_cells(&line.message);
            return writeln!(writer, "{time}[{name}] {text}");
        }
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        let message = output::printable_lines(line.message.trim_end());
        let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
        let fields = output::printable_cells(&line.fields);
        writeln!(writer, "{time}breakfall: {level}: {first}{fields}")?;
        // The private report of a fault has several lines.
        rest.lines()
            .try_for_each(|line| writeln!(writer, "  {line}"))
    }
}

/// A line of the log itself, as a warning.
fn own_line(text: &str) -> String {
    if output::is_json() {
        output::json_text("WARN", text, json!({}))
    } else {
        format!("{}breakfall: warn: {text}\n", time())
    }
}

/// The beginning of a line.
fn time() -> String {
    if IS_TIMED.load(Ordering::Relaxed) {
        format!("{:.3} ", Timestamp::now())
    } else {
        String::new()
    }
}

static IS_TIMED: AtomicBool = AtomicBool::new(false);

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
