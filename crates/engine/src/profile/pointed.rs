//! What the words of a call point to, in whatever form a tool may take it.
//!
//! A path is opened by a description and never by a caller. So what is opened must not be what the caller names: the file
//! itself, a directory that holds it, something in it; with `~`, with `..`, through links, inside a word (`--x=@PATH`,
//! `file://PATH`, `a:b`, percent signs), as a glob that the tool expands, or by a link that lies where the call looks. On
//! doubt a word points to it: the call is then told what it was not shown.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use super::glob::{could_meet, expand, is_glob};
use super::ground::Ground;
use super::path_words::{
    contains_path, forms, leads_anywhere, leads_to_processes, paths, pieces_of, without_empty_parts,
};
use super::spot::real_path;
use crate::policy::{Facts, tidy};

/// The most parts of words that are looked at, the most looks, and the most directories that words are looked up in.
pub(super) const PIECES: usize = 4096;
const LOOKS: usize = 1 << 15;
const DIRECTORIES: usize = 32;
/// The most entries that patterns are expanded over, and that are looked at for links.
const EXPANDED: usize = 8192;
const LINKS: usize = 2048;

/// What the words of a call point to.
#[derive(Debug)]
pub(super) struct Pointed<'g> {
    ground: &'g Ground,
    /// Where words lead, and which.
    places: BTreeMap<PathBuf, Pointer>,
    /// Patterns among them, from their literal beginning.
    globs: Vec<(PathBuf, Pointer)>,
    /// Every text, in each of its forms, and which word it is of.
    texts: Vec<(String, Pointer)>,
    /// A word that leads nobody can say where, or that there are too many of to look at them all.
    anywhere: Option<Pointer>,
    /// Directories that the call looks into.
    directories: Vec<PathBuf>,
    /// Where links in those lead, once somebody has to know.
    links: OnceCell<Links>,
}

/// Links that lie where a call looks.
#[derive(Debug, Default)]
struct Links {
    /// Where they lead, and which.
    places: BTreeMap<PathBuf, Pointer>,
    /// What leads nobody can say where: a link through a process, or a word for a directory with too many entries.
    anywhere: Option<Pointer>,
}

/// What points to a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pointer {
    /// A word of the call.
    Word(String),
    /// A link where the call looks.
    Link(PathBuf),
}

impl<'g> Pointed<'g> {
    /// Looks at the words of a call and of those inside it.
    pub(super) fn of(facts: &Facts, ground: &'g Ground) -> Self {
        let mut found = Self {
            ground,
            places: BTreeMap::new(),
            globs: Vec::new(),
            texts: Vec::new(),
            anywhere: None,
            directories: vec![ground.directory.clone()],
            links: OnceCell::new(),
        };
        let mut texts = Vec::new();
        gather(facts, &mut texts);
        let mut pieces: Vec<(String, Pointer)> = Vec::new();
        let mut seen = HashSet::new();
        for word in texts {
            let pointer = Pointer::Word(word.to_owned());
            for form in forms(word, ground) {
                let form = without_empty_parts(&form);
                let parts = pieces_of(&form);
                let is_open = parts.iter().any(|part| leads_anywhere(part));
                if is_open || parts.len() + pieces.len() > PIECES {
                    found.anywhere = Some(pointer);
                    return found;
                }
                for piece in parts {
                    if seen.insert(piece.to_owned()) {
                        pieces.push((piece.to_owned(), pointer.clone()));
                    }
                }
                found.texts.push((form, pointer.clone()));
            }
        }
        found.anywhere = found.look(&pieces).err();
        found
    }

    /// Returns the word that points to a place that has no symlink in its path, to a directory above it or to something
    /// below it.
    pub(super) fn to(&self, place: &Path) -> Option<&Pointer> {
        let led = related(&self.places, place);
        let glob = || self.globs.iter().find(|(pattern, _)| could_meet(pattern, place));
        let pointer = led.or_else(|| glob().map(|(_, pointer)| pointer));
        pointer.or(self.anywhere.as_ref())
    }

    /// Returns the same for a credential. To that, a link also points that lies where the call looks, and who spells its
    /// path from the home on, whatever stands before that.
    pub(super) fn to_secret(&self, place: &Path) -> Option<&Pointer> {
        let spelt = || {
            let tail = place.strip_prefix(&self.ground.home).ok()?.to_str()?;
            let found = self.texts.iter().find(|(text, _)| contains_path(text, tail));
            found.map(|(_, pointer)| pointer)
        };
        let linked = || {
            let links = self.links.get_or_init(|| self.find_links());
            related(&links.places, place).or(links.anywhere.as_ref())
        };
        self.to(place).or_else(spelt).or_else(linked)
    }

    /// Returns the word that names exactly this place.
    pub(super) fn exactly(&self, place: &Path) -> Option<&Pointer> {
        self.places.get(place).or(self.anywhere.as_ref())
    }

    /// Finds out where the parts of words lead.
    ///
    /// # Errors
    /// A word that may lead anywhere.
    fn look(&mut self, pieces: &[(String, Pointer)]) -> Result<(), Pointer> {
        let mut looks = LOOKS;
        let mut expanded = EXPANDED;
        let mut at = 0;
        while let Some(directory) = self.directories.get(at).cloned() {
            at += 1;
            for (piece, pointer) in pieces {
                looks = looks.checked_sub(1).ok_or_else(|| pointer.clone())?;
                for path in paths(piece, &directory, &self.ground.home, at == 1) {
                    let followed = match is_glob(piece) {
                        true => self.glob(&path, pointer, &mut expanded),
                        false => self.follow(&path, pointer),
                    };
                    followed.ok_or_else(|| pointer.clone())?;
                }
            }
        }
        Ok(())
    }

    /// A path: where it leads, and that others may start from there.
    fn follow(&mut self, path: &Path, pointer: &Pointer) -> Option<()> {
        let real = real_path(path)?;
        if is_process(&tidy(path)) || is_process(&real) {
            return None;
        }
        if self.places.contains_key(&real) {
            return Some(());
        }
        if real.is_dir() && !self.directories.contains(&real) {
            if self.directories.len() == DIRECTORIES {
                return None;
            }
            self.directories.push(real.clone());
        }
        self.places.insert(real, pointer.clone());
        Some(())
    }

    /// A pattern: what it could stand for by its letters, and what it stands for now.
    fn glob(&mut self, pattern: &Path, pointer: &Pointer, budget: &mut usize) -> Option<()> {
        let tidied = tidy(pattern);
        if is_process(&tidied) {
            return None;
        }
        self.globs.push((tidied, pointer.clone()));
        let found = expand(pattern, budget)?;
        let real = found.iter().filter_map(|path| real_path(path));
        self.places.extend(real.map(|path| (path, pointer.clone())));
        Some(())
    }

    /// Links in the directories that a call looks into, those that words name first: who follows one gets where it leads.
    /// The working directory is looked through as far as the budget goes; a directory that a word names is looked through
    /// whole, or the word points to everything.
    fn find_links(&self) -> Links {
        let is_inside = |path: &&PathBuf| self.ground.roots.iter().any(|root| path.starts_with(root));
        let inside = self.directories.iter().filter(is_inside);
        let (here, named): (Vec<&PathBuf>, Vec<&PathBuf>) =
            inside.partition(|path| **path == self.ground.directory);
        let mut links = Links::default();
        let mut budget = LINKS;
        for directory in named {
            if self.links_below(directory, &mut links, &mut budget).is_none() {
                links.anywhere = self.places.get(directory).cloned();
                return links;
            }
        }
        for directory in here {
            self.links_below(directory, &mut links, &mut budget);
        }
        links
    }

    /// The links below one directory; nothing is returned where they are too many to look at.
    fn links_below(&self, directory: &Path, links: &mut Links, budget: &mut usize) -> Option<()> {
        // A root that is the home shows of it what is harmless, so a link inside may lead out of that.
        let is_harmless = |path: &Path| {
            let mut roots = self.ground.roots.iter();
            roots.any(|root| path.starts_with(root) && !self.ground.home.starts_with(root))
        };
        let mut waiting: VecDeque<PathBuf> = VecDeque::from([directory.to_owned()]);
        while let Some(directory) = waiting.pop_front() {
            for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                *budget = budget.checked_sub(1)?;
                let Ok(kind) = entry.file_type() else { continue };
                let path = entry.path();
                if kind.is_dir() {
                    waiting.push_back(path);
                } else if kind.is_symlink() {
                    if leads_to_processes(&path) {
                        links.anywhere = Some(Pointer::Link(path));
                    } else if let Some(real) = path.canonicalize().ok().filter(|real| !is_harmless(real)) {
                        links.places.entry(real).or_insert(Pointer::Link(path));
                    }
                }
            }
        }
        Some(())
    }
}

/// What leads to a place, above it or below it.
fn related<'p>(places: &'p BTreeMap<PathBuf, Pointer>, place: &Path) -> Option<&'p Pointer> {
    let is_related = |path: &Path| place.starts_with(path) || path.starts_with(place);
    let found = places.iter().find(|(path, _)| is_related(path));
    found.map(|(_, pointer)| pointer)
}

/// Whether a path leads through a process: `/proc/self/root` is everything.
fn is_process(path: &Path) -> bool {
    let mut names = path.iter();
    path.starts_with("/proc")
        && names.any(|name| {
            ["root", "cwd", "fd", "task", "map_files"]
                .iter()
                .any(|known| name == *known)
        })
}

/// Every text of a call that may name a path.
fn gather<'f>(facts: &'f Facts, texts: &mut Vec<&'f str>) {
    let invoked = &facts.invoked;
    let values = invoked.options.iter().flat_map(|option| &option.values);
    let words = invoked.words.iter().map(|word| &word.text);
    let unverified = invoked.unverified.iter().map(|word| &word.text);
    let programs = invoked.programs.iter().map(|program| &program.text);
    let assigned = invoked.assigned.iter().map(|(_, value)| value);
    let unread = invoked.inner.iter().flat_map(|inner| &inner.words);
    let all = values.chain(words).chain(unverified).chain(programs);
    texts.extend(all.chain(assigned).chain(unread).map(String::as_str));
    for inner in &facts.inner {
        gather(inner, texts);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;
    use serde_json::json;

    use super::*;
    use crate::policy::tests::input::facts;

    /// A workspace beside a home with a key in it.
    struct Place {
        _home: Home,
        ground: Ground,
        key: PathBuf,
    }

    fn place() -> Place {
        let made = Home::new().file("a", "").file("sub/b", "");
        let root = made.root().canonicalize().unwrap();
        let (home, directory) = (root.join("home"), root.join("work"));
        let key = home.join(".config/tool/key");
        fs::create_dir_all(key.parent().unwrap()).unwrap();
        fs::write(&key, "k").unwrap();
        symlink("../../home/.config", directory.join("sub/settings")).unwrap();
        let ground = Ground {
            roots: vec![directory.clone()],
            directory,
            search: Vec::new(),
            own: Vec::new(),
            installed: root.join("installed"),
            denied: Vec::new(),
            environment: [("ELSEWHERE".into(), home.join(".config").into())].into(),
            home,
        };
        Place {
            _home: made,
            ground,
            key,
        }
    }

    fn points(place: &Place, words: &[&str]) -> bool {
        let call = facts(&json!({"tool": "t", "words": words}));
        let pointed = Pointed::of(&call, &place.ground);
        pointed.to_secret(&place.key).is_some()
    }

    #[test]
    fn a_key_is_found_in_whatever_stands_around_it() {
        let place = place();
        // The link in the workspace would be found in any case.
        fs::remove_file(place.ground.directory.join("sub/settings")).unwrap();
        let home = place.ground.home.to_str().unwrap().to_owned();
        for word in [
            "HOME/.config/tool/key",
            "HOME//.config/./tool/../tool/key",
            "HOME/.config/tool/",
            "HOME/.config",
            "HOME",
            "/",
            "~",
            "~/.config/tool/key",
            "~ann/.config/tool/key",
            "../home/.config/tool/key",
            "sub/../../home/.config/tool/key",
            "..",
            "@HOME/.config/tool/key",
            "--file=HOME/.config/tool/key",
            "--file=~/.config/tool/key",
            "-fHOME/.config/tool/key",
            "x=@HOME/.config/tool/key;type=text",
            "Name=x,Values@=file://HOME/.config/tool/key",
            "file://HOME/.config/tool/key",
            "FILE://localhostHOME/.config/tool/key",
            "file:HOME/.config/tool/key",
            "file://a.example/x,file://b.exampleHOME/.config/../.config/tool/k%65y",
            "file://HOME/.config/tool/k%65y?x=1",
            "/proc/self/root/x",
            "/proc/1/root/dat*/x",
            "fileb://~/.config/tool/key",
            "file://HOME/%2Econfig%2ftool/k%65y",
            "file://HOME/%252Econfig/tool/key",
            "a:HOME/.config/tool/key:b",
            ":local:HOME/.config/tool/key",
            "{a,HOME/.config/tool/key}",
            "$HOME/.config/tool/key",
            "${HOME}/.c*/tool/key",
            "$ELSEWHERE/tool/key",
            "HOME/.config/tool/*",
            "HOME/.[c]onfig/t??l/key",
            "HOME/{.config,x}/tool/key",
            "/**/key",
            "{{ lookup('env', 'XYZ') }}/.config/tool/key",
            "[include]path=HOME/.config/tool/key",
            "load 'HOME/.config/tool/key' as x",
        ] {
            let word = word.replace("$HOME", "\u{1}").replace("${HOME}", "\u{2}");
            let word = word.replace("HOME", &home);
            let word = word.replace('\u{1}', "$HOME").replace('\u{2}', "${HOME}");
            assert!(points(&place, &[&word]), "{word}");
        }
    }

    #[test]
    fn what_is_another_thing_inside_the_sandbox_points_to_everything() {
        let place = place();
        fs::remove_file(place.ground.directory.join("sub/settings")).unwrap();
        let home = place.ground.home.to_str().unwrap().to_owned();
        for word in [
            "/proc/2/cwd/../../home/.config/./tool/key".to_owned(),
            format!("/proc/2/root{home}/.config//tool/key"),
            format!("/proc/self/task/2/root{home}"),
            "--file=/proc/3/fd/7".to_owned(),
            "/dev/fd/9".to_owned(),
            // The kernel refuses it, and who shortens it first gets there.
            format!("{}{home}/.config//tool/key", "/x/..".repeat(900)),
            format!("{home}/.co${{AWS_PAGER}}nfig/tool/key"),
            format!("{home}/.co${{NOT_SET}}nfig/tool/key"),
        ] {
            assert!(points(&place, &[&word]), "{word}");
        }
        for word in [
            "/proc/cpuinfo",
            "/proc/meminfo",
            "proc",
            "src/proc/root.rs",
            "$5",
            "a$b",
        ] {
            assert!(!points(&place, &[word]), "{word}");
        }
        symlink(
            ["/proc", "2", "root", "etc"].join("/"),
            place.ground.directory.join("sub/link"),
        )
        .unwrap();
        assert!(points(&place, &["sub"]));
    }

    #[test]
    fn links_are_looked_for_where_words_lead_before_the_budget_is_gone() {
        let place = place();
        fs::remove_file(place.ground.directory.join("sub/settings")).unwrap();
        for index in 0..=LINKS {
            fs::write(place.ground.directory.join(format!("f{index}")), "").unwrap();
        }
        let deep = place.ground.directory.join("zz");
        fs::create_dir(&deep).unwrap();
        symlink(&place.key, deep.join("l")).unwrap();
        assert!(points(&place, &["-L", "zz"]));
        fs::remove_file(deep.join("l")).unwrap();
        assert!(!points(&place, &["-L", "zz"]));
        for index in 0..=LINKS {
            fs::write(deep.join(format!("g{index}")), "").unwrap();
        }
        assert!(points(&place, &["-L", "zz"]));
        // Where the home is the root, a link in it leads to what is not shown of it.
        let mut place = super::tests::place();
        place.ground.roots = vec![place.ground.home.clone()];
        place.ground.directory.clone_from(&place.ground.home);
        fs::create_dir(place.ground.home.join("q")).unwrap();
        symlink(&place.key, place.ground.home.join("q/l")).unwrap();
        assert!(points(&place, &["q"]));
    }

    #[test]
    fn a_link_gets_past_nothing() {
        let place = place();
        assert!(points(&place, &["sub/settings/tool/key"]));
        assert!(points(&place, &["sub/s*/tool"]));
        // It lies where the call looks.
        assert!(points(&place, &["sub"]));
        assert!(points(&place, &[]));
    }

    #[test]
    fn other_words_point_to_nothing() {
        let place = place();
        fs::remove_file(place.ground.directory.join("sub/settings")).unwrap();
        let home = place.ground.home.to_str().unwrap();
        for word in [
            "",
            "a",
            "sub",
            ".",
            "./...",
            "*.tf",
            "**/*.rs",
            "main..dev",
            "https://host.example/",
            "https://host.example/h/x?a=/b",
            "s3://",
            "s3://bucket/key",
            "s3://tmp/",
            "repos/{owner}/{repo}/contents",
            ".[] | .name",
            ".a / .b",
            "..|.name?",
            "/foo.*bar/",
            "/etc/passwd",
            "HOME/.cache/x",
            "HOME/.configs",
            "tool/key",
            "x.config/tool/key",
        ] {
            let word = word.replace("HOME", home);
            assert!(!points(&place, &[&word]), "{word}");
        }
    }

    #[test]
    fn words_are_looked_up_where_others_lead() {
        let place = place();
        fs::remove_file(place.ground.directory.join("sub/settings")).unwrap();
        assert!(points(&place, &["-C", "sub", "../../home/.config/tool/key"]));
        symlink("../home", place.ground.directory.join("up")).unwrap();
        assert!(points(&place, &["-C", "up"]));
    }

    #[test]
    fn what_nobody_can_look_through_points_to_everything() {
        let place = place();
        let words: Vec<String> = (0..=PIECES).map(|word| word.to_string()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert!(points(&place, &words));
        let items: Vec<String> = (0..=PIECES).map(|item| item.to_string()).collect();
        assert!(points(&place, &[&items.join(",")]));
        // Nor where more directories are named than are looked into.
        let many: Vec<String> = (0..DIRECTORIES).map(|name| format!("many/{name}")).collect();
        for name in &many {
            fs::create_dir_all(place.ground.directory.join(name)).unwrap();
        }
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        fs::remove_file(place.ground.directory.join("sub/settings")).unwrap();
        assert!(points(&place, &many));
        assert!(!points(&place, many.get(1..).unwrap()));
    }

    #[test]
    fn prose_of_any_length_can_be_looked_through() {
        let place = place();
        fs::remove_file(place.ground.directory.join("sub/settings")).unwrap();
        let prose = "It reads, and/or writes: see [docs](docs/a.md) (or not).\n".repeat(2000);
        assert!(!points(&place, &["--body", &prose]));
        let key = format!("{prose} {}", place.key.display());
        assert!(points(&place, &["--body", &key]));
    }
}
