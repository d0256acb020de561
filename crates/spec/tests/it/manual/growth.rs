//! Time grows with the text and not with its square.

use argrail_spec::help::{Shell, Subject, read_completion, read_man};

/// How long this thread was on a processor, in nanoseconds: others on the machine do not count.
fn on_processor() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

fn cost(read: &dyn Fn(&str), text: &str) -> u64 {
    let runs = (0..2).map(|_| {
        let start = on_processor();
        read(text);
        on_processor() - start
    });
    runs.min().unwrap()
}

/// Four times the text may cost four times as much, and some more; sixteen times would be the square.
fn check(what: &str, start: &str, part: &str, read: &dyn Fn(&str)) {
    let text = |size: usize| format!("{start}{}", part.repeat(size / part.len()));
    let (small, large) = (text(12 << 10), text(48 << 10));
    let (little, much) = (cost(read, &small), cost(read, &large));
    let allowed = little * 10 + 20_000_000;
    assert!(
        much < allowed,
        "{what}: {part:?} after {start:?}: {little} ns, then {much} ns"
    );
}

const PARTS: [&str; 16] = [
    "-",
    ".",
    "\\f",
    "[",
    "\"",
    "'",
    "(",
    " ",
    "\n",
    "\\*x",
    "-a ",
    ".if n \\{\n",
    ".Bl\n.It Fl a\n",
    ".TP\n.B \\-a\n",
    "       -a\n\n",
    "case $x in a) ",
];

#[test]
fn pages_of_the_manual_are_read_in_linear_time() {
    let starts = [
        "",
        ".TH X 1\n.SH OPTIONS\n",
        ".Dt X 1\n.Sh OPTIONS\n",
        "NAME\n       x - y\n\nSYNOPSIS\n       x ",
        "OPTIONS\n       ",
    ];
    for start in starts {
        for part in PARTS {
            check("man", start, part, &|text| {
                drop(read_man(text, &Subject { name: "x", path: &[] }))
            });
        }
    }
}

#[test]
fn completion_scripts_are_read_in_linear_time() {
    for shell in Shell::ALL {
        for start in ["_x() {\n", "#compdef x\n_arguments '"] {
            for part in PARTS {
                let read = |text: &str| drop(read_completion(shell, text, &Subject { name: "x", path: &[] }));
                check("completion", start, part, &read);
            }
        }
    }
}

#[test]
fn a_text_of_ten_megabytes_is_cut_and_read() {
    for part in [".", "["] {
        let text = part.repeat((10 << 20) / part.len());
        let subject = Subject { name: "x", path: &[] };
        assert_eq!(read_man(&text, &subject).options, []);
        assert_eq!(read_completion(Shell::Bash, &text, &subject), []);
    }
}
