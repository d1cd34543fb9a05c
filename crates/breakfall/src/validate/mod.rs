//! Arguments against a schema, and how to repair them.
