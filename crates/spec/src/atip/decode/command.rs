//! Commands and what is below them (ATIP §3.2.2).

use super::super::model::{Command, Commands};
use super::authentication::authentication;
use super::effects::effects;
use super::parameter::{arguments, options};
use crate::doc::Member;
use crate::doc::fields::{Complaints, Fields, Quoted, Trail};

/// Takes the field `commands`. A name that nobody could type is left out and said.
pub(super) fn commands(owner: &mut Fields<'_>, complaints: &mut Complaints) -> Commands {
    let Some(member) = owner.take("commands") else {
        return Commands::new();
    };
    let parent = owner.trail();
    let trail = parent.key("commands");
    let Some(fields) = Fields::of(&member.node, trail, complaints) else {
        return Commands::new();
    };
    fields
        .left()
        .filter_map(|member| Some((member.key.clone(), command(member, &trail, complaints)?)))
        .collect()
}

fn command(member: &Member, trail: &Trail<'_>, complaints: &mut Complaints) -> Option<Command> {
    let hidden = |c: char| c.is_control() || c.is_whitespace() || argrail_acli::is_invisible(c);
    if member.key.starts_with('-') || member.key.chars().any(hidden) {
        let message = format!("{trail}: {} cannot be the name of a command", Quoted(&member.key));
        complaints.warn("atip/bad-command-name", member.key_span, message);
        return None;
    }
    let trail = trail.key(&member.key);
    let mut fields = Fields::of(&member.node, trail, complaints)?;
    let description = fields.text("description", complaints).unwrap_or_default();
    if description.is_empty() {
        complaints.warn(
            "atip/missing",
            member.key_span,
            format!("{trail}: no \"description\""),
        );
    }
    Some(Command {
        description,
        aliases: fields.texts("aliases", complaints).unwrap_or_default(),
        commands: commands(&mut fields, complaints),
        arguments: arguments(&mut fields, complaints),
        options: options(&mut fields, "options", complaints),
        effects: effects(&mut fields, complaints),
        examples: fields.texts("examples", complaints).unwrap_or_default(),
        authentication: authentication(&mut fields, complaints),
        deprecated: fields.truth("deprecated", complaints),
        hidden: fields.truth("hidden", complaints),
        extra: fields.rest(),
    })
}
