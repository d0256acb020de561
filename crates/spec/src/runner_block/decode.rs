//! Reading a runner block.

use super::model::{Engine, Language, Needs, Runner};
use super::rules::{DOWNGRADED, ENGINE, IMAGE};
use crate::doc::fields::Complaints;
use crate::manifest::{Closed, Field, Loaded, Refused};
use crate::sandbox_block;

const ENGINES: [(&str, Engine); 3] = [
    ("subprocess", Engine::Subprocess),
    ("sandbox", Engine::Sandbox),
    ("in-process", Engine::InProcess),
];
const LANGUAGES: [(&str, Language); 3] = [
    ("node", Language::Node),
    ("python", Language::Python),
    ("multi", Language::Multi),
];

/// Reads a `RUNNER.md`: the block itself, or under `runner`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<Runner>, Refused> {
    crate::manifest::load(text, decode_file)
}

/// Reads a block that has a file of its own, which may say what it is called.
pub(crate) fn decode_file(field: &Field<'_>, out: &mut Complaints) -> Option<Runner> {
    let mut object = field.open(out)?;
    for key in ["schema", "name", "id", "description"] {
        object.take(key).and_then(|field| field.text(out));
    }
    object.take("version").and_then(|field| field.version(out));
    object.take("metadata").and_then(|field| field.map(out));
    match object.take("runner") {
        Some(inner) => {
            object.shut(out);
            decode(&inner, out)
        }
        None => block(object, out),
    }
}

/// Reads a block.
pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Runner> {
    block(field.open(out)?, out)
}

fn block(mut object: Closed<'_>, out: &mut Complaints) -> Option<Runner> {
    let engine = object.take("engine");
    let image = object.take("image");
    let runner = Runner {
        engine: engine.and_then(|field| engine_of(&field, out)),
        image: image
            .as_ref()
            .and_then(|field| field.line(512, out))
            .map(|image| image.value),
        needs: object.take("needs").and_then(|field| needs(&field, out)),
        limits: object
            .take("limits")
            .and_then(|field| sandbox_block::limits(&field, out)),
    };
    for key in ["env", "fs", "network", "secrets"] {
        let hint = "say it in the sandbox block, or in SECRETS.md";
        object.misplaced(key, "a runner says only how a process runs", hint, out);
    }
    object.shut(out);
    if let Some(image) = image.filter(|_| runner.engine != Some(Engine::Sandbox)) {
        let what = "an image is used by the engine \"sandbox\" only";
        out.push(image.warn(IMAGE, what).hint("leave it out"));
    }
    Some(runner)
}

fn engine_of(field: &Field<'_>, out: &mut Complaints) -> Option<Engine> {
    let hint = "leave it out: every tool runs in a process of its own, inside of argrail's sandbox";
    if matches!(field.node.as_str(), Some("docker" | "podman" | "container")) {
        let what = format!(
            "containers are not supported, got {}",
            crate::doc::fields::came(field.node)
        );
        out.push(field.refuse(ENGINE, what).hint(hint));
        return None;
    }
    let engine = field.choice(&ENGINES, out)?;
    match engine {
        Engine::Subprocess => {}
        Engine::Sandbox => {
            let what = "there are no containers here, so the engine \"sandbox\" is not supported";
            out.push(field.refuse(ENGINE, what).hint(hint));
        }
        Engine::InProcess => {
            let what = "it runs in a process of its own instead of inside of the host";
            out.push(field.warn(DOWNGRADED, what).hint("write subprocess"));
        }
    }
    Some(engine)
}

fn needs(field: &Field<'_>, out: &mut Complaints) -> Option<Needs> {
    let mut object = field.open(out)?;
    let language = object
        .take("language")
        .and_then(|field| field.choice(&LANGUAGES, out));
    let mut packages = |key| {
        let list = object
            .take(key)
            .and_then(|field| field.list(out, |item, out| item.line(256, out)));
        list.unwrap_or_default()
            .into_iter()
            .map(|package| package.value)
            .collect()
    };
    let needs = Needs {
        language,
        native: packages("native"),
        npm: packages("npm"),
        pip: packages("pip"),
    };
    object.shut(out);
    Some(needs)
}
