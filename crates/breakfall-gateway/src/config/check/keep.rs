//! What is kept, and for how long.

use super::{Checker, Given};
use crate::config::file::{self, MAX_KEPT};
use crate::config::keep::{Keep, Retention};
use crate::config::kinds::{Count, Time};

impl Checker<'_> {
    pub(super) fn retention(&mut self, given: Option<&Given<file::Retention>>) -> Retention {
        let mut retention = Retention::default();
        let Some(Given { value, .. }) = given else {
            return retention;
        };
        self.keep(
            &mut retention.reports,
            value.count.as_ref(),
            value.age.as_ref(),
        );
        let (count, age) = (value.audit_count.as_ref(), value.audit_age.as_ref());
        self.keep(&mut retention.audit, count, age);
        retention
    }

    fn keep(&mut self, keep: &mut Keep, count: Option<&Given<Count>>, age: Option<&Given<Time>>) {
        if let Some(given) = count {
            if (1..=MAX_KEPT).contains(&given.value.0) {
                keep.count = given.value.0;
            } else {
                let problem = given.at.problem("this limit is out of bounds");
                self.add(problem.hint(format!("it is between 1 and {MAX_KEPT}")));
            }
        }
        if let Some(age) = self.positive(age) {
            keep.age = age;
        }
    }
}
