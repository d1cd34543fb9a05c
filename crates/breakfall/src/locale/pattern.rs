//! One translated text: the pieces of a Fluent pattern that our texts are made of.
//!
//! The parser is Fluent's own. What a text may contain is less than Fluent allows: words, values, numbers written as
//! the language writes them, and choices by a value. Nothing refers to anything else, so a text is as long as its
//! file says, and filling it in cannot run away or fail.

use std::borrow::Cow;
use std::collections::BTreeSet;

use fluent_syntax::ast::{
    CallArguments, Expression, InlineExpression, Pattern as Parsed, PatternElement, Variant,
    VariantKey,
};
use fluent_syntax::unicode::unescape_unicode_to_string;
use serde_json::Value;

use super::Language;
use super::number::{self, PluralForm};
use crate::template;

/// A translated text with placeholders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextPattern(Vec<PatternPiece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum PatternPiece {
    /// Words.
    Text(Box<str>),
    /// A value as it is.
    Value(Box<str>),
    /// A value that is a quantity, as the language writes numbers.
    Number(Box<str>),
    /// One of several texts, by a value.
    Choice {
        by: Box<str>,
        variants: Vec<(SelectorKey, TextPattern)>,
        default: usize,
    },
}

/// The key that selects a variant: a word of the value or a plural form of the number, or the very number.
#[derive(Debug, Clone, PartialEq, Eq)]
enum SelectorKey {
    Word(Box<str>),
    Number(Box<str>),
}

/// A construct that a translated text must not contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PatternError {
    pub(super) problem: String,
    pub(super) fix: &'static str,
}

impl TextPattern {
    /// Makes a text of what the parser read.
    pub(super) fn of(parsed: &Parsed<&str>) -> Result<Self, PatternError> {
        let mut pattern = Self::default();
        for element in &parsed.elements {
            match element {
                PatternElement::TextElement { value } => pattern.push_text(value),
                PatternElement::Placeable { expression } => pattern.push_expression(expression)?,
            }
        }
        Ok(pattern)
    }

    /// The text, if it has no places.
    pub(super) fn fixed(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [PatternPiece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Fills the places, or gives nothing when a value is missing or empty.
    pub(super) fn format<'v>(
        &self,
        language: Language,
        value: &dyn Fn(&str) -> Option<Cow<'v, Value>>,
    ) -> Option<Cow<'_, str>> {
        if let Some(text) = self.fixed() {
            return Some(Cow::Borrowed(text));
        }
        let mut out = String::with_capacity(128);
        self.write(language, value, &mut out)?;
        Some(Cow::Owned(out))
    }

    fn write<'v>(
        &self,
        language: Language,
        value: &dyn Fn(&str) -> Option<Cow<'v, Value>>,
        out: &mut String,
    ) -> Option<()> {
        let separator = match language {
            Language::English | Language::Spanish | Language::German => ", ",
            Language::Japanese => "、",
        };
        for piece in &self.0 {
            match piece {
                PatternPiece::Text(text) => out.push_str(text),
                PatternPiece::Value(name) => template::write_value(&*value(name)?, separator, out)?,
                PatternPiece::Number(name) => {
                    let value = value(name)?;
                    match value.as_number() {
                        Some(digits) => number::write(&digits.to_string(), language, out),
                        None => template::write_value(&value, separator, out)?,
                    }
                }
                PatternPiece::Choice {
                    by,
                    variants,
                    default,
                } => {
                    let value_of = value(by)?;
                    let chosen = variants
                        .iter()
                        .find(|(key, _)| key.fits(&value_of, language));
                    let (_, text) = chosen.or_else(|| variants.get(*default))?;
                    text.write(language, value, out)?;
                }
            }
        }
        Some(())
    }

    /// The names of the values it says or chooses by.
    pub(super) fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.collect(&mut names);
        names
    }

    fn collect<'a>(&'a self, names: &mut BTreeSet<&'a str>) {
        for piece in &self.0 {
            match piece {
                PatternPiece::Text(_) => {}
                PatternPiece::Value(name) | PatternPiece::Number(name) => {
                    names.insert(name);
                }
                PatternPiece::Choice { by, variants, .. } => {
                    names.insert(by);
                    for (_, text) in variants {
                        text.collect(names);
                    }
                }
            }
        }
    }

    fn push_text(&mut self, text: &str) {
        if let Some(PatternPiece::Text(before)) = self.0.last_mut() {
            *before = format!("{before}{text}").into();
        } else if !text.is_empty() {
            self.0.push(PatternPiece::Text(text.into()));
        }
    }

    fn push_expression(&mut self, expression: &Expression<&str>) -> Result<(), PatternError> {
        match expression {
            Expression::Select { selector, variants } => {
                self.0.push(choice(selector, variants)?);
            }
            Expression::Inline(inline) => match inline {
                InlineExpression::StringLiteral { value } => {
                    self.push_text(&unescape_unicode_to_string(value));
                }
                InlineExpression::NumberLiteral { value } => self.push_text(value),
                InlineExpression::Placeable { expression } => self.push_expression(expression)?,
                InlineExpression::VariableReference { id } => {
                    self.0.push(PatternPiece::Value(id.name.into()));
                }
                InlineExpression::FunctionReference { .. }
                | InlineExpression::MessageReference { .. }
                | InlineExpression::TermReference { .. } => {
                    self.0.push(PatternPiece::Number(variable(inline)?));
                }
            },
        }
        Ok(())
    }
}

impl SelectorKey {
    fn fits(&self, value: &Value, language: Language) -> bool {
        match (self, value) {
            (Self::Word(word), Value::String(text)) => **word == **text,
            (Self::Word(word), Value::Number(digits)) => {
                PluralForm::of(&digits.to_string(), language).as_str() == &**word
            }
            (Self::Number(wanted), Value::Number(digits)) => **wanted == *digits.to_string(),
            (Self::Word(_) | Self::Number(_), _) => false,
        }
    }
}

fn choice(
    selector: &InlineExpression<&str>,
    parsed: &[Variant<&str>],
) -> Result<PatternPiece, PatternError> {
    let mut variants = Vec::with_capacity(parsed.len());
    for variant in parsed {
        let key = match &variant.key {
            VariantKey::Identifier { name } => SelectorKey::Word((*name).into()),
            VariantKey::NumberLiteral { value } => SelectorKey::Number((*value).into()),
        };
        variants.push((key, TextPattern::of(&variant.value)?));
    }
    Ok(PatternPiece::Choice {
        by: variable(selector)?,
        variants,
        default: parsed.iter().position(|it| it.default).unwrap_or_default(),
    })
}

/// The name in `$name` and `NUMBER($name)`.
fn variable(expression: &InlineExpression<&str>) -> Result<Box<str>, PatternError> {
    let unfit = |problem: String, fix| Err(PatternError { problem, fix });
    match expression {
        InlineExpression::VariableReference { id } => Ok(id.name.into()),
        InlineExpression::FunctionReference { id, arguments } if id.name == "NUMBER" => {
            match arguments {
                CallArguments { positional, named } if named.is_empty() => match &positional[..] {
                    [InlineExpression::VariableReference { id }] => Ok(id.name.into()),
                    _ => unfit(
                        "NUMBER has other arguments than one value".to_owned(),
                        "write NUMBER($name)",
                    ),
                },
                CallArguments { .. } => unfit(
                    "NUMBER has options".to_owned(),
                    "write NUMBER($name): the language decides how it looks",
                ),
            }
        }
        InlineExpression::FunctionReference { id, .. } => unfit(
            format!("the function {} does not exist", id.name),
            "write the value itself, or NUMBER($name)",
        ),
        InlineExpression::MessageReference { id, .. } => unfit(
            format!("the text refers to the message '{}'", id.name),
            "write its words out",
        ),
        InlineExpression::TermReference { id, .. } => unfit(
            format!("the text refers to the term '-{}'", id.name),
            "write its words out",
        ),
        InlineExpression::StringLiteral { .. }
        | InlineExpression::NumberLiteral { .. }
        | InlineExpression::Placeable { .. } => unfit(
            "the text chooses by something that is no value".to_owned(),
            "choose by $name",
        ),
    }
}

#[cfg(test)]
impl TextPattern {
    /// Every text it can become, with values as `{name}`.
    pub(super) fn variants(&self) -> Vec<String> {
        let mut all = vec![String::new()];
        for piece in &self.0 {
            let ways = match piece {
                PatternPiece::Text(text) => vec![text.to_string()],
                PatternPiece::Value(name) | PatternPiece::Number(name) => {
                    vec![format!("{{{name}}}")]
                }
                PatternPiece::Choice { variants, .. } => {
                    variants.iter().flat_map(|(_, it)| it.variants()).collect()
                }
            };
            let mut longer = Vec::new();
            for start in &all {
                longer.extend(ways.iter().map(|way| format!("{start}{way}")));
            }
            all = longer;
        }
        all
    }
}
