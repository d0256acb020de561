//! Words inside a program's file that say which dialects it may speak. Nothing is started for this.
//!
//! A program that answers to a flag has the flag in it somewhere, or in the script behind it. A script that only hands
//! on to another is followed there, once. How much is read is bounded; a file that cannot be read has no words.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::catalog::dialect::DIALECTS;
use crate::files::untrusted::open_at_once;

/// The most that is read of one program.
const MOST: u64 = 64 << 20;
/// How much is looked at together. Every literal is looked for while the piece is near.
const PIECE: usize = 256 << 10;
/// What two pieces share, so that no word falls between them: more than the longest literal.
const OVERLAP: usize = 128;
/// How much of a script is read for what it hands on to.
const SCRIPT: u64 = 64 << 10;
/// How many files a script may hand on to.
const BEHIND: usize = 4;

/// Which literals a program holds: one bit for each attempt of each dialect, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Literals(u32);

/// What all literals begin with or hold. Looking for these few first halves the work: most programs hold none.
const MARKS: &[&str] = &["--agent", "--help-", "help --json", "schema"];
/// The same for text as .NET stores it, two bytes a letter.
const WIDE_MARK: &str = "opencli";

/// Literals that share a mark.
struct Group {
    mark: Finder<'static>,
    /// The bit of each attempt, and its literal.
    literals: Vec<(u32, Finder<'static>)>,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let attempts = DIALECTS.iter().flat_map(|dialect| dialect.attempts);
    let literals: Vec<(u32, &str)> = attempts
        .enumerate()
        .map(|(index, attempt)| (1_u32 << index.min(31), attempt.literal))
        .collect();
    let group = |mark: &str, code: fn(&str) -> Vec<u8>| Group {
        mark: Finder::new(&code(mark)).into_owned(),
        literals: literals
            .iter()
            .filter(|(_, literal)| literal.contains(mark))
            .map(|(bit, literal)| (*bit, Finder::new(&code(literal)).into_owned()))
            .collect(),
    };
    let narrow = |text: &str| text.as_bytes().to_vec();
    let wide = |text: &str| text.bytes().flat_map(|byte| [byte, 0]).collect();
    let groups = MARKS.iter().map(|mark| group(mark, narrow));
    groups.chain([group(WIDE_MARK, wide)]).collect()
});

impl Literals {
    /// Returns what was written by [`Literals::bits`].
    pub fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns a number to remember.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the literal of this attempt is there, by its place among all attempts of all dialects.
    pub fn has(self, attempt: usize) -> bool {
        u32::try_from(attempt).is_ok_and(|attempt| self.0.checked_shr(attempt).unwrap_or(0) & 1 == 1)
    }

    /// Looks into the file at `path`, and what it hands on to.
    pub fn of_file(path: &Path) -> Self {
        let mut literals = Self::default();
        let Some(head) = literals.read(path) else {
            return literals;
        };
        for behind in handed_to(&head, path) {
            literals.read(&behind);
        }
        literals
    }

    /// Reads one file; returns its beginning if it is a script.
    fn read(&mut self, path: &Path) -> Option<Vec<u8>> {
        let file = open_at_once(path).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        self.search(file)
    }

    fn note(&mut self, piece: &[u8]) {
        for group in GROUPS.iter() {
            let open = |bit: u32| self.0 & bit == 0;
            if !group.literals.iter().any(|(bit, _)| open(*bit)) || group.mark.find(piece).is_none() {
                continue;
            }
            for (bit, literal) in &group.literals {
                if self.0 & bit == 0 && literal.find(piece).is_some() {
                    self.0 |= bit;
                }
            }
        }
    }

    fn search(&mut self, file: File) -> Option<Vec<u8>> {
        let mut rest = file.take(MOST);
        let mut buffer = vec![0; OVERLAP + PIECE];
        let mut kept = 0;
        let mut head = None;
        loop {
            let mut filled = kept;
            while let Some(space) = buffer.get_mut(filled..).filter(|space| !space.is_empty()) {
                match rest.read(space) {
                    Ok(0) => break,
                    Ok(count) => filled += count,
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(_) => return head,
                }
            }
            let piece = buffer.get(..filled).unwrap_or_default();
            if head.is_none() && kept == 0 && piece.starts_with(b"#!") {
                let most = usize::try_from(SCRIPT).unwrap_or(usize::MAX);
                head = Some(piece.get(..most.min(filled)).unwrap_or_default().to_vec());
            }
            if filled <= kept {
                return head;
            }
            self.note(piece);
            kept = OVERLAP.min(filled);
            buffer.copy_within(filled - kept..filled, 0);
        }
    }
}

/// The files that a script hands on to: absolute paths, and paths beside the script, in lines that start a program.
fn handed_to(script: &[u8], path: &Path) -> Vec<PathBuf> {
    let Ok(real) = path.canonicalize() else {
        return Vec::new();
    };
    let beside = real.parent().unwrap_or(Path::new("/"));
    let text = String::from_utf8_lossy(script);
    let mut found: Vec<PathBuf> = Vec::new();
    for line in text
        .lines()
        .skip(1)
        .map(str::trim_start)
        .filter(|line| starts_a_program(line))
    {
        for word in line.split(['"', '\'', ' ', '\t', ';']) {
            let file = named(word, beside).filter(|file| file.is_file() && *file != real);
            if let Some(file) = file.filter(|file| !found.contains(file)) {
                found.push(file);
            }
            if found.len() >= BEHIND {
                return found;
            }
        }
    }
    found
}

fn starts_a_program(line: &str) -> bool {
    line.starts_with("exec ")
        || line.contains("\"$@\"")
        || line.starts_with("require(")
        || line.starts_with("import ")
}

/// Reads a word of a script as a path, with the usual ways of saying "beside me".
fn named(word: &str, beside: &Path) -> Option<PathBuf> {
    const HERE: &[&str] = &[
        "$basedir/",
        "${basedir}/",
        "$DIR/",
        "${DIR}/",
        "$dir/",
        "$here/",
        "${0%/*}/",
        "./",
        "../",
    ];
    if word.starts_with('/') {
        return Some(PathBuf::from(word));
    }
    let here = HERE.iter().find(|here| word.starts_with(**here))?;
    let rest = match *here {
        "../" => word,
        here => word.strip_prefix(here)?,
    };
    (!rest.is_empty()).then(|| beside.join(rest))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    /// The literals of a file, by name.
    fn words(path: &Path) -> Vec<&'static str> {
        let found = Literals::of_file(path);
        let all = DIALECTS.iter().flat_map(|dialect| dialect.attempts).enumerate();
        all.filter(|(index, _)| found.has(*index))
            .map(|(_, attempt)| attempt.literal)
            .collect()
    }

    #[test]
    fn every_literal_has_a_mark() {
        for attempt in DIALECTS.iter().flat_map(|dialect| dialect.attempts) {
            let marked = MARKS.iter().any(|mark| attempt.literal.contains(mark));
            assert!(marked, "{}", attempt.literal);
            assert!(2 * attempt.literal.len() < OVERLAP);
        }
    }

    #[test]
    fn literals_are_found_wherever_they_stand() {
        let home = Home::new();
        let file = home.root().join("file");
        let check = |content: &[u8], want: &[&str]| {
            fs::write(&file, content).unwrap();
            assert_eq!(words(&file), want, "{} bytes", content.len());
        };
        check(b"", &[]);
        check(b"\x7fELF nothing", &[]);
        check(b"\x7fELF\0--agent\0", &["--agent"]);
        check(b"--help-agents", &["--help-agent", "--help-agents"]);
        check(b"usage: x help --json\n", &["help --json"]);
        let wide: Vec<u8> = "--help-dump-opencli".bytes().flat_map(|byte| [byte, 0]).collect();
        check(&wide, &["--help-dump-opencli"]);
        // On every border of two pieces.
        for border in [PIECE, PIECE + OVERLAP, 2 * PIECE + OVERLAP] {
            for shift in 0..9 {
                let mut content = vec![b'x'; border - shift];
                content.extend_from_slice(b"--agent");
                content.extend_from_slice(&[b'x'; 300]);
                check(&content, &["--agent"]);
            }
        }
        assert_eq!(words(&home.root().join("gone")), [""; 0]);
        assert_eq!(words(home.root()), [""; 0]);
    }

    #[test]
    fn a_script_is_followed_to_what_it_starts() {
        let home = Home::new();
        let root = home.root();
        fs::create_dir_all(root.join("lib")).unwrap();
        fs::create_dir_all(root.join("cmd")).unwrap();
        fs::write(root.join("lib/real.js"), "if (x == '--agent') {}").unwrap();
        let absolute = format!(
            "#!/bin/sh\nexec \"{}\" \"$@\"\n",
            root.join("lib/real.js").display()
        );
        for (name, script) in [
            ("absolute", absolute.as_str()),
            (
                "shim",
                "#!/bin/sh\nexec node \"$basedir/../lib/real.js\" \"$@\"\n",
            ),
            ("node", "#!/usr/bin/env node\nrequire('../lib/real.js')\n"),
        ] {
            fs::write(root.join("cmd").join(name), script).unwrap();
            assert_eq!(words(&root.join("cmd").join(name)), ["--agent"], "{name}");
        }
        // Through a link, "beside" is where the script really is.
        symlink("cmd/node", root.join("link")).unwrap();
        assert_eq!(words(&root.join("link")), ["--agent"]);
        // Itself, a directory or something that is not there is nothing to follow.
        let own = root.join("cmd/own");
        fs::write(
            &own,
            format!(
                "#!/bin/sh\nexec {} /dev/zero /nowhere/x {}\n",
                own.display(),
                root.display()
            ),
        )
        .unwrap();
        assert_eq!(words(&own), [""; 0]);
    }
}
