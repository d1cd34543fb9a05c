//! Questions to users, and what came of them.

use super::{Phrase, PhraseText, phrases};

phrases! {
    ASK:
    ASK_CORRECT = "ask-correct", "'{tool}' cannot go on: {wrong}. {what}";
    ASK_WHAT = "ask-what", "What should {names} be?";
    ASK_INSTEAD = "ask-instead", "What should '{name}' be instead of '{before}'?";
    ASK_ADVICE = "ask-advice", "Or ask the user what {names} should be.";
    ASK_DECLINED = "ask-declined", "The user was asked for {names} and declined";
    ASK_NO_OTHERS = "ask-no-others", "Do not call again with other values on your own; go on without it, or ask the user what they want.";
}

impl Phrase {
    /// A phrase about `names`. Between the last two English has a word, and other languages what they have between items.
    pub(crate) fn naming<S: AsRef<str>>(self, names: &[S]) -> PhraseText {
        let quoted = |between: &str| {
            let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
            format!("'{}'", names.join(between))
        };
        let of = |names: String| PhraseText::from(self).with("names", names);
        match names {
            [] | [_] => of(quoted("")),
            _ => {
                let english = of(quoted("' and '")).english().into();
                PhraseText::InEnglish(english, Box::new(of(quoted("', '"))))
            }
        }
    }
}
