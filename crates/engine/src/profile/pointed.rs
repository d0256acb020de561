//! What the words of a call point to, in whatever form a tool may take it.
//!
//! A path is opened by a description and never by a caller. So what is opened must not be what the caller names: the file
//! itself, a directory that holds it, something in it; with `~`, with `..`, through links, inside a word (`--x=@PATH`,
//! `file://PATH`, `a:b`, percent signs), as a glob that the tool expands, or by a link that lies where the call looks. On
//! doubt a word points to it: the call is then told what it was not shown.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::glob::{could_meet, expand, is_glob};
use super::ground::Ground;
use super::spot::real_path;
use crate::policy::{Facts, tidy};

/// The most parts of words that are looked at, the most looks, and the most directories that words are looked up in.
const PIECES: usize = 4096;
const LOOKS: usize = 1 << 15;
const DIRECTORIES: usize = 32;
/// The most entries that patterns are expanded over, and that are looked at for links.
const EXPANDED: usize = 8192;
const LINKS: usize = 2048;
/// The longest path, and how many ends a part of a word may have.
const LONGEST: usize = 4096;
const ENDS: usize = 12;
/// A text of more words is prose, or a program.
const PROSE: usize = 64;
/// Characters that a path may stand before or behind.
const MARKS: &[char] = &[
    '=', ':', '@', ',', ';', '|', '&', '<', '>', '(', ')', '[', ']', '{', '}', '"', '\'', '`', '!', '#', '+',
    '^', '?',
];
/// Schemes of URLs that name no file of this machine.
const REMOTE: &[&str] = &[
    "abfs",
    "amqp",
    "amqps",
    "az",
    "docker",
    "ftp",
    "ftps",
    "gcs",
    "git",
    "grpc",
    "gs",
    "hdfs",
    "http",
    "https",
    "kafka",
    "ldap",
    "ldaps",
    "mongodb",
    "mongodb+srv",
    "mqtt",
    "mysql",
    "nats",
    "oci",
    "postgres",
    "postgresql",
    "redis",
    "rediss",
    "rsync",
    "s3",
    "s3a",
    "sftp",
    "ssh",
    "svn",
    "tcp",
    "tls",
    "udp",
    "ws",
    "wss",
];

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
    links: OnceCell<BTreeMap<PathBuf, Pointer>>,
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
                let parts = pieces_of(&form);
                if parts.len() + pieces.len() > PIECES {
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
        let linked = || related(self.links.get_or_init(|| self.find_links()), place);
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

    /// Links in the directories that a call looks into, the nearest first: who follows one gets where it leads.
    fn find_links(&self) -> BTreeMap<PathBuf, Pointer> {
        let is_inside = |path: &&PathBuf| self.ground.roots.iter().any(|root| path.starts_with(root));
        let mut waiting: VecDeque<PathBuf> = self.directories.iter().filter(is_inside).cloned().collect();
        let mut links = BTreeMap::new();
        let mut budget = LINKS;
        while let Some(directory) = waiting.pop_front() {
            let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
            for entry in entries {
                let Some(left) = budget.checked_sub(1) else {
                    return links;
                };
                budget = left;
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    waiting.push_back(entry.path());
                } else if kind.is_symlink() {
                    let path = entry.path();
                    if let Some(real) = path.canonicalize().ok().filter(|real| !is_inside(&real)) {
                        links.entry(real).or_insert(Pointer::Link(path));
                    }
                }
            }
        }
        links
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

/// A text as it is, without its percent signs, with its variables, and with files where it has URLs of files.
fn forms(text: &str, ground: &Ground) -> Vec<String> {
    let mut forms = vec![text.to_owned()];
    for _ in 0..2 {
        let plain = forms.last().and_then(|last| unescaped(last));
        forms.extend(plain);
    }
    for index in 0..forms.len() {
        let made = forms.get(index).map(|form| with_variables(form, ground));
        let changed = made.filter(|made| !forms.contains(made));
        forms.extend(changed);
    }
    for index in 0..forms.len() {
        let made = forms.get(index).and_then(|form| without_authority(form));
        forms.extend(made);
    }
    forms
}

/// The text that percent signs stand for, if there are any and it is one.
fn unescaped(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    let out = String::from_utf8_lossy(&out).into_owned();
    (out != text).then_some(out)
}

/// The text with values for `$NAME` and `${NAME}`, where those are paths.
fn with_variables(text: &str, ground: &Ground) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let inner = after.strip_prefix('{').unwrap_or(after);
        let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (name, tail) = inner.split_at(end.unwrap_or(inner.len()));
        let value = match name {
            "HOME" => ground.home.to_str(),
            name => {
                let value = ground.environment.get(OsStr::new(name));
                value.and_then(|value| value.to_str())
            }
        };
        match value.filter(|value| value.starts_with('/')) {
            Some(value) => {
                out.push_str(value);
                rest = tail.strip_prefix('}').unwrap_or(tail);
            }
            None => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The text with `file:///PATH` for each `file://HOST/PATH`, if it has such a URL.
fn without_authority(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        out.push_str(before);
        out.push_str("://");
        let is_file = before.to_ascii_lowercase().contains("file");
        rest = match after.find('/').filter(|_| is_file) {
            Some(path) => after.get(path..).unwrap_or(after),
            None => after,
        };
    }
    out.push_str(rest);
    (out != text).then_some(out)
}

/// The parts of a text that may be paths, each once: itself, and what stands between marks in it and in each of its words.
fn pieces_of(text: &str) -> HashSet<&str> {
    let mut pieces = HashSet::new();
    let words = text.split_whitespace();
    // The words of prose are names of files only where they look like it.
    let is_prose = words.clone().nth(PROSE).is_some();
    if !is_prose {
        between_marks(text, &mut pieces);
    }
    for word in words.filter(|word| !is_prose || word.contains(['/', '~']) || word.starts_with('.')) {
        between_marks(word, &mut pieces);
    }
    pieces.retain(|piece| !is_operator(text, piece));
    pieces
}

/// What stands between the beginning of a text or any mark in it, and its end or one of the next marks.
fn between_marks<'t>(text: &'t str, pieces: &mut HashSet<&'t str>) {
    let marks: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| MARKS.contains(c)).collect();
    let starts = std::iter::once(0).chain(marks.iter().map(|(at, c)| at + c.len_utf8()));
    for (number, start) in starts.enumerate() {
        let next = marks.iter().skip(number).take(ENDS).map(|(at, _)| *at);
        for end in std::iter::once(text.len()).chain(next) {
            let Some(piece) = text.get(start..end) else {
                continue;
            };
            let is_path = !piece.is_empty() && piece.len() <= LONGEST && !piece.contains('\0');
            if is_path && !is_remote(text, start, piece) && !is_stray(text, start, piece) {
                pieces.insert(piece);
                pieces.extend(attached(piece));
            }
        }
        if pieces.len() > PIECES {
            return;
        }
    }
}

/// Whether a part is what follows the scheme of a URL that names another machine.
fn is_remote(text: &str, start: usize, piece: &str) -> bool {
    let Some(before) = text.get(..start).and_then(|before| before.strip_suffix(':')) else {
        return false;
    };
    let scheme = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-')));
    let scheme = scheme.into_iter().next().unwrap_or_default().to_ascii_lowercase();
    piece.starts_with("//") && REMOTE.contains(&scheme.as_str())
}

/// Whether a part is a sign of a language rather than a place: the division of `.a / .b`.
fn is_operator(text: &str, piece: &str) -> bool {
    is_sign(piece) && text.contains(char::is_whitespace)
}

/// Whether a part is such a sign between others: the slash of `{owner}/{repo}`, the dot of `.[]`.
fn is_stray(text: &str, start: usize, piece: &str) -> bool {
    let before = text.get(..start).and_then(|before| before.chars().next_back());
    let after = text
        .get(start + piece.len()..)
        .and_then(|after| after.chars().next());
    let may_begin = before.is_none_or(|c| "=:@,<\"'".contains(c));
    let may_end = after.is_none_or(|c| ":,;\"'".contains(c));
    is_sign(piece) && !(may_begin && may_end)
}

fn is_sign(piece: &str) -> bool {
    matches!(piece, "/" | "." | "..")
}

/// What stands behind the letter of a short option.
fn attached(piece: &str) -> Option<&str> {
    let rest = piece.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let mut rest = rest.chars();
    rest.next()?;
    Some(rest.as_str()).filter(|rest| !rest.is_empty())
}

/// Where a part may lead from a directory. What does not depend on the directory is looked at once.
fn paths(piece: &str, directory: &Path, home: &Path, is_first: bool) -> Vec<PathBuf> {
    let bare = piece.trim_start_matches('/');
    let mut paths = Vec::new();
    if let Some(rest) = bare.strip_prefix('~').filter(|_| is_first) {
        // Also `~name/…`: whoever that is may be us.
        let rest = rest.split_once('/').map_or("", |(_, rest)| rest);
        paths.push(home.join(rest.trim_start_matches('/')));
    }
    match piece.starts_with('/') {
        true if is_first => paths.push(PathBuf::from(piece)),
        true => {}
        false => paths.push(directory.join(piece)),
    }
    paths
}

/// Whether a text holds a path as a sequence of whole names.
fn contains_path(text: &str, path: &str) -> bool {
    let is_part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.match_indices(path).any(|(at, found)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + found.len()..)
            .and_then(|after| after.chars().next());
        !path.is_empty() && !before.is_some_and(is_part_of_name) && !after.is_some_and(is_part_of_name)
    })
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
