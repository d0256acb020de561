//! Protected names in the directories below a workspace: which are there when a child starts, and which are new when it
//! has ended.
//!
//! A package of a larger project is entered and opened as a workspace is. And git asks the repository in any directory
//! that its index says holds one: `git status` at the top starts what settings of a new repository below name.
//!
//! Both walks are bounded. Where the first did not get, a name is new if it was made since.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

use super::view::{ChildView, MountAccess, MountContent};
use crate::policy::{GIT, PathPattern, Protected};
use crate::repository::{PASSED_BY, settings_directory, starts_programs};

/// How much is looked at before a child starts: about a millisecond, as for repositories. The time is for file systems
/// that are slow.
const BOUNDS_BEFORE: WalkBounds = WalkBounds {
    directories: 256,
    depth: 4,
    entries: 16_384,
    time: Duration::from_secs(1),
};

/// How much is looked at when it has ended.
const BOUNDS_AFTER: WalkBounds = WalkBounds {
    directories: 4_096,
    depth: usize::MAX,
    entries: 65_536,
    time: Duration::from_secs(2),
};

struct WalkBounds {
    directories: usize,
    depth: usize,
    entries: usize,
    time: Duration,
}

/// What is known of the directories below the workspaces that a child may write in.
#[derive(Debug, Default)]
pub(crate) struct NestedWatch {
    areas: Vec<WatchedWorkspace>,
    begun: Option<SystemTime>,
}

/// One workspace, with what lay in it when the child began.
#[derive(Debug)]
struct WatchedWorkspace {
    workspace: PathBuf,
    /// Whether git is the child: names are what histories hold, and new repositories are its work.
    is_gits: bool,
    /// Where git's own settings are that were there before.
    settings: Vec<PathBuf>,
    /// The outermost directories that may be written.
    tops: Vec<PathBuf>,
    /// Protected names that were there.
    names: HashSet<PathBuf>,
    /// The same, by what they are, so that one that was moved is no new one.
    files: HashSet<FileIdentity>,
    looked_into: HashSet<PathBuf>,
    /// Directories that were there, and not looked into.
    left: HashSet<PathBuf>,
}

/// Names that a child made while it ran.
#[derive(Debug, Default)]
pub(crate) struct NewNames {
    pub(crate) names: BTreeMap<PathBuf, &'static str>,
    /// A directory that was made and not looked into, because there were too many.
    pub(crate) unseen: Option<PathBuf>,
}

/// Names that make a directory run programs, by their first part.
static NAMES: LazyLock<HashMap<String, Vec<(&'static Path, &'static str)>>> = LazyLock::new(|| {
    let mut names: HashMap<String, Vec<_>> = HashMap::new();
    for (name, why) in Protected::in_any_directory() {
        let (first, rest) = name.split_once('/').unwrap_or((name, ""));
        names
            .entry(first.to_ascii_lowercase())
            .or_default()
            .push((Path::new(rest), why));
    }
    names
});

/// What is looked for in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LookFor {
    /// Every name.
    All,
    /// Repositories alone: nobody opens or enters what tools made there.
    Repositories,
}

impl NestedWatch {
    /// Looks at what is there before a child starts that may write as `view` says.
    pub(super) fn survey(view: &ChildView, protected: &Protected, writes: &[PathPattern]) -> Self {
        if writes.is_empty() {
            return Self::default();
        }
        let workspaces = protected.workspaces();
        let areas = workspaces.map(|(workspace, is_fixed)| {
            // As it is mounted.
            let workspace = workspace.canonicalize().unwrap_or_else(|_| workspace.to_owned());
            let mut area = WatchedWorkspace::new(view, &workspace, !is_fixed);
            area.remember();
            area
        });
        Self {
            areas: areas.collect(),
            begun: Some(now()),
        }
    }

    /// Returns the names that are new. `unlock` lets us into a directory again.
    pub(crate) fn find_new(&self, unlock: fn(&Path)) -> NewNames {
        self.find_within(&BOUNDS_AFTER, unlock)
    }

    fn find_within(&self, bounds: &'static WalkBounds, unlock: fn(&Path)) -> NewNames {
        let mut new = NewNames::default();
        for area in &self.areas {
            area.compare(DirectoryWalk::new(bounds), self.begun, unlock, &mut new);
        }
        new
    }
}

/// The time as files have it: the clock that they are stamped by goes in steps of up to 10 ms.
fn now() -> SystemTime {
    let now = SystemTime::now();
    now.checked_sub(Duration::from_millis(10)).unwrap_or(now)
}

impl WatchedWorkspace {
    fn new(view: &ChildView, workspace: &Path, is_gits: bool) -> Self {
        let is_open = |access: MountAccess, what: MountContent, device: bool| {
            access == MountAccess::Write && what == MountContent::Host && !device
        };
        let is_whole = view
            .holder(workspace)
            .is_some_and(|(_, mount)| is_open(mount.access, mount.what, mount.device));
        let mut tops: Vec<PathBuf> = is_whole.then(|| workspace.to_owned()).into_iter().collect();
        // Parents come before what lies in them.
        for (path, mount) in view.mounts() {
            let is_known = tops.iter().any(|top| path.starts_with(top));
            if path.starts_with(workspace) && !is_known && is_open(mount.access, mount.what, mount.device) {
                tops.push(path.to_owned());
            }
        }
        Self {
            workspace: workspace.to_owned(),
            is_gits,
            settings: match is_gits {
                true => settings_directory(workspace).into_iter().collect(),
                false => Vec::new(),
            },
            tops,
            names: HashSet::new(),
            files: HashSet::new(),
            looked_into: HashSet::new(),
            left: HashSet::new(),
        }
    }

    fn remember(&mut self) {
        let mut walk = DirectoryWalk::new(&BOUNDS_BEFORE);
        let mut waiting: VecDeque<(PathBuf, usize)> = self.tops.iter().map(|top| (top.clone(), 0)).collect();
        while let Some((directory, depth)) = waiting.pop_front() {
            let is_passed_by = depth > 0 && is_passed_by(&directory);
            if depth > BOUNDS_BEFORE.depth || is_passed_by || walk.is_over() {
                self.left.insert(directory);
                continue;
            }
            let Ok(listing) = walk.list(&directory, LookFor::All) else {
                self.left.insert(directory);
                continue;
            };
            for (name, _) in listing.names {
                self.files
                    .extend(name.symlink_metadata().ok().as_ref().and_then(identity));
                self.names.insert(name);
            }
            let below = listing.directories.into_iter();
            waiting.extend(below.map(|below| (below, depth + 1)));
            match listing.is_whole {
                true => self.looked_into.insert(directory),
                false => self.left.insert(directory),
            };
        }
    }

    fn compare(
        &self,
        mut walk: DirectoryWalk,
        begun: Option<SystemTime>,
        unlock: fn(&Path),
        new: &mut NewNames,
    ) {
        // What a child is likely to have made first. What was not looked into before is told by its age, and is looked at
        // with the rest of the patience.
        let mut waiting: VecDeque<DirectoryVisit> = VecDeque::new();
        let mut later: VecDeque<DirectoryVisit> = VecDeque::new();
        let tops = self.tops.iter().cloned();
        waiting.extend(tops.map(|directory| self.visit(directory, NewnessTest::Exact, LookFor::All)));
        while let Some(visit) = waiting.pop_front().or_else(|| later.pop_front()) {
            if walk.is_over() {
                let rest = std::iter::once(visit).chain(waiting).chain(later);
                let made = rest.into_iter().find(|visit| visit.age == NewnessTest::Exact);
                new.unseen = new.unseen.take().or(made.map(|visit| visit.directory));
                return;
            }
            let changed = |path: &Path| path.symlink_metadata().is_ok_and(|meta| is_changed(&meta, begun));
            let look_for = match self.is_gits {
                true => LookFor::Repositories,
                false => visit.look_for,
            };
            let listing = walk.list(&visit.directory, look_for).or_else(|error| {
                // What a child closed hides nothing: whoever knows the names within may still use them.
                if error.kind() == io::ErrorKind::PermissionDenied && changed(&visit.directory) {
                    unlock(&visit.directory);
                }
                walk.list(&visit.directory, look_for)
            });
            let Ok(listing) = listing else { continue };
            if !listing.is_whole && visit.age == NewnessTest::Exact {
                new.unseen.get_or_insert(visit.directory.clone());
            }
            // At the top of a workspace each name is watched by itself.
            let names = listing
                .names
                .into_iter()
                .filter(|_| visit.directory != self.workspace);
            for (name, why) in names {
                if self.is_new(&name, visit.age, begun) && self.is_unwanted(&visit.directory) {
                    new.names.insert(name, why);
                }
            }
            for below in listing.directories {
                let look_for = match is_passed_by(&below) {
                    true => LookFor::Repositories,
                    false => visit.look_for,
                };
                let next = self.visit(below, visit.age, look_for);
                match (next.age, next.look_for) {
                    (NewnessTest::Exact, LookFor::All) => waiting.push_back(next),
                    (NewnessTest::Exact, LookFor::Repositories) | (NewnessTest::ByTime, _) => {
                        later.push_back(next)
                    }
                }
            }
        }
    }

    fn visit(&self, directory: PathBuf, above: NewnessTest, look_for: LookFor) -> DirectoryVisit {
        let age = match self.left.contains(&directory) {
            true => NewnessTest::ByTime,
            false => above,
        };
        DirectoryVisit {
            directory,
            age,
            look_for,
        }
    }

    fn is_new(&self, name: &Path, age: NewnessTest, begun: Option<SystemTime>) -> bool {
        let Ok(meta) = name.symlink_metadata() else {
            return false;
        };
        if self.names.contains(name) || identity(&meta).is_some_and(|file| self.files.contains(&file)) {
            return false;
        }
        match age {
            NewnessTest::Exact => true,
            NewnessTest::ByTime => meta
                .created()
                .is_ok_and(|created| begun.is_some_and(|begun| created >= begun)),
        }
    }

    /// Whether what is new in a directory must not stay. Git makes repositories; one that starts programs it does not.
    fn is_unwanted(&self, directory: &Path) -> bool {
        !self.is_gits || starts_programs(directory, &self.settings)
    }
}

/// A file by device, number, and when it was made: the number of one that is removed goes to the next.
type FileIdentity = (u64, u64, SystemTime);

fn identity(meta: &fs::Metadata) -> Option<FileIdentity> {
    Some((meta.dev(), meta.ino(), meta.created().ok()?))
}

fn is_changed(meta: &fs::Metadata, begun: Option<SystemTime>) -> bool {
    let seconds = u64::try_from(meta.ctime()).unwrap_or_default();
    let nanos = u32::try_from(meta.ctime_nsec()).unwrap_or_default();
    let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos);
    begun.is_some_and(|begun| changed >= begun)
}

/// How it is told whether what lies in a directory is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NewnessTest {
    /// It was looked into before, or is new itself: what was not there is new.
    Exact,
    /// It was there, and not looked into.
    ByTime,
}

struct DirectoryVisit {
    directory: PathBuf,
    age: NewnessTest,
    look_for: LookFor,
}

/// What one directory holds.
#[derive(Default)]
struct DirectoryListing {
    names: Vec<(PathBuf, &'static str)>,
    directories: Vec<PathBuf>,
    is_whole: bool,
}

/// How far a walk has got.
struct DirectoryWalk {
    bounds: &'static WalkBounds,
    until: Instant,
    directories: usize,
    entries: usize,
}

impl DirectoryWalk {
    fn new(bounds: &'static WalkBounds) -> Self {
        Self {
            bounds,
            until: Instant::now() + bounds.time,
            directories: 0,
            entries: 0,
        }
    }

    fn is_over(&self) -> bool {
        self.directories >= self.bounds.directories
            || self.entries >= self.bounds.entries
            || Instant::now() >= self.until
    }

    fn list(&mut self, directory: &Path, look_for: LookFor) -> io::Result<DirectoryListing> {
        let entries = fs::read_dir(directory)?;
        self.directories += 1;
        let mut listing = DirectoryListing {
            is_whole: true,
            ..DirectoryListing::default()
        };
        for entry in entries.flatten() {
            self.entries += 1;
            if self.entries > self.bounds.entries {
                listing.is_whole = false;
                break;
            }
            let name = entry.file_name();
            if name.eq_ignore_ascii_case(".git") {
                listing.names.push((entry.path(), GIT));
                continue;
            }
            if look_for == LookFor::All {
                listing.names.extend(protected_in(&entry));
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                listing.directories.push(entry.path());
            }
        }
        Ok(listing)
    }
}

/// The protected names that an entry is or holds.
fn protected_in(entry: &fs::DirEntry) -> Vec<(PathBuf, &'static str)> {
    let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
    let Some(rests) = NAMES.get(&name) else {
        return Vec::new();
    };
    let path = entry.path();
    let of = |(rest, why): &(&'static Path, &'static str)| match rest.as_os_str().is_empty() {
        true => Some((path.clone(), *why)),
        false => Some((path.join(rest), *why)).filter(|(path, _)| path.symlink_metadata().is_ok()),
    };
    rests.iter().filter_map(of).collect()
}

fn is_passed_by(directory: &Path) -> bool {
    let name = directory.file_name();
    PASSED_BY
        .iter()
        .any(|passed_by| name.is_some_and(|name| name == *passed_by))
}

#[cfg(test)]
mod tests {
    use super::super::view::ViewMount;
    use super::*;

    struct Ground {
        root: PathBuf,
        _tree: tempfile::TempDir,
    }

    impl Ground {
        fn new() -> Self {
            let tree = tempfile::tempdir().unwrap();
            let root = tree.path().canonicalize().unwrap();
            fs::create_dir(root.join("work")).unwrap();
            Self { root, _tree: tree }
        }

        fn put(&self, path: &str, text: &str) {
            let path = self.root.join("work").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn survey(&self, protect: impl Fn(Protected) -> Protected) -> NestedWatch {
            let mut view = ChildView::default();
            let write = ViewMount {
                access: MountAccess::Write,
                ..ViewMount::read(true)
            };
            let work = self.root.join("work");
            view.mount(&work, write);
            let protected = protect(Protected::standard(&self.root, &work));
            let anchors = crate::policy::Anchors::new(&self.root, &work).unwrap();
            let writes = [PathPattern::parse("fs.write", "**", &anchors).unwrap()];
            NestedWatch::survey(&view, &protected, &writes)
        }

        fn new_names(&self, nested: &NestedWatch) -> Vec<String> {
            let new = nested.find_new(|_| ());
            assert_eq!(new.unseen, None);
            let below = |path: PathBuf| path.strip_prefix(self.root.join("work")).unwrap().to_owned();
            let names = new.names.into_keys().map(below);
            names.map(|name| name.to_str().unwrap().to_owned()).collect()
        }
    }

    #[test]
    fn names_that_were_made_are_new_wherever_they_are() {
        let ground = Ground::new();
        ground.put("a/.vscode/tasks.json", "");
        ground.put("b/mise.toml", "");
        ground.put("1/2/3/4/5/6/.envrc", "");
        ground.put("node_modules/x/.git/config", "");
        ground.put("prepared/git/config", "");
        // Until the clock of files has gone on.
        let made = ground.root.join("work/prepared/git/config");
        let made = made.metadata().unwrap().created().unwrap();
        while now() <= made {
            std::thread::yield_now();
        }
        let nested = ground.survey(|all| all);
        assert_eq!(ground.new_names(&nested), Vec::<String>::new());
        // Changed, replaced, moved.
        ground.put("a/.vscode/tasks.json", "x");
        ground.put("b/new", "x");
        fs::rename(
            ground.root.join("work/b/new"),
            ground.root.join("work/b/mise.toml"),
        )
        .unwrap();
        fs::rename(ground.root.join("work/a"), ground.root.join("work/c")).unwrap();
        ground.put("plain/src/.gitignore", "");
        assert_eq!(ground.new_names(&nested), Vec::<String>::new());
        for name in [
            "x/.git/config",
            "b/.mcp.json",
            "b/.Envrc",
            "d/e/.cargo/config.toml",
            "1/2/3/4/5/6/7/.git",
            "node_modules/y/.git/config",
            "node_modules/y/.vscode/tasks.json",
        ] {
            ground.put(name, "");
        }
        fs::rename(
            ground.root.join("work/prepared/git"),
            ground.root.join("work/prepared/.git"),
        )
        .unwrap();
        assert_eq!(
            ground.new_names(&nested),
            [
                "1/2/3/4/5/6/7/.git",
                "b/.Envrc",
                "b/.mcp.json",
                "d/e/.cargo/config.toml",
                "node_modules/y/.git",
                "prepared/.git",
                "x/.git",
            ]
        );
    }

    #[test]
    fn git_makes_repositories_but_none_that_start_programs() {
        let ground = Ground::new();
        ground.put(".git/HEAD", "");
        ground.put(".git/config", "[core]\n\teditor = mine\n");
        let work = ground.root.join("work");
        let nested = ground.survey(|all| all.for_git(&work));
        ground.put(
            "clone/.git/config",
            "[core]\n\tbare = false\n\tfsmonitor = true\n",
        );
        ground.put("clone/.vscode/tasks.json", "");
        ground.put("worktree/.git", "gitdir: ../.git/worktrees/worktree\n");
        ground.put(".git/worktrees/worktree/HEAD", "");
        ground.put(".git/worktrees/worktree/commondir", "../..\n");
        assert_eq!(ground.new_names(&nested), Vec::<String>::new());
        ground.put("evil/.git/config", "[core]\n\tfsmonitor = \"touch x; false\"\n");
        ground.put("module/.git", "gitdir: ../.git/modules/m\n");
        ground.put(".git/modules/m/HEAD", "");
        ground.put(".git/modules/m/config", "[filter \"x\"]\n\tclean = evil\n");
        assert_eq!(ground.new_names(&nested), ["evil/.git", "module/.git"]);
    }

    /// As many as one command can make in a test.
    static FEW: WalkBounds = WalkBounds {
        directories: 8,
        ..BOUNDS_AFTER
    };

    #[test]
    fn what_is_too_much_to_look_through_is_told() {
        let ground = Ground::new();
        let nested = ground.survey(|all| all);
        for number in 0..8 {
            ground.put(&format!("{number}/x"), "");
        }
        assert!(nested.find_within(&FEW, |_| ()).unseen.is_some());
        assert_eq!(ground.new_names(&nested), Vec::<String>::new());
    }
}
