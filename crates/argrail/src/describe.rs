//! A tool and its commands as text for a person.

use argrail_engine::catalog::Known;
use argrail_engine::catalog::trust::Standing;
use argrail_spec::atip::{Effects, Estimate, Leaf, Metadata, leaves};

use crate::foreign::{Page, Table, one_line};
use crate::terminal;

/// Describes a tool: what it is, what is known of it, what it can do.
pub(crate) fn tool(known: &Known) -> String {
    let metadata = &known.tool.metadata;
    let version = metadata.version.as_deref().unwrap_or_default();
    let title = metadata.title.as_deref().unwrap_or_default();
    let (name, version, title) = (one_line(&metadata.name), one_line(version), one_line(title));
    let mut text = format!("{}\n", format!("{name} {version}  {title}").trim_end());
    if !metadata.description.is_empty() {
        text.push_str(&format!("{}\n", one_line(&metadata.description)));
    }
    text.push('\n');
    text.push_str(&facts(known));
    let leaves = leaves(metadata);
    let mut table = Table::new(&["command", "effects", "description"]);
    for leaf in leaves.list.iter().filter(|leaf| !leaf.hidden) {
        table.row([command(metadata, leaf).as_str(), &marked(leaf), leaf.description]);
    }
    text.push_str(&format!("\n{}", table.text()));
    if leaves.left_out > 0 {
        text.push_str(&format!("and {} more\n", leaves.left_out));
    }
    if !metadata.patterns.is_empty() {
        let mut table = Table::new(&["pattern", "description"]);
        for pattern in &metadata.patterns {
            table.row([pattern.name.as_str(), pattern.description.as_str()]);
        }
        text.push_str(&format!("\n{}", table.text()));
    }
    text
}

/// What a command changes, and whether it should not be used any more.
fn marked(leaf: &Leaf<'_>) -> String {
    let effects = effects(&leaf.effects);
    match leaf.deprecated {
        true => format!("{effects}, deprecated"),
        false => effects,
    }
}

fn facts(known: &Known) -> String {
    let metadata = &known.tool.metadata;
    let mut lines = vec![
        ("source", known.tool.source.as_str().to_owned()),
        ("trust", standing(&known.standing, &metadata.name)),
    ];
    if let Some(path) = &known.tool.path {
        lines.push(("path", path.to_string_lossy().into_owned()));
    }
    for (name, value) in [("homepage", &metadata.homepage), ("license", &metadata.license)] {
        lines.extend(value.iter().map(|value| (name, value.clone())));
    }
    if known.tool.expired {
        lines.push((
            "stale",
            "what it said is old; run: argrail scan --probe".to_owned(),
        ));
    }
    let mut page = Page::default();
    lines.iter().for_each(|(name, value)| page.line(name, value));
    page.text(terminal::width())
}

fn standing(standing: &Standing, tool: &str) -> String {
    match standing {
        Standing::Drift(drift) => {
            let now = drift.now.as_deref().unwrap_or("gone");
            let what = drift.what.as_str();
            format!(
                "drift: the {what} was {}, is {now}; it is not used until: argrail trust {tool}",
                drift.pinned
            )
        }
        Standing::Unknown | Standing::FirstUse | Standing::Accepted | Standing::Denied => {
            standing.as_str().to_owned()
        }
    }
}

/// Describes one command: how it is called, what it takes, what it changes.
pub(crate) fn leaf(metadata: &Metadata, leaf: &Leaf<'_>) -> String {
    let name = command(metadata, leaf);
    let mut text = format!("{}\n", one_line(&usage(&name, leaf)));
    if !leaf.description.is_empty() {
        text.push_str(&format!("{}\n", one_line(leaf.description)));
    }
    text.push_str(&format!("\neffects   {}\n", effects(&leaf.effects)));
    if leaf.deprecated {
        text.push_str("deprecated\n");
    }
    if !leaf.arguments.is_empty() {
        let mut table = Table::new(&["argument", "type", "description"]);
        for argument in leaf.arguments {
            table.row([&argument.name, argument.kind.as_str(), &argument.description]);
        }
        text.push_str(&format!("\n{}", table.text()));
    }
    if !leaf.options.is_empty() {
        let mut table = Table::new(&["option", "type", "description"]);
        for option in &leaf.options {
            let flags = option.flags.join(", ");
            table.row([
                flags.as_str(),
                option.option.kind.as_str(),
                &option.option.description,
            ]);
        }
        text.push_str(&format!("\n{}", table.text()));
    }
    let examples = leaf
        .command
        .map(|command| command.examples.as_slice())
        .unwrap_or_default();
    if !examples.is_empty() {
        let mut page = Page::default();
        page.list("examples", examples);
        text.push_str(&format!("\n{}", page.text(terminal::width())));
    }
    text
}

fn usage(name: &str, leaf: &Leaf<'_>) -> String {
    let mut usage = name.to_owned();
    if !leaf.options.is_empty() {
        usage.push_str(" [OPTIONS]");
    }
    for argument in leaf.arguments {
        let more = if argument.variadic == Some(true) {
            "..."
        } else {
            ""
        };
        let name = argument.name.to_uppercase();
        usage.push_str(&if argument.is_required() {
            format!(" {name}{more}")
        } else {
            format!(" [{name}{more}]")
        });
    }
    usage
}

fn command(metadata: &Metadata, leaf: &Leaf<'_>) -> String {
    let words = std::iter::once(metadata.name.as_str()).chain(leaf.path.iter().copied());
    words.collect::<Vec<_>>().join(" ")
}

/// What a command changes, in a few words. What nobody says is not claimed.
pub(crate) fn effects(effects: &Effects) -> String {
    let files = effects.filesystem.as_ref();
    let cost = effects.cost.as_ref();
    let estimate = cost.and_then(|cost| cost.estimate.as_deref());
    let some = |list: &Option<Vec<String>>| list.as_ref().is_some_and(|list| !list.is_empty());
    let said = [
        (effects.destructive == Some(true), "destructive"),
        (
            files.is_some_and(|files| files.delete == Some(true)),
            "deletes files",
        ),
        (
            files.is_some_and(|files| files.write == Some(true)),
            "writes files",
        ),
        (some(&effects.deletes), "deletes"),
        (some(&effects.modifies), "modifies"),
        (some(&effects.creates), "creates"),
        (
            cost.is_some_and(|cost| cost.billable == Some(true)),
            "costs money",
        ),
        (
            estimate.is_some_and(|word| Estimate::of(word) > Estimate::Low),
            "costly",
        ),
        (effects.network == Some(true), "network"),
        (effects.subprocess == Some(true), "starts programs"),
    ];
    let words: Vec<&str> = said
        .iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, word)| *word)
        .collect();
    if !words.is_empty() {
        return words.join(", ");
    }
    match effects.idempotent {
        Some(true) => "reads".to_owned(),
        Some(false) | None => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use argrail_spec::atip::Cost;

    use super::*;

    #[test]
    fn what_costs_is_no_plain_read() {
        let check = |estimate: &str, want: &str| {
            let costs = Effects {
                idempotent: Some(true),
                cost: Some(Cost {
                    estimate: Some(estimate.to_owned()),
                    ..Cost::default()
                }),
                ..Effects::default()
            };
            assert_eq!(effects(&costs), want, "{estimate}");
        };
        check("free", "reads");
        check("low", "reads");
        check("medium", "costly");
        check("variable", "costly");
    }
}
