//! Rate limits and quotas of a call: before it is sent, and when its tokens are known.

use std::sync::Arc;

use breakfall::{Fault, Timestamp};
use breakfall_mcp::jsonrpc::splice::Object;
use tokio::time::{Instant, timeout};

use super::{Admitted, Call, CallContext, CallError, Pipeline};
use crate::config::{LimitScope, Quota};
use crate::record::LimitKind;
use crate::resilience::quota::{self, CallQuotas, QuotaAdmission, QuotaCharge, TokenUsage};

impl Pipeline {
    /// Counts a call. What the server has stated goes first, then rates, then quotas: only a call that would be sent is counted.
    pub(super) async fn limit(
        &self,
        call: &Arc<Call>,
        context: &mut CallContext,
    ) -> Result<Option<QuotaCharge>, CallError> {
        self.check_learned(call.tool(), context.now())?;
        if let Some((scope, limit)) = &context.policy.usage.rate {
            let (upstream, now) = (self.upstream(), Instant::now());
            let states = upstream.resilience.rates(scope, now);
            let taken = match states {
                Some(states) => states.take(limit, context.principal.as_deref(), now),
                None => return Err(self.limited(LimitKind::Rate, quota::uncounted(&upstream.name))),
            };
            taken.map_err(|exceeded| {
                let fault = exceeded.fault(scope, &upstream.name, context.now());
                self.limited(LimitKind::Rate, fault)
            })?;
        }
        match context.policy.usage.quotas.clone() {
            None => Ok(None),
            Some((scope, quotas)) => {
                let charge = self.count(call, context, &scope, &quotas).await?;
                self.upstream().context.usage.schedule();
                Ok(Some(charge))
            }
        }
    }

    /// A tool that its server refuses for now is not called. Credentials of a client may have limits of their own.
    fn check_learned(&self, tool: &str, now: Timestamp) -> Result<(), CallError> {
        let upstream = self.upstream();
        if self.link.passes_credentials() {
            return Ok(());
        }
        let checked = upstream.resilience.learned().check(tool, Instant::now());
        checked.map_err(|limited| {
            let fault = limited.fault(&upstream.name, now);
            self.limited(LimitKind::Learned, fault)
        })
    }

    async fn count(
        &self,
        call: &Arc<Call>,
        context: &mut CallContext,
        scope: &LimitScope,
        quotas: &[Quota],
    ) -> Result<QuotaCharge, CallError> {
        let upstream = self.upstream();
        let usage = &upstream.context.usage;
        let uncounted = || self.limited(LimitKind::Quota, quota::uncounted(&upstream.name));
        // Twice is enough unless a window ends in between.
        for _ in 0..MAX_READS {
            let now = context.now();
            let admission = usage.counters().admit(
                &CallQuotas {
                    scope,
                    quotas,
                    cost: context.policy.usage.cost.as_ref(),
                    upstream: &upstream.name,
                    principal: context.principal.as_deref(),
                    arguments: call.arguments().unwrap_or("{}"),
                    zone: &upstream.time_zone,
                },
                now,
            );
            match admission {
                QuotaAdmission::Admitted(charge) => return Ok(charge),
                QuotaAdmission::Refused(used) => {
                    let fault = used.fault(scope, &upstream.name, now);
                    let fault = fault.unwrap_or_else(|| quota::uncounted(&upstream.name));
                    return Err(self.limited(LimitKind::Quota, fault));
                }
                QuotaAdmission::Full => return Err(uncounted()),
                QuotaAdmission::Unread(unread) => {
                    let read = timeout(context.exchange.remaining(), usage.read(unread));
                    let read = context.exchange.or_cancelled(read).await?;
                    if !matches!(read, Ok(Ok(()))) {
                        return Err(uncounted());
                    }
                }
            }
        }
        Err(uncounted())
    }

    fn limited(&self, kind: LimitKind, fault: Fault) -> CallError {
        let context = &self.upstream().context;
        context.recorder.count_limited(&context.name, kind);
        fault.into()
    }

    /// Counts the tokens of a call that is over, with the answer of the server if there is one. Its warnings are for a success.
    pub(super) fn count_tokens(
        &self,
        admitted: &mut Admitted,
        answer: Option<&str>,
        context: &mut CallContext,
    ) {
        let Some(charge) = admitted.charge.take() else {
            return;
        };
        let tokens = if charge.counts_tokens() {
            tokens_of(admitted.call().arguments().unwrap_or("{}"), answer)
        } else {
            TokenUsage::default()
        };
        context
            .warnings
            .extend(charge.settle(tokens, context.now()));
        self.upstream().context.usage.schedule();
    }
}

/// The tokens of a call, as the server counts them, or estimated.
fn tokens_of(arguments: &str, answer: Option<&str>) -> TokenUsage {
    let answer = answer.unwrap_or_default();
    let meta = Object::of(answer, &["_meta"]).and_then(|result| {
        let meta = result.get("_meta")?;
        serde_json::from_str(meta).ok()
    });
    let counted = meta.as_ref().and_then(TokenUsage::counted);
    counted.unwrap_or_else(|| TokenUsage::estimated(arguments, answer))
}

/// How often counters are read for one call.
const MAX_READS: usize = 4;
