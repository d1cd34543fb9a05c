//! What the derive writes: the rows, the conversion to a fault, the list of codes, `Display` and `Error`, and the answers a
//! handler may return.

mod check;
mod error;
mod row;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Ident, LitStr, Path};

use crate::attr::Form;
use crate::case::{Case, CaseCode};
use crate::display::DisplayOwner;
use crate::field::{FaultField, Use};
use crate::shape::FieldShape;
use crate::template;

/// Everything. The rows stand beside the impls rather than in them, since a `static` knows no type parameters.
pub(crate) fn impls(input: &DeriveInput, cases: &[Case<'_>], owner: DisplayOwner) -> TokenStream {
    let codes = cases
        .iter()
        .enumerate()
        .map(|(at, case)| row::code(at, case));
    let arms = cases.iter().enumerate().map(|(at, case)| arm(at, case));
    // The fields are moved below, so what Display writes is asked for first.
    let is_displayed = cases.iter().any(|case| case.texts.is_displayed);
    let displayed =
        is_displayed.then(|| quote!(let displayed = ::std::string::ToString::to_string(&error);));
    let body = quote!(#displayed match error { #(#arms)* });
    let impls = implement(input, &bounds(input, cases), &listed(cases), &body);
    let froms = error::froms(input, cases);
    let errors = (owner == DisplayOwner::Fault).then(|| error::impls(input, cases));
    quote! {
        const _: () = {
            #(#codes)*
            #impls
            #froms
            #errors
        };
    }
}

/// The same without anything that could fail to compile, for when the errors are already told.
pub(crate) fn stub(input: &DeriveInput) -> TokenStream {
    let body = quote!(::core::unreachable!("the derive failed"));
    let impls = implement(input, &[], &[], &body);
    quote!(const _: () = { #impls };)
}

fn implement(
    input: &DeriveInput,
    bounds: &[TokenStream],
    codes: &[Ident],
    body: &TokenStream,
) -> TokenStream {
    let name = &input.ident;
    let (parameters, arguments, conditions) = input.generics.split_for_impl();
    let own = conditions.map(|clause| &clause.predicates);
    let own: Vec<_> = own.into_iter().flatten().collect();
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

        #[automatically_derived]
        impl #parameters ::breakfall::Codes for #name #arguments #conditions {
            const CODES: &'static [::breakfall::Code] = &[#(#codes),*];
        }

        ::breakfall::__private::tool_result! {
            [#parameters] [#name #arguments] [#(#own,)* #(#bounds,)*]
        }

        ::breakfall::__private::response! {
            [#parameters] [#name #arguments] [#(#own,)* #(#bounds,)*]
        }
    }
}

/// The codes in the order of their cases, each once.
fn listed(cases: &[Case<'_>]) -> Vec<Ident> {
    let mut seen: Vec<String> = Vec::new();
    let mut listed = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let key = match &case.code {
            CaseCode::Known(path) => path.to_token_stream().to_string(),
            CaseCode::Own(row) => format!("\"{}\"", row.name.value()),
            CaseCode::Inner | CaseCode::Broken => continue,
        };
        if !seen.contains(&key) {
            seen.push(key);
            listed.push(row::code_name(at));
        }
    }
    listed
}

/// What a generic field must be able to do. A field without type parameters is checked where it is used, which
/// gives the better error.
fn bounds(input: &DeriveInput, cases: &[Case<'_>]) -> Vec<TokenStream> {
    if input.generics.type_params().next().is_none() {
        return Vec::new();
    }
    let fields = cases.iter().flat_map(|case| &case.fields);
    let bound = |field: &FaultField<'_>| {
        let ty = field.ty;
        let (ty, bound) = match &field.becomes {
            Use::Detail(_, Form::Value) => (ty, "Detail"),
            Use::Params(Form::Value) => (ty, "Params"),
            Use::Detail(_, form) | Use::Params(form) => (FieldShape::of(ty).inner, adder(*form)),
            Use::Source => (FieldShape::of(ty).inner, "Cause"),
            Use::Fault => (ty, "Inner"),
            Use::Wait | Use::Nothing => return None,
        };
        let bound = format_ident!("{bound}");
        Some(quote!(#ty: ::breakfall::__private::#bound))
    };
    fields.filter_map(bound).collect()
}

fn arm(at: usize, case: &Case<'_>) -> TokenStream {
    let path = path(case);
    let pattern = case.fields.iter().map(|field| {
        let (member, binding) = (&field.member, &field.binding);
        match field.becomes {
            Use::Nothing => quote!(#member: _),
            Use::Detail(..) | Use::Source | Use::Wait | Use::Params(_) | Use::Fault => {
                quote!(#member: #binding)
            }
        }
    });
    let begun = begin(at, case);
    let steps = case.fields.iter().map(|field| step(field, true));
    let filled = fill(case);
    let said = case
        .texts
        .is_displayed
        .then(|| quote!(let fault = fault.message(displayed);));
    quote! {
        #path { #(#pattern),* } => {
            #begun
            #(#steps)*
            #said
            #filled
            fault
        }
    }
}

/// The variant or struct of a case.
fn path(case: &Case<'_>) -> TokenStream {
    let of = case.of;
    let variant = case.variant;
    variant.map_or_else(|| quote!(#of), |variant| quote!(#of::#variant))
}

/// The fault before any field is in it. A transparent one begins with its field.
fn begin(at: usize, case: &Case<'_>) -> TokenStream {
    let code = match &case.code {
        CaseCode::Known(_) | CaseCode::Own(_) => row::code_name(at),
        CaseCode::Inner | CaseCode::Broken => return TokenStream::new(),
    };
    let texts = &case.texts;
    let (tool, url) = (texts.fallback_tool.iter(), texts.docs_url.iter());
    let constants = constants(case);
    let overrides = match &case.code {
        CaseCode::Known(_) => {
            let retry = texts.retry.iter().map(row::retry);
            let remediation = fixed(texts.remediation.as_ref()).into_iter();
            let user = fixed(texts.user_message.as_ref()).into_iter();
            quote! {
                #(.retry(#retry))*
                #(.remediation(#remediation))*
                #(.user_message(#user))*
            }
        }
        CaseCode::Own(_) | CaseCode::Inner | CaseCode::Broken => TokenStream::new(),
    };
    quote! {
        let fault = ::breakfall::Fault::new(#code)
            #overrides
            #(.fallback_tool(#tool))*
            #(.docs_url(#url))*
            #constants;
    }
}

/// The details with the same value in every fault of a case.
fn constants(case: &Case<'_>) -> TokenStream {
    let names = case.constants.iter().map(|constant| &constant.name);
    let values = case.constants.iter().map(|constant| &constant.value);
    quote!(#(.detail(#names, #values))*)
}

/// Puts a field into the fault, whose binding is the value or a reference to it. A type that does not fit is reported at
/// the field.
fn step(field: &FaultField<'_>, is_value: bool) -> TokenStream {
    let (binding, place) = (&field.binding, at(field.ty.span()));
    let borrow = is_value.then(|| quote_spanned!(place=> &));
    let private = quote_spanned!(place=> ::breakfall::__private);
    let call = match &field.becomes {
        Use::Detail(key, Form::Value) => {
            quote_spanned!(place=> #private::Detail::add_to(#binding, fault, #key))
        }
        Use::Detail(key, form) => {
            let adder = format_ident!("{}", adder(*form), span = place);
            let add =
                quote_spanned!(place=> #private::#adder::add_to(#borrow #binding, fault, #key));
            if FieldShape::of(field.ty).required {
                add
            } else {
                some(binding, &add)
            }
        }
        Use::Source => {
            let add = quote_spanned!(place=> #private::Cause::add_to(#binding, fault));
            if FieldShape::of(field.ty).required {
                add
            } else {
                some(binding, &add)
            }
        }
        Use::Params(Form::Value) => {
            quote_spanned!(place=> #private::Params::add_to(#binding, fault))
        }
        Use::Params(_) => {
            let add = quote_spanned!(place=> #private::Serialized::add_params_to(#borrow #binding, fault));
            if FieldShape::of(field.ty).required {
                add
            } else {
                some(binding, &add)
            }
        }
        Use::Wait => quote_spanned!(place=> #private::Wait::add_to(#binding, fault)),
        Use::Fault => quote_spanned!(place=> #private::Inner::into_fault(#binding)),
        Use::Nothing => return TokenStream::new(),
    };
    quote!(let fault = #call;)
}

/// A step for an optional field that is there.
fn some(binding: &Ident, step: &TokenStream) -> TokenStream {
    quote!(match #binding {
        ::core::option::Option::Some(#binding) => #step,
        ::core::option::Option::None => fault,
    })
}

/// The texts that need the details before they can be said. The row of an own code fills its remediation itself.
fn fill(case: &Case<'_>) -> TokenStream {
    let texts = &case.texts;
    let is_known = matches!(case.code, CaseCode::Known(_));
    let remediation = filled(texts.remediation.as_ref()).filter(|_| is_known);
    let remediation = remediation.into_iter();
    let user = filled(texts.user_message.as_ref()).into_iter();
    quote! {
        #(let fault = ::breakfall::__private::fill_remediation(fault, #remediation);)*
        #(let fault = ::breakfall::__private::fill_user_message(fault, #user);)*
    }
}

/// The trait that adds a detail in a form.
fn adder(form: Form) -> &'static str {
    match form {
        Form::Value => "Detail",
        Form::Display => "Shown",
        Form::Serialize => "Serialized",
    }
}

/// A text that is said as it stands.
fn fixed(text: Option<&LitStr>) -> Option<&LitStr> {
    text.filter(|text| !template::is_template(&text.value()))
}

/// A text that has values to be filled in.
fn filled(text: Option<&LitStr>) -> Option<&LitStr> {
    text.filter(|text| template::is_template(&text.value()))
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
