//! What launcher and host say to each other: one packet one message, with descriptors beside it.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::stage::LaunchFailure;

/// How many descriptors go with one message.
const MAX_DESCRIPTORS: usize = 64;

/// How long a message may be. Orders are long and go by sealed memory.
const MAX_MESSAGE_BYTES: usize = 8 * 1024;

/// A message of the host to its launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum LauncherCommand {
    /// Start a sandbox. Comes with the socket on which it is spoken of from now on, the sealed order, and the program's
    /// three standard streams.
    Start,
    /// Ask every process of the sandbox to end.
    Terminate,
}

/// A message of the launcher about one launch.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum LauncherEvent {
    /// The launch has begun. Comes with a descriptor of the process that waits for the sandbox.
    Here,
    /// A step failed, and nothing was started.
    Failed(LaunchFailure),
    /// Comes with the sockets that the host serves, then those by which it reaches in.
    Sockets,
    /// Comes with the terminal's master.
    Terminal,
    /// Everything is in force and the program comes next. Comes with the descriptor on which the filter asks.
    Ready,
    /// The program ended; the status is as `waitpid` gives it.
    Ended {
        status: i32,
        user: Duration,
        system: Duration,
        peak_kib: u64,
    },
}

/// A message and what came with it.
pub(crate) struct ReceivedMessage<T> {
    pub(crate) message: T,
    pub(crate) descriptors: Vec<OwnedFd>,
}

/// Sends one message.
pub(crate) fn send<T: Serialize>(socket: impl AsFd, message: &T, with: &[BorrowedFd<'_>]) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !with.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(with)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    loop {
        match sendmsg(
            &socket,
            &[IoSlice::new(&bytes)],
            &mut ancillary,
            // Marked as ours: the child's filter asks the host about other messages, and the first one that is sent
            // behind it brings the host the descriptor to be asked on.
            SendFlags::NOSIGNAL | SendFlags::EOR,
        ) {
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Receives one message; none when the other side is gone.
pub(crate) fn receive<T: DeserializeOwned>(socket: impl AsFd) -> io::Result<Option<ReceivedMessage<T>>> {
    let mut bytes = [0; MAX_MESSAGE_BYTES];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        let mut slices = [IoSliceMut::new(&mut bytes)];
        match recvmsg(&socket, &mut slices, &mut ancillary, RecvFlags::CMSG_CLOEXEC) {
            Ok(received) => break received,
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::CONNRESET) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    };
    let mut descriptors = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    if received.bytes == 0 {
        return Ok(None);
    }
    let message =
        postcard::from_bytes(bytes.get(..received.bytes).unwrap_or_default()).map_err(io::Error::other)?;
    Ok(Some(ReceivedMessage { message, descriptors }))
}
