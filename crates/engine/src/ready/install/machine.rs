//! What kind of machine this is, as far as methods of installing care.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use argrail_spec::cli_md::{Arch, Os};

/// The longest file that is read here.
const LONGEST: u64 = 1 << 20;
const MIB: u64 = 1 << 20;

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Its operating system.
    pub os: Option<Os>,
    /// Its processor.
    pub arch: Option<Arch>,
    /// Whose package manager its Linux has.
    pub family: Option<Family>,
    /// Whose rights we have.
    pub rights: Rights,
    /// Mebibytes that are free where programs are put, if the system tells.
    pub free_disk_mb: Option<u64>,
    /// Mebibytes of memory, if the system tells.
    pub memory_mb: Option<u64>,
    /// Where the system's settings are: `/`.
    pub root: PathBuf,
}

/// A family of Linux distributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Debian, Ubuntu and theirs: apt.
    Debian,
    /// Fedora, RHEL and theirs: dnf.
    Fedora,
    /// Arch and its: pacman.
    Arch,
}

/// Whose rights we have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    /// Those of the administrator.
    Root,
    /// Those of a user.
    User,
}

impl Machine {
    /// Looks at this machine. `data` is where programs are put, or will be.
    pub fn look(data: &Path) -> Self {
        let root = Path::new("/");
        Self {
            os: os(std::env::consts::OS),
            arch: arch(std::env::consts::ARCH),
            family: family(root),
            rights: match rustix::process::geteuid().is_root() {
                true => Rights::Root,
                false => Rights::User,
            },
            free_disk_mb: data.ancestors().find_map(free),
            memory_mb: memory(root),
            root: root.to_owned(),
        }
    }
}

impl Family {
    /// Returns what people call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Debian => "Debian-like Linux",
            Self::Fedora => "Fedora-like Linux",
            Self::Arch => "Arch-like Linux",
        }
    }
}

fn os(name: &str) -> Option<Os> {
    match name {
        "linux" => Some(Os::Linux),
        "macos" => Some(Os::Darwin),
        "windows" => Some(Os::Windows),
        _ => None,
    }
}

fn arch(name: &str) -> Option<Arch> {
    match name {
        "x86_64" => Some(Arch::X64),
        "aarch64" => Some(Arch::Arm64),
        "x86" => Some(Arch::X86),
        "arm" => Some(Arch::Arm),
        _ => None,
    }
}

/// Reads a small file of the system.
pub(super) fn text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The family of the Linux that is installed below `root`.
pub(super) fn family(root: &Path) -> Option<Family> {
    let text = text(&root.join("etc/os-release")).or_else(|| text(&root.join("usr/lib/os-release")))?;
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.map(|value| value.trim_matches(['"', '\'']).to_ascii_lowercase())
    };
    let ids = [value("ID="), value("ID_LIKE=")];
    let mut words = ids.iter().flatten().flat_map(|ids| ids.split_whitespace());
    words.find_map(|id| match id {
        "debian" | "ubuntu" => Some(Family::Debian),
        "fedora" | "rhel" | "centos" => Some(Family::Fedora),
        "arch" => Some(Family::Arch),
        _ => None,
    })
}

/// Mebibytes that are free where `path` is.
fn free(path: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(path).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize) / MIB)
}

fn memory(root: &Path) -> Option<u64> {
    let text = text(&root.join("proc/meminfo"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn families_are_read_from_the_release() {
        let check = |release: &str, want: Option<Family>| {
            let home = Home::new().file("etc/os-release", release);
            assert_eq!(family(&home.work()), want, "{release}");
        };
        check("NAME=x\nID=debian\n", Some(Family::Debian));
        check("ID=ubuntu\nID_LIKE=debian\n", Some(Family::Debian));
        check(
            "ID=\"linuxmint\"\nID_LIKE=\"ubuntu debian\"\n",
            Some(Family::Debian),
        );
        check("ID=fedora\n", Some(Family::Fedora));
        check(
            "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n",
            Some(Family::Fedora),
        );
        check("ID=manjaro\nID_LIKE=arch\n", Some(Family::Arch));
        check("ID=alpine\n", None);
        check("", None);
    }

    #[test]
    fn this_machine_has_a_disk_and_memory() {
        let machine = Machine::look(Path::new("/nowhere/yet"));
        assert!(machine.free_disk_mb.is_some() && machine.memory_mb.is_some_and(|mb| mb > 0));
    }
}
