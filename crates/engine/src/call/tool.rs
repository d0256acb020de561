//! One tool, ready to be called: how its words are read, whose word its effects are, what is started.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use argrail_acli::BindError;
use argrail_spec::atip::{Commands, Invoked, Metadata, Provenance, REQUIRED_BY_HANDLER, Reader, Voice};
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::claimants::Claimants;
use super::origins::are_settled;
use crate::catalog::ManifestTool;
use crate::catalog::bundle::{BundleStanding, Held};
use crate::catalog::resolve::{Apart, Bundled, Resolved, Settled, ToolSource};
use crate::catalog::trust::Standing;
use crate::catalog::{Known, Programs};
use crate::policy::{Basis, Trust};

/// The key that says how words are read.
const GRAMMAR: &str = "x-grammar";

/// A tool.
#[derive(Debug)]
pub(crate) struct Tool {
    /// Its name.
    pub(crate) name: String,
    /// What is known of it: for `help`, and for reading words where nobody settles how.
    pub(crate) metadata: Arc<Metadata>,
    /// How far it is trusted.
    pub(crate) trust: Trust,
    /// What runs when it is called.
    pub(crate) runs: Runs,
    /// Where programs are looked for.
    pub(crate) search: Arc<[PathBuf]>,
    /// Whose word it is as a whole.
    described: Described,
    provenance: Provenance,
    claimed: OnceLock<Reader>,
    settled: OnceLock<Reader>,
    /// What is read by: what settles, if somebody settles all of it.
    basis: Arc<Metadata>,
    /// What others claim beside those who settle.
    beside: Option<Claimants>,
}

/// What runs when a tool is called.
#[derive(Debug, Clone)]
pub(crate) enum Runs {
    /// A program, if it is there.
    Program(Option<PathBuf>),
    /// A server of MCP, of this name in the configuration.
    Server,
    /// A tool of the project's `tools.json`.
    Manifest(Arc<ManifestTool>),
    /// The program of a bundle.
    Bundle(Arc<BundleRuns>),
}

/// What a bundle's program is called by.
#[derive(Debug)]
pub(crate) struct BundleRuns {
    /// The bundle.
    pub(crate) held: Arc<Held>,
    /// Whether it is what a person accepted.
    pub(crate) standing: BundleStanding,
    /// The program without the bundle, if others describe it.
    pub(crate) behind: Option<Tool>,
    /// The program where programs are found, if it is there.
    pub(crate) found: Option<PathBuf>,
}

/// Who describes a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Described {
    Settled,
    Claimed,
    Nobody,
}

/// A command line, read; whose word its effects are; and who says which.
pub(crate) struct Said {
    pub(crate) invoked: Invoked,
    pub(crate) basis: Basis,
    pub(crate) origins: IndexMap<String, String>,
}

impl Tool {
    /// Takes what the catalogue knows.
    pub(crate) fn known(known: Known, programs: &Programs, configured: Option<PathBuf>) -> Self {
        let trust = trust(&known.standing);
        let mut found = known.tool;
        if let Some(bundle) = found.bundle.take() {
            let standing = known.bundle.unwrap_or(BundleStanding::Unpinned);
            return Self::of_bundle(found, bundle, standing, trust, programs);
        }
        let name = found.metadata.name.clone();
        let runs = match (found.manifest, found.source) {
            (Some(manifest), _) => Runs::Manifest(manifest),
            (None, ToolSource::Mcp) => Runs::Server,
            (
                None,
                ToolSource::Registry(_) | ToolSource::Project | ToolSource::Shipped | ToolSource::Bundle,
            ) => {
                let hint = found.path.filter(|path| path.is_file());
                Runs::Program(configured.or_else(|| programs.find(&name)).or(hint))
            }
        };
        // A program that is gone is no changed one: there is nothing to accept, and nothing that could be started.
        let trust = match (&known.standing, &runs) {
            (Standing::Drift(drift), Runs::Program(None)) if drift.now.is_none() => Trust::Unpinned,
            _ => trust,
        };
        let metadata = Arc::new(found.metadata);
        let mut beside = None;
        let (described, basis, provenance) = match found.settled {
            Settled::Nothing => (Described::Claimed, Arc::clone(&metadata), found.provenance),
            Settled::Everything => (Described::Settled, Arc::clone(&metadata), found.provenance),
            Settled::Apart(apart) => {
                let Apart { settled, claimed } = *apart;
                beside = claimed.map(Claimants::new);
                (Described::Settled, Arc::new(settled.metadata), settled.provenance)
            }
        };
        Self {
            name,
            metadata,
            trust,
            runs,
            search: programs.directories().into(),
            described,
            provenance,
            claimed: OnceLock::new(),
            settled: OnceLock::new(),
            basis,
            beside,
        }
    }

    fn of_bundle(
        found: Resolved,
        bundle: Bundled,
        standing: BundleStanding,
        trust: Trust,
        programs: &Programs,
    ) -> Self {
        let Bundled { held, behind } = bundle;
        let program = held.head.program().to_owned();
        let behind = behind.map(|tool| {
            let known = Known {
                tool: *tool,
                standing: Standing::Unknown,
                bundle: None,
            };
            Self::known(known, programs, None)
        });
        let mut contracts = held.metadata.clone();
        contracts.name.clone_from(&found.metadata.name);
        // Words that a contract lacks may be the program's own: whoever reads them here decides.
        let metadata = match &behind {
            Some(_) => requiring_later(lenient(&found.metadata)),
            None => found.metadata,
        };
        Self {
            name: metadata.name.clone(),
            metadata: Arc::new(metadata),
            trust,
            search: programs.directories().into(),
            described: Described::Claimed,
            provenance: Provenance::default(),
            claimed: OnceLock::new(),
            settled: OnceLock::new(),
            basis: Arc::new(contracts),
            beside: None,
            runs: Runs::Bundle(Arc::new(BundleRuns {
                held,
                standing,
                behind,
                found: programs.find(&program),
            })),
        }
    }

    /// A program that nobody describes: any words, and nothing is known of what they do.
    pub(crate) fn undescribed(name: &str, program: PathBuf, programs: &Programs) -> Self {
        let metadata = Arc::new(bare(name));
        Self {
            name: name.to_owned(),
            basis: Arc::clone(&metadata),
            metadata,
            trust: Trust::Unpinned,
            runs: Runs::Program(Some(program)),
            search: programs.directories().into(),
            described: Described::Nobody,
            provenance: Provenance::default(),
            claimed: OnceLock::new(),
            settled: OnceLock::new(),
            beside: None,
        }
    }

    /// Whether nobody says what it does.
    pub(crate) fn is_undescribed(&self) -> bool {
        self.described == Described::Nobody
    }

    /// Reads the words after the name.
    pub(crate) fn read(&self, words: &[String]) -> Result<Said, BindError> {
        match self.described {
            Described::Settled => {
                let said = self.said(self.settled(), words, Basis::Settled);
                let mut said = said.or_else(|problem| self.added(words).ok_or(problem))?;
                if let Some(claimants) = &self.beside {
                    claimants.tighten(&mut said, words, self.settled());
                }
                Ok(said)
            }
            Described::Nobody => self.said(self.claimed(), words, Basis::Undescribed),
            Described::Claimed => {
                let said = self.said(self.claimed(), words, Basis::Claimed)?;
                // A person who corrects the effects of a tool vouches for them.
                if are_settled(&said.origins) {
                    return self.said(self.settled(), words, Basis::Settled);
                }
                Ok(said)
            }
        }
    }

    /// Reads words that nobody settles and that somebody else describes, what was inferred for example: as those of the
    /// settled description, with the others unverified, so that the call asks.
    fn added(&self, words: &[String]) -> Option<Said> {
        if Arc::ptr_eq(&self.metadata, &self.basis) {
            return None;
        }
        let everything = Reader::new(Arc::clone(&self.metadata), Voice::Claimed);
        everything.read(words).ok()?;
        let lenient = Reader::new(Arc::new(lenient(&self.basis)), Voice::Settled);
        let said = self.said(&lenient, words, Basis::Settled).ok()?;
        (!said.invoked.unverified.is_empty()).then_some(said)
    }

    fn said(&self, reader: &Reader, words: &[String], basis: Basis) -> Result<Said, BindError> {
        let invoked = reader.read(words)?;
        let origins = self.provenance.of_effects(&self.basis, &invoked.path);
        Ok(Said {
            invoked,
            basis,
            origins,
        })
    }

    /// Returns the description that words are read by.
    pub(crate) fn description(&self) -> &Metadata {
        &self.basis
    }

    fn settled(&self) -> &Reader {
        self.settled
            .get_or_init(|| Reader::new(Arc::clone(&self.basis), Voice::Settled))
    }

    fn claimed(&self) -> &Reader {
        self.claimed
            .get_or_init(|| Reader::new(Arc::clone(&self.basis), Voice::Claimed))
    }
}

/// The same description for whoever asks about words that it lacks, rather than refusing them.
fn lenient(metadata: &Metadata) -> Metadata {
    fn silence(commands: &mut Commands) {
        for command in commands.values_mut() {
            if let Some(Value::Object(grammar)) = command.extra.get_mut(GRAMMAR) {
                grammar.shift_remove("unknown");
            }
            silence(&mut command.commands);
        }
    }
    let mut metadata = metadata.clone();
    silence(&mut metadata.commands);
    let grammar = metadata.extra.entry(GRAMMAR).or_insert_with(|| json!({}));
    if let Value::Object(grammar) = grammar {
        grammar.insert("unknown".to_owned(), json!("ask"));
    }
    metadata
}

/// The same description for whoever misses what a contract requires only after having looked for another reading.
fn requiring_later(mut metadata: Metadata) -> Metadata {
    fn mark(commands: &mut Commands) {
        let key = || (REQUIRED_BY_HANDLER.to_owned(), json!(true));
        for command in commands.values_mut() {
            for argument in &mut command.arguments {
                argument.extra.extend([key()]);
            }
            for option in &mut command.options {
                option.extra.extend([key()]);
            }
            mark(&mut command.commands);
        }
    }
    mark(&mut metadata.commands);
    metadata
}

/// Metadata of a program of which only the name is known.
pub(super) fn bare(name: &str) -> Metadata {
    let mut metadata = Metadata {
        name: name.to_owned(),
        description: "A program of this machine that nobody has described".to_owned(),
        ..Metadata::default()
    };
    metadata
        .extra
        .insert(GRAMMAR.to_owned(), json!({"unknown": "ask"}));
    metadata
}

fn trust(standing: &Standing) -> Trust {
    match standing {
        Standing::Unknown => Trust::Unpinned,
        Standing::FirstUse | Standing::Accepted => Trust::Accepted,
        Standing::Denied => Trust::Denied,
        Standing::Drift(drift) => Trust::Drift(drift.what.as_str().to_owned()),
    }
}
