//! The attributes `#[fault(…)]`, on a variant or struct and on a field.

use proc_macro2::Span;
use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Path};

use crate::errors::DeriveErrors;
use crate::suggest;
use crate::template;

/// The `fault` attributes.
pub(crate) fn faults(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("fault"))
}

/// The doc comment, its lines joined.
pub(crate) fn docs(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes.iter().filter_map(doc_line).collect();
    lines.join(" ").trim().to_owned()
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    let pair = attribute.meta.require_name_value().ok()?;
    if let (
        true,
        Expr::Lit(ExprLit {
            lit: Lit::Str(line),
            ..
        }),
    ) = (pair.path.is_ident("doc"), &pair.value)
    {
        Some(line.value().trim().to_owned())
    } else {
        None
    }
}

/// The attributes of a variant or struct.
#[derive(Default)]
pub(crate) struct CaseAttributes {
    pub(crate) code: Option<CodeKey>,
    pub(crate) extends: Option<Path>,
    pub(crate) message: Option<LitStr>,
    pub(crate) remediation: Option<LitStr>,
    pub(crate) user_message: Option<LitStr>,
    pub(crate) retry: Option<Retry>,
    pub(crate) fallback_tool: Option<LitStr>,
    pub(crate) docs_url: Option<LitStr>,
    /// The field is the fault.
    pub(crate) transparent: Option<Span>,
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
        if name != "transparent" {
            self.first_other.get_or_insert(meta.path.span());
        }
        match name.as_str() {
            "code" => set(&mut self.code, meta, code(meta)?),
            "extends" => set(&mut self.extends, meta, path(meta)?),
            "message" => set(&mut self.message, meta, text(meta)?),
            "remediation" => set(&mut self.remediation, meta, text(meta)?),
            "user_message" => set(&mut self.user_message, meta, text(meta)?),
            "retry" => set(&mut self.retry, meta, retry(meta)?),
            "fallback_tool" => set(&mut self.fallback_tool, meta, text(meta)?),
            "docs_url" => set(&mut self.docs_url, meta, url(meta)?),
            "transparent" => set(&mut self.transparent, meta, meta.path.span()),
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
    "fallback_tool",
    "docs_url",
    "transparent",
];

/// The role of a field.
pub(crate) enum Role {
    /// A detail, under another name if one is given.
    Detail(Option<LitStr>, Form),
    /// The private cause.
    Source(Span),
    /// The wait before a repetition.
    Wait(Span),
    /// Nothing.
    Skip,
}

/// How a detail becomes JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// By `Into<serde_json::Value>`.
    Value,
    /// By `Display`.
    Display,
    /// By `Serialize`.
    Serialize,
}

impl Role {
    pub(crate) fn read(attributes: &[Attribute], errors: &mut DeriveErrors) -> Self {
        let mut marks = FieldKeys::default();
        for attribute in faults(attributes) {
            if let Err(error) = attribute.parse_nested_meta(|meta| marks.key(&meta)) {
                errors.add(error);
                // The field is certainly not a plain detail: no follow-up errors.
                marks.role = Some(Self::Skip);
            }
        }
        let detail = Self::Detail(marks.name, marks.form.unwrap_or(Form::Value));
        marks.role.unwrap_or(detail)
    }
}

/// The keys on one field: a role that excludes all else, or a detail's name and form.
#[derive(Default)]
struct FieldKeys {
    role: Option<Role>,
    name: Option<LitStr>,
    form: Option<Form>,
}

impl FieldKeys {
    fn key(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let name = key_name(meta)?;
        let at = meta.path.span();
        match name.as_str() {
            "skip" => self.alone(meta, Role::Skip),
            "source" => self.alone(meta, Role::Source(at)),
            "retry_after" => self.alone(meta, Role::Wait(at)),
            "detail" => {
                let name = detail_name(meta)?;
                self.refuse_second_role(meta)?;
                set(&mut self.name, meta, name)
            }
            "display" | "serialize" => {
                self.refuse_second_role(meta)?;
                if self.form.is_some() {
                    return Err(meta.error("a detail is written in one way; this is its second"));
                }
                let display = name == "display";
                self.form = Some(if display {
                    Form::Display
                } else {
                    Form::Serialize
                });
                Ok(())
            }
            _ => Err(unknown(meta, FIELD_KEYS)),
        }
    }

    fn alone(&mut self, meta: &ParseNestedMeta<'_>, role: Role) -> syn::Result<()> {
        self.refuse_second_role(meta)?;
        if self.name.is_some() || self.form.is_some() {
            return Err(meta.error(TWO_ROLES));
        }
        self.role = Some(role);
        Ok(())
    }

    fn refuse_second_role(&self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        match self.role {
            Some(_) => Err(meta.error(TWO_ROLES)),
            None => Ok(()),
        }
    }
}

const TWO_ROLES: &str = "a field has one role; this is its second";

const FIELD_KEYS: &[&str] = &[
    "detail",
    "display",
    "serialize",
    "source",
    "retry_after",
    "skip",
];

fn key_name(meta: &ParseNestedMeta<'_>) -> syn::Result<String> {
    meta.path.require_ident().map(Ident::to_string)
}

fn unknown(meta: &ParseNestedMeta<'_>, known: &[&str]) -> syn::Error {
    let name = meta.path.to_token_stream().to_string();
    let help = suggest::or_all(&name, known, "the keys are");
    meta.error(format!("`{name}` is no key of #[fault(…)] here; {help}"))
}

fn set<T>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>, value: T) -> syn::Result<()> {
    if slot.is_some() {
        let name = meta.path.to_token_stream();
        return Err(meta.error(format!("`{name}` is given twice")));
    }
    *slot = Some(value);
    Ok(())
}

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

fn path(meta: &ParseNestedMeta<'_>) -> syn::Result<Path> {
    let help = "expected a code: NOT_FOUND_RESOURCE, or a path to a constant";
    meta.value()?
        .parse()
        .map_err(|error| syn::Error::new(error.span(), help))
}

fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    let text: LitStr = meta
        .value()?
        .parse()
        .map_err(|error| syn::Error::new(error.span(), "expected a text in quotes"))?;
    if text.value().trim().is_empty() {
        return Err(syn::Error::new_spanned(text, "the text is empty"));
    }
    Ok(text)
}

fn url(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    let url = text(meta)?;
    let value = url.value();
    let rest = value
        .strip_prefix("https://")
        .or_else(|| value.strip_prefix("http://"));
    if rest.is_none_or(str::is_empty) || value.contains(char::is_whitespace) {
        let help = "expected a link that begins with https://";
        return Err(syn::Error::new_spanned(url, help));
    }
    Ok(url)
}

fn detail_name(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    let name = text(meta)?;
    if template::is_name(&name.value()) {
        return Ok(name);
    }
    let problem = "a detail's name is letters, digits and underscores";
    Err(syn::Error::new_spanned(name, problem))
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
