//! The commands that every command line has (ACLI §6.1).

use crate::model::{Arg, Builtin, Command, Kind, Typed};

/// The one that `--help` stands for.
pub(crate) const HELP: &str = "help";

/// The reserved commands (§6.1), written in the same model as all others.
pub(crate) fn reserved() -> [Command; 3] {
    let about = |name, description, builtin| {
        let command = Arg::positional("command", Kind::String, "Command to look up")
            .optional()
            .many();
        let page = Arg::option("--page", Kind::Integer, "Page of a long answer").default(1);
        let page = page.check("a page from 1 on", |page| matches!(page, Typed::Integer(1..)));
        Command::new(name, description)
            .hidden()
            .arg(command)
            .arg(page)
            .builtin(builtin)
    };
    [
        about(
            HELP,
            "Display command list, or details of one command",
            Builtin::Help,
        ),
        about("schema", "Output JSON Schemas of commands", Builtin::Schema),
        Command::new("version", "Output ACLI version and implementation info")
            .hidden()
            .builtin(Builtin::Version),
    ]
}
