//! disclosed
