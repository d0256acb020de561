//! Whether this process may have as much memory as an answer needs: an error at the start is worth more than an end in
//! the middle of a call.

use argrail_acli::{Code, Error, Text};
use rustix::process::{Resource, getrlimit};

/// With less, memory runs out before the catalogue is read, and nothing can be said of it then.
const LEAST_MIB: u64 = 256;

/// Sees that the limit of addresses leaves enough.
///
/// # Errors
/// It does not.
pub(crate) fn check() -> Result<(), Error> {
    enough(getrlimit(Resource::As).current)
}

fn enough(limit: Option<u64>) -> Result<(), Error> {
    let Some(mib) = limit.map(|bytes| bytes >> 20).filter(|mib| *mib < LEAST_MIB) else {
        return Ok(());
    };
    let what = Text::new("Execution failed: this process may use {} MiB of addresses, and needs {}");
    Err(
        Error::new(Code::ExecutionError, what.number(mib).number(LEAST_MIB))
            .hint("Raise the limit with 'ulimit -v unlimited', or where argrail is started"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_than_an_answer_needs_is_an_error() {
        assert_eq!(enough(None), Ok(()));
        assert_eq!(enough(Some(LEAST_MIB << 20)), Ok(()));
        let error = enough(Some(60 << 20)).unwrap_err();
        assert!(error.to_string().contains("60 MiB") && error.hint_text().is_some());
    }
}
