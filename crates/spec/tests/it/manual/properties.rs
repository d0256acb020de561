//! What holds for every text: nothing is invented, nothing panics, and merging has no order.

use argrail_spec::help::{Page, Subject, merge_pages, read_man};
use proptest::prelude::*;

use crate::fuzzed::{completion_script, man_page};

/// Texts that are made of what pages and scripts are made of.
fn texts() -> impl Strategy<Value = String> {
    let parts = prop_oneof![
        Just("NAME\n       moss - x\n\n"),
        Just("SYNOPSIS\n       moss "),
        Just("OPTIONS\n"),
        Just("COMMANDS\n"),
        Just("       -a, --all[=WHEN]\n"),
        Just("              text\n"),
        Just("   --sub=x\n"),
        Just("\n"),
        Just("-x"),
        Just("--long "),
        Just("[-abc] [-o file] "),
        Just("<n>"),
        Just("{a,b}"),
        Just(".TH M 1\n"),
        Just(".SH OPTIONS\n"),
        Just(".Sh OPTIONS\n"),
        Just(".TP\n"),
        Just(".IP \\(bu 2\n"),
        Just(".It Fl a Ar b\n"),
        Just(".Bl -tag\n"),
        Just(".Op Fl q\n"),
        Just(".B \\-o\n"),
        Just("\\fB\\-k\\fIkind\\fR\n"),
        Just(".if n \\{\n"),
        Just(".\\}\n"),
        Just(".de X\n"),
        Just("..\n"),
        Just(".X y\n"),
        Just("\u{2022} "),
        Just("complete -c moss -l long -s x -d 'text' "),
        Just("-n '__fish_seen_subcommand_from a' "),
        Just("_moss() {\n"),
        Just("case $prev in\n-o) _filedir ;;\n"),
        Just("esac\n"),
        Just("opts=\"--all --none\"\n"),
        Just("complete -F _moss moss\n"),
        Just("#compdef moss\n"),
        Just("_arguments '(-x)'{-x,--xx}'[t]:m:(a b)'\n"),
        Just("'"),
        Just("\""),
        Just("\\"),
    ];
    let part = prop_oneof![
        4 => parts.prop_map(str::to_owned),
        1 => "[ -~\n\u{e9}]{0,8}",
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

fn read(text: &str) -> Page {
    read_man(
        text,
        &Subject {
            name: "moss",
            path: &[],
        },
    )
}

/// What a page says, without the order of its items.
fn items(page: &Page) -> Vec<String> {
    let options = page.options.iter().map(|option| format!("{option:?}"));
    let commands = page.commands.iter().map(|command| format!("{command:?}"));
    let mut items: Vec<String> = options.chain(commands).collect();
    items.sort();
    items
}

proptest! {
    #[test]
    fn no_text_makes_a_page_invent_anything(text in texts()) {
        man_page(&text);
    }

    #[test]
    fn no_text_makes_a_script_invent_anything(text in texts()) {
        completion_script(&text);
    }

    #[test]
    fn merging_has_no_order_and_comes_to_rest(texts in prop::collection::vec(texts(), 0..4)) {
        let pages: Vec<Page> = texts.iter().map(|text| read(text)).collect();
        let merged = merge_pages(pages.clone());
        let backwards = merge_pages(pages.iter().rev().cloned().collect());
        prop_assert_eq!(items(&merged), items(&backwards));
        prop_assert_eq!(&merge_pages(vec![merged.clone()]), &merged);
        prop_assert_eq!(&merge_pages(vec![merged.clone(), merged.clone()]), &merged);
        let told = |spelling: &String| {
            let mut options = pages.iter().flat_map(|page| &page.options);
            options.any(|option| option.spellings.contains(spelling))
        };
        prop_assert!(merged.options.iter().flat_map(|option| &option.spellings).all(told));
    }
}
