//! The bundles and agents that are known here: of the data home, of a trusted project, and agents of argrail's own.

use std::path::PathBuf;

use argrail_acli::{Code, Error, Text, nearest};
use argrail_agents::catalogue::{Agent, AgentOrigin, Agents};
use argrail_engine::catalog::bundle::{BundleHead, BundleOrigin, BundleStanding, hold, pin};
use argrail_engine::catalog::project::ProjectFiles;
use argrail_engine::catalog::trust;
use argrail_spec::trust::TrustFile;
use jiff::Timestamp;

use super::bring::Workshop;
use super::subject::Subject;
use crate::catalogue::{catalogue, tell};

/// A bundle or an agent that a person accepted.
pub(super) struct Known {
    /// What it is.
    pub(super) subject: Subject,
    /// The folder of its manifest.
    pub(super) root: PathBuf,
}

/// Reads the bundles and agents of these names; all that were added if there are none.
///
/// # Errors
/// When there is none of the name, it cannot be read, or nobody accepted it.
pub(super) fn known(shop: &Workshop, names: &[String]) -> Result<Vec<Known>, Error> {
    let catalogue = catalogue(shop.shelf())?;
    let sources = catalogue.sources();
    tell(&sources.problems);
    let agents = Agents::open(shop.shelf())?;
    tell(&agents.problems);
    let mut known = Vec::new();
    for name in names {
        match (sources.bundles.find(name), agents.find(name)) {
            (Some(head), _) => known.push(bundle(shop, sources.project, head)?),
            (None, Ok(agent)) => known.push(of_agent(&agent)),
            (None, Err(error)) if *error.code() == Code::CommandNotFound => {
                return Err(unknown(name, sources.bundles.names()));
            }
            (None, Err(error)) => return Err(error),
        }
    }
    if names.is_empty() {
        for head in sources.bundles.heads() {
            match bundle(shop, sources.project, head) {
                Ok(one) => known.push(one),
                // A list tells of those that count.
                Err(error) if *error.code() == Code::SetupRequired => {}
                Err(error) => return Err(error),
            }
        }
        for listed in agents.all()? {
            let (agent, is_known) = (&listed.agent, listed.doubt.is_none());
            // One that argrail has itself is told of once it was added.
            let is_added = agent.origin != AgentOrigin::Shipped || shop.was_installed(agent.packaged());
            if is_known && is_added {
                known.push(of_agent(agent));
            }
        }
    }
    Ok(known)
}

fn of_agent(agent: &Agent) -> Known {
    Known {
        subject: Subject::Agent(Box::new(agent.bundle.clone())),
        root: agent.root.clone().unwrap_or_else(|| PathBuf::from(agent.id())),
    }
}

fn bundle(shop: &Workshop, project: Option<&ProjectFiles>, head: &BundleHead) -> Result<Known, Error> {
    let trust = trust::read(shop.places()).map_err(|error| Error::from(&error))?;
    let held = hold(head, project).map_err(|error| {
        let root = head.root.to_string_lossy();
        Error::execution(&error).hint(Text::new("See what is wrong with: argrail lint {}").value(root))
    })?;
    match held.standing(&trust) {
        // Programs of the bundle are compared here, since from here they are installed.
        BundleStanding::Accepted if is_whole(head, &trust) => Ok(Known {
            subject: Subject::Tool(Box::new(held.bundle)),
            root: head.root.clone(),
        }),
        BundleStanding::Accepted | BundleStanding::Unpinned | BundleStanding::Changed(_) => {
            Err(not_accepted(head))
        }
    }
}

/// Whether every file is what was accepted. The project answers for its own.
fn is_whole(head: &BundleHead, trust: &TrustFile) -> bool {
    match &head.origin {
        BundleOrigin::Project(_) => true,
        BundleOrigin::Home => {
            let pinned = head.root.to_str().and_then(|root| trust.projects.get(root));
            let now = pin(&head.root, Timestamp::now()).ok();
            pinned
                .zip(now)
                .is_some_and(|(pinned, now)| pinned.digest == now.digest)
        }
    }
}

fn unknown<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Error {
    let hint = match nearest(name, names) {
        Some(near) => Text::new("Did you mean {}?").value(near),
        None => Text::new("Add it first, with: argrail add {}").value(name),
    };
    Error::invalid(Text::new("no bundle or agent is called {}").value(name), hint)
}

fn not_accepted(head: &BundleHead) -> Error {
    let root = head.root.to_string_lossy();
    let what = Text::new("nobody has accepted the bundle {} as it is now").value(head.identity());
    Error::new(Code::SetupRequired, what)
        .hint(Text::new("Look at it and accept it, with: argrail add {}").value(root))
        .detail("pending", vec!["trust"])
}
