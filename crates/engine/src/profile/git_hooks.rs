//! Hooks that git would run and a call leaves out: a commit that goes past its checks is not the commit that was meant.
//!
//! Hooks run where a person agreed to a call that may start any program. Everywhere else they are switched off, so a
//! change that has one in its way is refused with the word that leaves it out on purpose; one that only follows a change
//! is told.

use std::path::PathBuf;

use argrail_sandbox::{Refusal, git_hook_directories};
use argrail_spec::atip::Given;

use super::ground::Ground;
use crate::files::is_program;
use crate::policy::Facts;

/// How deep calls inside calls are followed.
const DEEP: usize = 8;

/// The option by which a caller leaves hooks out, and the one that takes it back: the last one counts.
const NO_VERIFY: &str = "no-verify";
const VERIFY: &str = "verify";

/// The hook that may stop every change of a branch or a tag. No option leaves it out.
const REFERENCES: &str = "reference-transaction";

/// Commands that change branches or tags, beside those of [`RUNS`].
const CHANGES_REFERENCES: &[&str] = &[
    "bisect",
    "branch",
    "fetch",
    "notes",
    "remote",
    "replace",
    "reset",
    "stash",
    "symbolic-ref",
    "tag",
    "update-ref",
];

/// What a command of git runs.
struct CommandHooks {
    command: &'static str,
    /// Hooks that may stop it, which `--no-verify` leaves out.
    guards: &'static [&'static str],
    /// Hooks that go along with it.
    others: &'static [&'static str],
}

const RUNS: &[CommandHooks] = &[
    CommandHooks {
        command: "commit",
        guards: &["pre-commit", "commit-msg"],
        others: &["prepare-commit-msg", "post-commit"],
    },
    CommandHooks {
        command: "merge",
        guards: &["pre-merge-commit", "commit-msg"],
        others: &["prepare-commit-msg", "post-merge"],
    },
    CommandHooks {
        command: "push",
        guards: &["pre-push"],
        others: &[],
    },
    CommandHooks {
        command: "rebase",
        guards: &["pre-rebase"],
        others: &["post-rewrite", "post-checkout"],
    },
    CommandHooks {
        command: "am",
        guards: &["applypatch-msg", "pre-applypatch"],
        others: &["post-applypatch"],
    },
    CommandHooks {
        command: "pull",
        guards: &[],
        others: &["pre-merge-commit", "commit-msg", "post-merge", "pre-rebase"],
    },
    CommandHooks {
        command: "cherry-pick",
        guards: &[],
        others: &["commit-msg", "prepare-commit-msg", "post-commit"],
    },
    CommandHooks {
        command: "revert",
        guards: &[],
        others: &["commit-msg", "prepare-commit-msg", "post-commit"],
    },
    CommandHooks {
        command: "checkout",
        guards: &[],
        others: &["post-checkout"],
    },
    CommandHooks {
        command: "switch",
        guards: &[],
        others: &["post-checkout"],
    },
    CommandHooks {
        command: "worktree",
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
    let command = command.map_or("", String::as_str);
    let runs = RUNS.iter().find(|runs| runs.command == command);
    if runs.is_none() && !CHANGES_REFERENCES.contains(&command) {
        return Ok(());
    }
    let places = places(facts, ground)?;
    let at = |name: &'static str| {
        let mut files = places.iter().map(move |place| place.join(name));
        files.find(|file| is_program(file))
    };
    let in_terminal = format!("let a person run 'git {command}' in a terminal");
    let refused = |hook: PathBuf, fix: String| {
        let reason =
            format!("'git {command}' runs this hook, and no call may start a program of the repository");
        Refusal::new("hooks", hook.to_string_lossy(), reason, fix)
    };
    if let Some(hook) = at(REFERENCES) {
        return Err(refused(hook, in_terminal));
    }
    let Some(runs) = runs else { return Ok(()) };
    let verifies = |option: &&Given| [NO_VERIFY, VERIFY].contains(&option.name.as_str());
    let last = facts.invoked.options.iter().rfind(verifies);
    let left_out = last.is_some_and(|option| (option.name == NO_VERIFY) != option.negated);
    if !left_out && let Some(guard) = runs.guards.iter().find_map(|name| at(name)) {
        let fix = format!("Add --no-verify to go on without it, or {in_terminal}");
        return Err(refused(guard, fix));
    }
    found.extend(runs.others.iter().filter_map(|name| at(name)));
    Ok(())
}

/// The directories in which git may look for hooks.
fn places(facts: &Facts, ground: &Ground) -> Result<Vec<PathBuf>, Refusal> {
    let given = |name: &'static str| {
        let options = facts.invoked.options.iter();
        let named = options.filter(move |option| option.name == name);
        named.flat_map(|option| &option.values)
    };
    let directory = given("directory").fold(ground.directory.clone(), |at, value| at.join(value));
    let named = given("git-dir").last().map(|named| directory.join(named));
    let tree = given("work-tree").last().map(|tree| directory.join(tree));
    git_hook_directories(
        tree.as_deref().unwrap_or(&directory),
        named.as_deref(),
        Some(&ground.home),
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

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
        fs::write(work.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
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
        check("tag", &[], "", Ok(&[]));
        check(
            "commit",
            &["no-verify", "verify"],
            "",
            Err(".git/hooks/pre-commit"),
        );
        // Hooks that the settings put elsewhere.
        fs::write(work.join(".git/config"), "[core]\n\thooksPath = .husky\n").unwrap();
        check("commit", &[], "", Ok(&[]));
        hook(&work.join(".husky/commit-msg"));
        check("commit", &[], "", Err(".husky/commit-msg"));
        fs::write(work.join(".git/config"), "[core] hooksPath = .husky # of all\n").unwrap();
        check("commit", &[], "", Err(".husky/commit-msg"));
        hook(&work.join(".husky/reference-transaction"));
        check("tag", &[], "", Err(".husky/reference-transaction"));
        check("commit", &["no-verify"], "", Err(".husky/reference-transaction"));
        check("add", &[], "", Ok(&[]));
    }
}
