//! Events of the YAML parser into nodes that know their place: without recursion, under limits.
//!
//! Beyond what YAML itself refuses: a second document, directives, tags, merge keys, names that are no scalars or stand
//! twice. An alias is a copy of what it names and counts as one, so that no few lines become many values.

use std::collections::HashMap;

use argrail_acli::Text;
use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};

use super::scalar;
use super::wrong::told;
use crate::doc::diagnostic::Diagnostic;
use crate::doc::limits::Limits;
use crate::doc::node::{Member, Node, Object, Span, Value};
use crate::doc::read::{error, unique};

/// Reads the part of `text` that starts at `offset`, which is one document. Spans are those of the whole text.
pub(in crate::doc) fn read(text: &str, part: Span, limits: &Limits) -> Result<Node, Diagnostic> {
    let yaml = text.get(part.start..part.end).unwrap_or_default();
    let depth = limits.depth.min(Limits::DEEPEST);
    let mut options = granit_parser::options! {
        disallow_directives: true,
        flow_nesting_limit: depth,
        block_nesting_limit: depth,
    };
    options.set_emit_comments(false);
    let mut builder = Builder {
        part,
        limits,
        open: Vec::new(),
        anchors: HashMap::new(),
        nodes: 0,
        copied: 0,
        root: None,
    };
    for next in Parser::new_from_str_with_options(yaml, options) {
        match next {
            Ok((event, span)) => {
                let span = builder.span(span);
                builder.take(event, span)?;
            }
            Err(problem) => {
                let at = problem.marker().byte_offset().unwrap_or(yaml.len());
                let (code, what, hint) = told(problem.kind());
                return Err(error(code, builder.character(yaml, at), Text::new(what)).hint(hint));
            }
        }
    }
    builder.root.ok_or_else(|| {
        let hint = "write fields as 'name: value', one a line";
        error("doc/empty", part, Text::new("there is nothing to read")).hint(hint)
    })
}

/// A container whose end was not seen yet.
struct Open {
    span: Span,
    style: StructureStyle,
    anchor: usize,
    holds: Holds,
}

enum Holds {
    Items(Vec<Node>),
    Members {
        members: Vec<Member>,
        /// The name whose value comes next.
        key: Option<(String, Span)>,
    },
}

/// What an anchor stands for.
struct Anchored {
    node: Node,
    size: Size,
}

/// What a copy costs.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

struct Builder<'l> {
    part: Span,
    limits: &'l Limits,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    nodes: usize,
    /// Bytes of text that were copied for anchors and aliases.
    copied: usize,
    root: Option<Node>,
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Diagnostic> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse_tag(tag.is_some(), span)?;
                self.scalar(&text, style, anchor, span)
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.refuse_tag(tag.is_some(), span)?;
                self.descend(style, anchor, span, Holds::Items(Vec::new()))
            }
            Event::MappingStart(style, anchor, tag) => {
                self.refuse_tag(tag.is_some(), span)?;
                let members = Vec::new();
                self.descend(style, anchor, span, Holds::Members { members, key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.ascend(span),
            Event::Alias(anchor) => self.alias(anchor, span),
            Event::DocumentStart(..) if self.root.is_some() => {
                let message = Text::new("a second document begins here");
                Err(error("doc/syntax", span, message).hint("a manifest is one document: remove the rest"))
            }
            // Beginnings and ends of the stream, and whatever a later parser tells us beside the values.
            _ => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if let Some(Holds::Members { key: key @ None, .. }) = self.open.last_mut().map(|open| &mut open.holds)
        {
            if style == ScalarStyle::Plain && text == "<<" {
                let message = Text::new("the merge key '<<' is not read");
                return Err(error("doc/merge-key", span, message).hint("write the fields out"));
            }
            if anchor != 0 || (style == ScalarStyle::Plain && matches!(text, "" | "~")) {
                let message = Text::new("expected a name in front of ':'");
                return Err(error("doc/syntax", span, message).hint("write 'name: value'"));
            }
            *key = Some((text.to_owned(), span));
            return Ok(());
        }
        self.count(1, span)?;
        let value = scalar::resolve(text, style).map_err(|(what, hint)| {
            error("doc/number", span, Text::new("{}, got {}").word(what).value(text)).hint(hint)
        })?;
        self.finish(Node { span, value }, anchor)
    }

    fn descend(
        &mut self,
        style: StructureStyle,
        anchor: usize,
        span: Span,
        holds: Holds,
    ) -> Result<(), Diagnostic> {
        self.refuse_key(span)?;
        self.count(1, span)?;
        self.check_depth(1, span)?;
        self.open.push(Open {
            span,
            style,
            anchor,
            holds,
        });
        Ok(())
    }

    fn ascend(&mut self, end: Span) -> Result<(), Diagnostic> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let (value, last) = match open.holds {
            Holds::Items(items) => {
                let last = items.last().map(|item| item.span.end);
                (Value::Array(items), last)
            }
            Holds::Members { members, .. } => {
                unique(&members)?;
                let last = members
                    .last()
                    .map(|member| member.node.span.end.max(member.key_span.end));
                (Value::Object(Object { members }), last)
            }
        };
        // A block ends where its last value does; what follows it is only the way out.
        let end = match open.style {
            StructureStyle::Flow => end.end,
            StructureStyle::Block => last.unwrap_or(open.span.end),
        };
        let span = Span {
            start: open.span.start,
            end: end.max(open.span.start),
        };
        self.finish(Node { span, value }, open.anchor)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Diagnostic> {
        self.refuse_key(span)?;
        let Some(anchored) = self.anchors.get(&anchor) else {
            let message = Text::new("an alias stands inside of what it names");
            return Err(error("doc/alias", span, message).hint("write the value itself"));
        };
        let (node, size) = (anchored.node.clone(), anchored.size);
        self.copy(size, span)?;
        self.check_depth(size.depth, span)?;
        self.finish(node, 0)
    }

    /// Puts a finished value where it belongs.
    fn finish(&mut self, node: Node, anchor: usize) -> Result<(), Diagnostic> {
        if anchor != 0 {
            let size = Size::of(&node);
            self.copy(size, node.span)?;
            let node = node.clone();
            self.anchors.insert(anchor, Anchored { node, size });
        }
        match self.open.last_mut().map(|open| &mut open.holds) {
            None => self.root = Some(node),
            Some(Holds::Items(items)) => items.push(node),
            Some(Holds::Members { members, key }) => {
                if let Some((key, key_span)) = key.take() {
                    members.push(Member { key, key_span, node });
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, more: usize, span: Span) -> Result<(), Diagnostic> {
        self.nodes = self.nodes.saturating_add(more);
        if self.nodes > self.limits.nodes {
            let message = Text::new("there are more than {} values, copies by alias included")
                .number(self.limits.nodes);
            return Err(error("doc/too-many", span, message).hint("split it, or leave out what repeats"));
        }
        Ok(())
    }

    /// Counts what an anchor keeps or an alias repeats.
    fn copy(&mut self, size: Size, span: Span) -> Result<(), Diagnostic> {
        self.count(size.nodes, span)?;
        self.copied = self.copied.saturating_add(size.bytes);
        if self.copied > self.limits.bytes {
            let message = Text::new("aliases make more than {} bytes of this").number(self.limits.bytes);
            return Err(error("doc/too-large", span, message).hint("write the values themselves"));
        }
        Ok(())
    }

    fn check_depth(&self, more: usize, span: Span) -> Result<(), Diagnostic> {
        let most = self.limits.depth.min(Limits::DEEPEST);
        if self.open.len() + more > most {
            let message = Text::new("values stand more than {} deep inside each other").number(most);
            return Err(error("doc/too-deep", span, message).hint("make it flatter"));
        }
        Ok(())
    }

    fn refuse_key(&self, span: Span) -> Result<(), Diagnostic> {
        match self.open.last().map(|open| &open.holds) {
            Some(Holds::Members { key: None, .. }) => {
                let message = Text::new("expected a name in front of ':', got a value that is none");
                Err(error("doc/syntax", span, message).hint("names are plain or quoted text"))
            }
            Some(Holds::Members { .. } | Holds::Items(_)) | None => Ok(()),
        }
    }

    fn refuse_tag(&self, tagged: bool, span: Span) -> Result<(), Diagnostic> {
        if tagged {
            let message = Text::new("a tag stands before this value");
            return Err(error("doc/tag", span, message)
                .hint("leave out the word that starts with '!'; put text in quotes"));
        }
        Ok(())
    }

    fn span(&self, span: granit_parser::Span) -> Span {
        let most = self.part.end;
        let at = |marker: granit_parser::Marker| {
            let offset = self
                .part
                .start
                .saturating_add(marker.byte_offset().unwrap_or_default());
            offset.min(most)
        };
        let start = at(span.start);
        Span {
            start,
            end: at(span.end).max(start),
        }
    }

    /// Returns the span of the character at a byte of the part.
    fn character(&self, yaml: &str, at: usize) -> Span {
        let at = at.min(yaml.len());
        let next = yaml.get(at..).and_then(|rest| rest.chars().next());
        let next = next.filter(|next| *next != '\n' && *next != '\r');
        Span {
            start: self.part.start + at,
            end: self.part.start + at + next.map_or(0, char::len_utf8),
        }
    }
}

impl Size {
    fn of(node: &Node) -> Self {
        match &node.value {
            Value::Null | Value::Bool(_) | Value::Number(_) => Self {
                nodes: 1,
                bytes: 8,
                depth: 0,
            },
            Value::String(text) => Self {
                nodes: 1,
                bytes: text.len(),
                depth: 0,
            },
            Value::Array(items) => Self::around(items.iter().map(|item| (0, Self::of(item)))),
            Value::Object(object) => {
                let members = object.members.iter();
                Self::around(members.map(|member| (member.key.len(), Self::of(&member.node))))
            }
        }
    }

    fn around(inner: impl Iterator<Item = (usize, Self)>) -> Self {
        let mut all = Self {
            nodes: 1,
            bytes: 0,
            depth: 0,
        };
        for (key, one) in inner {
            all.nodes += one.nodes;
            all.bytes += key + one.bytes;
            all.depth = all.depth.max(one.depth);
        }
        all.depth += 1;
        all
    }
}
