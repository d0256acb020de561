//! One scan, from directories to the registry.
//!
//! Without probing nothing is started. With it, only what is not remembered is asked, every answer is kept as it comes,
//! and the registry is changed once, at the end, also when somebody stopped the scan before.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, available_parallelism};

use super::candidates::{Candidate, Candidates};
use super::literal::Literals;
use super::memory::{Asked, Memory, Miss, Need};
use super::remembered::Remembered;
use super::request::{Mode, OtherVersion, Probing, Progress, Request, Scan, ScanError, Worth};
use super::settle::{Answered, Hands, settle};
use super::shims::Shims;
use super::skipped::Skipped;
use crate::catalog::Wanted;
use crate::catalog::probe::{Outcome, Probed, Prober};
use crate::catalog::scan::keep::keep;
use crate::catalog::trust::MetadataDigest;
use crate::files::identity::Identity;

/// Scans. `progress` hears from any thread how far the asking has come.
///
/// # Errors
/// When programs cannot be confined, or our own files not be used.
pub fn run(request: &Request<'_>, progress: &(dyn Fn(Progress) + Sync)) -> Result<Scan, ScanError> {
    let mut scan = Scan::default();
    scan.skipped.extend(request.directories.skipped.iter().cloned());
    let Candidates { list, skipped } =
        Candidates::of(&request.named, &request.directories.list, request.skip);
    scan.skipped.extend(skipped);
    scan.programs = list.len();
    let mut memory = Memory::read(request.places, &request.directories.list);
    let remembered = Remembered::read(request)?;
    let mut answers: Vec<Option<Answered>> = list
        .iter()
        .map(|candidate| remembered.answer(candidate))
        .collect();
    match request.mode {
        Mode::Look => look(&list, &answers, &mut memory, request, &mut scan),
        Mode::Probe(probing) => {
            let changed: Vec<&Candidate> = list
                .iter()
                .filter(|candidate| remembered.described_version(candidate).is_some())
                .filter(|candidate| memory.is_changed(candidate) || remembered.is_rewritten(candidate))
                .collect();
            compare_versions(&changed, &remembered, &probing, &mut scan)?;
            probe(
                &list,
                &mut answers,
                &mut memory,
                request,
                &probing,
                &mut scan,
                progress,
            )?;
        }
    }
    let hands = Hands {
        shims: Shims::list(request.places, &mut scan.skipped),
        overrides: Shims::overrides(request.places),
    };
    settle(request, &list, answers, &hands, &mut scan)?;
    memory.write(&list)?;
    scan.found.sort_by(|one, other| one.name.cmp(&other.name));
    scan.timed_out.sort();
    Ok(scan)
}

/// What a memory is good for in this scan. What is asked for afresh has none.
fn need(request: &Request<'_>) -> Need {
    let timeout = match request.mode {
        Mode::Look => std::time::Duration::ZERO,
        Mode::Probe(probing) => probing.settings.timeout,
    };
    let max_age = match request.wanted {
        Wanted::Remembered => request.max_age,
        Wanted::Fresh => std::time::Duration::ZERO,
    };
    Need {
        now: request.now,
        max_age,
        timeout,
    }
}

/// Says which programs are worth asking, by what stands in their files.
fn look(
    list: &[Candidate],
    answers: &[Option<Answered>],
    memory: &mut Memory,
    request: &Request<'_>,
    scan: &mut Scan,
) {
    let need = need(request);
    let unknown: Vec<&Candidate> = list
        .iter()
        .filter(|candidate| memory.literals(candidate).is_none())
        .collect();
    for (candidate, literals) in unknown.iter().zip(read_all(&unknown)) {
        memory.note_literals(candidate, literals);
    }
    for (candidate, answer) in list.iter().zip(answers) {
        // One that answered once and is not known any more is worth asking again.
        let is_miss = |asked: &Asked| asked.result != Miss::Found;
        let is_open = answer.is_none() && !memory.asked(candidate, &need).is_some_and(is_miss);
        if is_open
            && memory
                .literals(candidate)
                .is_some_and(|literals| !literals.is_empty())
        {
            scan.candidates.push(Worth {
                name: candidate.name.clone(),
                path: candidate.path.clone(),
            });
        }
    }
}

/// Looks into many files at once, into each once: some have dozens of names.
fn read_all(list: &[&Candidate]) -> Vec<Literals> {
    let mut files: HashMap<Identity, usize> = HashMap::new();
    let mut first: Vec<&Candidate> = Vec::new();
    let places: Vec<usize> = list
        .iter()
        .map(|candidate| {
            *files.entry(candidate.identity).or_insert_with(|| {
                first.push(candidate);
                first.len() - 1
            })
        })
        .collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![Literals::default(); first.len()]);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(candidate) = first.get(at) else { return };
            let literals = Literals::of_file(&candidate.path);
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(slot) = found.get_mut(at) {
                *slot = literals;
            }
        }
    };
    let threads = available_parallelism().map_or(1, usize::from).min(first.len());
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // One that cannot be started is not needed: this thread does the work, too.
            let _ = Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    places
        .iter()
        .map(|at| found.get(*at).copied().unwrap_or_default())
        .collect()
}

/// Asks programs that changed for their version (ATIP §3.5.1): what somebody else says of them is for another one.
fn compare_versions(
    changed: &[&Candidate],
    remembered: &Remembered<'_>,
    probing: &Probing<'_>,
    scan: &mut Scan,
) -> Result<(), ScanError> {
    let prober = Prober::new(probing.settings, probing.cancel, probing.stop)?;
    for candidate in changed {
        let Some(described) = remembered.described_version(candidate) else {
            continue;
        };
        scan.executed += 1;
        if let Some(told) = prober.version(candidate).filter(|told| told != described) {
            scan.other_versions.push(OtherVersion {
                name: candidate.name.clone(),
                path: candidate.path.clone(),
                described: described.to_owned(),
                told,
            });
        }
    }
    Ok(())
}

/// Asks what is not remembered.
fn probe(
    list: &[Candidate],
    answers: &mut [Option<Answered>],
    memory: &mut Memory,
    request: &Request<'_>,
    probing: &Probing<'_>,
    scan: &mut Scan,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(), ScanError> {
    let need = need(request);
    let mut wanted = Vec::new();
    for (index, (candidate, answer)) in list.iter().zip(&mut *answers).enumerate() {
        if answer.is_some() {
            continue;
        }
        match memory.asked(candidate, &need).cloned() {
            // What the registry has forgotten is asked again.
            Some(asked) if asked.result != Miss::Found => *answer = Some(tell(candidate, &asked, scan)),
            Some(_) | None => wanted.push((index, memory.literals(candidate))),
        }
    }
    // What hung the last time hangs while the others are asked.
    wanted.sort_by_key(|(index, _)| {
        !list
            .get(*index)
            .is_some_and(|candidate| memory.is_slow(candidate))
    });
    let prober = Prober::new(probing.settings, probing.cancel, probing.stop)?;
    let gathered: Mutex<Vec<(Probed, Option<MetadataDigest>)>> = Mutex::new(Vec::new());
    let (done, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let total = wanted.len();
    let asked = prober.run(list, &wanted, &|mut probed| {
        let candidate = list.get(probed.index);
        let digest = candidate.and_then(|candidate| keep(request, candidate, &mut probed));
        let is_found = matches!(probed.outcome, Outcome::Found { .. });
        progress(Progress {
            done: done.fetch_add(1, Ordering::Relaxed) + 1,
            total,
            found: found.fetch_add(is_found.into(), Ordering::Relaxed) + usize::from(is_found),
        });
        gathered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((probed, digest));
    });
    asked?;
    let mut gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
    gathered.sort_by_key(|(probed, _)| probed.index);
    scan.interrupted = gathered.len() < total;
    for (probed, digest) in gathered {
        scan.executed += probed.started;
        let Some((candidate, answer)) = list.get(probed.index).zip(answers.get_mut(probed.index)) else {
            continue;
        };
        let Some(asked) = record(&probed.outcome, request, probing) else {
            scan.interrupted = true;
            continue;
        };
        *answer = Some(match (probed.outcome, digest) {
            (
                Outcome::Found {
                    dialect,
                    metadata,
                    warnings,
                },
                Some(digest),
            ) => Answered::found(dialect, *metadata, digest, warnings.len()),
            (
                Outcome::Found { .. }
                | Outcome::NotAtip
                | Outcome::Impostor { .. }
                | Outcome::Invalid { .. }
                | Outcome::TimedOut
                | Outcome::Failed { .. }
                | Outcome::Interrupted,
                _,
            ) => tell(candidate, &asked, scan),
        });
        memory.note_asked(candidate, probed.literals, asked);
    }
    Ok(())
}

/// What is remembered of an outcome; nothing of one that somebody stopped.
fn record(outcome: &Outcome, request: &Request<'_>, probing: &Probing<'_>) -> Option<Asked> {
    let (result, reason) = match outcome {
        Outcome::Found { .. } => (Miss::Found, None),
        Outcome::NotAtip => (Miss::NotAtip, None),
        Outcome::Impostor { says } => (Miss::Impostor, Some(format!("impostor: says it is {says:?}"))),
        Outcome::Invalid { reason } => (Miss::Invalid, Some(reason.clone())),
        Outcome::TimedOut => (Miss::TimedOut, None),
        Outcome::Failed { reason } => (Miss::Failed, Some(reason.clone())),
        Outcome::Interrupted => return None,
    };
    Some(Asked {
        at: request.now.as_second(),
        result,
        reason,
        timeout: u64::try_from(probing.settings.timeout.as_millis()).unwrap_or(u64::MAX),
    })
}

/// Puts what came of a program into the lists that people read.
fn tell(candidate: &Candidate, asked: &Asked, scan: &mut Scan) -> Answered {
    let said = || Skipped::new(&candidate.path, asked.reason.clone().unwrap_or_default());
    match asked.result {
        Miss::Found | Miss::NotAtip => Answered::No,
        Miss::Impostor => {
            scan.skipped.push(said());
            Answered::No
        }
        Miss::Invalid => {
            scan.invalid.push(said());
            Answered::No
        }
        Miss::TimedOut => {
            scan.timed_out.push(candidate.name.clone());
            Answered::Unknown
        }
        Miss::Failed => {
            scan.failed.push(said());
            Answered::Unknown
        }
    }
}
