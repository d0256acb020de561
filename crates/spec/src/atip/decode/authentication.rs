//! Authentication (ATIP §3.2.7).

use super::super::model::{AuthMethod, Authentication};
use crate::doc::Node;
use crate::doc::fields::{Complaints, Fields, Trail};

/// Takes the field `authentication` of a tool or a command.
pub(super) fn authentication(owner: &mut Fields<'_>, complaints: &mut Complaints) -> Option<Authentication> {
    let member = owner.take("authentication")?;
    let parent = owner.trail();
    let trail = parent.key("authentication");
    let mut fields = Fields::of(&member.node, trail, complaints)?;
    let ways = trail.key("methods");
    let items = fields.items("methods", complaints).unwrap_or_default();
    let read = |(index, item)| method(item, ways.index(index), complaints);
    Some(Authentication {
        methods: items.iter().enumerate().filter_map(read).collect(),
        required: fields.truth("required", complaints),
        check_command: fields.text("checkCommand", complaints),
        extra: fields.rest(),
    })
}

fn method(node: &Node, trail: Trail<'_>, complaints: &mut Complaints) -> Option<AuthMethod> {
    let mut fields = Fields::of(node, trail, complaints)?;
    let kind = fields.text("type", complaints).unwrap_or_default();
    if kind.is_empty() {
        complaints.warn(
            "atip/missing",
            node.span,
            format!("{trail}: the field \"type\" is missing"),
        );
    }
    Some(AuthMethod {
        kind,
        env_var: fields.text("envVar", complaints),
        config_path: fields.text("configPath", complaints),
        setup_command: fields.text("setupCommand", complaints),
        scopes: fields.texts("scopes", complaints),
        description: fields.text("description", complaints),
        extra: fields.rest(),
    })
}
