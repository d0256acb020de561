//! Which positional gets which word.

use super::scan::Item;
use crate::model::{Arg, Command, Repeat};

/// The words that are no options, in their order.
pub(super) struct Words<'c, 'w> {
    pub(super) all: Vec<&'w str>,
    /// The options beside them.
    options: Vec<&'c str>,
    /// How many of them stand before `--`.
    before: usize,
}

impl<'c, 'w> Words<'c, 'w> {
    /// Picks them out of `items`, of which `terminator` stand before `--`.
    pub(super) fn of(items: &[Item<'c, 'w>], terminator: Option<usize>) -> Self {
        let mut words = Self {
            all: Vec::new(),
            options: Vec::new(),
            before: 0,
        };
        for (at, item) in items.iter().enumerate() {
            match item {
                Item::Word(word) => {
                    words.all.push(word);
                    words.before += usize::from(terminator.is_none_or(|end| at < end));
                }
                Item::Option { arg, .. } => words.options.push(arg.0.name()),
                Item::Unknown(_) => {}
            }
        }
        words
    }

    /// Whether no option beside them takes the positional away.
    fn leave(&self, arg: &Arg) -> bool {
        !arg.unless
            .iter()
            .any(|option| self.options.contains(&option.as_str()))
    }
}

/// What each positional got.
#[derive(Default)]
pub(super) struct Placed<'c, 'w> {
    /// In the order of the words.
    pub(super) list: Vec<(&'c Arg, Vec<&'w str>)>,
    /// The places of the words that no positional takes.
    pub(super) surplus: Vec<usize>,
}

/// Gives each positional of `command` its words, in order.
///
/// Required ones are served first; what is left goes to optional ones from the left, and to the one that
/// takes several. So `SOURCE… TARGET` works like `cp`. What stands behind `--` goes to the positionals that stand
/// there only, if there are any.
pub(super) fn place<'c, 'w>(command: &'c Command, words: &Words<'_, 'w>) -> Placed<'c, 'w> {
    let mut placed = Placed::default();
    let here = || command.positionals().filter(|arg| words.leave(arg));
    if here().any(|arg| arg.is_last) {
        let (before, behind) = words.all.split_at(words.before.min(words.all.len()));
        placed.serve(here().filter(|arg| !arg.is_last), before, 0);
        placed.serve(here().filter(|arg| arg.is_last), behind, before.len());
    } else {
        placed.serve(here(), &words.all, 0);
    }
    placed
}

impl<'c, 'w> Placed<'c, 'w> {
    /// Hands `words`, of which the first is the word at `first`, to these positionals.
    fn serve(&mut self, args: impl Iterator<Item = &'c Arg> + Clone, words: &[&'w str], first: usize) {
        let required = args
            .clone()
            .filter(|arg| arg.required && arg.is_mine.is_none())
            .count();
        let mut spare = words.len().saturating_sub(required);
        let mut left = words;
        for arg in args {
            let wanted = match (&arg.is_mine, arg.repeat, arg.required) {
                (Some(is_mine), _, _) => {
                    let most = if arg.repeat == Repeat::Many { left.len() } else { 1 };
                    let mine = left.iter().take(most).take_while(|word| is_mine(word)).count();
                    spare = spare.saturating_sub(mine);
                    mine
                }
                (None, Repeat::Many, true) => 1 + std::mem::take(&mut spare),
                (None, Repeat::Many, false) => std::mem::take(&mut spare),
                (None, Repeat::Once | Repeat::Last, true) => 1,
                (None, Repeat::Once | Repeat::Last, false) => {
                    let one = spare.min(1);
                    spare -= one;
                    one
                }
            };
            let (mine, rest) = left.split_at(wanted.min(left.len()));
            left = rest;
            if !mine.is_empty() {
                self.list.push((arg, mine.to_vec()));
            }
        }
        let taken = words.len() - left.len();
        self.surplus.extend(first + taken..first + words.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    /// Places `words`, where a `--` among them is the one that ends options.
    #[track_caller]
    fn check(command: &Command, words: &[&str], want: &[(&str, &[&str])], surplus: &[usize]) {
        let split = words.iter().position(|word| *word == "--");
        let items: Vec<Item<'_, '_>> = words
            .iter()
            .filter(|word| **word != "--")
            .map(|word| Item::Word(word))
            .collect();
        let placed = place(command, &Words::of(&items, split));
        let list: Vec<(&str, &[&str])> = placed
            .list
            .iter()
            .map(|(arg, words)| (arg.name(), words.as_slice()))
            .collect();
        assert_eq!((list.as_slice(), placed.surplus.as_slice()), (want, surplus));
    }

    fn one(name: &str) -> Arg {
        Arg::positional(name, Kind::String, "")
    }

    #[test]
    fn an_option_can_take_a_positional_away() {
        let grep = Command::new("grep", "")
            .arg(Arg::option("--regexp", Kind::String, "").alias("-e"))
            .arg(one("pattern").optional().unless(["regexp"]))
            .arg(one("path").optional().many());
        let list = |words: &[&str]| -> Vec<(String, usize)> {
            let root = Command::new("", "").subcommand(grep.clone());
            let scan = super::super::scan(&root, words);
            let places = scan.places().unwrap();
            places
                .iter()
                .map(|(arg, words)| (arg.0.name().to_owned(), words.len()))
                .collect()
        };
        let check = |words: &[&str], want: &[(&str, usize)]| {
            let want: Vec<_> = want
                .iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect();
            assert_eq!(list(words), want, "{words:?}");
        };
        check(&["grep", "x", "a"], &[("pattern", 1), ("path", 1)]);
        check(&["grep", "-e", "x", "a"], &[("path", 1)]);
        check(&["grep", "a", "b", "--regexp=x"], &[("path", 2)]);
        check(&["grep", "-ex"], &[]);
        check(&["grep", "--", "-e", "a"], &[("pattern", 1), ("path", 1)]);
    }

    #[test]
    fn words_find_their_places() {
        let cp = Command::new("cp", "").arg(one("from").many()).arg(one("to"));
        let opt = Command::new("x", "")
            .arg(one("a"))
            .arg(one("b").optional())
            .arg(one("rest").optional().many());
        check(
            &cp,
            &["a", "b", "c"],
            &[("from", &["a", "b"]), ("to", &["c"])],
            &[],
        );
        check(&cp, &["a"], &[("from", &["a"])], &[]); // `to` is reported as missing
        check(&opt, &["1"], &[("a", &["1"])], &[]);
        check(
            &opt,
            &["1", "2", "3", "4"],
            &[("a", &["1"]), ("b", &["2"]), ("rest", &["3", "4"])],
            &[],
        );
        check(&opt, &["1", "--", "2"], &[("a", &["1"]), ("b", &["2"])], &[]);
        check(&Command::new("none", ""), &["x", "y"], &[], &[0, 1]);
    }

    #[test]
    fn what_stands_behind_dashes_only_gets_what_stands_there() {
        let test = Command::new("test", "")
            .arg(one("name").optional())
            .arg(one("args").optional().many().last());
        check(&test, &["--", "a", "b"], &[("args", &["a", "b"])], &[]);
        check(
            &test,
            &["n", "--", "a"],
            &[("name", &["n"]), ("args", &["a"])],
            &[],
        );
        check(
            &test,
            &["n", "m", "--", "a"],
            &[("name", &["n"]), ("args", &["a"])],
            &[1],
        );
        check(&test, &["n", "m"], &[("name", &["n"])], &[1]);
        let exec = Command::new("exec", "")
            .arg(one("pod"))
            .arg(one("command").many().last());
        check(&exec, &["--", "ls"], &[("command", &["ls"])], &[]); // `pod` is reported as missing
    }

    #[test]
    fn a_positional_can_take_words_as_long_as_they_are_its_own() {
        let env = Command::new("env", "")
            .arg(
                one("set")
                    .optional()
                    .many()
                    .takes_while(|word| word.contains('=')),
            )
            .arg(one("command").optional().many());
        check(&env, &["A=1", "B=2"], &[("set", &["A=1", "B=2"])], &[]);
        check(&env, &["ls", "A=1"], &[("command", &["ls", "A=1"])], &[]);
        check(
            &env,
            &["A=1", "ls", "B=2"],
            &[("set", &["A=1"]), ("command", &["ls", "B=2"])],
            &[],
        );
        let one_only = Command::new("x", "")
            .arg(one("set").optional().takes_while(|word| word.contains('=')))
            .arg(one("y"));
        check(
            &one_only,
            &["A=1", "B=2"],
            &[("set", &["A=1"]), ("y", &["B=2"])],
            &[],
        );
    }
}
