//! The two programs of an attack, argrail and the hostile child, where any user can start them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::ARGRAIL;

/// The directory in a home that stays the tests' own, whoever the rest is given to.
pub(super) const DIRECTORY: &str = "programs";

/// Puts both programs into `root`. The checkout may lie where only its owner can go.
pub(super) fn put_into(root: &Path) {
    let directory = root.join(DIRECTORY);
    fs::create_dir(&directory).unwrap();
    // A link is quick and opens nothing for writing; between two file systems only a copy is possible.
    for (file, name) in [(Path::new(ARGRAIL), "argrail"), (hostile(), "hostile")] {
        let to = directory.join(name);
        fs::hard_link(file, &to)
            .or_else(|_| fs::copy(file, &to).map(drop))
            .unwrap();
    }
}

/// The hostile child as cargo built it. `cargo test --test it` alone does not, so we ask.
pub(crate) fn hostile() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // target/<profile>/deps/it-0123456789abcdef
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).unwrap();
        if let Some(cargo) = std::env::var_os("CARGO") {
            let name = match profile.file_name().and_then(|name| name.to_str()).unwrap() {
                "debug" => "dev",
                other => other,
            };
            let mut build = argrail_testkit::command(cargo);
            // What cargo says of this package to its tests: crates whose build scripts look at such variables would
            // be built again, here and at the next `cargo test`.
            for (name, _) in std::env::vars_os() {
                let prefixes = ["CARGO_PKG_", "CARGO_MANIFEST_"];
                if prefixes
                    .iter()
                    .any(|prefix| name.to_string_lossy().starts_with(prefix))
                {
                    build.env_remove(name);
                }
            }
            let output = build
                .args(["build", "--quiet", "--package", "argrail", "--example", "hostile"])
                .args(["--profile", name, "--target-dir"])
                .arg(profile.parent().unwrap())
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "the hostile child was not built:\n{said}"
            );
        }
        profile.join("examples/hostile")
    })
}
