//! What a guard's hooks were told, kept for a test to look at.

use std::sync::{Arc, Mutex};

use breakfall::server::Guard;

#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<Told>>>);

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    pub(super) method: String,
    pub(super) tool: Option<String>,
    pub(super) item: Option<usize>,
    pub(super) code: &'static str,
    pub(super) id: String,
    pub(super) report: String,
    pub(super) seconds: u64,
}

impl Log {
    /// A guard that writes here.
    pub(super) fn on<H>(&self, guard: Guard<H>) -> Guard<H> {
        let (faults, calls) = (self.clone(), self.clone());
        guard
            .on_fault(move |event| {
                faults.keep(Told {
                    method: event.method.to_owned(),
                    tool: event.tool.map(str::to_owned),
                    item: event.item,
                    code: event.fault.code().name(),
                    id: event.correlation_id.to_string(),
                    report: event.report(),
                    seconds: event.duration.as_secs(),
                });
            })
            .on_cancel(move |call| {
                calls.keep(Told {
                    method: "cancelled".to_owned(),
                    tool: Some(call.tool.to_owned()),
                    item: None,
                    code: "",
                    id: String::new(),
                    report: String::new(),
                    seconds: call.duration.as_secs(),
                });
            })
    }

    pub(super) fn all(&self) -> Vec<Told> {
        self.0.lock().unwrap().clone()
    }

    /// The only thing that was told.
    pub(super) fn only(&self) -> Told {
        let all = self.all();
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    }

    fn keep(&self, told: Told) {
        self.0.lock().unwrap().push(told);
    }
}
