//! Which hosts git would talk to: those of a repository's remotes, and those that a word names itself.
//!
//! Git's settings are read as git reads them. What git might make more of than we can tell (other files that settings
//! include, transports that start programs) has no answer here, and the call then asks as one to anywhere. A host that is
//! told wrongly here opens nothing: the sandbox knows no other than these.

use std::path::{Path, PathBuf};

use argrail_spec::atip::host;

use crate::profile::git_settings;

/// How far above a directory its repository is looked for.
const MAX_CLIMB: usize = 64;
/// The most settings of one file, and remotes of one repository.
const MAX_SETTINGS: usize = 10_000;
/// Where the user's own settings stand, below the home.
const USER_FILES: [&str; 2] = [".gitconfig", ".config/git/config"];

/// The hosts of one call of git.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct GitHosts {
    /// Those of remotes that the repository has in its settings.
    pub(super) configured: Vec<String>,
    /// Those that only a word of the call names.
    pub(super) written: Vec<String>,
}

/// Returns the hosts that git reaches for `repository`, the words that name one; without any, every remote counts.
/// Nothing is returned where that cannot be told.
pub(super) fn hosts(directory: &Path, home: &Path, repository: &[&str]) -> Option<GitHosts> {
    let settings = Settings::read(directory, home)?;
    let mut found = GitHosts::default();
    for remote in &settings.remotes {
        if repository.is_empty() || repository.contains(&remote.name.as_str()) {
            for url in &remote.urls {
                found.configured.extend(settings.reached(url)?);
            }
        }
    }
    for word in repository {
        if !settings.remotes.iter().any(|remote| remote.name == *word) {
            found.written.extend(settings.reached(word)?);
        }
    }
    for hosts in [&mut found.configured, &mut found.written] {
        hosts.sort();
        hosts.dedup();
    }
    Some(found)
}

/// Returns the hosts of all remotes of the repository that a directory is in, for people. What cannot be told is left
/// out: a call that would need it asks.
pub fn remote_hosts(directory: &Path, home: &Path) -> Vec<String> {
    hosts(directory, home, &[]).unwrap_or_default().configured
}

/// What settings say about remotes.
#[derive(Debug, Default)]
struct Settings {
    remotes: Vec<Remote>,
    /// `url.BASE.insteadOf = PREFIX`: the prefix, and what stands in its place.
    rewrites: Vec<(String, String)>,
}

#[derive(Debug)]
struct Remote {
    name: String,
    urls: Vec<String>,
}

impl Settings {
    fn read(directory: &Path, home: &Path) -> Option<Self> {
        let mut all = Self::default();
        for (_, text) in repository_of(directory)? {
            all.take(&text, Whose::Repository)?;
        }
        for file in USER_FILES {
            // Where the user's own settings cannot be read, git is not led elsewhere by them either: it fails.
            if let Ok(text) = std::fs::read(home.join(file)) {
                all.take(&text, Whose::User)?;
            }
        }
        Some(all)
    }

    fn take(&mut self, text: &[u8], whose: Whose) -> Option<()> {
        for setting in settings(text)? {
            let Setting {
                section,
                part,
                key,
                value,
            } = setting;
            match (section.as_str(), key.as_str()) {
                // More settings may stand there, also about remotes. The user's own are not looked for: a remote that
                // they rewrite is one that the sandbox then refuses.
                ("include" | "includeif", _) if whose == Whose::Repository => return None,
                ("remote", "url" | "pushurl") => self.remote(part, value),
                // It names a program that fetches.
                ("remote", "vcs") => return None,
                ("url", "insteadof" | "pushinsteadof") => self.rewrites.push((value, part)),
                _ => {}
            }
        }
        Some(())
    }

    fn remote(&mut self, name: String, url: String) {
        match self.remotes.iter_mut().find(|remote| remote.name == name) {
            Some(remote) => remote.urls.push(url),
            None => self.remotes.push(Remote {
                name,
                urls: vec![url],
            }),
        }
    }

    /// The hosts that a URL leads to, as it stands and as settings rewrite it. Nothing is returned for what is no plain
    /// URL, and no host for a path of this machine.
    fn reached(&self, url: &str) -> Option<Vec<String>> {
        let mut hosts: Vec<String> = Vec::new();
        let rewritten = self.rewrites.iter().filter_map(|(prefix, base)| {
            let rest = url.strip_prefix(prefix.as_str())?;
            Some(format!("{base}{rest}"))
        });
        let rewritten: Vec<String> = rewritten.collect();
        let own = rewritten.is_empty().then(|| url.to_owned());
        for url in rewritten.into_iter().chain(own) {
            match place(&url)? {
                Place::Host(host) => hosts.push(host),
                Place::Here => {}
            }
        }
        Some(hosts)
    }
}

/// Whose settings are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Repository,
    User,
}

/// Where a URL leads.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Host(String),
    /// A path of this machine.
    Here,
}

/// Reads a URL as git does: `SCHEME://…`, `HOST:PATH`, or a path.
fn place(url: &str) -> Option<Place> {
    // `ext::command`, `HELPER::address`: a program fetches.
    if url.contains("::") && !url.contains("://") {
        return None;
    }
    if let Some((scheme, _)) = url.split_once("://") {
        return match scheme.to_ascii_lowercase().as_str() {
            "file" => Some(Place::Here),
            "https" | "http" | "git" | "ssh" | "git+ssh" | "ssh+git" => host(url).map(Place::Host),
            _ => None,
        };
    }
    let before_path = url.split('/').next().unwrap_or_default();
    match before_path.contains(':') {
        true => host(url).map(Place::Host),
        false => Some(Place::Here),
    }
}

/// The settings of the repository that a directory is in. Outside of any there are none.
fn repository_of(directory: &Path) -> Option<Vec<(PathBuf, Vec<u8>)>> {
    let mut above = directory.ancestors().take(MAX_CLIMB);
    match above.find(|directory| directory.join(".git").symlink_metadata().is_ok()) {
        Some(top) => git_settings(top, |_| true).ok(),
        None => Some(Vec::new()),
    }
}

/// One setting: `[section "part"] key = value`. Section and key are in small letters.
#[derive(Debug, PartialEq, Eq)]
struct Setting {
    section: String,
    part: String,
    key: String,
    value: String,
}

/// Reads a file of settings; nothing is returned where git would complain, or read it otherwise.
fn settings(text: &[u8]) -> Option<Vec<Setting>> {
    let text = std::str::from_utf8(text).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = Characters(text.chars().peekable());
    let (mut section, mut part) = (String::new(), String::new());
    let mut found = Vec::new();
    while let Some(first) = rest.after_blanks() {
        match first {
            '#' | ';' => rest.skip_line(),
            '[' => (section, part) = rest.header()?,
            c if c.is_ascii_alphabetic() => {
                let key = rest.word(c);
                let value = rest.value()?;
                found.push(Setting {
                    section: section.clone(),
                    part: part.clone(),
                    key,
                    value,
                });
            }
            _ => return None,
        }
        if found.len() > MAX_SETTINGS {
            return None;
        }
    }
    Some(found)
}

/// What is left of a file of settings.
struct Characters<'t>(std::iter::Peekable<std::str::Chars<'t>>);

impl Characters<'_> {
    fn next(&mut self) -> Option<char> {
        // `\r\n` is one line break.
        match self.0.next()? {
            '\r' if self.0.peek() == Some(&'\n') => self.0.next(),
            c => Some(c),
        }
    }

    fn after_blanks(&mut self) -> Option<char> {
        loop {
            let c = self.next()?;
            if !c.is_ascii_whitespace() {
                return Some(c);
            }
        }
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|c| c != '\n') {}
    }

    /// A name that began with `first`.
    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first.to_ascii_lowercase());
        while let Some(c) = self.0.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
            word.push(c.to_ascii_lowercase());
        }
        word
    }

    /// `section]`, `section "part"]` or `section.part]`.
    fn header(&mut self) -> Option<(String, String)> {
        let mut section = String::new();
        loop {
            match self.next()? {
                ']' => {
                    let (section, part) = section.split_once('.').unwrap_or((&section, ""));
                    return Some((section.to_owned(), part.to_owned()));
                }
                c if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') => {
                    section.push(c.to_ascii_lowercase())
                }
                ' ' | '\t' => break,
                _ => return None,
            }
        }
        while self.0.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        if self.next()? != '"' {
            return None;
        }
        let mut part = String::new();
        loop {
            match self.next()? {
                '"' => break,
                '\n' => return None,
                '\\' => part.push(self.next().filter(|c| *c != '\n')?),
                c => part.push(c),
            }
        }
        (self.next()? == ']').then_some((section, part))
    }

    /// ` = value` to the end of the line; without `=` it is a switch that is on.
    fn value(&mut self) -> Option<String> {
        while self.0.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        match self.next() {
            None | Some('\n') => return Some("true".to_owned()),
            Some('#' | ';') => {
                self.skip_line();
                return Some("true".to_owned());
            }
            Some('=') => {}
            Some(_) => return None,
        }
        while self.0.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        let (mut value, mut kept, mut quoted) = (String::new(), 0, false);
        loop {
            let c = match self.next() {
                None | Some('\n') if quoted => return None,
                None | Some('\n') => break,
                Some(c) => c,
            };
            match c {
                '"' => quoted = !quoted,
                '#' | ';' if !quoted => {
                    self.skip_line();
                    break;
                }
                '\\' => match self.next()? {
                    '\n' => {}
                    'n' => value.push('\n'),
                    't' => value.push('\t'),
                    'b' => value.push('\u{8}'),
                    c @ ('"' | '\\') => value.push(c),
                    _ => return None,
                },
                c => value.push(c),
            }
            // Blanks at the end of a line do not count, unless they are quoted.
            if quoted || !c.is_ascii_whitespace() {
                kept = value.len();
            }
        }
        value.truncate(kept);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<Vec<String>> {
        let settings = settings(text.as_bytes())?;
        let told = settings
            .iter()
            .map(|one| format!("{}|{}|{}|{}", one.section, one.part, one.key, one.value));
        Some(told.collect())
    }

    #[test]
    fn settings_are_read_as_git_reads_them() {
        let check = |text: &str, want: &[&str]| assert_eq!(read(text).unwrap(), want, "{text:?}");
        check("", &[]);
        check("[core]\n\tbare = false\n", &["core||bare|false"]);
        check(
            "[Remote \"Or\\\"i\"] URL = https://a.test/x ; no\n",
            &["remote|Or\"i|url|https://a.test/x"],
        );
        check("[branch.Main] remote=origin\r\n", &["branch|main|remote|origin"]);
        check(
            "[a]\nk = one \\\n two  \nswitch\n",
            &["a||k|one  two", "a||switch|true"],
        );
        check("[a]\nk = \" b # c \" # d\n", &["a||k| b # c "]);
        check("# x\n; y\n[a] # z\nk=a\\tb\\\\\n", &["a||k|a\tb\\"]);
        for odd in [
            "[a",
            "[a b]\n",
            "[a]\nk = \"x\n",
            "[a]\n=x\n",
            "[a]\nk = \\q\n",
            "[a]\nk x\n",
        ] {
            assert_eq!(read(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn a_url_leads_where_git_goes() {
        let to = |name: &str| Some(Place::Host(name.to_owned()));
        let check = |url: &str, want: Option<Place>| assert_eq!(place(url), want, "{url}");
        check("https://Git.Example/x", to("git.example"));
        check("ssh://me@git.example:22/x", to("git.example"));
        check("git@git.example:x/y.git", to("git.example"));
        check("git.example:x", to("git.example"));
        check("/srv/x.git", Some(Place::Here));
        check("../x", Some(Place::Here));
        check("./a:b", Some(Place::Here));
        check("file:///srv/x", Some(Place::Here));
        check("ext::sh -c x", None);
        check("helper::git.example", None);
        check("ftp://git.example/x", None);
        check("https://a@b@c/", None);
    }

    /// The hosts for `repository` in a repository with these settings, and of a user with those.
    fn found(config: &str, user: &str, repository: &[&str]) -> Option<GitHosts> {
        let home = Home::new().file(".git/config", config).file("sub/x", "");
        std::fs::write(home.root().join("home/.gitconfig"), user).unwrap();
        hosts(&home.work().join("sub"), &home.root().join("home"), repository)
    }

    #[test]
    fn hosts_are_those_of_the_remote_that_is_meant() {
        let two = "[remote \"origin\"]\nurl = https://a.test/x\npushurl = git@b.test:x\n[remote \"up\"]\nurl = https://c.test/x\n";
        let check = |config: &str, user: &str, words: &[&str], want: Option<(&[&str], &[&str])>| {
            let owned = |hosts: &[&str]| hosts.iter().map(|host| (*host).to_owned()).collect();
            let want = want.map(|(configured, written)| GitHosts {
                configured: owned(configured),
                written: owned(written),
            });
            assert_eq!(found(config, user, words), want, "{words:?} {user:?}");
        };
        check(two, "", &[], Some((&["a.test", "b.test", "c.test"], &[])));
        check(two, "", &["up"], Some((&["c.test"], &[])));
        check(two, "", &["https://new.test/x"], Some((&[], &["new.test"])));
        check(two, "", &["../other"], Some((&[], &[])));
        check(two, "", &["ext::sh"], None);
        let mirror = "[url \"https://m.test/\"]\ninsteadOf = https://c.test/\n";
        check(two, mirror, &["up"], Some((&["m.test"], &[])));
        check(&format!("{two}[include]\npath = more\n"), "", &["up"], None);
        check(&format!("{two}[remote \"up\"]\nvcs = hg\n"), "", &["up"], None);
        check("[x", "", &[], None);
    }

    #[test]
    fn outside_of_a_repository_only_words_name_hosts() {
        let home = Home::new();
        let found = hosts(&home.work(), home.root(), &["https://new.test/x"]).unwrap();
        assert_eq!(
            (found.configured, found.written),
            (vec![], vec!["new.test".to_owned()])
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(\\[[a-z \"\\\\.\\]]{0,8}|[a-z=\\\\ #\"]{0,8}|\n|\r\n){0,40}") {
            let _ = settings(text.as_bytes());
        }
    }
}
