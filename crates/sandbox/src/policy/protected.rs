//! Paths that no policy can grant, whatever it says: what would let a tool act later, as somebody else.
//!
//! A shell start-up file, a program on the search path, an agent's settings: writing one of them is running code
//! outside the sandbox at the next opportunity.

use std::path::{Path, PathBuf};

/// How a path is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Guard {
    /// It can be neither read nor written.
    Hidden,
    /// It can be read where that is granted, and never changed.
    Fixed,
}

/// The protected paths of one user and workspace.
#[derive(Debug, Clone, Default)]
pub struct Protected {
    paths: Vec<(PathBuf, Guard, &'static str)>,
}

/// Read by shells and sessions when they start.
const START_UP: &[&str] = &[
    ".bash_aliases",
    ".bash_completion",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".config/autostart",
    ".config/environment.d",
    ".config/fish",
    ".config/plasma-workspace/env",
    ".cshrc",
    ".inputrc",
    ".kshrc",
    ".login",
    ".pam_environment",
    ".profile",
    ".ssh/authorized_keys",
    ".ssh/authorized_keys2",
    ".ssh/config",
    ".ssh/rc",
    ".tcshrc",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".xsessionrc",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// Started by the user's service manager.
const SERVICES: &[&str] = &[
    ".config/systemd/user",
    ".local/share/dbus-1/services",
    ".local/share/systemd/user",
];

/// Say what other tools run, in a home.
const HOME_SETTINGS: &[&str] = &[
    ".claude",
    ".claude.json",
    ".codex",
    ".config/Code/User",
    ".config/git",
    ".config/direnv",
    ".config/goose",
    ".config/zed",
    ".cursor",
    ".gemini",
    ".gitconfig",
    ".mcp.json",
    ".npmrc",
    ".tmux.conf",
    ".vim",
    ".vimrc",
    ".vscode",
    ".vscode-server",
    ".config/nvim",
    ".emacs",
    ".emacs.d",
];

/// Say what other tools run, in a workspace.
const WORKSPACE_SETTINGS: &[&str] = &[
    ".agent-tools",
    ".agents",
    ".claude",
    ".cli",
    ".codex",
    ".cursor",
    ".devcontainer",
    ".envrc",
    ".gemini",
    ".idea",
    ".mcp.json",
    ".vscode",
    ".zed",
];

/// Make git run programs. `commondir` leads git to other hooks and other settings, and so does a `HEAD`: with two
/// directories beside it, the workspace itself is a repository, and its `config` and `hooks` are git's.
const GIT: &[&str] = &[".git/hooks", ".git/config", ".git/commondir", "HEAD"];

impl Protected {
    /// Protects nothing. For children that are trusted with all their policy says.
    pub fn none() -> Self {
        Self::default()
    }

    /// Protects what makes a home or a workspace run programs: start-up files, services, settings of agents and
    /// editors, hooks and settings of git.
    pub fn standard(home: &Path, workspace: &Path) -> Self {
        let mut protected = Self::default();
        protected.fix(home, START_UP, "shells and sessions run it");
        protected.fix(home, SERVICES, "the service manager runs it");
        protected.fix(home, HOME_SETTINGS, "other tools run what it says");
        protected.workspace(workspace)
    }

    /// Protects what makes one more workspace run programs.
    #[must_use]
    pub fn workspace(mut self, workspace: &Path) -> Self {
        self.fix(workspace, WORKSPACE_SETTINGS, "other tools run what it says");
        self.fix(workspace, GIT, "git runs what it says");
        self
    }

    fn fix(&mut self, root: &Path, names: &[&str], why: &'static str) {
        for name in names {
            let path = root.join(name);
            // As texts: all pairs are compared, and comparing them part by part cost more than the whole of the rest.
            let same = |known: &PathBuf| known.as_os_str() == path.as_os_str();
            if !self.paths.iter().any(|(known, ..)| same(known)) {
                self.paths.push((path, Guard::Fixed, why));
            }
        }
    }

    /// Protects the directories in which programs are looked for.
    #[must_use]
    pub fn search_path(mut self, directories: impl IntoIterator<Item = PathBuf>) -> Self {
        let absolute = directories
            .into_iter()
            .filter(|directory| directory.is_absolute());
        self.paths
            .extend(absolute.map(|path| (path, Guard::Fixed, "programs are looked for in it")));
        self
    }

    /// Hides files of the program that runs the sandbox.
    #[must_use]
    pub fn own(mut self, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        self.paths.extend(
            paths
                .into_iter()
                .map(|path| (path, Guard::Hidden, "it belongs to argrail")),
        );
        self
    }

    /// Leaves the workspace's git directory to git itself.
    #[must_use]
    pub fn for_git(mut self, workspace: &Path) -> Self {
        let theirs: Vec<PathBuf> = GIT.iter().map(|name| workspace.join(name)).collect();
        self.paths.retain(|(path, _, _)| !theirs.contains(path));
        self
    }

    /// Returns each path, how it is protected, and why.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, Guard, &'static str)> {
        self.paths
            .iter()
            .map(|(path, guard, why)| (path.as_path(), *guard, *why))
    }
}
