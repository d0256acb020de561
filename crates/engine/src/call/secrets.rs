//! Values that nobody is told: neither in an answer, nor in a record, a question or an error.
//!
//! What counts, each with the name that people are shown in its place: variables of the process whose names say that
//! they hold a credential, or that a tool, a bundle or an MCP server of the configuration declares; passwords in their
//! URLs; tokens that argrail made; and what looks like a credential, by the name that it has there, in files that a
//! tool may read: a tool that reads its own settings can be made to print them in more ways than any description lists.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use argrail_spec::atip::{Authentication, Invoked};
use argrail_spec::config::{McpServer, Secret, Transport};

use super::shop::Shop;
use super::tool::{Runs, Tool};
use crate::config::Config;
use crate::files::untrusted::open_at_once;
use crate::output::Secrets;
use crate::output::command_mask::CommandMask;
use crate::places::Places;
use crate::policy::{Basis, Facts};
use crate::tools_json;

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

/// Names of variables that hold a credential are one of these between `_`, or end with one.
const WORDS: [&str; 12] = [
    "TOKEN",
    "TOKENS",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "APIKEY",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
];
/// The same, as the last word and not the only one: `SSH_AUTH_SOCK` is a socket, `PWD` a directory.
const LAST_WORDS: [&str; 5] = ["KEY", "KEYS", "AUTH", "COOKIE", "PWD"];
/// Tokens that argrail made, in the directory of its state.
const TOKEN_FILES: [&str; 2] = ["http-token", "token-"];
/// The longest of them.
const TOKEN_BYTES: u64 = 4096;
/// The shortest word of small letters alone that is told from any other word of an answer, and the shortest of all else.
const DISTINCT_WORD: usize = 16;
const DISTINCT: usize = 8;

/// A secret, and the name that it is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSecret {
    name: String,
    value: Secret,
}

impl NamedSecret {
    /// Names a value. The name is shown to people, so it is letters, digits and a few signs.
    pub fn new(name: &str, value: &str) -> Self {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '~');
        let name = name.chars().map(|c| if plain(c) { c } else { '_' });
        Self {
            name: name.collect(),
            value: Secret::new(value),
        }
    }

    /// Whether it can be told from the words that answers are full of.
    fn is_distinct(&self) -> bool {
        let value = self.value.expose();
        let word = value.bytes().all(|byte| byte.is_ascii_lowercase());
        value.len() >= if word { DISTINCT_WORD } else { DISTINCT }
    }
}

/// What this process knows, whatever is called.
#[derive(Debug)]
pub struct KnownSecrets {
    all: Vec<NamedSecret>,
    plain: CallSecrets,
    /// Those of the last call that knew more.
    last: Mutex<Option<(Vec<NamedSecret>, CallSecrets)>>,
}

/// What one call must not tell.
#[derive(Debug, Clone)]
pub(crate) struct CallSecrets {
    /// In what is written down of it, and told about it.
    pub(crate) mask: CommandMask,
    /// In what it prints.
    pub(crate) output: Secrets,
}

impl KnownSecrets {
    /// Finds what the environment, the configuration and argrail's own directory hold.
    pub fn of_process(environment: &BTreeMap<OsString, OsString>, config: &Config, places: &Places) -> Self {
        let mut all = of_environment(environment);
        all.extend(tokens(places.state()));
        for (server, given) in &config.mcp_servers {
            let values = values_of(server, given).into_iter();
            all.extend(
                values
                    .filter(|(key, _)| is_credential(key))
                    .map(|(_, secret)| secret),
            );
        }
        Self::new(all)
    }

    /// Finds what can be found: a configuration that cannot be read holds nothing for this. For what is told before, or
    /// without, a call.
    pub fn found(environment: &BTreeMap<OsString, OsString>, places: Option<&Places>) -> Self {
        match places {
            Some(places) => {
                let config = Config::load(places).unwrap_or_default();
                Self::of_process(environment, &config, places)
            }
            None => Self::new(of_environment(environment)),
        }
    }

    /// Knows these.
    pub fn new(all: Vec<NamedSecret>) -> Self {
        Self {
            plain: CallSecrets::of(&all, &[]),
            all,
            last: Mutex::default(),
        }
    }

    /// Knows these as well.
    #[must_use]
    pub fn with(&self, more: impl IntoIterator<Item = NamedSecret>) -> Self {
        Self::new(self.all.iter().cloned().chain(more).collect())
    }

    /// Returns the mask for everything that is told without a call.
    pub fn mask(&self) -> &CommandMask {
        &self.plain.mask
    }

    /// Returns what a call must not tell that knows these as well.
    fn and(&self, mut more: Vec<NamedSecret>) -> CallSecrets {
        more.retain(|secret| !self.all.contains(secret) || !secret.is_distinct());
        if more.is_empty() {
            return self.plain.clone();
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, secrets)) if *known == more => secrets.clone(),
            Some(_) | None => {
                let secrets = CallSecrets::of(&self.all, &more);
                *last = Some((more, secrets.clone()));
                secrets
            }
        }
    }
}

impl CallSecrets {
    /// Of what the process knows, an answer is kept free of what can be told from a word; of what the call itself has,
    /// of everything.
    fn of(all: &[NamedSecret], more: &[NamedSecret]) -> Self {
        let named = |secret: &NamedSecret| (secret.name.clone(), secret.value.expose().to_owned());
        let told = all.iter().filter(|secret| secret.is_distinct());
        Self {
            mask: CommandMask::new(Secrets::named(more.iter().chain(all).map(named))),
            output: Secrets::named(more.iter().chain(told).map(named)),
        }
    }
}

impl Shop {
    /// Returns what a call of a tool must not tell. Without facts, because its words were not understood, it is what the
    /// tool as a whole has.
    pub(super) fn call_secrets(&self, tool: &Tool, facts: Option<&Facts>) -> CallSecrets {
        let surroundings = &self.surroundings;
        let variable = |name: &str| {
            let value = surroundings.environment.get(OsStr::new(name))?.to_str()?;
            Some(NamedSecret::new(name, value))
        };
        let mut more = Vec::new();
        match &tool.runs {
            Runs::Bundle(runs) => {
                let names = crate::profile::secret_variables(&runs.held.bundle).into_iter();
                more.extend(names.filter_map(variable));
            }
            Runs::Manifest(manifest) => {
                let given = tools_json::passed(&manifest.spec.env_passthrough, &surroundings.environment);
                // Everybody knows these two, and answers are full of them.
                let names = given.keys().into_iter();
                let names = names.filter(|name| !matches!(name.as_str(), "HOME" | "PATH"));
                more.extend(names.filter_map(|name| variable(&name)));
            }
            Runs::Server => {
                let server = self.stock.config.mcp_servers.get(&tool.name);
                let values = server.map(|server| values_of(&tool.name, server));
                more.extend(values.into_iter().flatten().map(|(_, secret)| secret));
            }
            Runs::Program(_) => {}
        }
        match facts {
            Some(facts) => {
                more.extend(declared(facts).into_iter().filter_map(variable));
                more.extend(in_files(&files(facts, &surroundings.home), &surroundings.home));
            }
            None => {
                let wanted = tool.metadata.authentication.iter();
                more.extend(wanted.flat_map(Authentication::variables).filter_map(variable));
            }
        }
        self.known.and(more)
    }

    /// Returns the mask for calls of a tool, where there is one.
    pub(crate) fn mask_of_tool(&self, name: &str) -> Option<CommandMask> {
        let tool = self.tool(name).ok()?;
        Some(self.call_secrets(&tool, None).mask)
    }

    /// Returns what an act of an agent must not tell.
    pub(super) fn act_secrets(&self, facts: &Facts) -> CallSecrets {
        let home = &self.surroundings.home;
        self.known.and(in_files(&files(facts, home), home))
    }
}

/// Variables of the process that hold credentials, by their names, and passwords in the URLs of others.
fn of_environment(environment: &BTreeMap<OsString, OsString>) -> Vec<NamedSecret> {
    let mut found = Vec::new();
    for (name, value) in environment {
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else {
            continue;
        };
        if is_credential(name) && !is_place(value) {
            found.push(NamedSecret::new(name, value));
        }
        found.extend(password(value).map(|password| NamedSecret::new(name, password)));
    }
    found
}

/// Whether a name says that what has it is a credential: `GITHUB_TOKEN`, `PGPASSWORD`, `x-api-key`.
fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_uppercase().replace(['-', '.'], "_");
    let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
    let ends = ["PASSWORD", "PASSWD", "TOKEN", "APIKEY"];
    let last = words.last().copied().unwrap_or_default();
    words.iter().any(|word| WORDS.contains(word))
        || ends.iter().any(|end| last.ends_with(end))
        || (words.len() > 1 && LAST_WORDS.contains(&last))
        || matches!(name.as_str(), "AUTHORIZATION" | "PROXY_AUTHORIZATION" | "COOKIE")
}

/// Whether a value only says where a credential is.
fn is_place(value: &str) -> bool {
    value.starts_with('/') && Path::new(value).exists()
}

/// The password of a URL: `postgres://me:hunter2@db/x`.
fn password(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let (user, _) = authority.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    (!password.is_empty()).then_some(password)
}

/// What an MCP server of the configuration is given, by its names there.
fn values_of<'s>(server: &str, given: &'s McpServer) -> Vec<(&'s str, NamedSecret)> {
    let values = match &given.transport {
        Transport::Command { env, .. } => env,
        Transport::Url { headers, .. } => headers,
    };
    let named = |(key, value): (&'s String, &Secret)| {
        let secret = NamedSecret::new(&format!("{server}.{key}"), value.expose());
        (key.as_str(), secret)
    };
    values.iter().map(named).collect()
}

/// Tokens that argrail made.
fn tokens(state: &Path) -> Vec<NamedSecret> {
    let entries = std::fs::read_dir(state).into_iter().flatten().flatten();
    let ours = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        TOKEN_FILES
            .iter()
            .any(|file| name.starts_with(file))
            .then_some(name)
    });
    let token = |name: String| {
        let mut text = String::new();
        let file = open(&state.join(&name))?;
        file.take(TOKEN_BYTES).read_to_string(&mut text).ok()?;
        Some(NamedSecret::new(&format!("argrail/{name}"), text.trim()))
    };
    ours.take(FILES).filter_map(token).collect()
}

/// The variables that a call and those inside it declare as credentials, whoever says so.
fn declared(facts: &Facts) -> Vec<&str> {
    let own = facts
        .invoked
        .authentication
        .iter()
        .flat_map(Authentication::variables);
    let inner = facts.inner.iter().flat_map(declared);
    own.chain(inner).collect()
}

/// The credentials in these files, each named by its file.
fn in_files(paths: &[PathBuf], home: &Path) -> Vec<NamedSecret> {
    let mut found = Vec::new();
    let mut add = |path: &Path| {
        let shown = match path.strip_prefix(home) {
            Ok(rest) => format!("~/{}", rest.display()),
            Err(_) => path.display().to_string(),
        };
        found.extend(read(path).iter().map(|value| NamedSecret::new(&shown, value)));
    };
    for path in paths {
        let Ok(meta) = path.metadata() else { continue };
        if meta.is_file() {
            add(path);
        } else if meta.is_dir() {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            entries.take(FILES).for_each(|entry| add(&entry.path()));
        }
    }
    found.truncate(VALUES);
    found
}

/// The files outside of the workspace that a call may read.
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
    use argrail_acli::Mask;
    use argrail_testkit::Home;

    use super::*;
    use crate::output::Redactor;
    use crate::places::testing::places_of;

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

    #[test]
    fn variables_are_known_by_their_names() {
        for name in [
            "GITHUB_TOKEN",
            "GH_TOKEN",
            "npm_config__authToken",
            "PGPASSWORD",
            "MYSQL_PWD",
            "AWS_SECRET_ACCESS_KEY",
            "OPENAI_API_KEY",
            "OPENAI_APIKEY",
            "DB_PASS",
            "SSH_KEY",
            "NPM_AUTH",
            "Authorization",
            "x-api-key",
        ] {
            assert!(is_credential(name), "{name}");
        }
        for name in [
            "PATH",
            "PWD",
            "OLDPWD",
            "SSH_AUTH_SOCK",
            "XAUTHORITY",
            "KEY",
            "KEYBOARD",
            "GPG_AGENT_INFO",
            "TOKENIZERS_PARALLELISM",
            "PASSAGE",
            "COMPASS_HOME",
            "Accept",
        ] {
            assert!(!is_credential(name), "{name}");
        }
    }

    #[test]
    fn the_environment_holds_secrets_and_places_of_secrets() {
        let environment = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()));
            let found = of_environment(&pairs.collect());
            found
                .iter()
                .map(|secret| format!("{}={}", secret.name, secret.value.expose()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            environment(&[
                ("A_TOKEN", "abc"),
                ("CREDENTIALS", "/usr"),
                ("DATABASE_URL", "postgres://me:hunter2@db:5/x?y=@z"),
                ("HTTP_PROXY", "http://proxy.test:3128"),
                ("LANG", "C"),
            ]),
            ["A_TOKEN=abc", "DATABASE_URL=hunter2"]
        );
    }

    #[test]
    fn servers_of_the_configuration_and_tokens_of_ours_count() {
        let home = Home::new().config(
            r#"{"mcpServers": {
                "files": {"command": "x", "env": {"API_KEY": "k-0123456789", "MODE": "production"}},
                "web": {"url": "https://a.test/", "headers": {"Authorization": "Bearer b-0123456789"}}
            }}"#,
        );
        let places = places_of(&home);
        std::fs::create_dir_all(places.state()).unwrap();
        std::fs::write(places.state().join("token-abc"), "t-0123456789\n").unwrap();
        std::fs::write(places.state().join("store.db"), "no token").unwrap();
        let known = KnownSecrets::found(&BTreeMap::new(), Some(&places));
        let check = |text: &str, want: &str| assert_eq!(known.mask().mask(text), want);
        check("x k-0123456789", "x [secret:files.API_KEY]");
        check("x b-0123456789", "x [secret:web.Authorization]");
        check("x t-0123456789", "x [secret:argrail/token-abc]");
        check("deploy production", "deploy production");
    }

    #[test]
    fn a_word_is_hidden_in_what_is_written_down_and_not_in_answers() {
        let known = KnownSecrets::new(vec![
            NamedSecret::new("A_PASSWORD", "swordfish"),
            NamedSecret::new("B_TOKEN", "swordfish-1"),
        ]);
        assert_eq!(
            known
                .mask()
                .words(&["swordfish".to_owned(), "swordfish-1".to_owned()]),
            ["[secret:A_PASSWORD]", "[secret:B_TOKEN]"]
        );
        let output = |secrets: &CallSecrets, text: &str| {
            String::from_utf8(Redactor::whole(&secrets.output, text.as_bytes())).unwrap()
        };
        let plain = known.and(Vec::new());
        assert_eq!(output(&plain, "swordfish swordfish-1"), "swordfish [redacted]");
        // What the tool itself was given is hidden, whatever it is.
        let given = known.and(vec![NamedSecret::new("A_PASSWORD", "swordfish")]);
        assert_eq!(output(&given, "swordfish swordfish-1"), "[redacted] [redacted]");
        assert!(!format!("{known:?}").contains("swordfish"));
    }
}
