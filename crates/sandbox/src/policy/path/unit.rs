//! One character of a file name, and sets of them.
//!
//! File names are bytes. What is UTF-8 in them is read as characters and each other byte as a unit of its
//! own, so every name has one reading, and `?` and `[!a]` also stand for a byte that is no character.

/// The last character there is; the bytes that are none come after it.
const LAST_CHAR: u32 = char::MAX as u32;

/// The last unit.
const LAST_UNIT: u32 = LAST_CHAR + 256;

/// A first and a last unit.
type UnitRange = (u32, u32);

/// A set of units, never empty: ranges in order, none touching the next.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum UnitSet {
    /// One range, as most have: a character, or any.
    One([UnitRange; 1]),
    /// What was written in brackets.
    Set(Vec<UnitRange>),
}

impl UnitSet {
    /// Returns the set of one character.
    pub(super) fn exactly(c: char) -> Self {
        Self::One([(c.into(), c.into())])
    }

    /// Returns the set of one unit of a name.
    pub(super) fn from_unit(unit: u32) -> Self {
        Self::One([(unit, unit)])
    }

    /// Returns the set of all.
    pub(super) fn any() -> Self {
        Self::One([(0, LAST_UNIT)])
    }

    /// Returns the set of these characters, ends included.
    pub(super) fn set(ranges: impl IntoIterator<Item = (char, char)>) -> Self {
        let mut sorted: Vec<UnitRange> = ranges
            .into_iter()
            .map(|(first, last)| (first.into(), last.into()))
            .collect();
        sorted.sort_unstable();
        let mut merged: Vec<UnitRange> = Vec::new();
        for (first, last) in sorted {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                Some(_) | None => merged.push((first, last)),
            }
        }
        Self::Set(merged)
    }

    /// Returns the set of all that is not in this one.
    pub(super) fn negated(&self) -> Self {
        let mut others = Vec::new();
        let mut free = 0;
        for (first, last) in self.ranges() {
            if free < *first {
                others.push((free, first - 1));
            }
            free = last + 1;
        }
        if free <= LAST_UNIT {
            others.push((free, LAST_UNIT));
        }
        Self::Set(others)
    }

    fn ranges(&self) -> &[UnitRange] {
        match self {
            Self::One(range) => range,
            Self::Set(ranges) => ranges,
        }
    }

    /// Returns the character, if one was written plainly.
    pub(super) fn literal(&self) -> Option<char> {
        match self {
            Self::One([(first, last)]) if first == last => char::from_u32(*first),
            Self::One(_) | Self::Set(_) => None,
        }
    }

    /// Whether this is the set of all.
    pub(super) fn is_any(&self) -> bool {
        self.ranges() == [(0, LAST_UNIT)]
    }

    /// Whether `unit` is in the set.
    pub(super) fn accepts(&self, unit: u32) -> bool {
        self.ranges()
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&unit))
    }

    /// Whether all of `inner` is in the set; `None` stands for any unit.
    pub(super) fn covers(&self, inner: Option<&Self>) -> bool {
        let Some(inner) = inner else {
            return self.is_any();
        };
        let holds = |(from, to): &UnitRange| {
            self.ranges()
                .iter()
                .any(|(first, last)| first <= from && to <= last)
        };
        inner.ranges().iter().all(holds)
    }

    /// Whether some unit is in both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let crosses = |(from, to): &UnitRange| {
            other
                .ranges()
                .iter()
                .any(|(first, last)| first <= to && from <= last)
        };
        self.ranges().iter().any(crosses)
    }
}

/// Returns the units of a name.
pub(super) fn units(name: &[u8]) -> impl Iterator<Item = u32> {
    name.utf8_chunks().flat_map(|chunk| {
        let characters = chunk.valid().chars().map(u32::from);
        characters.chain(
            chunk
                .invalid()
                .iter()
                .map(|byte| LAST_CHAR + 1 + u32::from(*byte)),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_merged_and_negated() {
        let set = UnitSet::set([('d', 'f'), ('a', 'c'), ('x', 'x')]);
        assert_eq!(set, UnitSet::set([('a', 'f'), ('x', 'x'), ('b', 'b')]));
        assert_eq!(set.negated().negated(), set);
        for (unit, inside) in [('a', true), ('e', true), ('g', false), ('x', true), ('y', false)] {
            assert_eq!(set.accepts(unit.into()), inside, "{unit}");
            assert_eq!(set.negated().accepts(unit.into()), !inside, "not {unit}");
        }
        assert!(set.negated().accepts(LAST_UNIT) && set.negated().accepts(0));
    }

    #[test]
    fn sets_are_compared() {
        let (a, ab, not_a) = (
            UnitSet::exactly('a'),
            UnitSet::set([('a', 'b')]),
            UnitSet::set([('a', 'a')]).negated(),
        );
        assert!(
            ab.covers(Some(&a)) && !a.covers(Some(&ab)) && UnitSet::any().covers(None) && !not_a.covers(None)
        );
        assert!(a.meets(&ab) && ab.meets(&not_a) && !a.meets(&not_a));
    }

    #[test]
    fn names_have_one_reading() {
        let read = |name: &[u8]| units(name).collect::<Vec<_>>();
        assert_eq!(read("aé".as_bytes()), [0x61, 0xe9]);
        assert_eq!(read(b"a\xff\xc3"), [0x61, LAST_CHAR + 256, LAST_CHAR + 1 + 0xc3]);
    }
}
