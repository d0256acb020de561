//! Files: 1 to 15 of the suite.

use std::fs;

use crate::outcome::{Attack, Outcome, word};

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[Attack {
    name: "read",
    act: read,
}];

/// `read PATH`
fn read(args: &[String]) -> Result<Outcome, String> {
    let path = word(args, 0, "path")?;
    Ok(Outcome::of(fs::read_to_string(path), |text| text))
}
