//! Values that an answer must not hold: credentials that the tool was given, and those in files that it may read.
//!
//! A tool that reads its own settings can be made to print them in more ways than any description lists. So what looks
//! like a credential in those files, by the name that it has there, is taken out of whatever the tool prints.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use argrail_spec::atip::Invoked;

use crate::catalog::file::open_at_once;
use crate::policy::{Basis, Facts};

/// The most of one file, the most files of a directory, and the most values.
const MOST: u64 = 256 * 1024;
const FILES: usize = 32;
const VALUES: usize = 256;
/// What is shorter is no credential.
const SHORTEST: usize = 6;
/// Names of fields that hold credentials contain one of these.
const NAMES: [&str; 9] = [
    "token",
    "secret",
    "passw",
    "pass",
    "oauth",
    "key-data",
    "credential",
    "apikey",
    "api_key",
];

/// Returns the credentials in files outside of the workspace that the call may read.
pub(super) fn in_files(facts: &Facts, home: &Path) -> Vec<String> {
    let mut values = Vec::new();
    for path in files(facts, home) {
        let Ok(meta) = path.metadata() else { continue };
        if meta.is_file() {
            values.extend(read(&path));
        } else if meta.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            values.extend(entries.take(FILES).flat_map(|entry| read(&entry.path())));
        }
    }
    values.truncate(VALUES);
    values
}

fn files(facts: &Facts, home: &Path) -> Vec<PathBuf> {
    let named = |invoked: &Invoked| -> Vec<String> {
        let methods = invoked.authentication.iter().flat_map(|wanted| &wanted.methods);
        let settings = methods.filter_map(|method| method.config_path.clone());
        let keys = ["x-reads", "x-secrets"].into_iter();
        let reads = keys.filter_map(|key| invoked.effects.extra.get(key)?.as_array());
        let reads = reads
            .flatten()
            .filter_map(|path| path.as_str().map(str::to_owned));
        settings.chain(reads).collect()
    };
    // Nothing outside of the workspace is opened on a tool's own word, so there is nothing to look for.
    let own = match facts.basis {
        Basis::Settled => named(&facts.invoked),
        Basis::Claimed | Basis::Undescribed => Vec::new(),
    };
    let own = own.into_iter();
    let own = own.filter_map(|path| match path.strip_prefix("~/") {
        Some(rest) => Some(home.join(rest)),
        None => path.starts_with('/').then(|| PathBuf::from(path)),
    });
    own.chain(facts.inner.iter().flat_map(|inner| files(inner, home)))
        .collect()
}

fn read(path: &Path) -> Vec<String> {
    let mut text = Vec::new();
    let is_file = path.metadata().is_ok_and(|meta| meta.is_file() && meta.len() > 0);
    let opened = is_file.then(|| open(path)).flatten();
    let whole = opened.is_some_and(|file| file.take(MOST).read_to_end(&mut text).is_ok());
    if whole {
        named(&String::from_utf8_lossy(&text))
    } else {
        Vec::new()
    }
}

/// Opens a file that nobody has to be waited for: what the kernel makes up has no size and holds no settings.
fn open(path: &Path) -> Option<File> {
    if ["/proc", "/sys", "/dev"]
        .iter()
        .any(|base| path.starts_with(base))
    {
        return None;
    }
    open_at_once(path).ok()
}

/// The values of fields whose names sound like credentials: `token: x`, `"oauth_token": "x"`, `smtppass = x`.
fn named(text: &str) -> Vec<String> {
    let mut values = Vec::new();
    for line in text.lines() {
        let Some((name, value)) = line.split_once([':', '=']) else {
            continue;
        };
        let name = name.to_ascii_lowercase();
        if !NAMES.iter().any(|known| name.contains(known)) {
            continue;
        }
        let value = value.trim().trim_end_matches([',', '}', ']']);
        let value = value.trim_matches(['"', '\'', ' ']);
        if value.len() >= SHORTEST {
            values.push(value.to_owned());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_known_by_the_names_they_have() {
        let check = |text: &str, want: &[&str]| assert_eq!(named(text), want, "{text}");
        check("    token: abcdef123\n    user: someone-else", &["abcdef123"]);
        check("{\"oauth_token\": \"gho_x1y2z3\",", &["gho_x1y2z3"]);
        check(
            "[sendemail]\n\tsmtppass = hunter2plain\n\tsmtpuser = me",
            &["hunter2plain"],
        );
        check("client-key-data: QUJDREVGRw==", &["QUJDREVGRw=="]);
        check("password = abc", &[]); // too short to be told from a word
        check("path: /usr/bin\nkey: value-of-it", &[]);
    }
}
