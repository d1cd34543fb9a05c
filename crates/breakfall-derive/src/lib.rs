//! `#[derive(Fault)]` for the `breakfall` crate, which re-exports and documents it; use it from there.
//!
//! A derive has four steps: `attr` reads the attributes, `case` and `field` put a variant together, `check` validates
//! it, `expand` writes the impls. All errors are reported at once, each at its place.

mod errors;
mod suggest;
mod template;
mod attr;
mod shape;
mod field;
mod case;
mod check;
mod expand;

use proc_macro::TokenStream;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, parse_macro_input};

use case::Case;
use errors::DeriveErrors;

/// The macro lives in `breakfall-derive`; use it as `breakfall::Fault`.
#[proc_macro_derive(Fault, attributes(fault))]
pub fn derive_fault(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let mut errors = DeriveErrors::default();
    let cases = cases(&input, &mut errors);
    check::names(&cases, &mut errors);
    match errors.into_result() {
        Ok(()) => expand::impls(&input, &cases),
        Err(error) => {
            // The impl is written anyway: without it every `?` would fail too and hide the error.
            let mut tokens = error.into_compile_error();
            tokens.extend(expand::stub(&input));
            tokens
        }
    }
    .into()
}

fn cases<'a>(input: &'a DeriveInput, errors: &mut DeriveErrors) -> Vec<Case<'a>> {
    match &input.data {
        Data::Struct(data) => {
            vec![read(input, None, &input.attrs, &data.fields, errors)]
        }
        Data::Enum(data) => {
            if let Some(attribute) = attr::faults(&input.attrs).next() {
                errors.push(attribute, "on an enum, #[fault(…)] goes on each variant");
            }
            let read = data.variants.iter().map(|variant| {
                let name = Some(&variant.ident);
                read(input, name, &variant.attrs, &variant.fields, errors)
            });
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

/// Reads one case and checks its texts, so that errors stay in the order of the cases.
fn read<'a>(
    input: &'a DeriveInput,
    variant: Option<&'a Ident>,
    attributes: &[Attribute],
    fields: &'a Fields,
    errors: &mut DeriveErrors,
) -> Case<'a> {
    let case = Case::read(&input.ident, variant, attributes, fields, errors);
    check::texts(&case, errors);
    case
}
