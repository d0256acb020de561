//! What holds for all policies and patterns: narrowing never widens, answers about sets are true of their
//! paths, and no text is read in more than a moment.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_sandbox::policy::{
    Anchors, EnvName, Exec, HostPattern, Ingress, Limits, PathPattern, Policy, Program,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::fuzzed;

fn read(text: &str) -> PathPattern {
    let anchors = Anchors::new("/a", "/a/b").unwrap();
    PathPattern::parse("fs.read[0]", text, &anchors).unwrap()
}

/// Segments that meet each other often.
fn segment() -> impl Strategy<Value = &'static str> {
    select(vec![
        "a", "b", "ab", "aab", ".a", "*", "**", "**", "?", "a*", "*b", "a*b", "?b", "[ab]", "[a-b]b", "[!a]",
        "[!a]*", "{a,b}", "{a,ab}*", "{*b,a?}",
    ])
}

fn pattern() -> impl Strategy<Value = PathPattern> {
    let start = select(vec!["/", "/", "~/", "./"]);
    (start, vec(segment(), 1..5))
        .prop_map(|(start, segments)| read(&format!("{start}{}", segments.join("/"))))
}

fn path() -> impl Strategy<Value = PathBuf> {
    let names: Vec<&[u8]> = vec![
        b"a",
        b"b",
        b"ab",
        b"aab",
        b".a",
        b"bb",
        b"c",
        "é".as_bytes(),
        b"\xff",
        b"a\xff",
    ];
    vec(select(names), 0..6).prop_map(|names| {
        let names = names.into_iter().map(OsStr::from_bytes);
        std::iter::once(OsStr::new("/")).chain(names).collect()
    })
}

fn hosts() -> impl Strategy<Value = Vec<HostPattern>> {
    let all = [
        "x.test",
        "*.x.test",
        "a.x.test",
        "*.a.x.test",
        "b.a.x.test",
        "localhost",
    ];
    subsequence(all.to_vec(), 0..=all.len()).prop_map(|hosts| {
        hosts
            .into_iter()
            .map(|host| HostPattern::parse("f", host).unwrap())
            .collect()
    })
}

fn programs() -> impl Strategy<Value = Exec> {
    let all = ["git", "sh", "/bin/sh"];
    let list = subsequence(all.to_vec(), 0..=all.len()).prop_map(|list| {
        Exec::List(
            list.into_iter()
                .map(|name| Program::parse("f", name).unwrap())
                .collect(),
        )
    });
    prop_oneof![Just(Exec::None), list, Just(Exec::Any)]
}

fn limits() -> impl Strategy<Value = Limits> {
    let seconds = || option::of((1..4u64).prop_map(Duration::from_secs));
    let amount = || option::of(select(vec![1, 2, 1 << 20, 1 << 40]));
    (seconds(), seconds(), amount(), amount(), amount()).prop_map(|(wall, cpu, output, memory, scratch)| {
        Limits {
            wall,
            cpu,
            output,
            memory,
            scratch,
            ..Limits::default()
        }
    })
}

fn policy() -> impl Strategy<Value = Policy> {
    let paths = || vec(pattern(), 0..3);
    let urls = ["http://localhost:1", "http://localhost:2"];
    let urls = subsequence(urls.to_vec(), 0..=2);
    let names = subsequence(vec!["A", "B", "C"], 0..=3);
    let switches = (any::<bool>(), any::<bool>());
    (
        paths(),
        paths(),
        paths(),
        hosts(),
        urls,
        programs(),
        names,
        switches,
        limits(),
    )
        .prop_map(
            |(read, write, deny, egress, urls, exec, names, (tty, local_network), limits)| {
                let mut policy = Policy::closed().exec(exec).limits(limits);
                (policy.read, policy.write, policy.deny, policy.egress) = (read, write, deny, egress);
                policy.ingress = urls
                    .into_iter()
                    .map(|url| Ingress::parse("f", url).unwrap())
                    .collect();
                policy.env_pass = names
                    .into_iter()
                    .map(|name| EnvName::parse("f", name).unwrap())
                    .collect();
                (policy.tty, policy.local_network) = (tty, local_network);
                policy
            },
        )
}

fn grants(patterns: &[PathPattern], path: &Path) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_narrowed_policy_is_within_both(one in policy(), other in policy()) {
        let narrowed = one.narrow(&other);
        prop_assert_eq!(narrowed.is_within(&one), Ok(()));
        prop_assert_eq!(narrowed.is_within(&other), Ok(()));
    }

    #[test]
    fn narrowing_by_itself_changes_nothing_that_counts(policy in policy()) {
        prop_assert_eq!(policy.is_within(&policy), Ok(()));
        prop_assert_eq!(policy.is_within(&policy.narrow(&policy)), Ok(()));
    }

    #[test]
    fn within_goes_on(one in policy(), two in policy(), three in policy()) {
        // Three that are chained, and three that may be by chance.
        let middle = two.narrow(&three);
        let least = one.narrow(&middle);
        prop_assert_eq!(least.is_within(&three), Ok(()));
        if one.is_within(&two).is_ok() && two.is_within(&three).is_ok() {
            prop_assert_eq!(one.is_within(&three), Ok(()));
        }
    }

    #[test]
    fn a_path_that_a_narrowed_policy_grants_is_granted_by_both(
        one in policy(),
        other in policy(),
        path in path(),
    ) {
        let narrowed = one.narrow(&other);
        for parent in [&one, &other] {
            let readable = grants(&parent.read, &path) || grants(&parent.write, &path);
            prop_assert!(readable || !grants(&narrowed.read, &path));
            prop_assert!(grants(&parent.write, &path) || !grants(&narrowed.write, &path));
            prop_assert!(grants(&narrowed.deny, &path) || !grants(&parent.deny, &path));
        }
    }

    #[test]
    fn patterns_within_patterns_go_on(one in pattern(), two in pattern(), three in pattern()) {
        if one.is_within(&two) && two.is_within(&three) {
            prop_assert!(one.is_within(&three), "{:?} {:?} {:?}", one, two, three);
        }
    }

    #[test]
    fn answers_about_sets_are_true_of_their_paths(
        one in pattern(),
        other in pattern(),
        paths in vec(path(), 1..20),
    ) {
        let (within, overlaps) = (one.is_within(&other), one.overlaps(&other));
        prop_assert_eq!(overlaps, other.overlaps(&one));
        for path in &paths {
            let (first, second) = (one.matches(path), other.matches(path));
            prop_assert!(!within || !first || second, "{:?} in {:?} but not {:?}", one, other, path);
            prop_assert!(overlaps || !first || !second, "{:?} and {:?} have {:?}", one, other, path);
            if first {
                prop_assert!(path.ancestors().skip(1).all(|dir| one.could_match_below(dir)));
            }
        }
    }

    #[test]
    fn matching_agrees_with_the_plain_definition(
        segments in vec(segment(), 0..4),
        names in vec("[ab.]{1,3}", 0..4),
    ) {
        let path = PathBuf::from(format!("/{}", names.join("/")));
        let pattern = read(&format!("/{}", segments.join("/")));
        prop_assert_eq!(pattern.matches(&path), plain(&segments, &names), "{:?} {:?}", pattern, path);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        fuzzed::pattern(&text);
    }

    #[test]
    fn any_text_of_patterns_is_read_or_refused(text in "[]ab*?/{},!^\\[.~\n-]{0,24}") {
        fuzzed::pattern(&text);
    }
}

/// Whether `names` are in the pattern, by trying every way.
fn plain(segments: &[&str], names: &[String]) -> bool {
    // `.` is no name: a path has none.
    let names: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| *name != ".")
        .collect();
    if names.contains(&"..") {
        return false;
    }
    plain_names(segments, &names)
}

fn plain_names(segments: &[&str], names: &[&str]) -> bool {
    match segments {
        [] => names.is_empty(),
        ["**", rest @ ..] => (0..=names.len()).any(|taken| plain_names(rest, &names[taken..])),
        [segment, rest @ ..] => match names {
            [name, others @ ..] => {
                let name: Vec<char> = name.chars().collect();
                alternatives(segment).iter().any(|glob| plain_glob(glob, &name)) && plain_names(rest, others)
            }
            [] => false,
        },
    }
}

/// Writes out at most one pair of braces.
fn alternatives(segment: &str) -> Vec<Vec<char>> {
    let Some((before, rest)) = segment.split_once('{') else {
        return vec![segment.chars().collect()];
    };
    let (inside, after) = rest.split_once('}').unwrap();
    inside
        .split(',')
        .map(|choice| format!("{before}{choice}{after}").chars().collect())
        .collect()
}

/// Knows the few brackets that [`segment`] writes.
fn plain_glob(glob: &[char], name: &[char]) -> bool {
    let first_in = |set: &[char]| name.first().is_some_and(|first| set.contains(first));
    match glob {
        [] => name.is_empty(),
        ['*', rest @ ..] => (0..=name.len()).any(|taken| plain_glob(rest, &name[taken..])),
        ['[', '!', not, ']', rest @ ..] => {
            !name.is_empty() && !first_in(&[*not]) && plain_glob(rest, &name[1..])
        }
        ['[', 'a', 'b', ']', rest @ ..] | ['[', 'a', '-', 'b', ']', rest @ ..] => {
            first_in(&['a', 'b']) && plain_glob(rest, &name[1..])
        }
        ['?', rest @ ..] => !name.is_empty() && plain_glob(rest, &name[1..]),
        [c, rest @ ..] => first_in(&[*c]) && plain_glob(rest, &name[1..]),
    }
}

/// All words of up to `length` letters, as patterns or paths.
fn all(letters: &[&str], length: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut longest = words.clone();
    for _ in 0..length {
        longest = longest
            .iter()
            .flat_map(|word| letters.iter().map(move |letter| format!("{word}/{letter}")))
            .collect();
        words.extend(longest.iter().cloned());
    }
    words
        .into_iter()
        .map(|word| if word.is_empty() { "/".to_owned() } else { word })
        .collect()
}

#[test]
fn inclusion_and_overlap_are_exact_for_names_and_stars() {
    let patterns: Vec<PathPattern> = all(&["a", "b", "*", "**"], 3)
        .iter()
        .map(|text| read(text))
        .collect();
    let paths: Vec<PathBuf> = all(&["a", "b", "z"], 6).iter().map(PathBuf::from).collect();
    let sets: Vec<Vec<bool>> = patterns
        .iter()
        .map(|pattern| paths.iter().map(|path| pattern.matches(path)).collect())
        .collect();
    for (one, first) in patterns.iter().zip(&sets) {
        for (other, second) in patterns.iter().zip(&sets) {
            let within = first.iter().zip(second).all(|(first, second)| !first || *second);
            assert_eq!(one.is_within(other), within, "{one:?} in {other:?}");
            let overlaps = first.iter().zip(second).any(|(first, second)| *first && *second);
            assert_eq!(one.overlaps(other), overlaps, "{one:?} and {other:?}");
        }
    }
}

#[test]
fn hostile_patterns_end() {
    let long = |part: &str| part.repeat(4_000 / part.len());
    let name = |part: &str| part.repeat(240 / part.len());
    let texts = [
        format!("/{}b", name("a*")),
        format!("/{}b", name("*a")),
        format!("/{}", name("*?")),
        format!("/{}b", name("?*")),
        format!("/{}*b", name("[!b]")),
        format!("/{}*c", name("[ab]")),
        format!("/*{}", name("a")),
        format!("{}/b", "/**/a".repeat(31)),
        format!("{}/b", "/**/*".repeat(31)),
        format!("{}/b", "/**/a*".repeat(31)),
        format!("{}/b", "/**/*/a".repeat(20)),
        format!("/**/a{}", "/*".repeat(60)),
        format!("/**/b{}", "/*".repeat(60)),
        format!("{}/**", "/*a*a*a*a*a*a*a*a*a*a*b".repeat(60)),
        format!("/{{a,b}}{{a,b}}{{a,b}}{{a,b}}{{a,b}}{{a,b}}{}b", name("*a")),
        format!(
            "/{{{}}}",
            (0..64)
                .map(|number| format!("*{number}*a*a*a*a*a*a*b"))
                .collect::<Vec<_>>()
                .join(",")
        ),
        format!("/**/{{{}}}/**", vec!["a*a*a*a*a*a*b"; 64].join(",")),
        format!("/{}", long("/")),
        format!("/**{}", long("/**").chars().take(180).collect::<String>()),
        format!("/**/{}/**/{}", name("a*"), name("*a")),
    ];
    let paths = ["/a".repeat(2_000), format!("/{}", "a".repeat(4_000))];
    let patterns: Vec<PathPattern> = texts.iter().map(|text| read(text)).collect();
    for (pattern, next) in patterns.iter().zip(patterns.iter().cycle().skip(1)) {
        for path in &paths {
            let _ = (
                pattern.matches(Path::new(path)),
                pattern.could_match_below(Path::new(path)),
            );
        }
        let _ = (pattern.is_within(next), pattern.overlaps(next));
    }
    // Each with each, on one budget: a policy may be refused for its cost, but is not worked on for minutes.
    let mut hostile = Policy::closed();
    hostile.read = patterns.into_iter().take(6).collect();
    let narrowed = hostile.narrow(&hostile);
    assert_eq!(narrowed.is_within(&hostile), Ok(()));
}

#[test]
fn a_name_that_looks_like_an_allowed_host_is_not_one() {
    fn check(pattern: &str, host: &str, expected: bool) {
        let pattern = HostPattern::parse("network.egress[0]", pattern).unwrap();
        assert_eq!(pattern.matches(host), expected, "{pattern:?} {host}");
    }
    check("*.github.com", "api.github.com", true);
    check("*.github.com", "evilgithub.com", false);
    check("*.github.com", "github.com.evil.org", false);
    check("*.github.com", "github.com", false);
    check("github.com", "github.com", true);
    check("github.com", "evilgithub.com", false);
    check("github.com", "github.com.evil.org", false);
}
