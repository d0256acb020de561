//! Every path that the words of a call may name.
//!
//! Any word may, whatever it is described as, and so may a part of one: what stands behind `=` or `@`, the items of a
//! list, the rest of `-fNAME`, and in a text that something may execute, every word of it. Options may lead elsewhere
//! (`env -C DIR`, `make -C DIR`, `cd DIR` in a text), so every word is looked up in the directories that they name, too. On
//! doubt there is one path more, which costs a look.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use argrail_acli::{Error, Text};
use argrail_spec::atip::{Invoked, Why};

use super::text_words::words_in;
use crate::policy::{Danger, Facts, tidy};

/// The most words and parts of words.
const WORDS: usize = 4096;
/// The most directories that words are looked up in, and the most looks.
const DIRECTORIES: usize = 256;
const LOOKS: usize = 1 << 17;
/// The most words of texts, and the most directories among them that words are looked up in.
const TEXT_WORDS: usize = 8192;
const TEXT_DIRECTORIES: usize = 8;
/// The most items of a list.
const ITEMS: usize = 64;
/// The most bytes of a path.
const PATH: usize = 4096;

/// A path that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedPath {
    /// Absolute, as it is written.
    pub(super) path: PathBuf,
    /// What names it.
    pub(super) by: By,
}

/// What names a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// A word or value of its own, in the directory of the call.
    Word,
    /// Part of one, or one in another directory.
    Chance,
}

/// Returns the paths that a call which starts in `directory` may name, each once.
///
/// # Errors
/// When there are too many for anybody to agree to.
pub(super) fn named_paths(facts: &Facts, directory: &Path, home: &Path) -> Result<Vec<NamedPath>, Error> {
    let mut in_texts = HashSet::new();
    texts_of(facts, &mut in_texts);
    if in_texts.len() > TEXT_WORDS {
        let what =
            Text::new("the texts of this call have more than {} words, and nobody can be asked about them");
        return Err(Error::invalid(
            what.number(TEXT_WORDS),
            "Put the text into a file, and name the file",
        ));
    }
    let mut words = Words::default();
    words.gather(facts);
    if words.whole.len() + words.parts.len() > WORDS {
        let what = Text::new("this call has {} words, and nobody can be asked about more than {}");
        let count = words.whole.len() + words.parts.len();
        return Err(too_many(what.number(count).number(WORDS)));
    }
    let mut directories = words.directories(directory, home)?;
    words.in_texts(&in_texts);
    directories.extend(words.directories_in_texts(directory, home, &directories));
    let all = || {
        words
            .whole
            .iter()
            .chain(&words.parts)
            .chain(&words.texts)
            .copied()
    };
    if all().count().saturating_mul(directories.len()) > LOOKS {
        let what = Text::new("the words of this call may name more than {} files").number(LOOKS);
        return Err(too_many(what));
    }
    let mut seen = HashSet::new();
    let mut paths = Vec::new();
    let mut put = |path: Option<PathBuf>, by| {
        let new = path.filter(|path| seen.insert(path.clone()));
        paths.extend(new.map(|path| NamedPath { path, by }));
    };
    for word in &words.whole {
        put(place(word, directory, home), By::Word);
    }
    for word in all() {
        for directory in &directories {
            put(place(word, directory, home), By::Chance);
            // Few tools take a tilde for a home.
            put(below(word, directory), By::Chance);
        }
    }
    Ok(paths)
}

fn too_many(what: Text) -> Error {
    Error::invalid(what, "Make several calls of it")
}

/// Where a word leads, if it may be a path.
pub(super) fn place(word: &str, directory: &Path, home: &Path) -> Option<PathBuf> {
    match word.strip_prefix("~/") {
        Some(rest) => below(rest, home),
        None => below(word, directory),
    }
}

/// The path as the kernel takes it: behind a link, `..` is not what stands before it.
fn below(word: &str, directory: &Path) -> Option<PathBuf> {
    if word.is_empty() || word.len() > PATH || word.contains('\0') {
        return None;
    }
    let path = directory.join(word);
    let climbs = Path::new(word)
        .components()
        .any(|part| part == Component::ParentDir);
    Some(if climbs { path } else { tidy(&path) })
}

/// Words and values of one command.
pub(super) fn texts(invoked: &Invoked) -> impl Iterator<Item = &str> {
    let words = invoked.words.iter().map(|word| &word.text);
    let values = invoked.options.iter().flat_map(|option| &option.values);
    let unverified = invoked.unverified.iter().map(|word| &word.text);
    words.chain(values).chain(unverified).map(String::as_str)
}

/// The texts that may name a path.
#[derive(Debug, Default)]
struct Words<'f> {
    /// Words and values.
    whole: Vec<&'f str>,
    /// Parts of them.
    parts: Vec<&'f str>,
    /// Those that may lead the others elsewhere.
    leading: Vec<&'f str>,
    /// Words inside texts that something may execute, and parts of them.
    texts: Vec<&'f str>,
}

/// Gathers the words of all texts of a call that something may execute: nobody has read what they do.
fn texts_of(facts: &Facts, out: &mut HashSet<String>) {
    if facts.own_dangers().contains(&Danger::Unread) {
        texts(&facts.invoked).for_each(|text| words_in(text, out));
    }
    facts.inner.iter().for_each(|inner| texts_of(inner, out));
}

impl<'f> Words<'f> {
    fn gather(&mut self, facts: &'f Facts) {
        let invoked = &facts.invoked;
        for text in texts(invoked) {
            self.whole.push(text);
            parts(text, &mut self.parts);
        }
        let values = invoked.options.iter().flat_map(|option| &option.values);
        let unverified = invoked.unverified.iter().filter(|word| match word.why {
            Why::UnknownOption | Why::UnknownWord | Why::Variable => true,
            Why::ResponseFile | Why::Input => false,
        });
        let unverified = unverified.map(|word| &word.text);
        for text in values.chain(unverified) {
            self.leading.push(text);
            parts(text, &mut self.leading);
        }
        for inner in &facts.inner {
            self.gather(inner);
        }
    }

    fn in_texts(&mut self, words: &'f HashSet<String>) {
        for word in words {
            self.texts.push(word);
            parts(word, &mut self.texts);
        }
        // In an order of their own, so that the same call asks the same question.
        self.texts.sort_unstable();
        self.texts.dedup();
    }

    /// Directories that stand in texts, beside those that are known.
    fn directories_in_texts(&self, directory: &Path, home: &Path, known: &[PathBuf]) -> Vec<PathBuf> {
        let mut real: HashSet<PathBuf> = known.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let places = self.texts.iter().filter_map(|word| place(word, directory, home));
        let leading = places.filter(|path| {
            let leads = path.canonicalize().ok().filter(|real| real.is_dir());
            leads.is_some_and(|leads| real.insert(leads))
        });
        leading.take(TEXT_DIRECTORIES).collect()
    }

    /// The directory of the call, and those that its options lead to, also one from another.
    fn directories(&self, directory: &Path, home: &Path) -> Result<Vec<PathBuf>, Error> {
        let mut found = vec![directory.to_owned()];
        let mut real: HashSet<PathBuf> = directory.canonicalize().into_iter().collect();
        let mut at = 0;
        while let Some(from) = found.get(at).cloned() {
            at += 1;
            for path in self.leading.iter().filter_map(|word| place(word, &from, home)) {
                let leads = path.canonicalize().ok().filter(|real| real.is_dir());
                if leads.is_some_and(|leads| real.insert(leads)) {
                    found.push(path);
                }
            }
            if found.len() > DIRECTORIES {
                let what = Text::new("the options of this call name more than {} directories");
                return Err(too_many(what.number(DIRECTORIES)));
            }
        }
        Ok(found)
    }
}

/// What else of a text may be a name: `--data=@f`, `field=@f;type=x`, `file:///f`, `a:b`, `-ff`.
fn parts<'t>(text: &'t str, out: &mut Vec<&'t str>) {
    let mut put = |item: &'t str| {
        let value = item.split_once('=').map(|(_, value)| value);
        for part in std::iter::once(item).chain(value) {
            out.extend((part.len() < text.len()).then_some(part));
            out.extend(part.strip_prefix(['@', '<', '>']));
            out.extend(part.strip_prefix("file://"));
        }
    };
    put(text);
    if text.contains([',', ';', ':']) && !text.contains("://") {
        text.split([',', ';', ':']).take(ITEMS).for_each(&mut put);
        let value = text.split_once('=').map(|(_, value)| value);
        let items = value.into_iter().flat_map(|value| value.split([',', ';', ':']));
        items.take(ITEMS).for_each(&mut put);
    }
    let attached = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    if let Some(rest) = attached {
        let mut rest = rest.chars();
        rest.next();
        put(rest.as_str());
    }
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;
    use serde_json::json;

    use super::*;
    use crate::policy::tests::input::facts;

    fn named(call: &serde_json::Value, directory: &Path) -> Vec<String> {
        let paths = named_paths(&facts(call), directory, Path::new("/place/ann")).unwrap();
        let text = |path: NamedPath| path.path.to_string_lossy().into_owned();
        paths.into_iter().map(text).collect()
    }

    #[test]
    fn a_path_is_found_in_whatever_stands_around_it() {
        let check = |word: &str, want: &str| {
            let names = named(&json!({"tool": "x", "words": [word]}), Path::new("/srv/desk"));
            assert!(names.iter().any(|name| name == want), "{word}: {names:?}");
        };
        check("a.sh", "/srv/desk/a.sh");
        check("./d//a.sh", "/srv/desk/d/a.sh");
        check("@a.sh", "/srv/desk/a.sh");
        check("f=a.sh", "/srv/desk/a.sh");
        check("f=@a.sh;type=text", "/srv/desk/a.sh");
        check("file:///etc/x", "/etc/x");
        check("src:dst", "/srv/desk/dst");
        check("type=bind,src=/etc/x", "/etc/x");
        check("-fa.sh", "/srv/desk/a.sh");
        check("~/a", "/place/ann/a");
        check("~/a", "/srv/desk/~/a");
        // As the kernel takes it.
        check("link/../a", "/srv/desk/link/../a");
    }

    #[test]
    fn a_path_is_found_in_a_text_that_something_may_execute() {
        let home = Home::new();
        let work = home.work();
        std::fs::create_dir_all(work.join("sub")).unwrap();
        let unread = json!({"idempotent": false, "x-runs": "workspace-code", "x-exec": "any"});
        let check = |call: &serde_json::Value, want: &str| {
            let want = work.join(want).to_string_lossy().into_owned();
            let names = named(call, &work);
            assert!(names.contains(&want), "{call}: {want} is not in {names:?}");
        };
        for text in [
            "sh w.sh",
            "true;sh<w.sh",
            "python3 -c \"open('w.sh')\"",
            "curl -d @w.sh x",
            "dd if=w.sh",
        ] {
            let given = json!([{"spellings": ["-c"], "values": [text]}]);
            let sh = json!({"tool": "sh", "options": given, "effects": unread});
            check(&sh, "w.sh");
            check(
                &json!({"tool": "env", "effects": {"idempotent": true}, "inner": [sh]}),
                "w.sh",
            );
            let raised = json!([{"by": "-S", "effects": {"x-exec": "any"}}]);
            let by_flag =
                json!({"tool": "env", "options": given, "effects": {"idempotent": true}, "raised": raised});
            check(&by_flag, "w.sh");
            check(
                &json!({"tool": "x", "basis": "undescribed", "words": [text]}),
                "w.sh",
            );
        }
        let given = json!([{"spellings": ["-c"], "values": ["cd sub && sh w.sh"]}]);
        check(
            &json!({"tool": "sh", "options": given, "effects": unread}),
            "sub/w.sh",
        );
        // What only describes is not looked through: it may say anything.
        let message = json!({"tool": "git", "words": ["fix w.sh"], "effects": {"idempotent": false}});
        let names = named(&message, &work);
        assert!(!names.iter().any(|name| name.ends_with("/w.sh")), "{names:?}");
    }

    #[test]
    fn words_are_looked_up_where_options_lead() {
        let home = Home::new();
        let work = home.work();
        std::fs::create_dir_all(work.join("a/b")).unwrap();
        let call = json!({
            "tool": "env", "options": [{"spellings": ["-C"], "values": ["a"]}],
            "inner": [{
                "tool": "make", "options": [{"spellings": ["-C"], "values": ["b"]}], "words": ["x.mk"],
            }],
        });
        let names = named(&call, &work);
        for want in ["x.mk", "a/x.mk", "a/b/x.mk"] {
            let want = work.join(want).to_string_lossy().into_owned();
            assert!(names.contains(&want), "{want}: {names:?}");
        }
    }

    #[test]
    fn what_nobody_could_look_through_is_refused() {
        let words: Vec<String> = (0..=WORDS).map(|word| word.to_string()).collect();
        let call = facts(&json!({"tool": "x", "words": words}));
        assert!(named_paths(&call, Path::new("/srv"), Path::new("/")).is_err());
        let text: Vec<String> = (0..=TEXT_WORDS).map(|word| format!("w{word}")).collect();
        let call = facts(&json!({"tool": "x", "basis": "undescribed", "words": [text.join(" ")]}));
        assert!(named_paths(&call, Path::new("/srv"), Path::new("/")).is_err());
        let climbs = json!({"tool": "x", "options": [{"spellings": ["-C"], "values": ["..", "."]}]});
        assert!(named(&climbs, Path::new("/usr/share")).len() < 64);
    }
}
