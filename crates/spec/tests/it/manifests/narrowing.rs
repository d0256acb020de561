//! A tool may narrow its bundle's sandbox and never widen it, whatever it writes.

use argrail_spec::doc::Spanned;
use argrail_spec::sandbox_block::{Aip29, Env, Exec, Fs, NarrowedExec, Narrowing, Network, narrows, sketch};
use proptest::prelude::*;
use proptest::sample::subsequence;

const HOSTS: [&str; 4] = [
    "api.example.org",
    "*.example.com",
    "a.example.net",
    "b.example.net",
];
const PATHS: [&str; 5] = [
    "src/**",
    "~/.config/gh/**",
    "/srv/data/**",
    "**/.git/**",
    "notes.txt",
];
const PROGRAMS: [&str; 3] = ["git", "ssh", "less"];
const NAMES: [&str; 4] = ["GH_TOKEN", "HOME", "LANG", "TZ"];

type Words = Vec<&'static str>;

fn spanned(words: &[&str]) -> Option<Vec<Spanned<String>>> {
    Some(
        words
            .iter()
            .map(|word| Spanned::from((*word).to_owned()))
            .collect(),
    )
}

fn some(from: &'static [&'static str]) -> impl Strategy<Value = Words> {
    subsequence(from, 0..=from.len())
}

/// What a block grants.
#[derive(Debug, Clone)]
struct Grants {
    egress: Words,
    read: Words,
    write: Words,
    deny: Words,
    spawn: Words,
    pass: Words,
}

fn grants() -> impl Strategy<Value = Grants> {
    (
        some(&HOSTS),
        some(&PATHS),
        some(&PATHS),
        some(&PATHS),
        some(&PROGRAMS),
        some(&NAMES),
    )
        .prop_map(|(egress, read, write, deny, spawn, pass)| Grants {
            egress,
            read,
            write,
            deny,
            spawn,
            pass,
        })
}

fn bundle(grants: &Grants) -> Aip29 {
    Aip29 {
        network: Network {
            egress: spanned(&grants.egress),
            ingress: None,
        },
        fs: Fs {
            read: spanned(&grants.read),
            write: spanned(&grants.write),
            deny: spanned(&grants.deny),
        },
        exec: Exec {
            allow: true,
            spawn: spanned(&grants.spawn),
        },
        env: Env {
            pass: spanned(&grants.pass),
            set: None,
        },
        tty: None,
    }
}

fn tool(grants: &Grants) -> Narrowing {
    let whole = bundle(grants);
    Narrowing {
        network: Some(whole.network),
        fs: Some(whole.fs),
        exec: Some(NarrowedExec {
            allow: None,
            spawn: whole.exec.spawn,
        }),
        env: Some(whole.env),
        tty: None,
    }
}

fn is_within(inner: &[&str], outer: &[&str]) -> bool {
    inner.iter().all(|word| outer.contains(word))
}

proptest! {
    #[test]
    fn a_tool_is_refused_exactly_when_it_has_an_entry_that_its_bundle_lacks(parent in grants(), child in grants()) {
        let anchors = sketch().unwrap();
        let outer = bundle(&parent).policy(&anchors).unwrap();
        let inner = tool(&child).over(&outer, &anchors).unwrap();
        // What may be written may be read; the patterns do not otherwise cover each other.
        let readable: Words = parent.read.iter().chain(&parent.write).copied().collect();
        let fits = is_within(&child.egress, &parent.egress)
            && is_within(&child.read, &readable)
            && is_within(&child.write, &parent.write)
            && is_within(&parent.deny, &child.deny)
            && is_within(&child.spawn, &parent.spawn)
            && is_within(&child.pass, &parent.pass);
        prop_assert_eq!(narrows(&inner, &outer).is_ok(), fits);
    }

    #[test]
    fn a_tool_that_says_nothing_has_what_its_bundle_has(parent in grants()) {
        let anchors = sketch().unwrap();
        let outer = bundle(&parent).policy(&anchors).unwrap();
        let inner = Narrowing::default().over(&outer, &anchors).unwrap();
        prop_assert_eq!(&inner, &outer);
        prop_assert!(narrows(&inner, &outer).is_ok());
    }
}

#[test]
fn starting_programs_is_inherited_word_by_word() {
    let anchors = sketch().unwrap();
    let nothing = Grants {
        egress: vec![],
        read: vec![],
        write: vec![],
        deny: vec![],
        spawn: vec!["git"],
        pass: vec![],
    };
    let check = |parent_allows: bool, allow: Option<bool>, spawn: Option<&[&str]>, want: bool| {
        let mut block = bundle(&nothing);
        block.exec.allow = parent_allows;
        let outer = block.policy(&anchors).unwrap();
        let tool = Narrowing {
            exec: Some(NarrowedExec {
                allow,
                spawn: spawn.and_then(spanned),
            }),
            ..Narrowing::default()
        };
        let inner = tool.over(&outer, &anchors).unwrap();
        assert_eq!(
            narrows(&inner, &outer).is_ok(),
            want,
            "{parent_allows} {allow:?} {spawn:?}"
        );
    };
    check(true, Some(false), None, true);
    check(true, None, None, true);
    check(true, Some(true), None, true);
    check(true, None, Some(&["git"]), true);
    check(true, Some(true), Some(&[]), true);
    check(true, None, Some(&["sh"]), false);
    check(false, None, None, true);
    check(false, Some(true), None, false);
    check(false, None, Some(&["git"]), true);
    check(false, Some(true), Some(&["git"]), false);
}
