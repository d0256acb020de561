//! AIP-30 `auth`: that of AIP-29, and what services have instead of commands.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli_md::{Detect, State, decode_signal, decode_state};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{
    Closed, CommandLine, Field, Holes, IsoDuration, Reference, Traffic, VALUE, command_line, url,
};

/// The whole block.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriverAuth {
    /// The inventory of secrets.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub inventory: Option<Reference>,
    /// Where a login is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// How one signs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login: Option<DriverLogin>,
    /// How a login is kept fresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh: Option<DriverRefresh>,
    /// How its loss shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<DriverExpiry>,
}

/// How one signs in: by a command or on a page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriverLogin {
    /// What is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cmd: Option<CommandLine>,
    /// The page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Spanned<String>>,
    /// Whether a person must be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactive: Option<bool>,
    /// Whether a browser must be able to call back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_callback_url: Option<bool>,
    /// How it is known that it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completes_when: Option<DriverCompletes>,
}

/// A command or a page that tells whether somebody is signed in.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriverCompletes {
    /// What is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cmd: Option<CommandLine>,
    /// The exit code that says yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// The page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpCheck>,
}

/// A page that is asked.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HttpCheck {
    /// It.
    pub url: Spanned<String>,
    /// The status that says yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100, max = 599))]
    pub status: Option<u64>,
}

/// How a login is kept fresh.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriverRefresh {
    /// What is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cmd: Option<CommandLine>,
    /// What is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Spanned<String>>,
    /// How often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<IsoDuration>,
}

/// How a lost login shows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriverExpiry {
    /// The sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detect: Option<Spanned<Detect>>,
}

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<DriverAuth> {
    let mut object = field.open(out)?;
    let auth = DriverAuth {
        inventory: object.take("ref").and_then(|field| field.reference(out)),
        state: object.take("state").and_then(|field| decode_state(&field, out)),
        login: object.take("login").and_then(|field| login(&field, out)),
        refresh: object.take("refresh").and_then(|field| refresh(&field, out)),
        expiry: object.take("expiry").and_then(|field| expiry(&field, out)),
    };
    object.shut(out);
    Some(auth)
}

fn page(object: &mut Closed<'_>, out: &mut Complaints) -> Option<Spanned<String>> {
    object
        .take("url")
        .and_then(|field| url(&field, Holes::None, Traffic::Checked, out))
}

/// Complains when neither a command nor a page is there.
fn one_of(field: &Field<'_>, given: bool, out: &mut Complaints) {
    if !given {
        out.push(
            field
                .refuse(VALUE, "expected a command or a page")
                .hint("add cmd or url"),
        );
    }
}

fn login(field: &Field<'_>, out: &mut Complaints) -> Option<DriverLogin> {
    let mut object = field.open(out)?;
    one_of(field, object.has("cmd") || object.has("url"), out);
    let login = DriverLogin {
        cmd: object.take("cmd").and_then(|field| command_line(&field, out)),
        url: page(&mut object, out),
        interactive: object.take("interactive").and_then(|field| field.truth(out)),
        requires_callback_url: object
            .take("requires_callback_url")
            .and_then(|field| field.truth(out)),
        completes_when: object
            .take("completes_when")
            .and_then(|field| completes(&field, out)),
    };
    object.shut(out);
    Some(login)
}

fn completes(field: &Field<'_>, out: &mut Complaints) -> Option<DriverCompletes> {
    let mut object = field.open(out)?;
    one_of(field, object.has("cmd") || object.has("http"), out);
    let completes = DriverCompletes {
        cmd: object.take("cmd").and_then(|field| command_line(&field, out)),
        exit_code: object
            .take("exit_code")
            .and_then(|field| field.whole(0..=255, out))
            .and_then(|code| u8::try_from(code.value).ok()),
        http: object.take("http").and_then(|field| http(&field, out)),
    };
    object.shut(out);
    Some(completes)
}

/// Reads a page that is asked: its address, or more.
pub(super) fn http(field: &Field<'_>, out: &mut Complaints) -> Option<HttpCheck> {
    if field.node.as_str().is_some() {
        let url = url(field, Holes::None, Traffic::Checked, out)?;
        return Some(HttpCheck { url, status: None });
    }
    let mut object = field.open(out)?;
    let url = object
        .need("url", out)
        .and_then(|field| url(&field, Holes::None, Traffic::Checked, out));
    let status = object
        .take("status")
        .and_then(|field| field.whole(100..=599, out));
    Some(HttpCheck {
        url: url?,
        status: status.map(|status| status.value),
    })
}

fn refresh(field: &Field<'_>, out: &mut Complaints) -> Option<DriverRefresh> {
    let mut object = field.open(out)?;
    one_of(field, object.has("cmd") || object.has("url"), out);
    let refresh = DriverRefresh {
        cmd: object.take("cmd").and_then(|field| command_line(&field, out)),
        url: page(&mut object, out),
        every: object.take("every").and_then(|field| field.duration(out)),
    };
    object.shut(out);
    Some(refresh)
}

fn expiry(field: &Field<'_>, out: &mut Complaints) -> Option<DriverExpiry> {
    let mut object = field.open(out)?;
    let detect = object.take("detect").and_then(|field| decode_signal(&field, out));
    object.shut(out);
    Some(DriverExpiry { detect })
}
