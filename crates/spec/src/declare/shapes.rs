//! The shapes that fields have, each with its reader and its schema.

use std::ops::RangeInclusive;

use schemars::{Schema, SchemaGenerator, json_schema};

use super::decode::Decode;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, Holes, MAX_URL_CHARS, Reference, Traffic, url};

/// Text that holds no NUL.
pub(crate) struct AnyText;

/// Text of `MIN` to `MAX` characters.
pub(crate) struct Prose<const MIN: usize, const MAX: usize>;

/// One line of 1 to `MAX` characters, none of them a control character.
pub(crate) struct Line<const MAX: usize>;

/// A whole number of at least `MIN` and at most `MAX`.
pub(crate) struct Whole<const MIN: u64 = 0, const MAX: u64 = { u64::MAX }>;

/// A number from `MIN` to `MAX`.
pub(crate) struct Within<const MIN: i64, const MAX: i64>;

/// Any number.
pub(crate) struct AnyNumber;

/// Any number that is not negative.
pub(crate) struct NotNegative;

/// A path inside of the bundle, in a file at its root.
pub(crate) struct FromRoot;

/// An address that a person looks at, or whose answer is checked.
pub(crate) struct WebPage;

/// The same with placeholders.
pub(crate) struct WebTemplate;

/// An address; whoever knows what is done with it judges how it is reached.
pub(crate) struct WebAddress;

const NO_NUL: &str = r"^[^\u0000]*$";
/// The pattern of a text without control characters.
pub(crate) const NO_CONTROL: &str = r"^[^\u0000-\u001F\u007F-\u009F]*$";

impl Decode<AnyText> for String {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.text(out).map(|text| text.value)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": NO_NUL})
    }
}

impl<const MIN: usize, const MAX: usize> Decode<Prose<MIN, MAX>> for String {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.prose(MIN..=MAX, out).map(|text| text.value)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "minLength": MIN, "maxLength": MAX, "pattern": NO_NUL})
    }
}

impl<const MAX: usize> Decode<Line<MAX>> for String {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.line(MAX, out).map(|text| text.value)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "minLength": 1, "maxLength": MAX, "pattern": NO_CONTROL})
    }
}

impl<const MIN: u64, const MAX: u64> Decode<Whole<MIN, MAX>> for u64 {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.whole(MIN..=MAX, out).map(|number| number.value)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": MIN, "maximum": MAX})
    }
}

impl<const MIN: u64, const MAX: u64> Decode<Whole<MIN, MAX>> for u8 {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let number = <u64 as Decode<Whole<MIN, MAX>>>::decode(field, out)?;
        Self::try_from(number).ok()
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <u64 as Decode<Whole<MIN, MAX>>>::schema(generator)
    }
}

impl<const MIN: i64, const MAX: i64> Decode<Within<MIN, MAX>> for f64 {
    #[expect(clippy::cast_precision_loss, reason = "bounds are small")]
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.number(MIN as Self..=MAX as Self, out)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "minimum": MIN, "maximum": MAX})
    }
}

impl Decode<AnyNumber> for f64 {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.number(Self::MIN..=Self::MAX, out)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number"})
    }
}

impl Decode<FromRoot> for Reference {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.root_reference(out)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Self>()
    }
}

impl Decode<NotNegative> for f64 {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.number(0.0..=Self::MAX, out)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "minimum": 0})
    }
}

macro_rules! addresses {
    ($($shape:ident: $holes:expr, $traffic:expr;)*) => {$(
        impl Decode<$shape> for String {
            fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
                url(field, $holes, $traffic, out).map(|text| text.value)
            }

            fn schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "maxLength": MAX_URL_CHARS, "pattern": WEB})
            }
        }
    )*};
}

/// What a pattern can say of an address: scheme, a host, nobody's name or password before it, no control characters.
const WEB: &str =
    r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\u0000-\u001F\u007F-\u009F]+([/?#][^\u0000-\u001F\u007F-\u009F]*)?$";

addresses! {
    WebPage: Holes::None, Traffic::Checked;
    WebTemplate: Holes::Allowed, Traffic::Checked;
    WebAddress: Holes::None, Traffic::Unjudged;
}

/// A text of a certain form, and what is said of another.
pub(crate) trait Named {
    const FORM: Form;
    const EXPECTED: &'static str;
    const HINT: &'static str;
    /// What one is called in the complaint that it stands twice.
    const NOUN: &'static str = "word";
}

impl<N: Named> Decode<N> for String {
    const NOUN: &'static str = N::NOUN;

    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let text = field.shaped(|text| N::FORM.fits(text), N::EXPECTED, N::HINT, out);
        text.map(|text| text.value)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        N::FORM.schema()
    }
}

/// The form of a text of `length` characters.
pub(crate) struct Form {
    length: RangeInclusive<usize>,
    made: Made,
}

enum Made {
    /// Of characters: classes as in a regular expression (`a-z0-9-`) for the first, the last, and those between. The test
    /// and the pattern of the schema are made of the same three, so they cannot differ.
    Of([&'static str; 3]),
    /// By a test, and by the pattern that says the same; a property holds the two together.
    By(fn(&str) -> bool, &'static str),
}

/// The form of a name: the classes of its first character, of those between, and of its last.
pub(crate) const fn name(
    first: &'static str,
    between: &'static str,
    last: &'static str,
    length: RangeInclusive<usize>,
) -> Form {
    let made = Made::Of([first, between, last]);
    Form { length, made }
}

/// The form that a test accepts, and the pattern that says the same.
pub(crate) const fn by(test: fn(&str) -> bool, pattern: &'static str, length: RangeInclusive<usize>) -> Form {
    let made = Made::By(test, pattern);
    Form { length, made }
}

impl Form {
    pub(crate) fn fits(&self, text: &str) -> bool {
        let [first, between, last] = match self.made {
            Made::Of(classes) => classes,
            Made::By(test, _) => return self.length.contains(&text.chars().count()) && test(text),
        };
        let mut chars = text.chars();
        let (head, tail) = (chars.next(), chars.next_back());
        self.length.contains(&text.chars().count())
            && head.is_some_and(|c| holds(first, c))
            && chars.all(|c| holds(between, c))
            && tail.is_none_or(|c| holds(last, c))
    }

    fn schema(&self) -> Schema {
        let pattern = match self.made {
            Made::Of([first, between, last]) => format!("^[{first}]([{between}]*[{last}])?$"),
            Made::By(_, pattern) => pattern.to_owned(),
        };
        let mut schema = json_schema!({"type": "string", "pattern": pattern});
        let (min, max) = (*self.length.start(), *self.length.end());
        if min > 0 {
            schema.insert("minLength".to_owned(), min.into());
        }
        if max < usize::MAX {
            schema.insert("maxLength".to_owned(), max.into());
        }
        schema
    }
}

/// Whether a class holds a character. `-` stands for itself at the end, as in a regular expression.
fn holds(class: &str, c: char) -> bool {
    let mut rest = class;
    while let Some(from) = rest.chars().next() {
        let mut after = rest.chars();
        after.next();
        let tail = after.as_str();
        let range = tail
            .strip_prefix('-')
            .and_then(|tail| Some((tail.chars().next()?, tail)));
        let (to, tail) = match range {
            Some((to, tail)) => (to, tail.get(to.len_utf8()..).unwrap_or_default()),
            None => (from, tail),
        };
        if (from..=to).contains(&c) {
            return true;
        }
        rest = tail;
    }
    false
}

/// Shapes of texts: a form, what is expected, what to write instead.
macro_rules! texts {
    ($( $(#[$meta:meta])* $name:ident $(($noun:literal))? = $form:expr, $expected:literal, $hint:expr; )*) => {$(
        $(#[$meta])*
        pub(crate) struct $name;

        impl $crate::declare::Named for $name {
            const FORM: $crate::declare::Form = $form;
            const EXPECTED: &'static str = $expected;
            const HINT: &'static str = $hint;
            $( const NOUN: &'static str = $noun; )?
        }
    )*};
}

pub(crate) use texts;

/// The id of a bundle.
pub(crate) const BUNDLE_ID: Form = name("a-z0-9", "a-z0-9-", "a-z0-9-", 2..=64);
/// The id of an intent or of a driver: dots are namespaces.
pub(crate) const DOTTED_ID: Form = name("a-z0-9", "a-z0-9.-", "a-z0-9.-", 2..=80);
/// The name of a variable.
pub(crate) const ENV_NAME: Form = name("A-Z_", "A-Z0-9_", "A-Z0-9_", 1..=255);
/// The id of a step, and a tag.
pub(crate) const STEP_ID: Form = name("a-z0-9", "a-z0-9-", "a-z0-9-", 1..=64);

const ENV_HINT: &str = "use capital letters, digits and '_'";

texts! {
    /// A word to find something by.
    Tag("tag") = STEP_ID, "a tag such as \"git\"", "use small letters, digits and '-'";
    /// The name of a variable.
    Variable = ENV_NAME, "the name of a variable", ENV_HINT;
    /// The slug of a secret, with or without a namespace.
    Slug = by(is_slug, "^([a-z][a-z0-9-]*[a-z0-9]/)?[a-z][a-z0-9-]*[a-z0-9]$", 2..=80),
        "a slug such as \"gh/token\"", "use small letters, digits and '-', with one '/' at most";
}

/// The slug of a secret, with or without a namespace.
pub(crate) fn is_slug(text: &str) -> bool {
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let part = |part: &str| {
        part.len() >= 2
            && part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.ends_with(small)
            && part.chars().all(|c| small(c) || c == '-')
    };
    let mut parts = text.split('/');
    (2..=80).contains(&text.len()) && parts.clone().count() <= 2 && parts.all(part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TOOL_ID: Form = name("a-z0-9", "a-z0-9.-", "a-z0-9", 2..=80);
    const OPTION_ID: Form = name("a-z0-9", "a-z0-9_", "a-z0-9_", 1..=64);

    #[test]
    fn names_have_their_shape() {
        let check = |form: Form, good: &[&str], bad: &[&str]| {
            good.iter().for_each(|text| assert!(form.fits(text), "{text}"));
            bad.iter().for_each(|text| assert!(!form.fits(text), "{text}"));
        };
        let long = "a".repeat(81);
        check(
            BUNDLE_ID,
            &["gh", "7z", "a-"],
            &["g", "Gh", "-a", "a.b", "a b", "", &long],
        );
        check(
            TOOL_ID,
            &["gh.pr-create", "a1"],
            &["a", "a.", "-a", "a-", "A1", &long],
        );
        check(DOTTED_ID, &["gh.open-pr", "a."], &["a", ".a", &long]);
        check(STEP_ID, &["a", "install-daemon"], &["", "-a", "A"]);
        check(OPTION_ID, &["a", "max_turns", "4k"], &["", "_a", "A", "a-b"]);
        check(
            Slug::FORM,
            &["gh-token", "openclaw/gateway-token", "ab"],
            &["a", "1a", "a-", "a/b", "aa/bb/cc", "aa/", "/aa", "Aa"],
        );
        check(ENV_NAME, &["A", "_A1"], &["", "a", "1A", "A-B"]);
    }

    proptest! {
        /// The test of a form and the pattern of its schema say the same.
        #[test]
        fn a_form_and_its_schema_agree(text in "[a-cA-C0-2._/@:é -]{0,9}") {
            for form in [BUNDLE_ID, DOTTED_ID, ENV_NAME, STEP_ID, TOOL_ID, OPTION_ID, Slug::FORM] {
                let schema = form.schema().to_value();
                let validator = jsonschema::validator_for(&schema).unwrap();
                let value = serde_json::Value::from(text.as_str());
                prop_assert_eq!(validator.is_valid(&value), form.fits(&text), "{} {}", text, schema);
            }
        }
    }
}
