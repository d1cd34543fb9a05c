//! The references in a client's file: `${env:NAME}` of Cursor and VS Code, `${NAME}` of Claude Code, folders.

use std::cell::RefCell;
use std::env;
use std::path::PathBuf;

use breakfall_gateway::config::MaskedWord;

use crate::client_file::{ClientKind, home};

/// What references stand for.
#[derive(Debug)]
pub(super) struct References {
    kind: ClientKind,
    /// The directory of the project.
    workspace: PathBuf,
    /// The values of variables that were referred to.
    values: RefCell<Vec<String>>,
}

/// A reference whose value is not known here.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReferenceError {
    /// The environment has no such variable.
    NoVariable(String),
    /// The client asks its user for it, or knows it alone.
    OfClient(String),
}

impl References {
    pub(super) fn new(kind: ClientKind, workspace: PathBuf) -> Self {
        Self {
            kind,
            workspace,
            values: RefCell::default(),
        }
    }

    /// The values of variables that were referred to, which are not to be shown.
    pub(super) fn into_values(self) -> Vec<String> {
        self.values.into_inner()
    }

    /// A word with the values of its references, which is shown as it was written.
    ///
    /// # Errors
    /// When one has no value here.
    pub(super) fn word(&self, text: &str) -> Result<MaskedWord, ReferenceError> {
        let expanded = self.expand(text)?;
        Ok(if expanded == text {
            MaskedWord::from(expanded)
        } else {
            MaskedWord::standing_for(text, expanded)
        })
    }

    /// The text with the values of its references.
    ///
    /// # Errors
    /// When one has no value here.
    pub(super) fn expand(&self, text: &str) -> Result<String, ReferenceError> {
        let mut expanded = String::new();
        let mut rest = text;
        // Claude Desktop has no references.
        while self.kind != ClientKind::ClaudeDesktop
            && let Some((before, after)) = rest.split_once("${")
            && let Some((name, after)) = after.split_once('}')
        {
            expanded.push_str(before);
            expanded.push_str(&self.value(name)?);
            rest = after;
        }
        expanded.push_str(rest);
        Ok(expanded)
    }

    fn value(&self, name: &str) -> Result<String, ReferenceError> {
        let workspace = || self.workspace.display().to_string();
        match name {
            "workspaceFolder" => return Ok(workspace()),
            "workspaceFolderBasename" => {
                let name = self.workspace.file_name().unwrap_or_default();
                return Ok(name.to_string_lossy().into_owned());
            }
            "userHome" => return Ok(home().unwrap_or_default().display().to_string()),
            "pathSeparator" | "/" => return Ok(std::path::MAIN_SEPARATOR.to_string()),
            _ => {}
        }
        if let Some(name) = name.strip_prefix("env:") {
            let value = self.variable(name);
            return value.ok_or_else(|| ReferenceError::NoVariable(name.to_owned()));
        }
        if name.contains(':') && !name.contains(":-") {
            return Err(ReferenceError::OfClient(name.to_owned()));
        }
        let (name, default) = match name.split_once(":-") {
            Some((name, default)) => (name, Some(default.to_owned())),
            None => (name, None),
        };
        let value = self.variable(name).or(default);
        value.ok_or_else(|| ReferenceError::NoVariable(name.to_owned()))
    }

    fn variable(&self, name: &str) -> Option<String> {
        let value = env::var(name).ok()?;
        self.values.borrow_mut().push(value.clone());
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_those_of_the_client() {
        let of = |kind| References::new(kind, PathBuf::from("/work/shop"));
        let code = of(ClientKind::VsCode);
        let expanded = code.expand("${workspaceFolder}/${workspaceFolderBasename}${/}x");
        assert_eq!(expanded.as_deref(), Ok("/work/shop/shop/x"));
        assert_eq!(
            code.expand("a${input:key}"),
            Err(ReferenceError::OfClient("input:key".to_owned()))
        );
        let missing = || Err(ReferenceError::NoVariable("NO_SUCH_VARIABLE".to_owned()));
        assert_eq!(code.expand("${env:NO_SUCH_VARIABLE}"), missing());
        let claude = of(ClientKind::ClaudeCode);
        assert_eq!(claude.expand("${NO_SUCH_VARIABLE}"), missing());
        assert_eq!(
            claude.expand("${NO_SUCH_VARIABLE:-x}y").as_deref(),
            Ok("xy")
        );
        let desktop = of(ClientKind::ClaudeDesktop);
        assert_eq!(desktop.expand("${HOME").as_deref(), Ok("${HOME"));
        assert_eq!(desktop.expand("${HOME}").as_deref(), Ok("${HOME}"));
    }
}
