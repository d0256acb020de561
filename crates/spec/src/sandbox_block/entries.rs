//! The lists of a block, each entry read as the sandbox reads it.

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Anchors, EnvName, HostPattern, Ingress, PathPattern, Program};
use indexmap::IndexMap;
use schemars::{Schema, SchemaGenerator};

use super::rules::{ENTRY, SPAWN_ANYTHING};
use crate::declare::{AnyText, ByName, Decode};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::Field;

/// A list of a block; absent is not empty when a tool inherits.
pub(super) type Entries = Option<Vec<Spanned<String>>>;

/// Programs that start whatever they are told to.
const STARTERS: [&str; 19] = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "csh", "tcsh", "busybox", "env", "xargs", "sudo", "doas",
    "su", "nohup", "setsid", "timeout", "python3", "python",
];

pub(super) fn hosts(field: Option<Field<'_>>, out: &mut Complaints) -> Entries {
    entries(field, out, |path, text| HostPattern::parse(path, text).map(drop))
}

pub(super) fn callbacks(field: Option<Field<'_>>, out: &mut Complaints) -> Entries {
    entries(field, out, |path, text| Ingress::parse(path, text).map(drop))
}

pub(super) fn paths(field: Option<Field<'_>>, anchors: Option<&Anchors>, out: &mut Complaints) -> Entries {
    entries(field, out, |path, text| match anchors {
        Some(anchors) => PathPattern::parse(path, text, anchors).map(drop),
        None => Ok(()),
    })
}

pub(super) fn variables(field: Option<Field<'_>>, out: &mut Complaints) -> Entries {
    entries(field, out, |path, text| EnvName::parse(path, text).map(drop))
}

pub(super) fn programs(field: Option<Field<'_>>, out: &mut Complaints) -> Entries {
    let programs = entries(field, out, |path, text| Program::parse(path, text).map(drop))?;
    for program in &programs {
        let name = program.rsplit('/').next().unwrap_or_default();
        if starts_anything(name) {
            let what = format!("exec.spawn: {} starts whatever it is told to", Quoted(name));
            let hint = "name the programs that are really needed";
            out.push(SPAWN_ANYTHING.warning(program.span, what).hint(hint));
        }
    }
    Some(programs)
}

/// Whether a program starts whatever it is told to.
pub(crate) fn starts_anything(name: &str) -> bool {
    STARTERS.contains(&name)
}

/// Variables with their values.
pub(crate) struct Settings;

impl Decode<Settings> for IndexMap<String, Spanned<String>> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let object = field.open(out)?;
        let mut settings = Self::new();
        for (member, value) in object.members() {
            if let Err(refusal) = EnvName::parse_set(&value.path.to_string(), &member.key) {
                let what = format!("{}: {}", value.path, refusal.reason);
                out.push(ENTRY.error(member.key_span, what).hint(refusal.fix));
                continue;
            }
            if let Some(text) = value.text(out) {
                settings.insert(member.key.clone(), text);
            }
        }
        Some(settings)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as Decode<ByName<AnyText>>>::schema(generator)
    }
}

fn entries(
    field: Option<Field<'_>>,
    out: &mut Complaints,
    check: impl Fn(&str, &str) -> Result<(), Refusal>,
) -> Entries {
    field?.list(out, |item, out| {
        let text = item.text(out)?;
        match check(&item.path.to_string(), &text) {
            Ok(()) => Some(text),
            Err(refusal) => {
                let what = format!("{}: {}", Quoted(&text), refusal.reason);
                out.push(item.refuse(ENTRY, what).hint(refusal.fix));
                None
            }
        }
    })
}
