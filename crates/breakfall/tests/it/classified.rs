//! classified
