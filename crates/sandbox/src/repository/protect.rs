//! What git would run of a workspace: hooks and settings of its repository and of those below it, the directories that
//! `core.hooksPath` names, and the files that settings take in.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::directory::{GitRepository, path, read, unreadable, without_climbing};
use super::nested::tops_below;
use super::settings;
use crate::policy::{GIT, IN_GIT_DIRECTORY, Protected, is_below};
use crate::refusal::Refusal;

/// How many files of settings are read.
const MAX_SETTINGS_FILES: usize = 64;

/// How far up repositories are looked for.
const MAX_PARENTS: usize = 64;

/// What is said of a directory of hooks.
const HOOKS: &str = "git runs hooks from it";

/// Returns what is protected because of repositories, and why. What is left to git in a workspace is not among it.
///
/// # Errors
/// Settings that lead git somewhere cannot be read, so that nobody knows where.
pub(crate) fn protected_by_git(protected: &Protected) -> Result<Vec<(PathBuf, &'static str)>, Refusal> {
    let mut found = FoundRepositories::default();
    let user = user_settings(protected.home())?;
    for (workspace, is_fixed) in protected.workspaces() {
        let is_left = |path: &Path| !is_fixed && is_below(path, workspace);
        // A workspace without a repository may get one.
        found.hooks(&user, [workspace], protected.home(), &is_left)?;
        // Every directory above: git passes by a `.git` that is not whole, and what it takes for whole is its business.
        for top in workspace.ancestors().take(MAX_PARENTS) {
            let done = found.repository_at(top, &user, protected.home(), is_fixed);
            // Git does not look into what somebody else put above, as into `/tmp/.git`.
            let is_foreign = top != workspace && !is_ours(&top.join(".git"));
            if is_fixed && !is_foreign {
                done?;
            }
        }
        for top in tops_below(workspace) {
            let done = found.repository_at(&top, &user, protected.home(), is_fixed);
            if done.is_err() && is_fixed {
                found.paths.insert((top, "nobody can tell what git runs of it"));
            }
        }
    }
    Ok(found.paths.into_iter().collect())
}

/// Returns the directory with the settings of the repository that `top` has or is in, if there is one.
pub(crate) fn settings_directory(top: &Path) -> Option<PathBuf> {
    let mut above = top.ancestors().take(MAX_PARENTS);
    above.find_map(|top| GitRepository::at(top).ok().flatten().map(|found| found.common))
}

/// Returns the directories that git may run hooks from in `directory`, each there or not. With `git_directory` that is the
/// repository; else it is the nearest one at or above.
///
/// Of settings that one file takes in from another, a condition may not hold: then both places count.
///
/// # Errors
/// Settings cannot be read, so that nobody knows where hooks are.
pub fn git_hook_directories(
    directory: &Path,
    git_directory: Option<&Path>,
    home: Option<&Path>,
) -> Result<Vec<PathBuf>, Refusal> {
    let repository = match git_directory {
        Some(own) => GitRepository::at(own)?,
        None => {
            let mut found = None;
            for top in directory.ancestors().take(MAX_PARENTS) {
                found = GitRepository::at(top)?;
                if found.is_some() {
                    break;
                }
            }
            found
        }
    };
    let Some(GitRepository { top, own, common }) = repository else {
        return Ok(Vec::new());
    };
    let mut settings = user_settings(home)?;
    for file in [
        common.join("config"),
        common.join("config.worktree"),
        own.join("config.worktree"),
    ] {
        settings.take_in(&file, home, SettingsOwner::Repository)?;
    }
    let mut directories = BTreeSet::new();
    let mut is_certain = false;
    // With a repository that is named, hooks run where the working tree is.
    let starts = [git_directory.map_or(top.as_path(), |_| directory), own.as_path()];
    for (file, value) in &settings.hooks {
        for start in starts {
            directories.extend(expand(value, start, home, file)?);
        }
        is_certain |= !settings.files.contains(file);
    }
    if !is_certain {
        directories.insert(common.join("hooks"));
    }
    Ok(directories.into_iter().collect())
}

/// Whether settings of the repository at `top` start programs, or nobody can tell. Those that lie in a directory of
/// `known` are none of its own.
pub(crate) fn starts_programs(top: &Path, known: &[PathBuf]) -> bool {
    let repository = match GitRepository::at(top) {
        Ok(Some(repository)) => repository,
        Ok(None) => return false,
        Err(_) => return true,
    };
    let GitRepository { own, common, .. } = repository;
    let files = [
        common.join("config"),
        common.join("config.worktree"),
        own.join("config.worktree"),
    ];
    let own_files = files
        .iter()
        .filter(|file| !known.iter().any(|known| file.parent() == Some(known)));
    own_files.into_iter().any(|file| match read(file) {
        Ok(Some(text)) => settings::read(&text).map_or(true, |named| named.starts_programs),
        Ok(None) => false,
        Err(_) => true,
    })
}

#[derive(Default)]
struct FoundRepositories {
    paths: BTreeSet<(PathBuf, &'static str)>,
}

impl FoundRepositories {
    fn repository_at(
        &mut self,
        top: &Path,
        user: &GitSettings,
        home: Option<&Path>,
        is_fixed: bool,
    ) -> Result<(), Refusal> {
        match GitRepository::at(top)? {
            Some(repository) => self.repository(&repository, user, home, is_fixed),
            None => Ok(()),
        }
    }

    fn repository(
        &mut self,
        repository: &GitRepository,
        user: &GitSettings,
        home: Option<&Path>,
        is_fixed: bool,
    ) -> Result<(), Refusal> {
        let GitRepository { top, own, common } = repository;
        if is_fixed {
            // Behind a `.git` that is a file, this is how that file is kept as it is.
            let directories = [top.join(".git"), own.clone(), common.clone()];
            for directory in directories {
                let paths = IN_GIT_DIRECTORY.iter().map(|name| directory.join(name));
                self.paths.extend(paths.map(|path| (path, GIT)));
            }
        }
        let mut settings = GitSettings::default();
        for file in [
            common.join("config"),
            common.join("config.worktree"),
            own.join("config.worktree"),
        ] {
            settings.take_in(&file, home, SettingsOwner::Repository)?;
        }
        let is_left =
            |path: &Path| !is_fixed && [top, own, common].iter().any(|theirs| is_below(path, theirs));
        let files = settings.files.iter().filter(|path| !is_left(path));
        self.paths.extend(files.map(|path| (path.clone(), GIT)));
        // Hooks run at the top of a worktree, or in the repository itself where there is none.
        let starts = [top.as_path(), own.as_path()];
        self.hooks(&settings, starts, home, &is_left)?;
        self.hooks(user, starts, home, &is_left)
    }

    /// Adds directories of hooks: from the root, from a home, or from where hooks are run.
    fn hooks<'s>(
        &mut self,
        settings: &GitSettings,
        starts: impl IntoIterator<Item = &'s Path>,
        home: Option<&Path>,
        is_left: &dyn Fn(&Path) -> bool,
    ) -> Result<(), Refusal> {
        let files = settings.files.iter().filter(|path| !is_left(path));
        self.paths.extend(files.map(|path| (path.clone(), GIT)));
        for start in starts {
            for (file, value) in &settings.hooks {
                let Some(path) = expand(value, start, home, file)? else {
                    continue;
                };
                if !is_left(&path) {
                    self.paths.insert((path, HOOKS));
                }
            }
        }
        Ok(())
    }
}

/// Whose settings they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingsOwner {
    /// The user's or the machine's. Git passes by those that it may not read.
    User,
    /// A repository's.
    Repository,
}

/// What files of settings name together.
#[derive(Debug, Default)]
struct GitSettings {
    /// Values of `core.hooksPath`, with the file that they stand in.
    hooks: Vec<(PathBuf, Vec<u8>)>,
    /// Files that others take in, there or not: whoever writes them writes settings.
    files: BTreeSet<PathBuf>,
    read: usize,
}

impl GitSettings {
    /// Reads a file and all that it takes in.
    fn take_in(&mut self, file: &Path, home: Option<&Path>, whose: SettingsOwner) -> Result<(), Refusal> {
        let mut waiting = vec![file.to_owned()];
        while let Some(file) = waiting.pop() {
            self.read += 1;
            if self.read > MAX_SETTINGS_FILES {
                return Err(unreadable(&file, "settings take in more than 64 files"));
            }
            let text = match (read(&file), whose) {
                (Ok(Some(text)), _) => text,
                (Ok(None), _) => continue,
                (Err(_), SettingsOwner::User) if is_closed(&file) => continue,
                (Err(refusal), SettingsOwner::User | SettingsOwner::Repository) => return Err(refusal),
            };
            let named =
                settings::read(&text).map_err(|_| unreadable(&file, "git does not take it for settings"))?;
            self.hooks
                .extend(named.hooks.into_iter().map(|value| (file.clone(), value)));
            let directory = file.parent().unwrap_or(Path::new("/"));
            for value in &named.includes {
                let Some(path) = expand(value, directory, home, &file)? else {
                    continue;
                };
                if self.files.insert(path.clone()) {
                    waiting.push(path);
                }
            }
        }
        Ok(())
    }
}

/// The settings that hold for every repository of a user.
fn user_settings(home: Option<&Path>) -> Result<GitSettings, Refusal> {
    let mut settings = GitSettings::default();
    let machine = PathBuf::from("/etc/gitconfig");
    let homes = home
        .into_iter()
        .flat_map(|home| [".gitconfig", ".config/git/config"].map(|name| home.join(name)));
    for file in homes.chain([machine]) {
        settings.take_in(&file, home, SettingsOwner::User)?;
    }
    Ok(settings)
}

/// Whether something belongs to who runs this.
fn is_ours(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|meta| meta.uid() == rustix::process::geteuid().as_raw())
}

/// Whether a file is there and its rights keep us from it.
fn is_closed(file: &Path) -> bool {
    std::fs::File::open(file).is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

/// Makes a path of a value as git does. Nothing comes of one that leads to git's own installation.
fn expand(value: &[u8], start: &Path, home: Option<&Path>, file: &Path) -> Result<Option<PathBuf>, Refusal> {
    let value = value.strip_prefix(b":(optional)").unwrap_or(value);
    if value.is_empty() || value.starts_with(b"%(prefix)") {
        return Ok(None);
    }
    let below = match (value.strip_prefix(b"~"), home) {
        (None, _) => start.join(path(value)),
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with(b"/") => {
            let rest = rest.strip_prefix(b"/").unwrap_or(rest);
            home.join(path(rest))
        }
        (Some(_), _) => {
            return Err(unreadable(
                file,
                "it leads to the home of a user by name, which is not looked up",
            ));
        }
    };
    Ok(Some(without_climbing(&below)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Ground {
        root: PathBuf,
        _tree: tempfile::TempDir,
    }

    impl Ground {
        fn new() -> Self {
            let tree = tempfile::tempdir().unwrap();
            let root = tree.path().canonicalize().unwrap();
            fs::create_dir_all(root.join("home")).unwrap();
            fs::create_dir_all(root.join("work")).unwrap();
            Self { root, _tree: tree }
        }

        fn put(self, path: &str, text: &str) -> Self {
            let path = self.root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
            self
        }

        fn protected(&self) -> Protected {
            Protected::standard(&self.root.join("home"), &self.root.join("work"))
        }

        /// What is found, below the root, without what the list has anyway.
        fn found(&self, protected: &Protected) -> Result<Vec<String>, Refusal> {
            let listed: Vec<PathBuf> = protected.iter().map(|(path, ..)| path).collect();
            let found = protected_by_git(protected)?;
            let found = found.into_iter().map(|(path, _)| path);
            let new = found.filter(|path| !listed.contains(path));
            Ok(new
                .map(|path| {
                    path.strip_prefix(&self.root)
                        .unwrap_or(&path)
                        .display()
                        .to_string()
                })
                .collect())
        }

        #[track_caller]
        fn check(&self, expected: &[&str]) {
            assert_eq!(self.found(&self.protected()).unwrap(), expected);
        }
    }

    #[test]
    fn where_hooks_lie_is_protected() {
        let config =
            |value: &str| Ground::new().put("work/.git/config", &format!("[core]\nhooksPath = {value}\n"));
        // From the top of the worktree, and from the repository itself.
        config(".githooks").check(&["work/.git/.githooks", "work/.githooks"]);
        config("../shared/hooks").check(&["shared/hooks", "work/shared/hooks"]);
        config("~/hooks").check(&["home/hooks"]);
        config("/srv/hooks").check(&["/srv/hooks"]);
        config("\"\"").check(&[]);
        assert!(
            config("~somebody/hooks")
                .found(&Protected::none())
                .unwrap()
                .is_empty()
        );
        let other = config("~somebody/hooks");
        assert_eq!(other.found(&other.protected()).unwrap_err().field, "fs.write");
    }

    #[test]
    fn settings_are_followed_to_where_they_lead() {
        let ground = Ground::new()
            .put(
                "work/.git/config",
                "[include]\npath = ../more\n[includeIf \"gitdir:x\"]\npath = /srv/x\n",
            )
            .put(
                "work/more",
                "[core]\nhooksPath = /srv/a\n[include]\npath = more\n",
            )
            .put("work/.git/config.worktree", "[core]\nhooksPath = /srv/b\n")
            .put(
                "home/.gitconfig",
                "[core]\nhooksPath = .hooks\n[include]\npath = own\n",
            );
        ground.check(&[
            "/srv/a",
            "/srv/b",
            "/srv/x",
            "home/own",
            "work/.git/.hooks",
            "work/.hooks",
            "work/more",
        ]);
    }

    #[test]
    fn hooks_are_looked_for_where_git_looks() {
        let check = |settings: &str, expected: &[&str]| {
            let ground = Ground::new()
                .put("work/.git/HEAD", "ref: refs/heads/main\n")
                .put("work/.git/config", settings)
                .put("work/inc", "[core]\n\thooksPath = included\n")
                .put("work/below/x", "");
            let below = ground.root.join("work/below");
            let found = git_hook_directories(&below, None, Some(&ground.root.join("home"))).unwrap();
            let found: Vec<String> = found
                .iter()
                .map(|path| path.strip_prefix(&ground.root).unwrap().display().to_string())
                .collect();
            assert_eq!(found, expected, "{settings}");
        };
        check("[core]\n\tbare = false\n", &["work/.git/hooks"]);
        check(
            "[core]\n\thooksPath = mine # a comment\n",
            &["work/.git/mine", "work/mine"],
        );
        check("[core] hooksPath = mine\n", &["work/.git/mine", "work/mine"]);
        check("[core]\n\thooksPath = ~/hk ; mine\n", &["home/hk"]);
        check("[other]\n\thooksPath = mine\n", &["work/.git/hooks"]);
        check(
            "[include]\n\tpath = ../inc\n",
            &["work/.git/hooks", "work/.git/included", "work/included"],
        );
    }

    #[test]
    fn a_repository_that_is_named_has_its_own_hooks() {
        let ground = Ground::new()
            .put("real/HEAD", "ref: refs/heads/main\n")
            .put("real/objects/x", "")
            .put("real/refs/x", "")
            .put("real/config", "[core]\n")
            .put("work/x", "");
        let (work, real) = (ground.root.join("work"), ground.root.join("real"));
        let found = git_hook_directories(&work, Some(&real), None).unwrap();
        assert_eq!(found, [real.join("hooks")]);
        assert!(git_hook_directories(&work, None, None).unwrap().is_empty());
    }

    #[test]
    fn repositories_below_and_above_count() {
        let names = |name| ["work/a/.git", "work/bare", "work/bare/.git"].map(|top| format!("{top}/{name}"));
        let mut expected: Vec<String> = IN_GIT_DIRECTORY.iter().flat_map(names).collect();
        expected.sort();
        let ground = Ground::new()
            .put("work/a/.git/HEAD", "")
            .put("work/bare/HEAD", "")
            .put("work/bare/objects/x", "")
            .put("work/bare/refs/x", "");
        let mut found = ground.found(&ground.protected()).unwrap();
        found.sort();
        assert_eq!(found, expected);

        let ground = Ground::new().put(".git/config", "[core]\nhooksPath = work/hooks\n");
        let found = ground.found(&ground.protected()).unwrap();
        assert!(found.contains(&"work/hooks".to_owned()), "{found:?}");
    }

    #[test]
    fn git_is_left_its_own_and_no_hooks_elsewhere() {
        let ground = Ground::new()
            .put(
                "work/.git/config",
                "[core]\nhooksPath = .githooks\n[include]\npath = ../more\n",
            )
            .put("work/more", "[core]\nhooksPath = /srv/hooks\n");
        let gits = ground.protected().for_git(&ground.root.join("work"));
        assert_eq!(ground.found(&gits).unwrap(), ["/srv/hooks"]);
    }

    #[test]
    fn what_cannot_be_read_is_a_refusal() {
        for text in ["[core", &"x".repeat(2 << 20)] {
            let ground = Ground::new().put("work/.git/config", text);
            assert_eq!(ground.found(&ground.protected()).unwrap_err().field, "fs.write");
        }
        // One below is closed by itself.
        let ground = Ground::new().put("work/sub/.git/config", "[core");
        let found = ground.found(&ground.protected()).unwrap();
        assert!(found.contains(&"work/sub".to_owned()), "{found:?}");
        let endless = Ground::new().put("work/.git/config", "[include]\npath = 0\n");
        let endless = (0..100).fold(endless, |ground, number| {
            let next = format!("[include]\npath = {}\n", number + 1);
            ground.put(&format!("work/.git/{number}"), &next)
        });
        assert!(endless.found(&endless.protected()).is_err());
        if rustix::process::geteuid().is_root() {
            return;
        }
        // A file of the user's that the user may not read is nothing to git.
        let ground = Ground::new().put("home/.gitconfig", "[core]\nhooksPath = x\n");
        let closed = fs::Permissions::from_mode(0o000);
        fs::set_permissions(ground.root.join("home/.gitconfig"), closed).unwrap();
        ground.check(&[]);
    }
}
