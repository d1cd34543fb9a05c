//! The code of a case: a row of the server's own, or a name for one there is.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, LitStr};

use super::{check, filled, fixed, resolve};
use crate::attr::{Constant, Retry};
use crate::case::{Case, CaseCode, CaseTexts, NewRow};
use crate::check::RESERVED;
use crate::field::{FaultField, Use};
use crate::shape::FieldShape;
use crate::template;

/// What the code of the case at a position is called.
pub(super) fn code_name(position: usize) -> Ident {
    format_ident!("CODE_{position}")
}

/// Declares the code of a case.
pub(super) fn code(position: usize, case: &Case<'_>) -> TokenStream {
    let name = code_name(position);
    match &case.code {
        CaseCode::Known(path) => {
            let code = resolve(path);
            let checks = check::known(case, path, &name);
            quote! {
                const #name: ::breakfall::Code = #code;
                #checks
            }
        }
        CaseCode::Own(row) => {
            let static_name = format_ident!("ROW_{position}");
            let entry = entry(row, case);
            let checks = check::own(case, row);
            let code = check::free_code(&row.name, &static_name);
            quote! {
                #checks
                static #static_name: ::breakfall::Entry = #entry;
                const #name: ::breakfall::Code = #code;
            }
        }
        CaseCode::Inner | CaseCode::Broken => TokenStream::new(),
    }
}

pub(super) fn retry(retry: &Retry) -> TokenStream {
    let variant = format_ident!("{}", retry.variant);
    quote!(::breakfall::Retry::#variant)
}

fn entry(row: &NewRow, case: &Case<'_>) -> TokenStream {
    let Case { texts, fields, .. } = case;
    let (name, base) = (&row.name, resolve(&row.base));
    let message = texts.message.iter().map(|message| {
        let plain = plain(message, &base);
        quote!(#message, #plain)
    });
    // Where Display writes the message, the template of the base would be filled in vain.
    let fixed_message = texts
        .is_displayed
        .then(|| quote!(.message(#base.entry().message.plain, #base.entry().message.plain)));
    let http = texts.http.iter();
    let retry = texts.retry.iter().map(retry);
    let remediation = fixed(texts.remediation.as_ref()).into_iter();
    let user_message = fixed(texts.user_message.as_ref()).into_iter();
    let meaning = Some(&row.meaning).filter(|text| !text.is_empty());
    let meaning = meaning.into_iter();
    let details = fields.iter().filter_map(declaration);
    let details = details.chain(case.constants.iter().map(fixed_declaration));
    let wait = wait(texts);
    let entry = quote! {
        ::breakfall::Entry::extends(#base, #name)
            .details(&[#(#details,)* #wait])
            #(.meaning(#meaning))*
            #(.message(#message))*
            #fixed_message
            #(.http(#http))*
            #(.retry(#retry))*
            #(.remediation(#remediation))*
            #(.user(#user_message))*
    };
    match filled(texts.remediation.as_ref()) {
        Some(advice) => quote!(::breakfall::__private::advise(#entry, #base, #advice)),
        None => entry,
    }
}

/// The message without values. Where nothing is left of it, the base's must do.
fn plain(message: &LitStr, base: &TokenStream) -> TokenStream {
    let plain = template::plain(&message.value());
    if plain.is_empty() {
        quote!(#base.entry().message.plain)
    } else {
        plain.into_token_stream()
    }
}

/// The key a field declares in its row. One that names a part of the fault itself declares none.
fn declaration(field: &FaultField<'_>) -> Option<TokenStream> {
    let Use::Detail(key, form) = &field.becomes else {
        return None;
    };
    if RESERVED.iter().any(|(name, _)| name == key) {
        return None;
    }
    let shape = FieldShape::of(field.ty);
    Some(declared(
        key,
        &shape.name(*form),
        shape.required,
        &field.about,
    ))
}

fn fixed_declaration(constant: &Constant) -> TokenStream {
    let shape = format_ident!("{}", constant.shape);
    declared(&constant.name, &shape, true, "")
}

fn declared(key: &str, shape: &Ident, required: bool, about: &str) -> TokenStream {
    quote! {
        ::breakfall::code::Detail {
            name: #key,
            shape: ::breakfall::code::Shape::#shape,
            required: #required,
            about: #about,
        }
    }
}

/// The wait, as advice that names it has to declare it.
fn wait(texts: &CaseTexts) -> Option<TokenStream> {
    let advice = texts.remediation.as_ref()?.value();
    let names = template::placeholders(&advice).ok()?;
    names.contains(&template::WAIT).then(|| {
        let key = template::WAIT;
        quote! {
            ::breakfall::code::Detail {
                name: #key,
                shape: ::breakfall::code::Shape::Integer,
                required: false,
                about: "Seconds to wait before the call is repeated.",
            }
        }
    })
}
