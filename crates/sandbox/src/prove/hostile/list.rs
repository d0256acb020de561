//! All attempts, in the order in which they are made.

use super::super::attempt::EscapeAttempt;
use super::{files, kernel, network, processes, programs};

/// Returns every attempt.
pub(in crate::prove) fn all() -> impl Iterator<Item = &'static EscapeAttempt> {
    let lists = [
        files::ATTEMPTS,
        processes::ATTEMPTS,
        network::ATTEMPTS,
        programs::ATTEMPTS,
        kernel::ATTEMPTS,
    ];
    lists.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_plain() {
        let names: Vec<&str> = all().map(|attempt| attempt.name).collect();
        let unique: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(unique.len(), names.len());
        let plain = |name: &&&str| {
            name.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        assert_eq!(names.iter().filter(plain).count(), names.len());
    }
}
