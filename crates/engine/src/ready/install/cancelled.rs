//! Whether somebody has pulled the switch that ends an installation.

use std::os::fd::AsFd;

use argrail_sandbox::Cancel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Looks, without waiting.
pub(super) fn is_cancelled(cancel: Option<&Cancel>) -> bool {
    let Some(cancel) = cancel else { return false };
    let descriptor = cancel.as_fd();
    let mut wanted = [PollFd::new(&descriptor, PollFlags::IN)];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    poll(&mut wanted, Some(&at_once)).is_ok_and(|ready| ready > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_is_seen_once_it_is_pulled() {
        let cancel = Cancel::new().unwrap();
        assert!(!is_cancelled(None) && !is_cancelled(Some(&cancel)));
        cancel.cancel();
        assert!(is_cancelled(Some(&cancel)) && is_cancelled(Some(&cancel)));
    }
}
