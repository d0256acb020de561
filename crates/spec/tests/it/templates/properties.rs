//! Any inputs in any template: the words are those of the template and of the values, and nothing else.
//!
//! What is expected is worked out here from how the template was made, not from what was parsed.

use std::cell::Cell;

use argrail_spec::doc::Spanned;
use argrail_spec::template::{Template, Values, WordKind};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

/// One word of a template, as it was made.
#[derive(Debug, Clone)]
enum Made {
    Literal(String),
    Whole(Slot),
    Mixed(Vec<Bit>),
}

#[derive(Debug, Clone)]
enum Bit {
    Text(String),
    Slot(Slot),
}

#[derive(Debug, Clone)]
struct Slot {
    name: &'static str,
    default: Option<Value>,
    is_json: bool,
    ending: End,
}

#[derive(Debug, Clone, PartialEq)]
enum End {
    Plain,
    Optional(&'static str),
    Flag(&'static str),
}

const NAMES: [&str; 5] = ["a", "b", "c", "max-results", "größe"];

impl Slot {
    fn text(&self) -> String {
        let mut text = format!("${{input.{}", self.name);
        match &self.default {
            Some(Value::String(default)) => {
                let escaped = default.replace('\\', "\\\\").replace('\'', "\\'");
                text.push_str(&format!(" | default('{escaped}')"));
            }
            Some(other) => text.push_str(&format!("|default({other})")),
            None => {}
        }
        if self.is_json {
            text.push_str(" | json ");
        }
        match self.ending {
            End::Plain => {}
            End::Optional(option) => text.push_str(&format!(" | optional('{option}')")),
            End::Flag(option) => text.push_str(&format!(" | flag( '{option}' )")),
        }
        text + "}"
    }

    /// What it has: null is nothing.
    fn value(&self, input: &Map<String, Value>) -> Option<Value> {
        let own = input.get(self.name).filter(|value| !value.is_null()).cloned();
        let value = own.or_else(|| self.default.clone())?;
        Some(match (self.is_json, &value) {
            (false, _) | (true, Value::Number(_)) => value,
            (true, _) => Value::String(value.to_string()),
        })
    }
}

impl Made {
    fn text(&self) -> String {
        match self {
            Self::Literal(text) => text.clone(),
            Self::Whole(slot) => slot.text(),
            Self::Mixed(bits) => bits
                .iter()
                .map(|bit| match bit {
                    Bit::Text(text) => text.clone(),
                    Bit::Slot(slot) => slot.text(),
                })
                .collect(),
        }
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Checks the words that came against how the template was made.
fn check(made: &[Made], input: &Map<String, Value>, came: &[(String, WordKind)]) {
    let mut rest = came.iter();
    let mut take = |kind: WordKind| {
        let (text, is) = rest.next().unwrap();
        assert_eq!(*is, kind);
        text.as_str()
    };
    let mut behind: Option<&str> = None;
    let mut last = false;
    for one in made {
        let was_behind = behind.take();
        match one {
            Made::Literal(text) => {
                assert_eq!(take(WordKind::Literal), text);
                if !last && text == "--" {
                    last = true;
                } else if text.starts_with('-') && text.len() > 1 && !text.contains('=') {
                    behind = Some(text);
                }
            }
            Made::Whole(slot) => {
                let value = slot.value(input);
                match (&slot.ending, value) {
                    (End::Plain, None) => panic!("something missing was filled"),
                    (_, None) | (End::Flag(_), Some(Value::Bool(false))) => {}
                    (End::Flag(option), Some(value)) => {
                        assert_eq!(value, json!(true));
                        assert_eq!(take(WordKind::Option), *option);
                    }
                    (ending, Some(value)) => {
                        let items = match value {
                            Value::Array(items) => items,
                            other => vec![other],
                        };
                        assert!(!items.is_empty() || *ending != End::Plain || was_behind.is_none() || last);
                        for (index, item) in items.iter().enumerate() {
                            let is_word = !item.is_object() && !item.is_array() && !item.is_null();
                            assert!(is_word, "{item}");
                            let mut guarded = !last;
                            match ending {
                                End::Optional(option) if option.ends_with('=') => {
                                    assert_eq!(take(WordKind::Value), format!("{option}{}", word(item)));
                                    continue;
                                }
                                End::Optional(option) => {
                                    assert_eq!(take(WordKind::Option), *option);
                                    guarded = !item.is_number();
                                }
                                End::Plain if was_behind.is_some() && index == 0 => {
                                    guarded &= !item.is_number();
                                }
                                End::Plain | End::Flag(_) => {}
                            }
                            let text = take(WordKind::Value);
                            assert_eq!(text, word(item));
                            assert!(!guarded || !text.starts_with('-'), "{text:?} is an option");
                        }
                    }
                }
            }
            Made::Mixed(bits) => {
                let mut whole = String::new();
                for bit in bits {
                    match bit {
                        Bit::Text(text) => whole.push_str(text),
                        Bit::Slot(slot) => whole.push_str(&word(&slot.value(input).unwrap())),
                    }
                }
                let text = take(WordKind::Value);
                assert_eq!(text, whole);
                if let (Some(Bit::Slot(_)), false) = (bits.first(), last) {
                    assert!(!text.starts_with('-'), "{text:?} is an option");
                }
            }
        }
    }
    assert_eq!(rest.next(), None, "more words than the template has");
    assert!(came.iter().all(|(text, _)| !text.contains('\0')));
}

/// What programs, shells and our own grammar would take for something else.
const NASTY: [&str; 28] = [
    "",
    " ",
    "-",
    "--",
    "-f",
    "-rf",
    "--force",
    "--title=x",
    "-5",
    "=x",
    "x\0--y",
    "\0",
    "${input.a}",
    "${secrets.T}",
    "$(id)",
    "`id`",
    "; id",
    "a b",
    "a\n--b",
    "'",
    "\"",
    "\\",
    "*",
    "@file",
    "\u{202e}",
    "größe",
    "true",
    "| json",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => prop::sample::select(&["a", "main", "src/lib.rs", "7"][..]).prop_map(str::to_owned),
        2 => prop::sample::select(&NASTY[..]).prop_map(str::to_owned),
        1 => prop::collection::vec(prop::sample::select(&NASTY[..]), 0..3).prop_map(|parts| parts.concat()),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => text().prop_map(Value::from),
        2 => any::<i32>().prop_map(Value::from),
        1 => (-100.0..100.0_f64).prop_map(Value::from),
        2 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-c]", inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn slot(whole: bool) -> impl Strategy<Value = Slot> {
    let default = prop::option::weighted(
        0.4,
        prop_oneof![
            "[a-z'\\\\]{0,4}".prop_map(Value::from),
            Just(json!(4096)),
            Just(json!(true))
        ],
    );
    let ending = match whole {
        true => prop_oneof![
            5 => Just(End::Plain),
            1 => Just(End::Optional("--opt")),
            1 => Just(End::Optional("--opt=")),
            1 => Just(End::Flag("-f")),
        ]
        .boxed(),
        false => Just(End::Plain).boxed(),
    };
    (
        prop::sample::select(&NAMES[..]),
        default,
        prop::bool::weighted(0.2),
        ending,
    )
        .prop_map(|(name, default, is_json, ending)| Slot {
            name,
            default,
            is_json: is_json && !matches!(ending, End::Flag(_)),
            ending,
        })
}

fn made() -> impl Strategy<Value = Made> {
    let pick = |pool: &'static [&'static str]| prop::sample::select(pool).prop_map(str::to_owned);
    let literal = pick(&["", "pr", "create", "-v", "--title", "--base=x", "--x=", "-", "--"]);
    let start = pick(&["", "--base=", "-n", "HEAD~", "refs/"]);
    let between = pick(&["-", "/", "=", "x", "--"]);
    let mixed = (start, slot(false), between, prop::option::of(slot(false))).prop_map(
        |(start, first, between, second)| {
            let mut bits = Vec::new();
            if !start.is_empty() {
                bits.push(Bit::Text(start));
            }
            bits.push(Bit::Slot(first));
            bits.push(Bit::Text(between));
            bits.extend(second.map(Bit::Slot));
            Made::Mixed(bits)
        },
    );
    prop_oneof![
        3 => literal.prop_map(Made::Literal),
        4 => slot(true).prop_map(Made::Whole),
        2 => mixed,
    ]
}

fn input() -> impl Strategy<Value = Map<String, Value>> {
    let one = prop::option::weighted(0.85, value());
    prop::array::uniform5(one).prop_map(|values| {
        let named = NAMES.into_iter().zip(values);
        named
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    })
}

fn spanned(made: &[Made]) -> Vec<Spanned<String>> {
    made.iter().map(|one| one.text().into()).collect()
}

#[test]
fn ten_thousand_inputs_add_no_word_and_no_option() {
    let filled = Cell::new(0_usize);
    let strategy = (
        prop::collection::vec(made(), 0..6),
        prop::collection::vec(input(), 8),
    );
    let outcome = TestRunner::new(ProptestConfig::with_cases(1_250)).run(&strategy, |(made, inputs)| {
        // Every template that is made here is one.
        let template = Template::parse(&spanned(&made)).unwrap();
        for input in inputs {
            let object = Value::Object(input.clone());
            if let Ok(words) = template.fill_marked(&Values::of_input(&object)) {
                let came: Vec<(String, WordKind)> =
                    words.into_iter().map(|word| (word.text, word.kind)).collect();
                check(&made, &input, &came);
                filled.set(filled.get() + 1);
            }
        }
        Ok(())
    });
    outcome.unwrap();
    assert!(filled.get() > 1_000, "only {} were filled at all", filled.get());
}

proptest! {
    #[test]
    fn plain_words_always_arrive(values in prop::array::uniform5("[a-z ]{1,8}")) {
        let argv = ["x", "${input.a}", "--b", "${input.b}", "--c=${input.c}", "${input.max-results | optional('-m')}", "--", "${input.größe}"];
        let words: Vec<Spanned<String>> = argv.iter().map(|word| (*word).to_owned().into()).collect();
        let input: Map<String, Value> =
            NAMES.iter().zip(&values).map(|(name, value)| ((*name).to_owned(), value.as_str().into())).collect();
        let argv = Template::parse(&words).unwrap().fill(&Values::of_input(&Value::Object(input))).unwrap();
        let [a, b, c, m, g] = &values;
        let c = format!("--c={c}");
        prop_assert_eq!(argv, ["x", a, "--b", b, &c, "-m", m, "--", g]);
    }

    #[test]
    fn any_text_is_a_template_or_is_refused_with_its_place(
        texts in prop::collection::vec(
            prop_oneof![any::<String>(), "(\\$\\{|\\}|input|secrets|value|\\.|a|\\||default|optional|flag|json|\\(|\\)|'|\\\\|-| |1){0,16}"],
            0..4,
        ),
        input in input(),
    ) {
        let words: Vec<Spanned<String>> = texts.iter().cloned().map(Spanned::from).collect();
        match Template::parse(&words) {
            Ok(template) => {
                let _ = template.fill(&Values::of_input(&Value::Object(input)));
            }
            Err(wrong) => {
                for one in wrong {
                    prop_assert!(texts[one.word].get(one.at.clone()).is_some(), "{:?}", one);
                    prop_assert!(one.to_string().len() < 1_000 && !one.hint().is_empty());
                }
            }
        }
    }
}
