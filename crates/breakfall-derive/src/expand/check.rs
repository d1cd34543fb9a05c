//! What the compiler checks in a `const`, since it takes the catalogue, which a macro cannot read.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, LitStr, Path};

use super::row::retry;
use super::{at, fixed, resolve};
use crate::attr::Retry;
use crate::case::{Case, CaseTexts, NewRow};
use crate::check::RESERVED;
use crate::field::FaultField;
use crate::template;

/// The checks of a case with a code there is.
pub(super) fn known(case: &Case<'_>, path: &Path, code: &Ident) -> TokenStream {
    let code = quote!(#code);
    let not_in_vain = case
        .texts
        .retry
        .iter()
        .map(|retry| not_in_vain(retry, &code));
    let (keys, texts) = (keys(case), texts(&case.texts));
    let last = path.segments.last();
    let place = at(last.map_or_else(Span::call_site, |segment| segment.ident.span()));
    let values = (!case.texts.is_displayed).then(|| {
        quote_spanned! {place=>
            const _: () = ::breakfall::__private::require_all_values(#code, &[#(#keys),*]);
        }
    });
    quote_spanned! {place=>
        const _: () = ::breakfall::__private::require_details(#code, &[#(#keys),*]);
        #values
        #(#not_in_vain)*
        #texts
    }
}

/// The checks of a case with a code of the server's own.
pub(super) fn own(case: &Case<'_>, row: &NewRow) -> TokenStream {
    let says = &case.texts;
    let base = resolve(&row.base);
    let not_in_vain = says.retry.iter().map(|retry| not_in_vain(retry, &base));
    let agrees = says.retry.iter().filter(|_| says.remediation.is_none());
    let agrees = agrees.map(|word| {
        let retry = retry(word);
        quote_spanned! {at(word.word.span())=>
            const _: () = ::core::assert!(::breakfall::__private::agree(#base, #retry), #MISLEADS);
        }
    });
    let http = says.http.iter().map(|status| {
        quote_spanned! {at(status.span())=>
            const _: () = ::core::assert!(::breakfall::__private::http_fits(#base, #status), #OTHER_SIDE);
        }
    });
    let has_message = says.message.is_some() || says.is_displayed;
    let inherited = (!has_message).then(|| {
        let keys = keys(case);
        quote_spanned! {at(row.name.span())=>
            const _: () = ::breakfall::__private::require_values(#base, &[#(#keys),*]);
        }
    });
    let texts = texts(says);
    quote! {
        #(#not_in_vain)*
        #(#agrees)*
        #(#http)*
        #inherited
        #texts
    }
}

/// The code of a row, one expression, so that a name that is taken is one error.
pub(super) fn free_code(name: &LitStr, row: &Ident) -> TokenStream {
    quote_spanned! {at(name.span())=> {
        ::core::assert!(::breakfall::__private::is_free(#name), #BUILT_IN);
        ::breakfall::Code::new(&#row)
    }}
}

fn not_in_vain(word: &Retry, code: &TokenStream) -> TokenStream {
    let retry = retry(word);
    quote_spanned! {at(word.word.span())=>
        const _: () = ::core::assert!(::breakfall::__private::may_have(#code, #retry), #IN_VAIN);
    }
}

/// Texts without values say something.
fn texts(texts: &CaseTexts) -> TokenStream {
    let all = [&texts.message, &texts.remediation, &texts.user_message];
    let plain = all.into_iter().filter_map(|text| fixed(text.as_ref()));
    let checks = plain.map(|text| {
        quote_spanned! {at(text.span())=>
            const _: () = ::core::assert!(!::breakfall::__private::is_vague(#text), #VAGUE);
        }
    });
    checks.collect()
}

/// The keys of the details a case has, and that of the wait.
fn keys<'c>(case: &'c Case<'_>) -> Vec<&'c str> {
    let has_wait = case.fields.iter().any(FaultField::is_wait);
    let sets_wait = |key: &str| {
        let known = RESERVED.iter().find(|(name, _)| *name == key);
        known.is_some_and(|(_, part)| *part == "sets the wait")
    };
    let has_wait = has_wait || case.keys().any(sets_wait);
    case.keys()
        .chain(has_wait.then_some(template::WAIT))
        .collect()
}

const BUILT_IN: &str =
    "this code is built in: choose another name, for example one that begins with your domain";

const IN_VAIN: &str = "this contradicts the code: where the call itself is at fault, or a person has to act, \
                       the same call fails again";

const MISLEADS: &str = "this contradicts the code it extends, whose remediation would mislead: say what to do \
                        with remediation = \"…\"";

const OTHER_SIDE: &str = "this contradicts the code it extends: a failure of the caller has a status from 400 to 499, \
                          one of the server from 500 to 599";

const VAGUE: &str = "this text says nothing: name what went wrong, or what to do about it";
