//! The sandbox block of a bundle around what the effects of a call want: nothing is granted that either does not have.
//!
//! The block says which files, hosts, programs and variables there are for the program at all; the effects say whether
//! this call writes, talks or starts anything, and whether it may have credentials. A tool's own block was held against its bundle's when both were read, and
//! is held against it again here, where home and workspace are known.

use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Anchors, EnvName, Exec, Limits, PathPattern, PatternShape, Policy, Program};
use argrail_spec::bundle::{Bundle, BundleTool};
use argrail_spec::cli_md::Auth;
use argrail_spec::sandbox_block::narrows;
use argrail_spec::secret_places::is_credential_name;

use super::environment::{is_locale, keep_secret, pass};
use super::ground::Ground;
use super::grounds::{Grounds, relay};
use super::made::Profile;
use super::secret_files::SecretFiles;
use super::withheld::{Gate, Thing, Withheld};
use crate::policy::{Agreed, Basis, Confinement, Facts};

/// Narrows a profile to the block of a bundle, and to that of its tool.
///
/// # Errors
/// Something in a block cannot be held, or the tool's is wider than its bundle's.
pub fn bounded(
    mut profile: Profile,
    bundle: &Bundle,
    tool: Option<&BundleTool>,
    (facts, program): (&Facts, &Path),
    ground: &Ground,
) -> Result<Profile, Refusal> {
    let mut block = block(bundle, tool, &profile)?;
    let auth = bundle.cli.auth.as_ref();
    let mut login = state(auth, &profile.anchors)?;
    for patterns in [&mut block.read, &mut block.write, &mut login] {
        without_links(patterns, &profile.anchors, &mut profile.withheld);
    }
    block.deny = block
        .deny
        .into_iter()
        .map(|pattern| real(pattern, &profile.anchors))
        .collect();
    let gate = Gate::of_bundle(facts, profile.terms);
    let wanted = std::mem::replace(&mut profile.policy, Policy::closed());
    let exec = exec(&wanted.exec, block.exec, relay(program).as_deref())?;
    let replaced = match exec {
        // A sandbox that cannot put a text in the place of another may hold this.
        Exec::None => Vec::new(),
        Exec::List(_) | Exec::Any => profile.texts.keys().cloned().collect(),
    };
    let mut credentials = BundleCredentials {
        gate,
        agreed: profile.terms.agreed,
        files: SecretFiles::of(&ground.home),
        login: &login,
        replaced,
        wanted: std::mem::take(&mut profile.secrets),
        opened: Vec::new(),
        withheld: std::mem::take(&mut profile.withheld),
    };
    let mut policy = Policy::closed();
    policy.read = Grounds::of(program, &ground.home).patterns().collect();
    policy.read.extend(credentials.kept(block.read));
    let writable = credentials.kept(block.write);
    policy.read.extend(writable.iter().cloned());
    let login = credentials.kept(login.clone());
    policy.read.extend(login.iter().cloned());
    policy.deny = wanted.deny;
    policy.deny.append(&mut block.deny);
    policy.deny.extend(credentials.masks(&policy.read));
    if !wanted.write.is_empty() {
        policy.write = writable;
    }
    if profile.terms.confinement == Confinement::Effects {
        // Whoever is signed in keeps that fresh.
        policy.write.extend(login);
    }
    credentials
        .opened
        .sort_by(|one, other| one.text().cmp(other.text()));
    credentials.opened.dedup();
    profile.secrets = credentials.opened;
    profile.withheld = credentials.withheld;
    policy.egress = match (wanted.egress.is_empty(), facts.basis) {
        (true, _) => Vec::new(),
        (false, Basis::Settled) => {
            let (mut named, mut allowed) = (Policy::closed(), Policy::closed());
            (named.egress, allowed.egress) = (wanted.egress, block.egress);
            named.narrow(&allowed).egress
        }
        (false, Basis::Claimed | Basis::Undescribed) => block.egress,
    };
    policy.exec = exec;
    policy.tty = block.tty;
    policy.env_set = wanted.env_set;
    policy.env_set.extend(block.env_set);
    policy.limits = limits(wanted.limits, bundle, tool);
    policy.notes = block.notes;
    let mut environment = std::mem::take(&mut profile.environment);
    environment.passed.clear();
    environment.secrets.clear();
    let secrets = secret_variables(bundle);
    for name in wanted
        .env_pass
        .iter()
        .map(EnvName::as_str)
        .filter(|name| is_locale(name))
    {
        pass(name, &mut policy, &mut environment, ground);
    }
    // The variables of the login are the program's, whether the block repeats them or not.
    // A tool that names variables of its own has narrowed those of the login, too.
    let narrowed = tool
        .and_then(|tool| tool.tool.sandbox.as_ref())
        .is_some_and(|own| own.env.is_some());
    let login_env = auth.filter(|_| !narrowed).map_or(&[][..], Auth::state_env);
    let login_env = login_env.iter().map(|name| name.value.as_str());
    for name in block.env_pass.iter().map(EnvName::as_str).chain(login_env) {
        // What is called like a credential is one, whether its author lists it or not.
        if !secrets.contains(&name) && !is_credential_name(name) {
            pass(name, &mut policy, &mut environment, ground);
        } else if gate == Gate::Open {
            keep_secret(name, &mut environment, ground);
        }
    }
    profile.policy = policy;
    profile.environment = environment;
    Ok(profile)
}

/// What becomes of the credentials among the files of a bundle.
struct BundleCredentials<'b> {
    gate: Gate,
    agreed: Agreed,
    files: SecretFiles<'b>,
    /// Where the program keeps who is signed in.
    login: &'b [PathPattern],
    /// Files that say something else to the call, without credentials.
    replaced: Vec<PathBuf>,
    /// What a settled description of the program opens.
    wanted: Vec<PathPattern>,
    opened: Vec<PathPattern>,
    withheld: Vec<Withheld>,
}

impl BundleCredentials<'_> {
    /// Returns what of some patterns is shown. Without a person's word those credentials are that the bundle names as its
    /// login, or a settled description too.
    fn kept(&mut self, patterns: Vec<PathPattern>) -> Vec<PathPattern> {
        let mut kept = Vec::new();
        for pattern in patterns {
            let is_login = self.login.iter().any(|login| pattern.is_within(login));
            if !is_login && !self.files.hold(&root(&pattern)) {
                let wanted = self.wanted.iter().filter(|wanted| wanted.is_within(&pattern));
                self.opened.extend(wanted.cloned());
                kept.push(pattern);
                continue;
            }
            let shown = match (self.gate, self.agreed) {
                (Gate::Shut(_), _) if self.replaced.contains(&root(&pattern)) => {
                    kept.push(PathPattern::exact(&root(&pattern)));
                    continue;
                }
                (Gate::Shut(shut), _) => {
                    let thing = Thing::Path(root(&pattern));
                    let withheld = Withheld::credential(thing, shut);
                    if !self.withheld.contains(&withheld) {
                        self.withheld.push(withheld);
                    }
                    continue;
                }
                (Gate::Open, Agreed::Grant | Agreed::Person) => vec![pattern],
                (Gate::Open, Agreed::Rules) if is_login => vec![pattern],
                (Gate::Open, Agreed::Rules) => {
                    let wanted = self.wanted.iter().filter(|wanted| wanted.is_within(&pattern));
                    wanted.cloned().collect()
                }
            };
            self.opened.extend(shown.iter().cloned());
            kept.extend(shown);
        }
        kept
    }

    /// Returns what is to be denied: credentials that a wider pattern would show.
    fn masks(&self, shown: &[PathPattern]) -> Vec<PathPattern> {
        let is_shown = |path: &PathBuf| {
            let is_part = |pattern: &PathPattern| pattern.matches(path) || pattern.could_match_below(path);
            shown.iter().any(is_part) && !self.opened.iter().any(is_part)
        };
        let found = self.files.there().into_iter().filter(is_shown);
        let denied = found.map(|path| match path.is_dir() {
            true => PathPattern::tree(&path),
            false => PathPattern::exact(&path),
        });
        denied.collect()
    }
}

/// Leaves out what a link of the home leads to, and tells it. The sandbox follows none there and would refuse the whole
/// call; but who keeps settings elsewhere (`~/.config` is a link in many homes) may be signed in by a variable.
fn without_links(patterns: &mut Vec<PathPattern>, anchors: &Anchors, withheld: &mut Vec<Withheld>) {
    patterns.retain(|pattern| {
        let root = root(pattern);
        let Some(link) = link_on_the_way(&root, anchors) else {
            return true;
        };
        let told = Withheld::behind_link(root, link);
        if !withheld.contains(&told) {
            withheld.push(told);
        }
        false
    });
}

/// The first link of the home on the way to a path that is not the workspace's.
fn link_on_the_way(path: &Path, anchors: &Anchors) -> Option<PathBuf> {
    if path.starts_with(anchors.workspace()) {
        return None;
    }
    let rest = path.strip_prefix(anchors.home()).ok()?;
    let steps = rest.components().scan(anchors.home().to_owned(), |at, step| {
        at.push(step);
        Some(at.clone())
    });
    let mut steps = steps;
    steps.find(|step| step.is_symlink())
}

/// A denial of what a link of the home leads to is one of where that is.
fn real(pattern: PathPattern, anchors: &Anchors) -> PathPattern {
    let root = root(&pattern);
    let (Some(_), Ok(real)) = (link_on_the_way(&root, anchors), root.canonicalize()) else {
        return pattern;
    };
    match pattern.shape() {
        PatternShape::Exact(_) | PatternShape::Tree(_) if real.is_dir() => PathPattern::tree(&real),
        PatternShape::Exact(_) | PatternShape::Tree(_) => PathPattern::exact(&real),
        PatternShape::Glob { .. } => pattern,
    }
}

/// What a pattern begins with, up to its first star.
fn root(pattern: &PathPattern) -> PathBuf {
    match pattern.shape() {
        PatternShape::Exact(root) | PatternShape::Tree(root) | PatternShape::Glob { root, .. } => root,
    }
}

/// The block of the bundle, or what its tool leaves of it.
fn block(bundle: &Bundle, tool: Option<&BundleTool>, profile: &Profile) -> Result<Policy, Refusal> {
    let whole = bundle.sandbox.policy(&profile.anchors)?;
    let Some(narrowing) = tool.and_then(|tool| tool.tool.sandbox.as_ref()) else {
        return Ok(whole);
    };
    let own = narrowing.over(&whole, &profile.anchors)?;
    narrows(&own, &whole).map_err(|widening| {
        Refusal::new(
            widening.field,
            widening.value,
            "it is more than the bundle's own sandbox allows",
            "take it out of the TOOL.md, or add it to the CLI.md",
        )
    })?;
    Ok(own)
}

/// Where the program keeps who is signed in, as far as it is there: a file, or a directory with all in it.
pub(super) fn state(auth: Option<&Auth>, anchors: &Anchors) -> Result<Vec<PathPattern>, Refusal> {
    let state = auth.and_then(|auth| auth.state.as_ref());
    let paths = state.and_then(|state| state.paths.as_deref()).unwrap_or_default();
    let mut patterns = Vec::new();
    for path in paths {
        let plain = path.value.trim_end_matches("/**").trim_end_matches('/');
        let itself = PathPattern::parse("auth.state.paths", plain, anchors)?;
        let below = PathPattern::parse("auth.state.paths", &format!("{plain}/**"), anchors)?;
        match itself.shape() {
            PatternShape::Exact(path) if path.is_file() => patterns.push(itself),
            PatternShape::Exact(path) if !path.is_dir() => {}
            PatternShape::Exact(_) | PatternShape::Tree(_) | PatternShape::Glob { .. } => {
                patterns.push(below)
            }
        }
    }
    Ok(patterns)
}

/// The variables of a bundle whose values nobody sees.
pub(crate) fn secret_variables(bundle: &Bundle) -> Vec<&str> {
    let state = bundle.cli.auth.as_ref().and_then(|auth| auth.state.as_ref());
    let named = state.and_then(|state| state.env.as_deref()).unwrap_or_default();
    let listed = bundle.secrets.iter().flat_map(|secrets| secrets.variables());
    named
        .iter()
        .map(|name| name.value.as_str())
        .chain(listed)
        .collect()
}

/// What of the block's programs the call starts; and what the program's own script hands itself over to.
fn exec(wanted: &Exec, block: Exec, relay: Option<&Path>) -> Result<Exec, Refusal> {
    let relay = relay.and_then(Path::to_str);
    let is_more = |program: &Program| Some(program.as_str()) != relay;
    let allowed = match wanted {
        Exec::None => Exec::None,
        Exec::List(programs) if !programs.iter().any(is_more) => Exec::None,
        Exec::Any | Exec::List(_) => block,
    };
    let Some(relay) = relay else { return Ok(allowed) };
    let own = Program::parse("exec", relay)?;
    Ok(match allowed {
        Exec::None => Exec::List(vec![own]),
        Exec::List(programs) => Exec::List(programs.into_iter().chain([own]).collect()),
        Exec::Any => Exec::Any,
    })
}

fn limits(wanted: Limits, bundle: &Bundle, tool: Option<&BundleTool>) -> Limits {
    let mut limits = wanted;
    if let Some(tool) = tool {
        limits.wall = Some(Duration::from_millis(tool.tool.timeout_ms()));
    }
    limits.narrow(&bundle.runner.policy_limits())
}
