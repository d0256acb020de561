//! `tools.json`: the vectors of `corpus/tools-json`, the way through metadata and exports, and any text at all.

use argrail_spec::atip::{Command, Given, Invoked, Metadata, load as load_metadata};
use argrail_spec::doc::{Severity, place};
use argrail_spec::export::{Format, Strictness, argv, export};
use argrail_spec::lint::{FileKind, Strictness as LintStrictness, lint, rules};
use argrail_spec::tools_json::{
    ArgumentCheck, Manifest, Schema, ToolSpec, input, load, metadata, openai, written,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::corpus::run;

const MANIFEST: &str = include_str!("../../../../corpus/tools-json/manifest.json");
const EXPORT: &str = include_str!("../../../../corpus/tools-json/export.json");
const ARGUMENTS: &str = include_str!("../../../../corpus/tools-json/arguments.json");
const LINT: &str = include_str!("../../../../corpus/tools-json/lint.json");

fn text(input: &Value) -> String {
    match &input["text"] {
        Value::String(text) => text.clone(),
        _ => input["manifest"].to_string(),
    }
}

fn judge_manifest(case: &Value) -> Vec<String> {
    let expect = &case["expect"];
    match load(text(&case["input"]).as_bytes()) {
        Ok(manifest) => {
            let came = serde_json::to_value(&manifest).unwrap();
            let wrong = (came["tools"] != expect["tools"]).then(|| format!("loaded as {came}"));
            wrong.into_iter().collect()
        }
        Err(error) => {
            let told = error.to_string();
            let whole = expect["error"].as_str() == Some(&told);
            let begun = expect["errorStarts"]
                .as_str()
                .is_some_and(|start| told.starts_with(start));
            let wrong = (!whole && !begun).then(|| format!("refused with {told}"));
            wrong
                .into_iter()
                .chain(error.hint().is_empty().then(|| "no hint".to_owned()))
                .collect()
        }
    }
}

#[test]
fn every_manifest_is_read_or_refused_to_the_letter() {
    run(MANIFEST, judge_manifest);
}

#[test]
fn a_manifest_that_cannot_be_read_says_so() {
    let error = argrail_spec::tools_json::ManifestError::Read {
        why: "permission denied".to_owned(),
    };
    assert_eq!(error.to_string(), "read manifest: permission denied");
}

/// The tools of a manifest in the words of ATIP.
fn described(manifest: &Manifest) -> Vec<Metadata> {
    let tools = manifest.tools.iter();
    tools.map(|tool| metadata(tool).unwrap().metadata).collect()
}

#[test]
fn every_export_is_exact_also_by_way_of_metadata() {
    run(EXPORT, |case| {
        let manifest = load(case["input"]["text"].as_str().unwrap().as_bytes()).unwrap();
        let want = case["expect"].as_str().unwrap();
        let exported = export(&described(&manifest), Format::Openai, Strictness::Plain);
        let exact = serde_json::to_string(&exported.exact()).unwrap();
        let parsed: Value = serde_json::from_str(want).unwrap();
        let mut wrong = Vec::new();
        if openai(&manifest) != want {
            wrong.push(openai(&manifest));
        }
        if exact != want || exported.tools != parsed {
            wrong.push(format!("by way of metadata: {exact} {}", exported.tools));
        }
        wrong
    });
}

fn tool(schema: &Value) -> ToolSpec {
    ToolSpec {
        name: "t".to_owned(),
        description: None,
        schema: Some(Schema::new(&schema.to_string()).unwrap()),
        command: vec!["./tools/bin/t".to_owned()],
        timeout_sec: None,
        env_passthrough: Vec::new(),
    }
}

fn given(command: &Command, value: &Value) -> Given {
    let flag = value["flag"].as_str().unwrap();
    let values = value["values"].as_array().unwrap().iter();
    let option = command.options.iter().find(|option| option.flags[0] == flag);
    Given {
        name: option.map_or_else(String::new, |option| option.name.clone()),
        spelt: flag.to_owned(),
        spellings: vec![flag.to_owned()],
        values: values.map(|value| value.as_str().unwrap().to_owned()).collect(),
        negated: value["negated"] == true,
        ..Given::default()
    }
}

#[test]
fn every_command_line_becomes_input_or_is_refused() {
    run(ARGUMENTS, |case| {
        let spec = tool(&case["input"]["schema"]);
        let command = &metadata(&spec).unwrap().metadata.commands[""];
        let options = case["input"]["given"].as_array().unwrap().iter();
        let invoked = Invoked {
            options: options.map(|one| given(command, one)).collect(),
            ..Invoked::default()
        };
        let made = input(command, &invoked).map_err(|error| error.refusal("t"));
        let checked = made.and_then(|text| {
            let check = ArgumentCheck::new(spec.schema.as_ref()).unwrap();
            check.check(&text).map_err(|error| error.refusal("t"))?;
            Ok(String::from_utf8(text).unwrap())
        });
        let expect = &case["expect"];
        let fits = match &checked {
            Ok(text) => expect["stdin"].as_str() == Some(text),
            Err(error) => {
                error.code().name() == expect["error"]
                    && error.to_json()["hint"].as_str().unwrap().contains("'t'")
            }
        };
        (!fits).then(|| format!("{checked:?}")).into_iter().collect()
    });
}

#[test]
fn every_complaint_has_its_place_and_a_rule() {
    let known: Vec<_> = rules().into_iter().map(|rule| rule.id).collect();
    let fired = std::cell::RefCell::new(Vec::new());
    run(LINT, |case| {
        let text = case["input"]["text"].as_str().unwrap();
        let outcome = lint(
            case["input"]["file"].as_str().unwrap(),
            text.as_bytes(),
            LintStrictness::Relaxed,
        );
        assert_eq!(outcome.kind, Some(FileKind::ToolsJson));
        let said = outcome.diagnostics.iter().map(|found| {
            fired.borrow_mut().push(found.code);
            assert!(known.contains(&found.code) && found.hint.is_some(), "{found:?}");
            let severity = match found.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Error => "error",
            };
            let at = place(text.as_bytes(), found.span.start);
            format!(
                "{}:{} {severity} {} {}",
                at.line, at.column, found.code, found.message
            )
        });
        let mut said: Vec<String> = said.collect();
        said.sort();
        let want: Vec<_> = case["expect"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line.as_str().unwrap())
            .collect();
        let same =
            said.len() == want.len() && said.iter().zip(&want).all(|(said, want)| said.starts_with(want));
        (!same).then(|| said.join("\n")).into_iter().collect()
    });
    let silent: Vec<_> = known
        .into_iter()
        .filter(|id| id.starts_with("tools-json/") && !fired.borrow().contains(id))
        .collect();
    assert_eq!(silent, [""; 0]);
}

#[test]
fn a_tool_is_metadata_that_can_be_stored_and_read_again() {
    let spec = tool(
        &json!({"type": "object", "properties": {"json": {"type": "string"}, "a b": {"type": "string"},
        "n": {"type": "integer", "description": "How many"}}, "required": ["n", "a b"]}),
    );
    let found = metadata(&spec).unwrap().metadata;
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(load_metadata(text.as_bytes()).unwrap().metadata, found);
    let options = &found.commands[""].options;
    assert!(options.iter().all(|option| !option.is_required()));
    // A property that cannot be a flag takes the whole tool's flags with it; `--json` is always there.
    assert_eq!(options.last().unwrap().flags, ["--json"]);
    assert_eq!(
        written(&found).unwrap().schema,
        spec.schema.as_ref().map(Schema::text)
    );
    assert!(found.effects.is_none());
    let spec = tool(
        &json!({"properties": {"json": {"type": "string"}, "n": {"type": "integer"}}, "required": ["n"]}),
    );
    let options = metadata(&spec).unwrap().metadata.commands[""].options.clone();
    let flags: Vec<_> = options.iter().flat_map(|option| option.flags.clone()).collect();
    assert_eq!(flags, ["--arg-json", "--n", "--json"]);
    let required: Vec<_> = options.iter().map(|option| option.is_required()).collect();
    assert_eq!(required, [false, true, false]);
    let names: Vec<_> = options.iter().map(|option| option.name.as_str()).collect();
    assert_eq!(names, ["json", "n", "json-input-0"]);
}

#[test]
fn a_name_that_cannot_be_typed_is_no_command() {
    for name in ["", "a/b", "..", "a\u{0}b"] {
        let spec = ToolSpec {
            name: name.to_owned(),
            ..tool(&json!({}))
        };
        assert!(metadata(&spec).is_err(), "{name:?}");
    }
}

#[test]
fn a_providers_call_hands_over_its_arguments_as_they_came() {
    let schema = json!({"type": "object", "properties": {"a.b": {"type": "integer"}}});
    let tools = [metadata(&tool(&schema)).unwrap().metadata];
    let check = |provider: Format, message: Value, want: &str| {
        let calls = argv(&tools, provider, message.to_string().as_bytes()).unwrap();
        assert_eq!(calls[0].argv, ["t", "--json", want], "{message}");
    };
    let openai = |arguments: &str| json!({"id": "c", "type": "function", "function": {"name": "t", "arguments": arguments}});
    check(Format::Openai, openai("{ \"a.b\" : 1.0 }"), "{ \"a.b\" : 1.0 }");
    check(Format::Openai, openai(""), "{}");
    check(
        Format::Anthropic,
        json!({"type": "tool_use", "id": "c", "name": "t", "input": {"a.b": 1}}),
        "{\"a.b\":1}",
    );
    check(
        Format::Gemini,
        json!({"functionCall": {"name": "t", "args": {"a_b": 1}}}),
        "{\"a.b\":1}",
    );
    let exported = export(&tools, Format::Anthropic, Strictness::Plain).tools;
    assert_eq!(exported[0]["input_schema"], schema);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:a0\\\\ ]{0,60}") {
        let _ = load(text.as_bytes());
        let wrapped = format!("{{\"tools\":[{{\"name\":\"a\",\"command\":[{text}]}}]}}");
        if let Ok(manifest) = load(wrapped.as_bytes()) {
            let again = load(serde_json::to_string(&manifest).unwrap().as_bytes()).unwrap();
            prop_assert_eq!(again, manifest);
        }
    }
}
