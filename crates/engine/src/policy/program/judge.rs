//! Which judge speaks for which language.

use super::Purity;

/// Returns what `text`, a program in `language`, does.
pub fn judge(language: &str, text: &str) -> Purity {
    let _ = text;
    match language {
        "jq" => Purity::Pure,
        _ => Purity::Unknown,
    }
}
