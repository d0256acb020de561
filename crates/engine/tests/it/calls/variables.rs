//! Variables are those that are declared, by those who may declare them.

use argrail_engine::policy::Confinement::{self, Closed, Effects as ByEffects};
use argrail_engine::policy::{Agreed, Facts, Terms};
use argrail_engine::profile::profile;
use argrail_spec::atip::{AuthMethod, Authentication};

use super::place::{Place, claimed, reads, settled};

/// The variables that a call sees.
fn seen(place: &Place, facts: &Facts, confinement: Confinement) -> Vec<String> {
    let done = place.call(facts, confinement, &["/usr/bin/env"]);
    done.assert_ok();
    done.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn variables_are_those_that_are_declared() {
    let mut place = Place::new();
    for (name, value) in [
        ("TZ", "Asia/Tokyo"),
        ("LC_TIME", "C"),
        ("TOKEN", "s3cret"),
        ("OPTION", "given"),
        ("HIDDEN", "no"),
        ("LD_PRELOAD", "/srv/evil.so"),
        ("GIT_SSH_COMMAND", "evil"),
        ("PAGER", "evil"),
        ("HOME", "/srv/evil"),
    ] {
        place.set(name, value);
    }
    let declare = |mut facts: Facts| {
        facts.invoked.env.insert("DECLARED".into(), "yes".into());
        facts
            .invoked
            .env
            .insert("LD_LIBRARY_PATH".into(), "/srv/evil".into());
        let names = ["OPTION", "LD_PRELOAD", "GIT_SSH_COMMAND", "ABSENT"];
        facts.invoked.env_vars = names.map(str::to_owned).to_vec();
        facts.invoked.authentication = Some(Authentication {
            methods: vec![AuthMethod {
                env_var: Some("TOKEN".into()),
                ..AuthMethod::default()
            }],
            ..Authentication::default()
        });
        facts
    };
    let check = |facts: Facts, confinement: Confinement, expected: [bool; 3]| {
        let seen = seen(&place, &facts, confinement);
        let has = |line: &str| seen.iter().any(|seen| seen == line);
        for always in [
            "TZ=Asia/Tokyo",
            "LC_TIME=C",
            "PAGER=cat",
            "EDITOR=false",
            "TERM=dumb",
        ] {
            assert!(has(always), "{always}: {seen:?}");
        }
        assert!(has(&format!("HOME={}", place.ground.home.display())), "{seen:?}");
        assert!(
            !seen
                .iter()
                .any(|line| line.contains("evil") || line.starts_with("HIDDEN")),
            "{seen:?}"
        );
        assert_eq!(
            [has("DECLARED=yes"), has("OPTION=given"), has("TOKEN=s3cret")],
            expected,
            "{seen:?}"
        );
    };
    check(declare(settled("env", reads())), ByEffects, [true, true, true]);
    check(declare(settled("env", reads())), Closed, [true, false, false]);
    check(declare(claimed("env", reads())), ByEffects, [false, false, false]);
    check(declare(claimed("env", reads())), Closed, [false, false, false]);
}

#[test]
fn secrets_are_known_to_whoever_hides_them_and_to_nobody_else() {
    let mut place = Place::new();
    place.set("TOKEN", "s3cret");
    let mut facts = settled("env", reads());
    facts.invoked.authentication = Some(Authentication {
        methods: vec![AuthMethod {
            env_var: Some("TOKEN".into()),
            ..AuthMethod::default()
        }],
        ..Authentication::default()
    });
    let profile = place.profile(&facts, ByEffects, "/usr/bin/env".as_ref());
    assert_eq!(profile.environment.secrets().collect::<Vec<_>>(), ["s3cret"]);
    assert!(!format!("{profile:?}").contains("s3cret"));
}

#[test]
fn credentials_and_code_that_nobody_vouches_for_do_not_meet() {
    let mut place = Place::new();
    for name in ["TOKEN", "TOOL_PASSWORD", "TOOL_REGION"] {
        place.set(name, "value");
    }
    let mut plain = settled("env", reads());
    plain.invoked.authentication = Some(Authentication {
        methods: vec![AuthMethod {
            env_var: Some("TOKEN".into()),
            ..AuthMethod::default()
        }],
        ..Authentication::default()
    });
    // What an option names and is called like a credential is one.
    plain.invoked.env_vars = ["TOOL_PASSWORD", "TOOL_REGION"].map(str::to_owned).to_vec();
    let mut runs = plain.clone();
    runs.invoked
        .effects
        .extra
        .insert("x-runs".into(), "workspace-code".into());
    let wrapper = Facts {
        inner: vec![plain.clone(), claimed("other", reads())],
        ..settled("env", reads())
    };
    let check = |facts: &Facts, agreed: Agreed, expected: &[&str]| {
        let terms = Terms {
            confinement: ByEffects,
            agreed,
        };
        let profile = profile(facts, terms, "/usr/bin/env".as_ref(), &place.ground).unwrap();
        let mut names: Vec<String> = profile.environment.names().collect();
        names.sort();
        assert_eq!(names, expected, "{agreed:?} {facts:?}");
        let secrets = profile.environment.secrets().count();
        let withheld = profile.withheld.len();
        assert_eq!(secrets + withheld, 2, "{agreed:?} {:?}", profile.withheld);
    };
    let all = ["TOKEN", "TOOL_PASSWORD", "TOOL_REGION"];
    check(&plain, Agreed::Rules, &all);
    for facts in [&runs, &wrapper] {
        check(facts, Agreed::Rules, &["TOOL_REGION"]);
        check(facts, Agreed::Grant, &["TOOL_REGION"]);
        check(facts, Agreed::Person, &all);
    }
}
