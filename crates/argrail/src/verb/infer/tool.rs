//! `argrail infer TOOL`: the tool is asked in the sandbox, and what came of it is printed and kept.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use argrail_acli::Error;
use argrail_engine::catalog::infer::{
    self, Bounds, Freshness, InferError, Inferred, Kept, Progress, Request, Source,
};
use argrail_engine::catalog::probe::{LONGEST, Settings, default_jobs};
use argrail_engine::catalog::{MAX_AGE, Wanted};
use argrail_sandbox::{Cancel, Launcher};
use serde_json::{Value, json};

use super::program::{self, Found};
use super::run::print;
use crate::args::infer::InferArgs;
use crate::catalogue::shelf;
use crate::foreign::one_line;
use crate::interrupt::{INTERRUPTED, end_on_signal};
use crate::out::{self, Report};
use crate::progress::Bar;

/// How many problems a person is shown.
const SHOWN: usize = 10;

/// Asks the tool and prints what was learned.
pub(super) fn run(name: &str, args: &InferArgs, report: Report) -> Result<u8, Error> {
    let begun = Instant::now();
    let shelf = shelf()?;
    let (places, config) = (shelf.places(), shelf.config());
    let settings = settings(places);
    let Found { program, asked } = program::find(&shelf, name, &settings.home)?;
    let cancel = Cancel::new().map_err(Error::execution)?;
    let stop = Arc::new(AtomicBool::new(false));
    end_on_signal(cancel.clone(), Arc::clone(&stop));
    let request = Request {
        program: &program,
        asked: &asked,
        places,
        settings: &settings,
        bounds: bounds(args),
        wanted: if args.refresh {
            Wanted::Fresh
        } else {
            Wanted::Remembered
        },
        max_age: config.max_age.unwrap_or(MAX_AGE),
        redact: &config.redact,
        cancel: &cancel,
        stop: &stop,
        now: jiff::Timestamp::now(),
    };
    let bar = Bar::patient("asking commands");
    let done = infer::run(&request, &|progress: Progress| {
        bar.show(progress.done, progress.total, progress.found);
    });
    bar.clear();
    let inferred = match done {
        Ok(inferred) => inferred,
        Err(InferError::Interrupted) => return Ok(INTERRUPTED),
        Err(error) => return Err(Error::from(&error)),
    };
    let saved = if args.save && !inferred.interrupted {
        let saved = infer::save(places, &inferred.metadata, request.now);
        Some(saved.map_err(|error| Error::from(&error))?)
    } else {
        None
    };
    if report == Report::Text {
        tell(name, &inferred, saved.as_ref(), begun.elapsed());
    }
    let more = data(&inferred, saved.as_ref(), begun.elapsed());
    let printed = print(&inferred.metadata, more, report);
    Ok(match printed {
        0 if inferred.interrupted => INTERRUPTED,
        printed => printed,
    })
}

fn settings(places: &argrail_engine::places::Places) -> Settings {
    let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
    Settings {
        jobs: default_jobs(),
        timeout: argrail_engine::catalog::probe::TIMEOUT,
        launcher: Launcher::SelfExe,
        home: argrail_sandbox::home().unwrap_or_else(|_| places.home().to_owned()),
        own: places.own().into_iter().map(real).collect(),
    }
}

fn bounds(args: &InferArgs) -> Bounds {
    let usual = Bounds::default();
    Bounds {
        depth: args.depth.map_or(usual.depth, usize::from),
        each: args.timeout.map_or(usual.each, |timeout| timeout.min(LONGEST)),
        ..usual
    }
}

/// What there is to say beside the metadata.
fn data(inferred: &Inferred, saved: Option<&PathBuf>, elapsed: Duration) -> Value {
    let source =
        |source: &Source| json!({"kind": source.kind.as_str(), "from": source.from, "pages": source.pages});
    let counts = inferred.counts;
    let mut data = json!({
        "counts": {"commands": counts.commands, "options": counts.options, "arguments": counts.arguments},
        "sources": inferred.sources.iter().map(source).collect::<Value>(),
        "started": inferred.started,
        "remembered": inferred.freshness == Freshness::Remembered,
        "catalogued": inferred.kept == Kept::Catalogued,
        "problems": inferred.problems,
        "interrupted": inferred.interrupted,
        "elapsedMs": u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
    });
    if let Value::Object(data) = &mut data {
        if let Some(dialect) = &inferred.native {
            data.insert("native".into(), json!(dialect));
        }
        if let Some(path) = saved {
            data.insert("saved".into(), json!(path.to_string_lossy()));
        }
    }
    data
}

/// Tells a person on stderr what came of it.
fn tell(name: &str, inferred: &Inferred, saved: Option<&PathBuf>, elapsed: Duration) {
    for problem in inferred.problems.iter().take(SHOWN) {
        out::say(&one_line(problem));
    }
    if inferred.problems.len() > SHOWN {
        out::say(&format!(
            "and {} more; --json lists all",
            inferred.problems.len() - SHOWN
        ));
    }
    let counts = inferred.counts;
    let how = match inferred.freshness {
        Freshness::Asked => format!("{} started, {:.1} s", inferred.started, elapsed.as_secs_f64()),
        Freshness::Remembered => "remembered; --refresh asks again".to_owned(),
    };
    out::say(&one_line(&format!(
        "{name}: {} commands, {} options, {} arguments; {how}",
        counts.commands, counts.options, counts.arguments
    )));
    if let Some(dialect) = &inferred.native {
        out::say(&format!(
            "it describes itself ({dialect}), which is better: argrail scan --probe takes that"
        ));
    }
    match inferred.kept {
        Kept::Catalogued => {}
        Kept::Described if inferred.native.is_some() => {}
        Kept::Described => out::say("the catalogue keeps what somebody wrote about it"),
        Kept::Cut => out::say("stopped before its end: nothing of it is kept"),
    }
    if let Some(path) = saved {
        out::say(&one_line(&format!("saved; review {}", path.display())));
    }
}
