//! `argrail show`: what is known about a tool, and where each field comes from.

use argrail_acli::{Answer, Code, Envelope, Error, Text};
use argrail_engine::catalog::resolve::Problem;
use argrail_engine::catalog::trust::Standing;
use argrail_engine::catalog::{Catalogue, Known, tool_context};
use argrail_engine::recent::recent;
use argrail_spec::atip::{Leaf, Metadata, check_tool_name, leaves};
use argrail_spec::doc::{is_at_or_below, pointer_step};
use serde_json::{Map, Value, json};

use crate::args::command_line::{ShowArgs, ShowFormat};
use crate::catalogue::{catalogue, shelf, tell};
use crate::describe;
use crate::out::{self, Layout, Report};

/// Shows a tool, one of its commands, or the context of all.
pub(crate) fn run(args: &ShowArgs, report: Report) -> u8 {
    match shown(args, report) {
        Ok(exit) => exit,
        Err(error) => out::refuse(error, report),
    }
}

fn shown(args: &ShowArgs, report: Report) -> Result<u8, Error> {
    let shelf = shelf()?;
    let catalogue = catalogue(&shelf)?;
    let Some(name) = args.tool.as_deref().filter(|_| !args.context) else {
        let calls = recent(&shelf.places().audit(), None);
        let context = tool_context(&catalogue, &calls, |_| true);
        return Ok(match report {
            Report::Envelope => told(context),
            Report::Text => out::json(&context, Layout::of_stdout()),
        });
    };
    let known = get(&catalogue, name)?;
    let path: Vec<&str> = args.command.iter().map(String::as_str).collect();
    let all = leaves(&known.tool.metadata);
    let leaf = if path.is_empty() {
        None
    } else {
        Some(find(&known.tool.metadata, &all.list, &path)?)
    };
    if report == Report::Envelope {
        return Ok(told(data(&known, leaf)));
    }
    tell(&known.tool.problems);
    Ok(match args.format {
        ShowFormat::Text => out::data(&match leaf {
            Some(leaf) => describe::leaf(&known.tool.metadata, leaf),
            None => describe::tool(&known),
        }),
        ShowFormat::Json => out::json(&data(&known, leaf), Layout::of_stdout()),
        ShowFormat::Atip => out::json(&json!(known.tool.metadata), Layout::of_stdout()),
    })
}

fn told(data: Value) -> u8 {
    out::envelope(
        &Envelope::new("show", Ok(Answer::new(data)), None),
        Layout::Compact,
    )
}

/// Finds a tool, or says what is known instead.
pub(crate) fn get(catalogue: &Catalogue<'_>, name: &str) -> Result<Known, Error> {
    if let Err(problem) = check_tool_name(name) {
        let what = Text::new("{} is no name of a tool: {}")
            .value(name)
            .value(problem.to_string());
        return Err(Error::invalid(
            what,
            "Name a tool as its executable is called; see: argrail list",
        ));
    }
    let problems = match catalogue.get(name) {
        Ok(known) => return Ok(known),
        Err(problems) => problems,
    };
    if let Some(Problem { path, message }) = problems.first() {
        let what = Text::new("what describes {} cannot be used: {}: {}")
            .value(name)
            .value(path.to_string_lossy())
            .value(message);
        let hint = Text::new("Run: argrail lint {}").value(path.to_string_lossy());
        return Err(Error::new(Code::ValidationError, what).hint(hint));
    }
    let (tools, _) = catalogue.heads();
    let names = tools.iter().map(|known| known.tool.metadata.name.as_str());
    let what = Text::new("tool {} not found").value(name);
    let hint = match argrail_acli::nearest(name, names) {
        Some(near) => Text::new("Did you mean {}?").value(near),
        None => Text::new("Run: argrail list, or: argrail scan --probe to look for more"),
    };
    Err(Error::new(Code::CommandNotFound, what).hint(hint))
}

fn find<'a, 'm>(metadata: &Metadata, leaves: &'a [Leaf<'m>], path: &[&str]) -> Result<&'a Leaf<'m>, Error> {
    if let Some(leaf) = leaves.iter().find(|leaf| leaf.path == path) {
        return Ok(leaf);
    }
    let given = path.join(" ");
    let named = leaves.iter().filter(|leaf| !leaf.path.is_empty());
    let names: Vec<String> = named.map(|leaf| leaf.path.join(" ")).collect();
    let below: Vec<&str> = names
        .iter()
        .filter(|name| name.starts_with(&format!("{given} ")))
        .map(String::as_str)
        .take(20)
        .collect();
    let what = Text::new("command {} of {} not found")
        .value(&given)
        .value(&metadata.name);
    let hint = if let Some(near) = argrail_acli::nearest(&given, names.iter().map(String::as_str)) {
        Text::new("Did you mean {}?").value(near)
    } else if below.is_empty() {
        Text::new("Run: argrail show {}").value(&metadata.name)
    } else {
        Text::new("It is a group; below it are: {}").value(below.join(", "))
    };
    Err(Error::new(Code::CommandNotFound, what).hint(hint))
}

fn data(known: &Known, leaf: Option<&Leaf<'_>>) -> Value {
    let mut data = Map::new();
    data.insert("tool".into(), json!(known.tool.metadata));
    let provenance: Map<String, Value> = match leaf {
        None => provenance(known, |_| true),
        Some(leaf) => {
            let steps = leaf.path.iter().map(|step| pointer_step(step));
            let own: String = steps.map(|step| format!("/commands/{step}")).collect();
            data.insert("command".into(), json!(leaf.path));
            data.insert("effects".into(), json!(leaf.effects));
            provenance(known, |pointer| is_at_or_below(pointer, &own))
        }
    };
    data.insert("provenance".into(), Value::Object(provenance));
    data.insert("source".into(), json!(known.tool.source.as_str()));
    if let Some(path) = &known.tool.path {
        data.insert("path".into(), json!(path.to_string_lossy()));
    }
    data.insert("trust".into(), json!(known.standing.as_str()));
    if let Standing::Drift(drift) = &known.standing {
        let drift = json!({"what": drift.what.as_str(), "pinned": drift.pinned, "now": drift.now});
        data.insert("drift".into(), drift);
    }
    if known.tool.expired {
        data.insert("expired".into(), json!(true));
    }
    let problem =
        |problem: &Problem| json!({"file": problem.path.to_string_lossy(), "message": problem.message});
    data.insert(
        "problems".into(),
        known.tool.problems.iter().map(problem).collect(),
    );
    Value::Object(data)
}

fn provenance(known: &Known, wanted: impl Fn(&str) -> bool) -> Map<String, Value> {
    let all = known.tool.provenance.fields(&known.tool.metadata);
    all.iter()
        .filter(|(pointer, _)| wanted(pointer))
        .map(|(pointer, origin)| (pointer.clone(), json!(origin)))
        .collect()
}
