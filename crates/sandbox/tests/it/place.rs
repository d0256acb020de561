//! Where the children of tests live, and how they are described.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use argrail_sandbox::policy::{Anchors, Exec, PathPattern, Policy, Program};
use argrail_sandbox::{Command, Launcher, Report};
use tempfile::TempDir;

pub(crate) const LAUNCHER: &str = env!("CARGO_BIN_EXE_argrail-sandbox-launcher");

/// Long enough for anything that ends by itself.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A home with a workspace, removed when dropped.
pub(crate) struct Place {
    pub(crate) workspace: PathBuf,
    pub(crate) anchors: Anchors,
    _tree: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let tree = tempfile::tempdir().unwrap();
        let home = tree.path().canonicalize().unwrap();
        let workspace = home.join("work");
        fs::create_dir(&workspace).unwrap();
        Self {
            anchors: Anchors::new(&home, &workspace).unwrap(),
            workspace,
            _tree: tree,
        }
    }

    pub(crate) fn command(&self, policy: Policy, argv: &[&str]) -> Command {
        Command::confined(argv.iter().copied(), policy, self.anchors.clone())
            .launcher(Launcher::Path(LAUNCHER.into()))
            .timeout(LONG)
    }

    pub(crate) fn shell(&self, policy: Policy, script: &str) -> Command {
        self.command(policy, &["/bin/sh", "-c", script])
    }

    pub(crate) fn tree(&self) -> PathPattern {
        PathPattern::tree(&self.workspace)
    }
}

pub(crate) fn out(report: &Report) -> String {
    String::from_utf8_lossy(&report.stdout).into_owned()
}

pub(crate) fn list(names: &[&str]) -> Exec {
    Exec::List(
        names
            .iter()
            .map(|name| Program::parse("exec", name).unwrap())
            .collect(),
    )
}
