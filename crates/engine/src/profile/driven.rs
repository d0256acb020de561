//! The profile of an agent that argrail drives: the block of its manifest, what its program is made of, a home of its own.
//!
//! Nothing is judged call by call here, so nothing is granted that the manifest does not name, but for the agent's own
//! home, in which there is nothing that it did not put there. The user's home stays out of sight, and what is protected
//! in a call is protected here.

use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_sandbox::policy::{Anchors, EnvName, Limits, PathPattern, Policy};
use argrail_sandbox::{Refusal, ReportLevel};
use argrail_spec::agent_cli_md::Launch;
use argrail_spec::cli_md::Auth;
use argrail_spec::runner_block::Runner;
use argrail_spec::sandbox_block::{MountSource, SandboxBlock};
use argrail_spec::secrets_md::SecretsMd;

use super::bounded::state;
use super::denied::denied;
use super::environment::{Environment, keep_secret, pass};
use super::ground::Ground;
use super::grounds::Grounds;
use super::made::Profile;
use super::protected::{Git, protected};
use crate::policy::Confinement;

/// What a process may use for want of another word. Four times that are addresses: each WebAssembly memory of Node
/// takes ten GiB of them, and gemini, which has several, does not start with 32.
const MEMORY: u64 = 16 * 1024 * 1024 * 1024;

/// Variables that say where a home and its parts are. Whoever passes them on means the agent's own, which it has anyway:
/// the caller's lead to where it sees nothing.
const OWN_PLACES: [&str; 6] = [
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
];

/// An agent that is to be started.
#[derive(Debug, Clone, Copy)]
pub struct Driven<'a> {
    /// What it may touch, by its manifest.
    pub block: &'a SandboxBlock,
    /// How much it may use.
    pub runner: &'a Runner,
    /// How one signs in.
    pub auth: Option<&'a Auth>,
    /// The inventory of its secrets.
    pub secrets: Option<&'a SecretsMd>,
    /// What its mode, options and model set.
    pub launch: &'a Launch,
    /// Its program, an absolute path.
    pub program: &'a Path,
    /// Its own home, without symlinks.
    pub home: &'a Path,
    /// The homes of other agents, which it does not see.
    pub others: &'a [PathBuf],
}

/// Makes the profile of an agent. The ground is the user's: its home is the user's, its directory is where the agent works.
///
/// # Errors
/// Something in the block cannot be held, or the agent would work in the user's home itself.
pub fn driven(agent: &Driven<'_>, ground: &Ground) -> Result<Profile, Refusal> {
    if ground.home.starts_with(&ground.directory) {
        return Err(Refusal::new(
            "workspace",
            ground.directory.to_string_lossy(),
            "an agent does not work in the home itself or above it: keys live there",
            "change into the directory of a project",
        ));
    }
    let anchors = Anchors::new(agent.home, &ground.directory)?;
    let mut policy = block(agent.block, &anchors)?;
    let grounds = Grounds::found(agent.program, &ground.home, &ground.search);
    policy.read.extend(grounds.patterns());
    let own = PathPattern::tree(agent.home);
    policy.read.push(own.clone());
    policy.write.push(own.clone());
    // Where it keeps who is signed in is below its own home as a rule, and may not be there yet.
    let state = state(agent.auth, &anchors)?;
    let state: Vec<_> = state.into_iter().filter(|path| !path.is_within(&own)).collect();
    policy.read.extend(state.iter().cloned());
    policy.write.extend(state);
    policy.deny.extend(denied(&ground.denied, &policy, &anchors));
    policy.limits = limits(agent, policy.limits);
    let environment = environment(agent, &mut policy, &grounds, ground)?;
    // Its own home lies among what is ours.
    let own = ground.own.iter().filter(|own| !agent.home.starts_with(own));
    let around = Ground {
        own: own.chain(agent.others).cloned().collect(),
        ..ground.clone()
    };
    let protected = protected(&around, Git::Other);
    Ok(Profile {
        policy,
        anchors,
        protected,
        environment,
        search: grounds.search,
        texts: Default::default(),
        notice: ReportLevel::Writes,
        fixed: Default::default(),
        notes: Vec::new(),
        secrets: Vec::new(),
        withheld: Vec::new(),
        hooks_left_out: Vec::new(),
        terms: Confinement::Effects.into(),
    })
}

/// The policy of the block. A mount of the workspace appears where the workspace is, whatever path a manifest for every
/// machine writes: the agent is told that path when the session is opened.
fn block(block: &SandboxBlock, anchors: &Anchors) -> Result<Policy, Refusal> {
    match block {
        SandboxBlock::Aip29(_) => block.policy(anchors),
        SandboxBlock::Aip36(own) => {
            let mut own = own.clone();
            for mount in own.mounts.iter_mut().flatten() {
                if let (MountSource::Workspace, Some(at)) = (&mount.source, anchors.workspace().to_str()) {
                    at.clone_into(&mut mount.at.value);
                }
            }
            own.policy(anchors).map(|read| read.policy)
        }
    }
}

/// What the block and the runner say. A conversation has no end of its own: the time that AIP-36 gives a command for
/// want of another word is none for an agent.
fn limits(agent: &Driven<'_>, block: Limits) -> Limits {
    let said = match agent.block {
        SandboxBlock::Aip29(_) => block.wall,
        SandboxBlock::Aip36(block) => block
            .limits
            .and_then(|limits| limits.timeout_ms)
            .map(Duration::from_millis),
    };
    let usual = |limits: Limits| Limits {
        memory: limits.memory.or(Some(MEMORY)),
        ..limits
    };
    let block = usual(Limits { wall: said, ..block });
    // What neither names is the usual on both sides: the lower of two is no default of others.
    block.narrow(&usual(agent.runner.policy_limits()))
}

/// Variables: those of the host that the block passes on, those that somebody sets, and keys. Nothing else of the host's.
fn environment(
    agent: &Driven<'_>,
    policy: &mut Policy,
    grounds: &Grounds,
    ground: &Ground,
) -> Result<Environment, Refusal> {
    let mut environment = Environment::default();
    let (keys, listed) = (keys(agent), listed(agent));
    let is_unset =
        |name: &str| OWN_PLACES.contains(&name) || agent.launch.unset.iter().any(|unset| unset == name);
    let named: Vec<EnvName> = policy.env_pass.drain(..).collect();
    for name in named.iter().map(EnvName::as_str).filter(|name| !is_unset(name)) {
        match keys.contains(&name) || listed.contains(&name) {
            true => keep_secret(name, &mut environment, ground),
            false => pass(name, policy, &mut environment, ground),
        }
    }
    for name in keys.into_iter().filter(|name| !is_unset(name)) {
        keep_secret(name, &mut environment, ground);
    }
    let path = EnvName::parse_set("env", "PATH")?;
    policy.env_set.entry(path).or_insert_with(|| grounds.path());
    for (name, value) in &agent.launch.env {
        policy
            .env_set
            .insert(EnvName::parse_set("env", name)?, value.clone());
    }
    // What a mode or an option sets is not what the caller has.
    for name in agent.launch.env.keys() {
        environment.secrets.remove(name);
    }
    Ok(environment)
}

/// The variables that the inventory of secrets knows. It says which are secret, and hands out none: a person who accepts
/// a manifest is shown those that the manifest itself names.
fn listed<'a>(agent: &Driven<'a>) -> Vec<&'a str> {
    let secrets = agent.secrets.iter();
    secrets.flat_map(|secrets| secrets.variables()).collect()
}

/// The variables that hold keys and that the agent is given.
fn keys<'a>(agent: &Driven<'a>) -> Vec<&'a str> {
    let state = agent.auth.and_then(|auth| auth.state.as_ref());
    let named = state.and_then(|state| state.env.as_deref()).unwrap_or_default();
    let of_block = match agent.block {
        SandboxBlock::Aip29(_) => None,
        SandboxBlock::Aip36(block) => block
            .env
            .as_ref()
            .and_then(|env| env.auth.as_ref()?.state.as_ref()?.env.as_deref()),
    };
    let mut keys: Vec<&str> = named
        .iter()
        .chain(of_block.unwrap_or_default())
        .map(|name| name.value.as_str())
        .chain(agent.launch.pass.iter().map(String::as_str))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use argrail_spec::sandbox_block::load;

    use super::*;

    fn limits_of(block: &str, runner: &str) -> Limits {
        let block = format!("---\n{block}\n---\n");
        let block = load(block.as_bytes()).unwrap().manifest;
        let runner = format!("---\n{runner}\n---\n");
        let runner = argrail_spec::runner_block::load(runner.as_bytes())
            .unwrap()
            .manifest;
        let anchors = Anchors::new("/h", "/w").unwrap();
        let agent = Driven {
            block: &block,
            runner: &runner,
            auth: None,
            secrets: None,
            launch: &Launch::default(),
            program: Path::new("/p"),
            home: Path::new("/h"),
            others: &[],
        };
        let policy = super::block(&block, &anchors).unwrap();
        limits(&agent, policy.limits)
    }

    #[test]
    fn a_conversation_has_no_end_and_room_unless_somebody_says_so() {
        let block = "provider: local\nconfig: {}";
        let usual = limits_of(block, "{}");
        assert_eq!((usual.wall, usual.memory), (None, Some(MEMORY)));
        let said = limits_of(
            &format!("{block}\nlimits: {{ timeout_ms: 5000 }}"),
            "limits: { memory_mb: 8 }",
        );
        assert_eq!(
            (said.wall, said.memory),
            (Some(Duration::from_secs(5)), Some(8 * 1024 * 1024))
        );
    }

    #[test]
    fn an_inventory_of_secrets_hands_out_none() {
        let text = "---\nsecrets:\n  - { slug: cloud/key, name: B, description: B., kind: opaque, \
                    exposures: [{ kind: env, name: CLOUD_KEY, field: value }] }\n---\n";
        let secrets = argrail_spec::secrets_md::load(text.as_bytes()).unwrap().manifest;
        let given = |block: &str| {
            let block = format!("---\nprovider: local\nconfig: {{}}\n{block}\n---\n");
            let block = load(block.as_bytes()).unwrap().manifest;
            let anchors = Anchors::new("/h", "/w").unwrap();
            let agent = Driven {
                block: &block,
                runner: &Runner::default(),
                auth: None,
                secrets: Some(&secrets),
                launch: &Launch::default(),
                program: Path::new("/bin/sh"),
                home: Path::new("/h"),
                others: &[],
            };
            let ground = Ground {
                home: "/h".into(),
                directory: "/w".into(),
                roots: vec!["/w".into()],
                search: Vec::new(),
                own: Vec::new(),
                installed: "/i".into(),
                denied: Vec::new(),
                environment: [("CLOUD_KEY".into(), "k".into())].into(),
            };
            let mut policy = super::block(&block, &anchors).unwrap();
            let grounds = Grounds::of(agent.program, agent.home);
            let environment = environment(&agent, &mut policy, &grounds, &ground).unwrap();
            (environment.names().count(), environment.secrets().count())
        };
        assert_eq!(given(""), (0, 0));
        assert_eq!(given("env: { passthrough: [CLOUD_KEY] }"), (1, 1));
    }
}
