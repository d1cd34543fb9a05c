//! Words a shell takes for what they are.

/// A command line to be typed.
pub(crate) fn line(words: &[String]) -> String {
    let words = words.iter().map(|word| quoted(word));
    words.collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if word.chars().any(char::is_control) {
        return escaped(word);
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// With what a terminal would obey written in letters.
fn escaped(word: &str) -> String {
    let mut out = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\n' => out.push_str(r"\n"),
            '\t' => out.push_str(r"\t"),
            '\\' | '\'' => out.extend(['\\', c]),
            c if c.is_control() => {
                // Three digits, so that none that follows is taken for one of them.
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).bytes();
                out.extend(bytes.map(|byte| format!(r"\{byte:03o}")));
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_where_a_shell_would_take_them_for_more() {
        assert_eq!(quoted("-y"), "-y");
        assert_eq!(quoted("@scope/server"), "@scope/server");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted("a\n\u{1b}7\\'"), r"$'a\n\0337\\\''");
    }
}
