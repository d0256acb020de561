//! What a bundle wants and what would be done for it, as a person and as a program see it.

use argrail_engine::catalog::project::Wants;
use argrail_engine::ready::install::Plan;
use argrail_spec::bundle::Bundle;
use serde_json::{Value, json};

use crate::page::Page;

/// A bundle, laid out for a decision.
pub(super) struct Offer<'a> {
    bundle: &'a Bundle,
    wants: Wants,
    plan: Option<&'a Plan>,
    /// Files that differ from what was accepted before.
    changed: Vec<String>,
}

impl<'a> Offer<'a> {
    /// Reads what a bundle wants. Without a plan nothing is installed.
    pub(super) fn of(bundle: &'a Bundle, plan: Option<&'a Plan>, changed: Vec<String>) -> Self {
        let mut wants = Wants::default();
        wants.bundle(&bundle.cli, Some(&bundle.sandbox), "CLI.md");
        Self {
            bundle,
            wants,
            plan,
            changed,
        }
    }

    /// The `data` for programs.
    pub(super) fn data(&self) -> Value {
        json!({
            "id": self.bundle.cli.identity(),
            "changed": self.changed,
            "wants": {
                "programs": self.wants.programs,
                "hosts": self.wants.hosts,
                "paths": self.wants.paths,
                "secrets": self.wants.secrets,
                "notRead": self.wants.silent,
            },
            "plan": self.plan.map(Plan::data),
        })
    }

    /// The text for a person.
    pub(super) fn text(&self) -> String {
        let cli = &self.bundle.cli;
        let mut page = Page::default();
        page.line("bundle", &format!("{} ({})", cli.identity(), cli.name.value));
        page.line("what it is", &cli.description.value);
        page.list("changed since it was accepted", &self.changed);
        page.list("programs", &self.wants.programs);
        page.list("hosts", &self.wants.hosts);
        page.list("paths", &self.wants.paths);
        page.list("secrets and other variables", &self.wants.secrets);
        page.list("says more than argrail reads", &self.wants.silent);
        if let Some(plan) = self.plan {
            page.list("to install it", plan.lines());
        }
        page.text()
    }
}
