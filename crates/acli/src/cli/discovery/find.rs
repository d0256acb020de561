//! The command that `help` or `schema` is asked about.

use super::help::visible_children;
use super::view::View;
use crate::bind::BindError;
use crate::error::Error;
use crate::model::Command;
use crate::model::path_text;
use crate::nearest::nearest;

/// Returns the path of commands that `words` name, from the first word down.
pub(crate) fn find<'c>(view: View<'c>, words: &[String]) -> Result<Vec<&'c Command>, Error> {
    let mut path: Vec<&Command> = Vec::with_capacity(words.len());
    for word in words {
        let here = path.last().copied().unwrap_or(&view.cli.root);
        match here.find(word) {
            Some(command) => path.push(command),
            None => return Err(not_found(view, &path, here, word).into()),
        }
    }
    Ok(path)
}

fn not_found(view: View<'_>, path: &[&Command], here: &Command, word: &str) -> BindError {
    let parent = path_text(path);
    let below = |name: &str| {
        if parent.is_empty() {
            name.to_owned()
        } else {
            format!("{parent} {name}")
        }
    };
    let names = visible_children(view, path, here).flat_map(Command::names);
    BindError::CommandNotFound {
        nearest: nearest(word, names).map(below),
        path: below(word),
        parent,
    }
}
