//! What is needed to install: the machine, our places, who builds sandboxes, and a line that shows how far it is.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use argrail_acli::Error;
use argrail_engine::catalog::Shelf;
use argrail_engine::places::Places;
use argrail_engine::ready::Packaged;
use argrail_engine::ready::install::{
    Experimental, Global, Hosts, Installed, Machine, Plan, ProgramDrift, Progress, Registries, Scripts, Site,
    Unconfined, Unverified, Wishes, check_integrity, install, plan, receipt,
};
use argrail_sandbox::{Cancel, Launcher};

use crate::args::bundle::HowArgs;
use crate::catalogue::shelf;
use crate::foreign::one_line;
use crate::interrupt::end_on_signal;
use crate::out::{self, Report};

/// How often the line is written.
const EVERY: Duration = Duration::from_millis(100);

/// Where programs are installed.
pub(super) struct Workshop {
    shelf: Shelf,
    machine: Machine,
    environment: BTreeMap<OsString, OsString>,
    search: Vec<PathBuf>,
    home: PathBuf,
    wishes: Wishes,
    report: Report,
}

impl Workshop {
    /// Looks at the machine.
    pub(super) fn open(how: &HowArgs, report: Report) -> Result<Self, Error> {
        let shelf = shelf()?;
        let search = shelf.programs().directories().to_vec();
        let home = shelf.places().home();
        Ok(Self {
            machine: Machine::look(&shelf.places().installed()),
            environment: std::env::vars_os().collect(),
            home: home.canonicalize().unwrap_or_else(|_| home.to_owned()),
            wishes: wishes(how),
            search,
            shelf,
            report,
        })
    }

    pub(super) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    pub(super) fn places(&self) -> &Places {
        self.shelf.places()
    }

    pub(super) fn environment(&self) -> &BTreeMap<OsString, OsString> {
        &self.environment
    }

    /// Says what would be done.
    pub(super) fn plan(&self, packaged: Packaged<'_>, root: &Path) -> Plan {
        self.at(packaged, root, |site| plan(site, &self.wishes))
    }

    /// Installs the program of a manifest that a person accepted, unless it is there.
    pub(super) fn install(&self, packaged: Packaged<'_>, root: &Path) -> Result<Installed, Error> {
        let cancel = Cancel::new().map_err(Error::execution)?;
        end_on_signal(cancel.clone(), Default::default());
        let line = Line::new(self.report);
        let done = self.at(packaged, root, |site| {
            let plan = plan(site, &self.wishes);
            install(site, &plan, &line, Some(cancel.clone()))
        });
        line.clear();
        done.map_err(|error| Error::from(&error))
    }

    /// Whether a program was installed or found for a manifest before, whatever became of it.
    pub(super) fn was_installed(&self, packaged: Packaged<'_>) -> bool {
        receipt(self.places(), &packaged.key()).is_some()
    }

    /// What was installed or found for a manifest before, if it still is that.
    ///
    /// # Errors
    /// It is not what was installed.
    pub(super) fn installed(&self, packaged: Packaged<'_>) -> Result<Option<Installed>, ProgramDrift> {
        let Some(installed) = receipt(self.places(), &packaged.key()) else {
            return Ok(None);
        };
        check_integrity(self.places(), &installed)?;
        Ok(Some(installed))
    }

    /// Does something with everything that an installation depends on.
    pub(super) fn at<T>(&self, packaged: Packaged<'_>, root: &Path, work: impl FnOnce(&Site<'_>) -> T) -> T {
        work(&Site {
            packaged,
            root,
            places: self.places(),
            launcher: &Launcher::SelfExe,
            environment: &self.environment,
            home: &self.home,
            search: &self.search,
            reach: &self.shelf.config().reach,
            machine: &self.machine,
        })
    }
}

fn wishes(how: &HowArgs) -> Wishes {
    Wishes {
        global: if how.global { Global::Asked } else { Global::Own },
        scripts: if how.scripts {
            Scripts::Allowed
        } else {
            Scripts::Never
        },
        experimental: if how.experimental {
            Experimental::Tried
        } else {
            Experimental::Skipped
        },
        unverified: if how.unverified {
            Unverified::Accepted
        } else {
            Unverified::Refused
        },
        hosts: if how.any_host { Hosts::Public } else { Hosts::Named },
        registries: if how.private_registry {
            Registries::Anywhere
        } else {
            Registries::Public
        },
        unconfined: if how.unconfined {
            Unconfined::Accepted
        } else {
            Unconfined::Refused
        },
    }
}

/// One line on a terminal's stderr that is written over; lines of their own where none is.
struct Line {
    live: bool,
    quiet: bool,
    last: Mutex<Shown>,
}

struct Shown {
    step: String,
    began: Instant,
    written: Option<Instant>,
}

impl Line {
    fn new(report: Report) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self {
            live: io::stderr().is_terminal() && !dumb,
            quiet: report == Report::Envelope,
            last: Mutex::new(Shown {
                step: String::new(),
                began: Instant::now(),
                written: None,
            }),
        }
    }

    fn clear(&self) {
        if self.live {
            let _ = write!(io::stderr().lock(), "\r\u{1b}[K");
        }
    }
}

impl Progress for Line {
    fn step(&self, text: &str) {
        let Ok(mut last) = self.last.lock() else { return };
        last.step = one_line(text);
        last.began = Instant::now();
        last.written = None;
        if self.live {
            let _ = write!(io::stderr().lock(), "\r\u{1b}[Kargrail: {}", last.step);
        } else if !self.quiet {
            out::say(&last.step);
        }
    }

    fn bytes(&self, done: u64, total: Option<u64>) {
        if !self.live {
            return;
        }
        let Ok(mut last) = self.last.lock() else { return };
        let now = Instant::now();
        if last
            .written
            .is_some_and(|written| now.duration_since(written) < EVERY)
            && Some(done) != total
        {
            return;
        }
        last.written = Some(now);
        let text = far(done, total, now.duration_since(last.began));
        let _ = write!(io::stderr().lock(), "\r\u{1b}[Kargrail: {} {text}", last.step);
    }
}

/// How much is there, of how much, and how fast it comes.
fn far(done: u64, total: Option<u64>, took: Duration) -> String {
    const WIDTH: u64 = 24;
    let mib = |bytes: u64| format!("{}.{} MiB", bytes >> 20, ((bytes & 0xf_ffff) * 10) >> 20);
    let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX).max(1);
    let speed = format!("{}/s", mib(done.saturating_mul(1000) / millis));
    match total.filter(|total| *total > 0) {
        Some(total) => {
            let full = usize::try_from((done.saturating_mul(WIDTH) / total).min(WIDTH)).unwrap_or_default();
            let rest = usize::try_from(WIDTH).unwrap_or_default().saturating_sub(full);
            let bar = format!("{}{}", "#".repeat(full), ".".repeat(rest));
            format!("[{bar}] {} of {}, {speed}", mib(done), mib(total))
        }
        None => format!("{}, {speed}", mib(done)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_speed_are_told() {
        let second = Duration::from_secs(1);
        assert_eq!(
            far(3 << 20, Some(6 << 20), second),
            "[############............] 3.0 MiB of 6.0 MiB, 3.0 MiB/s"
        );
        assert_eq!(far(1 << 19, None, 2 * second), "0.5 MiB, 0.2 MiB/s");
        assert_eq!(far(5, Some(0), Duration::ZERO), "0.0 MiB, 0.0 MiB/s");
    }
}
