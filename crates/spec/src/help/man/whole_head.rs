//! A line that is known to be a head, by a macro or by what stands deeper below it.
//!
//! What the grammar of heads does not know may follow an option there: `-exec command ;`, `-p number|-|=`. It is read
//! as the value, as long as it is no sentence.

use crate::help::head::{Head, RawValue, is_prose_word, parse};

/// How many words a head may have.
const WORDS: usize = 16;
/// How long what the grammar does not know may be.
const REST: usize = 80;

/// Returns the heads that a line is made of: mostly one, and several in `-l and -ln`.
pub(crate) fn whole(text: &str) -> Option<Vec<Head>> {
    let text = trimmed(text);
    if let Some(head) = parse(&text) {
        return Some(vec![head]);
    }
    let parts: Vec<&str> = text
        .split(" and ")
        .map(|part| part.trim_end_matches(','))
        .collect();
    if parts.len() > 1 && parts.iter().all(|part| part.starts_with('-')) {
        return parts.into_iter().map(parse).collect();
    }
    known_part(&text).map(|head| vec![head])
}

/// The option before a value that the grammar does not know: `--window=[A][,B[%]]…`.
pub(crate) fn before_value(text: &str) -> Option<Head> {
    let end = text.find(['=', ' ', '['])?;
    let (left, right) = text.split_at_checked(end)?;
    let mut head = parse(left)?;
    let name = right.trim_start_matches(['=', ' ']);
    let last = head
        .forms
        .last_mut()
        .filter(|_| right.starts_with('=') && !name.is_empty())?;
    let name: String = name.chars().take_while(|c| !c.is_whitespace()).take(60).collect();
    last.value = Some(RawValue {
        text: name,
        optional: false,
    });
    Some(head)
}

/// The longest start of a text that is a head, if the rest can be its value.
fn known_part(text: &str) -> Option<Head> {
    let ends: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).take(WORDS).collect();
    let found = ends.iter().rev().find_map(|end| {
        let (left, right) = text.split_at_checked(*end)?;
        parse(left).map(|head| (head, right.trim()))
    });
    let (mut head, rest) = found?;
    if rest.len() > REST
        || rest.ends_with(['.', ','])
        || rest.split(' ').any(is_prose_word) && !rest.starts_with('(')
    {
        return None;
    }
    if let Some(last) = head.forms.last_mut().filter(|last| last.value.is_none())
        && rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '<' | '[' | '{'))
    {
        let word = rest.split(' ').next().unwrap_or(rest);
        last.value = Some(RawValue {
            text: word.to_owned(),
            optional: rest.starts_with('[') && rest.ends_with(']'),
        });
    }
    Some(head)
}

/// Returns a head with single spaces and without the sign that ends it.
pub(crate) fn trimmed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    text.strip_suffix(':').map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&[&str]>) {
        let found = whole(text).map(|heads| {
            let forms = heads.into_iter().flat_map(|head| head.forms);
            let shown = forms.map(|form| match form.value {
                Some(value) => format!("{} {}", form.names.join(" "), value.text),
                None => form.names.join(" "),
            });
            shown.collect::<Vec<String>>()
        });
        let expected = expected.map(|forms| forms.iter().map(|form| (*form).to_owned()).collect());
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_whole_line_is_a_head() {
        check("-b  or  --backup", Some(&["-b", "--backup"]));
        check("-run command ;", Some(&["-run command"]));
        check("-l and -ln", Some(&["-l", "-ln"]));
        check("-q, -qn, and -qa", Some(&["-q", "-qn", "-qa"]));
        check("--all (don't leave any out)", Some(&["--all"]));
        check("-x is what the others are not", None);
    }
}
