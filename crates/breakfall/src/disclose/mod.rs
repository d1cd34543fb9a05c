//! What may leave: redaction.
