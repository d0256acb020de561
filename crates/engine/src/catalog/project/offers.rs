//! What a project offers: patterns, shims, overrides, bundles, agents, a manifest, and programs on `PATH`.
//!
//! Names are read leniently, for people to see. What is used is read through [`ProjectFiles::contents`], which hands
//! out only the bytes that the digest was made of.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use argrail_spec::atip::check_tool_name;
use argrail_spec::digest::Digest;
use argrail_spec::doc::{Document, Limits, Node};
use argrail_spec::tools_json::{self, program as manifest_program};
use argrail_spec::trust::ProjectPin;
use jiff::Timestamp;

use super::find::Project;
use super::project_error::ProjectError;
use super::tree::{Bounds, Tree, Walk};
use crate::catalog::MANIFEST_FILE;
use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};

/// The longest file whose contents are handed out.
const MAX_CONTENTS: u64 = 4 << 20;

/// The manifest of a project.
const MANIFEST: &str = MANIFEST_FILE;

/// What is read whatever `PATH` says.
const ALWAYS: [&str; 4] = [".agent-tools", ".cli", ".agents", MANIFEST];

/// One thing that a project offers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offer {
    /// What it is.
    pub kind: OfferKind,
    /// The name of the tool or of the patterns.
    pub name: String,
    /// The file, by its path in the project.
    pub file: String,
}

/// What a project can offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OfferKind {
    /// `.agent-tools/tools/NAME.json`.
    Metadata,
    /// `.agent-tools/shims/NAME.json`.
    Shim,
    /// `.agent-tools/overrides/NAME.json`.
    Override,
    /// `.agent-tools/patterns/NAME.json`.
    Patterns,
    /// `.cli/…/NAME/CLI.md`.
    Bundle,
    /// `.agents/…/NAME/AGENT-CLI.md`.
    Agent,
    /// A tool of `tools.json`.
    Manifest,
    /// An executable in a directory of `PATH` that lies in the project.
    Executable,
}

impl OfferKind {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Shim => "shim",
            Self::Override => "override",
            Self::Patterns => "patterns",
            Self::Bundle => "bundle",
            Self::Agent => "agent",
            Self::Manifest => "tools.json",
            Self::Executable => "executable",
        }
    }

    /// Whether it would add a tool of its name, or change what is known of it.
    pub fn is_tool(self) -> bool {
        match self {
            Self::Patterns => false,
            Self::Metadata
            | Self::Shim
            | Self::Override
            | Self::Bundle
            | Self::Agent
            | Self::Manifest
            | Self::Executable => true,
        }
    }
}

/// The files of a project, pinned, and what they offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFiles {
    root: PathBuf,
    /// Every file that matters.
    pub tree: Tree,
    /// What they offer, in order.
    pub offers: Vec<Offer>,
    /// What is there and offered by none of them, with the reason.
    pub skipped: Vec<(String, &'static str)>,
}

impl ProjectFiles {
    /// Reads what a project holds. `path` is the value of `PATH`; its relative entries start at `directory`.
    ///
    /// # Errors
    /// When something cannot be read or pinned, or there is too much.
    pub fn read(
        project: &Project,
        path: Option<&OsStr>,
        directory: &Path,
        bounds: Bounds,
    ) -> Result<Self, ProjectError> {
        let root = project.root();
        let mut walk = Walk::new(root, bounds);
        for name in ALWAYS {
            walk.add(&root.join(name))?;
        }
        let (manifest, outside): (Vec<Listed>, _) = manifest(root)
            .into_iter()
            .partition(|tool| tool.program(root) != Program::Outside);
        for tool in &manifest {
            if let Program::Inside(program) = tool.program(root) {
                walk.add(&program)?;
            }
            for word in tool.words.iter().filter(|word| !word.starts_with('-')) {
                if let Program::Inside(file) = Program::at(root, word)
                    && file.is_file()
                {
                    walk.add(&file)?;
                }
            }
        }
        let executables = executables(project, path, directory)?;
        for program in &executables {
            walk.add(program)?;
        }
        let mut files = Self {
            root: root.to_owned(),
            tree: walk.tree,
            offers: Vec::new(),
            skipped: Vec::new(),
        };
        if !outside.is_empty() {
            let why = "the program of one of its tools is no file of the project";
            files.skipped.push((MANIFEST.to_owned(), why));
        }
        files.sort_out(manifest, &executables);
        Ok(files)
    }

    /// Returns the directory of the project, without a symlink in its path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the digest that trust in this project is pinned to.
    pub fn digest(&self) -> Digest {
        self.tree.digest()
    }

    /// Returns the bytes of a file, if they are still those that the digest was made of.
    ///
    /// # Errors
    /// When it is none of the project's files, changed since, or is too long.
    pub fn contents(&self, name: &str) -> Result<Vec<u8>, ProjectError> {
        let changed = |name: &str| ProjectError::Changed {
            path: self.root.join(name),
        };
        let (target, digest) = self.tree.file(name).ok_or_else(|| changed(name))?;
        let reading = Reading {
            keeper: Keeper::Anybody,
            links: Links::Refuse,
            limit: MAX_CONTENTS,
        };
        let found = untrusted::read(&self.root.join(target), &reading)?.ok_or_else(|| changed(name))?;
        if Digest::of(&found.bytes) != digest {
            return Err(changed(name));
        }
        Ok(found.bytes)
    }

    /// Returns the pin of a person who accepts all this.
    pub fn pin(&self, now: Timestamp) -> ProjectPin {
        ProjectPin {
            digest: self.digest(),
            files: self.tree.files.clone().into_iter().collect(),
            remotes: Vec::new(),
            at: Timestamp::from_second(now.as_second()).unwrap_or(now),
            extra: Default::default(),
        }
    }

    fn sort_out(&mut self, manifest: Vec<Listed>, executables: &[PathBuf]) {
        let names: Vec<String> = self.tree.files.keys().cloned().collect();
        for file in names {
            if let Some((kind, name)) = classify(&file) {
                self.offer(kind, name.to_owned(), file);
            }
        }
        for tool in manifest {
            self.offer(OfferKind::Manifest, tool.name, MANIFEST.to_owned());
        }
        for program in executables {
            let relative = program.strip_prefix(&self.root).ok().and_then(Path::to_str);
            let name = program.file_name().and_then(OsStr::to_str);
            if let (Some(file), Some(name)) = (relative, name) {
                self.offer(OfferKind::Executable, name.to_owned(), file.to_owned());
            }
        }
        for (file, why) in &self.tree.unfollowed {
            self.skipped.push((file.clone(), why));
        }
        self.offers.sort();
        self.offers.dedup();
    }

    fn offer(&mut self, kind: OfferKind, name: String, file: String) {
        if self.tree.file(&file).is_none() {
            // Said below, with the reason why the link was not followed.
        } else if check_tool_name(&name).is_err() {
            self.skipped.push((file, "a tool cannot have this name"));
        } else {
            self.offers.push(Offer { kind, name, file });
        }
    }
}

/// Whether a file of this name is read whatever `PATH` and other files say.
pub(super) fn is_always_read(file: &str) -> bool {
    let first = file.split('/').next().unwrap_or_default();
    ALWAYS.contains(&first)
}

/// Says what a file offers, by where it lies.
fn classify(file: &str) -> Option<(OfferKind, &str)> {
    let parts: Vec<&str> = file.split('/').collect();
    match parts.as_slice() {
        [".agent-tools", folder, name] => {
            let kind = match *folder {
                "tools" => OfferKind::Metadata,
                "shims" => OfferKind::Shim,
                "overrides" => OfferKind::Override,
                "patterns" => OfferKind::Patterns,
                _ => return None,
            };
            Some((kind, name.strip_suffix(".json")?))
        }
        [".cli", .., name, "CLI.md"] => Some((OfferKind::Bundle, name)),
        [".agents", .., name, "AGENT-CLI.md"] => Some((OfferKind::Agent, name)),
        _ => None,
    }
}

/// One tool that the manifest lists.
struct Listed {
    name: String,
    command: Option<String>,
    /// The words after the program. One that names a file of the project may be what really runs.
    words: Vec<String>,
}

/// Where the program of a listed tool is.
#[derive(Debug, PartialEq, Eq)]
enum Program {
    /// In the project.
    Inside(PathBuf),
    /// Somewhere on the machine, or nothing that this file could say.
    Elsewhere,
    /// Out of the project by a way that starts in it.
    Outside,
}

impl Listed {
    fn program(&self, root: &Path) -> Program {
        let Some(command) = self.command.as_deref() else {
            return Program::Elsewhere;
        };
        // What runs is what the manifest's own rules make of it.
        match manifest_program(command) {
            Ok(tools_json::Program::Beside(path)) => Program::at(root, &path),
            Ok(tools_json::Program::Absolute(_)) | Err(_) => Program::at(root, command),
        }
    }
}

impl Program {
    fn at(root: &Path, command: &str) -> Self {
        let command = Path::new(command);
        let command = match command.strip_prefix(root) {
            Ok(inside) => inside,
            Err(_) if command.is_absolute() => return Program::Elsewhere,
            Err(_) => command,
        };
        let plain = |part| matches!(part, Component::CurDir | Component::Normal(_));
        let path = root.join(command);
        // Asked of the directory: the program itself may be a link, which the tree looks after.
        let folder = path.parent().map(Path::canonicalize);
        match folder {
            Some(Ok(folder)) if command.components().all(plain) && !path.is_dir() => {
                let inside = folder.starts_with(root).then(|| path.file_name()).flatten();
                inside.map_or(Program::Outside, |name| Program::Inside(folder.join(name)))
            }
            // A program that is not there runs nothing; it may be built later, and is a change then.
            Some(Err(_)) if command.components().all(plain) => Program::Elsewhere,
            Some(_) | None => Program::Outside,
        }
    }
}

/// Lists the manifest's tools as far as it can be understood. What it means in full is another's to say.
fn manifest(root: &Path) -> Vec<Listed> {
    let reading = Reading {
        keeper: Keeper::Anybody,
        links: Links::Follow,
        limit: MAX_CONTENTS,
    };
    let Ok(Some(found)) = untrusted::read(&root.join(MANIFEST), &reading) else {
        return Vec::new();
    };
    let Ok(document) = Document::json(&found.bytes, &Limits::metadata()) else {
        return Vec::new();
    };
    let tools = document.root.pointer("/tools").and_then(Node::as_array);
    let listed = |tool: &Node| {
        let words = tool
            .pointer("/command")
            .and_then(Node::as_array)
            .unwrap_or_default();
        Some(Listed {
            words: words
                .iter()
                .skip(1)
                .filter_map(Node::as_str)
                .map(str::to_owned)
                .collect(),
            name: tool.pointer("/name")?.as_str()?.to_owned(),
            command: tool
                .pointer("/command/0")
                .and_then(Node::as_str)
                .map(str::to_owned),
        })
    };
    tools.unwrap_or_default().iter().filter_map(listed).collect()
}

/// Lists the executables in the directories of `PATH` that lie in the project.
fn executables(
    project: &Project,
    path: Option<&OsStr>,
    directory: &Path,
) -> Result<Vec<PathBuf>, ProjectError> {
    use std::os::unix::fs::PermissionsExt;

    let mut all = Vec::new();
    for entry in path.map(std::env::split_paths).into_iter().flatten() {
        // An empty entry means the working directory, as every shell has it.
        let Ok(folder) = directory.join(entry).canonicalize() else {
            continue;
        };
        if !project.holds(&folder) || !folder.is_dir() {
            continue;
        }
        let fail = |error| ProjectError::File(FileError::io(&folder, error));
        for file in fs::read_dir(&folder).map_err(fail)? {
            let file = file.map_err(fail)?.path();
            let runs = |found: &fs::Metadata| found.is_file() && found.permissions().mode() & 0o111 != 0;
            if file.metadata().is_ok_and(|found| runs(&found)) && !all.contains(&file) {
                all.push(file);
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use argrail_testkit::Home;

    use super::*;
    use crate::catalog::project::{Found, ProjectFinder};
    use crate::places::testing::places_of;

    fn ground() -> Home {
        let home = Home::new()
            .file(".agent-tools/shims/curl.json", "{}")
            .file(".agent-tools/overrides/git.json", "{}")
            .file(".agent-tools/patterns/deploy.json", "[]")
            .file(".agent-tools/tools/x.json", "{}")
            .file(".agent-tools/notes.txt", "pinned, not offered")
            .file(".cli/team/rg/CLI.md", "---\n---\n")
            .file(".cli/team/rg/run.sh", "#!/bin/sh\n")
            .file(".agents/coder/AGENT-CLI.md", "---\n---\n")
            .file(
                "tools.json",
                r#"{"tools":[{"name":"get_time","command":["./tools/bin/get_time"]},{"name":"abs","command":["/bin/true"]},
                    {"name":"../x"},{"name":"up","command":["../x"]},7]}"#,
            )
            .file("tools/bin/get_time", "#!/bin/sh\n")
            .file("bin/git", "#!/bin/sh\necho evil\n")
            .file("bin/README", "no program");
        let program = home.work().join("bin/git");
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        home
    }

    fn read(home: &Home, path: &str) -> ProjectFiles {
        let Found::Project(project) = ProjectFinder::new(&places_of(home)).find(&home.work()).unwrap() else {
            panic!("no project");
        };
        ProjectFiles::read(&project, Some(OsStr::new(path)), &home.work(), Bounds::default()).unwrap()
    }

    #[test]
    fn everything_that_speaks_of_tools_is_listed_and_pinned() {
        let home = ground();
        let files = read(&home, "/usr/bin:bin:/nowhere");
        let offers: Vec<_> = files
            .offers
            .iter()
            .map(|offer| (offer.kind.as_str(), offer.name.as_str()))
            .collect();
        assert_eq!(
            offers,
            [
                ("metadata", "x"),
                ("shim", "curl"),
                ("override", "git"),
                ("patterns", "deploy"),
                ("bundle", "rg"),
                ("agent", "coder"),
                ("tools.json", "abs"),
                ("tools.json", "get_time"),
                ("executable", "git"),
            ]
        );
        for pinned in [
            ".agent-tools/notes.txt",
            ".cli/team/rg/run.sh",
            "tools/bin/get_time",
            "bin/git",
        ] {
            assert!(files.tree.files.contains_key(pinned), "{pinned}");
        }
        assert!(!files.tree.files.contains_key("bin/README"));
        let skipped: Vec<_> = files.skipped.iter().map(|(_, why)| *why).collect();
        assert_eq!(
            skipped,
            [
                "the program of one of its tools is no file of the project",
                "a tool cannot have this name"
            ]
        );
    }

    #[test]
    fn path_entries_of_the_project_are_found_however_they_are_written() {
        let home = ground();
        let absolute = home.work().join("bin").to_str().unwrap().to_owned();
        symlink(&absolute, home.root().join("shortcut")).unwrap();
        let shortcut = home.root().join("shortcut").to_str().unwrap().to_owned();
        for path in ["bin", "./bin/", "/usr/bin:bin/../bin", &absolute, &shortcut] {
            let files = read(&home, path);
            assert!(
                files
                    .offers
                    .iter()
                    .any(|offer| offer.kind == OfferKind::Executable),
                "{path}"
            );
        }
        for path in ["", "/usr/bin", "nowhere"] {
            let files = read(&home, path);
            assert!(
                !files
                    .offers
                    .iter()
                    .any(|offer| offer.name == "git" && offer.kind == OfferKind::Executable)
            );
        }
    }

    #[test]
    fn a_manifest_cannot_lead_out_of_the_project_or_have_all_of_it_read() {
        let check = |command: &str, offered: bool| {
            let manifest = format!(r#"{{"tools":[{{"name":"t","command":["{command}"]}}]}}"#);
            let home = Home::new().file("tools.json", &manifest).file("tools/bin/t", "t");
            symlink("/etc", home.work().join("out")).unwrap();
            symlink("tools", home.work().join("in")).unwrap();
            let files = read(&home, "/nowhere");
            assert_eq!(!files.offers.is_empty(), offered, "{command}");
            let pinned: Vec<_> = files
                .tree
                .files
                .keys()
                .filter(|name| *name != "tools.json")
                .collect();
            let tool = offered && command.ends_with("/t");
            assert_eq!(
                pinned,
                if tool { vec!["tools/bin/t"] } else { vec![] },
                "{command}"
            );
        };
        check("./tools/bin/t", true);
        check(r#"python3","-u","./tools/bin/t"#, true);
        check("tools//bin/./t", true);
        check("in/bin/t", true);
        check("/bin/true", true);
        check("tools/bin/later", true);
        check("./tools/bin/../../../x", false);
        check("out/passwd", false);
        check("./", false);
        check("tools/bin", false);
        check("", false);
    }

    #[test]
    fn a_link_out_of_the_project_offers_nothing() {
        let home = ground();
        symlink("/etc/hostname", home.work().join(".agent-tools/shims/evil.json")).unwrap();
        let files = read(&home, "");
        assert!(!files.offers.iter().any(|offer| offer.name == "evil"));
        assert!(
            files
                .skipped
                .iter()
                .any(|(file, why)| file.ends_with("evil.json") && why.contains("out of the project"))
        );
        assert!(files.contents(".agent-tools/shims/evil.json").is_err());
    }

    #[test]
    fn only_the_bytes_that_were_pinned_are_handed_out() {
        let home = ground();
        let files = read(&home, "");
        let name = ".agent-tools/shims/curl.json";
        assert_eq!(files.contents(name).unwrap(), b"{}");
        fs::write(home.work().join(name), "[]").unwrap();
        assert!(matches!(files.contents(name), Err(ProjectError::Changed { .. })));
        assert!(files.contents("beside").is_err());
        assert!(files.contents("../../etc/passwd").is_err());
    }
}
