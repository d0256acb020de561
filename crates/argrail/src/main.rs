//! The one binary. All it does is in the library beside it, so that tests and examples share the code.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    // First of all: this process may be the launcher of a sandbox, which must not grow anything of ours.
    argrail_sandbox::enter();
    argrail::main()
}
