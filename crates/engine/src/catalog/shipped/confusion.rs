//! How estimates from names and descriptions compare with what is known: the descriptions here are the truth.
//!
//! For every command the estimate sees its words, its description and its options, and none of its effects. What is
//! destructive and called a read is a hole, and there may be none. What changes something and is called one may be rare;
//! those that are known are listed.

use std::sync::LazyLock;

use argrail_spec::atip::{self, Effects, Leaf, Opt, claim, leaves};
use argrail_spec::help::{Class, Estimate, estimate, page_of};

use super::table::SHIPPED;

/// What is wrongly called a read, and is known to be: its own words say that it lists or shows.
///
/// In truth these start other programs to do it, keep a lock or a cache, or show values among which secrets may be. All
/// of that fails in the closed sandbox, which is the only place where such a claim makes anything run.
const KNOWN: &[&str] = &[
    "aws lambda list-functions",
    "composer status",
    "dotnet package list",
    "nx graph",
    "nx list",
    "nx show project",
    "nx show projects",
    "nx show target",
    "openssl sess_id",
    "openssl storeutl",
    "poetry debug info",
    "poetry env info",
    "poetry env list",
    "rails routes",
    "rails stats",
    "redis-cli slowlog get",
    "tmux show-buffer",
    "turbo bin",
    "turbo completion",
    "turbo config",
    "turbo daemon logs",
    "turbo info",
    "turbo ls",
    "webpack info",
];

/// Of so many changes that are not known to be called reads, one may be.
const RARE: usize = 200;

/// One command, with what it is and what it is taken for.
struct Row {
    title: String,
    truth: Class,
    estimate: Estimate,
}

/// Every command.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    for entry in SHIPPED {
        let metadata = atip::load(&entry.text()).unwrap().metadata;
        for leaf in leaves(&metadata).list {
            let mut path = vec![metadata.name.as_str()];
            path.extend(&leaf.path);
            rows.push(Row {
                title: path.join(" "),
                truth: truth(&leaf),
                estimate: estimated(&path, &leaf),
            });
        }
    }
    rows
});

fn estimated(path: &[&str], leaf: &Leaf<'_>) -> Estimate {
    let depth = leaf.path.len();
    let at = |own: bool| -> Vec<&Opt> {
        let options = leaf.options.iter();
        let fitting = options.filter(|option| (option.level == depth) == own);
        fitting.map(|option| option.option).collect()
    };
    let page = page_of(&at(true), &at(false), leaf.arguments);
    estimate(path, &page, Some(leaf.description))
}

/// What a command is. One that starts what it is told to, or shows secrets, is not known to be harmless.
fn truth(leaf: &Leaf<'_>) -> Class {
    let is_open = |extra: &atip::Extra| extra.contains_key("x-command") || extra.contains_key("x-program");
    let opens = leaf.arguments.iter().any(|argument| is_open(&argument.extra));
    let shows = leaf.effects.extra.contains_key("x-prints");
    match Class::of(&leaf.effects) {
        Class::Read if opens || shows => Class::Unknown,
        class => class,
    }
}

/// The table, a line per truth.
fn table(rows: &[Row]) -> String {
    let mut lines = vec![format!(
        "{:<14}{:>12}{:>12}{:>12}{:>12}{:>14}",
        "truth", "read", "unknown", "change", "destructive", "claimed read"
    )];
    for truth in Class::ALL {
        let of = || rows.iter().filter(move |row| row.truth == truth);
        let count = |class| of().filter(|row| row.estimate.class == class).count();
        let claimed = of().filter(|row| row.estimate.claims_read()).count();
        let [read, unknown, change, destructive] = Class::ALL.map(count);
        lines.push(format!(
            "{:<14}{read:>12}{unknown:>12}{change:>12}{destructive:>12}{claimed:>14}",
            truth.as_str()
        ));
    }
    lines.join("\n")
}

fn titles<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<&'r str> {
    rows.map(|row| row.title.as_str()).collect()
}

#[test]
fn nothing_destructive_is_taken_for_a_read() {
    let rows = ROWS.as_slice();
    println!("{}", table(rows));
    let holes = rows.iter().filter(|row| row.truth == Class::Destructive);
    let holes = titles(holes.filter(|row| row.estimate.class == Class::Read || row.estimate.claims_read()));
    assert!(holes.is_empty(), "{holes:#?}\n{}", table(rows));
}

#[test]
fn hardly_any_change_is_taken_for_a_read() {
    let rows = ROWS.as_slice();
    let changes = || rows.iter().filter(|row| row.truth == Class::Change);
    let wrong = changes().filter(|row| row.estimate.class == Class::Read);
    let new = titles(wrong.filter(|row| !KNOWN.contains(&row.title.as_str())));
    let most = changes().count() / RARE;
    assert!(new.len() <= most, "more than {most}: {new:#?}\n{}", table(rows));
}

/// A list of what is wrong that nobody shortens would hide what goes wrong anew.
#[test]
fn what_is_known_to_be_wrong_still_is() {
    let is_wrong = |title: &&&str| {
        let row = ROWS.iter().find(|row| row.title == **title);
        row.is_some_and(|row| row.truth != Class::Read && row.estimate.class == Class::Read)
    };
    let right: Vec<&&str> = KNOWN.iter().filter(|title| !is_wrong(title)).collect();
    assert!(right.is_empty(), "take them off the list: {right:?}");
}

/// Nothing in their words tells that a secret may be among what they show.
#[test]
fn what_shows_secrets_is_hardly_ever_claimed_to_be_a_read() {
    let rows = ROWS.as_slice();
    let open = || rows.iter().filter(|row| row.truth == Class::Unknown);
    let wrong = open().filter(|row| row.estimate.claims_read());
    let new = titles(wrong.filter(|row| !KNOWN.contains(&row.title.as_str())));
    let most = open().count() / 20;
    assert!(new.len() <= most, "more than {most}: {new:#?}\n{}", table(rows));
}

/// An estimate that never says anything would pass all of the above.
#[test]
fn most_of_what_is_dangerous_and_of_what_reads_is_found() {
    let rows = ROWS.as_slice();
    let share = |truth: Class, fits: &dyn Fn(&Estimate) -> bool| {
        let of: Vec<&Row> = rows.iter().filter(|row| row.truth == truth).collect();
        let found = of.iter().filter(|row| fits(&row.estimate)).count();
        found * 100 / of.len().max(1)
    };
    let changes = |estimate: &Estimate| estimate.class >= Class::Change;
    assert!(share(Class::Destructive, &changes) >= 85, "{}", table(rows));
    assert!(share(Class::Change, &changes) >= 85, "{}", table(rows));
    let reads = |estimate: &Estimate| estimate.class == Class::Read;
    assert!(share(Class::Read, &reads) >= 50, "{}", table(rows));
    let harmless = rows.iter().filter(|row| row.estimate.class == Class::Read);
    let is_claimed = |effects: &Effects| {
        claim(effects, "destructive").is_none() && claim(effects, "filesystem.write").is_none()
    };
    assert!(harmless.into_iter().all(|row| is_claimed(&row.estimate.effects)));
}
