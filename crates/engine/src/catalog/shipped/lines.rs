//! Command lines, and what each has to count as: `lines/NAME.json` holds them for every description.
//!
//! The class is what a person would be told, the worst of all that is true. `read` and `network-read` run without a
//! question, so a line that is wrongly among them is a hole; everything else asks or is refused.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use argrail_acli::{ExpandedWord, Limits, expanded_words, tokenize, tokens};
use argrail_spec::atip::{self, Effects, Invoked, Reader, Voice};
use serde_json::Value;

use super::{find, names};
use crate::call::unnamed;
use crate::policy::program::{Purity, judge};

/// What a line counts as, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Changes nothing and talks to nobody.
    Read,
    /// Changes nothing and talks to hosts that are named.
    NetworkRead,
    /// Changes nothing and talks to a host, or a place at a shared service, that only the line names.
    NewHost,
    /// A word that nobody describes.
    Unverified,
    /// Changes something, or may not be repeated.
    Change,
    /// What it changes, or whom it talks to, is not known.
    Unknown,
    /// Destroys something for good, or costs money.
    Destructive,
    /// Shows secrets.
    Credentials,
    /// Would ask a person.
    Prompts,
    /// Does not fit the tool's grammar.
    Refused,
}

impl Class {
    const ALL: [(&'static str, Self); 10] = [
        ("read", Self::Read),
        ("network-read", Self::NetworkRead),
        ("new-host", Self::NewHost),
        ("unverified", Self::Unverified),
        ("change", Self::Change),
        ("unknown", Self::Unknown),
        ("destructive", Self::Destructive),
        ("credentials", Self::Credentials),
        ("prompts", Self::Prompts),
        ("refused", Self::Refused),
    ];

    fn named(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|(name, _)| *name == word)
            .map(|(_, class)| class)
    }

    fn of_effects(effects: &Effects) -> Self {
        let says = |key: &str| atip::claim(effects, key) == Some(true);
        let changes = [
            "filesystem.write",
            "filesystem.delete",
            "creates",
            "modifies",
            "deletes",
        ];
        let names_hosts = || {
            let hosts = effects.extra.get("x-egress").and_then(Value::as_array);
            hosts.is_some_and(|hosts| !hosts.is_empty())
        };
        if effects.extra.contains_key("x-prints") {
            Self::Credentials
        } else if says("destructive") || says("cost.billable") {
            Self::Destructive
        } else if effects.idempotent.is_none() {
            Self::Unknown
        } else if changes.into_iter().any(says) || effects.idempotent == Some(false) {
            Self::Change
        } else if !says("network") {
            Self::Read
        } else if names_hosts() && effects.extra.get("x-runs").is_none_or(|runs| runs == false) {
            Self::NetworkRead
        } else {
            Self::Unknown
        }
    }

    fn of_program(language: &str, text: &str) -> Self {
        match judge(language, text) {
            Purity::Pure => Self::Read,
            Purity::Changes(_) => Self::Change,
            Purity::Unknown => Self::Unknown,
        }
    }

    fn of_invoked(invoked: &Invoked) -> Self {
        let programs = invoked.programs.iter();
        let programs = programs.map(|program| Self::of_program(&program.language, &program.text));
        let inner = invoked.inner.iter().map(|inner| Self::of_words(&inner.words));
        let prompts = invoked.prompts.iter().map(|_| Self::Prompts);
        let unverified = invoked.unverified.iter().map(|_| Self::Unverified);
        let talks = invoked.effects.network == Some(true);
        let new_hosts = invoked.caller_named.iter().filter(|_| talks);
        let new_hosts = new_hosts.map(|_| Self::NewHost);
        let all = programs
            .chain(inner)
            .chain(prompts)
            .chain(unverified)
            .chain(new_hosts);
        all.fold(Self::of_effects(&invoked.effects), Self::max)
    }

    pub(crate) fn of_words<S: AsRef<str>>(words: &[S]) -> Self {
        let Some((tool, rest)) = words.split_first() else {
            return Self::Unknown;
        };
        match READERS.get(tool.as_ref()).map(|reader| reader.read(rest)) {
            Some(Ok(invoked)) => Self::of_invoked(&invoked),
            Some(Err(_)) => Self::Refused,
            None => Self::Unknown,
        }
    }
}

/// One reader per description, made when it is first asked for.
static READERS: LazyLock<BTreeMap<&'static str, Reader>> = LazyLock::new(|| {
    let read = |name: &'static str| {
        let metadata = atip::load(&find(name)?.text()).ok()?.metadata;
        Some((name, Reader::new(Arc::new(metadata), Voice::Settled)))
    };
    names().filter_map(read).collect()
});

/// The lines of one tool, with what each is expected to be.
fn lines(tool: &str) -> Vec<(String, String)> {
    let file = format!("src/catalog/shipped/lines/{tool}.json");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let list: Vec<BTreeMap<String, String>> = serde_json::from_str(&text).unwrap();
    let field = |line: &BTreeMap<String, String>, key: &str| line.get(key).cloned().unwrap();
    list.iter()
        .map(|line| (field(line, "line"), field(line, "class")))
        .collect()
}

fn words(line: &str) -> Vec<String> {
    let words = tokenize(line, &Limits::default()).unwrap();
    words.into_iter().map(|word| word.into_owned()).collect()
}

#[test]
fn every_line_counts_as_it_should() {
    let mut wrong = Vec::new();
    for (line, expected) in names().flat_map(lines) {
        let got = Class::of_words(&words(&line));
        if Some(got) != Class::named(&expected) {
            wrong.push(format!("{line}\n    expected {expected}, got {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

/// The first word of a line that is refused because only a shell could tell which files it names.
fn refused_for_a_shell(line: &str) -> Option<String> {
    let tokens = tokens(line, &Limits::default()).unwrap();
    let words: Vec<&str> = tokens.iter().map(AsRef::as_ref).collect();
    refused_among(&words, &expanded_words(&tokens))
}

fn refused_among<S: AsRef<str>>(words: &[S], expanded: &[ExpandedWord]) -> Option<String> {
    let (tool, rest) = words.split_first()?;
    let invoked = READERS.get(tool.as_ref())?.read(rest).ok()?;
    let found = unnamed(&invoked, expanded, &|_| false).map(|word| word.text.clone());
    let mut inner = invoked.inner.iter();
    found.or_else(|| inner.find_map(|inner| refused_among(&inner.words, expanded)))
}

#[test]
fn no_line_is_taken_for_one_that_wants_a_shell() {
    let lines = names().flat_map(lines);
    let refused: Vec<String> = lines
        .filter_map(|(line, _)| Some(format!("{line}: {}", refused_for_a_shell(&line)?)))
        .collect();
    assert_eq!(refused, [""; 0], "{} lines", refused.len());
}

#[test]
fn a_file_that_only_a_shell_could_name_is_found() {
    let check = |line: &str, want: Option<&str>| {
        assert_eq!(refused_for_a_shell(line).as_deref(), want, "{line}");
    };
    for (line, word) in [
        ("rm -f *.log", "*.log"),
        ("rm -rf build/{debug,release}", "build/{debug,release}"),
        ("rm -rf $TMP/x", "$TMP/x"),
        ("rm -rf ${TMP}", "${TMP}"),
        ("rm -rf ~/old", "~/old"),
        ("mkdir -p src/{a,b}", "src/{a,b}"),
        ("cp *.txt docs", "*.txt"),
        ("mv a?.txt docs", "a?.txt"),
        ("touch [ab].txt", "[ab].txt"),
        ("cat *.md", "*.md"),
        ("wc -l src/*.rs", "src/*.rs"),
        ("ls *.rs", "*.rs"),
        ("chmod +x bin/*", "bin/*"),
        ("grep -n a.*b src/*.rs", "src/*.rs"),
        ("sed -i s/a/b/ *.txt", "*.txt"),
        ("find *.d -name x", "*.d"),
        ("jq .a[] *.json", "*.json"),
        ("tar -cf $OUT src", "$OUT"),
        ("sort -o $OUT a", "$OUT"),
        ("sort --output=$OUT a", "--output=$OUT"),
        ("sudo rm -f *.log", "*.log"),
        ("timeout 5 rm -f *.log", "*.log"),
        ("tee $OUT", "$OUT"),
        ("git apply *.patch", "*.patch"),
    ] {
        check(line, Some(word));
    }
    for line in [
        "rm -f '*.log' \\*.txt \"$x\"",
        "find . -name *.rs -o -iname *.{c,h}",
        "find . -name *.log -exec rm {} \\;",
        "grep a.*b src",
        "rg -g *.rs a[bc]d?e src",
        "jq .items[].name f.json",
        "curl https://h/x?y=1",
        "git add *.rs",
        "git rm *.log",
        "git log --oneline HEAD^{} -- src/*.rs",
        "git stash show stash@{0}",
        "git diff @{u}",
        "git checkout -- *.rs",
        "tar --exclude=*.o -cf a.tar src",
        "rsync -a --exclude=*.o src/ dst/",
        "ls --ignore=*.o",
        "kubectl get pods -o jsonpath={.items[*].metadata.name}",
        "docker ps --format {{.Names}}",
        "echo * ? [a] {a,b} $HOME",
        "sed s/[a-z]*/x/ f",
        "awk $1 f",
        "eslint src/**/*.js",
        "prettier --check src/**/*.{js,ts}",
        "7z a x.7z *.txt",
        "unzip *.zip",
        "dotnet nuget push *.nupkg",
        "tar -xf a.tar --wildcards *.c",
        "cat ~/x",
        "pip install requests[socks]",
        "npm install left-pad@^1.*",
    ] {
        check(line, None);
    }
}

#[test]
fn every_tool_has_at_least_five_lines_and_none_twice() {
    for name in names() {
        let lines = lines(name);
        let distinct: HashSet<&String> = lines.iter().map(|(line, _)| line).collect();
        assert_eq!(distinct.len(), lines.len(), "{name}: a line stands twice");
        assert!(lines.len() >= 5, "{name}: {} lines", lines.len());
    }
}

/// An option that nobody listed never makes a line run that would otherwise ask, nor is it overlooked.
#[test]
fn an_option_that_nobody_describes_never_runs_by_itself() {
    for (line, expected) in names().flat_map(lines) {
        let runs = matches!(Class::named(&expected), Some(Class::Read | Class::NetworkRead));
        let first = words(&line).first().cloned().unwrap_or_default();
        let takes_any_word = matches!(first.as_str(), "echo" | "printf" | "true" | "false" | "test");
        if runs && !takes_any_word {
            let mut words = words(&line);
            words.insert(1, "--x-nobody-describes-this".to_owned());
            let got = Class::of_words(&words);
            assert!(
                !matches!(got, Class::Read | Class::NetworkRead),
                "{words:?} is {got:?}"
            );
        }
    }
}
