//! Hosts that callers name, over every description that is compiled in: whoever gives one where a description takes one
//! is asked, and is told where credentials would go along.
//!
//! Every command is called with every option and argument that its description takes a host or a place from.

use argrail_spec::atip::{self, Command, Metadata, Reader, Voice};
use serde_json::Value;
use std::sync::Arc;

use super::table::SHIPPED;
use crate::policy::tests::input::facts;
use crate::policy::{self, Egress, Rules, Verdict};

/// What a caller gives: as a URL, as a name, and as a place at a shared service.
const GIVEN: [&str; 5] = [
    "https://new.example/x?d=secret",
    "postgres://new.example/x",
    "new.example",
    "s3://new-bucket/x",
    "gs://new-bucket/x",
];

/// Places at shared services as cloud programs take them, in any option: plain, in a list, inside JSON.
const SHAPED: [(&str, &str); 6] = [
    ("words:arn", "arn:aws:sns:eu-west-1:123456789012:new"),
    (
        "words:arn",
        "Name=arn,Values=arn:aws:sns:eu-west-1:123456789012:new",
    ),
    ("words:google-resource", "projects/new-project/topics/x"),
    ("words:azure-resource", "/subscriptions/0000-new/resourceGroups/x"),
    ("words:bucket", "{\"uri\": \"s3://new-bucket/x\"}"),
    ("words:url", "https://new.example/x?d=secret"),
];

/// The names behind `arg:` in the hosts and destinations of a value.
fn names(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for key in ["x-egress", "x-destinations"] {
                let list = fields.get(key).and_then(Value::as_array);
                let texts = list.into_iter().flatten().filter_map(Value::as_str);
                for part in texts.flat_map(|text| text.split('|')) {
                    out.extend(part.split_once("arg:").map(|(_, name)| name.to_owned()));
                }
            }
            fields.values().for_each(|value| names(value, out));
        }
        Value::Array(items) => items.iter().for_each(|value| names(value, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Every command line that gives a host where one of these names takes it.
fn lines(metadata: &Metadata, named: &[String]) -> Vec<Vec<String>> {
    fn walk(
        path: &[String],
        command: &Command,
        metadata: &Metadata,
        named: &[String],
        out: &mut Vec<Vec<String>>,
    ) {
        for (name, below) in &command.commands {
            let below_path: Vec<String> = path.iter().chain(Some(name)).cloned().collect();
            walk(&below_path, below, metadata, named, out);
        }
        let path: Vec<String> = path.iter().filter(|word| !word.is_empty()).cloned().collect();
        let options = command.options.iter().chain(&metadata.global_options);
        for option in options.filter(|option| named.contains(&option.name)) {
            let Some(flag) = option.flags.first() else {
                continue;
            };
            for given in GIVEN {
                let words = path.iter().cloned().chain([flag.clone(), given.to_owned()]);
                out.push(words.collect());
                let words = [flag.clone(), given.to_owned()]
                    .into_iter()
                    .chain(path.iter().cloned());
                out.push(words.collect());
            }
        }
        let place = command
            .arguments
            .iter()
            .position(|argument| named.contains(&argument.name));
        if let Some(at) = place {
            for given in GIVEN {
                let before = std::iter::repeat_n("x".to_owned(), at);
                out.push(
                    path.iter()
                        .cloned()
                        .chain(before)
                        .chain([given.to_owned()])
                        .collect(),
                );
            }
        }
    }
    let mut out = Vec::new();
    for (name, command) in &metadata.commands {
        walk(std::slice::from_ref(name), command, metadata, named, &mut out);
    }
    out
}

#[test]
fn no_host_that_a_caller_names_is_reached_in_silence() {
    let (mut wrong, mut asked, mut with_credentials) = (Vec::new(), 0, 0);
    for entry in SHIPPED {
        let text = entry.text();
        let mut named = Vec::new();
        names(&serde_json::from_slice(&text).unwrap(), &mut named);
        let metadata = Arc::new(atip::load(&text).unwrap().metadata);
        let reader = Reader::new(Arc::clone(&metadata), Voice::Settled);
        for words in lines(&metadata, &named) {
            // A host where the command wants something else is a mistake, and starts nothing.
            let Ok(invoked) = reader.read(&words) else {
                continue;
            };
            let given = words.iter().any(|word| GIVEN.contains(&word.as_str()));
            assert!(given, "{words:?}");
            let mut call = facts(&Value::Null);
            let hosts = invoked.effects.extra.get("x-egress").and_then(Value::as_array);
            let hosts = hosts.into_iter().flatten().filter_map(Value::as_str);
            let hosts: Vec<String> = hosts.map(str::to_owned).collect();
            let reaches = hosts.iter().any(|host| host.contains("new.example"));
            let names_place = invoked.caller_named.iter().any(|name| name.contains("://"));
            call.egress = match invoked.effects.network {
                Some(true) => Egress::Names(hosts),
                Some(false) | None => Egress::None,
            };
            call.invoked = invoked;
            let decision = policy::decide(&call, &Rules::default());
            let talks = call.invoked.effects.network == Some(true);
            if decision.verdict == Verdict::Allow && talks && (reaches || names_place) {
                wrong.push(format!("{} {}", entry.name, words.join(" ")));
            }
            let told: Vec<&str> = decision
                .reasons
                .iter()
                .map(|reason| reason.effect.as_str())
                .collect();
            let new = told.iter().filter(|effect| effect.starts_with("new host "));
            asked += new.clone().count();
            let warned = new
                .clone()
                .filter(|effect| effect.ends_with(", with credentials"))
                .count();
            if call.uses_credentials() && warned != new.count() {
                wrong.push(format!("{} {}: {told:?}", entry.name, words.join(" ")));
            }
            with_credentials += warned;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What is tried is not nothing.
    assert!(
        asked > 500 && with_credentials > 100,
        "{asked} {with_credentials}"
    );
}

/// Every command with each of its options and arguments given a word of this kind.
fn lines_with(word: &str, metadata: &Metadata) -> Vec<Vec<String>> {
    fn walk(path: &[String], command: &Command, word: &str, out: &mut Vec<Vec<String>>) {
        for (name, below) in &command.commands {
            let below_path: Vec<String> = path.iter().chain(Some(name)).cloned().collect();
            walk(&below_path, below, word, out);
        }
        let path = path.iter().filter(|word| !word.is_empty()).cloned();
        let path: Vec<String> = path.collect();
        let flags = command.options.iter().filter_map(|option| option.flags.first());
        for flag in flags {
            out.push(
                path.iter()
                    .cloned()
                    .chain([flag.clone(), word.to_owned()])
                    .collect(),
            );
        }
        for at in 0..command.arguments.len() {
            let words = std::iter::repeat_n("x", at).chain([word]).map(str::to_owned);
            out.push(path.iter().cloned().chain(words).collect());
        }
    }
    let mut out = Vec::new();
    for (name, command) in &metadata.commands {
        walk(std::slice::from_ref(name), command, word, &mut out);
    }
    out
}

#[test]
fn no_place_at_a_shared_service_is_reached_in_silence() {
    let (mut silent, mut asked) = (Vec::new(), 0);
    for entry in SHIPPED {
        let text = entry.text();
        let said: Value = serde_json::from_slice(&text).unwrap();
        let shapes = said.pointer("/effects/x-destinations").and_then(Value::as_array);
        let shapes: Vec<&str> = shapes.into_iter().flatten().filter_map(Value::as_str).collect();
        let metadata = Arc::new(atip::load(&text).unwrap().metadata);
        let reader = Reader::new(Arc::clone(&metadata), Voice::Settled);
        let words = SHAPED.iter().filter(|(shape, _)| shapes.contains(shape));
        for words in words.flat_map(|(_, word)| lines_with(word, &metadata)) {
            let Ok(invoked) = reader.read(&words) else {
                continue;
            };
            let mut call = facts(&Value::Null);
            call.egress = match invoked.effects.network {
                Some(true) => Egress::Names(vec!["api.example".to_owned()]),
                Some(false) | None => Egress::None,
            };
            let talks = invoked.effects.network == Some(true);
            call.invoked = invoked;
            match policy::decide(&call, &Rules::default()).verdict {
                Verdict::Allow if talks => silent.push(format!("{} {}", entry.name, words.join(" "))),
                Verdict::Allow => {}
                Verdict::Ask | Verdict::Deny => asked += 1,
            }
        }
    }
    assert!(silent.is_empty(), "{} {}", silent.len(), silent.join("\n"));
    assert!(asked > 5_000, "{asked}");
}
