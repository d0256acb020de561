//! Where the manual of one program is, and its pages.

use std::path::{Component, Path, PathBuf};

use argrail_spec::help::{Origin, Page, Subject, man_includes, read_man};

use super::gzip::unpacked;
use crate::catalog::infer::answer::is_empty;
use crate::catalog::infer::gathered::Gathered;
use crate::catalog::infer::prefix::beside;
use crate::files::untrusted::{self, Keeper, Links, Reading};

/// Where the system keeps its manual.
const SYSTEM: &[&str] = &["/usr/local/share/man", "/usr/share/man"];
/// Where the system keeps its programs.
const PROGRAMS: &[&str] = &["/usr", "/bin", "/sbin", "/opt"];
/// Folders of programs, and how the names of their pages end.
const SECTIONS: &[(&str, &str)] = &[("man1", "1"), ("man8", "8"), ("man1", "1ssl"), ("man6", "6")];
/// How names end when pages are packed.
const PACKED: &[&str] = &["", ".gz"];
/// The longest file, and the longest text in it.
const FILE: u64 = 1 << 20;
const TEXT: usize = 4 << 20;
/// How often a page may say that another stands in its place.
const HOPS: usize = 4;

/// The manual of one program.
#[derive(Debug)]
pub(in crate::catalog::infer) struct Manual {
    name: String,
    /// Directories without symlinks, the nearest first.
    roots: Vec<PathBuf>,
}

/// A page, and where it stands.
#[derive(Debug)]
struct ManualPage {
    file: PathBuf,
    page: Page,
}

impl Manual {
    /// Looks for the manual of the program `name` at `program`. That of the system speaks of the system's programs: one
    /// of a home is another version.
    pub(in crate::catalog::infer) fn of(name: &str, program: &Path) -> Self {
        let own = beside(program, &["share/man", "man"]);
        let is_system = PROGRAMS.iter().any(|place| program.starts_with(place));
        let system = SYSTEM.iter().filter(|_| is_system).map(PathBuf::from);
        Self::within(name, own.into_iter().chain(system))
    }

    /// Looks for what the system's manual says of a program of this name, for one of which nothing else is known.
    pub(in crate::catalog::infer) fn of_system(name: &str) -> Self {
        Self::within(name, SYSTEM.iter().map(PathBuf::from))
    }

    /// No manual.
    #[cfg(test)]
    pub(in crate::catalog::infer) fn none() -> Self {
        Self::within("", [])
    }

    fn within(name: &str, roots: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut real: Vec<PathBuf> = Vec::new();
        for root in roots.into_iter().filter_map(|root| root.canonicalize().ok()) {
            if !real.contains(&root) {
                real.push(root);
            }
        }
        Self {
            name: name.to_owned(),
            roots: real,
        }
    }

    /// Whether there is a page about a command: `git-log.1` for `git log`.
    pub(in crate::catalog::infer) fn has(&self, path: &[String]) -> bool {
        self.find(path).is_some()
    }

    /// Adds the page about a command, or about the tool itself, to what is known, if there is one and it is not there.
    pub(in crate::catalog::infer) fn add(&self, path: &[String], gathered: &mut Gathered) {
        if gathered.has_manual(path) {
            return;
        }
        let Some(found) = self.read(path) else { return };
        let folder = found.file.parent().unwrap_or(&found.file);
        let from = if path.is_empty() {
            found.file.clone()
        } else {
            folder.join(format!("{}-COMMAND.*", self.name))
        };
        gathered.read(Origin::Man, &from.to_string_lossy(), path, found.page);
    }

    fn read(&self, path: &[String]) -> Option<ManualPage> {
        let (root, file) = self.find(path)?;
        let text = text(root, &file)?;
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let subject = Subject {
            name: &self.name,
            path: &words,
        };
        let page = read_man(&text, &subject);
        (!is_empty(&page)).then_some(ManualPage { file, page })
    }

    fn find(&self, path: &[String]) -> Option<(&Path, PathBuf)> {
        let words = std::iter::once(self.name.as_str()).chain(path.iter().map(String::as_str));
        let stem = words.collect::<Vec<_>>().join("-");
        if stem.contains('/') || stem.len() > 200 {
            return None;
        }
        for root in &self.roots {
            for (folder, section) in SECTIONS {
                for packed in PACKED {
                    let file = root.join(folder).join(format!("{stem}.{section}{packed}"));
                    if inside(root, &file) {
                        return Some((root, file));
                    }
                }
            }
        }
        None
    }
}

/// Whether a file is there, and where it leads is below `root`.
fn inside(root: &Path, file: &Path) -> bool {
    file.canonicalize().is_ok_and(|real| real.starts_with(root))
}

/// Reads the text of a page, or of the one that stands in its place.
fn text(root: &Path, file: &Path) -> Option<String> {
    let mut file = file.to_owned();
    for _ in 0..=HOPS {
        let text = contents(root, &file)?;
        match man_includes(&text) {
            Some(other) => file = included(root, other)?,
            None => return Some(text),
        }
    }
    None
}

fn contents(root: &Path, file: &Path) -> Option<String> {
    let real = file.canonicalize().ok().filter(|real| real.starts_with(root))?;
    let reading = Reading {
        keeper: Keeper::Trusted,
        links: Links::Refuse,
        limit: FILE,
    };
    let found = untrusted::read(&real, &reading).ok()??;
    let bytes = unpacked(found.bytes, TEXT)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The file that a page names in its place, if it is one below `root`.
fn included(root: &Path, other: &str) -> Option<PathBuf> {
    let path = Path::new(other.trim());
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if !path.components().all(plain) {
        return None;
    }
    let names = PACKED
        .iter()
        .map(|packed| root.join(format!("{}{packed}", other.trim())));
    names.into_iter().find(|file| inside(root, file))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::super::gzip::testing::packed;
    use super::*;

    const PAGE: &str = ".TH TOOL 1\n.SH NAME\ntool \\- shows things\n.SH SYNOPSIS\n.B tool\n[\\fB\\-a\\fR]\n\
                        .SH OPTIONS\n.TP\n.BR \\-a \", \" \\-\\-all\nShow all.\n";

    struct Ground {
        home: Home,
    }

    impl Ground {
        fn new() -> Self {
            let home = Home::new();
            fs::create_dir_all(home.work().join("man/man1")).unwrap();
            fs::create_dir_all(home.work().join("man/man8")).unwrap();
            Self { home }
        }

        fn put(&self, file: &str, bytes: &[u8]) {
            fs::write(self.home.work().join(file), bytes).unwrap();
        }

        fn manual(&self) -> Manual {
            Manual::within(
                "tool",
                [self.home.work().join("man"), self.home.work().join("none")],
            )
        }

        fn options(&self, path: &[&str]) -> Option<usize> {
            let path: Vec<String> = path.iter().map(|word| (*word).to_owned()).collect();
            let found = self.manual().read(&path)?;
            Some(found.page.options.len())
        }
    }

    #[test]
    fn pages_are_found_plain_and_packed_and_by_command() {
        let ground = Ground::new();
        assert_eq!(ground.options(&[]), None);
        ground.put("man/man8/tool.8", PAGE.as_bytes());
        assert_eq!(ground.options(&[]), Some(1));
        ground.put("man/man1/tool-log.1.gz", &packed(PAGE.as_bytes()));
        assert_eq!(ground.options(&["log"]), Some(1));
        ground.put("man/man1/tool-remote-add.1", PAGE.as_bytes());
        assert!(ground.manual().has(&["remote".to_owned(), "add".to_owned()]));
        assert!(!ground.manual().has(&["../../x".to_owned()]));
        // Packed with something that we do not unpack, or damaged.
        ground.put("man/man1/tool-cut.1.gz", &packed(PAGE.as_bytes())[..40]);
        assert_eq!(ground.options(&["cut"]), None);
        ground.put("man/man1/tool-xz.1.gz", b"\xfd7zXZ\0");
        assert_eq!(ground.options(&["xz"]), None);
    }

    #[test]
    fn a_page_may_stand_for_another_below_the_same_directory_and_nowhere_else() {
        let ground = Ground::new();
        ground.put("man/man1/real.1", PAGE.as_bytes());
        ground.put("secret.1", PAGE.as_bytes());
        let check = |include: &str, want: Option<usize>| {
            ground.put("man/man1/tool.1", format!(".so {include}\n").as_bytes());
            assert_eq!(ground.options(&[]), want, "{include}");
        };
        check("man1/real.1", Some(1));
        check("man1/tool.1", None); // for itself
        check("../secret.1", None);
        check("man1/../../secret.1", None);
        let absolute = ground.home.work().join("secret.1");
        check(absolute.to_str().unwrap(), None);
        check("man1/missing.1", None);
        // Two that stand for each other.
        ground.put("man/man1/other.1", b".so man1/tool.1\n");
        check("man1/other.1", None);
        // A symlink may stay inside and may not leave.
        fs::remove_file(ground.home.work().join("man/man1/tool.1")).unwrap();
        let link = ground.home.work().join("man/man1/tool.1");
        symlink("real.1", &link).unwrap();
        assert_eq!(ground.options(&[]), Some(1));
        fs::remove_file(&link).unwrap();
        symlink("../../secret.1", &link).unwrap();
        assert_eq!(ground.options(&[]), None);
        fs::remove_file(&link).unwrap();
        symlink("/dev/zero", &link).unwrap();
        assert_eq!(ground.options(&[]), None);
    }
}
