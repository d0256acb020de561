//! What the words of a call point to, in whatever form a tool may take it.
//!
//! A path is opened by a description and never by a caller. So what is opened must not be what the caller names: the file
//! itself, a directory that holds it, something in it; with `~`, with `..`, through links, inside a word (`--x=@PATH`,
//! `file://PATH`, `a:b`, percent signs), as a glob that the tool expands, or by a link that lies where the call looks. On
//! doubt a word points to it: the call is then told what it was not shown.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::glob::{could_meet, expand, is_glob};
use super::ground::Ground;
use super::quiet::QUIET;
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
    '^',
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
#[derive(Debug, Default)]
pub(super) struct Pointed {
    /// Where words lead, and which.
    places: HashMap<PathBuf, Pointer>,
    /// Patterns among them, from their literal beginning.
    globs: Vec<(PathBuf, Pointer)>,
    /// Every text, in each of its forms, and which word it is of.
    texts: Vec<(String, Pointer)>,
    /// A word that there are too many of to look at them all.
    too_many: Option<Pointer>,
}

/// What points to a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pointer {
    /// A word of the call.
    Word(String),
    /// A link where the call looks.
    Link(PathBuf),
}

impl Pointed {
    /// Looks at the words of a call and of those inside it.
    pub(super) fn of(facts: &Facts, ground: &Ground) -> Self {
        let mut found = Self::default();
        let mut texts = Vec::new();
        gather(facts, &mut texts);
        let mut pieces: Vec<(String, String)> = Vec::new();
        let mut seen = HashSet::new();
        for word in texts {
            for form in forms(word, ground) {
                let form = without_empty_parts(&form);
                let parts = pieces_of(&form);
                if parts.iter().any(|part| leads_anywhere(part)) {
                    found.too_many = Some(Pointer::Word(word.to_owned()));
                    return found;
                }
                if parts.len() + pieces.len() > PIECES {
                    found.too_many = Some(Pointer::Word(word.to_owned()));
                    return found;
                }
                for piece in parts {
                    if seen.insert(piece.to_owned()) {
                        pieces.push((piece.to_owned(), word.to_owned()));
                    }
                }
                found.texts.push((form, Pointer::Word(word.to_owned())));
            }
        }
        found.look(&pieces, ground);
        found
    }

    /// Returns what points to a place that has no symlink in its path, to a directory above it or to something
    /// below it.
    pub(super) fn to(&self, place: &Path) -> Option<&Pointer> {
        let is_related = |path: &Path| place.starts_with(path) || path.starts_with(place);
        let led = self.places.iter().find(|(path, _)| is_related(path));
        let glob = || self.globs.iter().find(|(pattern, _)| could_meet(pattern, place));
        let pointer = led.map(|(_, pointer)| pointer);
        let pointer = pointer.or_else(|| glob().map(|(_, pointer)| pointer));
        pointer.or(self.too_many.as_ref())
    }

    /// Returns the same for a credential, which is also pointed to by who spells its path from the home on, whatever stands
    /// before that.
    pub(super) fn to_secret(&self, place: &Path, home: &Path) -> Option<&Pointer> {
        let spelt = || {
            let tail = place.strip_prefix(home).ok()?.to_str()?;
            self.texts.iter().find(|(text, _)| contains_path(text, tail))
        };
        self.to(place).or_else(|| spelt().map(|(_, pointer)| pointer))
    }

    /// Returns what names exactly this place.
    pub(super) fn exactly(&self, place: &Path) -> Option<&Pointer> {
        self.places.get(place)
    }

    /// Finds out where the parts of words lead.
    fn look(&mut self, pieces: &[(String, String)], ground: &Ground) {
        let mut directories = vec![ground.directory.clone()];
        let mut looks = LOOKS;
        let mut expanded = EXPANDED;
        let mut at = 0;
        while let Some(directory) = directories.get(at).cloned() {
            at += 1;
            for (piece, word) in pieces {
                let pointer = || Pointer::Word(word.clone());
                let Some(left) = looks.checked_sub(1) else {
                    self.too_many = Some(pointer());
                    return;
                };
                looks = left;
                for path in paths(piece, &directory, &ground.home, at == 1) {
                    let pattern = is_glob(piece);
                    if pattern && self.glob(&path, word, &mut expanded).is_none() {
                        self.too_many = Some(pointer());
                        return;
                    }
                    let Some(real) = real_path(&path) else { continue };
                    // What is below it is another thing inside the sandbox, or there for somebody else.
                    if leads_anywhere(&real.to_string_lossy()) {
                        self.too_many = Some(pointer());
                        return;
                    }
                    let is_new = !pattern && !self.places.contains_key(&real);
                    if is_new
                        && real.is_dir()
                        && !directories.contains(&real)
                        && directories.len() < DIRECTORIES
                    {
                        directories.push(real.clone());
                    }
                    if is_new {
                        self.places.insert(real, pointer());
                    }
                }
            }
        }
        self.links(directories, ground);
    }

    /// A pattern: what it could stand for by its letters, and what it stands for now.
    fn glob(&mut self, pattern: &Path, word: &str, budget: &mut usize) -> Option<()> {
        let pointer = Pointer::Word(word.to_owned());
        self.globs.push((tidy(pattern), pointer.clone()));
        let found = expand(pattern, budget)?;
        let real = found.iter().filter_map(|path| real_path(path));
        self.places.extend(real.map(|path| (path, pointer.clone())));
        Some(())
    }

    /// Links in the directories that a call looks into, those that words name first: who follows one gets where it leads.
    /// The working directory is looked through as far as the budget goes; a directory that a word names is looked through
    /// whole, or the word points to everything.
    fn links(&mut self, directories: Vec<PathBuf>, ground: &Ground) {
        let is_inside = |path: &Path| ground.roots.iter().any(|root| path.starts_with(root));
        let (here, named): (Vec<PathBuf>, Vec<PathBuf>) = directories
            .into_iter()
            .filter(|path| is_inside(path))
            .partition(|path| *path == ground.directory);
        let mut budget = LINKS;
        for directory in named {
            let pointer = self.places.get(&directory).cloned();
            let read = self.links_below(directory, ground, &mut budget);
            if read.is_none() {
                self.too_many = pointer;
                return;
            }
        }
        for directory in here {
            self.links_below(directory, ground, &mut budget);
        }
    }

    /// The links below one directory; nothing is returned where they are too many to look at.
    fn links_below(&mut self, directory: PathBuf, ground: &Ground, budget: &mut usize) -> Option<()> {
        // A root that is the home shows of it what is harmless, so a link inside may lead out of that.
        let is_harmless = |path: &Path| {
            let mut roots = ground.roots.iter();
            roots.any(|root| path.starts_with(root) && !ground.home.starts_with(root))
        };
        let mut waiting: VecDeque<PathBuf> = VecDeque::from([directory]);
        while let Some(directory) = waiting.pop_front() {
            for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                *budget = budget.checked_sub(1)?;
                let kind = entry.file_type().ok()?;
                let path = entry.path();
                if kind.is_dir() {
                    waiting.push_back(path);
                } else if kind.is_symlink() {
                    if leads_to_processes(&path) {
                        self.too_many = Some(Pointer::Link(path));
                        return Some(());
                    }
                    if let Some(real) = path.canonicalize().ok().filter(|real| !is_harmless(real)) {
                        self.places.entry(real).or_insert(Pointer::Link(path));
                    }
                }
            }
        }
        Some(())
    }
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
        for whose in [Variables::Ours, Variables::Childs] {
            let made = forms.get(index).map(|form| with_variables(form, ground, whose));
            let changed = made.filter(|made| !forms.contains(made));
            forms.extend(changed);
        }
    }
    for index in 0..forms.len() {
        let made = forms.get(index).and_then(|form| without_authority(form));
        forms.extend(made);
    }
    forms
}

/// The text without the parts of paths that say nothing: `//` and `/./`. A `//` behind a `:` is that of a URL.
fn without_empty_parts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_empty_part = out.ends_with('/') && !out.ends_with(":/") && !out.ends_with("://");
        let skipped = match is_empty_part {
            true => rest.strip_prefix('/').or_else(|| rest.strip_prefix("./")),
            false => None,
        };
        match skipped {
            Some(left) => rest = left,
            None => {
                out.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

/// Whether a path leads where nobody can tell from here: through a process, which is another one inside of the sandbox, or
/// because it is too long to be looked up. Tools shorten what the kernel would not take.
fn leads_anywhere(path: &str) -> bool {
    path.len() > LONGEST && path.contains('/') || through_processes(path)
}

/// `/proc/NUMBER/root`, `/proc/self/cwd`, `/dev/fd/3` and their like.
fn through_processes(path: &str) -> bool {
    const LINKS_OF_PROCESSES: [&str; 5] = ["root", "cwd", "fd", "exe", "map_files"];
    let mut parts = path.split('/').skip_while(|part| *part != "proc");
    let through_proc = parts.next().is_some() && parts.any(|part| LINKS_OF_PROCESSES.contains(&part));
    through_proc || path.contains("/dev/fd/")
}

/// Whether a link is written to lead through a process.
fn leads_to_processes(link: &Path) -> bool {
    fs::read_link(link).is_ok_and(|target| through_processes(&target.to_string_lossy()))
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

/// Whose variables a text is read with: a child has those that it declares, and what keeps it quiet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variables {
    Ours,
    Childs,
}

/// The text with values for `$NAME` and `${NAME}`. One that is not set is empty, which makes another path of it.
fn with_variables(text: &str, ground: &Ground, whose: Variables) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let inner = after.strip_prefix('{').unwrap_or(after);
        let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (name, tail) = inner.split_at(end.unwrap_or(inner.len()));
        if name.is_empty() {
            out.push('$');
            rest = after;
            continue;
        }
        let quiet = || {
            let known = QUIET.iter().find(|(known, _)| *known == name);
            known.map_or("", |(_, value)| value)
        };
        let ours = ground
            .environment
            .get(OsStr::new(name))
            .and_then(|value| value.to_str());
        let value = match (name, whose) {
            ("HOME", _) => ground.home.to_str(),
            (_, Variables::Ours) => ours,
            (_, Variables::Childs) => None,
        };
        out.push_str(value.unwrap_or_else(quiet));
        rest = tail.strip_prefix('}').unwrap_or(tail);
    }
    out.push_str(rest);
    out
}

/// The text with `file:///PATH` for `file://HOST/PATH`, if it has such a URL.
fn without_authority(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let at = lower.find("file").filter(|_| lower.contains("://"))?;
    let start = at + lower.get(at..)?.find("://")? + 3;
    let (before, after) = text.split_at_checked(start)?;
    let (authority, path) = after.split_once('/')?;
    (!authority.is_empty()).then(|| format!("{before}/{path}"))
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
            let is_path = !piece.is_empty() && !piece.contains('\0');
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
        pointed.to_secret(&place.key, &place.ground.home).is_some()
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
        symlink("/proc/2/root/etc", place.ground.directory.join("sub/link")).unwrap();
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
