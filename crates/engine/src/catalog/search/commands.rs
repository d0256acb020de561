//! The commands of every tool, and the patterns of everybody, as documents of the index.

use argrail_acli::Wording;
use argrail_spec::atip::{Goal, Leaf, Metadata, Pattern, goals, leaves, notes, tags, wording, wording_of};

use super::super::known::Known;
use super::rank::{Field, Hit, Index};

/// Something that a search can find.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// What to type: `gh pr create`, or `x-pattern NAME`.
    pub command: String,
    /// What it does.
    pub description: String,
    /// Who answers for what is said.
    pub wording: Wording,
    /// How well it fits.
    pub score: f64,
}

/// Searches the commands of `tools`, and the patterns of everybody.
pub fn find_commands(tools: &[Known], patterns: &[Pattern], query: &str, limit: usize) -> Vec<Found> {
    let mut index = Index::default();
    let mut found: Vec<(String, String, Wording)> = Vec::new();
    for known in tools {
        let metadata = &known.tool.metadata;
        if add_tool(&mut index, metadata) {
            let (name, description) = (metadata.name.clone(), metadata.description.clone());
            found.push((name, description, wording(metadata)));
        }
        for leaf in leaves(metadata).list.iter().filter(|leaf| !leaf.hidden) {
            let command = command(metadata, leaf);
            add_leaf(&mut index, metadata, leaf, &command);
            let wording = match (wording(metadata), leaf.command) {
                (Wording::Checked, Some(command)) => wording_of(&command.extra),
                (whole, _) => whole,
            };
            found.push((command, leaf.description.to_owned(), wording));
        }
    }
    for pattern in patterns {
        let tags = pattern.tags.join(" ");
        let steps: Vec<&str> = pattern.steps.iter().map(|step| step.command.as_str()).collect();
        let steps = steps.join(" ");
        index.add([
            (Field::Name, pattern.name.as_str()),
            (Field::Description, pattern.description.as_str()),
            (Field::Tags, tags.as_str()),
            (Field::Detail, steps.as_str()),
        ]);
        let command = format!("x-pattern {}", argrail_acli::quote(&pattern.name));
        found.push((command, pattern.description.clone(), Wording::Checked));
    }
    let hits = index.search(query, limit);
    let at = |Hit { document, score }| {
        let (command, description, wording) = found.get(document)?.clone();
        Some(Found {
            command,
            description,
            wording,
            // Only the order means something; digits beyond that would be read as more.
            score: (score * 1_000.0).round() / 1_000.0,
        })
    };
    hits.into_iter().filter_map(at).collect()
}

fn command(metadata: &Metadata, leaf: &Leaf<'_>) -> String {
    let words = std::iter::once(metadata.name.as_str()).chain(leaf.path.iter().copied());
    words.collect::<Vec<_>>().join(" ")
}

/// Adds the tool itself, where more is said about it than what its commands do. Returns whether there is.
fn add_tool(index: &mut Index, metadata: &Metadata) -> bool {
    let said = notes(&metadata.extra);
    let tags: Vec<&str> = tags(&metadata.extra).collect();
    if said.is_empty() && tags.is_empty() {
        return false;
    }
    let (said, tags) = (said.join(" "), tags.join(" "));
    index.add([
        (Field::Name, metadata.name.as_str()),
        (Field::Description, metadata.description.as_str()),
        (Field::Tags, tags.as_str()),
        (Field::Detail, said.as_str()),
    ]);
    true
}

fn add_leaf(index: &mut Index, metadata: &Metadata, leaf: &Leaf<'_>, command: &str) {
    let mut fields = vec![(Field::Name, command), (Field::Description, leaf.description)];
    fields.extend(metadata.title.as_deref().map(|title| (Field::Tags, title)));
    if !leaf.path.is_empty() {
        // What the tool is for lifts its commands a little: `kubernetes pods` is about kubectl.
        fields.push((Field::Detail, metadata.description.as_str()));
    }
    for option in &leaf.options {
        fields.push((Field::Detail, option.option.name.as_str()));
        fields.push((Field::Detail, option.option.description.as_str()));
    }
    for argument in leaf.arguments {
        fields.push((Field::Detail, argument.name.as_str()));
        fields.push((Field::Detail, argument.description.as_str()));
    }
    let examples = leaf.command.map(|command| command.examples.as_slice());
    fields.extend(
        examples
            .unwrap_or_default()
            .iter()
            .map(|example| (Field::Detail, example.as_str())),
    );
    let own = leaf
        .command
        .map(|command| (notes(&command.extra), &command.extra));
    if let Some((notes, extra)) = &own {
        fields.extend(notes.iter().map(|note| (Field::Detail, note.as_str())));
        fields.extend(tags(extra).map(|tag| (Field::Tags, tag)));
    }
    // What a bundle's example is for says what its command is for.
    let is_of = |goal: &Goal<'_>| {
        let rest = goal.line.strip_prefix(command);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let goals = goals(&metadata.extra).filter(|goal| !leaf.path.is_empty() && is_of(goal));
    fields.extend(goals.map(|goal| (Field::Detail, goal.goal)));
    index.add(fields);
}
