//! The built-in codes by name, and all of them in order.

use super::{
    authentication, authorization, business, confirmation, conflict, internal, not_found,
    rate_limit, schema, unavailable, validation,
};
use crate::code::Code;

pub use authentication::*;
pub use authorization::*;
pub use business::*;
pub use confirmation::*;
pub use conflict::*;
pub use internal::*;
pub use not_found::*;
pub use rate_limit::*;
pub use schema::*;
pub use unavailable::*;
pub use validation::*;

/// Every built-in code, by category and within it from the general to the particular.
pub static CODES: &[Code] = &{
    let mut all = [INTERNAL_UNKNOWN; COUNT];
    let (mut list, mut at) = (0, 0);
    while list < LISTS.len() {
        let mut row = 0;
        while row < LISTS[list].len() {
            all[at] = LISTS[list][row];
            (row, at) = (row + 1, at + 1);
        }
        list += 1;
    }
    all
};

const LISTS: [&[Code]; 11] = [
    validation::ROWS,
    schema::ROWS,
    authentication::ROWS,
    authorization::ROWS,
    confirmation::ROWS,
    not_found::ROWS,
    conflict::ROWS,
    rate_limit::ROWS,
    business::ROWS,
    unavailable::ROWS,
    internal::ROWS,
];

const COUNT: usize = {
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        count += LISTS[list].len();
        list += 1;
    }
    count
};
