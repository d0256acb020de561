//! What a weaker description adds to a stronger one: commands and options that the stronger one does not have.
//!
//! What was read off a help text is laid under what somebody wrote. Where both know a command, the words of the one who
//! wrote it stand alone: two lists of positionals make a third that is nobody's, and an option that both know under
//! different names would be there twice.

use std::collections::HashSet;

use super::super::model::{Command, Commands, Metadata, Opt};

/// Returns what of `weak` is news beside `strong`. Never an effect of a command that `strong` knows.
#[must_use]
pub fn gaps(weak: &Metadata, strong: &Metadata) -> Metadata {
    let known = every_flag(strong);
    let above = flags(&strong.global_options);
    let is_group = strong.commands.keys().any(|name| !name.is_empty());
    Metadata {
        atip: weak.atip.clone(),
        name: weak.name.clone(),
        version: weak.version.clone(),
        description: weak.description.clone(),
        global_options: unknown(&weak.global_options, &known),
        commands: if is_group {
            below(&weak.commands, &strong.commands, &above)
        } else {
            itself(&weak.commands, strong, &above)
        },
        ..Metadata::default()
    }
}

/// A tool without commands gets none: a word of it would be taken for one.
fn itself(weak: &Commands, strong: &Metadata, above: &HashSet<&str>) -> Commands {
    let (Some(own), Some(known)) = (weak.get(""), strong.commands.get("")) else {
        return Commands::new();
    };
    let added = added(own, known, above);
    added
        .map(|command| Commands::from([(String::new(), command)]))
        .unwrap_or_default()
}

fn below(weak: &Commands, strong: &Commands, above: &HashSet<&str>) -> Commands {
    let aliases: HashSet<&str> = strong
        .values()
        .flat_map(|command| command.aliases.iter().map(String::as_str))
        .collect();
    let news = |(name, command): (&String, &Command)| {
        if aliases.contains(name.as_str()) || (name.is_empty() && !strong.contains_key("")) {
            return None;
        }
        let found = match strong.get(name) {
            Some(known) => added(command, known, above)?,
            None => Command {
                aliases: free(&command.aliases, strong, &aliases),
                ..command.clone()
            },
        };
        Some((name.clone(), found))
    };
    weak.iter().filter_map(news).collect()
}

/// Other names that nobody else has.
fn free(names: &[String], strong: &Commands, aliases: &HashSet<&str>) -> Vec<String> {
    let is_free = |name: &&String| !strong.contains_key(*name) && !aliases.contains(name.as_str());
    names.iter().filter(is_free).cloned().collect()
}

/// What is news about a command that both know.
fn added(weak: &Command, strong: &Command, above: &HashSet<&str>) -> Option<Command> {
    let here: HashSet<&str> = above.iter().copied().chain(flags(&strong.options)).collect();
    let options = unknown(&weak.options, &here);
    let commands = if strong.commands.is_empty() {
        Commands::new()
    } else {
        below(&weak.commands, &strong.commands, &here)
    };
    (!options.is_empty() || !commands.is_empty()).then(|| Command {
        options,
        commands,
        ..Command::default()
    })
}

/// The options that share no flag with what is known.
fn unknown(options: &[Opt], known: &HashSet<&str>) -> Vec<Opt> {
    let is_news = |option: &&Opt| !option.flags.iter().any(|flag| known.contains(flag.as_str()));
    options.iter().filter(is_news).cloned().collect()
}

fn flags(options: &[Opt]) -> HashSet<&str> {
    let flags = options.iter().flat_map(|option| &option.flags);
    flags.map(String::as_str).collect()
}

/// Every flag that stands anywhere: a global one must not meet one of a single command.
fn every_flag(metadata: &Metadata) -> HashSet<&str> {
    fn gather<'m>(commands: &'m Commands, all: &mut HashSet<&'m str>) {
        for command in commands.values() {
            all.extend(flags(&command.options));
            gather(&command.commands, all);
        }
    }
    let mut all = flags(&metadata.global_options);
    gather(&metadata.commands, &mut all);
    all
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::super::decode::decode;
    use super::*;
    use crate::doc::Node;

    fn metadata(fields: Value) -> Metadata {
        let mut value = json!({"atip": "0.1", "name": "tool", "version": "1", "description": "T"});
        let Value::Object(fields) = fields else {
            panic!("fields")
        };
        value.as_object_mut().unwrap().extend(fields);
        decode(&Node::plain(&value)).unwrap().metadata
    }

    fn option(name: &str, flags: &[&str]) -> Value {
        json!({"name": name, "flags": flags, "type": "boolean", "description": "D"})
    }

    fn check(weak: Value, strong: Value, want: Value) {
        let found = gaps(&metadata(weak), &metadata(strong));
        let mut wanted = metadata(want);
        wanted.trust = None;
        assert_eq!(
            serde_json::to_value(&found).unwrap(),
            serde_json::to_value(&wanted).unwrap()
        );
    }

    #[test]
    fn only_options_and_commands_that_nobody_knows_are_added() {
        let strong = json!({
            "effects": {"network": false},
            "globalOptions": [option("directory", &["-C"])],
            "commands": {
                "log": {"description": "L", "aliases": ["history"], "arguments": [{"name": "path", "type": "file", "description": "P"}],
                        "options": [option("all", &["-a", "--all"])], "effects": {"idempotent": true}},
                "stash": {"description": "S", "effects": {"idempotent": false}},
                "remote": {"description": "R", "commands": {"add": {"description": "A"}}}
            }
        });
        let weak = json!({
            "trust": {"source": "inferred"},
            "effects": {"destructive": true},
            "globalOptions": [option("chdir", &["-C", "--chdir"]), option("quiet", &["-q"]), option("every", &["--all"])],
            "commands": {
                "": {"description": "T", "options": [option("version", &["--version"])]},
                "log": {"description": "other", "arguments": [{"name": "pathspec", "type": "string", "description": "P"}],
                        "options": [option("everything", &["--all"]), option("graph", &["--graph"])], "effects": {"destructive": true}},
                "history": {"description": "H"},
                "stash": {"description": "S", "commands": {"pop": {"description": "P"}}},
                "remote": {"description": "R", "commands": {"add": {"description": "A"}, "rename": {"description": "N"}}},
                "bisect": {"description": "B", "aliases": ["log", "half"], "effects": {"destructive": true}}
            }
        });
        let want = json!({
            "globalOptions": [option("quiet", &["-q"])],
            "commands": {
                "log": {"description": "", "options": [option("graph", &["--graph"])]},
                "remote": {"description": "", "commands": {"rename": {"description": "N"}}},
                "bisect": {"description": "B", "aliases": ["half"], "effects": {"destructive": true}}
            }
        });
        check(weak, strong, want);
    }

    #[test]
    fn a_tool_without_commands_gets_options_and_no_commands() {
        let strong = json!({"commands": {"": {"description": "T", "options": [option("all", &["-a"])]}}});
        let weak = json!({"commands": {
            "": {"description": "T", "options": [option("all", &["-a", "--all"]), option("long", &["-l"])]},
            "now": {"description": "no command"}
        }});
        let want = json!({"commands": {"": {"description": "", "options": [option("long", &["-l"])]}}});
        check(weak.clone(), strong, want);
        check(weak, json!({}), json!({}));
    }
}
