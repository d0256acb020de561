//! What a server may read while it is asked: its program, what that is made of, and the scripts that it is told to run.
//!
//! Never the home or anything above it: a file that lies there directly is shown alone.

use std::path::{Component, Path, PathBuf};

use argrail_sandbox::policy::PathPattern;

/// What every sandbox shows anyway.
const BASE: [&str; 9] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];
/// Files that stand in the root of a package.
const MARKS: [&str; 4] = ["package.json", "pyproject.toml", "pyvenv.cfg", "Cargo.toml"];
/// How far above a file its package may begin.
const CLIMB: usize = 8;

/// Returns what is shown of a program and of those arguments that are files.
pub(super) fn readable(program: &Path, args: &[String], home: &Path) -> Vec<PathPattern> {
    let scripts = args
        .iter()
        .map(Path::new)
        .filter(|path| path.is_absolute() && path.is_file());
    let mut trees: Vec<PathBuf> = Vec::new();
    let mut files: Vec<PathBuf> = Vec::new();
    for named in std::iter::once(program).chain(scripts) {
        for file in names(named) {
            match tree(&file, home) {
                Some(tree) => trees.push(tree),
                None => files.push(file),
            }
        }
    }
    let outside = |path: &PathBuf| !BASE.iter().any(|base| path.starts_with(base));
    let trees = trees
        .iter()
        .filter(|path| outside(path))
        .map(|path| PathPattern::tree(path));
    let files = files
        .iter()
        .filter(|path| outside(path))
        .map(|path| PathPattern::exact(path));
    trees.chain(files).collect()
}

/// The file by the name it was called, and by its own.
fn names(path: &Path) -> impl Iterator<Item = PathBuf> {
    let named = path
        .parent()
        .and_then(|parent| parent.canonicalize().ok())
        .zip(path.file_name())
        .map(|(parent, name)| parent.join(name))
        .filter(|named| !named.is_symlink());
    named.into_iter().chain(path.canonicalize().ok())
}

/// The package of a file, or its directory; nothing when that holds the home.
fn tree(file: &Path, home: &Path) -> Option<PathBuf> {
    let directory = file.parent()?;
    let allowed = |path: &Path| !home.starts_with(path) && path != Path::new("/");
    let shared = |component: Component<'_>| component == Component::Normal("node_modules".as_ref());
    let above = directory.ancestors().take(CLIMB).take_while(|path| allowed(path));
    let modules = above
        .clone()
        .filter(|path| path.components().next_back().is_some_and(shared))
        .last();
    let marked = above
        .clone()
        .find(|path| MARKS.iter().any(|mark| path.join(mark).is_file()));
    // Packages below `node_modules` need each other.
    modules
        .or(marked)
        .or_else(|| above.clone().next())
        .map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_server_brings_its_package_and_never_the_home() {
        let home = Home::new();
        let root = home.root().to_owned();
        let place = |path: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
        };
        let check = |program: &str, args: &[&str], want: &[PathPattern]| {
            let args: Vec<String> = args
                .iter()
                .map(|arg| root.join(arg).display().to_string())
                .collect();
            let program = if program.starts_with('/') {
                program.into()
            } else {
                root.join(program)
            };
            assert_eq!(
                readable(&program, &args, &root.join("home")),
                want,
                "{program:?} {args:?}"
            );
        };
        let tree = |path: &str| PathPattern::tree(&root.join(path));
        place("home/.app/bin/server");
        check(
            "home/.app/bin/server",
            &[],
            &[tree("home/.app/bin"), tree("home/.app/bin")],
        );
        place("home/stray");
        let stray = PathPattern::exact(&root.join("home/stray"));
        check("home/stray", &[], &[stray.clone(), stray]);
        place("home/code/pkg/package.json");
        place("home/code/pkg/build/index.js");
        check(
            "/bin/sh",
            &["home/code/pkg/build/index.js"],
            &[tree("home/code/pkg"), tree("home/code/pkg")],
        );
        place("home/.npm/node_modules/a/node_modules/b/package.json");
        place("home/.npm/node_modules/a/node_modules/b/cli.js");
        let modules = tree("home/.npm/node_modules");
        check(
            "/bin/sh",
            &["home/.npm/node_modules/a/node_modules/b/cli.js"],
            &[modules.clone(), modules],
        );
        // A directory, or a file that is not there, is nothing to be shown.
        check("/bin/sh", &["home", "home/nowhere"], &[]);
    }
}
