//! Who scans.

/// Returns the number of the user that this process acts as.
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}
