//! How an input is written as an option: `max_results` and `maxResults` are `--max-results`.

use crate::atip::Opt;

/// What stands for something else on every command line.
const OURS: [&str; 2] = ["--help", "--json"];

/// The most characters of an option's name.
const LONGEST: usize = 128;

/// Returns the option of an input, unless its name cannot be one.
pub fn option_name(input: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '$' | ':' | '@');
    if input.is_empty() || input.len() > LONGEST || !input.chars().all(is_plain) {
        return None;
    }
    let mut name = String::new();
    let mut before: Option<char> = None;
    for c in input.chars() {
        let is_step = c.is_ascii_uppercase()
            && before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit());
        if is_step {
            name.push('-');
        }
        match c {
            '_' => name.push('-'),
            c => name.push(c.to_ascii_lowercase()),
        }
        before = Some(c);
    }
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        .then(|| format!("--{name}"))
}

/// Adds the spelling with dashes to options that are called by the names of a schema. None takes another's, nor those that
/// are ours.
pub(crate) fn add_dashed(options: &mut [Opt]) {
    let mut taken: Vec<String> = options.iter().flat_map(|option| option.flags.clone()).collect();
    taken.extend(OURS.map(str::to_owned));
    for option in options {
        let dashed = option_name(&option.name).filter(|dashed| !taken.contains(dashed));
        taken.extend(dashed.clone());
        option.flags.extend(dashed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_options_with_dashes() {
        let check = |input: &str, want: Option<&str>| {
            assert_eq!(option_name(input).as_deref(), want, "{input:?}");
        };
        check("title", Some("--title"));
        check("max_results", Some("--max-results"));
        check("maxResults", Some("--max-results"));
        check("HTTPProxy", Some("--httpproxy"));
        check("utf8Only", Some("--utf8-only"));
        check("n", Some("--n"));
        check("api.version", Some("--api.version"));
        for odd in ["", "-x", "_x", "a b", "a=b", "größe", "a\0", "a\nb"] {
            check(odd, None);
        }
        check(&"a".repeat(129), None);
    }

    #[test]
    fn dashed_spellings_are_added_and_never_taken_from_another() {
        let option = |name: &str| Opt {
            name: name.to_owned(),
            flags: vec![format!("--{name}")],
            ..Opt::default()
        };
        let mut options = ["dry_run", "a_b", "a-b", "aB", "plain", "Json", "Help"].map(option);
        add_dashed(&mut options);
        let flags: Vec<&[String]> = options.iter().map(|option| option.flags.as_slice()).collect();
        let want: [&[&str]; 7] = [
            &["--dry_run", "--dry-run"],
            &["--a_b"],
            &["--a-b"],
            &["--aB"],
            &["--plain"],
            &["--Json"],
            &["--Help"],
        ];
        assert_eq!(flags, want);
    }
}
