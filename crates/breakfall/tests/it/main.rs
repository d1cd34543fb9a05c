//! Integration tests of the library.
