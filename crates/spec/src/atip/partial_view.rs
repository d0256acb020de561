//! A part of the metadata, for hosts that ask for some commands or for a few levels only.
//!
//! The answer says what was asked for, how many commands there are, how many of them are in it, and why the others are
//! not. What is left out is unknown to whoever asked, so its safety is called unknown, too.

use super::agent_flag::AgentRequest;
use super::model::{Commands, Filter, Metadata, Omitted};

impl Metadata {
    /// Returns what `request` asks for. Asked for nothing in particular, it is all there is.
    ///
    /// A command is named by its name, or by the words that lead to it with spaces or `/` between; all below it
    /// belongs to it. Depth 1 is the commands of the tool without anything below them.
    #[must_use]
    pub fn partial(&self, request: &AgentRequest) -> Self {
        if request.commands.is_empty() && request.depth.is_none() {
            return self.clone();
        }
        let named = if request.commands.is_empty() {
            self.commands.clone()
        } else {
            named(&self.commands, &request.commands)
        };
        let after_names = count(&named);
        let commands = match request.depth {
            Some(depth) => down_to(named, depth),
            None => named,
        };
        let (total, included) = (count(&self.commands), count(&commands));
        let reason = if after_names < total {
            "filtered"
        } else {
            "depth-limited"
        };
        Self {
            partial: Some(included < total),
            filter: Some(Filter {
                commands: (!request.commands.is_empty()).then(|| request.commands.clone()),
                depth: request.depth,
                ..Filter::default()
            }),
            total_commands: Some(total),
            included_commands: Some(included),
            omitted: (included < total).then(|| Omitted {
                reason: Some(reason.to_owned()),
                safety_assumption: Some("unknown".to_owned()),
                ..Omitted::default()
            }),
            commands,
            ..self.clone()
        }
    }
}

fn count(commands: &Commands) -> u64 {
    commands
        .values()
        .map(|command| 1 + count(&command.commands))
        .sum()
}

/// What the names lead to, each with what is above it and all that is below.
fn named(commands: &Commands, names: &[String]) -> Commands {
    let paths: Vec<Vec<&str>> = names
        .iter()
        .map(|name| {
            if commands.contains_key(name) {
                return vec![name.as_str()];
            }
            let words = name.split([' ', '/']).filter(|word| !word.is_empty());
            words.collect()
        })
        .collect();
    kept(commands, &paths.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

fn kept(commands: &Commands, paths: &[&[&str]]) -> Commands {
    let mut out = Commands::new();
    for (name, command) in commands {
        let rests: Vec<&[&str]> = paths
            .iter()
            .filter_map(|path| path.split_first())
            .filter(|(first, _)| *first == name)
            .map(|(_, rest)| rest)
            .collect();
        if rests.iter().any(|rest| rest.is_empty()) {
            out.insert(name.clone(), command.clone());
        } else if !rests.is_empty() {
            let below = kept(&command.commands, &rests);
            if !below.is_empty() {
                let mut group = command.clone();
                group.commands = below;
                out.insert(name.clone(), group);
            }
        }
    }
    out
}

fn down_to(commands: Commands, depth: u64) -> Commands {
    let Some(below) = depth.checked_sub(1) else {
        return Commands::new();
    };
    commands
        .into_iter()
        .map(|(name, mut command)| {
            command.commands = down_to(command.commands, below);
            (name, command)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::atip::Command;

    fn tool() -> Metadata {
        let leaf = |name: &str| (name.to_owned(), Command::default());
        let group = |name: &str, below: Vec<(String, Command)>| {
            let commands = below.into_iter().collect();
            let group = Command {
                commands,
                ..Command::default()
            };
            (name.to_owned(), group)
        };
        Metadata {
            commands: [
                leaf(""),
                group("pr", vec![leaf("create"), leaf("list")]),
                group("repo", vec![group("deploy", vec![leaf("key")])]),
            ]
            .into_iter()
            .collect(),
            ..Metadata::default()
        }
    }

    fn shown(commands: &Commands) -> Value {
        let all = commands
            .iter()
            .map(|(name, command)| (name.clone(), shown(&command.commands)));
        Value::Object(all.collect())
    }

    #[test]
    fn what_is_asked_for_is_there_and_the_rest_is_counted() {
        let check =
            |commands: &[&str], depth: Option<u64>, want: Value, included: u64, reason: Option<&str>| {
                let request = AgentRequest {
                    commands: commands.iter().map(|name| (*name).to_owned()).collect(),
                    depth,
                };
                let part = tool().partial(&request);
                assert_eq!(shown(&part.commands), want, "{request:?}");
                assert_eq!(
                    (part.total_commands, part.included_commands),
                    (Some(7), Some(included))
                );
                assert_eq!(part.partial, Some(included < 7));
                let omitted = part
                    .omitted
                    .map(|omitted| (omitted.reason.unwrap(), omitted.safety_assumption.unwrap()));
                assert_eq!(
                    omitted,
                    reason.map(|reason| (reason.to_owned(), "unknown".to_owned()))
                );
            };
        let (none, pr) = (json!({}), json!({"create": {}, "list": {}}));
        check(&["pr"], None, json!({"pr": pr}), 3, Some("filtered"));
        check(
            &["pr list", "repo/deploy"],
            None,
            json!({"pr": {"list": {}}, "repo": {"deploy": {"key": {}}}}),
            5,
            Some("filtered"),
        );
        check(&["pr"], Some(1), json!({"pr": {}}), 1, Some("filtered"));
        check(
            &[],
            Some(1),
            json!({"": {}, "pr": {}, "repo": {}}),
            3,
            Some("depth-limited"),
        );
        check(&[], Some(9), shown(&tool().commands), 7, None);
        check(&[], Some(0), none.clone(), 0, Some("depth-limited"));
        check(&["nope", "pr nope", "/"], None, none, 0, Some("filtered"));
    }

    #[test]
    fn asked_for_nothing_in_particular_it_is_all_there_is() {
        assert_eq!(tool().partial(&AgentRequest::default()), tool());
    }
}
