//! `Display`, `Error` and `From` of the error type itself.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Type};

use super::{adder, at, constants, path, row, step};
use crate::attr::Form;
use crate::case::{Case, CaseCode};
use crate::field::{FaultField, Use};
use crate::shape::FieldShape;
use crate::template;

/// `Display` writes the message of the fault, `Error` has the private cause as its source.
pub(super) fn impls(input: &DeriveInput, cases: &[Case<'_>]) -> TokenStream {
    let name = &input.ident;
    let (parameters, arguments, conditions) = input.generics.split_for_impl();
    let own = conditions.map(|clause| &clause.predicates);
    let own: Vec<_> = own.into_iter().flatten().collect();
    let is_generic = input.generics.type_params().next().is_some();
    let shown = cases.iter().flat_map(shown_bounds).filter(|_| is_generic);
    let shown: Vec<_> = shown.collect();
    let caused = cases
        .iter()
        .filter_map(source_bounds)
        .filter(|_| is_generic);
    let itself = is_generic.then(|| quote!(Self: ::core::fmt::Debug + ::core::fmt::Display,));
    let display = matched(cases.iter().enumerate().map(|(at, case)| display(at, case)));
    let source = matched(cases.iter().map(source));
    quote! {
        #[automatically_derived]
        impl #parameters ::core::fmt::Display for #name #arguments
        where
            #(#own,)*
            #(#shown,)*
        {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #display
            }
        }

        #[automatically_derived]
        impl #parameters ::core::error::Error for #name #arguments
        where
            #(#own,)*
            #(#caused,)*
            #itself
        {
            fn source(&self) -> ::core::option::Option<&(dyn ::core::error::Error + 'static)> {
                #source
            }
        }
    }
}

/// A conversion for each field that is marked `from`.
pub(super) fn froms(input: &DeriveInput, cases: &[Case<'_>]) -> TokenStream {
    let name = &input.ident;
    let (parameters, arguments, conditions) = input.generics.split_for_impl();
    let all = cases
        .iter()
        .flat_map(|case| case.fields.iter().map(move |field| (case, field)));
    let froms = all.filter(|(_, field)| field.is_from).map(|(case, field)| {
        let (path, member, ty) = (path(case), &field.member, field.ty);
        quote_spanned! {at(ty.span())=>
            #[automatically_derived]
            impl #parameters ::core::convert::From<#ty> for #name #arguments #conditions {
                fn from(source: #ty) -> Self {
                    #path { #member: source }
                }
            }
        }
    });
    froms.collect()
}

/// A match on `self` with its arms. A type without variants has no value to match by reference.
fn matched(arms: impl Iterator<Item = TokenStream>) -> TokenStream {
    let arms: Vec<_> = arms.collect();
    if arms.is_empty() {
        quote!(match *self {})
    } else {
        quote!(match self { #(#arms)* })
    }
}

fn display(position: usize, case: &Case<'_>) -> TokenStream {
    let path = path(case);
    if let Some(inner) = inner(case) {
        let (member, binding) = (&inner.member, &inner.binding);
        let place = at(inner.ty.span());
        let write = quote_spanned!(place=> ::core::fmt::Display::fmt(#binding, formatter));
        return quote!(#path { #member: #binding } => #write,);
    }
    let fields: Vec<_> = shown(case).collect();
    let pattern = fields.iter().map(|field| {
        let (member, binding) = (&field.member, &field.binding);
        quote!(#member: #binding)
    });
    let steps = fields.iter().map(|field| by_reference(field));
    let (code, constants) = (row::code_name(position), constants(case));
    quote! {
        #path { #(#pattern,)* .. } => {
            let fault = ::breakfall::Fault::new(#code) #constants;
            #(#steps)*
            ::core::fmt::Display::fmt(&fault, formatter)
        }
    }
}

/// Puts a copy of a detail into the fault.
fn by_reference(field: &FaultField<'_>) -> TokenStream {
    let Use::Detail(_, Form::Value) = field.becomes else {
        return step(field, false);
    };
    let binding = &field.binding;
    let copy = quote_spanned!(at(field.ty.span())=> ::core::clone::Clone::clone(#binding));
    let step = step(field, true);
    quote!(let #binding = #copy; #step)
}

/// The fields whose values the message may have: those its template names, or every detail where the template is another
/// row's.
fn shown<'c, 'a>(case: &'c Case<'a>) -> impl Iterator<Item = &'c FaultField<'a>> {
    let message = match &case.code {
        CaseCode::Own(_) => case.texts.message.as_ref(),
        CaseCode::Known(_) | CaseCode::Inner | CaseCode::Broken => None,
    };
    let template = message.map(syn::LitStr::value);
    case.fields.iter().filter(move |field| {
        let Some(key) = field.detail() else {
            return false;
        };
        let names = template.as_deref().map(template::placeholders);
        names.is_none_or(|names| names.is_ok_and(|names| names.contains(&key)))
    })
}

fn source(case: &Case<'_>) -> TokenStream {
    let path = path(case);
    if let Some(inner) = inner(case) {
        let (member, binding) = (&inner.member, &inner.binding);
        let place = at(inner.ty.span());
        let source = quote_spanned!(place=> ::core::error::Error::source(#binding));
        return quote!(#path { #member: #binding } => #source,);
    }
    let Some(field) = cause(case) else {
        return quote!(#path { .. } => ::core::option::Option::None,);
    };
    let (member, binding) = (&field.member, &field.binding);
    let place = at(field.ty.span());
    let call = quote_spanned!(place=> #binding.as_source());
    let found = if FieldShape::of(field.ty).required {
        call
    } else {
        quote!(match #binding {
            ::core::option::Option::Some(#binding) => #call,
            ::core::option::Option::None => ::core::option::Option::None,
        })
    };
    quote! {
        #path { #member: #binding, .. } => {
            use ::breakfall::__private::AsSource as _;
            #found
        }
    }
}

fn inner<'c, 'a>(case: &'c Case<'a>) -> Option<&'c FaultField<'a>> {
    case.fields
        .iter()
        .find(|field| matches!(field.becomes, Use::Fault))
}

fn cause<'c, 'a>(case: &'c Case<'a>) -> Option<&'c FaultField<'a>> {
    case.fields
        .iter()
        .find(|field| matches!(field.becomes, Use::Source))
}

/// What the types of a generic error's fields must be able to do for its message.
fn shown_bounds(case: &Case<'_>) -> Vec<TokenStream> {
    if let Some(inner) = inner(case) {
        let ty = inner.ty;
        return vec![quote!(#ty: ::core::fmt::Display)];
    }
    let bound = |field: &FaultField<'_>| {
        let ty = field.ty;
        match &field.becomes {
            Use::Detail(_, Form::Value) => {
                quote!(#ty: ::core::clone::Clone + ::breakfall::__private::Detail)
            }
            Use::Detail(_, form) => adds(FieldShape::of(ty).inner, *form),
            Use::Source | Use::Wait | Use::Params(_) | Use::Fault | Use::Nothing => {
                TokenStream::new()
            }
        }
    };
    shown(case).map(bound).collect()
}

fn adds(ty: &Type, form: Form) -> TokenStream {
    let adder = quote::format_ident!("{}", adder(form));
    quote!(#ty: ::breakfall::__private::#adder)
}

/// What they must be able to do for its source.
fn source_bounds(case: &Case<'_>) -> Option<TokenStream> {
    if let Some(inner) = inner(case) {
        let ty = inner.ty;
        return Some(quote!(#ty: ::core::error::Error));
    }
    let ty = FieldShape::of(cause(case)?.ty).inner;
    Some(quote!(#ty: ::breakfall::__private::AsSource))
}
