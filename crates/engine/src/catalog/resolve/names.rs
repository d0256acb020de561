//! Every name that somebody speaks of, once.

use std::collections::BTreeSet;

use super::super::project::OfferKind;
use super::super::shipped;
use super::folder::stems;
use super::sources::Sources;

/// Lists the tools that are known, in order. An override of a tool that nobody describes is no tool.
pub(super) fn names(sources: &Sources<'_>) -> BTreeSet<String> {
    let places = sources.places;
    let mut names: BTreeSet<String> = sources.registry.tools.keys().cloned().collect();
    names.extend(sources.config.tools.iter().map(|tool| tool.name.clone()));
    names.extend(sources.servers.iter().map(|server| server.name.clone()));
    names.extend(stems(&places.shims()));
    names.extend(stems(&places.overrides()));
    for folder in sources.system_folders() {
        names.extend(stems(&folder));
    }
    for kind in [OfferKind::Shim, OfferKind::Metadata] {
        names.extend(sources.project_files(kind).map(|(name, _)| name.to_owned()));
    }
    names.extend(sources.manifest().map(|tool| tool.spec.name.clone()));
    // Each bundle once, by its own name: the others lead to it, too, and are not listed.
    for head in sources.bundles.heads() {
        let leads_here = |name: &str| sources.bundles.find(name) == Some(head);
        names.extend(
            [head.about.id.clone(), head.identity()]
                .into_iter()
                .find(|name| leads_here(name)),
        );
    }
    if let Some(programs) = sources.programs {
        let installed = shipped::names().filter(|name| programs.find(name).is_some());
        names.extend(installed.map(str::to_owned));
    }
    names
}
