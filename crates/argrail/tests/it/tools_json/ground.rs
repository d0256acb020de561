//! A project with a manifest, and its tools ready to be called.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::Error;
use argrail_engine::catalog::project::{Bounds, Found, ProjectFiles, ProjectFinder};
use argrail_engine::catalog::{ManifestTool, manifest_tools};
use argrail_engine::output::{CAP, Collector, Keep, Plan, Secrets};
use argrail_engine::places::Places;
use argrail_engine::tools_json::{Called, Order, call, profile};
use argrail_sandbox::Launcher;
use argrail_sandbox::policy::Protected;
use argrail_spec::atip::OutputFormat;
use argrail_testkit::Home;
use serde_json::{Value, json};

use crate::ARGRAIL;

/// Puts a program beside the manifest.
pub(super) fn program(home: Home, name: &str, script: &str) -> Home {
    let file = format!("tools/bin/{name}");
    let home = home.file(&file, script);
    fs::set_permissions(home.work().join(file), fs::Permissions::from_mode(0o755)).unwrap();
    home
}

/// A project with one tool called `t`: this script, and what else its entry says.
pub(super) fn one(script: &str, more: Value) -> Home {
    let mut entry = json!({"name": "t", "command": ["./tools/bin/t"]});
    for (key, value) in more.as_object().unwrap() {
        entry[key] = value.clone();
    }
    let manifest = json!({"tools": [entry]}).to_string();
    program(Home::new().file("tools.json", &manifest), "t", script)
}

/// Reads the manifest of a project as if a person had accepted it just now.
pub(super) fn accepted(home: &Home) -> Vec<Arc<ManifestTool>> {
    let root = home.root().to_owned();
    let folder = |name: &str| match name {
        "HOME" => Some("home"),
        "XDG_CONFIG_HOME" => Some("config"),
        "XDG_STATE_HOME" => Some("state"),
        "XDG_DATA_HOME" => Some("data"),
        "XDG_CACHE_HOME" => Some("cache"),
        _ => None,
    };
    let places = Places::new(|name| folder(name).map(|folder| root.join(folder).into())).unwrap();
    let Found::Project(project) = ProjectFinder::new(&places).find(&home.work()).unwrap() else {
        panic!("no project");
    };
    let path = Some(OsStr::new("/nowhere"));
    let files = ProjectFiles::read(&project, path, &home.work(), Bounds::default()).unwrap();
    let (tools, problems) = manifest_tools(&files);
    assert_eq!(problems, []);
    tools
}

/// What a call of a test is given.
pub(super) struct Given<'a> {
    pub(super) input: &'a str,
    pub(super) environment: &'a [(&'a str, &'a str)],
}

impl Default for Given<'_> {
    fn default() -> Self {
        Self {
            input: "{}",
            environment: &[],
        }
    }
}

/// Where what is too long to be shown is kept.
pub(super) fn kept(home: &Home) -> Keep {
    Keep::new(home.root().join("state/outputs"))
}

/// Calls a tool in the sandbox that it gets while nobody knows its effects.
pub(super) fn made(home: &Home, tool: &ManifestTool, given: &Given<'_>) -> Result<Called, Error> {
    tool.check(given.input.as_bytes())?;
    let environment: BTreeMap<OsString, OsString> = given
        .environment
        .iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    call(Order {
        tool,
        input: given.input.as_bytes().to_vec(),
        environment: &environment,
        timeout: Duration::from_secs(30),
        policy: profile(tool),
        home: &home.root().join("home"),
        protected: Protected::none(),
        launcher: Launcher::Path(PathBuf::from(ARGRAIL)),
        output: Collector::new(&Plan {
            format: OutputFormat::Json,
            cap: CAP,
            secrets: Secrets::none(),
            keep: &kept(home),
            account: "test",
        }),
        cancel: None,
        niceness: 0,
    })
}

/// Calls the one tool of a project.
pub(super) fn called(home: &Home, given: &Given<'_>) -> Result<Called, Error> {
    made(home, &accepted(home)[0], given)
}
