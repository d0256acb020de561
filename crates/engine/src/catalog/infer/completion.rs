//! Completion scripts: those that are installed, and those that a program prints. No shell ever reads one.
//!
//! One script is enough: they say the same for each shell, and the first that says something is taken. A program is
//! asked for one only if its own help lists the command for it.

use std::path::{Path, PathBuf};

use argrail_spec::help::{Origin, Page, Shell, Subject, read_complete_answer, read_completion};

use super::answer::is_empty;
use super::asker::Ask;
use super::gathered::Gathered;
use super::heard::{Exit, Heard, Said};
use super::prefix::beside;
use crate::files::untrusted::{self, Keeper, Links, Reading};

/// Where the system keeps what is shared.
const SYSTEM: &[&str] = &["/usr/local/share", "/usr/share"];
/// The longest script.
const MOST: u64 = 2 << 20;

/// Where scripts lie, the shell whose scripts say most first. `NAME` is the tool's.
const INSTALLED: &[(Shell, &[&str])] = &[
    (
        Shell::Fish,
        &[
            "fish/vendor_completions.d/NAME.fish",
            "fish/completions/NAME.fish",
        ],
    ),
    (
        Shell::Zsh,
        &[
            "zsh/site-functions/_NAME",
            "zsh/vendor-completions/_NAME",
            "zsh/functions/Completion/Unix/_NAME",
            "zsh/functions/Completion/Linux/_NAME",
        ],
    ),
    (
        Shell::Bash,
        &[
            "bash-completion/completions/NAME",
            "bash-completion/completions/NAME.bash",
            "bash-completion/completions/_NAME",
        ],
    ),
];

/// Commands that print a script for the shell that is named behind them.
const COMMANDS: &[&str] = &[
    "completion",
    "completions",
    "generate-shell-completion",
    "gen-completions",
    "gen-completion",
    "shell-completion",
    "shell-completions",
];
/// The shells that are asked for, and the word for each.
const ASKED: &[(Shell, &str)] = &[(Shell::Fish, "fish"), (Shell::Bash, "bash")];
/// What the library says about its command that has a hidden one beside it, which answers without any script.
const ANSWERS: &str = "generate the autocompletion script";
/// The hidden command.
const HIDDEN: &str = "__complete";

/// Reads the script for `name` that is installed beside the program, or on the system.
pub(super) fn installed(name: &str, program: &Path, gathered: &mut Gathered) {
    let own = beside(program, &["share"]);
    let roots: Vec<PathBuf> = own.into_iter().chain(SYSTEM.iter().map(PathBuf::from)).collect();
    read_installed(name, &roots, gathered);
}

fn read_installed(name: &str, roots: &[PathBuf], gathered: &mut Gathered) {
    let files = INSTALLED.iter().flat_map(|(shell, places)| {
        let files = roots.iter().flat_map(move |root| {
            let files = places.iter().map(|place| root.join(place.replace("NAME", name)));
            files.map(move |file| (root, file))
        });
        files.map(|(root, file)| (*shell, root, file))
    });
    for (shell, root, file) in files {
        let Some(text) = contents(root, &file) else {
            continue;
        };
        if keep(name, shell, &text, &file.to_string_lossy(), gathered) {
            return;
        }
    }
}

/// Asks the program for a script, if its own help says that it has one.
pub(super) fn generated(name: &str, program: &dyn Ask, root: &Page, gathered: &mut Gathered) {
    let listed = |known: &str| root.commands.iter().find(|command| command.name == known);
    let Some(command) = COMMANDS.iter().find_map(|known| listed(known)) else {
        return;
    };
    let answers = command.description.to_ascii_lowercase().contains(ANSWERS);
    if answers && let Some(said) = content(program.ask(&[HIDDEN, ""])) {
        let page = read_complete_answer(&said.text);
        if !is_empty(&page) {
            gathered.read(Origin::Completion, &format!("{name} {HIDDEN} ''"), &[], page);
        }
        // Its scripts only ask the same question.
        return;
    }
    for (shell, word) in ASKED {
        let words = [command.name.as_str(), word];
        let Some(said) = content(program.ask(&words)) else {
            continue;
        };
        let from = format!("{name} {}", words.join(" "));
        if keep(name, *shell, &said.text, &from, gathered) {
            return;
        }
    }
}

/// Keeps what a script says about each command; whether it says anything.
fn keep(name: &str, shell: Shell, text: &str, from: &str, gathered: &mut Gathered) -> bool {
    let subject = Subject { name, path: &[] };
    let mut any = false;
    for (path, page) in read_completion(shell, text, &subject) {
        if !is_empty(&page) {
            any = true;
            gathered.read(Origin::Completion, from, &path, page);
        }
    }
    any
}

fn content(heard: Heard) -> Option<Said> {
    match heard {
        Heard::Text(said) if said.exit == Exit::Content => Some(said),
        Heard::Text(_) | Heard::Silence(_) => None,
    }
}

/// Reads a script that is below `root`, wherever its name leads.
fn contents(root: &Path, file: &Path) -> Option<String> {
    let root = root.canonicalize().ok()?;
    let real = file.canonicalize().ok().filter(|real| real.starts_with(&root))?;
    let reading = Reading {
        keeper: Keeper::Trusted,
        links: Links::Refuse,
        limit: MOST,
    };
    let found = untrusted::read(&real, &reading).ok()??;
    Some(String::from_utf8_lossy(&found.bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::Mutex;

    use argrail_spec::help::{Confidence, FoundCommand, Seen};
    use argrail_testkit::Home;

    use super::*;

    const FISH: &str = "complete -c tool -s a -l all -d 'Show all'\n";

    #[test]
    fn the_first_installed_script_that_says_something_is_read() {
        let home = Home::new();
        let share = home.work().join("share");
        let roots = [home.work().join("none"), share.clone()];
        let found = || {
            let mut gathered = Gathered::new("tool");
            read_installed("tool", &roots, &mut gathered);
            (gathered.page(&[]).options.len(), gathered.sources.len())
        };
        assert_eq!(found(), (0, 0));
        let file = share.join("fish/completions/tool.fish");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, FISH).unwrap();
        assert_eq!(found(), (1, 1));
        // Whatever a name leads to outside is not read.
        fs::rename(&file, home.work().join("tool.fish")).unwrap();
        symlink(home.work().join("tool.fish"), &file).unwrap();
        assert_eq!(found(), (0, 0));
    }

    /// A program that prints a script, and what it was asked.
    struct Printing {
        asked: Mutex<Vec<String>>,
    }

    impl Ask for Printing {
        fn ask(&self, words: &[&str]) -> Heard {
            self.asked.lock().unwrap().push(words.join(" "));
            let text = match words {
                [_, "fish"] => FISH,
                ["__complete", ""] => "run\tRun it\n:4\n",
                _ => "what?\n",
            };
            Heard::Text(Said {
                text: text.to_owned(),
                other: String::new(),
                exit: Exit::Content,
            })
        }
    }

    fn asked(name: &str, description: &str) -> Vec<String> {
        let command = FoundCommand {
            name: name.to_owned(),
            aliases: Vec::new(),
            group: None,
            description: description.to_owned(),
            deprecated: false,
            seen: Seen {
                origin: Origin::Help,
                line: 1,
                confidence: Confidence::Certain,
            },
        };
        let root = Page {
            commands: vec![command],
            ..Page::default()
        };
        let program = Printing {
            asked: Mutex::new(Vec::new()),
        };
        let mut gathered = Gathered::new("tool");
        generated("tool", &program, &root, &mut gathered);
        assert_eq!(
            gathered.sources.len(),
            usize::from(!program.asked.lock().unwrap().is_empty())
        );
        program.asked.into_inner().unwrap()
    }

    #[test]
    fn a_program_is_asked_for_a_script_only_if_it_says_that_it_has_one() {
        assert_eq!(asked("completions", "Print a script"), ["completions fish"]);
        let library = "Generate the autocompletion script for the specified shell";
        assert_eq!(asked("completion", library), ["__complete "]);
        assert_eq!(
            asked("complete-everything", "Finish all jobs"),
            Vec::<String>::new()
        );
    }
}
