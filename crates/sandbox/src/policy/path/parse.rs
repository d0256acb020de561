//! A pattern as it is written into the places of a sequence. What is in doubt is refused.
//!
//! There is no escape character: `[*]` is a star, `[[]` a bracket. Alternatives are written out while
//! reading, so their number is limited.

use std::iter::Peekable;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};
use std::str::Chars;

use super::name::{PathSegment, SegmentName};
use super::sequence::SequencePlace;
use super::unit::UnitSet;
use crate::policy::Anchors;

/// Bytes in a pattern. No longer path can be opened.
const MAX_PATTERN_BYTES: usize = 4096;

/// Segments in a pattern, without those of its anchor.
const MAX_SEGMENTS: usize = 64;

/// Alternatives in a pattern, when all its braces are written out.
const MAX_ALTERNATIVES: usize = 64;

/// Characters in a segment. No file name is longer.
const MAX_SEGMENT_CHARS: usize = 255;

/// Why a pattern is refused, and what to write instead.
pub(super) struct PatternFault {
    /// Why the pattern is refused.
    pub(super) reason: String,
    /// What to write instead.
    pub(super) fix: String,
}

fn fault<T>(reason: impl Into<String>, fix: impl Into<String>) -> Result<T, PatternFault> {
    Err(PatternFault {
        reason: reason.into(),
        fix: fix.into(),
    })
}

/// Reads a pattern. The places are those of an absolute path.
pub(super) fn parse(text: &str, anchors: &Anchors) -> Result<Vec<SequencePlace<PathSegment>>, PatternFault> {
    check_text(text)?;
    let (anchor, rest) = anchor(text, anchors)?;
    let mut places = literal(anchor);
    let mut alternatives = 1;
    let mut count = 0;
    for segment in rest.split('/').filter(|segment| !segment.is_empty()) {
        count += 1;
        if count > MAX_SEGMENTS {
            return fault(
                format!("the pattern has more than {MAX_SEGMENTS} segments"),
                "name a folder nearer to its root, with '/**' behind it",
            );
        }
        if segment != "**" {
            let names = names(segment)?;
            alternatives *= names.len();
            check_alternatives(alternatives)?;
            places.push(SequencePlace::One(PathSegment(names)));
        } else if places.last() != Some(&SequencePlace::Gap) {
            places.push(SequencePlace::Gap);
        }
    }
    if count == 0 && !text.starts_with(['~', '/']) {
        return fault("the pattern names nothing", "write '**' for the whole workspace");
    }
    Ok(places)
}

/// Returns the places of one path. `..` is resolved by name, and what is relative starts from `/`.
pub(super) fn literal(path: &Path) -> Vec<SequencePlace<PathSegment>> {
    let mut places = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => places.push(SequencePlace::One(PathSegment::literal(name.as_bytes()))),
            Component::ParentDir => {
                places.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    places
}

fn check_text(text: &str) -> Result<(), PatternFault> {
    if text.is_empty() {
        return fault(
            "the pattern is empty",
            "write a path, or '**' for the whole workspace",
        );
    }
    if text.len() > MAX_PATTERN_BYTES {
        return fault(
            format!(
                "the pattern is {} bytes long, the limit is {MAX_PATTERN_BYTES}",
                text.len()
            ),
            "write a shorter pattern",
        );
    }
    if text.contains('\0') {
        return fault(
            "the pattern holds a NUL character",
            "remove it: no path can hold one",
        );
    }
    if let Some(c) = text.chars().find(|c| c.is_control()) {
        return fault(
            format!("the pattern holds the control character {c:?}"),
            "remove it, or put '?' in its place",
        );
    }
    if text.contains('\\') {
        return fault(
            "a backslash is neither a separator nor an escape here",
            "separate with '/', and write a special character in brackets: '[*]'",
        );
    }
    if text.starts_with('!') {
        return fault(
            "a pattern cannot be negated",
            "put what is forbidden into the deny list, or write './!…' for a name that starts with '!'",
        );
    }
    if text.starts_with('$') {
        return fault(
            "variables are not expanded",
            "write '~/…' for the home folder, or './$…' for a name that starts with '$'",
        );
    }
    Ok(())
}

/// Returns where the pattern starts, and what follows.
fn anchor<'a>(text: &'a str, anchors: &'a Anchors) -> Result<(&'a Path, &'a str), PatternFault> {
    if text.starts_with('/') {
        return Ok((Path::new("/"), text));
    }
    match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => Ok((anchors.home(), rest)),
        Some(_) => fault(
            "only one's own home folder has a short form",
            "write the path in full, or './~…' for a name that starts with '~'",
        ),
        None => Ok((anchors.workspace(), text.strip_prefix("./").unwrap_or(text))),
    }
}

fn check_alternatives(count: usize) -> Result<(), PatternFault> {
    if count > MAX_ALTERNATIVES {
        return fault(
            format!("the braces stand for more than {MAX_ALTERNATIVES} alternatives"),
            "write several patterns",
        );
    }
    Ok(())
}

/// Returns the names that a segment stands for.
fn names(segment: &str) -> Result<Vec<SegmentName>, PatternFault> {
    if segment.contains("**") {
        return fault(
            format!("'**' is a whole segment, and '{segment}' is more"),
            "write '**' between two slashes, or '*' inside of a name",
        );
    }
    let mut reader = SegmentReader {
        rest: segment.chars().peekable(),
    };
    let names: Vec<SegmentName> = reader.alternatives()?.into_iter().map(SegmentName::new).collect();
    for name in &names {
        check_name(name)?;
    }
    Ok(names)
}

fn check_name(name: &SegmentName) -> Result<(), PatternFault> {
    match name {
        SegmentName::Literal(name) if name.is_empty() => fault(
            "an alternative leaves the name empty",
            "write two patterns, one without that segment",
        ),
        SegmentName::Literal(name) if name == b".." => fault(
            "'..' leads out of the folder it stands in",
            "write the path that is meant",
        ),
        SegmentName::Literal(name) if name == b"." => fault(
            "'.' may only start a pattern, as in './name'",
            "leave it out, or write '**' for the whole workspace",
        ),
        name if name.len() > MAX_SEGMENT_CHARS => fault(
            format!("a segment is longer than {MAX_SEGMENT_CHARS} characters, and no file name is"),
            "write a shorter segment",
        ),
        SegmentName::Literal(_) | SegmentName::Glob(_) => Ok(()),
    }
}

/// Reads one segment.
struct SegmentReader<'a> {
    rest: Peekable<Chars<'a>>,
}

impl SegmentReader<'_> {
    /// Reads to the end, with all braces written out.
    fn alternatives(&mut self) -> Result<Vec<Vec<SequencePlace<UnitSet>>>, PatternFault> {
        let mut all = vec![Vec::new()];
        while let Some(c) = self.rest.next() {
            match c {
                '{' => {
                    let choices = self.braces()?;
                    check_alternatives(all.len() * choices.len())?;
                    all = all
                        .iter()
                        .flat_map(|start| choices.iter().map(|choice| [start.as_slice(), choice].concat()))
                        .collect();
                }
                '}' => return fault("a brace closes that never opened", "write '[}]' for a plain one"),
                c => {
                    let place = self.place(c)?;
                    all.iter_mut().for_each(|start| start.push(place.clone()));
                }
            }
        }
        Ok(all)
    }

    /// Reads what follows `{`, up to its `}`.
    fn braces(&mut self) -> Result<Vec<Vec<SequencePlace<UnitSet>>>, PatternFault> {
        let mut choices = Vec::new();
        let mut choice = Vec::new();
        loop {
            match self.rest.next() {
                None => {
                    return fault(
                        "a brace opens and does not close in its segment",
                        "close it before the next '/', or write '[{]' for a plain one",
                    );
                }
                Some('{') => return fault("braces stand in braces", "write several patterns"),
                Some(c @ (',' | '}')) => {
                    choices.push(std::mem::take(&mut choice));
                    check_alternatives(choices.len())?;
                    if c == '}' {
                        break;
                    }
                }
                Some(c) => choice.push(self.place(c)?),
            }
        }
        if choices.len() < 2 {
            return fault(
                "braces need two alternatives or more",
                "write '{one,other}', or '[{]' for a plain brace",
            );
        }
        Ok(choices)
    }

    /// Reads the rest of what starts with `first`.
    fn place(&mut self, first: char) -> Result<SequencePlace<UnitSet>, PatternFault> {
        match first {
            '*' => Ok(SequencePlace::Gap),
            '?' => Ok(SequencePlace::One(UnitSet::any())),
            '[' => self.brackets().map(SequencePlace::One),
            c => Ok(SequencePlace::One(UnitSet::exactly(c))),
        }
    }

    /// Reads what follows `[`, up to its `]`.
    fn brackets(&mut self) -> Result<UnitSet, PatternFault> {
        let negated = self.rest.next_if_eq(&'!').is_some();
        if self.rest.peek() == Some(&'^') {
            return fault(
                "'[^' means different things to different programs",
                "write '[!…]' for all but these",
            );
        }
        let mut ranges = Vec::new();
        loop {
            let Some(first) = self.rest.next() else {
                return fault(
                    "a bracket opens and does not close in its segment",
                    "close it before the next '/', or write '[[]' for a plain one",
                );
            };
            if first == ']' {
                break;
            }
            ranges.push((first, self.range_end(first)?));
        }
        if ranges.is_empty() {
            return fault("brackets hold nothing", "write the characters between them");
        }
        let set = UnitSet::set(ranges);
        Ok(if negated { set.negated() } else { set })
    }

    /// Reads `-z` if it follows `a`. A hyphen before the closing bracket is a plain one.
    fn range_end(&mut self, first: char) -> Result<char, PatternFault> {
        let mut ahead = self.rest.clone();
        let (Some('-'), Some(last)) = (ahead.next(), ahead.next().filter(|last| *last != ']')) else {
            return Ok(first);
        };
        if last < first {
            return fault(
                format!("the range '{first}-{last}' is empty"),
                format!("write '{last}-{first}'"),
            );
        }
        self.rest = ahead;
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<usize, &str>) {
        let anchors = Anchors::new("/h/me", "/w").unwrap();
        let result = parse(text, &anchors);
        let result = result
            .as_ref()
            .map(Vec::len)
            .map_err(|fault| fault.reason.as_str());
        assert_eq!(result, expected, "{text:?}");
    }

    #[test]
    fn patterns_start_at_their_anchor() {
        check("/", Ok(0));
        check("~", Ok(2));
        check("~/", Ok(2));
        check("~//a/", Ok(3));
        check("a", Ok(2));
        check("./a", Ok(2));
        check("**", Ok(2));
        check("**/**/a/**/**", Ok(4));
        check(&"a/".repeat(64), Ok(65));
        check("./~me", Ok(2));
        check("./$a/!b", Ok(3));
    }

    #[test]
    fn segments_are_read() {
        for text in [
            "*", "?", "a*b?", "[abc]", "[a-z]", "[!a]", "[!a-z-]", "[-a]", "[*]", "[[]", "[{,}]", "{a,b}",
            "a{b,c}d", "{a,}b", "{[,],*}", "a,b", "...", "a..b", "{*,a}*",
        ] {
            check(text, Ok(2));
        }
    }

    #[test]
    fn what_is_in_doubt_is_refused() {
        check("", Err("the pattern is empty"));
        check("./", Err("the pattern names nothing"));
        check(".", Err("'.' may only start a pattern, as in './name'"));
        check("a/./b", Err("'.' may only start a pattern, as in './name'"));
        check("../a", Err("'..' leads out of the folder it stands in"));
        check("{.,a}{.,b}", Err("'..' leads out of the folder it stands in"));
        check("~me/a", Err("only one's own home folder has a short form"));
        check("a\0", Err("the pattern holds a NUL character"));
        check("a\nb", Err("the pattern holds the control character '\\n'"));
        check(
            "a\\b",
            Err("a backslash is neither a separator nor an escape here"),
        );
        check("!a", Err("a pattern cannot be negated"));
        check("$HOME/a", Err("variables are not expanded"));
        check("a**", Err("'**' is a whole segment, and 'a**' is more"));
        check("{**,a}", Err("'**' is a whole segment, and '{**,a}' is more"));
        check("{a,b", Err("a brace opens and does not close in its segment"));
        check("{a/b,c}", Err("a brace opens and does not close in its segment"));
        check("a}", Err("a brace closes that never opened"));
        check("{a}", Err("braces need two alternatives or more"));
        check("{a,{b,c}}", Err("braces stand in braces"));
        check("{a,}", Err("an alternative leaves the name empty"));
        check("[a", Err("a bracket opens and does not close in its segment"));
        check("[]", Err("brackets hold nothing"));
        check("[!]", Err("brackets hold nothing"));
        check("[^a]", Err("'[^' means different things to different programs"));
        check("[z-a]", Err("the range 'z-a' is empty"));
        check(&"a/".repeat(65), Err("the pattern has more than 64 segments"));
        check(
            &"{a,b}/".repeat(7),
            Err("the braces stand for more than 64 alternatives"),
        );
        check(
            &"{a,b}".repeat(40),
            Err("the braces stand for more than 64 alternatives"),
        );
        check(
            &"a".repeat(256),
            Err("a segment is longer than 255 characters, and no file name is"),
        );
        check(
            &"a".repeat(4097),
            Err("the pattern is 4097 bytes long, the limit is 4096"),
        );
    }
}
