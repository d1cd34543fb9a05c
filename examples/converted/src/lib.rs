//! The stock of a shop twice: [`before`] on thiserror and anyhow alone, [`after`] with Breakfall. The test counts the lines
//! between them.

pub mod after;
pub mod before;
