//! `#[derive(Fault)]` for the `breakfall` crate, which re-exports and documents it; use it from there.
//!
//! A derive goes through four rooms: `attr` reads what the attributes say, `case` and `field` put a variant together,
//! `check` judges it, `expand` writes the impls. Every mistake is reported at once, each at the place it was made.

mod attr;
mod case;
mod check;
mod expand;
mod field;
mod problems;
mod shape;
mod suggest;
mod template;

use proc_macro::TokenStream;
use syn::{Data, DeriveInput, parse_macro_input};

use case::Case;
use problems::Problems;

/// The macro lives in `breakfall-derive`; use it as `breakfall::Fault`.
#[proc_macro_derive(Fault, attributes(fault))]
pub fn derive_fault(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let mut problems = Problems::default();
    let cases = cases(&input, &mut problems);
    check::names(&cases, &mut problems);
    match problems.into_result() {
        Ok(()) => expand::impls(&input, &cases),
        Err(error) => {
            // The impl stands even so, that its absence does not bury the mistake under a hundred failed `?`.
            let mut tokens = error.into_compile_error();
            tokens.extend(expand::stub(&input));
            tokens
        }
    }
    .into()
}

fn cases<'a>(input: &'a DeriveInput, problems: &mut Problems) -> Vec<Case<'a>> {
    match &input.data {
        Data::Struct(data) => {
            vec![Case::read(
                &input.ident,
                None,
                &input.attrs,
                &data.fields,
                problems,
            )]
        }
        Data::Enum(data) => {
            if let Some(attribute) = attr::faults(&input.attrs).next() {
                problems.push(attribute, "on an enum, #[fault(…)] goes on each variant");
            }
            let read = data.variants.iter().map(|variant| {
                let name = Some(&variant.ident);
                Case::read(
                    &input.ident,
                    name,
                    &variant.attrs,
                    &variant.fields,
                    problems,
                )
            });
            read.collect()
        }
        Data::Union(data) => {
            problems.push(
                &data.union_token,
                "a union cannot be an error; use an enum or a struct",
            );
            Vec::new()
        }
    }
}
