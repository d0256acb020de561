//! Starting what may not be started.

use std::ffi::{CStr, CString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::pipe::{PipeFlags, pipe_with};

use super::super::attempt::{Act, Acts, Attempt, Setting, allowed};
use super::super::facts::Facts;
use super::super::program::{RAN, bytes};
use crate::launch::{NOTHING, PROVER};
use crate::sys::hostile;
use crate::sys::process::{self, Side};

/// Programs that most machines have, and that end well when there is nothing to read.
const USUAL: &[&str] = &["/usr/bin/env", "/bin/cat", "/usr/bin/id", "/bin/ls"];

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt {
        name: "run-program",
        attempted: "become another program where none may be started",
        setting: Setting::Files,
        // Where it succeeds, nothing is said: the program ends with its own number.
        run: |facts| {
            Ok(vec![Act::new(
                "execve",
                Err::<(), _>(hostile::execve(&name(facts.program()), None)),
            )])
        },
    },
    Attempt {
        name: "fork",
        attempted: "fork where no program may be started",
        setting: Setting::Files,
        run: |_| {
            let forked = hostile::fork_and_exit(RAN);
            let thread = std::thread::Builder::new()
                .spawn(|| ())
                .and_then(|thread| thread.join().map_err(|_| io::Error::other("it ended badly")));
            allowed("have a thread", thread)?;
            Ok(vec![Act::new("fork", forked)])
        },
    },
    Attempt {
        name: "run-unlisted-program",
        attempted: "run a program that is not on the list",
        setting: Setting::Programs,
        run: |facts| {
            listed_runs(facts)?;
            Ok(vec![Act::new(
                "run it",
                runs(facts, RAN, || hostile::execve(&name(facts.program()), None)),
            )])
        },
    },
    Attempt {
        name: "run-copied-program",
        attempted: "copy a program to a writable directory and run it",
        setting: Setting::Programs,
        run: |facts| {
            listed_runs(facts)?;
            let mut acts = Vec::new();
            for directory in [facts.out(), "/tmp".into(), "/dev/shm".into()] {
                let copy = directory.join(format!("{}-program", facts.mark));
                acts.push(Act::new(directory.display().to_string(), run_copy(facts, &copy)));
                let _ = fs::remove_file(copy);
            }
            Ok(acts)
        },
    },
    Attempt {
        name: "run-from-memory",
        attempted: "run a program from a file in memory",
        setting: Setting::Programs,
        run: |facts| {
            listed_runs(facts)?;
            Ok(vec![
                Act::new("plain", run_memory(facts, MemfdFlags::empty())),
                Act::new("executable", run_memory(facts, MemfdFlags::EXEC)),
                Act::new("sealed", run_memory(facts, MemfdFlags::NOEXEC_SEAL)),
            ])
        },
    },
    Attempt {
        name: "run-through-loader",
        attempted: "run an unlisted program through the dynamic loader (ld.so)",
        setting: Setting::Programs,
        run: through_loader,
    },
];

/// The program that is on the list starts.
fn listed_runs(facts: &Facts) -> Result<(), String> {
    let start = || {
        let words = [
            facts.launcher.as_os_str().as_bytes(),
            PROVER.as_bytes(),
            NOTHING.as_bytes(),
        ];
        let argv = words.map(|word| CString::new(word).unwrap_or_default());
        match File::open(&facts.launcher) {
            Ok(program) => process::exec(program, &argv, &[], 0),
            Err(error) => error,
        }
    };
    allowed("run the program on the list", runs(facts, 0, start))
}

fn run_copy(facts: &Facts, copy: &Path) -> io::Result<()> {
    fs::write(copy, bytes())?;
    fs::set_permissions(copy, fs::Permissions::from_mode(0o755))?;
    runs(facts, RAN, || hostile::execve(&name(copy), None))
}

fn run_memory(facts: &Facts, flags: MemfdFlags) -> io::Result<()> {
    let memory = memfd_create(c"proof", MemfdFlags::CLOEXEC | flags)?;
    File::from(memory.try_clone()?).write_all(&bytes())?;
    runs(facts, RAN, || {
        process::exec(&memory, &[c"proof".to_owned()], &[], 0)
    })
}

fn through_loader(facts: &Facts) -> Acts {
    listed_runs(facts)?;
    let usual = USUAL.iter().map(Path::new).find_map(|program| {
        let loader = crate::compile::loader_of(program)?;
        Some((loader, program))
    });
    let Some((loader, program)) = usual else {
        // A machine whose programs are all static has no loader to abuse.
        let absent = io::Error::other("this machine has no dynamic program to try it with");
        return Ok(vec![Act::new("find one", Err::<(), _>(absent))]);
    };
    let started = runs(facts, 0, || hostile::execve(&name(&loader), Some(&name(program))));
    Ok(vec![Act::new(
        format!("{} {}", loader.display(), program.display()),
        started,
    )])
}

/// Starts something in a child; succeeds if it ended with that number.
fn runs(facts: &Facts, number: i32, start: impl FnOnce() -> io::Error) -> io::Result<()> {
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
fn in_child(facts: &Facts, act: impl FnOnce() -> io::Error) -> io::Result<i32> {
    let (ready, tell) = pipe_with(PipeFlags::CLOEXEC)?;
    match facts.fork()? {
        Side::Child => {
            let error = act().raw_os_error().unwrap_or(libc::EIO);
            let _ = rustix::io::write(&tell, &error.to_ne_bytes());
            process::exit(1)
        }
        Side::Parent(child) => {
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
