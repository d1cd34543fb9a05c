//! Just enough of Rust's lexical grammar to know code from comments and literals.
//!
//! Not `syn`: tests live inside macros (`proptest!`), whose bodies a parser sees as bare tokens anyway.

/// A piece of source that can matter, and the line it starts on.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) line: usize,
}

/// Numbers come out as words, character literals and lifetimes not at all.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An identifier or keyword.
    Word(String),
    /// The inside of a string literal of any sort, escapes left as they are.
    Text(String),
    /// Any other character.
    Mark(char),
}

/// The tokens of a source text. Never fails: what is cut off simply ends.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        chars: source.chars().collect(),
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::new();
    while let Some(c) = lexer.peek(0) {
        let line = lexer.line;
        if let Some(kind) = lexer.next(c) {
            tokens.push(Token { kind, line });
        }
    }
    tokens
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

impl Lexer {
    fn next(&mut self, c: char) -> Option<Kind> {
        if c.is_whitespace() {
            self.bump();
        } else if c == '/' && self.peek(1) == Some('/') {
            self.until(|lexer| lexer.peek(0) == Some('\n'));
        } else if c == '/' && self.peek(1) == Some('*') {
            self.block_comment();
        } else if c == '"' {
            return Some(Kind::Text(self.string()));
        } else if c == '\'' {
            self.quote();
        } else if is_word(c) {
            return Some(self.word());
        } else {
            self.bump();
            return Some(Kind::Mark(c));
        }
        None
    }

    /// Block comments nest.
    fn block_comment(&mut self) {
        let mut depth = 0usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => {
                    depth += 1;
                    self.bump();
                }
                (Some('*'), Some('/')) => {
                    depth -= 1;
                    self.bump();
                }
                (None, _) => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) -> String {
        self.bump();
        let start = self.at;
        while let Some(c) = self.peek(0) {
            if c == '"' {
                break;
            }
            if c == '\\' {
                self.bump();
            }
            self.bump();
        }
        let end = self.at.min(self.chars.len());
        self.bump();
        self.chars[start..end].iter().collect()
    }

    /// A quote opens a character literal if a closing one follows the character, else a lifetime.
    fn quote(&mut self) {
        self.bump();
        if self.peek(0) == Some('\\') {
            self.bump();
            self.bump();
            self.until(|lexer| lexer.peek(0) == Some('\''));
            self.bump();
        } else if self.peek(1) == Some('\'') {
            self.bump();
            self.bump();
        } else {
            self.until(|lexer| !lexer.peek(0).is_some_and(is_word));
        }
    }

    /// A word, or the raw string or raw identifier it turns out to introduce.
    fn word(&mut self) -> Kind {
        let start = self.at;
        self.until(|lexer| !lexer.peek(0).is_some_and(is_word));
        let word: String = self.chars[start..self.at].iter().collect();
        if !["r", "br", "cr"].contains(&word.as_str()) {
            return Kind::Word(word);
        }
        let hashes = self.chars[self.at..]
            .iter()
            .take_while(|c| **c == '#')
            .count();
        if self.peek(hashes) == Some('"') {
            return Kind::Text(self.raw_string(hashes));
        }
        if hashes == 1 && self.peek(1).is_some_and(is_word) {
            self.bump();
            return self.word();
        }
        Kind::Word(word)
    }

    fn raw_string(&mut self, hashes: usize) -> String {
        self.skip(hashes + 1);
        let start = self.at;
        self.until(|lexer| {
            lexer.peek(0) == Some('"') && (1..=hashes).all(|n| lexer.peek(n) == Some('#'))
        });
        let end = self.at;
        self.skip(hashes + 1);
        self.chars[start..end].iter().collect()
    }

    fn until(&mut self, stop: impl Fn(&Self) -> bool) {
        while self.at < self.chars.len() && !stop(self) {
            self.bump();
        }
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    fn bump(&mut self) {
        if self.peek(0) == Some('\n') {
            self.line += 1;
        }
        self.at += 1;
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens as one line: words bare, texts in angle brackets.
    fn shown(source: &str) -> String {
        let shown: Vec<String> = tokens(source)
            .into_iter()
            .map(|token| match token.kind {
                Kind::Word(word) => word,
                Kind::Text(text) => format!("<{text}>"),
                Kind::Mark(mark) => mark.to_string(),
            })
            .collect();
        shown.join(" ")
    }

    #[test]
    fn comments_are_skipped_and_block_comments_nest() {
        assert_eq!(shown("a // b {\nc /* d /* e */ f */ g"), "a c g");
    }

    #[test]
    fn strings_of_every_sort_are_one_token() {
        assert_eq!(shown(r#"x("a \" } b")"#), r#"x ( <a \" } b> )"#);
        assert_eq!(
            shown(r###"r#"a " } b"# br"c" b"d" cr##"e"# f"##"###),
            r##"<a " } b> <c> b <d> <e"# f>"##
        );
    }

    #[test]
    fn a_character_literal_hides_its_brace_and_a_lifetime_does_not_swallow_code() {
        assert_eq!(shown(r"'{' '\'' '\u{7d}' b'}' 'é'"), "b");
        assert_eq!(
            shown("fn f<'a>(x: &'a str) {}"),
            "fn f < > ( x : & str ) { }"
        );
    }

    #[test]
    fn a_raw_identifier_is_the_word_without_its_mark() {
        assert_eq!(shown("r#type r # x"), "type r # x");
    }

    #[test]
    fn source_cut_off_anywhere_still_ends() {
        let source = "a \"b\" r#\"c\"# 'd' '\\n' /* e */ // f\n é";
        for end in (0..=source.len()).filter(|end| source.is_char_boundary(*end)) {
            tokens(&source[..end]);
        }
    }

    #[test]
    fn lines_are_counted_through_literals_and_comments() {
        let lines: Vec<usize> = tokens("a\n\"b\nc\" /* \n */ d")
            .iter()
            .map(|token| token.line)
            .collect();
        assert_eq!(lines, [1, 2, 4]);
    }
}
