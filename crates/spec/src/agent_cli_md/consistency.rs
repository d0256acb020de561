//! Whether the parts of an `AGENT-CLI.md` fit each other.

use super::capabilities::Capability;
use super::continuation::Strategy;
use super::manifest::AgentCliMd;
use super::option::{AgentOption, OptionType};
use super::rules::{CONTINUATION, MODEL, NAME, NO_EFFECT, PROTOCOL, RESUMABLE, TEMPLATE};
use super::session::SessionMode;
use super::wire::Protocol;
use crate::cli_md::{check_expiry, check_methods, check_program, check_state};
use crate::declare::STEP_ID;
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Span, Spanned};
use crate::manifest::{Field, VALUE};

/// Asks every rule.
pub(super) fn check(manifest: &AgentCliMd, root: &Field<'_>, out: &mut Complaints) {
    check_methods(&manifest.install, root, out);
    check_expiry(manifest.auth.as_ref(), None, out);
    check_state(manifest.auth.as_ref(), manifest.sandbox.inline(), out);
    programs(manifest, out);
    name(manifest, out);
    session(manifest, out);
    continuation(manifest, out);
    models(manifest, out);
    for option in &manifest.options {
        template(option, out);
    }
    run_tool(manifest, root, out);
}

/// The protocol has its block, and no other protocol has one.
pub(super) fn wire(protocol: &Spanned<Protocol>, root: &Field<'_>, out: &mut Complaints) {
    let object = root.node.as_object();
    let member = |key: &str| object.and_then(|object| object.member(key));
    let own = protocol.field();
    if member(own).is_none() {
        let what = format!("protocol: {} needs the field {}", protocol.as_str(), Quoted(own));
        let hint = match protocol.value {
            Protocol::Acp => "add 'acp: ./ACP.md', the profile of the protocol",
            Protocol::Mcp => "add 'mcp: {command: …, transport: stdio}'",
            Protocol::Proprietary => "add 'adapter: …', the npm package that talks to the agent",
        };
        out.push(PROTOCOL.error(protocol.span, what).hint(hint));
    }
    for other in [Protocol::Acp, Protocol::Mcp, Protocol::Proprietary] {
        if let Some(member) = member(other.field()).filter(|_| other != protocol.value) {
            let what = format!("{}: the protocol is {}", other.field(), protocol.as_str());
            out.push(NO_EFFECT.warning(member.key_span, what).hint("leave it out"));
        }
    }
}

/// Commands are about the agent's program.
fn programs(manifest: &AgentCliMd, out: &mut Complaints) {
    let bin = manifest.bin.as_str();
    check_program(bin, "version_check.cmd", &manifest.version_check.cmd, out);
    if let Some(login) = manifest.auth.as_ref().and_then(|auth| auth.login.as_ref()) {
        check_program(bin, "auth.login.cmd", &login.cmd, out);
    }
}

/// The name can be that of a folder.
fn name(manifest: &AgentCliMd, out: &mut Complaints) {
    if !STEP_ID.fits(&manifest.name) {
        let what = format!("name: {} is no kebab id", Quoted(&manifest.name));
        let hint = "use small letters, digits and '-', and call the folder so";
        out.push(NAME.warning(manifest.name.span, what).hint(hint));
    }
}

/// Sessions are taken up again only by agents that can.
fn session(manifest: &AgentCliMd, out: &mut Complaints) {
    let mode = manifest
        .session
        .as_ref()
        .and_then(|session| session.mode.as_ref());
    let resumable = mode.filter(|mode| mode.value == SessionMode::Resumable);
    if let Some(mode) = resumable.filter(|_| !manifest.claims(Capability::Resumable)) {
        needs_resumable("session.mode", mode.span, out);
    }
}

fn needs_resumable(place: &str, span: Span, out: &mut Complaints) {
    let what = format!("{place}: it needs capabilities.resumable: true");
    let hint = "claim it in capabilities if the agent can load a session, else choose another";
    out.push(RESUMABLE.error(span, what).hint(hint));
}

fn continuation(manifest: &AgentCliMd, out: &mut Complaints) {
    let Some(continuation) = &manifest.continuation else {
        return;
    };
    let default = &continuation.default;
    if !continuation.supports(default.value) {
        let supported: Vec<&str> = continuation.supported.iter().map(|one| one.as_str()).collect();
        let what = format!(
            "continuation.default: expected one of {}, got {}",
            supported.join(", "),
            Quoted(default.as_str())
        );
        out.push(CONTINUATION.error(default.span, what).hint("add it to supported"));
    }
    let resumable = manifest.claims(Capability::Resumable);
    let native = |strategy: &&Spanned<Strategy>| strategy.value == Strategy::NativeResume;
    if native(&default) && !resumable {
        needs_resumable("continuation.default", default.span, out);
    } else if let Some(strategy) = continuation.supported.iter().find(native).filter(|_| !resumable) {
        let what = "continuation.supported: native-resume needs capabilities.resumable: true";
        let hint = "claim it in capabilities, or take it out of the list";
        out.push(CONTINUATION.warning(strategy.span, what).hint(hint));
    }
    let pinned = continuation.supports(Strategy::PinnedSession);
    if let Some(settings) = continuation.pinned_session.as_ref().filter(|_| !pinned) {
        let what = "continuation.pinned_session: pinned-session is not among the supported ones";
        out.push(NO_EFFECT.warning(settings.span, what).hint("leave it out"));
    }
    let session = manifest.session.clone().unwrap_or_default();
    if default.value == Strategy::PinnedSession && !session.context_carryover() {
        let what =
            "continuation.default: pinned-session carries nothing over when context_carryover is false";
        out.push(CONTINUATION.warning(default.span, what).hint("choose another"));
    }
}

/// The default can be chosen, and the option that takes models takes it.
fn models(manifest: &AgentCliMd, out: &mut Complaints) {
    let default = manifest
        .models
        .as_ref()
        .and_then(|models| models.default.as_ref());
    let (Some(models), Some(default)) = (&manifest.models, default) else {
        return;
    };
    if models.ids().is_some_and(|ids| !ids.contains(&default.as_str())) {
        let what = format!(
            "models.default: {} is not among the allowed ones",
            Quoted(default)
        );
        out.push(MODEL.error(default.span, what).hint("add it to models.allowed"));
    }
    if let Some(option) = manifest.model_option()
        && option.read(default).is_err()
    {
        let what = format!(
            "models.default: the option model does not take {}",
            Quoted(default)
        );
        out.push(
            MODEL
                .error(default.span, what)
                .hint("add it to the option's enum"),
        );
    }
}

/// A template without its value says the same for every one; elsewhere the value has no place.
fn template(option: &AgentOption, out: &mut Complaints) {
    let uses = |text: &&Spanned<String>| text.contains(super::launch::HOLE);
    let first = option.bin_args_template.first();
    let valued =
        option.kind.value == OptionType::Boolean || option.bin_args_template.iter().any(|text| uses(&text));
    if let Some(first) = first.filter(|_| !valued) {
        let what = format!("options: the template of {} has no {{value}}", Quoted(&option.id));
        let hint = "write {value} where the value belongs";
        out.push(TEMPLATE.warning(first.span, what).hint(hint));
    }
    if let Some(flag) = option.bin_args_append_when_true.iter().find(uses) {
        let what = "bin_args_append_when_true: {value} is not replaced here";
        out.push(TEMPLATE.warning(flag.span, what).hint("use bin_args_template"));
    }
}

/// The tool that runs the agent has a name.
fn run_tool(manifest: &AgentCliMd, root: &Field<'_>, out: &mut Complaints) {
    let own = manifest.metadata.get("argrail");
    let tool = own.and_then(|own| own.get("run_tool"));
    if tool.is_some_and(|tool| tool.as_str().is_none_or(str::is_empty)) {
        let member = root.node.as_object().and_then(|object| object.member("metadata"));
        let span = member.map_or(root.span(), |member| member.key_span);
        let what = "metadata.argrail.run_tool: expected the name of a tool";
        out.push(
            VALUE
                .error(span, what)
                .hint("write the name of the server's tool as a text"),
        );
    }
}
