//! JSON pointers: how a key is written as a step, and what lies at or below one.

/// Writes a key as a step of a pointer.
pub fn pointer_step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Whether `pointer` leads to `base` or to something in it. `/ab` is not in `/a`.
pub fn is_at_or_below(pointer: &str, base: &str) -> bool {
    pointer
        .strip_prefix(base)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_only_begins_so_is_another() {
        let check = |pointer: &str, base: &str, want: bool| {
            assert_eq!(is_at_or_below(pointer, base), want, "{pointer} in {base}");
        };
        check("/a", "/a", true);
        check("/a/b", "/a", true);
        check("/ab", "/a", false);
        check("/a", "/a/b", false);
        check("/a", "", true);
        assert_eq!(pointer_step("a~b/c"), "a~0b~1c");
    }
}
