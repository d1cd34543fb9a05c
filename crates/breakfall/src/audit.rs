//! The entry of an audit trail.
