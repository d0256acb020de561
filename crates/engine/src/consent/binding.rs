//! What a yes holds for: a hash of everything that decides what happens when the call runs.
//!
//! Every field has a name and its length in front of it, so that no two calls read the same. Values of variables are
//! not in it, and neither is anything secret beside the words themselves. Because of those it is kept and recorded only
//! as a keyed hash of it ([`Chain::binding_hash`](crate::audit::Chain::binding_hash)).

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use argrail_spec::digest::{Digest, FieldHasher};

use super::named_files::{Found, NamedFiles};

/// Tells our hashes from those of other programs, and of other versions of this list.
const DOMAIN: &str = "argrail approval 2";

/// A call that is fixed, as far as an answer holds for it.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    /// Who asks.
    pub(crate) caller: String,
    /// What whoever started the process allows it.
    pub(crate) delegation: Option<Digest>,
    /// The words that run, the program first.
    pub(crate) argv: Vec<OsString>,
    /// Where they run.
    pub(crate) directory: PathBuf,
    /// The file that is started.
    pub(crate) program: Option<PathBuf>,
    /// The files of the commands inside it, as far as they are known.
    pub(crate) inside: Vec<PathBuf>,
    /// Files that stand among the words.
    pub(crate) files: NamedFiles,
    /// What it reads.
    pub(crate) stdin: Digest,
    /// Names of the variables that it gets.
    pub(crate) variables: Vec<String>,
    /// What it runs in.
    pub(crate) profile: Digest,
    /// What it was judged by.
    pub(crate) rules: Digest,
}

impl Bound {
    /// Returns it with the files as they are now.
    pub(crate) fn now(&self) -> Self {
        Self {
            files: self.files.now(),
            ..self.clone()
        }
    }

    /// Returns the hash, in hexadecimal digits. `digest` says what the program is now.
    pub(crate) fn hash(&self, digest: impl Fn(&Path) -> Option<Digest>) -> String {
        let mut hash = FieldHasher::default();
        hash.put("domain", DOMAIN);
        hash.put("caller", &self.caller);
        hash.put("delegation", optional(self.delegation));
        hash.list("argv", self.argv.iter().map(|word| word.as_bytes()));
        hash.put("directory", self.directory.as_os_str().as_bytes());
        // A link on the way there can be made to lead elsewhere.
        hash.put("real directory", real(&self.directory));
        let program = self.program.as_deref();
        hash.put(
            "program",
            program.map_or(&b""[..], |path| path.as_os_str().as_bytes()),
        );
        hash.put("program digest", optional(program.and_then(&digest)));
        for path in &self.inside {
            hash.put("program inside", path.as_os_str().as_bytes());
            hash.put("program digest", optional(digest(path)));
        }
        for file in self.files.iter() {
            hash.put("file", file.path.as_os_str().as_bytes());
            hash.put("content", found(&file.found));
        }
        hash.put("stdin", self.stdin.to_string());
        hash.list("variables", self.variables.iter().map(String::as_bytes));
        hash.put("profile", self.profile.to_string());
        hash.put("rules", self.rules.to_string());
        hash.finish().hex()
    }
}

fn real(path: &Path) -> Vec<u8> {
    let real = path.canonicalize().ok();
    real.map_or_else(Vec::new, |real| real.into_os_string().into_encoded_bytes())
}

fn optional(digest: Option<Digest>) -> String {
    digest.map_or_else(String::new, |digest| digest.to_string())
}

fn found(found: &Found) -> String {
    match found {
        Found::Absent => "absent".to_owned(),
        Found::Directory(real) => format!("directory {real:?}"),
        Found::Special => "special".to_owned(),
        Found::File { digest, .. } => digest.to_string(),
        // The bytes are too many, or not ours to read: which file it is, and when it changed.
        Found::Unread(identity) => format!("{identity:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound() -> Bound {
        Bound {
            caller: "local:it".to_owned(),
            delegation: None,
            argv: ["/usr/bin/cp", "a", "b"].map(OsString::from).to_vec(),
            directory: "/srv/desk".into(),
            program: Some("/usr/bin/cp".into()),
            inside: Vec::new(),
            files: NamedFiles::default(),
            stdin: Digest::of(""),
            variables: vec!["LANG".to_owned()],
            profile: Digest::of("profile"),
            rules: Digest::of("rules"),
        }
    }

    #[test]
    fn every_part_counts() {
        let cp = |_: &Path| Some(Digest::of("cp"));
        let first = bound().hash(cp);
        assert_eq!((first.len(), &first), (64, &bound().hash(cp)));
        assert_ne!(first, bound().hash(|_| Some(Digest::of("another"))));
        assert_ne!(first, bound().hash(|_| None));
        type Change = fn(&mut Bound);
        let changes: [Change; 11] = [
            |bound| bound.caller.push('x'),
            |bound| bound.delegation = Some(Digest::of("lead")),
            |bound| bound.argv.push("c".into()),
            |bound| bound.argv = ["/usr/bin/cp", "ab", ""].map(OsString::from).to_vec(),
            |bound| bound.directory = "/srv".into(),
            |bound| bound.program = None,
            |bound| bound.inside = vec!["/usr/bin/ls".into()],
            |bound| bound.stdin = Digest::of("x"),
            |bound| bound.variables.push("TZ".to_owned()),
            |bound| bound.profile = Digest::of("other"),
            |bound| bound.rules = Digest::of("other"),
        ];
        let mut seen = vec![first];
        for change in changes {
            let mut other = bound();
            change(&mut other);
            let hash = other.hash(cp);
            assert!(!seen.contains(&hash), "{other:?}");
            seen.push(hash);
        }
    }
}
