//! What a bundle or an agent wants and what would be done for it, as a person and as a program see it.

use argrail_engine::catalog::project::Wants;
use argrail_engine::ready::install::{Act, Check, Egress, Hold, Outlook, Plan, Recipe, Registries};
use serde_json::{Value, json};

use super::subject::Subject;
use crate::foreign::{Page, Part};

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

    /// The screen for a person.
    pub(super) fn page(&self) -> Page {
        let subject = self.subject;
        let mut page = Page::default();
        let named = vec![
            Part::Quoted(subject.identity()),
            Part::ours(", which calls itself "),
            Part::Quoted(subject.name().to_owned()),
        ];
        page.parts(subject.noun(), named);
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
                page.title("a way to install it");
                page.parts(
                    "by",
                    vec![
                        Part::Quoted(way.method.to_string()),
                        Part::ours(": "),
                        Part::Quoted(way.subject.clone()),
                    ],
                );
                match &way.outlook {
                    Outlook::Will(recipe) => {
                        lines(recipe).into_iter().for_each(|parts| page.parts("-", parts))
                    }
                    Outlook::Skipped(skip) => page.line("skipped", &skip.to_string()),
                }
            }
        }
        page
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
fn lines(recipe: &Recipe) -> Vec<Vec<Part>> {
    let mut lines: Vec<Vec<Part>> = recipe.acts.iter().flat_map(act).collect();
    lines.push(match &recipe.check {
        Check::Sha256(hash) => told("the file must have the SHA-256 ", hash),
        Check::Manager => vec![Part::ours("the package manager vouches for it")],
        Check::Bundle => vec![Part::ours("it is part of the bundle")],
        Check::Nothing => vec![Part::ours("nobody vouches for it")],
    });
    lines.extend(recipe.notes.iter().map(|note| vec![Part::ours(note)]));
    lines
}

/// Words of ours, and one of somebody else's.
fn told(ours: &str, foreign: &str) -> Vec<Part> {
    vec![Part::ours(ours), Part::Quoted(foreign.to_owned())]
}

/// Several of somebody else's, with commas.
fn quoted<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<Part> {
    let mut parts = Vec::new();
    for word in words {
        if !parts.is_empty() {
            parts.push(Part::ours(", "));
        }
        parts.push(Part::Quoted(word.to_owned()));
    }
    parts
}

fn act(act: &Act) -> Vec<Vec<Part>> {
    match act {
        Act::Fetch(fetch) => vec![told("download ", &fetch.url.to_string())],
        Act::Unpack { program } => vec![told("unpack it, with the program at ", program)],
        Act::Keep { to } => vec![told("keep it as ", &to.shown())],
        Act::Copy { from, to } => {
            let mut parts = told("copy ", from);
            parts.extend(told(" of the bundle to ", &to.shown()));
            vec![parts]
        }
        Act::Run(run) => {
            let words: Vec<String> = run.argv.iter().map(|word| word.shown()).collect();
            let mut started = vec![Part::ours("run ")];
            started.extend(quoted(words.iter().map(String::as_str)));
            let reach = match &run.egress {
                Egress::None => vec![Part::ours("it reaches nobody")],
                Egress::Hosts { names, index, at } => {
                    let asked = index.iter().map(|index| index.host.as_str());
                    let mut parts = vec![Part::ours("it reaches only ")];
                    parts.extend(quoted(names.iter().map(String::as_str).chain(asked)));
                    parts.push(Part::ours(match at {
                        Registries::Public => "",
                        Registries::Anywhere => ", inside of private networks, too",
                    }));
                    parts
                }
                Egress::Public => vec![Part::ours("it reaches every public host")],
            };
            let held = match run.hold {
                Hold::Sandbox => "it runs in a sandbox",
                Hold::Nothing => "it runs with all of your rights",
            };
            vec![started, reach, vec![Part::ours(held)]]
        }
    }
}
