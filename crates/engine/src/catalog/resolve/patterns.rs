//! Patterns from the system, the user and a trusted project, laid over those of the tools (ATIP §3.6).

use std::path::PathBuf;

use argrail_spec::atip::{Authority, Layer, Metadata, Pattern, layered};

use super::folder::{Problem, patterns, stems};
use super::sources::Sources;

/// Which layer a pattern comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternOrigin {
    /// For provenance: `user-pattern:~/….json`.
    pub origin: String,
}

/// Patterns that are no tool's own, and files that hold none.
#[derive(Debug, Default)]
pub struct Patterns {
    /// The patterns, and where each comes from.
    pub patterns: Vec<(Pattern, PatternOrigin)>,
    /// Files that could not be used.
    pub problems: Vec<Problem>,
}

/// Reads every pattern that is not a tool's own, the weakest layer first, and lays them over each other.
pub(super) fn read(sources: &Sources<'_>) -> Patterns {
    let mut problems = Vec::new();
    let layers = folders(sources).into_iter().flat_map(|(kind, folder)| {
        let files = stems(&folder);
        files
            .into_iter()
            .map(move |stem| (kind, folder.join(format!("{stem}.json"))))
    });
    let mut read = Vec::new();
    for (kind, path) in layers {
        match patterns(&path) {
            Ok(patterns) => {
                let origin = format!("{kind}:{}", sources.places.home_relative(&path));
                read.push((PatternOrigin { origin }, patterns));
            }
            Err(problem) => problems.push(problem),
        }
    }
    Patterns {
        patterns: layered(read),
        problems,
    }
}

fn folders(sources: &Sources<'_>) -> Vec<(&'static str, PathBuf)> {
    // The directory that is asked first has the last word, as with descriptions.
    let system = sources.system.iter().rev();
    system
        .map(|directory| ("system-pattern", directory.join("patterns")))
        .chain([("user-pattern", sources.places.patterns())])
        .chain(
            sources
                .project_folder("patterns")
                .map(|folder| ("project-pattern", folder)),
        )
        .collect()
}

/// The patterns that speak of one tool, as layers over what it says itself.
pub(super) fn pattern_layers(sources: &Sources<'_>, tool: &str) -> Vec<Layer> {
    let all = sources.patterns().patterns.iter();
    all.filter(|(pattern, _)| speaks_of(pattern, tool))
        .map(|(pattern, origin)| Layer {
            origin: origin.origin.clone(),
            authority: Authority::Claims,
            part: true,
            metadata: Metadata {
                patterns: vec![pattern.clone()],
                ..Metadata::default()
            },
        })
        .collect()
}

/// Whether some step calls the tool.
fn speaks_of(pattern: &Pattern, tool: &str) -> bool {
    let mut steps = pattern.steps.iter();
    steps.any(|step| step.command.split_whitespace().next() == Some(tool))
}
