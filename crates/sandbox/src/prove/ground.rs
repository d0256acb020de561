//! A scratch ground: a home, a workspace, keys, listeners and a process, all of them ours to lose.

use std::fs::{self, DirBuilder, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use rustix::io::FdFlags;

use super::facts::{GroundFacts, SECRET_VARIABLE};
use super::hostile_child::VICTIM_NAME;
use super::smallest_program;
use crate::child::{Child, Command, Output, Stdin};
use crate::launch::PROVER_ARGUMENT;

/// What stands in files that nobody may change.
const AS_IT_WAS: &str = "as it was\n";

/// The lowest number of the descriptor that is left open for children.
const INHERITABLE: i32 = 77;

/// Everything that a hostile child may try to get at. Removed when dropped.
pub(super) struct ProofGround {
    pub(super) facts: GroundFacts,
    closed: TcpListener,
    /// Answers whom the proxy lets through, by being there.
    _open: TcpListener,
    by_path: UnixListener,
    by_name: UnixListener,
    victim: VictimProcess,
    /// The key, open, and not marked to be closed in children.
    _inheritable: OwnedFd,
}

struct VictimProcess {
    _child: Child,
    input: File,
    output: BufReader<File>,
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl ProofGround {
    /// Lays everything out below `temporary`.
    pub(super) fn new(temporary: &Path, launcher: &Path) -> io::Result<Self> {
        let mark = unique();
        let root = temporary.canonicalize()?.join(&mark);
        DirBuilder::new().mode(0o700).create(&root)?;
        // From here on a failure leaves no more behind than a panic would: the guard removes it.
        let guard = GroundCleanup(root.clone());
        let open = TcpListener::bind("127.0.0.1:0")?;
        let closed = TcpListener::bind("127.0.0.1:0")?;
        closed.set_nonblocking(true)?;
        let mut facts = GroundFacts {
            root,
            launcher: launcher.to_owned(),
            secret: format!("secret-of-{mark}"),
            open_port: open.local_addr()?.port(),
            closed_port: closed.local_addr()?.port(),
            mark,
            victim: 0,
            address: 0,
            sole: None,
        };
        lay_out(&facts)?;
        let by_path = UnixListener::bind(facts.socket())?;
        by_path.set_nonblocking(true)?;
        let by_name = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&facts.mark)?)?;
        by_name.set_nonblocking(true)?;
        let victim = VictimProcess::start(&mut facts)?;
        let inheritable = rustix::io::fcntl_dupfd_cloexec(File::open(facts.key())?, INHERITABLE)?;
        rustix::io::fcntl_setfd(&inheritable, FdFlags::empty())?;
        std::mem::forget(guard);
        Ok(Self {
            facts,
            closed,
            _open: open,
            by_path,
            by_name,
            victim,
            _inheritable: inheritable,
        })
    }

    /// Looks whether anything was done to the ground that nobody may do.
    pub(super) fn harm(&mut self) -> Option<String> {
        let facts = &self.facts;
        for (path, content) in contents(facts) {
            if fs::read_to_string(&path).ok().as_deref() != Some(content) {
                return Some(format!("{} is not as it was", path.display()));
            }
        }
        let absent = [
            facts.outside().join("new"),
            facts.work().join("new"),
            facts.absent_start_up(),
            facts.hook(),
            facts.temporary(),
        ];
        if let Some(path) = absent.iter().find(|path| path.symlink_metadata().is_ok()) {
            return Some(format!("{} was made", path.display()));
        }
        let visited = [
            (
                self.closed.accept().is_ok(),
                "the host's loopback port was reached",
            ),
            (
                self.by_path.accept().is_ok(),
                "the host's unix socket was reached by its path",
            ),
            (
                self.by_name.accept().is_ok(),
                "the host's unix socket was reached by its name",
            ),
            (!self.victim.lives(), "a process of the host was killed"),
            (is_held(&self.facts.lock()), "a process was left running"),
        ];
        visited
            .into_iter()
            .find_map(|(was, what)| was.then(|| what.to_owned()))
    }
}

impl Drop for ProofGround {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.facts.temporary());
        let _ = fs::remove_dir_all(&self.facts.root);
    }
}

/// Removes a half-made ground.
struct GroundCleanup(PathBuf);

impl Drop for GroundCleanup {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl VictimProcess {
    fn start(facts: &mut GroundFacts) -> io::Result<Self> {
        let gone = || io::Error::other("the process to be attacked did not start");
        let argv = [
            facts.launcher.as_os_str().to_owned(),
            PROVER_ARGUMENT.into(),
            VICTIM_NAME.into(),
        ];
        let mut child = Command::host(argv, &facts.root)
            .environment([(SECRET_VARIABLE, facts.secret.as_str())])
            .stdin(Stdin::Pipe)
            .stdout(Output::Pipe)
            .spawn()
            .map_err(io::Error::other)?;
        let input = child.stdin.take().ok_or_else(gone)?;
        let mut output = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let (pid, address) = line.trim().split_once(' ').ok_or_else(gone)?;
        facts.victim = pid.parse().map_err(io::Error::other)?;
        facts.address = address.parse().map_err(io::Error::other)?;
        Ok(Self {
            _child: child,
            input,
            output,
        })
    }

    /// Whether it answers.
    fn lives(&mut self) -> bool {
        let mut byte = [0];
        self.input.write_all(b"?").is_ok() && self.output.read_exact(&mut byte).is_ok()
    }
}

fn unique() -> String {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("argrail-proof-{}-{count}-{}", std::process::id(), now.as_nanos())
}

/// What stands in the files that must stay as they are.
fn contents(facts: &GroundFacts) -> [(PathBuf, &str); 5] {
    [
        (facts.key(), &facts.secret),
        (facts.denied_key(), &facts.secret),
        (facts.readme(), AS_IT_WAS),
        (facts.file(), AS_IT_WAS),
        (facts.start_up(), AS_IT_WAS),
    ]
}

fn lay_out(facts: &GroundFacts) -> io::Result<()> {
    for directory in [facts.out(), facts.outside(), facts.work().join(".git/hooks")] {
        fs::create_dir_all(directory)?;
    }
    for (path, content) in contents(facts) {
        fs::create_dir_all(path.parent().unwrap_or(&facts.root))?;
        fs::write(path, content)?;
    }
    symlink(facts.key(), facts.link())?;
    fs::write(facts.program(), smallest_program::bytes())?;
    fs::set_permissions(facts.program(), fs::Permissions::from_mode(0o755))
}

/// Whether somebody holds the lock.
fn is_held(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_err())
}
