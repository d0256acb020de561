//! Landlock: what the mounts do not say. Files may be run only where that is allowed, and written only there too.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use std::ffi::CStr;
use std::io;
use std::os::fd::OwnedFd;

use super::order::{LandlockRules, PathRights};

/// The least that is required: with it, files can be restricted in every way that changes them. What a newer
/// kernel adds is used where it is there; in the first tier the namespaces hold the same.
const MIN_LANDLOCK_ABI: ABI = ABI::V3;

/// The most that is asked for.
const MAX_LANDLOCK_ABI: ABI = ABI::V7;

#[derive(Debug, thiserror::Error)]
enum RestrictError {
    #[error(transparent)]
    Rules(#[from] RulesetError),
    #[error("a path cannot be opened")]
    Path(#[from] io::Error),
}

/// Restricts this thread for good.
pub(crate) fn restrict(landlock: &LandlockRules) -> io::Result<()> {
    match apply(landlock) {
        Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced) => Ok(()),
        Ok(RulesetStatus::NotEnforced) => Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP)),
        Err(error) => Err(io::Error::from_raw_os_error(number(&error))),
    }
}

fn apply(landlock: &LandlockRules) -> Result<RulesetStatus, RestrictError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(MIN_LANDLOCK_ABI))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(MAX_LANDLOCK_ABI))?;
    let ruleset = if landlock.any_port {
        ruleset
    } else {
        ruleset.handle_access(AccessNet::from_all(MAX_LANDLOCK_ABI))?
    };
    let level = if landlock.scopes {
        CompatLevel::HardRequirement
    } else {
        CompatLevel::BestEffort
    };
    let ruleset = ruleset
        .set_compatibility(level)
        .scope(Scope::from_all(MAX_LANDLOCK_ABI))?;
    let mut created = ruleset.set_compatibility(CompatLevel::BestEffort).create()?;
    for (path, rights) in &landlock.paths {
        let place = open(path)?;
        let is_directory = rustix::fs::fstat(&place)
            .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_dir());
        created = created.add_rule(PathBeneath::new(place, access(*rights, is_directory)))?;
    }
    if !landlock.any_port {
        for port in &landlock.connect {
            created = created.add_rule(NetPort::new(*port, AccessNet::ConnectTcp))?;
        }
        for port in &landlock.bind {
            created = created.add_rule(NetPort::new(*port, AccessNet::BindTcp))?;
        }
    }
    Ok(created.restrict_self()?.ruleset)
}

/// Opens a path of the order. They have no symlink in them; one that is there now was put there meanwhile, to lead
/// elsewhere.
fn open(path: &CStr) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    Ok(openat2(CWD, path, flags, Mode::empty(), resolve)?)
}

fn access(rights: PathRights, is_directory: bool) -> landlock::BitFlags<AccessFs> {
    let mut access = landlock::BitFlags::empty();
    if rights.read {
        access |= AccessFs::ReadFile | AccessFs::ReadDir;
    }
    if rights.execute {
        access |= AccessFs::Execute;
    }
    if rights.write {
        access |= AccessFs::from_write(MAX_LANDLOCK_ABI)
            & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev);
    }
    if rights.device {
        access |= AccessFs::IoctlDev;
    }
    if is_directory {
        access
    } else {
        access & AccessFs::from_file(MAX_LANDLOCK_ABI)
    }
}

/// The system's error number behind an error, as far as there is one.
fn number(error: &RestrictError) -> i32 {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = source {
        if let Some(number) = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::raw_os_error)
        {
            return number;
        }
        source = error.source();
    }
    libc::EOPNOTSUPP
}
