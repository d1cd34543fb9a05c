//! Whether a call may be made.

mod danger;
mod decision;
mod table;
