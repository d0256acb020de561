//! The name somebody meant when they typed another.

/// A word longer than this is not a typo of a name.
const LONGEST: usize = 64;

/// Returns the candidate that is nearest to `given`, if one is near enough to be a typo.
///
/// One edit is forgiven in a short name, a third of the letters in a longer one; case is no edit.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if given.len() > LONGEST {
        return None;
    }
    let given = given.to_lowercase();
    let allowed = (given.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&given, &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_name() {
        let check = |given: &str, want: Option<&str>| {
            assert_eq!(
                nearest(given, ["calendar", "drive", "ls", "gmail"]),
                want,
                "{given}"
            );
        };
        check("calender", Some("calendar"));
        check("CALENDAR", Some("calendar"));
        check("dirve", Some("drive"));
        check("sl", Some("ls"));
        check("kubectl", None);
        check("", None);
        check(&"calendar".repeat(100), None);
    }
}
