//! Text in one language or in several, and phrases likewise.

use indexmap::IndexMap;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::declare::{Decode, Line, List, Prose};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Field, VALUE};

/// The language of a text that names none.
const PLAIN: &str = "en";

/// A text by language; a plain one is English.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LocalText(IndexMap<String, Spanned<String>>);

/// What users say, by language; a plain list is English.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Phrases(IndexMap<String, Vec<String>>);

impl LocalText {
    /// Returns the text for a language: that one, the same without its country, English, or the first.
    pub fn get(&self, locale: &str) -> &str {
        let text = pick(&self.0, locale);
        text.map(|text| text.as_str()).unwrap_or_default()
    }
}

impl Phrases {
    /// Returns the phrases for a language: of that one, of the same without its country, of English, or the first.
    pub fn get(&self, locale: &str) -> &[String] {
        pick(&self.0, locale).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the phrases of every language.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.0.values().flatten().map(String::as_str)
    }
}

fn pick<'a, T>(texts: &'a IndexMap<String, T>, locale: &str) -> Option<&'a T> {
    let language = locale.split('-').next().unwrap_or_default();
    let wanted = [locale, language, PLAIN]
        .into_iter()
        .find_map(|key| texts.get(key));
    wanted.or_else(|| texts.values().next())
}

/// `de`, `pt-BR`.
fn is_locale(text: &str) -> bool {
    let two = |part: &str, test: fn(&u8) -> bool| part.len() == 2 && part.as_bytes().iter().all(test);
    match text.split_once('-') {
        Some((language, country)) => {
            two(language, u8::is_ascii_lowercase) && two(country, u8::is_ascii_uppercase)
        }
        None => two(text, u8::is_ascii_lowercase),
    }
}

/// Reads what stands under each language.
fn by_locale<T>(
    field: &Field<'_>,
    out: &mut Complaints,
    read: impl Fn(&Field<'_>, &mut Complaints) -> Option<T>,
) -> Option<IndexMap<String, T>> {
    if field.node.as_object().is_none() {
        return read(field, out).map(|one| IndexMap::from([(PLAIN.to_owned(), one)]));
    }
    let object = field.open(out)?;
    let mut texts = IndexMap::new();
    for (member, value) in object.members() {
        if !is_locale(&member.key) {
            let what = format!(
                "{}: expected a language such as \"de\" or \"pt-BR\", got {}",
                field.path,
                Quoted(&member.key)
            );
            out.push(
                VALUE
                    .error(member.key_span, what)
                    .hint("write two small letters, perhaps with a country"),
            );
            continue;
        }
        texts.extend(read(&value, out).map(|one| (member.key.clone(), one)));
    }
    if texts.is_empty() {
        out.push(
            field
                .refuse(VALUE, "expected a text in at least one language")
                .hint("write the text itself"),
        );
        return None;
    }
    Some(texts)
}

/// A text of at most `MAX` characters, in one language or in several.
pub(super) struct Local<const MAX: usize>;

impl<const MAX: usize> Decode<Local<MAX>> for LocalText {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        by_locale(field, out, |field, out| field.prose(1..=MAX, out)).map(Self)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        by_locale_schema(<String as Decode<Prose<1, MAX>>>::schema(generator))
    }
}

type PhraseList = List<Line<500>, 1>;

impl Decode for Phrases {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        by_locale(field, out, <Vec<String> as Decode<PhraseList>>::decode).map(Self)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        by_locale_schema(<Vec<String> as Decode<PhraseList>>::schema(generator))
    }
}

/// Returns the schema of what may stand alone or under each language.
fn by_locale_schema(one: Schema) -> Schema {
    json_schema!({"anyOf": [
        one,
        {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": "^[a-z]{2}(-[A-Z]{2})?$"},
            "additionalProperties": one,
        },
    ]})
}

impl Serialize for LocalText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0.len(), self.0.get(PLAIN)) {
            (1, Some(text)) => text.serialize(serializer),
            (_, _) => serializer.collect_map(&self.0),
        }
    }
}

impl Serialize for Phrases {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0.len(), self.0.get(PLAIN)) {
            (1, Some(phrases)) => phrases.serialize(serializer),
            (_, _) => serializer.collect_map(&self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_language_is_taken() {
        let check = |texts: &[(&str, &str)], locale: &str, want: &str| {
            let texts = texts
                .iter()
                .map(|(key, text)| ((*key).to_owned(), Spanned::from((*text).to_owned())));
            assert_eq!(LocalText(texts.collect()).get(locale), want, "{locale}");
        };
        let texts = [("de", "auf"), ("en", "open"), ("pt-BR", "abrir")];
        check(&texts, "de", "auf");
        check(&texts, "de-AT", "auf");
        check(&texts, "pt-BR", "abrir");
        check(&texts, "fr", "open");
        check(&[("de", "auf")], "fr", "auf");
    }

    #[test]
    fn languages_have_two_letters() {
        for text in ["de", "pt-BR"] {
            assert!(is_locale(text), "{text}");
        }
        for text in ["d", "deu", "DE", "de-at", "de-", "de_AT", ""] {
            assert!(!is_locale(text), "{text}");
        }
    }
}
