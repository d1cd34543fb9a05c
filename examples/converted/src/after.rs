//! The stock of a shop: what is left of each article, and orders that take from it.

use std::collections::BTreeMap;
use std::num::ParseIntError;
use std::{fs, io};

use anyhow::Context;
use breakfall::Fault;

/// What a tool returns.
pub type Result<T> = std::result::Result<T, Fault>;

/// What can go wrong with the stock.
#[derive(Debug, thiserror::Error, Fault)]
#[non_exhaustive]
pub enum StockError {
    /// The shop does not have the article.
    #[error("there is no article '{name}'")]
    #[fault(code = "ARTICLE_UNKNOWN", extends = NOT_FOUND_RESOURCE, message = display)]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// More was ordered than there is.
    #[error("only {left} of '{name}' left")]
    #[fault(code = "STOCK_TOO_LOW", extends = BUSINESS_RULE_VIOLATION, message = display)]
    TooFew {
        /// The article.
        name: String,
        /// How many there are.
        left: u32,
    },
    /// The quantity is no number.
    #[error("the quantity '{0}' is not a whole number")]
    #[fault(code = "QUANTITY_INVALID", extends = VALIDATION_INVALID_TYPE, message = display)]
    Quantity(String),
    /// A line of the stock list cannot be read.
    #[error("the stock list is damaged in line {line}")]
    #[fault(code = INTERNAL_ERROR)]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What the number was.
        source: ParseIntError,
    },
    /// The warehouse does not answer.
    #[error("the warehouse does not answer")]
    #[fault(code = UNAVAILABLE_DEPENDENCY, details(dependency = "warehouse"))]
    Warehouse(#[from] io::Error),
}

/// What is left of each article.
#[derive(Debug)]
pub struct Stock(BTreeMap<String, u32>);

impl Stock {
    /// Reads the list of a warehouse from a file.
    ///
    /// # Errors
    ///
    /// When there is no such file, or a line of it is damaged.
    pub fn open(path: &str) -> Result<Self> {
        let list = fs::read_to_string(path).with_context(|| format!("reading {path}"))?;
        Self::read(&list)
    }

    /// Reads the list of a warehouse: a name and a number in each line.
    ///
    /// # Errors
    ///
    /// When a line is damaged.
    pub fn read(list: &str) -> Result<Self> {
        let mut stock = BTreeMap::new();
        for (at, line) in list.lines().enumerate() {
            let (name, left) = line.split_once(' ').context("a line without a number")?;
            let left = left.parse().map_err(|source| StockError::Damaged {
                line: at + 1,
                source,
            })?;
            stock.insert(name.to_owned(), left);
        }
        Ok(Self(stock))
    }

    /// Takes an order from the stock, and says how many are left.
    ///
    /// # Errors
    ///
    /// When the order cannot be filled.
    pub fn order(&mut self, name: &str, quantity: &str) -> Result<u32> {
        let number = quantity.parse::<u32>();
        let number = number.map_err(|_| StockError::Quantity(quantity.to_owned()))?;
        let unknown = || StockError::Unknown {
            name: name.to_owned(),
        };
        let left = self.0.get_mut(name).ok_or_else(unknown)?;
        let too_few = StockError::TooFew {
            name: name.to_owned(),
            left: *left,
        };
        *left = left.checked_sub(number).ok_or(too_few)?;
        Ok(*left)
    }

    /// Orders more from the warehouse.
    ///
    /// # Errors
    ///
    /// When the warehouse does not answer.
    pub fn refill(&mut self, warehouse: impl Fn(&str) -> io::Result<u32>) -> Result<()> {
        for (name, left) in &mut self.0 {
            *left += warehouse(name).map_err(StockError::from)?;
        }
        Ok(())
    }
}
