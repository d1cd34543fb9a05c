//! panic
