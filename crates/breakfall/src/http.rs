//! Faults as HTTP responses.
