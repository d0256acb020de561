//! One session's `cat` while another has 64 searches under way in the same server, beside the same `cat` alone.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use super::Row;
use crate::http::HttpServer;
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::{Line, times};

pub(super) const ROW: Row = Row {
    name: "sessions",
    about: "cat of one session while another searches 64 times at once",
    measure,
};

const ROUNDS: usize = 3;
/// How many times `cat` is called alone in each round.
const ALONE: usize = 40;
const WARM_UP: usize = 5;
const SEARCHES: usize = 64;
/// What is searched: some 32 MB, which takes a search many times as long as a `cat`.
const FILES: usize = 512;
const FILE_BYTES: usize = 64 * 1024;
/// How much longer `cat` may take beside the searches.
const TARGET: f64 = 5.0;

const TEXT: &str = "one-small-file";

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let root = programs.home().canonicalize()?.join("sessions");
    let (home, work) = (root.join("home"), root.join("work"));
    fs::create_dir_all(work.join("tree"))?;
    fs::create_dir_all(&home)?;
    fs::write(work.join("small.txt"), TEXT)?;
    let text = "lines of usual length that hold no needle at all\n".repeat(FILE_BYTES / 49);
    for number in 0..FILES {
        fs::write(work.join("tree").join(number.to_string()), &text)?;
    }
    let server = HttpServer::start(&programs.ours.at(&home, &work))?;
    let (one, many) = (server.session()?, server.session()?);
    let cat = || -> io::Result<f64> {
        let started = Instant::now();
        server.call(&one, "cat small.txt", TEXT)?;
        Ok(started.elapsed().as_secs_f64())
    };
    for _ in 0..WARM_UP {
        cat()?;
        search(&server, &many)?;
    }
    let (mut alone, mut beside) = (Samples::default(), Samples::default());
    for _ in 0..ROUNDS {
        for _ in 0..ALONE {
            alone.push(cat()?);
        }
        during(&server, &many, || {
            beside.push(cat()?);
            Ok(())
        })?;
    }
    let ratio = beside.median() / alone.median();
    Ok(vec![Line {
        row: format!(
            "{}: cat beside {SEARCHES} searches of another, floor alone",
            ROW.name
        ),
        ours: times(&beside),
        floor: times(&alone),
        ratio: format!("{ratio:.2}"),
        target: "≤ 5 × alone",
        ok: Some(ratio <= TARGET),
    }])
}

fn search(server: &HttpServer, session: &str) -> io::Result<()> {
    // Nothing is found, which is an answer.
    server.call(
        session,
        "grep -rc needle-that-is-not-there tree/0 tree",
        "exitCode",
    )
}

/// Does something again and again while the searches are under way.
fn during(server: &HttpServer, session: &str, mut work: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    let left = AtomicUsize::new(SEARCHES);
    thread::scope(|scope| {
        let searches: Vec<_> = (0..SEARCHES)
            .map(|_| {
                scope.spawn(|| {
                    let outcome = search(server, session);
                    left.fetch_sub(1, Ordering::Relaxed);
                    outcome
                })
            })
            .collect();
        while left.load(Ordering::Relaxed) > 0 {
            work()?;
        }
        searches.into_iter().try_for_each(|search| {
            search
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("a search panicked")))
        })
    })
}
