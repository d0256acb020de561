//! AIP-29, Auth: where a login is kept, how one signs in, when it is refreshed, and how its loss shows.

use schemars::{Schema, SchemaGenerator, json_schema};

use super::expiry::Detect;
use crate::declare::{Decode, FromRoot, Line, List, Variable, Whole, manifest};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{CommandLine, Field, IsoDuration, Reference, VALUE};

manifest! {
    /// The whole block.
    #[derive(Default)]
    pub struct Auth closed {
        /// The inventory of secrets.
        may inventory("ref"): Option<Reference> as FromRoot,
        /// Where the program keeps its login.
        may state: Option<State>,
        /// How one signs in.
        may login: Option<Login>,
        /// How a login is kept fresh.
        may refresh: Option<Refresh>,
        /// How its loss shows.
        may expiry: Option<Expiry>,
    }

    /// Where the program keeps its login.
    #[derive(Default)]
    pub struct State closed {
        /// Files and folders.
        may paths: Option<Vec<Spanned<String>>> as List<Line<4096>>,
        /// Variables.
        may env: Option<Vec<Spanned<String>>> as List<Variable>,
    }

    /// How one signs in.
    pub struct Login closed {
        /// What is run.
        need cmd: CommandLine,
        /// Whether a person must be there.
        may interactive: Option<bool>,
        /// Whether a browser must be able to call back.
        may requires_callback_url: Option<bool>,
        /// How it is known that it is done.
        may completes_when: Option<CompletesWhen>,
    }

    /// A command that tells whether somebody is signed in.
    pub struct CompletesWhen closed {
        /// What is run.
        need cmd: CommandLine,
        /// The exit code that says yes; 0 unless told otherwise.
        may exit_code: Option<u8> as Whole<0, 255>,
    }

    /// How a login is kept fresh.
    pub struct Refresh closed {
        /// What is run.
        need cmd: CommandLine,
        /// How often.
        may every: Option<IsoDuration>,
    }

    /// How a lost login shows.
    #[derive(Default)]
    pub struct Expiry closed {
        /// The sign.
        may detect: Option<Spanned<Detect>> as ExitSign,
    }
}

/// The sign of a lost login that a program gives: exit codes and nothing else.
struct ExitSign;

impl Decode<ExitSign> for Detect {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let detect = <Self as Decode>::decode(field, out)?;
        match &detect {
            Self::ExitCode(_) => Some(detect),
            Self::HttpStatus(_) | Self::Exception(_) | Self::Header { .. } => {
                let what =
                    "a program shows it by an exit code; the other signs are for drivers of other kinds";
                out.push(field.refuse(VALUE, what).hint("write it as exit_code:4"));
                None
            }
        }
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^exit_code:0*(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])$"})
    }
}

impl Auth {
    /// Returns the variables that hold a login.
    pub fn state_env(&self) -> &[Spanned<String>] {
        let env = self.state.as_ref().and_then(|state| state.env.as_deref());
        env.unwrap_or_default()
    }
}
