//! Several pages about one command, made into one.

use super::page::Page;

/// Merges pages: what an earlier one has stays, and later ones add what it lacks.
pub fn merge_pages(pages: Vec<Page>) -> Page {
    let mut pages = pages.into_iter();
    let mut merged = pages.next().unwrap_or_default();
    for page in pages {
        merged.about = merged.about.or(page.about);
        merged.version = merged.version.or(page.version);
        for option in page.options {
            let known = merged
                .options
                .iter()
                .any(|known| known.spellings.iter().any(|one| option.spellings.contains(one)));
            if !known {
                merged.options.push(option);
            }
        }
        for command in page.commands {
            if !merged.commands.iter().any(|known| known.name == command.name) {
                merged.commands.push(command);
            }
        }
        if merged.positionals.is_empty() {
            merged.positionals = page.positionals;
        }
        merged.leads.extend(page.leads);
    }
    merged
}
