//! Whether a child works or waits: the processor time of everything that belongs to it, as the kernel counts it.

use std::collections::VecDeque;
use std::fs;
use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Arc, OnceLock};

/// The most processes that are looked at.
const MAX_PROCESSES: usize = 1024;

/// Tells whether a child works. Clones mean the same child.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    /// The process above all that belongs to the child.
    root: Arc<OnceLock<u32>>,
}

/// What a child had used at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActivitySample {
    /// Processor time of all of its processes, in the kernel's ticks.
    ticks: u64,
    /// Whether one of them wants a processor, or waits for a disk.
    runs: bool,
}

impl ActivitySample {
    /// Whether the child did something between `before` and this moment, or would have, had it got a processor.
    pub fn is_busy_since(&self, before: &Self) -> bool {
        self.runs || self.ticks != before.ticks
    }
}

impl Activity {
    /// Says which process it is, of which `process` is a descriptor.
    pub(super) fn begins(&self, process: impl AsFd) {
        let file = format!("/proc/self/fdinfo/{}", process.as_fd().as_raw_fd());
        let told = fs::read_to_string(file).unwrap_or_default();
        let number = told.lines().find_map(|line| line.strip_prefix("Pid:"));
        if let Some(number) = number.and_then(|number| number.trim().parse().ok()) {
            let _ = self.root.set(number);
        }
    }

    /// Looks at the child. Nothing when it was not started, is gone, or the kernel does not say.
    pub fn sample(&self) -> Option<ActivitySample> {
        let root = *self.root.get()?;
        let mut waiting = VecDeque::from([root]);
        // The first of them is ours and waits for the others, in a way that looks like waiting for a disk.
        let mut sample = ActivitySample {
            runs: false,
            ..process(root)?
        };
        let mut seen = 0;
        while let Some(parent) = waiting.pop_front() {
            // One that ended meanwhile has none, and its time is counted by whoever waited for it.
            for child in children(parent).unwrap_or_default() {
                seen += 1;
                if seen > MAX_PROCESSES {
                    return Some(sample);
                }
                let Some(found) = process(child) else { continue };
                sample.ticks = sample.ticks.wrapping_add(found.ticks);
                sample.runs |= found.runs;
                waiting.push_back(child);
            }
        }
        // Where the kernel lists no children, the one process that waits for the rest says nothing.
        (seen > 0).then_some(sample)
    }
}

fn process(number: u32) -> Option<ActivitySample> {
    parse(&fs::read_to_string(format!("/proc/{number}/stat")).ok()?)
}

/// Reads a line of `/proc/N/stat`: the state, then, ten fields later, four times of the process and those it waited for.
fn parse(stat: &str) -> Option<ActivitySample> {
    // The name before it may hold anything.
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let times = fields.skip(10).take(4);
    let ticks = times.map_while(|time| time.parse::<u64>().ok());
    Some(ActivitySample {
        ticks: ticks.fold(0, u64::wrapping_add),
        runs: matches!(state, "R" | "D"),
    })
}

/// The processes that a process started, by any of its threads.
fn children(number: u32) -> Option<Vec<u32>> {
    let threads = fs::read_dir(format!("/proc/{number}/task")).ok()?;
    let mut all = Vec::new();
    for thread in threads.flatten().take(MAX_PROCESSES) {
        let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        all.extend(
            list.split_ascii_whitespace()
                .filter_map(|word| word.parse::<u32>().ok()),
        );
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_whatever_the_process_is_called() {
        let check = |stat: &str, expected: Option<(u64, bool)>| {
            let found = parse(stat).map(|sample| (sample.ticks, sample.runs));
            assert_eq!(found, expected, "{stat}");
        };
        let rest = "1 2 3 4 5 6 7 8 9 10 100 20 3 4 20 0 1";
        check(&format!("7 (sh) S {rest}"), Some((127, false)));
        check(&format!("7 (a) R 1 ) R {rest}"), Some((127, true)));
        check(&format!("7 (cp) D {rest}"), Some((127, true)));
        check("7 (sh)", None);
        check("", None);
    }

    #[test]
    fn who_used_a_processor_or_wants_one_is_busy() {
        let sample = |ticks, runs| ActivitySample { ticks, runs };
        let check = |before, after: ActivitySample, expected| {
            assert_eq!(after.is_busy_since(&before), expected, "{before:?} {after:?}");
        };
        check(sample(5, false), sample(5, false), false);
        check(sample(5, false), sample(6, false), true);
        check(sample(5, false), sample(5, true), true);
        check(sample(5, true), sample(5, false), false);
        assert_eq!(Activity::default().sample(), None);
    }
}
