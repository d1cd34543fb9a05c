//! Laying out words: wrapped paragraphs, labelled fields, columns.

use std::borrow::Cow;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};

/// The style of a title.
pub(crate) const TITLE: Style = AnsiColor::Cyan.on_default().bold();
/// The style of a label.
pub(crate) const LABEL: Style = AnsiColor::Green.on_default();
/// The style of what matters less.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The style of a placeholder in a template.
const SLOT: Style = AnsiColor::Yellow.on_default();

/// Breaks a text into lines of at most `width` characters, at spaces only: a word that is longer stands alone.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && length(&line) + 1 + length(word) > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// A text short enough to be quoted in a message.
pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    cut(text, Some(MAX_QUOTED))
}

const MAX_QUOTED: usize = 120;

/// A text cut to a number of characters, with a mark where it was.
pub(crate) fn cut(text: &str, width: Option<usize>) -> Cow<'_, str> {
    let Some(width) = width.filter(|width| length(text) > *width) else {
        return Cow::Borrowed(text);
    };
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    Cow::Owned(format!("{}…", kept.trim_end()))
}

/// A text of labelled fields under a title.
#[derive(Debug)]
pub(crate) struct TextSheet {
    text: String,
    width: usize,
}

impl TextSheet {
    pub(crate) const fn new(width: usize) -> Self {
        Self {
            text: String::new(),
            width,
        }
    }

    /// The finished text.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// An empty line.
    pub(crate) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// A title with a few words after it.
    pub(crate) fn title(&mut self, title: &str, beside: &str) {
        let title = format!("{TITLE}{title}{TITLE:#}");
        if beside.is_empty() {
            return self.push(&title);
        }
        self.push(&format!("{title}  {FAINT}{beside}{FAINT:#}"));
    }

    /// A paragraph from margin to margin.
    pub(crate) fn paragraph(&mut self, text: &str) {
        for line in wrap(text, self.width) {
            self.push(&line);
        }
    }

    /// A line as it is, however long.
    pub(crate) fn line(&mut self, text: &str) {
        self.push(text);
    }

    /// A label and a text beside it, wrapped under itself.
    pub(crate) fn field(&mut self, label: &str, text: &str) {
        self.labelled(label, LABEL_WIDTH, text, str::to_owned);
    }

    /// A field with a template in it, its placeholders marked.
    pub(crate) fn template(&mut self, label: &str, text: &str) {
        self.labelled(label, LABEL_WIDTH, text, mark_slots);
    }

    /// A label and rows of cells beside it. The last cell wraps, the others set the columns; in a narrow terminal it
    /// goes below them.
    pub(crate) fn table<const N: usize>(&mut self, label: &str, rows: &[[String; N]]) {
        let widths = column_widths(rows);
        let columns: usize = widths.iter().take(N - 1).map(|width| width + 2).sum();
        let indent = LABEL_WIDTH + columns;
        let fits = self.width >= indent + MIN_TEXT;
        for (index, row) in rows.iter().enumerate() {
            let mut head = painted(if index == 0 { label } else { "" }, LABEL_WIDTH);
            for (cell, width) in row.iter().zip(&widths).take(N - 1) {
                // Writing to a string cannot fail.
                let _ = write!(head, "{cell:width$}  ");
            }
            if fits {
                self.hang(&head, indent, &row[N - 1], str::to_owned);
            } else {
                self.push(&head);
                self.labelled("", LABEL_WIDTH + 2, &row[N - 1], str::to_owned);
            }
        }
    }

    /// A label of any width, and a text beside it.
    pub(crate) fn labelled(
        &mut self,
        label: &str,
        width: usize,
        text: &str,
        paint: fn(&str) -> String,
    ) {
        self.hang(&painted(label, width), width, text, paint);
    }

    fn hang(&mut self, head: &str, indent: usize, text: &str, paint: fn(&str) -> String) {
        let room = self.width.saturating_sub(indent).max(MIN_TEXT);
        let mut lines = wrap(text, room).into_iter();
        let first = lines.next().unwrap_or_default();
        self.push(&format!("{head}{}", paint(&first)));
        for line in lines {
            self.push(&format!("{:indent$}{}", "", paint(&line)));
        }
    }

    fn push(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

/// Wide enough for the longest label of a page and two spaces.
pub(crate) const LABEL_WIDTH: usize = 10;

/// However narrow the terminal, a text keeps some room beside its label.
const MIN_TEXT: usize = 24;

/// The width of every column but the last.
pub(crate) fn column_widths<const N: usize>(rows: &[[String; N]]) -> [usize; N] {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(length(cell));
        }
    }
    widths
}

/// A label in its column; the blank of a continued field needs no style.
fn painted(label: &str, width: usize) -> String {
    if label.is_empty() {
        return " ".repeat(width);
    }
    format!("{LABEL}{label:width$}{LABEL:#}")
}

fn mark_slots(line: &str) -> String {
    line.replace('{', &format!("{SLOT}{{"))
        .replace('}', &format!("}}{SLOT:#}"))
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_never_exceed_the_width() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(
            wrap("a incomprehensibilities b", 5),
            ["a", "incomprehensibilities", "b"]
        );
        assert!(wrap("  ", 5).is_empty());
    }

    #[test]
    fn a_cut_text_fits_and_says_so() {
        assert_eq!(cut("four", Some(4)), "four");
        assert_eq!(cut("fo urs", Some(4)), "fo…");
        assert_eq!(cut("ünïcödé", Some(4)), "ünï…");
        assert_eq!(cut("anything", None), "anything");
    }

    #[test]
    fn a_field_hangs_under_its_label() {
        let mut sheet = TextSheet::new(40);
        sheet.field("Label", "a text that is too long for one line of it");
        let plain = anstream::adapter::strip_str(&sheet.finish()).to_string();
        assert_eq!(
            plain,
            "Label     a text that is too long for\n          one line of it\n"
        );
    }

    #[test]
    fn columns_align() {
        let mut sheet = TextSheet::new(60);
        let row = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        sheet.table("Names", &[row("a", "first"), row("long", "second")]);
        let plain = anstream::adapter::strip_str(&sheet.finish()).to_string();
        assert_eq!(plain, "Names     a     first\n          long  second\n");
    }

    #[test]
    fn the_last_column_goes_below_where_it_does_not_fit_beside() {
        let mut sheet = TextSheet::new(44);
        let row = ["x".repeat(20), "words for it".to_owned()];
        sheet.table("Names", &[row]);
        let plain = anstream::adapter::strip_str(&sheet.finish()).to_string();
        let key = "x".repeat(20);
        assert_eq!(
            plain,
            format!("Names     {key}\n            words for it\n")
        );
    }
}
