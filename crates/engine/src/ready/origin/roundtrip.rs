//! Every description that is compiled in, written as a bundle: it loads, and lint has nothing to say.

use argrail_spec::atip;
use argrail_spec::bundle::{self, Files};
use argrail_spec::bundle_writer::{Found, Known, SaidVersion, write};
use argrail_spec::doc::Severity;
use argrail_spec::lint::{Strictness, lint_bundle};

use crate::catalog::shipped;

#[test]
fn every_description_becomes_a_bundle_that_is_sound() {
    let said = SaidVersion {
        words: vec!["--version".to_owned()],
        text: "Thing version 3.14.1 (build 7)".to_owned(),
    };
    let apt = [Found {
        method: "apt",
        package: "thing".to_owned(),
    }];
    let mut written = 0;
    let mut complaints = Vec::new();
    // A third of them: all take a minute.
    for (index, name) in shipped::names().step_by(3).enumerate() {
        let metadata = atip::load(&shipped::find(name).unwrap().text()).unwrap().metadata;
        // Every second one as on a machine on which it is not installed.
        let here = index % 2 == 0;
        let known = Known {
            bin: name,
            metadata: Some(&metadata),
            version: here.then_some(&said),
            found: if here { &apt } else { &[] },
        };
        let Ok((id, texts)) = write(&known) else {
            panic!("{name} can have no bundle");
        };
        let mut files = Files::default();
        for (path, text) in texts {
            files.text(path, text);
        }
        let loaded = bundle::load(Some(&id), &files);
        let tools = loaded.as_ref().map_or(0, |bundle| bundle.tools.len());
        let (_, reports) = lint_bundle(Some(&id), &files, Strictness::Strict);
        for report in reports {
            // Exit codes are the program's own; that they differ from the draft's is worth a warning, and right.
            let found = report.outcome.diagnostics.into_iter();
            let left = if here { "" } else { "cli/unfinished" };
            let fine = ["cli/exit-code", left];
            let bad = found.filter(|one| one.severity != Severity::Note && !fine.contains(&one.code));
            complaints
                .extend(bad.map(|one| format!("{name}/{}: {} ({})", report.path, one.message, one.code)));
        }
        assert!(tools > 0 || !complaints.is_empty(), "{name} has no tools");
        written += 1;
    }
    let shown: Vec<&String> = complaints.iter().take(40).collect();
    assert!(complaints.is_empty(), "{} in all: {shown:#?}", complaints.len());
    assert!(written >= 40);
}

#[test]
fn a_program_whose_name_a_bundle_cannot_have_is_refused() {
    let check = |bin: &str| {
        let known = Known {
            bin,
            metadata: None,
            version: None,
            found: &[],
        };
        assert!(write(&known).is_err(), "{bin}");
    };
    ["g++", "[", "", "../sh", "-x", ".hidden", "a b"]
        .into_iter()
        .for_each(check);
}

#[test]
fn a_program_about_which_nothing_is_known_has_a_bundle_too() {
    let known = Known {
        bin: "frobnicate",
        metadata: None,
        version: None,
        found: &[],
    };
    let (id, texts) = write(&known).unwrap();
    let mut files = Files::default();
    for (path, text) in texts {
        files.text(path, text);
    }
    let bundle = bundle::load(Some(&id), &files).unwrap();
    assert_eq!(bundle.tools.len(), 1);
    assert!(bundle.body.contains("argrail infer frobnicate"));
    // Nobody knows its package, so none is named, and lint says what is left to do.
    assert!(bundle.cli.install.is_empty());
    for (strictness, severity) in [
        (Strictness::Relaxed, Severity::Warning),
        (Strictness::Strict, Severity::Error),
    ] {
        let (_, reports) = lint_bundle(Some(&id), &files, strictness);
        let found = reports.into_iter().flat_map(|report| report.outcome.diagnostics);
        let found: Vec<_> = found.map(|one| (one.code, one.severity)).collect();
        assert_eq!(found, [("cli/unfinished", severity)]);
    }
}
