//! The conversion, written out.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, LitStr, Path};

use crate::case::{Case, Code, Field, Row, Use};
use crate::check::RESERVED;
use crate::shape::Shape;
use crate::template;

/// `impl From<TheError> for Fault`.
pub(crate) fn conversion(input: &DeriveInput, cases: &[Case<'_>]) -> TokenStream {
    let arms = cases.iter().map(arm);
    let body = quote!(match error { #(#arms)* });
    implement(input, &bounds(input, cases), &body)
}

/// The same without a body that could fail to compile, for when the errors are already told.
pub(crate) fn stub(input: &DeriveInput) -> TokenStream {
    implement(
        input,
        &[],
        &quote!(::core::unreachable!("the derive failed")),
    )
}

fn implement(input: &DeriveInput, bounds: &[TokenStream], body: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let (parameters, arguments, conditions) = input.generics.split_for_impl();
    let own = conditions
        .map(|clause| &clause.predicates)
        .into_iter()
        .flatten();
    quote! {
        #[automatically_derived]
        impl #parameters ::core::convert::From<#name #arguments> for ::breakfall::Fault
        where
            #(#own,)*
            #(#bounds,)*
        {
            fn from(error: #name #arguments) -> Self {
                #body
            }
        }
    }
}

/// What a generic field must be able to do. A field without type parameters is checked where it is used, which
/// gives the better error.
fn bounds(input: &DeriveInput, cases: &[Case<'_>]) -> Vec<TokenStream> {
    if input.generics.type_params().next().is_none() {
        return Vec::new();
    }
    let fields = cases.iter().flat_map(|case| &case.fields);
    let bound = |field: &Field<'_>| {
        let ty = field.ty;
        match field.becomes {
            Use::Detail(_) => Some(quote!(#ty: ::breakfall::__private::Detail)),
            Use::Source => Some(quote!(#ty: ::breakfall::__private::Cause)),
            Use::Wait | Use::Nothing => None,
        }
    };
    fields.filter_map(bound).collect()
}

fn arm(case: &Case<'_>) -> TokenStream {
    let of = case.of;
    let path = case
        .variant
        .map_or_else(|| quote!(#of), |variant| quote!(#of::#variant));
    let pattern = case.fields.iter().map(|field| {
        let (member, binding) = (&field.member, &field.binding);
        match field.becomes {
            Use::Nothing => quote!(#member: _),
            Use::Detail(_) | Use::Source | Use::Wait => quote!(#member: #binding),
        }
    });
    let begun = begin(case);
    let tool = case.fallback_tool.iter();
    let steps = case.fields.iter().map(step);
    quote! {
        #path { #(#pattern),* } => {
            let fault = { #begun };
            #(let fault = fault.fallback_tool(#tool);)*
            #(#steps)*
            fault
        }
    }
}

/// The fault before any field is in it.
fn begin(case: &Case<'_>) -> TokenStream {
    match &case.code {
        Code::Known {
            code,
            remediation,
            user_message,
        } => {
            let code = resolve(code);
            let (remediation, user_message) = (remediation.iter(), user_message.iter());
            quote! {
                ::breakfall::Fault::new(#code)
                    #(.remediation(#remediation))*
                    #(.user_message(#user_message))*
            }
        }
        Code::Own(row) => {
            let (name, entry) = (&row.name, entry(row, &case.fields));
            let check = quote_spanned! {at(name.span())=>
                const _: () = ::core::assert!(::breakfall::__private::is_free(#name), #BUILT_IN);
            };
            quote! {
                #check
                static ROW: ::breakfall::Entry = #entry;
                ::breakfall::Fault::new(::breakfall::Code::new(&ROW))
            }
        }
        Code::Broken => TokenStream::new(),
    }
}

fn entry(row: &Row, fields: &[Field<'_>]) -> TokenStream {
    let (name, base) = (&row.name, resolve(&row.base));
    let message = row.message.iter().map(|message| {
        let plain = plain(message, &base);
        quote!(#message, #plain)
    });
    let (remediation, user_message) = (row.remediation.iter(), row.user_message.iter());
    let meaning = Some(&row.meaning).filter(|text| !text.is_empty());
    let meaning = meaning.into_iter();
    let details = fields.iter().filter_map(declaration);
    quote! {
        ::breakfall::Entry::extends(#base, #name)
            .details(&[#(#details),*])
            #(.meaning(#meaning))*
            #(.message(#message))*
            #(.remediation(#remediation))*
            #(.user(#user_message))*
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
fn declaration(field: &Field<'_>) -> Option<TokenStream> {
    let Use::Detail(key) = &field.becomes else {
        return None;
    };
    if RESERVED.iter().any(|(name, _)| name == key) {
        return None;
    }
    let about = &field.about;
    let Shape { name, required } = Shape::of(field.ty);
    Some(quote! {
        ::breakfall::code::Detail {
            name: #key,
            shape: ::breakfall::code::Shape::#name,
            required: #required,
            about: #about,
        }
    })
}

/// Puts a field into the fault. A type that does not fit is reported at the field.
fn step(field: &Field<'_>) -> TokenStream {
    let (binding, place) = (&field.binding, at(field.ty.span()));
    let private = quote_spanned!(place=> ::breakfall::__private);
    let call = match &field.becomes {
        Use::Detail(key) => quote_spanned!(place=> #private::Detail::add_to(#binding, fault, #key)),
        Use::Source => quote_spanned!(place=> #private::Cause::add_to(#binding, fault)),
        Use::Wait => quote_spanned!(place=> #private::Wait::add_to(#binding, fault)),
        Use::Nothing => return TokenStream::new(),
    };
    quote!(let fault = #call;)
}

/// The place of something the user wrote, with names that mean what they mean in the code around.
fn at(place: Span) -> Span {
    place.resolved_at(Span::call_site())
}

/// A bare name is a built-in code; a path is taken as it stands.
fn resolve(code: &Path) -> TokenStream {
    match code.get_ident() {
        Some(name) => quote!(::breakfall::codes::#name),
        None => code.to_token_stream(),
    }
}

const BUILT_IN: &str =
    "this code is built in: choose another name, for example one that begins with your domain";
