//! What a bundle or an agent wants and what would be done for it, as a person and as a program see it.

use argrail_engine::catalog::project::Wants;
use argrail_engine::ready::install::{Act, Check, Egress, Hold, Outlook, Plan, Recipe, Registries};
use serde_json::{Value, json};

use super::subject::Subject;
use crate::page::Page;

/// A bundle or an agent, laid out for a decision.
pub(super) struct Offer<'a> {
    subject: &'a Subject,
    wants: Wants,
    plan: Option<&'a Plan>,
    /// Files that differ from what was accepted before.
    changed: Vec<String>,
}

impl<'a> Offer<'a> {
    /// Reads what it wants. Without a plan nothing is installed.
    pub(super) fn of(subject: &'a Subject, plan: Option<&'a Plan>, changed: Vec<String>) -> Self {
        Self {
            subject,
            wants: subject.wants(),
            plan,
            changed,
        }
    }

    /// The `data` for programs.
    pub(super) fn data(&self) -> Value {
        json!({
            "id": self.subject.identity(),
            "changed": self.changed,
            "wants": {
                "programs": self.wants.programs,
                "hosts": self.wants.hosts,
                "paths": self.wants.paths,
                "secrets": self.wants.secrets,
                "notRead": self.wants.silent,
            },
            "plan": self.plan.map(data),
        })
    }

    /// The text for a person.
    pub(super) fn text(&self) -> String {
        let subject = self.subject;
        let mut page = Page::default();
        page.line(
            subject.noun(),
            &format!("{} ({})", subject.identity(), subject.name()),
        );
        page.line("what it is", subject.description());
        page.list("changed since it was accepted", &self.changed);
        page.list("programs", &self.wants.programs);
        page.list("hosts", &self.wants.hosts);
        page.list("paths", &self.wants.paths);
        page.list("secrets and other variables", &self.wants.secrets);
        page.list("says more than argrail reads", &self.wants.silent);
        if let Some(plan) = self.plan {
            page.list(
                "there already, and used if its version will do",
                plan.present.iter().map(|one| one.program.to_string_lossy()),
            );
            for way in &plan.ways {
                let head = format!("by {} ({})", way.method, way.subject);
                match &way.outlook {
                    Outlook::Will(recipe) => page.list(&crate::neutral::one_line(&head), lines(recipe)),
                    Outlook::Skipped(skip) => {
                        page.line(&crate::neutral::one_line(&head), &format!("skipped: {skip}"))
                    }
                }
            }
        }
        page.text()
    }
}

/// A plan for programs.
fn data(plan: &Plan) -> Value {
    let present = plan.present.iter().map(|one| one.program.to_string_lossy());
    let ways = plan.ways.iter().map(|way| {
        let (recipe, skipped) = match &way.outlook {
            Outlook::Will(recipe) => (Some(recipe), None),
            Outlook::Skipped(skip) => (None, Some(skip.to_string())),
        };
        json!({"method": way.method, "subject": way.subject, "recipe": recipe, "skipped": skipped})
    });
    json!({"present": present.collect::<Vec<_>>(), "ways": ways.collect::<Vec<_>>()})
}

/// What one method does, one thing a line.
fn lines(recipe: &Recipe) -> Vec<String> {
    let mut lines: Vec<String> = recipe.acts.iter().flat_map(act).collect();
    lines.push(match &recipe.check {
        Check::Sha256(hash) => format!("the file must have the SHA-256 {hash}"),
        Check::Manager => "the package manager vouches for it".to_owned(),
        Check::Bundle => "it is part of the bundle".to_owned(),
        Check::Nothing => "nobody vouches for it".to_owned(),
    });
    lines.extend(recipe.notes.iter().map(|note| (*note).to_owned()));
    lines
}

fn act(act: &Act) -> Vec<String> {
    match act {
        Act::Fetch(fetch) => vec![format!("download {}", fetch.url)],
        Act::Unpack { program } => vec![format!("unpack it, with the program at {program}")],
        Act::Keep { to } => vec![format!("keep it as {}", to.shown())],
        Act::Copy { from, to } => vec![format!("copy {from} of the bundle to {}", to.shown())],
        Act::Run(run) => {
            let words: Vec<String> = run.argv.iter().map(|word| word.shown()).collect();
            let reach = match &run.egress {
                Egress::None => "it reaches nobody".to_owned(),
                Egress::Hosts { names, index, at } => {
                    let asked = index.iter().map(|index| index.host.as_str());
                    let all: Vec<&str> = names.iter().map(String::as_str).chain(asked).collect();
                    let at = match at {
                        Registries::Public => "",
                        Registries::Anywhere => ", inside of private networks, too",
                    };
                    format!("it reaches only {}{at}", all.join(", "))
                }
                Egress::Public => "it reaches every public host".to_owned(),
            };
            let held = match run.hold {
                Hold::Sandbox => "it runs in a sandbox",
                Hold::Nothing => "it runs with all of your rights",
            };
            vec![
                format!("run {}", argrail_acli::join(&words)),
                reach,
                held.to_owned(),
            ]
        }
    }
}
