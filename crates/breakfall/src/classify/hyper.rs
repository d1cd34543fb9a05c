//! hyper
