//! The reader of one tool's command lines.
//!
//! It is prepared once and used many times: commands are looked into when they are first called, and what was gathered
//! about them is kept.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use argrail_acli::{Answer, BindError, Command, Error, Scan, scan};

use super::super::model::{Commands, Metadata};
use super::super::to_command::{Respond, any_command};
use super::prepared::Prepared;
use super::reading::Reading;
use super::types::Invoked;

/// Whose words the metadata are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// Of somebody who settles what holds: the catalogue inside, a system shim, an override.
    Settled,
    /// Of anybody else. What would relax has no word.
    Claimed,
}

/// Reads command lines of one tool.
#[derive(Debug)]
pub struct Reader {
    metadata: Arc<Metadata>,
    voice: Voice,
    root: Command,
    tool: Node,
}

/// What was gathered about a command, and about those below it.
#[derive(Debug, Default)]
struct Node {
    prepared: OnceLock<Prepared>,
    below: OnceLock<HashMap<String, Node>>,
}

impl Reader {
    /// Prepares a reader. Costs little: what a command says is gathered when it is first read.
    pub fn new(metadata: Arc<Metadata>, voice: Voice) -> Self {
        let tool = any_command(Arc::clone(&metadata), never());
        Self {
            metadata,
            voice,
            root: Command::new("", "").subcommand(tool),
            tool: Node::default(),
        }
    }

    /// Returns the metadata that it reads by.
    pub fn metadata(&self) -> &Arc<Metadata> {
        &self.metadata
    }

    /// Reads `words`, those after the tool's name, as the tool would.
    ///
    /// Types and required arguments are not checked here; that is [`Scan::bind`]'s.
    ///
    /// # Errors
    /// The first word that does not fit the tool's grammar.
    pub fn read<S: AsRef<str>>(&self, words: &[S]) -> Result<Invoked, BindError> {
        let name = self.metadata.name.as_str();
        let all: Vec<&str> = std::iter::once(name)
            .chain(words.iter().map(AsRef::as_ref))
            .collect();
        let scan = scan(&self.root, &all);
        let path: Vec<String> = scan
            .path
            .iter()
            .skip(1)
            .map(|command| command.name().to_owned())
            .collect();
        let prepared = self.prepared(&path);
        let mut reading = Reading::new(prepared, name, path);
        self.take(&scan, &all, &mut reading)?;
        Ok(reading.finish())
    }

    fn take<'w>(
        &self,
        scan: &Scan<'_, 'w>,
        words: &[&'w str],
        reading: &mut Reading<'_, 'w>,
    ) -> Result<(), BindError> {
        let items = scan.items.as_ref().map_err(Clone::clone)?;
        reading.items(items, &scan.path, scan.terminator);
        reading.words(&scan.places()?, &scan.path);
        if scan.help {
            let unread = scan.unread.saturating_add(1);
            let at = words.len().saturating_sub(unread);
            reading.help(words.get(at..).unwrap_or_default());
        }
        Ok(())
    }

    fn prepared(&self, path: &[String]) -> &Prepared {
        let mut node = &self.tool;
        let mut commands = &self.metadata.commands;
        for name in path {
            let below = node.below.get_or_init(|| nodes(commands));
            let Some((next, command)) = below.get(name).zip(commands.get(name)) else {
                break;
            };
            (node, commands) = (next, &command.commands);
        }
        node.prepared
            .get_or_init(|| Prepared::new(&self.metadata, path, self.voice))
    }
}

fn nodes(commands: &Commands) -> HashMap<String, Node> {
    commands
        .keys()
        .map(|name| (name.clone(), Node::default()))
        .collect()
}

/// Reading calls nothing.
fn never() -> Respond {
    Arc::new(|_, _| Box::pin(async { Err::<Answer, Error>(Error::execution("it is read, not called")) }))
}
