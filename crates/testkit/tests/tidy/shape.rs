//! The shape of the tree: short files, telling names, no logic where only declarations belong.

use crate::finding::{Finding, report};
use crate::graph::EMPTY_NAMES;
use crate::repository;
use crate::source::{Source, line_of, matching, words};

const RULE: &str = "shape";

/// How many lines a file may have before its tests.
const LINES: usize = 500;

fn check_length(path: &str, text: &str) -> Option<Finding> {
    let lines = Source::of(text)
        .test_module()
        .map_or_else(|| text.lines().count(), |line| line - 1);
    (lines > LINES).then(|| {
        let message =
            format!("{lines} lines before its tests, {LINES} are allowed: split the file by concept");
        Finding::new(RULE, path, LINES + 1, message)
    })
}

fn check_name(path: &str) -> Option<Finding> {
    let empty = |part: &str| EMPTY_NAMES.contains(&part.split('.').next().unwrap_or_default());
    let part = path.split('/').find(|part| empty(part))?;
    Some(Finding::new(
        RULE,
        path,
        1,
        format!("'{part}' says nothing: name it after what is inside"),
    ))
}

/// `mod.rs` and `lib.rs` declare, re-export and explain. Macros and tests are excepted.
fn check_bodies(path: &str, text: &str) -> Option<Finding> {
    let name = path.rsplit('/').next().unwrap_or_default();
    if !matches!(name, "lib.rs" | "mod.rs") {
        return None;
    }
    let source = Source::of(text);
    let code = source.code.as_str();
    let tests = source.test_module().unwrap_or(usize::MAX);
    let macros: Vec<_> = words(code, "macro_rules")
        .filter_map(|at| braces(code, at))
        .collect();
    let at = words(code, "fn").find(|at| {
        line_of(code, *at) < tests
            && !macros.iter().any(|(start, end)| (start..end).contains(&at))
            && has_body(code, *at)
    })?;
    let message = format!("a function body in {name}: move it to a file named after what it does");
    Some(Finding::new(RULE, path, line_of(code, at), message))
}

/// Returns whether the `fn` at byte `at` is an item that goes on with a body.
fn has_body(code: &str, at: usize) -> bool {
    let signature = code.get(at + 2..).unwrap_or_default();
    if !signature
        .trim_start()
        .starts_with(|c: char| c.is_alphabetic() || c == '_')
    {
        return false; // A function pointer type.
    }
    let mut depth = 0i32;
    let end = signature.chars().find(|c| {
        depth += match c {
            '(' | '[' => 1,
            ')' | ']' => -1,
            _ => 0,
        };
        depth == 0 && matches!(c, '{' | ';')
    });
    end == Some('{')
}

/// Returns the first braces after byte `at`.
fn braces(code: &str, at: usize) -> Option<(usize, usize)> {
    let start = at + code.get(at..)?.find('{')?;
    Some((start, matching(code, start, '{', '}')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_up_to_the_tests() {
        let lines = |count: usize| "x\n".repeat(count);
        let tests = "#[cfg(test)]\nmod tests {\n";
        let long = |text: String| check_length("a.rs", &text).is_some();
        assert!(!long(lines(500)));
        assert!(long(lines(501)));
        assert!(!long(lines(500) + tests + &lines(400)));
        assert!(long("#[cfg(test)]\nmod fakes;\n".to_owned() + &lines(499))); // a declaration hides nothing
    }

    #[test]
    fn names_that_say_nothing_are_found() {
        for path in [
            "crates/a/src/utils.rs",
            "crates/common/src/a.rs",
            "docs/misc/a.md",
            "core",
            "a/helpers.test.js",
        ] {
            assert!(check_name(path).is_some(), "{path}");
        }
        for path in [
            "crates/a/src/utilities.rs",
            "docs/hardcore.md",
            "crates/acli/src/core_set.rs",
        ] {
            assert!(check_name(path).is_none(), "{path}");
        }
    }

    #[test]
    fn bodies_are_found_where_only_declarations_belong() {
        fn table(path: &str, text: &str, line: Option<usize>) {
            assert_eq!(
                check_bodies(path, text).map(|finding| finding.line),
                line,
                "for {text:?}"
            );
        }
        table(
            "a/lib.rs",
            "mod a;\npub use a::b;\n/// ```\n/// fn x() {}\n/// ```\npub type F = fn(u8) -> u8;\n",
            None,
        );
        table("a/lib.rs", "mod a;\nfn x() {}\n", Some(2));
        table(
            "a/mod.rs",
            "trait T {\n fn x(&self, a: [u8; 2]);\n fn y(&self) -> [u8; 2] { z }\n}\n",
            Some(3),
        );
        table(
            "a/mod.rs",
            "macro_rules! m { () => { fn x() {} } }\npub const A: u8 = 1;\n",
            None,
        );
        table(
            "a/lib.rs",
            "mod a;\n#[cfg(test)]\nmod tests {\n#[test]\nfn x() {}\n}\n",
            None,
        );
        table("a/call.rs", "fn x() {}\n", None);
    }

    #[test]
    fn files_are_short_and_telling() {
        let mut findings = Vec::new();
        for file in repository::files() {
            findings.extend(check_name(&file.path));
            if let Some(text) = file.rust() {
                findings.extend(check_length(&file.path, text));
                findings.extend(check_bodies(&file.path, text));
            }
        }
        report(&findings);
    }
}
