//! What the gate says about calls of a tool.

use breakfall::gate::{DangerHints, GateDecision, OperationFacts, rate};

use super::Upstream;
use crate::tools::Hints;

impl Upstream {
    /// What the gate says about calls of a tool with these annotations, whether it is in force or not.
    ///
    /// ```
    /// use breakfall::gate::GateOutcome;
    /// use breakfall_gateway::tools::Hints;
    /// use breakfall_gateway::upstream::{Origin, Upstream};
    ///
    /// let shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
    /// let mut hints = Hints::default();
    /// assert_eq!(shop.gate_decision("refund", hints).outcome, GateOutcome::Allowed);
    /// hints.destructive = Some(true);
    /// assert_eq!(shop.gate_decision("refund", hints).outcome, GateOutcome::ConfirmationRequired);
    /// ```
    pub fn gate_decision(&self, tool: &str, hints: Hints) -> GateDecision {
        let hints = DangerHints {
            read_only: hints.read_only,
            destructive: hints.destructive,
        };
        let declared = self.tools.policy(tool).danger;
        let facts = OperationFacts::named(tool).declared(declared).hints(hints);
        let danger = rate(&facts, self.trust);
        self.gate.policy().decide(self.trust, danger, None)
    }
}
