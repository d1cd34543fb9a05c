//! The attributes of the derive: `#[fault(…)]` on a type, a variant and a field; `#[from]` and `#[source]` on a field.

mod case;
mod field;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Path};

pub(crate) use case::{CaseAttributes, CodeKey, Constant, MessageKey, Retry};
pub(crate) use field::{FieldAttributes, Form, FromMark, Role};

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
    let value = text.value();
    if value.trim().is_empty() {
        return Err(syn::Error::new_spanned(text, "the text is empty"));
    }
    if value.contains(char::is_control) {
        let help = "the text has a line break or another control character; write it in one line";
        return Err(syn::Error::new_spanned(text, help));
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

/// The key of a detail that is written as a name.
fn detail_key(path: &Path) -> syn::Result<String> {
    path.require_ident().map(|name| name.unraw().to_string())
}

fn detail_name(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    let name = text(meta)?;
    if template::is_name(&name.value()) {
        return Ok(name);
    }
    let problem = "a detail's name is letters, digits and underscores";
    Err(syn::Error::new_spanned(name, problem))
}
