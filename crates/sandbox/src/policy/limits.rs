//! How much a child may use.

use std::time::Duration;

use crate::refusal::{Refusal, refuse};

const MIB: u64 = 1024 * 1024;

/// What a policy says about limits. `None` is the default, which stands in [`Limits::or_defaults`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Time from start to end. The default has no end.
    pub wall: Option<Duration>,
    /// Bytes that are kept of its output.
    pub output: Option<u64>,
    /// Bytes of address space of one process.
    pub memory: Option<u64>,
    /// Processes and threads at one time.
    pub processes: Option<u64>,
    /// Bytes of one file that it writes.
    pub file_size: Option<u64>,
    /// Open files of one process.
    pub open_files: Option<u64>,
    /// Processor time of one process. The default has no end.
    pub cpu: Option<Duration>,
    /// Bytes in its private `/tmp`.
    pub scratch: Option<u64>,
}

/// Limits with the defaults filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EffectiveLimits {
    /// Time from start to end, if it has one.
    pub wall: Option<Duration>,
    /// Bytes that are kept of its output.
    pub output: u64,
    /// Bytes of address space of one process.
    pub memory: u64,
    /// Processes and threads at one time.
    pub processes: u64,
    /// Bytes of one file that it writes.
    pub file_size: u64,
    /// Open files of one process.
    pub open_files: u64,
    /// Processor time of one process, if it has an end.
    pub cpu: Option<Duration>,
    /// Bytes in its private `/tmp`.
    pub scratch: u64,
}

impl Limits {
    /// Returns the limits with the defaults filled in.
    pub fn or_defaults(&self) -> EffectiveLimits {
        EffectiveLimits {
            wall: self.wall,
            output: self.output.unwrap_or(16 * MIB),
            memory: self.memory.unwrap_or(4096 * MIB),
            processes: self.processes.unwrap_or(512),
            file_size: self.file_size.unwrap_or(4096 * MIB),
            open_files: self.open_files.unwrap_or(1024),
            cpu: self.cpu,
            scratch: self.scratch.unwrap_or(256 * MIB),
        }
    }

    /// Refuses zero where no child could start with it. No output, no files and no scratch space are limits
    /// too.
    ///
    /// # Errors
    /// The field of the limit that is zero.
    pub fn check(&self) -> Result<(), Refusal> {
        let zeros = [
            ("limits.wall", self.wall == Some(Duration::ZERO)),
            ("limits.cpu", self.cpu == Some(Duration::ZERO)),
            ("limits.memory", self.memory == Some(0)),
            ("limits.processes", self.processes == Some(0)),
            ("limits.open_files", self.open_files == Some(0)),
        ];
        match zeros.into_iter().find(|(_, is_zero)| *is_zero) {
            Some((field, _)) => Err(zero(field)),
            None => Ok(()),
        }
    }

    /// Returns the lower of each.
    #[must_use]
    pub fn narrow(&self, by: &Self) -> Self {
        let (own, other) = (self.or_defaults(), by.or_defaults());
        // What neither names stays the default, so that nobody reads it as a wish.
        let least = |a: Option<u64>, b: Option<u64>, own: u64, other: u64| a.or(b).map(|_| own.min(other));
        Self {
            wall: shorter(self.wall, by.wall),
            output: least(self.output, by.output, own.output, other.output),
            memory: least(self.memory, by.memory, own.memory, other.memory),
            processes: least(self.processes, by.processes, own.processes, other.processes),
            file_size: least(self.file_size, by.file_size, own.file_size, other.file_size),
            open_files: least(self.open_files, by.open_files, own.open_files, other.open_files),
            cpu: shorter(self.cpu, by.cpu),
            scratch: least(self.scratch, by.scratch, own.scratch, other.scratch),
        }
    }

    /// Returns the first limit that is higher than that of `parent`: field, own value, the parent's.
    pub(super) fn beyond(&self, parent: &Self) -> Option<(&'static str, String, String)> {
        let (own, other) = (self.or_defaults(), parent.or_defaults());
        let times = [
            ("limits.wall", own.wall, other.wall),
            ("limits.cpu", own.cpu, other.cpu),
        ];
        let longer = times
            .into_iter()
            .find(|(_, own, other)| shorter(*own, *other) != *own)
            .map(|(field, own, other)| (field, time(own), time(other)));
        let amounts = [
            ("limits.output", own.output, other.output),
            ("limits.memory", own.memory, other.memory),
            ("limits.processes", own.processes, other.processes),
            ("limits.file_size", own.file_size, other.file_size),
            ("limits.open_files", own.open_files, other.open_files),
            ("limits.scratch", own.scratch, other.scratch),
        ];
        let more = || amounts.into_iter().find(|(_, own, other)| own > other);
        longer.or_else(|| more().map(|(field, own, other)| (field, own.to_string(), other.to_string())))
    }
}

/// Refuses a limit of nothing.
pub(super) fn zero(field: &str) -> Refusal {
    refuse(
        field,
        "0",
        "nothing can run within it",
        "give at least 1, or leave it out for the default",
    )
}

fn shorter(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn time(time: Option<Duration>) -> String {
    time.map_or_else(|| "no end".to_owned(), |time| format!("{time:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(seconds: u64) -> Limits {
        Limits {
            wall: Some(Duration::from_secs(seconds)),
            ..Limits::default()
        }
    }

    fn output(bytes: u64) -> Limits {
        Limits {
            output: Some(bytes),
            ..Limits::default()
        }
    }

    #[test]
    fn the_lower_limit_wins() {
        fn check(one: Limits, other: Limits, expected: Limits) {
            assert_eq!(one.narrow(&other), expected);
            assert_eq!(other.narrow(&one), expected);
        }
        let default = Limits::default();
        check(default, default, default);
        check(wall(2), default, wall(2));
        check(wall(2), wall(3), wall(2));
        check(output(1), default, output(1));
        check(output(u64::MAX), default, output(16 * MIB)); // the default is a limit too
    }

    #[test]
    fn a_higher_limit_is_named() {
        fn check(own: Limits, parent: Limits, expected: Option<(&'static str, &str, &str)>) {
            let found = own.beyond(&parent);
            let found = found
                .as_ref()
                .map(|(field, own, other)| (*field, own.as_str(), other.as_str()));
            assert_eq!(found, expected);
        }
        let default = Limits::default();
        check(default, default, None);
        check(wall(1), wall(2), None);
        check(wall(1), default, None);
        check(default, wall(2), Some(("limits.wall", "no end", "2s")));
        check(wall(3), wall(2), Some(("limits.wall", "3s", "2s")));
        check(output(2), output(1), Some(("limits.output", "2", "1")));
        check(default, output(1), Some(("limits.output", "16777216", "1")));
    }

    #[test]
    fn nothing_is_refused_where_nothing_could_run() {
        assert_eq!(output(0).check(), Ok(()));
        assert_eq!(wall(1).check(), Ok(()));
        assert_eq!(wall(0).check().unwrap_err().field, "limits.wall");
        let limits = Limits {
            processes: Some(0),
            ..Limits::default()
        };
        assert_eq!(limits.check().unwrap_err().field, "limits.processes");
    }
}
