//! What is protected for one child: the list, applied to a home and workspaces, and what its host adds.
//!
//! A shell start-up file, a program on the search path, an agent's settings: writing one of them is running code
//! outside the sandbox at the next opportunity. Nothing is looked at here; what repositories lead to is found when a
//! child starts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::group::{GroupRoot, ToGit};
use super::list::{GIT, GROUPS};

/// How a path is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Guard {
    /// It can be neither read nor written.
    Hidden,
    /// It can be read where that is granted, and never changed.
    Fixed,
}

/// The protected paths of one user and its workspaces.
#[derive(Debug, Clone, Default)]
pub struct Protected {
    home: Option<PathBuf>,
    workspaces: Vec<(PathBuf, ToGit)>,
    /// What is on no list.
    more: Vec<(PathBuf, Guard, &'static str)>,
}

impl Protected {
    /// Protects nothing. For children that are trusted with all their policy says.
    pub fn none() -> Self {
        Self::default()
    }

    /// Protects what makes a machine, a home or a workspace run programs: start-up files, services, settings of agents
    /// and editors, hooks and settings of git.
    pub fn standard(home: &Path, workspace: &Path) -> Self {
        let protected = Self {
            home: Some(home.to_owned()),
            ..Self::default()
        };
        protected.workspace(workspace)
    }

    /// Protects what makes one more workspace run programs.
    #[must_use]
    pub fn workspace(mut self, workspace: &Path) -> Self {
        if !self.workspaces.iter().any(|(known, _)| known == workspace) {
            self.workspaces.push((workspace.to_owned(), ToGit::Fixed));
        }
        self
    }

    /// Protects the directories in which programs are looked for.
    #[must_use]
    pub fn search_path(mut self, directories: impl IntoIterator<Item = PathBuf>) -> Self {
        let absolute = directories
            .into_iter()
            .filter(|directory| directory.is_absolute());
        self.more
            .extend(absolute.map(|path| (path, Guard::Fixed, "programs are looked for in it")));
        self
    }

    /// Hides files, such as those of the program that runs the sandbox, and says why.
    #[must_use]
    pub fn hide(mut self, why: &'static str, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        self.more
            .extend(paths.into_iter().map(|path| (path, Guard::Hidden, why)));
        self
    }

    /// Leaves to git what is git's in a workspace, and what projects keep in their history.
    #[must_use]
    pub fn for_git(mut self, workspace: &Path) -> Self {
        for (path, git) in &mut self.workspaces {
            if path == workspace {
                *git = ToGit::Left;
            }
        }
        self
    }

    /// Returns each path that is known without looking, how it is protected, and why.
    pub fn iter(&self) -> impl Iterator<Item = (PathBuf, Guard, &'static str)> {
        let machine = self
            .home
            .iter()
            .map(|_| (Path::new("/"), GroupRoot::Machine, ToGit::Fixed));
        let home = self
            .home
            .iter()
            .map(|home| (home.as_path(), GroupRoot::Home, ToGit::Fixed));
        let workspaces = self
            .workspaces
            .iter()
            .map(|(path, git)| (path.as_path(), GroupRoot::Workspace, *git));
        let listed = workspaces
            .chain(home)
            .chain(machine)
            .flat_map(|(root, place, git)| {
                let groups = GROUPS.iter().filter(move |group| {
                    group.place == place && !(git == ToGit::Left && group.git == ToGit::Left)
                });
                groups.flat_map(move |group| {
                    let why = group.why;
                    group
                        .paths
                        .iter()
                        .map(move |name| (root.join(name), Guard::Fixed, why))
                })
            });
        listed.chain(self.more.iter().cloned())
    }

    /// Returns names that make any directory run programs, as they make a workspace, and why. What is git's is not among
    /// them.
    pub(crate) fn in_any_directory() -> impl Iterator<Item = (&'static str, &'static str)> {
        let groups = GROUPS
            .iter()
            .filter(|group| group.place == GroupRoot::Workspace && group.why != GIT);
        groups.flat_map(|group| group.paths.iter().map(|name| (*name, group.why)))
    }

    /// Returns the home.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Returns the workspaces, and whether what is git's in each is protected from this child.
    pub(crate) fn workspaces(&self) -> impl Iterator<Item = (&Path, bool)> {
        self.workspaces
            .iter()
            .map(|(path, git)| (path.as_path(), *git == ToGit::Fixed))
    }
}

/// Whether a path is another one or below it, whatever the case of ASCII letters is. No protected name is spelt with
/// others, and a path that differs in nothing else is nobody's but an attacker's.
pub(crate) fn is_below(path: &Path, above: &Path) -> bool {
    let mut parts = path.components();
    above.components().all(|part| {
        parts
            .next()
            .is_some_and(|other| is_same(other.as_os_str(), part.as_os_str()))
    })
}

fn is_same(one: &OsStr, other: &OsStr) -> bool {
    one.eq_ignore_ascii_case(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(protected: &Protected, path: &str) -> bool {
        protected.iter().any(|(known, ..)| known == Path::new(path))
    }

    #[test]
    fn git_is_left_what_is_gits_and_nothing_else() {
        let all = Protected::standard(Path::new("/h"), Path::new("/w")).workspace(Path::new("/v"));
        let gits = all.clone().for_git(Path::new("/w"));
        for name in [
            ".git/hooks",
            ".git/config",
            "HEAD",
            ".husky",
            ".cargo/config.toml",
        ] {
            assert!(has(&all, &format!("/w/{name}")), "{name}");
            assert!(!has(&gits, &format!("/w/{name}")), "{name}");
            assert!(has(&gits, &format!("/v/{name}")), "{name}");
        }
        for path in ["/w/.mcp.json", "/w/.vscode", "/h/.gitconfig", "/etc/gitconfig"] {
            assert!(has(&all, path) && has(&gits, path), "{path}");
        }
        assert_eq!(Protected::none().iter().count(), 0);
    }

    #[test]
    fn a_workspace_is_protected_once() {
        let once = Protected::standard(Path::new("/h"), Path::new("/w"));
        let twice = once.clone().workspace(Path::new("/w"));
        assert_eq!(once.iter().count(), twice.iter().count());
    }

    #[test]
    fn case_is_no_difference() {
        let check = |path: &str, above: &str, expected| {
            assert_eq!(
                is_below(Path::new(path), Path::new(above)),
                expected,
                "{path} {above}"
            );
        };
        check("/w/.git/hooks/x", "/w/.git/hooks", true);
        check("/w/.Git/HOOKS", "/w/.git/hooks", true);
        check("/w/.git", "/w/.git/hooks", false);
        check("/w/.gitx/hooks", "/w/.git", false);
        check("/v/.git/hooks", "/w/.git", false);
    }
}
