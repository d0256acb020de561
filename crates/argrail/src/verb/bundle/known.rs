//! The bundles that are known here: of the data home and of a trusted project.

use std::sync::Arc;

use argrail_acli::{Code, Error, Text, nearest};
use argrail_engine::catalog::bundle::{BundleHead, BundleOrigin, BundleStanding, Held, hold, pin};
use argrail_engine::catalog::trust;
use argrail_spec::trust::TrustFile;
use jiff::Timestamp;

use super::bring::Workshop;
use crate::catalogue::{catalogue, tell};

/// A bundle that a person accepted.
pub(super) struct Known {
    /// All of it.
    pub(super) held: Arc<Held>,
}

/// Reads the bundles of these names; all that are known if there are none.
///
/// # Errors
/// When there is no such bundle, it cannot be read, or nobody accepted it.
pub(super) fn known(shop: &Workshop, names: &[String]) -> Result<Vec<Known>, Error> {
    let catalogue = catalogue(shop.shelf())?;
    let sources = catalogue.sources();
    tell(&sources.problems);
    let trust = trust::read(shop.places()).map_err(|error| Error::from(&error))?;
    let all: Vec<&BundleHead> = match names {
        [] => sources.bundles.heads().iter().collect(),
        names => {
            let found = names.iter().map(|name| {
                let found = sources.bundles.find(name);
                found.ok_or_else(|| unknown(name, sources.bundles.names()))
            });
            found.collect::<Result<_, _>>()?
        }
    };
    let mut known = Vec::new();
    for head in all {
        let held = hold(head, sources.project).map_err(|error| {
            let root = head.root.to_string_lossy();
            Error::execution(&error).hint(Text::new("See what is wrong with: argrail lint {}").value(root))
        })?;
        let standing = match held.standing(&trust) {
            // Programs of the bundle are compared here, since from here they are installed.
            BundleStanding::Accepted if !is_whole(head, &trust) => BundleStanding::Changed(Vec::new()),
            standing => standing,
        };
        match (standing, names.is_empty()) {
            (BundleStanding::Accepted, _) => known.push(Known { held: Arc::new(held) }),
            // A list tells of those that count.
            (BundleStanding::Unpinned | BundleStanding::Changed(_), true) => {}
            (BundleStanding::Unpinned | BundleStanding::Changed(_), false) => return Err(not_accepted(head)),
        }
    }
    Ok(known)
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
    Error::invalid(Text::new("no bundle is called {}").value(name), hint)
}

fn not_accepted(head: &BundleHead) -> Error {
    let root = head.root.to_string_lossy();
    let what = Text::new("nobody has accepted the bundle {} as it is now").value(head.identity());
    Error::new(Code::SetupRequired, what)
        .hint(Text::new("Look at it and accept it, with: argrail add {}").value(root))
        .detail("pending", vec!["trust"])
}
