//! An agent for the tests, and the launcher of their sandboxes: one program, so that tests need to find one.

fn main() -> std::process::ExitCode {
    argrail_sandbox::enter();
    argrail_testkit::acp_agent::run(std::env::args().skip(1))
}
