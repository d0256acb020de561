//! Several pages about one command.

use argrail_spec::help::{
    Confidence, FoundCommand, FoundOption, FoundValue, Origin, Page, Seen, Takes, merge_pages,
};

use super::shown::{commands, options};

fn seen(origin: Origin, confidence: Confidence) -> Seen {
    Seen {
        origin,
        line: 1,
        confidence,
    }
}

fn option(spellings: &str, takes: Takes, description: &str, seen: Seen) -> FoundOption {
    FoundOption {
        spellings: spellings.split(' ').map(str::to_owned).collect(),
        takes,
        repeats: false,
        required: false,
        default: None,
        variable: None,
        description: description.to_owned(),
        deprecated: false,
        global: false,
        seen,
    }
}

fn page(origin: Origin, spellings: &[&str]) -> Page {
    let seen = seen(origin, Confidence::Certain);
    let options = spellings
        .iter()
        .map(|spellings| option(spellings, Takes::Nothing, "", seen))
        .collect();
    Page {
        options,
        ..Page::default()
    }
}

fn named(name: &str) -> FoundValue {
    FoundValue {
        name: name.to_owned(),
        ..FoundValue::default()
    }
}

fn check(pages: &[Page], expected: &[&str]) {
    assert_eq!(options(&merge_pages(pages.to_vec())), expected, "{pages:?}");
    let backwards: Vec<Page> = pages.iter().rev().cloned().collect();
    assert_eq!(options(&merge_pages(backwards)), expected, "{pages:?}");
}

#[test]
fn options_are_the_same_if_they_share_a_spelling() {
    let help = page(Origin::Help, &["-a --all", "-b"]);
    check(
        &[help.clone(), page(Origin::Man, &["--all"])],
        &["-a --all", "-b"],
    );
    check(
        &[help.clone(), page(Origin::Man, &["-b --bare"])],
        &["-a --all", "-b --bare"],
    );
    check(
        &[help.clone(), page(Origin::Completion, &["--new"])],
        &["-a --all", "-b", "--new"],
    );
    check(&[help], &["-a --all", "-b"]);
    check(&[], &[]);
}

#[test]
fn what_a_surer_page_keeps_apart_stays_apart() {
    let help = page(Origin::Help, &["-a", "-b"]);
    check(
        &[help.clone(), page(Origin::Completion, &["-a -b"])],
        &["-a", "-b"],
    );
    check(
        &[help, page(Origin::Completion, &["-a -b --both"])],
        &["-a", "-b", "--both"],
    );
}

#[test]
fn the_surer_page_says_whether_there_is_a_value() {
    let certain = |origin| seen(origin, Confidence::Certain);
    let one = |takes, seen| Page {
        options: vec![option("-k", takes, "", seen)],
        ..Page::default()
    };
    let bare = one(Takes::Nothing, certain(Origin::Help));
    let value = one(Takes::Value(named("KIND")), certain(Origin::Man));
    check(&[bare, value.clone()], &["-k"]);
    let mentioned = one(Takes::Nothing, seen(Origin::Help, Confidence::Mentioned));
    check(&[mentioned, value], &["-k KIND"]);
}

#[test]
fn others_add_what_the_surer_page_lacks() {
    let help = option(
        "-k --kind",
        Takes::Value(named("KIND")),
        "",
        seen(Origin::Help, Confidence::Certain),
    );
    let chosen = FoundValue {
        values: vec!["star".into(), "peat".into()],
        ..FoundValue::default()
    };
    let script = option(
        "--kind",
        Takes::Value(chosen),
        "Which kind",
        seen(Origin::Completion, Confidence::Certain),
    );
    let merged = merge_pages(vec![
        Page {
            options: vec![script],
            about: Some("from a script, at length".into()),
            ..Page::default()
        },
        Page {
            options: vec![help],
            about: Some("from help".into()),
            ..Page::default()
        },
    ]);
    assert_eq!(options(&merged), ["-k --kind star|peat"]);
    assert_eq!(merged.options[0].description, "Which kind");
    assert_eq!(merged.options[0].seen.origin, Origin::Help);
    assert_eq!(merged.about.as_deref(), Some("from help"));
}

#[test]
fn commands_are_the_same_by_name_or_other_name() {
    let command = |name: &str, aliases: &[&str], description: &str, origin| FoundCommand {
        name: name.to_owned(),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        group: None,
        description: description.to_owned(),
        deprecated: false,
        seen: seen(origin, Confidence::Certain),
    };
    let help = Page {
        commands: vec![command("list", &["ls"], "", Origin::Help)],
        ..Page::default()
    };
    let script = Page {
        commands: vec![
            command("add", &["list"], "Add", Origin::Completion),
            command("list", &[], "List", Origin::Completion),
            command("ls", &[], "List", Origin::Completion),
        ],
        ..Page::default()
    };
    let merged = merge_pages(vec![script, help]);
    assert_eq!(commands(&merged), ["list", "add"]);
    assert_eq!(merged.commands[0].description, "List");
    assert_eq!(merged.commands[1].aliases, [""; 0]);
}
