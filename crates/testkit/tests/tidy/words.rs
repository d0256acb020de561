//! Words that our code does not contain: sleeps in tests, unfinished work, unsafe code out of place.

use crate::finding::{Finding, report};
use crate::repository;
use crate::source::{Source, line_of, words};

const RULE: &str = "words";

/// The only folder with unsafe code that ships.
const UNSAFE: &str = "crates/sandbox/src/sys/";

/// The hostile child of the attack suite, which is system calls and nothing else.
const HOSTILE: &str = "crates/argrail/tests/hostile/";

/// Functions that let time pass and wait for nothing.
const SLEEPS: &[&str] = &["sleep", "sleep_until", "sleep_ms", "park_timeout"];

fn check(path: &str, text: &str) -> Vec<Finding> {
    let source = Source::of(text);
    let mut findings = Vec::new();
    let mut find = |line, message: String| findings.push(Finding::new(RULE, path, line, message));
    let tests_start = if is_test_file(path) {
        0
    } else {
        source.test_module().unwrap_or(usize::MAX)
    };
    for sleep in SLEEPS {
        for line in sleeps(&source, sleep)
            .into_iter()
            .filter(|line| *line >= tests_start)
        {
            find(
                line,
                format!("`{sleep}` in a test is too short or too long: wait for the event itself"),
            );
        }
    }
    for unfinished in ["todo!", "unimplemented!"] {
        for line in macros(&source, unfinished) {
            find(
                line,
                format!("`{unfinished}` panics: return an error, or leave the feature out"),
            );
        }
    }
    if !path.starts_with(UNSAFE) && !path.starts_with(HOSTILE) && path != "crates/sandbox/src/sys.rs" {
        for line in source.lines_with("unsafe") {
            find(
                line,
                format!("`unsafe` stands in {UNSAFE} only: give what you need a safe function there"),
            );
        }
    }
    for (index, line) in source.comments.lines().enumerate() {
        for mark in ["TODO", "FIXME"] {
            if words(line, mark).next().is_some() && !names_an_issue(line) {
                find(
                    index + 1,
                    format!("`{mark}` without an issue is forgotten: write `{mark}(#12)`, or do it"),
                );
            }
        }
    }
    findings
}

/// Returns the lines on which the function `name` is called, named by its path or imported. A method of that name is
/// somebody's own, and so is a variable.
fn sleeps(source: &Source, name: &str) -> Vec<usize> {
    let code = source.code.as_str();
    let stands = |at: &usize| {
        let before = code.get(..*at).unwrap_or_default();
        let after = code.get(*at + name.len()..).unwrap_or_default().trim_start();
        let imported = words(before, "use")
            .last()
            .and_then(|at| before.get(at..))
            .is_some_and(|statement| !statement.contains(';'));
        let before = before.trim_end();
        let called = after.starts_with('(') && !before.ends_with('.') && !before.ends_with("fn");
        called || before.ends_with("::") || imported
    };
    words(code, name)
        .filter(stands)
        .map(|at| line_of(code, at))
        .collect()
}

fn is_test_file(path: &str) -> bool {
    path.starts_with("crates/testkit/") || path.split('/').any(|part| part == "tests")
}

fn macros(source: &Source, name: &str) -> Vec<usize> {
    let word = name.trim_end_matches('!');
    let lines = source.lines_with(word);
    let has_macro = |line: &usize| {
        source
            .code
            .lines()
            .nth(line - 1)
            .is_some_and(|text| text.contains(name))
    };
    lines.into_iter().filter(has_macro).collect()
}

/// Returns whether the line has a `#` with a number.
fn names_an_issue(line: &str) -> bool {
    line.split('#')
        .skip(1)
        .any(|after| after.starts_with(|c: char| c.is_ascii_digit()))
}

#[test]
fn words_out_of_place_are_found() {
    fn table(path: &str, text: &str, expected: &[(usize, &str)]) {
        crate::finding::assert_findings(&check(path, text), expected, text);
    }
    let src = "crates/engine/src/a.rs";
    table(src, "async { tokio::time::sleep(d).await }", &[]); // the program may wait, its tests may not
    table(
        src,
        "fn a() {}\n#[cfg(test)]\nmod tests {\n thread::sleep(d);\n}",
        &[(4, "wait for the event")],
    );
    table(
        "crates/engine/tests/it/a.rs",
        "use std::thread::sleep;",
        &[(1, "wait for the event")],
    );
    // However it was imported.
    table(
        src,
        "#[cfg(test)]\nmod tests {\n use tokio::time::{\n  sleep, timeout};\n async fn a() { sleep(d).await }\n}",
        &[(4, "wait for the event"), (5, "wait for the event")],
    );
    table(
        "crates/engine/tests/it/a.rs",
        "use std::thread::{self as t, sleep as nap};\nt::park_timeout(d);",
        &[(1, "`sleep`"), (2, "`park_timeout`")],
    );
    table(
        "crates/engine/tests/it/a.rs",
        "fn sleep(&self) {}\nlet sleep = 1;\nruns(&sleep);\nhost.sleep(d);",
        &[],
    );
    table(
        "crates/testkit/src/a.rs",
        "tokio::time::sleep(d)",
        &[(1, "wait for the event")],
    );
    table(
        "crates/engine/tests/it/a.rs",
        "host.sleep(d); // thread::sleep",
        &[],
    );
    table(
        src,
        "fn a() { todo!() }\nlet todo = \"todo!\";",
        &[(1, "`todo!` panics")],
    );
    table(
        src,
        "fn a() { unimplemented!(\"later\") }",
        &[(1, "`unimplemented!` panics")],
    );
    table(
        src,
        "// TODO: later\n// TODO(#12): later\n// see TODOs\n// FIXME",
        &[(1, "`TODO(#12)`"), (4, "`FIXME(#12)`")],
    );
    table(src, "\nlet x = unsafe { y };", &[(2, "crates/sandbox/src/sys/")]);
    table(src, "#![forbid(unsafe_code)] // unsafe", &[]);
    table("crates/sandbox/src/sys/clone.rs", "unsafe { y }", &[]);
    table("crates/argrail/tests/hostile/files.rs", "unsafe { y }", &[]);
}

#[test]
fn no_word_stands_out_of_place() {
    let rust = repository::files()
        .iter()
        .filter_map(|file| Some((file.path.as_str(), file.rust()?)));
    report(
        &rust
            .flat_map(|(path, text)| check(path, text))
            .collect::<Vec<_>>(),
    );
}
