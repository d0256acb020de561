//! A clap program that says what it is: five lines of it are for `--agent`.
//!
//! ```text
//! cargo run -p argrail-spec --features clap --example clap_tool -- --agent
//! cargo run -p argrail-spec --features clap --example clap_tool -- --agent --commands=greet --depth=1
//! ```

use std::io::Write;
use std::process::ExitCode;

use argrail_spec::atip::{Effects, Filesystem, answer_agent};
use clap::{Arg, ArgAction, Command};

fn command() -> Command {
    let greet = Command::new("greet")
        .about("Greet somebody")
        .arg(Arg::new("name").required(true).help("Whom"))
        .arg(
            Arg::new("loud")
                .short('l')
                .long("loud")
                .action(ArgAction::SetTrue)
                .help("Shout"),
        );
    Command::new("clap_tool")
        .version("1.0.0")
        .about("Greets people")
        .subcommand_required(true)
        .subcommand(greet)
}

/// What clap cannot know: what the commands change.
fn effects(path: &[&str]) -> Option<Effects> {
    match path {
        ["greet"] => Some(Effects {
            network: Some(false),
            filesystem: Some(Filesystem {
                read: Some(false),
                write: Some(false),
                delete: Some(false),
                ..Filesystem::default()
            }),
            idempotent: Some(true),
            destructive: Some(false),
            ..Effects::default()
        }),
        _ => None,
    }
}

fn main() -> ExitCode {
    let mut out = std::io::stdout();
    if let Some(answer) = answer_agent(std::env::args().skip(1), &command(), effects) {
        let done = answer.is_ok_and(|json| writeln!(out, "{json}").is_ok());
        return if done {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        };
    }
    let matches = command().get_matches();
    if let Some(("greet", greet)) = matches.subcommand() {
        let name = greet.get_one::<String>("name").map_or("you", String::as_str);
        let end = if greet.get_flag("loud") { "!" } else { "." };
        let _ = writeln!(out, "Hello, {name}{end}");
    }
    ExitCode::SUCCESS
}
