//! The ways to start a program that are compared.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command as OsCommand, Stdio};

use argrail_sandbox::policy::{Anchors, HostPattern, PathPattern, Policy};
use argrail_sandbox::{Command, Launcher, Report};

use crate::server::Programs;

/// A way to start a program and wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Fork and exec, by the standard library.
    Bare,
    /// Ours, for trusted helpers.
    Host,
    /// Landlock and a filter of system calls.
    TierTwo,
    /// Everything, without a network.
    TierOne,
    /// Everything, with a network that is served.
    Egress,
    /// The well-known tool, with as many namespaces and the usual mounts.
    Bubblewrap,
}

impl Way {
    pub(super) const ALL: [Self; 6] = [
        Self::Bare,
        Self::Host,
        Self::TierTwo,
        Self::TierOne,
        Self::Egress,
        Self::Bubblewrap,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Host => "host",
            Self::TierTwo => "tier 2",
            Self::TierOne => "tier 1",
            Self::Egress => "tier 1 with egress",
            Self::Bubblewrap => "bubblewrap",
        }
    }
}

/// Where the children run, and what launches them.
pub(super) struct Bench {
    launcher: PathBuf,
    home: PathBuf,
    workspace: PathBuf,
}

const TRUE: &str = "/bin/true";

impl Bench {
    pub(super) fn new(programs: &Programs) -> io::Result<Self> {
        let home = programs.home().canonicalize()?;
        let workspace = home.join("workspace");
        fs::create_dir_all(&workspace)?;
        Ok(Self {
            launcher: programs.argrail().to_owned(),
            home,
            workspace,
        })
    }

    /// Starts `/bin/true` and waits for it.
    pub(super) fn once(&self, way: Way) -> io::Result<()> {
        match way {
            Way::Bare => self.system(TRUE, &[]),
            Way::Bubblewrap => {
                let workspace = self.workspace.to_string_lossy();
                let mounts = format!(
                    "--unshare-all --die-with-parent --new-session --clearenv --ro-bind /usr /usr --symlink usr/bin /bin \
                     --symlink usr/sbin /sbin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind /etc/ssl /etc/ssl \
                     --ro-bind /etc/ld.so.cache /etc/ld.so.cache --proc /proc --dev /dev --tmpfs /tmp \
                     --bind {workspace} {workspace} --chdir {workspace}"
                );
                let mut args: Vec<&str> = mounts.split_whitespace().collect();
                args.push(TRUE);
                self.system("bwrap", &args)
            }
            Way::Host | Way::TierTwo | Way::TierOne | Way::Egress => {
                let report = self.command(way, &[TRUE])?.run().map_err(io::Error::other)?;
                succeeded(&report)
            }
        }
    }

    /// Describes a child of ours.
    pub(super) fn command(&self, way: Way, argv: &[&str]) -> io::Result<Command> {
        if way == Way::Host {
            return Ok(Command::host(argv.iter().copied(), &self.workspace));
        }
        let anchors = Anchors::new(&self.home, &self.workspace).map_err(io::Error::other)?;
        let tree = PathPattern::tree(&self.workspace);
        let mut policy = match way {
            Way::TierTwo => Policy::closed().read(tree),
            Way::Bare | Way::Host | Way::TierOne | Way::Egress | Way::Bubblewrap => {
                Policy::closed().write(tree)
            }
        };
        if way == Way::Egress {
            policy = policy.egress(HostPattern::parse("egress", "bench.test").map_err(io::Error::other)?);
        }
        let command = Command::confined(argv.iter().copied(), policy, anchors)
            .launcher(Launcher::Path(self.launcher.clone()))
            .resolve([("bench.test".to_owned(), IpAddr::V4(Ipv4Addr::LOCALHOST))])
            .allow_loopback();
        Ok(if way == Way::TierTwo {
            command.without_namespaces()
        } else {
            command
        })
    }

    #[expect(clippy::disallowed_methods, reason = "the floor that ours is held against")]
    fn system(&self, program: &str, args: &[&str]) -> io::Result<()> {
        let status = OsCommand::new(program)
            .args(args)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir(&self.workspace)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| io::Error::other(format!("cannot start {program}: {error}")))?
            .wait_with_output()?;
        if status.status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&status.stderr).into_owned();
        Err(io::Error::other(format!("{program} failed: {text}")))
    }

    /// Whether the well-known tool is there.
    pub(super) fn has_bubblewrap(&self) -> bool {
        Path::new("/usr/bin/bwrap").exists()
    }
}

pub(super) fn succeeded(report: &Report) -> io::Result<()> {
    if report.ended.code() == Some(0) {
        return Ok(());
    }
    Err(io::Error::other(format!("the child failed: {report:?}")))
}
