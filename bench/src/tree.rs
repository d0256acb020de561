//! The command tree that is measured: ten groups of ten commands with six options each.

use std::sync::Arc;

use argrail_acli::{Arg, AuditSink, Call, Cli, Command, DefinitionError, Error, Kind, TokioHost};
use serde_json::{Value, json};

const GROUPS: [(&str, &str); 10] = [
    ("calendar", "Events and invitations"),
    ("mail", "Messages and drafts"),
    ("drive", "Files and folders"),
    ("contacts", "People and companies"),
    ("tasks", "Work to do"),
    ("notes", "Short texts"),
    ("issues", "Reports of problems"),
    ("builds", "Runs of the build"),
    ("hosts", "Machines and their state"),
    ("invoices", "What is owed"),
];

const LEAVES: [(&str, &str); 10] = [
    ("list", "List what is there"),
    ("get", "Show one"),
    ("create", "Make a new one"),
    ("update", "Change one"),
    ("delete", "Remove one"),
    ("search", "Find by words"),
    ("export", "Write to a file"),
    ("share", "Give access to somebody"),
    ("archive", "Put away"),
    ("restore", "Bring back"),
];

/// Ways to call a leaf: quoting, attached and separate values, a short option, flags, a date.
const SHAPES: [&str; 4] = [
    "--query 'status report' --max 25 --format json --all",
    "--since 2026-02-01 --query=invoice --max=5",
    "-n 100 --label red --label green --all",
    "--format table --query \"from: \\\"Ada\\\"\" -n 7 --since 2026-02-01T09:30:00Z",
];

/// Builds the tree, with a record if `audit` is given.
pub(crate) fn cli(audit: Option<Arc<dyn AuditSink>>) -> Result<Cli, DefinitionError> {
    let host = Arc::new(TokioHost::default());
    let mut builder = Cli::builder("bench", "1.0.0", "An office for agents", host);
    for (name, description) in GROUPS {
        let leaves = LEAVES.map(|(name, description)| leaf(name, description));
        builder = builder.command(Command::new(name, description).subcommands(leaves));
    }
    if let Some(audit) = audit {
        builder = builder.audit(audit);
    }
    builder.build()
}

/// Returns a command string for each leaf, in all shapes.
pub(crate) fn commands() -> Vec<String> {
    leaves()
        .zip(SHAPES.iter().cycle())
        .map(|((group, leaf), shape)| format!("{group} {leaf} {shape}"))
        .collect()
}

/// Returns the path of each leaf.
pub(crate) fn leaves() -> impl Iterator<Item = (&'static str, &'static str)> {
    GROUPS
        .iter()
        .flat_map(|(group, _)| LEAVES.iter().map(|(leaf, _)| (*group, *leaf)))
}

fn leaf(name: &str, description: &str) -> Command {
    let formats = Kind::one_of(["json", "table", "csv"]);
    Command::new(name, description)
        .arg(Arg::option("--query", Kind::String, "Words to look for"))
        .arg(
            Arg::option("--max", Kind::Integer, "How many at most")
                .short('n')
                .default(10),
        )
        .arg(Arg::option("--since", Kind::DateTime, "Not older than"))
        .arg(Arg::option("--format", formats, "How to print").default("json"))
        .arg(Arg::option("--label", Kind::String, "Only with this label").many())
        .arg(Arg::flag("--all", "Archived ones too"))
        .handler(answer)
}

async fn answer(call: Call) -> Result<Value, Error> {
    let max: u64 = call.get("max")?;
    Ok(json!({"max": max, "all": call.get::<bool>("all")?}))
}

#[test]
fn every_command_of_the_bench_succeeds() {
    let cli = cli(None).unwrap();
    let commands = commands();
    assert_eq!(commands.len(), 100);
    for command in commands {
        let request = argrail_acli::Request::new(command.as_str(), argrail_acli::Caller::default());
        let envelope = crate::poll::once(cli.answer(request)).unwrap();
        assert!(envelope.success(), "{command}: {envelope}");
    }
}
