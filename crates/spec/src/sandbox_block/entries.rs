//! The lists of a block, each entry read as the sandbox reads it.

use argrail_sandbox::HostWords;
use argrail_sandbox::policy::{EnvName, HostPattern, Ingress, PathPattern, Program};
use indexmap::IndexMap;
use schemars::{Schema, SchemaGenerator};

use super::block::sketch;
use super::rules::{ENTRY, SPAWN_ANYTHING};
use crate::declare::{AnyText, ByName, Decode};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::Field;

/// Programs that start whatever they are told to.
const STARTERS: [&str; 19] = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "csh", "tcsh", "busybox", "env", "xargs", "sudo", "doas",
    "su", "nohup", "setsid", "timeout", "python3", "python",
];

/// Shapes of entries, each read as the sandbox reads it: `|place, text|` and its parser.
macro_rules! entries {
    ($( $(#[$meta:meta])* $name:ident: |$place:ident, $text:ident| $parsed:expr; )*) => {$(
        $(#[$meta])*
        pub(crate) struct $name;

        impl Decode<$name> for String {
            fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
                let text = field.text(out)?;
                let ($place, $text) = (&field.path.to_string(), text.as_str());
                if let Err(refusal) = $parsed {
                    let what = format!("{}: {}", Quoted(&text), refusal.reason);
                    out.push(field.refuse(ENTRY, what).hint(refusal.fix.worded(HostWords::default())));
                    return None;
                }
                Some(text.value)
            }

            fn schema(generator: &mut SchemaGenerator) -> Schema {
                <Self as Decode<AnyText>>::schema(generator)
            }
        }
    )*};
}

entries! {
    /// A host name, or `*.` before one for all below it.
    Host: |place, text| HostPattern::parse(place, text).map(drop);
    /// A callback URL on this machine.
    CallbackUrl: |place, text| Ingress::parse(place, text).map(drop);
    /// Files, as a glob.
    Glob: |place, text| sketch().and_then(|anchors| PathPattern::parse(place, text, &anchors)).map(drop);
    /// A variable of the host.
    Passed: |place, text| EnvName::parse(place, text).map(drop);
    /// A program that may be started.
    Spawned: |place, text| Program::parse(place, text).map(drop);
}

/// Warns of programs that start whatever they are told to.
pub(super) fn tell_starters(spawn: &Option<Vec<Spanned<String>>>, _: &Field<'_>, out: &mut Complaints) {
    for program in spawn.iter().flatten() {
        let name = program.rsplit('/').next().unwrap_or_default();
        if starts_anything(name) {
            let what = format!("exec.spawn: {} starts whatever it is told to", Quoted(name));
            let hint = "name the programs that are really needed";
            out.push(SPAWN_ANYTHING.warning(program.span, what).hint(hint));
        }
    }
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
                out.push(
                    ENTRY
                        .error(member.key_span, what)
                        .hint(refusal.fix.worded(HostWords::default())),
                );
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
