//! A set of paths, as a policy names them.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::name::PathSegment;
use super::parse::{literal, parse};
use super::sequence::{ComparisonBudget, ReachedPositions, SequencePlace, is_within, overlaps};
use crate::policy::Anchors;
use crate::refusal::{Refusal, refuse};

/// A set of absolute paths, never empty.
///
/// `~` and `~/…` start at the home folder, `/…` at the root, everything else at the workspace. `*` is any run
/// of characters without a slash, dots at the start of a name included: this is a permission, not a shell.
/// `?` is one character, `[a-z]` one of these, `[!a]` any but these, `{a,b}` one or the other. `**`, alone
/// between slashes, is any number of folders, none included, so `P/**` is `P` too.
///
/// Names are compared as bytes; nothing is looked up and no link followed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PathPattern {
    text: String,
    places: Vec<SequencePlace<PathSegment>>,
}

/// What kind of set a pattern is, which decides how it can be held.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PatternShape {
    /// One path, and nothing below it.
    Exact(PathBuf),
    /// A path and everything below it.
    Tree(PathBuf),
    /// Anything else.
    Glob {
        /// The longest path that all others are, or are below of.
        root: PathBuf,
        /// Whether the pattern ends in `/**`, so that it has all that is below what it has.
        tree: bool,
    },
}

impl PathPattern {
    /// Reads a pattern. `field` is where it stands, for the refusal.
    ///
    /// # Errors
    /// The pattern is empty, too long, or not in the grammar above; or it has a `.` or `..` segment.
    pub fn parse(field: &str, text: &str, anchors: &Anchors) -> Result<Self, Refusal> {
        match parse(text, anchors) {
            Ok(places) => Ok(Self {
                text: text.to_owned(),
                places,
            }),
            Err(fault) => Err(refuse(field, text, fault.reason, fault.fix)),
        }
    }

    /// Returns the pattern of one path, which is absolute. `..` in it is resolved by name.
    pub fn exact(path: &Path) -> Self {
        Self::of(literal(path))
    }

    /// Returns the pattern of a path, which is absolute, and all that is below it.
    pub fn tree(path: &Path) -> Self {
        let mut places = literal(path);
        places.push(SequencePlace::Gap);
        Self::of(places)
    }

    fn of(places: Vec<SequencePlace<PathSegment>>) -> Self {
        let mut pattern = Self {
            text: String::new(),
            places,
        };
        pattern.text = match pattern.shape() {
            PatternShape::Exact(path) => path.to_string_lossy().into_owned(),
            PatternShape::Tree(path) | PatternShape::Glob { root: path, .. } => {
                path.join("**").to_string_lossy().into_owned()
            }
        };
        pattern
    }

    /// Returns the pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns what kind of set this is.
    pub fn shape(&self) -> PatternShape {
        let names: Vec<&[u8]> = self.places.iter().map_while(as_literal).collect();
        let rest = self.places.get(names.len()..).unwrap_or_default();
        let mut root = PathBuf::from("/");
        root.extend(names.into_iter().map(OsStr::from_bytes));
        match rest {
            [] => PatternShape::Exact(root),
            [SequencePlace::Gap] => PatternShape::Tree(root),
            [.., last] => PatternShape::Glob {
                root,
                tree: *last == SequencePlace::Gap,
            },
        }
    }

    /// Whether `path`, which is absolute and without `.` and `..`, is in the set. Any other path is not.
    pub fn matches(&self, path: &Path) -> bool {
        names(path).is_some_and(|names| self.reached_positions(&names).is_at_end())
    }

    /// Whether something strictly below `dir` may be in the set. Never says no wrongly.
    pub fn could_match_below(&self, dir: &Path) -> bool {
        names(dir).is_none_or(|names| self.reached_positions(&names).is_open())
    }

    fn reached_positions(&self, names: &[&[u8]]) -> ReachedPositions {
        ReachedPositions::run(&self.places, names, |segment, name| segment.accepts(name))
    }

    /// Whether every path of this set is in `other`. Never says yes wrongly.
    ///
    /// Exact for names, `*` and `**`. For other globs it may say no where yes were right: `[ab]` is in
    /// `{a,b}`, but that is not seen.
    pub fn is_within(&self, other: &Self) -> bool {
        self.is_within_for(other, &ComparisonBudget::of_patterns())
    }

    /// Answers [`PathPattern::is_within`] with a budget that many comparisons share.
    pub(in crate::policy) fn is_within_for(&self, other: &Self, budget: &ComparisonBudget) -> bool {
        let covers = |outer: &PathSegment, inner: Option<&PathSegment>| outer.covers(inner, budget);
        self.places == other.places || is_within(&self.places, &other.places, covers, budget)
    }

    /// Whether some path is in both sets. Never says no wrongly.
    pub fn overlaps(&self, other: &Self) -> bool {
        let budget = ComparisonBudget::of_patterns();
        let meets = |one: &PathSegment, other: &PathSegment| one.meets(other, &budget);
        overlaps(&self.places, &other.places, meets, &budget)
    }
}

impl fmt::Debug for PathPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "PathPattern({:?})", self.text)
    }
}

fn as_literal(place: &SequencePlace<PathSegment>) -> Option<&[u8]> {
    match place {
        SequencePlace::One(segment) => segment.as_literal(),
        SequencePlace::Gap => None,
    }
}

/// Returns the names of an absolute path without `..`.
fn names(path: &Path) -> Option<Vec<&[u8]>> {
    let mut components = path.components();
    if components.next() != Some(Component::RootDir) {
        return None;
    }
    components
        .map(|component| match component {
            Component::Normal(name) => Some(name.as_bytes()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> PathPattern {
        PathPattern::parse("fs.read[0]", text, &Anchors::new("/h/me", "/w/[x]").unwrap()).unwrap()
    }

    #[test]
    fn paths_match() {
        fn check(text: &str, yes: &[&str], no: &[&str]) {
            for (path, expected) in yes
                .iter()
                .map(|path| (path, true))
                .chain(no.iter().map(|path| (path, false)))
            {
                assert_eq!(pattern(text).matches(Path::new(path)), expected, "{text} {path}");
            }
        }
        check(
            "/a/b",
            &["/a/b", "/a/b/"],
            &["/a", "/a/b/c", "/a/bc", "a/b", "/", "/a/x/../b"],
        );
        check("/", &["/"], &["/a"]);
        check("/**", &["/", "/a", "/a/b/.c"], &[]);
        check("~", &["/h/me"], &["/h/me/a", "/h"]);
        check(
            "~/.ssh/**",
            &["/h/me/.ssh", "/h/me/.ssh/a/b"],
            &["/h/me/.sshx", "/h/you/.ssh"],
        );
        check("a", &["/w/[x]/a"], &["/w/x/a", "/a"]); // what an anchor holds is no glob
        check(
            "**/.git/**",
            &["/w/[x]/.git", "/w/[x]/a/b/.git/c"],
            &["/w/[x]/.gitx", "/w/.git"],
        );
        check("/a/**/b", &["/a/b", "/a/x/y/b"], &["/a", "/a/b/c", "/ab"]);
        check("/*", &["/a", "/.a"], &["/", "/a/b"]);
        check("/a*b", &["/ab", "/axb", "/abb"], &["/a", "/a/b", "/abc"]);
        check("/?", &["/a", "/é"], &["/ab"]);
        check("/[a-c!]x", &["/ax", "/cx", "/!x"], &["/dx", "/x"]);
        check("/[!a]", &["/b"], &["/a", "/bb"]);
        check(
            "/{src,lib}/*.{rs,md}",
            &["/src/a.rs", "/lib/.md"],
            &["/src/a.txt", "/bin/a.rs"],
        );
        check("/A", &["/A"], &["/a"]);
    }

    #[test]
    fn names_that_are_not_text_match_too() {
        let odd = Path::new(OsStr::from_bytes(b"/a/\xff"));
        for (text, expected) in [
            ("/a/*", true),
            ("/a/?", true),
            ("/a/[!b]", true),
            ("/a/b", false),
            ("/a/**", true),
        ] {
            assert_eq!(pattern(text).matches(odd), expected, "{text}");
        }
        let tree = PathPattern::tree(odd);
        assert!(tree.matches(&odd.join("x")) && tree.shape() == PatternShape::Tree(odd.to_owned()));
    }

    #[test]
    fn shapes_tell_how_a_pattern_can_be_held() {
        fn check(text: &str, shape: PatternShape) {
            assert_eq!(pattern(text).shape(), shape, "{text}");
        }
        let glob = |root: &str, tree| PatternShape::Glob {
            root: root.into(),
            tree,
        };
        check("/", PatternShape::Exact("/".into()));
        check("//a//b/", PatternShape::Exact("/a/b".into()));
        check("**", PatternShape::Tree("/w/[x]".into()));
        check("/**/**", PatternShape::Tree("/".into()));
        check("~/a/**/**", PatternShape::Tree("/h/me/a".into()));
        check("**/a/**", glob("/w/[x]", true));
        check("/a/b*.rs", glob("/a", false));
        check("/a/{b,c}/**", glob("/a", true));
        check("/[a]", glob("/", false));
        check("/a/**/b", glob("/a", false));
    }

    #[test]
    fn builders_keep_the_form() {
        assert_eq!(PathPattern::exact(Path::new("/a/[b]")).text(), "/a/[b]");
        assert_eq!(PathPattern::tree(Path::new("/")).text(), "/**");
        assert_eq!(
            PathPattern::tree(Path::new("/a/./x/../b/")).shape(),
            PatternShape::Tree("/a/b".into())
        );
        assert_eq!(PathPattern::tree(Path::new("/a")), pattern("/a/**"));
    }

    #[test]
    fn walks_can_be_pruned() {
        fn check(text: &str, dir: &str, expected: bool) {
            assert_eq!(
                pattern(text).could_match_below(Path::new(dir)),
                expected,
                "{text} {dir}"
            );
        }
        check("/a/b", "/", true);
        check("/a/b", "/a", true);
        check("/a/b", "/a/b", false);
        check("/a/b", "/x", false);
        check("/a/**", "/a/x/y", true);
        check("/a/**", "/b", false);
        check("/a/**/c", "/a/x/c", true);
        check("/*/b", "/x", true);
        check("/*/b", "/x/b", false);
        check("/a", "relative", true);
    }

    #[test]
    fn patterns_are_compared() {
        fn check(inner: &str, outer: &str, within: bool, overlaps: bool) {
            let (inner, outer) = (pattern(inner), pattern(outer));
            assert_eq!(inner.is_within(&outer), within, "{inner:?} in {outer:?}");
            assert_eq!(inner.overlaps(&outer), overlaps, "{inner:?} and {outer:?}");
            assert_eq!(outer.overlaps(&inner), overlaps, "{outer:?} and {inner:?}");
        }
        check("/a", "/a", true, true);
        check("/a", "/a/**", true, true);
        check("/a/**", "/a", false, true);
        check("/a/b/**", "/a/**", true, true);
        check("/ab/**", "/a/**", false, false);
        check("/a/**", "/**", true, true);
        check("/a/*", "/a/**", true, true);
        check("/a/**", "/a/*", false, true);
        check("/a/*/**", "/a/**/*", true, true);
        check("/a/**/*", "/a/*/**", true, true);
        check("~/.ssh/**", "~/**", true, true);
        check("**/.git/**", "**", true, true);
        check("**/.git/config", "**/.git/**", true, true);
        check("**/.git/**", "~/**", false, false);
        check("/a/x.rs", "/a/*.rs", true, true);
        check("/a/x*.rs", "/a/*.rs", true, true);
        check("/a/*.rs", "/a/x*", false, true);
        check("/a/[a-c]", "/a/[a-z]", true, true);
        check("/a/[!a]", "/a/?", true, true);
        check("/{a,b}/c", "/{b,a,d}/**", true, true);
        check("/[ab]", "/{a,b}", false, true); // true, and not seen
        check("/a/**/x", "/b/**/x", false, false);
    }

    #[test]
    fn hostile_patterns_are_quick() {
        let path = PathBuf::from(format!("/{}", "a".repeat(4000)));
        let deep = PathBuf::from("/a".repeat(2000));
        let stars = pattern(&format!("/{}b", "a*".repeat(120)));
        let gaps = pattern(&format!("{}/b", "/**/a".repeat(31)));
        assert!(!stars.matches(&path) && !gaps.matches(&deep));
        assert!(stars.is_within(&stars) && gaps.is_within(&gaps));
        let other = pattern(&format!("{}/c", "/**/*/a".repeat(21)));
        assert!(!gaps.is_within(&other) && !gaps.overlaps(&other));
    }
}
