//! A line that is no text but a request: its name and its arguments.
//!
//! Arguments keep their escapes; quotes and comments are gone.

/// More than any page has on a line; the rest of such a line is dropped.
const ARGUMENTS: usize = 256;

/// A request or a macro: `.TP 4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Request<'l> {
    /// Its name, without the dot.
    pub(super) name: &'l str,
    /// What follows the name.
    pub(super) rest: &'l str,
}

impl<'l> Request<'l> {
    /// Reads a line, or returns `None` where the line is text.
    pub(super) fn read(line: &'l str) -> Option<Self> {
        let line = line.strip_prefix(['.', '\''])?.trim_start_matches([' ', '\t']);
        let end = line.find([' ', '\t']).unwrap_or(line.len());
        let (name, rest) = line.split_at_checked(end)?;
        // A comment may follow at once: `.PP\" text`, and `.\}` closes a block.
        let name = name.split_once('\\').map_or(name, |(name, _)| name);
        Some(Self {
            name,
            rest: rest.trim_start_matches([' ', '\t']),
        })
    }

    /// Returns the arguments.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        let mut rest = self.rest.chars().peekable();
        while arguments.len() < ARGUMENTS {
            while rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
            let Some(first) = rest.peek().copied() else {
                break;
            };
            let quoted = first == '"';
            if quoted {
                rest.next();
            }
            match argument(&mut rest, quoted) {
                Some(argument) => arguments.push(argument),
                None => break,
            }
        }
        arguments
    }
}

/// Reads one argument; `None` where a comment starts instead.
fn argument(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, quoted: bool) -> Option<String> {
    let mut word = String::new();
    while let Some(c) = rest.next() {
        match c {
            '\\' if rest.peek() == Some(&'"') || rest.peek() == Some(&'#') => {
                rest.by_ref().for_each(drop);
                return (!word.is_empty() || quoted).then_some(word);
            }
            '\\' => {
                word.push(c);
                word.extend(rest.next());
            }
            '"' if quoted => match rest.next_if_eq(&'"') {
                Some(quote) => word.push(quote),
                None => break,
            },
            ' ' | '\t' if !quoted => break,
            c => word.push(c),
        }
    }
    Some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, &[&str])>) {
        let request = Request::read(line);
        let found = request.map(|request| (request.name, request.arguments()));
        let expected = expected
            .map(|(name, arguments)| (name, arguments.iter().map(|word| (*word).to_owned()).collect()));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn a_request_has_a_name_and_arguments() {
        check("text", None);
        check(".PP", Some(("PP", &[])));
        check("'br", Some(("br", &[])));
        check(".  TP 4", Some(("TP", &["4"])));
        check(r#".B "a b" c"#, Some(("B", &["a b", "c"])));
        check(r#".B "a ""b"" c""#, Some(("B", &[r#"a "b" c"#])));
        check(r".BI \-o\  file", Some(("BI", &[r"\-o\ ", "file"])));
        check(r#".SH NAME \" the name"#, Some(("SH", &["NAME"])));
        check(r#".IP "" 4"#, Some(("IP", &["", "4"])));
        check(r#".B "open"#, Some(("B", &["open"])));
        check(r".\}", Some(("", &[])));
    }
}
