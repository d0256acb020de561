//! Whether the descriptions that are compiled in are well made: complete, free of complaints, found by their names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use argrail_spec::atip::{self, Command, Effects, Metadata, Opt};
use argrail_spec::doc::{Diagnostic, Severity};
use argrail_spec::lint::{Strictness, lint};
use serde_json::Value;

use super::table::SHIPPED;
use super::{Shipped, find, names};

/// Every description with its text, read.
fn all() -> impl Iterator<Item = (&'static Shipped, Metadata)> {
    let read = |entry: &'static Shipped| {
        let loaded =
            atip::load(&entry.text()).unwrap_or_else(|problem| panic!("{}: {}", entry.name, problem.message));
        (entry, loaded.metadata)
    };
    SHIPPED.iter().map(read)
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
    assert!(SHIPPED.is_sorted_by(|one, next| one.name < next.name));
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
fn there_are_at_least_a_hundred_tools() {
    assert!(SHIPPED.len() >= 100, "{} tools", SHIPPED.len());
}

/// The files beside this one, by the name of the tool.
fn written() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/catalog/shipped");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let json = paths.filter(|path| path.extension().is_some_and(|end| end == "json"));
    json.map(|path| {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        (stem, fs::read_to_string(&path).unwrap())
    })
    .collect()
}

#[test]
fn every_file_is_in_the_table_and_its_text_comes_back_as_it_was_written() {
    let files = written();
    assert!(names().eq(files.keys().map(String::as_str)));
    for (name, written) in files {
        let packed = find(&name).unwrap().text();
        let [packed, written] = [packed.as_slice(), written.as_bytes()].map(|text| {
            serde_json::from_slice::<Value>(text).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        assert_eq!(packed, written, "{name}");
    }
}

#[test]
fn texts_are_compact() {
    for entry in SHIPPED {
        let text = entry.text();
        assert!(!text.contains(&b'\n'), "{}", entry.name);
    }
    let [packed, whole] = [|entry: &Shipped| entry.packed.len(), |entry: &Shipped| entry.size]
        .map(|length| SHIPPED.iter().map(length).sum::<usize>());
    assert!(packed * 6 < whole, "{packed} of {whole} bytes");
}

#[test]
fn a_damaged_text_is_no_description() {
    let whole = find("ls").unwrap();
    let check = |damaged: Shipped| assert_eq!(damaged.text(), Vec::<u8>::new());
    check(Shipped {
        packed: &[],
        ..*whole
    });
    check(Shipped {
        packed: &[0xff; 40],
        ..*whole
    });
    check(Shipped {
        packed: &whole.packed[..whole.packed.len() / 2],
        ..*whole
    });
    check(Shipped {
        size: whole.size - 1,
        ..*whole
    });
    check(Shipped {
        size: whole.size + 1,
        ..*whole
    });
    assert!(atip::load(b"").is_err());
}

#[test]
fn descriptions_are_strict_drafts() {
    let mut complaints = Vec::new();
    for entry in SHIPPED {
        let file = format!("tools/{}.json", entry.name);
        let text = entry.text();
        let loaded = atip::load(&text).unwrap();
        let found = lint(&file, &text, Strictness::Strict).diagnostics;
        let worse = found.iter().filter(|one| one.severity == Severity::Error);
        // They hold for every version that there is, and use fields of later drafts while they say 0.1.
        let known = |problem: &Diagnostic| {
            problem.message == "the tool has no \"version\"" || problem.code == "draft/later-field"
        };
        let all = loaded.warnings.iter().chain(worse);
        for problem in all.filter(|problem| !known(problem)) {
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
