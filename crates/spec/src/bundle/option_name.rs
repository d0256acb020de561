//! How an input is written as an option: `max_results` and `maxResults` are `--max-results`.

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
}
