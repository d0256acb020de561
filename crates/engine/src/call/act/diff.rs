//! Texts of an act, for a person: what a write changes as the lines that go and come, and what a tool is given.
//!
//! What is shown is exact as far as it goes, and says how much is left out. A yes holds for all bytes in any case.

use argrail_spec::digest::Digest;
use serde_json::{Value, json};

/// Lines that are shown around a change.
const AROUND: usize = 3;
/// The most lines, and the most characters of all, that are shown.
const LINES: usize = 400;
const CHARACTERS: usize = 32 * 1024;

/// A text that takes the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change<'a> {
    /// What is there now; nothing if there is no file.
    pub before: Option<&'a [u8]>,
    /// What will be there.
    pub after: &'a [u8],
}

/// Returns the change as it is shown: digest and size of the whole, and lines marked ` `, `-` or `+`.
pub fn change(change: Change<'_>) -> Value {
    let Change { before, after } = change;
    let digest = Digest::of(after).to_string();
    let digits = digest.rsplit(':').next().unwrap_or_default();
    let mut shown = json!({"sha256": digits, "bytes": after.len(), "snapshot": true});
    let texts = (
        std::str::from_utf8(before.unwrap_or_default()),
        std::str::from_utf8(after),
    );
    if let (Ok(old), Ok(new)) = texts {
        let marked = marked(old, new);
        let kept = fitting(&marked);
        shown["diff"] = json!(marked.get(..kept).unwrap_or_default());
        shown["left"] = json!(marked.len() - kept);
    }
    shown["before"] = json!(before.map(<[u8]>::len));
    shown
}

/// Returns a text as it is shown: its lines, as far as they fit, and how many do not.
pub fn excerpt(text: &str) -> Value {
    let all: Vec<String> = text.lines().map(str::to_owned).collect();
    let kept = fitting(&all);
    json!({
        "bytes": text.len(),
        "lines": all.get(..kept).unwrap_or_default(),
        "left": all.len() - kept,
    })
}

/// The lines that differ between the first and the last that do, with some around them.
fn marked(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (lines(old), lines(new));
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take(most).take_while(|(old, new)| old == new).count();
    if same == old.len() && same == new.len() {
        return Vec::new();
    }
    let line = |mark: char, text: &&str| format!("{mark}{text}");
    let part = |lines: &'_ [&str], from: usize, to: usize, mark: char| -> Vec<String> {
        let part = lines.get(from..to).unwrap_or_default();
        part.iter().map(|text| line(mark, text)).collect()
    };
    let after = new.len() - tail;
    [
        part(&new, same.saturating_sub(AROUND), same, ' '),
        part(&old, same, old.len() - tail, '-'),
        part(&new, same, after, '+'),
        part(&new, after, new.len().min(after + AROUND), ' '),
    ]
    .concat()
}

/// Lines with their ends: a missing newline at the end of a file is a difference.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// How many lines are shown.
fn fitting(lines: &[String]) -> usize {
    let mut room = CHARACTERS;
    let fits = lines.iter().take(LINES).take_while(|line| {
        let left = room.checked_sub(line.chars().count());
        room = left.unwrap_or_default();
        left.is_some()
    });
    fits.count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_person_sees_what_goes_and_what_comes() {
        let check = |old: &str, new: &str, want: &[&str]| assert_eq!(marked(old, new), want);
        check("", "", &[]);
        check("a\n", "a\n", &[]);
        check("", "a\nb", &["+a\n", "+b"]);
        check("a\nb\nc\n", "a\nx\nc\n", &[" a\n", "-b\n", "+x\n", " c\n"]);
        check("a\n", "a", &["-a\n", "+a"]);
        check("a\na\n", "a\n", &[" a\n", "-a\n"]);
        check(
            "1\n2\n3\n4\n5\n",
            "1\n2\n3\n4\n5\n6\n",
            &[" 3\n", " 4\n", " 5\n", "+6\n"],
        );
    }

    #[test]
    fn what_is_left_out_is_told_and_the_digest_is_of_all() {
        let new = "x\n".repeat(LINES + 5);
        let shown = change(Change {
            before: None,
            after: new.as_bytes(),
        });
        assert_eq!(shown["left"], 5);
        assert_eq!(shown["diff"].as_array().unwrap().len(), LINES);
        assert_eq!(shown["bytes"], new.len());
        let binary = change(Change {
            before: Some(b"a"),
            after: b"\xff\0",
        });
        assert_eq!((binary.get("diff"), &binary["before"]), (None, &json!(1)));
    }

    proptest! {
        #[test]
        fn a_change_can_be_made_from_what_is_shown(old in "[ab\n]{0,24}", new in "[ab\n]{0,24}") {
            let of = |mark: &[char]| -> String {
                let lines = marked(&old, &new);
                let part = lines.iter().filter(|line| line.starts_with(mark));
                part.filter_map(|line| line.get(1..)).collect()
            };
            prop_assert!(old.contains(&of(&[' ', '-'])));
            prop_assert!(new.contains(&of(&[' ', '+'])));
            prop_assert_eq!(old == new, marked(&old, &new).is_empty());
        }
    }
}
