//! Which variables of ours a tool gets: those that its manifest names, that are there, and that steer nothing.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use argrail_sandbox::policy::EnvName;

/// What is passed on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Passed {
    /// Names to pass on, for the sandbox.
    pub names: Vec<EnvName>,
    /// Names that were wanted and make programs load code or start others: never passed on.
    pub refused: Vec<String>,
}

impl Passed {
    /// Returns the names of everything that was passed on, for the record. Never a value.
    pub fn keys(&self) -> Vec<String> {
        self.names.iter().map(|name| name.as_str().to_owned()).collect()
    }
}

/// Chooses from `host` what the names of a manifest let through.
pub fn passed(wanted: &[String], host: &BTreeMap<OsString, OsString>) -> Passed {
    let mut passed = Passed::default();
    for name in wanted.iter().filter(|name| host.contains_key(OsStr::new(name))) {
        match EnvName::parse("envPassthrough", name) {
            Ok(name) => passed.names.push(name),
            Err(_) => passed.refused.push(name.clone()),
        }
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_and_there_is_passed_on() {
        let host = [
            ("TZ", "UTC"),
            ("KEY", "secret"),
            ("LD_PRELOAD", "x.so"),
            ("tz", "no"),
        ];
        let host = host.map(|(name, value)| (name.into(), value.into()));
        let wanted = ["TZ", "LD_PRELOAD", "ABSENT"].map(str::to_owned);
        let passed = passed(&wanted, &BTreeMap::from(host));
        assert_eq!(passed.keys(), ["TZ"]);
        assert_eq!(passed.refused, ["LD_PRELOAD"]);
    }
}
