//! Who gives the error type its `Display` and `Error`.

use syn::{Attribute, Data, DeriveInput};

use crate::attr::CaseAttributes;
use crate::errors::DeriveErrors;

/// Where `Display` and `Error` come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DisplayOwner {
    /// This derive.
    Fault,
    /// Another derive, which takes `#[error(…)]`: thiserror, or one that reads the same attributes.
    OtherDerive,
    /// The author, by `#[fault(no_error_impl)]`.
    Author,
}

impl DisplayOwner {
    pub(crate) fn of(input: &DeriveInput, errors: &mut DeriveErrors) -> Self {
        let mut attributes = input.attrs.iter().collect::<Vec<_>>();
        let is_author = if let Data::Enum(data) = &input.data {
            attributes.extend(data.variants.iter().flat_map(|variant| &variant.attrs));
            Self::read_enum(&input.attrs, errors)
        } else {
            // Mistakes in them are told where the case is read.
            let says = CaseAttributes::read(&input.attrs, &mut DeriveErrors::default());
            says.no_error_impl.is_some()
        };
        // Without a derive that takes it, the compiler refuses the attribute.
        let has_error = attributes
            .iter()
            .any(|attribute| attribute.path().is_ident("error"));
        match (has_error, is_author) {
            (true, _) => Self::OtherDerive,
            (false, true) => Self::Author,
            (false, false) => Self::Fault,
        }
    }

    /// The attributes of an enum as a whole: there is one key.
    fn read_enum(attributes: &[Attribute], errors: &mut DeriveErrors) -> bool {
        let mut is_author = false;
        for attribute in crate::attr::faults(attributes) {
            let says = CaseAttributes::read(std::slice::from_ref(attribute), errors);
            is_author |= says.no_error_impl.is_some();
            if says.first_other.is_some() || says.transparent.is_some() {
                let help = "on an enum, #[fault(…)] goes on each variant";
                errors.push(attribute, help);
            }
        }
        is_author
    }
}
