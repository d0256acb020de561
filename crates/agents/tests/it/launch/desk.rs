//! A home of one user with an agent in a folder, and a host process that starts it: `examples/start_agent`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use argrail_testkit::{Home, command};

/// A user that is not root.
const PLAIN: u32 = 1000;

/// Who the host process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum User {
    /// Whoever runs the tests.
    Ourselves,
    /// A plain user, when the tests run as root.
    Plain,
}

/// Runs a test once for each user that there is.
pub(super) fn each_user(body: impl Fn(User)) {
    body(User::Ourselves);
    if rustix::process::geteuid().is_root() {
        body(User::Plain);
    }
}

/// The sandbox that most tests use: the workspace, one host, one variable.
pub(super) const SANDBOX: &str = r#"
sandbox:
  provider: local
  config: {}
  mounts:
    - { source: workspace, at: /workspace, mode: read-write }
  network: { egress: [model.test] }
  env: { passthrough: [PROBE_SEEN, PROBE_UNSET] }
"#;

const PROFILE: &str = r#"---
name: probe
id: probe-acp
description: How the probe would speak.
version: 1.0.0
kind: client
transport: stdio
metadata: { aip44: { acp_rev: e56562e7fed20a020b4dbbb074786a57b87326a3, tier: basic } }
---
"#;

/// A home with an agent.
pub(super) struct Desk {
    pub(super) home: Home,
    user: User,
}

impl Desk {
    /// Makes the home of a user, with an agent whose words are `args` and whose sandbox is `sandbox`.
    pub(super) fn new(user: User, args: &[&str], sandbox: &str) -> Self {
        let desk = Self {
            home: Home::new(),
            user,
        };
        let args = serde_json::to_string(args).unwrap();
        let manifest = format!(
            r#"---
name: probe
id: probe
description: Tells what it was given.
version: 1.0.0
bin: bin/probe
bin_args: {args}
install: [{{ method: vendored, path: bin/probe }}]
version_check: {{ cmd: "probe --version", parse: 'probe (\S+)', range: ">=1" }}
auth: {{ state: {{ env: [PROBE_KEY] }} }}
{sandbox}
protocol: acp
acp: ./ACP.md
env_unset: [PROBE_UNSET]
modes:
  - {{ id: second, bin_args_append: [second], env: {{ PROBE_MODE: second }} }}
  - {{ id: yolo, bin_args_append: [yolo] }}
metadata: {{ argrail: {{ env: {{ PROBE_ALWAYS: "1", PROBE_MODE: first }} }} }}
---
"#
        );
        let folder = desk.home.root().join("agents/probe");
        fs::create_dir_all(folder.join("bin")).unwrap();
        fs::write(folder.join("AGENT-CLI.md"), manifest).unwrap();
        fs::write(folder.join("ACP.md"), PROFILE).unwrap();
        // By another process: a file that this one has open for writing cannot be started by a child of any test.
        copy(&example("probe_agent"), &folder.join("bin/probe"));
        copy(&example("start_agent"), &desk.host());
        desk
    }

    /// Writes a file below the root of the home: `work/…`, `home/…`.
    pub(super) fn file(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.home.root().join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Makes the agent's program a script whose interpreter is found by the user's own search path alone.
    pub(super) fn behind_an_interpreter(self) -> Self {
        let root = self.home.root();
        fs::create_dir(root.join("tools")).unwrap();
        let program = root.join("agents/probe/bin/probe");
        copy(&program, &root.join("tools/probe-runtime"));
        fs::write(&program, "#!/usr/bin/env probe-runtime\n").unwrap();
        self
    }

    fn host(&self) -> PathBuf {
        self.home.root().join("host")
    }

    /// Starts the host, which starts the agent. Everything in the home is then the user's.
    pub(super) fn start(&self, mode: &[&str]) -> Child {
        let root = self.home.root();
        let at = |name: &str| root.join(name);
        let mut host = command(self.host());
        host.arg(at("agents/probe"))
            .args(mode)
            .env_clear()
            .env("HOME", at("home"))
            .env("PATH", format!("{}:/usr/bin:/bin", at("tools").display()))
            .env("TMPDIR", at("tmp"))
            .env("XDG_DATA_HOME", at("data"))
            .env("XDG_CONFIG_HOME", at("config"))
            .env("PROBE_SEEN", "seen")
            .env("PROBE_UNSET", "never")
            .env("PROBE_KEY", "a-key-of-nobody")
            .env("PROBE_OTHER", "never")
            .env("SSH_AUTH_SOCK", "/never")
            .current_dir(at("work"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if self.user == User::Plain {
            fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
            give(root);
            host.uid(PLAIN).gid(PLAIN);
        }
        host.spawn().unwrap()
    }

    /// Runs the host to its end, and returns what it and the agent wrote.
    pub(super) fn run(&self, mode: &[&str]) -> (String, String) {
        let output = self.start(mode).wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    }
}

fn give(path: &Path) {
    chown(path, Some(PLAIN), Some(PLAIN)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path());
        }
    }
}

fn copy(from: &Path, to: &Path) {
    let done = command("cp").arg(from).arg(to).status().unwrap();
    assert!(done.success());
}

/// A program that `cargo test -p argrail-agents` builds.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(Path::parent).unwrap();
    let program = built.join("examples").join(name);
    assert!(
        program.exists(),
        "{program:?} is missing: `cargo test -p argrail-agents` builds it, `--test it` alone does not"
    );
    program
}
