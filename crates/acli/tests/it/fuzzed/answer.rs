//! Any text is answered, and whatever was bound stood in it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use argrail_acli::{
    BoxFuture, Command, Error, Host, Item, Limits, Surroundings, is_invisible, scan, tokenize,
};

use crate::rich::rich;

static TREE: LazyLock<Command> = LazyLock::new(rich);
static ROOTS: LazyLock<[PathBuf; 1]> = LazyLock::new(|| ["/srv/files".into()]);

/// Answers a command string as a server does, up to the point where a handler would run.
pub(crate) fn answer(text: &str) {
    let Ok(words) = tokenize(text, &Limits::default()) else {
        return;
    };
    check_words(&TREE, &words);
    let read = scan(&TREE, &words);
    let around = Surroundings {
        host: &Nowhere,
        roots: &*ROOTS,
    };
    if let Err(error) = read.bind(around) {
        check_error(error.into());
    }
}

/// What holds for any words: whatever was read stands in them, and an option is one that is declared.
pub(crate) fn check_words<S: AsRef<str> + std::fmt::Debug>(root: &Command, words: &[S]) {
    let read = scan(root, words);
    let Ok(items) = &read.items else { return };
    for item in items {
        match item {
            Item::Word(word) | Item::Unknown(word) => {
                assert!(
                    words.iter().any(|given| given.as_ref() == *word),
                    "{word:?} is not in {words:?}"
                );
            }
            Item::Option { arg, values, .. } => {
                let declares =
                    |command: &&Command| command.args().iter().any(|known| std::ptr::eq(known, arg.0));
                assert!(
                    read.path.iter().any(declares),
                    "{:?} is not declared for {words:?}",
                    arg.0
                );
                for value in values.iter() {
                    assert!(
                        words.iter().any(|given| given.as_ref().ends_with(value)),
                        "{value:?} is not in {words:?}"
                    );
                }
            }
        }
    }
}

/// What an agent reads is bounded and holds nothing that hides.
fn check_error(error: Error) {
    let shown = error.to_json();
    assert!(shown.to_string().len() < 8_000, "{shown}");
    for field in ["message", "hint"] {
        let text = shown[field].as_str().unwrap_or_default();
        assert!(!text.chars().any(is_invisible), "{text:?}");
        assert!(!text.is_empty(), "{shown}");
    }
}

/// A world with nothing in it.
struct Nowhere;

impl Host for Nowhere {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::UNIX_EPOCH
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }

    fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }
}
