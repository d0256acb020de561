//! Texts that are no help, and texts that are made to hurt.

use argrail_spec::help::{Subject, clean, read_help};
use argrail_testkit::assert_growth;
use proptest::prelude::*;

use super::check;

const TOOL: Subject<'static> = Subject {
    name: "tool",
    path: &[],
};

#[test]
fn a_complaint_says_nothing() {
    check(
        "tool",
        "tool: 'foo' is not a tool command. See 'tool --help'.",
        "",
    );
    check("tool", "error: unknown command \"--help\" for \"tool\"\n", "");
    check("tool", "", "");
}

#[test]
fn wrapped_prose_defines_nothing() {
    check(
        "tool",
        "The flags that may be cached are -benchtime,\n-list, -parallel and\n-v flag of the test.\n-x is not one of them.\n",
        "# The flags that may be cached are -benchtime, -list, -parallel and -v flag of the test. -x is not one of them.",
    );
    check(
        "tool",
        "Options:\n  --raw      Use raw output, unless\n             --csv is given, or\n             -q\n  --csv      CSV\n",
        "--raw: Use raw output, unless --csv is given, or -q\n--csv: CSV",
    );
}

#[test]
fn colours_and_overstriking_change_nothing() {
    let plain = "Options:\n  -a, --all   everything\n";
    let want = "-a --all: everything";
    check("tool", plain, want);
    check(
        "tool",
        "\u{1b}[1mOptions:\u{1b}[0m\n  \u{1b}[32m-a\u{1b}[0m, \u{1b}[32m--all\u{1b}[0m   everything\n",
        want,
    );
    check(
        "tool",
        "O\u{8}Op\u{8}pt\u{8}ti\u{8}io\u{8}on\u{8}ns\u{8}s:\r\n  -\u{8}-a\u{8}a, -\u{8}--\u{8}-a\u{8}al\u{8}ll\u{8}l   everything\r\n",
        want,
    );
}

/// Thirty-two times the text may take thirty-two times as long, not a thousand times. The bound is wide, because other
/// programs run beside a test; the best of several runs counts.
#[test]
fn no_text_takes_more_than_its_length() {
    let units = [
        "-",
        "[",
        " ",
        "\n",
        "<",
        "(",
        "'",
        "-x ",
        "-x  ",
        "--a, ",
        "[-a] ",
        "-a|",
        "  -x  foo\n",
        "-a\n",
        "-a,\n",
        "\t",
        "usage: x [a ",
        "usage: x\n",
        "Commands:\n  a  b\n",
        "x := {\n",
        "-x FOO  one of ",
        "  -x  (default \n",
        "A:\n",
        "-x=[",
        "é ",
        "\u{1b}[",
        "...",
        "a, ",
        "--[no-]",
        "|",
        "{-",
        "-a or ",
        "a\u{200b}",
        "\u{200b}",
        "-x  (alias: --",
        "-x  use --no-x to disable ",
        "usage: x -a b\n",
        "usage: x\n 1. x -a b -c d\n",
        "[-a <b>]] ...\n",
    ];
    for unit in units {
        let of = |bytes: usize| unit.repeat(bytes / unit.len());
        let read = |text: &String| drop(read_help(text, &TOOL));
        assert_growth(&format!("{unit:?}"), &of(4_000), &of(128_000), 400.0, read);
    }
}

#[test]
fn ten_megabytes_are_read_to_their_bound() {
    for unit in ["-", "[", " ", "|", "{", "-x  y\n"] {
        let page = read_help(&unit.repeat(10_000_000 / unit.len()), &TOOL);
        assert!(page.options.len() < 2, "{unit:?}");
    }
    let many: String = (0..20_000).map(|n| format!("  --option-{n}  text\n")).collect();
    assert_eq!(read_help(&many, &TOOL).options.len(), 5000);
}

/// Pieces that help texts are made of, and that lead a reader astray.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "-a",
        "-x",
        "--all",
        "--[no-]color",
        "--colo[u]r",
        "=FILE",
        "[=WHEN]",
        "<n>",
        "{a,b}",
        "|",
        "/",
        ", ",
        " ",
        "  ",
        "      ",
        "\n",
        "\n\n",
        "\n  ",
        "\n      ",
        "\t",
        "Usage: tool ",
        "usage:",
        "Options:",
        "Commands:\n",
        "[",
        "]",
        "(",
        ")",
        "...",
        "text",
        "One of: a|b",
        "(default: 3)",
        "[env: X=]",
        ": ",
        " - ",
        "FILE",
        "-abc",
        "-NUM",
        "--",
        "- ",
        "* ",
        "│",
        "╭─ Options ─╮",
        ":= {",
        "}",
        "'",
        "\"",
        "or ",
        "é",
        "\u{1b}[1m",
        "a\u{8}a",
        "--no-all to disable",
        "+x",
        "-?",
        "-###",
        "--x-<y>",
        "#",
        ",\n",
    ];
    prop::sample::select(pieces.to_vec()).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_is_invented(pieces in prop::collection::vec(piece(), 0..40)) {
        crate::fuzzed::help(&pieces.concat());
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        crate::fuzzed::help(&text);
    }

    #[test]
    fn clean_text_stays_as_it_is(text in any::<String>()) {
        let cleaned = clean(&text).into_owned();
        prop_assert_eq!(clean(&cleaned), cleaned.as_str());
    }
}
