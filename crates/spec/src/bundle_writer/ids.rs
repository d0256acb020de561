//! Names that manifests allow, made of names that programs have.

/// The longest id of a tool.
const TOOL: usize = 80;

/// Returns the id of a bundle for a program, if one can be made: `g++` and `7z` give `g-plus-plus` and `7z`.
pub fn bundle_id(bin: &str) -> Option<String> {
    let id = slug(bin);
    let id = match id.len() {
        0 => return None,
        1 => format!("{id}-cli"),
        _ => id,
    };
    (id.len() <= 64).then_some(id)
}

/// Returns small letters, digits and single dashes between them.
pub(super) fn slug(text: &str) -> String {
    let spelled = text.replace('+', "-plus").to_lowercase();
    let parts = spelled.split(|c: char| !c.is_ascii_alphanumeric());
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// Returns a name for the tool of these words that none of `taken` is, to be the folder and the end of the id.
pub(super) fn tool_slug(id: &str, words: &[&str], taken: &[String]) -> String {
    let room = TOOL.saturating_sub(id.len() + 1 + 4);
    let mut plain: String = slug(&words.join("-")).chars().take(room).collect();
    plain.truncate(plain.trim_end_matches('-').len());
    if plain.is_empty() {
        "run".clone_into(&mut plain);
    }
    let is_free = |name: &String| !taken.contains(name);
    let numbered = (2..10_000).map(|number| format!("{plain}-{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    names.find(is_free).unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_made_of_names() {
        let check = |bin: &str, want: Option<&str>| assert_eq!(bundle_id(bin).as_deref(), want, "{bin}");
        check("gh", Some("gh"));
        check("7z", Some("7z"));
        check("g++", Some("g-plus-plus"));
        check("pg_dump", Some("pg-dump"));
        check("python3.11", Some("python3-11"));
        check("w", Some("w-cli"));
        check("Foo", Some("foo"));
        check("[", None);
        check("", None);
        check(&"x".repeat(65), None);
    }

    #[test]
    fn tools_have_names_of_their_own() {
        let taken = ["pr-list".to_owned()];
        assert_eq!(tool_slug("gh", &["pr", "list"], &taken), "pr-list-2");
        assert_eq!(tool_slug("gh", &[], &taken), "run");
        assert!(tool_slug("gh", &["x"; 200], &taken).len() <= 76);
    }
}
