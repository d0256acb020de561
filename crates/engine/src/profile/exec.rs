//! Which programs a call may start, added up over a call and the calls inside it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Exec, Program};

use super::ground::Ground;
use super::grounds::interpreter;

/// Programs by name or absolute path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Starts {
    /// None.
    #[default]
    Nothing,
    /// These.
    These(Vec<String>),
    /// Any.
    Anything,
}

impl Starts {
    /// Returns what both want.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Anything, Self::Nothing | Self::These(_) | Self::Anything)
            | (Self::Nothing | Self::These(_), Self::Anything) => Self::Anything,
            (Self::Nothing, other) | (other, Self::Nothing) => other,
            (Self::These(mut list), Self::These(more)) => {
                list.extend(more);
                Self::These(list)
            }
        }
    }

    /// Adds one program by its path. A path that is no text cannot be named in a policy, and is not started.
    #[must_use]
    pub(super) fn and_program(self, path: &Path) -> Self {
        let named = path.to_str().map(|path| vec![path.to_owned()]);
        self.and(Self::These(named.unwrap_or_default()))
    }

    /// Leaves out scripts whose interpreter is not among the programs: they could not be started, and would make the
    /// whole list unusable. Which of the programs of a description are scripts differs from system to system.
    #[must_use]
    pub(super) fn without_lone_scripts(self, ground: &Ground) -> Self {
        let Self::These(list) = self else { return self };
        let lacks = |name: &String| {
            let file = match Path::new(name).is_absolute() {
                true => Some(PathBuf::from(name)),
                false => ground.find(name),
            };
            let interpreter = file.as_deref().and_then(interpreter);
            interpreter.is_some_and(|wanted| {
                let called = wanted.file_name().and_then(OsStr::to_str);
                !list
                    .iter()
                    .any(|known| wanted == Path::new(known) || called == Some(known))
            })
        };
        let kept = list.iter().filter(|name| !lacks(name)).cloned().collect();
        Self::These(kept)
    }

    /// Returns it as the sandbox has it.
    ///
    /// # Errors
    /// A name that names no program.
    pub(super) fn exec(self) -> Result<Exec, Refusal> {
        match self {
            Self::Nothing => Ok(Exec::None),
            Self::Anything => Ok(Exec::Any),
            Self::These(mut list) => {
                list.sort();
                list.dedup();
                let programs = list.iter().map(|name| Program::parse("exec", name));
                Ok(Exec::List(programs.collect::<Result<_, _>>()?))
            }
        }
    }
}
