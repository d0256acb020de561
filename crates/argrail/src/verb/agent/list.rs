//! `argrail agent list`: which agents there are, whose word each is, and how far it is. Starts nothing but version checks,
//! confined, and none of an agent that nobody accepted.

use argrail_acli::{Answer, Envelope, Error};
use argrail_agents::catalogue::{Agents, Doubt, Listed, Readiness};
use argrail_agents::launch::{Host, declared_in_vain};
use argrail_engine::store::SqliteStore;
use argrail_sandbox::Launcher;
use serde_json::{Value, json};

use crate::catalogue::{shelf, tell};
use crate::foreign::Table;
use crate::out::{self, Layout, Report};

/// Lists them; returns the exit number.
pub(super) fn run(report: Report) -> u8 {
    match rows() {
        Ok(rows) => match report {
            Report::Envelope => {
                let agents: Vec<Value> = rows.iter().map(Row::data).collect();
                let answer = Answer::new(json!({"agents": agents}));
                out::envelope(&Envelope::new("agent list", Ok(answer), None), Layout::Compact)
            }
            Report::Text => out::data(&text(&rows)),
        },
        Err(error) => out::refuse(error, report),
    }
}

/// One agent.
struct Row {
    listed: Listed,
    /// Nothing for one that does not count.
    readiness: Option<Readiness>,
}

fn rows() -> Result<Vec<Row>, Error> {
    let shelf = shelf()?;
    let agents = Agents::open(&shelf)?;
    tell(&agents.problems);
    let store = SqliteStore::new(shelf.places());
    let directory = std::env::current_dir().map_err(|error| {
        Error::execution(error).hint("Start argrail in a directory that exists and that you may read")
    })?;
    let environment = std::env::vars_os().collect();
    let host = Host::new(&shelf, &Launcher::SelfExe, Some(&store), environment, &directory)?;
    let rows = agents.all()?.into_iter().map(|listed| Row {
        readiness: listed
            .doubt
            .is_none()
            .then(|| Readiness::of(&listed.agent, &host.means())),
        listed,
    });
    Ok(rows.collect())
}

impl Row {
    fn data(&self) -> Value {
        let agent = &self.listed.agent;
        let manifest = &agent.bundle.agent;
        let readiness = self.readiness.as_ref();
        let observed = readiness.and_then(Readiness::observed);
        json!({
            "id": agent.id(),
            "identity": agent.identity(),
            "name": manifest.name.value,
            "description": manifest.description.value,
            "source": agent.origin.as_str(),
            "trust": self.trust(),
            "protocol": manifest.protocol.as_str(),
            "installed": readiness.is_some_and(Readiness::is_installed),
            "version": observed.map(|observed| &observed.version),
            "inRange": observed.map(|observed| observed.in_range),
            "auth": readiness.map(|readiness| readiness.auth.as_str()),
            "ready": readiness.is_some_and(Readiness::is_ready),
            "next": self.next(),
            "warnings": declared_in_vain(manifest),
        })
    }

    fn trust(&self) -> &'static str {
        match self.listed.doubt {
            None => "trusted",
            Some(Doubt::NotAccepted | Doubt::Project) => "untrusted",
            Some(Doubt::Changed) => "changed",
        }
    }

    /// What a person does next, if anything is left.
    fn next(&self) -> Option<String> {
        let root = || {
            self.listed
                .agent
                .root
                .as_ref()
                .map(|root| root.display().to_string())
        };
        match self.listed.doubt {
            None => self.readiness.as_ref().and_then(Readiness::next),
            Some(Doubt::Project) => Some("argrail trust".to_owned()),
            Some(Doubt::NotAccepted | Doubt::Changed) => {
                Some(format!("argrail add {}", root().unwrap_or_default()))
            }
        }
    }
}

fn text(rows: &[Row]) -> String {
    let mut table = Table::new(&[
        "agent",
        "source",
        "installed",
        "version",
        "in range",
        "auth",
        "next",
    ]);
    for row in rows {
        let readiness = row.readiness.as_ref();
        let observed = readiness.and_then(Readiness::observed);
        let source = match row.listed.doubt {
            None => row.listed.agent.origin.as_str().to_owned(),
            Some(_) => format!("{} ({})", row.listed.agent.origin.as_str(), row.trust()),
        };
        let installed = match readiness {
            Some(readiness) if readiness.is_installed() => "yes",
            Some(readiness) if readiness.drift.is_some() => "changed",
            Some(_) | None => "no",
        };
        let fits = match observed.map(|observed| observed.in_range) {
            Some(true) => "yes",
            Some(false) => "no",
            None => "-",
        };
        table.row([
            row.listed.agent.identity().as_str(),
            source.as_str(),
            installed,
            observed.map_or("-", |observed| observed.version.as_str()),
            fits,
            readiness.map_or("-", |readiness| readiness.auth.as_str()),
            row.next().as_deref().unwrap_or("ready"),
        ]);
    }
    let mut text = table.text();
    for row in rows {
        for warning in declared_in_vain(&row.listed.agent.bundle.agent) {
            text.push_str(&format!("{}: {warning}\n", row.listed.agent.identity()));
        }
    }
    text
}
