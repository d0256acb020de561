//! One tool, resolved; and all of them, in short.

use std::path::PathBuf;
use std::sync::Arc;

use argrail_spec::atip::{
    Authority, Extent, Layer, Merged, Metadata, Provenance, is_redacted, merge, redact,
};
use argrail_spec::registry::Source;

use super::bundled::{Bundled, bundled};
use super::folder::Problem;
use super::layers::Layers;
use super::names::names;
use super::sources::Sources;
use crate::catalog::ManifestTool;

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
    /// argrail itself.
    Shipped,
    /// A `CLI.md` bundle.
    Bundle,
}

impl ToolSource {
    /// Every source that a tool can have.
    pub const ALL: [Self; 8] = [
        Self::Registry(Source::Native),
        Self::Registry(Source::Shim),
        Self::Registry(Source::Inferred),
        Self::Registry(Source::Manual),
        Self::Mcp,
        Self::Project,
        Self::Shipped,
        Self::Bundle,
    ];

    /// Returns the source of this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.as_str() == word)
    }

    /// Returns the word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Registry(source) => source.as_str(),
            Self::Mcp => "mcp",
            Self::Project => "project",
            Self::Shipped => "shipped",
            Self::Bundle => "bundle",
        }
    }
}

/// What is said about a tool by those whose word settles it: argrail itself, the system, the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Settled {
    /// Nobody of them describes the tool, though some may have corrected it.
    Nothing,
    /// Nobody else speaks.
    Everything,
    /// This; others have added to it.
    Apart(Box<Apart>),
}

/// What is said by those whose word settles, apart from what others claim beside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Apart {
    /// What settles.
    pub settled: Merged,
    /// The grammar of everybody with the effects of those who only claim, if they speak of any.
    pub claimed: Option<Merged>,
}

/// What is known about one tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Everything, merged.
    pub metadata: Metadata,
    /// Who says which field.
    pub provenance: Provenance,
    /// What is said by those whose word settles it.
    pub settled: Settled,
    /// Where it comes from, in one word.
    pub source: ToolSource,
    /// What has to be known to call it, if it is a tool of the project's `tools.json`.
    pub manifest: Option<Arc<ManifestTool>>,
    /// The bundle that it is called by, if there is one and all of it was asked for.
    pub bundle: Option<Bundled>,
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
    match sources.bundles.find(name) {
        None => described(sources, name, extent).map_err(|mut problems| {
            problems.extend(sources.bundles.broken(name).cloned());
            problems
        }),
        Some(head) => {
            let behind = described(sources, head.program(), extent).ok();
            bundled(sources, head, name, extent, behind)
        }
    }
}

/// Resolves what is said of a tool by everybody but bundles.
fn described(sources: &Sources<'_>, name: &str, extent: Extent) -> Result<Resolved, Vec<Problem>> {
    let layers = Layers::of(sources, name, extent);
    let mut problems = layers.problems;
    let whole = layers.layers.iter().any(|layer| !layer.part);
    if !whole {
        return Err(problems);
    }
    let settled = settled(&layers.layers);
    let strongest = layers.layers.iter().rfind(|layer| !layer.part);
    let source = strongest.map_or(ToolSource::Registry(Source::Manual), |layer| {
        source(&layer.origin)
    });
    let merged = match merge(layers.layers) {
        Ok(merged) => merged,
        Err(diagnostic) => {
            problems.push(Problem::new(sources.places.data(), diagnostic.message));
            return Err(problems);
        }
    };
    let indexed = sources.registry.tools.get(name);
    let configured = sources.config.tools.iter().find(|tool| tool.name == name);
    let path = configured
        .and_then(|tool| tool.path.clone())
        .or_else(|| indexed?.path.as_deref().map(|path| sources.places.expand(path)));
    let redacted = &sources.config.redact;
    let mut provenance = merged.provenance;
    // What is redacted is not in the metadata either; of a sole origin nothing is listed.
    if let Provenance::Fields(fields) = &mut provenance {
        fields.retain(|pointer, _| !is_redacted(pointer, redacted));
    }
    Ok(Resolved {
        metadata: redact(merged.metadata, redacted),
        provenance,
        settled,
        source,
        manifest: layers.manifest,
        bundle: None,
        path,
        expired: layers.expired,
        problems,
    })
}

/// Takes apart what the layers say whose word settles. Nobody else can then change how a command line is read.
fn settled(layers: &[Layer]) -> Settled {
    let settles = |layer: &&Layer| layer.authority == Authority::Settles;
    // Who only says what a tool changes leaves how it is written to others.
    let describes = |layer: &Layer| {
        let metadata = &layer.metadata;
        let has_grammar = !metadata.commands.is_empty() || !metadata.global_options.is_empty();
        !layer.part && has_grammar
    };
    let alone = layers.len() == 1;
    if !layers
        .iter()
        .any(|layer| settles(&layer) && (describes(layer) || alone))
    {
        return Settled::Nothing;
    }
    if layers.iter().all(|layer| settles(&layer)) {
        return Settled::Everything;
    }
    let words: Vec<Layer> = layers.iter().filter(settles).cloned().collect();
    match merge(words) {
        Ok(settled) => Settled::Apart(Box::new(Apart {
            settled,
            claimed: claimed(layers),
        })),
        Err(_) => Settled::Nothing,
    }
}

/// Merges the layers without the effects of those that settle.
fn claimed(layers: &[Layer]) -> Option<Merged> {
    let claims = |layer: &Layer| layer.authority == Authority::Claims && layer.speaks_of_effects();
    if !layers.iter().any(claims) {
        return None;
    }
    let words: Vec<Layer> = layers
        .iter()
        .map(|layer| match layer.authority {
            Authority::Claims => layer.clone(),
            Authority::Settles => layer.without_effects(),
        })
        .collect();
    merge(words).ok()
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
        Some("catalogue") => ToolSource::Shipped,
        _ => ToolSource::Registry(Source::Manual),
    }
}
