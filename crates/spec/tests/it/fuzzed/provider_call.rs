//! Any message of any provider is words of the tool's own command, or refused in our words.

use std::sync::OnceLock;

use argrail_spec::atip::{Metadata, load};
use argrail_spec::export::{Format, argv};

const TOOLS: [&str; 3] = [
    include_str!("../../../../../corpus/atip/examples/fields.json"),
    include_str!("../../../../../corpus/atip/examples/gh.json"),
    include_str!("../../../../../corpus/atip/examples/terraform.json"),
];

fn tools() -> &'static [Metadata] {
    static LOADED: OnceLock<Vec<Metadata>> = OnceLock::new();
    LOADED.get_or_init(|| {
        let loaded = TOOLS.iter().filter_map(|text| load(text.as_bytes()).ok());
        loaded.map(|loaded| loaded.metadata).collect()
    })
}

/// Checks one message; its first byte says whose it is.
pub(crate) fn provider_call(text: &[u8]) {
    let Some((first, message)) = text.split_first() else {
        return;
    };
    let formats = Format::ALL;
    let format = formats[usize::from(*first) % formats.len()];
    match argv(tools(), format, message) {
        Ok(calls) => {
            assert!(!calls.is_empty());
            for call in calls {
                let start: Vec<&String> = std::iter::once(&call.tool).chain(&call.path).collect();
                assert!(call.argv.len() >= start.len(), "{call:?}");
                assert_eq!(call.argv.first(), Some(&call.tool));
                assert!(call.argv.iter().all(|word| !word.contains('\0')), "{call:?}");
                assert!(start.iter().all(|word| call.argv.contains(word)), "{call:?}");
            }
        }
        Err(error) => {
            assert!(error.to_string().chars().count() < 2_000, "{error:?}");
            assert!(!error.hint().to_string().is_empty(), "{error:?}");
            assert!(!error.to_string().chars().any(char::is_control), "{error:?}");
        }
    }
}
