//! `words!`: an enum whose variants are words.

use schemars::{Schema, json_schema};
use serde_json::{Value, json};

use super::object::joined;

/// Declares an enum of words: `/// What it means. Variant = "word"`. A noun behind the name is what one is called in the
/// complaint that it stands twice.
macro_rules! words {
    ($(
        $(#[$($meta:tt)*])*
        $vis:vis enum $name:ident $(($noun:literal))? {
            $( $(#[$($word_meta:tt)*])* $variant:ident = $word:literal ),* $(,)?
        }
    )*) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $(#[$($meta)*])*
        $vis enum $name {
            $( $(#[$($word_meta)*])* $variant, )*
        }

        impl $name {
            /// Every word with its meaning.
            pub(crate) const WORDS: &'static [(&'static str, Self)] = &[$( ($word, Self::$variant) ),*];

            /// Returns the one of a word.
            pub fn named(word: &str) -> Option<Self> {
                let known = Self::WORDS.iter().find(|(known, _)| *known == word);
                known.map(|(_, meaning)| *meaning)
            }

            /// Returns the word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$variant => $word, )*
                }
            }
        }

        impl $crate::declare::Decode for $name {
            $( const NOUN: &'static str = $noun; )?

            fn decode(
                field: &$crate::manifest::Field<'_>,
                out: &mut $crate::doc::fields::Complaints,
            ) -> Option<Self> {
                field.choice(Self::WORDS, out)
            }

            fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<Self>()
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::declare::word_schema(
                    $crate::declare::described!($([$($meta)*])*),
                    &[$( ($word, $crate::declare::described!($([$($word_meta)*])*)) ),*],
                )
            }
        }

        impl serde::Serialize for $name {
            fn serialize<To: serde::Serializer>(&self, to: To) -> Result<To::Ok, To::Error> {
                to.serialize_str(self.as_str())
            }
        }
    )*};
}

pub(crate) use words;

/// Returns the schema of some words.
pub(crate) fn word_schema(about: &[&str], words: &[(&str, &[&str])]) -> Schema {
    let one = |(word, about): &(&str, &[&str])| json!({"description": joined(about), "type": "string", "const": word});
    let words: Vec<Value> = words.iter().map(one).collect();
    json_schema!({"description": joined(about), "oneOf": words})
}
