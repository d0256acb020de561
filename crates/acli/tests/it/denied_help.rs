//! `help` that is denied by name is denied however it is written (§8.2), and no refusal leads back to it.

use argrail_acli::{Cli, Command};
use serde_json::json;

use crate::world::{said, world};

fn cli(deny: &[&str]) -> Cli {
    let runs = |name: &str| Command::new(name, "").handler(|_| async { Ok(json!(null)) });
    Cli::builder("t", "1", "", world())
        .command(Command::new("calendar", "").subcommand(runs("events")))
        .command(runs("drive"))
        .deny(deny)
        .build()
        .unwrap()
}

#[test]
fn a_denied_help_is_denied_in_every_spelling() {
    let denied = cli(&["help"]);
    for line in [
        "help",
        "help calendar",
        "--help",
        "-h",
        "calendar --help",
        "calendar events -h",
        "drive --help",
    ] {
        let answer = said(&denied, line);
        assert_eq!(answer["error"]["code"], "PERMISSION_DENIED", "{line}: {answer:#}");
        assert_eq!(
            answer["error"]["message"], "Permission denied for 'help'",
            "{line}"
        );
        assert_eq!(
            answer["error"]["hint"], "Check your access level: this command is not allowed here",
            "{line}"
        );
    }
    assert_eq!(said(&denied, "drive")["success"], true);
    let open = cli(&["drive"]);
    assert_eq!(said(&open, "--help")["success"], true);
    let hint = said(&open, "drive")["error"]["hint"].take();
    assert!(hint.as_str().unwrap().contains("run 'help'"), "{hint}");
}
