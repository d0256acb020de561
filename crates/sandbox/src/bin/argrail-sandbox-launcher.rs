//! The launcher by itself, for users of the crate whose own program cannot be one.

use std::process::ExitCode;

fn main() -> ExitCode {
    argrail_sandbox::enter();
    // Whoever gets here typed the name.
    ExitCode::from(2)
}
