//! What the host orders: everything the launcher needs to know, decided beforehand.

use std::ffi::CString;

use serde::{Deserialize, Serialize};

use crate::seccomp::BpfInstruction;

/// Which mechanisms hold the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Tier {
    /// Namespaces, a root of its own, Landlock and a filter of system calls.
    Namespaces,
    /// Landlock and a filter of system calls.
    Landlock,
}

/// One child, from its first mount to its last argument.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LaunchOrder {
    pub(crate) tier: Tier,
    pub(crate) identity: ChildIdentity,
    /// What stands in the new root before anything is mounted, parents first.
    pub(crate) nodes: Vec<RootNode>,
    /// Directories among them, in a private one, in which nothing can be made. Relative to the new root.
    pub(crate) closed: Vec<CString>,
    /// What is mounted, parents first.
    pub(crate) binds: Vec<BindMount>,
    /// How much the private `/tmp` and everything else in the new root may hold, in bytes.
    pub(crate) scratch: u64,
    /// Whether files of the private `/tmp` may be run.
    pub(crate) scratch_exec: bool,
    /// Whether the machine's root is us, so that more of `/proc` has to be covered.
    pub(crate) covers: bool,
    pub(crate) network: NetworkSetup,
    pub(crate) terminal: Option<TerminalSize>,
    pub(crate) limits: Vec<(ResourceLimit, u64)>,
    /// How far it stands back where processors are short.
    pub(crate) niceness: u8,
    pub(crate) landlock: LandlockRules,
    pub(crate) filter: Vec<BpfInstruction>,
    /// Whether the filter asks the host.
    pub(crate) asks: bool,
    pub(crate) program: TargetProgram,
}

/// The user and group that the child is, and whose files it owns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChildIdentity {
    /// The user and group in the sandbox.
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Whether the launcher is root and becomes them first.
    pub(crate) switch: bool,
    /// Owners on disk that are shown as the child, and that own what it writes. For a launcher that is root.
    pub(crate) owners: Vec<FileOwner>,
}

/// A user and group on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileOwner {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// Something in the new root that is made rather than mounted. Paths are relative to that root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RootNode {
    pub(crate) path: CString,
    pub(crate) kind: NodeKind,
}

/// What is made in the new root: a directory, a file, a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum NodeKind {
    Directory,
    /// A file with this content. The place of a file that is mounted is an empty one.
    File(FileContent),
    Symlink(CString),
}

/// What a file says. On the wire it is one run of bytes, not a list of numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FileContent(pub(crate) Vec<u8>);

impl Serialize for FileContent {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for FileContent {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bytes: &[u8] = Deserialize::deserialize(from)?;
        Ok(Self(bytes.to_vec()))
    }
}

/// Something of the host that appears in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BindMount {
    pub(crate) source: BindSource,
    /// Where it appears, relative to the new root.
    pub(crate) target: CString,
    pub(crate) read_only: bool,
    pub(crate) exec: bool,
    /// Whether it is a device of `/dev`.
    pub(crate) device: bool,
    /// The owner on disk, as an index into [`ChildIdentity::owners`], that is shown as the child.
    pub(crate) owner: Option<u32>,
}

/// The source of a mount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BindSource {
    /// A path of the host, without a symlink in it: absolute.
    Host(CString),
    /// An empty directory that cannot be entered.
    NoDirectory,
    /// An empty file that cannot be read.
    NoFile,
    /// A file that says this.
    Text(FileContent),
}

/// The child's network.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NetworkSetup {
    /// Whether there is a loopback interface.
    pub(crate) loopback: bool,
    /// Sockets that are opened inside and handed to the host, in this order.
    pub(crate) listen: Vec<ListenSocket>,
    /// How many unconnected sockets the host gets, to reach ports that the child listens on.
    pub(crate) outbound: u32,
}

/// A socket that the host serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ListenSocket {
    /// Names over UDP: 127.0.0.1:53.
    DnsUdp,
    /// Names over TCP: 127.0.0.1:53.
    DnsTcp,
    /// A proxy on this port of 127.0.0.1.
    Proxy(u16),
    /// This port of every address that stands for a name.
    Transparent(u16),
}

/// The size of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TerminalSize {
    pub(crate) rows: u16,
    pub(crate) columns: u16,
}

/// What is limited for each process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ResourceLimit {
    /// Core files, in bytes.
    Core,
    /// Everything that is mapped, in bytes.
    AddressSpace,
    /// Memory of its own that it can write to, in bytes.
    Memory,
    /// Processes and threads of the whole sandbox.
    Processes,
    /// Each file, in bytes.
    FileSize,
    /// Processor time, in seconds.
    Processor,
    /// Open files.
    OpenFiles,
    /// Memory that cannot be swapped out, in bytes.
    LockedMemory,
    /// Signals that wait, and timers.
    PendingSignals,
    /// Queues of messages, in bytes.
    MessageQueues,
}

/// The paths, ports and scopes that Landlock lets through.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LandlockRules {
    /// Paths, absolute in the child's root, and what may be done at and below them.
    pub(crate) paths: Vec<(CString, PathRights)>,
    pub(crate) connect: Vec<u16>,
    pub(crate) bind: Vec<u16>,
    /// Whether the kernel must be able to keep signals and abstract sockets inside: there is no namespace that does.
    pub(crate) scopes: bool,
    /// Whether any port may be bound and connected to: for a loopback interface of the child's own.
    pub(crate) any_port: bool,
}

/// Rights at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PathRights {
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) execute: bool,
    /// Whether requests to devices go through: terminals.
    pub(crate) device: bool,
}

/// What the launcher becomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TargetProgram {
    /// The file, absolute in the child's root.
    pub(crate) path: CString,
    pub(crate) argv: Vec<CString>,
    pub(crate) env: Vec<CString>,
    /// Where it starts, absolute in the child's root.
    pub(crate) directory: CString,
    /// The descriptor that the filter knows the program by, and the limit of open files.
    pub(crate) descriptor: u32,
    /// What only the launcher says with it.
    pub(crate) key: u32,
}
