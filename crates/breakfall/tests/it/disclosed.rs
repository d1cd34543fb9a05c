//! What leaves is redacted: the written half of the corpus, the ways in, properties and hostile input.

mod corpus;
