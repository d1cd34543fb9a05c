//! One leak before it is set in a text.

/// A text a server would print, and its secret parts.
#[derive(Debug, Clone)]
pub(crate) struct Plant {
    pub(crate) text: String,
    /// Never with a line break: a secret over several lines is several secrets.
    pub(crate) secret: Vec<String>,
    pub(crate) form: Form,
}

/// Where it can stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Anywhere in a sentence, also in quotes.
    Word,
    /// To the end of a line.
    Line,
    /// On lines of its own.
    Block,
}

impl Plant {
    /// A credential: it has to go, and no half of it may stay.
    pub(crate) fn credential(token: String) -> Self {
        let secret = halves(&token);
        Self {
            text: token,
            secret,
            form: Form::Word,
        }
    }

    pub(crate) fn word<S: Into<String>>(text: String, secret: impl IntoIterator<Item = S>) -> Self {
        Self::new(Form::Word, text, secret)
    }

    pub(crate) fn line<S: Into<String>>(text: String, secret: impl IntoIterator<Item = S>) -> Self {
        Self::new(Form::Line, text, secret)
    }

    pub(crate) fn block<S: Into<String>>(
        text: String,
        secret: impl IntoIterator<Item = S>,
    ) -> Self {
        Self::new(Form::Block, text, secret)
    }

    fn new<S: Into<String>>(form: Form, text: String, secret: impl IntoIterator<Item = S>) -> Self {
        let secret = secret.into_iter().map(Into::into).collect();
        Self { text, secret, form }
    }

    /// The same secret among other words.
    pub(crate) fn within(self, before: &str, after: &str, form: Form) -> Self {
        let text = format!("{before}{}{after}", self.text);
        Self { text, form, ..self }
    }
}

/// A secret, and its halves where each of them would still give it away.
pub(crate) fn halves(token: &str) -> Vec<String> {
    let mut all = vec![token.to_owned()];
    if token.len() >= 24 && token.is_ascii() {
        let (first, second) = token.split_at(token.len() / 2);
        all.extend([first.to_owned(), second.to_owned()]);
    }
    all
}
