//! A runner block: its fields, and the rules about them.

use std::time::Duration;

use argrail_sandbox::policy;
use schemars::{Schema, SchemaGenerator};

use super::rules::{DOWNGRADED, ENGINE, IMAGE};
use crate::declare::{Decode, Line, List, manifest, words};
use crate::doc::fields::{Complaints, came};
use crate::manifest::{Closed, Field, Loaded, Refused};
use crate::sandbox_block::Limits;

manifest! {
    /// The block.
    #[derive(Default)]
    pub struct Runner closed, before misplaced, check check_image {
        /// Where the process runs; a process of its own unless told otherwise.
        may engine: Option<Engine> as Here,
        /// The template of a container.
        may image: Option<String> as Line<512>,
        /// What must be there.
        may needs: Option<Needs>,
        /// How much it may use.
        may limits: Option<Limits>,
    }

    /// What must be there before it runs.
    #[derive(Default)]
    pub struct Needs closed {
        /// The language.
        may language: Option<Language>,
        /// Packages of the system, by their Debian names.
        may native: Vec<String> as List<Line<256>>,
        /// Packages of npm.
        may npm: Vec<String> as List<Line<256>>,
        /// Packages of Python.
        may pip: Vec<String> as List<Line<256>>,
    }
}

words! {
    /// Where a process runs.
    pub enum Engine {
        /// In a process of its own.
        Subprocess = "subprocess",
        /// In a container. Not here.
        Sandbox = "sandbox",
        /// Inside of the host. Becomes a process of its own.
        InProcess = "in-process",
    }

    /// The language of a runner.
    pub enum Language {
        /// JavaScript.
        Node = "node",
        /// Python.
        Python = "python",
        /// More than one.
        Multi = "multi",
    }
}

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
            Runner::read(inner.open(out)?, out)
        }
        None => Runner::read(object, out),
    }
}

fn misplaced(object: &mut Closed<'_>, out: &mut Complaints) {
    for key in ["env", "fs", "network", "secrets"] {
        let hint = "say it in the sandbox block, or in SECRETS.md";
        object.misplaced(key, "a runner says only how a process runs", hint, out);
    }
}

fn check_image(runner: &mut Runner, field: &Field<'_>, out: &mut Complaints) {
    let image = field
        .member("image")
        .filter(|_| runner.engine != Some(Engine::Sandbox));
    if let Some(image) = image {
        let what = "an image is used by the engine \"sandbox\" only";
        out.push(image.warn(IMAGE, what).hint("leave it out"));
    }
}

/// An engine, if it is here.
struct Here;

impl Decode<Here> for Engine {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let hint = "leave it out: every tool runs in a process of its own, inside of argrail's sandbox";
        if matches!(field.node.as_str(), Some("docker" | "podman" | "container")) {
            let what = format!("containers are not supported, got {}", came(field.node));
            out.push(field.refuse(ENGINE, what).hint(hint));
            return None;
        }
        let engine = <Self as Decode>::decode(field, out)?;
        match engine {
            Self::Subprocess => {}
            Self::Sandbox => {
                let what = "there are no containers here, so the engine \"sandbox\" is not supported";
                out.push(field.refuse(ENGINE, what).hint(hint));
            }
            Self::InProcess => {
                let what = "it runs in a process of its own instead of inside of the host";
                out.push(field.warn(DOWNGRADED, what).hint("write subprocess"));
            }
        }
        Some(engine)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as Decode>::schema(generator)
    }
}

impl Runner {
    /// Returns the limits as the sandbox has them.
    pub fn policy_limits(&self) -> policy::Limits {
        self.limits.map(limits).unwrap_or_default()
    }
}

fn limits(limits: Limits) -> policy::Limits {
    policy::Limits {
        wall: limits.timeout_ms.map(Duration::from_millis),
        memory: limits.memory_mb.map(|mb| mb.saturating_mul(1024 * 1024)),
        cpu: limits.cpu_ms.map(Duration::from_millis),
        ..policy::Limits::default()
    }
}
