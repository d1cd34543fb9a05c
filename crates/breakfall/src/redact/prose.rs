//! Sentences about secrets: what in them is the secret, and which words stand where a value could.

use super::assigned::{AssignedValue, VALUE, bare, close, is_mixed, open, typographic};
use super::bytes::{WordSet, follows, is_blank, is_quote, is_random, is_uuid, run};
use super::keys::{KeyMeaning, ValueProof};
use super::mark::is_marker;

/// "the access token is …", "with password '…'", "token (…)", "passphrase for key: …"
pub(super) fn prose(text: &[u8], at: usize, named: KeyMeaning) -> Option<AssignedValue> {
    let mut at = at;
    if named.force == ValueProof::Any || named.is_compound {
        let word = if follows(text, at, b"is ") {
            at + 3
        } else {
            at
        };
        let (inside, quote) = open(text, word);
        if quote.is_some() {
            let value = AssignedValue {
                start: inside,
                end: close(text, inside, quote),
            };
            let piece = &text[value.start..value.end];
            let one = !piece.is_empty()
                && !piece.contains(&b' ')
                && !is_placeholder(piece)
                && !is_word_of_prose(piece);
            let looks = named.force == ValueProof::Any || is_mixed(piece);
            return (one && looks).then_some(value);
        }
    }
    // A few words may stand between, in the same clause.
    for _ in 0..4 {
        let skip = run(text, at, 4, |byte| {
            is_blank(byte) || is_quote(byte) || matches!(byte, b'(' | b'[' | b':' | b'=')
        });
        let start = typographic(text, skip).unwrap_or(skip);
        let far = text.len().min(start.saturating_add(VALUE));
        let end = bare(text, start, far);
        let piece = text[start..end]
            .strip_suffix(b".")
            .unwrap_or(&text[start..end]);
        if looks_secret(piece, named) {
            return Some(AssignedValue {
                start,
                end: start + piece.len(),
            });
        }
        let word = run(text, start, 16, |byte| byte.is_ascii_alphabetic());
        if word == start || word < end && !matches!(text[word], b':' | b'=') {
            return None;
        }
        at = word;
    }
    None
}

/// Whether a piece of prose after the name of a secret is that secret.
fn looks_secret(piece: &[u8], named: KeyMeaning) -> bool {
    let ascii = piece.iter().take_while(|byte| byte.is_ascii()).count();
    let piece = &piece[..ascii];
    if is_uuid(piece)
        || piece.contains(&b'/') && !piece.iter().any(u8::is_ascii_digit)
        || is_placeholder(piece)
    {
        return false;
    }
    let parts = piece.split(|byte| matches!(byte, b'-' | b'.' | b'/' | b':'));
    let longest = parts.max_by_key(|part| part.len()).unwrap_or_default();
    match named.force {
        ValueProof::Any => {
            piece.len() >= 5
                && piece.iter().any(u8::is_ascii_digit)
                && piece.iter().any(u8::is_ascii_alphabetic)
        }
        ValueProof::Mixed => longest.len() >= 12 && piece.len() >= 16 && is_random(longest),
    }
}

/// Whether a piece is a placeholder rather than a value.
pub(super) fn is_placeholder(piece: &[u8]) -> bool {
    let Some(&first) = piece.first() else {
        return true;
    };
    let masked = piece
        .iter()
        .all(|byte| matches!(byte, b'*' | b'.' | b'x' | b'X' | b'-' | b'_' | b'#' | b'?'));
    let variable = matches!(first, b'<')
        || piece.starts_with(b"${")
            && memchr::memchr(b'}', piece).is_none_or(|close| close + 1 == piece.len())
        || piece.starts_with(b"$(")
        || piece.starts_with(b"{{")
        || piece.starts_with(b"%(")
        || piece.starts_with(b"[[");
    let shell = first == b'$'
        && piece.len() > 2
        && piece[1..]
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let loud = piece.len() >= 5
        && piece
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-'))
        && super::keys::named(piece).is_some();
    masked
        || variable
        || shell
        || loud
        || is_marker(piece)
        || NOT_VALUES.has(piece)
        || starts_masked(piece)
}

/// `****4711`, `abcd...`: masked already.
fn starts_masked(piece: &[u8]) -> bool {
    piece.starts_with(b"***") || piece.starts_with("•••".as_bytes())
}

pub(super) fn is_word_of_prose(piece: &[u8]) -> bool {
    let piece = piece.strip_suffix(b",").unwrap_or(piece);
    PROSE_WORDS.has(piece)
}

/// Whether a value in quotes or brackets is what a validator says of it.
pub(super) fn is_sentence(piece: &[u8]) -> bool {
    piece.contains(&b' ')
        && piece
            .split(|byte| !byte.is_ascii_alphabetic() && *byte != b'\'')
            .any(|word| SAID_WORDS.has(word))
}

/// Words that a validator uses, and a passphrase hardly does.
const SAID: &str = "must should cannot can't isn't required invalid incorrect characters blank empty missing expected wrong mismatch match \
                    least invalid expired provided allowed contain contains doit debe muss requis";

static SAID_WORDS: WordSet = WordSet::new(SAID);
static NOT_VALUES: WordSet = WordSet::new(NOT_A_VALUE);
static PROSE_WORDS: WordSet = WordSet::new(PROSE);

/// Words that a program writes in place of a missing value.
const NOT_A_VALUE: &str = "null none nil undefined true false yes no empty unset hidden redacted masked required optional string str text \
                           integer int number boolean bool object array secret bytes secretstr include omit same-origin basic bearer \
                           oauth2 changeme? n/a ... missing invalid expired denied filtered [filtered] set not_set password token \
                           (null) (none) (empty) (hidden) (redacted) (set) (unset) [hidden] [redacted] [masked] nan void any unknown \
                           ******** xxxxx default varchar char option";

/// Words that a sentence about a secret goes on with.
const PROSE: &str = "must is are was should can cannot could may has have not too the a an please enter wrong incorrect mismatch failed \
                     failure error rejected accepted unknown unauthorized forbidden needs minimum maximum at for of in on to and or with \
                     weak strong short long strict reset change changed updated ok command field authentication unsupported malformed \
                     blank disabled enabled pending revoked ungültig falsch erforderlich abgelaufen fehlt zu muss darf ist wurde this that \
                     it you your use using see try value valid unexpected characters confirmation flag option argument parameter switch \
                     from by as be been will would did does do exceeded limit length given provided specified found but if when where \
                     which while because before after until than then there here only also already still no yes optional obligatoria \
                     obligatorio requis requerida inválida invalide incorrecte incorrecta ongeldig vereist obrigatória wygasło expiré \
                     caducada verlopen 必須 无效 不正 identifier keyword literal punctuation eof end newline operator string number \
                     mode type name never always created deleted verified refreshed issued generated stored rotated used sent loaded \
                     header cookie env file dialog prompt manager policy rules login logout signin username user email stdin";
