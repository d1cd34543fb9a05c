//! What leaves is redacted: the written half of the corpus, the ways in, what holds for every text, hostile input.

mod corpus;
mod edges;
mod faults;
mod hostile;
mod laws;
mod raw;
mod texts;
mod unseen;
mod values;
