//! Effects (ATIP §3.2.6). A claim that cannot be read is no claim: unknown, which asks.

use super::super::model::{Cost, Duration, Effects, Filesystem, Interactive};
use crate::doc::fields::{Complaints, Fields, Trail};
use crate::doc::{Document, Limits};

/// Takes the field `effects` of a tool or a command.
pub(super) fn effects(owner: &mut Fields<'_>, complaints: &mut Complaints) -> Option<Effects> {
    let member = owner.take("effects")?;
    let parent = owner.trail();
    let trail = parent.key("effects");
    let mut fields = Fields::of(&member.node, trail, complaints)?;
    Some(Effects {
        filesystem: filesystem(&mut fields, &trail, complaints),
        network: fields.truth("network", complaints),
        subprocess: fields.truth("subprocess", complaints),
        idempotent: fields.truth("idempotent", complaints),
        reversible: fields.truth("reversible", complaints),
        destructive: fields.truth("destructive", complaints),
        creates: fields.texts("creates", complaints),
        modifies: fields.texts("modifies", complaints),
        deletes: fields.texts("deletes", complaints),
        cost: cost(&mut fields, &trail, complaints),
        duration: duration(&mut fields, &trail, complaints),
        interactive: interactive(&mut fields, &trail, complaints),
        extra: fields.rest(),
    })
}

fn filesystem(owner: &mut Fields<'_>, trail: &Trail<'_>, complaints: &mut Complaints) -> Option<Filesystem> {
    let member = owner.take("filesystem")?;
    let mut fields = Fields::of(&member.node, trail.key("filesystem"), complaints)?;
    Some(Filesystem {
        read: fields.truth("read", complaints),
        write: fields.truth("write", complaints),
        delete: fields.truth("delete", complaints),
        paths: fields.texts("paths", complaints),
        extra: fields.rest(),
    })
}

fn cost(owner: &mut Fields<'_>, trail: &Trail<'_>, complaints: &mut Complaints) -> Option<Cost> {
    let member = owner.take("cost")?;
    let mut fields = Fields::of(&member.node, trail.key("cost"), complaints)?;
    Some(Cost {
        estimate: fields.text("estimate", complaints),
        billable: fields.truth("billable", complaints),
        extra: fields.rest(),
    })
}

fn duration(owner: &mut Fields<'_>, trail: &Trail<'_>, complaints: &mut Complaints) -> Option<Duration> {
    let member = owner.take("duration")?;
    let mut fields = Fields::of(&member.node, trail.key("duration"), complaints)?;
    Some(Duration {
        typical: fields.text("typical", complaints),
        timeout: fields.text("timeout", complaints),
        extra: fields.rest(),
    })
}

fn interactive(
    owner: &mut Fields<'_>,
    trail: &Trail<'_>,
    complaints: &mut Complaints,
) -> Option<Interactive> {
    let member = owner.take("interactive")?;
    let mut fields = Fields::of(&member.node, trail.key("interactive"), complaints)?;
    Some(Interactive {
        stdin: fields.text("stdin", complaints),
        prompts: fields.truth("prompts", complaints),
        tty: fields.truth("tty", complaints),
        extra: fields.rest(),
    })
}

/// Reads effects from JSON that was read before, as leniently as from a document.
pub(crate) fn effects_of(value: &serde_json::Value) -> Effects {
    let text = serde_json::json!({ "effects": value }).to_string();
    let Ok(document) = Document::json(text.as_bytes(), &Limits::metadata()) else {
        return Effects::default();
    };
    let mut complaints = Complaints::default();
    let fields = Fields::of(&document.root, Trail::root(), &mut complaints);
    fields
        .and_then(|mut fields| effects(&mut fields, &mut complaints))
        .unwrap_or_default()
}
