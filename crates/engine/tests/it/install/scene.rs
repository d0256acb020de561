//! A home, a bundle, a server, and installations between them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use argrail_engine::config::{Loopback, NetworkOverrides};
use argrail_engine::places::Places;
use argrail_engine::ready::install::{
    Family, InstallError, Installed, Machine, Plan, Progress, Rights, Site, Wishes, install, plan, receipt,
};
use argrail_sandbox::Launcher;
use argrail_spec::bundle::{Bundle, Files, load};
use argrail_spec::cli_md::{Arch, Os};
use argrail_testkit::{Home, Web};

/// The launcher that `cargo test -p argrail-engine` builds.
fn launcher() -> Launcher {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(|deps| deps.parent()).unwrap();
    Launcher::Path(built.join("examples/launcher"))
}

/// A program that is version 2.1.0, or another.
pub(crate) fn program(version: &str) -> String {
    format!("#!/bin/sh\necho \"tool version {version}\"\n")
}

pub(crate) fn hash(bytes: impl AsRef<[u8]>) -> String {
    argrail_spec::digest::Digest::of(bytes)
        .to_string()
        .replace("sha256:", "")
}

/// Remembers what was done.
#[derive(Debug, Default)]
pub(crate) struct Steps(pub(crate) Mutex<Vec<String>>);

impl Progress for Steps {
    fn step(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }

    fn bytes(&self, _: u64, _: Option<u64>) {}
}

/// Everything that an installation needs.
pub(crate) struct Scene {
    pub(crate) home: Home,
    pub(crate) web: Web,
    pub(crate) places: Places,
    pub(crate) environment: BTreeMap<OsString, OsString>,
    pub(crate) search: Vec<PathBuf>,
    pub(crate) reach: NetworkOverrides,
    pub(crate) machine: Machine,
    pub(crate) wishes: Wishes,
    launcher: Launcher,
    root: PathBuf,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let home = Home::new();
        let root = home.root().to_owned();
        let places = Places::new(|name| match name {
            "HOME" => Some(root.join("home").into()),
            "XDG_DATA_HOME" => Some(root.join("data").into()),
            "XDG_CACHE_HOME" => Some(root.join("cache").into()),
            _ => None,
        });
        Self {
            places: places.unwrap(),
            web: Web::new(),
            environment: BTreeMap::new(),
            search: vec![home.bin()],
            reach: NetworkOverrides {
                resolve: Vec::new(),
                loopback: Loopback::Allowed,
            },
            machine: Machine {
                os: Some(Os::Linux),
                arch: Some(Arch::X64),
                family: Some(Family::Debian),
                rights: Rights::User,
                free_disk_mb: None,
                memory_mb: None,
                root: root.join("work"),
            },
            wishes: Wishes::default(),
            launcher: launcher(),
            root: home.work(),
            home,
        }
    }

    /// The folder of the bundle.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A file of the bundle that can be started.
    pub(crate) fn file(&self, path: &str, text: &str) {
        executable(&self.root().join(path), text);
    }

    /// A program on the search path.
    pub(crate) fn tool(&self, name: &str, text: &str) {
        executable(&self.home.bin().join(name), text);
    }

    pub(crate) fn plan(&self, install: &str) -> Plan {
        let bundle = bundle(install);
        plan(&self.site(&bundle), &self.wishes)
    }

    /// Plans and installs; says what was done, too.
    pub(crate) fn install(&self, entries: &str) -> (Result<Installed, InstallError>, Vec<String>) {
        self.install_bundle(&bundle(entries))
    }

    pub(crate) fn install_bundle(&self, bundle: &Bundle) -> (Result<Installed, InstallError>, Vec<String>) {
        let site = self.site(bundle);
        let steps = Steps::default();
        let done = install(&site, &plan(&site, &self.wishes), &steps, None);
        (done, steps.0.into_inner().unwrap())
    }

    pub(crate) fn site<'s>(&'s self, bundle: &'s Bundle) -> Site<'s> {
        Site {
            packaged: (&bundle.cli).into(),
            root: &self.root,
            places: &self.places,
            launcher: &self.launcher,
            environment: &self.environment,
            home: self.places.home(),
            search: &self.search,
            reach: &self.reach,
            machine: &self.machine,
        }
    }

    pub(crate) fn receipt(&self) -> Option<Installed> {
        receipt(&self.places, "tool@1")
    }

    /// What is in the folder of the bundle's programs, without locks and the receipt.
    pub(crate) fn shelf(&self) -> Vec<String> {
        let entries = fs::read_dir(self.places.installed().join("tool@1"))
            .into_iter()
            .flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names
            .filter(|name| {
                !name.ends_with(".lock") && !["receipt.json", "seen.json"].contains(&name.as_str())
            })
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn executable(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A bundle with these ways to install.
pub(crate) fn bundle(install: &str) -> Bundle {
    bundle_of("tool", ">=2 <3", install)
}

pub(crate) fn bundle_of(bin: &str, range: &str, install: &str) -> Bundle {
    let entries: String = install
        .lines()
        .map(|line| format!("  - {}\n", line.trim()))
        .collect();
    let text = format!(
        "---\nname: Tool\nid: tool\ndescription: A tool.\nversion: 1.2.0\nbin: {bin}\ninstall:\n{entries}\
         version_check:\n  cmd: tool --version\n  parse: 'tool version (\\S+)'\n  range: \"{range}\"\n\
         sandbox:\n  network: {{ egress: [] }}\n  fs: {{ read: [], write: [], deny: [] }}\n  exec: {{ allow: false }}\n  env: {{ pass: [], set: {{}} }}\n\
         commands: {{}}\n---\n# Tool\n"
    );
    let mut files = Files::default();
    files.text("CLI.md", text.clone());
    files.other("bin/tool");
    load(None, &files).unwrap()
}
