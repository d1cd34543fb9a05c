//! The secrets of a server, which its words must not show.

use std::fmt;

use breakfall::redact::{Audience, Redactor};
use breakfall_gateway::config::{UpstreamSettings, UpstreamSource};

use crate::server;

/// The values a server was given.
#[derive(Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// Values of variables and headers, words of the command line that are credentials, and what references stand for.
    pub(super) fn of(settings: &UpstreamSettings, references: Vec<String>) -> Self {
        let mut all = references;
        if let UpstreamSource::Command(command) = &settings.source {
            all.extend(
                command
                    .env
                    .iter()
                    .map(|(_, value)| value.reveal().to_owned()),
            );
            let words = std::iter::once(&command.program).chain(&command.args);
            let words: Vec<_> = words.map(|word| word.reveal().to_owned()).collect();
            for (word, shown) in words.iter().zip(server::shown(&words)) {
                let word = word.to_string_lossy();
                if word != shown {
                    all.extend(word.split_once('=').map(|(_, value)| value.to_owned()));
                    all.push(word.into_owned());
                }
            }
        }
        if let UpstreamSource::Url(remote) = &settings.source {
            for (_, value) in &remote.headers {
                let value = value.reveal();
                all.extend(value.split_once(' ').map(|(_, token)| token.to_owned()));
                all.push(value.to_owned());
            }
        }
        all.retain(|value| value.len() >= MIN_BYTES);
        // A value may be part of another.
        all.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self(all)
    }

    /// A text without them, and without whatever else is a credential.
    pub(super) fn remove(&self, text: &str) -> String {
        let text = self.without_values(text);
        Redactor::new(Audience::Operator).text(&text).into_owned()
    }

    /// A text of this program without them.
    pub(super) fn without_values(&self, text: &str) -> String {
        let values = self.0.iter();
        values.fold(text.to_owned(), |text, value| {
            text.replace(value, "[redacted]")
        })
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

/// Shorter values are words of every text: `1`, `true`, `info`.
const MIN_BYTES: usize = 6;
