//! The one binary. All it does is in the library beside it, so that tests and examples share the code.

use std::process::ExitCode;

fn main() -> ExitCode {
    argrail::main()
}
