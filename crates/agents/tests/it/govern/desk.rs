//! A session on a home of its own, and a person who answers its questions.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::TokioHost;
use argrail_agents::{
    Governor, Permission, ReadFile, Ruling, SessionGovernor, Terms, ToolKind, ToolUse, Tools, WriteFile,
};
use argrail_engine::audit::{Chain, Filter, Which, entries, verify};
use argrail_engine::call::{NamedSecret, Shop, Surroundings, Wait};
use argrail_engine::config::Config;
use argrail_engine::notify::Notifier;
use argrail_engine::places::Places;
use argrail_engine::policy::{ApprovalMeans, Approver};
use argrail_engine::store::{Answer, Request, Ruling as Said, SqliteStore, Store};
use argrail_engine::{Door, Stock};
use argrail_sandbox::Launcher;
use argrail_sandbox::policy::{HostPattern, PathPattern, Policy, Protected};
use argrail_spec::atip::Delegation;
use argrail_testkit::Home;
use jiff::Timestamp;
use serde_json::{Value, json};

/// A session.
pub(crate) struct Desk {
    pub(crate) home: Home,
    pub(crate) governor: SessionGovernor,
    pub(crate) store: Arc<dyn Store>,
    audit: PathBuf,
}

/// How a desk is made.
pub(crate) struct Making {
    pub(crate) home: Home,
    pub(crate) wait: Duration,
    pub(crate) delegation: Option<Delegation>,
    pub(crate) tools: Tools,
    pub(crate) secrets: Vec<NamedSecret>,
}

impl Default for Making {
    fn default() -> Self {
        Self {
            home: Home::new(),
            wait: Duration::ZERO,
            delegation: None,
            tools: Tools::Absent,
            secrets: Vec::new(),
        }
    }
}

/// The launcher that `cargo test -p argrail-agents` builds.
fn launcher() -> Launcher {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = built.join("examples/acp_agent");
    assert!(
        program.exists(),
        "{program:?} is missing: `cargo test -p argrail-agents` builds it"
    );
    Launcher::Path(program)
}

impl Making {
    pub(crate) fn desk(self) -> Desk {
        let home = self.home;
        let root = home.root().to_owned();
        let work = home.work().canonicalize().unwrap();
        let places = Places::new(|name| match name {
            "HOME" => Some(root.join("home").into_os_string()),
            "XDG_STATE_HOME" => Some(root.join("state").into_os_string()),
            "XDG_DATA_HOME" => Some(root.join("data").into_os_string()),
            "XDG_CONFIG_HOME" => Some(root.join("config").into_os_string()),
            "XDG_CACHE_HOME" => Some(root.join("cache").into_os_string()),
            _ => None,
        })
        .unwrap();
        let store: Arc<dyn Store> = Arc::new(SqliteStore::new(&places));
        let record = Arc::new(Chain::open(&places.audit(), Some(Arc::clone(&store))).unwrap());
        let environment: BTreeMap<OsString, OsString> = BTreeMap::new();
        let mut path = home.bin().into_os_string();
        path.push(":/usr/local/bin:/usr/bin:/bin");
        let stock = Stock {
            config: Config::load(&places).unwrap(),
            directory: work.clone(),
            path: Some(path),
            places: places.clone(),
        };
        let notifier = Notifier::new(None, places.home(), &environment, Arc::new(|_: &str| {}));
        let surroundings = Surroundings {
            launcher: launcher(),
            home: root.join("home"),
            environment,
            delegation: self.delegation,
            store: Arc::clone(&store),
            record: Arc::clone(&record),
            wait: Wait::For(self.wait),
            leaving: Arc::default(),
            notifier: Arc::new(notifier),
            secrets: self.secrets,
        };
        let shop = Arc::new(Shop::new(stock, surroundings));
        let host = Arc::new(TokioHost::default());
        let door = Arc::new(Door::new(shop, Arc::clone(&host) as _, record));
        let policy = Policy::closed()
            .write(PathPattern::tree(&work))
            .read(PathPattern::tree(&root.join("share")))
            .egress(HostPattern::parse("egress", "docs.example.com").unwrap());
        let terms = Terms {
            session: "s1".to_owned(),
            agent: "echo@1".to_owned(),
            protected: Protected::standard(&root.join("home"), &work),
            directory: work,
            roots: Vec::new(),
            sandbox: json!({"write": ["the workspace"]}),
            policy,
            tools: self.tools,
            asker: None,
        };
        Desk {
            governor: SessionGovernor::new(door, host, terms),
            audit: places.audit(),
            home,
            store,
        }
    }
}

/// A request for permission.
pub(crate) fn asked(name: &str, kind: Option<ToolKind>, input: Value) -> Permission {
    Permission {
        tool: ToolUse {
            id: "t1".to_owned(),
            name: name.to_owned(),
            kind,
            input,
            paths: Vec::new(),
        },
        options: Vec::new(),
    }
}

impl Desk {
    pub(crate) fn new() -> Self {
        Making::default().desk()
    }

    pub(crate) fn permit(&self, kind: ToolKind, input: Value) -> Ruling {
        self.permit_named("a tool", Some(kind), input)
    }

    pub(crate) fn permit_named(&self, name: &str, kind: Option<ToolKind>, input: Value) -> Ruling {
        self.permit_asked(asked(name, kind, input))
    }

    pub(crate) fn permit_asked(&self, asked: Permission) -> Ruling {
        block_on(self.governor.permit(asked))
    }

    pub(crate) fn write(&self, path: &str, content: &str) -> Result<(), String> {
        let written = block_on(self.governor.write(WriteFile {
            path: path.into(),
            content: content.to_owned(),
        }));
        written.map_err(|error| format!("{} {}", error.to_json()["reason"], error.to_json()["message"]))
    }

    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        let read = block_on(self.governor.read(ReadFile {
            path: path.into(),
            line: None,
            limit: None,
        }));
        read.map_err(|error| error.code().name().to_owned())
    }

    /// The questions that wait.
    pub(crate) fn questions(&self) -> Vec<Request> {
        self.store.pending(Timestamp::now()).unwrap()
    }

    /// Says yes to the one question that waits.
    pub(crate) fn approve(&self) -> Request {
        self.answer(Said::Approve(person()))
    }

    /// Says no to it.
    pub(crate) fn deny(&self, why: &str) -> Request {
        self.answer(Said::Deny(person(), Some(why.to_owned())))
    }

    fn answer(&self, said: Said) -> Request {
        let questions = self.questions();
        assert_eq!(questions.len(), 1, "one question should wait: {questions:#?}");
        let answered = self
            .store
            .answer(&questions[0].id, &said, Timestamp::now())
            .unwrap();
        let taken = match answered {
            Answer::Taken(request) => Some(request),
            Answer::TooLate(_) => None,
        };
        taken.unwrap()
    }

    /// The record, which is whole.
    pub(crate) fn record(&self) -> Vec<Value> {
        self.record_of(1000)
    }

    /// The same, with so many of its entries at most.
    pub(crate) fn record_of(&self, most: usize) -> Vec<Value> {
        let verified = verify::verify(&self.audit, verify::Known::default()).unwrap();
        assert!(verified.first_bad.is_none(), "{verified:?}");
        let all = Filter {
            which: Which::All,
            ..Filter::default()
        };
        entries(&self.audit, &all, most).unwrap()
    }

    /// The actions of the record, in order.
    pub(crate) fn actions(&self) -> Vec<String> {
        let actions = self.record();
        let text = |entry: &Value| entry["action"].as_str().unwrap().to_owned();
        actions.iter().map(text).collect()
    }

    pub(crate) fn last(&self) -> Value {
        self.record().pop().unwrap()
    }
}

fn person() -> Approver {
    Approver {
        who: "ann".to_owned(),
        means: ApprovalMeans::Terminal,
        at: Timestamp::now(),
        grant: None,
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(future)
}
