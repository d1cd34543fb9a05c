//! Calls that take their time.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::message::{ShopOutbox, failure, is};
use crate::request::{ClientEra, ShopRequest};
use breakfall_mcp::jsonrpc::Id;
use breakfall_mcp::protocol::method;

/// Work that ends after some seconds.
#[derive(Debug, Clone)]
pub(crate) struct DelayedResult {
    pub(crate) seconds: u64,
    /// Whether it tells how far it is, to a client that wants to know.
    pub(crate) tells: bool,
    /// Whether it goes on, and answers, after it was cancelled.
    pub(crate) deaf: bool,
    pub(crate) result: Value,
}

/// Everything under way, by the time of its next step.
#[derive(Debug, Default)]
pub(crate) struct DelayedJobs {
    jobs: BTreeMap<(Instant, u64), DelayedJob>,
    started: u64,
}

#[derive(Debug)]
struct DelayedJob {
    id: Id,
    era: ClientEra,
    token: Option<Value>,
    done: u64,
    job: DelayedResult,
}

impl DelayedJobs {
    /// Starts a job for a request.
    ///
    /// # Errors
    /// The result that says that too much is under way.
    pub(crate) fn start(
        &mut self,
        request: &ShopRequest,
        job: DelayedResult,
        now: Instant,
    ) -> Result<(), Value> {
        if self.jobs.len() >= MAX_JOBS {
            let words = format!("503 Service Unavailable: all {MAX_JOBS} workers are busy");
            return Err(failure(words));
        }
        let token = request.progress_token().filter(|_| job.tells);
        let started = DelayedJob {
            id: request.id.clone(),
            era: request.era.clone(),
            token: token.cloned(),
            done: 0,
            job,
        };
        self.put(now + STEP, started);
        Ok(())
    }

    /// When the next step is due.
    pub(crate) fn wake(&self) -> Option<Instant> {
        self.jobs.first_key_value().map(|(&(due, _), _)| due)
    }

    /// Takes every step that is due.
    pub(crate) fn tick(&mut self, now: Instant, out: &mut ShopOutbox) {
        while let Some(entry) = self.jobs.first_entry() {
            let (due, _) = *entry.key();
            if due > now {
                break;
            }
            let mut started = entry.remove();
            started.done += 1;
            started.tell(out);
            if started.done < started.job.seconds {
                self.put(due + STEP, started);
            } else {
                let result = started.era.dress(started.job.result);
                out.result(&started.id, &result);
            }
        }
    }

    /// Gives up the job of a request, unless it does not listen.
    pub(crate) fn cancel(&mut self, request: &Value) {
        self.jobs
            .retain(|_, started| started.job.deaf || !is(&started.id, request));
    }

    fn put(&mut self, due: Instant, started: DelayedJob) {
        self.started += 1;
        self.jobs.insert((due, self.started), started);
    }
}

impl DelayedJob {
    fn tell(&self, out: &mut ShopOutbox) {
        let Some(token) = &self.token else {
            return;
        };
        let (done, all) = (self.done, self.job.seconds);
        let params = json!({
            "progressToken": token,
            "progress": done,
            "total": all,
            "message": format!("{done} of {all} shelves counted"),
        });
        out.notification(method::PROGRESS, &params);
    }
}

const STEP: Duration = Duration::from_secs(1);
const MAX_JOBS: usize = 10_000;
