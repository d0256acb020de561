//! Every agent that is known here, and the one that a name leads to.

use std::path::PathBuf;

use argrail_acli::{Code, Error, Text, nearest};
use argrail_engine::catalog::bundle::folders;
use argrail_engine::catalog::project::{OfferKind, ProjectTrust, Surveyed};
use argrail_engine::catalog::resolve::Problem;
use argrail_engine::catalog::{ProjectState, Shelf, trust};
use argrail_spec::agent_bundle::MANIFEST;

use super::agent::{Agent, AgentOrigin, Doubt, doubted};
use crate::catalogue::shipped::{shipped_agent, shipped_agents};

/// The agents of the data home and of the project, and by name those that argrail brings along.
#[derive(Debug, Default)]
pub struct Agents {
    /// Those that count, the nearest first.
    known: Vec<Agent>,
    /// Those that do not.
    doubted: Vec<(Agent, Doubt)>,
    /// Manifests that could not be used.
    pub problems: Vec<Problem>,
}

/// An agent, for a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The agent.
    pub agent: Agent,
    /// Why it does not count, if it does not.
    pub doubt: Option<Doubt>,
}

impl Agents {
    /// Looks at the data home and at the project.
    ///
    /// # Errors
    /// When the file of what is trusted cannot itself be trusted or understood.
    pub fn open(shelf: &Shelf) -> Result<Self, Error> {
        let trust = trust::read(shelf.places()).map_err(|error| Error::from(&error))?;
        let mut agents = Self::default();
        if let ProjectState::Surveyed(found) = shelf.project() {
            agents.project(found);
        }
        let top = shelf.places().agents();
        // Pins name folders without symlinks.
        let top = top.canonicalize().unwrap_or(top);
        let mut home = Vec::new();
        for root in folders(&top, MANIFEST) {
            match Agent::of_home(&root, &trust) {
                Ok((agent, None)) => home.push(agent),
                Ok((agent, Some(doubt))) => agents.doubted.push((agent, doubt)),
                Err(error) => agents.problem(root.join(MANIFEST), &error.to_string()),
            }
        }
        // Of two majors the higher one is meant by the id alone.
        home.sort_by_key(|agent| std::cmp::Reverse(agent.bundle.agent.version.major()));
        agents.known.extend(home);
        Ok(agents)
    }

    fn project(&mut self, found: &Surveyed) {
        let is_trusted = found.trust == ProjectTrust::Trusted;
        let offers = found.files.offers.iter();
        for offer in offers.filter(|offer| offer.kind == OfferKind::Agent) {
            match Agent::of_project(&offer.file, &found.files) {
                Ok(agent) if is_trusted => self.known.push(agent),
                Ok(agent) => self.doubted.push((agent, Doubt::Project)),
                Err(error) => self.problem(found.files.root().join(&offer.file), &error.to_string()),
            }
        }
    }

    fn problem(&mut self, path: PathBuf, message: &str) {
        self.problems.push(Problem {
            path,
            message: message.to_owned(),
        });
    }

    /// Returns the agent that a name leads to.
    ///
    /// # Errors
    /// `COMMAND_NOT_FOUND` with the nearest name, `SETUP_REQUIRED` for one that nobody accepted, or `VALIDATION_ERROR` for
    /// one whose manifest is wrong.
    pub fn find(&self, name: &str) -> Result<Agent, Error> {
        if let Some(agent) = self.known.iter().find(|agent| agent.is_called(name)) {
            return Ok(agent.clone());
        }
        let id = name.split('@').next().unwrap_or(name);
        if let Some(shipped) = shipped_agent(id) {
            let agent = shipped.agent()?;
            if agent.is_called(name) {
                return Ok(agent);
            }
        }
        if let Some((agent, doubt)) = self.doubted.iter().find(|(agent, _)| agent.is_called(name)) {
            return Err(doubted(agent, *doubt));
        }
        if let Some(error) = self.refused(id) {
            return Err(error);
        }
        let known = self.known.iter().map(Agent::id);
        let ids: Vec<&str> = known.chain(shipped_agents().iter().map(|one| one.id)).collect();
        let hint = match nearest(name, ids.iter().copied()) {
            Some(near) => Text::new("Did you mean {}?").value(near),
            None => Text::from("See which there are with: argrail agent list"),
        };
        Err(Error::new(
            Code::CommandNotFound,
            Text::new("no agent is called {}").value(name),
        )
        .hint(hint))
    }

    /// Returns why there is no agent in a folder of this name, if one has a manifest that cannot be used.
    fn refused(&self, id: &str) -> Option<Error> {
        let found = self.problems.iter().find_map(|problem| {
            let folder = problem.path.parent()?;
            (folder.file_name()? == id).then_some((problem, folder))
        });
        let (problem, folder) = found?;
        let what = Text::new("the manifest of the agent {} cannot be used: {}");
        Some(Error::invalid(
            what.value(id).value(&problem.message),
            Text::new("See all that is wrong with it: argrail lint {}").value(folder.to_string_lossy()),
        ))
    }

    /// Returns every agent, sorted by id: those that count first.
    ///
    /// # Errors
    /// Only when one that argrail brings along is damaged.
    pub fn all(&self) -> Result<Vec<Listed>, Error> {
        let mut all: Vec<Listed> = Vec::new();
        for agent in &self.known {
            // A farther one of the same identity is never meant.
            if !all.iter().any(|one| one.agent.identity() == agent.identity()) {
                all.push(Listed {
                    agent: agent.clone(),
                    doubt: None,
                });
            }
        }
        for shipped in shipped_agents() {
            let agent = shipped.agent()?;
            if !all.iter().any(|one| one.agent.identity() == agent.identity()) {
                all.push(Listed { agent, doubt: None });
            }
        }
        all.extend(self.doubted.iter().map(|(agent, doubt)| Listed {
            agent: agent.clone(),
            doubt: Some(*doubt),
        }));
        all.sort_by(|one, other| {
            let key = |listed: &Listed| (listed.agent.identity(), listed.doubt.is_some());
            key(one).cmp(&key(other))
        });
        Ok(all)
    }

    /// Returns the agents that a person added: those that count of the data home and of the project.
    pub fn added(&self) -> impl Iterator<Item = &Agent> {
        self.known
            .iter()
            .filter(|agent| agent.origin != AgentOrigin::Shipped)
    }
}
