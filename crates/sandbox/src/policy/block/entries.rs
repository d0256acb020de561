//! Lists of a manifest into lists of a policy, with the place of each entry for refusals.

use crate::refusal::{Refusal, refuse};

/// Entries in one list. Real lists have a dozen.
const MAX_ENTRIES: usize = 1024;

/// Reads each text with `parse`, which is told where it stands: `fs.read[2]`.
pub(super) fn entries<T>(
    field: &str,
    texts: &[String],
    parse: impl Fn(&str, &str) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    check_count(field, texts.len())?;
    texts
        .iter()
        .enumerate()
        .map(|(index, text)| parse(&format!("{field}[{index}]"), text))
        .collect()
}

/// Refuses a list that is too long.
pub(super) fn check_count(field: &str, count: usize) -> Result<(), Refusal> {
    if count > MAX_ENTRIES {
        return Err(refuse(
            field,
            &format!("{count} entries"),
            format!("the list is longer than {MAX_ENTRIES} entries"),
            "use patterns that cover more",
        ));
    }
    Ok(())
}
