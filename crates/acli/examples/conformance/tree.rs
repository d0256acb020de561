//! The reference command tree, read from `corpus/acli/tree.json` into commands of this crate.
//!
//! The server beside this file and the tests share it. Unknown fields are refused, so that a typo in the
//! data cannot quietly weaken a vector.

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{
    Answer, Arg, AuditSink, BoxFuture, Bucket, Call, Caller, Cli, Code, Command, Error, Gate, Host, Kind,
    Text, TokioHost, Typed,
};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tree {
    /// None: a file of `corpus/` is a list of cases or has one, and this one has what they are about.
    #[serde(rename = "cases")]
    _cases: [(); 0],
    name: String,
    version: String,
    description: String,
    examples: Vec<String>,
    /// The variables a server of this tree sees.
    environment: BTreeMap<String, String>,
    /// What lies in the directory that path arguments lead into; the runner puts it there.
    #[serde(rename = "layout")]
    _layout: IgnoredAny,
    profiles: BTreeMap<String, Profile>,
    commands: Vec<CommandData>,
}

/// One way to run the server.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    roots: Vec<String>,
    #[serde(default)]
    allow: Option<Vec<String>>,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    grant: Vec<String>,
    #[serde(default)]
    rate: Option<Rate>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rate {
    requests: u32,
    per_seconds: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandData {
    name: String,
    /// Stands for that many commands; `#` in the name is their number, from 1.
    #[serde(default)]
    numbered: Option<usize>,
    #[serde(default)]
    aliases: Vec<String>,
    description: String,
    #[serde(default)]
    deprecated: Option<String>,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    permission: Option<String>,
    #[serde(default)]
    timeout_ms: Option<u64>,
    #[serde(default)]
    arguments: Vec<ArgumentData>,
    #[serde(default)]
    exclusive: Vec<Vec<String>>,
    #[serde(default)]
    exactly_one_of: Vec<Vec<String>>,
    #[serde(default)]
    examples: Vec<String>,
    #[serde(default)]
    output_schema: Option<Value>,
    #[serde(default)]
    subcommands: Vec<CommandData>,
    #[serde(default)]
    handler: Option<HandlerData>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArgumentData {
    name: String,
    #[serde(default)]
    numbered: Option<usize>,
    #[serde(default)]
    aliases: Vec<String>,
    r#type: String,
    #[serde(default)]
    items: Option<String>,
    #[serde(default)]
    values: Vec<String>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    many: bool,
    #[serde(default)]
    default: Option<Value>,
    #[serde(default)]
    env: Option<String>,
    #[serde(default)]
    even: bool,
    description: String,
    #[serde(default)]
    examples: Vec<String>,
    #[serde(default)]
    deprecated: Option<String>,
    #[serde(default)]
    hidden: bool,
}

#[derive(Deserialize, Clone)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum HandlerData {
    /// Answers with `data` and, in it, the arguments as they were bound.
    Answer {
        #[serde(default)]
        data: Map<String, Value>,
    },
    /// The same, with how many events there are as the message.
    Events { data: Map<String, Value> },
    /// Fails with a text of its own.
    Fail { detail: String },
    /// Fails with a code of its own, `QUOTA_EXHAUSTED`.
    OwnCode,
    /// Stops on a bug.
    Panic,
    /// Never answers.
    Hang,
}

type Built<T> = Result<T, Box<dyn StdError>>;

impl Tree {
    /// Reads the data.
    pub(crate) fn read(text: &str) -> Built<Self> {
        Ok(serde_json::from_str(text)?)
    }

    /// Builds the command line of one profile.
    pub(crate) fn cli(&self, profile: &str, audit: Arc<dyn AuditSink>) -> Built<Cli> {
        let profile = self.profile(profile)?;
        let host = Arc::new(ReferenceHost {
            real: TokioHost::default(),
            environment: self.environment.clone(),
        });
        let mut cli = Cli::builder(&self.name, &self.version, &self.description, host)
            .commands(many(&self.commands, |data| data.numbered, command)?)
            .deny(&profile.deny)
            .gate(Arc::new(Granted(profile.grant.clone())))
            .audit(audit);
        for example in &self.examples {
            cli = cli.example(example);
        }
        if let Some(allow) = &profile.allow {
            cli = cli.allow(allow);
        }
        if let Some(rate) = &profile.rate {
            let bucket = Bucket::new(rate.requests, Duration::from_secs(rate.per_seconds));
            cli = cli.rate_limit(Arc::new(bucket));
        }
        Ok(cli.build()?)
    }

    /// Returns the roots of one profile, as real directories below `dir`.
    pub(crate) fn roots(&self, profile: &str, dir: &Path) -> Built<Vec<PathBuf>> {
        let roots = &self.profile(profile)?.roots;
        roots
            .iter()
            .map(|root| Ok(dir.join(root).canonicalize()?))
            .collect()
    }

    fn profile(&self, name: &str) -> Built<&Profile> {
        self.profiles
            .get(name)
            .ok_or_else(|| format!("no profile '{name}'").into())
    }
}

/// Builds each entry, the numbered ones as often as they say.
fn many<D, T>(
    data: &[D],
    numbered: impl Fn(&D) -> Option<usize>,
    build: impl Fn(&D, &str) -> Built<T>,
) -> Built<Vec<T>> {
    let mut all = Vec::new();
    for entry in data {
        match numbered(entry) {
            None => all.push(build(entry, "")?),
            Some(count) => {
                for number in 1..=count {
                    all.push(build(entry, &number.to_string())?);
                }
            }
        }
    }
    Ok(all)
}

fn command(data: &CommandData, number: &str) -> Built<Command> {
    let mut command = Command::new(data.name.replace('#', number), &data.description).subcommands(many(
        &data.subcommands,
        |data| data.numbered,
        self::command,
    )?);
    for argument in many(&data.arguments, |data| data.numbered, argument)? {
        command = command.arg(argument);
    }
    command = data.aliases.iter().fold(command, Command::alias);
    command = data.examples.iter().fold(command, Command::example);
    for group in &data.exclusive {
        command = command.exclusive(group);
    }
    for group in &data.exactly_one_of {
        command = command.exactly_one_of(group);
    }
    if let Some(instead) = &data.deprecated {
        command = command.deprecated(instead);
    }
    if data.hidden {
        command = command.hidden();
    }
    if let Some(permission) = &data.permission {
        command = command.permission(permission);
    }
    if let Some(ms) = data.timeout_ms {
        command = command.timeout(Duration::from_millis(ms));
    }
    if let Some(schema) = &data.output_schema {
        command = command.output_schema(schema.clone());
    }
    Ok(match data.handler.clone() {
        Some(handler) => command.handler(move |call| answer(handler.clone(), call)),
        None => command,
    })
}

fn argument(data: &ArgumentData, number: &str) -> Built<Arg> {
    let name = data.name.replace('#', number);
    let kind = kind(&data.r#type, data)?;
    let mut arg = if name.starts_with('-') {
        Arg::option(&name, kind, &data.description)
    } else {
        Arg::positional(&name, kind, &data.description)
    };
    arg = data.aliases.iter().fold(arg, |arg, alias| arg.alias(alias));
    arg = data.examples.iter().fold(arg, Arg::example);
    if data.required {
        arg = arg.required();
    }
    if data.optional {
        arg = arg.optional();
    }
    if data.many {
        arg = arg.many();
    }
    if let Some(default) = &data.default {
        arg = arg.default(default.clone());
    }
    if let Some(variable) = &data.env {
        arg = arg.env(variable);
    }
    if data.even {
        let even = |value: &Typed| matches!(value, Typed::Integer(number) if number % 2 == 0);
        arg = arg.check("an even number", even);
    }
    if let Some(instead) = &data.deprecated {
        arg = arg.deprecated(instead);
    }
    Ok(if data.hidden { arg.hidden() } else { arg })
}

fn kind(name: &str, data: &ArgumentData) -> Built<Kind> {
    Ok(match name {
        "string" => Kind::String,
        "integer" => Kind::Integer,
        "number" => Kind::Number,
        "boolean" => Kind::Boolean,
        "flag" => Kind::Flag,
        "datetime" => Kind::DateTime,
        "enum" => Kind::one_of(&data.values),
        "file" => Kind::File,
        "directory" => Kind::Directory,
        "url" => Kind::Url,
        "json" => Kind::Json,
        "array" => match data.items.as_deref() {
            Some("array") => return Err("no arrays of arrays".into()),
            Some(items) => Kind::Array(Box::new(kind(items, data)?)),
            None => Kind::array(),
        },
        other => return Err(format!("no type '{other}'").into()),
    })
}

async fn answer(handler: HandlerData, call: Call) -> Result<Answer, Error> {
    match handler {
        HandlerData::Answer { data } => Ok(echo(data, &call)),
        HandlerData::Events { data } => {
            let count = data.get("events").and_then(Value::as_array).map_or(0, Vec::len);
            Ok(echo(data, &call).message(Text::new("Found {} events").number(count)))
        }
        HandlerData::Fail { detail } => Err(Error::execution(detail)),
        HandlerData::OwnCode => {
            let error = Error::new(Code::Custom("QUOTA_EXHAUSTED"), "The quota of today is used up");
            Err(error.hint("Come back tomorrow"))
        }
        #[expect(clippy::panic, reason = "the vector is about a handler that stops on a bug")]
        HandlerData::Panic => panic!("a bug of the handler"),
        HandlerData::Hang => std::future::pending().await,
    }
}

fn echo(mut data: Map<String, Value>, call: &Call) -> Answer {
    data.insert("arguments".to_owned(), call.args().to_json());
    Answer::new(Value::Object(data))
}

/// Grants the permissions it was given and no other.
struct Granted(Vec<String>);

impl Gate for Granted {
    fn check(&self, _: &Caller, command: &str, permission: Option<&str>) -> Result<(), Error> {
        match permission {
            Some(wanted) if !self.0.iter().any(|granted| granted == wanted) => Err(Error::new(
                Code::PermissionDenied,
                Text::new("Permission denied for {}").value(command),
            )
            .hint("Check your access level")),
            Some(_) | None => Ok(()),
        }
    }
}

/// The real world with the tree's own environment.
struct ReferenceHost {
    real: TokioHost,
    environment: BTreeMap<String, String>,
}

impl Host for ReferenceHost {
    fn now(&self) -> jiff::Timestamp {
        self.real.now()
    }

    fn elapsed(&self) -> Duration {
        self.real.elapsed()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        self.real.sleep(duration)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.environment.get(name).cloned()
    }

    fn real_path(&self, path: &Path) -> std::io::Result<PathBuf> {
        self.real.real_path(path)
    }
}
