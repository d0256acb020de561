//! Settings of the machine that explain why something was refused. Read after the fact, to name the right one.

use std::fs;
use std::path::Path;

/// What is set, as far as it can be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct KernelSettings {
    /// `kernel.unprivileged_userns_clone`, which some distributions add.
    pub(super) userns_clone: Option<u64>,
    /// `user.max_user_namespaces`.
    pub(super) max_user_namespaces: Option<u64>,
    /// `kernel.apparmor_restrict_unprivileged_userns`.
    pub(super) apparmor_userns: Option<u64>,
    /// The security modules that were started, where they can be listed.
    pub(super) modules: Option<Vec<String>>,
    /// Whether this looks like the inside of a container.
    pub(super) container: bool,
}

impl KernelSettings {
    /// Reads them below `root`.
    pub(super) fn read(root: &Path) -> Self {
        let text = |path: &str| fs::read_to_string(root.join(path)).ok();
        let number = |path: &str| text(path).and_then(|text| text.trim().parse().ok());
        let list = |text: String| text.trim().split(',').map(str::to_owned).collect();
        Self {
            userns_clone: number("proc/sys/kernel/unprivileged_userns_clone"),
            max_user_namespaces: number("proc/sys/user/max_user_namespaces"),
            apparmor_userns: number("proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
            modules: text("sys/kernel/security/lsm").map(list),
            container: [".dockerenv", "run/.containerenv"]
                .iter()
                .any(|path| root.join(path).exists()),
        }
    }
}
