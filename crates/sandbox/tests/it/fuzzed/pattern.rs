//! Any three lines: two patterns and a path. Each pattern is read or refused, and answers about them agree.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use std::path::Path;

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Anchors, EnvName, HostPattern, Ingress, PathPattern, PatternShape, Program};

/// Checks one text.
pub(crate) fn pattern(text: &str) {
    let mut lines = text.splitn(3, '\n');
    let (one, other, path) = (lines.next(), lines.next(), lines.next());
    let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
    let path = Path::new("/").join(path.unwrap_or_default());
    let patterns = [read(one), read(other)];
    for pattern in patterns.iter().flatten() {
        check_one(pattern, &path);
    }
    if let [Some(one), Some(other)] = &patterns {
        check_both(one, other, &path);
        check_both(other, one, &path);
    }
    check_names(one, other);
}

fn read(text: &str) -> Option<PathPattern> {
    let anchors = Anchors::new("/h/me", "/w").expect("both are absolute");
    let pattern = bounded(text, PathPattern::parse("fs.read[0]", text, &anchors))?;
    assert_eq!(pattern.text(), text);
    Some(pattern)
}

/// Checks that a refusal teaches, and no longer than a person reads.
fn bounded<T>(text: &str, result: Result<T, Refusal>) -> Option<T> {
    if let Err(refusal) = &result {
        assert!(text.starts_with(refusal.pattern.trim_end_matches('…')));
        assert!(!refusal.reason.is_empty() && !refusal.fix.is_empty());
        assert!(refusal.to_string().len() < 8_000, "{refusal}");
    }
    result.ok()
}

fn check_one(pattern: &PathPattern, path: &Path) {
    let matched = pattern.matches(path);
    let (root, exact) = match pattern.shape() {
        PatternShape::Exact(root) => (root.clone(), Some(PathPattern::exact(&root))),
        PatternShape::Tree(root) => (root.clone(), Some(PathPattern::tree(&root))),
        PatternShape::Glob { root, .. } => (root, None),
    };
    assert!(root.is_absolute());
    assert!(!matched || path.starts_with(&root), "{pattern:?} has {path:?}");
    assert!(pattern.is_within(pattern) && pattern.overlaps(pattern));
    assert!(pattern.is_within(&PathPattern::tree(&root)) && pattern.overlaps(&PathPattern::tree(&root)));
    if let Some(exact) = exact {
        assert!(pattern.is_within(&exact) && exact.is_within(pattern));
        assert_eq!(exact.matches(path), matched);
    }
    if matched {
        let above = path.ancestors().skip(1);
        assert!(
            above.into_iter().all(|dir| pattern.could_match_below(dir)),
            "{pattern:?} has {path:?}"
        );
        let exact = PathPattern::exact(path);
        // What costs more than a comparison may is answered with no.
        let cheap = pattern.text().len() < 256 && path.components().count() < 16;
        assert!(!cheap || exact.is_within(pattern), "{pattern:?} has {path:?}");
        assert!(exact.overlaps(pattern), "{pattern:?} has {path:?}");
    }
}

fn check_both(inner: &PathPattern, outer: &PathPattern, path: &Path) {
    if inner.is_within(outer) {
        assert!(
            !inner.matches(path) || outer.matches(path),
            "{inner:?} in {outer:?}, {path:?}"
        );
        assert!(inner.overlaps(outer), "{inner:?} in {outer:?}");
    }
    let both = inner.matches(path) && outer.matches(path);
    assert!(
        !both || inner.overlaps(outer),
        "{inner:?} and {outer:?}, {path:?}"
    );
}

/// The other readers of a policy's text, on the same lines.
fn check_names(one: &str, other: &str) {
    if let Some(host) = bounded(one, HostPattern::parse("f", one)) {
        assert!(host.is_within(&host));
        assert!(
            !host.matches(other)
                || other
                    .to_ascii_lowercase()
                    .contains(host.as_str().trim_start_matches('*'))
        );
        assert!(host.as_str().ends_with("test") || !host.matches(&format!("x{other}.evil.test")));
    }
    if let Some(url) = bounded(one, Ingress::parse("f", one)) {
        assert!(url.port() > 0);
    }
    bounded(one, Program::parse("f", one));
    if bounded(one, EnvName::parse("f", one)).is_some() {
        assert!(
            EnvName::parse_set("f", one).is_ok(),
            "what may be passed may be set"
        );
    }
}
