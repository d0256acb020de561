//! Reading an `INTENT.md`.

use indexmap::IndexMap;

use super::input_field;
use super::local_text::{self, LocalText, Phrases, phrases};
use super::manifest::{
    Experiment, Implementation, IntentExample, IntentMd, Mapped, OutputKind, Outputs, Scope, Surface, Target,
};
use super::rules::{ROUTE, SCOPE, UNSUPPORTED};
use super::when;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Closed, Field, Loaded, Refused, TWICE, VALUE, is_dotted_id, tags};
use crate::tool_md;

const SURFACES: [(&str, Surface); 5] = [
    ("chat", Surface::Chat),
    ("menu", Surface::Menu),
    ("voice", Surface::Voice),
    ("shortcut", Surface::Shortcut),
    ("api", Surface::Api),
];
const SCOPES: [(&str, Scope); 6] = [
    ("app", Scope::App),
    ("tier", Scope::Tier),
    ("user", Scope::User),
    ("guild", Scope::Guild),
    ("workspace", Scope::Workspace),
    ("operator", Scope::Operator),
];
const OUTPUTS: [(&str, OutputKind); 5] = [
    ("text", OutputKind::Text),
    ("image", OutputKind::Image),
    ("markdown", OutputKind::Markdown),
    ("file", OutputKind::File),
    ("custom", OutputKind::Custom),
];
const ID_HINT: &str = "use 2 to 80 small letters, digits, '-' and '.'";

/// Reads an `INTENT.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<IntentMd>, Refused> {
    crate::manifest::load(text, decode)
}

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<IntentMd> {
    let mut object = field.open(out)?;
    let texts = texts(&mut object, out);
    let id = object
        .need("id", out)
        .and_then(|field| field.shaped(is_dotted_id, "an id such as \"gh.open-pr\"", ID_HINT, out));
    let version = object.need("version", out).and_then(|field| field.version(out));
    let surfaces = object
        .need("surfaces", out)
        .and_then(|field| surfaces(&field, out));
    let implements = object
        .need("implements", out)
        .and_then(|field| implementations(&field, out));
    let inputs = object.take("inputs").and_then(|field| inputs(&field, out));
    let scope = object.take("scope").and_then(|field| scope(&field, out));
    // Whatever is missing, the rest is read, so that everything is told at once.
    let whole =
        texts.is_some() && id.is_some() && version.is_some() && surfaces.is_some() && implements.is_some();
    let texts = texts.unwrap_or_default();
    let intent = IntentMd {
        name: texts.name,
        id: id.unwrap_or_default(),
        label: texts.label,
        description: texts.description,
        version: version.unwrap_or_default(),
        intent: texts.intent,
        surfaces: surfaces.unwrap_or_default(),
        inputs: inputs.unwrap_or_default(),
        outputs: object.take("outputs").and_then(|field| outputs(&field, out)),
        entry: object.take("entry").and_then(|field| field.reference(out)),
        implements: implements.unwrap_or_default(),
        cost_class: object
            .take("cost_class")
            .and_then(|field| tool_md::cost_class(&field, out)),
        quota_key: object.take("quota_key").and_then(|field| quota_key(&field, out)),
        requires: object
            .take("requires")
            .and_then(|field| tool_md::decode_needs(&field, out)),
        auth: object.take("auth").and_then(|field| field.reference(out)),
        experiments: object
            .take("experiments")
            .and_then(|field| field.list(out, experiment))
            .unwrap_or_default(),
        scope,
        disable: object
            .take("disable")
            .and_then(|field| field.shaped(is_dotted_id, "the id of an intent", ID_HINT, out))
            .map(|one| one.value),
        preview: object
            .take("preview")
            .and_then(|field| field.text(out))
            .map(|one| one.value),
        tags: tags(object.take("tags"), out),
        examples: object
            .take("examples")
            .and_then(|field| field.list(out, example))
            .unwrap_or_default(),
        metadata: object
            .take("metadata")
            .and_then(|field| field.map(out))
            .unwrap_or_default(),
    };
    object.shut(out);
    whole.then_some(intent)
}

/// What users read and say.
#[derive(Default)]
struct Texts {
    name: LocalText,
    label: LocalText,
    description: LocalText,
    intent: Phrases,
}

fn texts(object: &mut Closed<'_>, out: &mut Complaints) -> Option<Texts> {
    let name = object
        .need("name", out)
        .and_then(|field| local_text::text(&field, 80, out));
    let label = object
        .need("label", out)
        .and_then(|field| local_text::text(&field, 120, out));
    let description = object
        .need("description", out)
        .and_then(|field| local_text::text(&field, 500, out));
    let intent = object.need("intent", out).and_then(|field| phrases(&field, out));
    Some(Texts {
        name: name?,
        label: label?,
        description: description?,
        intent: intent?,
    })
}

fn surfaces(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<Surface>> {
    let mut surfaces = Vec::new();
    for item in field.items(out)? {
        let Some(surface) = item.choice(&SURFACES, out) else {
            continue;
        };
        if surfaces.contains(&surface) {
            out.push(
                item.refuse(TWICE, "the surface stands twice")
                    .hint("remove one of the two"),
            );
        } else {
            surfaces.push(surface);
        }
    }
    Some(surfaces)
}

fn scope(field: &Field<'_>, out: &mut Complaints) -> Option<Scope> {
    let scope = field.choice(&SCOPES, out)?;
    if scope != Scope::App {
        let what = "there is one user here, so it counts as app";
        out.push(field.warn(SCOPE, what).hint("write app, or leave it out"));
    }
    Some(scope)
}

fn quota_key(field: &Field<'_>, out: &mut Complaints) -> Option<String> {
    let is_key = |text: &str| {
        let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        (2..=128).contains(&text.len())
            && text.starts_with(small)
            && text.chars().all(|c| small(c) || ".-".contains(c))
    };
    let hint = "use small letters, digits, '-' and '.'";
    field
        .shaped(is_key, "a key such as \"images.create\"", hint, out)
        .map(|key| key.value)
}

fn inputs(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<super::InputField>> {
    let inputs = field.list(out, input_field::decode)?;
    for (index, input) in inputs.iter().enumerate() {
        if inputs.iter().take(index).any(|other| other.name == input.name) {
            let what = format!("{}: the name {} stands twice", field.path, Quoted(&input.name));
            out.push(
                TWICE
                    .error(input.name.span, what)
                    .hint("give each input a name of its own"),
            );
        }
    }
    Some(inputs)
}

fn outputs(field: &Field<'_>, out: &mut Complaints) -> Option<Outputs> {
    let mut object = field.open(out)?;
    let kind = object
        .need("type", out)
        .and_then(|field| field.choice(&OUTPUTS, out));
    let template = object.take("template").and_then(|field| field.text(out));
    object.shut(out);
    Some(Outputs {
        kind: kind?,
        template: template.map(|template| template.value),
    })
}

/// Reads the ways to do it: at most one default, and none that hides the rest.
fn implementations(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<Implementation>> {
    let items = field.some_items(out)?;
    let mut all: Vec<Implementation> = Vec::new();
    let mut hidden = false;
    for item in &items {
        let Some(one) = implementation(item, out) else {
            continue;
        };
        let is_default = one.default == Some(true);
        if is_default && all.iter().any(|other| other.default == Some(true)) {
            out.push(
                item.refuse(ROUTE, "there are two defaults")
                    .hint("keep one of them"),
            );
        } else if hidden && !is_default {
            let what = "it is never taken: one before it has no conditions";
            out.push(
                item.warn(ROUTE, what)
                    .hint("give the one before it a when, or default: true"),
            );
        }
        hidden |= !is_default && one.when.is_none();
        all.push(one);
    }
    let any_default = all.iter().any(|one| one.default == Some(true));
    if !any_default && !hidden && !all.is_empty() {
        let what = format!("{}: an input that fits no condition leads nowhere", field.path);
        out.push(ROUTE.note(field.span(), what).hint("mark one with default: true"));
    }
    Some(all)
}

fn implementation(field: &Field<'_>, out: &mut Complaints) -> Option<Implementation> {
    let mut object = field.open(out)?;
    let target = target(&mut object, out);
    let default = object.take("default").and_then(|field| field.truth(out));
    let when = object.take("when").and_then(|field| when::decode(&field, out));
    let mapping = object.take("mapping").and_then(|field| mapping(&field, out));
    object.shut(out);
    Some(Implementation {
        target: target?,
        default,
        when,
        mapping,
    })
}

fn target(object: &mut Closed<'_>, out: &mut Complaints) -> Option<Target> {
    let kinds = ["tool", "workflow", "entry", "action"];
    let given = kinds.into_iter().filter(|key| object.has(key)).count();
    let tool = object.take("tool").and_then(|field| field.line(1024, out));
    let workflow = object.take("workflow");
    let entry = object.take("entry");
    // The draft's text has it, its schema does not.
    let action = object.take("action").and_then(|field| field.line(1024, out));
    for field in [&workflow, &entry].into_iter().flatten() {
        let what = "argrail runs tools of bundles only; this way is never taken";
        out.push(field.warn(UNSUPPORTED, what).hint("name a tool"));
    }
    let mut text = |field: Option<Field<'_>>| field.and_then(|field| field.line(1024, out));
    let (workflow, entry) = (text(workflow), text(entry));
    if given != 1 {
        let what = format!("expected exactly one of tool, workflow and entry, got {given}");
        out.push(
            object
                .field()
                .refuse(VALUE, what)
                .hint("write one entry for each way"),
        );
        return None;
    }
    let tool = tool.or(action).map(Target::Tool);
    tool.or(workflow.map(Target::Workflow))
        .or(entry.map(Target::Entry))
}

fn mapping(field: &Field<'_>, out: &mut Complaints) -> Option<IndexMap<String, Mapped>> {
    let object = field.open(out)?;
    let mut mapping = IndexMap::new();
    for (member, value) in object.members() {
        mapping.extend(mapped(&value, out).map(|mapped| (member.key.clone(), mapped)));
    }
    Some(mapping)
}

/// Reads where an input goes; drivers have the same.
pub(crate) fn mapped(field: &Field<'_>, out: &mut Complaints) -> Option<Mapped> {
    if field.node.as_object().is_none() {
        return field.line(256, out).map(|name| Mapped::Name(name.value));
    }
    let mut object = field.open(out)?;
    let from = object.need("from", out).and_then(|field| field.line(256, out));
    let transform_field = object.take("transform");
    let transform = transform_field.as_ref().and_then(|field| field.line(256, out));
    object.shut(out);
    if let Some(field) = transform_field {
        let what = "code that changes a value is not run here; the value goes through as it is";
        out.push(
            field
                .warn(UNSUPPORTED, what)
                .hint("leave it out, and let the tool take the value"),
        );
    }
    Some(Mapped::From {
        from: from?.value,
        transform: transform.map(|transform| transform.value),
    })
}

fn experiment(field: &Field<'_>, out: &mut Complaints) -> Option<Experiment> {
    let mut object = field.open(out)?;
    let id = object.need("id", out).and_then(|field| {
        field.shaped(
            |text| text.len() <= 64 && is_dotted_id(text),
            "an id",
            ID_HINT,
            out,
        )
    });
    let weight = object
        .need("weight", out)
        .and_then(|field| field.number(0.0..=1.0, out));
    let when = object.take("when").and_then(|field| when::decode(&field, out));
    let implements = object
        .need("implements", out)
        .and_then(|field| implementations(&field, out));
    object.shut(out);
    let what = "experiments are not run: everybody gets the first way that fits";
    out.push(field.warn(UNSUPPORTED, what).hint("leave it out"));
    Some(Experiment {
        id: id?.value,
        weight: weight?,
        when,
        implements: implements?,
    })
}

fn example(field: &Field<'_>, out: &mut Complaints) -> Option<IntentExample> {
    let mut object = field.open(out)?;
    let user = object
        .need("user", out)
        .and_then(|field| local_text::text(&field, 2000, out));
    let note = object
        .take("note")
        .and_then(|field| local_text::text(&field, 2000, out));
    object.shut(out);
    Some(IntentExample { user: user?, note })
}
