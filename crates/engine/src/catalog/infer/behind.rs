//! Which program stands behind one that only starts another: managers of versions put such under every name.
//!
//! They need the home to find the version, which nobody who is asked for help sees. So the version is looked up here, in
//! their files, and the program itself is asked. Where that cannot be told, whatever was found is asked as it is.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::is_program;
use crate::files::untrusted::{self, Keeper, Links, Reading};

/// The longest file that says which version is used.
const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Follow,
    limit: 64 << 10,
};
/// The most versions that are looked at.
const MOST: usize = 1_000;

/// Returns the program behind the one at `path`, if it is one that only starts another. `home` is the real home.
pub fn behind(path: &Path, home: &Path) -> Option<PathBuf> {
    let found = beside_versions(path).or_else(|| toolchain(path, home))?;
    let is_other = found.canonicalize().ok()? != path.canonicalize().ok()?;
    (is_other && found.is_file()).then_some(found)
}

/// `ROOT/shims/NAME` stands for `ROOT/versions/VERSION/bin/NAME`, where `ROOT/version` says which. Many managers that
/// are called something with `env` are made like this.
fn beside_versions(path: &Path) -> Option<PathBuf> {
    let (directory, name) = (path.parent()?, path.file_name()?);
    if directory.file_name()? != "shims" {
        return None;
    }
    let root = directory.parent()?;
    let text = text(&root.join("version"))?;
    // Several may be given; the first that has the program is the one that is used.
    let versions = text.split_whitespace().filter(|word| is_plain(word)).take(MOST);
    let files = versions.map(|version| root.join("versions").join(version).join("bin").join(name));
    files.into_iter().find(|file| is_program(file))
}

/// A name that leads to `rustup` stands for the program of the toolchain that its settings name.
fn toolchain(path: &Path, home: &Path) -> Option<PathBuf> {
    let name = path.file_name()?;
    let real = path.canonicalize().ok()?;
    if real.file_name()? != "rustup" || name == "rustup" {
        return None;
    }
    let root = home.join(".rustup");
    let settings = text(&root.join("settings.toml"))?;
    let wanted = settings.lines().find_map(|line| {
        let value = line
            .trim()
            .strip_prefix("default_toolchain")?
            .trim()
            .strip_prefix('=')?;
        Some(value.trim().trim_matches('"').to_owned())
    })?;
    if !is_plain(&wanted) {
        return None;
    }
    // `stable` stands for `stable-HOST`.
    let short = format!("{wanted}-");
    let folder = root.join("toolchains");
    let entries = fs::read_dir(&folder).ok()?.flatten().take(MOST);
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|entry| *entry == wanted || entry.starts_with(&short))
        .collect();
    names.sort_by_key(|entry| (entry.len(), entry.clone()));
    let files = names
        .iter()
        .map(|entry| folder.join(entry).join("bin").join(name));
    files.into_iter().find(|file| is_program(file))
}

/// Whether a word is the name of a directory and nothing else.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('.') && !word.contains('/') && word.len() < 200
}

fn text(path: &Path) -> Option<String> {
    let found = untrusted::read(path, &READING).ok()??;
    String::from_utf8(found.bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use argrail_testkit::Home;

    use super::*;

    fn put(home: &Home, file: &str, text: &str) {
        let path = home.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn the_version_that_is_used_stands_behind_a_shim() {
        let home = Home::new();
        let at = |file: &str| home.root().join(file);
        put(&home, "manager/shims/demo", "#!/bin/sh\n");
        let found = || behind(&at("manager/shims/demo"), &at("home"));
        assert_eq!(found(), None);
        put(&home, "manager/versions/1.2/bin/demo", "");
        put(&home, "manager/versions/1.3/bin/demo", "");
        for (version, want) in [
            ("1.2\n", Some("manager/versions/1.2/bin/demo")),
            ("system\n", None),
            ("1.9 1.3\n", Some("manager/versions/1.3/bin/demo")),
            ("../../etc\n", None),
            ("", None),
        ] {
            put(&home, "manager/version", version);
            assert_eq!(found(), want.map(at), "{version}");
        }
    }

    #[test]
    fn the_toolchain_that_is_used_stands_behind_its_names() {
        let home = Home::new();
        let at = |file: &str| home.root().join(file);
        put(&home, "home/.cargo/bin/rustup", "");
        symlink("rustup", at("home/.cargo/bin/demo")).unwrap();
        let found = |name: &str| behind(&at("home/.cargo/bin").join(name), &at("home"));
        put(&home, "home/.rustup/toolchains/stable-machine/bin/demo", "");
        put(
            &home,
            "home/.rustup/settings.toml",
            "version = \"12\"\ndefault_toolchain = \"stable\"\n",
        );
        assert_eq!(
            found("demo"),
            Some(at("home/.rustup/toolchains/stable-machine/bin/demo"))
        );
        assert_eq!(found("rustup"), None);
        put(
            &home,
            "home/.rustup/settings.toml",
            "default_toolchain = \"../..\"\n",
        );
        assert_eq!(found("demo"), None);
        put(&home, "home/.cargo/bin/other", "");
        assert_eq!(found("other"), None);
    }
}
