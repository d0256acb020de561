//! A line of a page of the manual, whether it was rendered by another program or by [`super::roff`].
//!
//! Keeps the number of the line in the text that was given, so that every item can say where it stands.

/// What a line is known to be. In a rendered text only its place on the paper tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The heading of a section.
    Section,
    /// The heading of a part of a section.
    Subsection,
    /// What a macro marked as the head of a definition.
    Head,
    /// Text as it was written, each line by itself.
    Verbatim,
    /// Anything else.
    Text,
}

/// A line. An empty text is vertical space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its number in the text that was given, from 1.
    pub(crate) number: usize,
    /// The column where it starts.
    pub(crate) indent: usize,
    /// The text without the space around it.
    pub(crate) text: String,
    /// What it is known to be.
    pub(crate) role: Role,
}

impl Line {
    /// Returns whether it is vertical space.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// Makes heads of what only looks like something else: headings that are options, and options behind a bullet.
pub(crate) fn settle(lines: &mut [Line]) {
    for at in 0..lines.len() {
        let next_indent = lines.get(at.saturating_add(1)).map(|next| next.indent);
        let Some(line) = lines.get_mut(at) else {
            return;
        };
        if line.role == Role::Subsection && is_option(&line.text) {
            line.role = Role::Head;
        }
        if !line.text.starts_with(BULLETS) {
            continue;
        }
        let rest = line.text.trim_start_matches(BULLETS).trim_start();
        if is_option(rest) {
            line.text = rest.to_owned();
        } else if rest.is_empty() && line.role != Role::Verbatim && next_indent > Some(line.indent) {
            // In a source the bullet is the head, and the option the first line of its text.
            let indent = line.indent;
            let next = lines
                .get_mut(at.saturating_add(1))
                .filter(|next| is_option(&next.text));
            if let Some(next) = next {
                next.indent = indent;
                next.role = Role::Head;
                if let Some(bullet) = lines.get_mut(at) {
                    bullet.text.clear();
                    bullet.role = Role::Text;
                }
            }
        }
    }
}

/// What lists start their items with.
const BULLETS: [char; 6] = [
    '\u{2022}', '\u{25cf}', '\u{b7}', '\u{25e6}', '\u{2219}', '\u{25aa}',
];

/// Whether a text starts like an option.
pub(crate) fn is_option(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('-') else {
        return false;
    };
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '[' | '<' | '?' | '@' | '#' | '%'))
}
