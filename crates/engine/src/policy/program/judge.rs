//! Which judge speaks for which language.

use super::{Purity, awk, sed, sql};

/// The longest text that is read; a longer one is nobody's one-liner.
const LONGEST: usize = 64 * 1024;

/// Returns what `text`, a program in `language`, does to the world around it.
///
/// Languages that can do anything (`shell`, `python`, `javascript`, `make`) and those that nobody here reads are
/// [`Purity::Unknown`]. A filter of jq cannot change anything, whatever it says.
pub fn judge(language: &str, text: &str) -> Purity {
    if text.len() > LONGEST || text.contains('\0') {
        return Purity::Unknown;
    }
    match language {
        "jq" => Purity::Pure,
        "sed" => sed::judge(text),
        "awk" => awk::judge(text),
        "sql" => sql::judge(text),
        "mysql" => sql::mysql::judge(text),
        "sqlite" => sql::sqlite::judge(text),
        _ => Purity::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn languages_that_can_do_anything_are_unknown() {
        for language in ["shell", "python", "javascript", "make", "", "SED"] {
            assert_eq!(judge(language, "1"), Purity::Unknown, "{language}");
        }
        assert_eq!(judge("jq", ".a | .b > 1"), Purity::Pure);
    }

    #[test]
    fn a_text_beyond_measure_is_unknown() {
        let long = "p;".repeat(LONGEST);
        for language in ["sed", "awk", "sql", "mysql", "sqlite", "jq"] {
            assert_eq!(judge(language, &long), Purity::Unknown);
            assert_eq!(judge(language, "p\0"), Purity::Unknown);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "[ -~\n\té]{0,60}") {
            for language in ["sed", "awk", "sql", "mysql", "sqlite"] {
                judge(language, &text);
            }
        }

        #[test]
        fn nests_of_signs_are_judged(text in "[(){}\\[\\]/\\\\\"'$*;-]{0,200}") {
            for language in ["sed", "awk", "sql", "mysql", "sqlite"] {
                judge(language, &text);
            }
        }
    }
}
