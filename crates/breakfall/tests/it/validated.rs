//! validated
