//! Methods that need nobody else: a file of the bundle, a download, a script.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::thread;

use argrail_acli::{Code, Error};
use argrail_engine::ready::install::{Hosts, InstallError, Outlook, Skip, Unverified};
use argrail_testkit::Page;

use super::scene::{Scene, bundle_of, executable, hash, program};

const VENDORED: &str = "{ method: vendored, path: ./bin/tool }";

#[test]
fn a_file_of_the_bundle_is_copied_and_kept() {
    let scene = Scene::new();
    scene.file("bin/tool", &program("2.1.0"));
    let (done, steps) = scene.install(VENDORED);
    let installed = done.unwrap();
    assert_eq!(
        (installed.id.as_str(), installed.method.as_str()),
        ("tool@1", "vendored")
    );
    assert_eq!(
        (installed.version.as_str(), installed.manifest_version.as_str()),
        ("2.1.0", "1.2.0")
    );
    assert!(
        installed.program.starts_with(scene.places.installed()),
        "{installed:?}"
    );
    assert_eq!(fs::read_to_string(&installed.program).unwrap(), program("2.1.0"));
    assert_eq!(steps, ["copying bin/tool"]);
    assert_eq!(scene.receipt(), Some(installed.clone()));
    assert_eq!(scene.shelf().len(), 1);
    // The bundle's own file is nobody's business any more, and nothing is done twice.
    scene.file("bin/tool", "changed");
    let (again, steps) = scene.install(VENDORED);
    assert_eq!(again.unwrap(), installed);
    assert_eq!(steps, Vec::<String>::new());
}

#[test]
fn a_program_with_a_slash_stays_where_it_is() {
    let scene = Scene::new();
    scene.file("bin/tool", &program("2.1.0"));
    let bundle = bundle_of("bin/tool", "^2", VENDORED);
    let installed = scene.install_bundle(&bundle).0.unwrap();
    assert_eq!(installed.program, scene.root().join("bin/tool"));
}

#[test]
fn a_file_that_leads_out_of_the_bundle_is_not_used() {
    let scene = Scene::new();
    executable(&scene.home.root().join("elsewhere"), &program("2.1.0"));
    fs::create_dir(scene.root().join("bin")).unwrap();
    std::os::unix::fs::symlink(scene.home.root().join("elsewhere"), scene.root().join("bin/tool")).unwrap();
    let plan = scene.plan(VENDORED);
    assert!(
        matches!(&plan.ways[0].outlook, Outlook::Skipped(Skip::Bundle { .. })),
        "{plan:?}"
    );
    let error = scene.install(VENDORED).0.unwrap_err();
    assert_eq!(error.code(), Code::InstallFailed);
}

#[test]
fn a_download_is_checked_and_put_in_its_place() {
    let scene = Scene::new();
    let tool = program("2.1.0");
    scene.web.put("/tool", Page::new(tool.as_str()));
    let entry = format!(
        "{{ method: download, url: \"{}\", extract_bin: tool, verify_sha256: {} }}",
        scene.web.url("/tool"),
        hash(&tool)
    );
    let installed = scene.install(&entry).0.unwrap();
    assert_eq!(fs::read_to_string(&installed.program).unwrap(), tool);
    assert_eq!(installed.program.metadata().unwrap().mode() & 0o7777, 0o755);
    assert_eq!(scene.web.asked().len(), 1);
    scene.install(&entry).0.unwrap();
    assert_eq!(scene.web.asked().len(), 1, "nothing is loaded twice");
}

#[test]
fn another_hash_stops_everything_with_both() {
    let scene = Scene::new();
    scene.file("bin/tool", &program("2.1.0"));
    scene.web.put("/tool", Page::new("evil"));
    let expected = hash("good");
    let entries = format!(
        "{{ method: download, url: \"{}\", extract_bin: tool, verify_sha256: {expected} }}\n{VENDORED}",
        scene.web.url("/tool"),
    );
    let error = scene.install(&entries).0.unwrap_err();
    assert!(matches!(error, InstallError::Tampered { .. }), "{error}");
    let told = Error::from(&error);
    assert_eq!(told.code(), &Code::InstallFailed);
    assert_eq!(told.get_detail("expected"), Some(&expected.into()));
    assert_eq!(told.get_detail("got"), Some(&hash("evil").into()));
    assert_eq!((scene.receipt(), scene.shelf()), (None, Vec::new()));
}

#[test]
fn a_download_without_a_hash_needs_a_yes() {
    let mut scene = Scene::new();
    scene.web.put("/tool", Page::new(program("2.1.0")));
    let entry = format!(
        "{{ method: download, url: \"{}\", extract_bin: tool }}",
        scene.web.url("/tool")
    );
    // The manifest's own check wants TLS there; nobody has that on a loopback.
    let entry = entry.replace("http://", "https://");
    let plan = scene.plan(&entry);
    assert_eq!(plan.ways[0].outlook, Outlook::Skipped(Skip::Unverified));
    scene.wishes.unverified = Unverified::Accepted;
    assert!(matches!(scene.plan(&entry).ways[0].outlook, Outlook::Will(_)));
}

#[test]
fn methods_are_tried_in_order_and_every_failure_is_told() {
    let scene = Scene::new();
    let absent = format!(
        "{{ method: download, url: \"{}\", extract_bin: tool, verify_sha256: {} }}",
        scene.web.url("/absent"),
        hash("x")
    );
    let entries = format!("{{ method: scoop, package: tool }}\n{absent}\n{VENDORED}");
    let error = Error::from(&scene.install(&entries).0.unwrap_err());
    let methods = error.get_detail("methods").unwrap().to_string();
    for part in ["scoop", "Windows", "404", "vendored", "not there"] {
        assert!(methods.contains(part), "{part}: {methods}");
    }
    scene.file("bin/tool", &program("2.1.0"));
    assert_eq!(scene.install(&entries).0.unwrap().method, "vendored");
}

#[test]
fn a_script_installs_into_a_home_of_its_own() {
    let mut scene = Scene::new();
    let outside = scene.home.root().join("planted");
    let script = format!(
        "set -e\nmkdir -p \"$HOME/.local/bin\"\nprintf '%s' '{}' > \"$HOME/.local/bin/tool\"\n\
         chmod 755 \"$HOME/.local/bin/tool\"\ntouch '{}' 2>/dev/null || true\n",
        program("2.1.0"),
        outside.display()
    );
    scene.web.put("/install.sh", Page::new(script.as_str()));
    let entry = format!(
        "{{ method: curl, url: \"{}\", verify_sha256: {} }}",
        scene.web.url("/install.sh"),
        hash(&script)
    );
    let installed = scene.install(&entry).0.unwrap();
    assert!(
        installed.program.ends_with("home/.local/bin/tool"),
        "{installed:?}"
    );
    assert!(!outside.exists() && !scene.home.root().join("home/.local/bin").exists());
    // Without a hash it is not even asked for.
    let bare = "{ method: curl, url: \"https://i.example/x\" }";
    assert_eq!(
        scene.plan(bare).ways[0].outlook,
        Outlook::Skipped(Skip::Unverified)
    );
    scene.wishes.hosts = Hosts::Public;
    let Outlook::Will(recipe) = &scene.plan(&entry).ways[0].outlook else {
        panic!("it is tried");
    };
    assert!(recipe.notes.iter().any(|note| note.contains("every public host")));
}

#[test]
fn what_dead_processes_left_is_removed_and_what_is_in_use_is_not() {
    let scene = Scene::new();
    scene.file("bin/tool", &program("2.1.0"));
    let folder = scene.places.installed().join("tool@1");
    executable(&folder.join(".building-0123/own/x"), "half");
    executable(&folder.join("1.0.0-dead/x"), "never told");
    let installed = scene.install(VENDORED).0.unwrap();
    let names = scene.shelf();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(installed.program.starts_with(folder.join(&names[0])));
}

#[test]
fn many_at_once_install_once() {
    let scene = Scene::new();
    let tool = program("2.1.0");
    scene.web.put("/tool", Page::new(tool.as_str()));
    let entry = format!(
        "{{ method: download, url: \"{}\", extract_bin: tool, verify_sha256: {} }}",
        scene.web.url("/tool"),
        hash(&tool)
    );
    let all: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| scene.install(&entry).0.unwrap()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(all.iter().all(|installed| *installed == all[0]));
    assert_eq!(scene.web.asked().len(), 1);
    assert_eq!(scene.shelf().len(), 1);
}
