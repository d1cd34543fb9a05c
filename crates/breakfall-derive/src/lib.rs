//! `#[derive(Fault)]` for the `breakfall` crate, which re-exports and documents it; use it from there.
//!
//! A derive has four steps: `attr` reads the attributes, `case` and `field` put a variant together, `check` validates
//! it, `expand` writes the impls. What needs the catalogue, `expand` has the compiler check in a `const`. All errors are reported at once, each at its place.

mod errors;
mod suggest;
mod template;
mod attr;
mod display;
mod shape;
mod field;
mod case;
mod check;
mod expand;

use proc_macro::TokenStream;
use syn::{Attribute, Data, DeriveInput, Fields, parse_macro_input};

use case::Case;
use display::DisplayOwner;
use errors::DeriveErrors;

/// The macro lives in `breakfall-derive`; use it as `breakfall::Fault`.
#[proc_macro_derive(Fault, attributes(fault, from, source))]
pub fn derive_fault(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let mut errors = DeriveErrors::default();
    let owner = DisplayOwner::of(&input, &mut errors);
    let cases = cases(&input, owner, &mut errors);
    check::names(&cases, &mut errors);
    match errors.into_result() {
        Ok(()) => expand::impls(&input, &cases, owner),
        Err(error) => {
            // The impl is written anyway: without it every `?` would fail too and hide the error.
            let mut tokens = error.into_compile_error();
            tokens.extend(expand::stub(&input));
            tokens
        }
    }
    .into()
}

fn cases<'a>(
    input: &'a DeriveInput,
    owner: DisplayOwner,
    errors: &mut DeriveErrors,
) -> Vec<Case<'a>> {
    let mut read = |variant, attributes: &[Attribute], fields: &'a Fields| {
        let case = Case::read(&input.ident, variant, attributes, fields, owner, errors);
        check::texts(&case, errors);
        case
    };
    match &input.data {
        Data::Struct(data) => vec![read(None, &input.attrs, &data.fields)],
        Data::Enum(data) => {
            let variants = data.variants.iter();
            let read =
                variants.map(|variant| read(Some(&variant.ident), &variant.attrs, &variant.fields));
            read.collect()
        }
        Data::Union(data) => {
            errors.push(
                &data.union_token,
                "a union cannot be an error; use an enum or a struct",
            );
            Vec::new()
        }
    }
}
