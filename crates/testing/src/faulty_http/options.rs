//! What to be from the start on.

use super::behaviour::{Behaviour, When};

/// Which versions of the protocol it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Eras {
    /// Those with sessions.
    Legacy,
    /// The one without.
    Modern,
    /// All.
    #[default]
    Both,
}

/// What to be from the start on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub(super) eras: Eras,
    pub(super) start: Option<Behaviour>,
}

impl Options {
    /// Speaks only some versions of the protocol.
    #[must_use]
    pub fn eras(mut self, eras: Eras) -> Self {
        self.eras = eras;
        self
    }

    /// Misbehaves from the start on.
    #[must_use]
    pub fn start(mut self, behaviour: Behaviour) -> Self {
        self.start = Some(behaviour);
        self
    }

    pub(super) fn shows(self, behaviour: Behaviour) -> bool {
        self.start == Some(behaviour)
    }

    /// Reads `--start NAME` and `--era legacy|modern|both`.
    pub(super) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(flag) = arguments.next() {
            let value = arguments.next();
            let value = value.ok_or_else(|| format!("{flag} without a value"))?;
            match flag.as_str() {
                "--start" => {
                    let known = Behaviour::named(&value).filter(|each| each.when() == When::Start);
                    let behaviour = known.ok_or_else(|| format!("no start is called {value:?}"))?;
                    options = options.start(behaviour);
                }
                "--era" => {
                    options = options.eras(match value.as_str() {
                        "legacy" => Eras::Legacy,
                        "modern" => Eras::Modern,
                        "both" => Eras::Both,
                        _ => return Err(format!("no era is called {value:?}")),
                    });
                }
                _ => return Err(format!("no flag is called {flag:?}")),
            }
        }
        Ok(options)
    }
}
