//! What an attack is made on: a home, a host user and a policy; and what is said about how it went.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use argrail_testkit::{Child, Home, Run, Terminal};
use serde_json::Value;

use super::policy::Policy;
use super::programs;

/// A user that exists on no machine, in whose name the plain host runs.
const PLAIN: u32 = 61_234;

/// The policy, below the home's root.
const POLICY: &str = "policy.yaml";

/// The user that runs argrail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    /// The tests' own user, which is not root.
    Ourselves,
    /// Root, as agents in containers often are.
    Root,
    /// A plain user, when the tests run as root.
    Plain,
}

impl Host {
    /// Whoever runs the tests, for what does not depend on the user.
    pub(crate) fn here() -> Self {
        if rustix::process::geteuid().is_root() {
            Self::Root
        } else {
            Self::Ourselves
        }
    }

    /// The number of the user.
    pub(super) fn uid(self) -> u32 {
        match self {
            Self::Ourselves => rustix::process::geteuid().as_raw(),
            Self::Root => 0,
            Self::Plain => PLAIN,
        }
    }

    /// The number of its group.
    pub(super) fn gid(self) -> u32 {
        match self {
            Self::Ourselves => rustix::process::getegid().as_raw(),
            Self::Root => 0,
            Self::Plain => PLAIN,
        }
    }
}

/// Runs a test once for each user that argrail may run as here.
pub(crate) fn each_host(body: impl Fn(Host)) {
    if rustix::process::geteuid().is_root() {
        body(Host::Root);
        body(Host::Plain);
    } else {
        body(Host::Ourselves);
    }
}

/// A home that belongs to the host user, and the programs beside it.
pub(crate) struct Target {
    host: Host,
    home: Home,
    /// Descriptors that argrail inherits: number and file.
    leaks: Vec<(i32, PathBuf)>,
    /// Where servers answer on this machine's own addresses, in a network that it alone has.
    own: Vec<String>,
    options: Vec<String>,
}

impl Target {
    /// Makes a home for the host user.
    pub(crate) fn new(host: Host) -> Self {
        let home = Home::new();
        programs::put_into(home.root());
        Self {
            host,
            home,
            leaks: Vec::new(),
            own: Vec::new(),
            options: Vec::new(),
        }
    }

    /// Writes a file below the home's root, with its directories: `work/…`, `home/…`.
    pub(crate) fn file(self, relative: &str, text: &str) -> Self {
        let path = self.home.root().join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Puts an executable script on `PATH`.
    pub(crate) fn tool(mut self, name: &str, script: &str) -> Self {
        self.home = self.home.tool(name, script);
        self
    }

    /// Makes a directory below the home's root.
    pub(crate) fn directory(self, relative: &str) -> Self {
        fs::create_dir_all(self.home.root().join(relative)).unwrap();
        self
    }

    /// Makes a symlink below the home's root.
    pub(crate) fn link(self, relative: &str, to: impl AsRef<Path>) -> Self {
        std::os::unix::fs::symlink(to, self.home.root().join(relative)).unwrap();
        self
    }

    /// Sets a variable of argrail's environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.home = self.home.env(name, value);
        self
    }

    /// Lets argrail inherit a file or directory, open for reading, at this number.
    pub(super) fn leak(mut self, number: i32, relative: &str) -> Self {
        self.leaks.push((number, self.home.root().join(relative)));
        self
    }

    /// Gives the machine an address of its own, with a server on it: argrail runs in a network where it has no others.
    pub(super) fn own_address(mut self, address: &str) -> Self {
        self.own.push(address.to_owned());
        self
    }

    /// Adds an option of `argrail sandbox`.
    pub(super) fn option(mut self, option: &str) -> Self {
        self.options.push(option.to_owned());
        self
    }

    /// The user that runs argrail.
    pub(crate) fn host(&self) -> Host {
        self.host
    }

    /// The home, for what the methods here do not offer.
    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// The absolute path of something below the home's root.
    pub(crate) fn path(&self, relative: &str) -> String {
        self.home.root().join(relative).to_str().unwrap().to_owned()
    }

    /// What a file below the home's root holds; nothing if it is not there.
    pub(crate) fn text(&self, relative: &str) -> Option<String> {
        fs::read_to_string(self.home.root().join(relative)).ok()
    }

    /// The hostile child, to be named in a command line.
    pub(crate) fn hostile(&self) -> String {
        self.path("programs/hostile")
    }

    /// Runs any command line under a policy, and reads the envelope.
    pub(super) fn run(&self, policy: &Policy, argv: &[&str]) -> Outcome {
        Outcome::of(self.spawn(policy, argv).finish(), self.host, policy, argv)
    }

    /// Starts any command line under a policy, with `--json`.
    pub(super) fn spawn(&self, policy: &Policy, argv: &[&str]) -> Child {
        let words = self.words(policy, &["--json"], argv);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.home.spawn(self.hostile(), &words)
    }

    /// Starts any command line under a policy, on a terminal and without `--json`.
    pub(super) fn on_terminal(&self, policy: &Policy, argv: &[&str]) -> Terminal {
        let words = self.words(policy, &[], argv);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.home.spawn_on_terminal(self.hostile(), &words)
    }

    /// Sees that an attack is stopped.
    #[track_caller]
    pub(super) fn held(&self, policy: &Policy, attack: &[&str]) -> Outcome {
        let outcome = self.attack(policy, attack);
        let stopped = outcome.exit() == Some(0) && outcome.stdout().starts_with("blocked: ");
        assert!(stopped, "not stopped: {outcome}");
        outcome
    }

    /// Sees that an act goes through where it is granted.
    #[track_caller]
    pub(super) fn allowed(&self, policy: &Policy, attack: &[&str]) -> Outcome {
        let outcome = self.attack(policy, attack);
        let through = outcome.exit() == Some(1) && outcome.stdout().starts_with("ESCAPED: ");
        assert!(through, "should have been allowed: {outcome}");
        outcome
    }

    /// Sees that nothing is started, for a reason that lies in this field of the policy.
    #[track_caller]
    pub(super) fn refused(&self, policy: &Policy, attack: &[&str], field: &str) -> Outcome {
        let outcome = self.attack(policy, attack);
        let named = outcome.envelope.pointer("/error/field").and_then(Value::as_str);
        let refused = outcome.run.exit == Some(6) && named == Some(field);
        assert!(refused, "not refused for {field}: {outcome}");
        outcome
    }

    /// Runs the hostile child as the host user without any sandbox, and sees that the act goes through there.
    #[track_caller]
    pub(super) fn outside(&self, attack: &[&str]) -> Run {
        self.own();
        let program = self.hostile();
        let mut words = self.start_words();
        words.push(program.clone());
        words.extend(attack.iter().map(|word| (*word).to_owned()));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = self.home.run(&program, &words);
        let through = run.exit == Some(1) && run.stdout.starts_with("ESCAPED: ");
        assert!(
            through,
            "{:?}: {attack:?} fails even without a sandbox:\n{run}",
            self.host
        );
        run
    }

    /// Starts a process of the host user without any sandbox: it repeats each line that it is given.
    pub(super) fn bystander(&self) -> Child {
        self.own();
        let mut words = self.start_words();
        words.push("/bin/cat".to_owned());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.home.spawn(self.hostile(), &words)
    }

    /// Runs the hostile child under a policy.
    pub(super) fn attack(&self, policy: &Policy, attack: &[&str]) -> Outcome {
        let program = self.hostile();
        let argv: Vec<&str> = [program.as_str()]
            .into_iter()
            .chain(attack.iter().copied())
            .collect();
        self.run(policy, &argv)
    }

    /// Runs the hostile child under a policy and leaves the home to whom it belongs, for a test that changes it at the
    /// same time.
    pub(super) fn attack_as_is(&self, policy: &Policy, attack: &[&str]) -> Outcome {
        let program = self.hostile();
        let argv: Vec<&str> = [program.as_str()]
            .into_iter()
            .chain(attack.iter().copied())
            .collect();
        let words = self.argrail(&["--json"], &argv);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Outcome::of(self.home.run(self.hostile(), &words), self.host, policy, &argv)
    }

    /// The words after `hostile` that start argrail as the host user.
    fn words(&self, policy: &Policy, more: &[&str], argv: &[&str]) -> Vec<String> {
        fs::write(self.path(POLICY), policy.to_string()).unwrap();
        self.own();
        self.argrail(more, argv)
    }

    fn argrail(&self, more: &[&str], argv: &[&str]) -> Vec<String> {
        let mut words = self.start_words();
        words.extend([self.path("programs/argrail"), "sandbox".to_owned()]);
        words.extend(more.iter().map(|word| (*word).to_owned()));
        words.extend(["--policy".to_owned(), self.path(POLICY)]);
        words.extend(self.options.iter().cloned());
        words.push("--".to_owned());
        words.extend(argv.iter().map(|word| (*word).to_owned()));
        words
    }

    /// The words after `hostile` that start a program as the host user.
    pub(crate) fn start_words(&self) -> Vec<String> {
        let mut words = vec!["start".to_owned()];
        if self.host == Host::Plain {
            words.extend(["--user".to_owned(), PLAIN.to_string()]);
        }
        for (number, path) in &self.leaks {
            words.extend(["--open".to_owned(), format!("{number}={}", path.display())]);
        }
        for address in &self.own {
            words.extend(["--own".to_owned(), address.clone()]);
        }
        words.push("--".to_owned());
        words
    }

    /// Gives the home to the host user: all but the programs, and but what is set-user-id, which would cease to be.
    pub(crate) fn own(&self) {
        if self.host == Host::Plain {
            give(self.home.root(), true);
        }
    }
}

fn give(path: &Path, is_root: bool) {
    let meta = fs::symlink_metadata(path).unwrap();
    let mode = meta.permissions().mode();
    if meta.uid() == 0 && (meta.is_symlink() || mode & 0o6000 == 0) {
        lchown(path, Some(PLAIN), Some(PLAIN)).unwrap();
    }
    if meta.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            let entry = entry.unwrap();
            if !(is_root && entry.file_name() == programs::DIRECTORY) {
                give(&entry.path(), false);
            }
        }
    }
}

/// How one run went: argrail's own exit and output, and its envelope.
pub(super) struct Outcome {
    /// What argrail showed.
    pub(super) run: Run,
    /// Its answer.
    pub(super) envelope: Value,
    about: String,
}

impl Outcome {
    fn of(run: Run, host: Host, policy: &Policy, argv: &[&str]) -> Self {
        let envelope = run.json();
        let about = format!("{argv:?}\nhost: {host:?}\npolicy:\n{policy}");
        Self { run, envelope, about }
    }

    /// The child's exit number, if it ran and no signal ended it.
    pub(super) fn exit(&self) -> Option<i64> {
        self.data("exit").as_i64()
    }

    /// What the child wrote.
    pub(super) fn stdout(&self) -> &str {
        self.data("stdout").as_str().unwrap_or_default()
    }

    /// One field of the report; null when there is none.
    pub(super) fn data(&self, field: &str) -> &Value {
        const NULL: &Value = &Value::Null;
        self.envelope
            .get("data")
            .and_then(|data| data.get(field))
            .unwrap_or(NULL)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.about, self.run)
    }
}
