//! How a value of a declared field is read, and what its schema is: of one shape, and of what may be around it.

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{
    CommandLine, Composable, Field, IsoDuration, MAX_ITEMS, ManifestVersion, Reference, Sha256Text, TWICE,
    VersionPattern, VersionRange, command_line,
};

/// A type that is read from a manifest in the shape `S`.
///
/// Both halves of a constraint stand in one `impl`: what [`decode`](Self::decode) refuses, [`schema`](Self::schema)
/// refuses, as far as a schema can say it.
pub(crate) trait Decode<S = Own>: Sized {
    /// What one is called in the complaint that it stands twice.
    const NOUN: &'static str = "word";

    /// Reads it; whatever is wrong is said in `out`.
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self>;

    /// Returns the schema of what is accepted.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

/// The shape of a type that has only one.
pub(crate) struct Own;

/// A list of at least `MIN` entries in the shape `S`.
pub(crate) struct List<S = Own, const MIN: usize = 0>(S);

/// A list in which nothing stands twice.
pub(crate) struct Set<S = Own, const MIN: usize = 0>(S);

/// An object whose keys are names of anybody's own.
pub(crate) struct ByName<S = Own>(S);

/// A type with a value for "not written".
pub(crate) trait Absent: Default {
    fn is_absent(&self) -> bool;
}

impl<T> Absent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Absent for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl<T> Absent for IndexMap<String, T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl Absent for Map<String, Value> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

/// What is around a value is transparent: `Option<Spanned<String>> as Line<80>` is read as a line.
macro_rules! around {
    ($($outer:ident: |$value:ident, $field:ident| $made:expr;)*) => {$(
        impl<S, T: Decode<S>> Decode<S> for $outer<T> {
            const NOUN: &'static str = T::NOUN;

            fn decode($field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
                let $value = T::decode($field, out)?;
                Some($made)
            }

            fn schema(generator: &mut SchemaGenerator) -> Schema {
                T::schema(generator)
            }
        }
    )*};
}

around! {
    Option: |value, field| Some(value);
    Box: |value, field| Box::new(value);
    Spanned: |value, field| Spanned::new(value, field.span());
}

impl<S, T: Decode<S>, const MIN: usize> Decode<List<S, MIN>> for Vec<T> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let items = if MIN == 0 {
            field.items(out)?
        } else {
            field.some_items(out)?
        };
        Some(items.iter().filter_map(|item| T::decode(item, out)).collect())
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let items = T::schema(generator);
        let mut schema = json_schema!({"type": "array", "items": items, "maxItems": MAX_ITEMS});
        if MIN > 0 {
            schema.insert("minItems".to_owned(), MIN.into());
        }
        schema
    }
}

impl<S, T: Decode<S> + PartialEq, const MIN: usize> Decode<Set<S, MIN>> for Vec<T> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let items = if MIN == 0 {
            field.items(out)?
        } else {
            field.some_items(out)?
        };
        let mut set = Vec::new();
        for item in items {
            let Some(one) = T::decode(&item, out) else {
                continue;
            };
            if set.contains(&one) {
                let what = format!("the {} stands twice", T::NOUN);
                out.push(item.refuse(TWICE, what).hint("remove one of the two"));
            } else {
                set.push(one);
            }
        }
        Some(set)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = <Self as Decode<List<S, MIN>>>::schema(generator);
        schema.insert("uniqueItems".to_owned(), true.into());
        schema
    }
}

impl<S, T: Decode<S>> Decode<ByName<S>> for IndexMap<String, T> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let object = field.open(out)?;
        let read = |(member, value): (&crate::doc::Member, Field<'_>)| {
            T::decode(&value, out).map(|one| (member.key.clone(), one))
        };
        Some(object.members().filter_map(read).collect())
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let one = T::schema(generator);
        json_schema!({"type": "object", "additionalProperties": one})
    }
}

/// Types that are read by a function of their own; their schema is [`JsonSchema`]'s.
macro_rules! own {
    ($($type:ty: |$field:ident, $out:ident| $read:expr;)*) => {$(
        impl $crate::declare::Decode for $type {
            fn decode(
                $field: &$crate::manifest::Field<'_>,
                $out: &mut $crate::doc::fields::Complaints,
            ) -> Option<Self> {
                $read
            }

            fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<Self>()
            }
        }
    )*};
}

pub(crate) use own;

own! {
    bool: |field, out| field.truth(out);
    Value: |field, _out| Some(field.node.to_json());
    Map<String, Value>: |field, out| field.map(out);
    Reference: |field, out| field.reference(out);
    CommandLine: |field, out| command_line(field, out);
    IsoDuration: |field, out| field.duration(out);
    VersionRange: |field, out| field.range(out);
    VersionPattern: |field, out| field.version_pattern(out);
    Sha256Text: |field, out| field.sha256(out);
    ManifestVersion: |field, out| field.version(out).map(|version| version.value);
}

impl<T: Decode + JsonSchema> Decode for Composable<T> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.composable(out, T::decode)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Self>()
    }
}
