//! `argrail scan`: which tools this machine has. Files are read; programs are started with `--probe` only.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use argrail_acli::{Answer, Code, Envelope, Error, Text};
use argrail_engine::catalog::mcp;
use argrail_engine::catalog::probe::{Settings, TIMEOUT, default_jobs};
use argrail_engine::catalog::scan::{
    self, Directories, Extent, Eyes, Mode, Probing, Progress, Request, Scan, ScanError, SkipList, Skipped,
};
use argrail_engine::catalog::{MAX_AGE, Shelf, Wanted};
use argrail_sandbox::{Cancel, Launcher};
use argrail_spec::config::{McpServer, Transport};
use serde_json::{Value, json};

use crate::args::command_line::ScanArgs;
use crate::catalogue::shelf_of;
use crate::foreign::{Page, Table};
use crate::interrupt::{INTERRUPTED, end_on_signal};
use crate::out::{self, Layout, Report};
use crate::progress::Bar;
use crate::terminal;
use argrail_engine::refusal;

/// How many of each kind a person is shown.
const SHOWN: usize = 20;

/// Scans, and tells what was found.
pub(crate) fn run(args: &ScanArgs, report: Report) -> u8 {
    let begun = Instant::now();
    let scan = match attempt(args) {
        Ok(scan) => scan,
        Err(error) => return out::refuse(error, report),
    };
    let elapsed = begun.elapsed();
    let told = match report {
        Report::Envelope => {
            let answer = Answer::new(data(&scan, elapsed));
            out::envelope(&Envelope::new("scan", Ok(answer), Some(elapsed)), Layout::Compact)
        }
        Report::Text => out::data(&text(&scan, elapsed, args.probe)),
    };
    match told {
        0 if scan.interrupted => INTERRUPTED,
        told => told,
    }
}

fn attempt(args: &ScanArgs) -> Result<Scan, Error> {
    let (entries, extent) = if args.paths.is_empty() {
        (search_path(), Extent::Whole)
    } else {
        (given(&args.paths)?, Extent::Part)
    };
    // What is scanned is what a trusted project must have had pinned.
    let path = std::env::join_paths(
        entries
            .iter()
            .filter(|entry| !entry.to_string_lossy().contains(':')),
    )
    .ok();
    let shelf = shelf_of(path.as_deref())?;
    let places = shelf.places();
    let config = shelf.config();
    let skip = SkipList::new(&config.skip);
    let belongs = |directory: &Path| shelf.belongs(directory);
    let eyes = Eyes {
        uid: scan::user(),
        belongs: &belongs,
    };
    let settings = Settings {
        jobs: args.jobs.map_or_else(default_jobs, usize::from),
        timeout: args.timeout.unwrap_or(TIMEOUT),
        launcher: Launcher::SelfExe,
        home: argrail_sandbox::home().unwrap_or_else(|_| places.home().to_owned()),
        own: real(places.own()),
    };
    let cancel = Cancel::new().map_err(Error::execution)?;
    let stop = Arc::new(AtomicBool::new(false));
    let mode = if args.probe {
        end_on_signal(cancel.clone(), Arc::clone(&stop));
        Mode::Probe(Probing {
            settings: &settings,
            cancel: &cancel,
            stop: &stop,
        })
    } else {
        Mode::Look
    };
    let request = Request {
        places,
        directories: Directories::of(entries, &eyes),
        named: match extent {
            Extent::Whole => named(&shelf),
            Extent::Part => Vec::new(),
        },
        extent,
        skip: &skip,
        mode,
        wanted: if args.refresh {
            Wanted::Fresh
        } else {
            Wanted::Remembered
        },
        max_age: config.max_age.unwrap_or(MAX_AGE),
        redact: &config.redact,
        now: jiff::Timestamp::now(),
    };
    let bar = Bar::new("asking programs");
    let done = scan::run(&request, &|progress: Progress| {
        bar.show(progress.done, progress.total, progress.found);
    });
    bar.clear();
    let mut done = done.map_err(|error| match &error {
        ScanError::Sandbox(refusal) => refusal::refused(refusal),
        ScanError::Store(store) => Error::from(store),
    })?;
    if args.probe && !done.interrupted {
        servers(&shelf, &request, &settings, &mut done);
    }
    Ok(done)
}

/// The programs that the configuration names, wherever they are.
fn named(shelf: &Shelf) -> Vec<(String, PathBuf)> {
    let named = shelf.programs().named();
    named
        .map(|(name, path)| (name.to_owned(), path.to_owned()))
        .collect()
}

/// Asks the MCP servers of the configuration, too.
fn servers(shelf: &Shelf, request: &Request<'_>, settings: &Settings, scan: &mut Scan) {
    let config = shelf.config();
    let sweep = mcp::Sweep {
        servers: &config.mcp_servers,
        places: shelf.places(),
        wanted: request.wanted,
        max_age: request.max_age,
        redact: &config.redact,
        now: request.now,
    };
    let means = mcp::Means {
        launcher: settings.launcher.clone(),
        home: settings.home.clone(),
        own: settings.own.clone(),
        search: search_path(),
        timeout: mcp::TIMEOUT,
    };
    for swept in mcp::sweep(&sweep, &means) {
        let stdio = |server: &McpServer| matches!(server.transport, Transport::Command { .. });
        let started = swept.asked && config.mcp_servers.get(&swept.name).is_some_and(stdio);
        scan.executed += u64::from(started);
        match swept.outcome {
            Ok(()) => scan.servers.push(swept.name),
            Err(reason) => scan.failed.push(Skipped::new(Path::new(&swept.name), reason)),
        }
    }
}

/// Paths without symlinks, as far as they are there.
fn real(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
    paths.into_iter().map(real).collect()
}

/// The directories of `PATH`, in order.
fn search_path() -> Vec<PathBuf> {
    std::env::var_os("PATH")
        .map(|path| std::env::split_paths(&path).collect())
        .unwrap_or_default()
}

/// Directories that somebody typed: relative to where they are, and there.
fn given(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let absolute = |path: &PathBuf| {
        let shown = path.to_string_lossy();
        let absolute = std::path::absolute(path).map_err(Error::execution)?;
        if absolute.is_dir() {
            return Ok(absolute);
        }
        let what = Text::new("--path {} is not a directory").value(shown);
        Err(Error::new(Code::ValidationError, what)
            .hint("Give a directory that exists, or leave --path out for PATH"))
    };
    paths.iter().map(absolute).collect()
}

fn data(scan: &Scan, elapsed: Duration) -> Value {
    let reasons = |list: &[Skipped]| -> Value {
        let entry =
            |skipped: &Skipped| json!({"path": skipped.path.to_string_lossy(), "reason": skipped.reason});
        list.iter().map(entry).collect()
    };
    let found = scan.found.iter().map(|found| {
        let mut entry = json!({
            "name": found.name,
            "path": found.path.to_string_lossy(),
            "source": found.source.as_str(),
        });
        if let (Some(dialect), Some(entry)) = (&found.dialect, entry.as_object_mut()) {
            entry.insert("dialect".to_owned(), json!(dialect));
        }
        if let (1.., Some(entry)) = (found.warnings, entry.as_object_mut()) {
            entry.insert("warnings".to_owned(), json!(found.warnings));
        }
        entry
    });
    let servers = scan.servers.iter();
    let servers = servers.map(|name| json!({"name": name, "path": "", "source": "mcp", "dialect": "mcp"}));
    let found = found.chain(servers);
    let candidates = scan.candidates.iter();
    let candidates =
        candidates.map(|worth| json!({"name": worth.name, "path": worth.path.to_string_lossy()}));
    json!({
        "found": found.collect::<Value>(),
        "candidates": candidates.collect::<Value>(),
        "otherVersions": scan.other_versions.iter().map(|other| json!({
            "name": other.name,
            "path": other.path.to_string_lossy(),
            "described": other.described,
            "told": other.told,
        })).collect::<Value>(),
        "timedOut": scan.timed_out,
        "invalid": reasons(&scan.invalid),
        "failed": reasons(&scan.failed),
        "skipped": reasons(&scan.skipped),
        "programs": scan.programs,
        "executed": scan.executed,
        "interrupted": scan.interrupted,
        "elapsedMs": u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
    })
}

/// The tables for a person.
fn text(scan: &Scan, elapsed: Duration, probed: bool) -> String {
    let mut text = String::new();
    if !scan.found.is_empty() || !scan.servers.is_empty() {
        let mut table = Table::new(&["name", "source", "dialect", "path"]);
        for found in &scan.found {
            let dialect = found.dialect.as_deref().unwrap_or_default();
            table.row([
                &*found.name,
                found.source.as_str(),
                dialect,
                &found.path.to_string_lossy(),
            ]);
        }
        for name in &scan.servers {
            table.row([name.as_str(), "mcp", "mcp", ""]);
        }
        text.push_str(&table.text());
        text.push('\n');
    }
    let mut list = |title: &str, lines: Vec<String>| {
        if lines.is_empty() {
            return;
        }
        let mut page = Page::default();
        page.list(&format!("{title} ({}):", lines.len()), lines.iter().take(SHOWN));
        text.push_str(&page.text(terminal::width()));
        if lines.len() > SHOWN {
            text.push_str(&format!("  and {} more; --json lists all\n", lines.len() - SHOWN));
        }
    };
    let reasons = |list: &[Skipped]| -> Vec<String> {
        list.iter()
            .map(|skipped| format!("{}: {}", skipped.path.display(), skipped.reason))
            .collect()
    };
    let worth = scan
        .candidates
        .iter()
        .map(|worth| worth.path.display().to_string());
    list("worth asking", worth.collect());
    let others = scan.other_versions.iter().map(|other| {
        let (path, told, described) = (other.path.display(), &other.told, &other.described);
        format!(
            "{path}: {told}, described for {described}; see: argrail infer {}",
            other.name
        )
    });
    list("of another version", others.collect());
    list("not in time", scan.timed_out.clone());
    list("answered, and not as the draft says", reasons(&scan.invalid));
    list("could not be asked", reasons(&scan.failed));
    list("left out", reasons(&scan.skipped));
    let seconds = elapsed.as_secs_f64();
    text.push_str(&format!(
        "{} tools with metadata among {} programs, {} started, {seconds:.2} s\n",
        scan.found.len(),
        scan.programs,
        scan.executed
    ));
    if scan.interrupted {
        text.push_str("interrupted: what was found so far is kept\n");
    } else if !probed {
        text.push_str("nothing was executed; 'argrail scan --probe' asks programs in the sandbox\n");
    }
    text
}
