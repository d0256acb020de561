//! Builds sandboxes for the tests of this crate, as the binary does for itself.

fn main() {
    argrail_sandbox::enter();
}
