//! What holds for any words and any rules.

use std::sync::{Arc, LazyLock};

use argrail_spec::atip::{Invoked, Metadata, Reader, Voice};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{plain, tool};

/// A tool with a bit of everything; `unknown` says what becomes of words that it does not know.
fn rich(unknown: &str) -> Arc<Metadata> {
    tool(json!({
        "x-grammar": {"unknown": unknown, "responseFiles": "@"},
        "globalOptions": [{"name": "dir", "flags": ["-C"], "type": "directory", "x-before": true}],
        "commands": {
            "put": {
                "description": "P",
                "options": [
                    {"name": "all", "flags": ["-a", "--all"], "type": "boolean"},
                    {"name": "max", "flags": ["-n", "--max"], "type": "integer"},
                    {"name": "color", "flags": ["-c", "--color"], "type": "string", "x-takes": "attached"},
                    {"name": "exec", "flags": ["-x", "--exec"], "type": "string", "x-takes": {"until": [";"]},
                     "x-command": true},
                    {"name": "two", "flags": ["--two"], "type": "string", "x-takes": 2},
                ],
                "arguments": [
                    {"name": "from", "type": "file", "required": false},
                    {"name": "rest", "type": "string", "variadic": true, "required": false, "x-last": true},
                ],
            },
            "env": {
                "description": "E", "x-grammar": {"permutation": false},
                "arguments": [{"name": "c", "type": "string", "variadic": true, "required": false,
                               "x-command": true, "x-assigns": true}],
            },
        },
    }))
}

static KEEPS: LazyLock<Reader> = LazyLock::new(|| Reader::new(rich("ask"), Voice::Settled));
static REFUSES: LazyLock<Reader> = LazyLock::new(|| Reader::new(rich("refuse"), Voice::Claimed));

fn any_word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "put", "env", "-a", "--all", "-n", "--max", "-n5", "--max=5", "-an5", "-c", "-cx", "--color=x", "-x", ";",
            "--two", "--", "-", "-C", "x", "A=1", "@f", "--nope", "-z", "-az", "--help", "-h", "--al", "",
        ]).prop_map(str::to_owned),
        1 => "[-=@;a-zé \n]{0,6}",
    ]
}

/// How often each word stands among what was understood of the line.
fn accounted(invoked: &Invoked, word: &str) -> bool {
    invoked.path.iter().any(|name| name == word)
        || invoked.words.iter().any(|known| known.text == word)
        || invoked.unverified.iter().any(|known| known.text == word)
        || invoked.options.iter().any(|given| {
            // A flag by its spelling, a bundle by its letters, a value whole or attached.
            let spelt = given.spellings.iter().any(|spelling| {
                word == spelling
                    || word.starts_with(&format!("{spelling}="))
                    || (spelling.len() == 2 && !word.starts_with("--") && word.starts_with('-'))
            });
            spelt || given.values.iter().any(|value| value == word)
        })
}

proptest! {
    #[test]
    fn every_word_is_accounted_for(words in prop::collection::vec(any_word(), 0..8)) {
        for reader in [&*KEEPS, &*REFUSES] {
            let Ok(invoked) = reader.read(&words) else { continue };
            for word in words.iter().filter(|word| *word != "--") {
                prop_assert!(accounted(&invoked, word), "{word:?} of {words:?} is lost: {invoked:?}");
            }
            prop_assert_eq!(&reader.read(&words).unwrap(), &invoked);
        }
    }

    #[test]
    fn bundles_and_attached_values_mean_what_they_mean_spelt_out(
        flags in prop::collection::vec(prop::sample::select(vec!["a", "v", "q"]), 1..5), value in "[a-z0-9/=]{1,6}",
    ) {
        let option = |name: &str, kind: &str| json!({"name": name, "flags": [format!("-{name}")], "type": kind});
        let tool = plain(json!({"options": [
            option("a", "boolean"), option("v", "boolean"), option("q", "boolean"), option("o", "string"),
        ]}));
        let reader = Reader::new(tool, Voice::Settled);
        let mut spelt: Vec<String> = flags.iter().map(|flag| format!("-{flag}")).collect();
        spelt.extend(["-o".to_owned(), value.clone()]);
        let bundle = format!("-{}o{value}", flags.concat());
        let attached = [format!("-{}", flags.concat()), format!("-o{value}")];
        let want = reader.read(&spelt).unwrap();
        prop_assert_eq!(&reader.read(&[bundle]).unwrap().options, &want.options);
        prop_assert_eq!(&reader.read(&attached).unwrap().options, &want.options);
    }

    #[test]
    fn a_rule_that_adds_never_relaxes(
        base in prop::collection::btree_map(prop::sample::select(vec!["network", "destructive", "idempotent", "subprocess"]), any::<bool>(), 0..4),
        rule in prop::collection::btree_map(prop::sample::select(vec!["network", "destructive", "idempotent", "subprocess"]), any::<bool>(), 0..4),
    ) {
        let tool = plain(json!({
            "effects": base, "options": [{"name": "x", "flags": ["-x"], "type": "boolean", "x-effects": rule}],
        }));
        let reader = Reader::new(tool, Voice::Settled);
        let without = serde_json::to_value(reader.read(&[] as &[&str]).unwrap().effects).unwrap();
        let with = serde_json::to_value(reader.read(&["-x"]).unwrap().effects).unwrap();
        for danger in ["network", "destructive", "subprocess"] {
            prop_assert!(without[danger] != Value::Bool(true) || with[danger] == Value::Bool(true));
        }
        prop_assert!(with["idempotent"] != Value::Bool(true) || without["idempotent"] == Value::Bool(true));
    }
}
