//! The commands of a tool that can be called, each with what applies to it (ATIP §3.2.2).
//!
//! A leaf is a command without subcommands; a group that declares arguments, options, effects or examples of its own,
//! since it can then be called without a subcommand; and the tool itself, if it has no commands or one that is called
//! `""`. Where a group holds a command called `""`, that one is the group's own call, and the group is none besides.
//!
//! To a leaf apply the global options, those of every group above it, and its own. Of two with the same name the
//! nearest is kept; a flag that a nearer option uses is taken from the farther one, which is left out when it has no
//! other. Effects are inherited field by field, authentication is the nearest, and what is below something hidden or
//! deprecated is so, too.
//!
//! Every option of a group applies to each command below it, so a short text can describe an enormous table: only so
//! many leaves and options are listed, and how many leaves were left out is said.

use std::collections::HashSet;

use super::model::{Argument, Authentication, Command, Commands, Effects, Metadata, Opt};

/// How many leaves are listed.
const MOST_LEAVES: usize = 10_000;
/// How many options all leaves have together.
const MOST_OPTIONS: usize = 200_000;

/// The commands of one tool that can be called.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leaves<'a> {
    /// In the order of the metadata.
    pub list: Vec<Leaf<'a>>,
    /// How many more there are than are listed.
    pub left_out: usize,
    options: usize,
}

/// One command that can be called.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf<'a> {
    /// The words after the tool's name. Empty for the tool itself.
    pub path: Vec<&'a str>,
    /// The command, unless the tool has none at all.
    pub command: Option<&'a Command>,
    /// What it does: the command's own words, or the tool's where it has none.
    pub description: &'a str,
    /// The options, the farthest first.
    pub options: Vec<LeafOption<'a>>,
    /// The positional arguments.
    pub arguments: &'a [Argument],
    /// The names of subcommands that a first argument could be mistaken for.
    pub below: Vec<&'a str>,
    /// What it changes, inherited claims included.
    pub effects: Effects,
    /// Who may use it.
    pub authentication: Option<&'a Authentication>,
    /// Whether it, or something above it, is on its way out.
    pub deprecated: bool,
    /// Whether it, or something above it, is left out of lists.
    pub hidden: bool,
}

/// An option of a leaf.
#[derive(Debug, Clone, PartialEq)]
pub struct LeafOption<'a> {
    /// The option as it is declared.
    pub option: &'a Opt,
    /// Those of its flags that mean it here.
    pub flags: Vec<&'a str>,
    /// After how many words of the path it is declared: 0 for the tool's own.
    pub level: usize,
}

/// Returns every command of the tool that can be called.
pub fn leaves(metadata: &Metadata) -> Leaves<'_> {
    let root = Above {
        path: Vec::new(),
        below: names(&metadata.commands),
        description: &metadata.description,
        options: metadata.global_options.iter().map(|option| (option, 0)).collect(),
        effects: metadata.effects.clone().unwrap_or_default(),
        authentication: metadata.authentication.as_ref(),
        deprecated: false,
        hidden: false,
    };
    let mut found = Leaves::default();
    if metadata.commands.is_empty() {
        found.add(&root, None);
    }
    for (name, command) in &metadata.commands {
        root.enter(name, command).collect(command, &mut found);
    }
    found
}

/// What applies to a command from above, itself included.
struct Above<'a> {
    path: Vec<&'a str>,
    below: Vec<&'a str>,
    description: &'a str,
    options: Vec<(&'a Opt, usize)>,
    effects: Effects,
    authentication: Option<&'a Authentication>,
    deprecated: bool,
    hidden: bool,
}

impl<'a> Above<'a> {
    fn enter(&self, name: &'a str, command: &'a Command) -> Self {
        let mut path = self.path.clone();
        if !name.is_empty() {
            path.push(name);
        }
        let level = path.len();
        let own = command.options.iter().map(|option| (option, level));
        Self {
            // What is called by the empty name stands where its siblings stand.
            below: if name.is_empty() {
                self.below.clone()
            } else {
                names(&command.commands)
            },
            description: if command.description.is_empty() {
                self.description
            } else {
                &command.description
            },
            options: self.options.iter().copied().chain(own).collect(),
            effects: match &command.effects {
                Some(effects) => effects.inherit(&self.effects),
                None => self.effects.clone(),
            },
            authentication: command.authentication.as_ref().or(self.authentication),
            deprecated: self.deprecated || command.deprecated == Some(true),
            hidden: self.hidden || command.hidden == Some(true),
            path,
        }
    }

    fn collect(&self, command: &'a Command, found: &mut Leaves<'a>) {
        if is_leaf(command) {
            found.add(self, Some(command));
        }
        for (name, child) in &command.commands {
            self.enter(name, child).collect(child, found);
        }
    }

    fn leaf(&self, command: Option<&'a Command>) -> Leaf<'a> {
        Leaf {
            path: self.path.clone(),
            command,
            description: self.description,
            options: nearest(&self.options),
            arguments: command.map_or(&[], |command| &command.arguments),
            below: self.below.clone(),
            effects: self.effects.clone(),
            authentication: self.authentication,
            deprecated: self.deprecated,
            hidden: self.hidden,
        }
    }
}

impl<'a> Leaves<'a> {
    fn add(&mut self, above: &Above<'a>, command: Option<&'a Command>) {
        self.options = self.options.saturating_add(above.options.len());
        if self.list.len() < MOST_LEAVES && self.options <= MOST_OPTIONS {
            self.list.push(above.leaf(command));
        } else {
            self.left_out += 1;
        }
    }
}

/// Every name that leads to one of these commands.
fn names(commands: &Commands) -> Vec<&str> {
    let all = commands
        .iter()
        .flat_map(|(name, command)| std::iter::once(name).chain(&command.aliases));
    all.map(String::as_str).filter(|name| !name.is_empty()).collect()
}

/// Whether a command can be called by itself.
pub(crate) fn is_leaf(command: &Command) -> bool {
    if command.commands.is_empty() {
        return true;
    }
    let own = !command.arguments.is_empty()
        || !command.options.is_empty()
        || command.effects.is_some()
        || !command.examples.is_empty();
    own && !command.commands.contains_key("")
}

/// Leaves out what a nearer option hides. The farthest stand first in `options`, and in what is returned.
fn nearest<'a>(options: &[(&'a Opt, usize)]) -> Vec<LeafOption<'a>> {
    let mut kept = Vec::new();
    let (mut names, mut taken) = (HashSet::new(), HashSet::new());
    for &(option, level) in options.iter().rev() {
        let written = option.flags.iter().map(String::as_str);
        let flags: Vec<&str> = written.filter(|flag| !taken.contains(flag)).collect();
        if !flags.is_empty() && names.insert(option.name.as_str()) {
            taken.extend(flags.iter().copied());
            kept.push(LeafOption { option, flags, level });
        }
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opt(name: &str, flags: &[&str]) -> Opt {
        Opt {
            name: name.to_owned(),
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            ..Opt::default()
        }
    }

    fn group(commands: impl IntoIterator<Item = (&'static str, Command)>) -> Command {
        Command {
            description: "group".to_owned(),
            commands: named(commands),
            ..Command::default()
        }
    }

    fn named(commands: impl IntoIterator<Item = (&'static str, Command)>) -> Commands {
        commands
            .into_iter()
            .map(|(name, command)| (name.to_owned(), command))
            .collect()
    }

    fn leaf() -> Command {
        Command::default()
    }

    fn tool(commands: impl IntoIterator<Item = (&'static str, Command)>) -> Metadata {
        Metadata {
            name: "tool".to_owned(),
            description: "the tool".to_owned(),
            commands: named(commands),
            ..Metadata::default()
        }
    }

    #[test]
    fn what_can_be_called_is_a_leaf() {
        let check = |tool: Metadata, want: &[&str]| {
            let paths: Vec<String> = leaves(&tool)
                .list
                .iter()
                .map(|leaf| leaf.path.join(" "))
                .collect();
            assert_eq!(paths, want);
        };
        check(tool([]), &[""]);
        check(tool([("", leaf())]), &[""]);
        check(tool([("", leaf()), ("sub", leaf())]), &["", "sub"]);
        check(
            tool([("pr", group([("list", leaf()), ("view", leaf())]))]),
            &["pr list", "pr view"],
        );
        let called = Command {
            options: vec![opt("verbose", &["-v"])],
            ..group([("add", leaf())])
        };
        check(tool([("remote", called.clone())]), &["remote", "remote add"]);
        let with_own = Command {
            commands: named([("", leaf()), ("add", leaf())]),
            ..called
        };
        check(tool([("remote", with_own)]), &["remote", "remote add"]);
    }

    #[test]
    fn options_of_everything_above_apply_and_the_nearest_wins() {
        let create = Command {
            options: vec![opt("repo", &["--repository"]), opt("number", &["-n"])],
            ..leaf()
        };
        let pr = Command {
            options: vec![opt("limit", &["-L", "--limit"])],
            ..group([("create", create)])
        };
        let tool = Metadata {
            global_options: vec![
                opt("repo", &["-R", "--repo"]),
                opt("name", &["-n", "--name"]),
                opt("gone", &["-L"]),
            ],
            ..tool([("pr", pr)])
        };
        let found = leaves(&tool).list;
        let create = found.iter().find(|leaf| leaf.path == ["pr", "create"]).unwrap();
        let shown: Vec<_> = create
            .options
            .iter()
            .map(|option| (option.option.name.as_str(), option.flags.join(" "), option.level))
            .collect();
        let want = [
            ("name", "--name".to_owned(), 0),
            ("limit", "-L --limit".to_owned(), 1),
            ("repo", "--repository".to_owned(), 2),
            ("number", "-n".to_owned(), 2),
        ];
        assert_eq!(shown, want);
    }

    #[test]
    fn effects_signs_and_words_come_from_above() {
        let delete = Command {
            effects: Some(Effects {
                destructive: Some(true),
                ..Effects::default()
            }),
            ..leaf()
        };
        let repo = Command {
            deprecated: Some(true),
            hidden: Some(true),
            authentication: Some(Authentication::default()),
            ..group([("delete", delete)])
        };
        let tool = Metadata {
            effects: Some(Effects {
                network: Some(true),
                destructive: Some(false),
                ..Effects::default()
            }),
            ..tool([("repo", repo), ("top", leaf())])
        };
        let found = leaves(&tool).list;
        let (delete, top) = (&found[0], &found[1]);
        assert_eq!(
            (delete.effects.network, delete.effects.destructive),
            (Some(true), Some(true))
        );
        assert!(delete.deprecated && delete.hidden && delete.authentication.is_some());
        assert_eq!(delete.description, "group");
        assert_eq!(
            (top.effects.destructive, top.description),
            (Some(false), "the tool")
        );
        assert!(!top.deprecated && !top.hidden);
    }

    #[test]
    fn an_enormous_table_is_cut_and_said_so() {
        let options = (0..1_000).map(|n| opt(&format!("o{n}"), &[&format!("--o{n}")]));
        let commands = (0..1_000).map(|n| (format!("c{n}"), leaf()));
        let tool = Metadata {
            global_options: options.collect(),
            commands: commands.collect(),
            ..Metadata::default()
        };
        let found = leaves(&tool);
        assert_eq!((found.list.len(), found.left_out), (200, 800));
    }

    #[test]
    fn names_that_a_word_could_be_mistaken_for_are_known() {
        let remote = Command {
            options: vec![opt("verbose", &["-v"])],
            ..group([("add", leaf())])
        };
        let tool = tool([("", leaf()), ("remote", remote)]);
        let below: Vec<_> = leaves(&tool).list.into_iter().map(|leaf| leaf.below).collect();
        assert_eq!(below, [vec!["remote"], vec!["add"], vec![]]);
    }
}
