//! Every manager that says the program is its own.

use std::path::Path;

use argrail_spec::bundle_writer::Found;

use super::{cargo, dpkg, npm, pip};

/// Returns the packages that the program at `program` belongs to, by the lists of whoever installed it. Never a guess.
/// `system` is the root of the file system.
pub fn origins(program: &Path, system: &Path) -> Vec<Found> {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let rows = [
        ("apt", dpkg::owner(program, &real, system)),
        ("npm", npm::owner(&real)),
        ("cargo", cargo::owner(program)),
        ("pip", pip::owner(program)),
    ];
    let found = rows.into_iter().filter_map(|(method, package)| {
        let package = package?;
        Some(Found { method, package })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use argrail_testkit::Home;

    use super::*;

    struct Machine(Home);

    impl Machine {
        fn file(&self, path: &str, text: &str) -> PathBuf {
            let path = self.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        }

        fn root(&self) -> PathBuf {
            self.0.root().canonicalize().unwrap()
        }

        #[track_caller]
        fn check(&self, program: &Path, want: &[(&str, &str)]) {
            let found = origins(program, &self.root());
            let found: Vec<(&str, &str)> = found
                .iter()
                .map(|one| (one.method, one.package.as_str()))
                .collect();
            assert_eq!(found, want);
        }
    }

    #[test]
    fn managers_know_their_programs() {
        let machine = Machine(Home::new());
        let debian = machine.file("usr/bin/jq", "");
        machine.file(
            "var/lib/dpkg/info/jq.list",
            "/.\n/usr\n/usr/bin/jq\n/usr/share/doc/jq\n",
        );
        machine.file(
            "var/lib/dpkg/info/libjq1:amd64.list",
            "/usr/lib/libjq.so.1\n/usr/bin/jq-other\n",
        );
        let own = machine.root();
        machine.check(&debian, &[("apt", "jq")]);

        let merged = machine.file("usr/bin/less", "");
        machine.file("var/lib/dpkg/info/less.list", "/bin/less\n");
        machine.check(&merged, &[("apt", "less")]);

        let script = machine.file("opt/lib/node_modules/@acme/tool/bin/tool.js", "");
        fs::create_dir_all(own.join("opt/bin")).unwrap();
        symlink(&script, own.join("opt/bin/tool")).unwrap();
        // A folder alone says nothing.
        machine.check(&own.join("opt/bin/tool"), &[]);
        let says = |text: &str| machine.file("opt/lib/node_modules/@acme/tool/package.json", text);
        says(r#"{"name": "@acme/tool", "bin": {"tool": "bin/tool.js"}}"#);
        machine.check(&own.join("opt/bin/tool"), &[("npm", "@acme/tool")]);
        for text in [
            r#"{"name": "@acme/tool", "bin": {"tool": "bin/other.js"}}"#,
            r#"{"name": "@acme/tool", "bin": "bin/tool.js", "private": true}"#,
            r#"{"name": "another", "bin": "bin/tool.js"}"#,
            "{",
        ] {
            says(text);
            machine.check(&own.join("opt/bin/tool"), &[]);
        }
        // Where npm noted where it came from, that counts.
        let notes = |text: &str| machine.file("opt/lib/node_modules/.package-lock.json", text);
        let note = |rest: &str| format!(r#"{{"packages": {{"node_modules/@acme/tool": {{{rest}}}}}}}"#);
        says(r#"{"name": "tool", "bin": "./bin/tool.js"}"#);
        notes(&note(
            r#""name": "tool", "resolved": "https://x.test/tool-1.tgz""#,
        ));
        machine.check(&own.join("opt/bin/tool"), &[("npm", "tool")]);
        for rest in [
            r#""name": "other", "resolved": "https://x.test/tool-1.tgz""#,
            r#""name": "tool", "resolved": "git+ssh://git@x.test/tool.git#0a""#,
            r#""name": "tool", "resolved": "../tool", "link": true"#,
        ] {
            notes(&note(rest));
            machine.check(&own.join("opt/bin/tool"), &[]);
        }

        let crate_bin = machine.file("cargo/bin/rg", "");
        machine.file(
            "cargo/.crates.toml",
            "[v1]\n\"bat 0.24.0 (registry+https://x.test)\" = [\"bat\"]\n\"ripgrep 14.1.0 (registry+https://x.test)\" = [\"rg\", \"rgx\"]\n\"own 1.0.0 (path+file:///x)\" = [\"own\"]\n",
        );
        machine.check(&crate_bin, &[("cargo", "ripgrep")]);
        let own_bin = machine.file("cargo/bin/own", "");
        machine.check(&own_bin, &[]);

        let wheel = machine.file("venv/bin/ruff", "");
        machine.file(
            "venv/lib/python3.12/site-packages/ruff-0.4.1.dist-info/RECORD",
            "../../../bin/ruff,sha256=x,12\nruff/__init__.py,,\n",
        );
        let about = "venv/lib/python3.12/site-packages/ruff-0.4.1.dist-info";
        machine.check(&wheel, &[]);
        machine.file(
            &format!("{about}/METADATA"),
            "Metadata-Version: 2.3\nName: ruff\nVersion: 0.4.1\n",
        );
        machine.file(&format!("{about}/INSTALLER"), "pip\n");
        machine.check(&wheel, &[("pip", "ruff")]);
        machine.file(&format!("{about}/INSTALLER"), "debian\n");
        machine.check(&wheel, &[]);
        machine.file(&format!("{about}/INSTALLER"), "uv");
        machine.file(&format!("{about}/direct_url.json"), "{}");
        machine.check(&wheel, &[]);

        let stray = machine.file("elsewhere/bin/stray", "");
        machine.check(&stray, &[]);
    }
}
