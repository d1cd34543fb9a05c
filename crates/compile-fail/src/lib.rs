//! What must not compile with the library; the cases are in `tests/ui`.
