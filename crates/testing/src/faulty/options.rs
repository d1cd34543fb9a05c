//! The command line.

use std::path::PathBuf;

use super::behaviour::{Behaviour, When};

/// What to do.
#[derive(Debug)]
pub(super) enum Wanted {
    List,
    Serve(Options),
}

/// How to serve.
#[derive(Debug, Default)]
pub(super) struct Options {
    /// Behaviours of the start, each with the value it was given.
    pub start: Vec<(Behaviour, Option<u64>)>,
    pub eras: Eras,
    /// Where the tool `count` counts, over all starts.
    pub count: Option<PathBuf>,
    /// The file to which each call with an argument `key` appends that key.
    pub keys: Option<PathBuf>,
    /// The file to which each process appends its id.
    pub trail: Option<PathBuf>,
    /// SIGTERM is ignored already.
    pub armoured: bool,
}

/// Which eras of the protocol it admits to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Eras {
    #[default]
    Both,
    Legacy,
    Modern,
}

impl Options {
    /// # Errors
    /// With a sentence about the first argument that makes no sense.
    pub(super) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Wanted, String> {
        let mut options = Self {
            count: std::env::var_os("FAULT_COUNT_FILE").map(PathBuf::from),
            trail: std::env::var_os("FAULT_TRAIL").map(PathBuf::from),
            ..Self::default()
        };
        while let Some(flag) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{flag} needs a value"));
            match flag.as_str() {
                "--list" => return Ok(Wanted::List),
                "--start" => options.start.push(start(&value()?)?),
                "--era" => options.eras = eras(&value()?)?,
                "--count-file" => options.count = Some(PathBuf::from(value()?)),
                "--keys" => options.keys = Some(PathBuf::from(value()?)),
                "--trail" => options.trail = Some(PathBuf::from(value()?)),
                "--armoured" => options.armoured = true,
                _ => return Err(format!("there is no flag {flag}")),
            }
        }
        Ok(Wanted::Serve(options))
    }

    /// The value a behaviour of the start has, if it was asked for.
    pub(super) fn starts(&self, behaviour: Behaviour, default: u64) -> Option<u64> {
        let (_, value) = self.start.iter().find(|(each, _)| *each == behaviour)?;
        Some(value.unwrap_or(default))
    }

    pub(super) fn shows(&self, behaviour: Behaviour) -> bool {
        self.starts(behaviour, 0).is_some()
    }
}

fn start(text: &str) -> Result<(Behaviour, Option<u64>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    let behaviour = Behaviour::named(name)
        .filter(|each| each.when() == When::Start)
        .ok_or(format!("no start is called {name}; see --list"))?;
    let value = value
        .map(str::parse)
        .transpose()
        .map_err(|error| format!("{text}: {error}"))?;
    Ok((behaviour, value))
}

fn eras(name: &str) -> Result<Eras, String> {
    match name {
        "both" => Ok(Eras::Both),
        "legacy" => Ok(Eras::Legacy),
        "modern" => Ok(Eras::Modern),
        _ => Err(format!("no era is called {name}: both, legacy, modern")),
    }
}
