//! One segment of a pattern: the names that may stand between two slashes.

use std::borrow::Cow;

use super::sequence::{ComparisonBudget, ReachedPositions, SequencePlace, is_within, overlaps};
use super::unit::{UnitSet, units};

/// The alternatives of one segment; most have one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct PathSegment(pub(super) Vec<SegmentName>);

/// Names: one that was written plainly, or those that a glob accepts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum SegmentName {
    /// Exactly this name.
    Literal(Vec<u8>),
    /// What these places accept. Two gaps never stand side by side.
    Glob(Vec<SequencePlace<UnitSet>>),
}

impl PathSegment {
    /// Returns the segment that accepts one name.
    pub(super) fn literal(name: &[u8]) -> Self {
        Self(vec![SegmentName::Literal(name.to_owned())])
    }

    /// Returns the name, if only one was written.
    pub(super) fn as_literal(&self) -> Option<&[u8]> {
        match self.0.as_slice() {
            [SegmentName::Literal(name)] => Some(name),
            [SegmentName::Glob(_)] | [] | [_, _, ..] => None,
        }
    }

    /// Whether `name` may stand here.
    pub(super) fn accepts(&self, name: &[u8]) -> bool {
        self.0.iter().any(|alternative| alternative.accepts(name))
    }

    /// Whether every name of `inner` may stand here; `None` stands for any name.
    pub(super) fn covers(&self, inner: Option<&Self>, budget: &ComparisonBudget) -> bool {
        match inner {
            None => self.0.iter().any(SegmentName::is_any),
            Some(inner) => inner
                .0
                .iter()
                .all(|name| self.0.iter().any(|outer| outer.covers(name, budget))),
        }
    }

    /// Whether some name may stand in both.
    pub(super) fn meets(&self, other: &Self, budget: &ComparisonBudget) -> bool {
        self.0
            .iter()
            .any(|name| other.0.iter().any(|other| name.meets(other, budget)))
    }
}

impl SegmentName {
    /// Makes the simplest name of these places: side by side gaps are one, and `?*` is `*`, as no name is
    /// empty.
    pub(super) fn new(mut places: Vec<SequencePlace<UnitSet>>) -> Self {
        places.dedup_by(|a, b| matches!((a, b), (SequencePlace::Gap, SequencePlace::Gap)));
        let literal: Option<String> = places
            .iter()
            .map(|place| match place {
                SequencePlace::One(unit) => unit.literal(),
                SequencePlace::Gap => None,
            })
            .collect();
        match (literal, places.as_slice()) {
            (Some(name), _) => Self::Literal(name.into_bytes()),
            (
                None,
                [SequencePlace::Gap, SequencePlace::One(unit)]
                | [SequencePlace::One(unit), SequencePlace::Gap],
            ) if unit.is_any() => Self::Glob(vec![SequencePlace::Gap]),
            (None, [SequencePlace::Gap, SequencePlace::One(unit), SequencePlace::Gap]) if unit.is_any() => {
                Self::Glob(vec![SequencePlace::Gap])
            }
            (None, _) => Self::Glob(places),
        }
    }

    /// Returns how many characters were written for it, at most.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Literal(name) => name.len(),
            Self::Glob(places) => places.len(),
        }
    }

    fn is_any(&self) -> bool {
        match self {
            Self::Literal(_) => false,
            Self::Glob(places) => *places == [SequencePlace::Gap],
        }
    }

    fn accepts(&self, name: &[u8]) -> bool {
        match self {
            Self::Literal(literal) => literal == name,
            Self::Glob(places) => {
                ReachedPositions::run(places, units(name), |unit, at| unit.accepts(*at)).is_at_end()
            }
        }
    }

    fn covers(&self, inner: &Self, budget: &ComparisonBudget) -> bool {
        if !budget.spend(1 + self.len()) {
            return false;
        }
        if self == inner || self.is_any() {
            return true;
        }
        match inner {
            Self::Literal(name) => budget.spend(name.len() * self.len()) && self.accepts(name),
            Self::Glob(places) => is_within(places, &self.places(), UnitSet::covers, budget),
        }
    }

    fn meets(&self, other: &Self, budget: &ComparisonBudget) -> bool {
        match (self, other) {
            (Self::Literal(name), other) | (other, Self::Literal(name)) => {
                !budget.spend(name.len() * other.len()) || other.accepts(name)
            }
            (Self::Glob(one), Self::Glob(other)) => overlaps(one, other, UnitSet::meets, budget),
        }
    }

    fn places(&self) -> Cow<'_, [SequencePlace<UnitSet>]> {
        match self {
            Self::Literal(name) => units(name)
                .map(|unit| SequencePlace::One(UnitSet::from_unit(unit)))
                .collect::<Vec<_>>()
                .into(),
            Self::Glob(places) => places.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> SegmentName {
        let places = text.chars().map(|c| match c {
            '*' => SequencePlace::Gap,
            '?' => SequencePlace::One(UnitSet::any()),
            '@' => SequencePlace::One(UnitSet::set([('a', 'b')])),
            c => SequencePlace::One(UnitSet::exactly(c)),
        });
        SegmentName::new(places.collect())
    }

    #[test]
    fn names_are_simplified() {
        assert_eq!(name("ab"), SegmentName::Literal(b"ab".to_vec()));
        for text in ["*", "**", "?*", "*?", "*?*"] {
            assert_eq!(name(text), SegmentName::Glob(vec![SequencePlace::Gap]), "{text}");
        }
        assert_ne!(name("??*"), name("*"));
        assert_eq!(name("@").len(), 1);
    }

    #[test]
    fn names_are_compared() {
        fn check(inner: &str, outer: &str, within: bool, meets: bool) {
            let (inner, outer) = (name(inner), name(outer));
            assert_eq!(
                outer.covers(&inner, &ComparisonBudget::of_patterns()),
                within,
                "{inner:?} in {outer:?}"
            );
            assert_eq!(
                outer.meets(&inner, &ComparisonBudget::of_patterns()),
                meets,
                "{inner:?} and {outer:?}"
            );
        }
        check("a", "@", true, true);
        check("@", "a", false, true);
        check("a.rs", "*.rs", true, true);
        check("a*.rs", "*.rs", true, true);
        check("*.rs", "a*.rs", false, true);
        check("*.rs", "*.md", false, false);
        check("@x", "?x", true, true);
        check("*@*", "*", true, true);
    }
}
