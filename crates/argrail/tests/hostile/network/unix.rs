//! Sockets of daemons on the host, by path and by abstract name.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::{ANSWER, WORD};
use crate::outcome::{Outcome, check, word};

/// An address of the family, with its length.
struct Name {
    raw: libc::sockaddr_un,
    length: libc::socklen_t,
}

impl Name {
    /// A path, or with a leading NUL an abstract name.
    fn new(bytes: &[u8]) -> Self {
        // SAFETY: the structure is plain bytes, for which zero is a value.
        let mut raw: libc::sockaddr_un = unsafe { std::mem::zeroed() };
        raw.sun_family = libc::AF_UNIX as libc::sa_family_t;
        for (to, from) in raw.sun_path.iter_mut().zip(bytes) {
            *to = *from as libc::c_char;
        }
        let length = size_of::<libc::sa_family_t>() + bytes.len();
        Self {
            raw,
            length: length as libc::socklen_t,
        }
    }

    fn path(args: &[String]) -> Result<Self, String> {
        Ok(Self::new(&[word(args, 0, "path")?.as_bytes(), b"\0"].concat()))
    }

    fn hidden(args: &[String]) -> Result<Self, String> {
        Ok(Self::new(&[b"\0", word(args, 0, "name")?.as_bytes()].concat()))
    }
}

/// Connects to a daemon's socket by its path.
pub(super) fn stream(args: &[String]) -> Result<Outcome, String> {
    Ok(connected(&Name::path(args)?))
}

/// Connects to a daemon's socket by its abstract name.
pub(super) fn abstract_stream(args: &[String]) -> Result<Outcome, String> {
    Ok(connected(&Name::hidden(args)?))
}

fn connected(name: &Name) -> Outcome {
    let kinds = [
        ("stream", libc::SOCK_STREAM),
        ("packet", libc::SOCK_SEQPACKET),
        ("datagram", libc::SOCK_DGRAM),
    ];
    Outcome::any(kinds.map(|(way, kind)| {
        // SAFETY: plain numbers.
        let made = check(unsafe { libc::socket(libc::AF_UNIX, kind | libc::SOCK_CLOEXEC, 0) });
        let said = made.and_then(own).and_then(|socket| {
            connect(&socket, name)?;
            send(&socket)?;
            if kind == libc::SOCK_DGRAM {
                Ok(String::from("sent"))
            } else {
                receive(&socket)
            }
        });
        (way, Outcome::of(said, |answer| answer))
    }))
}

/// Takes one of a pair of sockets, which needs no `socket`, and sends from it to a daemon by its path.
pub(super) fn pair(args: &[String]) -> Result<Outcome, String> {
    redirected(&Name::path(args)?)
}

/// The same by an abstract name.
pub(super) fn abstract_pair(args: &[String]) -> Result<Outcome, String> {
    redirected(&Name::hidden(args)?)
}

fn redirected(name: &Name) -> Result<Outcome, String> {
    // A pair for its two ends is something that programs need.
    make_pair(libc::SOCK_STREAM).map_err(|error| format!("no pair at all: {error}"))?;
    let kinds = [
        ("stream", libc::SOCK_STREAM),
        ("packet", libc::SOCK_SEQPACKET),
        ("datagram", libc::SOCK_DGRAM),
        ("raw", libc::SOCK_RAW), // which is a datagram socket too
    ];
    let ways = kinds.into_iter().flat_map(|(way, kind)| {
        let reconnected = make_pair(kind).and_then(|[socket, _]| {
            connect(&socket, name)?;
            send(&socket)
        });
        let addressed = make_pair(kind).and_then(|[socket, other]| send_to(&socket, name, &other));
        [
            (format!("{way}-connect"), reconnected),
            (format!("{way}-send"), addressed),
        ]
    });
    Ok(Outcome::any(ways.map(|(way, result)| {
        (way, Outcome::of(result, |()| "sent".to_owned()))
    })))
}

fn make_pair(kind: i32) -> io::Result<[OwnedFd; 2]> {
    let mut pair = [0; 2];
    // SAFETY: `pair` is a place for two descriptors.
    check(unsafe { libc::socketpair(libc::AF_UNIX, kind | libc::SOCK_CLOEXEC, 0, pair.as_mut_ptr()) })?;
    // SAFETY: the kernel just made both for us.
    Ok(pair.map(|number| unsafe { OwnedFd::from_raw_fd(number) }))
}

fn own(number: i64) -> io::Result<OwnedFd> {
    let number = i32::try_from(number).map_err(io::Error::other)?;
    // SAFETY: the kernel just made it for us.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

fn connect(socket: &OwnedFd, name: &Name) -> io::Result<()> {
    // SAFETY: the address lives across the call, with its true length.
    check(unsafe { libc::connect(socket.as_raw_fd(), (&raw const name.raw).cast(), name.length) }).map(drop)
}

fn send(socket: &OwnedFd) -> io::Result<()> {
    // SAFETY: the bytes live across the call.
    let sent = unsafe {
        libc::send(
            socket.as_raw_fd(),
            WORD.as_ptr().cast(),
            WORD.len(),
            libc::MSG_NOSIGNAL,
        )
    };
    check(i64::try_from(sent).map_err(io::Error::other)?).map(drop)
}

/// Sends with an address. Some kinds ignore it and send to their own other end, which is no way out.
fn send_to(socket: &OwnedFd, name: &Name, other: &OwnedFd) -> io::Result<()> {
    // SAFETY: the bytes and the address live across the call, with their true lengths.
    let sent = unsafe {
        libc::sendto(
            socket.as_raw_fd(),
            WORD.as_ptr().cast(),
            WORD.len(),
            libc::MSG_NOSIGNAL,
            (&raw const name.raw).cast(),
            name.length,
        )
    };
    check(i64::try_from(sent).map_err(io::Error::other)?)?;
    let mut byte = 0_u8;
    // SAFETY: one byte is a place to write to.
    let came = unsafe { libc::recv(other.as_raw_fd(), (&raw mut byte).cast(), 1, libc::MSG_DONTWAIT) };
    if came > 0 {
        Err(io::Error::other("sent to its own other end"))
    } else {
        Ok(())
    }
}

fn receive(socket: &OwnedFd) -> io::Result<String> {
    let mut answer = [0_u8; 64];
    // SAFETY: `answer` is a place to write to, of that length.
    let length = unsafe { libc::recv(socket.as_raw_fd(), answer.as_mut_ptr().cast(), answer.len(), 0) };
    let length = check(i64::try_from(length).map_err(io::Error::other)?)?;
    let length = usize::try_from(length).unwrap_or_default().min(ANSWER.len());
    Ok(String::from_utf8_lossy(answer.get(..length).unwrap_or_default()).into_owned())
}
