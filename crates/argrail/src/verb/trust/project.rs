//! Accepting a project, and taking that back.

use std::path::Path;

use argrail_acli::{Code, Error, Text};
use argrail_engine::catalog::project::{ProjectFinder, ProjectTrust, Survey, Surveyed, survey};
use argrail_engine::catalog::{registry, trust};
use argrail_spec::trust::ProjectPin;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::offer::Plan;
use super::run::{Ground, Told, record_accepted};
use crate::ask::{Question, ask};
use crate::foreign::one_line;
use crate::out::{self, Report};

/// Shows what the project of `directory` wants, asks, and pins what was shown.
pub(super) fn accept(ground: &Ground, directory: &Path) -> Result<Told, Error> {
    let path = std::env::var_os("PATH");
    let found = survey(
        &ProjectFinder::new(&ground.places),
        &ground.trust,
        directory,
        path.as_deref(),
    );
    let surveyed = match found.map_err(|error| Error::from(&error))? {
        Survey::Project(surveyed) => surveyed,
        Survey::Foreign(root) => return Err(foreign(&root)),
        Survey::Nothing => return Err(nothing(directory)),
    };
    let root = name_of(&surveyed)?;
    // A registry that is broken knows no names; that is said, and takes no decision from anybody.
    let registry = registry::read(&ground.places).unwrap_or_else(|error| {
        out::say(&one_line(&error.to_string()));
        argrail_spec::registry::Loaded {
            registry: Default::default(),
            warnings: Vec::new(),
        }
    });
    let home = ground.places.home();
    let plan = Plan::of(
        &surveyed,
        &ground.trust,
        &registry.registry,
        path.as_deref(),
        home,
    );
    let mut data = plan.data();
    if ground.report == Report::Text {
        for (file, why) in plan.broken() {
            out::say(&one_line(&format!("{file}: {why}")));
        }
    }
    let already = |data: &mut Value| {
        data["trusted"] = json!(true);
        format!("{}: trusted already\n", one_line(&root))
    };
    // Remotes that came since are for a person to accept, too.
    let pinned = ground.trust.projects.get(&root);
    let has_strange_remotes = pinned.is_some_and(|pin| {
        let mut remotes = plan.remotes().iter();
        remotes.any(|host| !pin.remotes.contains(host))
    });
    let about = match &surveyed.trust {
        ProjectTrust::Trusted | ProjectTrust::Nothing if has_strange_remotes => {
            Text::new("the project {} has remotes that nobody accepted").value(&root)
        }
        ProjectTrust::Nothing if pinned.is_some() => {
            let text = already(&mut data);
            return Ok(Told { data, text });
        }
        // It offers nothing, and is still somebody's to accept: its remotes are known hosts then.
        ProjectTrust::Nothing => Text::new("the project {} is not trusted").value(&root),
        ProjectTrust::Trusted => {
            let text = already(&mut data);
            return Ok(Told { data, text });
        }
        ProjectTrust::Untrusted => Text::new("the project {} is not trusted").value(&root),
        ProjectTrust::Changed(_) => Text::new("the project {} is not what was accepted").value(&root),
    };
    let question = Question {
        about,
        verb: "trust",
        target: &root,
        shown: plan.page(),
        data: &data,
    };
    ask(ground.consent, ground.report, question)?;
    // What was shown is what is pinned, whatever the files have become while somebody read.
    let pin = ProjectPin {
        remotes: plan.remotes().to_vec(),
        ..surveyed.files.pin(Timestamp::now())
    };
    let digest = pin.digest;
    record_accepted(ground.consent, "project", &root, Some(digest.to_string()))?;
    trust::trust_project(&ground.places, &root, pin).map_err(|error| Error::from(&error))?;
    data["standing"] = json!("trusted");
    data["trusted"] = json!(true);
    let text = format!("{}: trusted, {digest}\n", one_line(&root));
    Ok(Told { data, text })
}

/// Forgets the project of `directory`, also one that is no longer there.
pub(super) fn revoke(ground: &Ground, directory: &Path) -> Result<Told, Error> {
    let absolute = std::path::absolute(directory).map_err(Error::execution)?;
    let real = absolute.canonicalize().unwrap_or(absolute);
    // The nearest that was accepted: it may have lost what made it a project.
    let pinned = real
        .ancestors()
        .filter_map(Path::to_str)
        .find(|folder| ground.trust.projects.contains_key(*folder));
    let Some(root) = pinned else {
        return Err(Error::invalid(
            Text::new("no project at or above {} is trusted").value(real.to_string_lossy()),
            "Run 'argrail trust --list' for what is trusted",
        ));
    };
    trust::revoke_project(&ground.places, root).map_err(|error| Error::from(&error))?;
    Ok(Told {
        data: json!({"project": root, "trusted": false}),
        text: format!("{}: no longer trusted\n", one_line(root)),
    })
}

fn name_of(surveyed: &Surveyed) -> Result<String, Error> {
    let root = surveyed.project.root();
    root.to_str().map(str::to_owned).ok_or_else(|| {
        Error::invalid(
            Text::new("{} is not UTF-8").value(root.to_string_lossy()),
            "Give the project's directory a name that is UTF-8",
        )
    })
}

fn foreign(root: &Path) -> Error {
    let message = Text::new("the project {} belongs to somebody else").value(root.to_string_lossy());
    Error::new(Code::PermissionDenied, message)
        .hint("Work on a copy that is yours, then run: argrail trust")
        .detail("reason", "denied_by_policy")
}

fn nothing(directory: &Path) -> Error {
    Error::invalid(
        Text::new("no project at or above {} has anything to accept").value(directory.to_string_lossy()),
        "A project is a git repository or has .agent-tools, .cli, .agents or tools.json, and is not your home; name it: argrail trust DIR",
    )
}
