//! The table of trust and danger.

use crate::ladder::{DangerLevel, TrustLevel};

/// What the table says about one level of trust and one of danger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the four words of the table")]
pub enum MatrixCell {
    /// The call may be made.
    Allow,
    /// The call may be made once it is confirmed.
    Confirm,
    /// The call may not be made.
    Deny,
    /// Only an operation that describes the server may be called.
    IntrospectOnly,
}

/// Which table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "the two profiles of the gate")]
pub enum GateProfile {
    /// Destructive calls and worse are confirmed, also where the literal table allows them.
    #[default]
    Strict,
    /// The literal table.
    Matrix,
}

impl GateProfile {
    /// Both profiles.
    pub const ALL: &'static [Self] = &[Self::Strict, Self::Matrix];

    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Matrix => "matrix",
        }
    }

    /// One cell of the table.
    ///
    /// ```
    /// use breakfall::gate::{DangerLevel, GateProfile, MatrixCell, TrustLevel};
    ///
    /// let cell = |profile: GateProfile| profile.cell(TrustLevel::Certified, DangerLevel::Dangerous);
    /// assert_eq!(cell(GateProfile::Matrix), MatrixCell::Allow);
    /// assert_eq!(cell(GateProfile::Strict), MatrixCell::Confirm);
    /// ```
    pub fn cell(self, trust: TrustLevel, danger: DangerLevel) -> MatrixCell {
        let cell = literal(trust, danger);
        let is_raised = self == Self::Strict && danger >= DangerLevel::Destructive;
        if cell == MatrixCell::Allow && is_raised {
            MatrixCell::Confirm
        } else {
            cell
        }
    }
}

/// The lowest trust at which a call of this danger is not denied. The same in both profiles.
pub(super) fn minimum_trust(danger: DangerLevel) -> TrustLevel {
    let mut levels = TrustLevel::ALL.iter().copied();
    let found = levels.find(|trust| {
        matches!(
            literal(*trust, danger),
            MatrixCell::Allow | MatrixCell::Confirm
        )
    });
    found.unwrap_or(TrustLevel::Certified)
}

fn literal(trust: TrustLevel, danger: DangerLevel) -> MatrixCell {
    use MatrixCell::{Allow, Confirm, Deny, IntrospectOnly};
    let row = match danger {
        DangerLevel::Safe => [IntrospectOnly, Allow, Allow, Allow, Allow],
        DangerLevel::Reversible => [Deny, Deny, Allow, Allow, Allow],
        DangerLevel::Destructive => [Deny, Deny, Confirm, Allow, Allow],
        DangerLevel::Dangerous => [Deny, Deny, Deny, Confirm, Allow],
        DangerLevel::Forbidden => [Deny, Deny, Deny, Deny, Confirm],
    };
    row[trust as usize]
}
