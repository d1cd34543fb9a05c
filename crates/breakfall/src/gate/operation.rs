//! What is known about an operation before it is called.

use crate::ladder::DangerLevel;

/// What is known about an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct OperationFacts<'a> {
    /// Its name.
    pub name: &'a str,
    /// The danger that its operator or adapter declares.
    pub declared: Option<DangerLevel>,
    /// The kind that its adapter declares.
    pub kind: Option<OperationKind>,
    /// What its server declares.
    pub hints: DangerHints,
}

impl<'a> OperationFacts<'a> {
    /// An operation of which only the name is known.
    pub const fn named(name: &'a str) -> Self {
        Self {
            name,
            declared: None,
            kind: None,
            hints: DangerHints {
                read_only: None,
                destructive: None,
            },
        }
    }

    /// With the danger that its operator declares, if one is declared.
    #[must_use]
    pub const fn declared(mut self, danger: Option<DangerLevel>) -> Self {
        self.declared = danger;
        self
    }

    /// With the annotations of its server.
    #[must_use]
    pub const fn hints(mut self, hints: DangerHints) -> Self {
        self.hints = hints;
        self
    }
}

/// The annotations of a tool that speak of danger. An absent one counts for nothing, whatever default MCP gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct DangerHints {
    /// `readOnlyHint`.
    pub read_only: Option<bool>,
    /// `destructiveHint`.
    pub destructive: Option<bool>,
}

/// The kind of an operation, where it is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the kinds of MCP-AQL")]
pub enum OperationKind {
    /// It describes the server.
    Introspect,
    /// It reads.
    Read,
    /// It creates.
    Create,
    /// It changes.
    Update,
    /// It deletes.
    Delete,
    /// It does anything else.
    Execute,
}

impl OperationKind {
    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Introspect => "introspect",
            Self::Read => "read",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Execute => "execute",
        }
    }

    /// The danger of an operation of this kind of which nothing else is known.
    pub const fn danger(self) -> DangerLevel {
        match self {
            Self::Introspect | Self::Read => DangerLevel::Safe,
            Self::Create | Self::Update | Self::Execute => DangerLevel::Reversible,
            Self::Delete => DangerLevel::Destructive,
        }
    }
}
