//! Someone else's bare failure → a code. For now the HTTP status; faults of ours start as faults.

pub mod status;
