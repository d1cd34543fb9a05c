//! Our log, on stderr: what we say, and what the server behind us says there, which its users are used to see.

use std::fmt;
use std::io;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::args::{LogFormat, LogLevel};

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

/// Starts it. Done once, by commands that run for long.
pub(crate) fn start(level: LevelFilter, format: LogFormat) {
    let builder = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr);
    // It fails only if there is a log already.
    let _ = match format {
        LogFormat::Text => {
            tracing::subscriber::set_global_default(builder.event_format(Lines).finish())
        }
        LogFormat::Json => {
            let builder = builder.json().flatten_event(true);
            tracing::subscriber::set_global_default(builder.finish())
        }
    };
}

/// One line an event. What the server said stands there as it said it.
struct Lines;

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
        if event.metadata().target() == "stderr" {
            return writeln!(writer, "{}", line.message);
        }
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        // The private report of a fault has several lines; they stay together below the first.
        let message = line.message.trim_end().replace('\n', "\n  ");
        writeln!(writer, "breakfall: {level}: {message}{}", line.fields)
    }
}

#[derive(Default)]
struct Line {
    message: String,
    fields: String,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        use fmt::Write as _;
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
