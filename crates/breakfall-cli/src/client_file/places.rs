//! Where each client keeps its list of servers.

use std::env;
use std::path::{Path, PathBuf};

/// A client that starts MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientKind {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    VsCode,
    /// A file in an unknown place.
    Other,
}

impl ClientKind {
    /// The client whose file has this path.
    pub(crate) fn of(path: &Path) -> Self {
        let name = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let folder = path.parent().map(name).unwrap_or_default();
        match (&*name(path), &*folder) {
            ("claude_desktop_config.json", _) => Self::ClaudeDesktop,
            (".mcp.json" | ".claude.json", _) => Self::ClaudeCode,
            (_, ".cursor") => Self::Cursor,
            (_, ".vscode" | "User") => Self::VsCode,
            _ => Self::Other,
        }
    }

    /// Its name; `None` for a file in an unknown place.
    pub(crate) const fn name(self) -> Option<&'static str> {
        match self {
            Self::ClaudeDesktop => Some("Claude Desktop"),
            Self::ClaudeCode => Some("Claude Code"),
            Self::Cursor => Some("Cursor"),
            Self::VsCode => Some("VS Code"),
            Self::Other => None,
        }
    }
}

/// Whether a file belongs to a project, whose members share it: a path of this machine would not help them.
pub(crate) fn is_shared(path: &Path) -> bool {
    let path = &std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(path);
    // The home directory may be reached through a link.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match ClientKind::of(path) {
        ClientKind::ClaudeCode => path.ends_with(".mcp.json"),
        ClientKind::VsCode => folder.ends_with(".vscode"),
        ClientKind::Cursor => folder.parent().map(real) != home().as_deref().map(real),
        ClientKind::ClaudeDesktop | ClientKind::Other => false,
    }
}

/// The documented places of this user and of the current directory, whether or not there is a file.
pub(crate) fn documented() -> Vec<PathBuf> {
    let project = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"].map(PathBuf::from);
    let Some(home) = home() else {
        return project.to_vec();
    };
    let applications = applications(&home);
    let claude = env_path("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.clone());
    let of_user = [
        applications.join("Claude/claude_desktop_config.json"),
        claude.join(".claude.json"),
        home.join(".cursor/mcp.json"),
        applications.join("Code/User/mcp.json"),
        applications.join("Code - Insiders/User/mcp.json"),
    ];
    of_user.into_iter().chain(project).collect()
}

/// The home directory of the user.
pub(crate) fn home() -> Option<PathBuf> {
    env_path("HOME").or_else(|| env_path("USERPROFILE"))
}

/// The directory in which applications of a desktop keep their settings.
fn applications(home: &Path) -> PathBuf {
    if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else if cfg!(windows) {
        env_path("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"))
    } else {
        env_path("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"))
    }
}

fn env_path(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name)?;
    (!value.is_empty()).then(|| PathBuf::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_file_names_its_client() {
        let of = |path: &str| (ClientKind::of(Path::new(path)), is_shared(Path::new(path)));
        let cases = [
            (
                "/x/Claude/claude_desktop_config.json",
                ClientKind::ClaudeDesktop,
                false,
            ),
            ("/x/project/.mcp.json", ClientKind::ClaudeCode, true),
            ("/x/.claude.json", ClientKind::ClaudeCode, false),
            ("/x/project/.cursor/mcp.json", ClientKind::Cursor, true),
            ("/x/project/.vscode/mcp.json", ClientKind::VsCode, true),
            ("/x/Code/User/mcp.json", ClientKind::VsCode, false),
            ("servers.json", ClientKind::Other, false),
        ];
        for (path, kind, is_shared) in cases {
            assert_eq!(of(path), (kind, is_shared), "{path}");
        }
    }
}
