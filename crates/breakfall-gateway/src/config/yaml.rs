//! YAML → a tree, or its syntax errors.
//!
//! Bytes, depth and what aliases copy are bounded.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};

use super::mask::{AliasedValues, MaskCollector, is_name, is_secret_key};
use super::problem::ConfigProblem;
use super::syntax::words;
use super::tree::{YamlKey, YamlNode, YamlValue, plain};

/// The result of parsing.
#[derive(Debug, Default)]
pub(super) struct ParsedYaml {
    /// The tree, if the text is YAML.
    pub(super) root: Option<YamlNode>,
    /// Its errors.
    pub(super) problems: Vec<ConfigProblem>,
    /// The places of secrets that are not in the tree.
    pub(super) hidden: Vec<Range<usize>>,
    pub(super) aliased: AliasedValues,
    /// The places of values that are missing, which was reported.
    pub(super) missing: MissingValues,
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
            builder.root = None;
            break;
        }
    }
    ParsedYaml {
        root: builder.root,
        problems: builder.problems,
        hidden: builder.hidden,
        aliased: builder.aliased,
        missing: builder.missing,
    }
}

/// Places of values that could not be filled in. That is reported, and problems that follow from it are not.
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
    fn is_in(&self, node: &YamlNode) -> bool {
        let has = |node: &YamlNode| self.has(&node.span);
        has(node) || matches!(&node.value, YamlValue::List(items) if items.iter().any(has))
    }
}

/// Lists and maps inside each other.
const MAX_DEPTH: usize = 64;

/// Values in all, after aliases have been filled in.
const MAX_NODES: usize = 100_000;

struct TreeBuilder<'a> {
    text: &'a str,
    open: Vec<OpenNode>,
    root: Option<YamlNode>,
    anchors: BTreeMap<usize, Anchored>,
    nodes: usize,
    problems: Vec<ConfigProblem>,
    hidden: Vec<Range<usize>>,
    aliased: AliasedValues,
    missing: MissingValues,
}

/// A value with an anchor.
struct Anchored {
    node: YamlNode,
    /// Whether it stands under a secret key.
    is_secret: bool,
}

/// A list or map that is not complete yet.
struct OpenNode {
    start: usize,
    anchor: usize,
    inside: NodeContents,
}

enum NodeContents {
    List(Vec<YamlNode>),
    Map(Vec<(YamlKey, YamlNode)>, Option<YamlKey>),
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

    /// Whether the value that is being read is that of a secret key.
    fn is_secret(&self) -> bool {
        matches!(&self.inside, NodeContents::Map(_, Some(key)) if is_secret_key(&key.text))
    }

    /// Notes where the last value ends, once something follows it.
    fn end_entry(&mut self, at: usize) {
        if let NodeContents::Map(entries, None) = &mut self.inside
            && let Some((key, _)) = entries.last_mut()
            && key.until == 0
        {
            key.until = at;
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
            aliased: AliasedValues::default(),
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
        if let Some(open) = self.open.last_mut() {
            open.end_entry(span_bytes.start);
        }
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
                    YamlNode {
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
            Event::UnresolvedAlias(_) => {
                // Not the name: it may be the start of a secret.
                let message = "nothing above is marked with '&' and this name";
                let problem = ConfigProblem::new(message).at(span_bytes.clone());
                self.problems.push(problem.hint(
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
        let node = YamlNode {
            span: self.first_line(open.start, end),
            value: match open.inside {
                NodeContents::List(items) => YamlValue::List(items),
                NodeContents::Map(entries, _) => YamlValue::Map(self.merged(entries)),
            },
        };
        self.complete(node, open.anchor)
    }

    fn alias(&mut self, anchor: usize, span: Range<usize>) -> bool {
        let is_secret = self.is_secret();
        let Some(target) = self.anchors.get(&anchor) else {
            let problem = ConfigProblem::new("a value cannot be part of itself").at(span.clone());
            self.problems.push(problem);
            return self.miss(span);
        };
        if target.is_secret && !is_secret {
            let message = "a value under 'env', 'headers' or 'keys' cannot stand elsewhere too: it would be shown there";
            let problem = ConfigProblem::new(message).at(span.clone());
            self.problems
                .push(problem.hint("keep it in a variable, and write ${NAME} in both places"));
            return self.miss(span);
        }
        if is_secret {
            self.aliased.add(&target.node);
        }
        // Counted before it is copied: a few lines of aliases of aliases would fill any memory.
        self.nodes += target.node.count();
        if self.nodes > MAX_NODES {
            let problem =
                ConfigProblem::new("the aliases of this file stand for too much").at(span);
            let problem = problem.label(format!("more than {MAX_NODES} values from here on"));
            self.problems
                .push(problem.hint("write out what is meant, without aliases of aliases"));
            return false;
        }
        let node = YamlNode {
            span,
            value: target.node.value.clone(),
        };
        self.complete(node, 0)
    }

    /// Goes on without a value, which was reported.
    fn miss(&mut self, span: Range<usize>) -> bool {
        self.missing.add(&span);
        let value = YamlValue::Null;
        self.complete(YamlNode { span, value }, 0)
    }

    /// Puts a complete value where it belongs.
    fn complete(&mut self, node: YamlNode, anchor: usize) -> bool {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let problem = ConfigProblem::new(format!("the file has more than {MAX_NODES} values"));
            self.problems.push(problem.at(node.span));
            return false;
        }
        if anchor != 0 {
            let anchored = Anchored {
                node: node.clone(),
                is_secret: self.is_secret(),
            };
            self.anchors.insert(anchor, anchored);
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return true;
        };
        match &mut open.inside {
            NodeContents::List(items) => items.push(node),
            NodeContents::Map(entries, key) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => match YamlKey::of(node) {
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
    fn merged(&mut self, entries: Vec<(YamlKey, YamlNode)>) -> Vec<(YamlKey, YamlNode)> {
        let mut places: BTreeMap<String, Range<usize>> = BTreeMap::new();
        let mut out: Vec<(YamlKey, YamlNode)> = Vec::with_capacity(entries.len());
        let mut brought = Vec::new();
        for (key, node) in entries {
            if self.missing.has(&key.span) {
                self.hidden
                    .extend(MaskCollector::all_of(self.text, &key, &node));
            } else if key.text == "<<" {
                brought.push((key, node));
            } else if let Some(first) = places.get(&key.text) {
                self.hidden
                    .extend(MaskCollector::secrets_of(self.text, &key, &node));
                let is_hidden = self.is_secret() && !is_name(self.text, &key.span, &key.text);
                let name = if is_hidden { "…" } else { &key.text };
                let problem = ConfigProblem::new(format!("'{name}' is written twice"));
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
            let masks = MaskCollector::all_of(self.text, &key, &node);
            let Some(sources) = maps(node.value) else {
                self.hidden.extend(masks);
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
    ) -> YamlValue {
        self.tag(tag, span);
        let text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
        if style == ScalarStyle::Plain && !text {
            plain(&value)
        } else {
            YamlValue::Text(value.into_owned())
        }
    }

    /// Tags of the standard change nothing; others have no meaning here, and may be the start of a secret.
    fn tag(&mut self, tag: Option<&Tag>, span: &Range<usize>) {
        if tag.is_some_and(|tag| !tag.is_yaml_core_schema()) {
            let problem = ConfigProblem::new("this tag means nothing here").at(span.clone());
            self.problems
                .push(problem.hint("remove it, or quote a text that starts with '!'"));
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

    /// Whether the value that is being read is under a secret key.
    fn is_secret(&self) -> bool {
        self.open.iter().any(OpenNode::is_secret)
    }

    fn bytes(&self, span: &Span) -> Range<usize> {
        let start = span.start.byte_offset().unwrap_or(0);
        let end = span.end.byte_offset().unwrap_or(start);
        let start = floor(self.text, start);
        start..floor(self.text, end.max(start))
    }

    /// The first line of a block: a caret under the whole block would not help.
    fn first_line(&self, start: usize, end: usize) -> Range<usize> {
        let whole = self.text.get(start..end).unwrap_or_default();
        let line = whole.lines().next().unwrap_or_default().trim_end();
        start..start + line.len()
    }
}

impl YamlKey {
    fn of(node: YamlNode) -> Result<Self, Box<ConfigProblem>> {
        let text = match node.value {
            YamlValue::Null => "null".to_owned(),
            YamlValue::Bool(value) => value.to_string(),
            YamlValue::Number(text) | YamlValue::Text(text) => text,
            YamlValue::List(_) | YamlValue::Map(_) => {
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
            until: 0,
        })
    }
}

/// The entries of a map, or of each map of a list.
fn maps(value: YamlValue) -> Option<Vec<Vec<(YamlKey, YamlNode)>>> {
    match value {
        YamlValue::Map(entries) => Some(vec![entries]),
        YamlValue::List(items) => {
            let each = items.into_iter().map(|item| match item.value {
                YamlValue::Map(entries) => Some(entries),
                YamlValue::Null
                | YamlValue::Bool(_)
                | YamlValue::Number(_)
                | YamlValue::Text(_)
                | YamlValue::List(_) => None,
            });
            each.collect()
        }
        YamlValue::Null | YamlValue::Bool(_) | YamlValue::Number(_) | YamlValue::Text(_) => None,
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
