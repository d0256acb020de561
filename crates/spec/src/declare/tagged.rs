//! `tagged!`: one of several objects, told apart by a word in one of their fields.

/// Declares an enum of objects: `/// What it is. Variant(Type) = "word"`. The word stands in the field `by`; the type has
/// the other fields. What has another word is refused, or read by the function behind `else`; types that it may give
/// beside the others, which have the field themselves, stand under `also`.
macro_rules! tagged {
    (
        $(#[$($meta:tt)*])*
        $vis:vis enum $name:ident by $tag:literal $(, else $other:path)? {
            $( $(#[$($variant_meta:tt)*])* $variant:ident($type:ty) = $word:literal ),* $(,)?
        }
        $( also { $( $(#[$($also_meta:tt)*])* $also:ident($also_type:ty) ),* $(,)? } )?
    ) => {
        #[derive(Debug, Clone, PartialEq)]
        $(#[$($meta)*])*
        $vis enum $name {
            $( $(#[$($variant_meta)*])* $variant($type), )*
            $( $( $(#[$($also_meta)*])* $also($also_type), )* )?
        }

        impl $crate::declare::Decode for $name {
            fn decode(
                field: &$crate::manifest::Field<'_>,
                out: &mut $crate::doc::fields::Complaints,
            ) -> Option<Self> {
                let mut object = field.open(out)?;
                let tag = object.need($tag, out)?;
                match tag.node.as_str() {
                    $( Some($word) => <$type>::read(object, out).map(Self::$variant), )*
                    _ => $crate::declare::object::either!([$( $other(&tag, object, out) )?] {
                        tag.choice(&[$( ($word, ()) ),*], out);
                        None
                    }),
                }
            }

            fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<Self>()
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let forms = vec![
                    $( $crate::declare::with_tag(
                        <$type as schemars::JsonSchema>::json_schema(generator), $tag, $word,
                    ), )*
                    $( $( generator.subschema_for::<$also_type>(), )* )?
                ];
                let about = $crate::declare::joined($crate::declare::described!($([$($meta)*])*));
                schemars::json_schema!({"description": about, "anyOf": forms})
            }
        }

        impl serde::Serialize for $name {
            fn serialize<To: serde::Serializer>(&self, to: To) -> Result<To::Ok, To::Error> {
                let mut map = serde::Serializer::serialize_map(to, None)?;
                match self {
                    $( Self::$variant(one) => {
                        serde::ser::SerializeMap::serialize_entry(&mut map, $tag, $word)?;
                        one.write(&mut map)?;
                    } )*
                    $( $( Self::$also(one) => one.write(&mut map)?, )* )?
                }
                serde::ser::SerializeMap::end(map)
            }
        }
    };
}

pub(crate) use tagged;

use schemars::Schema;
use serde_json::{Value, json};

/// Adds the tag to the schema of an object.
pub(crate) fn with_tag(mut schema: Schema, tag: &str, word: &str) -> Schema {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(tag.to_owned(), json!({"type": "string", "const": word}));
    }
    let required = schema
        .ensure_object()
        .entry("required")
        .or_insert_with(|| json!([]));
    if let Value::Array(required) = required {
        required.push(tag.into());
    }
    schema
}
