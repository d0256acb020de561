//! A home with a workspace, and calls in it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use argrail_engine::config::NetworkOverrides;
use argrail_engine::policy::{Approval, Basis, Confinement, Egress, Facts, Trust};
use argrail_engine::profile::{Ground, Profile, profile};
use argrail_engine::run::{Error, Order, Ran, Tried, run, tried};
use argrail_sandbox::{Ended, Launcher, Stdin};
use argrail_spec::atip::{Effects, Filesystem, Invoked};
use argrail_testkit::Home;

/// Long enough for anything that ends by itself.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// The launcher that `cargo test -p argrail-engine` builds.
pub(crate) fn launcher() -> Launcher {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = built.join("examples/launcher");
    assert!(
        program.exists(),
        "{program:?} is missing: `cargo test -p argrail-engine` builds it, `--test it` alone does not"
    );
    Launcher::Path(program)
}

/// What a call came to.
pub(crate) struct Done {
    pub(crate) ran: Ran,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) tried: Option<Tried>,
}

impl Done {
    pub(crate) fn exit(&self) -> Option<i32> {
        self.ran.report.ended.code()
    }

    /// What it tried, or all that is known.
    pub(crate) fn told(&self) -> String {
        match &self.tried {
            Some(tried) => tried.message.to_string(),
            None => format!(
                "nothing: {:?} {} {} {:?}",
                self.ran.report.ended, self.stdout, self.stderr, self.ran.report.denials
            ),
        }
    }

    #[track_caller]
    pub(crate) fn assert_ok(&self) {
        assert_eq!(
            self.ran.report.ended,
            Ended::Exit(0),
            "{}{}\n{:?}",
            self.stdout,
            self.stderr,
            self.ran.report
        );
    }
}

/// A home with a workspace, removed when dropped.
pub(crate) struct Place {
    pub(crate) ground: Ground,
    _home: Home,
}

impl Place {
    pub(crate) fn new() -> Self {
        let made = Home::new();
        let root = made.root().canonicalize().unwrap();
        let home = root.join("person");
        let directory = home.join("desk");
        fs::create_dir_all(&directory).unwrap();
        fs::create_dir_all(home.join(".keys")).unwrap();
        fs::write(home.join(".keys/key"), "hunter2\n").unwrap();
        let ground = Ground {
            denied: Vec::new(),
            roots: vec![directory.clone()],
            search: ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from).to_vec(),
            own: vec![home.join(".local/state/argrail")],
            installed: home.join(".local/share/agent-tools/installed"),
            environment: BTreeMap::new(),
            home,
            directory,
        };
        Self { ground, _home: made }
    }

    pub(crate) fn work(&self, path: &str) -> PathBuf {
        self.ground.directory.join(path)
    }

    pub(crate) fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.work(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A program outside the workspace, in a directory of its own.
    pub(crate) fn tool(&self, name: &str, script: &str) -> PathBuf {
        let bin = self.ground.home.join(".local/bin");
        fs::create_dir_all(&bin).unwrap();
        let path = bin.join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.ground.environment.insert(name.into(), value.into());
    }

    pub(crate) fn profile(&self, facts: &Facts, confinement: Confinement, program: &Path) -> Profile {
        profile(facts, confinement, program, &self.ground).unwrap()
    }

    pub(crate) fn order(&self, profile: Profile, argv: &[&str]) -> Order {
        Order {
            argv: argv.iter().map(OsString::from).collect(),
            profile,
            launcher: launcher(),
            stdin: Stdin::Null,
            stdout: Box::new(|_| {}),
            stderr: Box::new(|_| {}),
            timeout: Some(LONG),
            cancel: None,
            owner: None,
            reach: NetworkOverrides::default(),
        }
    }

    /// Runs a call to its end.
    pub(crate) fn call(&self, facts: &Facts, confinement: Confinement, argv: &[&str]) -> Done {
        self.try_call(facts, confinement, argv).unwrap()
    }

    pub(crate) fn try_call(
        &self,
        facts: &Facts,
        confinement: Confinement,
        argv: &[&str],
    ) -> Result<Done, Error> {
        let profile = self.profile(facts, confinement, Path::new(argv[0]));
        let (out, err) = (Arc::<Mutex<Vec<u8>>>::default(), Arc::<Mutex<Vec<u8>>>::default());
        let mut order = self.order(profile.clone(), argv);
        let (to_out, to_err) = (Arc::clone(&out), Arc::clone(&err));
        order.stdout = Box::new(move |bytes| to_out.lock().unwrap().extend_from_slice(bytes));
        order.stderr = Box::new(move |bytes| to_err.lock().unwrap().extend_from_slice(bytes));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let ran = runtime.block_on(run(order))?;
        let text = |bytes: &Mutex<Vec<u8>>| String::from_utf8_lossy(&bytes.lock().unwrap()).into_owned();
        let tried = tried(&ran.report, facts, &profile);
        Ok(Done {
            ran,
            stdout: text(&out),
            stderr: text(&err),
            tried,
        })
    }
}

/// A call of a tool with these effects, on the catalogue's word.
pub(crate) fn settled(tool: &str, effects: Effects) -> Facts {
    Facts {
        invoked: Invoked {
            tool: tool.to_owned(),
            effects,
            ..Invoked::default()
        },
        basis: Basis::Settled,
        origins: indexmap::IndexMap::new(),
        trust: Trust::Accepted,
        egress: Egress::None,
        paths: Vec::new(),
        approval: Approval::default(),
        programs: Vec::new(),
        inner: Vec::new(),
    }
}

/// A call of a tool that says itself what it does.
pub(crate) fn claimed(tool: &str, effects: Effects) -> Facts {
    Facts {
        basis: Basis::Claimed,
        ..settled(tool, effects)
    }
}

/// Effects of something that only reads.
pub(crate) fn reads() -> Effects {
    Effects {
        idempotent: Some(true),
        ..Effects::default()
    }
}

/// Effects of something that writes these paths, or everything in the roots.
pub(crate) fn writes(paths: &[&str]) -> Effects {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    Effects {
        filesystem: Some(Filesystem {
            write: Some(true),
            paths: (!paths.is_empty()).then_some(paths),
            ..Filesystem::default()
        }),
        ..Effects::default()
    }
}
