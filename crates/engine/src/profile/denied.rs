//! What a person denies, for the sandbox: judging words alone, a link or a search through everything would get past it.

use argrail_sandbox::policy::{Anchors, PathPattern, Policy};

/// Returns the globs of a `permissionPolicy` as the sandbox has them.
///
/// As in the decision, `DIR/*` means everything below, and a glob without a slash means a name anywhere. Globs of names
/// cannot be held below what may be written, where such a file may come into being; there the decision is all there is.
pub(super) fn denied(globs: &[String], policy: &Policy, anchors: &Anchors) -> Vec<PathPattern> {
    let mut patterns = Vec::new();
    for glob in globs {
        let whole = glob.strip_suffix("/**").or_else(|| glob.strip_suffix("/*"));
        let stem = whole.unwrap_or(glob).trim_end_matches('/');
        if stem.is_empty() {
            continue;
        }
        let is_literal = !stem.contains(['*', '?', '[', '{']);
        if !is_literal && !policy.write.is_empty() {
            continue;
        }
        let stem = match stem.contains('/') || is_literal && whole.is_some() {
            true => stem.to_owned(),
            false => format!("**/{stem}"),
        };
        let both = [stem.clone(), format!("{stem}/**")];
        patterns.extend(
            both.iter()
                .filter_map(|text| PathPattern::parse("deny", text, anchors).ok()),
        );
    }
    patterns
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_directory_is_denied_with_all_below_and_a_name_anywhere() {
        let anchors = Anchors::new(Path::new("/srv/u"), Path::new("/data/w")).unwrap();
        let hit = |glob: &str, path: &str| {
            let patterns = denied(&[glob.to_owned()], &Policy::closed(), &anchors);
            patterns.iter().any(|pattern| pattern.matches(Path::new(path)))
        };
        assert!(hit("/data/w/secret/**", "/data/w/secret/a/b"));
        assert!(hit("/data/w/secret/*", "/data/w/secret/a/b"));
        assert!(hit("/data/w/key", "/data/w/key") && !hit("/data/w/key", "/data/w/keys"));
        assert!(hit("~/.ssh/**", "/srv/u/.ssh/id"));
        assert!(hit("*.pem", "/data/w/a/b.pem") && !hit("*.pem", "/data/w/a/b.txt"));
        assert!(!hit("", "/data/w/a"));
        let writes = Policy::closed().write(PathPattern::tree(Path::new("/data/w")));
        assert!(denied(&["*.pem".to_owned()], &writes, &anchors).is_empty());
        assert_eq!(
            denied(&["/data/w/secret/**".to_owned()], &writes, &anchors).len(),
            2
        );
    }
}
