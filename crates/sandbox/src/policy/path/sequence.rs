//! Sequences with gaps: whether one accepts a list of items, contains another, or meets another.
//!
//! All positions that a list can have reached are followed at once, so hostile patterns cost their length
//! times the length of the list and no more. Comparing two patterns can cost more; it has a [`ComparisonBudget`].

use std::cell::Cell;
use std::collections::HashSet;

/// One place of a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum SequencePlace<T> {
    /// Exactly one item.
    One(T),
    /// Any number of any items, none included.
    Gap,
}

/// How many steps comparisons of patterns may take.
///
/// Real patterns take a few hundred. One that is spent makes the answer the safe one, not a wrong one.
#[derive(Debug)]
pub(in crate::policy) struct ComparisonBudget(Cell<usize>);

impl ComparisonBudget {
    /// Returns what comparing two patterns may take: milliseconds.
    pub(super) fn of_patterns() -> Self {
        Self(Cell::new(1 << 18))
    }

    /// Returns what comparing two policies may take, with all their patterns.
    pub(in crate::policy) fn of_policies() -> Self {
        Self(Cell::new(1 << 24))
    }

    /// Takes `steps` away. Returns whether there were that many.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let left = self.0.get().checked_sub(steps);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// The positions in a sequence that a list of items can have led to. The last one is the end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ReachedPositions(Vec<bool>);

impl ReachedPositions {
    /// Returns where no items lead to.
    pub(super) fn start<T>(places: &[SequencePlace<T>]) -> Self {
        let mut reached = vec![false; places.len() + 1];
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        Self(reached).past_gaps(places)
    }

    /// Returns where `items` lead to.
    pub(super) fn run<T, I>(
        places: &[SequencePlace<T>],
        items: impl IntoIterator<Item = I>,
        accepts: impl Fn(&T, &I) -> bool,
    ) -> Self {
        let mut reached = Self::start(places);
        for item in items {
            if reached.is_nowhere() {
                break;
            }
            reached = reached.step(places, |place| accepts(place, &item));
        }
        reached
    }

    /// Returns where one more item leads to.
    fn step<T>(&self, places: &[SequencePlace<T>], mut accepts: impl FnMut(&T) -> bool) -> Self {
        let mut next = vec![false; self.0.len()];
        for (at, (place, reached)) in places.iter().zip(&self.0).enumerate() {
            if !*reached {
                continue;
            }
            let to = match place {
                SequencePlace::Gap => at,
                SequencePlace::One(item) if accepts(item) => at + 1,
                SequencePlace::One(_) => continue,
            };
            if let Some(reached) = next.get_mut(to) {
                *reached = true;
            }
        }
        Self(next).past_gaps(places)
    }

    /// Adds what stands behind a gap, since a gap may be empty.
    fn past_gaps<T>(mut self, places: &[SequencePlace<T>]) -> Self {
        let mut before_gap = false;
        for (at, reached) in self.0.iter_mut().enumerate() {
            *reached |= before_gap;
            before_gap = *reached && matches!(places.get(at), Some(SequencePlace::Gap));
        }
        self
    }

    /// Whether the items so far are accepted.
    pub(super) fn is_at_end(&self) -> bool {
        self.0.last().is_some_and(|reached| *reached)
    }

    /// Whether more items could be accepted.
    pub(super) fn is_open(&self) -> bool {
        self.0
            .split_last()
            .is_some_and(|(_, before)| before.contains(&true))
    }

    fn is_nowhere(&self) -> bool {
        !self.0.contains(&true)
    }
}

/// Whether all that `inner` accepts is accepted by `outer`. A spent budget says no.
///
/// `covers` is asked whether a place of `outer` accepts all that a place of `inner` does, or with `None`
/// whether it accepts anything at all. If its answers are exact and what it calls anything always has an
/// item that only such places accept, then so is this one. It is transitive where `covers` is.
pub(super) fn is_within<T>(
    inner: &[SequencePlace<T>],
    outer: &[SequencePlace<T>],
    covers: impl Fn(&T, Option<&T>) -> bool,
    budget: &ComparisonBudget,
) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![(0, ReachedPositions::start(outer))];
    while let Some((at, reached)) = open.pop() {
        if !budget.spend(outer.len() + 1) {
            return false;
        }
        if !seen.insert((at, reached.clone())) {
            continue;
        }
        let (next, step) = match inner.get(at) {
            None if reached.is_at_end() => continue,
            None => return false,
            Some(SequencePlace::One(item)) => {
                (at + 1, reached.step(outer, |place| covers(place, Some(item))))
            }
            Some(SequencePlace::Gap) => {
                let step = reached.step(outer, |place| covers(place, None));
                open.push((at + 1, reached));
                (at, step)
            }
        };
        if step.is_nowhere() {
            return false;
        }
        open.push((next, step));
    }
    true
}

/// Whether something is accepted by both. A spent budget says yes.
pub(super) fn overlaps<T>(
    one: &[SequencePlace<T>],
    other: &[SequencePlace<T>],
    meets: impl Fn(&T, &T) -> bool,
    budget: &ComparisonBudget,
) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![(0, 0)];
    while let Some((left, right)) = open.pop() {
        if !seen.insert((left, right)) {
            continue;
        }
        if !budget.spend(1) {
            return true;
        }
        match (one.get(left), other.get(right)) {
            (None, None) => return true,
            (Some(SequencePlace::One(a)), Some(SequencePlace::One(b))) => {
                if meets(a, b) {
                    open.push((left + 1, right + 1));
                }
            }
            // A gap ends, or takes what stands on the other side.
            (Some(SequencePlace::Gap), Some(SequencePlace::One(_) | SequencePlace::Gap))
            | (Some(SequencePlace::One(_)), Some(SequencePlace::Gap)) => {
                open.extend([(left + 1, right), (left, right + 1)]);
            }
            (Some(SequencePlace::Gap), None) => open.push((left + 1, right)),
            (None, Some(SequencePlace::Gap)) => open.push((left, right + 1)),
            (Some(SequencePlace::One(_)), None) | (None, Some(SequencePlace::One(_))) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `*` is a gap, `?` any item, the rest items.
    fn places(text: &str) -> Vec<SequencePlace<char>> {
        text.chars()
            .map(|c| {
                if c == '*' {
                    SequencePlace::Gap
                } else {
                    SequencePlace::One(c)
                }
            })
            .collect()
    }

    fn accepts(place: char, item: char) -> bool {
        place == '?' || place == item
    }

    #[test]
    fn lists_are_accepted() {
        fn check(pattern: &str, text: &str, end: bool, open: bool) {
            let places = places(pattern);
            let reached = ReachedPositions::run(&places, text.chars(), |place, item| accepts(*place, *item));
            assert_eq!(
                (reached.is_at_end(), reached.is_open()),
                (end, open),
                "{pattern} {text}"
            );
        }
        check("", "", true, false);
        check("", "a", false, false);
        check("ab", "a", false, true);
        check("ab", "ab", true, false);
        check("a*", "a", true, true);
        check("a*b", "axxb", true, true);
        check("a*b", "axxbc", false, true);
        check("**?", "", false, true);
        check("*a*", "bab", true, true);
    }

    #[test]
    fn inclusion_is_exact_for_items_and_gaps() {
        fn check(inner: &str, outer: &str, expected: bool) {
            let covers = |outer: &char, inner: Option<&char>| accepts(*outer, *inner.unwrap_or(&'?'));
            let answer = is_within(
                &places(inner),
                &places(outer),
                covers,
                &ComparisonBudget::of_patterns(),
            );
            assert_eq!(answer, expected, "{inner} in {outer}");
        }
        check("", "", true);
        check("a", "*", true);
        check("*", "a*", false);
        check("?*", "*?", true); // the same lists, written in two ways
        check("*?", "?*", true);
        check("*?*?", "??*", true);
        check("*", "?*", false);
        check("a*b*c", "a*c", true);
        check("a*c", "a*b*c", false);
        check("a?c", "a*c", true);
        check("*a*", "*a", false);
        check("*a*a*", "*a?*", true);
        check("*a*", "*a?*", false);
        check("a", "?", true);
        check("?", "a", false);
    }

    #[test]
    fn overlap_is_exact_for_items_and_gaps() {
        fn check(one: &str, other: &str, expected: bool) {
            for (one, other) in [(one, other), (other, one)] {
                let meets = |a: &char, b: &char| accepts(*a, *b) || accepts(*b, *a);
                let answer = overlaps(
                    &places(one),
                    &places(other),
                    meets,
                    &ComparisonBudget::of_patterns(),
                );
                assert_eq!(answer, expected, "{one} and {other}");
            }
        }
        check("", "*", true);
        check("", "?", false);
        check("a*", "*b", true);
        check("a*c", "ab*", true);
        check("a", "b", false);
        check("a*", "b*", false);
        check("*a*b", "?a", false);
        check("**", "***", true);
    }

    #[test]
    fn a_spent_budget_gives_the_safe_answer() {
        let spent = ComparisonBudget(Cell::new(0));
        assert!(!is_within(
            &places("a"),
            &places("a"),
            |a, b| Some(a) == b,
            &spent
        ));
        assert!(overlaps(&places("a"), &places("b"), |a, b| a == b, &spent));
    }
}
