//! Patterns from the system, the user and a trusted project, laid over those of the tools (ATIP §3.6).

use std::path::{Path, PathBuf};

use argrail_spec::atip::{Authority, Layer, Metadata, Pattern, layered};

use super::super::project::OfferKind;
use super::folder::{Problem, patterns, patterns_of, stems};
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
    let mut read = Vec::new();
    let mut keep = |origin: String, found: Result<Vec<Pattern>, Problem>| match found {
        Ok(patterns) => read.push((PatternOrigin { origin }, patterns)),
        Err(problem) => problems.push(problem),
    };
    for (kind, folder) in folders(sources) {
        for stem in stems(&folder) {
            let path = folder.join(format!("{stem}.json"));
            let origin = format!("{kind}:{}", sources.places.home_relative(&path));
            keep(origin, patterns(&path));
        }
    }
    for (_, file) in sources.project_files(OfferKind::Patterns) {
        let document = sources.project_document(file);
        let found = document.and_then(|document| patterns_of(Path::new(file), &document));
        keep(format!("project-pattern:{file}"), found);
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
