//! Chance that is the same in every run.

/// A stream of numbers out of a seed (`SplitMix64`): no dependency, and every case has a stream of its own, so that a
/// case stays what it is when others come and go.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of one case: it begins anywhere, so that no two cases overlap.
    pub fn stream(seed: u64, case: usize) -> Self {
        Self(mixed(mixed(seed).wrapping_add(case as u64)))
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mixed(self.0)
    }

    /// From 0 to just below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.draw() % (bound.max(1) as u64)).unwrap_or_default()
    }

    /// From the lowest to the highest, both possible.
    pub fn between(&mut self, lowest: usize, highest: usize) -> usize {
        lowest + self.below(highest - lowest + 1)
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of them.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// So many characters of an ASCII alphabet.
    pub fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        (0..length)
            .map(|_| char::from(self.pick(letters)))
            .collect()
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.draw().to_le_bytes()[0]).collect()
    }

    pub(crate) fn digits(&mut self, length: usize) -> String {
        self.text(DIGITS, length)
    }

    /// Digits that do not begin with zero.
    pub(crate) fn number(&mut self, length: usize) -> String {
        self.text("123456789", 1) + &self.digits(length - 1)
    }

    pub(crate) fn hex(&mut self, length: usize) -> String {
        self.text(HEX, length)
    }

    pub(crate) fn uuid(&mut self) -> String {
        let digits = self.hex(30);
        let variant = self.text("89ab", 1);
        let (start, rest) = digits.split_at(15);
        format!(
            "{}-{}-4{}-{variant}{}-{}",
            &start[..8],
            &start[8..12],
            &start[12..],
            &rest[..3],
            &rest[3..]
        )
    }

    /// A string no dictionary has: letters of both cases and digits, each at least once.
    pub(crate) fn strong(&mut self, length: usize) -> String {
        let (lower, upper) = (self.text(LOWER, 1), self.text(UPPER, 1));
        let digit = self.digits(1);
        self.text(ALNUM, length.saturating_sub(3)) + &upper + &digit + &lower
    }
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

pub(crate) const DIGITS: &str = "0123456789";
pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
pub(crate) const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
pub(crate) const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(crate) const LOWER_ALNUM: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
pub(crate) const UPPER_ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
pub(crate) const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/// The alphabet of base64url, which many vendors draw their tokens from.
pub(crate) const URL_SAFE: &str =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
