//! Which directory is the project: the nearest upwards that holds files about tools, and is ours.
//!
//! Never the home directory or one above it, nor one that holds argrail's own files: accepting such a project would
//! accept everything. Never beyond a mount, and never somebody else's: a file planted in `/tmp` names no project.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::files::untrusted::FileError;
use crate::places::Places;

/// What makes a directory a project.
const MARKS: [&str; 5] = [".agent-tools", ".cli", ".agents", "tools.json", ".git"];

/// A project's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
}

/// What was found upwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// No project.
    Nothing,
    /// A project of ours.
    Project(Project),
    /// One that belongs to somebody else, and does not count.
    Foreign(PathBuf),
}

impl Project {
    /// Returns the directory, symlinks resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether `path` leads into the project. Symlinks in it must be resolved.
    pub fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.root)
    }
}

/// Finds projects. What no project may hold is resolved once: it is asked for each directory of `PATH`.
#[derive(Debug)]
pub struct ProjectFinder {
    /// The home and argrail's own directories, without symlinks as far as they are there.
    own: Vec<PathBuf>,
}

impl ProjectFinder {
    /// Resolves what no project may hold.
    pub fn new(places: &Places) -> Self {
        let own = places.own();
        let own = own.iter().map(PathBuf::as_path).chain([places.home()]);
        Self {
            own: own.map(resolved).collect(),
        }
    }

    /// Looks for the project of the directory `start`.
    ///
    /// # Errors
    /// When `start` cannot be looked at.
    pub fn find(&self, start: &Path) -> Result<Found, FileError> {
        let real = start
            .canonicalize()
            .map_err(|error| FileError::io(start, error))?;
        let steps = real.ancestors().map(|folder| {
            let found = look(folder)?;
            Ok(Step {
                folder,
                device: found.dev(),
                owner: found.uid(),
                mark: if self.own.iter().any(|own| own.starts_with(folder)) {
                    Mark::Ours
                } else if is_marked(folder) {
                    Mark::Project
                } else {
                    Mark::None
                },
            })
        });
        nearest(steps, rustix::process::geteuid().as_raw())
    }

    /// Lists the roots of all projects that `start` lies in, the nearest first, somebody else's among them.
    ///
    /// A file of the outer project makes a directory of it a project of its own; that takes nothing out of the outer one.
    ///
    /// # Errors
    /// When `start`, or what is above it, cannot be looked at.
    pub fn enclosing(&self, start: &Path) -> Result<Vec<PathBuf>, FileError> {
        let mut roots = Vec::new();
        let mut from = start.to_owned();
        loop {
            let root = match self.find(&from)? {
                Found::Nothing => return Ok(roots),
                Found::Project(project) => project.root,
                Found::Foreign(root) => root,
            };
            let above = root.parent().map(Path::to_owned);
            let device = look(&root)?.dev();
            roots.push(root);
            match above {
                Some(above) if look(&above)?.dev() == device => from = above,
                Some(_) | None => return Ok(roots),
            }
        }
    }
}

/// One directory on the way up.
struct Step<'a> {
    folder: &'a Path,
    device: u64,
    owner: u32,
    mark: Mark,
}

/// What a directory holds.
enum Mark {
    /// Nothing that matters here.
    None,
    /// Files about tools.
    Project,
    /// The home, or files of argrail's own.
    Ours,
}

/// Goes up from the first step, whose device the others must share.
fn nearest<'a>(
    steps: impl Iterator<Item = Result<Step<'a>, FileError>>,
    user: u32,
) -> Result<Found, FileError> {
    let mut device = None;
    for step in steps {
        let step = step?;
        if *device.get_or_insert(step.device) != step.device {
            return Ok(Found::Nothing);
        }
        match step.mark {
            Mark::Ours => return Ok(Found::Nothing),
            Mark::None => {}
            Mark::Project if step.owner == user => {
                return Ok(Found::Project(Project {
                    root: step.folder.to_owned(),
                }));
            }
            Mark::Project => return Ok(Found::Foreign(step.folder.to_owned())),
        }
    }
    Ok(Found::Nothing)
}

fn look(path: &Path) -> Result<std::fs::Metadata, FileError> {
    path.metadata().map_err(|error| FileError::io(path, error))
}

/// A mark that cannot be looked at is one: whoever may not see it must not miss it either.
fn is_marked(folder: &Path) -> bool {
    MARKS
        .iter()
        .any(|mark| match folder.join(mark).symlink_metadata() {
            Ok(_) => true,
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        })
}

/// Resolves what is there of a path; the rest is kept as it is.
fn resolved(path: &Path) -> PathBuf {
    for folder in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (folder.canonicalize(), path.strip_prefix(folder)) {
            return real.join(rest);
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;
    use crate::places::testing::places_of;

    #[test]
    fn the_nearest_marked_directory_of_ours_is_the_project() {
        for mark in MARKS {
            let home = Home::new();
            let places = places_of(&home);
            let deep = home.work().join("a/b/c");
            fs::create_dir_all(&deep).unwrap();
            let at = |path: &Path| ProjectFinder::new(&places).find(path).unwrap();
            assert_eq!(at(&deep), Found::Nothing);
            fs::create_dir(home.work().join("a").join(mark)).unwrap();
            let Found::Project(project) = at(&deep) else {
                panic!("{mark} makes no project");
            };
            assert_eq!(project.root(), home.work().join("a"));
            assert!(project.holds(&deep) && !project.holds(&home.work().join("ab")));
            // Also by another name, and not from beside it.
            symlink(&deep, home.work().join("link")).unwrap();
            assert_eq!(at(&home.work().join("link")), Found::Project(project));
            assert_eq!(at(&home.work()), Found::Nothing);
            // A nearer one wins.
            fs::write(home.work().join("a/b/tools.json"), "").unwrap();
            assert!(matches!(at(&deep), Found::Project(nearer) if nearer.root().ends_with("a/b")));
        }
    }

    #[test]
    fn a_project_in_a_project_lies_in_both() {
        let home = Home::new();
        let places = places_of(&home);
        let at = |path: &str| home.work().join(path);
        fs::create_dir_all(at("outer/.git")).unwrap();
        fs::create_dir_all(at("outer/middle/inner/.cli")).unwrap();
        let inner = ProjectFinder::new(&places)
            .enclosing(&at("outer/middle/inner"))
            .unwrap();
        assert_eq!(inner, [at("outer/middle/inner"), at("outer")]);
        assert_eq!(
            ProjectFinder::new(&places)
                .enclosing(&at("outer/middle"))
                .unwrap(),
            [at("outer")]
        );
        assert!(
            ProjectFinder::new(&places)
                .enclosing(&home.work())
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn the_home_what_is_above_it_and_what_holds_our_files_are_no_projects() {
        let home = Home::new();
        let places = places_of(&home);
        let at = |path: &Path| ProjectFinder::new(&places).find(path).unwrap();
        for folder in [
            home.root().to_owned(),
            home.root().join("home"),
            home.root().join("config"),
        ] {
            fs::create_dir_all(folder.join(".git")).unwrap();
            assert_eq!(at(&folder), Found::Nothing, "{}", folder.display());
        }
        // From below the home, the way up ends at the home.
        let below = home.root().join("home/x");
        fs::create_dir_all(&below).unwrap();
        assert_eq!(at(&below), Found::Nothing);
        fs::create_dir(below.join(".cli")).unwrap();
        assert!(matches!(at(&below), Found::Project(_)));
        assert!(
            ProjectFinder::new(&places)
                .find(&home.root().join("missing"))
                .is_err()
        );
    }

    #[test]
    fn the_way_up_ends_at_a_mount_and_somebody_elses_project_does_not_count() {
        let check = |steps: [(u64, u32, Mark); 3], want: &str| {
            let folders = ["/a/b/c", "/a/b", "/a"];
            let steps = steps.into_iter().zip(folders);
            let steps = steps.map(|((device, owner, mark), folder)| {
                Ok(Step {
                    folder: Path::new(folder),
                    device,
                    owner,
                    mark,
                })
            });
            assert_eq!(format!("{:?}", nearest(steps, 7).unwrap()), want);
        };
        use Mark::{None, Ours, Project};
        check(
            [(1, 7, None), (1, 0, None), (1, 7, Project)],
            r#"Project(Project { root: "/a" })"#,
        );
        check([(1, 7, None), (2, 7, Project), (2, 7, Project)], "Nothing");
        check([(1, 7, None), (2, 7, None), (1, 7, Project)], "Nothing");
        check(
            [(1, 7, None), (1, 8, Project), (1, 7, Project)],
            r#"Foreign("/a/b")"#,
        );
        check([(1, 7, None), (1, 7, Ours), (1, 7, Project)], "Nothing");
        check(
            [(1, 7, Project), (2, 7, Ours), (1, 7, Project)],
            r#"Project(Project { root: "/a/b/c" })"#,
        );
    }
}
