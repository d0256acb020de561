//! `--events ndjson`: each event is a line of JSON on stdout, and nothing else is there.

use std::io;

use argrail_agents::Event;

use super::Teller;
use crate::out;

/// Writes events as they come.
#[derive(Debug)]
pub(in crate::verb::agent) struct Lines;

impl Teller for Lines {
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        let value = serde_json::to_value(event).map_err(io::Error::other)?;
        out::stream(&value)
    }

    fn note(&mut self, text: &str) {
        out::say(text);
    }

    fn warn(&mut self, text: &str) {
        self.note(text);
    }

    fn finish(&mut self) {}
}
