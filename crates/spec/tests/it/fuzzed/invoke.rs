//! Any words of any tool are read or refused, and no word is lost on the way.

use std::sync::Arc;

use argrail_spec::atip::{Invoked, Reader, Voice, load};

/// Checks one description, the first line, with one command line, a word on each of the others.
pub(crate) fn invoke(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let (metadata, words) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(loaded) = load(metadata.as_bytes()) else {
        return;
    };
    let words: Vec<&str> = words.lines().collect();
    let metadata = Arc::new(loaded.metadata);
    for voice in [Voice::Settled, Voice::Claimed] {
        let reader = Reader::new(Arc::clone(&metadata), voice);
        let Ok(invoked) = reader.read(&words) else {
            continue;
        };
        assert_eq!(
            reader.read(&words).as_ref(),
            Ok(&invoked),
            "reading is deterministic"
        );
        check(&invoked, &words);
        if voice == Voice::Claimed {
            assert!(invoked.raised.iter().all(|raised| !raised.instead), "{invoked:?}");
            assert!(invoked.env.is_empty() && invoked.prompts.is_none());
            assert!(!invoked.effects.extra.contains_key("x-egress"));
        }
    }
}

/// Whatever was read stands in the words.
fn check(invoked: &Invoked, words: &[&str]) {
    let stands = |text: &str| words.iter().any(|word| word.contains(text));
    for word in &invoked.words {
        assert!(
            words.contains(&word.text.as_str()),
            "{word:?} is not in {words:?}"
        );
    }
    for given in &invoked.options {
        assert!(
            given.values.iter().all(|value| stands(value)),
            "{given:?} is not in {words:?}"
        );
        assert!(given.spellings.contains(&given.spelt), "{given:?}");
    }
    for unverified in &invoked.unverified {
        assert!(stands(&unverified.text), "{unverified:?} is not in {words:?}");
    }
    for inner in &invoked.inner {
        assert!(
            !inner.words.is_empty() && inner.words.iter().all(|word| stands(word)),
            "{inner:?}"
        );
    }
}
