//! Names of files that only a shell would find: `rm -f *.log`.
//!
//! There is no shell, so the program would be given `*.log`, and many say nothing when there is no such file. A word that
//! the command takes for a file has to be the name of one. Other words may hold what they like (`find -name *.rs`), and so
//! may those of tools that read patterns themselves (`x-expands`).

use std::path::Path;

use argrail_acli::{Error, ExpandedWord, Expansion, expansion};
use argrail_spec::atip::Invoked;
use serde_json::Value;

use crate::policy::Facts;

/// Refuses a command that has a file among its words which a shell would have to name.
///
/// # Errors
/// `PARSE_ERROR`, as for operators of a shell.
pub(super) fn check_written_out(
    facts: &Facts,
    expanded: &[ExpandedWord],
    directory: &Path,
) -> Result<(), Error> {
    if expanded.is_empty() {
        return Ok(());
    }
    let is_there = |name: &str| directory.join(name).symlink_metadata().is_ok();
    match unnamed(&facts.invoked, expanded, &is_there) {
        Some(word) => Err(Error::from(word.refusal())),
        None => {
            let mut inner = facts.inner.iter();
            inner.try_for_each(|inner| check_written_out(inner, expanded, directory))
        }
    }
}

/// Returns the first of `expanded` that a command takes for a file which is not there.
pub(crate) fn unnamed<'e>(
    invoked: &Invoked,
    expanded: &'e [ExpandedWord],
    is_there: &dyn Fn(&str) -> bool,
) -> Option<&'e ExpandedWord> {
    let files = files(invoked);
    expanded.iter().find(|word| {
        let mut within = files.iter().filter(|file| word.text.contains(file.text));
        within.any(|file| {
            let expands = match expansion(file.text) {
                // Some read it themselves; who removes or makes files by such a name does so in the wrong place.
                Some(Expansion::Home) => file.changes,
                Some(
                    Expansion::Pattern | Expansion::Braces | Expansion::Variable | Expansion::Substitution,
                ) => true,
                None => false,
            };
            expands && !file.text.contains("://") && !is_there(file.text)
        })
    })
}

/// A word that is taken for a file.
struct File<'i> {
    text: &'i str,
    /// Whether the command changes files, and takes the word for one without any option.
    changes: bool,
}

/// The words that are files by their type, or because the description says that something is done to them.
fn files(invoked: &Invoked) -> Vec<File<'_>> {
    let effects = &invoked.effects;
    let filesystem = effects.filesystem.as_ref();
    let changes = filesystem.is_some_and(|files| files.write == Some(true) || files.delete == Some(true));
    let words = invoked.words.iter();
    let words = words.map(|word| (word.text.as_str(), word.is_path, word.expands, changes));
    let options = invoked.options.iter().flat_map(|option| {
        let values = option.values.iter();
        values.map(|value| (value.as_str(), option.is_path, option.expands, false))
    });
    let read = effects.extra.get("x-reads").and_then(Value::as_array);
    let read = read.into_iter().flatten().filter_map(Value::as_str);
    let named = filesystem.and_then(|files| files.paths.as_ref());
    let named: Vec<&str> = named
        .into_iter()
        .flatten()
        .map(String::as_str)
        .chain(read)
        .collect();
    let all = words.chain(options);
    let files = all.filter(|(text, is_path, expands, _)| (*is_path || named.contains(text)) && !expands);
    files
        .map(|(text, _, _, changes)| File { text, changes })
        .collect()
}

#[cfg(test)]
mod tests {
    use argrail_acli::{Limits, expanded_words, tokens};
    use argrail_testkit::Home;
    use serde_json::json;

    use super::*;
    use crate::policy::tests::input::facts;

    /// Facts whose words are files if `files` says so.
    fn read(call: &Value) -> Facts {
        let mut read = facts(call);
        let inner = call["inner"].as_array().into_iter().flatten();
        read.inner = inner.map(self::read).collect();
        for word in &mut read.invoked.words {
            word.is_path = call["files"] == true;
        }
        read
    }

    #[test]
    fn only_what_is_taken_for_a_file_has_to_be_one() {
        let home = Home::new().file("there*", "").file("sub/x", "");
        let work = home.work();
        let check = |line: &str, call: &Value, refused: bool| {
            let tokens = tokens(line, &Limits::default()).unwrap();
            let checked = check_written_out(&read(call), &expanded_words(&tokens), &work);
            assert_eq!(checked.is_err(), refused, "{line}: {checked:?}");
        };
        let removes = json!({"filesystem": {"write": true, "delete": true}});
        for (word, refused) in [
            ("*.log", true),
            ("$DIR/x", true),
            ("{a,b}", true),
            ("~/x", true),
            ("there*", false),
            ("plain", false),
        ] {
            let is_file = json!({"tool": "rm", "words": [word], "files": true, "effects": removes});
            check(&format!("rm {word}"), &is_file, refused);
            check(&format!("rm '{word}'"), &is_file, false);
            let inside = json!({"tool": "nice", "inner": [is_file]});
            check(&format!("nice rm {word}"), &inside, refused);
            let is_text = json!({"tool": "echo", "words": [word], "effects": removes});
            check(&format!("echo {word}"), &is_text, false);
            let said = json!({"filesystem": {"write": true, "paths": [word]}});
            let is_written = json!({"tool": "x", "words": [word], "effects": said});
            check(&format!("x {word}"), &is_written, refused);
            let attached = json!({"tool": "x", "options": [{"spellings": ["-o"], "values": [word]}],
                "effects": said});
            check(&format!("x -o{word}"), &attached, refused && word != "~/x");
        }
        // Who only reads may know what a home is.
        check(
            "x ~/x",
            &json!({"tool": "x", "words": ["~/x"], "files": true}),
            false,
        );
        let url = json!({"tool": "x", "words": ["http://h/?a"], "files": true});
        check("x http://h/?a", &url, false);
    }
}
