//! Whether the parts of a `CLI.md` fit each other.

use argrail_sandbox::policy::PathPattern;

use super::expiry::Detect;
use super::manifest::CliMd;
use super::rules::{METHOD, NO_COMMANDS, OTHER_PROGRAM, SIGNAL, STATE_DENIED};
use crate::doc::Member;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{CommandLine, Field, VALUE};
use crate::sandbox_block::{SandboxBlock, sketch};

/// Asks every rule.
pub(super) fn check(manifest: &CliMd, root: &Field<'_>, out: &mut Complaints) {
    methods(manifest, root, out);
    programs(manifest, out);
    expiry(manifest, out);
    state(manifest, out);
    let commands = root.node.as_object().and_then(|object| object.member("commands"));
    let is_empty = |member: &&Member| {
        member
            .node
            .as_object()
            .is_some_and(|tree| tree.members.is_empty())
    };
    if let Some(member) = commands.filter(is_empty) {
        let what = "commands: no subcommand is described";
        out.push(
            NO_COMMANDS
                .note(member.key_span, what)
                .hint("add one TOOL.md for each use"),
        );
    }
}

/// One method at least must be one that can be tried.
fn methods(manifest: &CliMd, root: &Field<'_>, out: &mut Complaints) {
    let known = |install: &super::Install| !matches!(install, super::Install::Unknown(_));
    if !manifest.install.is_empty() && !manifest.install.iter().any(known) {
        let at = root.node.as_object().and_then(|object| object.member("install"));
        let span = at.map_or(root.span(), |member| member.key_span);
        let what = "install: every method is one that nobody here knows";
        out.push(METHOD.error(span, what).hint("add a method of the draft"));
    }
}

/// Commands and examples are about the bundle's program.
fn programs(manifest: &CliMd, out: &mut Complaints) {
    let bin = manifest.bin.rsplit('/').next().unwrap_or_default();
    let is_own = |program: &str| program == bin || program == manifest.bin.as_str();
    let mut ask = |what: &str, cmd: &CommandLine| {
        if let Some(program) = cmd.program().filter(|program| !is_own(program)) {
            let message = format!("{what}: it starts {}, not {}", Quoted(&program), Quoted(bin));
            out.push(
                OTHER_PROGRAM
                    .warning(cmd.span(), message)
                    .hint("start the bundle's own program"),
            );
        }
    };
    ask("version_check.cmd", &manifest.version_check.cmd);
    if let Some(login) = manifest.auth.as_ref().and_then(|auth| auth.login.as_ref()) {
        ask("auth.login.cmd", &login.cmd);
    }
    for example in &manifest.examples {
        let program = example.cmd.split_whitespace().next().unwrap_or_default();
        if !is_own(program) {
            let message = format!(
                "examples: expected a use of {}, got {}",
                Quoted(bin),
                Quoted(program)
            );
            out.push(
                OTHER_PROGRAM
                    .note(example.cmd.span, message)
                    .hint("show how the bundle's program is used"),
            );
        }
    }
}

/// The sign of a lost login is an exit code that means that.
fn expiry(manifest: &CliMd, out: &mut Complaints) {
    let expiry = manifest.auth.as_ref().and_then(|auth| auth.expiry.as_ref());
    let Some(detect) = expiry.and_then(|expiry| expiry.detect.as_ref()) else {
        return;
    };
    let code = match &detect.value {
        Detect::ExitCode(code) => *code,
        Detect::HttpStatus(_) | Detect::Exception(_) | Detect::Header { .. } => return,
    };
    let codes = manifest
        .output
        .as_ref()
        .and_then(|output| output.exit_codes.as_ref());
    let meaning = codes.map(|codes| codes.meaning(code));
    match (code, meaning) {
        (0, _) => {
            let what = "auth.expiry.detect: 0 is success, not a lost login";
            out.push(
                VALUE
                    .error(detect.span, what)
                    .hint("write the code that the program exits with"),
            );
        }
        (_, Some(Some("auth_required")) | None) if code != 1 => {}
        (_, meaning) => {
            let meaning = meaning.flatten().unwrap_or("error");
            let what = format!("auth.expiry.detect: {code} also means {}", Quoted(meaning));
            let hint = "map the code to auth_required in output.exit_codes; else every failure is checked with completes_when";
            out.push(SIGNAL.warning(detect.span, what).hint(hint));
        }
    }
}

/// What holds the login is not denied.
fn state(manifest: &CliMd, out: &mut Complaints) {
    let (Some(SandboxBlock::Aip29(block)), Ok(anchors)) = (manifest.sandbox.inline(), sketch()) else {
        return;
    };
    let deny = block.fs.deny.iter().flatten();
    let denied: Vec<PathPattern> = deny
        .filter_map(|text| PathPattern::parse("fs.deny", text, &anchors).ok())
        .collect();
    let state = manifest.auth.as_ref().and_then(|auth| auth.state.as_ref());
    for (index, path) in state
        .and_then(|state| state.paths.as_ref())
        .into_iter()
        .flatten()
        .enumerate()
    {
        let field = format!("auth.state.paths[{index}]");
        match PathPattern::parse(&field, path, &anchors) {
            Err(refusal) => {
                let what = format!("{field}: {}: {}", Quoted(path), refusal.reason);
                out.push(VALUE.error(path.span, what).hint(refusal.fix));
            }
            Ok(pattern) => {
                // A folder is named without its `/**`, and what is denied may lie inside.
                let inside =
                    PathPattern::parse(&field, &format!("{}/**", path.trim_end_matches('/')), &anchors).ok();
                let meets = |deny: &&PathPattern| {
                    deny.overlaps(&pattern) || inside.as_ref().is_some_and(|inside| deny.overlaps(inside))
                };
                if let Some(deny) = denied.iter().find(meets) {
                    let what = format!("{field}: {} is denied by {}", Quoted(path), Quoted(deny.text()));
                    let hint = "take it out of sandbox.fs.deny, or out of auth.state.paths";
                    out.push(STATE_DENIED.error(path.span, what).hint(hint));
                }
            }
        }
    }
}
