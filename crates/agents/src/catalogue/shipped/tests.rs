//! Whether the agents that are compiled in are well made: they load, strict lint has nothing to say, and each says what a
//! start needs.

use std::path::Path;

use argrail_sandbox::policy::Protected;
use argrail_spec::agent_cli_md::{Protocol, Wishes};
use argrail_spec::lint::{Strictness, lint_agent};

use super::{shipped_agent, shipped_agents};
use crate::launch::Own;

#[test]
fn the_twelve_are_there_and_found_by_id() {
    let ids: Vec<&str> = shipped_agents().iter().map(|one| one.id).collect();
    assert_eq!(ids.len(), 12);
    assert!(ids.is_sorted());
    for id in ids {
        let agent = shipped_agent(id).unwrap().agent().unwrap();
        assert_eq!((agent.id(), agent.identity()), (id, format!("{id}@1")));
    }
    assert_eq!(shipped_agent("no-such-agent"), None);
}

#[test]
fn strict_lint_has_nothing_to_say() {
    let mut complaints = Vec::new();
    for one in shipped_agents() {
        let (_, files) = lint_agent(Some(one.id), &one.files(), Strictness::Strict);
        for file in files {
            for problem in file.outcome.diagnostics {
                // These have no package: their installer is a script that changes with each release.
                if problem.code == "cli/no-hash" && ["cursor-agent", "grok"].contains(&one.id) {
                    continue;
                }
                complaints.push(format!(
                    "{}/{}: {} ({})",
                    one.id, file.path, problem.message, problem.code
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Where an agent keeps who is signed in, it keeps its settings, and what it is to run.
#[test]
fn what_an_agent_keeps_in_a_home_is_protected_from_tools() {
    let protected = Protected::standard(Path::new("/h"), Path::new("/w"));
    for one in shipped_agents() {
        let agent = one.agent().unwrap().bundle.agent;
        let state = agent.auth.and_then(|auth| auth.state);
        let paths = state.and_then(|state| state.paths).unwrap_or_default();
        let paths: Vec<&str> = paths.iter().map(|path| path.value.as_str()).collect();
        assert!(!paths.is_empty(), "{} keeps nothing", one.id);
        for path in paths {
            let below = path.strip_prefix("~/").unwrap();
            let below = below.trim_end_matches("/**");
            let mut known = protected.iter().map(|(known, ..)| known);
            assert!(
                known.any(|known| Path::new("/h").join(below).starts_with(known)),
                "{}: {path}",
                one.id
            );
        }
    }
}

#[test]
fn each_has_what_a_start_and_a_person_need() {
    for one in shipped_agents() {
        let bundle = one.agent().unwrap().bundle;
        let agent = &bundle.agent;
        assert_eq!(agent.protocol.value, Protocol::Acp, "{}", one.id);
        assert!(agent.auth.is_some() && !agent.examples.is_empty(), "{}", one.id);
        for section in ["## When to reach for it", "## Gotchas", "## Debugging"] {
            assert!(bundle.body.contains(section), "{}: {section}", one.id);
        }
        Own::of(agent).unwrap();
        // Every mode can be wished for, and one that asks nobody is known as such.
        for mode in &agent.modes {
            let wishes = Wishes {
                mode: Some(mode.id.value.clone()),
                ..Wishes::default()
            };
            let launch = agent.launch(&wishes).unwrap();
            let said = mode.description.as_ref().map_or("", |text| text.as_str());
            assert_eq!(
                launch.lifts_permissions().is_some(),
                said.contains("Ask nobody"),
                "{}: {}",
                one.id,
                mode.id.value
            );
        }
    }
}
