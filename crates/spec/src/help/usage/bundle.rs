//! Whether `[-abc]` of a usage line is three options or one.

/// What else the page shows about options with one dash.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    /// How many options with one dash and several letters there are otherwise.
    pub(crate) words: usize,
    /// How many letters stand alone, without a value, in brackets of their own.
    pub(crate) single_switches: usize,
    /// How many letters have a value.
    pub(crate) letters_with_value: usize,
}

/// Whether the letters of `name` are options of their own. `is_known` says which letters are defined elsewhere.
pub(crate) fn is_bundle(name: &str, style: Style, is_known: impl Fn(char) -> bool) -> bool {
    let letters: Vec<char> = name.chars().collect();
    let is_plain = letters.iter().all(char::is_ascii_alphanumeric);
    if letters.len() < 2 || letters.len() > 62 || !is_plain {
        return false;
    }
    let is_distinct =
        (1..letters.len()).all(|at| !letters.iter().take(at).any(|c| letters.get(at) == Some(c)));
    if !is_distinct {
        return false;
    }
    let known = letters.iter().filter(|letter| is_known(**letter)).count();
    if known > 1 && known * 2 >= letters.len() {
        return true;
    }
    let has_digit = letters.iter().any(char::is_ascii_digit) && letters.iter().any(char::is_ascii_alphabetic);
    let has_lower = letters.iter().any(char::is_ascii_lowercase);
    let has_inner_upper = letters.iter().skip(1).any(char::is_ascii_uppercase);
    if (has_digit && letters.first().is_some_and(char::is_ascii_digit)) || (has_lower && has_inner_upper) {
        return true;
    }
    if style.words > 0 || style.single_switches > 1 {
        return false;
    }
    let lower: Vec<char> = letters.iter().map(char::to_ascii_lowercase).collect();
    let is_sorted = letters.len() > 2 && lower.is_sorted();
    let vowels = lower
        .iter()
        .filter(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u'))
        .count();
    let is_unspeakable = letters.len() > 2 && vowels * 4 < letters.len();
    let is_short = match style.letters_with_value {
        0 => false,
        1 => letters.len() < 4 && style.single_switches == 0,
        _ => letters.len() < 7,
    };
    is_sorted || is_unspeakable || letters.len() > 12 || is_short
}
