//! Reading the objects. Here leniency would be a hole: what is not understood is an error.

use indexmap::IndexMap;
use serde_json::Value;

use super::super::model::Extra;
use super::restriction::{known, policy_key};
use super::types::{Delegation, DeniedCommand, PermissionPolicy, Restriction};
use crate::doc::fields::{Complaints, Fields, Quoted, Trail};
use crate::doc::{Diagnostic, Node, Severity};
use argrail_acli::{Limits, tokenize};

/// Reads a delegation, by itself or under the key `delegation`.
///
/// # Errors
/// What is not understood, each with its place: a restriction that nobody reads would restrict nothing.
pub fn decode_delegation(node: &Node) -> Result<Delegation, Vec<Diagnostic>> {
    let node = inner(node, "delegation");
    let mut complaints = Complaints::default();
    let delegation = delegation(node, &mut complaints);
    finish(delegation, complaints)
}

/// Reads a permission policy, by itself or under the key `permissionPolicy`.
///
/// # Errors
/// What is not understood, each with its place.
pub fn decode_permission_policy(node: &Node) -> Result<PermissionPolicy, Vec<Diagnostic>> {
    let node = inner(node, "permissionPolicy");
    let mut complaints = Complaints::default();
    let policy = permission_policy(node, &mut complaints);
    finish(policy, complaints)
}

fn inner<'a>(node: &'a Node, key: &str) -> &'a Node {
    node.as_object()
        .and_then(|object| object.get(key))
        .unwrap_or(node)
}

fn finish<T>(value: Option<T>, complaints: Complaints) -> Result<T, Vec<Diagnostic>> {
    let mut list = complaints.into_list();
    match value {
        Some(value) if list.is_empty() => Ok(value),
        _ => {
            list.iter_mut().for_each(|one| one.severity = Severity::Error);
            Err(list)
        }
    }
}

fn delegation(node: &Node, complaints: &mut Complaints) -> Option<Delegation> {
    let trail = Trail::root();
    let mut fields = Fields::of(node, trail, complaints)?;
    let denied = fields.texts("deniedCommands", complaints).unwrap_or_default();
    let restrictions = fields.take("effectRestrictions");
    let allowed_tools = fields.texts("allowedTools", complaints);
    let extra = rest(fields, complaints);
    let denied_commands = denied
        .into_iter()
        .filter_map(|text| {
            let words = tokenize(&text, &Limits::default()).unwrap_or_default();
            let words: Vec<String> = words.into_iter().map(Into::into).collect();
            if words.is_empty() {
                let message = format!("deniedCommands: {} is no command", Quoted(&text));
                complaints.warn("delegation/no-command", node.span, message);
                return None;
            }
            Some(DeniedCommand { text, words })
        })
        .collect();
    let effect_restrictions = restrictions
        .and_then(|member| Fields::of(&member.node, trail.key("effectRestrictions"), complaints))
        .map(|fields| effects(&fields, complaints))
        .unwrap_or_default();
    Some(Delegation {
        allowed_tools,
        denied_commands,
        effect_restrictions: effect_restrictions
            .into_iter()
            .map(|(effect, value)| Restriction { effect, value })
            .collect(),
        extra,
    })
}

/// Reads effects with dots and what they may be.
fn effects(fields: &Fields<'_>, complaints: &mut Complaints) -> Vec<(String, Value)> {
    let read = |member: &crate::doc::Member| {
        let value = member.node.to_json();
        let effect = known(&member.key, &value);
        if effect.is_none() {
            let message = format!(
                "{}: {} with this value restricts nothing that we know",
                fields.trail(),
                Quoted(&member.key)
            );
            complaints.warn("delegation/unknown-effect", member.node.span, message);
        }
        effect.map(|effect| (effect, value))
    };
    fields.left().filter_map(read).collect()
}

fn permission_policy(node: &Node, complaints: &mut Complaints) -> Option<PermissionPolicy> {
    let mut fields = Fields::of(node, Trail::root(), complaints)?;
    let auto_approve = rules(&mut fields, "autoApprove", complaints);
    let require_confirmation = rules(&mut fields, "requireConfirmation", complaints);
    let deny = rules(&mut fields, "deny", complaints);
    Some(PermissionPolicy {
        auto_approve,
        require_confirmation,
        deny,
        extra: rest(fields, complaints),
    })
}

/// One group of rules.
fn rules(fields: &mut Fields<'_>, key: &'static str, complaints: &mut Complaints) -> IndexMap<String, Value> {
    let Some(member) = fields.take(key) else {
        return IndexMap::new();
    };
    let root = Trail::root();
    let Some(group) = Fields::of(&member.node, root.key(key), complaints) else {
        return IndexMap::new();
    };
    let mut rules = IndexMap::new();
    for member in group.left() {
        let value = member.node.to_json();
        let problem = match policy_key(&member.key, &value) {
            // `effects.network` and `network` are one key: the second would take the place of the first.
            Some(effect) if rules.contains_key(&effect) => "stands twice",
            Some(effect) => {
                rules.insert(effect, value);
                continue;
            }
            None => "with this value says nothing that we know",
        };
        let message = format!("{}: {} {problem}", root.key(key), Quoted(&member.key));
        complaints.warn("policy/unknown-effect", member.node.span, message);
    }
    rules
}

/// Keys that nobody reads are refused, except those that are marked as somebody's own.
fn rest(fields: Fields<'_>, complaints: &mut Complaints) -> Extra {
    for member in fields.left() {
        if !member.key.starts_with(['_', '$']) && !member.key.starts_with("x-") {
            let message = format!("unknown key {}", Quoted(&member.key));
            complaints.warn("delegation/unknown-key", member.key_span, message);
        }
    }
    fields.rest()
}
