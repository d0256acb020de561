//! Patterns: what they read, what they cover, and what they never do.

use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{CallShape, Pattern};
use crate::policy::tests::input::{DIRECTORY, facts, granted, rules};
use crate::policy::{Facts, Rules, Verdict, decide};

const HOME: &str = "/place/ann";

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text, Path::new(DIRECTORY)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn covers(text: &str, call: &Value) -> bool {
    pattern(text).covers(&facts(call), Path::new(DIRECTORY), Path::new(HOME))
}

fn suggested(facts: &Facts) -> Option<Pattern> {
    Pattern::suggest(facts, Path::new(DIRECTORY), Path::new(HOME))
}

/// `git push` with these words and options.
fn push(words: &[&str], options: &Value) -> Value {
    json!({
        "tool": "git", "path": ["push"], "words": words, "options": options,
        "effects": {"idempotent": false, "network": true}, "egress": ["github.com"],
    })
}

#[test]
fn a_pattern_is_written_as_it_is_read() {
    let check = |text: &str, want: &str| {
        let shown = pattern(text).to_string();
        assert_eq!(shown, want);
        assert_eq!(pattern(&shown), pattern(text), "{text}");
    };
    check(
        "git push origin '*' --tags",
        "git push origin '*' --tags 'path=/srv/desk/**'",
    );
    check("npm install '**'", "npm install '**' 'path=/srv/desk/**'");
    check(
        "kubectl apply -f=./deploy/*.yaml host=API.example.com path=./src/** +destructive",
        "kubectl apply '-f=./deploy/*.yaml' host=api.example.com 'path=/srv/desk/src/**' path=/srv/desk \
         +destructive",
    );
    check(r"rm '\-rf' path=/", r"rm '\-rf' path=/ path=/srv/desk");
    check(r"x '\**'", r"x '\**' 'path=/srv/desk/**'");
    check("x --a=1 --a=2 --a=1", "x --a=1 --a=2 'path=/srv/desk/**'");
    check("x --a=1 --a", "x --a 'path=/srv/desk/**'");
    check(
        "dd option:if=a.img option:of",
        "dd option:if=a.img option:of 'path=/srv/desk/**'",
    );
    check("x '**=a*'", "x '**=a*' 'path=/srv/desk/**'");
    check("x '' -", "x '' - 'path=/srv/desk/**'");
}

#[test]
fn what_is_no_pattern_is_refused_with_the_reason() {
    let check = |text: &str, want: &str| {
        let error = Pattern::parse(text, Path::new(DIRECTORY)).unwrap_err();
        assert_eq!(error.to_string(), want, "{text}");
        assert!(!error.hint().to_string().is_empty());
    };
    check("", "the command is empty");
    check("''", "expected a tool first, got \"\"");
    check("'*' push", "expected a tool first, got \"*\"");
    check("--tags", "expected a tool first, got \"--tags\"");
    check(
        "kubectl apply -f x.yaml",
        "the word \"x.yaml\" stands behind an option",
    );
    check("x '**' y", "a word stands behind **: \"y\"");
    check("x host=a/b", "expected the name of a host, got \"a/b\"");
    check("x host=", "expected the name of a host, got \"\"");
    check("x path=", "expected a path, got \"\"");
    check(
        "x +bold",
        "expected +destructive, +billable or +unread, got \"+bold\"",
    );
    assert!(Pattern::parse("x", Path::new("relative")).is_err());
}

#[test]
fn words_are_covered_one_by_one() {
    let check = |text: &str, words: &[&str], want: bool| {
        let text = format!("{text} host=github.com");
        assert_eq!(
            covers(&text, &push(words, &json!([]))),
            want,
            "{text} and {words:?}"
        );
    };
    check("git push origin main", &["origin", "main"], true);
    check("git push origin main", &["origin"], false);
    check("git push origin main", &["origin", "main", "dev"], false);
    check("git push origin '*'", &["origin", "dev"], true);
    check("git push origin '*'", &["origin"], false);
    check("git push origin '*'", &["upstream", "dev"], false);
    check("git push origin 'rel-*'", &["origin", "rel-1"], true);
    check("git push origin 'rel-*'", &["origin", "rel/1"], false);
    check("git push '**'", &["origin", "dev", "main"], true);
    check("git push '**'", &[], true);
    // A star in a word stands for a name, and not for what makes another thing of it.
    check("git push origin 'feature/*'", &["origin", "feature/x"], true);
    for refspec in [
        "feature/x:main",
        "feature/x:refs/heads/main",
        "feature/x^",
        "feature/x^{}",
        "feature/x@{1}",
        "feature/x..main",
        "feature/x~2",
    ] {
        check("git push origin 'feature/*'", &["origin", refspec], false);
        check("git push origin '*'", &["origin", refspec], false);
        check("git push '**'", &["origin", refspec], false);
        check("git push '**=*'", &["origin", refspec], false);
    }
    check(
        "git push origin 'feature/*:feature/*'",
        &["origin", "feature/x:feature/y"],
        true,
    );
    check(
        "git push origin 'feature/*:feature/*'",
        &["origin", "feature/x:main"],
        false,
    );
    // A star stands for no subcommand.
    check("git '*' '*'", &["origin"], false);
    check("git '**'", &["origin"], false);
    check("git pull '**'", &["origin"], false);
    check("gitt push '**'", &["origin"], false);
    // Only itself stands for what means something else, looks like something else or leads elsewhere.
    for odd in [
        "+main",
        ":main",
        "-x",
        "../x",
        "a/../b",
        "оrigin",
        "a\u{202e}b",
        "a\nb",
        "@file",
        "~/x",
    ] {
        check("git push '*'", &[odd], false);
        check("git push '**'", &[odd], false);
        let own = suggested(&facts(&push(&[odd], &json!([])))).unwrap();
        assert_eq!(own, pattern(&own.to_string()), "{odd}");
    }
}

#[test]
fn options_hosts_and_places_that_are_not_named_are_not_covered() {
    let force = json!([{"spellings": ["--force", "-f"]}]);
    let tags = json!([{"spellings": ["--tags", "-t"]}]);
    let named = json!([{"spellings": ["--name", "-n"], "values": ["rel-1"]}]);
    let off = json!([{"spellings": ["--force"], "negated": true}]);
    let check = |text: &str, options: &Value, want: bool| {
        assert_eq!(covers(text, &push(&[], options)), want, "{text} and {options}");
    };
    check("git push --tags host=github.com", &tags, true);
    check("git push -t host=github.com", &tags, true);
    check("git push --tags= host=github.com", &tags, true);
    check("git push --tags host=github.com", &json!([]), true);
    check("git push --tags host=github.com", &force, false);
    check("git push host=github.com", &tags, false);
    check("git push --name host=github.com", &named, true);
    check("git push '--name=rel-*' host=github.com", &named, true);
    check("git push '--name=dev-*' host=github.com", &named, false);
    check("git push --name= host=github.com", &named, false);
    check("git push --no-force host=github.com", &off, false); // it is spelt otherwise here
    check("git push", &json!([]), false);
    check("git push host=example.com", &json!([]), false);
    check("git push 'host=*'", &json!([]), true);
    check("git push 'host=*.com'", &json!([]), true);
    check("git push 'host=*.github.com'", &json!([]), false);
    check("git push host=github.com path=/srv/desk", &json!([]), true);
    let elsewhere = pattern("git push host=github.com");
    let call = facts(&push(&[], &json!([])));
    assert!(elsewhere.covers(&call, Path::new("/srv/desk/below"), Path::new(HOME)));
    assert!(!elsewhere.covers(&call, Path::new("/srv/other"), Path::new(HOME)));
    let public = json!({"tool": "x", "effects": {"network": true}, "egress": "public"});
    assert!(!covers("x host=github.com", &public) && covers("x 'host=*'", &public));
}

#[test]
fn an_option_with_a_value_has_to_be_there_and_in_its_place() {
    let delete = |options: Value| {
        json!({"tool": "kubectl", "path": ["delete"], "words": ["pods"], "options": options,
            "effects": {"filesystem": {"write": true}}})
    };
    let check = |text: &str, options: Value, want: bool| {
        assert_eq!(
            covers(text, &delete(options.clone())),
            want,
            "{text} and {options}"
        );
    };
    let [dry, test, all] = [
        json!({"spellings": ["--dry-run"]}),
        json!({"spellings": ["--namespace", "-n"], "values": ["test"]}),
        json!({"spellings": ["--all"]}),
    ];
    let narrow = suggested(&facts(&delete(json!([test, dry]))))
        .unwrap()
        .to_string();
    check(&narrow, json!([test, dry]), true);
    check(&narrow, json!([test]), false);
    check(&narrow, json!([dry]), false);
    check(&narrow, json!([]), false);
    // Some tools go by the order: `find . -delete -name x`.
    check(&narrow, json!([dry, test]), false);
    check(&narrow, json!([test, dry, dry]), true);
    // Without a value it may be there.
    check("kubectl delete pods --all -n=test", json!([all, test]), true);
    check("kubectl delete pods --all -n=test", json!([test, all]), true);
    check("kubectl delete pods --all -n=test", json!([test]), true);
    check("kubectl delete pods --all -n=test", json!([all]), false);
    check("kubectl delete pods '-n=*'", json!([]), false);
    // Each value is one that was agreed to: `--exclude a --exclude b`.
    let both = json!({"spellings": ["-n"], "values": ["test", "dev"]});
    check("kubectl delete pods -n=test -n=dev", json!([both]), true);
    check("kubectl delete pods -n=test -n=dev", json!([test]), false);
    // One that nobody knows, too.
    let odd = |unverified: &[&str]| json!({"tool": "x", "unverified": unverified});
    assert!(covers("x --odd=1", &odd(&["--odd=1"])) && !covers("x --odd=1", &odd(&[])));
}

#[test]
fn paths_are_those_below_the_directory_or_named() {
    let touch = |word: &str, paths: &[&str]| json!({"tool": "touch", "words": [word], "paths": paths, "effects": {"filesystem": {"write": true}}});
    let check =
        |text: &str, call: Value, want: bool| assert_eq!(covers(text, &call), want, "{text} and {call}");
    check("touch '*'", touch("a", &["/srv/desk/a"]), true);
    check("touch '*'", touch("/srv/x", &["/srv/x"]), false);
    check("touch '*' path=/srv/desk", touch("a", &["/srv/desk/a"]), false);
    check("touch a path=/srv/desk", touch("a", &["/srv/desk/a"]), true);
    check("touch 'a*' path=/srv/desk", touch("ab", &["/srv/desk/ab"]), true);
    // Where it leads is somewhere else.
    check(
        "touch a path=/srv/desk",
        touch("a", &["/srv/desk/a", "/etc/x"]),
        false,
    );
    check(
        "touch a path=~/**",
        touch("a", &["/srv/desk/a", "/place/ann/x"]),
        true,
    );
    check(
        "touch a path=~/**",
        touch("a", &["/srv/desk/a", "/place/bob/x"]),
        false,
    );
}

#[test]
fn dangers_programs_and_what_nobody_verified_are_covered_by_name_only() {
    let check =
        |text: &str, call: Value, want: bool| assert_eq!(covers(text, &call), want, "{text} and {call}");
    let rm = |effects: Value| json!({"tool": "rm", "words": ["a"], "effects": effects});
    check("rm a", rm(json!({"destructive": true})), false);
    check("rm a +billable", rm(json!({"destructive": true})), false);
    check("rm a +destructive", rm(json!({"destructive": true})), true);
    check("rm a", rm(json!({"reversible": false})), false);
    check(
        "rm a +destructive",
        rm(json!({"cost": {"billable": true}})),
        false,
    );
    check("rm a +billable", rm(json!({"cost": {"billable": true}})), true);
    check("rm a", rm(json!({"cost": {"estimate": "high"}})), false);
    check("rm a", rm(json!({"cost": {"estimate": "low"}})), true);
    let odd =
        json!({"tool": "x", "words": ["a"], "unverified": ["--odd=1"], "effects": {"idempotent": false}});
    check("x a", odd.clone(), false);
    check("x a --odd", odd.clone(), false);
    check("x a '--odd=*'", odd.clone(), false);
    check("x a --odd=1", odd, true);
    let bare = json!({"tool": "x", "unverified": ["--odd"], "effects": {"idempotent": false}});
    check("x --odd", bare.clone(), true);
    check("x --odd=", bare, true);
}

#[test]
fn what_nobody_has_read_is_covered_word_for_word_or_where_the_pattern_says_so() {
    let check = |text: &str, words: &[&str], want: bool| {
        let effects = json!({"idempotent": false, "x-runs": "workspace-code", "x-exec": "any"});
        let jobs = json!([{"spellings": ["-j", "--jobs"], "values": ["4"]}]);
        let call = json!({"tool": "make", "words": words, "options": jobs, "effects": effects});
        assert_eq!(covers(text, &call), want, "{text} and {words:?}");
    };
    check("make test -j=4", &["test"], true);
    check("make test -j=4", &["all"], false);
    check("make '*' -j=4", &["test"], false);
    check("make '**' -j=4", &["test"], false);
    check("make test -j", &["test"], false);
    check("make test '-j=*'", &["test"], false);
    check("make '*' -j +unread", &["test"], true);
    check("make '*' -j +destructive", &["test"], false);
    let call = facts(&json!({"tool": "x", "words": ["a"], "basis": "undescribed"}));
    assert!(suggested(&call).unwrap().to_string().ends_with(" +unread"));
}

#[test]
fn what_a_grant_may_answer_it_answers_and_says_so() {
    let write = json!({"tool": "touch", "words": ["a"], "effects": {"idempotent": true, "filesystem": {"write": true}}});
    let decided = decide(
        &facts(&write),
        &rules(&json!({"grants": ["touch b", "touch '*'"]})),
    );
    assert_eq!(decided.verdict, Verdict::Allow);
    assert_eq!(decided.grants[0].to_string(), "g-1");
    let reason = decided
        .reasons
        .iter()
        .find(|reason| reason.rule == "grant")
        .unwrap();
    assert_eq!(
        (reason.origin.as_str(), reason.effect.as_str()),
        ("grant g-1", "writes files")
    );
}

fn word() -> BoxedStrategy<String> {
    let plain = select(vec![
        "main",
        "rel-1",
        "a b",
        "src/x.c",
        "",
        "-",
        "x=1",
        "host=a",
        "+destructive",
    ]);
    let plain = plain.prop_map(str::to_owned);
    prop_oneof![3 => plain, 1 => r"[-+*\\a /'=~é]{0,6}".boxed(), 1 => any::<String>().boxed()]
        .prop_filter("no NUL", |word| !word.contains('\0'))
        .boxed()
}

fn option() -> BoxedStrategy<Value> {
    let name = select(vec!["--force", "-n", "--name", "if="]);
    (name, vec(word(), 0..3))
        .prop_map(|(name, values)| json!({"spellings": [name], "values": values}))
        .boxed()
}

fn call() -> BoxedStrategy<Value> {
    let effects = select(vec![
        json!({"idempotent": false}),
        json!({"destructive": true}),
        json!({"cost": {"billable": true}}),
        json!({"network": true}),
        json!({"reversible": false, "filesystem": {"write": true}}),
    ]);
    let egress = select(vec![Value::Null, json!(["a.test", "*.B.test"]), json!("public")]);
    let paths = vec(select(vec!["/srv/desk/main", "/srv/desk/a*b", "/etc/x"]), 0..3);
    let unverified = vec(select(vec!["--odd", "--odd=1", "-x=*"]), 0..2);
    (
        vec(word(), 0..4),
        vec(option(), 0..3),
        effects,
        egress,
        paths,
        unverified,
    )
        .prop_map(|(words, options, effects, egress, paths, unverified)| {
            json!({
                "tool": "demo", "path": ["do"], "words": words, "options": options, "effects": effects,
                "egress": egress, "paths": paths, "unverified": unverified,
            })
        })
        .boxed()
}

/// Patterns of the calls that are made up.
fn pattern_text() -> impl Strategy<Value = String> {
    let parts = select(vec![
        "'*'",
        "'**'",
        "main",
        "'rel-*'",
        "--force",
        "'-n=*'",
        "--name",
        "option:if",
        "--odd=1",
        "--odd",
        "'host=*'",
        "host=a.test",
        "path=./**",
        "path=/",
        "+destructive",
        "+billable",
    ]);
    vec(parts, 0..8).prop_map(|parts| format!("demo do {}", parts.join(" ")))
}

proptest! {
    #[test]
    fn a_suggestion_covers_its_own_call_and_is_read_as_it_is_written(call in call()) {
        let call = facts(&call);
        let own = suggested(&call).unwrap();
        prop_assert!(own.covers(&call, Path::new(DIRECTORY), Path::new(HOME)));
        prop_assert_eq!(Pattern::parse(&own.to_string(), Path::new("/")).map(|mut read| {
            // The directory that it is read in is another.
            read.paths.retain(|path| path != "/" || own.paths.contains(path));
            read
        }), Ok(own.clone()));
        let stored = serde_json::to_value(&own).unwrap();
        prop_assert_eq!(serde_json::from_value::<Pattern>(stored).unwrap(), own);
    }

    #[test]
    fn what_is_kept_with_a_question_is_covered_as_the_call_is(call in call(), other in call(), text in pattern_text()) {
        let call = facts(&call);
        let (directory, home) = (Path::new(DIRECTORY), Path::new(HOME));
        let shape = CallShape::of(&call);
        let wide = Pattern::parse(&text, directory).ok();
        for pattern in [suggested(&call), suggested(&facts(&other)), wide].into_iter().flatten() {
            prop_assert_eq!(
                shape.mismatch(&pattern, directory, home),
                pattern.mismatch(&call, directory, home),
                "{}", pattern
            );
        }
    }

    #[test]
    fn a_suggestion_covers_nothing_more(
        call in call(),
        more in select(vec![
            ("/words", json!("more")),
            ("/options", json!({"spellings": ["--added"]})),
            ("/unverified", json!("--strange")),
            ("/paths", json!("/srv/elsewhere")),
            ("/path", json!("sub")),
        ]),
    ) {
        let own = suggested(&facts(&call)).unwrap();
        let mut worse = call;
        worse.pointer_mut(more.0).unwrap().as_array_mut().unwrap().push(more.1);
        prop_assert!(!own.covers(&facts(&worse), Path::new(DIRECTORY), Path::new(HOME)));
    }

    #[test]
    fn a_suggestion_covers_no_host_and_no_danger_beside_its_own(call in call()) {
        let own = suggested(&facts(&call)).unwrap();
        let other = |change: &dyn Fn(&mut Facts)| {
            let mut other = facts(&call);
            change(&mut other);
            own.covers(&other, Path::new(DIRECTORY), Path::new(HOME))
        };
        let billed = call["effects"]["cost"]["billable"] == true;
        prop_assert_eq!(billed, other(&|facts| facts.approval.cost_class = crate::policy::CostClass::Metered));
        let anywhere = own.hosts.iter().any(|host| host == "*");
        prop_assert_eq!(anywhere, other(&|facts| {
            facts.egress = crate::policy::Egress::Names(vec!["c.test".to_owned()]);
        }));
    }

    #[test]
    fn a_grant_answers_questions_and_never_a_no(call in call(), trust in select(vec!["accepted", "drift", "denied"])) {
        let mut call = call;
        call["trust"] = json!(trust);
        let call = facts(&call);
        let bare = Rules { home: HOME.into(), directory: DIRECTORY.into(), ..Rules::default() };
        let with = Rules { grants: vec![granted("g-1", suggested(&call).unwrap())], ..bare.clone() };
        let (without, decided) = (decide(&call, &bare), decide(&call, &with));
        match without.verdict {
            Verdict::Deny => prop_assert_eq!(decided.verdict, Verdict::Deny),
            Verdict::Ask | Verdict::Allow => prop_assert_eq!(decided.verdict, Verdict::Allow),
        }
        let denials = |decision: &crate::policy::Decision| {
            decision.reasons.iter().filter(|reason| reason.verdict == Verdict::Deny).count()
        };
        prop_assert_eq!(denials(&without), denials(&decided));
    }

    #[test]
    fn any_text_is_a_pattern_or_refused(text in any::<String>()) {
        if let Ok(pattern) = Pattern::parse(&text, Path::new(DIRECTORY)) {
            prop_assert_eq!(Pattern::parse(&pattern.to_string(), Path::new(DIRECTORY)), Ok(pattern));
        }
    }
}
