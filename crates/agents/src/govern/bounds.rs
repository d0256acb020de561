//! What a session may touch, by real paths: what its sandbox grants, without what is protected.
//!
//! Links are followed before anything is compared. A path that leads nobody knows where is outside.

use std::path::{Component, Path, PathBuf};

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::SYSTEM_DIRECTORIES;
use argrail_sandbox::policy::{Guard, PathPattern};

use super::terms::Terms;

/// The most bytes of a path.
const LONGEST: usize = 4096;
/// Directories of the kernel's. What stands there is about whoever looks, and here that is the host.
const KERNEL: [&str; 4] = ["/proc", "/sys", "/dev", "/run"];

/// A path of a session, as it was given and where it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    /// Absolute, as it was given.
    pub(super) given: PathBuf,
    /// Without links, as the kernel goes.
    pub(super) real: PathBuf,
}

/// The bounds of one session.
pub(super) struct Bounds<'a> {
    /// The session.
    pub(super) terms: &'a Terms,
    /// Directories of argrail's own.
    pub(super) own: &'a [PathBuf],
}

impl Bounds<'_> {
    /// Finds out where a path leads from the session's directory.
    ///
    /// # Errors
    /// `PATH_TRAVERSAL_BLOCKED` when that cannot be told.
    pub(super) fn spot(&self, path: &Path) -> Result<Spot, Error> {
        let bytes = path.as_os_str().as_encoded_bytes();
        let given = self.terms.directory.join(path);
        let real = match bytes.is_empty() || bytes.len() > LONGEST || bytes.contains(&0) {
            true => None,
            false => real(&given),
        };
        match real {
            Some(real) => Ok(Spot { given, real }),
            None => {
                let what = Text::new("Path traversal blocked: nobody can tell where {} leads");
                Err(Error::new(Code::PathTraversalBlocked, what.value(shown(path)))
                    .hint("Name a file below the directory of the session, without links that lead nowhere"))
            }
        }
    }

    /// Sees that a path may be read.
    ///
    /// # Errors
    /// That it may not.
    pub(super) fn readable(&self, spot: &Spot) -> Result<(), Error> {
        let policy = &self.terms.policy;
        let granted = matches(&policy.read, &spot.real)
            || matches(&policy.write, &spot.real)
            || SYSTEM_DIRECTORIES
                .iter()
                .any(|system| spot.real.starts_with(system));
        let hidden = self.own.iter().any(|own| spot.real.starts_with(own))
            || KERNEL.iter().any(|kernel| spot.real.starts_with(kernel))
            || self.hides(spot);
        match granted && !hidden && !matches(&policy.deny, &spot.real) {
            true => Ok(()),
            false => Err(outside("read", spot)),
        }
    }

    /// Sees that a path may be changed.
    ///
    /// # Errors
    /// That it may not, whoever says so.
    pub(super) fn writable(&self, spot: &Spot) -> Result<(), Error> {
        let policy = &self.terms.policy;
        let own = self.own.iter().any(|own| spot.real.starts_with(own));
        let kernel = KERNEL.iter().any(|kernel| spot.real.starts_with(kernel));
        if own || kernel || !matches(&policy.write, &spot.real) || matches(&policy.deny, &spot.real) {
            return Err(outside("change", spot));
        }
        let denied = |what: Text| {
            Error::new(Code::PermissionDenied, what)
                .hint("Check your access level: nobody changes it from here; a person can do so themselves")
                .detail("reason", "denied_by_policy")
        };
        match self.terms.protected.guarding(&spot.real) {
            Ok(None) => Ok(()),
            Ok(Some(why)) => {
                let what = Text::new("Permission denied for {}: it is protected, because {}");
                Err(denied(what.value(shown(&spot.given)).word(why)))
            }
            Err(refusal) => {
                let what = Text::new("Permission denied for {}: {}: {}")
                    .value(shown(&spot.given))
                    .value(&refusal.pattern)
                    .value(&refusal.reason);
                Err(denied(what))
            }
        }
    }

    /// Whether a path is below one that nobody sees.
    fn hides(&self, spot: &Spot) -> bool {
        let mut all = self.terms.protected.iter();
        all.any(|(path, guard, _)| guard == Guard::Hidden && spot.real.starts_with(path))
    }
}

fn matches(patterns: &[PathPattern], path: &Path) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

fn outside(what: &'static str, spot: &Spot) -> Error {
    let text = Text::new("Path traversal blocked: this session may not {} {}");
    Error::new(
        Code::PathTraversalBlocked,
        text.word(what).value(shown(&spot.given)),
    )
    .hint("Name a file below the directory of the session")
}

/// A path for a message.
pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Where a path leads, as the kernel goes: links are followed before `..` is. What is not there yet keeps its names.
/// Nothing if a link on the way leads to what is not there.
fn real(path: &Path) -> Option<PathBuf> {
    let mut missing = Vec::new();
    let mut at = path;
    loop {
        if let Ok(mut real) = at.canonicalize() {
            if !missing.is_empty() && !real.is_dir() {
                return None;
            }
            real.extend(missing.iter().rev());
            return Some(real);
        }
        if at.symlink_metadata().is_ok() {
            return None;
        }
        match at.components().next_back()? {
            Component::Normal(name) => missing.push(name),
            // Behind what is not there, nobody knows what is above it.
            Component::ParentDir | Component::CurDir | Component::RootDir | Component::Prefix(_) => {
                return None;
            }
        }
        at = at.parent()?;
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_path_leads_where_the_kernel_goes_or_nowhere() {
        let home = Home::new().file("deep/down/file", "");
        let work = home.work().canonicalize().unwrap();
        symlink(work.join("deep/down"), work.join("link")).unwrap();
        symlink(work.join("gone"), work.join("dangling")).unwrap();
        let check = |path: &str, want: Option<&str>| {
            assert_eq!(real(&work.join(path)), want.map(|want| work.join(want)), "{path}");
        };
        check("deep/down/file", Some("deep/down/file"));
        check("link/file", Some("deep/down/file"));
        check("link/new/er", Some("deep/down/new/er"));
        check("link/../x", Some("deep/x"));
        check("none/../x", None);
        check("dangling", None);
        check("dangling/x", None);
        check("deep/down/file/below", None);
    }
}
