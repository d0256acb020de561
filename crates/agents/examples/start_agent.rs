//! Starts the agent of a folder as its manifest says, confined, and shows what it writes, until it ends:
//! `start_agent FOLDER [MODE]`.
//!
//! No word of a protocol is spoken here; `Session` does that. It shows what an agent gets: its words, its variables, its
//! sandbox. When this process ends, in whatever way, the agent ends with it.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use argrail_agents::launch::{Host, Wishes};
use argrail_agents::{AgentCli, Lifting, StartOptions};
use argrail_engine::catalog::Shelf;
use argrail_engine::config::Config;
use argrail_engine::places::Places;
use argrail_sandbox::Launcher;

fn main() -> ExitCode {
    // The same program builds the sandbox.
    argrail_sandbox::enter();
    match show() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let told = error
                .downcast_ref::<argrail_acli::Error>()
                .map(argrail_acli::Error::to_json);
            let _ = match told {
                Some(told) => writeln!(io::stderr(), "{told}"),
                None => writeln!(io::stderr(), "{error}"),
            };
            ExitCode::FAILURE
        }
    }
}

fn show() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("start_agent FOLDER [MODE]")?;
    let options = StartOptions {
        wishes: Wishes {
            mode: words.next(),
            ..Wishes::default()
        },
        lifting: Lifting::Refused,
        ..StartOptions::default()
    };
    let places = Places::new(|name| std::env::var_os(name))?;
    let config = Config::load(&places)?;
    let directory = std::env::current_dir()?;
    let path = std::env::var_os("PATH");
    let shelf = Shelf::open(places, config, &directory, path.as_deref())?;
    let environment = std::env::vars_os().collect();
    let host = Host::new(&shelf, &Launcher::SelfExe, None, environment, &directory)?;
    let agent = AgentCli::from_folder(Path::new(&folder))?;
    let mut child = agent.prepare(&options, &host)?.start()?.into_child();
    let mut output = child.stdout.take().ok_or("its output is no pipe")?;
    io::copy(&mut output, &mut io::stdout())?;
    let report = child.wait()?;
    writeln!(io::stdout(), "ended: {:?}", report.ended)?;
    Ok(())
}
