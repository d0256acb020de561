//! What to do about a feature that is missing: one sentence that names the setting, option or version.

use std::fs;
use std::path::Path;

use super::trial::FeatureTrial;
use crate::refusal::Fix;

const CONTAINER: &str = "In a container, start it with '--security-opt seccomp=unconfined --security-opt \
                         apparmor=unconfined' (docker, podman), or run {program} outside";

/// Returns what to do so that a trial succeeds that failed with `error`.
pub(super) fn fix(trial: FeatureTrial, error: i32, settings: &KernelSettings) -> Fix {
    match trial {
        FeatureTrial::UserNamespaces => user_namespaces(error, settings),
        FeatureTrial::MountNamespace => namespace("CONFIG_NAMESPACES", "max_mnt_namespaces", error, settings),
        FeatureTrial::PidNamespace => namespace("CONFIG_PID_NS", "max_pid_namespaces", error, settings),
        FeatureTrial::NetworkNamespace => namespace("CONFIG_NET_NS", "max_net_namespaces", error, settings),
        FeatureTrial::IpcNamespace => namespace("CONFIG_IPC_NS", "max_ipc_namespaces", error, settings),
        FeatureTrial::UtsNamespace => namespace("CONFIG_UTS_NS", "max_uts_namespaces", error, settings),
        FeatureTrial::CgroupNamespace => {
            namespace("CONFIG_CGROUPS", "max_cgroup_namespaces", error, settings)
        }
        FeatureTrial::NewMountApi => match error {
            libc::ENOSYS => {
                Fix::new("Use Linux 5.12 or newer, which has open_tree and mount_setattr").then(CONTAINER)
            }
            _ => user_namespaces(error, settings),
        },
        FeatureTrial::FreshProc => Fix::new(
            "Let /proc be whole: in a container, start it with '--security-opt \
             systempaths=unconfined' (docker) or '--security-opt unmask=ALL' (podman); parts of /proc \
             that are covered keep a new one from being mounted",
        ),
        FeatureTrial::Devpts => match error {
            libc::ENODEV => Fix::new("Use a kernel with CONFIG_UNIX98_PTYS"),
            _ => user_namespaces(error, settings),
        },
        FeatureTrial::IdMappedMounts => Fix::new(
            "Start {program} in a workspace on ext4, xfs, btrfs or (Linux 6.3) tmpfs, with Linux 5.12 or \
             newer; or run it as the owner of the workspace instead of root",
        ),
        FeatureTrial::Landlock => landlock(settings),
        FeatureTrial::LandlockScopes => Fix::new(
            "Use Linux 6.12 or newer (Landlock ABI 6). Without it signals and abstract sockets are \
             held by namespaces alone",
        ),
        FeatureTrial::Seccomp => Fix::new("Use a kernel with CONFIG_SECCOMP_FILTER").then(CONTAINER),
        FeatureTrial::SeccompNotify => {
            Fix::new("Use Linux 5.5 or newer with CONFIG_SECCOMP_FILTER").then(CONTAINER)
        }
        FeatureTrial::Pidfd => Fix::new("Use Linux 5.3 or newer").then(CONTAINER),
        FeatureTrial::MemfdNoexecSeal => {
            Fix::new("Use Linux 6.3 or newer. Without it programs on a list cannot make memory files")
        }
        FeatureTrial::CloseRange => Fix::new("Use Linux 5.11 or newer").then(CONTAINER),
        FeatureTrial::CgroupDelegated => Fix::new(
            "Start {program} in a group of its own: 'systemd-run --user --scope -p Delegate=yes {program} …'. \
             Without it limits hold for each process, and not for all of them together",
        ),
    }
}

fn user_namespaces(error: i32, settings: &KernelSettings) -> Fix {
    if settings.userns_clone == Some(0) {
        return Fix::new("Run 'sudo sysctl -w kernel.unprivileged_userns_clone=1'");
    }
    if settings.max_user_namespaces == Some(0) || error == libc::ENOSPC {
        return Fix::new(
            "Run 'sudo sysctl -w user.max_user_namespaces=15000' (in a container, on the machine outside it)",
        );
    }
    if settings.apparmor_userns.is_some_and(|restricted| restricted != 0) {
        return Fix::new(
            "Give {program} an AppArmor profile with 'userns,', or run 'sudo sysctl -w \
             kernel.apparmor_restrict_unprivileged_userns=0'",
        );
    }
    match (error, settings.container) {
        (libc::EINVAL, _) => Fix::new("Use a kernel with CONFIG_USER_NS"),
        (_, true) => Fix::new(CONTAINER),
        (_, false) => Fix::new(
            "Check the sysctls kernel.unprivileged_userns_clone, user.max_user_namespaces and \
             kernel.apparmor_restrict_unprivileged_userns, and the security modules' rules",
        )
        .then(CONTAINER),
    }
}

fn namespace(option: &str, sysctl: &str, error: i32, settings: &KernelSettings) -> Fix {
    match error {
        libc::EINVAL => Fix::new("Use a kernel with {}").value(option),
        libc::ENOSPC if settings.max_user_namespaces != Some(0) => {
            Fix::new("Run 'sudo sysctl -w user.{}=15000' (and user.max_user_namespaces, if that is low)")
                .value(sysctl)
        }
        _ => user_namespaces(error, settings),
    }
}

fn landlock(settings: &KernelSettings) -> Fix {
    let listed = |modules: &Vec<String>| modules.iter().any(|module| module == "landlock");
    match &settings.modules {
        Some(modules) if !listed(modules) => Fix::new(
            "Boot with 'lsm=landlock,{}' on the kernel's command line (Linux 6.2 or newer with \
             CONFIG_SECURITY_LANDLOCK)",
        )
        .value(modules.join(",")),
        Some(_) | None => Fix::new("Use Linux 6.2 or newer with CONFIG_SECURITY_LANDLOCK, and 'landlock' in the boot parameter 'lsm='").then(CONTAINER),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::HostWords;

    #[test]
    fn the_setting_that_refuses_is_the_one_that_is_named() {
        fn check(trial: FeatureTrial, error: i32, settings: KernelSettings, expected: &str) {
            let fix = fix(trial, error, &settings).worded(HostWords::default());
            assert!(fix.contains(expected), "{trial:?} {error} {settings:?}: {fix}");
        }
        let none = KernelSettings::default;
        let user = FeatureTrial::UserNamespaces;
        check(
            user,
            libc::EPERM,
            KernelSettings {
                userns_clone: Some(0),
                ..none()
            },
            "kernel.unprivileged_userns_clone=1",
        );
        check(user, libc::ENOSPC, none(), "user.max_user_namespaces=");
        check(
            user,
            libc::EPERM,
            KernelSettings {
                max_user_namespaces: Some(0),
                ..none()
            },
            "user.max_user_namespaces=",
        );
        check(
            user,
            libc::EACCES,
            KernelSettings {
                apparmor_userns: Some(1),
                ..none()
            },
            "kernel.apparmor_restrict_unprivileged_userns=0",
        );
        check(
            user,
            libc::EPERM,
            KernelSettings {
                container: true,
                ..none()
            },
            "--security-opt",
        );
        check(user, libc::EINVAL, none(), "CONFIG_USER_NS");
        check(
            FeatureTrial::NetworkNamespace,
            libc::EINVAL,
            none(),
            "CONFIG_NET_NS",
        );
        check(
            FeatureTrial::NetworkNamespace,
            libc::ENOSPC,
            none(),
            "user.max_net_namespaces=",
        );
        check(
            FeatureTrial::FreshProc,
            libc::EPERM,
            none(),
            "systempaths=unconfined",
        );
        let modules = Some(vec!["lockdown".to_owned(), "yama".to_owned()]);
        check(
            FeatureTrial::Landlock,
            libc::EOPNOTSUPP,
            KernelSettings { modules, ..none() },
            "lsm=landlock,lockdown,yama",
        );
    }

    #[test]
    fn everything_that_can_be_missing_can_be_mended() {
        for trial in FeatureTrial::ALL {
            for error in [
                libc::EPERM,
                libc::ENOSYS,
                libc::EINVAL,
                libc::ENOSPC,
                libc::EACCES,
            ] {
                let fix = fix(trial, error, &KernelSettings::default());
                assert!(fix.worded(HostWords::default()).len() > 20, "{trial:?}");
            }
        }
    }
}
