//! YAML → a tree, or all that is wrong with it as YAML.
//!
//! Nothing a file says can make it grow: its bytes, its depth, and what its aliases copy are bounded.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};

use super::mask::{SECRET_KEYS, hide};
use super::problem::ConfigProblem;
use super::syntax::words;
use super::tree::{Key, Node, Value, plain};

/// What became of a text.
#[derive(Debug, Default)]
pub(super) struct ParsedYaml {
    /// The tree, if the text is YAML.
    pub(super) root: Option<Node>,
    /// What is wrong with it.
    pub(super) problems: Vec<ConfigProblem>,
    /// The places of secrets that are not in the tree.
    pub(super) hidden: Vec<Range<usize>>,
    /// The places of values that are missing, as was told.
    pub(super) missing: MissingValues,
    /// The keys around the place where reading stopped, if it did.
    pub(super) stopped_in: Vec<String>,
}

/// Reads the one document of a text.
pub(super) fn parse(text: &str) -> ParsedYaml {
    let options = granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = TreeBuilder::new(text);
    for next in Parser::new_from_str_with_options(text, options) {
        let proceed = match next {
            Ok((event, span)) => builder.event(event, span),
            Err(error) => {
                builder.unparsed(&error);
                false
            }
        };
        if !proceed {
            return ParsedYaml {
                root: None,
                problems: builder.problems,
                hidden: builder.hidden,
                missing: builder.missing,
                stopped_in: builder
                    .open
                    .into_iter()
                    .filter_map(OpenNode::into_key)
                    .collect(),
            };
        }
    }
    ParsedYaml {
        root: builder.root,
        problems: builder.problems,
        hidden: builder.hidden,
        missing: builder.missing,
        stopped_in: Vec::new(),
    }
}

/// Places of values that could not be filled in. That is told, and what comes of it is not.
#[derive(Debug, Default)]
pub(super) struct MissingValues(BTreeSet<(usize, usize)>);

impl MissingValues {
    fn add(&mut self, span: &Range<usize>) {
        self.0.insert((span.start, span.end));
    }

    pub(super) fn has(&self, span: &Range<usize>) -> bool {
        self.0.contains(&(span.start, span.end))
    }

    /// Whether it is a value, or an item of a list.
    fn is_in(&self, node: &Node) -> bool {
        let has = |node: &Node| self.has(&node.span);
        has(node) || matches!(&node.value, Value::List(items) if items.iter().any(has))
    }
}

/// Lists and maps inside each other.
const MAX_DEPTH: usize = 64;

/// Values in all, after aliases have been filled in.
const MAX_NODES: usize = 100_000;

struct TreeBuilder<'a> {
    text: &'a str,
    open: Vec<OpenNode>,
    root: Option<Node>,
    anchors: BTreeMap<usize, Node>,
    nodes: usize,
    problems: Vec<ConfigProblem>,
    hidden: Vec<Range<usize>>,
    missing: MissingValues,
}

/// A list or map that is not complete yet.
struct OpenNode {
    start: usize,
    anchor: usize,
    inside: NodeContents,
}

enum NodeContents {
    List(Vec<Node>),
    Map(Vec<(Key, Node)>, Option<Key>),
}

impl OpenNode {
    /// Whether the entry that is being read, or was read last, has this key.
    fn is_in(&self, name: &str) -> bool {
        let NodeContents::Map(entries, key) = &self.inside else {
            return false;
        };
        let last = entries.last().map(|(key, _)| key);
        key.as_ref().or(last).is_some_and(|key| key.text == name)
    }

    fn into_key(self) -> Option<String> {
        match self.inside {
            NodeContents::List(_) => None,
            NodeContents::Map(mut entries, key) => {
                // What reading stumbles over often belongs to the entry before.
                let key = key.or_else(|| entries.pop().map(|(key, _)| key));
                key.map(|key| key.text)
            }
        }
    }
}

impl<'a> TreeBuilder<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            open: Vec::new(),
            root: None,
            anchors: BTreeMap::new(),
            nodes: 0,
            problems: Vec::new(),
            hidden: Vec::new(),
            missing: MissingValues::default(),
        }
    }

    /// Takes one event, and says whether to go on.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other events carry no values"
    )]
    fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        let span_bytes = self.bytes(&span);
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                let problem = ConfigProblem::new("the file has more than one document");
                let problem = problem.at(self.first_line(span_bytes.start, span_bytes.end));
                self.problems
                    .push(problem.hint("remove everything from this `---` on"));
                return false;
            }
            Event::Scalar(value, style, anchor, tag) => {
                let value = self.scalar(value, style, tag.as_deref(), &span_bytes);
                return self.complete(
                    Node {
                        span: span_bytes,
                        value,
                    },
                    anchor,
                );
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.tag(tag.as_deref(), &span_bytes);
                self.begin(span_bytes.start, anchor, NodeContents::List(Vec::new()));
            }
            Event::MappingStart(_, anchor, tag) => {
                self.tag(tag.as_deref(), &span_bytes);
                self.begin(
                    span_bytes.start,
                    anchor,
                    NodeContents::Map(Vec::new(), None),
                );
            }
            Event::SequenceEnd | Event::MappingEnd => return self.end(span_bytes.end),
            Event::Alias(anchor) => return self.alias(anchor, span_bytes),
            Event::UnresolvedAlias(name) => {
                let problem = ConfigProblem::new(format!("nothing above is marked '&{name}'"));
                self.problems.push(problem.at(span_bytes.clone()).hint(
                    "an alias stands for a value marked with & earlier in the file; quote the text if it is none",
                ));
                return self.miss(span_bytes);
            }
            _ => {}
        }
        true
    }

    fn begin(&mut self, start: usize, anchor: usize, inside: NodeContents) {
        self.open.push(OpenNode {
            start,
            anchor,
            inside,
        });
    }

    fn end(&mut self, end: usize) -> bool {
        let Some(open) = self.open.pop() else {
            return true;
        };
        let node = Node {
            span: self.first_line(open.start, end),
            value: match open.inside {
                NodeContents::List(items) => Value::List(items),
                NodeContents::Map(entries, _) => Value::Map(self.merged(entries)),
            },
        };
        self.complete(node, open.anchor)
    }

    fn alias(&mut self, anchor: usize, span: Range<usize>) -> bool {
        let Some(target) = self.anchors.get(&anchor) else {
            let problem = ConfigProblem::new("a value cannot be part of itself").at(span.clone());
            self.problems.push(problem);
            return self.miss(span);
        };
        // Counted before it is copied: a few lines of aliases of aliases would fill any memory.
        self.nodes += target.count();
        if self.nodes > MAX_NODES {
            let problem =
                ConfigProblem::new("the aliases of this file stand for too much").at(span);
            let problem = problem.label(format!("more than {MAX_NODES} values from here on"));
            self.problems
                .push(problem.hint("write out what is meant, without aliases of aliases"));
            return false;
        }
        let node = Node {
            span,
            value: target.value.clone(),
        };
        self.complete(node, 0)
    }

    /// Goes on without a value, which was told.
    fn miss(&mut self, span: Range<usize>) -> bool {
        self.missing.add(&span);
        let value = Value::Null;
        self.complete(Node { span, value }, 0)
    }

    /// Puts a complete value where it belongs.
    fn complete(&mut self, node: Node, anchor: usize) -> bool {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let problem = ConfigProblem::new(format!("the file has more than {MAX_NODES} values"));
            self.problems.push(problem.at(node.span));
            return false;
        }
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return true;
        };
        match &mut open.inside {
            NodeContents::List(items) => items.push(node),
            NodeContents::Map(entries, key) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => match Key::of(node) {
                    Ok(new) => *key = Some(new),
                    Err(problem) => {
                        self.problems.push(*problem);
                        return false;
                    }
                },
            },
        }
        true
    }

    /// Entries without what is written twice, and with what `<<` brings in.
    fn merged(&mut self, entries: Vec<(Key, Node)>) -> Vec<(Key, Node)> {
        let mut places: BTreeMap<String, Range<usize>> = BTreeMap::new();
        let mut out: Vec<(Key, Node)> = Vec::with_capacity(entries.len());
        let mut brought = Vec::new();
        for (key, node) in entries {
            if self.missing.has(&key.span) {
                hide(&node, &mut self.hidden);
            } else if key.text == "<<" {
                brought.push((key, node));
            } else if let Some(first) = places.get(&key.text) {
                if self
                    .open
                    .iter()
                    .any(|open| SECRET_KEYS.iter().any(|key| open.is_in(key)))
                {
                    hide(&node, &mut self.hidden);
                }
                let problem = ConfigProblem::new(format!("'{}' is written twice", key.text));
                let problem = problem.at(key.span).label("here again");
                let problem = problem
                    .beside(first.clone(), "first here")
                    .hint("keep one of them");
                self.problems.push(problem);
            } else {
                places.insert(key.text.clone(), key.span.clone());
                out.push((key, node));
            }
        }
        for (key, node) in brought {
            if self.missing.is_in(&node) {
                continue;
            }
            let Some(sources) = maps(node.value) else {
                let problem =
                    ConfigProblem::new("'<<' brings in a map, or a list of maps").at(key.span);
                self.problems.push(problem);
                continue;
            };
            for (key, node) in sources.into_iter().flatten() {
                if places.insert(key.text.clone(), key.span.clone()).is_none() {
                    out.push((key, node));
                }
            }
        }
        out
    }

    fn scalar(
        &mut self,
        value: Cow<'_, str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        span: &Range<usize>,
    ) -> Value {
        self.tag(tag, span);
        let text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
        if style == ScalarStyle::Plain && !text {
            plain(&value)
        } else {
            Value::Text(value.into_owned())
        }
    }

    /// Tags of the standard change nothing we would not see ourselves; others mean nothing to us.
    fn tag(&mut self, tag: Option<&Tag>, span: &Range<usize>) {
        if let Some(tag) = tag.filter(|tag| !tag.is_yaml_core_schema()) {
            let problem =
                ConfigProblem::new(format!("the tag '{}' means nothing here", tag.original()));
            self.problems
                .push(problem.at(span.clone()).hint("remove it"));
        }
    }

    fn unparsed(&mut self, error: &ScanError) {
        let at = error.marker().byte_offset().unwrap_or(self.text.len());
        let at = floor(self.text, at);
        let span = at..(at + self.text[at..].chars().next().map_or(0, char::len_utf8));
        let is_control =
            self.text[at..].starts_with(|c: char| c.is_control() && !c.is_whitespace());
        let (message, hint) = if is_control {
            ("a control character stands here".to_owned(), "remove it")
        } else {
            words(error.kind())
        };
        let mut problem = ConfigProblem::new(message).at(span);
        if self.text[at..].starts_with('{') && self.text[..at].ends_with('$') {
            problem = problem.hint(r#"inside brackets a reference stands in quotes: "${NAME}""#);
        } else if self.open.len() == 1 && self.open[0].is_in("store") {
            problem = problem.hint("YAML takes a ':' at the end for another key: write `store: sqlite` or `store: memory`");
        } else {
            problem = problem.hint(hint);
        }
        self.problems.push(problem);
    }

    fn bytes(&self, span: &Span) -> Range<usize> {
        let start = span.start.byte_offset().unwrap_or(0);
        let end = span.end.byte_offset().unwrap_or(start);
        let start = floor(self.text, start);
        start..floor(self.text, end.max(start))
    }

    /// A caret under a whole block helps nobody: its first line does.
    fn first_line(&self, start: usize, end: usize) -> Range<usize> {
        let whole = self.text.get(start..end).unwrap_or_default();
        let line = whole.lines().next().unwrap_or_default().trim_end();
        start..start + line.len()
    }
}

impl Key {
    fn of(node: Node) -> Result<Self, Box<ConfigProblem>> {
        let text = match node.value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(text) | Value::Text(text) => text,
            Value::List(_) | Value::Map(_) => {
                let problem =
                    ConfigProblem::new("a key is a text, not a list or a map").at(node.span);
                return Err(Box::new(
                    problem.hint("quote a key that starts with [, { or *"),
                ));
            }
        };
        Ok(Self {
            text,
            span: node.span,
        })
    }
}

/// The entries of a map, or of each map of a list.
fn maps(value: Value) -> Option<Vec<Vec<(Key, Node)>>> {
    match value {
        Value::Map(entries) => Some(vec![entries]),
        Value::List(items) => {
            let each = items.into_iter().map(|item| match item.value {
                Value::Map(entries) => Some(entries),
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::Text(_)
                | Value::List(_) => None,
            });
            each.collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => None,
    }
}

/// The nearest place before it where a character starts.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
