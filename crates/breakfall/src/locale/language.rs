//! The languages there are, and which of them a caller wants.

use std::fmt;

/// A language the built-in rows have been translated to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Language {
    /// The language of the rows.
    #[default]
    English,
    /// Español.
    Spanish,
    /// Deutsch.
    German,
    /// 日本語.
    Japanese,
}

impl Language {
    /// Every language, the default first.
    pub const ALL: &'static [Self] = &[Self::English, Self::Spanish, Self::German, Self::Japanese];

    /// The BCP 47 tag.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::German => "de",
            Self::Japanese => "ja",
        }
    }

    /// The best built-in language for a caller's language preferences: BCP 47 ranges with or without weights, as
    /// `Accept-Language` has them, best first among equals. `None` if no built-in language matches.
    ///
    /// A region is ignored, `*` stands for every language not named beside it, a weight of zero rules a language
    /// out, and a range that is not well formed is not there. Only the first few kilobytes are read.
    ///
    /// ```
    /// use breakfall::locale::Language;
    ///
    /// assert_eq!(Language::negotiate("de-AT"), Some(Language::German));
    /// assert_eq!(Language::negotiate("fr, ja;q=0.8, en;q=0.9"), Some(Language::English));
    /// assert_eq!(Language::negotiate("zh"), None);
    /// ```
    pub fn negotiate(ranges: &str) -> Option<Self> {
        let mut ranges: Vec<LanguageRange<'_>> = within_limit(ranges)
            .split(',')
            .filter_map(LanguageRange::parse)
            .take(MOST_RANGES)
            .collect();
        // Stable, so that order decides among equals.
        ranges.sort_by_key(|range| std::cmp::Reverse(range.weight));
        let wanted = ranges.iter().filter(|range| range.weight > 0);
        wanted.map(|range| range.pick(&ranges)).find_map(|it| it)
    }

    /// What stands between things said one after the other.
    pub(super) const fn between(self) -> &'static str {
        match self {
            Self::English | Self::Spanish | Self::German => "; ",
            Self::Japanese => "；",
        }
    }

    /// What stands between the parts of a sentence, and what ends it.
    pub(super) const fn stops(self) -> (&'static str, &'static str) {
        match self {
            Self::English | Self::Spanish | Self::German => ("; ", "."),
            Self::Japanese => ("。", "。"),
        }
    }

    fn of_primary(subtag: &str) -> Option<Self> {
        let known = |language: &&Self| language.as_str().eq_ignore_ascii_case(subtag);
        Self::ALL.iter().find(known).copied()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A language range: its first subtag, whether it is the only one, and its weight in thousandths.
#[derive(Clone, Copy)]
struct LanguageRange<'a> {
    primary: &'a str,
    bare: bool,
    weight: u16,
}

impl<'a> LanguageRange<'a> {
    fn parse(item: &'a str) -> Option<Self> {
        let mut parts = item.split(';').map(str::trim);
        let tag = parts.next()?;
        let mut weight = 1000;
        for parameter in parts {
            let (name, value) = parameter.split_once('=')?;
            if name.trim().eq_ignore_ascii_case("q") {
                weight = thousandths(value.trim())?;
            }
        }
        // Underscores are not BCP 47, but half the world writes them.
        let mut subtags = tag.split(['-', '_']);
        let primary = subtags.next()?;
        let letters = primary.bytes().all(|b| b.is_ascii_alphabetic());
        let starts_well = primary == "*" || (letters && (1..=8).contains(&primary.len()));
        let is_subtag = |subtag: &str| {
            subtag == "*"
                || ((1..=8).contains(&subtag.len())
                    && subtag.bytes().all(|b| b.is_ascii_alphanumeric()))
        };
        let mut bare = true;
        for subtag in subtags {
            bare = false;
            if !is_subtag(subtag) {
                return None;
            }
        }
        starts_well.then_some(Self {
            primary,
            bare,
            weight,
        })
    }

    /// The language this range asks for, unless another rules it out.
    fn pick(&self, all: &[Self]) -> Option<Language> {
        let ruled_out = |language: Language| {
            let names = |range: &&Self| range.names(language);
            all.iter()
                .filter(names)
                .any(|range| range.bare && range.weight == 0)
        };
        let named = |language: Language| all.iter().any(|range| range.names(language));
        if self.primary != "*" {
            return Language::of_primary(self.primary).filter(|language| !ruled_out(*language));
        }
        let mut rest = Language::ALL.iter().copied();
        rest.find(|language| !named(*language))
    }

    fn names(&self, language: Language) -> bool {
        Language::of_primary(self.primary) == Some(language)
    }
}

/// A weight from 0 to 1 with up to three decimals.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let part: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(part),
        "1" => (part == 0).then_some(1000),
        _ => None,
    }
}

/// What is read of a list: whole ranges, up to the limit.
fn within_limit(ranges: &str) -> &str {
    if ranges.len() <= MOST_BYTES {
        return ranges;
    }
    let cut = &ranges[..ranges.floor_char_boundary(MOST_BYTES)];
    cut.rsplit_once(',').map_or("", |(whole, _)| whole)
}

const MOST_BYTES: usize = 4096;
const MOST_RANGES: usize = 64;
