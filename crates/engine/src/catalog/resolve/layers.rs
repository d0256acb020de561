//! Which words about a tool are laid over which, and how far each goes.
//!
//! The data home and a trusted project may add and tighten; the system's directories, the configuration and the
//! user's overrides may relax, too.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_spec::atip::{Authority, BEYOND_HEAD, Extent, Layer, Loaded, Metadata, decode, gaps, load};
use argrail_spec::doc::{Diagnostic, Node};
use argrail_spec::registry::Source;

use serde_json::{Map, Value};

use super::super::cache::{self, Cached};
use super::super::meant_file::check_file;
use super::super::programs::Programs;
use super::super::project::OfferKind;
use super::super::shipped;
use super::folder::{Describes, Problem, Said, said, tool, tool_file};
use super::patterns::pattern_layers;
use super::sources::Sources;
use crate::catalog::MANIFEST_FILE;
use crate::catalog::ManifestTool;

/// The origin of what argrail itself knows.
const SHIPPED: &str = "catalogue";

/// What the layers of one tool are, the weakest first.
#[derive(Debug)]
pub(super) struct Layers {
    /// How much of each is read.
    extent: Extent,
    pub(super) layers: Vec<Layer>,
    pub(super) problems: Vec<Problem>,
    /// The tool of the project's manifest, if that is what it is.
    pub(super) manifest: Option<Arc<ManifestTool>>,
    /// Whether what is remembered is older than it should be.
    pub(super) expired: bool,
}

impl Layers {
    pub(super) fn of(sources: &Sources<'_>, name: &str, extent: Extent) -> Self {
        let mut all = Self {
            extent,
            layers: Vec::new(),
            problems: Vec::new(),
            manifest: None,
            expired: false,
        };
        let places = sources.places;
        // What was read off help texts lies under all that somebody wrote.
        all.remembered(sources, name, Source::Inferred);
        // Whoever describes the tool itself tells it better; what it changes is settled here all the same.
        all.shipped(name);
        all.folder(sources, "shim", &places.shims(), name, Authority::Claims);
        all.remembered(sources, name, Source::Native);
        for server in sources.servers.iter().filter(|server| server.name == name) {
            all.push(
                format!("mcp:{name}"),
                Authority::Claims,
                Describes::Whole,
                server.clone(),
            );
        }
        for folder in sources.system_folders() {
            all.folder(sources, "system", &folder, name, Authority::Settles);
        }
        all.configured(sources, name);
        all.named(sources, name);
        all.manifest(sources, name);
        for kind in [OfferKind::Shim, OfferKind::Metadata] {
            all.project(sources, name, kind, Describes::Whole);
        }
        if extent == Extent::All {
            all.layers.extend(pattern_layers(sources, name));
        }
        all.project(sources, name, OfferKind::Override, Describes::Part);
        let overrides = places.overrides();
        let found = tool(&overrides, name, Describes::Part, extent);
        let origin = format!(
            "override:{}",
            places.home_relative(&overrides.join(format!("{name}.json")))
        );
        let file = overrides.join(format!("{name}.json"));
        all.add_about(sources, (origin, &file), Authority::Settles, found);
        all.narrow_inferred();
        all
    }

    /// Leaves of what was inferred only what nobody else says.
    fn narrow_inferred(&mut self) {
        let Some((inferred, others)) = self.layers.split_first_mut() else {
            return;
        };
        if !inferred.origin.starts_with(Source::Inferred.as_str()) {
            return;
        }
        for other in others.iter().filter(|other| !other.part) {
            inferred.metadata = gaps(&inferred.metadata, &other.metadata);
        }
    }

    fn push(&mut self, origin: String, authority: Authority, describes: Describes, metadata: Metadata) {
        self.layers.push(Layer {
            origin,
            authority,
            part: describes == Describes::Part,
            metadata,
        });
    }

    /// Adds what a file says, unless it says that it is about another program than the one that is there.
    fn add_about(
        &mut self,
        sources: &Sources<'_>,
        (origin, path): (String, &Path),
        authority: Authority,
        found: Result<Option<Said>, Problem>,
    ) {
        let found = found.and_then(|found| match found {
            Some((metadata, describes)) => {
                let program = sources.program(&metadata.name);
                program
                    .map_or(Ok(()), |program| check_file(&metadata, &program))
                    .map_err(|message| Problem::new(path, message))?;
                Ok(Some((metadata, describes)))
            }
            None => Ok(None),
        });
        self.add(origin, authority, found);
    }

    fn add(&mut self, origin: String, authority: Authority, found: Result<Option<Said>, Problem>) {
        match found {
            Ok(Some((metadata, describes))) => self.push(origin, authority, describes, metadata),
            Ok(None) => {}
            Err(problem) => self.problems.push(problem),
        }
    }

    fn folder(&mut self, sources: &Sources<'_>, kind: &str, folder: &Path, name: &str, authority: Authority) {
        let path = folder.join(format!("{name}.json"));
        let origin = format!("{kind}:{}", sources.places.home_relative(&path));
        let found = tool(folder, name, Describes::Whole, self.extent);
        self.add_about(sources, (origin, &path), authority, found);
    }

    /// What argrail itself knows. A list needs no more than what the table says, and the text is not read for it.
    fn shipped(&mut self, name: &str) {
        let Some(shipped) = shipped::find(name) else {
            return;
        };
        let file = PathBuf::from(format!("{SHIPPED}:{name}"));
        let found = match self.extent {
            Extent::Head => Ok(Metadata {
                name: shipped.name.to_owned(),
                description: shipped.description.to_owned(),
                ..Metadata::default()
            }),
            Extent::All => load(&shipped.text()).map(|loaded| loaded.metadata),
        };
        let said = found
            .map(|metadata| Some((metadata, Describes::Whole)))
            .map_err(|diagnostic| Problem::new(&file, diagnostic.message));
        self.add(format!("{SHIPPED}:{name}"), Authority::Settles, said);
    }

    fn project(&mut self, sources: &Sources<'_>, name: &str, kind: OfferKind, describes: Describes) {
        for (_, file) in sources.project_files(kind).filter(|(about, _)| *about == name) {
            let document = sources.project_document(file);
            let found =
                document.and_then(|document| said(Path::new(file), &document, name, describes, self.extent));
            let from = (format!("project:{file}"), Path::new(file));
            self.add_about(sources, from, Authority::Claims, found.map(Some));
        }
    }

    /// A tool of the project's manifest, unless somebody else's tool has this name.
    fn manifest(&mut self, sources: &Sources<'_>, name: &str) {
        let Some(tool) = sources.manifest_tool(name) else {
            return;
        };
        // A program that nobody describes keeps its name, too, and is no tool of the catalogue.
        if sources
            .programs
            .is_some_and(|programs| programs.find(name).is_some())
        {
            return;
        }
        if self.layers.iter().any(|layer| !layer.part) {
            let message = format!("{name:?}: left out, because another tool has this name");
            self.problems
                .push(Problem::new(Path::new(MANIFEST_FILE), message));
            return;
        }
        self.manifest = Some(Arc::clone(tool));
        let metadata = tool.metadata.clone();
        self.push(
            format!("project:{MANIFEST_FILE}"),
            Authority::Claims,
            Describes::Whole,
            metadata,
        );
    }

    fn configured(&mut self, sources: &Sources<'_>, name: &str) {
        let named = sources.config.tools.iter().find(|tool| tool.name == name);
        let Some(path) = named.and_then(|tool| tool.metadata.as_deref()) else {
            return;
        };
        let origin = format!("config:{}", sources.places.home_relative(path));
        let found = tool_file(path, name, Describes::Whole, self.extent).and_then(|found| match found {
            Some(said) => Ok(Some(said)),
            None => Err(Problem::new(
                path,
                "there is no such file, and the configuration names it",
            )),
        });
        self.add_about(sources, (origin, path), Authority::Settles, found);
    }

    /// A program that the configuration names and nobody describes is listed by its name; whoever calls it asks about
    /// words that nobody knows.
    fn named(&mut self, sources: &Sources<'_>, name: &str) {
        let is_named = |programs: &Programs| programs.named().any(|(named, _)| named == name);
        let is_described = self.layers.iter().any(|layer| !layer.part);
        // Where somebody describes it and cannot be believed, that is told instead.
        let is_unknown = !is_described && self.problems.is_empty();
        if self.extent != Extent::Head || !is_unknown || !sources.programs.is_some_and(is_named) {
            return;
        }
        let metadata = Metadata {
            name: name.to_owned(),
            ..Metadata::default()
        };
        let config = sources.places.home_relative(&sources.places.config_file());
        self.push(
            format!("config:{config}"),
            Authority::Claims,
            Describes::Whole,
            metadata,
        );
    }

    /// Decodes what is remembered. The commands of a tool are most of it, so a list leaves them where they are.
    fn remembered_metadata(&self, metadata: &Value) -> Result<Loaded, Diagnostic> {
        let (Extent::Head, Value::Object(fields)) = (self.extent, metadata) else {
            return decode(&Node::plain(metadata));
        };
        let is_head = |key: &str| !BEYOND_HEAD.contains(&key);
        let head = fields.iter().filter(|(key, _)| is_head(key));
        let head: Map<_, _> = head.map(|(key, value)| (key.clone(), value.clone())).collect();
        decode(&Node::plain(&Value::Object(head)))
    }

    /// What the tool itself said when it was probed, or what its help gave, if that is where the registry has it from.
    fn remembered(&mut self, sources: &Sources<'_>, name: &str, source: Source) {
        let indexed = sources.registry.tools.get(name);
        let Some(indexed) = indexed.filter(|indexed| indexed.source == source) else {
            return;
        };
        let places = sources.places;
        let file = places.tools().join(format!("{name}.json"));
        let entry = match cache::load(places, name, sources.now) {
            Ok(Cached::Fresh(entry)) => entry,
            Ok(Cached::Expired(entry, _)) => {
                self.expired = true;
                entry
            }
            Ok(Cached::Missing) => return,
            Ok(Cached::Corrupt(problem)) => {
                let message =
                    format!("a damaged cache entry ({problem}); argrail scan --probe asks the tool again");
                self.problems.push(Problem::new(&file, message));
                return;
            }
            Err(error) => {
                self.problems.push(Problem::new(&file, error.to_string()));
                return;
            }
        };
        match self.remembered_metadata(&entry.metadata) {
            Ok(loaded) if loaded.metadata.name == name => {
                let path = indexed.path.as_deref().unwrap_or(name);
                let origin = format!("{}:{path}", indexed.source.as_str());
                self.push(origin, Authority::Claims, Describes::Whole, loaded.metadata);
            }
            Ok(loaded) => {
                let message = format!("it is about {:?}", loaded.metadata.name);
                self.problems.push(Problem::new(&file, message));
            }
            Err(diagnostic) => self.problems.push(Problem::new(&file, diagnostic.message)),
        }
    }
}
