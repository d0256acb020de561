//! Starting programs: 54 to 61 of the suite.

mod memory;
mod spawn;

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

use argrail_testkit::command;

use crate::outcome::{Attack, Outcome, word};

/// The attacks of this file and those below it.
pub(crate) const ATTACKS: &[Attack] = &[
    Attack {
        name: "exec",
        act: exec,
    },
    Attack {
        name: "exec-copy",
        act: exec_copy,
    },
    Attack {
        name: "exec-script",
        act: exec_script,
    },
    Attack {
        name: "exec-loader",
        act: exec_loader,
    },
    Attack {
        name: "exec-memory",
        act: memory::exec_memory,
    },
    Attack {
        name: "exec-sealed-memory",
        act: memory::exec_sealed_memory,
    },
    Attack {
        name: "exec-nameless",
        act: memory::exec_nameless,
    },
    Attack {
        name: "map-code",
        act: memory::map_code,
    },
    Attack {
        name: "fork",
        act: spawn::fork,
    },
    Attack {
        name: "replace",
        act: spawn::replace,
    },
    Attack {
        name: "threads",
        act: spawn::threads,
    },
    Attack {
        name: "top-descriptor",
        act: spawn::top_descriptor,
    },
];

/// Starts a program, and shows what it wrote.
fn exec(args: &[String]) -> Result<Outcome, String> {
    word(args, 0, "program")?;
    Ok(started(args))
}

/// A program that the kernel did not start, or a shell could not (126, 127), was stopped.
fn started(argv: &[String]) -> Outcome {
    let Some((program, rest)) = argv.split_first() else {
        return Outcome::Blocked("nothing".to_owned());
    };
    told(command(program).args(rest).output())
}

fn told(result: io::Result<Output>) -> Outcome {
    match result {
        Ok(output) if output.status.success() => Outcome::Escaped(format!(
            "it ran and said {:?}",
            String::from_utf8_lossy(&output.stdout)
        )),
        Ok(output) => Outcome::Blocked(format!(
            "{}: {:?}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) => Outcome::Blocked(crate::errno::name(&error)),
    }
}

/// Copies a program to each place, makes the copy executable, and starts it.
fn exec_copy(args: &[String]) -> Result<Outcome, String> {
    let program = word(args, 0, "program")?;
    word(args, 1, "place for the copy")?;
    let mut ways = Vec::new();
    for place in args.iter().skip(1) {
        write_program(
            Path::new(place),
            &fs::read(program).map_err(|error| format!("{program}: {error}"))?,
        )?;
        ways.push((place, started(std::slice::from_ref(place))));
    }
    Ok(Outcome::any(ways))
}

/// Writes a script with this interpreter to a place, and starts it by its name.
fn exec_script(args: &[String]) -> Result<Outcome, String> {
    let (interpreter, place) = (
        word(args, 0, "interpreter")?,
        word(args, 1, "place for the script")?,
    );
    write_program(Path::new(place), format!("#!{interpreter}\n").as_bytes())?;
    Ok(started(&[place.to_owned()]))
}

fn write_program(place: &Path, bytes: &[u8]) -> Result<(), String> {
    let written =
        fs::write(place, bytes).and_then(|()| fs::set_permissions(place, fs::Permissions::from_mode(0o755)));
    written.map_err(|error| format!("{}: {error}", place.display()))
}

/// Has the loader, which may be started, load a program that may not.
fn exec_loader(args: &[String]) -> Result<Outcome, String> {
    let program = word(args, 0, "program")?;
    let loader = loader().ok_or("no loader is known here")?;
    Ok(started(&[loader, program.to_owned()]))
}

/// The loader that this very program was started with.
fn loader() -> Option<String> {
    let known = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
    known
        .into_iter()
        .find(|path| Path::new(path).exists())
        .map(str::to_owned)
}
