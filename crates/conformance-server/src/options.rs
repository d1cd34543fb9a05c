//! What the command line says.

use std::fmt;

/// The command line.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) place: Place,
    pub(crate) era: Era,
}

/// Where to serve.
#[derive(Debug, PartialEq)]
pub(crate) enum Place {
    Http(u16),
    Stdio,
}

/// Which versions of the protocol to speak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Era {
    Both,
    /// Up to 2025-11-25: with a handshake.
    Legacy,
    /// From 2026-07-28 on: every request for itself.
    Modern,
}

impl Options {
    /// Reads the arguments after the program's name.
    ///
    /// # Errors
    /// When they say too little, or something else.
    pub(crate) fn read(arguments: impl IntoIterator<Item = String>) -> Result<Self, Usage> {
        let mut arguments = arguments.into_iter();
        let mut place = None;
        let mut era = Era::Both;
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--stdio" => place = Some(Place::Stdio),
                "--http" => {
                    let port = arguments.next().and_then(|port| port.parse().ok());
                    place = Some(Place::Http(port.ok_or(Usage)?));
                }
                "--era" => {
                    era = match arguments.next().as_deref() {
                        Some("both") => Era::Both,
                        Some("legacy") => Era::Legacy,
                        Some("modern") => Era::Modern,
                        Some(_) | None => return Err(Usage),
                    };
                }
                _ => return Err(Usage),
            }
        }
        let place = place.ok_or(Usage)?;
        Ok(Self { place, era })
    }
}

/// The command line is wrong.
#[derive(PartialEq)]
pub(crate) struct Usage;

impl fmt::Display for Usage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(
            "usage: conformance-server (--http PORT | --stdio) [--era both|legacy|modern]",
        )
    }
}

/// The same as for people: it is what `main` prints.
impl fmt::Debug for Usage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for Usage {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, Usage> {
        Options::read(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_place_and_an_era_are_read() {
        let both = |place| Options {
            place,
            era: Era::Both,
        };
        assert_eq!(read("--http 0"), Ok(both(Place::Http(0))));
        assert_eq!(read("--stdio"), Ok(both(Place::Stdio)));
        let legacy = Options {
            place: Place::Stdio,
            era: Era::Legacy,
        };
        assert_eq!(read("--era legacy --stdio"), Ok(legacy));
    }

    #[test]
    fn anything_else_is_refused() {
        for line in [
            "",
            "--http",
            "--http x",
            "--era legacy",
            "--stdio --era old",
            "--stdio x",
        ] {
            assert_eq!(read(line), Err(Usage), "{line}");
        }
    }
}
