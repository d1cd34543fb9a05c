//! The code of a case: a row of the server's own, or a name for one there is. And what the compiler is to check.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, LitStr};

use super::{at, filled, fixed, resolve};
use crate::attr::Retry;
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
    let retry = case.texts.retry.iter();
    match &case.code {
        CaseCode::Known(path) => {
            let code = resolve(path);
            let checks = retry.map(|retry| not_in_vain(retry, &code));
            quote! {
                const #name: ::breakfall::Code = #code;
                #(#checks)*
            }
        }
        CaseCode::Own(row) => {
            let static_name = format_ident!("ROW_{position}");
            let entry = entry(row, &case.texts, &case.fields);
            let checks = checks(row, &case.texts);
            let own = &row.name;
            // One expression, so that a name that is taken is one error.
            let code = quote_spanned! {at(own.span())=> {
                ::core::assert!(::breakfall::__private::is_free(#own), #BUILT_IN);
                ::breakfall::Code::new(&#static_name)
            }};
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

fn checks(row: &NewRow, texts: &CaseTexts) -> TokenStream {
    let base = resolve(&row.base);
    let not_in_vain = texts.retry.iter().map(|retry| not_in_vain(retry, &base));
    let agrees = texts.retry.iter().filter(|_| texts.remediation.is_none());
    let agrees = agrees.map(|word| {
        let retry = retry(word);
        quote_spanned! {at(word.word.span())=>
            const _: () = ::core::assert!(::breakfall::__private::agree(#base, #retry), #MISLEADS);
        }
    });
    quote! {
        #(#not_in_vain)*
        #(#agrees)*
    }
}

fn not_in_vain(word: &Retry, code: &TokenStream) -> TokenStream {
    let retry = retry(word);
    quote_spanned! {at(word.word.span())=>
        const _: () = ::core::assert!(::breakfall::__private::may_have(#code, #retry), #IN_VAIN);
    }
}

const BUILT_IN: &str =
    "this code is built in: choose another name, for example one that begins with your domain";

const IN_VAIN: &str = "this contradicts the code: where the call itself is at fault, or a person has to act, \
                       the same call fails again";

const MISLEADS: &str = "this contradicts the code it extends, whose remediation would mislead: say what to do \
                        with remediation = \"…\"";

fn entry(row: &NewRow, texts: &CaseTexts, fields: &[FaultField<'_>]) -> TokenStream {
    let (name, base) = (&row.name, resolve(&row.base));
    let message = texts.message.iter().map(|message| {
        let plain = plain(message, &base);
        quote!(#message, #plain)
    });
    let retry = texts.retry.iter().map(retry);
    let remediation = fixed(texts.remediation.as_ref()).into_iter();
    let user_message = fixed(texts.user_message.as_ref()).into_iter();
    let meaning = Some(&row.meaning).filter(|text| !text.is_empty());
    let meaning = meaning.into_iter();
    let details = fields.iter().filter_map(declaration);
    let wait = wait(texts);
    let entry = quote! {
        ::breakfall::Entry::extends(#base, #name)
            .details(&[#(#details,)* #wait])
            #(.meaning(#meaning))*
            #(.message(#message))*
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
    let about = &field.about;
    let shape = FieldShape::of(field.ty);
    let (name, required) = (shape.name(*form), shape.required);
    Some(quote! {
        ::breakfall::code::Detail {
            name: #key,
            shape: ::breakfall::code::Shape::#name,
            required: #required,
            about: #about,
        }
    })
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
