//! Which programs a call may start, added up over a call and the calls inside it.

use std::path::Path;

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Exec, Program};

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
