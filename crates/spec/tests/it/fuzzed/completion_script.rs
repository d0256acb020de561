//! Any completion script is read as every shell's, and nothing is found whose name does not stand in it.

use argrail_spec::help::{Page, Shell, Subject, read_complete_answer, read_completion};

/// Checks one script.
pub(crate) fn completion_script(text: &str) {
    for shell in Shell::ALL {
        for (path, page) in read_completion(
            shell,
            text,
            &Subject {
                name: "moss",
                path: &[],
            },
        ) {
            assert!(path.len() <= 8, "{path:?}");
            check(text, &page);
        }
    }
    check(text, &read_complete_answer(text));
}

fn check(text: &str, page: &Page) {
    // Backslashes, quotes and braces may stand inside of a word.
    let bare = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric() || *c == '-')
            .collect::<String>()
    };
    let whole = bare(text);
    let options = page.options.iter().flat_map(|option| &option.spellings);
    for name in options.map(|spelling| spelling.trim_start_matches('-')) {
        let name = bare(name);
        assert!(whole.contains(&name), "{name} is not in {text:?}");
    }
    for command in &page.commands {
        assert!(
            whole.contains(&bare(&command.name)),
            "{command:?} is not in {text:?}"
        );
    }
}
