//! The list of what is protected, and why each of it is.
//!
//! The rule: a path stands here if something outside the sandbox runs code by itself, without a question, because the
//! path was written: a session that begins, a directory that is entered or opened, a commit, an agent or an editor that
//! starts. What runs when a person builds, tests or starts the project is the project's own code and does not: build
//! files, manifests of packages, settings of package managers in a project, virtual environments, `.env`.
//! docs/sandbox.md has the reasons of both sides.

use super::group::{ProtectedGroup, ToGit, home, machine, workspace};

/// What is said of hooks and settings of git, wherever they are found.
pub(crate) const GIT: &str = "git runs what it says";

/// Names in a repository's own directory (`.git`, or where that leads). Hooks and settings run programs; `commondir`
/// leads git to others; what lies in `modules` and `worktrees` are directories of the same kind, which git alone writes.
pub(crate) const IN_GIT_DIRECTORY: &[&str] = &[
    "hooks",
    "config",
    "config.worktree",
    "commondir",
    "modules",
    "worktrees",
];

/// Every protected path, in groups with one reason each.
pub(super) const GROUPS: &[ProtectedGroup] = &[
    // A workspace.
    workspace(
        ToGit::Left,
        GIT,
        // The same names as above. With a `HEAD` and two directories beside it, the workspace itself is a repository,
        // and its `config` and `hooks` are git's.
        &[
            ".git/hooks",
            ".git/config",
            ".git/config.worktree",
            ".git/commondir",
            ".git/modules",
            ".git/worktrees",
            "HEAD",
        ],
    ),
    workspace(
        ToGit::Left,
        "hooks of git run what it says, at the next commit",
        &[
            ".config/lefthook-local.json",
            ".config/lefthook-local.jsonc",
            ".config/lefthook-local.toml",
            ".config/lefthook-local.yaml",
            ".config/lefthook-local.yml",
            ".config/lefthook.json",
            ".config/lefthook.jsonc",
            ".config/lefthook.toml",
            ".config/lefthook.yaml",
            ".config/lefthook.yml",
            ".husky",
            ".lefthook",
            ".lefthook-local",
            ".lefthook-local.json",
            ".lefthook-local.jsonc",
            ".lefthook-local.toml",
            ".lefthook-local.yaml",
            ".lefthook-local.yml",
            ".lefthook.json",
            ".lefthook.jsonc",
            ".lefthook.toml",
            ".lefthook.yaml",
            ".lefthook.yml",
            ".overcommit.yml",
            ".pre-commit-config.yaml",
            "lefthook-local.json",
            "lefthook-local.jsonc",
            "lefthook-local.toml",
            "lefthook-local.yaml",
            "lefthook-local.yml",
            "lefthook.json",
            "lefthook.jsonc",
            "lefthook.toml",
            "lefthook.yaml",
            "lefthook.yml",
        ],
    ),
    workspace(
        ToGit::Left,
        "another version control program runs what it says, with any of its commands",
        &[".hg/hgrc", ".hg/sharedpath", ".jj/repo/config.toml"],
    ),
    workspace(
        ToGit::Left,
        "whoever enters the directory gets programs and variables by it: shells, prompts and editors do",
        &[
            ".cargo/config",
            ".cargo/config.toml",
            ".config/mise",
            ".config/mise.toml",
            ".direnv",
            ".envrc",
            ".mise",
            ".mise.local.toml",
            ".mise.toml",
            ".tool-versions",
            "mise.local.toml",
            "mise.toml",
            "mise/config.toml",
            "rust-toolchain",
            "rust-toolchain.toml",
        ],
    ),
    workspace(
        ToGit::Fixed,
        "argrail takes tools and agents from it",
        &[".agent-tools", ".cli"],
    ),
    workspace(
        ToGit::Fixed,
        "an editor runs what it says when it opens the directory: tasks, language servers, MCP servers",
        &[
            ".devcontainer",
            ".devcontainer.json",
            ".fleet",
            ".helix",
            ".idea",
            ".vs/mcp.json",
            ".vscode",
            ".zed",
        ],
    ),
    workspace(
        ToGit::Fixed,
        "an agent runs what it says: hooks, MCP servers, plugins, permissions",
        &[
            ".agents",
            ".aider.conf.yml",
            ".amazonq/cli-agents",
            ".amazonq/mcp.json",
            ".amp",
            ".augment/settings.json",
            ".claude",
            ".clinerules/hooks",
            ".codex",
            ".continue/config.json",
            ".continue/config.yaml",
            ".continue/mcpServers",
            ".copilot",
            ".crush",
            ".crush.json",
            // Its rules are instructions, and not here.
            ".cursor/cli.json",
            ".cursor/environment.json",
            ".cursor/hooks",
            ".cursor/hooks.json",
            ".cursor/mcp.json",
            ".cursor/worktrees.json",
            ".devin",
            ".dsh",
            ".factory",
            ".gemini",
            ".github/copilot",
            ".github/hooks",
            ".grok",
            ".hermes",
            ".junie/mcp",
            ".kilo",
            ".kilocode/mcp.json",
            ".kimi",
            ".kiro/agents",
            ".kiro/hooks",
            ".kiro/settings",
            ".mcp.json",
            ".openclaw",
            ".opencode",
            ".pi",
            ".qwen",
            ".roo/mcp.json",
            ".trae/mcp.json",
            ".windsurf/hooks.json",
            ".windsurf/mcp_config.json",
            "crush.json",
            "kilo.json",
            "opencode.json",
            "opencode.jsonc",
        ],
    ),
    // A home.
    home(
        "shells run it when they start",
        &[
            ".bash_aliases",
            ".bash_completion",
            ".bash_login",
            ".bash_logout",
            ".bash_profile",
            ".bashrc",
            ".bashrc.d",
            ".cargo/env",
            ".config/bash",
            ".config/fish",
            ".config/nushell",
            ".config/powershell",
            ".config/starship.toml",
            ".config/zsh",
            ".cshrc",
            ".inputrc",
            ".kshrc",
            ".local/share/bash-completion",
            ".local/share/fish",
            ".login",
            ".logout",
            ".oh-my-zsh",
            ".profile",
            ".tcshrc",
            ".zlogin",
            ".zlogout",
            ".zprezto",
            ".zprofile",
            ".zsh",
            ".zshenv",
            ".zshrc",
        ],
    ),
    home(
        "a session runs it when it begins",
        &[
            ".config/autostart",
            ".config/awesome",
            ".config/bspwm",
            ".config/environment.d",
            ".config/hypr",
            ".config/i3",
            ".config/niri",
            ".config/openbox",
            ".config/plasma-workspace",
            ".config/river",
            ".config/sway",
            ".i3",
            ".pam_environment",
            ".xinitrc",
            ".xmonad",
            ".xprofile",
            ".xsession",
            ".xsessionrc",
        ],
    ),
    home(
        "the service manager runs it",
        &[
            ".config/systemd/user",
            ".local/share/dbus-1/services",
            ".local/share/systemd/user",
        ],
    ),
    home(
        "mail that comes in runs what it says",
        &[".forward", ".procmailrc"],
    ),
    home("it says who may come in, and what ssh runs", &[".ssh"]),
    // Also where our own search path lacks them: a login shell adds them, a service has a shorter path than people do.
    home(
        "programs are looked for in it",
        &[
            ".asdf/shims",
            ".bun/bin",
            ".cargo/bin",
            ".deno/bin",
            ".docker/cli-plugins",
            ".dotnet/tools",
            ".krew/bin",
            ".local/bin",
            ".local/share/applications",
            ".local/share/mise/shims",
            ".npm-global/bin",
            ".nvm",
            ".pixi/bin",
            ".pyenv/bin",
            ".pyenv/shims",
            ".rbenv/bin",
            ".rbenv/shims",
            ".volta/bin",
            ".yarn/bin",
            "bin",
            "go/bin",
        ],
    ),
    home(
        "programs load it whenever they start",
        &[
            ".Rprofile",
            ".config/gdb",
            ".gdbinit",
            ".irbrc",
            ".lessfilter",
            ".lldbinit",
            // Python runs the `.pth` files of a user's packages.
            ".local/lib",
            ".mailcap",
            ".psqlrc",
            ".sqliterc",
        ],
    ),
    home(
        "version control programs run what it says",
        &[
            ".config/git",
            ".config/hg",
            ".config/jj",
            ".gitconfig",
            ".hgrc",
            ".jjconfig.toml",
        ],
    ),
    home(
        "whoever enters a directory gets programs and variables by it",
        &[
            ".asdfrc",
            ".config/direnv",
            ".config/mise",
            ".envrc",
            ".local/share/direnv",
            ".local/state/mise",
            ".mise.toml",
            ".rustup/settings.toml",
            ".tool-versions",
            "mise.toml",
        ],
    ),
    home(
        "package managers run what it says, in every project",
        &[
            ".bundle/config",
            ".cargo/config",
            ".cargo/config.toml",
            ".config/pip",
            ".gradle/gradle.properties",
            ".gradle/init.d",
            ".gradle/init.gradle",
            ".gradle/init.gradle.kts",
            ".npmrc",
            ".pip",
            ".yarnrc",
            ".yarnrc.yml",
        ],
    ),
    home(
        "terminals run what it says",
        &[
            ".config/alacritty",
            ".config/foot",
            ".config/ghostty",
            ".config/kitty",
            ".config/tmux",
            ".config/wezterm",
            ".config/zellij",
            ".screenrc",
            ".tmux.conf",
            ".wezterm.lua",
        ],
    ),
    home(
        "editors run what it says",
        &[
            ".config/Code",
            ".config/Code - Insiders",
            ".config/Cursor",
            ".config/JetBrains",
            ".config/VSCodium",
            ".config/Windsurf",
            ".config/emacs",
            ".config/helix",
            ".config/kak",
            ".config/micro",
            ".config/nvim",
            ".config/sublime-text",
            ".config/zed",
            ".cursor-server",
            ".emacs",
            ".emacs.d",
            ".local/share/JetBrains",
            ".local/share/nvim/site",
            ".nanorc",
            ".vim",
            ".vimrc",
            ".vscode",
            ".vscode-insiders",
            ".vscode-oss",
            ".vscode-server",
            ".windsurf",
            ".windsurf-server",
        ],
    ),
    home(
        "agents run what it says: hooks, MCP servers, plugins, permissions",
        &[
            ".agents",
            ".aider.conf.yml",
            ".amazonq",
            ".augment",
            ".aws/amazonq",
            ".claude",
            ".claude.json",
            ".cline",
            ".codeium",
            ".codex",
            ".config/Claude",
            ".config/amp",
            ".config/crush",
            ".config/cursor",
            ".config/devin",
            ".config/github-copilot",
            ".config/goose",
            ".config/kilo",
            ".config/kimi",
            ".config/mcp",
            ".config/opencode",
            ".continue",
            ".copilot",
            ".cursor",
            ".dsh",
            ".factory",
            ".gemini",
            ".grok",
            ".hermes",
            ".junie",
            ".kilocode",
            ".kimi",
            ".kiro",
            ".lmstudio/mcp.json",
            ".local/share/crush",
            ".local/share/opencode",
            ".mcp.json",
            ".openclaw",
            ".opencode",
            ".pi",
            ".qwen",
            ".roo",
            ".trae",
        ],
    ),
    // The machine, for a policy that grants what is not its owner's alone.
    machine(
        "the machine runs what it says, as anybody",
        &[
            "/etc/bash.bashrc",
            "/etc/bashrc",
            "/etc/claude-code",
            "/etc/codex",
            "/etc/cron.d",
            "/etc/cron.daily",
            "/etc/cron.hourly",
            "/etc/cron.monthly",
            "/etc/cron.weekly",
            "/etc/crontab",
            "/etc/cursor",
            "/etc/environment",
            "/etc/gemini-cli",
            "/etc/gitconfig",
            "/etc/ld.so.conf",
            "/etc/ld.so.conf.d",
            "/etc/ld.so.preload",
            "/etc/pam.d",
            "/etc/profile",
            "/etc/profile.d",
            "/etc/rc.local",
            "/etc/ssh",
            "/etc/sudoers",
            "/etc/sudoers.d",
            "/etc/systemd",
            "/etc/udev",
            "/etc/xdg/autostart",
            "/etc/zsh",
            "/var/spool/at",
            "/var/spool/cron",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Component, Path};

    use super::super::group::GroupRoot;
    use super::*;

    #[test]
    fn the_list_is_sorted_and_has_nothing_twice() {
        for place in [GroupRoot::Home, GroupRoot::Workspace, GroupRoot::Machine] {
            let mut seen = BTreeSet::new();
            for group in GROUPS.iter().filter(|group| group.place == place) {
                assert!(!group.why.is_empty() && !group.paths.is_empty());
                for path in group.paths {
                    assert!(seen.insert(*path), "{path} stands there twice");
                    let path = Path::new(path);
                    assert_eq!(path.is_absolute(), place == GroupRoot::Machine, "{path:?}");
                    let plain = |part| matches!(part, Component::Normal(_) | Component::RootDir);
                    assert!(path.components().all(plain), "{path:?}");
                }
                // Git's own are in the order in which they matter.
                assert!(group.why == GIT || group.paths.is_sorted(), "{:?}", group.paths);
            }
            // One that lies in another would never be looked at.
            for path in &seen {
                let above = Path::new(path).ancestors().skip(1);
                let mut above = above.filter_map(Path::to_str);
                assert!(!above.any(|above| seen.contains(above)), "{path}");
            }
        }
    }

    /// The files by which agents and editors are made to run something, as their makers document them.
    #[test]
    fn settings_of_agents_and_editors_are_on_the_list() {
        let projects = [
            ".agents/hooks.json .agents/mcp_config.json .agents/plugins/x/hooks/hooks.json",
            ".amp/plugins/x.ts .claude/settings.json .claude/settings.local.json .claude/skills/x/SKILL.md",
            ".clinerules/hooks/PreToolUse .codex/config.toml .codex/hooks.json .codex/rules/default.rules",
            ".cursor/cli.json .cursor/hooks.json .cursor/mcp.json .devin/hooks.v1.json .devin/mcp_config.json",
            ".factory/hooks.json .factory/mcp.json .gemini/settings.json .github/hooks/x.json",
            ".github/copilot/settings.local.json .kilo/plugins/x.ts .kilocode/mcp.json .mcp.json",
            ".opencode/plugins/x.ts .pi/extensions/x.ts .qwen/settings.json .roo/mcp.json .vscode/mcp.json",
            ".vscode/tasks.json .windsurf/hooks.json .zed/settings.json crush.json kilo.json opencode.json",
        ];
        let homes = [
            ".agents/plugins/x/plugin.json .claude.json .claude/settings.json .codeium/windsurf/mcp_config.json",
            ".codex/config.toml .codex/hooks.json .config/amp/plugins/x.ts .config/amp/settings.json",
            ".config/devin/config.json .config/goose/config.yaml .config/kilo/kilo.json",
            ".config/opencode/plugins/x.ts .config/zed/settings.json .copilot/hooks/x.json",
            ".copilot/mcp-config.json .cursor/cli-config.json .cursor/hooks.json .cursor/mcp.json",
            ".dsh/settings.yaml .gemini/antigravity-cli/mcp_config.json .gemini/config/hooks.json",
            ".gemini/policies/x.toml .gemini/settings.json .grok/hooks/x.json .qwen/settings.json",
            ".config/Code/User/mcp.json .config/Claude/claude_desktop_config.json",
        ];
        let machine = [
            "/etc/claude-code/managed-settings.json /etc/codex/requirements.toml /etc/cursor/hooks.json",
            "/etc/gemini-cli/settings.json",
        ];
        let lists = [
            (GroupRoot::Workspace, projects.as_slice()),
            (GroupRoot::Home, &homes),
            (GroupRoot::Machine, &machine),
        ];
        for (place, list) in lists {
            for file in list.iter().flat_map(|line| line.split(' ')) {
                let groups = GROUPS.iter().filter(|group| group.place == place);
                let mut paths = groups.flat_map(|group| group.paths);
                assert!(
                    paths.any(|path| Path::new(file).starts_with(path)),
                    "{place:?} {file}"
                );
            }
        }
    }

    #[test]
    fn a_workspaces_git_directory_has_what_every_other_has() {
        for name in IN_GIT_DIRECTORY {
            let path = format!(".git/{name}");
            let mut groups = GROUPS.iter().filter(|group| group.place == GroupRoot::Workspace);
            assert!(groups.any(|group| group.paths.contains(&path.as_str())), "{path}");
        }
    }
}
