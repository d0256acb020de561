//! Variables that make programs load code or start other programs.
//!
//! With one of them, a policy that allows `git` allows everything. Two rules, because two things differ: a
//! value that is *passed* is whatever the host happens to have, and nobody who reads the policy sees it; a
//! value that is *set* stands in the policy. So what tools need to be quiet (`PAGER=cat`, `EDITOR=true`) may
//! be set but not passed, and what loads code may be neither.
//!
//! This is no boundary: the sandbox is. It keeps a reviewed policy meaning what it says.

/// Why a variable is refused, and what to do about it.
pub(super) type SteeringFault = (&'static str, &'static str);

/// Returns why a variable of the host is not passed.
pub(super) fn refused_to_pass(name: &str) -> Option<SteeringFault> {
    let named = |list: &[&str]| list.contains(&name);
    if named(CHOOSES) || CHOOSES_SUFFIX.iter().any(|suffix| name.ends_with(suffix)) {
        return Some((
            "it names a program that others start, and the host's choice is not in this policy",
            "leave it out, or give it a value in env.set: 'cat' for a pager, 'true' for an editor",
        ));
    }
    if named(REPOSITORY) {
        return Some((
            "it points git at another repository than the one in the workspace",
            "leave it out: git finds the repository from the folder it runs in",
        ));
    }
    refused_to_set(name)
}

/// Returns why a variable is not set, whatever its value.
pub(super) fn refused_to_set(name: &str) -> Option<SteeringFault> {
    let starts = |list: &[&str]| list.iter().any(|prefix| name.starts_with(prefix));
    if PROXY.contains(&name.to_ascii_lowercase().as_str()) {
        return Some((
            "the sandbox has its own network, and says itself how to reach it",
            "leave it out and name the hosts in network.egress",
        ));
    }
    if LOADS.contains(&name) || starts(LOADS_PREFIX) {
        return Some((
            "it makes programs load code of whoever chose its value",
            "leave it out, and install what the program needs where it looks by itself",
        ));
    }
    let cargo = name.starts_with("CARGO_TARGET_") && (name.ends_with("_RUNNER") || name.ends_with("_LINKER"));
    let git = name.starts_with("GIT_CONFIG") && name != "GIT_CONFIG_NOSYSTEM";
    if RUNS.contains(&name) || cargo || git {
        return Some((
            "it makes programs run a command of whoever chose its value",
            "leave it out; give what the program needs as arguments or in its own settings",
        ));
    }
    None
}

/// Read by loaders, by the C library and by language runtimes before the program's first line.
const LOADS: &[&str] = &[
    "BASHOPTS",
    "BASH_ENV",
    "BASH_LOADABLES_PATH",
    "BUN_OPTIONS",
    "CLASSPATH",
    "DOTNET_ADDITIONAL_DEPS",
    "DOTNET_STARTUP_HOOKS",
    "ENV",
    "ERL_AFLAGS",
    "ERL_FLAGS",
    "ERL_LIBS",
    "ERL_ZFLAGS",
    "GCONV_PATH",
    "GETCONF_DIR",
    "GIO_EXTRA_MODULES",
    "GIO_MODULE_DIR",
    "GLIBC_TUNABLES",
    "GTK_MODULES",
    "GTK_PATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JULIA_LOAD_PATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "PERL5DB",
    "PERL5LIB",
    "PERL5OPT",
    "PERLLIB",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PYTHONBREAKPOINT",
    "PYTHONHOME",
    "PYTHONINSPECT",
    "PYTHONPATH",
    "PYTHONPLATLIBDIR",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "PYTHONWARNINGS",
    "QT_PLUGIN_PATH",
    "RUBYLIB",
    "RUBYOPT",
    "R_ENVIRON",
    "R_PROFILE",
    "SHELLOPTS",
    "ZDOTDIR",
    "_JAVA_OPTIONS",
    "npm_config_node_options",
    "npm_config_script_shell",
];

const LOADS_PREFIX: &[&str] = &["COMPlus_", "CORECLR_", "COR_", "DYLD_", "LD_", "LUA_"];

/// Their value is a command, an option that runs one, or a folder of them.
const RUNS: &[&str] = &[
    "CARGO_BUILD_RUSTC",
    "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "CARGO_BUILD_RUSTDOC",
    "CVS_RSH",
    "GIT_ALLOW_PROTOCOL",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_TEMPLATE_DIR",
    "GNUMAKEFLAGS",
    "GRADLE_OPTS",
    "IFS",
    "LESSCLOSE",
    "LESSOPEN",
    "MAKEFILES",
    "MAKEFLAGS",
    "MAVEN_OPTS",
    "MFLAGS",
    "PERL5SHELL",
    "PROMPT_COMMAND",
    "PS4",
    "RSYNC_RSH",
    "RUBYSHELL",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTDOC",
    "SVN_SSH",
    "TAR_OPTIONS",
    "npm_config_git",
];

/// Their value is a program that shows, edits or asks. Tools are kept quiet by setting them.
const CHOOSES: &[&str] = &["BROWSER", "EDITOR", "FCEDIT", "MANPAGER", "PAGER", "VISUAL"];

const CHOOSES_SUFFIX: &[&str] = &["_ASKPASS", "_BROWSER", "_EDITOR", "_PAGER"];

/// Left over in the environment of hooks.
const REPOSITORY: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
];

/// In lower case; programs read both.
const PROXY: &[&str] = &[
    "all_proxy",
    "ftp_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "socks_proxy",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_programs_is_refused() {
        fn check(names: &[&str], pass: bool, set: bool) {
            for name in names {
                assert_eq!(refused_to_pass(name).is_none(), pass, "pass {name}");
                assert_eq!(refused_to_set(name).is_none(), set, "set {name}");
            }
        }
        check(
            &[
                "PATH", "HOME", "TMPDIR", "LANG", "TZ", "TERM", "SHELL", "GH_TOKEN", "LDFLAGS",
            ],
            true,
            true,
        );
        check(
            &[
                "GIT_TERMINAL_PROMPT",
                "GIT_CONFIG_NOSYSTEM",
                "GIT_AUTHOR_NAME",
                "SSL_CERT_FILE",
            ],
            true,
            true,
        );
        check(
            &[
                "PYTHONUNBUFFERED",
                "PYTHONUTF8",
                "NODE_EXTRA_CA_CERTS",
                "CARGO_HOME",
                "ld_preload",
            ],
            true,
            true,
        );
        check(
            &[
                "PAGER",
                "GIT_PAGER",
                "GH_PAGER",
                "EDITOR",
                "KUBE_EDITOR",
                "BROWSER",
                "SSH_ASKPASS",
            ],
            false,
            true,
        );
        check(&["GIT_INDEX_FILE", "GIT_WORK_TREE"], false, true);
        check(
            &[
                "LD_PRELOAD",
                "LD_AUDIT",
                "DYLD_INSERT_LIBRARIES",
                "GLIBC_TUNABLES",
                "BASH_ENV",
            ],
            false,
            false,
        );
        check(
            &[
                "NODE_OPTIONS",
                "PYTHONPATH",
                "PERL5OPT",
                "RUBYOPT",
                "_JAVA_OPTIONS",
            ],
            false,
            false,
        );
        check(
            &[
                "GIT_SSH_COMMAND",
                "GIT_DIR",
                "GIT_CONFIG",
                "GIT_CONFIG_COUNT",
                "GIT_CONFIG_KEY_0",
            ],
            false,
            false,
        );
        check(
            &[
                "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
                "RUSTC_WRAPPER",
                "MAKEFLAGS",
            ],
            false,
            false,
        );
        check(&["http_proxy", "HTTPS_PROXY", "No_Proxy"], false, false);
    }

    #[test]
    fn the_lists_are_in_order_without_repeats() {
        for list in [
            LOADS,
            LOADS_PREFIX,
            RUNS,
            CHOOSES,
            CHOOSES_SUFFIX,
            REPOSITORY,
            PROXY,
        ] {
            assert!(list.is_sorted_by(|a, b| a < b), "{list:?}");
        }
    }
}
