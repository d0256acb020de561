//! An object whose fields are known: each is taken by name, and what is left over is an error.

use argrail_acli::nearest;

use super::field::Field;
use super::rules::{MISPLACED, MISSING, UNKNOWN};
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Member, Object, Span};

/// An object that was opened.
#[derive(Debug)]
pub(crate) struct Closed<'a> {
    object: &'a Object,
    field: Field<'a>,
    known: Vec<&'static str>,
}

impl<'a> Closed<'a> {
    pub(super) fn new(object: &'a Object, field: Field<'a>) -> Self {
        Self {
            object,
            field,
            known: Vec::new(),
        }
    }

    /// Returns the object itself.
    pub(crate) fn field(&self) -> &Field<'a> {
        &self.field
    }

    pub(crate) fn span(&self) -> Span {
        self.field.span()
    }

    /// Takes a field, if it is there.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<Field<'a>> {
        self.known.push(key);
        self.object.member(key).map(|member| self.at(member))
    }

    /// Takes a field that must be there.
    pub(crate) fn need(&mut self, key: &'static str, out: &mut Complaints) -> Option<Field<'a>> {
        let field = self.take(key);
        if field.is_none() {
            let what = format!("{}: the field {} is missing", self.field.path, Quoted(key));
            let complaint = MISSING.error(self.beginning(), what);
            out.push(complaint.hint(format!("add '{key}: …'")));
        }
        field
    }

    /// Complains about a field that belongs elsewhere.
    pub(crate) fn misplaced(&mut self, key: &'static str, why: &str, hint: &str, out: &mut Complaints) {
        self.known.push(key);
        if let Some(member) = self.object.member(key) {
            let what = format!("{}: {why}", self.field.path.key(key));
            out.push(MISPLACED.error(member.key_span, what).hint(hint));
        }
    }

    /// Returns every member with the way to it.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&'a Member, Field<'a>)> {
        self.object.members.iter().map(|member| (member, self.at(member)))
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.object.get(key).is_some()
    }

    /// Complains about every field that nobody took, but `x-…`.
    pub(crate) fn shut(self, out: &mut Complaints) {
        let known = |key: &str| key.starts_with("x-") || self.known.contains(&key);
        // What is there already was not meant by a misspelt one.
        let absent: Vec<&str> = self.known.iter().copied().filter(|key| !self.has(key)).collect();
        for member in self.object.members.iter().filter(|member| !known(&member.key)) {
            let what = format!("{}: {} is no field of it", self.field.path, Quoted(&member.key));
            let complaint = UNKNOWN.error(member.key_span, what);
            out.push(match nearest(&member.key, absent.iter().copied()) {
                Some(near) => complaint
                    .hint(format!("did you mean {}?", Quoted(near)))
                    .fix(member.key_span, near),
                None => complaint.hint("leave it out, or put what is yours under metadata"),
            });
        }
    }

    /// Warns of fields that nobody took and that are a typo away from one that somebody would have: the object is open.
    pub(crate) fn leave(self, out: &mut Complaints) {
        let absent: Vec<&str> = self.known.iter().copied().filter(|key| !self.has(key)).collect();
        let members = self.object.members.iter();
        for member in members.filter(|member| !self.known.contains(&member.key.as_str())) {
            if let Some(near) = nearest(&member.key, absent.iter().copied()) {
                let what = format!("{}: nobody reads {}", self.field.path, Quoted(&member.key));
                out.push(
                    UNKNOWN
                        .warning(member.key_span, what)
                        .hint(format!("did you mean {}?", Quoted(near)))
                        .fix(member.key_span, near),
                );
            }
        }
    }

    fn at(&self, member: &'a Member) -> Field<'a> {
        self.field.child(&member.node, self.field.path.key(&member.key))
    }

    /// Returns where the object begins: all of it would be too much to point at.
    fn beginning(&self) -> Span {
        match self.object.members.first() {
            Some(first) => first.key_span,
            None => self.span(),
        }
    }
}
