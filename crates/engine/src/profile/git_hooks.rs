//! Hooks that git would run and a call leaves out: a commit that goes past its checks is not the commit that was meant.
//!
//! Hooks run where a person agreed to a call that may start any program. Everywhere else they are switched off, so a
//! change that has one in its way is refused with the word that leaves it out on purpose; one that only follows a change
//! is told.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use argrail_sandbox::Refusal;

use super::git_files::{common_directory, settings};
use super::ground::Ground;
use crate::policy::Facts;

/// How far above a directory its repository is looked for.
const CLIMB: usize = 64;

/// How deep calls inside calls are followed.
const DEEP: usize = 8;

/// The option by which a caller leaves hooks out.
const NO_VERIFY: &str = "no-verify";

/// What a command of git runs.
struct Runs {
    command: &'static str,
    /// Hooks that may stop it, which `--no-verify` leaves out.
    guards: &'static [&'static str],
    /// Hooks that go along with it.
    others: &'static [&'static str],
}

const RUNS: &[Runs] = &[
    Runs {
        command: "commit",
        guards: &["pre-commit", "commit-msg"],
        others: &["prepare-commit-msg", "post-commit"],
    },
    Runs {
        command: "merge",
        guards: &["pre-merge-commit", "commit-msg"],
        others: &["prepare-commit-msg", "post-merge"],
    },
    Runs {
        command: "push",
        guards: &["pre-push"],
        others: &[],
    },
    Runs {
        command: "rebase",
        guards: &["pre-rebase"],
        others: &["post-rewrite", "post-checkout"],
    },
    Runs {
        command: "am",
        guards: &["applypatch-msg", "pre-applypatch"],
        others: &["post-applypatch"],
    },
    Runs {
        command: "pull",
        guards: &[],
        others: &["pre-merge-commit", "commit-msg", "post-merge", "pre-rebase"],
    },
    Runs {
        command: "cherry-pick",
        guards: &[],
        others: &["commit-msg", "prepare-commit-msg", "post-commit"],
    },
    Runs {
        command: "revert",
        guards: &[],
        others: &["commit-msg", "prepare-commit-msg", "post-commit"],
    },
    Runs {
        command: "checkout",
        guards: &[],
        others: &["post-checkout"],
    },
    Runs {
        command: "switch",
        guards: &[],
        others: &["post-checkout"],
    },
];

/// Returns the hooks that a call, or one inside it, goes without.
///
/// # Errors
/// One of them may stop what the call does, and the caller did not leave it out.
pub(super) fn left_out(facts: &Facts, ground: &Ground) -> Result<Vec<PathBuf>, Refusal> {
    let mut found = Vec::new();
    gather(facts, ground, 0, &mut found)?;
    found.sort();
    found.dedup();
    Ok(found)
}

fn gather(facts: &Facts, ground: &Ground, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Refusal> {
    if facts.invoked.tool == "git" {
        of_git(facts, ground, found)?;
    }
    if depth < DEEP {
        for inner in &facts.inner {
            gather(inner, ground, depth + 1, found)?;
        }
    }
    Ok(())
}

fn of_git(facts: &Facts, ground: &Ground, found: &mut Vec<PathBuf>) -> Result<(), Refusal> {
    let command = facts.invoked.path.first();
    let Some(runs) = RUNS
        .iter()
        .find(|runs| command.is_some_and(|command| command == runs.command))
    else {
        return Ok(());
    };
    let places = places(facts, ground)?;
    let at = |name: &'static str| {
        let mut files = places.iter().map(move |place| place.join(name));
        files.find(|file| is_program(file))
    };
    let options = &facts.invoked.options;
    let left_out = options
        .iter()
        .any(|option| option.name == NO_VERIFY && !option.negated);
    if !left_out && let Some(guard) = runs.guards.iter().find_map(|name| at(name)) {
        return Err(Refusal::new(
            "hooks",
            guard.to_string_lossy(),
            format!(
                "'git {}' runs this hook, and no call may start a program of the repository",
                runs.command
            ),
            format!(
                "Add --no-verify to go on without it, or let a person run 'git {}' in a terminal",
                runs.command
            ),
        ));
    }
    found.extend(runs.others.iter().filter_map(|name| at(name)));
    Ok(())
}

/// The directories in which git would look for hooks, the one that counts first.
fn places(facts: &Facts, ground: &Ground) -> Result<Vec<PathBuf>, Refusal> {
    let options = facts.invoked.options.iter();
    let mut directory = ground.directory.clone();
    for option in options.filter(|option| option.name == "directory") {
        option
            .values
            .iter()
            .for_each(|value| directory = directory.join(value));
    }
    let Some(top) = directory
        .ancestors()
        .take(CLIMB)
        .find(|above| above.join(".git").symlink_metadata().is_ok())
    else {
        return Ok(Vec::new());
    };
    let named = settings(top, |_| true)?
        .iter()
        .rev()
        .find_map(|(_, text)| hooks_path(text))
        .or_else(|| {
            let own = [".gitconfig", ".config/git/config"].map(|name| ground.home.join(name));
            own.iter()
                .find_map(|file| hooks_path(&super::git_files::alone(file)?))
        });
    Ok(match named {
        Some(named) => vec![match named.strip_prefix("~/") {
            Some(rest) => ground.home.join(rest),
            None => top.join(named),
        }],
        None => common_directory(top)?
            .map(|common| common.join("hooks"))
            .into_iter()
            .collect(),
    })
}

/// What settings say of where hooks are: the last word counts.
fn hooks_path(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let last = text.lines().rev().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        let is_it = name.trim().eq_ignore_ascii_case("hookspath");
        is_it.then(|| value.trim().trim_matches('"').to_owned())
    });
    last.filter(|value| !value.is_empty())
}

fn is_program(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use argrail_spec::atip::Given;
    use argrail_testkit::Home;
    use serde_json::json;

    use super::*;
    use crate::policy::Confinement;
    use crate::policy::tests::input::facts;
    use crate::profile::profile;

    fn hook(file: &Path) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "#!/bin/sh\nexit 1\n").unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A hook that may stop a commit is run or stops the call; it is never left out without a word of the caller's.
    #[test]
    fn a_commit_does_not_go_past_its_hooks() {
        let home = Home::new();
        let root = home.root().canonicalize().unwrap();
        let work = root.join("work");
        fs::create_dir_all(work.join(".git/hooks")).unwrap();
        fs::create_dir_all(work.join("below")).unwrap();
        fs::write(work.join(".git/config"), "[core]\n\tbare = false\n").unwrap();
        fs::write(work.join(".git/hooks/pre-commit.sample"), "").unwrap();
        let check = |command: &str, words: &[&str], directory: &str, expected: Result<&[&str], &str>| {
            let call = json!({"tool": "git", "path": [command], "effects":
                {"filesystem": {"write": true}, "x-exec": ["git"]}});
            let mut call = facts(&call);
            call.invoked.path = vec![command.to_owned()];
            call.invoked.options = words
                .iter()
                .map(|name| Given {
                    name: (*name).to_owned(),
                    ..Given::default()
                })
                .collect();
            let ground = Ground {
                home: root.join("home"),
                directory: work.join(directory).components().collect(),
                roots: vec![work.clone()],
                search: vec!["/usr/bin".into(), "/bin".into()],
                own: Vec::new(),
                installed: root.join("installed"),
                denied: Vec::new(),
                environment: BTreeMap::new(),
            };
            let made = profile(&call, Confinement::Effects, Path::new("/bin/true"), &ground);
            let name = |path: &Path| path.strip_prefix(&work).unwrap().display().to_string();
            let made = made.map(|made| {
                made.hooks_left_out
                    .iter()
                    .map(|hook| name(hook))
                    .collect::<Vec<_>>()
            });
            match (made, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{command} {words:?}"),
                (Err(refusal), Err(expected)) => {
                    assert_eq!(refusal.field, "hooks", "{refusal}");
                    assert_eq!(name(Path::new(&refusal.pattern)), expected);
                }
                (made, expected) => panic!("{command} {words:?}: {made:?}, not {expected:?}"),
            }
        };
        check("commit", &[], "", Ok(&[]));
        hook(&work.join(".git/hooks/pre-commit"));
        hook(&work.join(".git/hooks/post-commit"));
        check("commit", &[], "", Err(".git/hooks/pre-commit"));
        check("commit", &[], "below", Err(".git/hooks/pre-commit"));
        check("commit", &["no-verify"], "", Ok(&[".git/hooks/post-commit"]));
        check("merge", &[], "", Ok(&[]));
        check("status", &[], "", Ok(&[]));
        hook(&work.join(".git/hooks/pre-push"));
        check("push", &[], "", Err(".git/hooks/pre-push"));
        // Hooks that the settings put elsewhere.
        fs::write(work.join(".git/config"), "[core]\n\thooksPath = .husky\n").unwrap();
        check("commit", &[], "", Ok(&[]));
        hook(&work.join(".husky/commit-msg"));
        check("commit", &[], "", Err(".husky/commit-msg"));
    }

    #[test]
    fn the_last_word_about_hooks_counts() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(hooks_path(text.as_bytes()).as_deref(), expected, "{text}");
        };
        check("[core]\n\tbare = false\n", None);
        check("[core]\n\thooksPath = .husky\n", Some(".husky"));
        check("[core]\n\tHOOKSPATH=\"a b\"\n", Some("a b"));
        check("[core]\n hooksPath = a\n hooksPath = ~/b\n", Some("~/b"));
        check("[core]\n hooksPath =\n", None);
        check("", None);
    }
}
