//! The three servers that are compared, and how each is started: argrail and two floors.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::client::Client;

/// Where the system's programs are.
pub(crate) const SYSTEM_PATH: &str = "/usr/bin:/bin";

/// One server, as it is started.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    path: PathBuf,
    args: &'static [&'static str],
    home: PathBuf,
    directory: PathBuf,
    /// Where it finds programs; most rows need none.
    search: Option<&'static str>,
}

/// The servers of one run. The home they share is removed with it.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) ours: Program,
    pub(crate) floors: [Program; 2],
    pub(crate) extent: Extent,
    home: PathBuf,
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What a person waits for.
    Short,
    /// What takes many minutes, too.
    Full,
}

/// A server that runs. It is ended when dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) client: Client,
}

impl Programs {
    /// Finds the servers beside the running program; `$ARGRAIL` may name another argrail.
    pub(crate) fn find(extent: Extent) -> io::Result<Self> {
        let own = std::env::current_exe()?;
        let folder = own.parent().unwrap_or(Path::new("."));
        let argrail = std::env::var_os("ARGRAIL").map_or_else(|| folder.join("argrail"), PathBuf::from);
        let home = std::env::temp_dir().join(format!("argrail-bench-{}", std::process::id()));
        fs::create_dir(&home)?;
        let program = |name, path, args| Program {
            name,
            path,
            args,
            home: home.clone(),
            directory: home.clone(),
            search: None,
        };
        Ok(Self {
            ours: program("argrail", argrail, &["serve"]),
            floors: [
                program("raw", folder.join("floor-raw"), &[]),
                program("rmcp", folder.join("floor-rmcp"), &[]),
            ],
            extent,
            home,
        })
    }

    /// Where the children of a run find a home.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The program that is measured.
    pub(crate) fn argrail(&self) -> &Path {
        &self.ours.path
    }

    /// A program that was built with this one.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.floors[0].path.with_file_name(name)
    }

    /// All of them, ours first.
    pub(crate) fn all(&self) -> [&Program; 3] {
        let [raw, rmcp] = &self.floors;
        [&self.ours, raw, rmcp]
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        // A folder that stays behind in the temporary ones does no harm.
        let _ = fs::remove_dir_all(&self.home);
    }
}

impl Program {
    /// Returns it as somebody starts it who has another home, works in `directory` and has the system's programs.
    pub(crate) fn at(&self, home: &Path, directory: &Path) -> Self {
        Self {
            home: home.to_owned(),
            directory: directory.to_owned(),
            search: Some(SYSTEM_PATH),
            ..self.clone()
        }
    }

    /// Lets the home's caller ask as often as it likes: how often is what is measured.
    fn lift_rate(&self) -> io::Result<()> {
        let config = self.home.join(".config/agent-tools/config.json");
        if config.exists() {
            return Ok(());
        }
        fs::create_dir_all(config.parent().unwrap_or(&self.home))?;
        fs::write(config, r#"{"rateLimit": {"requests": 1000000000, "per": "1s"}}"#)
    }

    /// Describes it with further words, and an environment that holds nothing but a home, and a path if it needs one.
    #[expect(
        clippy::disallowed_methods,
        reason = "measures what a user starts; nothing here runs for a user"
    )]
    pub(crate) fn command(&self, more: &[&str]) -> io::Result<Command> {
        self.lift_rate()?;
        let mut command = Command::new(&self.path);
        command
            .args(self.args)
            .args(more)
            .env_clear()
            .env("HOME", &self.home)
            .envs(self.search.map(|search| ("PATH", search)))
            .current_dir(&self.directory);
        Ok(command)
    }

    /// Starts it on pipes.
    pub(crate) fn start(&self) -> io::Result<Server> {
        let mut child = self
            .command(&[])?
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| io::Error::other(format!("cannot start {}: {error}", self.path.display())))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Server {
                child,
                client: Client::new(input, output),
            }),
            _ => Err(io::Error::other("a child without pipes")),
        }
    }
}

impl Server {
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Whatever state it is in, the next one must not share the machine with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
