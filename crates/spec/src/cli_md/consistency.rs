//! Whether the parts of a `CLI.md` fit each other.

use argrail_sandbox::HostWords;
use argrail_sandbox::policy::PathPattern;

use super::auth::Auth;
use super::expiry::Detect;
use super::install::Install;
use super::manifest::CliMd;
use super::output::ExitCodes;
use super::rules::{METHOD, NO_COMMANDS, OTHER_PROGRAM, SIGNAL, STATE_DENIED};
use crate::doc::Member;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{CommandLine, Field, VALUE};
use crate::sandbox_block::{SandboxBlock, sketch};

/// Asks every rule.
pub(super) fn check(manifest: &CliMd, root: &Field<'_>, out: &mut Complaints) {
    check_methods(&manifest.install, root, out);
    programs(manifest, out);
    let codes = manifest
        .output
        .as_ref()
        .and_then(|output| output.exit_codes.as_ref());
    check_expiry(manifest.auth.as_ref(), codes, out);
    check_state(manifest.auth.as_ref(), manifest.sandbox.inline(), out);
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
pub(crate) fn check_methods(install: &[Install], root: &Field<'_>, out: &mut Complaints) {
    let known = |install: &Install| !matches!(install, Install::Unknown(_));
    if !install.is_empty() && !install.iter().any(known) {
        let at = root.node.as_object().and_then(|object| object.member("install"));
        let span = at.map_or(root.span(), |member| member.key_span);
        let what = "install: every method is one that nobody here knows";
        out.push(METHOD.error(span, what).hint("add a method of the draft"));
    }
}

/// A command is about the bundle's program.
pub(crate) fn check_program(bin: &str, what: &str, cmd: &CommandLine, out: &mut Complaints) {
    if let Some(program) = cmd.program().filter(|program| !is_own(bin, program)) {
        let message = format!(
            "{what}: it starts {}, not {}",
            Quoted(&program),
            Quoted(name_of(bin))
        );
        out.push(
            OTHER_PROGRAM
                .warning(cmd.span(), message)
                .hint("start the bundle's own program"),
        );
    }
}

/// Returns what a program is called, wherever it lies.
fn name_of(bin: &str) -> &str {
    bin.rsplit('/').next().unwrap_or_default()
}

fn is_own(bin: &str, program: &str) -> bool {
    program == bin || program == name_of(bin)
}

/// Commands and examples are about the bundle's program.
fn programs(manifest: &CliMd, out: &mut Complaints) {
    let bin = manifest.bin.as_str();
    check_program(bin, "version_check.cmd", &manifest.version_check.cmd, out);
    if let Some(login) = manifest.auth.as_ref().and_then(|auth| auth.login.as_ref()) {
        check_program(bin, "auth.login.cmd", &login.cmd, out);
    }
    for example in &manifest.examples {
        let program = example.cmd.split_whitespace().next().unwrap_or_default();
        if !is_own(bin, program) {
            let message = format!(
                "examples: expected a use of {}, got {}",
                Quoted(name_of(bin)),
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
pub(crate) fn check_expiry(auth: Option<&Auth>, codes: Option<&ExitCodes>, out: &mut Complaints) {
    let expiry = auth.and_then(|auth| auth.expiry.as_ref());
    let Some(detect) = expiry.and_then(|expiry| expiry.detect.as_ref()) else {
        return;
    };
    let code = match &detect.value {
        Detect::ExitCode(code) => *code,
        Detect::HttpStatus(_) | Detect::Exception(_) | Detect::Header { .. } => return,
    };
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
pub(crate) fn check_state(auth: Option<&Auth>, sandbox: Option<&SandboxBlock>, out: &mut Complaints) {
    let (Some(SandboxBlock::Aip29(block)), Ok(anchors)) = (sandbox, sketch()) else {
        return;
    };
    let deny = block.fs.deny.iter().flatten();
    let denied: Vec<PathPattern> = deny
        .filter_map(|text| PathPattern::parse("fs.deny", text, &anchors).ok())
        .collect();
    let state = auth.and_then(|auth| auth.state.as_ref());
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
                out.push(
                    VALUE
                        .error(path.span, what)
                        .hint(refusal.fix.worded(HostWords::default())),
                );
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
