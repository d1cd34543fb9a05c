//! served
