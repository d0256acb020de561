//! Prints the metadata that a help text gives: what `argrail infer --from-file` does, without argrail.
//!
//! ```text
//! cargo run -p argrail-spec --example read_help -- --name TOOL --sub "A B" --kind help|man --from-file FILE
//! ```

use std::io::Write;
use std::process::ExitCode;

use argrail_spec::help::{Subject, read_help, read_man, to_metadata};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let given = |flag: &str| {
        let at = args.iter().position(|arg| arg == flag)?;
        args.get(at + 1).map(String::as_str)
    };
    let Some(bytes) = given("--from-file").and_then(|file| std::fs::read(file).ok()) else {
        return ExitCode::from(2);
    };
    let path: Vec<&str> = given("--sub").unwrap_or_default().split_whitespace().collect();
    let subject = Subject {
        name: given("--name").unwrap_or("tool"),
        path: &path,
    };
    let text = String::from_utf8_lossy(&bytes);
    let page = match given("--kind") {
        Some("man") => read_man(&text, &subject),
        Some(_) | None => read_help(&text, &subject),
    };
    let metadata = to_metadata(&subject, &page, &mut |_, _, _, _| {});
    let mut stdout = std::io::stdout().lock();
    let is_written = serde_json::to_writer_pretty(&mut stdout, &metadata).is_ok() && writeln!(stdout).is_ok();
    if is_written {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
