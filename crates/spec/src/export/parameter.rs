//! The parameters of one function: options and arguments of a command under names that a provider takes.
//!
//! A name that is allowed as it is keeps it; an option goes before an argument of the same name. Any other has `_` for
//! what is not allowed, and where that is taken or too long, a digest behind it. The same list is made again when a
//! call comes back, so every name leads to the one parameter it was made for.

use std::collections::HashSet;

use serde_json::Value;

use super::names::with_digest;
use super::provider::NAME_LENGTH;
use super::shape::{Count, Said, Shape};
use crate::atip::{Argument, Kind, Leaf, LeafOption, spellings};
use crate::mcp_tools::JSON_LIST;

/// One parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parameter<'a> {
    /// Its name in the function.
    pub(crate) property: String,
    /// What it stands for.
    pub(crate) source: Source<'a>,
    /// What values it takes.
    pub(crate) shape: Shape,
    /// Whether it must be given.
    pub(crate) required: bool,
}

/// What a parameter stands for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source<'a> {
    /// An option, with the flags that can be written.
    Option {
        /// The option.
        option: LeafOption<'a>,
        /// What is written first stands first.
        spellings: Vec<&'a str>,
    },
    /// A positional argument.
    Argument(&'a Argument),
}

impl<'a> Source<'a> {
    /// Returns the name in the metadata.
    pub(crate) fn name(&self) -> &'a str {
        match self {
            Self::Option { option, .. } => &option.option.name,
            Self::Argument(argument) => &argument.name,
        }
    }

    /// Whether a whole list can be its value, as a JSON array.
    pub(crate) fn takes_array(&self) -> bool {
        match self {
            Self::Option { option, .. } => option.option.extra.get(JSON_LIST) == Some(&Value::Bool(true)),
            Self::Argument(_) => false,
        }
    }

    /// Returns what the metadata says it is for.
    pub(crate) fn description(&self) -> &'a str {
        match self {
            Self::Option { option, .. } => &option.option.description,
            Self::Argument(argument) => &argument.description,
        }
    }

    /// Returns its type.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Option { option, .. } => option.option.kind,
            Self::Argument(argument) => argument.kind,
        }
    }

    /// Returns what holds when it is not given.
    pub(crate) fn default(&self) -> Option<&'a Value> {
        match self {
            Self::Option { option, .. } => option.option.default.as_ref(),
            Self::Argument(argument) => argument.default.as_ref(),
        }
    }

    /// Returns the expression that its value matches.
    pub(crate) fn pattern(&self) -> Option<&'a str> {
        match self {
            Self::Option { option, .. } => option.option.pattern.as_deref(),
            Self::Argument(argument) => argument.pattern.as_deref(),
        }
    }

    /// Returns the JSON Schema that the metadata gives.
    pub(crate) fn schema(&self) -> Option<&'a Value> {
        match self {
            Self::Option { option, .. } => option.option.schema.as_ref(),
            Self::Argument(argument) => argument.schema.as_ref(),
        }
    }

    fn values(&self) -> Option<&'a [Value]> {
        match self {
            Self::Option { option, .. } => option.option.values.as_deref(),
            Self::Argument(argument) => argument.values.as_deref(),
        }
    }

    fn is_variadic(&self) -> bool {
        match self {
            Self::Option { option, .. } => option.option.variadic == Some(true),
            Self::Argument(argument) => argument.variadic == Some(true),
        }
    }

    fn is_required(&self) -> bool {
        match self {
            Self::Option { option, .. } => option.option.is_required(),
            Self::Argument(argument) => argument.is_required(),
        }
    }

    /// Whether it is an option without a value.
    pub(crate) fn is_flag(&self) -> bool {
        matches!(self, Self::Option { option, .. } if option.option.kind == Kind::Boolean)
    }
}

impl Parameter<'_> {
    /// Whether it is told by its place.
    pub(crate) fn is_positional(&self) -> bool {
        matches!(self.source, Source::Argument(_))
    }
}

/// Returns the parameters of `leaf` under names that `is_allowed`, and the options that cannot be written.
pub(crate) fn parameters<'a>(
    leaf: &Leaf<'a>,
    is_allowed: impl Fn(&str) -> bool,
) -> (Vec<Parameter<'a>>, Vec<&'a str>) {
    let mut unwritable = Vec::new();
    let mut sources = Vec::new();
    for option in &leaf.options {
        let spellings = spellings(option.flags.iter().copied());
        if spellings.is_empty() {
            unwritable.push(option.option.name.as_str());
        } else {
            let option = option.clone();
            sources.push(Source::Option { option, spellings });
        }
    }
    sources.extend(leaf.arguments.iter().map(Source::Argument));
    let names = property_names(&sources, is_allowed);
    let parameters = sources.into_iter().zip(names).map(|(source, property)| {
        let mut shape = Shape::of(Said {
            kind: source.kind(),
            values: source.values(),
            schema: source.schema(),
            variadic: source.is_variadic(),
        });
        if source.is_flag() {
            // `-v -v` is a flag that is counted; a list of truths means nothing.
            shape.count = Count::One;
        }
        Parameter {
            required: source.is_required(),
            property,
            shape,
            source,
        }
    });
    (parameters.collect(), unwritable)
}

fn property_names(sources: &[Source<'_>], is_allowed: impl Fn(&str) -> bool) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    // Those that are fit as they are come first, whatever stands before them.
    let fit: Vec<bool> = sources
        .iter()
        .map(|source| is_allowed(source.name()) && taken.insert(source.name().to_owned()))
        .collect();
    let mut names = Vec::new();
    for (index, (source, is_fit)) in sources.iter().zip(fit).enumerate() {
        let name = source.name();
        if is_fit {
            names.push(name.to_owned());
            continue;
        }
        let plain = underscored(name);
        let is_whole = plain.len() <= NAME_LENGTH;
        let property = if is_whole && is_allowed(&plain) && !taken.contains(&plain) {
            plain
        } else {
            let place = index.to_string();
            let role = if source.is_flag() { "flag" } else { "value" };
            let mut candidates = [vec![role, name], vec![role, name, place.as_str()]].into_iter();
            candidates
                .find_map(|words| Some(with_digest(&plain, &words)).filter(|name| !taken.contains(name)))
                .unwrap_or_else(|| format!("_{index}"))
        };
        taken.insert(property.clone());
        names.push(property);
    }
    names
}

/// Returns `name` with `_` for all but letters and digits, and none of these at the start.
fn underscored(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        out.insert(0, '_');
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::atip::Opt;
    use crate::export::Format;

    fn option(name: &str) -> Opt {
        Opt {
            name: name.to_owned(),
            flags: vec!["--x".to_owned()],
            ..Opt::default()
        }
    }

    fn argument(name: &str) -> Argument {
        Argument {
            name: name.to_owned(),
            ..Argument::default()
        }
    }

    fn names(format: Format, options: &[&str], arguments: &[&str]) -> Vec<String> {
        let options: Vec<Opt> = options.iter().map(|name| option(name)).collect();
        let arguments: Vec<Argument> = arguments.iter().map(|name| argument(name)).collect();
        let of_options = options.iter().map(|option| Source::Option {
            option: LeafOption {
                option,
                flags: vec!["--x"],
                level: 0,
            },
            spellings: vec!["--x"],
        });
        let sources: Vec<Source<'_>> = of_options.chain(arguments.iter().map(Source::Argument)).collect();
        property_names(&sources, |name| format.provider().allows_property(name))
    }

    #[test]
    fn names_are_kept_where_they_are_allowed() {
        let check = |format: Format, options: &[&str], arguments: &[&str], want: &[&str]| {
            assert_eq!(names(format, options, arguments), want, "{format:?}");
        };
        check(
            Format::Openai,
            &["dry-run", "a.b"],
            &["file"],
            &["dry-run", "a.b", "file"],
        );
        check(
            Format::Gemini,
            &["dry-run", "a.b"],
            &["7"],
            &["dry_run", "a_b", "_7"],
        );
        // An option goes before an argument, and a name that needs no change before one that does.
        let taken = names(Format::Openai, &["title"], &["title"]);
        assert!(
            taken[0] == "title" && taken[1].starts_with("title__"),
            "{taken:?}"
        );
        let taken = names(Format::Gemini, &["dry-run", "dry_run"], &[]);
        assert!(
            taken[1] == "dry_run" && taken[0].starts_with("dry_run__"),
            "{taken:?}"
        );
    }

    proptest! {
        #[test]
        fn names_are_allowed_and_none_stands_twice(
            options in prop::collection::vec("[a.é _-]{0,3}|x{60,70}", 0..8),
            arguments in prop::collection::vec("[a.é _-]{0,3}|x{60,70}", 0..8),
        ) {
            for format in Format::ALL {
                let as_str = |names: &[String]| names.iter().map(|name| name.to_owned()).collect::<Vec<_>>();
                let (options, arguments) = (as_str(&options), as_str(&arguments));
                let options: Vec<&str> = options.iter().map(String::as_str).collect();
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                let names = names(format, &options, &arguments);
                let unique: HashSet<&String> = names.iter().collect();
                prop_assert_eq!(unique.len(), names.len());
                for name in &names {
                    prop_assert!(format.provider().allows_property(name), "{:?}: {}", format, name);
                }
            }
        }
    }
}
