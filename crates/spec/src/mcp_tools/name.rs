//! What a server's tools and their parameters are called on a command line.
//!
//! A name that can be typed stays as it is. Other visible characters become dashes, and the caller keeps the original
//! beside it; a name with characters that nobody can see is refused.

/// The most characters of a tool's name: what later revisions of MCP recommend.
const TOOL: usize = 128;
/// The most characters of a parameter's name.
const PARAMETER: usize = 128;

/// Returns the name of the command for a tool, unless there can be none.
pub(super) fn command_name(tool: &str) -> Result<String, &'static str> {
    check(tool, TOOL)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    let mut name = String::new();
    for c in tool.chars() {
        if plain(c) {
            name.push(c);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_start_matches('-');
    if !name.contains(|c: char| c.is_ascii_alphanumeric()) {
        return Err("nothing of it could be typed as the name of a command");
    }
    Ok(name.to_owned())
}

/// Returns the flag of a parameter, unless there can be none.
pub(super) fn flag(parameter: &str) -> Result<String, &'static str> {
    check(parameter, PARAMETER)?;
    if parameter.contains(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '\'' | '\\' | ',')) {
        return Err("it holds a blank, a comma, a quote, a backslash or '='");
    }
    if parameter.starts_with('-') {
        return Err("it begins with '-'");
    }
    // `--help` asks for help, whatever a command would make of it.
    let prefix = if parameter == "help" { "--arg-" } else { "--" };
    Ok(format!("{prefix}{parameter}"))
}

fn check(name: &str, most: usize) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("it is empty");
    }
    if name.chars().nth(most).is_some() {
        return Err("it has more than 128 characters");
    }
    if name.chars().any(argrail_acli::is_invisible) {
        return Err("it holds control or invisible characters");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_get_names_that_can_be_typed() {
        let check = |tool: &str, want: Option<&str>| {
            assert_eq!(command_name(tool).ok().as_deref(), want, "{tool:?}");
        };
        for tool in [
            "get_time",
            "getTime",
            "admin.tools.list",
            "a-b",
            "7z",
            "g++",
            "constructor",
        ] {
            check(tool, Some(tool));
        }
        check("repo/search issues", Some("repo-search-issues"));
        check("größe", Some("gr-e"));
        check("--force", Some("force"));
        check("../../x", Some("..-..-x"));
        for tool in ["", "日本語", "---", "a\u{202e}b", "a\nb", "a\0"] {
            check(tool, None);
        }
        check(&"a".repeat(128), Some(&"a".repeat(128)));
        check(&"a".repeat(129), None);
    }

    #[test]
    fn parameters_become_flags() {
        let check = |name: &str, want: Option<&str>| assert_eq!(flag(name).ok().as_deref(), want, "{name:?}");
        check("max_results", Some("--max_results"));
        check("größe", Some("--größe"));
        check("$filter", Some("--$filter"));
        check("help", Some("--arg-help"));
        for name in ["", "-x", "a b", "a=b", "a\"b", "it's", "a,b", "a\u{200b}b", "a\n"] {
            check(name, None);
        }
    }
}
