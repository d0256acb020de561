//! Git's settings as text: which directories of hooks, and which further files, they name.
//!
//! Read as git reads them (config.c), to the letter: a line that is misread here would be a hook that is not protected.
//! Conditions of `includeIf` are taken to hold, and every value counts, not only the last.

/// What a file of settings names. Texts as they stand there, of any encoding.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct NamedPaths {
    /// The values of `core.hooksPath`.
    pub(super) hooks: Vec<Vec<u8>>,
    /// The values of `include.path` and `includeIf.….path`.
    pub(super) includes: Vec<Vec<u8>>,
    /// Whether a value names a program that git starts, or may: whoever takes in other files may.
    pub(super) starts_programs: bool,
}

/// Keys whose value is a program, or leads to some, in whatever section they stand.
const PROGRAM_KEYS: &[&[u8]] = &[
    b"alternaterefscommand",
    b"askpass",
    b"cccmd",
    b"clean",
    b"cmd",
    b"command",
    b"defaultkeycommand",
    b"difffilter",
    b"driver",
    b"editor",
    b"external",
    b"fsmonitor",
    b"gitproxy",
    b"headercmd",
    b"helper",
    b"hookspath",
    b"httpd",
    b"packobjectshook",
    b"pager",
    b"process",
    b"program",
    b"receivepack",
    b"sendmailcmd",
    b"smtpserver",
    b"smudge",
    b"sshcommand",
    b"templatedir",
    b"textconv",
    b"tocmd",
    b"tunnel",
    b"uploadpack",
    b"vcs",
];

/// Whether git may start a program because of a setting.
fn is_program(section: ConfigSection, key: &[u8], value: &[u8]) -> bool {
    const BOOLEAN_WORDS: [&[u8]; 8] = [b"true", b"false", b"yes", b"no", b"on", b"off", b"0", b"1"];
    // These two are a program or a truth value.
    let is_truth = (section == ConfigSection::Pager || key == b"fsmonitor")
        && BOOLEAN_WORDS.iter().any(|word| value.eq_ignore_ascii_case(word));
    let is_key = match section {
        // Each of its keys is the name of a command.
        ConfigSection::Pager => true,
        ConfigSection::Path | ConfigSection::Include if key == b"path" => true,
        ConfigSection::Core | ConfigSection::Include | ConfigSection::Path | ConfigSection::Other => {
            PROGRAM_KEYS.contains(&key)
        }
    };
    // Aliases and updates of submodules begin so, and what an address has git start.
    (is_key && !is_truth && !value.is_empty()) || value.starts_with(b"!") || value.starts_with(b"ext::")
}

/// Text that git does not take for settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnreadableSettings;

/// Reads a file of settings.
pub(super) fn read(text: &[u8]) -> Result<NamedPaths, UnreadableSettings> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let mut source = SettingsText { text, at: 0 };
    let mut named = NamedPaths::default();
    let mut section = ConfigSection::Other;
    while let Some(byte) = source.next() {
        match byte {
            b'#' | b';' => source.skip_line(),
            b'[' => section = source.section()?,
            byte if is_space(byte) => {}
            byte if byte.is_ascii_alphabetic() => {
                source.back();
                let (key, value) = source.setting()?;
                named.starts_programs |= value
                    .as_deref()
                    .is_some_and(|value| is_program(section, &key, value));
                match (section, key.as_slice()) {
                    (ConfigSection::Core, b"hookspath") => named.hooks.extend(value),
                    (ConfigSection::Include, b"path") => named.includes.extend(value),
                    (
                        ConfigSection::Core
                        | ConfigSection::Include
                        | ConfigSection::Pager
                        | ConfigSection::Path
                        | ConfigSection::Other,
                        _,
                    ) => {}
                }
            }
            _ => return Err(UnreadableSettings),
        }
    }
    Ok(named)
}

/// What git takes for a space, here. Other characters that look like one are part of a name.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The section that a setting stands in, as far as it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConfigSection {
    Core,
    /// `include`, and `includeIf` with any condition.
    Include,
    /// `pager`.
    Pager,
    /// One where `path` leads to a program: tools and browsers.
    Path,
    Other,
}

/// The text, byte by byte. The end of a line is one byte, however it is written.
struct SettingsText<'t> {
    text: &'t [u8],
    at: usize,
}

impl SettingsText<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        if byte == b'\r' && self.text.get(self.at) == Some(&b'\n') {
            self.at += 1;
            return Some(b'\n');
        }
        Some(byte)
    }

    /// Gives the last byte back. Never called behind the end of a line.
    fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|byte| byte != b'\n') {}
    }

    /// Reads a header behind its bracket: `name]`, `name.part]` or `name "part"]`.
    fn section(&mut self) -> Result<ConfigSection, UnreadableSettings> {
        let mut name = Vec::new();
        let subsection = loop {
            match self.next().ok_or(UnreadableSettings)? {
                b']' => break None,
                byte if is_space(byte) => break Some(self.subsection(byte)?),
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') => {
                    name.push(byte.to_ascii_lowercase());
                }
                _ => return Err(UnreadableSettings),
            }
        };
        let subsection = subsection.is_some() || name.contains(&b'.');
        let first = name.split(|byte| *byte == b'.').next().unwrap_or_default();
        Ok(match (first, subsection) {
            (b"core", false) => ConfigSection::Core,
            (b"include", false) | (b"includeif", true) => ConfigSection::Include,
            (b"pager", _) => ConfigSection::Pager,
            (b"browser" | b"difftool" | b"lfs" | b"man" | b"mergetool", _) => ConfigSection::Path,
            _ => ConfigSection::Other,
        })
    }

    /// Reads what stands behind a space in a header.
    fn subsection(&mut self, space: u8) -> Result<(), UnreadableSettings> {
        let mut byte = space;
        while is_space(byte) && byte != b'\n' {
            byte = self.next().ok_or(UnreadableSettings)?;
        }
        if byte != b'"' {
            return Err(UnreadableSettings);
        }
        loop {
            match self.next().ok_or(UnreadableSettings)? {
                b'\n' => return Err(UnreadableSettings),
                b'"' => break,
                b'\\' if self.next().is_none_or(|byte| byte == b'\n') => return Err(UnreadableSettings),
                _ => {}
            }
        }
        match self.next() {
            Some(b']') => Ok(()),
            Some(_) | None => Err(UnreadableSettings),
        }
    }

    /// Reads a key, in lower case, and its value, if it has one.
    fn setting(&mut self) -> Result<(Vec<u8>, Option<Vec<u8>>), UnreadableSettings> {
        let mut key = Vec::new();
        let mut byte = self.next();
        while let Some(letter) = byte.filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') {
            key.push(letter.to_ascii_lowercase());
            byte = self.next();
        }
        while matches!(byte, Some(b' ' | b'\t')) {
            byte = self.next();
        }
        match byte {
            None | Some(b'\n') => Ok((key, None)),
            Some(b'=') => Ok((key, Some(self.value()?))),
            Some(_) => Err(UnreadableSettings),
        }
    }

    fn value(&mut self) -> Result<Vec<u8>, UnreadableSettings> {
        let mut value = Vec::new();
        // Where the value ends without the spaces behind it.
        let mut end = 0;
        let mut quoted = false;
        loop {
            let byte = match self.next() {
                None | Some(b'\n') if quoted => return Err(UnreadableSettings),
                None | Some(b'\n') => break,
                Some(byte) => byte,
            };
            match byte {
                b'#' | b';' if !quoted => {
                    self.skip_line();
                    break;
                }
                b'"' => quoted = !quoted,
                b'\\' => match self.next() {
                    // The line goes on in the next, and spaces before that stay. The end is the end of a line, too.
                    Some(b'\n') | None => {}
                    Some(b't') => value.push(b'\t'),
                    Some(b'b') => value.push(0x08),
                    Some(b'n') => value.push(b'\n'),
                    Some(byte @ (b'\\' | b'"')) => value.push(byte),
                    Some(_) => return Err(UnreadableSettings),
                },
                byte if !quoted && is_space(byte) => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                byte => value.push(byte),
            }
            end = value.len();
        }
        value.truncate(end);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn settings_that_start_programs_are_told_from_others() {
        let check = |text: &str, expected| {
            assert_eq!(read(text.as_bytes()).unwrap().starts_programs, expected, "{text}");
        };
        for text in [
            "[core]\n\tfsmonitor = x",
            "[CORE]\nsshCommand = x",
            "[alias]\nst = !x",
            "[pager]\nstatus = x",
            "[filter \"l\"]\nprocess = x",
            "[diff]\nexternal = x",
            "[diff \"d\"]\ntextconv = x",
            "[include]\npath = x",
            "[includeIf \"gitdir:/\"]\npath = x",
            "[difftool \"t\"]\npath = x",
            "[credential \"https://x\"]\nhelper = x",
            "[remote \"o\"]\nuploadpack = x",
            "[remote \"o\"]\nurl = ext::x",
            "[submodule \"s\"]\nupdate = !x",
            "[hook \"h\"]\ncommand = x",
        ] {
            check(text, true);
        }
        for text in [
            "",
            "[core]\nbare = false\nfsmonitor = true\npager\n",
            "[alias]\nst = status",
            "[pager]\nstatus = false",
            "[remote \"o\"]\nurl = https://x\nfetch = +refs/heads/*:refs/remotes/o/*",
            "[branch \"main\"]\nmerge = refs/heads/main",
            "[submodule \"s\"]\npath = s\nupdate = rebase",
        ] {
            check(text, false);
        }
    }

    fn hooks(text: &str) -> Result<Vec<String>, UnreadableSettings> {
        let named = read(text.as_bytes())?;
        Ok(named
            .hooks
            .iter()
            .map(|value| String::from_utf8_lossy(value).into_owned())
            .collect())
    }

    #[test]
    fn directories_of_hooks_are_found_as_git_finds_them() {
        let check = |text: &str, expected: &[&str]| assert_eq!(hooks(text).unwrap(), expected, "{text:?}");
        check("[core]\n\thooksPath = .githooks\n", &[".githooks"]);
        check("[CORE]hookspath=a b  \r\n", &["a b"]);
        check("[core] ; c\n  HOOKSPATH\t=  \"a ; b\" # c\n", &["a ; b"]);
        check("[core]\nhooksPath = a\\\nb\n", &["ab"]);
        check("[core]\nhooksPath = \"a\\\"b\\\\\" \n", &["a\"b\\"]);
        check(
            "[core]\nhooksPath = a\n[user]\nname = n\n[core]\nhooksPath = b",
            &["a", "b"],
        );
        check("\u{feff}[core]\nhooksPath = x\n", &["x"]);
        check("[core]\nhooksPath\n", &[]);
        check(
            "[core \"x\"]\nhooksPath = a\n[core.x]\nhooksPath = a\n[alias]\nhooksPath = b\n",
            &[],
        );
        check("# [core]\n; hooksPath = x\n", &[]);
        check("[core]\n# hooksPath = x \\\nhooksPath = y\n", &["y"]);
        check("[core]\nx = a ; b \\\nhooksPath = y\n", &["y"]); // comments are not continued
        check("[filter \"]\\\"\"]\nx = y\n[core]hooksPath=z", &["z"]);
        check("[core]\nhooksPath = a\u{b}\n", &["a\u{b}"]); // no space to git
        check("[core]\nhooksPath = \u{c}a", &["\u{c}a"]);
        check("[core]\nhooksPath = a\rb\r\n", &["a\rb"]);
        check("[core]\nhooksPath = a\\", &["a"]);
        check("[core]\nhooksPath = a \\\n", &["a "]);
        check("", &[]);
    }

    #[test]
    fn further_files_are_found_whatever_their_condition() {
        let text = "[include]\npath = a\n[includeIf \"gitdir:~/x/\"]\n\tpath = ~/b\n[IncludeIf.onbranch:x]\n";
        assert_eq!(read(text.as_bytes()), Err(UnreadableSettings)); // a colon needs quotes
        let text = "[include]\npath = a\n[includeIf \"gitdir:~/x/\"]\n\tpath = ~/b\n[includeif]\npath = c\n";
        let named = read(text.as_bytes()).unwrap();
        assert_eq!(named.includes, [b"a".to_vec(), b"~/b".to_vec()]);
    }

    #[test]
    fn what_git_does_not_take_is_not_taken() {
        for text in [
            "[core",
            "[core \"x]\n",
            "[core \"x\" ]\n",
            "[co re]\n",
            "[core]\n=x\n",
            "[core]\nx y\n",
            "[core]\nx = \"a\n",
            "[core]\nx = a\\q\n",
            "[core]\n-x = a\n",
            "[core]\nx: a\n",
            "[core]\n\u{b}x = a\n",
            "[core\u{c}\"x\"]\n",
        ] {
            assert_eq!(read(text.as_bytes()), Err(UnreadableSettings), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "(\\[[a-z \".\\\\\\]]{0,8}|[a-z=\\\\ !#\"]{0,8}|\r|\n){0,40}") {
            let _ = read(text.as_bytes());
        }

        #[test]
        fn a_quoted_value_comes_back(value in "[ -~]{0,20}") {
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            let text = format!("[core]\n\thooksPath = \"{quoted}\"\n");
            prop_assert_eq!(hooks(&text).unwrap(), [value]);
        }
    }
}
