//! The launcher by itself, for the tests of this crate and of its fuzzer. Cargo builds it for nobody else: a dependent has
//! the same three lines in a binary of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    argrail_sandbox::launcher_main()
}
