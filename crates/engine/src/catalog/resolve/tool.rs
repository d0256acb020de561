//! One tool, resolved; and all of them, in short.

use std::path::PathBuf;

use argrail_spec::atip::{Extent, Metadata, is_redacted, merge, redact};
use argrail_spec::registry::Source;
use indexmap::IndexMap;

use super::folder::Problem;
use super::layers::Layers;
use super::names::names;
use super::sources::Sources;

/// How many threads read descriptions, and how few tools are not worth one.
const MOST_WORKERS: usize = 8;
const SMALLEST_SHARE: usize = 8;

/// Where the knowledge of a tool comes from, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolSource {
    /// One of the registry's four.
    Registry(Source),
    /// An MCP server.
    Mcp,
    /// The project.
    Project,
}

impl ToolSource {
    /// Returns the word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Registry(source) => source.as_str(),
            Self::Mcp => "mcp",
            Self::Project => "project",
        }
    }
}

/// What is known about one tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Everything, merged.
    pub metadata: Metadata,
    /// The origin of each field, by JSON pointer.
    pub provenance: IndexMap<String, String>,
    /// Where it comes from, in one word.
    pub source: ToolSource,
    /// The executable, as far as files say. A hint: whoever runs it looks again.
    pub path: Option<PathBuf>,
    /// Whether what the tool said is older than it should be.
    pub expired: bool,
    /// Files about it that could not be used.
    pub problems: Vec<Problem>,
}

/// Resolves `name`: everything that may speak about it, merged. `None` when nobody describes it; the problems then
/// say whether somebody tried.
pub fn resolve(sources: &Sources<'_>, name: &str, extent: Extent) -> Result<Resolved, Vec<Problem>> {
    let layers = Layers::of(sources, name, extent);
    let mut problems = layers.problems;
    let whole = layers.layers.iter().any(|layer| !layer.part);
    if !whole {
        return Err(problems);
    }
    let merged = match merge(&layers.layers) {
        Ok(merged) => merged,
        Err(diagnostic) => {
            problems.push(Problem::new(sources.places.data(), diagnostic.message));
            return Err(problems);
        }
    };
    let strongest = layers.layers.iter().rfind(|layer| !layer.part);
    let source = strongest.map_or(ToolSource::Registry(Source::Manual), |layer| {
        source(&layer.origin)
    });
    let indexed = sources.registry.tools.get(name);
    let configured = sources.config.tools.iter().find(|tool| tool.name == name);
    let path = configured
        .and_then(|tool| tool.path.clone())
        .or_else(|| indexed?.path.as_deref().map(|path| sources.places.expand(path)));
    let redacted = &sources.config.redact;
    let mut provenance = merged.provenance;
    provenance.retain(|pointer, _| !is_redacted(pointer, redacted));
    Ok(Resolved {
        metadata: redact(merged.metadata, redacted),
        provenance,
        source,
        path,
        expired: layers.expired,
        problems,
    })
}

/// Resolves every tool that somebody describes. Problems are about files of tools that could not be resolved.
pub fn list(sources: &Sources<'_>, extent: Extent) -> (Vec<Resolved>, Vec<Problem>) {
    let names: Vec<String> = names(sources).into_iter().collect();
    let workers = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(MOST_WORKERS);
    let share = names.len().div_ceil(workers).max(SMALLEST_SHARE);
    let resolve_all = |names: &[String]| -> Vec<Result<Resolved, Vec<Problem>>> {
        names.iter().map(|name| resolve(sources, name, extent)).collect()
    };
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let shares = names
            .chunks(share)
            .map(|names| (names, scope.spawn(move || resolve_all(names))));
        let shares: Vec<_> = shares.collect();
        // A share whose worker is gone is done here: a list without it would be a lie.
        let done = shares
            .into_iter()
            .map(|(names, worker)| worker.join().unwrap_or_else(|_| resolve_all(names)));
        done.flatten().collect()
    });
    let mut tools = Vec::new();
    let mut problems = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(tool) => tools.push(tool),
            Err(found) => problems.extend(found),
        }
    }
    (tools, problems)
}

fn source(origin: &str) -> ToolSource {
    match origin.split(':').next() {
        Some("native") => ToolSource::Registry(Source::Native),
        Some("inferred") => ToolSource::Registry(Source::Inferred),
        Some("shim" | "system") => ToolSource::Registry(Source::Shim),
        Some("mcp") => ToolSource::Mcp,
        Some("project") => ToolSource::Project,
        _ => ToolSource::Registry(Source::Manual),
    }
}
