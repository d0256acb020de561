//! Versions: what is there and will do is used, what will not do is told with both.

use std::fs;

use argrail_acli::{Code, Error};
use argrail_engine::ready::install::{InstallError, Source};
use argrail_engine::ready::version::{Known, VersionError};

use super::scene::{Scene, bundle, bundle_of, program};

const VENDORED: &str = "{ method: vendored, path: ./bin/tool }";

#[test]
fn a_program_that_is_there_and_will_do_is_used() {
    let scene = Scene::new();
    scene.tool("tool", &program("v2.4-1ubuntu3"));
    scene.file("bin/tool", &program("2.1.0"));
    let plan = scene.plan(VENDORED);
    assert_eq!(plan.present.len(), 1);
    assert_eq!(plan.present[0].from, Source::Search);
    let (done, steps) = scene.install(VENDORED);
    let installed = done.unwrap();
    assert_eq!(
        (installed.method.as_str(), installed.version.as_str()),
        ("present", "v2.4-1ubuntu3")
    );
    assert_eq!(installed.program, scene.home.bin().join("tool"));
    assert_eq!(steps, Vec::<String>::new());
    assert_eq!(scene.receipt(), Some(installed));
}

#[test]
fn one_that_will_not_do_is_installed_over() {
    let scene = Scene::new();
    scene.tool("tool", &program("1.9.0"));
    scene.file("bin/tool", &program("2.1.0"));
    let installed = scene.install(VENDORED).0.unwrap();
    assert_eq!(
        (installed.method.as_str(), installed.version.as_str()),
        ("vendored", "2.1.0")
    );
}

#[test]
fn another_version_after_installing_is_told_with_both() {
    let scene = Scene::new();
    scene.file("bin/tool", &program("3.0.0"));
    let error = scene.install(VENDORED).0.unwrap_err();
    let InstallError::Version {
        source: VersionError::Mismatch { version, range, .. },
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((version.as_str(), range.as_str()), ("3.0.0", ">=2 <3"));
    let told = Error::from(&error);
    assert_eq!(told.code(), &Code::VersionMismatch);
    assert_eq!(told.get_detail("version"), Some(&"3.0.0".into()));
    assert_eq!(told.get_detail("range"), Some(&">=2 <3".into()));
    assert_eq!((scene.receipt(), scene.shelf()), (None, Vec::new()));
}

#[test]
fn a_receipt_is_no_leave_for_another_version() {
    let scene = Scene::new();
    scene.file("bin/tool", &program("2.1.0"));
    let first = scene.install(VENDORED).0.unwrap();
    scene.file("bin/tool", &program("4.0.0"));
    let later = bundle_of("tool", "^4", VENDORED);
    let second = scene.install_bundle(&later).0.unwrap();
    assert_eq!(second.version, "4.0.0");
    assert_ne!(first.program, second.program);
    assert_eq!(scene.receipt(), Some(second));
}

#[test]
fn the_program_is_asked_in_a_closed_sandbox() {
    let scene = Scene::new();
    let planted = scene.home.root().join("planted");
    let tool = format!(
        "#!/bin/sh\ntouch '{}' 2>/dev/null\ncat '{}' 2>/dev/null\necho tool version 2.0 >&2\n",
        planted.display(),
        scene.places.home().join("secret").display()
    );
    fs::write(scene.places.home().join("secret"), "tool version 8\n").unwrap();
    scene.file("bin/tool", &tool);
    let installed = scene.install(VENDORED).0.unwrap();
    assert_eq!(
        installed.version, "2.0",
        "standard error counts when standard output has none"
    );
    assert!(!planted.exists());
}

#[test]
fn what_prints_no_version_or_runs_another_program_is_not_used() {
    let scene = Scene::new();
    scene.file("bin/tool", "#!/bin/sh\necho hello\nexit 3\n");
    let error = scene.install(VENDORED).0.unwrap_err().to_string();
    assert!(error.contains("printed no version"), "{error}");
    scene.file("bin/tool", "#!/bin/sh\nwhile :; do :; done\n");
    let mut bundle = bundle(VENDORED);
    bundle.cli.version_check.timeout_ms = Some(300);
    let error = scene.install_bundle(&bundle).0.unwrap_err().to_string();
    assert!(error.contains("300 ms"), "{error}");
    bundle.cli.version_check.timeout_ms = None;
    bundle.cli.bin.value = "other".to_owned();
    scene.file("bin/tool", &program("2.1.0"));
    let error = scene.install_bundle(&bundle).0.unwrap_err().to_string();
    assert!(error.contains("must start with"), "{error}");
}

#[test]
fn a_version_is_remembered_until_the_file_is_another() {
    let scene = Scene::new();
    scene.file("bin/tool", &program("2.1.0"));
    let bundle = bundle(VENDORED);
    let installed = scene.install_bundle(&bundle).0.unwrap();
    let known = Known::of(&scene.places);
    let check = &bundle.cli.version_check;
    let observed = known.recall(check, &installed.program).unwrap();
    assert_eq!((observed.version.as_str(), observed.in_range), ("2.1.0", true));
    let narrow = bundle_of("tool", "^3", VENDORED);
    assert!(
        !known
            .recall(&narrow.cli.version_check, &installed.program)
            .unwrap()
            .in_range
    );
    fs::write(&installed.program, program("2.2.0!")).unwrap();
    assert_eq!(known.recall(check, &installed.program), None);
}
