//! Stage 5: is there room for this call now? Limits are charged here, and settled when the call is over.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Call, CallContext, CallError, Permitted, Pipeline};
use crate::resilience::bulkhead::BulkheadScope;
use crate::resilience::quota::QuotaCharge;
use crate::tools::Tool;

/// A call that may be sent, and what it owes to limits.
#[derive(Debug)]
pub struct Admitted {
    call: Arc<Call>,
    tool: Option<Arc<Tool>>,
    settlement: Settlement,
    /// The quotas that count it.
    pub(super) charge: Option<QuotaCharge>,
}

/// What a call came to and what it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallCost {
    /// How it ended.
    pub end: CallEnd,
    /// Attempts of the whole call so far; 0 if the call was dropped.
    pub attempts: u32,
    /// The age of the call.
    pub elapsed: Duration,
}

/// How an admitted call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallEnd {
    /// The server answered without a failure.
    Answered,
    /// It failed.
    Failed,
    /// It was cancelled, or its task ended without a result.
    Abandoned,
}

impl Pipeline {
    /// Counts the call by its rate limit and quotas, and waits for room as the concurrency limit of the tool says.
    ///
    /// # Errors
    /// When a limit is reached, no permit is free in time, or the client cancels the call.
    pub async fn admit(
        &self,
        permitted: Permitted,
        context: &mut CallContext,
    ) -> Result<Admitted, CallError> {
        let (call, tool) = permitted.into_inner().into_parts();
        let mut admitted = Admitted {
            call,
            tool,
            settlement: Settlement::default(),
            charge: None,
        };
        admitted.charge = self.limit(&admitted.call, context).await?;
        let scope = context.policy.concurrency;
        if scope == BulkheadScope::Unlimited {
            return Ok(admitted);
        }
        let (upstream, remaining) = (self.upstream(), context.exchange.remaining());
        // Every configured limit counts all callers together.
        let limits = upstream.resilience.limits(None);
        let permit = limits.enter(admitted.call.tool(), scope, remaining);
        let permit = context.exchange.or_cancelled(permit).await?;
        if let Some(permit) = permit.map_err(|full| full.fault(&upstream.name))? {
            admitted.on_end(move |_| drop(permit));
        }
        Ok(admitted)
    }
}

impl Admitted {
    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    pub(super) fn tool(&self) -> Option<&Tool> {
        self.tool.as_deref()
    }

    /// Runs a settlement once when the call is over, however it ends.
    pub fn on_end(&mut self, settle: impl FnOnce(&CallCost) + Send + Sync + 'static) {
        self.settlement.0.push(Box::new(settle));
    }

    /// Whether anything waits for the end of the call.
    pub(super) fn has_settlement(&self) -> bool {
        !self.settlement.0.is_empty()
            || self.charge.as_ref().is_some_and(QuotaCharge::counts_tokens)
    }

    /// The call is over. Dropping an admitted call settles it as abandoned.
    pub(super) fn settle(mut self, cost: CallCost) {
        self.settlement.run(&cost);
    }
}

impl CallCost {
    pub(super) fn of<T>(outcome: &Result<T, CallError>, context: &CallContext) -> Self {
        let end = match outcome {
            Ok(_) => CallEnd::Answered,
            Err(CallError::Failed(_)) => CallEnd::Failed,
            Err(CallError::Cancelled) => CallEnd::Abandoned,
        };
        Self {
            end,
            attempts: context.attempts(),
            elapsed: context.exchange.elapsed(),
        }
    }
}

/// What runs when an admitted call is over: exactly once, also if its task panics or is dropped.
#[derive(Default)]
struct Settlement(Vec<SettleHook>);

type SettleHook = Box<dyn FnOnce(&CallCost) + Send + Sync>;

impl Settlement {
    fn run(&mut self, cost: &CallCost) {
        for settle in std::mem::take(&mut self.0) {
            settle(cost);
        }
    }
}

impl Drop for Settlement {
    fn drop(&mut self) {
        self.run(&CallCost {
            end: CallEnd::Abandoned,
            attempts: 0,
            elapsed: Duration::ZERO,
        });
    }
}

impl fmt::Debug for Settlement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Settlement({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use breakfall_mcp::jsonrpc::{Frame, FrameLimits};
    use breakfall_mcp::sync::Mutex;

    use super::*;

    fn admitted(ends: &Arc<Mutex<Vec<CallEnd>>>) -> Admitted {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"buy"}}"#;
        let frame = Frame::parse(text.as_bytes().to_vec(), &FrameLimits::REQUEST).expect("a call");
        let mut admitted = Admitted {
            call: Arc::new(Call::new(frame)),
            tool: None,
            settlement: Settlement::default(),
            charge: None,
        };
        let ends = Arc::clone(ends);
        admitted.on_end(move |cost| ends.lock().push(cost.end));
        admitted
    }

    #[test]
    fn an_admitted_call_is_settled_exactly_once_however_it_ends() {
        let ends = Arc::default();
        admitted(&ends).settle(CallCost {
            end: CallEnd::Answered,
            attempts: 1,
            elapsed: Duration::ZERO,
        });
        drop(admitted(&ends));
        let panicking = admitted(&ends);
        let panicked = catch_unwind(AssertUnwindSafe(move || {
            let _in_flight = panicking;
            panic!("a defect");
        }));
        assert!(panicked.is_err());
        let ends = ends.lock();
        assert_eq!(
            *ends,
            [CallEnd::Answered, CallEnd::Abandoned, CallEnd::Abandoned]
        );
    }
}
