//! Where vectors run: in this process, or in a server at the other end of two pipes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use argrail_acli::{AuditEntry, AuditSink, Caller, Cli, mcp};
use argrail_testkit::Home;
use argrail_testkit::mcp::Client;
use serde_json::{Value, json};

use super::case::directory;
use crate::tree::Tree;

/// A profile whose state a case changes: each case gets a server of its own.
const FRESH: &str = "limited";

/// Something that answers like a server.
pub(crate) trait Target {
    /// Returns the tool definition.
    fn definition(&mut self, profile: &str) -> Value;

    /// Calls the tool `times` times; returns the last `CallToolResult` and the last audit record.
    fn call(&mut self, profile: &str, arguments: Option<&Value>, times: u64) -> (Value, Option<Value>);

    /// Whether somebody else wrote it.
    fn is_foreign(&self) -> bool {
        false
    }

    /// Returns the directory that the layout of the tree is in.
    fn dir(&self) -> &Path;

    /// Writes the directory where a vector says `{dir}`.
    fn placed(&self, value: &Value) -> Value {
        let dir = self.dir().to_str().expect("a path in UTF-8");
        match value {
            Value::String(text) => text.replace("{dir}", dir).into(),
            Value::Array(items) => items.iter().map(|item| self.placed(item)).collect(),
            Value::Object(object) => {
                let placed = object
                    .iter()
                    .map(|(name, value)| (name.clone(), self.placed(value)));
                Value::Object(placed.collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }
}

/// The crate itself, called as an MCP server would.
pub(crate) struct InProcess {
    tree: Tree,
    /// Holds the layout.
    _home: Home,
    dir: PathBuf,
    records: Arc<Records>,
    servers: HashMap<String, Cli>,
    runtime: tokio::runtime::Runtime,
}

impl InProcess {
    pub(crate) fn new() -> Self {
        let home = Home::new();
        Self {
            tree: Tree::read(&data().to_string()).expect("the tree can be built"),
            dir: lay_out(&home),
            _home: home,
            records: Arc::default(),
            servers: HashMap::new(),
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .build()
                .expect("a runtime"),
        }
    }

    fn server(&mut self, profile: &str) -> &Cli {
        if profile == FRESH {
            self.servers.remove(profile);
        }
        let build = || {
            let cli = self
                .tree
                .cli(profile, Arc::clone(&self.records) as Arc<dyn AuditSink>);
            cli.expect("the tree can be built")
        };
        self.servers.entry(profile.to_owned()).or_insert_with(build)
    }
}

impl Target for InProcess {
    fn definition(&mut self, profile: &str) -> Value {
        mcp::tool(self.server(profile))
    }

    fn call(&mut self, profile: &str, arguments: Option<&Value>, times: u64) -> (Value, Option<Value>) {
        self.server(profile);
        let cli = &self.servers[profile];
        let roots = self.tree.roots(profile, &self.dir).expect("the roots are there");
        let arguments = arguments.map(|given| given.as_object().expect("an object"));
        let mut result = Value::Null;
        for _ in 0..times {
            let caller = Caller {
                account: None,
                id: "vector".to_owned(),
                name: Some("corpus".to_owned()),
                roots: roots.clone(),
            };
            result = mcp::result(self.runtime.block_on(cli.call_tool(arguments, caller, None)));
        }
        (result, self.records.0.lock().unwrap().last().cloned())
    }

    fn dir(&self) -> &Path {
        &self.dir
    }
}

#[derive(Default)]
struct Records(Mutex<Vec<Value>>);

impl AuditSink for Records {
    fn record(&self, entry: &AuditEntry) -> std::io::Result<()> {
        self.0.lock().unwrap().push(serde_json::json!(entry));
        Ok(())
    }
}

/// A server over MCP on its standard streams.
pub(crate) struct Stdio {
    foreign: bool,
    command: Vec<String>,
    /// Holds the layout.
    _home: Home,
    dir: PathBuf,
    /// By profile, each in a home of its own.
    clients: HashMap<String, (Client, Home)>,
}

impl Stdio {
    pub(crate) fn new() -> Self {
        let home = Home::new();
        let dir = lay_out(&home);
        let foreign = std::env::var("ACLI_CONFORMANCE_SERVER").ok();
        let command = match &foreign {
            Some(line) => line.split_whitespace().map(str::to_owned).collect(),
            None => {
                let tree = directory().join("tree.json");
                vec![example("conformance"), tree.to_str().expect("UTF-8").to_owned()]
            }
        };
        Self {
            foreign: foreign.is_some(),
            command,
            _home: home,
            dir,
            clients: HashMap::new(),
        }
    }

    fn client(&mut self, profile: &str) -> &mut Client {
        if profile == FRESH {
            self.clients.remove(profile);
        }
        let start = || {
            let mut home = Home::new()
                .env("ACLI_CONFORMANCE_DIR", &self.dir)
                .env("ACLI_CONFORMANCE_PROFILE", profile)
                // A foreign server may need an interpreter.
                .env("PATH", std::env::var_os("PATH").unwrap_or_default());
            for (name, value) in data()["environment"].as_object().expect("an object") {
                home = home.env(name, value.as_str().expect("a string"));
            }
            let words: Vec<&str> = self.command.iter().map(String::as_str).collect();
            let (program, arguments) = words.split_first().expect("a program to start");
            let mut client = Client::new(home.spawn(program, arguments));
            client.initialize();
            (client, home)
        };
        &mut self.clients.entry(profile.to_owned()).or_insert_with(start).0
    }
}

impl Target for Stdio {
    fn definition(&mut self, profile: &str) -> Value {
        let client = self.client(profile);
        let id = client.request("tools/list", json!({}));
        let tools = client.result(id)["tools"].clone();
        let tools = tools.as_array().expect("a list of tools").clone();
        assert_eq!(tools.len(), 1, "one tool only");
        tools.into_iter().next().unwrap()
    }

    fn call(&mut self, profile: &str, arguments: Option<&Value>, times: u64) -> (Value, Option<Value>) {
        let client = self.client(profile);
        let mut params = json!({"name": "cli"});
        if let Some(arguments) = arguments {
            params["arguments"] = arguments.clone();
        }
        let mut result = Value::Null;
        for _ in 0..times {
            let id = client.request("tools/call", params.clone());
            result = client.result(id);
        }
        let records = std::fs::read_to_string(self.dir.join("audit.jsonl")).unwrap_or_default();
        let last = records.lines().last();
        (
            result,
            last.map(|line| serde_json::from_str(line).expect("a record is JSON")),
        )
    }

    fn is_foreign(&self) -> bool {
        self.foreign
    }

    fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Returns where cargo put an example of this package.
pub(crate) fn example(name: &str) -> String {
    let test = std::env::current_exe().expect("the path of this test");
    let built = test
        .ancestors()
        .nth(2)
        .expect("target/debug")
        .join("examples")
        .join(name);
    assert!(
        built.exists(),
        "{built:?} is missing: `cargo test -p argrail-acli` builds it, `--test it` alone does not"
    );
    built.to_str().expect("a path in UTF-8").to_owned()
}

fn data() -> Value {
    let text = std::fs::read_to_string(directory().join("tree.json")).expect("tree.json");
    serde_json::from_str(&text).expect("tree.json is JSON")
}

/// Makes the directories, files and links that path vectors are about.
fn lay_out(home: &Home) -> PathBuf {
    let dir = home.root().join("reference");
    let layout = &data()["layout"];
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    for name in layout["directories"].as_array().expect("a list") {
        std::fs::create_dir_all(dir.join(text(name))).unwrap();
    }
    for (name, content) in layout["files"].as_object().expect("an object") {
        std::fs::write(dir.join(name), text(content)).unwrap();
    }
    for (name, to) in layout["links"].as_object().expect("an object") {
        std::os::unix::fs::symlink(text(to), dir.join(name)).unwrap();
    }
    dir
}
