//! Renders problems with the lines they are in, as compilers do.

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::problem::{ConfigError, ConfigProblem};

impl ConfigError {
    /// All of them for a person to read, each with its line, in colour if that is wanted.
    ///
    /// ```
    /// use breakfall_gateway::config::Config;
    ///
    /// let problems = Config::parse("upstreams:\n  memory:\n    comand: npx\n", "my.yaml").unwrap_err();
    /// assert_eq!(
    ///     problems.render(false, 100),
    ///     "\
    /// error: unknown key 'comand'
    ///  --> my.yaml:3:5
    ///   |
    /// 3 |     comand: npx
    ///   |     ^^^^^^ did you mean 'command'?
    ///   |
    ///   = help: the keys here are command, args, env, inherit_env, cwd, url, headers, pass_authorization, ca, resend_on_lost_session, adapter, \
    /// demo, trust, hints, timeout, max_timeout, retry, breaker, concurrency, bridge, wire_only, restart, stuck_after, validate, unlisted, tools, dialect, format, strict, hidden_failures, redact, format_argument, rate, quotas and cost
    /// "
    /// );
    /// ```
    pub fn render(&self, colour: bool, width: usize) -> String {
        let renderer = if colour {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let renderer = renderer.term_width(width);
        let mut out = String::new();
        for problem in self.iter().take(MAX_SHOWN) {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&renderer.render(&[self.group(problem)]));
            out.push('\n');
        }
        if self.len() > MAX_SHOWN {
            // Writing to a string cannot fail.
            let _ = write!(out, "\nand {} more\n", self.len() - MAX_SHOWN);
        }
        out
    }

    fn group<'a>(&'a self, problem: &'a ConfigProblem) -> Group<'a> {
        let title = Level::ERROR.primary_title(clean(problem.message()));
        let help = problem.hints().map(|hint| Level::HELP.message(clean(hint)));
        let Some(span) = problem.span().filter(|_| !self.shown().is_empty()) else {
            let origin = annotate_snippets::Origin::path(clean(self.name()));
            return title.element(origin).elements(help);
        };
        let label = clean(problem.label_text());
        let mut here = AnnotationKind::Primary.span(span);
        if !label.is_empty() {
            here = here.label(label);
        }
        let beside = problem
            .other()
            .map(|(span, what)| AnnotationKind::Context.span(span).label(what));
        let snippet = Snippet::source(self.shown()).path(clean(self.name()));
        title
            .element(snippet.annotation(here).annotations(beside))
            .elements(help)
    }
}

/// The most problems that are shown at once.
const MAX_SHOWN: usize = 50;

/// Messages quote the file, and a terminal would obey control characters.
fn clean(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let (plain, escaped) = if c.is_control() {
                (None, Some(c.escape_default()))
            } else {
                (Some(c), None)
            };
            plain.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}
