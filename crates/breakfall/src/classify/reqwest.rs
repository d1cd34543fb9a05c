//! reqwest
