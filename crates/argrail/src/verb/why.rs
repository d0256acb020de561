//! `argrail why`: would this run, and who says so? Nothing is started.

use std::fmt::Write;

use argrail_acli::{
    Answer, Envelope, Error, ExpandedWord, Limits, Mask, check_no_shell, expanded_words, tokens,
};
use argrail_engine::call::{Explained, explain};
use serde_json::{Map, Value, json};

use crate::args::command_line::WhyArgs;
use crate::foreign::{Page, Table, one_line};
use crate::out::{self, Layout, Report};
use crate::setup::Setup;
use crate::terminal;

/// Explains, and returns the exit number.
pub(crate) fn run(args: &WhyArgs, report: Report) -> u8 {
    let (line, explained) = match Setup::new(None) {
        Ok(setup) => {
            let shop = setup.door.shop();
            let line = argrail_acli::join(&args.argv);
            let line = shop.mask().mask(&line).into_owned();
            let explained = attempt(&setup, args).map_err(|error| error.masked(shop.mask()));
            (line, explained)
        }
        // Without the configuration nobody knows what to mask.
        Err(error) => return out::refuse(error, report),
    };
    let explained = match explained {
        Ok(explained) => explained,
        Err(error) => return out::refuse_line(error, report, &line),
    };
    match report {
        Report::Envelope => {
            let answer = Answer::new(data(&explained));
            out::envelope(&Envelope::new(&line, Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&text(&explained)),
    }
}

fn attempt(setup: &Setup, args: &WhyArgs) -> Result<Explained, Error> {
    let caller = setup.caller("why", args.caller.as_deref().unwrap_or("argrail why"));
    let (words, expanded) = words(&args.argv)?;
    explain(&setup.door.shop(), (&words, &expanded), &caller)
}

/// One word with blanks is a command string, as agents write them and hints show them.
fn words(argv: &[String]) -> Result<(Vec<String>, Vec<ExpandedWord>), Error> {
    match argv {
        [line] if line.contains(char::is_whitespace) => {
            let words = tokens(line, &Limits::default())?;
            check_no_shell(&words)?;
            let expanded = expanded_words(&words);
            let words = words.into_iter().map(|word| word.text.into_owned());
            Ok((words.collect(), expanded))
        }
        words => Ok((words.to_vec(), Vec::new())),
    }
}

fn data(explained: &Explained) -> Value {
    let reasons = explained.decision.reasons.iter().map(|reason| {
        json!({
            "rule": reason.rule,
            "origin": reason.origin,
            "effect": reason.effect,
            "decision": reason.verdict.as_str(),
        })
    });
    let mut data = Map::new();
    data.insert("decision".into(), explained.decision.verdict.as_str().into());
    data.insert("command".into(), explained.command.as_str().into());
    data.insert("argv".into(), explained.argv.clone().into());
    data.insert("effects".into(), explained.effects.clone());
    let dangers = explained.dangers.iter().map(|danger| danger.as_str());
    data.insert("dangers".into(), dangers.collect());
    data.insert("reasons".into(), reasons.collect());
    data.insert("sandbox".into(), explained.sandbox.clone());
    if let Some(advice) = &explained.prompts {
        data.insert("prompts".into(), advice.as_str().into());
    }
    Value::Object(data)
}

fn text(explained: &Explained) -> String {
    let mut text = String::new();
    let verdict = match explained.decision.verdict.as_str() {
        "allow" => "runs without a question",
        "ask" => "asks first",
        _ => "is refused",
    };
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}: {verdict}\n", one_line(&explained.command));
    let mut table = Table::new(&["DECISION", "RULE", "BECAUSE OF", "SAID BY"]);
    for reason in &explained.decision.reasons {
        table.row([
            reason.verdict.as_str(),
            reason.rule,
            &reason.effect,
            &reason.origin,
        ]);
    }
    text.push_str(&table.text());
    if let Some(advice) = &explained.prompts {
        let _ = writeln!(text, "\nit would wait for a person; write: {}", one_line(advice));
    }
    let mut page = Page::default();
    page.list("argv", &explained.argv);
    if let Value::Object(parts) = &explained.sandbox {
        page.title("sandbox");
        parts
            .iter()
            .for_each(|(name, value)| page.line(name, &shown(value)));
    }
    text.push('\n');
    text.push_str(&page.text(terminal::width()));
    text
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}
