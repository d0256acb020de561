//! What a whole page says, from several.

use super::{commands, options, positionals};
use crate::help::page::{Origin, Page};

/// How many leads are kept.
const LEADS: usize = 50;

/// Merges pages about one command.
///
/// The order of the pages does not matter, and merging the result again changes nothing.
pub fn merge_pages(pages: Vec<Page>) -> Page {
    let about = best(&pages, |page| page.about.as_ref());
    let version = best(&pages, |page| page.version.as_ref());
    let mut leads: Vec<Vec<String>> = pages.iter().flat_map(|page| page.leads.clone()).collect();
    leads.sort();
    leads.dedup();
    leads.truncate(LEADS);
    let mut all_options = Vec::new();
    let mut all_commands = Vec::new();
    let mut lists = Vec::new();
    for page in pages {
        all_options.extend(page.options);
        all_commands.extend(page.commands);
        lists.push(page.positionals);
    }
    Page {
        about,
        version,
        options: options::merge(all_options),
        commands: commands::merge(all_commands),
        positionals: positionals::merge(lists),
        leads,
    }
}

/// The text of the best kind of page; the longer of two.
fn best(pages: &[Page], text: impl Fn(&Page) -> Option<&String>) -> Option<String> {
    let told = pages
        .iter()
        .filter_map(|page| text(page).map(|text| (origin(page), text.len(), text)));
    told.max().map(|(_, _, text)| text.clone())
}

/// The best kind of text that something on the page comes from.
fn origin(page: &Page) -> Option<Origin> {
    let options = page.options.iter().map(|option| option.seen.origin);
    let commands = page.commands.iter().map(|command| command.seen.origin);
    let positionals = page.positionals.iter().map(|positional| positional.seen.origin);
    options.chain(commands).chain(positionals).max()
}
