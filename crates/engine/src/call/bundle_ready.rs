//! Whether the program of a bundle can be called now: installed, in range, set up.
//!
//! Looking starts nothing. The version is asked of the program itself, in the sandbox, once a call may run; what it said
//! is remembered as long as the file is the same, so that calls do not pay for it. Nothing is installed from here.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::Cancel;
use serde_json::Value;

use super::plan::Plan;
use super::shop::Shop;
use super::tool::{BundleRuns, Runs, Tool};
use crate::catalog::bundle::Held;
use crate::ready::install::{check_integrity, receipt};
use crate::ready::version::{Asking, Known, Observed, VersionError};
use crate::run::apart;
use crate::store::Kind;

impl Shop {
    /// Returns the program of a bundle.
    ///
    /// # Errors
    /// `SETUP_REQUIRED` with the steps that are pending. An agent's call takes none of them.
    pub(super) fn bundle_program(&self, runs: &BundleRuns) -> Result<PathBuf, Error> {
        let held = &runs.held;
        let installed = receipt(&self.stock.places, &held.head.identity());
        let program = installed
            .map(|installed| installed.program)
            .or_else(|| runs.found.clone());
        let mut pending: Vec<&str> = Vec::new();
        if program.is_none() {
            pending.push("install");
        }
        pending.extend(self.undone(held));
        match (program, pending.is_empty()) {
            (Some(program), true) => Ok(program),
            (Some(_) | None, _) => Err(not_ready(held, &pending)),
        }
    }

    /// The steps of the setup that nobody has done here.
    fn undone<'h>(&self, held: &'h Held) -> Vec<&'h str> {
        let steps = &held.bundle.cli.setup;
        if steps.is_empty() {
            return Vec::new();
        }
        let key = format!("{} {}", held.head.identity(), self.stock.directory.display());
        let ledger = self.surroundings.store.get(Kind::Ledger, &key).ok().flatten();
        let done = |id: &str| {
            let body = ledger.as_ref().map(|document| &document.body);
            body.and_then(|body| body.get(id)).and_then(Value::as_str) == Some("done")
        };
        let ids = steps.iter().map(|step| step.id().value.as_str());
        ids.filter(|id| !done(id)).collect()
    }

    /// Sees that the program of a bundle is what was installed, before anything of it is started or asked about.
    ///
    /// # Errors
    /// `SETUP_REQUIRED`, with the file that changed.
    pub(super) async fn as_installed(&self, tool: &Tool, plan: &Plan) -> Result<(), Error> {
        let (Runs::Bundle(runs), Plan::Program(plan)) = (&tool.runs, plan) else {
            return Ok(());
        };
        let receipt = receipt(&self.stock.places, &runs.held.head.identity());
        let Some(installed) = receipt.filter(|installed| installed.program == plan.path) else {
            return Ok(());
        };
        let places = self.stock.places.clone();
        let cancel = Cancel::new().map_err(Error::execution)?;
        // A folder of many files takes its time, and bytes are read where one of them is new.
        let checked = apart(cancel, move || check_integrity(&places, &installed)).await;
        let checked = checked.map_err(|error| Error::execution(&error))?;
        checked.map_err(|drift| Error::from(&drift))
    }

    /// Sees that the program of a bundle has a version that its bundle is for.
    ///
    /// # Errors
    /// `VERSION_MISMATCH`, with both.
    pub(super) async fn in_range(&self, tool: &Tool, plan: &Plan) -> Result<(), Error> {
        let (Runs::Bundle(runs), Plan::Program(plan)) = (&tool.runs, plan) else {
            return Ok(());
        };
        let known = Known::of(&self.stock.places);
        let check = &runs.held.bundle.cli.version_check;
        let observed = match known.recall(check, &plan.path) {
            Some(observed) => observed,
            None => self.observed(runs, &plan.path, tool.search.to_vec()).await?,
        };
        observed.required(&plan.path).map(drop).map_err(|error| {
            let id = runs.held.head.about.id.as_str();
            let hint = "A person has to install a version that will do: argrail install {}";
            Error::from(&error).hint(Text::new(hint).value(id))
        })
    }

    /// Asks a program for its version, and remembers the answer.
    async fn observed(
        &self,
        runs: &Arc<BundleRuns>,
        program: &Path,
        search: Vec<PathBuf>,
    ) -> Result<Observed, Error> {
        let cancel = Cancel::new().map_err(Error::execution)?;
        let (runs, program, switch) = (Arc::clone(runs), program.to_owned(), cancel.clone());
        let (places, home) = (self.stock.places.clone(), self.surroundings.home.clone());
        let launcher = self.surroundings.launcher.clone();
        let asked = apart(cancel, move || {
            let cli = &runs.held.bundle.cli;
            Known::of(&places).observe(&Asking {
                check: &cli.version_check,
                bin: &cli.bin.value,
                program: &program,
                launcher: &launcher,
                places: &places,
                home: &home,
                search: &search,
                cancel: Some(&switch),
            })
        });
        let asked: Result<Observed, VersionError> = asked.await.map_err(|error| Error::execution(&error))?;
        asked.map_err(|error| Error::from(&error))
    }
}

fn not_ready(held: &Held, pending: &[&str]) -> Error {
    let id = &held.head.about.id;
    let what = Text::new("the bundle {} is not ready").value(held.head.identity());
    let hint = match pending.first() {
        Some(&"install") => Text::new("A person has to install it, with: argrail install {}").value(id),
        // There is no verb that does these steps: a person follows what the bundle says of them.
        Some(step) => Text::new("A person has to do the step {} by hand; see: argrail status {}")
            .value(step)
            .value(id),
        None => Text::new("See what is missing, with: argrail status {}").value(id),
    };
    Error::new(Code::SetupRequired, what)
        .hint(hint)
        .detail("pending", pending)
}
