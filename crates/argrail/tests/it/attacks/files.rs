//! Files: reading and changing what was not granted, by every name it has.

use super::harness::{Target, each_host};
use super::policy::Policy;

/// 1
#[test]
fn a_denied_file_cannot_be_read() {
    each_host(|host| {
        let target = Target::new(host)
            .file("work/secret/key", "hunter2")
            .file("work/open/note", "hello");
        let policy = Policy::new().read("**").deny("secret/**");
        target.held(&policy, &["read", &target.path("work/secret/key")]);
        target.allowed(&policy, &["read", &target.path("work/open/note")]);
        target.outside(&["read", &target.path("work/secret/key")]);
    });
}
