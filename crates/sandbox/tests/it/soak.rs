//! Many children at once, ended in every way that there is: afterwards nothing of them is left in the host.
//!
//! What a process has open is counted for the process as a whole, so the launches have one to themselves: the test
//! starts this very program again, for the other test alone.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use argrail_sandbox::policy::{Aip29, Anchors};
use argrail_sandbox::{Child, Command, Ended, Launcher, Output, Stdin};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde_json::{Value, json};

use crate::place::LONG;

/// Set in the process that does the launches, to how many there are.
const INSIDE: &str = "ARGRAIL_SOAK_INSIDE";

/// How many launches without a wish of the environment's.
const LAUNCHES: &str = "200";

const AT_ONCE: usize = 16;

#[test]
fn many_children_leave_nothing_behind() {
    let launches = std::env::var("ARGRAIL_SOAK").unwrap_or_else(|_| LAUNCHES.to_owned());
    let output = argrail_testkit::command(std::env::current_exe().unwrap())
        .args(["--exact", "soak::inside", "--test-threads=1", "--nocapture"])
        .env(INSIDE, launches)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

/// The launches. Does nothing in a process that other tests share.
#[test]
fn inside() {
    let Ok(launches) = std::env::var(INSIDE) else {
        return;
    };
    let launches: usize = launches.parse().unwrap();
    let ground = Ground::new();
    let left = || Left::of(&ground);
    let before = left();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= launches {
                        return;
                    }
                    ground.launch(number);
                }
            });
        }
    });
    ground.wait_for_the_killed();
    launcher().dismiss();
    // A thread that was waited for may still be on its very last steps in the kernel, and so may a process whose
    // launcher was killed.
    let deadline = Instant::now() + LONG;
    while left() != before && Instant::now() < deadline {
        std::thread::yield_now();
    }
    assert_eq!(left(), before);
}

fn launcher() -> Launcher {
    Launcher::Path(env!("CARGO_BIN_EXE_argrail-sandbox-launcher").into())
}

/// Where the children live.
struct Ground {
    root: PathBuf,
    anchors: Anchors,
    _tree: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        let tree = tempfile::tempdir().unwrap();
        let root = tree.path().canonicalize().unwrap();
        for directory in ["home", "work"] {
            fs::create_dir(root.join(directory)).unwrap();
        }
        let anchors = Anchors::new(root.join("home"), root.join("work")).unwrap();
        Self {
            root,
            anchors,
            _tree: tree,
        }
    }

    /// Starts a child and ends it, in a way that the number chooses.
    fn launch(&self, number: usize) {
        let nothing = json!({ "allow": false });
        match number % 10 {
            0 => {
                let report = self
                    .command(&["/usr/bin/true"], &nothing, &json!({}))
                    .run()
                    .unwrap();
                assert_eq!(report.ended, Ended::Exit(0));
            }
            1 => {
                let list = json!({ "allow": true, "spawn": ["/bin/sh", "/bin/cat"] });
                let argv = [
                    "/bin/sh",
                    "-c",
                    "(/bin/cat & /bin/cat) & echo $(echo hello | /bin/cat)",
                ];
                let report = self.command(&argv, &list, &json!({})).run().unwrap();
                assert_eq!(report.stdout, b"hello\n");
            }
            2 => {
                let child = self.running(number, &nothing, &json!({}));
                child.cancel().cancel();
                assert!(child.wait().unwrap().cancelled);
            }
            3 => drop(self.running(number, &nothing, &json!({}))),
            4 => {
                let child = self.running(number, &nothing, &json!({ "egress": ["api.test", "*.sub.test"] }));
                child.cancel().cancel();
                assert!(child.wait().unwrap().cancelled);
            }
            5 => {
                let command = self.cat(number, &nothing, &json!({}));
                let child = command.timeout(Duration::from_millis(20)).spawn().unwrap();
                assert!(child.wait().unwrap().timed_out);
            }
            6 => self.kill(number, 0),
            7 => self.kill(number, 1),
            8 => self.kill(number, 2),
            _ => {
                // A directory that is made for a child goes with it, and a program that is not there never comes.
                let write = format!("made-{number}/deep/**");
                let command = |program| self.with(&[program], &nothing, &json!({}), &write);
                assert_eq!(command("/usr/bin/true").run().unwrap().ended, Ended::Exit(0));
                assert!(command("/usr/bin/absent").run().is_err());
            }
        }
    }

    fn command(&self, argv: &[&str], exec: &Value, network: &Value) -> Command {
        self.with(argv, exec, network, "**")
    }

    fn with(&self, argv: &[&str], exec: &Value, network: &Value, write: &str) -> Command {
        let block = json!({ "network": network, "fs": { "write": [write] }, "exec": exec, "env": {} });
        let policy = serde_json::from_value::<Aip29>(block)
            .unwrap()
            .into_policy(&self.anchors)
            .unwrap();
        Command::confined(argv, policy, self.anchors.clone())
            .launcher(launcher())
            // Nothing here is deaf, so it never runs out, however long a child waits for its turn.
            .grace(LONG)
    }

    /// A child that reads until its input ends, which it does not.
    fn cat(&self, number: usize, exec: &Value, network: &Value) -> Command {
        let argv = ["/bin/cat", "-", &self.mark(number)];
        self.command(&argv, exec, network)
            .stdin(Stdin::Pipe)
            .stdout(Output::Pipe)
    }

    /// The same, when it has been heard of.
    fn running(&self, number: usize, exec: &Value, network: &Value) -> Child {
        let mut child = self.cat(number, exec, network).spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        child
    }

    /// Kills a child from outside: the program, its init above it, or the launcher above that.
    fn kill(&self, number: usize, above: usize) {
        let child = self.running(
            number,
            &json!({ "allow": false }),
            &json!({ "egress": ["api.test"] }),
        );
        let mut pid = *processes_with(&self.mark(number)).first().unwrap();
        for _ in 0..above {
            pid = parent(pid);
        }
        // It cannot be reaped, and its number cannot be another's, before what is above it is gone.
        let process = pidfd_open(Pid::from_raw(pid).unwrap(), PidfdFlags::empty()).unwrap();
        pidfd_send_signal(&process, Signal::KILL).unwrap();
        assert_eq!(child.wait().unwrap().ended, Ended::Signal(9));
    }

    /// What stands in a child's arguments.
    fn mark(&self, number: usize) -> String {
        format!("{}/mark-{number}-", self.root.display())
    }

    /// Waits for processes whose launcher was killed: nobody above them waited.
    fn wait_for_the_killed(&self) {
        for pid in processes_with(&format!("{}/mark-", self.root.display())) {
            let Ok(process) = pidfd_open(Pid::from_raw(pid).unwrap(), PidfdFlags::empty()) else {
                continue;
            };
            let patience = Timespec {
                tv_sec: LONG.as_secs().try_into().unwrap(),
                tv_nsec: 0,
            };
            let ended = poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&patience)).unwrap();
            assert_eq!(ended, 1, "process {pid} outlives its launcher");
        }
    }
}

/// What a host has, and should have as much of afterwards.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    descriptors: BTreeSet<String>,
    threads: usize,
    /// Zombies too.
    children: Vec<i32>,
    mounts: String,
    files: Vec<PathBuf>,
    strays: Vec<i32>,
}

impl Left {
    fn of(ground: &Ground) -> Self {
        let names = |path: &str| {
            fs::read_dir(path)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect::<Vec<_>>()
        };
        // The directory that is read is open too, at a number that is free before and after.
        let descriptors = names("/proc/self/fd");
        // Another test of this binary may have left us a descriptor on purpose, and removes its file meanwhile.
        let described = |path: &PathBuf| {
            let to = fs::read_link(path).ok()?.display().to_string();
            let to = to.strip_suffix(" (deleted)").unwrap_or(&to).to_owned();
            Some(format!("{} {to}", path.display()))
        };
        let own = i32::try_from(std::process::id()).unwrap();
        let mut files = Vec::new();
        walk(&ground.root, &mut files);
        Self {
            descriptors: descriptors.iter().filter_map(described).collect(),
            threads: names("/proc/self/task").len(),
            children: processes()
                .into_iter()
                .filter(|pid| parent(*pid) == own)
                .collect(),
            mounts: fs::read_to_string("/proc/self/mountinfo").unwrap(),
            files,
            strays: processes_with(&ground.root.to_string_lossy()),
        }
    }
}

fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        }
        found.push(path);
    }
    found.sort();
}

fn processes() -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// The processes that have a text in their arguments.
fn processes_with(text: &str) -> Vec<i32> {
    let has = |pid: &i32| {
        fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(text))
    };
    processes().into_iter().filter(has).collect()
}

/// The parent of a process; 0 when it is gone.
fn parent(pid: i32) -> i32 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name before it is in parentheses and may hold anything.
    let after = stat.rsplit(')').next().unwrap_or_default();
    after
        .split_whitespace()
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or_default()
}
