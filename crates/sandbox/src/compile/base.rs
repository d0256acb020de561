//! What every program needs before it can do anything: loader, libraries, certificates, time zones, a few devices,
//! and a few files that we write ourselves. Always there, never secret, never writable.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;

use super::view::{ChildView, MountAccess, ViewMount};
use crate::launch::{FileContent, NodeKind};

/// Directories with programs and libraries, which every sandbox shows. On most systems all but the first are links
/// into it.
pub const SYSTEM_DIRECTORIES: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];

/// Directories whose files may be loaded as libraries, when programs may not be run from anywhere.
const LIBRARY_DIRECTORIES: &[&str] = &[
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/local/lib",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
];

/// Public settings that libraries read.
const PUBLIC_SETTINGS: &[&str] = &[
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/crypto-policies",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/certs",
    "/etc/ssl/certs",
];

/// The same, short enough to be copied, which is cheaper than a mount each.
const COPIED_SETTINGS: &[&str] = &[
    "/etc/protocols",
    "/etc/services",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
];

/// The longest that is copied.
const MAX_COPIED_BYTES: u64 = 32 * 1024;

const DEVICES: &[&str] = &[
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Whatever terminal the process that opens it belongs to: the sandbox's own, or none.
const TERMINAL: &str = "/dev/tty";

/// Where the private directories are. Grants elsewhere under these are refused, but for `/tmp`.
pub(super) const PRIVATE_DIRECTORIES: &[&str] = &["/dev", "/proc"];

/// Directories that are the sandbox's own and can be written.
pub(super) const SCRATCH_DIRECTORIES: [&str; 2] = ["/tmp", "/dev/shm"];

/// What the files say that we write ourselves.
pub(super) struct OwnFiles<'o> {
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) home: &'o Path,
    pub(super) names: bool,
    pub(super) terminal: bool,
}

/// What a path of the base is on this machine.
enum BaseEntry {
    Directory,
    File,
    Link(CString),
    /// A file that is copied.
    Copy(Vec<u8>),
}

/// The base as it is, looked at once: these paths are the system's, and change with it.
static BASE_ENTRIES: LazyLock<Vec<(&'static Path, BaseEntry)>> = LazyLock::new(|| {
    let places = SYSTEM_DIRECTORIES
        .iter()
        .chain(LIBRARY_DIRECTORIES)
        .chain(PUBLIC_SETTINGS)
        .map(Path::new);
    let found = places.filter_map(|path| Some((path, look(path)?)));
    let copied = COPIED_SETTINGS.iter().map(Path::new);
    found
        .chain(copied.filter_map(|path| Some((path, BaseEntry::Copy(copy(path)?)))))
        .collect()
});

fn look(path: &Path) -> Option<BaseEntry> {
    let meta = fs::symlink_metadata(path).ok()?;
    if meta.is_symlink() {
        let target = fs::read_link(path).ok()?;
        return CString::new(target.as_os_str().as_bytes())
            .ok()
            .map(BaseEntry::Link);
    }
    Some(if meta.is_dir() {
        BaseEntry::Directory
    } else {
        BaseEntry::File
    })
}

/// Puts the base into a view. `exec` says whether programs in it may be run, rather than loaded only.
pub(super) fn put(view: &mut ChildView, own: &OwnFiles<'_>, exec: bool) {
    let is_in = |list: &[&str], path: &Path| list.iter().any(|item| Path::new(item) == path);
    for (path, found) in BASE_ENTRIES.iter() {
        let (system, library) = (is_in(SYSTEM_DIRECTORIES, path), is_in(LIBRARY_DIRECTORIES, path));
        match found {
            BaseEntry::Link(target) => view.node(path, NodeKind::Symlink(target.clone())),
            BaseEntry::Copy(content) => view.node(path, NodeKind::File(FileContent(content.clone()))),
            // Libraries are mounts of their own only where the rest may not be run.
            BaseEntry::Directory if library && (!exec || system) => view.mount(path, base(true, true)),
            BaseEntry::Directory if library => {}
            BaseEntry::Directory => view.mount(path, base(true, system && exec)),
            BaseEntry::File => view.mount(path, base(false, false)),
        }
    }
    let terminal = own.terminal.then_some(TERMINAL);
    for path in DEVICES.iter().copied().chain(terminal) {
        let device = ViewMount {
            device: true,
            access: MountAccess::Write,
            ..base(false, false)
        };
        view.mount(Path::new(path), device);
    }
    for (link, target) in [
        ("/dev/fd", c"/proc/self/fd"),
        ("/dev/stdin", c"/proc/self/fd/0"),
        ("/dev/stdout", c"/proc/self/fd/1"),
        ("/dev/stderr", c"/proc/self/fd/2"),
        ("/dev/ptmx", c"pts/ptmx"),
    ] {
        view.node(Path::new(link), NodeKind::Symlink(target.to_owned()));
    }
    for directory in ["/dev/pts", "/dev/shm", "/proc", "/tmp", "/var/tmp"] {
        view.node(Path::new(directory), NodeKind::Directory);
    }
    for (path, text) in written(own) {
        view.node(Path::new(path), NodeKind::File(FileContent(text.into_bytes())));
    }
}

fn copy(path: &Path) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    let length = fs::File::open(path)
        .ok()?
        .take(MAX_COPIED_BYTES + 1)
        .read_to_end(&mut content)
        .ok()?;
    (length as u64 <= MAX_COPIED_BYTES).then_some(content)
}

fn base(directory: bool, exec: bool) -> ViewMount {
    ViewMount {
        exec,
        base: true,
        ..ViewMount::read(directory)
    }
}

/// The files of a small machine with one user.
fn written(own: &OwnFiles<'_>) -> Vec<(&'static str, String)> {
    let OwnFiles { uid, gid, home, .. } = own;
    let home = home.display();
    let root = if *uid == 0 {
        ""
    } else {
        "root:x:0:0:root:/:/usr/sbin/nologin\n"
    };
    let wheel = if *gid == 0 { "" } else { "root:x:0:\n" };
    let mut files = vec![
        ("/etc/passwd", format!("{root}user:x:{uid}:{gid}:user:{home}:/bin/sh\n")),
        ("/etc/group", format!("{wheel}user:x:{gid}:\n")),
        ("/etc/hosts", "127.0.0.1 localhost sandbox\n::1 localhost\n".to_owned()),
        ("/etc/hostname", "sandbox\n".to_owned()),
        (
            "/etc/nsswitch.conf",
            "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\nprotocols: files\n"
                .to_owned(),
        ),
    ];
    if own.names {
        // One question at a time, answered at once: waiting longer would only hide a refusal.
        let text = "nameserver 127.0.0.1\noptions timeout:2 attempts:2\n";
        files.push(("/etc/resolv.conf", text.to_owned()));
    }
    files
}

/// The places that belong to the base and are real paths of the host.
pub(super) fn places() -> impl Iterator<Item = PathBuf> {
    SYSTEM_DIRECTORIES
        .iter()
        .chain(PUBLIC_SETTINGS)
        .map(PathBuf::from)
}
