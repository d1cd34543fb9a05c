//! The attributes of a variant, or of a struct as a whole.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Lit, LitInt, LitStr, Path, Token};

use super::{detail_key, faults, key_name, path, set, text, unknown, url};
use crate::errors::DeriveErrors;
use crate::suggest;

/// The attributes of a variant or struct.
#[derive(Default)]
pub(crate) struct CaseAttributes {
    pub(crate) code: Option<CodeKey>,
    pub(crate) extends: Option<Path>,
    pub(crate) message: Option<MessageKey>,
    pub(crate) remediation: Option<LitStr>,
    pub(crate) user_message: Option<LitStr>,
    pub(crate) retry: Option<Retry>,
    pub(crate) http: Option<LitInt>,
    pub(crate) fallback_tool: Option<LitStr>,
    pub(crate) docs_url: Option<LitStr>,
    pub(crate) details: Vec<Constant>,
    /// The field is the fault.
    pub(crate) transparent: Option<Span>,
    /// Display and Error are written by hand. It is for a type as a whole.
    pub(crate) no_error_impl: Option<Span>,
    /// The first key that is not allowed beside `transparent`.
    pub(crate) first_other: Option<Span>,
    /// An attribute could not be read, so absent parts may have been intended.
    pub(crate) is_broken: bool,
}

/// A code: an existing one, or the name of a new one.
pub(crate) enum CodeKey {
    Known(Path),
    Named(LitStr),
}

/// A message: a template, or what the type's own `Display` writes.
pub(crate) enum MessageKey {
    Template(LitStr),
    Display(Ident),
}

/// A detail with the same value in every fault of the case.
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: Lit,
    /// The variant of `breakfall::code::Shape` for the value.
    pub(crate) shape: &'static str,
    pub(crate) at: Span,
}

/// A retry class, by the name of its variant.
pub(crate) struct Retry {
    pub(crate) word: Ident,
    pub(crate) variant: &'static str,
}

impl CaseAttributes {
    pub(crate) fn read(attributes: &[Attribute], errors: &mut DeriveErrors) -> Self {
        let mut says = Self::default();
        for attribute in faults(attributes) {
            if let Err(error) = attribute.parse_nested_meta(|meta| says.key(&meta)) {
                errors.add(error);
                says.is_broken = true;
            }
        }
        says
    }

    fn key(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let name = key_name(meta)?;
        if name != "transparent" && name != "no_error_impl" {
            self.first_other.get_or_insert(meta.path.span());
        }
        match name.as_str() {
            "code" => set(&mut self.code, meta, code(meta)?),
            "extends" => set(&mut self.extends, meta, path(meta)?),
            "message" => set(&mut self.message, meta, message(meta)?),
            "remediation" => set(&mut self.remediation, meta, text(meta)?),
            "user_message" => set(&mut self.user_message, meta, text(meta)?),
            "retry" => set(&mut self.retry, meta, retry(meta)?),
            "http" => set(&mut self.http, meta, http(meta)?),
            "fallback_tool" => set(&mut self.fallback_tool, meta, text(meta)?),
            "docs_url" => set(&mut self.docs_url, meta, url(meta)?),
            "details" => meta.parse_nested_meta(|detail| {
                let constant = constant(&detail)?;
                self.details.push(constant);
                Ok(())
            }),
            "transparent" => set(&mut self.transparent, meta, meta.path.span()),
            "no_error_impl" => set(&mut self.no_error_impl, meta, meta.path.span()),
            _ => Err(unknown(meta, KEYS)),
        }
    }
}

const KEYS: &[&str] = &[
    "code",
    "extends",
    "message",
    "remediation",
    "user_message",
    "retry",
    "http",
    "fallback_tool",
    "docs_url",
    "details",
    "transparent",
    "no_error_impl",
];

fn code(meta: &ParseNestedMeta<'_>) -> syn::Result<CodeKey> {
    let value = meta.value()?;
    if value.peek(LitStr) {
        return value.parse().map(CodeKey::Named);
    }
    let help = "expected a code (NOT_FOUND_RESOURCE, or a path to a constant) or the name of a new one in quotes";
    value
        .parse()
        .map(CodeKey::Known)
        .map_err(|error| syn::Error::new(error.span(), help))
}

fn message(meta: &ParseNestedMeta<'_>) -> syn::Result<MessageKey> {
    if meta.input.peek(Token![=]) && meta.input.peek2(Ident) {
        let word: Ident = meta.value()?.parse()?;
        if word != "display" {
            let help = "expected a text in quotes, or `display` for what Display writes";
            return Err(syn::Error::new_spanned(word, help));
        }
        return Ok(MessageKey::Display(word));
    }
    text(meta).map(MessageKey::Template)
}

fn http(meta: &ParseNestedMeta<'_>) -> syn::Result<LitInt> {
    let help = "expected the HTTP status of a failure, from 400 to 599";
    let status: LitInt = meta
        .value()?
        .parse()
        .map_err(|error| syn::Error::new(error.span(), help))?;
    match status.base10_parse::<u16>() {
        Ok(400..=599) => Ok(status),
        Ok(_) | Err(_) => Err(syn::Error::new_spanned(status, help)),
    }
}

fn constant(meta: &ParseNestedMeta<'_>) -> syn::Result<Constant> {
    let name = detail_key(&meta.path)?;
    let help = "expected a text, a number or a boolean";
    let value: Lit = meta
        .value()?
        .parse()
        .map_err(|error| syn::Error::new(error.span(), help))?;
    let Some(shape) = shape(&value) else {
        return Err(syn::Error::new_spanned(value, help));
    };
    Ok(Constant {
        name,
        value,
        shape,
        at: meta.path.span(),
    })
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other literals are no JSON"
)]
fn shape(value: &Lit) -> Option<&'static str> {
    match value {
        Lit::Str(_) => Some("Text"),
        Lit::Int(_) => Some("Integer"),
        Lit::Float(_) => Some("Number"),
        Lit::Bool(_) => Some("Flag"),
        _ => None,
    }
}

fn retry(meta: &ParseNestedMeta<'_>) -> syn::Result<Retry> {
    let value = meta.value()?;
    let words: Vec<&str> = RETRIES.iter().map(|(word, _)| *word).collect();
    let word: Ident = value.parse().map_err(|error| {
        let help = format!("expected one of: {}", words.join(", "));
        syn::Error::new(error.span(), help)
    })?;
    let known = RETRIES.iter().find(|(known, _)| word == known);
    let Some((_, variant)) = known else {
        let help = suggest::or_all(&word.to_string(), &words, "there are");
        return Err(syn::Error::new_spanned(
            &word,
            format!("there is no retry class `{word}`; {help}"),
        ));
    };
    Ok(Retry { word, variant })
}

/// The classes of `breakfall::Retry`, each with its variant.
const RETRIES: &[(&str, &str)] = &[
    ("never", "Never"),
    ("after_change", "AfterChange"),
    ("once", "Once"),
    ("backoff", "Backoff"),
    ("after", "After"),
];
