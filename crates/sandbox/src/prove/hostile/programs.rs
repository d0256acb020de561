//! Starting what may not be started.

use std::ffi::{CStr, CString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::pipe::{PipeFlags, pipe_with};

use super::super::attempt::{ActResults, AttemptPolicy, EscapeAttempt, HostileAct, allowed};
use super::super::facts::GroundFacts;
use super::super::smallest_program::{RAN_EXIT_CODE, bytes};
use crate::launch::{NOTHING_ATTEMPT, PROVER_ARGUMENT};
use crate::sys::hostile;
use crate::sys::process::{self, ForkSide};

/// Programs that most machines have, and that end well when there is nothing to read.
const USUAL: &[&str] = &["/usr/bin/env", "/bin/cat", "/usr/bin/id", "/bin/ls"];

pub(super) const ATTEMPTS: &[EscapeAttempt] = &[
    EscapeAttempt {
        name: "run-program",
        attempted: "become another program where none may be started",
        setting: AttemptPolicy::Files,
        // Where it succeeds, nothing is said: the program ends with its own number.
        run: |facts| {
            Ok(vec![HostileAct::new(
                "execve",
                Err::<(), _>(hostile::execve(&name(facts.program()), None)),
            )])
        },
    },
    EscapeAttempt {
        name: "fork",
        attempted: "fork where no program may be started",
        setting: AttemptPolicy::Files,
        run: |_| {
            let forked = hostile::fork_and_exit(RAN_EXIT_CODE);
            let thread = std::thread::Builder::new()
                .spawn(|| ())
                .and_then(|thread| thread.join().map_err(|_| io::Error::other("it ended badly")));
            allowed("have a thread", thread)?;
            Ok(vec![HostileAct::new("fork", forked)])
        },
    },
    EscapeAttempt {
        name: "run-unlisted-program",
        attempted: "run a program that is not on the list",
        setting: AttemptPolicy::Programs,
        run: |facts| {
            listed_runs(facts)?;
            Ok(vec![HostileAct::new(
                "run it",
                runs(facts, RAN_EXIT_CODE, || {
                    hostile::execve(&name(facts.program()), None)
                }),
            )])
        },
    },
    EscapeAttempt {
        name: "run-copied-program",
        attempted: "copy a program to a writable directory and run it",
        setting: AttemptPolicy::Programs,
        run: |facts| {
            listed_runs(facts)?;
            let mut acts = Vec::new();
            for directory in [facts.out(), "/tmp".into(), "/dev/shm".into()] {
                let copy = directory.join(format!("{}-program", facts.mark));
                acts.push(HostileAct::new(
                    directory.display().to_string(),
                    run_copy(facts, &copy),
                ));
                let _ = fs::remove_file(copy);
            }
            Ok(acts)
        },
    },
    EscapeAttempt {
        name: "run-from-memory",
        attempted: "run a program from a file in memory",
        setting: AttemptPolicy::Programs,
        run: |facts| {
            listed_runs(facts)?;
            Ok(vec![
                HostileAct::new("plain", run_memory(facts, MemfdFlags::empty())),
                HostileAct::new("executable", run_memory(facts, MemfdFlags::EXEC)),
                HostileAct::new("sealed", run_memory(facts, MemfdFlags::NOEXEC_SEAL)),
            ])
        },
    },
    EscapeAttempt {
        name: "run-through-loader",
        attempted: "run an unlisted program through the dynamic loader (ld.so)",
        setting: AttemptPolicy::Programs,
        run: through_loader,
    },
];

/// The program that is on the list starts.
fn listed_runs(facts: &GroundFacts) -> Result<(), String> {
    let start = || {
        let words = [
            facts.launcher.as_os_str().as_bytes(),
            PROVER_ARGUMENT.as_bytes(),
            NOTHING_ATTEMPT.as_bytes(),
        ];
        let argv = words.map(|word| CString::new(word).unwrap_or_default());
        match File::open(&facts.launcher) {
            Ok(program) => process::exec(program, &argv, &[], 0),
            Err(error) => error,
        }
    };
    allowed("run the program on the list", runs(facts, 0, start))
}

fn run_copy(facts: &GroundFacts, copy: &Path) -> io::Result<()> {
    fs::write(copy, bytes())?;
    fs::set_permissions(copy, fs::Permissions::from_mode(0o755))?;
    runs(facts, RAN_EXIT_CODE, || hostile::execve(&name(copy), None))
}

fn run_memory(facts: &GroundFacts, flags: MemfdFlags) -> io::Result<()> {
    let memory = memfd_create(c"proof", MemfdFlags::CLOEXEC | flags)?;
    File::from(memory.try_clone()?).write_all(&bytes())?;
    runs(facts, RAN_EXIT_CODE, || {
        process::exec(&memory, &[c"proof".to_owned()], &[], 0)
    })
}

fn through_loader(facts: &GroundFacts) -> ActResults {
    listed_runs(facts)?;
    let usual = USUAL.iter().map(Path::new).find_map(|program| {
        let loader = crate::compile::loader_of(program)?;
        Some((loader, program))
    });
    let Some((loader, program)) = usual else {
        // A machine whose programs are all static has no loader to abuse.
        let absent = io::Error::other("this machine has no dynamic program to try it with");
        return Ok(vec![HostileAct::new("find one", Err::<(), _>(absent))]);
    };
    let started = runs(facts, 0, || hostile::execve(&name(&loader), Some(&name(program))));
    Ok(vec![HostileAct::new(
        format!("{} {}", loader.display(), program.display()),
        started,
    )])
}

/// Starts something in a child; succeeds if it ended with that number.
fn runs(facts: &GroundFacts, number: i32, start: impl FnOnce() -> io::Error) -> io::Result<()> {
    let ended = in_child(facts, || {
        if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
            let _ = rustix::stdio::dup2_stdin(&null);
            let _ = rustix::stdio::dup2_stdout(&null);
            let _ = rustix::stdio::dup2_stderr(&null);
        }
        start()
    })?;
    if ended == number << 8 {
        Ok(())
    } else {
        Err(io::Error::other(format!("it did not run (status {ended:#x})")))
    }
}

/// Does something in a child that does not come back from it, and returns the child's status; or why it came back.
fn in_child(facts: &GroundFacts, act: impl FnOnce() -> io::Error) -> io::Result<i32> {
    let (ready, tell) = pipe_with(PipeFlags::CLOEXEC)?;
    match facts.fork()? {
        ForkSide::Child => {
            let error = act().raw_os_error().unwrap_or(libc::EIO);
            let _ = rustix::io::write(&tell, &error.to_ne_bytes());
            process::exit(1)
        }
        ForkSide::Parent(child) => {
            drop(tell);
            let mut said = Vec::new();
            File::from(ready).read_to_end(&mut said)?;
            let (status, _) = process::wait_for(child)?;
            match <[u8; 4]>::try_from(said.as_slice()) {
                Ok(error) => Err(io::Error::from_raw_os_error(i32::from_ne_bytes(error))),
                Err(_) => Ok(status),
            }
        }
    }
}

fn name(path: impl AsRef<Path>) -> CString {
    let bytes: Vec<u8> = path.as_ref().as_os_str().as_bytes().to_vec();
    CString::new(bytes).unwrap_or_else(|_| CStr::to_owned(c""))
}
