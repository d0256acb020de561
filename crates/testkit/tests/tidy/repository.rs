//! The files of the repository, tracked or not, without what builds leave behind.
//!
//! Git is not asked: a rule holds for a file before it is added, and in an unpacked archive.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folders that tools fill, by name. Cargo's own are known by their `CACHEDIR.TAG`.
const GENERATED: &[&str] = &[".cache", ".git", "node_modules", "target"];

/// Folders that our scripts fill, by path. They stand in `.gitignore` too.
const GENERATED_PATHS: &[&str] = &["bench/out", "fuzz/artifacts", "fuzz/corpus"];

/// One file.
#[derive(Debug)]
pub(crate) struct File {
    /// The path from the root, with `/`.
    pub(crate) path: String,
    /// The text; `None` if the file is not UTF-8.
    pub(crate) text: Option<String>,
}

impl File {
    /// Returns the text if this is Rust source.
    pub(crate) fn rust(&self) -> Option<&str> {
        self.text.as_deref().filter(|_| self.path.ends_with(".rs"))
    }
}

/// Returns the repository's root.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .and_then(Path::parent);
    root.unwrap_or_else(|| panic!("this crate stands two folders below the root"))
        .to_owned()
}

/// Returns every file, in order of path.
pub(crate) fn files() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut files = Vec::new();
        walk(&root(), "", &mut files);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    })
}

/// Returns the text of one file, or `None` if there is no such file.
pub(crate) fn text(path: &str) -> Option<&'static str> {
    files().iter().find(|file| file.path == path)?.text.as_deref()
}

fn walk(folder: &Path, path: &str, files: &mut Vec<File>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}/{name}")
        };
        // A file may vanish while we look, when an editor or another test replaces it.
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && !is_generated(&name, &path) && !entry.path().join("CACHEDIR.TAG").exists() {
            walk(&entry.path(), &path, files);
        } else if kind.is_file()
            && !GENERATED.contains(&name.as_str())
            && let Ok(bytes) = fs::read(entry.path())
        {
            files.push(File {
                path,
                text: String::from_utf8(bytes).ok(),
            });
        }
    }
}

fn is_generated(name: &str, path: &str) -> bool {
    GENERATED.contains(&name) || GENERATED_PATHS.contains(&path)
}

#[test]
fn this_file_is_among_them_and_build_output_is_not() {
    let own = "crates/testkit/tests/tidy/repository.rs";
    assert!(
        files()
            .iter()
            .any(|file| file.path == own && file.rust().is_some())
    );
    assert!(text("Cargo.toml").is_some_and(|text| text.contains("[workspace]")));
    assert!(is_generated("target", "target") && is_generated("out", "bench/out"));
    assert!(!is_generated("out", "crates/out") && !is_generated("tests", "tests"));
}
