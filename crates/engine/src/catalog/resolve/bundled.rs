//! A tool that a bundle describes: its own words over what else is known of its program.
//!
//! The bundle's subcommands take the place of those of the same name, because they are called by the bundle's
//! contracts; every other command of the program stays, under the bundle's rules.

use std::borrow::Cow;
use std::sync::Arc;

use argrail_spec::atip::{Commands, Extent, Metadata, Provenance, described_options};
use argrail_spec::bundle::forget_json;
use argrail_spec::doc::pointer_step;
use indexmap::IndexMap;

use super::super::bundle::{BundleHead, BundleOrigin, Held, hold};
use super::folder::Problem;
use super::sources::Sources;
use super::tool::{Resolved, Settled, ToolSource};

/// A bundle that describes a tool, and what is known of the program without it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundled {
    /// The bundle.
    pub held: Arc<Held>,
    /// The program, as others describe it.
    pub behind: Option<Box<Resolved>>,
}

/// Resolves a tool that a bundle describes.
pub(super) fn bundled(
    sources: &Sources<'_>,
    head: &BundleHead,
    name: &str,
    extent: Extent,
    behind: Option<Resolved>,
) -> Result<Resolved, Vec<Problem>> {
    let mut problems = behind
        .as_ref()
        .map(|tool| tool.problems.clone())
        .unwrap_or_default();
    let mut metadata = behind
        .as_ref()
        .map(|tool| tool.metadata.clone())
        .unwrap_or_default();
    let mut provenance = behind
        .as_ref()
        .map(|tool| tool.provenance.fields(&tool.metadata).into_owned())
        .unwrap_or_default();
    let origin = origin(sources, head);
    let mut bundle = None;
    metadata.name = name.to_owned();
    match extent {
        Extent::Head => {
            metadata.description.clone_from(&head.about.description);
            metadata.version = Some(head.about.version.clone());
        }
        Extent::All => match hold(head, sources.project) {
            Ok(held) => {
                let own = without_strange_flags(&held, behind.as_ref());
                overlay(&mut metadata, &mut provenance, &own, &origin);
                bundle = Some(Arc::new(held));
            }
            Err(error) => {
                problems.push(Problem::new(&head.root, error.to_string()));
                return Err(problems);
            }
        },
    }
    Ok(Resolved {
        metadata,
        provenance: Provenance::Fields(provenance),
        settled: Settled::Nothing,
        source: ToolSource::Bundle,
        manifest: None,
        path: None,
        expired: false,
        problems,
        bundle: bundle.map(|held| Bundled {
            held,
            behind: behind.map(Box::new),
        }),
    })
}

/// Returns what a bundle says, without the flag for JSON where the subcommand of its program has none: calls leave it out.
fn without_strange_flags<'h>(held: &'h Held, behind: Option<&Resolved>) -> Cow<'h, Metadata> {
    let mut said = Cow::Borrowed(&held.metadata);
    let Some(program) = behind.map(|behind| &behind.metadata) else {
        return said;
    };
    for tool in held.bundle.tools.iter().filter(|tool| !tool.names_json_flag()) {
        let words = tool.json_words(&held.bundle.cli);
        let Some(flag) = words.first() else { continue };
        let flag = flag.split_once('=').map_or(flag.as_str(), |(flag, _)| flag);
        let has_none = described_options(program, &tool.words).is_some_and(|known| !known.contains(&flag));
        if has_none {
            forget_json(said.to_mut(), &tool.words);
        }
    }
    said
}

fn origin(sources: &Sources<'_>, head: &BundleHead) -> String {
    match &head.origin {
        BundleOrigin::Home => format!("bundle:{}", sources.places.home_relative(&head.root)),
        BundleOrigin::Project(folder) => format!("project:{folder}"),
    }
}

/// Puts what a bundle says over what is known of its program.
fn overlay(
    metadata: &mut Metadata,
    provenance: &mut IndexMap<String, String>,
    bundle: &Metadata,
    origin: &str,
) {
    let commands = std::mem::take(&mut metadata.commands);
    let name = metadata.name.clone();
    let patterns = std::mem::take(&mut metadata.patterns);
    // Options of the program itself are none of a contract's.
    *metadata = Metadata {
        name,
        patterns,
        ..bundle.clone()
    };
    metadata.commands = commands;
    provenance.retain(|pointer, _| pointer.starts_with("/commands/") || pointer.starts_with("/patterns/"));
    for pointer in ["/name", "/version", "/description"] {
        provenance.insert(pointer.to_owned(), origin.to_owned());
    }
    put(&mut metadata.commands, &bundle.commands, "", provenance, origin);
}

fn put(
    commands: &mut Commands,
    over: &Commands,
    at: &str,
    provenance: &mut IndexMap<String, String>,
    origin: &str,
) {
    for (word, command) in over {
        let pointer = format!("{at}/commands/{}", pointer_step(word));
        match commands.get_mut(word) {
            Some(known) if !command.commands.is_empty() => {
                put(
                    &mut known.commands,
                    &command.commands,
                    &pointer,
                    provenance,
                    origin,
                );
            }
            Some(_) | None => {
                let below = format!("{pointer}/");
                provenance.retain(|known, _| *known != pointer && !known.starts_with(&below));
                provenance.insert(pointer, origin.to_owned());
                commands.insert(word.clone(), command.clone());
            }
        }
    }
}

impl Held {
    /// Returns where it comes from, as effects and fields name it.
    pub fn origin(&self) -> String {
        format!("bundle:{}", self.head.identity())
    }
}
