//! The parcel services: what this server depends on, and what fails when the server itself is in order.

use std::future::pending;
use std::io;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::error::OrderError;

/// A parcel service. Each has its character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Carrier {
    /// Answers.
    Swift,
    /// Answers with what it knew an hour ago.
    Owl,
    /// Refuses to connect.
    Gull,
    /// Never answers.
    Snail,
}

/// Where a parcel is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    pub place: &'static str,
    /// How old the answer is, if it is not fresh.
    pub age: Option<Duration>,
}

impl Carrier {
    /// Asks the carrier.
    pub async fn locate(self) -> Result<Position, OrderError> {
        match self {
            Self::Swift => Ok(Position {
                place: "Leith depot",
                age: None,
            }),
            Self::Owl => Ok(Position {
                place: "Perth depot",
                age: Some(Duration::from_hours(1)),
            }),
            // The cause names a host and a key. It goes to the log, and the log has no key in it either.
            Self::Gull => Err(OrderError::Carrier {
                dependency: "gull",
                cause: io::Error::new(
                    io::ErrorKind::ConnectionRefused,
                    "https://desk:s3cret-pa55word@gull.internal:8443/parcels refused the connection",
                ),
                wait: Duration::from_secs(5),
            }),
            // Nothing to catch here: the deadline of the guard ends it.
            Self::Snail => pending().await,
        }
    }
}
