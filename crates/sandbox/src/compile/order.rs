//! The order itself: every decision put together.

use std::collections::BTreeMap;
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{argument, check_words};
use super::base::{self, OwnFiles, SCRATCH_DIRECTORIES};
use super::environment::{self, EnvironmentContext};
use super::grants::GrantMounter;
use super::nested::NestedWatch;
use super::program::{ProgramSearch, ResolvedProgram};
use super::protect::{self, WatchedPath};
use super::resource_limits::{bounds, open_files};
use super::show::{name_scripts, show_programs};
use super::spawnable::SpawnableFiles;
use super::view::{ChildView, MountAccess, MountContent, relative};
use super::visible::VisiblePaths;
use super::{deny, landlock_only, pinned};
use crate::denial::ReportLevel;
use crate::launch::HostIdentity;
use crate::launch::{
    ChildIdentity, LandlockRules, LaunchOrder, ListenSocket, NetworkSetup, NodeKind, PathRights,
    TargetProgram, TerminalSize, Tier,
};
use crate::policy::{Anchors, Exec, Policy, Protected};
use crate::refusal::{Fix, Refusal};
use crate::seccomp::{
    CallAction, CallLooks, FileLooks, FilterInputs, FirstProgram, NetworkLooks, SpawnPermission, TooLong,
    WritePermission, assemble, rules,
};

/// The proxy's ports: HTTP and SOCKS on both.
pub(crate) const PROXY_PORTS: [u16; 2] = [3128, 1080];

/// Ports on which names can be reached by programs that know of no proxy: ssh, web, git, databases, clusters.
pub(crate) const TRANSPARENT_PORTS: [u16; 11] =
    [22, 80, 443, 3306, 5432, 6379, 6443, 8080, 8443, 9418, 27017];

/// How many connections from outside a callback port may see.
const MAX_CALLBACK_CONNECTIONS: u32 = 8;

/// What is to be run, and under what.
pub(crate) struct CompileRequest<'r> {
    pub(crate) policy: &'r Policy,
    pub(crate) anchors: &'r Anchors,
    pub(crate) protected: &'r Protected,
    pub(crate) argv: &'r [OsString],
    pub(crate) directory: &'r Path,
    pub(crate) search: &'r [PathBuf],
    pub(crate) host_env: &'r BTreeMap<OsString, OsString>,
    /// Whether the base has no variables but `PATH` and `HOME`.
    pub(crate) minimal_environment: bool,
    pub(crate) secrets: &'r BTreeMap<OsString, OsString>,
    /// Texts in the place of files.
    pub(crate) overlays: &'r BTreeMap<PathBuf, Vec<u8>>,
    /// What files have to say, whatever becomes of them.
    pub(crate) pinned: &'r BTreeMap<PathBuf, Vec<u8>>,
    pub(crate) terminal: (u16, u16),
    pub(crate) report_level: ReportLevel,
    pub(crate) niceness: u8,
    pub(crate) host_user: HostIdentity,
    /// Whether root stays root, without its powers: where owners cannot be mapped.
    pub(crate) stay_root: bool,
    pub(crate) tier: Tier,
    /// A random number, known to the launcher and the filter.
    pub(crate) key: u32,
}

/// An order, and what the host must know besides.
#[derive(Debug)]
pub(crate) struct CompiledOrder {
    pub(crate) order: LaunchOrder,
    pub(crate) notes: Vec<String>,
    /// Directories that were made for the child.
    pub(crate) made: Vec<PathBuf>,
    /// Names to look after when it has ended.
    pub(crate) watched: Vec<WatchedPath>,
    pub(crate) nested: NestedWatch,
    /// Files that the child may start, so that a refused one can be told; nothing when all may be.
    pub(crate) spawnable: Option<Vec<PathBuf>>,
    pub(crate) visible: Arc<VisiblePaths>,
}

/// Decides everything. A refusal leaves nothing behind that was made for the child.
pub(crate) fn compile(request: &CompileRequest<'_>) -> Result<CompiledOrder, Refusal> {
    let mut made = Vec::new();
    match decide(request, &mut made) {
        Ok(compiled) => Ok(CompiledOrder { made, ..compiled }),
        Err(refusal) => {
            remove_empty(&made);
            Err(refusal)
        }
    }
}

/// Removes directories that were made for a child and stayed empty, innermost first.
pub(crate) fn remove_empty(made: &[PathBuf]) {
    for directory in made.iter().rev() {
        let _ = std::fs::remove_dir(directory);
    }
}

fn decide(request: &CompileRequest<'_>, made: &mut Vec<PathBuf>) -> Result<CompiledOrder, Refusal> {
    let CompileRequest { policy, anchors, .. } = request;
    check_words(request.argv, request.directory, [request.secrets])?;
    let search = ProgramSearch {
        path: request.search,
        directory: request.directory,
    };
    let mut resolved = search.resolve(request.argv)?;
    let mut view = ChildView::default();
    let (uid, gid) = child_ids(request);
    let own = OwnFiles {
        uid,
        gid,
        home: anchors.home(),
        names: !policy.egress.is_empty(),
        terminal: policy.tty,
    };
    base::put(&mut view, &own, !matches!(policy.exec, Exec::List(_)));
    let mut grants = GrantMounter {
        view: &mut view,
        anchors,
        // A library in a granted directory may be loaded, unless a list says what may run.
        exec: match policy.exec {
            Exec::None => |access| access == MountAccess::Read,
            Exec::List(_) | Exec::Any => |_| false,
        },
        exec_any: matches!(policy.exec, Exec::Any),
        notes: policy.notes.clone(),
        made,
    };
    grants.all("fs.read", &policy.read, MountAccess::Read)?;
    grants.all("fs.write", &policy.write, MountAccess::Write)?;
    let mut notes = grants.notes;
    deny::all(&mut view, &policy.deny, anchors)?;
    let watched = protect::all(&mut view, request.protected, &policy.write, anchors)?;
    let nested = NestedWatch::survey(&view, request.protected, &policy.write);
    if request.tier == Tier::Namespaces {
        for (path, text) in request.overlays {
            if path.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
                view.text(path, text);
            }
        }
    }
    pinned::all(&mut view, request.pinned, request.tier)?;
    let spawnable = show_programs(&mut view, &resolved, policy, &search)?;
    notes.extend(spawnable.notes.iter().cloned());
    name_scripts(&mut view, &mut resolved);
    for directory in [request.directory, anchors.home()] {
        if !view.shows(directory) && view.at(directory).is_none() {
            view.node(directory, NodeKind::Directory);
        }
    }
    let visible = VisiblePaths::of(&view);
    let parts = OrderParts {
        request,
        resolved: &resolved,
        spawnable: &spawnable,
        scratch: scratch(&view),
    };
    let order = match request.tier {
        Tier::Namespaces => parts.in_namespaces(view)?,
        Tier::Landlock => {
            landlock_only::accept(policy, &view, request.host_user)?;
            parts.with_landlock_only(&view)?
        }
    };
    Ok(CompiledOrder {
        order,
        notes,
        made: Vec::new(),
        watched,
        nested,
        spawnable: match policy.exec {
            Exec::None => Some(Vec::new()),
            Exec::List(_) => Some(spawnable.places()),
            Exec::Any => None,
        },
        visible: Arc::new(visible),
    })
}

fn child_ids(request: &CompileRequest<'_>) -> (u32, u32) {
    if request.stay_root || request.tier == Tier::Landlock {
        (request.host_user.uid, request.host_user.gid)
    } else {
        request.host_user.child()
    }
}

/// The first private directory in whose place the host's is not shown for reading only.
fn scratch(view: &ChildView) -> &'static str {
    let is_closed = |path: &str| {
        view.at(Path::new(path))
            .is_some_and(|mount| mount.access == MountAccess::Read)
    };
    let [first, second] = SCRATCH_DIRECTORIES;
    if is_closed(first) { second } else { first }
}

struct OrderParts<'p> {
    request: &'p CompileRequest<'p>,
    resolved: &'p ResolvedProgram,
    spawnable: &'p SpawnableFiles,
    /// Where temporary files go.
    scratch: &'static str,
}

impl OrderParts<'_> {
    fn in_namespaces(&self, mut view: ChildView) -> Result<LaunchOrder, Refusal> {
        let CompileRequest {
            policy, host_user, ..
        } = self.request;
        let (uid, gid) = child_ids(self.request);
        let switch = host_user.machine_root && !self.request.stay_root;
        let must_count = !matches!(policy.exec, Exec::None) || policy.limits.processes.is_some();
        if host_user.machine_root && !switch && must_count {
            return Err(Refusal::new(
                "limits.processes",
                "",
                "the number of processes cannot be limited for root, and the files cannot be shown to another user",
                Fix::new("Run {program} as the owner of the workspace"),
            )
            .missing("id-mapped mounts"));
        }
        let mut owners = Vec::new();
        if switch {
            for (path, mount) in view.mounts_mut() {
                mount.owner = mount.owner_index(path, uid, &mut owners);
            }
        }
        let mut landlock = LandlockRules {
            paths: vec![(c"/".to_owned(), self.everywhere())],
            ..LandlockRules::default()
        };
        self.allow_programs(&mut landlock);
        let writable = view
            .mounts()
            .filter(|(_, mount)| mount.access == MountAccess::Write && mount.what == MountContent::Host)
            .map(|(path, mount)| (path.to_owned(), mount.device));
        for (path, device) in writable.chain(SCRATCH_DIRECTORIES.map(|path| (path.into(), false))) {
            landlock.paths.extend(rule(&path, PathRights { device, ..WRITE }));
        }
        if policy.tty {
            landlock.paths.push((
                c"/dev/pts".to_owned(),
                PathRights {
                    device: true,
                    ..WRITE
                },
            ));
        }
        let network = self.network();
        landlock.connect = network
            .listen
            .iter()
            .filter_map(|listen| match listen {
                ListenSocket::DnsUdp => None,
                ListenSocket::DnsTcp => Some(53),
                ListenSocket::Proxy(port) | ListenSocket::Transparent(port) => Some(*port),
            })
            .collect();
        landlock.bind = policy.ingress.iter().map(|ingress| ingress.port()).collect();
        landlock.any_port = policy.local_network;
        let stand_ins = SCRATCH_DIRECTORIES
            .iter()
            .flat_map(|scratch| view.stand_ins(Path::new(scratch)));
        let closed = stand_ins.filter_map(|path| relative(&path)).collect();
        let (nodes, binds) = view.finish();
        Ok(LaunchOrder {
            tier: Tier::Namespaces,
            identity: ChildIdentity {
                uid,
                gid,
                switch,
                owners,
            },
            nodes,
            closed,
            binds,
            scratch: policy.limits.or_defaults().scratch,
            scratch_exec: matches!(policy.exec, Exec::Any),
            covers: uid == 0,
            network,
            terminal: policy.tty.then_some(TerminalSize {
                rows: self.request.terminal.0,
                columns: self.request.terminal.1,
            }),
            landlock,
            ..self.common(true)?
        })
    }

    fn with_landlock_only(&self, view: &ChildView) -> Result<LaunchOrder, Refusal> {
        let mut landlock = LandlockRules {
            scopes: true,
            ..LandlockRules::default()
        };
        self.allow_programs(&mut landlock);
        for (path, mount) in view.mounts() {
            let rights = PathRights {
                read: true,
                write: mount.access == MountAccess::Write,
                execute: false,
                device: mount.device,
            };
            landlock.paths.extend(rule(path, rights));
        }
        Ok(LaunchOrder {
            landlock,
            ..self.common(false)?
        })
    }

    /// What both tiers have in common.
    fn common(&self, namespaces: bool) -> Result<LaunchOrder, Refusal> {
        let CompileRequest {
            policy, host_user, ..
        } = self.request;
        let caps = policy.limits.or_defaults();
        let descriptor = open_files(caps.open_files);
        let program = FirstProgram {
            descriptor,
            key: self.request.key,
        };
        let spawning = match policy.exec {
            Exec::None => SpawnPermission::None { program },
            Exec::List(_) => SpawnPermission::Listed { program },
            Exec::Any => SpawnPermission::Any,
        };
        let rules = rules(&FilterInputs {
            spawning,
            namespaces,
            writing: match policy.write.is_empty() {
                true => WritePermission::Nothing,
                false => WritePermission::Something,
            },
            looks: looks(policy, self.request.report_level),
        });
        Ok(LaunchOrder {
            tier: Tier::Landlock,
            identity: ChildIdentity {
                uid: host_user.uid,
                gid: host_user.gid,
                switch: false,
                owners: Vec::new(),
            },
            nodes: Vec::new(),
            closed: Vec::new(),
            binds: Vec::new(),
            scratch: 0,
            scratch_exec: false,
            covers: false,
            network: NetworkSetup::default(),
            terminal: None,
            limits: bounds(&caps, descriptor),
            niceness: self.request.niceness,
            landlock: LandlockRules::default(),
            filter: assemble(&rules).map_err(too_long)?,
            asks: rules.iter().any(|rule| rule.action == CallAction::Ask),
            program: self.program(descriptor)?,
        })
    }

    fn everywhere(&self) -> PathRights {
        PathRights {
            read: true,
            write: false,
            execute: matches!(self.request.policy.exec, Exec::Any),
            device: false,
        }
    }

    fn allow_programs(&self, landlock: &mut LandlockRules) {
        for path in &self.spawnable.places() {
            let rights = PathRights {
                read: true,
                write: false,
                execute: true,
                device: false,
            };
            landlock.paths.extend(rule(path, rights));
        }
    }

    fn network(&self) -> NetworkSetup {
        let Policy {
            egress,
            ingress,
            local_network,
            ..
        } = self.request.policy;
        let mut listen = Vec::new();
        if !egress.is_empty() {
            listen.extend([ListenSocket::DnsUdp, ListenSocket::DnsTcp]);
            listen.extend(PROXY_PORTS.map(ListenSocket::Proxy));
            listen.extend(TRANSPARENT_PORTS.map(ListenSocket::Transparent));
        }
        NetworkSetup {
            loopback: !egress.is_empty() || !ingress.is_empty() || *local_network,
            listen,
            outbound: u32::try_from(ingress.len())
                .unwrap_or_default()
                .saturating_mul(MAX_CALLBACK_CONNECTIONS),
        }
    }

    fn program(&self, descriptor: u32) -> Result<TargetProgram, Refusal> {
        let CompileRequest {
            policy,
            anchors,
            directory,
            ..
        } = self.request;
        let proxy = format!("http://127.0.0.1:{}", PROXY_PORTS[0]);
        let around = EnvironmentContext {
            host: self.request.host_env,
            secrets: self.request.secrets,
            home: anchors.home(),
            scratch: self.scratch,
            proxy: (!policy.egress.is_empty()).then_some(proxy.as_str()),
            is_minimal: self.request.minimal_environment,
        };
        let argv = self.resolved.argv.iter().map(|word| argument("argv", word));
        Ok(TargetProgram {
            path: argument("argv[0]", self.resolved.binary.as_os_str())?,
            argv: argv.collect::<Result<_, _>>()?,
            env: environment::build(policy, &around)?,
            directory: argument("directory", directory.as_os_str())?,
            descriptor,
            key: self.request.key,
        })
    }
}

/// What is looked at: where nothing may be written or reached, whoever tries is the exception, and nobody else pays. Where
/// anything may be started, nothing is: a program may want a filter of its own that asks, and there can be one only.
fn looks(policy: &Policy, report_level: ReportLevel) -> CallLooks {
    if matches!(policy.exec, Exec::Any) {
        return CallLooks::NONE;
    }
    CallLooks {
        files: match (policy.write.is_empty(), report_level) {
            (true, ReportLevel::Writes) => FileLooks::Changes,
            (true, ReportLevel::Reads) => FileLooks::ChangesAndReads,
            (false, ReportLevel::Writes | ReportLevel::Reads) => FileLooks::Nothing,
        },
        network: match policy.egress.is_empty() {
            true => NetworkLooks::Addresses,
            false => NetworkLooks::Nothing,
        },
    }
}

/// A filter that cannot be written down holds nothing, so nothing runs.
fn too_long(error: TooLong) -> Refusal {
    Refusal::new(
        "host",
        "",
        error.to_string(),
        "This is a fault of the sandbox itself: report it",
    )
    .missing("seccomp")
}

const WRITE: PathRights = PathRights {
    read: true,
    write: true,
    execute: false,
    device: false,
};

fn rule(path: &Path, rights: PathRights) -> Option<(CString, PathRights)> {
    Some((CString::new(path.as_os_str().as_bytes()).ok()?, rights))
}
