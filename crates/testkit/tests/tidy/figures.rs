//! The house in figures: how much code there is, how it is cut, and whether its names carry.
//!
//! `cargo test -p argrail-testkit --test tidy figures -- --nocapture` prints the table. The bounds are what the
//! last change reached: a figure may get better and never worse.

use std::collections::BTreeMap;

use crate::layers;
use crate::repository::{self, File};
use crate::source::Source;

/// What is counted in one crate, or in all of them.
#[derive(Debug, Default)]
struct Figures {
    /// Lines before the tests of each file, blank lines and comments among them.
    lengths: Vec<usize>,
    /// Lines that hold code.
    code_lines: usize,
    /// Lines that are comments and no documentation: these say why.
    why_comments: usize,
    /// Names of types, one for each definition.
    types: Vec<String>,
    /// Modules at the top of the crate that reach themselves by way of others.
    modules_in_cycles: usize,
}

impl Figures {
    fn add_file(&mut self, text: &str) {
        let source = Source::of(text);
        let until = source.test_module().map_or(usize::MAX, |line| line - 1);
        self.lengths.push(text.lines().count().min(until));
        let code = source.code.lines().take(until);
        self.code_lines += code.clone().filter(|line| !line.trim().is_empty()).count();
        self.types.extend(code.filter_map(type_name).map(str::to_owned));
        self.why_comments += source
            .comments
            .lines()
            .take(until)
            .filter(|line| is_why_comment(line.trim()))
            .count();
    }

    fn absorb(&mut self, other: &Self) {
        self.lengths.extend(&other.lengths);
        self.types.extend(other.types.iter().cloned());
        self.code_lines += other.code_lines;
        self.why_comments += other.why_comments;
        self.modules_in_cycles += other.modules_in_cycles;
    }

    fn lines(&self) -> usize {
        self.lengths.iter().sum()
    }

    /// Returns the length that this share of the files stays within.
    fn length_at(&self, percent: usize) -> usize {
        let mut sorted = self.lengths.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() * percent / 100).copied().unwrap_or(0)
    }

    /// Returns the share of definitions whose name another definition has too, in percent.
    fn shared_types(&self) -> f64 {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for name in &self.types {
            *counts.entry(name).or_default() += 1;
        }
        let shared = counts.values().filter(|count| **count > 1).sum();
        percent(shared, self.types.len())
    }

    /// Returns the share of type names that are one English word, in percent.
    fn one_word_types(&self) -> f64 {
        let one_word = self.types.iter().filter(|name| is_one_word(name)).count();
        percent(one_word, self.types.len())
    }

    fn why_per_thousand(&self) -> f64 {
        percent(self.why_comments, self.lines()) * 10.0
    }

    fn row(&self, name: &str) -> String {
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {:.0} % | {:.0} % | {:.1} |",
            self.lengths.len(),
            self.lines(),
            self.code_lines,
            self.length_at(50),
            self.length_at(90),
            self.modules_in_cycles,
            self.shared_types(),
            self.one_word_types(),
            self.why_per_thousand(),
        )
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of lines are far below 2^52")]
fn percent(part: usize, whole: usize) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

/// Returns the name of the type that a line of code defines. Associated types are not definitions of their own.
fn type_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().peekable();
    // `pub(in crate::policy)` is two words; the second ends with the bracket.
    while words
        .next_if(|word| word.starts_with("pub") || word.ends_with(')') || *word == "unsafe")
        .is_some()
    {}
    let keyword = words.next()?;
    let is_alias = keyword == "type" && !line.starts_with(' ');
    if !matches!(keyword, "struct" | "enum" | "trait" | "union") && !is_alias {
        return None;
    }
    let name = words.next()?;
    let end = name
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(name.len());
    name.get(..end)
        .filter(|name| name.starts_with(char::is_uppercase))
}

fn is_one_word(name: &str) -> bool {
    name.chars().filter(|c| c.is_uppercase()).count() == 1
}

fn is_why_comment(line: &str) -> bool {
    line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
}

/// Returns whether the file is a part of what is shipped, and of which crate.
fn crate_of(path: &str) -> Option<&str> {
    let (name, rest) = match path.strip_prefix("crates/") {
        Some(rest) => rest.split_once('/')?,
        None => ("bench", path.strip_prefix("bench/")?),
    };
    let is_test = rest.split('/').any(|part| matches!(part, "tests" | "tests.rs"));
    (rest.starts_with("src/") && !is_test).then_some(name)
}

fn count(files: &[File]) -> BTreeMap<&str, Figures> {
    let mut crates: BTreeMap<&str, Figures> = BTreeMap::new();
    for file in files {
        if let (Some(name), Some(text)) = (crate_of(&file.path), file.rust()) {
            crates.entry(name).or_default().add_file(text);
        }
    }
    for (name, figures) in &mut crates {
        figures.modules_in_cycles = layers::modules_in_cycles(files, name).len();
    }
    crates
}

#[test]
fn figures_of_the_house() {
    let crates = count(repository::files());
    let mut all = Figures::default();
    println!(
        "| crate | files | lines | of code | median | p90 | modules in cycles | shared type names | one-word type names | why-comments per 1,000 lines |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, figures) in &crates {
        println!("{}", figures.row(name));
        all.absorb(figures);
    }
    println!("{}", all.row("all"));
    assert!(
        all.code_lines > 50_000,
        "the walk found {} lines of code",
        all.code_lines
    );
}

#[test]
fn a_type_is_known_by_its_definition() {
    let check = |line: &str, name: Option<&str>| assert_eq!(type_name(line), name, "{line}");
    check("pub(crate) struct Host<'a> {", Some("Host"));
    check("pub(in crate::policy) enum Case {", Some("Case"));
    check("struct Pair(u8, u8);", Some("Pair"));
    check("pub unsafe trait Entry {}", Some("Entry"));
    check("pub type Answer = Result<(), ()>;", Some("Answer"));
    check("    type Output = u8;", None);
    check("    let structure = 1;", None);
    check("impl Host {", None);
}

#[test]
fn figures_count_what_comes_before_the_tests() {
    let mut figures = Figures::default();
    figures.add_file("//! Header.\n\n// Because.\nstruct One;\n/// Doc.\nstruct TwoWords;\n#[cfg(test)]\nmod tests {\n    struct One;\n}\n");
    assert_eq!(figures.lines(), 6);
    assert_eq!(figures.code_lines, 2);
    assert_eq!(figures.why_comments, 1);
    assert_eq!(figures.types, ["One", "TwoWords"]);
    assert!((figures.one_word_types() - 50.0).abs() < 0.1);
    assert!(figures.shared_types() < 0.1);
    figures.add_file("enum One {}\n");
    assert!((figures.shared_types() - 66.7).abs() < 0.1);
}

#[test]
fn tests_are_not_shipped() {
    let check = |path: &str, name: Option<&str>| assert_eq!(crate_of(path), name, "{path}");
    check("crates/engine/src/audit/key.rs", Some("engine"));
    check("crates/engine/src/policy/tests/input.rs", None);
    check("crates/engine/src/dialect/tests.rs", None);
    check("crates/engine/tests/it/main.rs", None);
    check("bench/src/main.rs", Some("bench"));
    check("docs/guide.md", None);
}
