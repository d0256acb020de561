//! One line of mdoc(7): macros that stand inside each other, as words.
//!
//! `Op Fl o Ar file` becomes `[-o file]`. Every word is looked at once.

use super::escape::{Strings, decode};
use super::inline::{Font, Inline};

/// What a word is to the macro that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Shown in that font.
    Shown(Font),
    /// With a dash before each.
    Dashed,
    /// A name and a section: `ls(1)`.
    Reference,
}

/// Whether a space comes before the next word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    Wanted,
    Not,
}

/// Writes lines of mdoc into one text.
#[derive(Debug)]
pub(super) struct MdocLine<'t> {
    /// What `.Nm` without words stands for.
    pub(super) name: &'t str,
    /// The strings of the page.
    pub(super) strings: &'t mut Strings,
    /// Where it goes.
    pub(super) out: &'t mut Inline,
    space: Space,
}

impl<'t> MdocLine<'t> {
    /// Goes on with the text in `out`.
    pub(super) fn new(name: &'t str, strings: &'t mut Strings, out: &'t mut Inline) -> Self {
        let space = if out.is_empty() || out.ends_in_space() {
            Space::Not
        } else {
            Space::Wanted
        };
        Self {
            name,
            strings,
            out,
            space,
        }
    }

    /// Makes the first word stand at once behind what is there.
    pub(super) fn glued(mut self) -> Self {
        self.space = Space::Not;
        self
    }

    /// Writes a line, the first word of which is a macro. Returns whether the next line has to go on without a space.
    pub(super) fn write(mut self, words: &[String]) -> Glue {
        let mut closers: Vec<&'static str> = Vec::new();
        let mut current = Words::Shown(Font::Roman);
        let mut fresh = false;
        let trailing = words.iter().rev().take_while(|word| is_closing(word)).count();
        let body = words.len().saturating_sub(trailing);
        for (index, word) in words.iter().enumerate() {
            if index == body {
                while let Some(closer) = closers.pop() {
                    self.push_closed(closer);
                }
            }
            if let Some(kind) = macro_named(word) {
                let next = words.get(index.saturating_add(1)).map(String::as_str);
                let bare = next.is_none_or(|next| macro_named(next).is_some() || is_closing(next));
                fresh = self.enter(kind, bare, next, &mut current, &mut closers);
                continue;
            }
            self.argument(word, current, fresh);
            if current == Words::Reference {
                fresh = false;
            }
        }
        while let Some(closer) = closers.pop() {
            self.push_closed(closer);
        }
        self.out.font(Font::Roman);
        match self.space {
            Space::Wanted => Glue::Apart,
            Space::Not => Glue::Together,
        }
    }

    /// Starts a macro. Returns whether its first word is still to come.
    fn enter(
        &mut self,
        kind: Macro,
        bare: bool,
        next: Option<&str>,
        current: &mut Words,
        closers: &mut Vec<&'static str>,
    ) -> bool {
        match kind {
            Macro::Flag => {
                *current = Words::Dashed;
                if bare {
                    self.push("-", Font::Bold);
                    if next.is_some_and(|next| !is_closing(next)) {
                        self.space = Space::Not;
                    }
                }
            }
            Macro::Shown(font, default) => {
                *current = Words::Shown(font);
                if bare && !default.is_empty() {
                    self.push(default, font);
                }
            }
            Macro::Name => {
                *current = Words::Shown(Font::Bold);
                if bare {
                    self.push(self.name, Font::Bold);
                }
            }
            Macro::Reference => *current = Words::Reference,
            Macro::Encloses(open, close) => {
                *current = Words::Shown(Font::Roman);
                self.push_open(open);
                closers.push(close);
            }
            Macro::Opens(open) => {
                *current = Words::Shown(Font::Roman);
                self.push_open(open);
            }
            Macro::Closes(close) => {
                *current = Words::Shown(Font::Roman);
                self.push_closed(close);
            }
            Macro::NoSpace => {
                *current = Words::Shown(Font::Roman);
                self.space = Space::Not;
            }
            Macro::Prefix => {
                // The first word is text that the rest is glued to.
                *current = Words::Shown(Font::Roman);
                return true;
            }
            Macro::Silent => *current = Words::Shown(Font::Roman),
        }
        kind == Macro::Reference
    }

    fn argument(&mut self, word: &str, current: Words, fresh: bool) {
        if is_closing(word) {
            return self.push_closed(word);
        }
        if is_opening(word) {
            return self.push_open(word);
        }
        match current {
            Words::Shown(font) => {
                self.push(word, font);
                if fresh {
                    self.space = Space::Not;
                }
            }
            Words::Dashed if word == "|" => self.push(word, Font::Roman),
            Words::Dashed => {
                self.push("-", Font::Bold);
                self.space = Space::Not;
                self.push(word, Font::Bold);
            }
            Words::Reference if fresh => self.push(word, Font::Roman),
            Words::Reference => {
                self.push_closed("(");
                self.push_closed(word);
                self.push_closed(")");
            }
        }
    }

    fn push(&mut self, text: &str, font: Font) {
        if self.space == Space::Wanted {
            self.out.font(Font::Roman);
            self.out.push(' ');
        }
        self.out.font(font);
        decode(text, self.strings, self.out);
        self.space = Space::Wanted;
    }

    fn push_open(&mut self, text: &str) {
        self.push(text, Font::Roman);
        self.space = Space::Not;
    }

    fn push_closed(&mut self, text: &str) {
        self.out.font(Font::Roman);
        decode(text, self.strings, self.out);
        self.space = Space::Wanted;
    }
}

/// Whether the next line goes on at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Glue {
    /// A space comes between.
    #[default]
    Apart,
    /// No space.
    Together,
}

/// What a macro does to the words behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Macro {
    Flag,
    Shown(Font, &'static str),
    Name,
    Reference,
    Encloses(&'static str, &'static str),
    Opens(&'static str),
    Closes(&'static str),
    NoSpace,
    Prefix,
    Silent,
}

/// Returns whether `word` is a macro that stands inside lines.
pub(super) fn is_macro(word: &str) -> bool {
    macro_named(word).is_some()
}

fn macro_named(word: &str) -> Option<Macro> {
    use Font::{Bold, Italic, Roman};
    Some(match word {
        "Fl" => Macro::Flag,
        "Ar" => Macro::Shown(Italic, "file ..."),
        "Pa" => Macro::Shown(Italic, "~"),
        "Cm" | "Ic" | "Sy" | "Cd" | "Fn" | "Li" => Macro::Shown(Bold, ""),
        "Em" | "Fa" | "Va" | "Vt" | "Ft" | "Ad" => Macro::Shown(Italic, ""),
        "No" | "Ev" | "Dv" | "Er" | "An" | "Tn" | "Ms" | "Sx" | "St" | "Lk" | "Mt" => Macro::Shown(Roman, ""),
        "Ux" => Macro::Shown(Roman, "UNIX"),
        "At" | "Bx" | "Bsx" | "Fx" | "Nx" | "Ox" | "Dx" => Macro::Shown(Roman, "BSD"),
        "Nm" => Macro::Name,
        "Xr" => Macro::Reference,
        "Op" => Macro::Encloses("[", "]"),
        "Bq" => Macro::Encloses("[", "]"),
        "Aq" => Macro::Encloses("<", ">"),
        "Pq" => Macro::Encloses("(", ")"),
        "Brq" => Macro::Encloses("{", "}"),
        "Dq" | "Qq" => Macro::Encloses("\"", "\""),
        "Sq" | "Ql" => Macro::Encloses("'", "'"),
        "Oo" | "Bo" => Macro::Opens("["),
        "Oc" | "Bc" => Macro::Closes("]"),
        "Ao" => Macro::Opens("<"),
        "Ac" => Macro::Closes(">"),
        "Po" => Macro::Opens("("),
        "Pc" => Macro::Closes(")"),
        "Bro" => Macro::Opens("{"),
        "Brc" => Macro::Closes("}"),
        "Do" | "Qo" => Macro::Opens("\""),
        "Dc" | "Qc" => Macro::Closes("\""),
        "So" => Macro::Opens("'"),
        "Sc" => Macro::Closes("'"),
        "Ap" => Macro::Closes("'"),
        "Ns" => Macro::NoSpace,
        "Pf" => Macro::Prefix,
        "Xo" | "Xc" | "Bk" | "Ek" | "Ta" | "Eo" | "Ec" => Macro::Silent,
        _ => return None,
    })
}

fn is_closing(word: &str) -> bool {
    matches!(word, "." | "," | ":" | ";" | ")" | "]" | "?" | "!")
}

fn is_opening(word: &str) -> bool {
    matches!(word, "(" | "[")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::help::man::roff::request::Request;

    fn check(lines: &[&str], expected: &str) {
        let mut strings = Strings::default();
        let mut out = Inline::default();
        let mut glue = Glue::Apart;
        for line in lines {
            let request = Request::read(line).unwrap();
            let mut words = vec![request.name.to_owned()];
            words.extend(request.arguments());
            let line = MdocLine::new("tool", &mut strings, &mut out);
            let line = if glue == Glue::Together {
                line.glued()
            } else {
                line
            };
            glue = line.write(&words);
        }
        assert_eq!(out.take(), expected, "{lines:?}");
    }

    #[test]
    fn macros_inside_macros_are_words() {
        check(&[".Op Fl o Ar file"], "[-o file]");
        check(&[".Op Fl o Ar file ."], "[-o file].");
        check(&[".Op Fl abc"], "[-abc]");
        check(&[".Fl a | b"], "-a | -b");
        check(&[".Fl a , Fl b"], "-a, -b");
        check(&[".Fl Fl long Ns = Ns Ar value"], "--long=value");
        check(&[".Fl \\-long"], "--long");
        check(&[".Fl o Ns Ar file"], "-o<file>");
        check(&[".Fl o Ns Op Ar file"], "-o[file]");
        check(&[".Nm Ar"], "tool file ...");
        check(&[".Nm other Cm sub Oo Fl x", ".Oc Ar y"], "other sub [-x] y");
        check(&[".Xr ls 1 , Xr cp 1 ."], "ls(1), cp(1).");
        check(&[".Pf x Ar y"], "xy");
        check(&[".Dq a b ."], "\"a b\".");
        check(&[".Ar file Ns ..."], "file...");
        check(&[".Fl"], "-");
        check(&[".Op Ar a | b"], "[a | b]");
    }
}
