//! Every tool as a command of the one command line: made when somebody looks, answered by the one path.

use std::collections::HashSet;
use std::sync::Arc;

use argrail_acli::{Answer, BoxFuture, Call, Command, Error};
use argrail_spec::atip::{Respond, command, wording};

use super::attempt::attempt;
use super::shop::Shop;
use super::tool::bare;
use crate::catalog::{Catalogue, Known, Programs, shipped};
use crate::extension;

/// Returns a command for each tool that is described. What may not be used, or is not installed, is there and not
/// listed: whoever calls it is told why.
pub(crate) fn described(shop: &Arc<Shop>, catalogue: &Catalogue<'_>) -> Vec<Command> {
    let (heads, _) = catalogue.heads();
    let mut names = HashSet::new();
    let mut commands = Vec::new();
    for known in &heads {
        let metadata = &known.tool.metadata;
        if is_free(&metadata.name) && names.insert(metadata.name.as_str()) {
            let usable = known.is_usable();
            let made = made(shop, &metadata.name, &metadata.description, Extent::of(known))
                .wording(wording(metadata));
            commands.push(if usable { made } else { made.hidden() });
        }
    }
    // What leads to a bundle beside its own name is there, too, and not listed twice.
    let bundles = &catalogue.sources().bundles;
    // So is one whose manifest is wrong: its call says what is.
    let others = bundles.names().chain(bundles.broken_names());
    let others = others.filter(|name| is_free(name));
    let others: Vec<&str> = others.filter(|name| names.insert(name)).collect();
    commands.extend(
        others
            .iter()
            .map(|name| made(shop, name, "", Extent::Whole).hidden()),
    );
    // Who calls one that the configuration names and that cannot be started is told so.
    let configured = shop.stock().config.tools.iter().map(|tool| tool.name.as_str());
    let configured: Vec<&str> = configured
        .filter(|name| is_free(name) && names.insert(name))
        .collect();
    commands.extend(
        configured
            .iter()
            .map(|name| made(shop, name, "", Extent::Whole).hidden()),
    );
    let absent = shipped::names().filter(|name| !names.contains(name));
    commands.extend(absent.map(|name| made(shop, name, "", Extent::Whole).hidden()));
    commands
}

/// Returns a command for each program that nobody describes: hidden, and looked for when no other command fits.
pub(crate) fn undescribed(shop: &Arc<Shop>, programs: &Programs) -> Vec<Command> {
    let names = programs.names().into_iter().filter(|name| is_free(name));
    names
        .map(|name| made(shop, &name, "", Extent::Whole).hidden())
        .collect()
}

/// How much of a tool is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All that is known.
    Whole,
    /// Its name: what describes it is not what a person accepted.
    Name,
}

impl Extent {
    fn of(known: &Known) -> Self {
        if known.is_usable() {
            Self::Whole
        } else {
            Self::Name
        }
    }
}

fn made(shop: &Arc<Shop>, name: &str, description: &str, extent: Extent) -> Command {
    let (shop, own) = (Arc::clone(shop), name.to_owned());
    let description = match extent {
        Extent::Whole => description,
        Extent::Name => "",
    };
    Command::lazy(name, description, move || inside(&shop, &own, extent))
}

fn inside(shop: &Arc<Shop>, name: &str, extent: Extent) -> Command {
    let metadata = match (extent, shop.tool(name)) {
        (Extent::Whole, Ok(tool)) => Arc::clone(&tool.metadata),
        (Extent::Name, Ok(_)) => Arc::new(bare(name)),
        (_, Err(error)) => return failing(name, error),
    };
    let shop = Arc::clone(shop);
    let respond: Respond = Arc::new(
        move |call: Call, _| -> BoxFuture<'static, Result<Answer, Error>> {
            let shop = Arc::clone(&shop);
            Box::pin(async move { attempt(&shop, &call).await })
        },
    );
    command(&metadata, respond).unwrap_or_else(|| Command::new(name, ""))
}

/// A command that tells why it cannot be called, whatever words it is called with.
fn failing(name: &str, error: Error) -> Command {
    let respond: Respond = Arc::new(move |_: Call, _| -> BoxFuture<'static, Result<Answer, Error>> {
        let error = error.clone();
        Box::pin(async move { Err(error) })
    });
    command(&bare(name), respond).unwrap_or_else(|| Command::new(name, ""))
}

/// Whether a tool may be called so: argrail's own commands are not replaced.
fn is_free(name: &str) -> bool {
    !extension::is_ours(name) && !matches!(name, "help" | "schema" | "version")
}
