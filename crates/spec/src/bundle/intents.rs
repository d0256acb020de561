//! The ready-made uses of a bundle: each leads to a tool, with inputs that the tool has.

use super::files::folder;
use super::model::{BundleIntent, BundleTool};
use super::reading::Reading;
use super::rules::ROUTE;
use crate::cli_md::CliMd;
use crate::declare::Decode;
use crate::doc::Spanned;
use crate::doc::fields::Quoted;
use crate::intent_md::{Implementation, IntentMd, Mapped};
use crate::lint::FileKind;
use crate::manifest::Reference;

pub(super) fn read(cli: &CliMd, tools: &[BundleTool], reading: &mut Reading<'_>) -> Vec<BundleIntent> {
    let mut intents = Vec::new();
    for one in &cli.intents {
        let path = reading.named(&one.reference);
        let Some(path) = path.filter(|path| !reading.was_read(path)) else {
            continue;
        };
        if let Some((intent, _)) = reading.read(&path, FileKind::Intent, IntentMd::decode) {
            routes(&path, &intent, tools, reading);
            intents.push(BundleIntent { path, intent });
        }
    }
    intents
}

fn routes(path: &str, intent: &IntentMd, tools: &[BundleTool], reading: &mut Reading<'_>) {
    for one in &intent.implements {
        let Some(name) = one.target.tool() else { continue };
        match target(path, name, tools) {
            Some(tool) => inputs(path, intent, one, tool, reading),
            None => {
                let what = format!("implements: no tool of the bundle is {}", Quoted(name));
                let hint = "write the path of a TOOL.md of the bundle, or the id of one";
                reading.push(path, FileKind::Intent, ROUTE.error(name.span, what).hint(hint));
            }
        }
    }
    let declared = |name: &str| intent.inputs.iter().any(|input| input.name.as_str() == name);
    let conditions = intent
        .implements
        .iter()
        .filter_map(|one| one.when.as_ref().map(|when| (one, when)));
    let stray: Vec<(crate::doc::Span, String)> = conditions
        .flat_map(|(one, when)| when.names().map(move |name| (one.target.span(), name.to_owned())))
        .filter(|(_, name)| !declared(name))
        .collect();
    for (span, name) in stray {
        let what = format!(
            "implements: a condition asks about {}, which is no input",
            Quoted(&name)
        );
        reading.push(
            path,
            FileKind::Intent,
            ROUTE.warning(span, what).hint("add the input, or mend the name"),
        );
    }
}

/// Returns the tool that a path or an id names.
pub(super) fn target<'t>(
    from: &str,
    name: &Spanned<String>,
    tools: &'t [BundleTool],
) -> Option<&'t BundleTool> {
    let path = Reference::parse(name, name.span)
        .and_then(|reference| reference.resolve(folder(from)))
        .ok();
    let by_path = path.and_then(|path| tools.iter().find(|tool| tool.path == path));
    by_path.or_else(|| tools.iter().find(|tool| tool.tool.id == *name))
}

/// Tells about inputs that go nowhere.
fn inputs(path: &str, intent: &IntentMd, one: &Implementation, tool: &BundleTool, reading: &mut Reading<'_>) {
    let Some(names) = tool.tool.input_names() else {
        return;
    };
    for input in &intent.inputs {
        let mapped = one
            .mapping
            .as_ref()
            .and_then(|mapping| mapping.get(input.name.as_str()));
        let goes = match mapped {
            Some(Mapped::Name(name)) => name.as_str(),
            Some(Mapped::From(_)) | None => input.name.as_str(),
        };
        let taken = one.mapping.iter().flatten().any(|(to, mapped)| match mapped {
            Mapped::From(mapped) => mapped.from == input.name.value && names.contains(&to.as_str()),
            Mapped::Name(_) => false,
        });
        if !taken && !names.contains(&goes) {
            let what = format!(
                "inputs: {} goes to {}, which {} does not take",
                Quoted(&input.name),
                Quoted(goes),
                Quoted(&tool.tool.id)
            );
            let hint = "map it to an input of the tool, or take it out";
            reading.push(
                path,
                FileKind::Intent,
                ROUTE.warning(input.name.span, what).hint(hint),
            );
        }
    }
}
