//! Bytes that mean something inside a JSON string: a quote, a backslash, or what may not be there.

use wide::u8x16;

/// How many bytes are looked at together.
pub(super) const BLOCK: usize = 32;

/// Where those of a block are, one bit for each byte, the first in the lowest.
pub(super) fn all(block: &[u8; BLOCK]) -> u32 {
    let (halves, _) = block.as_chunks();
    let found = |half: [u8; BLOCK / 2]| {
        let bytes = u8x16::new(half);
        let is_quote = bytes.simd_eq(u8x16::splat(b'"'));
        let is_backslash = bytes.simd_eq(u8x16::splat(b'\\'));
        let is_control = bytes.min(u8x16::splat(0x1f)).simd_eq(bytes);
        (is_quote | is_backslash | is_control).to_bitmask()
    };
    found(halves[0]) | found(halves[1]) << (BLOCK / 2)
}

/// The first one from some place on: for what is short, or left of a text.
pub(super) fn first(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    // Eight at a time. A byte behind the first one found may be found wrongly, so only the first one counts.
    while let Some(word) = bytes.get(at..)?.first_chunk() {
        let word = u64::from_le_bytes(*word);
        let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let is_control = word.wrapping_sub(ONES * 0x20) & !word;
        let found = is_zero(word ^ (ONES * 0x22)) | is_zero(word ^ (ONES * 0x5c)) | is_control;
        let found = found & (ONES * 0x80);
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    Some(at + bytes[at..].iter().position(|byte| is_special(*byte))?)
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_byte_is_told_apart_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..BLOCK {
                let mut block = [b'a'; BLOCK];
                block[place] = byte;
                let want = is_special(byte);
                assert_eq!(all(&block), u32::from(want) << place, "{byte} at {place}");
                assert_eq!(first(&block, 0), want.then_some(place), "{byte} at {place}");
            }
        }
    }

    #[test]
    fn neighbours_are_not_taken_for_it() {
        for at in 0..20 {
            for special in ['"', '\\', '\u{0}', '\u{1f}'] {
                // They differ from it in one bit, or look like it with the highest bit set.
                for other in ["a", " ", "!", "#", "\u{7f}", "\u{a2}", "\u{dc}"] {
                    let before = other.repeat(at);
                    let text = format!("\"{before}{special}\"\"\"\"\"\"\"\"");
                    let found = first(text.as_bytes(), 1);
                    assert_eq!(found, Some(1 + before.len()), "{text:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn all_of_them_are_found(block in prop::array::uniform32(prop_oneof![Just(b'"'), Just(b'\\'), any::<u8>()]), from in 0..BLOCK) {
            let places = block.iter().enumerate().filter(|(_, byte)| is_special(**byte));
            let want = places.fold(0, |all, (place, _)| all | 1_u32 << place);
            prop_assert_eq!(all(&block), want);
            let next = (want >> from) << from;
            prop_assert_eq!(first(&block, from), (next != 0).then(|| next.trailing_zeros() as usize));
        }
    }
}
