//! What a hostile child knows: where the things worth stealing are. It gets them as one word of its arguments.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::sys::SoleThread;
use crate::sys::process::{ForkSide, fork};

/// The variable whose value nobody passes on, and the one that is passed on.
pub(super) const SECRET_VARIABLE: &str = "ARGRAIL_PROOF_SECRET";
pub(super) const PASSED_VARIABLE: &str = "ARGRAIL_PROOF_PASSED";

/// The name that may be reached, one that may and leads to where nobody may go, and one that may not.
pub(super) const LISTED_HOST: &str = "allowed.example";
pub(super) const METADATA_HOST: &str = "metadata.example";
pub(super) const UNLISTED_HOST: &str = "unlisted.example";

/// The scratch ground, as a child needs to know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GroundFacts {
    /// Holds everything else.
    pub(super) root: PathBuf,
    /// This program, which may be started where one may be.
    pub(super) launcher: PathBuf,
    /// What the keys say.
    pub(super) secret: String,
    /// A name that nothing else has.
    pub(super) mark: String,
    /// The host's loopback port that may be reached through the proxy, and one that may not be reached at all.
    pub(super) open_port: u16,
    pub(super) closed_port: u16,
    /// A process of the host's, and where the secret is in its memory.
    pub(super) victim: i32,
    pub(super) address: u64,
    /// What a child forks by, where it can be seen to have one thread. The host knows none.
    #[serde(skip)]
    pub(super) sole: Option<SoleThread>,
}

impl GroundFacts {
    pub(super) fn encode(&self) -> io::Result<String> {
        let bytes = postcard::to_stdvec(self).map_err(io::Error::other)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    pub(super) fn decode(word: &OsStr, sole: Option<SoleThread>) -> Option<Self> {
        let digits = word.to_str()?.as_bytes();
        let (pairs, rest) = digits.as_chunks::<2>();
        let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Vec<u8> = pairs.iter().map(byte).collect::<Option<_>>()?;
        let facts: Self = postcard::from_bytes(&bytes).ok().filter(|_| rest.is_empty())?;
        Some(Self { sole, ..facts })
    }

    /// Forks, in the child that may.
    pub(super) fn fork(&self) -> io::Result<ForkSide> {
        self.sole
            .ok_or_else(|| io::ErrorKind::Unsupported.into())
            .and_then(fork)
    }

    /// The scratch home.
    pub(super) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The workspace, which may be read.
    pub(super) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The directory that may be written.
    pub(super) fn out(&self) -> PathBuf {
        self.root.join("out")
    }

    /// The directory of which no policy says anything.
    pub(super) fn outside(&self) -> PathBuf {
        self.root.join("outside")
    }

    /// A private key in the home.
    pub(super) fn key(&self) -> PathBuf {
        self.home().join(".ssh/id_proof")
    }

    /// A private key inside what may be read, where it is denied.
    pub(super) fn denied_key(&self) -> PathBuf {
        self.work().join("secret/key")
    }

    /// A symlink, inside what may be read, to the key in the home.
    pub(super) fn link(&self) -> PathBuf {
        self.work().join("link")
    }

    /// A file that may be read.
    pub(super) fn readme(&self) -> PathBuf {
        self.work().join("readme")
    }

    /// A file that may not be touched, and is no secret.
    pub(super) fn file(&self) -> PathBuf {
        self.outside().join("file")
    }

    /// A program that may be read and not started.
    pub(super) fn program(&self) -> PathBuf {
        self.work().join("program")
    }

    /// A socket on which the host listens, inside what may be read.
    pub(super) fn socket(&self) -> PathBuf {
        self.work().join("daemon.sock")
    }

    /// What shells run, and what they would run if it were there.
    pub(super) fn start_up(&self) -> PathBuf {
        self.home().join(".bashrc")
    }
    pub(super) fn absent_start_up(&self) -> PathBuf {
        self.home().join(".zshrc")
    }

    /// What git would run if it were there.
    pub(super) fn hook(&self) -> PathBuf {
        self.work().join(".git/hooks/pre-commit")
    }

    /// What a process that was left running holds.
    pub(super) fn lock(&self) -> PathBuf {
        self.out().join("lock")
    }

    /// A name in everybody's directory for temporary files.
    pub(super) fn temporary(&self) -> PathBuf {
        Path::new("/tmp").join(format!("{}-left", self.mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_the_command_line() {
        let facts = GroundFacts {
            root: "/tmp/a b".into(),
            launcher: "/bin/argrail".into(),
            secret: "s".into(),
            mark: "m".into(),
            open_port: 1,
            closed_port: 65535,
            victim: 7,
            address: u64::MAX,
            sole: None,
        };
        assert_eq!(
            GroundFacts::decode(facts.encode().unwrap().as_ref(), None),
            Some(facts)
        );
        for word in ["", "0", "zz", "00"] {
            assert_eq!(GroundFacts::decode(word.as_ref(), None), None, "{word:?}");
        }
    }
}
