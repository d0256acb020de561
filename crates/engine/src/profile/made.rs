//! The profile: one call's policy, with all that the sandbox needs besides.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use argrail_sandbox::policy::{Anchors, Exec, HostPattern, Limits, PathPattern, Policy, Protected};
use argrail_sandbox::{Refusal, ReportLevel};

use super::denied::denied;
use super::environment::{self, Environment, Told};
use super::git::{self, Helpers, Hooks};
use super::git_config;
use super::git_hooks;
use super::ground::Ground;
use super::grounds::is_base;
use super::protected::{Git, protected};
use super::spot::Spot;
use super::wants::{Gather, Reached, Wants};
use super::withheld::Withheld;
use crate::policy::{Basis, Confinement, Facts, Terms};
use crate::profile::timeout;

/// How long a call may take, unless somebody says.
const TIME: Duration = Duration::from_secs(60);
/// The most that is read of what it prints, whatever becomes of that.
const OUTPUT: u64 = 1 << 30;

/// What a call runs in.
#[derive(Debug, Clone)]
pub struct Profile {
    /// What it may touch.
    pub policy: Policy,
    /// Where patterns start.
    pub anchors: Anchors,
    /// What it may touch in no case.
    pub protected: Protected,
    /// Its variables, beside those that the policy sets.
    pub environment: Environment,
    /// Directories in which programs are looked for.
    pub search: Vec<PathBuf>,
    /// What files seem to say, where a read should not try what they do say.
    pub texts: BTreeMap<PathBuf, Vec<u8>>,
    /// How closely it is looked at.
    pub notice: ReportLevel,
    /// What files say to the call, whatever becomes of them meanwhile.
    pub fixed: BTreeMap<PathBuf, Arc<[u8]>>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// What of the files that it sees is credentials.
    pub secrets: Vec<PathPattern>,
    /// What its description names and it does not get.
    pub withheld: Vec<Withheld>,
    /// Hooks of git that do not run, and stop nothing.
    pub hooks_left_out: Vec<PathBuf>,
    pub(super) terms: Terms,
}

impl Profile {
    /// Returns how it is confined.
    pub fn confinement(&self) -> Confinement {
        self.terms.confinement
    }

    /// Whether a path of the host's can be seen, as far as the policy says.
    pub fn shows(&self, path: &Path) -> bool {
        let granted = self.policy.read.iter().chain(&self.policy.write);
        granted.into_iter().any(|pattern| pattern.matches(path)) || is_base(path)
    }
}

/// Makes the profile of a call of `program`, an absolute path.
///
/// # Errors
/// Something that is declared cannot be held: a host that is an address, a program that is a glob. Or settings of a
/// repository cannot be read, so that nobody knows what git would start; or a hook that may stop what git does would not run.
pub fn profile(
    facts: &Facts,
    terms: impl Into<Terms>,
    program: &Path,
    ground: &Ground,
) -> Result<Profile, Refusal> {
    let terms = terms.into();
    let (roots, mut notes) = ground.spots();
    let mut wants = Gather::new(ground, &roots, facts, terms).of(program);
    notes.extend(wants.notes.iter().cloned());
    let protected = protected(
        ground,
        match wants.git {
            true => Git::Itself,
            false => Git::Other,
        },
    );
    wants
        .write
        .retain(|spot| !is_protected_entry(spot, ground, &protected));
    let mut withheld = wants.withheld.clone();
    let mut policy = Policy::closed()
        .exec(wants.starts.clone().without_lone_scripts(ground).exec()?)
        .limits(limits(facts));
    for grounds in &wants.grounds {
        policy.read.extend(grounds.patterns());
    }
    policy.read.extend(wants.read.iter().map(|spot| spot.pattern()));
    policy.write.extend(wants.write.iter().map(|spot| spot.pattern()));
    for reached in &wants.egress {
        policy = policy.egress(match reached {
            Reached::Name(name) => HostPattern::parse_service("x-egress", name)?,
            Reached::Public => HostPattern::public(),
        });
    }
    let mut told = Told {
        notes: &mut notes,
        withheld: &mut withheld,
    };
    let mut environment = environment::put(&mut policy, facts, terms, ground, &mut told)?;
    if wants.git || policy.exec != Exec::None {
        let (hooks, helpers) = git_runs(&policy);
        environment.fixed.extend(git::variables(hooks, helpers));
        if policy.write.is_empty() {
            // It would refresh its index, and cannot.
            environment
                .fixed
                .insert("GIT_OPTIONAL_LOCKS".to_owned(), "0".to_owned());
        }
    }
    let hooks_left_out = match git_runs(&policy) {
        (Hooks::Off, _) if wants.git && !policy.write.is_empty() => git_hooks::left_out(facts, ground)?,
        (Hooks::Off | Hooks::Run, _) => Vec::new(),
    };
    let anchors = Anchors::new(&ground.home, &ground.directory)?;
    policy.deny = denied(&ground.denied, &policy, &anchors);
    let mut texts = texts(&wants, &policy, ground)?;
    let own = own_settings(&wants, &policy);
    policy
        .read
        .extend(own.keys().map(|path| PathPattern::exact(path)));
    texts.extend(own);
    Ok(Profile {
        anchors,
        protected,
        environment,
        search: ground.search.clone(),
        texts,
        notice: notice(facts, terms.confinement),
        fixed: BTreeMap::new(),
        notes,
        secrets: wants.secrets.iter().map(|spot| spot.pattern()).collect(),
        withheld,
        hooks_left_out,
        terms,
        policy,
    })
}

/// Whether something is to be written only because all of a home is, and is protected: `~/bin`. One that a call names
/// is left, and refused with the reason.
fn is_protected_entry(spot: &Spot, ground: &Ground, protected: &Protected) -> bool {
    let path = spot.path();
    let is_entry = path.parent() == Some(&ground.home) && ground.roots.contains(&ground.home);
    is_entry && protected.iter().any(|(known, ..)| known == path)
}

/// Whoever runs on its own word alone is looked at most closely.
fn notice(facts: &Facts, confinement: Confinement) -> ReportLevel {
    fn is_claimed(facts: &Facts) -> bool {
        facts.basis == Basis::Claimed || facts.inner.iter().any(is_claimed)
    }
    match confinement {
        Confinement::Closed if is_claimed(facts) => ReportLevel::Reads,
        Confinement::Closed | Confinement::Effects => ReportLevel::Writes,
    }
}

/// Hooks run where anything may be started, helpers where there is a network.
fn git_runs(policy: &Policy) -> (Hooks, Helpers) {
    let hooks = match policy.exec {
        Exec::Any => Hooks::Run,
        Exec::None | Exec::List(_) => Hooks::Off,
    };
    let helpers = match policy.egress.is_empty() {
        true => Helpers::Off,
        false => Helpers::Asked,
    };
    (hooks, helpers)
}

/// Settings of repositories without what starts programs, for git that only reads.
fn texts(wants: &Wants, policy: &Policy, ground: &Ground) -> Result<BTreeMap<PathBuf, Vec<u8>>, Refusal> {
    let (hooks, _) = git_runs(policy);
    if !wants.git || !policy.write.is_empty() || hooks == Hooks::Run {
        return Ok(BTreeMap::new());
    }
    let tops = std::iter::once(&ground.directory).chain(&ground.roots);
    git_config::texts(tops, |path| wants.read.iter().any(|spot| spot.holds(path)))
}

/// A person's own settings of git without credentials, for git that only reads. A sandbox that could not put one text in
/// the place of another holds no list of programs either, and is none for git.
fn own_settings(wants: &Wants, policy: &Policy) -> BTreeMap<PathBuf, Vec<u8>> {
    let (hooks, _) = git_runs(policy);
    if policy.exec == Exec::None || !policy.write.is_empty() || hooks == Hooks::Run {
        return BTreeMap::new();
    }
    let files = wants.git_settings.iter().map(|spot| spot.path());
    let read = files.filter_map(|file| Some((file.to_owned(), git_config::without_credentials(file)?)));
    read.collect()
}

fn limits(facts: &Facts) -> Limits {
    let declared = facts.invoked.effects.duration.as_ref();
    let declared = declared.and_then(|duration| duration.timeout.as_deref());
    Limits {
        wall: Some(timeout(declared, None, TIME)),
        output: Some(OUTPUT),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_testkit::Home;
    use serde_json::json;

    use super::*;
    use crate::policy::tests::input::facts;

    /// Whoever works in a home has to be able to write there, and not what is protected of it.
    #[test]
    fn a_home_that_is_a_root_is_written_without_what_is_protected() {
        let home = Home::new();
        let root = home.root().join("home").canonicalize().unwrap();
        for name in ["bin", "notes", ".ssh"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        let ground = Ground {
            home: root.clone(),
            directory: root.clone(),
            roots: vec![root.clone()],
            search: Vec::new(),
            own: Vec::new(),
            installed: home.root().join("installed"),
            denied: Vec::new(),
            environment: BTreeMap::new(),
        };
        let call = facts(&json!({"tool": "x", "basis": "undescribed"}));
        let made = profile(&call, Confinement::Effects, Path::new("/bin/true"), &ground).unwrap();
        let below = |patterns: &[argrail_sandbox::policy::PathPattern], name: &str| {
            patterns
                .iter()
                .any(|pattern| pattern.matches(&root.join(name).join("x")))
        };
        assert!(below(&made.policy.write, "notes") && !below(&made.policy.write, "bin"));
        assert!(below(&made.policy.read, "bin") && !below(&made.policy.read, ".ssh"));
    }
}
