//! What cargo knows about our crates and everything they are built from.
//!
//! Asked offline and for this host: the crates of other platforms were never fetched by the build
//! that runs these tests. Rules that need no more than names read the lock file, which has them all.

use argrail_testkit::command;
use serde_json::Value;
use std::sync::OnceLock;

/// One package of the resolved graph.
#[derive(Debug, Default)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: Option<String>,
    /// Whether it is a member of our workspace.
    pub(crate) ours: bool,
    /// The features that are on in this build.
    pub(crate) features: Vec<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of a package's manifest.
#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What a dependency is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Normal,
    Build,
    Dev,
}

impl Package {
    /// Returns the name within the workspace: `acli` for `argrail-acli`.
    pub(crate) fn short(&self) -> &str {
        short(&self.name)
    }
}

/// Returns a crate's name without our prefix.
pub(crate) fn short(name: &str) -> &str {
    name.strip_prefix("argrail-").unwrap_or(name)
}

/// Returns the names of the packages that a bare `cargo run` or `cargo build` is about.
pub(crate) fn default_members() -> Vec<String> {
    let json = cargo(&["metadata", "--format-version=1", "--offline", "--no-deps"]);
    let Ok(metadata) = serde_json::from_str::<Value>(&json) else {
        panic!("cargo metadata is no JSON")
    };
    let list = |name: &str| {
        metadata
            .get(name)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let members = list("workspace_default_members");
    let is_member = |package: &Value| package.get("id").is_some_and(|id| members.contains(id));
    let packages = list("packages").into_iter().filter(is_member);
    packages
        .filter_map(|package| Some(package.get("name")?.as_str()?.to_owned()))
        .collect()
}

/// Returns the resolved graph of this workspace.
pub(crate) fn packages() -> &'static [Package] {
    static PACKAGES: OnceLock<Vec<Package>> = OnceLock::new();
    PACKAGES.get_or_init(|| {
        let version = cargo(&["-vV"]);
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.unwrap_or_else(|| panic!("cargo -vV names no host:\n{version}"));
        let flags = ["--format-version=1", "--offline", "--locked", "--filter-platform"];
        let json = cargo(&[&["metadata"], flags.as_slice(), &[host]].concat());
        parse(&json).unwrap_or_else(|| panic!("cargo metadata has an unknown shape"))
    })
}

fn cargo(args: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = command(cargo)
        .args(args)
        .current_dir(super::repository::root())
        .output();
    let output = output.unwrap_or_else(|error| panic!("cannot run cargo: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "cargo {}: {stderr}\nrun `cargo fetch --locked` once, online",
        args.join(" ")
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn parse(json: &str) -> Option<Vec<Package>> {
    let metadata: Value = serde_json::from_str(json).ok()?;
    let members = metadata.get("workspace_members")?.as_array()?;
    let nodes = metadata.get("resolve")?.get("nodes")?.as_array()?;
    let packages = metadata.get("packages")?.as_array()?;
    packages
        .iter()
        .map(|package| {
            let id = package.get("id")?;
            let node = nodes.iter().find(|node| node.get("id") == Some(id))?;
            Some(Package {
                name: text(package, "name")?,
                version: text(package, "version")?,
                licence: text(package, "license"),
                ours: members.contains(id),
                features: node
                    .get("features")?
                    .as_array()?
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                dependencies: package
                    .get("dependencies")?
                    .as_array()?
                    .iter()
                    .map(dependency)
                    .collect::<Option<_>>()?,
            })
        })
        .collect()
}

fn dependency(value: &Value) -> Option<Dependency> {
    let kind = match value.get("kind")?.as_str() {
        None => Kind::Normal,
        Some("build") => Kind::Build,
        Some("dev") => Kind::Dev,
        Some(_) => return None,
    };
    Some(Dependency {
        name: text(value, "name")?,
        kind,
    })
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

#[test]
fn the_graph_has_this_crate_and_what_it_is_built_from() {
    let own = packages()
        .iter()
        .find(|package| package.name == "argrail-testkit")
        .unwrap();
    assert!(own.ours && own.short() == "testkit");
    assert!(
        own.dependencies
            .iter()
            .any(|dependency| dependency.name == "serde_json" && dependency.kind == Kind::Normal)
    );
    let json = packages()
        .iter()
        .find(|package| package.name == "serde_json")
        .unwrap();
    assert!(!json.ours && json.licence.is_some() && json.features.iter().any(|feature| feature == "std"));
}

#[test]
fn an_unknown_shape_is_refused() {
    assert!(parse("{}").is_none());
    assert!(parse("not json").is_none());
}
