//! What a call costs.

use std::fmt::{self, Display, Formatter};

use super::kinds::optional;
use super::numbers::amount;
use super::quota::currency;
use super::reader::Reader;
use super::setting::settings;

settings! {
    /// What a call costs: an amount for each call, and for each token it sends and receives.
    #[derive(Debug, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct CostModel {
        /// For each call that reaches the server.
        pub call: f64 = 0.0 => amount();
        /// For each token of the arguments.
        pub input_token: f64 = 0.0 => amount();
        /// For each token of the result.
        pub output_token: f64 = 0.0 => amount();
        /// What it is counted in, as a code of three letters.
        pub currency: Option<String> = None => optional(currency());
    }
    impl Section {
        const SUBJECT: &'static str = "'cost'";
        const EXAMPLE: &'static str = "{ call: 0.01, input_token: 0.000003, output_token: 0.000015, currency: EUR }";

        fn check(&mut self, reader: &mut Reader<'_>) {
            let keys = ["call", "input_token", "output_token"];
            if keys.iter().all(|key| reader.present(key).is_none()) {
                let problem = reader.here().key_problem("this costs nothing");
                reader.report(problem.hint(format!("for example {}", Self::EXAMPLE)));
            }
        }
    }
}

impl CostModel {
    /// Whether it depends on tokens.
    pub fn counts_tokens(&self) -> bool {
        self.input_token > 0.0 || self.output_token > 0.0
    }
}

impl Display for CostModel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let currency = self.currency.as_deref().unwrap_or("units");
        write!(f, "{} {currency} for a call", self.call)?;
        if self.counts_tokens() {
            let (input, output) = (self.input_token, self.output_token);
            write!(f, ", {input} for a token sent, {output} for one received")?;
        }
        Ok(())
    }
}
