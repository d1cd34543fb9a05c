//! Messages in the caller's language.
