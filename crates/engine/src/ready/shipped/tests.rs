//! Whether the bundles that are compiled in are well made: they load, lint has nothing to say, and they come out as they
//! were written.

use std::fs;
use std::path::Path;

use argrail_spec::bundle::{self, Bundle};
use argrail_spec::doc::Severity;
use argrail_spec::lint::{Strictness, lint_bundle};

use super::{ShippedBundle, shipped_bundle, shipped_bundles};

/// Programs whose exit codes differ from the draft's; lint warns, and the warning is right.
const OWN_CODES: &[&str] = &[
    "gh/tools/auth-status/TOOL.md",
    "gh/tools/pr-checks/TOOL.md",
    "kubectl/tools/diff/TOOL.md",
    "npm/tools/audit/TOOL.md",
    "npm/tools/ls/TOOL.md",
    "npm/tools/outdated/TOOL.md",
    "psql/CLI.md",
    "ripgrep/CLI.md",
];

/// Every bundle, read.
pub(super) fn all() -> impl Iterator<Item = (&'static ShippedBundle, Bundle)> {
    shipped_bundles().iter().map(|one| {
        let loaded = bundle::load(Some(one.id), &one.files());
        (
            one,
            loaded.unwrap_or_else(|reports| panic!("{}: {reports:?}", one.id)),
        )
    })
}

#[test]
fn the_twelve_are_there_and_found_by_id_and_by_program() {
    let ids: Vec<&str> = shipped_bundles().iter().map(|one| one.id).collect();
    let want = [
        "docker",
        "fd",
        "ffmpeg",
        "gh",
        "git",
        "jq",
        "kubectl",
        "npm",
        "psql",
        "ripgrep",
        "stripe",
        "terraform",
    ];
    assert_eq!(ids, want);
    let check = |name: &str, want: Option<&str>| {
        assert_eq!(shipped_bundle(name).map(|one| one.id), want, "{name}");
    };
    check("gh", Some("gh"));
    check("ripgrep", Some("ripgrep"));
    check("rg", Some("ripgrep"));
    check("no-such-bundle", None);
}

#[test]
fn every_bundle_loads_under_its_own_names() {
    for (one, bundle) in all() {
        assert_eq!(
            (one.id, one.bin),
            (bundle.cli.id.as_str(), bundle.cli.bin.as_str())
        );
    }
}

#[test]
fn strict_lint_has_nothing_to_say() {
    let mut complaints = Vec::new();
    for one in shipped_bundles() {
        let (_, files) = lint_bundle(Some(one.id), &one.files(), Strictness::Strict);
        for file in files {
            let path = format!("{}/{}", one.id, file.path);
            for problem in file.outcome.diagnostics {
                let known = problem.code == "cli/exit-code" && OWN_CODES.contains(&path.as_str());
                if !known || problem.severity == Severity::Error {
                    complaints.push(format!("{path}: {} ({})", problem.message, problem.code));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_bundle_says_what_a_person_has_to_know() {
    for (one, bundle) in all() {
        for section in [
            "## When to reach for this CLI",
            "## Gotchas",
            "## Debugging",
            "## Reference",
        ] {
            assert!(bundle.body.contains(section), "{}: {section}", one.id);
        }
        assert!(bundle.cli.install.len() >= 4, "{}", one.id);
        assert!(
            !bundle.cli.examples.is_empty() && !bundle.tools.is_empty(),
            "{}",
            one.id
        );
        for tool in &bundle.tools {
            let id = &tool.tool.id.value;
            assert!(
                !tool.tool.examples.is_empty() && tool.tool.argv().is_some(),
                "{id}"
            );
        }
    }
}

#[test]
fn files_come_back_as_they_were_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ready/shipped");
    for one in shipped_bundles() {
        for (path, text) in one.texts() {
            let written = fs::read_to_string(root.join(one.id).join(&path)).unwrap();
            assert_eq!(written, text, "{}/{path}", one.id);
        }
    }
}

#[test]
fn a_damaged_bundle_is_none() {
    let whole = shipped_bundle("jq").unwrap();
    let check = |damaged: ShippedBundle| {
        assert!(damaged.texts().is_empty());
        assert!(bundle::load(Some("jq"), &damaged.files()).is_err());
    };
    check(ShippedBundle {
        packed: &[],
        ..*whole
    });
    check(ShippedBundle {
        packed: &whole.packed[..whole.packed.len() / 2],
        ..*whole
    });
    check(ShippedBundle {
        size: whole.size - 1,
        ..*whole
    });
}
