//! Pages as a viewer shows them.

use argrail_spec::help::{Confidence, Origin, Page, Subject, read_man};

use super::shown::{commands, options, words};

fn read(text: &str) -> Page {
    read_man(
        text,
        &Subject {
            name: "moss",
            path: &[],
        },
    )
}

/// The options of a section of that name.
fn check(title: &str, lines: &str, expected: &[&str]) {
    let page = read(&format!(
        "MOSS(1)         Moss Manual         MOSS(1)\n\n{title}\n{lines}\n"
    ));
    assert_eq!(options(&page), expected, "{lines}");
}

const PAGE: &str = "\
MOSS(1)                      Moss Manual                      MOSS(1)

NAME
       moss - grow moss on stones

SYNOPSIS
       moss [-q] [-k kind] [OPTION]... STONE [WATER]...

DESCRIPTION
       Grows moss.  Use -q where nobody listens, and -k to
       -q the rest.

       -a, --all
              grow everywhere, also where
              no light comes

       -k, --kind=KIND
              which KIND

       --wet  pour water first

       --soil[=DEPTH]
              put soil below

ENVIRONMENT
       --not-this
              no option at all

EXAMPLES
       moss -x stone
              no option either

SEE ALSO
       lichen(1)
";

#[test]
fn a_page_tells_all() {
    let page = read(PAGE);
    assert_eq!(page.about.as_deref(), Some("grow moss on stones"));
    assert_eq!(
        options(&page),
        ["-a --all", "-k --kind KIND", "--wet", "--soil [DEPTH]", "-q"]
    );
    assert_eq!(words(&page), ["STONE", "[WATER]..."]);
    let all = &page.options[0];
    assert_eq!(all.description, "grow everywhere, also where no light comes");
    assert_eq!((all.seen.origin, all.seen.line), (Origin::Man, 13));
    assert_eq!(all.seen.confidence, Confidence::Certain);
    assert_eq!(page.options[2].description, "pour water first");
    assert_eq!(page.options[4].seen.confidence, Confidence::Mentioned);
}

#[test]
fn heads_that_share_a_text_are_one_option_or_several() {
    check(
        "OPTIONS",
        "       -c stone\n       --count=stone\n           Count.\n",
        &["-c --count stone"],
    );
    check(
        "OPTIONS",
        "       --up\n       --down\n           Go.\n",
        &["--up", "--down"],
    );
    check(
        "OPTIONS",
        "       -c  or  --count\n           Count.\n",
        &["-c --count"],
    );
    check(
        "OPTIONS",
        "       -l and -ln\n           Log in or not.\n",
        &["-l", "-ln"],
    );
}

#[test]
fn forms_of_pages() {
    // Heads without a margin of their own.
    check(
        "OPTIONS",
        "       --speed rate\n\n       How fast.\n\n       --quiet\n\n       No sound.\n",
        &["--speed rate", "--quiet"],
    );
    // Two columns by hand.
    check(
        "OPTIONS",
        "       -a value   first\n       -b         second,\n                  third\n",
        &["-a value", "-b"],
    );
    // Bullets.
    check(
        "OPTIONS",
        "       \u{2022}   --all, -A\n\n           Everything.\n",
        &["--all -A"],
    );
    // Headings that are options.
    check(
        "OPTIONS",
        "   --depth=n\n       How deep.\n\n   --flat\n       Not deep.\n",
        &["--depth n", "--flat"],
    );
    // A page that forgets to go back to the margin.
    check(
        "OPTIONS",
        "       -a, --all\n              All.\n\n              -1     one\n\n              -b, --bare\n                     Bare.\n",
        &["-a --all", "-b --bare"],
    );
}

#[test]
fn heads_and_texts_of_pages() {
    // What the grammar of heads does not know.
    check(
        "TESTS",
        "       -run command ;\n              Run it.\n",
        &["-run command"],
    );
    // A switch that can be written out.
    check(
        "OPTIONS",
        "       --debug=true|false\n         Say more.\n",
        &["--debug"],
    );
    // A value that only the text tells.
    check(
        "OPTIONS",
        "       --store\n              The directory where moss is kept.\n",
        &["--store ?"],
    );
    // What undoes it.
    check(
        "OPTIONS",
        "       --wet\n              Pour water. Undo it with --no-wet.\n",
        &["--wet", "--no-wet"],
    );
    // A summary, and the definition.
    check(
        "OPTIONS SUMMARY",
        "       -V: Print the version\n\nOPTIONS\n       -V; --version\n              Print it.\n",
        &["-V --version"],
    );
    // The paper hides where the letter ends; the synopsis tells.
    check(
        "SYNOPSIS",
        "       moss [-k kind]\n\nOPTIONS\n       -kkind  Which one.\n",
        &["-k kind"],
    );
}

#[test]
fn prose_is_no_option() {
    check(
        "DESCRIPTION",
        "       It is like\n       -x in every other way.\n",
        &[],
    );
    check(
        "DESCRIPTION",
        "       -x is the same as the option of the other program.\n",
        &[],
    );
    check("DESCRIPTION", "       - a list\n       - of things\n", &[]);
    check("FILES", "       --file\n              Not here.\n", &[]);
}

#[test]
fn commands_are_those_of_the_command_line() {
    let list = "       add STONE, plant\n              Put it there.\n\n       rm (or r)\n              Take it away.\n\n              -f     by force\n";
    let with = |synopsis: &str| {
        read(&format!(
            "NAME\n       moss - x\n\nSYNOPSIS\n       {synopsis}\n\nCOMMANDS\n{list}"
        ))
    };
    assert_eq!(commands(&with("moss [OPTION] COMMAND")), ["add", "rm"]);
    assert_eq!(commands(&with("moss add STONE")), ["add", "rm"]);
    // What is typed once the program runs.
    assert_eq!(commands(&with("moss [FILE]")), [""; 0]);
    assert_eq!(
        options(&with("moss COMMAND")),
        [""; 0],
        "options of a command are its own"
    );
}

#[test]
fn overstrikes_are_read_through() {
    let page = read(
        "NAME\n       moss - x\n\nO\u{8}OP\u{8}PT\u{8}TI\u{8}IO\u{8}ON\u{8}NS\u{8}S\n       -\u{8}-a\u{8}a, -\u{8}--\u{8}-a\u{8}al\u{8}ll\u{8}l\n              All.\n",
    );
    assert_eq!(options(&page), ["-a --all"]);
}
