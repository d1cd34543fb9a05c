//! Why a call has no successful answer.

use breakfall::Fault;

use crate::classify::{ClassifiedFailure, ExecutionEvidence};
use breakfall_mcp::connection::AuthChallenge;
use breakfall_mcp::jsonrpc::Frame;

/// Why a call has no successful answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The client cancelled it and expects no answer.
    Cancelled,
    /// It failed.
    Failed(Box<CallFailure>),
}

/// A failed call.
#[derive(Debug)]
pub struct CallFailure {
    pub(super) failure: ClassifiedFailure,
    /// The answer of the server, if it answered.
    pub(super) original: Option<Frame>,
    pub(super) evidence: ExecutionEvidence,
    /// The credentials the server demands.
    pub(super) challenge: Option<AuthChallenge>,
}

impl CallFailure {
    /// A failure of the gateway: the server was not called.
    pub(super) fn before_upstream(failure: ClassifiedFailure) -> Box<Self> {
        Box::new(Self {
            failure,
            original: None,
            evidence: ExecutionEvidence::Unsent,
            challenge: None,
        })
    }

    /// Whether the server may have executed the call.
    pub(super) fn may_have_run(&self) -> bool {
        let stated = self.failure.fault.public().details().text("executed");
        let is_believed = self.evidence == ExecutionEvidence::Stated;
        self.evidence.may_have_run() && !(is_believed && stated == Some("no"))
    }

    /// Replaces the fault.
    pub(super) fn map_fault(&mut self, change: impl FnOnce(Fault) -> Fault) {
        let fault = std::mem::replace(&mut self.failure.fault, Fault::internal());
        self.failure.fault = change(fault);
    }
}

impl From<Box<CallFailure>> for CallError {
    fn from(failed: Box<CallFailure>) -> Self {
        Self::Failed(failed)
    }
}

impl From<Fault> for CallError {
    fn from(fault: Fault) -> Self {
        CallFailure::before_upstream(ClassifiedFailure::new(fault)).into()
    }
}

impl CallError {
    /// A failure that the protocol has an error for: a malformed call, or an unknown tool.
    pub(super) fn refused(fault: Fault) -> Self {
        CallFailure::before_upstream(ClassifiedFailure::refused(fault)).into()
    }
}
