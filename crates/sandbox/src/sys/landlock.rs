//! Which version of Landlock the kernel has.

use super::check_long;

/// Returns the version of Landlock's interface; nothing where it is missing or switched off.
pub(crate) fn version() -> Option<u32> {
    const ASK_VERSION: libc::c_int = 1;
    let nothing: *const libc::c_void = std::ptr::null();
    // SAFETY: with this flag the kernel reads no memory and makes nothing.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, ASK_VERSION) };
    check_long(version)
        .ok()
        .and_then(|version| u32::try_from(version).ok())
}
