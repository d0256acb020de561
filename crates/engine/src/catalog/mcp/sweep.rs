//! Asking every server of the configuration, side by side: one that hangs does not hold the others up.

use std::time::Duration;

use argrail_spec::atip::redact;
use argrail_spec::config::McpServer;
use indexmap::IndexMap;
use jiff::Timestamp;

use super::super::stale::Wanted;
use super::discover::discover;
use super::error::McpError;
use super::means::Means;
use super::memory::{recall, remember};
use crate::places::Places;

/// Which servers are asked, and what is done with what they say.
#[derive(Debug)]
pub struct Sweep<'s> {
    /// The servers, by name.
    pub servers: &'s IndexMap<String, McpServer>,
    /// Where our files are.
    pub places: &'s Places,
    /// Whether what is remembered counts.
    pub wanted: Wanted,
    /// How long that is good.
    pub max_age: Duration,
    /// Fields that are left out.
    pub redact: &'s [String],
    /// What time it is.
    pub now: Timestamp,
}

/// What came of one server.
#[derive(Debug)]
pub struct Swept {
    /// Its name.
    pub name: String,
    /// Whether it was asked just now.
    pub asked: bool,
    /// Its tools are known, or why not.
    pub outcome: Result<(), String>,
}

/// Asks every server that is not disabled and whose answer is not remembered.
pub fn sweep(sweep: &Sweep<'_>, means: &Means) -> Vec<Swept> {
    let enabled: Vec<_> = sweep
        .servers
        .iter()
        .filter(|(_, server)| !server.disabled)
        .collect();
    std::thread::scope(|scope| {
        let asked: Vec<_> = enabled
            .iter()
            .map(|(name, server)| scope.spawn(move || one(sweep, name, server, means)))
            .collect();
        let names = enabled.iter().map(|(name, _)| (*name).clone());
        let joined = asked.into_iter().zip(names);
        joined
            .map(|(thread, name)| {
                thread.join().unwrap_or_else(|_| Swept {
                    name,
                    asked: true,
                    outcome: Err("argrail failed while it asked".to_owned()),
                })
            })
            .collect()
    })
}

fn one(sweep: &Sweep<'_>, name: &str, server: &McpServer, means: &Means) -> Swept {
    let remembered = recall(sweep.places, name, server, sweep.now);
    if sweep.wanted == Wanted::Remembered && remembered.is_some_and(|known| !known.expired) {
        return Swept {
            name: name.to_owned(),
            asked: false,
            outcome: Ok(()),
        };
    }
    let kept = discover(name, server, means)
        .map_err(|error: McpError| error.to_string())
        .and_then(|loaded| {
            let metadata = redact(loaded.metadata, sweep.redact);
            let json = serde_json::to_value(metadata).map_err(|error| error.to_string())?;
            remember(sweep.places, name, server, json, sweep.now, sweep.max_age)
                .map_err(|error| error.to_string())
        });
    Swept {
        name: name.to_owned(),
        asked: true,
        outcome: kept,
    }
}
