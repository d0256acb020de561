//! Any page of the manual is read, and no option is found that does not stand in it.

use argrail_spec::help::{Page, Subject, clean, man_includes, merge_pages, read_man};

/// Checks one page.
pub(crate) fn man_page(text: &str) {
    let page = read_man(
        text,
        &Subject {
            name: "moss",
            path: &[],
        },
    );
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
