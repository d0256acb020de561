//! A call that is fixed before anybody is asked: what will run if it may, with what, and in what.
//!
//! Nothing of it is found out again afterwards, so that what was shown is what runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::{Answer, Call, Error};
use argrail_spec::digest::Digest;
use serde_json::Value;

use super::bundle::Contract;
use super::secrets::CallSecrets;
use super::shop::Shop;
use super::tool::{Runs, Tool};
use super::{manifest, program, server};
use crate::policy::{Approved, Facts, Terms};
use crate::profile::Profile;
use crate::ready;

/// What will run.
pub(super) enum Plan {
    /// A program.
    Program(Box<program::Plan>),
    /// A tool of an MCP server.
    Server(Box<server::Plan>),
    /// A tool of a manifest.
    Manifest(Box<manifest::Plan>),
}

/// What all plans have, as far as an answer holds for it.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The words, the program first.
    pub(super) argv: Vec<OsString>,
    /// Where they run.
    pub(super) directory: PathBuf,
    /// The file that is started, if one is.
    pub(super) program: Option<PathBuf>,
    /// What it reads, if that is known by now.
    pub(super) stdin: Digest,
    /// Names of variables.
    pub(super) variables: Vec<String>,
    /// What it runs in.
    pub(super) profile: Digest,
    /// The same for people.
    pub(super) sandbox: Value,
}

/// A call that was read and judged.
pub(super) struct Read<'a> {
    /// The tool.
    pub(super) tool: &'a Tool,
    /// Its words, without its name.
    pub(super) words: &'a [String],
    /// What a tool of a manifest reads.
    pub(super) input: Vec<u8>,
    /// The contract of a bundle that it is called by.
    pub(super) contract: Option<Contract>,
    /// What is known of it.
    pub(super) facts: &'a Facts,
    /// On what terms it will run.
    pub(super) terms: Terms,
}

impl Plan {
    /// Fixes a call.
    ///
    /// # Errors
    /// When it could not be started, whoever says yes.
    pub(super) fn of(shop: &Shop, read: Read<'_>, call: &Call) -> Result<Self, Error> {
        Ok(match &read.tool.runs {
            Runs::Program(found) => {
                let path = ready::program(&read.tool.name, found.clone());
                let path = path.map_err(|error| shop.beyond_path(error))?;
                Self::Program(Box::new(program::Plan::of(shop, &read, path, call.caller())?))
            }
            Runs::Bundle(runs) => {
                let path = shop.bundle_program(runs)?;
                Self::Program(Box::new(program::Plan::of(shop, &read, path, call.caller())?))
            }
            Runs::Server => Self::Server(Box::new(server::Plan::of(shop, &read, call)?)),
            Runs::Manifest(manifest) => {
                Self::Manifest(Box::new(manifest::Plan::of(shop, read, manifest, call)?))
            }
        })
    }

    /// Returns what an answer holds for.
    pub(super) fn frame(&self) -> Frame {
        match self {
            Self::Program(plan) => plan.frame(),
            Self::Server(plan) => plan.frame(),
            Self::Manifest(plan) => plan.frame(),
        }
    }

    /// Sees that this machine can hold it, where that can be told beforehand.
    ///
    /// # Errors
    /// What cannot be held.
    pub(super) async fn holds(&self, shop: &Shop) -> Result<(), Error> {
        match self {
            Self::Program(plan) => plan.holds(shop).await,
            // The closed sandbox of a manifest is held wherever one is; a server runs already.
            Self::Server(_) | Self::Manifest(_) => Ok(()),
        }
    }

    /// Returns what it runs in, if that is a profile.
    pub(super) fn profile(&self) -> Option<&Profile> {
        match self {
            Self::Program(plan) => Some(&plan.profile),
            Self::Server(_) | Self::Manifest(_) => None,
        }
    }

    /// Makes files say this when it runs, whatever becomes of them.
    pub(super) fn fix<'f>(&mut self, files: impl Iterator<Item = (&'f Path, &'f Arc<[u8]>)>) {
        match self {
            Self::Program(plan) => {
                let files = files.map(|(path, bytes)| (path.to_owned(), Arc::clone(bytes)));
                plan.profile.fixed.extend(files);
            }
            // Only a profile has files of the caller's among its words.
            Self::Server(_) | Self::Manifest(_) => {}
        }
    }

    /// Sees that somebody is signed in where that is wanted. Nothing of the tool is started for it.
    ///
    /// # Errors
    /// `AUTH_REQUIRED`, with what a person runs to sign in.
    pub(super) fn sign_in(
        &self,
        shop: &Shop,
        read: (&Tool, &Facts),
        call: &Call,
    ) -> Result<Option<ready::Check>, Error> {
        match self {
            Self::Program(plan) => shop.sign_in(read.0, &plan.path, read.1, call),
            Self::Server(_) | Self::Manifest(_) => Ok(None),
        }
    }

    /// Runs it.
    ///
    /// # Errors
    /// How it failed.
    pub(super) async fn run(
        self,
        shop: &Shop,
        tool: &Tool,
        approved: &Approved,
        of: (&Call, &CallSecrets),
    ) -> Result<Answer, Error> {
        match self {
            Self::Program(plan) => program::run(shop, tool, *plan, approved, of).await,
            Self::Server(plan) => server::run(shop, tool, *plan, approved, of).await,
            Self::Manifest(plan) => manifest::run(shop, tool, *plan, approved, of).await,
        }
    }
}
