//! Errors, collected so that one build shows them all.

use std::fmt::Display;

use quote::ToTokens;

#[derive(Default)]
pub(crate) struct DeriveErrors(Option<syn::Error>);

impl DeriveErrors {
    /// Adds an error at its tokens.
    pub(crate) fn push(&mut self, at: &impl ToTokens, text: impl Display) {
        self.add(syn::Error::new_spanned(at, text));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn into_result(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
