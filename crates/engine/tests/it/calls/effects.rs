//! Sandboxes from effects: only what is declared can be written, started and reached.

use std::fs;
use std::path::Path;

use argrail_engine::policy::Confinement::Effects as ByEffects;
use argrail_engine::policy::{Basis, Egress, Facts};
use argrail_engine::profile::profile;
use argrail_spec::atip::{Effects, Filesystem, Word};
use serde_json::json;

use super::place::{Done, Place, claimed, reads, settled, writes};

/// Runs a script in the shell that nothing may be started from.
fn shell(place: &Place, facts: &Facts, script: &str) -> Done {
    place.call(facts, ByEffects, &["/bin/sh", "-c", script])
}

#[test]
fn only_declared_paths_can_be_written() {
    let place = Place::new();
    place.file("out/old", "");
    place.file("kept", "kept\n");
    let facts = settled("sh", writes(&["out"]));
    let done = shell(&place, &facts, "echo new > out/new && echo changed > kept");
    assert_ne!(done.exit(), Some(0));
    assert_eq!(fs::read_to_string(place.work("out/new")).unwrap(), "new\n");
    assert_eq!(fs::read_to_string(place.work("kept")).unwrap(), "kept\n");
    assert_eq!(
        done.told(),
        "it tried to write './kept', and its description does not name that among what it writes"
    );
    // One file, and one that is not there yet.
    let facts = settled("sh", writes(&["kept"]));
    let done = shell(&place, &facts, "echo changed > kept && echo x > out/other");
    assert_ne!(done.exit(), Some(0));
    assert_eq!(fs::read_to_string(place.work("kept")).unwrap(), "changed\n");
    assert!(!place.work("out/other").exists());
    let facts = settled("sh", writes(&["out/fresh"]));
    shell(&place, &facts, "echo x > out/fresh").assert_ok();
}

#[test]
fn a_write_without_paths_is_for_the_roots_and_spares_what_is_protected() {
    let place = Place::new();
    place.file(".vscode/settings.json", "{}");
    let facts = settled("sh", writes(&[]));
    shell(&place, &facts, "echo x > anything").assert_ok();
    let done = shell(&place, &facts, "echo evil > .vscode/settings.json");
    assert_ne!(done.exit(), Some(0));
    assert_eq!(
        fs::read_to_string(place.work(".vscode/settings.json")).unwrap(),
        "{}"
    );
    // Outside of what is shown there may be a scratch directory, which goes with the call.
    shell(&place, &facts, "echo x > ../outside; echo x > ~/.bashrc");
    for path in ["outside", ".bashrc"] {
        assert!(!place.ground.home.join(path).exists(), "{path}");
    }
}

#[test]
fn removing_needs_the_directory() {
    let place = Place::new();
    place.file("a/file", "");
    let mut effects = writes(&["a/file"]);
    if let Some(filesystem) = &mut effects.filesystem {
        filesystem.delete = Some(true);
    }
    let file = place.work("a/file");
    place
        .call(
            &settled("rm", effects),
            ByEffects,
            &["/bin/rm", file.to_str().unwrap()],
        )
        .assert_ok();
    assert!(!file.exists());
}

#[test]
fn a_path_that_the_caller_chose_opens_nothing_outside_the_roots() {
    let place = Place::new();
    let key = place.ground.home.join(".keys/key");
    let read = |text: &str| Effects {
        filesystem: Some(Filesystem {
            read: Some(true),
            paths: Some(vec![text.to_owned()]),
            ..Filesystem::default()
        }),
        ..reads()
    };
    let chosen = |mut facts: Facts, word: &str| {
        facts.invoked.words = vec![Word {
            text: word.to_owned(),
            ..Word::default()
        }];
        facts
    };
    let path = key.to_str().unwrap();
    let cat = |facts: &Facts| place.call(facts, ByEffects, &["/bin/cat", path]);
    // The catalogue's own word opens it, a chosen path and a claim do not.
    cat(&settled("cat", read("~/.keys/key"))).assert_ok();
    cat(&settled("cat", read(path))).assert_ok();
    for facts in [
        chosen(settled("cat", read(path)), path),
        chosen(settled("cat", read("../.keys/key")), "../.keys/key"),
        chosen(settled("cat", read(path)), &format!("--file={path}")),
        chosen(settled("cat", read(path)), "../.keys/../.keys/key"),
        claimed("cat", read("~/.keys/key")),
    ] {
        let done = cat(&facts);
        assert_ne!(done.exit(), Some(0), "{facts:?}");
        assert!(
            done.told().starts_with("it tried to read '~/.keys/key'"),
            "{}",
            done.told()
        );
    }
}

#[test]
fn programs_are_those_of_the_list() {
    let place = Place::new();
    let mut effects = reads();
    effects.extra.insert("x-exec".into(), json!(["ls"]));
    let facts = settled("sh", effects.clone());
    let done = shell(&place, &facts, "ls / > /dev/null && id");
    assert_eq!(done.exit(), Some(126), "{}", done.stderr);
    assert!(
        done.told()
            .contains("/id', and its description says that it starts no such program")
    );
    // A list is for those who may open something.
    let done = shell(&place, &claimed("sh", effects), "ls /");
    assert_ne!(done.exit(), Some(0));
    let any = Effects {
        subprocess: Some(true),
        ..reads()
    };
    shell(&place, &claimed("sh", any), "ls / && id").assert_ok();
}

#[test]
fn what_nobody_describes_works_in_the_roots_alone() {
    let place = Place::new();
    let facts = Facts {
        basis: Basis::Undescribed,
        ..settled("sh", Effects::default())
    };
    shell(&place, &facts, "echo x > made && ls > /dev/null").assert_ok();
    assert_ne!(shell(&place, &facts, "cat ~/.keys/key").exit(), Some(0));
    shell(&place, &facts, "echo x > ../made");
    assert!(!place.ground.home.join("made").exists());
}

#[test]
fn hosts_are_names_or_every_public_one() {
    let place = Place::new();
    let talks = |egress: Egress| Facts {
        egress,
        ..settled(
            "curl",
            Effects {
                network: Some(true),
                ..reads()
            },
        )
    };
    let program = Path::new("/bin/sh");
    let egress = |facts: &Facts| {
        let made = profile(facts, ByEffects, program, &place.ground);
        made.map(|made| made.summary()["egress"].clone())
    };
    let names = Egress::Names(vec!["api.github.com".into()]);
    assert_eq!(egress(&talks(names.clone())).unwrap(), json!(["api.github.com"]));
    assert_eq!(egress(&talks(Egress::Public)).unwrap(), json!("public"));
    assert_eq!(egress(&talks(Egress::None)).unwrap(), json!("none"));
    // Without the effect, names open nothing.
    let silent = Facts {
        egress: names,
        ..settled("curl", reads())
    };
    assert_eq!(egress(&silent).unwrap(), json!("none"));
    let address = egress(&talks(Egress::Names(vec!["10.0.0.1".into()])));
    assert_eq!(address.unwrap_err().field, "x-egress");
}

#[test]
fn a_home_that_is_a_root_does_not_show_its_keys() {
    let mut place = Place::new();
    place.ground.roots = vec![place.ground.home.clone()];
    place.ground.directory = place.ground.home.clone();
    fs::write(place.ground.home.join("desk/note"), "hello\n").unwrap();
    let facts = settled("cat", reads());
    place
        .call(&facts, ByEffects, &["/bin/cat", "desk/note"])
        .assert_ok();
    let done = place.call(&facts, ByEffects, &["/bin/cat", ".keys/key"]);
    assert_ne!(done.exit(), Some(0), "{}", done.stdout);
}

#[test]
fn a_profile_can_be_shown() {
    let mut place = Place::new();
    place.set("TZ", "UTC");
    place.set("GH_TOKEN", "s3cret");
    let mut facts = settled("gh", writes(&["out/"]));
    facts.invoked.authentication = Some(argrail_spec::atip::Authentication {
        methods: vec![argrail_spec::atip::AuthMethod {
            env_var: Some("GH_TOKEN".into()),
            ..Default::default()
        }],
        ..Default::default()
    });
    let summary = place.profile(&facts, ByEffects, Path::new("/bin/sh")).summary();
    assert_eq!(summary["confinement"], "effects");
    assert_eq!(summary["read"], json!(["~/desk/**"]));
    assert_eq!(summary["write"], json!(["~/desk/out/**"]));
    assert_eq!(
        (&summary["egress"], &summary["exec"]),
        (&json!("none"), &json!("none"))
    );
    assert_eq!(summary["limits"]["timeMs"], 60_000);
    let names: Vec<&str> = summary["env"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert!(
        ["GH_TOKEN", "PAGER", "TZ"]
            .iter()
            .all(|name| names.contains(name)),
        "{names:?}"
    );
    assert!(!summary.to_string().contains("s3cret"));
}
