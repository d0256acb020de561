//! Who may call what (ACLI §8.2): allow and deny lists, and a hook for permissions.
//!
//! Lists hold command paths (`gmail`, `gmail delegates`) and are compared with the path that was routed to,
//! so neither an alias nor an option in between gets past them. Deny wins over allow. The reserved commands
//! need not be listed: discovery of what is allowed is always allowed, unless it is denied by name.

use crate::error::Error;
use crate::host::Caller;
use crate::model::{Command, RESERVED};

/// Decides about one command beyond the lists. The answer is an [`Error`], so that it can teach.
pub trait Gate: Send + Sync {
    /// Refuses or lets pass. `permission` is what [`Command::permission`] named.
    ///
    /// # Errors
    /// A refusal, usually [`Error::denied`].
    fn check(&self, caller: &Caller, command: &str, permission: Option<&str>) -> Result<(), Error>;
}

/// The lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lists {
    allow: Option<Vec<Vec<String>>>,
    deny: Vec<Vec<String>>,
}

impl Lists {
    /// Allows these commands and what is below them, and nothing else.
    pub(crate) fn allow<S: AsRef<str>>(&mut self, commands: impl IntoIterator<Item = S>) {
        self.allow
            .get_or_insert_default()
            .extend(commands.into_iter().map(words));
    }

    /// Denies these commands and what is below them.
    pub(crate) fn deny<S: AsRef<str>>(&mut self, commands: impl IntoIterator<Item = S>) {
        self.deny.extend(commands.into_iter().map(words));
    }

    /// Whether a command may be called.
    pub(crate) fn permits(&self, path: &[&Command]) -> bool {
        let allowed = || {
            self.allow
                .as_ref()
                .is_none_or(|allow| allow.iter().any(|listed| covers(listed, path)))
        };
        !self.denies(path) && (is_reserved(path) || allowed())
    }

    /// Whether words that no command below `path` is called by are those of a denied one.
    pub(crate) fn denies_unlisted(&self, path: &[&Command], words: &[&str]) -> bool {
        let is_meant = |listed: &Vec<String>| {
            let tail = listed.get(path.len()..).unwrap_or_default();
            !tail.is_empty() && agree(listed, path) && tail.iter().all(|word| words.contains(&word.as_str()))
        };
        self.deny.iter().any(is_meant)
    }

    /// Whether a command is worth showing: it, or something below it, may be called.
    pub(crate) fn shows(&self, path: &[&Command]) -> bool {
        if self.allow.is_none() && self.deny.is_empty() {
            return true;
        }
        let leads = |listed: &Vec<String>| path.len() <= listed.len() && agree(listed, path);
        let something_below = || self.allow.as_ref().is_some_and(|allow| allow.iter().any(leads));
        (self.permits(path) || (!self.denies(path) && something_below())) && self.leads_somewhere(path)
    }

    /// Whether a group has anything left in it. One that nobody has looked into yet is given the doubt.
    fn leads_somewhere(&self, path: &[&Command]) -> bool {
        let Some(group) = path.last().filter(|last| last.is_loaded()) else {
            return true;
        };
        if group.inside().handler.is_some() {
            return true;
        }
        group.listed().any(|child| {
            let mut below = path.to_vec();
            below.push(child);
            self.shows(&below)
        })
    }

    /// Returns the entries that name no command below `root`.
    pub(crate) fn unmatched(&self, root: &Command) -> Vec<String> {
        let names_nothing = |listed: &&Vec<String>| {
            let found = listed.iter().try_fold(root, |here, word| here.find(word));
            found.is_none()
        };
        let all = self.allow.iter().flatten().chain(&self.deny);
        all.filter(names_nothing).map(|listed| listed.join(" ")).collect()
    }

    fn denies(&self, path: &[&Command]) -> bool {
        self.deny.iter().any(|listed| covers(listed, path))
    }
}

/// Whether a listed path is the command or above it.
fn covers(listed: &[String], path: &[&Command]) -> bool {
    listed.len() <= path.len() && agree(listed, path)
}

fn agree(listed: &[String], path: &[&Command]) -> bool {
    listed
        .iter()
        .zip(path)
        .all(|(word, command)| command.names().any(|name| name == word))
}

fn words<S: AsRef<str>>(path: S) -> Vec<String> {
    path.as_ref().split_whitespace().map(str::to_owned).collect()
}

fn is_reserved(path: &[&Command]) -> bool {
    // By name, which nobody else may have: looking inside would make a lazy command.
    matches!(path, [only] if RESERVED.contains(&only.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deny_wins_and_paths_cover_what_is_below() {
        let mail = Command::new("gmail", "").alias("mail");
        let runs = |name: &str| Command::new(name, "").handler(|_| async { Ok(serde_json::Value::Null) });
        let (search, delegates, drive) = (runs("search"), runs("delegates").alias("dg"), runs("drive"));
        let mail = mail
            .subcommand(runs("search"))
            .subcommand(runs("delegates").alias("dg"));
        let mut lists = Lists::default();
        assert!(lists.permits(&[&drive]));
        lists.deny(["gmail delegates"]);
        assert!(lists.permits(&[&mail]));
        assert!(lists.permits(&[&mail, &search]));
        assert!(!lists.permits(&[&mail, &delegates]));
        assert!(!lists.shows(&[&mail, &delegates]));
        lists.allow(["gmail  delegates", "gmail search"]);
        assert!(!lists.permits(&[&drive]));
        assert!(!lists.permits(&[&mail]));
        assert!(lists.shows(&[&mail]), "something below it is allowed");
        assert!(lists.permits(&[&mail, &search]));
        assert!(!lists.permits(&[&mail, &delegates]));
    }

    #[test]
    fn an_entry_may_name_an_alias_and_one_that_names_nothing_is_told() {
        let runs = |name: &str| Command::new(name, "").handler(|_| async { Ok(serde_json::Value::Null) });
        let mail = Command::new("gmail", "")
            .alias("mail")
            .subcommand(runs("delegates").alias("dg"));
        let root = Command::new("root", "").subcommand(mail.clone());
        let mut lists = Lists::default();
        lists.deny(["mail dg", "gmial", "gmail nope"]);
        assert!(!lists.permits(&[&mail, mail.find("delegates").unwrap()]));
        assert!(!lists.shows(&[&mail]), "nothing is left in it");
        assert_eq!(lists.unmatched(&root), ["gmial", "gmail nope"]);
    }
}
