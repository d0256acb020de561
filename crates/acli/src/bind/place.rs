//! Which positional gets which word.

use super::error::BindError;
use crate::model::{Arg, Command, Repeat};

/// Gives each positional of `command` its words, in order.
///
/// Required ones are served first; what is left goes to optional ones from the left, and to the one that
/// takes several. So `SOURCE… TARGET` works like `cp`.
pub(super) fn place<'c, 'w>(
    command: &'c Command,
    words: &[&'w str],
) -> Result<Vec<(&'c Arg, Vec<&'w str>)>, BindError> {
    let required = command.positionals().filter(|arg| arg.required).count();
    let mut spare = words.len().saturating_sub(required);
    let mut left = words;
    let mut placed = Vec::new();
    for arg in command.positionals() {
        let wanted = match (arg.repeat, arg.required) {
            (Repeat::Many, true) => 1 + std::mem::take(&mut spare),
            (Repeat::Many, false) => std::mem::take(&mut spare),
            (Repeat::Once | Repeat::Last, true) => 1,
            (Repeat::Once | Repeat::Last, false) => {
                let one = spare.min(1);
                spare -= one;
                one
            }
        };
        let (mine, rest) = left.split_at(wanted.min(left.len()));
        left = rest;
        if !mine.is_empty() {
            placed.push((arg, mine.to_vec()));
        }
    }
    match left.first() {
        Some(surplus) => Err(BindError::Surplus {
            given: (*surplus).to_owned(),
            most: command.positionals().count(),
        }),
        None => Ok(placed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    #[test]
    fn words_find_their_places() {
        let one = |name: &str| Arg::positional(name, Kind::String, "");
        let cp = Command::new("cp", "").arg(one("from").many()).arg(one("to"));
        let opt = Command::new("x", "")
            .arg(one("a"))
            .arg(one("b").optional())
            .arg(one("rest").optional().many());
        let check = |command: &Command, words: &[&str], want: &[(&str, &[&str])]| {
            let placed = place(command, words).unwrap();
            let placed: Vec<(&str, Vec<&str>)> = placed
                .into_iter()
                .map(|(arg, words)| (arg.name(), words))
                .collect();
            let want: Vec<(&str, Vec<&str>)> =
                want.iter().map(|(name, words)| (*name, words.to_vec())).collect();
            assert_eq!(placed, want);
        };
        check(&cp, &["a", "b", "c"], &[("from", &["a", "b"]), ("to", &["c"])]);
        check(&cp, &["a"], &[("from", &["a"])]); // `to` is reported as missing
        check(&opt, &["1"], &[("a", &["1"])]);
        check(
            &opt,
            &["1", "2", "3", "4"],
            &[("a", &["1"]), ("b", &["2"]), ("rest", &["3", "4"])],
        );
        assert_eq!(
            place(&Command::new("none", ""), &["x"]).unwrap_err(),
            BindError::Surplus {
                given: "x".into(),
                most: 0
            }
        );
    }
}
