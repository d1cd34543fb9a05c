//! The question that asks the user to correct the arguments of a call: in English first, and again in the
//! language of the reader.

use super::Elicitation;
use crate::phrase::{Phrase, PhraseText};

/// The parts from which such a question is rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Correction {
    tool: Box<str>,
    /// The value that was sent, if it is the only one in question and people can read it.
    before: Option<Box<str>>,
    /// What is asked about each of the fields.
    each: Vec<String>,
    /// The question, as it was last said: as long as it is that, it can be said again.
    text: Box<str>,
}

impl Elicitation {
    /// Asks for other values of a call's fields, with what was wrong with theirs. `before` is the value that was sent, where
    /// one field is in question. `Fault::in_language` says it in other languages.
    ///
    /// ```
    /// use breakfall::Elicitation;
    ///
    /// let question = Elicitation::correcting("Order 7 not found.", "cancel", &["order"], Some("7"));
    /// assert_eq!(
    ///     question.message(),
    ///     "'cancel' cannot go on: Order 7 not found. What should 'order' be instead of '7'?"
    /// );
    /// assert_eq!(question.question_for("order"), Some("What should 'order' be?"));
    /// ```
    pub fn correcting(wrong: &str, tool: &str, fields: &[&str], before: Option<&str>) -> Self {
        let mut question = Self::new("");
        question.fields = fields.iter().map(|field| (*field).to_owned()).collect();
        question.correction = Some(Box::new(Correction {
            tool: cut(tool, LONGEST_TOOL).into(),
            before: before.map(Into::into),
            each: Vec::new(),
            text: "".into(),
        }));
        question.say_again(wrong, &|_| None);
        question
    }

    /// What is asked about one field, where a question is about what to send instead.
    pub fn question_for(&self, field: &str) -> Option<&str> {
        let at = self.fields.iter().position(|have| have == field)?;
        self.correction.as_ref()?.each.get(at).map(String::as_str)
    }

    /// Whether it can be said in another language: it is unchanged since it was made.
    #[cfg(feature = "locale")]
    pub(crate) fn is_as_made(&self) -> bool {
        let made = self.correction.as_ref();
        made.is_some_and(|made| *made.text == *self.message)
    }

    /// Says it again, about a message that may have changed its language too.
    pub(crate) fn say_again(&mut self, wrong: &str, say: &dyn Fn(&PhraseText) -> Option<String>) {
        let Some(made) = &mut self.correction else {
            return;
        };
        let said =
            |saying: &PhraseText| say(saying).unwrap_or_else(|| saying.english().into_owned());
        let wrong = part(wrong);
        let what = match (&*self.fields, &made.before) {
            ([field], Some(before)) => PhraseText::from(Phrase::ASK_INSTEAD)
                .with("name", field.as_str())
                .with("before", &**before),
            (fields, _) => Phrase::ASK_WHAT.naming(fields),
        };
        let whole = PhraseText::from(Phrase::ASK_CORRECT)
            .with("tool", &*made.tool)
            .with("wrong", wrong.as_str())
            .saying("what", what);
        let each = self.fields.iter().map(std::slice::from_ref);
        made.each = each
            .map(|field| said(&Phrase::ASK_WHAT.naming(field)))
            .collect();
        made.text = said(&whole).into();
        self.message.clone_from(&made.text);
        let reason: Box<str> = wrong.into();
        self.reason = (!reason.is_empty()).then_some(reason);
    }
}

/// What is wrong, as a part of a sentence: people do not read more.
fn part(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(
        line.trim_end_matches(['.', '!', ' ', '。', '！']),
        LONGEST_WRONG,
    )
}

/// At most so many bytes of a text, the cut shown.
fn cut(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    let mark = if end < text.len() { "…" } else { "" };
    format!("{}{mark}", &text[..end])
}

/// How much is said of the name of a tool, and of what is wrong.
const LONGEST_TOOL: usize = 200;
const LONGEST_WRONG: usize = 300;
