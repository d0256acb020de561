//! AIP-29, Setup: the steps of the pipeline, told apart by `kind`, each closed, none called like another.

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::SECRET_PERSIST;
use crate::declare::{
    AnyText, Decode, Line, List, NO_CONTROL, Own, Prose, STEP_ID, Variable, WebTemplate, Whole, by, is_slug,
    manifest, own, peek, tagged, texts, words,
};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Closed, CommandLine, Field, TWICE, VALUE};

tagged! {
    /// One step.
    pub enum SetupStep by "kind" {
        /// A command is run.
        Cmd(CmdStep) = "cmd",
        /// A person is asked.
        Prompt(PromptStep) = "prompt",
        /// Somebody signs in elsewhere.
        Oauth(OauthStep) = "oauth",
        /// A page is opened.
        External(ExternalStep) = "external",
    }
}

manifest! {
    /// A command is run.
    pub struct CmdStep closed {
        /// Its name in the ledger.
        need id: Spanned<String> as StepId,
        /// What is run.
        need cmd: CommandLine,
        /// What it is for.
        may description: Option<String> as Prose<0, 2000>,
        /// When it need not be.
        may skip_if: Option<SkipIf>,
        /// How long it may take; a minute unless told otherwise.
        may timeout_ms: Option<u64> as Whole<100>,
        /// Whether it needs a terminal.
        may interactive: Option<bool>,
        /// Where its output is kept.
        may persist: Option<Persist>,
    }

    /// A person is asked.
    pub struct PromptStep closed, before check_prompt {
        /// Its name in the ledger.
        need id: Spanned<String> as StepId,
        /// The question.
        need prompt: String as Prose<1, 2000>,
        /// What it is for.
        may description: Option<String> as Prose<0, 2000>,
        /// What is asked for; text unless told otherwise.
        may answer("type"): Option<PromptKind>,
        /// What Enter means.
        may default: Option<String> as AnyText,
        /// What can be chosen.
        may options: Option<Options>,
        /// When it need not be.
        may skip_if: Option<SkipIf>,
        /// Where the answer is kept.
        may persist: Option<Persist>,
    }

    /// A command that prints choices.
    pub struct ChoicesOf closed {
        /// What is run.
        need cmd: CommandLine,
        /// How long it may take; half a minute unless told otherwise.
        may timeout_ms: Option<u64> as Whole<100>,
    }

    /// Somebody signs in elsewhere, and tokens come back.
    pub struct OauthStep closed {
        /// Its name in the ledger.
        need id: Spanned<String> as StepId,
        /// Where the tokens are kept.
        need secret_slug: Spanned<String> as KeptSlug,
        /// What it is for.
        may description: Option<String> as Prose<0, 2000>,
        /// When it need not be.
        may skip_if: Option<SkipIf>,
    }

    /// A page is opened, and somebody does something there.
    pub struct ExternalStep closed {
        /// Its name in the ledger.
        need id: Spanned<String> as StepId,
        /// The page, with placeholders.
        need url: Spanned<String> as WebTemplate,
        /// What it is for.
        may description: Option<String> as Prose<0, 2000>,
        /// How the result comes back.
        may callback: Option<Callback>,
        /// When it need not be.
        may skip_if: Option<SkipIf>,
        /// Where the result is kept.
        may persist: Option<Persist>,
    }

    /// How a page's result comes back.
    #[derive(Default)]
    pub struct Callback closed {
        /// The parameter of the address that holds it.
        may param: Option<String> as Line<256>,
        /// How long it is waited for; ten minutes unless told otherwise.
        may timeout_ms: Option<u64> as Whole<1000>,
    }

    /// A command that tells whether a step can be left out.
    pub struct SkipIf closed {
        /// What is run.
        need cmd: CommandLine,
        /// The exit code that says yes; 0 unless told otherwise.
        may exit_code: Option<u8> as Whole<0, 255>,
        /// How long it may take; five seconds unless told otherwise.
        may timeout_ms: Option<u64> as Whole<100>,
    }
}

words! {
    /// What a person is asked for.
    pub enum PromptKind {
        /// Text.
        Text = "text",
        /// One of some.
        Select = "select",
        /// Yes or no.
        Boolean = "boolean",
        /// Text that is not shown.
        Secret = "secret",
    }
}

const SLUG: &str = "^([a-z][a-z0-9-]*[a-z0-9]/)?[a-z][a-z0-9-]*[a-z0-9]$";

texts! {
    /// The id of a step.
    StepId = STEP_ID, "an id such as \"gateway-url\"", "use small letters, digits and '-'";
    /// The slug of the secret in which a value is kept.
    KeptSlug = by(is_slug, SLUG, 2..=80), "the slug of a secret such as \"openclaw/gateway-token\"",
        "use small letters, digits and '-', with one '/' at most";
}

/// What can be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Options {
    /// These.
    Fixed(
        #[schemars(length(min = 1), inner(length(min = 1, max = 1024), regex(pattern = NO_CONTROL)))]
        Vec<String>,
    ),
    /// What a command prints, one a line.
    Printed(ChoicesOf),
}

/// Where a value is kept.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Persist {
    /// In a variable that every call gets.
    Env(#[schemars(length(max = 255), regex(pattern = "^[A-Z_][A-Z0-9_]*$"))] Spanned<String>),
    /// With the secrets.
    SecretSlug(#[schemars(length(min = 2, max = 80), regex(pattern = SLUG))] Spanned<String>),
    /// Wherever this command puts it, which gets it as `${value}`.
    Cmd(#[schemars(extend("pattern" = r"\$\{value"))] CommandLine),
}

own! {
    Options: |field, out| match field.node.as_object() {
        Some(_) => ChoicesOf::decode(field, out).map(Options::Printed),
        None => <Vec<String> as Decode<List<Line<1024>, 1>>>::decode(field, out).map(Options::Fixed),
    };
    Persist: |field, out| persist(field, out);
}

/// No step is called like another; agents have the same.
pub(crate) fn check_steps(steps: &[SetupStep], field: &Field<'_>, out: &mut Complaints) {
    for (index, step) in steps.iter().enumerate() {
        if steps.iter().take(index).any(|other| other.id() == step.id()) {
            let what = format!("{}: the id {} stands twice", field.path, Quoted(step.id()));
            let hint = "give each step an id of its own";
            out.push(TWICE.error(step.id().span, what).hint(hint));
        }
    }
}

fn check_prompt(object: &mut Closed<'_>, out: &mut Complaints) {
    let field = object.field();
    let answer = peek::<PromptKind, Own>(object, "type");
    match field.member("options") {
        None if answer == Some(PromptKind::Select) => {
            let what = "a selection needs options";
            out.push(field.refuse(VALUE, what).hint("add options: [one, other]"));
        }
        Some(options) if answer != Some(PromptKind::Select) => {
            let what = "options belong to type: select";
            let hint = "add type: select, or leave them out";
            out.push(options.refuse(VALUE, what).hint(hint));
        }
        Some(_) | None => {}
    }
    if answer != Some(PromptKind::Secret) {
        return;
    }
    let persist = field.member("persist");
    if let (Some(Persist::Cmd(_)), Some(persist)) = (peek::<Persist, Own>(object, "persist"), persist) {
        let what = "a secret in a command line can be read by every process of this user";
        out.push(
            persist
                .refuse(SECRET_PERSIST, what)
                .hint("keep it with secret_slug"),
        );
    }
    if let Some(default) = peek::<Spanned<String>, AnyText>(object, "default") {
        let what = format!("{}: a secret has no default", field.path);
        let hint = "leave the default out: what stands in a manifest is no secret";
        out.push(SECRET_PERSIST.error(default.span, what).hint(hint));
    }
}

/// Reads where a value is kept: in exactly one place.
fn persist(field: &Field<'_>, out: &mut Complaints) -> Option<Persist> {
    let mut object = field.open(out)?;
    let keys = ["env", "secret_slug", "cmd"];
    let given = keys.into_iter().filter(|key| object.has(key)).count();
    let env = object
        .take("env")
        .and_then(|field| Decode::<Variable>::decode(&field, out));
    let slug = object
        .take("secret_slug")
        .and_then(|field| Decode::<KeptSlug>::decode(&field, out));
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
    let cmd = CommandLine::decode(field, out)?;
    if !cmd.as_str().contains("${value") {
        let what = "expected ${value} where the value goes, got none";
        let hint = "write ${value} as one of the arguments";
        out.push(field.refuse(VALUE, what).hint(hint));
        return None;
    }
    Some(cmd)
}

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
