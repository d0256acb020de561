//! Whether the descriptions that are compiled in are well made: complete, free of complaints, found by their names.

use argrail_spec::atip::{self, Command, Effects, Metadata, Opt};
use argrail_spec::doc::Severity;
use argrail_spec::lint::{Strictness, lint};

use super::programs::PROGRAMS;
use super::services::SERVICES;
use super::{Shipped, find, names};

/// Every description with its text, read.
fn all() -> impl Iterator<Item = (&'static Shipped, Metadata)> {
    let read = |entry: &'static Shipped| {
        let loaded = atip::load(entry.text.as_bytes())
            .unwrap_or_else(|problem| panic!("{}: {}", entry.name, problem.message));
        (entry, loaded.metadata)
    };
    PROGRAMS.iter().chain(SERVICES).map(read)
}

/// Calls `visit` with every command that can be called, its title and its effects, those of its parents counted in.
fn leaves(metadata: &Metadata, visit: &mut impl FnMut(&str, &Command, &Effects)) {
    fn walk(
        title: &str,
        command: &Command,
        above: &Effects,
        visit: &mut impl FnMut(&str, &Command, &Effects),
    ) {
        let own = command
            .effects
            .as_ref()
            .map_or_else(|| above.clone(), |own| own.inherit(above));
        if command.commands.is_empty() {
            visit(title, command, &own);
        }
        for (name, below) in &command.commands {
            walk(&format!("{title} {name}"), below, &own, visit);
        }
    }
    let base = metadata.effects.clone().unwrap_or_default();
    for (name, command) in &metadata.commands {
        walk(&format!("{} {name}", metadata.name), command, &base, visit);
    }
}

fn options<'a>(commands: impl Iterator<Item = &'a Command>) -> Vec<&'a Opt> {
    commands
        .flat_map(|command| {
            let mut list: Vec<&Opt> = command.options.iter().collect();
            list.extend(options(command.commands.values()));
            list
        })
        .collect()
}

#[test]
fn descriptions_are_sorted_and_found_by_name() {
    for list in [PROGRAMS, SERVICES] {
        assert!(list.is_sorted_by(|one, next| one.name < next.name));
    }
    for name in names() {
        assert_eq!(find(name).map(|entry| entry.name), Some(name));
    }
    assert_eq!(find("no-such-tool"), None);
}

#[test]
fn the_table_says_what_the_texts_say() {
    for (entry, metadata) in all() {
        assert_eq!(
            (entry.name, entry.description),
            (metadata.name.as_str(), metadata.description.as_str())
        );
    }
}

#[test]
fn descriptions_load_without_complaint() {
    let mut complaints = Vec::new();
    for entry in PROGRAMS.iter().chain(SERVICES) {
        let file = format!("tools/{}.json", entry.name);
        let loaded = atip::load(entry.text.as_bytes()).unwrap();
        let found = lint(&file, entry.text.as_bytes(), Strictness::Relaxed).diagnostics;
        let worse = found.iter().filter(|one| one.severity == Severity::Error);
        // They hold for every version that there is.
        let is_version = |message: &str| message == "the tool has no \"version\"";
        let all = loaded.warnings.iter().chain(worse);
        for problem in all.filter(|problem| !is_version(&problem.message)) {
            complaints.push(format!("{}: {} ({})", entry.name, problem.message, problem.code));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_command_says_whether_it_can_be_repeated_and_talks_to_the_network() {
    let mut silent = Vec::new();
    for (_, metadata) in all() {
        leaves(&metadata, &mut |title, _, effects| {
            if effects.idempotent.is_none() || effects.network.is_none() || effects.destructive.is_none() {
                silent.push(title.to_owned());
            }
        });
    }
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn every_option_can_be_written() {
    let mut odd = Vec::new();
    for (entry, metadata) in all() {
        let below = options(metadata.commands.values());
        for option in metadata.global_options.iter().chain(below) {
            if option.flags.is_empty() {
                odd.push(format!("{}: {}", entry.name, option.name));
            }
        }
        for skipped in atip::skipped(&metadata) {
            odd.push(format!(
                "{}: {} ({})",
                skipped.path.join(" "),
                skipped.name,
                skipped.why
            ));
        }
    }
    assert!(odd.is_empty(), "{}", odd.join("\n"));
}
