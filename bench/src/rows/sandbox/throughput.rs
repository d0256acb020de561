//! One gigabyte out of a child: through its standard output, and through the proxy that serves its network.

use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use argrail_sandbox::{Command, Output};

use super::contender::{Bench, Way, succeeded};
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::Line;

const BYTES: u64 = 1 << 30;
const RUNS: usize = 5;

pub(super) fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let bench = Bench::new(programs)?;
    let mut costs = [(); 4].map(|()| Samples::default());
    let argument = BYTES.to_string();
    for _ in 0..RUNS {
        let out: [&str; 4] = ["head", "-c", &argument, "/dev/zero"];
        costs[0].push(timed(|| through_stdout(bench.command(Way::Host, &out)?))?);
        costs[1].push(timed(|| through_stdout(bench.command(Way::TierOne, &out)?))?);
        costs[2].push(timed(direct)?);
        costs[3].push(timed(|| through_proxy(programs, &bench))?);
    }
    let [host, confined, direct, proxy] = costs;
    let line = |what: &str, ours: &Samples, floor: &Samples, against: &str| Line {
        row: format!("sandbox: 1 GiB {what}, floor {against}"),
        ours: rate(ours),
        floor: rate(floor),
        ratio: format!("{:.2}", floor.median() / ours.median()),
        target: "",
        ok: None,
    };
    Ok(vec![
        line("through stdout in tier 1", &confined, &host, "host"),
        line("through the egress proxy", &proxy, &direct, "direct"),
    ])
}

fn rate(costs: &Samples) -> String {
    let gigabytes = |seconds: f64| BYTES as f64 / seconds / 1e9;
    format!(
        "{:.2} GB/s (p10 {:.2})",
        gigabytes(costs.median()),
        gigabytes(costs.p10())
    )
}

fn timed(run: impl FnOnce() -> io::Result<()>) -> io::Result<f64> {
    let started = Instant::now();
    run()?;
    Ok(started.elapsed().as_secs_f64())
}

fn through_stdout(command: Command) -> io::Result<()> {
    let seen = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&seen);
    let count = Output::Each(Box::new(move |bytes| {
        counter.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    }));
    let report = command
        .stdout(count)
        .max_output(u64::MAX)
        .run()
        .map_err(io::Error::other)?;
    succeeded(&report)?;
    all_there(seen.load(Ordering::Relaxed))
}

/// The same bytes over a plain connection: what the machine can do.
fn direct() -> io::Result<()> {
    let (port, server) = serve()?;
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port))?;
    let mut buffer = vec![0; 256 * 1024];
    let mut seen = 0;
    loop {
        match stream.read(&mut buffer)? {
            0 => break,
            length => seen += length as u64,
        }
    }
    server
        .join()
        .map_err(|_| io::Error::other("the server failed"))??;
    all_there(seen)
}

fn through_proxy(programs: &Programs, bench: &Bench) -> io::Result<()> {
    let (port, server) = serve()?;
    let puller = programs.beside("pull-through");
    let puller = puller.to_string_lossy();
    let report = bench
        .command(
            Way::Egress,
            &[
                puller.as_ref(),
                "bench.test",
                &port.to_string(),
                &BYTES.to_string(),
            ],
        )?
        .run()
        .map_err(io::Error::other)?;
    succeeded(&report)?;
    server.join().map_err(|_| io::Error::other("the server failed"))?
}

type Server = thread::JoinHandle<io::Result<()>>;

/// Serves the bytes once, on a port of the loopback interface.
fn serve() -> io::Result<(u16, Server)> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let port = listener.local_addr()?.port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept()?;
        let chunk = vec![7; 256 * 1024];
        let mut left = BYTES;
        while left > 0 {
            let part = chunk
                .get(..usize::try_from(left).unwrap_or(usize::MAX).min(chunk.len()))
                .unwrap_or_default();
            stream.write_all(part)?;
            left -= part.len() as u64;
        }
        Ok(())
    });
    Ok((port, server))
}

fn all_there(seen: u64) -> io::Result<()> {
    if seen == BYTES {
        return Ok(());
    }
    Err(io::Error::other(format!("{seen} of {BYTES} bytes arrived")))
}
