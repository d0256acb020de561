//! Reading an `AGENT-CLI.md`.

use super::manifest::AgentCliMd;
use super::rules::EXTRA;
use super::{capabilities, consistency, continuation, example, mode, models, option, session, wire};
use crate::cli_md;
use crate::declare::{Decode, List, Own};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{
    Closed, Field, Head, IdShape, Loaded, Refused, head, is_bundle_id, tags, texts_or_none,
};

/// Reads an `AGENT-CLI.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<AgentCliMd>, Refused> {
    crate::manifest::load(text, decode)
}

/// The id of an agent.
const ID: IdShape = (
    is_bundle_id,
    "an id such as \"goose\"",
    "use 2 to 64 small letters, digits and '-'",
);

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<AgentCliMd> {
    let mut object = field.open(out)?;
    let head = head(&mut object, ID, out);
    let bin = object
        .need("bin", out)
        .and_then(|field| Decode::<cli_md::Program>::decode(&field, out));
    let bin_args = texts_or_none(object.take("bin_args"), out);
    let install = object
        .need("install", out)
        .and_then(|field| Decode::<List<Own, 1>>::decode(&field, out));
    let version_check = object
        .need("version_check", out)
        .and_then(|field| Decode::decode(&field, out));
    let setup = part(&mut object, "setup", out, cli_md::decode_steps);
    let auth = part(&mut object, "auth", out, Decode::decode);
    let sandbox = object
        .need("sandbox", out)
        .and_then(|field| Decode::decode(&field, out));
    let runner = object
        .take("runner")
        .and_then(|field| Decode::decode(&field, out));
    let protocol = object
        .need("protocol", out)
        .and_then(|field| wire::protocol(&field, out));
    let acp = part(&mut object, "acp", out, Field::root_reference);
    let mcp = part(&mut object, "mcp", out, wire::mcp);
    let adapter = part(&mut object, "adapter", out, wire::adapter);
    let session = part(&mut object, "session", out, session::decode);
    let models = part(&mut object, "models", out, models::decode);
    let capabilities = part(&mut object, "capabilities", out, capabilities::decode);
    let modes = part(&mut object, "modes", out, mode::decode);
    let options = part(&mut object, "options", out, option::decode);
    let continuation = part(&mut object, "continuation", out, continuation::decode);
    let requires = part(&mut object, "requires", out, Decode::decode);
    let examples = object
        .take("examples")
        .and_then(|field| field.list(out, example::decode));
    let tags = tags(object.take("tags"), out);
    let env_unset = env_unset(object.take("env_unset"), out);
    let turn_idle_timeout_ms = session::turn_idle(object.take("turn_idle_timeout_ms"), out);
    let metadata = part(&mut object, "metadata", out, Field::map);
    misplaced(&mut object, out);
    object.shut(out);
    // A block that is there and cannot be read has said why.
    if let Some(protocol) = &protocol {
        consistency::wire(protocol, field, out);
    }
    let Head {
        name,
        id,
        description,
        version,
    } = head?;
    let manifest = AgentCliMd {
        name,
        id,
        description,
        version,
        bin: bin?,
        bin_args: bin_args.unwrap_or_default(),
        install: install?,
        version_check: version_check?,
        setup: setup.unwrap_or_default(),
        auth,
        sandbox: sandbox?,
        runner,
        protocol: protocol?,
        acp,
        mcp,
        adapter,
        session,
        models,
        capabilities,
        modes: modes.unwrap_or_default(),
        options: options.unwrap_or_default(),
        continuation,
        requires,
        examples: examples.unwrap_or_default(),
        tags,
        env_unset,
        turn_idle_timeout_ms,
        metadata: metadata.unwrap_or_default(),
    };
    consistency::check(&manifest, field, out);
    Some(manifest)
}

/// Reads a part that need not be there.
fn part<'a, T>(
    object: &mut Closed<'a>,
    key: &'static str,
    out: &mut Complaints,
    read: impl Fn(&Field<'a>, &mut Complaints) -> Option<T>,
) -> Option<T> {
    let field = object.take(key)?;
    read(&field, out)
}

/// Complains about what belongs elsewhere.
fn misplaced(object: &mut Closed<'_>, out: &mut Complaints) {
    let rows = [
        (
            "commands",
            "an agent has no subcommands: one talks to it",
            "describe a tool in a CLI.md instead",
        ),
        (
            "shell",
            "nothing of a manifest is given to a shell",
            "leave it out",
        ),
        (
            "env",
            "variables are the sandbox's",
            "list them in sandbox.env, or set them in a mode or an option",
        ),
        ("cwd", "an agent runs in the caller's folder", "leave it out"),
    ];
    for (key, why, hint) in rows {
        object.misplaced(key, why, hint, out);
    }
}

fn env_unset(field: Option<Field<'_>>, out: &mut Complaints) -> Vec<Spanned<String>> {
    let Some(field) = field else { return Vec::new() };
    let what = "it is no field of the draft; here these variables are kept from the agent";
    out.push(field.warn(EXTRA, what).hint("other hosts may not know it"));
    let hint = "use letters, digits and '_'";
    let names = field.list(out, |item, out| {
        item.shaped(is_variable, "the name of a variable", hint, out)
    });
    names.unwrap_or_default()
}

/// Whether a text names a variable that somebody may have: `http_proxy` is one, too.
fn is_variable(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    (1..=255).contains(&text.len())
        && text.starts_with(letter)
        && text.chars().all(|c| letter(c) || c.is_ascii_digit())
}
