//! `x-intent`: what bundles offer ready-made (AIP-28), listed, and led to the command that does it. Runs none.

use std::sync::Arc;

use argrail_acli::{Arg, Call, Code, Command, Error, Kind, Text, join, nearest};
use argrail_spec::bundle::{Bundle, BundleIntent};
use serde_json::{Map, Value, json};

use super::catalogue::{Stock, opened, usable};
use crate::catalog::Known;

/// The language in which intents are told.
const LOCALE: &str = "en";

pub(super) fn intent(stock: Arc<Stock>) -> Command {
    Command::new(
        "x-intent",
        "Lead a ready-made use of a bundle to its command; returns the command and runs none",
    )
    .arg(Arg::positional("id", Kind::String, "The intent; without it, all are listed").optional())
    .arg(
        Arg::option(
            "--var",
            Kind::String,
            "An input and its value: NAME=VALUE. May be repeated",
        )
        .many(),
    )
    .example("x-intent")
    .example("x-intent gh.open-pr --var title=Fix")
    .handler(move |call: Call| {
        let stock = stock.clone();
        async move {
            let id: Option<String> = call.get("id")?;
            let given: Vec<String> = call.get::<Option<Vec<String>>>("var")?.unwrap_or_default();
            let shelf = stock.shelf()?;
            let catalogue = opened(&shelf)?;
            let tools = usable(&catalogue);
            match id {
                None => Ok(listed(&tools)),
                Some(id) => led(&tools, &id, &given),
            }
        }
    })
}

/// Every intent, with the tool whose bundle it is of.
fn intents(tools: &[Known]) -> impl Iterator<Item = (&str, &Bundle, &BundleIntent)> {
    let bundles = tools.iter().filter_map(|known| {
        let bundle = known.tool.bundle.as_ref()?;
        Some((known.tool.metadata.name.as_str(), &bundle.held.bundle))
    });
    bundles.flat_map(|(name, bundle)| bundle.intents.iter().map(move |intent| (name, bundle, intent)))
}

fn listed(tools: &[Known]) -> Value {
    let row = |(tool, _, intent): (&str, &Bundle, &BundleIntent)| {
        let shown = intent.listing(LOCALE);
        json!({
            "id": shown.id,
            "tool": tool,
            "label": shown.label,
            "description": shown.description,
            "says": shown.phrases,
            "inputs": intent.intent.inputs.iter().map(|field| &field.name).collect::<Vec<_>>(),
        })
    };
    json!({"intents": intents(tools).map(row).collect::<Vec<_>>()})
}

fn led(tools: &[Known], id: &str, given: &[String]) -> Result<Value, Error> {
    let Some((tool, bundle, intent)) = intents(tools).find(|(_, _, one)| one.intent.id.value == id) else {
        let ids = intents(tools).map(|(_, _, one)| one.intent.id.value.as_str());
        let hint = match nearest(id, ids) {
            Some(near) => Text::new("Did you mean {}?").value(near),
            None => Text::new("Run 'x-intent' for all of them"),
        };
        return Err(Error::new(Code::CommandNotFound, Text::new("intent {} not found").value(id)).hint(hint));
    };
    let mut values = Map::new();
    for pair in given {
        let Some((name, value)) = pair.split_once('=') else {
            let what = Text::new("--var expects NAME=VALUE, got {}").value(pair);
            return Err(Error::invalid(what, "Write --var title=Fix"));
        };
        values.insert(name.to_owned(), intent.intent.typed(name, value));
    }
    let routed = bundle.route(intent, &values).ok_or_else(|| {
        Error::invalid(
            Text::new("no way of the intent {} fits what was given").value(id),
            "Run 'x-intent' for its inputs, and give those that it needs with --var NAME=VALUE",
        )
    })?;
    let input = routed.input.as_object().cloned().unwrap_or_default();
    let words: Vec<String> = std::iter::once(tool.to_owned())
        .chain(bundle.command_words(routed.tool, &input))
        .collect();
    Ok(
        json!({"intent": id, "tool": routed.tool.tool.id.value, "command": join(&words), "input": routed.input}),
    )
}
