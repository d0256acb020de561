//! The row: four directories' worth of programs, cold and warm.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use argrail_engine::catalog::scan::{Belongs, Candidates, Directories, Eyes, SkipList, user};

use super::floor;
use super::ours::Scanner;
use super::scripts::{self, Mix};
use crate::rows::Row;
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::{Line, time, times};

/// Runs of each. With programs that hang, every run takes two seconds.
const HANGING: usize = 3;
const QUICK: usize = 7;

/// What the draft gives a program that hangs, in seconds.
const TIMEOUT: f64 = 2.0;

pub(in crate::rows) const ROW: Row = Row {
    name: "scan",
    about: "200 scripts with and without hangers, and all of PATH, asked and looked at",
    measure,
};

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    lines.extend(directory(programs, "5 of 200 hang", scripts::ALL, HANGING)?);
    lines.extend(directory(
        programs,
        "195, none hangs",
        scripts::NO_HANGERS,
        QUICK,
    )?);
    lines.extend(machine(programs)?);
    Ok(lines)
}

/// A directory of scripts: cold beside the floor, and again warm.
fn directory(programs: &Programs, what: &str, mix: Mix, rounds: usize) -> io::Result<Vec<Line>> {
    let home = programs.home().canonicalize()?;
    let scripts = home.join(format!("scripts-{}", mix.hanging));
    let list = scripts::write(&scripts, mix)?;
    let scanner = Scanner::new(
        programs.argrail(),
        home.join("scan-home"),
        OsString::from("/usr/bin:/bin"),
    );
    let words = ["--probe", "--path", scripts.to_str().unwrap_or_default()];
    let [mut cold, mut warm, mut floor] = [(); 3].map(|()| Samples::default());
    floor::run(programs.argrail(), &list)?; // the first one finds cold caches
    for _ in 0..rounds {
        scanner.forget()?;
        let first = scanner.scan(&words)?;
        let second = scanner.scan(&words)?;
        for (name, want) in [
            ("found", mix.valid),
            ("timedOut", mix.hanging),
            ("invalid", mix.invalid),
        ] {
            if [first.count(name), second.count(name)] != [want; 2] {
                return Err(io::Error::other(format!(
                    "{what}: {name} is not {want}: {}",
                    first.data
                )));
            }
        }
        cold.push(first.seconds);
        warm.push(second.seconds);
        let begun = Instant::now();
        floor::run(programs.argrail(), &list)?;
        floor.push(begun.elapsed().as_secs_f64());
    }
    let hangs = mix.hanging > 0;
    let base = if hangs {
        floor.median().max(TIMEOUT)
    } else {
        floor.median()
    };
    let (ratio, again) = (cold.median() / base, warm.median() / cold.median());
    Ok(vec![
        Line {
            row: format!("scan: {what}, floor sandbox alone"),
            ours: times(&cold),
            floor: times(&floor),
            ratio: format!("{ratio:.2}"),
            target: if hangs {
                "≤ 1.3 × max(2 s, floor)"
            } else {
                "≤ 1.3 × floor"
            },
            ok: Some(ratio <= 1.3),
        },
        Line {
            row: format!("scan: {what}, again, floor the first time"),
            ours: times(&warm),
            floor: times(&cold),
            ratio: format!("{again:.3}"),
            target: "< 0.1 × the first time",
            ok: Some(again < 0.1),
        },
    ])
}

/// All programs of this machine: looked at, asked, and asked again.
fn machine(programs: &Programs) -> io::Result<Vec<Line>> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let list = everything(&path);
    let home = programs.home().canonicalize()?;
    let scanner = Scanner::new(programs.argrail(), home.join("scan-home"), path);
    let [mut new, mut known] = [(); 2].map(|()| Samples::default());
    for _ in 0..QUICK {
        scanner.forget()?;
        new.push(scanner.scan(&[])?.seconds);
        known.push(scanner.scan(&[])?.seconds);
    }
    scanner.forget()?;
    let asked = scanner.scan(&["--probe"])?;
    let again = scanner.scan(&["--probe"])?;
    let begun = Instant::now();
    floor::run(programs.argrail(), &list)?;
    let floor = begun.elapsed().as_secs_f64();
    let found = format!(
        "{} ({} programs, {} started, {} found, {} not in time)",
        time(asked.seconds),
        asked.number("programs"),
        asked.number("executed"),
        asked.count("found"),
        asked.count("timedOut")
    );
    let ratio = again.seconds / asked.seconds;
    Ok(vec![
        Line {
            row: "scan: PATH, nothing started, nothing known".to_owned(),
            ours: times(&new),
            target: "< 1 s",
            ok: Some(new.median() < 1.0),
            ..Line::default()
        },
        Line {
            row: "scan: PATH, nothing started, all known".to_owned(),
            ours: times(&known),
            ..Line::default()
        },
        Line {
            row: "scan: PATH asked, floor sandbox alone".to_owned(),
            ours: found,
            floor: time(floor),
            ratio: format!("{:.2}", asked.seconds / floor),
            ..Line::default()
        },
        Line {
            row: "scan: PATH asked again, floor the first time".to_owned(),
            ours: time(again.seconds),
            floor: time(asked.seconds),
            ratio: format!("{ratio:.3}"),
            target: "< 0.1 × the first time",
            ok: Some(ratio < 0.1),
        },
    ])
}

/// The programs that a scan of this `PATH` asks.
fn everything(path: &OsString) -> Vec<PathBuf> {
    let eyes = Eyes {
        uid: user(),
        belongs: &|_: &Path| Belongs::Machine,
    };
    let directories = Directories::of(std::env::split_paths(path), &eyes);
    let found = Candidates::of(&[], &directories.list, &SkipList::new(&[]));
    found.list.into_iter().map(|candidate| candidate.path).collect()
}
