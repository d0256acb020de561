//! One inference, from the program to the catalogue.
//!
//! Nothing is started that is remembered. What is started runs in the probing sandbox; files of the manual and
//! completion scripts are read as files.

use std::sync::Mutex;
use std::sync::PoisonError;

use argrail_spec::atip::{Metadata, redact};

use super::asker::{Ask, Asker};
use super::budget::Budget;
use super::completion;
use super::describe::{Described, count, describe};
use super::gathered::Gathered;
use super::manual::Manual;
use super::memory;
use super::publish::publish;
use super::question::Questioner;
use super::request::{Freshness, InferError, Inferred, Kept, Progress, Request};
use super::version;
use super::walk::Walk;
use crate::catalog::StoreError;
use crate::catalog::probe::{Booth, Outcome, Probed, Prober};
use crate::catalog::scan::Literals;
use crate::files::identity;

/// Infers what a program can be told to do. `progress` hears from any thread how far it has come.
///
/// # Errors
/// When programs cannot be confined, our own files not be used, or nothing was learned.
pub fn run(request: &Request<'_>, progress: &(dyn Fn(Progress) + Sync)) -> Result<Inferred, InferError> {
    if let Some((entry, metadata)) = memory::recall(request) {
        let kept = publish(request, &entry)?;
        return Ok(Inferred {
            sources: memory::sources(&metadata),
            counts: count(&metadata),
            metadata,
            started: 0,
            freshness: Freshness::Remembered,
            problems: Vec::new(),
            native: None,
            kept,
            interrupted: false,
        });
    }
    let (native, probed) = native(request)?;
    let budget = Budget::new(request.bounds);
    let booth = Booth::new(request.settings, request.cancel)?;
    let asker = Asker::new(
        &booth,
        &request.asked.path,
        &request.settings.home,
        &budget,
        request.stop,
    );
    let mut gathered = gather(request, &asker, progress);
    if let Some(refusal) = asker.refusal() {
        return Err(refusal.into());
    }
    gathered.problems.extend(budget.exhausted());
    let started = budget.started() + probed;
    finish(request, gathered, started, native)
}

/// Reads everything there is.
fn gather(request: &Request<'_>, program: &dyn Ask, progress: &(dyn Fn(Progress) + Sync)) -> Gathered {
    let name = request.program.name.as_str();
    let questioner = Questioner { program, name };
    let mut gathered = Gathered::new(name);
    let tool = questioner.tool();
    gathered.interrupted |= tool.interrupted;
    gathered.problems.extend(tool.problems.iter().cloned());
    gathered.hung |= tool.hung;
    gathered.heard(&[], &tool);
    let mut manual = Manual::of(name, &request.asked.path);
    if gathered.is_empty() && !manual.has(&[]) {
        manual = Manual::of_system(name);
    }
    manual.add(&[], &mut gathered);
    completion::installed(name, &request.asked.path, &mut gathered);
    if !gathered.interrupted {
        let root = gathered.page(&[]);
        completion::generated(name, program, &root, &mut gathered);
    }
    let walk = Walk {
        questioner,
        depth: request.bounds.depth,
        jobs: request.settings.jobs,
        manual: &manual,
        progress,
    };
    walk.run(&tool, &mut gathered);
    let version = version::of(program, &gathered.page(&[]));
    gathered.version(version);
    // Some were not asked: those below the last level, `help` itself, names that could mean something else.
    for path in gathered.paths() {
        manual.add(&path, &mut gathered);
    }
    gathered
}

/// Makes a description of it and keeps that.
fn finish(
    request: &Request<'_>,
    mut gathered: Gathered,
    started: usize,
    native: Option<String>,
) -> Result<Inferred, InferError> {
    let name = request.program.name.as_str();
    let interrupted = gathered.interrupted;
    let mut problems = std::mem::take(&mut gathered.problems);
    let sources = gathered.sources.clone();
    if gathered.is_empty() && interrupted {
        return Err(InferError::Interrupted);
    }
    if gathered.is_empty() && gathered.hung {
        return Err(InferError::TimedOut {
            name: name.to_owned(),
            seconds: request.bounds.each.as_secs_f64(),
        });
    }
    if gathered.is_empty() {
        let reason = problems.first().cloned().unwrap_or_else(|| {
            "neither --help nor -h says anything, and there is no manual of it".to_owned()
        });
        return Err(InferError::Nothing {
            name: name.to_owned(),
            reason,
        });
    }
    // What was asked must be what was found, and what is remembered.
    if identity::look(&request.asked.path).ok().flatten() != Some(request.asked.identity) {
        return Err(InferError::Nothing {
            name: name.to_owned(),
            reason: "the program changed while it was asked".to_owned(),
        });
    }
    let Described { metadata, problem } = describe(name, gathered, request.bounds.depth);
    let said = metadata;
    let metadata = redact(said.clone(), request.redact);
    problems.extend(problem);
    let kept = if interrupted {
        Kept::Cut
    } else {
        keep(request, &said, &metadata, native.is_some(), &mut problems)?
    };
    Ok(Inferred {
        counts: count(&metadata),
        metadata,
        sources,
        started,
        freshness: Freshness::Asked,
        problems,
        native,
        kept,
        interrupted,
    })
}

/// Remembers a description, and puts it into the catalogue unless the tool has a word of its own.
fn keep(
    request: &Request<'_>,
    said: &Metadata,
    metadata: &Metadata,
    is_native: bool,
    problems: &mut Vec<String>,
) -> Result<Kept, StoreError> {
    let entry = match memory::entry(request, said, metadata) {
        Ok(entry) => entry,
        Err(problem) => {
            problems.push(format!("it cannot be kept: {problem}"));
            return Ok(Kept::Cut);
        }
    };
    memory::remember(request, &entry)?;
    if is_native {
        return Ok(Kept::Described);
    }
    publish(request, &entry)
}

/// Asks the program whether it describes itself, if its file holds the word; returns in which dialect, and how often it
/// was started.
fn native(request: &Request<'_>) -> Result<(Option<String>, usize), InferError> {
    let literals = Literals::of_file(&request.asked.path);
    if literals.is_empty() {
        return Ok((None, 0));
    }
    let prober = Prober::new(request.settings, request.cancel, request.stop)?;
    let answer: Mutex<Option<Probed>> = Mutex::new(None);
    let list = std::slice::from_ref(request.asked);
    prober.run(list, &[(0, Some(literals))], &|probed| {
        *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(probed);
    })?;
    let answer = answer.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(answer.map_or((None, 0), |probed| {
        let started = usize::try_from(probed.started).unwrap_or(usize::MAX);
        let dialect = match probed.outcome {
            Outcome::Found { dialect, .. } => Some(dialect.to_owned()),
            Outcome::NotAtip
            | Outcome::Impostor { .. }
            | Outcome::Invalid { .. }
            | Outcome::TimedOut
            | Outcome::Failed { .. }
            | Outcome::Interrupted => None,
        };
        (dialect, started)
    }))
}
