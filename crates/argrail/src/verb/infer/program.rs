//! Which program a name stands for, and why it is not asked, if it is not.

use std::path::Path;

use argrail_acli::{Code, Error, Text, nearest};
use argrail_engine::catalog::Shelf;
use argrail_engine::catalog::infer::behind;
use argrail_engine::catalog::scan::{Candidate, Directories, Eyes, SkipList, user};
use argrail_spec::atip::check_tool_name;

/// A program, and what is asked in its place.
pub(crate) struct Found {
    pub(crate) program: Candidate,
    pub(crate) asked: Candidate,
}

/// Finds the program that is called so, where the configuration has it or in `PATH`, and what stands behind it.
///
/// # Errors
/// When there is none, or it is never started to ask.
pub(crate) fn find(shelf: &Shelf, name: &str, home: &Path) -> Result<Found, Error> {
    if let Err(problem) = check_tool_name(name) {
        let what = Text::new("{} is no name of a tool: {}")
            .value(name)
            .value(problem.to_string());
        return Err(Error::invalid(
            what,
            "Name a tool as its executable is called, without a directory",
        ));
    }
    let named = shelf.config().tools.iter().find(|tool| tool.name == name);
    let configured = named.and_then(|tool| tool.path.clone());
    let Some(path) = configured.or_else(|| shelf.programs().find(name)) else {
        return Err(missing(shelf, name));
    };
    let skip = SkipList::new(&shelf.config().skip);
    let program = candidate(&path, name, &skip)?;
    let asked = match behind(&path, home) {
        Some(real) => candidate(&real, name, &skip)?,
        None => program.clone(),
    };
    Ok(Found { program, asked })
}

fn candidate(path: &Path, name: &str, skip: &SkipList) -> Result<Candidate, Error> {
    let mut program = Candidate::named(path, skip).map_err(|reason| {
        let what = Text::new("{} is not asked: {}")
            .value(path.to_string_lossy())
            .value(reason);
        Error::new(Code::PermissionDenied, what)
            .hint(
                Text::new("Read its help from a file: argrail infer --name {} --from-file FILE").value(name),
            )
            .detail("reason", "denied_by_policy")
    })?;
    // The configuration may call a program otherwise than its file is called.
    name.clone_into(&mut program.name);
    Ok(program)
}

/// Says why there is no such program: it cannot be executed, nobody vouches for its directory, or it is a typo.
fn missing(shelf: &Shelf, name: &str) -> Error {
    let programs = shelf.programs();
    let mut files = programs
        .directories()
        .iter()
        .map(|directory| directory.join(name));
    if let Some(file) = files.find(|file| file.is_file()) {
        let shown = file.to_string_lossy();
        let what = Text::new("{} is not executable").value(&shown);
        return Error::new(Code::CommandNotFound, what).hint(Text::new("Run: chmod +x {}").value(&shown));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let belongs = |directory: &Path| shelf.belongs(directory);
    let eyes = Eyes {
        uid: user(),
        belongs: &belongs,
    };
    let skipped = Directories::of(std::env::split_paths(&path), &eyes).skipped;
    if let Some(skipped) = skipped.iter().find(|skipped| skipped.path.join(name).is_file()) {
        let what = Text::new("{} lies in {}, which does not count: {}")
            .value(name)
            .value(skipped.path.to_string_lossy())
            .value(&skipped.reason);
        return Error::new(Code::CommandNotFound, what)
            .hint("Run: argrail scan, which lists such directories");
    }
    let what = Text::new("program {} not found").value(name);
    let names = programs.names();
    let hint = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => Text::new("Did you mean {}?").value(near),
        None => {
            Text::new("Install it, or read its help from a file: argrail infer --name {} --from-file FILE")
                .value(name)
        }
    };
    Error::new(Code::CommandNotFound, what).hint(hint)
}
