//! The child's variables: a small base, what the policy passes on, what it sets. Nothing else.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::path::Path;

use super::arguments::variable;
use crate::policy::Policy;
use crate::refusal::Refusal;

/// Where programs are found in the sandbox.
pub(crate) const DEFAULT_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What the variables depend on besides the policy.
pub(super) struct EnvironmentContext<'a> {
    pub(super) host: &'a BTreeMap<OsString, OsString>,
    /// Values that nobody else may see.
    pub(super) secrets: &'a BTreeMap<OsString, OsString>,
    pub(super) home: &'a Path,
    /// A directory of the sandbox's own that can be written.
    pub(super) scratch: &'a str,
    /// The proxy's address when there is one.
    pub(super) proxy: Option<&'a str>,
    /// Whether there is nothing in the base but where programs are and where the home is.
    pub(super) is_minimal: bool,
}

/// Returns the variables as `NAME=value`.
pub(super) fn build(policy: &Policy, around: &EnvironmentContext<'_>) -> Result<Vec<CString>, Refusal> {
    let mut env: BTreeMap<OsString, OsString> = BTreeMap::new();
    let mut put = |name: &str, value: &OsStr| drop(env.insert(name.into(), value.to_owned()));
    put("PATH", OsStr::new(DEFAULT_PATH));
    put("HOME", around.home.as_os_str());
    if !around.is_minimal {
        put("TMPDIR", OsStr::new(around.scratch));
        put("LANG", OsStr::new("C.UTF-8"));
    }
    if policy.tty {
        put(
            "TERM",
            around
                .host
                .get(OsStr::new("TERM"))
                .map_or(OsStr::new("xterm"), OsString::as_os_str),
        );
    }
    if let Some(proxy) = around.proxy {
        // Programs that know of proxies are told of refusals in words; the others meet the same rules by name.
        for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
            put(name, OsStr::new(proxy));
        }
        for name in ["no_proxy", "NO_PROXY"] {
            put(name, OsStr::new("localhost,127.0.0.1,::1"));
        }
    }
    for name in &policy.env_pass {
        if let Some(value) = around.host.get(OsStr::new(name.as_str())) {
            env.insert(name.as_str().into(), value.clone());
        }
    }
    for (name, value) in &policy.env_set {
        env.insert(name.as_str().into(), value.into());
    }
    env.extend(
        around
            .secrets
            .iter()
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    env.iter().map(|(name, value)| variable(name, value)).collect()
}
