//! Reading a `TOOL.md`.

use super::contract::{
    Approval, DriverConstraints, DriverKind, Mutation, Needs, Retry, ToolExample, ToolRunner, backoff,
    cost_class,
};
use super::manifest::ToolMd;
use super::rules::{APPROVAL, CLASS, RISK};
use super::schemas;
use crate::cli_md;
use crate::declare::Decode;
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{
    Closed, Field, Head, IdShape, Loaded, Refused, SHELL, VALUE, head, is_dotted_id, is_operator, is_tool_id,
    tags, texts_or_none,
};
use crate::sandbox_block;

/// Classes of change that are in use.
const CLASSES: [&str; 7] = [
    "workspace",
    "network",
    "database",
    "secret",
    "external",
    "storage",
    "sandbox",
];
/// The most words of a template.
const MOST_WORDS: usize = 256;

/// Reads a `TOOL.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<ToolMd>, Refused> {
    crate::manifest::load(text, decode)
}

/// The id of a tool.
const ID: IdShape = (
    is_tool_id,
    "an id such as \"gh.pr-create\"",
    "use 2 to 80 small letters, digits, '-' and '.'",
);

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<ToolMd> {
    let mut object = field.open(out)?;
    let head = head(&mut object, ID, out);
    let inputs = object
        .need("inputs", out)
        .and_then(|field| schemas::schema(&field, out));
    let outputs = object
        .need("outputs", out)
        .and_then(|field| schemas::schema(&field, out));
    let idempotent = object.take("idempotent").and_then(|field| field.truth(out));
    let mutates = object.take("mutates").and_then(|field| field.list(out, mutation));
    let mutates = mutates.unwrap_or_default();
    let approval_field = object.take("approval");
    let approval = approval_field.as_ref().and_then(|field| approval(field, out));
    let risk_field = object.take("risk_level");
    let risk = risk_field.as_ref().and_then(|field| field.whole(0..=3, out));
    judge(
        &mutates,
        approval_field.as_ref().zip(approval.as_ref()),
        risk.as_ref(),
        out,
    );
    let metadata_field = object.take("metadata");
    let (cli_argv, cli_bin_args) = own_metadata(metadata_field.as_ref(), out);
    // Whatever is missing, the rest is read, so that everything is told at once.
    let whole = head.is_some() && inputs.is_some() && outputs.is_some();
    let Head {
        name,
        id,
        description,
        version,
    } = head.unwrap_or_default();
    let tool = ToolMd {
        name,
        id,
        description,
        version,
        inputs: inputs.unwrap_or_default(),
        outputs: outputs.unwrap_or_default(),
        idempotent,
        mutates,
        requires: object.take("requires").and_then(|field| needs(&field, out)),
        approval,
        risk_level: risk.and_then(|risk| u8::try_from(risk.value).ok()),
        cost_class: object
            .take("cost_class")
            .and_then(|field| cost_class(&field, out)),
        timeout_ms: object
            .take("timeout_ms")
            .and_then(|field| field.whole(1..=u64::MAX, out)),
        retry: object.take("retry").and_then(|field| retry(&field, out)),
        default_implementation: default_implementation(&mut object, out),
        driver_constraints: object
            .take("driver_constraints")
            .and_then(|field| constraints(&field, out)),
        tags: tags(object.take("tags"), out),
        examples: object
            .take("examples")
            .and_then(|field| field.list(out, example))
            .unwrap_or_default(),
        runner: object.take("runner").and_then(|field| runner(&field, out)),
        sandbox: object
            .take("sandbox")
            .and_then(|field| sandbox_block::decode_narrowing(&field, out)),
        output: object
            .take("output")
            .and_then(|field| cli_md::decode_output(&field, out)),
        metadata: metadata_field
            .and_then(|field| field.map(out))
            .unwrap_or_default(),
        cli_argv,
        cli_bin_args,
    };
    removed(&mut object, out);
    object.shut(out);
    for one in tool.examples.iter().filter(|_| whole) {
        schemas::example(&tool.inputs, &one.name, &one.input, out);
    }
    whole.then_some(tool)
}

/// Complains about what AIP-30 took out of the contract.
fn removed(object: &mut Closed<'_>, out: &mut Complaints) {
    let rows = [
        (
            "code",
            "a contract holds no code",
            "name a driver, or an entry of the bundle",
        ),
        (
            "run",
            "a contract says what, not how",
            "write the words under metadata.cli.argv",
        ),
        (
            "entry",
            "a contract names no program",
            "name it in the CLI.md of the bundle",
        ),
        (
            "secrets",
            "a tool inherits the secrets of its bundle",
            "list what it needs under requires.secrets",
        ),
        (
            "network",
            "hosts are the sandbox's",
            "narrow sandbox.network.egress, or list hosts under requires.network",
        ),
        (
            "runtime",
            "it is the old name of runner",
            "write the limits under runner.limits",
        ),
    ];
    for (key, why, hint) in rows {
        object.misplaced(key, why, hint, out);
    }
}

fn mutation(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<Mutation>> {
    let text = field.line(1024, out)?;
    let parts = text.split_once(':').filter(|(class, scope)| {
        let letters = !class.is_empty() && class.bytes().all(|byte| byte.is_ascii_lowercase());
        letters && !scope.is_empty() && !scope.contains(char::is_whitespace)
    });
    let Some((class, scope)) = parts else {
        let hint = "write what kind of thing, ':', and which";
        out.push(
            field
                .expected("a change such as \"external:github.com\"")
                .hint(hint),
        );
        return None;
    };
    if !CLASSES.contains(&class) {
        let what = format!("nobody has used the class {} yet", Quoted(class));
        let complaint = field.warn(CLASS, what);
        out.push(match argrail_acli::nearest(class, CLASSES) {
            Some(near) => complaint.hint(format!("did you mean {}?", Quoted(near))),
            None => complaint.hint(format!("known are {}", CLASSES.join(", "))),
        });
    }
    let mutation = Mutation {
        class: class.to_owned(),
        scope: scope.to_owned(),
    };
    Some(Spanned::new(mutation, field.span()))
}

fn approval(field: &Field<'_>, out: &mut Complaints) -> Option<Approval> {
    let text = field.line(256, out)?;
    if let Some(policy) = text.strip_prefix("policy:") {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
        if policy.is_empty() || !policy.chars().all(plain) {
            out.push(
                field
                    .expected("policy: and the name of one")
                    .hint("write policy:NAME"),
            );
            return None;
        }
        return Some(Approval::Policy(policy.to_owned()));
    }
    match text.as_str() {
        "auto" => Some(Approval::Auto),
        "on-mutate" => Some(Approval::OnMutate),
        "always" => Some(Approval::Always),
        _ => {
            let expected = "one of auto, on-mutate, always, policy:NAME";
            out.push(field.expected(expected).hint("write one of these words"));
            None
        }
    }
}

/// Holds what is changed against who is asked and what is risked.
fn judge(
    mutates: &[Spanned<Mutation>],
    approval: Option<(&Field<'_>, &Approval)>,
    risk: Option<&Spanned<u64>>,
    out: &mut Complaints,
) {
    let Some(first) = mutates.first() else { return };
    match approval {
        Some((field, Approval::Auto)) => {
            let what = "it changes something, so it is read as on-mutate";
            out.push(field.warn(APPROVAL, what).hint("write on-mutate"));
        }
        None => {
            let what =
                "mutates: it changes something and says nothing about approval, so it is read as on-mutate";
            out.push(APPROVAL.warning(first.span, what).hint("add approval: on-mutate"));
        }
        Some((_, Approval::OnMutate | Approval::Always | Approval::Policy(_))) => {}
    }
    if let Some(risk) = risk.filter(|risk| risk.value == 0) {
        let what = "risk_level: 0 is reading, and the tool changes something";
        out.push(
            RISK.warning(risk.span, what)
                .hint("write 1 for a change in one place, 2 for one outside, 3 if it cannot be undone"),
        );
    }
}

/// Reads what a tool needs; intents have the same.
pub(crate) fn needs(field: &Field<'_>, out: &mut Complaints) -> Option<Needs> {
    let mut object = field.open(out)?;
    let mut list = |key| texts_or_none(object.take(key), out).unwrap_or_default();
    let needs = Needs {
        network: list("network"),
        secrets: list("secrets"),
        tools: list("tools"),
    };
    object.shut(out);
    Some(needs)
}

fn retry(field: &Field<'_>, out: &mut Complaints) -> Option<Retry> {
    let mut object = field.open(out)?;
    let max_attempts = object
        .need("max_attempts", out)
        .and_then(|field| field.whole(1..=20, out));
    let backoff = object.need("backoff", out).and_then(|field| backoff(&field, out));
    let initial_ms = object
        .take("initial_ms")
        .and_then(|field| field.whole(0..=u64::MAX, out));
    object.shut(out);
    Some(Retry {
        max_attempts: max_attempts?.value,
        backoff: backoff?,
        initial_ms: initial_ms.map(|pause| pause.value),
    })
}

/// Reads the driver to prefer; `null` is none.
fn default_implementation(object: &mut Closed<'_>, out: &mut Complaints) -> Option<String> {
    let field = object.take("default_implementation")?;
    if field.node.value == crate::doc::Value::Null {
        return None;
    }
    let hint = "use small letters, digits, '-' and '.'";
    let id = field.shaped(is_dotted_id, "the id of a driver", hint, out);
    id.map(|id| id.value)
}

fn constraints(field: &Field<'_>, out: &mut Complaints) -> Option<DriverConstraints> {
    let mut object = field.open(out)?;
    let mut kinds = |key| {
        let kinds = object
            .take(key)
            .and_then(|field| field.list(out, |item, out| item.choice(&DriverKind::WORDS, out)));
        kinds.unwrap_or_default()
    };
    let constraints = DriverConstraints {
        forbid: kinds("forbid"),
        require_kind: kinds("require_kind"),
    };
    object.shut(out);
    Some(constraints)
}

fn example(field: &Field<'_>, out: &mut Complaints) -> Option<ToolExample> {
    let mut object = field.open(out)?;
    let name = object
        .need("name", out)
        .and_then(|field| field.prose(1..=2000, out));
    let input = object.need("input", out);
    let output = object.take("output");
    let note = object.take("note").and_then(|field| field.text(out));
    object.shut(out);
    let value = |field: Field<'_>| Spanned::new(field.node.to_json(), field.span());
    Some(ToolExample {
        name: name?.value,
        input: value(input?),
        output: output.map(value),
        note: note.map(|note| note.value),
    })
}

fn runner(field: &Field<'_>, out: &mut Complaints) -> Option<ToolRunner> {
    let mut object = field.open(out)?;
    let runner = ToolRunner {
        cli: object.take("cli").and_then(|field| field.reference(out)),
        argv: object.take("argv").and_then(|field| words(&field, out)),
        limits: object
            .take("limits")
            .and_then(|field| sandbox_block::Limits::decode(&field, out)),
    };
    object.misplaced(
        "engine",
        "the bundle decides how its tools run",
        "say it under runner in CLI.md",
        out,
    );
    object.shut(out);
    Some(runner)
}

/// Reads the words of a template: raw, but no operators of a shell.
fn words(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<Spanned<String>>> {
    let words = field.list(out, |item, out| {
        let word = item.text(out)?;
        if is_operator(&word) {
            let what = format!("expected an argument, got the shell's {}", Quoted(&word));
            out.push(
                item.refuse(SHELL, what)
                    .hint("a template is one command; leave several steps to several tools"),
            );
            return None;
        }
        Some(word)
    })?;
    if words.len() > MOST_WORDS {
        let what = format!("expected at most {MOST_WORDS} words, got {}", words.len());
        out.push(
            field
                .refuse(VALUE, what)
                .hint("use an array input for many values"),
        );
        return None;
    }
    Some(words)
}

type Words = Option<Vec<Spanned<String>>>;

/// Reads what is ours in the metadata: `cli.argv` and `cli.bin_args`.
fn own_metadata(field: Option<&Field<'_>>, out: &mut Complaints) -> (Words, Words) {
    let cli = field.and_then(|field| {
        let object = field.node.as_object()?;
        let member = object.member("cli")?;
        Some(field.child(&member.node, field.path.key("cli")))
    });
    let Some(mut object) = cli.and_then(|cli| cli.open(out)) else {
        return (None, None);
    };
    let argv = object.take("argv").and_then(|field| words(&field, out));
    let bin_args = object.take("bin_args").and_then(|field| words(&field, out));
    (argv, bin_args)
}
