//! The end of a JSON string.

/// The place of the quote that ends a string, looked for from some place inside the string.
pub fn string_end(bytes: &[u8], inside: usize) -> Option<usize> {
    let mut at = inside;
    loop {
        at = next_special(bytes, at)?;
        match bytes[at] {
            b'"' => return Some(at),
            b'\\' => at += 2,
            // Not valid there, which others report.
            _ => at += 1,
        }
    }
}

/// The next quote, backslash or control character: all that matters inside a string.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "a branch for each byte keeps the compiler from vectorizing the loop"
)]
pub(super) fn next_special(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(block) = bytes.get(at..)?.first_chunk::<BLOCK_BYTES>() {
        let found = block.iter().fold(false, |found, &byte| {
            found | (byte == b'"') | (byte == b'\\') | (byte < b' ')
        });
        if found {
            break;
        }
        at += BLOCK_BYTES;
    }
    while let Some(word) = bytes[at..].first_chunk() {
        let found = special_bytes(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += size_of::<u64>();
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..b' ');
    Some(at + bytes[at..].iter().position(is_special)?)
}

/// Has the highest bit of each special byte set. A byte above the lowest special one may be marked wrongly.
fn special_bytes(word: u64) -> u64 {
    let below = |word: u64, least: u64| word.wrapping_sub(ONES * least) & !word;
    let is_quote = below(word ^ (ONES * u64::from(b'"')), 1);
    let is_backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
    let is_control = below(word, u64::from(b' '));
    (is_quote | is_backslash | is_control) & (ONES * 0x80)
}

/// How many bytes are skipped at a time while none is special.
const BLOCK_BYTES: usize = 16;
/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_a_quote_without_a_backslash_ends_a_string() {
        for (text, want) in [
            (r#"""#, Some(0)),
            (r#"a"b"#, Some(1)),
            (r#"\"a""#, Some(3)),
            (r#"\\"a""#, Some(2)),
            (r#"\\\"a"#, None),
            (r"a\", None),
            ("", None),
        ] {
            assert_eq!(string_end(text.as_bytes(), 0), want, "{text}");
        }
    }

    #[test]
    fn each_special_byte_is_found_at_each_place() {
        for byte in 0..=u8::MAX {
            for place in 0..2 * BLOCK_BYTES {
                // The neighbours differ from a special byte in one bit.
                for other in [b'a', b' ', b'!', b'#', b'\x7f', b'\xa2', b'\xdc'] {
                    let mut bytes = [other; 2 * BLOCK_BYTES + 5];
                    bytes[place] = byte;
                    let is_special = byte < b' ' || matches!(byte, b'"' | b'\\');
                    let found = next_special(&bytes, place / 2);
                    assert_eq!(
                        found,
                        is_special.then_some(place),
                        "{byte} at {place} in {other}"
                    );
                }
            }
        }
        assert_eq!(next_special(b"a", 2), None);
    }

    proptest! {
        #[test]
        fn the_end_of_any_string_is_found(text in "\\PC{0,20}|[\"\\\\\n]{0,9}", rest in "[\"\\\\a]{0,5}") {
            let json = serde_json::Value::from(text).to_string();
            let both = format!("{json}{rest}");
            prop_assert_eq!(string_end(both.as_bytes(), 1), Some(json.len() - 1));
        }
    }
}
