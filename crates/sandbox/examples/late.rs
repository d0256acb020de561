//! A program that calls `enter` when another thread runs already, for the tests of this crate: it can be no launcher, not
//! its own and nobody else's.

#![expect(clippy::print_stdout, reason = "what it prints is its answer")]

use argrail_sandbox::policy::{Anchors, Policy};
use argrail_sandbox::{Command, Machine, probe};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    std::thread::spawn(|| {
        loop {
            std::thread::park();
        }
    });
    argrail_sandbox::enter();
    let anchors = Anchors::new("/tmp", "/tmp")?;
    match Command::confined(["true"], Policy::closed(), anchors).run() {
        Ok(report) => println!("ran: {:?}", report.ended),
        Err(error) => println!("{error}"),
    }
    let Machine { tier, .. } = probe();
    println!("tier {tier}");
    Ok(())
}
