//! Starting programs that were not granted.
