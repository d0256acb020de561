//! The vectors of `corpus/aip-29/template.json`, and what holds for any template and any input.

mod properties;

use argrail_spec::doc::Spanned;
use argrail_spec::template::{FillError, Template, Values};
use serde_json::{Value, json};

const VECTORS: &str = include_str!("../../../../corpus/aip-29/template.json");

fn words(case: &Value) -> Vec<Spanned<String>> {
    let words = case["argv"].as_array().unwrap().iter();
    words
        .map(|word| Spanned::from(word.as_str().unwrap().to_owned()))
        .collect()
}

/// Inputs that are too long to be written out are named.
fn grown(input: &Value) -> Value {
    let mut input = input.clone();
    for value in input.as_object_mut().unwrap().values_mut() {
        let named = value.as_str().and_then(|text| text.split_once(' '));
        match named.and_then(|(what, number)| Some((what, number.parse::<usize>().ok()?))) {
            Some(("REPEAT", times)) => *value = "x".repeat(times).into(),
            Some(("LIST", times)) => *value = vec!["x"; times].into(),
            Some(_) | None => {}
        }
    }
    input
}

fn came(case: &Value) -> Value {
    let words = words(case);
    let template = match Template::parse(&words) {
        Ok(template) => template,
        Err(wrong) => {
            let told = wrong.iter().map(|one| {
                let text = words[one.word].get(one.at.clone()).unwrap();
                assert!(!one.hint().is_empty() && one.diagnostic().code == "tool/template");
                json!([one.word, one.reason(), text])
            });
            return json!({"wrong": told.collect::<Vec<_>>()});
        }
    };
    let input = grown(&case["input"]);
    let values = Values {
        input: Some(&input),
        context: case.get("context").and_then(Value::as_object),
        value: case.get("value"),
    };
    match template.fill(&values) {
        Ok(argv) => json!({"argv": argv}),
        Err(refused) => {
            let error = refused.refusal("gh pr create");
            assert_eq!(error.code().name(), "VALIDATION_ERROR");
            json!({"refused": [refused.reason(), refused.name()]})
        }
    }
}

#[test]
fn every_vector_of_templates_holds() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    let mut failed = Vec::new();
    for case in file["cases"].as_array().unwrap() {
        let came = came(case);
        if came != case["expect"] {
            failed.push(format!("{}: {came} instead of {}", case["id"], case["expect"]));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_refusal_names_the_input_and_what_to_do() {
    let check = |argv: &[&str], input: Value, message: &str, hint: &str| {
        let words: Vec<Spanned<String>> = argv.iter().map(|word| (*word).to_owned().into()).collect();
        let refused = Template::parse(&words)
            .unwrap()
            .fill(&Values::of_input(&input))
            .unwrap_err();
        let error = refused.refusal("gh pr view");
        let tip = error.hint_text().unwrap();
        assert!(
            error.to_string().contains(message) && tip.contains(hint),
            "{error} {tip}"
        );
    };
    check(
        &["--title", "${input.title}"],
        json!({}),
        "Invalid argument: 'title' is missing",
        "Give 'title'",
    );
    check(
        &["${input.a}"],
        json!({"a": "--web"}),
        "'a' starts with '-', so the program could take '--web' for an option",
        "Give 'a' a value that does not start with '-'",
    );
    check(
        &["${input.a | flag('--x')}"],
        json!({"a": 7}),
        "'a' expects true or false, got a number",
        "'schema' and 'gh pr view'",
    );
}

#[test]
fn a_template_without_end_is_bounded() {
    let check = |words: Vec<String>, want: &str| {
        let words: Vec<Spanned<String>> = words.into_iter().map(Spanned::from).collect();
        let wrong = Template::parse(&words).unwrap_err();
        assert_eq!(wrong[0].reason(), want);
    };
    check(vec!["x".to_owned(); 257], "too-many");
    check(vec!["${input.a}".repeat(100)], "too-many");
    check(vec![format!("${{input{}}}", ".a".repeat(100))], "too-many");
    check(vec![format!("${{input.{}}}", "a".repeat(200))], "too-many");
    check(vec![format!("${{input.a{}}}", " | json".repeat(100))], "order");
    check(
        vec![format!("${{input.a | default({})}}", "1".repeat(500))],
        "unexpected",
    );
}

#[test]
fn the_inputs_of_a_template_are_known() {
    let words = |argv: &[&str]| -> Vec<Spanned<String>> {
        argv.iter().map(|word| (*word).to_owned().into()).collect()
    };
    let check = |argv: &[&str], want: &[&str]| {
        let template = Template::parse(&words(argv)).unwrap();
        assert_eq!(template.positionals(), want, "{argv:?}");
    };
    check(&["view", "${input.number}"], &["number"]);
    check(
        &["${input.a}", "--x", "${input.b}", "${input.c | default('.')}"],
        &["a", "c"],
    );
    check(
        &["--x=1", "${input.a}", "${input.b.c}", "${input.d | flag('--d')}"],
        &["a"],
    );
    check(&["${input.a}", "--", "${input.a}", "${input.b}"], &["a", "b"]);
    check(&["-v", "--", "${input.b}", "pre-${input.c}"], &["b"]);
    check(
        &[
            "show",
            "--no-color",
            "${input.revision}",
            "--quiet",
            "${input.path}",
        ],
        &["revision", "path"],
    );
    assert!(matches!(
        Template::parse(&words(&["${context.x}"])).unwrap().fill(&Values::default()),
        Err(FillError::Missing { name }) if name == "context.x"
    ));
}
