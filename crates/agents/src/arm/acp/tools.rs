//! Tool calls of an agent: each is told once, when its input is known, and its result once.
//!
//! Agents tell a call in pieces: without its input, with more of it, with a status, with a title after its end, by a
//! request for permission alone. A call is shown as soon as its input is there, or it runs, ends, or needs a permission; the
//! first `completed` or `failed` is its result.
//!
//! An id that comes again in a later turn is made another one; news of a call of an earlier turn are no news.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::content::{changed_files, output, places, streamed, weight};
use super::field::{cut, items_of, text_of};
use crate::arm::Step;
use crate::governor::{ToolKind, ToolUse};

/// The most calls of one turn.
const CALLS: usize = 10_000;
/// The most that have not ended.
const LIVE: usize = 256;
/// The most memory for what is held of them, in bytes.
const HELD: usize = 48 << 20;
/// The longest id.
const ID: usize = 512;
/// The longest name, in characters.
const NAME: usize = 2000;
/// The most files that one call is about.
const PATHS: usize = 256;
/// How much is kept of what a command writes beside the protocol; the last of it.
const STREAMED: usize = 256 << 10;
/// How many ids of earlier turns are remembered. Beyond it every id counts as known.
const KNOWN: usize = 100_000;

/// Which news came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    /// A call.
    Call,
    /// More about a call.
    Update,
    /// A call that needs a permission.
    Permission,
}

/// The calls of a session, as far as they matter still.
#[derive(Debug, Default)]
pub(super) struct Tools {
    calls: HashMap<String, Call>,
    known: HashSet<u64>,
    live: usize,
    held: usize,
    turn: u64,
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Not told yet.
    Hidden,
    Shown,
    Ended,
}

#[derive(Debug)]
struct Call {
    stage: Stage,
    tool: ToolUse,
    output: Option<Value>,
    raw_output: Option<Value>,
    streamed: String,
    weight: usize,
}

impl Tools {
    /// Begins a turn.
    pub(super) fn begin(&mut self) {
        self.turn += 1;
        self.forget();
    }

    /// Ends a turn: calls that were never shown are, so that none goes untold.
    pub(super) fn end(&mut self) -> Vec<Step> {
        let hidden = self.calls.values().filter(|call| call.stage == Stage::Hidden);
        let mut hidden: Vec<ToolUse> = hidden.map(|call| call.tool.clone()).collect();
        hidden.sort_by(|one, other| one.id.cmp(&other.id));
        self.forget();
        hidden.into_iter().map(Step::Used).collect()
    }

    fn forget(&mut self) {
        self.calls.clear();
        (self.live, self.held) = (0, 0);
    }

    /// Remembers a call that is part of history.
    pub(super) fn remember(&mut self, update: &Value) {
        if let Some(id) = text_of(update, "toolCallId") {
            self.note(id);
        }
    }

    /// Hears about a call. Nothing comes of news that are none.
    pub(super) fn hear(&mut self, update: &Value, news: News) -> Vec<Step> {
        let Some(id) = text_of(update, "toolCallId").filter(|id| id.len() <= ID) else {
            return Vec::new();
        };
        if !self.calls.contains_key(id) && !self.admit(id, news) {
            return Vec::new();
        }
        let Some(call) = self.calls.get_mut(id) else {
            return Vec::new();
        };
        if call.stage == Stage::Ended {
            return Vec::new();
        }
        let before = call.weight;
        call.merge(update, HELD.saturating_sub(self.held - before));
        self.held = self.held - before + call.weight;
        let status = text_of(update, "status");
        let ends = matches!(status, Some("completed" | "failed"));
        let runs = ends || status == Some("in_progress") || news == News::Permission;
        let mut steps = Vec::new();
        if call.stage == Stage::Hidden && (runs || call.has_input()) {
            call.stage = Stage::Shown;
            steps.push(Step::Used(call.tool.clone()));
        }
        if ends {
            call.stage = Stage::Ended;
            steps.push(Step::UsedUp {
                id: call.tool.id.clone(),
                output: call.take_output(),
                is_error: status == Some("failed"),
            });
            self.held -= call.weight;
            call.weight = 0;
            self.live -= 1;
        }
        steps
    }

    /// Returns a call as far as it is known, by the agent's id of it.
    pub(super) fn known_use(&self, id: &str) -> Option<&ToolUse> {
        self.calls.get(id).map(|call| &call.tool)
    }

    /// Takes up a call that was not heard of in this turn.
    fn admit(&mut self, id: &str, news: News) -> bool {
        let is_old = !self.note(id);
        if is_old && news == News::Update {
            return false;
        }
        if self.live >= LIVE || self.calls.len() >= CALLS {
            return false;
        }
        let shown = match is_old {
            true => format!("{id}#{}", self.turn),
            false => id.to_owned(),
        };
        self.calls.insert(id.to_owned(), Call::new(shown));
        self.live += 1;
        true
    }

    /// Remembers an id; says whether it is new.
    fn note(&mut self, id: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        self.known.len() < KNOWN && self.known.insert(hasher.finish())
    }
}

impl Call {
    fn new(id: String) -> Self {
        Self {
            stage: Stage::Hidden,
            tool: ToolUse {
                id,
                name: "tool".to_owned(),
                kind: None,
                input: json!({}),
                paths: Vec::new(),
            },
            output: None,
            raw_output: None,
            streamed: String::new(),
            weight: 0,
        }
    }

    /// Takes over what an update says, as far as there is room for it.
    fn merge(&mut self, update: &Value, room: usize) {
        if let Some(title) = text_of(update, "title").filter(|title| !title.trim().is_empty()) {
            self.tool.name = cut(title, NAME);
        }
        if let Some(kind) = text_of(update, "kind") {
            self.tool.kind = Some(kind_of(kind));
        }
        let content = items_of(update, "content");
        let paths: Vec<PathBuf> = places(update)
            .chain(changed_files(content))
            .take(PATHS)
            .map(PathBuf::from)
            .collect();
        if !paths.is_empty() {
            self.tool.paths = paths;
        }
        let fits = |value: &&Value| weight(value) <= room;
        // Also after it was told: a question is about what the tool is given now. What is not held is not known.
        if let Some(input) = update.get("rawInput").filter(|input| !is_empty(input)) {
            self.tool.input = Some(input).filter(fits).cloned().unwrap_or_default();
        }
        if let Some(said) = output(content).filter(|said| fits(&said)) {
            self.output = Some(said);
        }
        if let Some(raw) = update.get("rawOutput").filter(|raw| !is_empty(raw)).filter(fits) {
            self.raw_output = Some(raw.clone());
        }
        if let Some(more) = streamed(update) {
            self.streamed.push_str(more);
            keep_last(&mut self.streamed, STREAMED);
        }
        let values = [
            Some(&self.tool.input),
            self.output.as_ref(),
            self.raw_output.as_ref(),
        ];
        self.weight = self.streamed.len() + values.into_iter().flatten().map(weight).sum::<usize>();
    }

    fn has_input(&self) -> bool {
        !is_empty(&self.tool.input)
    }

    fn take_output(&mut self) -> Value {
        let streamed = std::mem::take(&mut self.streamed);
        let said = self.output.take();
        let raw = self.raw_output.take();
        said.or(raw).unwrap_or_else(|| streamed.into())
    }
}

/// Whether a value says nothing: agents send such an input before they know it.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn keep_last(text: &mut String, most: usize) {
    if text.len() > most {
        let from = (text.len() - most..text.len()).find(|at| text.is_char_boundary(*at));
        text.drain(..from.unwrap_or(0));
    }
}

pub(super) fn kind_of(word: &str) -> ToolKind {
    match word {
        "read" => ToolKind::Read,
        "edit" => ToolKind::Edit,
        "delete" => ToolKind::Delete,
        "move" => ToolKind::Move,
        "search" => ToolKind::Search,
        "execute" => ToolKind::Execute,
        "think" => ToolKind::Think,
        "fetch" => ToolKind::Fetch,
        "switch_mode" => ToolKind::SwitchMode,
        _ => ToolKind::Other,
    }
}
