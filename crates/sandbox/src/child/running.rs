//! A child that runs, and the thread that watches it.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::thread::JoinHandle;

use super::cancel::Cancel;
use super::error::Error;
use super::report::Report;
use super::started::StartedChild;

/// A running child. Dropping it ends the child and everything it started, and waits for that.
#[derive(Debug)]
pub struct Child {
    /// Where to write, with [`Stdin::Pipe`](crate::Stdin::Pipe). Drop it to end the input.
    pub stdin: Option<File>,
    /// What it writes, with [`Output::Pipe`](crate::Output::Pipe).
    pub stdout: Option<File>,
    /// What it writes to standard error, with [`Output::Pipe`](crate::Output::Pipe).
    pub stderr: Option<File>,
    cancel: Cancel,
    watcher: Option<JoinHandle<Result<Report, Error>>>,
}

impl Child {
    pub(super) fn watch(
        started: StartedChild,
        cancel: Cancel,
        stdin: Option<OwnedFd>,
        stdout: Option<OwnedFd>,
        stderr: Option<OwnedFd>,
    ) -> Result<Self, Error> {
        let watcher = std::thread::Builder::new()
            .name("sandbox".into())
            .spawn(move || started.watch())
            .map_err(Error::host("start a thread"))?;
        Ok(Self {
            stdin: stdin.map(File::from),
            stdout: stdout.map(File::from),
            stderr: stderr.map(File::from),
            cancel,
            watcher: Some(watcher),
        })
    }

    /// Returns a switch that ends the child.
    pub fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// When the program could not be started after all, or the host failed.
    pub fn wait(mut self) -> Result<Report, Error> {
        let watcher = self.watcher.take();
        let outcome = watcher.and_then(|watcher| watcher.join().ok());
        outcome.unwrap_or_else(|| Err(Error::host("watch the child")(std::io::ErrorKind::Other.into())))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Some(watcher) = self.watcher.take() {
            self.cancel.cancel();
            let _ = watcher.join();
        }
    }
}
