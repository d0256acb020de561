//! Lists of values: `a, b or c`, `'a' (why), 'b'`, `a|b|c`.

const MAX_VALUES: usize = 200;
const MAX_VALUE: usize = 60;

/// Whether a word may be one of several values to choose from.
pub(crate) fn is_value(word: &str) -> bool {
    let is_inside =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':' | '/' | '=' | '@' | '*');
    (1..=MAX_VALUE).contains(&word.len())
        && word.chars().all(is_inside)
        && word.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '+' | '*'))
        && word.chars().any(char::is_alphanumeric)
}

/// Reads alternatives that are joined by bars or commas, all of it.
pub(crate) fn alternatives(text: &str, sign: char) -> Option<Vec<String>> {
    let parts: Vec<&str> = text
        .split(sign)
        .take(MAX_VALUES)
        .map(|part| unquoted(part.trim()))
        .collect();
    let is_choice = parts.len() > 1 && parts.iter().all(|part| is_value(part));
    is_choice.then(|| parts.into_iter().map(str::to_owned).collect())
}

pub(crate) fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\'', '`', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}'])
}

/// Reads a list from the beginning of `text` on, as long as it is one. Two values at least.
pub(crate) fn leading(text: &str) -> Option<Vec<String>> {
    let mut values: Vec<String> = Vec::new();
    let mut rest = text.trim_start_matches([' ', ':', '(', '[', '<', '{']);
    let is_quoted = rest.starts_with(['"', '\'', '`', '\u{2018}', '\u{201c}']);
    while values.len() < MAX_VALUES {
        let Some((word, behind)) = item(rest, is_quoted) else {
            break;
        };
        let ends_sentence = !is_quoted && word.ends_with('.');
        let word = word.trim_end_matches(['.', ')', ']', '>', '}', ';']);
        let word = word.split(['=']).next().unwrap_or_default();
        if !is_value(word) {
            break;
        }
        let is_prose = !is_quoted && crate::help::head::is_prose_word(word);
        if is_prose {
            break;
        }
        values.push(word.to_owned());
        if ends_sentence {
            break;
        }
        match joint(behind, is_quoted) {
            Some(next) => rest = next,
            None => break,
        }
    }
    (values.len() > 1).then_some(values)
}

fn item(text: &str, is_quoted: bool) -> Option<(&str, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if is_quoted {
        let close = match first {
            '\u{2018}' => '\u{2019}',
            '\u{201c}' => '\u{201d}',
            quote @ ('"' | '\'' | '`') => quote,
            _ => return None,
        };
        let inside = chars.as_str();
        let end = inside.find(close).filter(|end| *end <= MAX_VALUE)?;
        return Some((inside.get(..end)?, inside.get(end + close.len_utf8()..)?));
    }
    let end = text
        .find([' ', ',', '|', ')', ']', '>', '}', ';'])
        .unwrap_or(text.len());
    Some((text.get(..end)?, text.get(end..)?))
}

/// What joins one value to the next; a remark in brackets may stand before it.
fn joint(text: &str, is_quoted: bool) -> Option<&str> {
    let mut rest = text.trim_start();
    if rest.starts_with('(') {
        let end = rest.find(')')?;
        rest = rest.get(end + 1..)?.trim_start();
        // `'off' (the default) 'on'`
        if is_quoted && rest.starts_with(['\'', '"', '`']) {
            return Some(rest);
        }
    }
    for sign in [", or ", ", and ", "or ", "and ", ", ", ",", "| ", "|", "/ "] {
        if let Some(next) = rest.strip_prefix(sign) {
            let next = next.trim_start();
            let next = next.strip_prefix("or ").unwrap_or(next);
            return Some(next);
        }
    }
    None
}
