//! Every argrail command that the README shows is one that argrail understands.

use argrail::CommandLine;
use argrail_testkit::readme::{argrail_arguments, readme_commands};
use clap::Parser;

const README: &str = include_str!("../../../../README.md");

#[test]
fn the_commands_of_the_readme_parse() {
    let commands = readme_commands(README);
    let ours: Vec<&[String]> = commands
        .iter()
        .filter_map(|words| argrail_arguments(words))
        .collect();
    assert!(ours.len() >= 4, "the README shows argrail at work: {commands:?}");
    for words in ours {
        let line = std::iter::once("argrail").chain(words.iter().map(String::as_str));
        if let Err(error) = CommandLine::try_parse_from(line) {
            panic!("README: {words:?}: {error}");
        }
    }
}
