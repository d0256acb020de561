//! Any bytes that an agent writes in a turn: exactly one event ends it, and each tool call and its result come once.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use std::collections::HashSet;

use argrail_agents::{EventKind, replay};

/// Checks what comes of some bytes.
pub(crate) fn acp_turn(bytes: &[u8]) {
    let events = replay(bytes);
    let ends = events.iter().filter(|event| event.is_last()).count();
    assert!(
        ends == 1 && events.last().is_some_and(EventKind::is_last),
        "{events:?}"
    );
    let (mut calls, mut results) = (HashSet::new(), HashSet::new());
    for event in &events {
        match event {
            EventKind::TextDelta { text } | EventKind::Thought { text } => assert!(!text.is_empty()),
            EventKind::ToolCall { id, .. } => assert!(calls.insert(id), "{id} is told twice"),
            EventKind::ToolResult { id, .. } => {
                assert!(calls.contains(id), "{id} has an end and no beginning");
                assert!(results.insert(id), "{id} ends twice");
            }
            EventKind::AgentPrompt(asked) => assert!(!asked.id.is_empty()),
            EventKind::TurnEnd { reason, .. } => assert!(reason.chars().count() <= 100),
            EventKind::Error { message, .. } => assert!(message.len() < 4000),
        }
    }
}
