//! One upstream: exactly one source, and everything else in its place.

use super::{At, Checker, Given, Limits};
use crate::config::file;
use crate::config::replies::Replies;
use crate::config::upstream::{Remote, Source, Upstream};

impl Checker<'_> {
    pub(super) fn upstream(
        &mut self,
        name: &str,
        given: &Given<file::Upstream>,
        limits: Limits,
        replies: &Replies,
    ) -> Option<Upstream> {
        if !is_name(name) {
            let problem = given
                .at
                .key_problem(format!("'{name}' is no name for an upstream"));
            self.add(problem.hint("a name starts with a letter or digit and has letters, digits, '-' and '_', up to 64 of them"));
        }
        let table = &given.value;
        // All of it is looked at, whatever the source is, so that every problem is told at once.
        let patience = self.patience(table);
        let restart = self.restart(table.restart.as_ref());
        let usual = self.treated(table);
        let tools = self.tools(table.tools.as_ref(), patience, &usual);
        let quotas = self.quotas(table.quotas.as_ref());
        let source = self.source(given)?;
        let mut upstream = Upstream::new(name.to_owned(), source);
        if let Some(trust) = &table.trust {
            upstream.trust = trust.value.0;
        }
        if let Some(validate) = &table.validate {
            upstream.modes = validate.value.meant().over(upstream.modes);
        }
        if let Some(unlisted) = &table.unlisted {
            upstream.unlisted = unlisted.value.0;
        }
        Some(Upstream {
            patience,
            retry: usual.retry,
            breaker: usual.breaker,
            concurrency: usual.concurrency,
            bridge: table.bridge.as_ref().is_none_or(|given| given.value),
            wire_only: table.wire_only.as_ref().is_some_and(|given| given.value),
            restart,
            limits,
            tools,
            quotas,
            replies: Self::replies_of(table, replies),
            ..upstream
        })
    }

    fn source(&mut self, given: &Given<file::Upstream>) -> Option<Source> {
        let table = &given.value;
        let command = self.command(table);
        let url = table.url.as_ref().map(|given| self.url(given));
        let headers = self.headers(table.headers.as_ref());
        let pass_authorization = self.passes_authorization(table);
        let ca = table.ca.as_ref().map(|given| self.existing(given, "file"));
        let adapter = table
            .adapter
            .as_ref()
            .map(|given| self.existing(given, "file"));
        let (demo, not) = match &table.demo {
            Some(given) if given.value => (Some(given), None),
            other => (None, other.as_ref()),
        };
        if let Some(not) = not {
            self.add(not.at.problem("demo is true, or left out"));
        }
        let sources = [
            ("command", table.command.as_ref().map(|given| &given.at)),
            ("url", table.url.as_ref().map(|given| &given.at)),
            ("adapter", table.adapter.as_ref().map(|given| &given.at)),
            ("demo", demo.map(|given| &given.at)),
        ];
        let present = sources.iter().filter_map(|(key, at)| Some((*key, (*at)?)));
        let present: Vec<(&str, &At)> = present.collect();
        self.misplaced(table, &present);
        match present.as_slice() {
            [] => {
                let failed = sources
                    .iter()
                    .any(|(key, _)| self.reader.failed(&format!("{}.{key}", given.at.path)));
                if !failed && not.is_none() {
                    let problem = given.at.key_problem("this upstream leads nowhere");
                    self.add(problem.hint(WHERE_TO));
                }
                None
            }
            [("url", _)] => url.flatten().map(|url| {
                Source::Url(Remote {
                    url,
                    headers,
                    pass_authorization,
                    ca: ca.flatten(),
                })
            }),
            [("adapter", _)] => adapter.flatten().map(Source::Adapter),
            [("demo", _)] => Some(Source::Demo),
            [_] => command.map(Source::Command),
            [(first, at), (second, other), ..] => {
                let problem =
                    other.key_problem(format!("an upstream has '{first}' or '{second}', not both"));
                self.add(
                    problem
                        .beside(at.key.clone(), "the other one")
                        .hint("make two upstreams of it, or remove one"),
                );
                None
            }
        }
    }

    /// Whether the client's own credentials go on. Then nothing else can stand in the same header.
    fn passes_authorization(&mut self, table: &file::Upstream) -> bool {
        let Some(given) = table
            .pass_authorization
            .as_ref()
            .filter(|given| given.value)
        else {
            return false;
        };
        let headers = table.headers.iter().flat_map(|headers| &headers.value.0);
        let mut ours = headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        if let Some((_, header)) = ours.next() {
            let problem = given.at.key_problem(
                "an upstream has a header Authorization or passes the client's on, not both",
            );
            self.add(
                problem
                    .beside(header.at.key.clone(), "the header")
                    .hint("remove one of them"),
            );
        }
        true
    }

    /// Tells of keys that belong to another kind of source.
    fn misplaced(&mut self, table: &file::Upstream, present: &[(&str, &At)]) {
        let [(source, _)] = present else {
            return;
        };
        let keys = [
            (
                "command",
                "args",
                table.args.as_ref().map(|given| &given.at),
            ),
            ("command", "env", table.env.as_ref().map(|given| &given.at)),
            ("command", "cwd", table.cwd.as_ref().map(|given| &given.at)),
            (
                "command",
                "restart",
                table.restart.as_ref().map(|given| &given.at),
            ),
            (
                "url",
                "headers",
                table.headers.as_ref().map(|given| &given.at),
            ),
            (
                "url",
                "pass_authorization",
                table.pass_authorization.as_ref().map(|given| &given.at),
            ),
            ("url", "ca", table.ca.as_ref().map(|given| &given.at)),
        ];
        for (owner, key, at) in keys {
            let Some(at) = at.filter(|_| owner != *source) else {
                continue;
            };
            let problem = at.key_problem(format!(
                "'{key}' belongs to '{owner}', and this upstream has '{source}'"
            ));
            self.add(problem.hint("remove it"));
        }
    }
}

/// What a name of an upstream looks like: the same as in the schema.
fn is_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Where an upstream may lead.
const WHERE_TO: &str = "give it a command or a url; `demo: true` is a shop to try things on";
