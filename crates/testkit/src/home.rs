//! A hermetic home for one test: nothing of the machine's user gets in, nothing stays behind.
//!
//! Own `HOME`, own XDG directories, own `PATH`, own work directory, a cleared environment. Names are
//! unique, so tests run side by side; the whole tree is removed when the value is dropped.

use crate::child::Child;
use crate::process;
use crate::run::Run;
use crate::screen::{Screen, Size};
use crate::terminal::Terminal;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// How long a child may live unless the test says otherwise. Only a test that fails waits for it.
const LIMIT: Duration = Duration::from_secs(300);

/// The variables that point into the home, and the directory each one names.
const DIRECTORIES: &[(&str, &str)] = &[
    ("HOME", "home"),
    ("PATH", "bin"),
    ("TMPDIR", "tmp"),
    ("XDG_CACHE_HOME", "cache"),
    ("XDG_CONFIG_DIRS", "etc"),
    ("XDG_CONFIG_HOME", "config"),
    ("XDG_DATA_DIRS", "share"),
    ("XDG_DATA_HOME", "data"),
    ("XDG_RUNTIME_DIR", "run"),
    ("XDG_STATE_HOME", "state"),
];

/// A temporary home with its environment.
pub struct Home {
    root: PathBuf,
    env: Vec<(OsString, OsString)>,
    limit: Duration,
    /// Removes the tree on drop.
    _tree: TempDir,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// Makes an empty home under the system's temporary directory.
    ///
    /// # Panics
    ///
    /// If it cannot be made; the other methods panic likewise when the disk fails them.
    pub fn new() -> Self {
        let tree = tempfile::Builder::new()
            .prefix("argrail-")
            .tempdir()
            .expect("a temporary directory can be made");
        // Programs print real paths, and on some systems the temporary directory is a symlink.
        let root = tree
            .path()
            .canonicalize()
            .expect("the new directory has a real path");
        let mut env = vec![("LANG".into(), "C.UTF-8".into()), ("TZ".into(), "UTC".into())];
        for (variable, name) in DIRECTORIES {
            env.push((variable.into(), make_directory(&root.join(name)).into()));
        }
        make_directory(&root.join("work"));
        Self {
            root,
            env,
            limit: LIMIT,
            _tree: tree,
        }
    }

    /// Puts an executable `script` on `PATH`. It starts with `#!` and an absolute path, because
    /// nothing of the system is on `PATH`.
    pub fn tool(self, name: &str, script: &str) -> Self {
        assert!(
            script.starts_with("#!/"),
            "the script of '{name}' must start with #! and an absolute path"
        );
        let path = self.bin().join(name);
        if let Err(error) = process::write_executable(&path, script) {
            panic!("cannot write {}: {error}", path.display());
        }
        self
    }

    /// Writes a file below the work directory, with the folders it needs.
    pub fn file(self, relative: &str, text: &str) -> Self {
        write(&self.work().join(relative), text);
        self
    }

    /// Writes `$XDG_CONFIG_HOME/agent-tools/config.json`.
    pub fn config(self, json: &str) -> Self {
        write(&self.root.join("config/agent-tools/config.json"), json);
        self
    }

    /// Sets one more environment variable for the children.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }

    /// Sets how long a child may live before the watchdog kills it: five minutes unless set.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Returns the directory that holds all the others. `Run`'s `Display` writes it `[root]`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the directory in which children start.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Returns the configuration file that [`Home::config`] writes.
    pub fn config_file(&self) -> PathBuf {
        self.root.join("config/agent-tools/config.json")
    }

    /// Returns `$XDG_STATE_HOME`.
    pub fn state(&self) -> PathBuf {
        self.root.join("state")
    }

    /// Returns the only directory on `PATH`.
    pub fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// Runs `bin` to its end with an empty standard input.
    ///
    /// A bare name is looked up on the home's `PATH`.
    ///
    /// # Panics
    ///
    /// If it cannot be started, or does not end in time.
    pub fn run(&self, bin: impl AsRef<OsStr>, args: &[&str]) -> Run {
        self.spawn(bin, args).finish()
    }

    /// Runs `bin` to its end with `input` on standard input.
    ///
    /// # Panics
    ///
    /// If it cannot be started, or does not end in time.
    pub fn run_with_input(&self, bin: impl AsRef<OsStr>, args: &[&str], input: impl AsRef<[u8]>) -> Run {
        let mut child = self.spawn(bin, args);
        child.feed(input.as_ref().to_vec());
        child.wait()
    }

    /// Starts `bin` and returns it running.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    pub fn spawn(&self, bin: impl AsRef<OsStr>, args: &[&str]) -> Child {
        Child::start(self.command(bin, args), &self.root.to_string_lossy(), self.limit)
    }

    /// Starts `bin` on a terminal of its own.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    pub fn spawn_on_terminal(&self, bin: impl AsRef<OsStr>, args: &[&str]) -> Terminal {
        Terminal::start(self.command(bin, args), self.limit)
    }

    /// Starts `bin` in a session of its own, at a terminal of this size whose screen can be looked at.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    pub fn spawn_on_screen(&self, bin: impl AsRef<OsStr>, args: &[&str], size: Size) -> Screen {
        Screen::start(&self.command(bin, args), size, self.limit)
    }

    fn command(&self, bin: impl AsRef<OsStr>, args: &[&str]) -> Command {
        let mut command = process::command(bin);
        command
            .args(args)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.work());
        command
    }
}

/// Makes a directory that only its owner may enter, as `XDG_RUNTIME_DIR` must be, and returns it.
fn make_directory(path: &Path) -> PathBuf {
    let made =
        fs::create_dir(path).and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o700)));
    if let Err(error) = made {
        panic!("cannot make {}: {error}", path.display());
    }
    path.to_owned()
}

fn write(path: &Path, text: &str) {
    let folder = path.parent().expect("a file in the home has a folder");
    if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(path, text)) {
        panic!("cannot write {}: {error}", path.display());
    }
}
