//! What `#[fault(…)]` says, on a variant or struct and on a field.

use proc_macro2::Span;
use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Path};

use crate::problems::Problems;
use crate::template;

/// The attributes that are ours.
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

/// What a variant or struct says of its fault.
#[derive(Default)]
pub(crate) struct Says {
    pub(crate) code: Option<Code>,
    pub(crate) extends: Option<Path>,
    pub(crate) message: Option<LitStr>,
    pub(crate) remediation: Option<LitStr>,
    pub(crate) user_message: Option<LitStr>,
    pub(crate) fallback_tool: Option<LitStr>,
    /// An attribute could not be read, so what is absent may have been meant.
    pub(crate) is_broken: bool,
}

/// A code: one there is, or the name of one to make.
pub(crate) enum Code {
    Known(Path),
    Named(LitStr),
}

impl Says {
    pub(crate) fn read(attributes: &[Attribute], problems: &mut Problems) -> Self {
        let mut says = Self::default();
        for attribute in faults(attributes) {
            if let Err(error) = attribute.parse_nested_meta(|meta| says.key(&meta)) {
                problems.add(error);
                says.is_broken = true;
            }
        }
        says
    }

    fn key(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let name = key_name(meta)?;
        match name.as_str() {
            "code" => set(&mut self.code, meta, code(meta)?),
            "extends" => set(&mut self.extends, meta, path(meta)?),
            "message" => set(&mut self.message, meta, text(meta)?),
            "remediation" => set(&mut self.remediation, meta, text(meta)?),
            "user_message" => set(&mut self.user_message, meta, text(meta)?),
            "fallback_tool" => set(&mut self.fallback_tool, meta, text(meta)?),
            _ => Err(unknown(
                meta,
                "code, extends, message, remediation, user_message, fallback_tool",
            )),
        }
    }
}

/// What becomes of a field.
pub(crate) enum Role {
    /// A detail, under another name if one is given.
    Detail(Option<LitStr>),
    /// The private cause.
    Source(Span),
    /// The wait before a repetition.
    Wait(Span),
    /// Nothing.
    Skip,
}

impl Role {
    pub(crate) fn read(attributes: &[Attribute], problems: &mut Problems) -> Self {
        let mut role = None;
        for attribute in faults(attributes) {
            let read = attribute.parse_nested_meta(|meta| {
                let this = Self::key(&meta)?;
                if role.is_some() {
                    return Err(meta.error("a field has one role; this is its second"));
                }
                role = Some(this);
                Ok(())
            });
            if let Err(error) = read {
                problems.add(error);
                // Whatever was meant, it was not a plain detail: no follow-up complaints.
                role = Some(Self::Skip);
            }
        }
        role.unwrap_or(Self::Detail(None))
    }

    fn key(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        match key_name(meta)?.as_str() {
            "skip" => Ok(Self::Skip),
            "source" => Ok(Self::Source(meta.path.span())),
            "retry_after" => Ok(Self::Wait(meta.path.span())),
            "detail" => {
                let name = text(meta)?;
                if template::is_name(&name.value()) {
                    Ok(Self::Detail(Some(name)))
                } else {
                    let problem = "a detail's name is letters, digits and underscores";
                    Err(syn::Error::new_spanned(name, problem))
                }
            }
            _ => Err(unknown(meta, "skip, source, retry_after, detail")),
        }
    }
}

fn key_name(meta: &ParseNestedMeta<'_>) -> syn::Result<String> {
    meta.path.require_ident().map(Ident::to_string)
}

fn unknown(meta: &ParseNestedMeta<'_>, known: &str) -> syn::Error {
    let name = meta.path.to_token_stream();
    meta.error(format!(
        "`{name}` is no key of #[fault(…)] here; the keys are: {known}"
    ))
}

fn set<T>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>, value: T) -> syn::Result<()> {
    if slot.is_some() {
        let name = meta.path.to_token_stream();
        return Err(meta.error(format!("`{name}` is given twice")));
    }
    *slot = Some(value);
    Ok(())
}

fn code(meta: &ParseNestedMeta<'_>) -> syn::Result<Code> {
    let value = meta.value()?;
    if value.peek(LitStr) {
        return value.parse().map(Code::Named);
    }
    let help = "expected a code (NOT_FOUND_RESOURCE, or a path to a constant) or the name of a new one in quotes";
    value
        .parse()
        .map(Code::Known)
        .map_err(|error| syn::Error::new(error.span(), help))
}

fn path(meta: &ParseNestedMeta<'_>) -> syn::Result<Path> {
    let help = "expected a code: NOT_FOUND_RESOURCE, or a path to a constant";
    meta.value()?
        .parse()
        .map_err(|error| syn::Error::new(error.span(), help))
}

fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    let text: LitStr = meta.value()?.parse()?;
    if text.value().trim().is_empty() {
        return Err(syn::Error::new_spanned(text, "the text is empty"));
    }
    Ok(text)
}
