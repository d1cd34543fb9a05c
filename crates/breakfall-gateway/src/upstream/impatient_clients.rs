//! Clients that give up on a call after a minute: where no timeout is configured, they are answered before that. Otherwise
//! they report a timeout of their own, which says nothing about the server.

use std::time::Duration;

use breakfall_mcp::timeouts::Timeouts;

/// The timeouts of a call where none are configured, by the name the client gives itself. A wrong name changes nothing but
/// these.
///
/// ```
/// use breakfall_gateway::upstream::default_timeouts;
///
/// assert_eq!(default_timeouts(None).idle.as_secs(), 300);
/// assert_eq!(default_timeouts(Some("cursor-vscode")).total.as_secs(), 55);
/// ```
pub fn default_timeouts(client: Option<&str>) -> Timeouts {
    // `mcp-remote` adds its own name in parentheses.
    let name = client.map(|name| name.split(" (via ").next().unwrap_or(name));
    match name {
        // They do not wait longer for a call that reports progress.
        Some(name) if GIVE_UP_AFTER_A_MINUTE.contains(&name) => Timeouts {
            idle: BELOW_A_MINUTE,
            total: BELOW_A_MINUTE,
        },
        Some(_) | None => Timeouts::default(),
    }
}

/// The clients whose default is 60 s, by the name in `clientInfo`. `docs/configuration.md` lists them.
const GIVE_UP_AFTER_A_MINUTE: &[&str] = &["Cherry Studio", "Cline", "Roo Code", "cursor-vscode"];
/// With time for the answer to arrive.
const BELOW_A_MINUTE: Duration = Duration::from_secs(55);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_lists_the_clients() {
        let page = include_str!("../../../../docs/configuration.md");
        for name in GIVE_UP_AFTER_A_MINUTE {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
        let via = default_timeouts(Some("Cline (via mcp-remote 0.1.37)"));
        assert_eq!(via.total, BELOW_A_MINUTE);
        assert_eq!(default_timeouts(Some("other")), Timeouts::default());
    }
}
