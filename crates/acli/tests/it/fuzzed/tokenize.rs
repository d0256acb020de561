//! Any text is split into words that can be written down again, or refused with a bounded error.

use argrail_acli::{Error, Limits, join};

/// Checks one text.
pub(crate) fn tokenize(text: &str) {
    let limits = Limits::default();
    match argrail_acli::tokenize(text, &limits) {
        Ok(words) => {
            assert!(!words.is_empty() && words.len() <= limits.argument_count);
            let read: usize = words.iter().map(|word| word.chars().count()).sum();
            assert!(read <= text.chars().count(), "words hold no more than the text");
            assert!(words.iter().all(|word| !word.contains('\0')));
            let unlimited = Limits {
                command_length: usize::MAX,
                argument_length: usize::MAX,
                ..limits
            };
            assert_eq!(argrail_acli::tokenize(&join(&words), &unlimited), Ok(words));
        }
        Err(error) => {
            let shown = Error::from(error).to_json();
            assert_eq!(shown["code"], "PARSE_ERROR");
            assert!(shown.to_string().len() < 500, "{shown}");
            let within = |position: u64| (1..=text.chars().count() as u64).contains(&position);
            assert!(shown["position"].as_u64().is_none_or(within), "{shown}");
        }
    }
}
