//! Any page of the manual is read, and no option is found that does not stand in it.

use argrail_spec::doc::Severity;
use argrail_spec::help::{Page, Subject, clean, man_includes, merge_pages, read_man, to_metadata};
use argrail_spec::lint::{Strictness, lint};

/// Checks one page.
pub(crate) fn man_page(text: &str) {
    let subject = Subject {
        name: "moss",
        path: &[],
    };
    let page = read_man(text, &subject);
    for option in &page.options {
        assert!(!option.spellings.is_empty(), "{option:?}");
        assert!(
            option
                .spellings
                .iter()
                .all(|spelling| spelling.starts_with(['-', '+'])),
            "{option:?}"
        );
        let line = option.seen.line;
        assert!((1..=text.lines().count().max(1)).contains(&line), "{option:?}");
        for spelling in &option.spellings {
            assert!(stands(text, spelling), "{spelling} is not in {text:?}");
        }
    }
    for command in &page.commands {
        assert!(stands(text, &command.name), "{command:?}");
    }
    assert!(man_includes(text).is_none_or(|file| text.contains(file)));
    assert_eq!(merge_pages(vec![Page::default()]), Page::default());
    check_metadata(&page, &subject);
}

/// What is made of a page passes the check of metadata.
fn check_metadata(page: &Page, subject: &Subject<'_>) {
    let metadata = to_metadata(subject, page, &mut |_, _, _, _| {});
    let json = serde_json::to_vec(&metadata).unwrap_or_default();
    let outcome = lint("moss.json", &json, Strictness::Relaxed);
    let mut found = outcome.diagnostics.iter();
    let error = found.find(|diagnostic| diagnostic.severity == Severity::Error);
    assert!(error.is_none(), "{error:?}");
}

/// Whether a spelling stands in the text.
///
/// In a source, macros add the dashes and fonts stand between letters. Brackets hide half a word (`--[no-]x`), a bundle in
/// a usage line has one dash for all, and a viewer breaks words.
fn stands(text: &str, spelling: &str) -> bool {
    let shown = clean(text);
    let source = shown.lines().any(|line| line.starts_with(['.', '\'']));
    if !source && !shown.contains(['[', '\u{2010}', '(']) && spelling.chars().count() > 2 {
        return shown.contains(spelling);
    }
    let bare = spelling.trim_start_matches(['-', '+']);
    let bare = bare.strip_prefix("no-").unwrap_or(bare);
    bare.chars().all(|c| shown.contains(c))
}
