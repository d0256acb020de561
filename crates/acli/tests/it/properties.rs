//! What no words can do: panic, bring in a value nobody typed, or get an unknown option accepted.

use std::path::PathBuf;
use std::sync::LazyLock;

use argrail_acli::{BindError, Command, Surroundings, render, scan};
use proptest::prelude::*;

use crate::fuzzed::{answer, check_words, tokenize};
use crate::rich::rich;
use crate::world::World;

static TREE: LazyLock<Command> = LazyLock::new(rich);
static WORLD: LazyLock<World> = LazyLock::new(World::new);
static ROOTS: LazyLock<[PathBuf; 1]> = LazyLock::new(|| ["/srv/files".into()]);

fn around() -> Surroundings<'static> {
    Surroundings {
        host: &*WORLD,
        roots: &*ROOTS,
    }
}

/// The words of one command, of each style.
fn command() -> impl Strategy<Value = Vec<String>> {
    let commands = [
        "kinds",
        "ls",
        "posix",
        "short",
        "go",
        "java",
        "find",
        "tar",
        "dd",
        "git log",
        "git commit",
        "kubectl get",
        "places copy",
        "places maybe",
        "places middle",
        "lazy",
    ];
    prop::sample::select(commands.to_vec()).prop_map(|words| words.split(' ').map(str::to_owned).collect())
}

/// Words that mean something to some command, and some that mean nothing to any.
fn word() -> impl Strategy<Value = String> {
    let known = [
        "kinds",
        "ls",
        "posix",
        "short",
        "go",
        "java",
        "find",
        "tar",
        "dd",
        "git",
        "log",
        "commit",
        "kubectl",
        "get",
        "places",
        "copy",
        "middle",
        "lazy",
        "--string",
        "--integer",
        "--boolean",
        "--no-boolean",
        "-s",
        "-i",
        "-b",
        "-f",
        "-v",
        "-n",
        "-C",
        "-m",
        "--",
        "-",
        "--help",
        "-h",
        "-exec",
        ";",
        "+",
        "(",
        ")",
        "!",
        "-name",
        "xzf",
        "if=",
        "if=a",
        "count=2",
        "--file",
        "--files",
        "a,b",
        "1",
        "-5",
        "-0.5",
        "true",
        "false",
        "red",
        "2026-02-02",
        "{}",
        "../x",
        "--color",
        "--color=x",
        "--al",
        "=",
        "-=",
        "--=x",
        "---",
        "",
    ];
    prop_oneof![
        6 => prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => "-{0,3}[a-zA-Z=]{0,6}(=.{0,4})?",
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_words_are_answered_and_stand_where_they_were(words in prop::collection::vec(word(), 0..12)) {
        check_words(&TREE, &words);
        let _ = scan(&TREE, &words).bind(around());
    }

    #[test]
    fn values_written_as_words_bind_to_the_same_values(
        at in command(),
        after in prop::collection::vec(word(), 0..8),
    ) {
        let words: Vec<String> = at.into_iter().chain(after).collect();
        let read = scan(&TREE, &words);
        let path = read.path.clone();
        let Ok(args) = read.bind(around()) else { return Ok(()) };
        let values = args.to_json();
        // A style that cannot write a value down refuses it.
        let Ok(written) = render(&path, values.as_object().unwrap()) else { return Ok(()) };
        match scan(&TREE, &written).bind(around()) {
            Ok(again) => prop_assert_eq!(again.to_json(), values, "{:?} as {:?}", words, written),
            Err(error) => prop_assert!(false, "{:?} as {:?}: {}", words, written, error),
        }
    }

    #[test]
    fn any_text_is_answered(text in ".{0,200}") {
        tokenize(&text);
        answer(&text);
    }

    #[test]
    fn an_unknown_option_is_never_accepted(
        at in command(),
        dashes in prop::sample::select(vec!["-", "--", "---"]),
        name in "(zq|qz|Qz)[a-z-]{0,5}(=.{0,3})?",
        after in prop::collection::vec(word(), 0..6),
    ) {
        let mut words = at;
        words.push(format!("{dashes}{name}"));
        words.extend(after);
        let outcome = scan(&TREE, &words).items;
        let refused = matches!(outcome, Err(BindError::UnknownOption { .. }));
        prop_assert!(refused, "{words:?}: {outcome:?}");
    }

    #[test]
    fn what_was_bound_as_text_was_typed(words in prop::collection::vec("[a-z=,-]{0,6}", 0..6)) {
        let mut line = vec!["places".to_owned(), "copy".to_owned(), "--".to_owned()];
        line.extend(words.iter().cloned());
        let bound = scan(&TREE, &line).bind(around());
        match bound {
            Ok(args) => {
                let mut all = args.get::<Vec<String>>("from").unwrap();
                all.push(args.get("to").unwrap());
                prop_assert_eq!(all, words);
            }
            Err(_) => prop_assert!(words.len() < 2),
        }
    }
}
