//! x
use crate::args::ServeArgs;
pub(crate) fn run(_: &ServeArgs) -> u8 {
    0
}
