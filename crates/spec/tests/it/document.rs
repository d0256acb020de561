//! What is read as JSON, what is refused, and where.

use argrail_spec::doc::{Document, Limits, place};
use proptest::prelude::*;
use serde_json::json;

use crate::fuzzed::document;

/// Says what became of a text: the value, or `line:column code`.
fn read(text: &[u8]) -> String {
    read_within(text, &Limits::default())
}

fn read_within(text: &[u8], limits: &Limits) -> String {
    match Document::json(text, limits) {
        Ok(document) => document.root.to_json().to_string(),
        Err(wrong) => format!("{} {}", place(text, wrong.span.start), wrong.code),
    }
}

#[test]
fn json_is_read_to_the_letter() {
    let check = |text: &str, want: &str| assert_eq!(read(text.as_bytes()), want, "{text:?}");
    for text in [
        "null",
        "true",
        "[]",
        "{}",
        "0",
        "-1.5",
        r#""""#,
        r#"{"a":[1,{"b":null}]}"#,
    ] {
        check(text, text);
    }
    check(" \t\r\n[ 1 , 2 ] \n", "[1,2]");
    check(r#"{ "b" : 1, "a" : 2 }"#, r#"{"b":1,"a":2}"#);
    check(
        r#""\u0041\ud83d\ude00\/\"\\\b\f\n\r\t""#,
        r#""A😀/\"\\\b\f\n\r\t""#,
    );
    check("18446744073709551615", "18446744073709551615");
    check("1e3", "1000.0");
    check("", "1:1 doc/empty");
    check(" \n", "1:1 doc/empty");
    for (text, at) in [
        ("{\"a\":1,}", "1:8"),
        ("[1,]", "1:4"),
        ("[,1]", "1:2"),
        ("[1 2]", "1:4"),
        ("{\"a\" 1}", "1:6"),
        ("{a:1}", "1:2"),
        ("{'a':1}", "1:2"),
        ("{\"a\":1]", "1:7"),
        ("// x\n1", "1:1"),
        ("[1, /* x */ 2]", "1:5"),
        ("1 2", "1:3"),
        ("usage: x\n{}", "1:1"),
        ("{}\ndone", "2:1"),
        ("[\n  1,\n  oops\n]", "3:3"),
        ("[1", "1:3"),
        ("\"a", "1:1"),
        ("\"a\nb\"", "1:3"),
        ("\"\\x41\"", "1:2"),
        ("\"\\ud83d\"", "1:2"),
        ("\"\\ude00\\ud83d\"", "1:2"),
        ("\"\\ud83d\\u0041\"", "1:2"),
        ("\"\\u00g0\"", "1:2"),
        ("\"\\", "1:2"),
        ("01", "1:1"),
        ("-", "1:1"),
        ("1.", "1:1"),
        (".5", "1:1"),
        ("+1", "1:1"),
        ("1e", "1:1"),
        ("0x1", "1:2"),
        ("1e999", "1:1"),
        ("[-1e999]", "1:2"),
        ("NaN", "1:1"),
        ("True", "1:1"),
        ("truex", "1:5"),
        ("\u{a0}1", "1:1"),
        ("\u{b}1", "1:1"),
    ] {
        check(text, &format!("{at} doc/syntax"));
    }
}

#[test]
fn a_name_may_stand_once_however_it_is_spelt() {
    let check = |text: &str, want: &str| assert_eq!(read(text.as_bytes()), want, "{text:?}");
    check(r#"{"a":1,"b":2,"a":3}"#, "1:14 doc/duplicate-key");
    check(r#"{"a":1,"\u0061":3}"#, "1:8 doc/duplicate-key");
    check(r#"{"b":1,"a":1,"a":1,"b":1}"#, "1:14 doc/duplicate-key");
    check(r#"[{"a":1},{"a":2}]"#, r#"[{"a":1},{"a":2}]"#);
    check(r#"{"":1,"":2}"#, "1:7 doc/duplicate-key");
}

#[test]
fn bytes_that_are_no_utf8_are_placed() {
    assert_eq!(read(b"{\"a\":\n \"\xff\"}"), "2:3 doc/not-utf8");
    assert_eq!(read(b"\"\xe2\x82"), "1:2 doc/not-utf8");
    assert_eq!(read("\u{feff}{}".as_bytes()), "1:1 doc/bom");
    assert_eq!(read(b"\xff\xfe{\0}\0"), "1:1 doc/not-utf8");
    let wrong = Document::json("\u{feff}{}".as_bytes(), &Limits::default()).unwrap_err();
    let fix = wrong.fix.unwrap();
    assert_eq!(
        (fix.span.start, fix.span.end, fix.replacement.as_str()),
        (0, 3, "")
    );
}

#[test]
fn limits_hold_at_their_edges() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let limits = Limits {
        bytes: 1 << 20,
        depth: 3,
        nodes: 5,
    };
    let check = |text: &str, want: &str| assert_eq!(read_within(text.as_bytes(), &limits), want, "{text:?}");
    check(&nested(3), &nested(3));
    check(&nested(4), "1:4 doc/too-deep");
    check("[1,2,3,4]", "[1,2,3,4]");
    check("[1,2,3,4,5]", "1:10 doc/too-many");
    check("[[[]],[[]]]", "[[[]],[[]]]");
    let small = Limits { bytes: 4, ..limits };
    assert_eq!(read_within(b"1234", &small), "1234");
    assert_eq!(read_within(b"12345", &small), "1:1 doc/too-large");
}

#[test]
fn twenty_thousand_brackets_are_refused_whatever_the_limit() {
    let unlimited = Limits {
        bytes: usize::MAX,
        depth: usize::MAX,
        nodes: usize::MAX,
    };
    for opening in ["[", "{\"a\":"] {
        let deep = opening.repeat(20_000);
        assert!(read(deep.as_bytes()).ends_with("doc/too-deep"));
        assert!(read_within(deep.as_bytes(), &unlimited).ends_with("doc/too-deep"));
    }
}

#[test]
fn places_of_a_document_count_characters() {
    let document = Document::json("{\n  \"größe\": 1\n}".as_bytes(), &Limits::default()).unwrap();
    let node = document.root.pointer("/größe").unwrap();
    assert_eq!(document.place(node.span.start).to_string(), "2:12");
    assert_eq!(document.root.to_json(), json!({"größe": 1}));
}

/// Values of any shape.
pub(crate) fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::hash_map(any::<String>(), inner, 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Texts that are nearly JSON: parts of it in any order.
fn nearly_json() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", " ", "\n", "\t", "\"", "\"a\"", "\"b\":", "\\", "\\u", "d83d",
        "\\ude00", "\\n", "0", "1", "-", ".", "e", "E+", "9999", "true", "false", "null", "nul", "/", "//",
        "\u{a0}", "ö", "\u{1}", "'",
    ]);
    prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(value in value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let read = Document::json(text.as_bytes(), &Limits::default()).unwrap();
        // Not `value` itself: a float is read back within its last digit.
        prop_assert_eq!(read.root.to_json(), serde_json::from_str::<serde_json::Value>(&text).unwrap());
        document(text.as_bytes());
    }

    #[test]
    fn what_is_nearly_json_is_judged_as_others_judge_it(text in nearly_json()) {
        document(text.as_bytes());
        document(format!("[{text}]").as_bytes());
        document(format!("\"{text}\"").as_bytes());
        document(format!("{{\"x\":{text}}}").as_bytes());
    }

    #[test]
    fn one_changed_byte_is_judged_as_others_judge_it(value in value(), at in any::<prop::sample::Index>(), byte: u8) {
        let mut text = serde_json::to_vec(&value).unwrap();
        let at = at.index(text.len());
        text[at] = byte;
        document(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        document(&bytes);
    }
}
