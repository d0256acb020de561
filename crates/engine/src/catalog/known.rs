//! The catalogue as verbs see it: tools with their standing.
//!
//! What may not be used is said for people and left out for models.

use argrail_spec::atip::{Extent, Pattern, layered};
use argrail_spec::trust::TrustFile;

use super::bundle::{BundleStanding, CLI};
use super::resolve::{Problem, Resolved, Sources, list, resolve};
use super::trust::{self, Standing};

/// One tool, and how far it may be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// What is known about it.
    pub tool: Resolved,
    /// How it stands.
    pub standing: Standing,
    /// How the bundle stands that it is called by.
    pub bundle: Option<BundleStanding>,
}

impl Known {
    /// Whether a model may be told of it.
    pub fn is_usable(&self) -> bool {
        if matches!(self.bundle, Some(BundleStanding::Changed(_))) {
            return false;
        }
        match self.standing {
            Standing::Unknown | Standing::FirstUse | Standing::Accepted => true,
            Standing::Denied | Standing::Drift(_) => false,
        }
    }
}

/// Every source, and who is trusted.
#[derive(Debug)]
pub struct Catalogue<'a> {
    sources: Sources<'a>,
    trust: &'a TrustFile,
}

impl<'a> Catalogue<'a> {
    /// Holds the sources against who is trusted.
    pub fn new(sources: Sources<'a>, trust: &'a TrustFile) -> Self {
        Self { sources, trust }
    }

    /// Returns the sources.
    pub fn sources(&self) -> &Sources<'a> {
        &self.sources
    }

    /// Resolves one tool; without it, what kept it from being resolved.
    ///
    /// # Errors
    /// Files about it that could not be used; none when nobody describes it.
    pub fn get(&self, name: &str) -> Result<Known, Vec<Problem>> {
        resolve(&self.sources, name, Extent::All).map(|tool| self.judged(tool))
    }

    /// Resolves every tool.
    pub fn list(&self) -> (Vec<Known>, Vec<Problem>) {
        self.every(Extent::All)
    }

    /// Resolves what every tool is, without its commands: a list of tools needs no more.
    pub fn heads(&self) -> (Vec<Known>, Vec<Problem>) {
        self.every(Extent::Head)
    }

    fn every(&self, extent: Extent) -> (Vec<Known>, Vec<Problem>) {
        let (tools, problems) = list(&self.sources, extent);
        let tools = tools.into_iter().map(|tool| self.judged(tool)).collect();
        (tools, problems)
    }

    /// Returns the patterns of these tools and of everybody, each name once: a later layer has the word (ATIP §3.6).
    pub fn patterns(&self, tools: &[Known]) -> Vec<Pattern> {
        let of_tools = tools
            .iter()
            .map(|known| ((), known.tool.metadata.patterns.clone()));
        let others = self.sources.patterns().patterns.iter();
        let others = others.map(|(pattern, _)| ((), vec![pattern.clone()]));
        let all = layered(of_tools.chain(others));
        all.into_iter().map(|(pattern, ())| pattern).collect()
    }

    fn judged(&self, tool: Resolved) -> Known {
        let sources = &self.sources;
        let standing = trust::judge(sources.places, &sources.registry, self.trust, &tool.metadata.name);
        let bundle = match &tool.bundle {
            Some(bundle) => Some(bundle.held.standing(self.trust)),
            None => {
                let head = sources.bundles.find(&tool.metadata.name);
                let changed = head.filter(|head| head.is_changed(self.trust));
                changed.map(|_| BundleStanding::Changed(vec![CLI.to_owned()]))
            }
        };
        Known {
            tool,
            standing,
            bundle,
        }
    }
}
