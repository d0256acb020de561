//! Reading the steps of a setup: told apart by `kind`, each closed, none called like another.

use schemars::JsonSchema;
use serde::Serialize;

use super::auth::exit_code;
use super::rules::SECRET_PERSIST;
use super::setup::{
    Callback, ChoicesOf, CmdStep, CmdWord, ExternalStep, ExternalWord, OauthStep, OauthWord, Options,
    Persist, PromptKind, PromptStep, PromptWord, SkipIf,
};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{
    Closed, CommandLine, Field, Holes, TWICE, Traffic, VALUE, command_line, is_env_name, is_slug, is_step_id,
    url,
};

/// One step.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SetupStep {
    /// A command is run.
    Cmd(CmdStep),
    /// A person is asked.
    Prompt(PromptStep),
    /// Somebody signs in elsewhere.
    Oauth(OauthStep),
    /// A page is opened.
    External(ExternalStep),
}

#[derive(Clone, Copy)]
enum Kind {
    Cmd,
    Prompt,
    Oauth,
    External,
}

const KINDS: [(&str, Kind); 4] = [
    ("cmd", Kind::Cmd),
    ("prompt", Kind::Prompt),
    ("oauth", Kind::Oauth),
    ("external", Kind::External),
];
const ANSWERS: [(&str, PromptKind); 4] = [
    ("text", PromptKind::Text),
    ("select", PromptKind::Select),
    ("boolean", PromptKind::Boolean),
    ("secret", PromptKind::Secret),
];
const SLUG: &str = "the slug of a secret such as \"openclaw/gateway-token\"";
const SLUG_HINT: &str = "use small letters, digits and '-', with one '/' at most";

impl SetupStep {
    /// Returns its name in the ledger.
    pub fn id(&self) -> &Spanned<String> {
        match self {
            Self::Cmd(step) => &step.id,
            Self::Prompt(step) => &step.id,
            Self::Oauth(step) => &step.id,
            Self::External(step) => &step.id,
        }
    }

    /// Returns where its value is kept.
    pub fn persist(&self) -> Option<&Persist> {
        match self {
            Self::Cmd(step) => step.persist.as_ref(),
            Self::Prompt(step) => step.persist.as_ref(),
            Self::Oauth(_) => None,
            Self::External(step) => step.persist.as_ref(),
        }
    }

    /// Returns when it can be left out.
    pub fn skip_if(&self) -> Option<&SkipIf> {
        match self {
            Self::Cmd(step) => step.skip_if.as_ref(),
            Self::Prompt(step) => step.skip_if.as_ref(),
            Self::Oauth(step) => step.skip_if.as_ref(),
            Self::External(step) => step.skip_if.as_ref(),
        }
    }

    /// Returns the slug of the secret that it fills.
    pub fn secret_slug(&self) -> Option<&Spanned<String>> {
        match (self, self.persist()) {
            (Self::Oauth(step), _) => Some(&step.secret_slug),
            (Self::Cmd(_) | Self::Prompt(_) | Self::External(_), Some(Persist::SecretSlug(slug))) => {
                Some(slug)
            }
            (
                Self::Cmd(_) | Self::Prompt(_) | Self::External(_),
                Some(Persist::Env(_) | Persist::Cmd(_)) | None,
            ) => None,
        }
    }
}

/// Reads the steps.
pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<SetupStep>> {
    let steps = field.list(out, one)?;
    for (index, step) in steps.iter().enumerate() {
        if steps.iter().take(index).any(|other| other.id() == step.id()) {
            let what = format!(
                "{}: the id {} stands twice",
                field.path,
                crate::doc::fields::Quoted(step.id())
            );
            out.push(
                TWICE
                    .error(step.id().span, what)
                    .hint("give each step an id of its own"),
            );
        }
    }
    Some(steps)
}

fn one(field: &Field<'_>, out: &mut Complaints) -> Option<SetupStep> {
    let mut object = field.open(out)?;
    let hint = "use small letters, digits and '-'";
    let id = object
        .need("id", out)
        .and_then(|field| field.shaped(is_step_id, "an id such as \"gateway-url\"", hint, out));
    let kind = object
        .need("kind", out)
        .and_then(|field| field.choice(&KINDS, out))?;
    let description = object
        .take("description")
        .and_then(|field| field.prose(0..=2000, out));
    let skip_if = object.take("skip_if").and_then(|field| skip_if(&field, out));
    let common = Common {
        id: id.unwrap_or_default(),
        description: description.map(|text| text.value),
        skip_if,
    };
    let step = match kind {
        Kind::Cmd => cmd(&mut object, common, out).map(SetupStep::Cmd),
        Kind::Prompt => prompt(&mut object, common, out).map(SetupStep::Prompt),
        Kind::Oauth => oauth(&mut object, common, out).map(SetupStep::Oauth),
        Kind::External => external(&mut object, common, out).map(SetupStep::External),
    };
    object.shut(out);
    step
}

/// What every kind has.
struct Common {
    id: Spanned<String>,
    description: Option<String>,
    skip_if: Option<SkipIf>,
}

fn cmd(object: &mut Closed<'_>, common: Common, out: &mut Complaints) -> Option<CmdStep> {
    let cmd = object
        .need("cmd", out)
        .and_then(|field| command_line(&field, out));
    let timeout_ms = timeout(object, 100, out);
    let interactive = object.take("interactive").and_then(|field| field.truth(out));
    let persist = object.take("persist").and_then(|field| persist(&field, out));
    Some(CmdStep {
        id: common.id,
        kind: CmdWord::Cmd,
        cmd: cmd?,
        description: common.description,
        skip_if: common.skip_if,
        timeout_ms,
        interactive,
        persist,
    })
}

fn prompt(object: &mut Closed<'_>, common: Common, out: &mut Complaints) -> Option<PromptStep> {
    let prompt = object
        .need("prompt", out)
        .and_then(|field| field.prose(1..=2000, out));
    let answer_field = object.take("type");
    let answer = answer_field
        .as_ref()
        .and_then(|field| field.choice(&ANSWERS, out));
    let default = object.take("default").and_then(|field| field.text(out));
    let options_field = object.take("options");
    let choices = options_field.as_ref().and_then(|field| options(field, out));
    let persist_field = object.take("persist");
    let persist = persist_field.as_ref().and_then(|field| persist(field, out));
    match (answer, &options_field) {
        (Some(PromptKind::Select), None) => {
            let what = format!("{}: a selection needs options", object.field().path);
            out.push(VALUE.error(object.span(), what).hint("add options: [one, other]"));
        }
        (Some(PromptKind::Text | PromptKind::Boolean | PromptKind::Secret) | None, Some(field)) => {
            out.push(
                field
                    .refuse(VALUE, "options belong to type: select")
                    .hint("add type: select, or leave them out"),
            );
        }
        (Some(PromptKind::Select), Some(_)) | (_, None) => {}
    }
    if let (Some(PromptKind::Secret), Some(Persist::Cmd(_)), Some(field)) = (answer, &persist, &persist_field)
    {
        let what = "a secret in a command line can be read by every process of this user";
        out.push(
            field
                .refuse(SECRET_PERSIST, what)
                .hint("keep it with secret_slug"),
        );
    }
    if let (Some(PromptKind::Secret), Some(default)) = (answer, &default) {
        let what = format!("{}: a secret has no default", object.field().path);
        out.push(
            SECRET_PERSIST
                .error(default.span, what)
                .hint("leave the default out: what stands in a manifest is no secret"),
        );
    }
    Some(PromptStep {
        id: common.id,
        kind: PromptWord::Prompt,
        prompt: prompt?.value,
        description: common.description,
        answer,
        default: default.map(|text| text.value),
        options: choices,
        skip_if: common.skip_if,
        persist,
    })
}

fn oauth(object: &mut Closed<'_>, common: Common, out: &mut Complaints) -> Option<OauthStep> {
    let slug = object
        .need("secret_slug", out)
        .and_then(|field| field.shaped(is_slug, SLUG, SLUG_HINT, out));
    Some(OauthStep {
        id: common.id,
        kind: OauthWord::Oauth,
        secret_slug: slug?,
        description: common.description,
        skip_if: common.skip_if,
    })
}

fn external(object: &mut Closed<'_>, common: Common, out: &mut Complaints) -> Option<ExternalStep> {
    let url = object
        .need("url", out)
        .and_then(|field| url(&field, Holes::Allowed, Traffic::Checked, out));
    let callback = object.take("callback").and_then(|field| {
        let mut object = field.open(out)?;
        let param = object.take("param").and_then(|field| field.line(256, out));
        let timeout_ms = timeout(&mut object, 1000, out);
        object.shut(out);
        Some(Callback {
            param: param.map(|param| param.value),
            timeout_ms,
        })
    });
    let persist = object.take("persist").and_then(|field| persist(&field, out));
    Some(ExternalStep {
        id: common.id,
        kind: ExternalWord::External,
        url: url?,
        description: common.description,
        callback,
        skip_if: common.skip_if,
        persist,
    })
}

fn timeout(object: &mut Closed<'_>, least: u64, out: &mut Complaints) -> Option<u64> {
    let timeout = object
        .take("timeout_ms")
        .and_then(|field| field.whole(least..=u64::MAX, out));
    timeout.map(|timeout| timeout.value)
}

fn skip_if(field: &Field<'_>, out: &mut Complaints) -> Option<SkipIf> {
    let mut object = field.open(out)?;
    let cmd = object
        .need("cmd", out)
        .and_then(|field| command_line(&field, out));
    let exit_code = object.take("exit_code").and_then(|field| exit_code(&field, out));
    let timeout_ms = timeout(&mut object, 100, out);
    object.shut(out);
    Some(SkipIf {
        cmd: cmd?,
        exit_code,
        timeout_ms,
    })
}

fn options(field: &Field<'_>, out: &mut Complaints) -> Option<Options> {
    if field.node.as_object().is_none() {
        let items = field.some_items(out)?;
        let choices = items
            .iter()
            .filter_map(|item| item.line(1024, out))
            .map(|choice| choice.value);
        return Some(Options::Fixed(choices.collect()));
    }
    let mut object = field.open(out)?;
    let cmd = object
        .need("cmd", out)
        .and_then(|field| command_line(&field, out));
    let timeout_ms = timeout(&mut object, 100, out);
    object.shut(out);
    Some(Options::Printed(ChoicesOf {
        cmd: cmd?,
        timeout_ms,
    }))
}

/// Reads where a value is kept: in exactly one place.
fn persist(field: &Field<'_>, out: &mut Complaints) -> Option<Persist> {
    let mut object = field.open(out)?;
    let given = ["env", "secret_slug", "cmd"]
        .into_iter()
        .filter(|key| object.has(key))
        .count();
    let env = object.take("env").and_then(|field| {
        let hint = "use capital letters, digits and '_'";
        field.shaped(is_env_name, "the name of a variable", hint, out)
    });
    let slug = object
        .take("secret_slug")
        .and_then(|field| field.shaped(is_slug, SLUG, SLUG_HINT, out));
    let cmd = object.take("cmd").and_then(|field| filled(&field, out));
    object.shut(out);
    if given != 1 {
        let what = format!("expected exactly one of env, secret_slug and cmd, got {given}");
        out.push(field.refuse(VALUE, what).hint("keep the value in one place"));
        return None;
    }
    let env = env.map(Persist::Env);
    env.or(slug.map(Persist::SecretSlug)).or(cmd.map(Persist::Cmd))
}

/// Reads a command that gets the value.
fn filled(field: &Field<'_>, out: &mut Complaints) -> Option<CommandLine> {
    let cmd = command_line(field, out)?;
    if !cmd.as_str().contains("${value") {
        let what = "expected ${value} where the value goes, got none";
        out.push(
            field
                .refuse(VALUE, what)
                .hint("write ${value} as one of the arguments"),
        );
        return None;
    }
    Some(cmd)
}
