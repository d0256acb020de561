//! AIP-29, Auth: where a login is kept, how one signs in, when it is refreshed, and how its loss shows.

use schemars::JsonSchema;
use serde::Serialize;

use super::expiry::{self, Detect};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{CommandLine, Field, IsoDuration, Reference, VALUE, command_line, is_env_name};

/// The whole block.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    /// The inventory of secrets.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub inventory: Option<Reference>,
    /// Where the program keeps its login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// How one signs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login: Option<Login>,
    /// How a login is kept fresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh: Option<Refresh>,
    /// How its loss shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<Expiry>,
}

/// Where the program keeps its login.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Files and folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<Spanned<String>>>,
    /// Variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<Vec<Spanned<String>>>,
}

/// How one signs in.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// What is run.
    pub cmd: CommandLine,
    /// Whether a person must be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactive: Option<bool>,
    /// Whether a browser must be able to call back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_callback_url: Option<bool>,
    /// How it is known that it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completes_when: Option<CompletesWhen>,
}

/// A command that tells whether somebody is signed in.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompletesWhen {
    /// What is run.
    pub cmd: CommandLine,
    /// The exit code that says yes; 0 unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
}

/// How a login is kept fresh.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refresh {
    /// What is run.
    pub cmd: CommandLine,
    /// How often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<IsoDuration>,
}

/// How a lost login shows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expiry {
    /// The sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detect: Option<Spanned<Detect>>,
}

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Auth> {
    let mut object = field.open(out)?;
    let auth = Auth {
        inventory: object.take("ref").and_then(|field| field.root_reference(out)),
        state: object.take("state").and_then(|field| state(&field, out)),
        login: object.take("login").and_then(|field| login(&field, out)),
        refresh: object.take("refresh").and_then(|field| refresh(&field, out)),
        expiry: object.take("expiry").and_then(|field| expiry(&field, out)),
    };
    object.shut(out);
    Some(auth)
}

/// Reads where a login is kept; drivers have the same.
pub(crate) fn state(field: &Field<'_>, out: &mut Complaints) -> Option<State> {
    let mut object = field.open(out)?;
    let paths = object
        .take("paths")
        .and_then(|field| field.list(out, |item, out| item.line(4096, out)));
    let env = object.take("env").and_then(|field| {
        let hint = "use capital letters, digits and '_'";
        field.list(out, |item, out| {
            item.shaped(is_env_name, "the name of a variable", hint, out)
        })
    });
    object.shut(out);
    Some(State { paths, env })
}

fn login(field: &Field<'_>, out: &mut Complaints) -> Option<Login> {
    let mut object = field.open(out)?;
    let cmd = object
        .need("cmd", out)
        .and_then(|field| command_line(&field, out));
    let interactive = object.take("interactive").and_then(|field| field.truth(out));
    let requires_callback_url = object
        .take("requires_callback_url")
        .and_then(|field| field.truth(out));
    let completes_when = object
        .take("completes_when")
        .and_then(|field| completes_when(&field, out));
    object.shut(out);
    Some(Login {
        cmd: cmd?,
        interactive,
        requires_callback_url,
        completes_when,
    })
}

fn completes_when(field: &Field<'_>, out: &mut Complaints) -> Option<CompletesWhen> {
    let mut object = field.open(out)?;
    let cmd = object
        .need("cmd", out)
        .and_then(|field| command_line(&field, out));
    let exit_code = object.take("exit_code").and_then(|field| exit_code(&field, out));
    object.shut(out);
    Some(CompletesWhen { cmd: cmd?, exit_code })
}

/// Reads an exit code.
pub(super) fn exit_code(field: &Field<'_>, out: &mut Complaints) -> Option<u8> {
    let code = field.whole(0..=255, out)?;
    u8::try_from(code.value).ok()
}

fn refresh(field: &Field<'_>, out: &mut Complaints) -> Option<Refresh> {
    let mut object = field.open(out)?;
    let cmd = object
        .need("cmd", out)
        .and_then(|field| command_line(&field, out));
    let every = object.take("every").and_then(|field| field.duration(out));
    object.shut(out);
    Some(Refresh { cmd: cmd?, every })
}

/// Reads the sign of a lost login: a program has exit codes and nothing else.
fn expiry(field: &Field<'_>, out: &mut Complaints) -> Option<Expiry> {
    let mut object = field.open(out)?;
    let detect = object.take("detect").and_then(|field| {
        let detect = expiry::read(&field, out)?;
        match &detect.value {
            Detect::ExitCode(_) => Some(detect),
            Detect::HttpStatus(_) | Detect::Exception(_) | Detect::Header { .. } => {
                let what =
                    "a program shows it by an exit code; the other signs are for drivers of other kinds";
                out.push(field.refuse(VALUE, what).hint("write it as exit_code:4"));
                None
            }
        }
    });
    object.shut(out);
    Some(Expiry { detect })
}

impl Auth {
    /// Returns the variables that hold a login.
    pub fn state_env(&self) -> &[Spanned<String>] {
        let env = self.state.as_ref().and_then(|state| state.env.as_deref());
        env.unwrap_or_default()
    }
}
