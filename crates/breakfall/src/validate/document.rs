//! The schema as a document: what it says about a place in the arguments, and how deep a validation can go.

use std::collections::HashMap;

use jsonschema::Draft;
use serde_json::Value;

use super::reader::{SchemaPattern, SchemaReader};
use super::{bare, edit, limits, pattern, refuse};
use crate::fault::Fault;

/// A schema document within its bounds, with every reference resolved inside it.
pub(super) struct SchemaDocument {
    draft: Draft,
    nodes: Vec<SchemaNode>,
    depth: usize,
    most: usize,
    heaviest: u64,
    /// What all schemas weigh with every reference followed; nothing where that never ends.
    spread: Option<u64>,
    /// The names of the arguments, in order.
    names: Box<[Box<str>]>,
    is_open: bool,
}

/// One schema, and those it leads to. The first node is the document itself.
pub(super) struct SchemaNode {
    /// Its JSON pointer. Used only while the document is read.
    pub(super) pointer: Box<str>,
    pub(super) edges: Vec<SchemaEdge>,
    /// The values of the keywords that explanations use.
    pub(super) says: Box<[(&'static str, Value)]>,
    /// What reporting a violation of it costs: some errors carry a part of the schema.
    pub(super) weight: u64,
    /// The size of the pattern for texts, and of those for names.
    pub(super) pattern: u64,
    pub(super) names: u64,
}

pub(super) struct SchemaEdge {
    pub(super) step: SchemaStep,
    pub(super) to: usize,
}

/// Which part of a value a schema below applies to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SchemaStep {
    /// The value itself.
    Here,
    /// The value itself, as one of several alternatives.
    Branch,
    Member(Box<str>),
    /// Every member, or any.
    Members,
    /// The names of the members.
    Names,
    Item(usize),
    /// Every item, or any.
    Items,
}

impl SchemaStep {
    pub(super) const fn stays(&self) -> bool {
        matches!(self, Self::Here | Self::Branch)
    }
}

impl SchemaDocument {
    /// Reads a document. Gives what judges of it besides.
    ///
    /// # Errors
    ///
    /// When it is too large, in an unknown dialect, or refers to what is not in it.
    pub(super) fn read(value: &Value) -> Result<(Self, Value), Fault> {
        limits::bounds(value)?;
        let draft = limits::dialect(value)?;
        let (mut nodes, patterns) = SchemaReader::read(value)?;
        measure(&mut nodes, &patterns)?;
        let (Some((chain, _)), spread) =
            (paths(&nodes, SchemaStep::stays), paths(&nodes, |_| true))
        else {
            return Err(refuse::endless(&nodes));
        };
        if chain > LONGEST_CHAIN {
            return Err(refuse::too_deep(LONGEST_CHAIN, chain));
        }
        let mut document = Self {
            draft,
            nodes: Vec::new(),
            most: pattern::most(patterns.len()),
            heaviest: nodes
                .iter()
                .map(|node| node.pattern.max(node.names))
                .max()
                .unwrap_or(0),
            depth: depth(chain, spread.map(|(longest, _)| longest)),
            spread: spread.map(|(_, spread)| spread),
            names: Box::default(),
            is_open: false,
        };
        document.nodes = nodes;
        let root = document.at("");
        let mut names = document.members(&root);
        names.sort_unstable();
        names.dedup();
        document.names = names.into_iter().map(Into::into).collect();
        document.is_open = !document.names.is_empty() && !document.says_of_others(value, &root);
        let bare = bare::bare(value, &document.nodes);
        for node in &mut document.nodes {
            node.pointer = Box::default();
            node.edges.shrink_to_fit();
        }
        Ok((document, bare))
    }

    /// Whether one of several schemas says something of names none of them declares.
    fn says_of_others(&self, value: &Value, nodes: &[usize]) -> bool {
        const SAYS: [&str; 3] = [
            "additionalProperties",
            "unevaluatedProperties",
            "patternProperties",
        ];
        nodes.iter().any(|node| {
            let schema = edit::get(value, &self.nodes[*node].pointer);
            schema.is_some_and(|schema| SAYS.iter().any(|keyword| schema.get(keyword).is_some()))
        })
    }

    pub(super) const fn draft(&self) -> Draft {
        self.draft
    }

    /// The most memory a pattern may take.
    pub(super) const fn most(&self) -> usize {
        self.most
    }

    /// The size of the largest patterns in one schema.
    pub(super) const fn heaviest(&self) -> u64 {
        self.heaviest
    }

    pub(super) fn nodes(&self) -> &[SchemaNode] {
        &self.nodes
    }

    /// What the schemas weigh that can apply to one value, if that has an end.
    pub(super) const fn spread(&self) -> Option<u64> {
        self.spread
    }

    /// Whether judging takes a time that grows with the arguments and not with how the schema is built.
    pub(super) fn is_tame(&self) -> bool {
        self.spread.is_some_and(|spread| spread <= MOST_SPREAD)
    }

    /// How deep arguments may be.
    pub(super) const fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the document declares names of arguments and says nothing of others.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether the document declares an argument of a name.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.names.binary_search_by(|own| (**own).cmp(name)).is_ok()
    }

    /// Every schema that may apply to the value at a pointer into the arguments.
    pub(super) fn at(&self, pointer: &str) -> Vec<usize> {
        let mut here = self.applying(vec![0]);
        for segment in pointer.split('/').skip(1) {
            let (name, index) = (edit::unescaped(segment), edit::index(segment));
            let leads = |step: &SchemaStep| match step {
                SchemaStep::Member(member) => **member == *name,
                SchemaStep::Item(item) => Some(*item) == index,
                SchemaStep::Items => index.is_some(),
                SchemaStep::Members => true,
                SchemaStep::Here | SchemaStep::Branch | SchemaStep::Names => false,
            };
            let edges = here.iter().flat_map(|node| &self.nodes[*node].edges);
            let below = edges.filter(|edge| leads(&edge.step)).map(|edge| edge.to);
            here = self.applying(below.collect());
        }
        here
    }

    /// Nodes and those that apply to the same value through them, in order.
    fn applying(&self, mut nodes: Vec<usize>) -> Vec<usize> {
        let mut next = 0;
        while let Some(node) = nodes
            .get(next)
            .copied()
            .filter(|_| nodes.len() < MOST_APPLYING)
        {
            next += 1;
            for edge in self.nodes[node]
                .edges
                .iter()
                .filter(|edge| edge.step.stays())
            {
                if !nodes.contains(&edge.to) {
                    nodes.push(edge.to);
                }
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The values a keyword has at a place, without repetitions.
    pub(super) fn values(&self, nodes: &[usize], keyword: &str) -> Vec<&Value> {
        let mut values: Vec<&Value> = Vec::new();
        for node in nodes {
            let mut said = self.nodes[*node].says.iter();
            let value = said.find(|(own, _)| *own == keyword);
            let value = value.map(|(_, value)| value);
            values.extend(value.filter(|value| !values.contains(value)));
        }
        values
    }

    /// The names of the members the schemas of a place declare, in order.
    pub(super) fn members(&self, nodes: &[usize]) -> Vec<&str> {
        let edges = nodes.iter().flat_map(|node| &self.nodes[*node].edges);
        let names = edges.filter_map(|edge| match &edge.step {
            SchemaStep::Member(name) => Some(&**name),
            SchemaStep::Here
            | SchemaStep::Branch
            | SchemaStep::Members
            | SchemaStep::Names
            | SchemaStep::Item(_)
            | SchemaStep::Items => None,
        });
        let mut names: Vec<&str> = names.collect();
        if nodes.len() > 1 {
            names.sort_unstable();
            names.dedup();
        }
        names
    }
}

/// Notes how large patterns are.
fn measure(nodes: &mut [SchemaNode], patterns: &[SchemaPattern<'_>]) -> Result<(), Fault> {
    let most = pattern::most(patterns.len());
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    for SchemaPattern {
        node,
        source,
        names,
    } in patterns
    {
        let node = &mut nodes[*node];
        let size = match sizes.get(source) {
            Some(size) => *size,
            None => pattern::size(source, most)
                .ok_or_else(|| refuse::pattern(&node.pointer, source, *names, most))?,
        };
        sizes.insert(source, size);
        let total = if *names {
            &mut node.names
        } else {
            &mut node.pattern
        };
        *total = total.saturating_add(size as u64);
    }
    Ok(())
}

/// How deep arguments may be. Validation recurses once for every schema that applies on every level, and a stack is
/// not endless; `chain` of them can apply to one value, and `longest` is how far it goes whatever the value is.
fn depth(chain: usize, longest: Option<usize>) -> usize {
    if longest.is_some_and(|longest| longest <= DEEPEST_STACK) {
        DEEPEST
    } else {
        (DEEPEST_STACK / chain).min(DEEPEST)
    }
}

/// The length of the longest path over certain edges, and the weight of all nodes on all paths from the first.
/// Nothing if a path comes back to where it was.
fn paths(nodes: &[SchemaNode], follows: impl Fn(&SchemaStep) -> bool) -> Option<(usize, u64)> {
    let mut waiting = vec![0_usize; nodes.len()];
    let followed = |node: &'_ usize| {
        let edges = nodes[*node].edges.iter();
        edges
            .filter(|edge| follows(&edge.step))
            .map(|edge| edge.to)
            .collect::<Vec<_>>()
    };
    for node in 0..nodes.len() {
        for to in followed(&node) {
            waiting[to] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..nodes.len())
        .filter(|node| waiting[*node] == 0)
        .collect();
    let (mut length, mut count) = (vec![1_usize; nodes.len()], vec![0_u64; nodes.len()]);
    count[0] = 1;
    let (mut longest, mut all, mut done) = (1, 0_u64, 0);
    while let Some(node) = ready.pop() {
        done += 1;
        longest = longest.max(length[node]);
        all = all.saturating_add(count[node].saturating_mul(nodes[node].weight));
        for to in followed(&node) {
            length[to] = length[to].max(length[node] + 1);
            count[to] = count[to].saturating_add(count[node]);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    (done == nodes.len()).then_some((longest, all))
}

/// Schemas that apply to one value one below the other (`allOf` in `anyOf` in `$ref` …). People write five.
const LONGEST_CHAIN: usize = 64;

/// The levels a validation may recurse. A level takes about a kilobyte of a stack of two megabytes in a build that
/// is not optimised.
const DEEPEST_STACK: usize = 640;

/// The deepest arguments, where the schema allows for them: what the parser reads.
const DEEPEST: usize = 128;

/// What schemas may weigh with every reference followed before it matters how often each of them applies.
const MOST_SPREAD: u64 = 20_000;

/// More schemas than this for one value are not searched for names and defaults.
const MOST_APPLYING: usize = 256;
