//! AIP-30 `health_check`: how a driver is known to work.

use schemars::JsonSchema;
use serde::Serialize;

use super::auth::{HttpCheck, http};
use crate::doc::fields::Complaints;
use crate::manifest::{CommandLine, Field, IsoDuration, VALUE, command_line};

const METHODS: [(&str, HealthMethod); 4] = [
    ("ping", HealthMethod::Ping),
    ("exec", HealthMethod::Exec),
    ("http", HealthMethod::Http),
    ("noop", HealthMethod::Noop),
];

/// The check.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HealthCheck {
    /// How.
    pub method: HealthMethod,
    /// What is run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cmd: Option<CommandLine>,
    /// What is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpCheck>,
    /// The exit code that says yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect_exit: Option<u64>,
    /// How often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<IsoDuration>,
    /// How long it may take; five seconds unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub timeout_ms: Option<u64>,
}

/// How a driver is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HealthMethod {
    /// By the protocol's own question.
    Ping,
    /// By a command.
    Exec,
    /// By a page.
    Http,
    /// Not at all.
    Noop,
}

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<HealthCheck> {
    let mut object = field.open(out)?;
    let method = object
        .need("method", out)
        .and_then(|field| field.choice(&METHODS, out));
    let (has_cmd, has_http) = (object.has("cmd"), object.has("http"));
    let check = HealthCheck {
        method: method?,
        cmd: object.take("cmd").and_then(|field| command_line(&field, out)),
        http: object.take("http").and_then(|field| http(&field, out)),
        expect_exit: object
            .take("expect_exit")
            .and_then(|field| field.whole(0..=255, out))
            .map(|code| code.value),
        every: object.take("every").and_then(|field| field.duration(out)),
        timeout_ms: object
            .take("timeout_ms")
            .and_then(|field| field.whole(1..=u64::MAX, out))
            .map(|time| time.value),
    };
    object.shut(out);
    let lacks = match check.method {
        HealthMethod::Exec => (!has_cmd).then_some("cmd"),
        HealthMethod::Http => (!has_http).then_some("http"),
        HealthMethod::Ping | HealthMethod::Noop => None,
    };
    if let Some(lacks) = lacks {
        out.push(
            field
                .refuse(VALUE, format!("this method needs {lacks}"))
                .hint(format!("add '{lacks}: …'")),
        );
    }
    Some(check)
}
