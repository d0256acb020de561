//! Whether signing in can work as it is described, and hides nothing.

use super::super::findings::Findings;
use super::super::view::Tool;
use crate::doc::fields::Quoted;
use crate::doc::{Node, Object, Value, rules};

/// Characters that mean something to a shell and nothing to us.
const SHELL: &[char] = &['|', ';', '&', '<', '>', '$', '`', '\n'];
/// Variables that steer every program, and hold no credential of a tool.
const STEERING: [&str; 9] = [
    "PATH",
    "HOME",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "NODE_OPTIONS",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "BASH_ENV",
    "GIT_SSH_COMMAND",
];

rules! {
    SHELL_FEATURE = "safety/shell", "a command that wants a shell",
        "Commands of metadata are run as words, never by a shell: pipes and variables do not work.";
    ENV_VAR = "safety/env-var", "no name that a variable can have, or one that steers every program",
        "It is passed to the tool by this name.";
    NO_WAY = "consistency/no-auth-method", "authentication that is required and cannot be done",
        "Nobody learns how to sign in.";
    NO_CHECK = "quality/no-check-command", "required authentication that cannot be checked",
        "Whether somebody is signed in is found out by failing.";
    => pub(super) RULES
}

pub(super) fn check(tool: &Tool<'_>, findings: &mut Findings) {
    let of_commands = tool
        .commands
        .iter()
        .filter_map(|command| command.object.get("authentication"));
    for node in tool.get("authentication").into_iter().chain(of_commands) {
        if let Some(object) = node.as_object() {
            authentication(node, object, findings);
        }
    }
    let options = tool.commands.iter().flat_map(|command| &command.options);
    for option in tool.globals.iter().chain(options) {
        env_var(option.get("envVar"), findings);
    }
}

fn authentication(node: &Node, object: &Object, findings: &mut Findings) {
    command(object.get("checkCommand"), "checkCommand", findings);
    let methods = object.get("methods").and_then(Node::as_array).unwrap_or_default();
    let is_none = |method: &Node| {
        let kind = method.as_object().and_then(|method| method.get("type")?.as_str());
        kind == Some("none")
    };
    for method in methods.iter().filter_map(Node::as_object) {
        command(method.get("setupCommand"), "setupCommand", findings);
        env_var(method.get("envVar"), findings);
    }
    let span = object.get("required").map_or(node.span, |required| required.span);
    if object
        .get("required")
        .is_none_or(|required| required.value != Value::Bool(true))
    {
        return;
    }
    if methods.iter().all(is_none) {
        let message = "authentication is required, and no method is described";
        findings.push(NO_WAY.warning(span, message).hint("add \"methods\""));
    }
    if object.get("checkCommand").is_none() {
        let message = "authentication is required, and no command checks it";
        findings.push(NO_CHECK.note(span, message).hint("add \"checkCommand\""));
    }
}

fn command(node: Option<&Node>, field: &str, findings: &mut Findings) {
    let Some((node, text)) = node.and_then(|node| Some((node, node.as_str()?))) else {
        return;
    };
    if let Some(found) = shell_feature(text) {
        let shown = found.to_string();
        let message = format!(
            "{field}: {} means nothing here, there is no shell",
            Quoted(&shown)
        );
        findings.push(
            SHELL_FEATURE
                .warning(node.span, message)
                .hint("write one command and its words"),
        );
    }
}

/// Returns the first character that a shell would act on: outside quotes any of them, inside double quotes `$` and `` ` ``.
fn shell_feature(text: &str) -> Option<char> {
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                characters.next();
            }
            (Some(_), '$' | '`') => return Some(c),
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, _) if SHELL.contains(&c) => return Some(c),
            (None, _) => {}
        }
    }
    None
}

fn env_var(node: Option<&Node>, findings: &mut Findings) {
    let Some((node, name)) = node.and_then(|node| Some((node, node.as_str()?))) else {
        return;
    };
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let shaped = name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit());
    if !shaped {
        let message = format!("envVar: {} is no name of a variable", Quoted(name));
        findings.push(
            ENV_VAR
                .warning(node.span, message)
                .hint("write it without '$', such as GH_TOKEN"),
        );
    } else if STEERING.contains(&name) {
        let message = format!("envVar: {} steers every program", Quoted(name));
        findings.push(
            ENV_VAR
                .warning(node.span, message)
                .hint("name the tool's own variable"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_features_are_seen_outside_quotes() {
        let check = |text: &str, want: Option<char>| assert_eq!(shell_feature(text), want, "{text}");
        check("gh auth status", None);
        check("gh auth status | grep ok", Some('|'));
        check("curl 'https://x/?a=1&b=2'", None);
        check("curl https://x/?a=1&b=2", Some('&'));
        check("echo \"$HOME\"", Some('$'));
        check("echo '$HOME'", None);
        check("echo \\$HOME \"a;b\"", None);
        check("a\nb", Some('\n'));
        check("a `b`", Some('`'));
    }
}
