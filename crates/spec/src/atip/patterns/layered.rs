//! One list out of several: a later layer replaces the pattern of the same name, where it stands.

use indexmap::IndexMap;

use super::super::model::Pattern;

/// Lays the layers over each other, the first at the bottom. Each pattern keeps the name of its layer.
pub fn layered<O: Clone>(layers: impl IntoIterator<Item = (O, Vec<Pattern>)>) -> Vec<(Pattern, O)> {
    // What is replaced keeps its place.
    let mut all: IndexMap<String, (Pattern, O)> = IndexMap::new();
    for (origin, patterns) in layers {
        for pattern in patterns {
            all.insert(pattern.name.clone(), (pattern, origin.clone()));
        }
    }
    all.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_layer_replaces_by_name_and_keeps_the_place() {
        let pattern = |name: &str, description: &str| Pattern {
            name: name.into(),
            description: description.into(),
            ..Pattern::default()
        };
        let layers = [
            ("tool", vec![pattern("review", "1"), pattern("release", "1")]),
            ("system", vec![pattern("review", "2")]),
            ("user", vec![pattern("mine", "3")]),
            ("project", vec![pattern("review", "4"), pattern("mine", "4")]),
        ];
        let all = layered(layers);
        let seen: Vec<_> = all
            .iter()
            .map(|(pattern, origin)| (pattern.name.as_str(), pattern.description.as_str(), *origin))
            .collect();
        assert_eq!(
            seen,
            [
                ("review", "4", "project"),
                ("release", "1", "tool"),
                ("mine", "4", "project")
            ]
        );
    }
}
