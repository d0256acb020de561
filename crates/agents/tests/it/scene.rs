//! Where the agents of tests live, who governs them, and how their events are heard.

use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use argrail_acli::{BoxFuture, Code, Error};
use argrail_agents::{
    Carryover, Denied, Event, EventKind, Governor, Happening, Limits, Permission, ReadFile, Ruling, Serves,
    Session, SessionOptions, Streaming, Terminal, TerminalCommand, TerminalExit, TerminalOutput, Times, Turn,
    WriteFile,
};
use argrail_engine::output::Secrets;
use argrail_sandbox::policy::{Anchors, Exec, PathPattern, Policy};
use argrail_sandbox::{Child, Command, Launcher, Output, Stdin};
use argrail_testkit::Home;

/// Long enough for anything that ends by itself.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// How far the session's clock goes at once: far less than anything that is timed.
const TICK: Duration = Duration::from_millis(10);

/// The agent that `cargo test -p argrail-agents` builds, which is the launcher, too.
pub(crate) fn agent() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = built.join("examples/acp_agent");
    assert!(
        program.exists(),
        "{program:?} is missing: `cargo test -p argrail-agents` builds it, `--test it` alone does not"
    );
    program
}

/// Runs a test, which cannot hang.
///
/// The session's clock stands still unless the test lets it go on ([`as_time_passes`], `tokio::time::advance`): however
/// long a real agent waits for its turn on a busy machine, it is never late.
pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let (_running, is_over) = mpsc::channel::<()>();
        // The clock jumps when all tasks wait, but not while a thread works for the runtime. This one has the time of
        // the machine.
        let hangs = tokio::task::spawn_blocking(move || is_over.recv_timeout(5 * LONG));
        tokio::select! {
            biased;
            outcome = test => outcome,
            _ = hangs => panic!("it hangs"),
        }
    })
}

/// Lets the session's clock go on, as fast as it can, until `future` is ready.
pub(crate) async fn as_time_passes<T>(future: impl Future<Output = T>) -> T {
    let clock = async {
        loop {
            tokio::time::advance(TICK).await;
        }
    };
    tokio::select! {
        biased;
        outcome = future => outcome,
        () = clock => unreachable!("a clock goes on for ever"),
    }
}

/// A home with a workspace, and a governor.
pub(crate) struct Scene {
    pub(crate) home: Home,
    pub(crate) host: Arc<Host>,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self::with(Answer::Rule(Ruling::Allowed))
    }

    pub(crate) fn with(answer: Answer) -> Self {
        Self {
            home: Home::new(),
            host: Arc::new(Host {
                answer,
                happened: Mutex::default(),
                asked: Mutex::default(),
                refuses: Mutex::default(),
            }),
        }
    }

    /// Starts words in a sandbox that may see the agent and write the workspace. Whoever hears that it shall end has
    /// all the time for it.
    pub(crate) fn start(&self, argv: &[&str]) -> Child {
        self.start_with_grace(argv, 10 * LONG)
    }

    /// Starts words that are killed so long after they were asked to end.
    pub(crate) fn start_with_grace(&self, argv: &[&str], grace: Duration) -> Child {
        let anchors = Anchors::new(self.home.root().join("home"), self.home.work()).unwrap();
        let policy = Policy::closed()
            .read(PathPattern::exact(&agent()))
            .write(PathPattern::tree(&self.home.work()))
            .exec(Exec::Any);
        Command::confined(argv.iter().copied(), policy, anchors)
            .launcher(Launcher::Path(agent()))
            .stdin(Stdin::Pipe)
            .stdout(Output::Pipe)
            .stderr(Output::Pipe)
            .grace(grace)
            .spawn()
            .unwrap()
    }

    /// What a session with an agent of this behaviour is opened with.
    pub(crate) fn opening(&self, behaviour: &[&str]) -> SessionOptions {
        let program = agent();
        let mut argv = vec![program.to_str().unwrap()];
        argv.extend(behaviour);
        self.opening_of(self.start(&argv))
    }

    pub(crate) fn opening_of(&self, child: Child) -> SessionOptions {
        SessionOptions {
            session: "s-1".into(),
            agent: "fake@1".into(),
            child,
            directory: self.home.work(),
            servers: Vec::new(),
            mode: None,
            config: Vec::new(),
            model: None,
            sign_in: None,
            resume: None,
            serves: Serves::everything(),
            streaming: Streaming::Pieces,
            carryover: Carryover::Kept,
            times: Times::default(),
            limits: Limits::default(),
            secrets: Secrets::none(),
            side_channel: Some(self.side_channel()),
        }
    }

    pub(crate) fn side_channel(&self) -> PathBuf {
        self.home.root().join("state/side.jsonl")
    }

    pub(crate) fn governor(&self) -> Arc<dyn Governor> {
        Arc::<Host>::clone(&self.host) as Arc<dyn Governor>
    }

    pub(crate) async fn try_open(&self, opening: SessionOptions) -> Result<Session, Error> {
        Session::open(opening, self.governor()).await
    }

    pub(crate) async fn open(&self, behaviour: &[&str]) -> Session {
        self.try_open(self.opening(behaviour)).await.unwrap()
    }
}

/// Hears a turn to its end, and checks what holds for every turn.
pub(crate) async fn hear(mut turn: Turn<'_>) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    while let Some(event) = turn.next().await {
        if let Some(last) = events.last() {
            assert_eq!(event.seq, last.seq + 1);
            assert_eq!((event.turn, &event.session), (last.turn, &last.session));
            assert!(event.ts >= last.ts);
        }
        events.push(event);
        // A flood is counted, not kept.
        if events.len() > 2000 {
            events.drain(..1000);
        }
    }
    assert!(turn.next().await.is_none());
    let (last, others) = events.split_last().expect("a turn has an end");
    assert!(last.kind.is_last(), "{last:?}");
    assert!(others.iter().all(|event| !event.kind.is_last()), "{others:?}");
    events
}

/// The events in short: one word for what it is, and what it says.
pub(crate) fn short(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| match &event.kind {
        EventKind::TextDelta { text } => format!("text {text}"),
        EventKind::Thought { text } => format!("thought {text}"),
        EventKind::ToolCall {
            id,
            name,
            kind,
            input,
        } => {
            format!("call {id} {name} {} {input}", kind.as_deref().unwrap_or("-"))
        }
        EventKind::ToolResult { id, output, is_error } => format!("result {id} {output} {is_error}"),
        EventKind::AgentPrompt(asked) => format!("prompt {} {}", asked.id, asked.prompt),
        EventKind::TurnEnd { reason, .. } => format!("end {reason}"),
        EventKind::Error {
            code,
            message,
            retryable,
        } => format!("error {code} {retryable} {message}"),
    };
    events.iter().map(line).collect()
}

/// How a governor of tests answers.
pub(crate) enum Answer {
    Rule(Ruling),
    /// Not at all.
    Never,
}

/// A governor that notes everything.
pub(crate) struct Host {
    answer: Answer,
    pub(crate) happened: Mutex<Vec<Happening>>,
    pub(crate) asked: Mutex<Vec<Permission>>,
    /// The kind of record that cannot be written.
    pub(crate) refuses: Mutex<Option<&'static str>>,
}

impl Host {
    /// The records in short.
    pub(crate) fn records(&self) -> Vec<String> {
        let short = |happening: &Happening| match happening {
            Happening::Starting => "starting".to_owned(),
            Happening::Ready { agent, session } => format!("ready {agent:?} {session}"),
            Happening::TurnBegun { turn, bytes } => format!("turn {turn} {bytes}"),
            Happening::Observed { turn, tool } => format!("observed {turn} {}", tool.id),
            Happening::ObservedEnd { turn, id, is_error } => format!("observed end {turn} {id} {is_error}"),
            Happening::TurnEnded { turn, outcome } => format!("turn end {turn} {outcome}"),
            Happening::Ended { code, signal } => format!("ended {code:?} {signal:?}"),
        };
        self.happened.lock().unwrap().iter().map(short).collect()
    }
}

impl Governor for Host {
    fn permit(&self, asked: Permission) -> BoxFuture<'_, Ruling> {
        self.asked.lock().unwrap().push(asked);
        Box::pin(async {
            match self.answer {
                Answer::Rule(ruling) => ruling,
                Answer::Never => std::future::pending().await,
            }
        })
    }

    fn read(&self, file: ReadFile) -> BoxFuture<'_, Result<String, Denied>> {
        Box::pin(async move { std::fs::read_to_string(&file.path).map_err(Error::execution) })
    }

    fn write(&self, file: WriteFile) -> BoxFuture<'_, Result<(), Denied>> {
        Box::pin(async move { std::fs::write(&file.path, &file.content).map_err(Error::execution) })
    }

    fn start(&self, command: TerminalCommand) -> BoxFuture<'_, Result<Box<dyn Terminal>, Denied>> {
        Box::pin(async move {
            if command.words.first().is_some_and(|word| word == "rm") {
                return Err(Error::new(Code::PermissionDenied, "not that").hint("Ask a person"));
            }
            Ok(Box::new(Ran(command.words.join(" "))) as Box<dyn Terminal>)
        })
    }

    fn record(&self, what: Happening) -> Result<(), Denied> {
        self.happened.lock().unwrap().push(what);
        let refuses = *self.refuses.lock().unwrap();
        match refuses {
            Some(word) if self.records().last().is_some_and(|last| last.starts_with(word)) => {
                Err(Error::new(Code::ExecutionError, "the record cannot be written").hint("Make room"))
            }
            Some(_) | None => Ok(()),
        }
    }
}

struct Ran(String);

impl Terminal for Ran {
    fn output(&self) -> TerminalOutput {
        TerminalOutput {
            text: format!("ran {}", self.0),
            truncated: false,
            exit: Some(TerminalExit {
                code: Some(0),
                signal: None,
            }),
        }
    }

    fn wait(&self) -> BoxFuture<'_, TerminalExit> {
        let never = self.0 == "sleep";
        Box::pin(async move {
            if never {
                std::future::pending::<()>().await;
            }
            TerminalExit {
                code: Some(0),
                signal: None,
            }
        })
    }

    fn kill(&self) {}
}

/// Whether a process with this word in its command line is there.
pub(crate) fn runs(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let mut lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| line.split(|byte| *byte == 0).any(|part| part == word.as_bytes()))
}

/// The most memory that this process has had, in MiB.
pub(crate) fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}
