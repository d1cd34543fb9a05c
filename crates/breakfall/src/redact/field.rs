//! Values that stand apart from the name of their field: in the line below it, or in the next cell of a table.

use super::bytes::{is_blank, is_name, is_quote, line_end, run, run_back};
use super::finder::MarkFinder;
use super::keys;
use super::mark::Mark;

/// `password\n  too short [type=value_error, input_value='kitten12', …]`: what a validator was given, below the field's name.
pub(super) fn given(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let Some(mark) = field_above(text, at) else {
        return;
    };
    let start = run(text, end, 1, is_quote);
    let close = if start > end {
        let quote = text[end];
        run(text, start, 256, |byte| byte != quote && byte != b'\n')
    } else {
        run(text, start, 256, |byte| {
            !matches!(byte, b',' | b']' | b')' | b'\n')
        })
    };
    finder.found(start, close, mark);
}

/// The kind of the field whose name is all of the line above.
fn field_above(text: &[u8], at: usize) -> Option<Mark> {
    let line = run_back(text, at, 400, |byte| byte != b'\n').checked_sub(1)?;
    let above = run_back(text, line, 96, |byte| byte != b'\n');
    let name = text[above..line].trim_ascii();
    let last = name.rsplit(|byte| *byte == b'.').next()?;
    last.iter()
        .all(|byte| is_name(*byte))
        .then(|| keys::named(last).map(|meaning| meaning.mark))?
        .or_else(|| super::bytes::one_of(last, PERSONAL).then_some(Mark::Person))
}

/// `"loc":["body","password"],…,"input":"kitten12"`: the same as JSON, from the brackets on.
pub(super) fn located(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    let text = finder.text;
    let close = run(text, end, 200, |byte| byte != b']');
    let name = text[end..close]
        .rsplit(|byte| matches!(byte, b',' | b'['))
        .next()
        .unwrap_or_default();
    let name = name.trim_ascii();
    let name = &name[name
        .iter()
        .take_while(|byte| is_quote(**byte) || **byte == b'\\')
        .count()..];
    let name = &name[..name.iter().take_while(|byte| is_name(**byte)).count()];
    let mark = keys::named(name)
        .map(|meaning| meaning.mark)
        .or_else(|| super::bytes::one_of(name, PERSONAL).then_some(Mark::Person));
    let far = text.len().min(close + 400);
    let (Some(mark), Some(input)) = (mark, memchr::memmem::find(&text[close..far], b"\"input\":"))
    else {
        return;
    };
    let open = run(text, close + input + 8, 2, |byte| {
        is_quote(byte) || byte == b' '
    });
    finder.found(
        open,
        run(text, open, 256, |byte| !matches!(byte, b'"' | b'\n')),
        mark,
    );
}

/// Fields that hold what is known of a person.
const PERSONAL: &str = "email mail phone mobile name first_name last_name full_name surname birth_date birthdate birthday date_of_birth msisdn postal_code national_id dob address \
    street postcode zip iban account_number passport tax_id";

/// `Property: spring.datasource.password`, and its value in the next line.
pub(super) fn property(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    let text = finder.text;
    let close = run(text, end, 96, is_name);
    let last = text[end..close]
        .rsplit(|byte| *byte == b'.')
        .next()
        .unwrap_or_default();
    let Some(meaning) = keys::named(last) else {
        return;
    };
    let far = text.len().min(close + 96);
    if let Some(value) = memchr::memmem::find(&text[close..far], b"alue: ") {
        let open = run(text, close + value + 6, 1, is_quote);
        let quote = text[open - 1];
        finder.found(
            open,
            run(text, open, 256, |byte| byte != quote && byte != b'\n'),
            meaning.mark,
        );
    }
}

/// `tickets:pass/word?@tcp(db:3306)/tickets`, from the sign on: a password with signs that an address does not have.
pub(super) fn before_network(finder: &mut MarkFinder<'_>, at: usize, _: usize) {
    let text = finder.text;
    let start = run_back(text, at, 128, |byte| byte > b' ' && !is_quote(byte));
    if let Some(colon) = memchr::memchr(b':', &text[start..at]) {
        finder.found(start + colon + 1, at, Mark::Password);
    }
}

/// `<td>SECRET_KEY</td><td><pre>'…'</pre></td>`: a name in one cell and its value in the next, from the end of the first on.
pub(super) fn cell(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let name = run_back(text, at, 96, is_name);
    let Some(meaning) = keys::named(&text[name..at]) else {
        return;
    };
    let mut start = end;
    // Tags and blanks stand between.
    for _ in 0..6 {
        start = run(text, start, 64, |byte| byte.is_ascii_whitespace());
        if text.get(start) != Some(&b'<') {
            break;
        }
        let close = run(text, start, 128, |byte| byte != b'>');
        start = text.len().min(close + 1);
    }
    let close = run(text, start, 512, |byte| byte != b'<');
    if text.get(close) == Some(&b'<') && !text[start..close].iter().all(|byte| is_blank(*byte)) {
        finder.found(start, close, meaning.mark);
    }
}

/// Behind ` -p`: a password that is written on to the option, and looks like one.
pub(super) fn attached(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    let text = finder.text;
    let far = line_end(text, end, 64);
    let close = run(text, end, far - end, |byte| {
        byte > b' ' && !is_quote(byte) && !matches!(byte, b',' | b')' | b']')
    });
    let piece = &text[end..close];
    let has = |fits: fn(&u8) -> bool| piece.iter().any(fits);
    let is_strong = has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && has(|byte| {
            matches!(
                byte,
                b'#' | b'!' | b'$' | b'%' | b'^' | b'&' | b'*' | b'?' | b'~' | b'@' | b'+'
            )
        });
    if is_strong && piece.len() >= 6 {
        finder.found(end, close, Mark::Password);
    }
}
