//! Runs a command that may read the directory it is started in, and nothing else, and says what it was refused.
//!
//! `cargo run -p argrail-sandbox --example confined -- ls -l /`

#![expect(clippy::print_stdout, reason = "what it prints is its answer")]

use argrail_sandbox::policy::{Anchors, PathPattern, Policy};
use argrail_sandbox::{Command, HostWords};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // First in `main`: this program is also the launcher that builds the sandbox.
    argrail_sandbox::enter();

    let here = std::env::current_dir()?.canonicalize()?;
    let anchors = Anchors::new(argrail_sandbox::home()?, &here)?;
    let policy = Policy::closed().read(PathPattern::tree(&here));
    match Command::confined(std::env::args_os().skip(1), policy, anchors).run() {
        Ok(report) => {
            print!("{}", String::from_utf8_lossy(&report.stdout));
            print!("{}", String::from_utf8_lossy(&report.stderr));
            println!("{:?} after {:?}", report.ended, report.duration);
            for denial in &report.denials {
                println!("refused: {} {}", denial.kind.as_str(), denial.target);
            }
        }
        Err(error) => println!("{error}. {}", error.hint().worded(HostWords::default())),
    }
    Ok(())
}
