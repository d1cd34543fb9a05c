//! Which calls may be made.

use breakfall::gate::{GatePolicy, GateProfile, TrustLevel, TrustPolicy};

use super::kinds::optional;
use super::setting::settings;
use super::word::{word, words};

words! {
    /// What is done about dangerous calls.
    GateMode: "modes of the gate" {
        /// They are confirmed or denied; from destructive up each of them is confirmed.
        Strict = "strict",
        /// They are confirmed or denied by the literal table of trust and danger.
        Matrix = "matrix",
        /// They are made, and only lists of tools show their danger.
        Report = "report",
    }
}

words! {
    /// How a call is confirmed.
    ConfirmMethod: "ways to confirm a call that are supported yet" {
        /// The caller sends back the token it was given.
        Token = "token",
    }
}

settings! {
    /// How calls are confirmed, by their danger.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct ConfirmSettings {
        /// How a destructive call is confirmed.
        pub destructive: ConfirmMethod = ConfirmMethod::Token => word();
        /// How a dangerous call is confirmed.
        pub dangerous: ConfirmMethod = ConfirmMethod::Token => word();
        /// How a forbidden call is confirmed, at a server that is certified.
        pub forbidden: ConfirmMethod = ConfirmMethod::Token => word();
    }
}

settings! {
    /// What is asked of servers beyond the table of trust and danger. It is looked at first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct TrustPolicySettings {
        /// The trust a server needs for tools that change something.
        pub minimum_trust_for_writes: Option<TrustLevel> = None => optional(word());
        /// The trust a server needs for tools that destroy something.
        pub minimum_trust_for_deletes: Option<TrustLevel> = None => optional(word());
        /// Servers below this trust have every change confirmed.
        pub require_confirmation_below: Option<TrustLevel> = None => optional(word());
    }
}

/// What the gate of an upstream is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct GateSettings {
    /// What is done about dangerous calls.
    pub mode: GateMode,
    /// What is asked beyond the table.
    pub trust_policy: TrustPolicySettings,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self {
            mode: GateMode::Strict,
            trust_policy: TrustPolicySettings::default(),
        }
    }
}

impl GateSettings {
    /// A gate that holds up no call.
    pub fn reporting() -> Self {
        Self {
            mode: GateMode::Report,
            ..Self::default()
        }
    }

    /// Whether calls are held up.
    pub fn enforces(&self) -> bool {
        self.mode != GateMode::Report
    }

    /// The policy that decides.
    pub fn policy(&self) -> GatePolicy {
        let set = &self.trust_policy;
        GatePolicy {
            profile: match self.mode {
                GateMode::Strict | GateMode::Report => GateProfile::Strict,
                GateMode::Matrix => GateProfile::Matrix,
            },
            trust: TrustPolicy {
                minimum_trust_for_writes: set.minimum_trust_for_writes,
                minimum_trust_for_deletes: set.minimum_trust_for_deletes,
                require_confirmation_below: set.require_confirmation_below,
                ..TrustPolicy::default()
            },
        }
    }
}
