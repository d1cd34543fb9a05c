//! The leak corpus: what must not get through a redactor, and what must.
//!
//! Half of it is written by hand (`crates/testing/corpus/*.json`), half is drawn here by a seed out of public formats,
//! in random texts of failing servers. Rules are written by the first half only; the second is the exam, and is
//! reported apart.

mod context;
mod encoding;
mod fields;
mod find;
mod innocents;
mod leaks;
mod plant;
mod random;
#[cfg(test)]
mod tests;
mod unseen;
mod words;
mod written;

use std::env;
use std::fmt;

pub use encoding::percent;
pub use fields::{Header, Keyed};
pub use find::{Needle, contains};
pub use random::Random;
pub use unseen::{UnseenResult, UnseenSecret, UnseenText, measure, unseen};

/// Where a case is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "two halves make a whole")]
pub enum Half {
    /// By hand.
    Written,
    /// By seed.
    Generated,
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Written => "written",
            Self::Generated => "generated",
        })
    }
}

/// A text with secrets planted in it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Leak {
    /// Where it is from.
    pub half: Half,
    /// What kind of leak it is.
    pub family: String,
    /// What a server said.
    pub text: String,
    /// What must be gone.
    pub secrets: Vec<String>,
    /// What a reader still needs.
    pub keep: Vec<String>,
}

/// A text that must stay as it is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Innocent {
    /// Where it is from.
    pub half: Half,
    /// What it looks like.
    pub kind: String,
    /// What a server said.
    pub text: String,
}

/// Both halves.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Corpus {
    /// What must not get through.
    pub leaks: Vec<Leak>,
    /// What must.
    pub innocents: Vec<Innocent>,
    /// Secrets and harmless values in headers; generated only.
    pub headers: Vec<Header>,
    /// Secrets and harmless values under keys; generated only.
    pub keyed: Vec<Keyed>,
}

impl Corpus {
    /// Both halves; seed and size of the generated one as the environment says.
    ///
    /// # Errors
    /// When a file of the written half is malformed, or the environment names no number.
    pub fn load() -> Result<Self, Malformed> {
        let mut corpus = Self::written()?;
        let generated = Self::generated(Draw::from_environment()?);
        corpus.leaks.extend(generated.leaks);
        corpus.innocents.extend(generated.innocents);
        corpus.headers = generated.headers;
        corpus.keyed = generated.keyed;
        Ok(corpus)
    }

    /// The half written by hand.
    ///
    /// # Errors
    /// When a file is not what it should be; the error names the file, and the case where there is one.
    pub fn written() -> Result<Self, Malformed> {
        Ok(Self {
            leaks: written::leaks(include_str!("../../corpus/leaks.json"))?,
            innocents: written::innocents(include_str!("../../corpus/innocent.json"))?,
            ..Self::default()
        })
    }

    /// The half drawn by a seed. A case depends on the seed and its own number, not on how many there are.
    pub fn generated(draw: Draw) -> Self {
        let numbers = 0..draw.size;
        Self {
            leaks: numbers
                .clone()
                .map(|number| leak(draw.seed, number))
                .collect(),
            innocents: numbers
                .clone()
                .map(|number| innocent(draw.seed, number))
                .collect(),
            headers: numbers
                .clone()
                .map(|number| fields::header(&mut stream(draw, HEADERS, number)))
                .collect(),
            keyed: numbers
                .map(|number| fields::keyed(&mut stream(draw, KEYED, number)))
                .collect(),
        }
    }

    /// How many families of leaks the generated half has, "several at once" included.
    pub const fn families() -> usize {
        leaks::FAMILIES.len() + 1
    }
}

/// What to draw.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a seed and a size, no more")]
pub struct Draw {
    /// The same seed draws the same cases.
    pub seed: u64,
    /// How many leaks, and how many innocents.
    pub size: usize,
}

impl Default for Draw {
    /// Each family five times, so that each is seen in every language.
    fn default() -> Self {
        Self {
            seed: 0x000B_7EAF,
            size: 5 * Corpus::families(),
        }
    }
}

impl Draw {
    /// `BREAKFALL_CORPUS_SEED` and `BREAKFALL_CORPUS_SIZE`, where they are set.
    ///
    /// # Errors
    /// When one of them is not a number.
    pub fn from_environment() -> Result<Self, Malformed> {
        let usual = Self::default();
        Ok(Self {
            seed: number("BREAKFALL_CORPUS_SEED")?.unwrap_or(usual.seed),
            size: number("BREAKFALL_CORPUS_SIZE")?.unwrap_or(usual.size),
        })
    }
}

fn number<N: std::str::FromStr>(name: &str) -> Result<Option<N>, Malformed> {
    let Ok(text) = env::var(name) else {
        return Ok(None);
    };
    let number = text
        .parse()
        .map_err(|_| Malformed(format!("{name} is no number: '{text}'")))?;
    Ok(Some(number))
}

/// What is wrong with the written half, or with how it was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub struct Malformed(String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

fn leak(seed: u64, number: usize) -> Leak {
    let mut random = Random::stream(seed ^ LEAKS, number);
    let at = number % Corpus::families();
    let (family, scene) = if let Some((name, make)) = leaks::FAMILIES.get(at) {
        let plant = make(&mut random);
        (*name, context::set(&mut random, plant))
    } else {
        let plants = (0..random.between(2, 4)).map(|_| random.pick(leaks::FAMILIES).1(&mut random));
        let plants = plants.collect();
        ("several", context::set_all(&mut random, plants))
    };
    Leak {
        half: Half::Generated,
        family: family.to_owned(),
        text: scene.text,
        secrets: scene.secret,
        keep: scene.keep,
    }
}

fn innocent(seed: u64, number: usize) -> Innocent {
    let mut random = Random::stream(seed ^ INNOCENTS, number);
    let (kind, make) = innocents::KINDS[number % innocents::KINDS.len()];
    let harmless = make(&mut random);
    let text = context::surround(&mut random, &harmless.text, harmless.form);
    Innocent {
        half: Half::Generated,
        kind: kind.to_owned(),
        text,
    }
}

fn stream(draw: Draw, part: u64, number: usize) -> Random {
    Random::stream(draw.seed ^ part, number)
}

/// Different streams for different parts, so that none follows another.
const LEAKS: u64 = 1 << 40;
const INNOCENTS: u64 = 2 << 40;
const HEADERS: u64 = 3 << 40;
const KEYED: u64 = 4 << 40;
