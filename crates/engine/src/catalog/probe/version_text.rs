//! The version in what a program says to `--version`: the first word of numbers with dots.

/// The longest version.
const LONGEST: usize = 40;
/// How many lines of the answer are looked at.
const LINES: usize = 3;

/// Returns the version that a text tells.
pub(in crate::catalog) fn version_in(text: &str) -> Option<String> {
    text.lines().take(LINES).find_map(numbers)
}

/// The first word of a line that is numbers with dots: `2.39.2`, `v1.2-rc1`.
fn numbers(line: &str) -> Option<String> {
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';'));
    words
        .map(|word| word.trim_start_matches(['v', 'V']).trim_end_matches('.'))
        .find(|word| is_version(word))
        .map(str::to_owned)
}

fn is_version(word: &str) -> bool {
    let mut parts = word.split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next().is_some_and(is_number);
    let second = parts
        .next()
        .is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-+~_".contains(&byte);
    first && second && word.len() <= LONGEST && word.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_the_first_word_of_numbers_with_dots() {
        let check = |line: &str, want: Option<&str>| assert_eq!(numbers(line).as_deref(), want, "{line}");
        check("tool version 2.39.2", Some("2.39.2"));
        check("tool v1.2-rc1 (linux)", Some("1.2-rc1"));
        check("tool (Some package) 9.1", Some("9.1"));
        check("tool 1.2.3+git.4, built today", Some("1.2.3+git.4"));
        check("Python 3.11.2.", Some("3.11.2"));
        check("tool 12", None);
        check("a.b 1.", None);
        check("see http://1.2/x", None);
        check("", None);
    }
}
