//! Which forms of a head are names of one option, and which are options of their own.

use super::grammar::{Form, Head, Link};
use super::spelling::is_single_letter;
use super::value::RawValue;
use crate::help::usage::{Style, is_bundle};

/// One option of a head.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Grouped {
    pub(crate) names: Vec<String>,
    pub(crate) value: Option<RawValue>,
}

/// Returns the options that a head defines.
///
/// `-a, --all` is one. `-a --all` is one as well, but `-a -b` and `-and -or` are two: only a letter and a word say the
/// same thing twice. `--on / --off` are two, `--x / --no-x` is one that can be undone.
pub(crate) fn group(head: Head) -> Vec<Grouped> {
    if let Some(letters) = bundled(&head) {
        return letters;
    }
    if is_one(&head) {
        let names = head.forms.into_iter().flat_map(|form| form.names).collect();
        return vec![Grouped { names, value: None }];
    }
    let mut groups: Vec<Grouped> = Vec::new();
    // Those that share a value because one line defines them all: `--min/--max <n>`.
    let mut joined_since = 0;
    for form in head.forms {
        let is_alias = groups
            .last()
            .is_some_and(|last| is_alias(last, form.link, &form.names) && !is_choice(last, &form));
        if is_alias && let Some(last) = groups.last_mut() {
            for name in form.names {
                if !last.names.contains(&name) {
                    last.names.push(name);
                }
            }
            last.value = last.value.take().or(form.value);
        } else {
            if !matches!(
                form.link,
                Link::Slash | Link::SpacedSlash | Link::Comma | Link::Or | Link::Pipe
            ) {
                share(&mut groups, joined_since);
                joined_since = groups.len();
            }
            groups.push(Grouped {
                names: form.names,
                value: form.value,
            });
        }
    }
    share(&mut groups, joined_since);
    groups
}

/// Whether a head shows letters that can be given together, or one that has a value.
pub(super) fn is_bundle_or_letter(head: &Head) -> bool {
    bundled(head).is_some()
}

/// `-abcD or -o option`: letters that can be given together, or one that has a value.
fn bundled(head: &Head) -> Option<Vec<Grouped>> {
    let (first, others) = head
        .forms
        .split_first()
        .filter(|(_, others)| !others.is_empty())?;
    let [name] = first.names.as_slice() else {
        return None;
    };
    let letters = name.strip_prefix('-').filter(|_| first.value.is_none())?;
    let has_value = |form: &Form| {
        form.link == Link::Or && form.value.is_some() && form.names.iter().all(|name| is_single_letter(name))
    };
    if !others.iter().all(has_value) || !is_bundle(letters, Style::default(), |_| false) {
        return None;
    }
    let switches = letters.chars().map(|letter| Grouped {
        names: vec![format!("-{letter}")],
        value: None,
    });
    let others = others.iter().map(|form| Grouped {
        names: form.names.clone(),
        value: form.value.clone(),
    });
    Some(switches.chain(others).collect())
}

/// `-? -h --help`: several letters, and the word that one of them begins.
fn is_one(head: &Head) -> bool {
    if head.forms.len() < 3 {
        return false;
    }
    let mut names = head.forms.iter().flat_map(|form| &form.names);
    let is_plain = |form: &Form| form.value.is_none() && matches!(form.link, Link::First | Link::Space);
    let letters: Vec<&str> = names
        .clone()
        .filter(|name| is_single_letter(name))
        .filter_map(|name| name.strip_prefix('-'))
        .collect();
    let is_begun = |name: &String| {
        let word = name.strip_prefix("--").unwrap_or_default();
        letters.iter().any(|letter| word.starts_with(letter))
    };
    let words = names.clone().filter(|name| name.starts_with("--")).count();
    letters.len() > 1 && words == 1 && head.forms.iter().all(is_plain) && names.any(is_begun)
}

fn share(groups: &mut [Grouped], since: usize) {
    let Some(joined) = groups.get_mut(since..) else {
        return;
    };
    if joined.iter().all(|group| group.value.is_some()) {
        return;
    }
    let value = joined.last().and_then(|last| last.value.clone());
    for group in joined {
        if group.value.is_none() {
            group.value.clone_from(&value);
        }
    }
}

/// `-i <file> | -r <folder>`: one or the other, each with its own value.
fn is_choice(group: &Grouped, form: &Form) -> bool {
    form.link == Link::SpacedPipe && group.value.is_some() && group.value != form.value
}

fn is_alias(group: &Grouped, link: Link, names: &[String]) -> bool {
    let Some(name) = names.first() else {
        return false;
    };
    let shorts = group.names.iter().filter(|name| is_single_letter(name)).count();
    let longs = group.names.len() - shorts;
    let is_long = name.starts_with("--");
    let mixes =
        (shorts == 1 && longs == 0 && is_long) || (shorts == 0 && longs == 1 && is_single_letter(name));
    match link {
        Link::First | Link::Semicolon => false,
        Link::Comma | Link::Or | Link::Pipe | Link::SpacedPipe => true,
        Link::Slash | Link::SpacedSlash => undoes(group, name) || (link == Link::Slash && mixes),
        Link::Space | Link::Bracket => {
            let completes = is_long && shorts > 0;
            let abbreviates = is_single_letter(name)
                && shorts == 0
                && longs == 1
                && group.names.iter().all(|name| name.starts_with("--"));
            let is_pair =
                is_single_letter(name) && shorts == 0 && group.names.iter().any(|known| undoes(group, known));
            let is_spelt_out = longs == 0 && spells_out(group, name);
            completes
                || abbreviates
                || is_pair
                || is_spelt_out
                || undoes(group, name)
                || has_other_dashes(group, name)
                || link == Link::Bracket
        }
    }
}

/// `-s   -summary`: a word with one dash behind its letter.
fn spells_out(group: &Grouped, name: &str) -> bool {
    let initial = |name: &str| {
        let name = name.strip_prefix('-').filter(|name| !name.starts_with('-'));
        name.and_then(|name| name.bytes().next())
    };
    let is_letter = |known: &String| {
        is_single_letter(known)
            && initial(known)
                .zip(initial(name))
                .is_some_and(|(one, other)| one.eq_ignore_ascii_case(&other))
    };
    !is_single_letter(name) && group.names.iter().any(is_letter)
}

/// `-version --version`, `--help -help`: one word, with one dash and with two.
fn has_other_dashes(group: &Grouped, name: &str) -> bool {
    let word = |name: &str| name.trim_start_matches('-').len();
    word(name) > 1
        && group.names.iter().any(|known| {
            known != name && word(known) > 1 && known.trim_start_matches('-') == name.trim_start_matches('-')
        })
}

fn undoes(group: &Grouped, name: &str) -> bool {
    let positive = name.strip_prefix("--no-");
    group
        .names
        .iter()
        .any(|known| positive.is_some_and(|positive| known.strip_prefix("--") == Some(positive)))
}

/// Whether two heads on lines of their own name one option: `-cp <path>` above `--class-path <path>`.
pub(crate) fn is_same_option(one: &Head, other: &Head) -> bool {
    let ([.., first], [second]) = (one.forms.as_slice(), other.forms.as_slice()) else {
        return false;
    };
    let (Some(above), Some(below)) = (first.names.last(), second.names.last()) else {
        return false;
    };
    let text = |value: &Option<RawValue>| {
        let text = value.as_ref().map(|value| value.text.trim_end_matches('.'));
        text.map(str::to_owned)
    };
    if text(&first.value) != text(&second.value) || above == below {
        return false;
    }
    let (short, long) = (letters(above), letters(below));
    let are_words = above.starts_with("--") && below.starts_with("--");
    let is_letter = is_single_letter(above) && below.starts_with("--") && first.value.is_some();
    above.len() < below.len() && !are_words && (is_letter || abbreviates(&short, &long))
}

fn letters(name: &str) -> String {
    name.chars().filter(|c| *c != '-').collect()
}

/// Whether the letters of `short` stand in `long` in their order, the first of them first.
fn abbreviates(short: &str, long: &str) -> bool {
    let mut rest = long.chars();
    // `-R` above `--recursive`
    if short.len() == 1 {
        return long
            .get(..1)
            .is_some_and(|initial| initial.eq_ignore_ascii_case(short));
    }
    short.chars().next() == long.chars().next() && short.chars().all(|c| rest.any(|other| other == c))
}
