//! `manifest!`: one declaration of an object, four uses of it.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::{Map, Value, json};

use super::decode::{Absent, Decode};
use crate::doc::fields::Complaints;
use crate::manifest::{Closed, Field};

/// Declares objects of a manifest.
///
/// ```text
/// pub struct NAME("schema name") MODE, before FUNCTION, check FUNCTION {
///     MARK field("key"): Type as Shape => FUNCTION,
/// }
/// ```
///
/// - MODE is what becomes of fields that nobody declared: `closed` refuses them, `open` warns of those that are a typo
///   away from one that is declared, `unchecked` says nothing.
/// - MARK is `need` (it must be there), `need_or_null` (the same, and written as null while empty), `may` (its type has a value for "not written") or `derived` (no field of the
///   text: whoever checks the object fills it in).
/// - The key is the name of the field, the shape [`Own`](super::Own), unless something else is written.
/// - A function behind a field is a rule about that value: `fn(&Type, &Field, &mut Complaints)`. `before` sees the
///   opened object first (`fn(&mut Closed, &mut Complaints)`), and may [`peek`] at fields: rules that hold whatever else
///   is missing stand there; `check` gets what was read, if nothing that is needed is
///   missing (`fn(&mut Self, &Field, &mut Complaints)`).
macro_rules! manifest {
    ($(
        $(#[$($meta:tt)*])*
        $vis:vis struct $name:ident $(($title:literal))? $mode:ident
            $(, before $before:path)? $(, check $check:path)?
        {
            $(
                $(#[$($field_meta:tt)*])*
                $mark:ident $field:ident $(($key:literal))? : $type:ty $(as $shape:ty)? $(=> $rule:path)?
            ),* $(,)?
        }
    )*) => {$(
        #[derive(Debug, Clone, PartialEq)]
        $(#[$($meta)*])*
        $vis struct $name {
            $( $(#[$($field_meta)*])* pub $field: $type, )*
        }

        impl $name {
            /// Reads the fields of an object that was opened.
            pub(crate) fn read(
                mut object: $crate::manifest::Closed<'_>,
                out: &mut $crate::doc::fields::Complaints,
            ) -> Option<Self> {
                $( $before(&mut object, out); )?
                $(
                    let $field = $crate::declare::$mark::read::<
                        $type, $crate::declare::object::either!([$($shape)?] $crate::declare::Own)
                    >(
                        &mut object,
                        $crate::declare::object::either!([$($key)?] stringify!($field)),
                        out,
                        |_value, _field, _out| { $( $rule(_value, _field, _out); )? },
                    );
                )*
                let _field = object.field().clone();
                $crate::declare::object::$mode(object, out);
                let value = Self { $( $field: $field?, )* };
                $(
                    let mut value = value;
                    $check(&mut value, &_field, out);
                )?
                Some(value)
            }

            /// Writes the fields into an object that was begun.
            pub(crate) fn write<To: serde::ser::SerializeMap>(&self, to: &mut To) -> Result<(), To::Error> {
                $(
                    let key = $crate::declare::object::either!([$($key)?] stringify!($field));
                    $crate::declare::$mark::write(to, key, &self.$field)?;
                )*
                Ok(())
            }
        }

        impl $crate::declare::Decode for $name {
            fn decode(
                field: &$crate::manifest::Field<'_>,
                out: &mut $crate::doc::fields::Complaints,
            ) -> Option<Self> {
                Self::read(field.open(out)?, out)
            }

            fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<Self>()
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $crate::declare::object::either!([$($title)?] stringify!($name)).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let about = $crate::declare::described!($([$($meta)*])*);
                let mut object = $crate::declare::ObjectSchema::new(about, stringify!($mode));
                $(
                    let schema = $crate::declare::$mark::schema::<
                        $type, $crate::declare::object::either!([$($shape)?] $crate::declare::Own)
                    >(generator);
                    object.add(
                        $crate::declare::object::either!([$($key)?] stringify!($field)),
                        $crate::declare::$mark::REQUIRED,
                        $crate::declare::described!($([$($field_meta)*])*),
                        schema,
                    );
                )*
                object.into_schema()
            }
        }

        impl serde::Serialize for $name {
            fn serialize<To: serde::Serializer>(&self, to: To) -> Result<To::Ok, To::Error> {
                let mut map = serde::Serializer::serialize_map(to, None)?;
                self.write(&mut map)?;
                serde::ser::SerializeMap::end(map)
            }
        }
    )*};
}

/// What is written, or else what is usual: as a type or as an expression.
macro_rules! either {
    ([] $($usual:tt)*) => { $($usual)* };
    ([$($written:tt)+] $($usual:tt)*) => { $($written)+ };
}

/// The lines of a doc comment, among other attributes.
macro_rules! described {
    ($([$($meta:tt)*])*) => {
        &[$( $crate::declare::object::doc_line!($($meta)*) ),*] as &[&str]
    };
}

macro_rules! doc_line {
    (doc = $text:literal) => {
        $text
    };
    ($($other:tt)*) => {
        ""
    };
}

pub(crate) use {described, doc_line, either, manifest};

pub(crate) fn closed(object: Closed<'_>, out: &mut Complaints) {
    object.shut(out);
}

pub(crate) fn open(object: Closed<'_>, out: &mut Complaints) {
    object.leave(out);
}

pub(crate) fn unchecked(_: Closed<'_>, _: &mut Complaints) {}

/// A field that must be there.
pub(crate) mod need {
    use super::*;

    pub(crate) const REQUIRED: bool = true;

    pub(crate) fn read<T: Decode<S>, S>(
        object: &mut Closed<'_>,
        key: &'static str,
        out: &mut Complaints,
        rule: impl Fn(&T, &Field<'_>, &mut Complaints),
    ) -> Option<T> {
        let field = object.need(key, out)?;
        let value = T::decode(&field, out)?;
        rule(&value, &field, out);
        Some(value)
    }

    pub(crate) fn schema<T: Decode<S>, S>(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::schema(generator))
    }

    pub(crate) fn write<M: SerializeMap>(
        to: &mut M,
        key: &str,
        value: &impl Serialize,
    ) -> Result<(), M::Error> {
        to.serialize_entry(key, value)
    }
}

/// A field that may be left out. One that cannot be read counts as left out, besides the complaint.
pub(crate) mod may {
    use super::*;

    pub(crate) const REQUIRED: bool = false;

    pub(crate) fn read<T: Decode<S> + Absent, S>(
        object: &mut Closed<'_>,
        key: &'static str,
        out: &mut Complaints,
        rule: impl Fn(&T, &Field<'_>, &mut Complaints),
    ) -> Option<T> {
        let read = object.take(key).and_then(|field| {
            let value = T::decode(&field, out)?;
            rule(&value, &field, out);
            Some(value)
        });
        Some(read.unwrap_or_default())
    }

    pub(crate) use super::need::schema;

    pub(crate) fn write<M: SerializeMap>(
        to: &mut M,
        key: &str,
        value: &(impl Serialize + Absent),
    ) -> Result<(), M::Error> {
        if value.is_absent() {
            return Ok(());
        }
        to.serialize_entry(key, value)
    }
}

/// A field that must be there, if only as a place that is left open.
pub(crate) mod need_or_null {
    use super::*;

    pub(crate) use super::need::{REQUIRED, read, schema};

    pub(crate) fn write<M: SerializeMap>(
        to: &mut M,
        key: &str,
        value: &(impl Serialize + Absent),
    ) -> Result<(), M::Error> {
        let written = Some(value).filter(|value| !value.is_absent());
        to.serialize_entry(key, &written)
    }
}

/// No field of the text: whoever checks the object fills it in.
pub(crate) mod derived {
    use super::*;

    pub(crate) const REQUIRED: bool = false;

    #[expect(
        clippy::extra_unused_type_parameters,
        reason = "the same call as of the other marks"
    )]
    pub(crate) fn read<T: Default, S>(
        _: &mut Closed<'_>,
        _: &'static str,
        _: &mut Complaints,
        _: impl Fn(&T, &Field<'_>, &mut Complaints),
    ) -> Option<T> {
        Some(T::default())
    }

    #[expect(
        clippy::extra_unused_type_parameters,
        reason = "the same call as of the other marks"
    )]
    pub(crate) fn schema<T, S>(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    pub(crate) fn write<M: SerializeMap, T>(_: &mut M, _: &str, _: &T) -> Result<(), M::Error> {
        Ok(())
    }
}

/// Reads a field ahead, for a rule about several fields; what is wrong with it is told when its turn comes.
pub(crate) fn peek<T: Decode<S>, S>(object: &Closed<'_>, key: &str) -> Option<T> {
    let field = object.field().member(key)?;
    T::decode(&field, &mut Complaints::default())
}

/// The schema of an object, field by field.
pub(crate) struct ObjectSchema {
    about: String,
    is_closed: bool,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl ObjectSchema {
    pub(crate) fn new(about: &[&str], mode: &str) -> Self {
        Self {
            about: joined(about),
            is_closed: mode == "closed",
            properties: Map::new(),
            required: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, key: &'static str, required: bool, about: &[&str], schema: Option<Schema>) {
        let Some(mut schema) = schema else { return };
        schema.insert("description".to_owned(), joined(about).into());
        self.properties.insert(key.to_owned(), schema.to_value());
        if required {
            self.required.push(key);
        }
    }

    pub(crate) fn into_schema(self) -> Schema {
        let mut schema = json_schema!({
            "description": self.about,
            "type": "object",
            "properties": self.properties,
        });
        if self.is_closed {
            schema.insert("additionalProperties".to_owned(), false.into());
            schema.insert("patternProperties".to_owned(), json!({"^x-": true}));
        }
        if !self.required.is_empty() {
            schema.insert("required".to_owned(), self.required.into());
        }
        schema
    }
}

/// Returns the text of a doc comment; lines of other attributes are empty.
pub(crate) fn joined(lines: &[&str]) -> String {
    let lines = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
