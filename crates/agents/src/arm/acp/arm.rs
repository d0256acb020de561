//! The conversation: what was said last, what is waited for, and what comes of each message.

use std::collections::{BTreeMap, VecDeque};

use argrail_acli::{Code, Text};
use serde_json::{Value, json};

use super::asked::{self, Asked, Form, Wrong};
use super::content::changes;
use super::field::{cut, items_of, text_of};
use super::hello::{self, Offer, Wishes};
use super::message::{self, Fault, Message};
use super::refusing::{lost, not_signed_in, obstacle};
use super::settings::{Setting, settings};
use super::tools::{News, Tools, is_empty};
use super::updates;
use crate::arm::{Answered, Arm, Ask, AskId, Failure, Scope, Step};
use crate::event::{EventKind, Prompted, Usage};
use crate::governor::{Permission, ToolUse};
use crate::session_options::Carryover;

/// The most requests of an agent that are open at once.
const OPEN: usize = 32;
/// Somebody must sign in, says ACP.
const AUTH_REQUIRED: i64 = -32000;
/// Something inside the agent failed, says JSON-RPC.
const INTERNAL: i64 = -32603;
/// How much of a line that is no message goes to the side channel, in characters.
const NOISE: usize = 2000;
/// Why a turn stops that somebody cancelled.
const CANCELLED: &str = "cancelled";
/// The longest reason to stop, in characters.
const REASON: usize = 100;

/// What a request of ours was about.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    Initialize,
    Authenticate,
    Open,
    Set(Setting),
    Prompt,
    Close,
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a session is open, and between turns.
    Quiet,
    Turn,
    /// A turn that the agent was asked to end.
    Cancelled,
}

/// How often somebody signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignIn {
    Untried,
    Tried,
}

/// One session over ACP.
#[derive(Debug)]
pub(crate) struct Acp {
    wishes: Wishes,
    offer: Offer,
    session: Option<String>,
    state: State,
    sign_in: SignIn,
    /// The request of ours that is not answered yet. There is never more than one.
    waits: Option<(u64, Said)>,
    to_set: VecDeque<Setting>,
    not_offered: Vec<String>,
    said: u64,
    asked: u64,
    turns: u64,
    /// A prompt that waits for a session of its own.
    unsent: Option<String>,
    /// Requests of the agent's that are not answered yet, by our number of them.
    open: BTreeMap<AskId, (Value, Form)>,
    tools: Tools,
}

impl Acp {
    /// Begins with what is wished for. Nothing is said yet.
    pub(crate) fn new(wishes: Wishes) -> Self {
        Self {
            wishes,
            offer: Offer::default(),
            session: None,
            state: State::Quiet,
            sign_in: SignIn::Untried,
            waits: None,
            to_set: VecDeque::new(),
            not_offered: Vec::new(),
            said: 0,
            asked: 0,
            turns: 0,
            unsent: None,
            open: BTreeMap::new(),
            tools: Tools::default(),
        }
    }

    fn say(&mut self, said: Said, method: &str, params: &Value) -> Step {
        self.said += 1;
        self.waits = Some((self.said, said));
        Step::Say(message::request(self.said, method, params))
    }

    fn answer(&mut self, id: u64, outcome: Result<Value, Fault>) -> Vec<Step> {
        match self.waits.take() {
            Some((awaited, said)) if awaited == id => match outcome {
                Ok(result) => self.succeeded(said, &result),
                Err(fault) => self.failed(said, &fault),
            },
            // An answer to nothing that was asked, or a second one.
            waits => {
                self.waits = waits;
                vec![Step::Note(
                    json!({"ignored": "an answer that nobody waits for", "id": id}),
                )]
            }
        }
    }

    fn succeeded(&mut self, said: Said, result: &Value) -> Vec<Step> {
        match said {
            Said::Initialize => {
                let note = Step::Note(json!({"method": "initialize", "result": result}));
                self.offer = hello::offer(result);
                vec![
                    note,
                    obstacle(&self.wishes, &self.offer).map_or_else(|| self.ask_for_session(), Step::Failed),
                ]
            }
            Said::Authenticate => vec![self.ask_for_session()],
            Said::Open => self.opened(result),
            Said::Set(_) => self.set_next(),
            Said::Prompt => {
                let reason = match self.state {
                    // Some agents end a cancelled turn as if nothing had happened.
                    State::Cancelled => CANCELLED.to_owned(),
                    State::Turn | State::Quiet => {
                        cut(text_of(result, "stopReason").unwrap_or("end_turn"), REASON)
                    }
                };
                let usage = usage(result);
                self.end_turn(EventKind::TurnEnd { reason, usage })
            }
            Said::Close => vec![Step::Closed],
        }
    }

    fn ask_for_session(&mut self) -> Step {
        let (method, params) = hello::open(&self.wishes);
        self.say(Said::Open, method, &params)
    }

    fn opened(&mut self, result: &Value) -> Vec<Step> {
        let Some(session) = hello::session_id(&self.wishes, result) else {
            let message =
                Text::new("agent {} opens a session and does not name it").value(&self.wishes.agent);
            return vec![Step::Failed(lost(
                Code::OutputParseFailed,
                message,
                "Check the version of the agent",
            ))];
        };
        let wanted = settings(&self.wishes, &session, result);
        self.to_set = wanted.to_set.into();
        self.not_offered = wanted.not_offered;
        self.session = Some(session);
        // It is gone on with once.
        self.wishes.resume = None;
        let mut steps = vec![Step::Note(json!({"method": "session/new", "result": result}))];
        steps.extend(self.set_next());
        steps
    }

    fn set_next(&mut self) -> Vec<Step> {
        if let Some(setting) = self.to_set.pop_front() {
            let (method, params) = (setting.method, setting.params.clone());
            return vec![self.say(Said::Set(setting), method, &params)];
        }
        if let Some(text) = self.unsent.take() {
            return match self.state {
                State::Cancelled => self.end_turn(cancelled()),
                State::Quiet | State::Turn => vec![self.send_prompt(&text)],
            };
        }
        vec![Step::Ready {
            agent: self.offer.agent.clone(),
            session: self.session.clone().unwrap_or_default(),
            not_offered: std::mem::take(&mut self.not_offered),
        }]
    }

    fn failed(&mut self, said: Said, fault: &Fault) -> Vec<Step> {
        let agent = self.wishes.agent.clone();
        let refused = |method: &'static str| {
            Text::new("agent {} refuses {} with {}: {}")
                .value(&agent)
                .word(method)
                .number(fault.code)
                .value(&fault.said)
        };
        match said {
            Said::Open if fault.code == AUTH_REQUIRED => vec![self.sign_in()],
            Said::Initialize => vec![fatal(refused("initialize"))],
            Said::Authenticate => vec![Step::Failed(not_signed_in(&self.offer, refused("authenticate")))],
            Said::Open => vec![fatal(refused("a session"))],
            Said::Set(setting) => {
                let message = Text::new("agent {} refuses {} for {}: {}")
                    .value(&agent)
                    .value(&setting.value)
                    .value(&setting.what)
                    .value(&fault.said);
                vec![Step::Failed(lost(
                    Code::ValidationError,
                    message,
                    "Choose another value, or leave it out",
                ))]
            }
            // Some agents end a cancelled turn with an error.
            Said::Prompt if self.state == State::Cancelled => self.end_turn(cancelled()),
            Said::Prompt => {
                let (code, hint) = match fault.code {
                    AUTH_REQUIRED => (
                        Code::AuthRequired,
                        "Sign in to the agent, and send the prompt again",
                    ),
                    _ => (
                        Code::ExecutionError,
                        "Look at what the agent says, and send the prompt again",
                    ),
                };
                let mut steps = self.close_turn();
                steps.push(Step::Failed(Failure {
                    code,
                    message: refused("the prompt"),
                    hint: hint.into(),
                    retryable: fault.code == INTERNAL,
                    scope: Scope::Turn,
                }));
                steps
            }
            // Goodbye is said; whether it was understood does not matter any more.
            Said::Close => vec![Step::Closed],
        }
    }

    /// Signs in once, in the way that was wished for, if the agent offers it.
    fn sign_in(&mut self) -> Step {
        let wanted = self.wishes.sign_in.clone();
        let offered = wanted.filter(|wanted| self.offer.sign_in.contains(wanted));
        match (self.sign_in, offered) {
            (SignIn::Untried, Some(method)) => {
                self.sign_in = SignIn::Tried;
                self.say(Said::Authenticate, "authenticate", &json!({"methodId": method}))
            }
            (SignIn::Tried, _) | (SignIn::Untried, None) => {
                let message = Text::new("agent {} wants somebody to sign in first").value(&self.wishes.agent);
                Step::Failed(not_signed_in(&self.offer, message))
            }
        }
    }

    fn send_prompt(&mut self, text: &str) -> Step {
        let prompt = json!([{"type": "text", "text": text}]);
        let params = json!({"sessionId": self.session, "prompt": prompt});
        self.say(Said::Prompt, "session/prompt", &params)
    }

    fn end_turn(&mut self, event: EventKind) -> Vec<Step> {
        let mut steps = self.close_turn();
        steps.push(Step::TurnEnd(event));
        steps
    }

    /// What is still to be told of a turn, and the end of what was asked in it.
    fn close_turn(&mut self) -> Vec<Step> {
        self.state = State::Quiet;
        let mut steps = self.tools.end();
        steps.extend(self.withdraw());
        steps
    }

    /// Answers everything that is open: nobody will.
    fn withdraw(&mut self) -> Vec<Step> {
        let open = std::mem::take(&mut self.open);
        let mut steps: Vec<Step> = Vec::new();
        if !open.is_empty() {
            steps.push(Step::Withdraw);
        }
        steps.extend(open.values().map(|(id, form)| said_of(id, form.withdrawn())));
        steps
    }

    fn notice(&mut self, method: &str, params: Value) -> Vec<Step> {
        if method != "session/update" {
            return vec![Step::Note(json!({"method": method, "params": params}))];
        }
        let session = text_of(&params, "sessionId");
        let is_ours = session.is_none() || session == self.session.as_deref();
        match (self.state, is_ours) {
            (State::Turn | State::Cancelled, true) => updates::translate(&mut self.tools, &params),
            (State::Turn | State::Cancelled | State::Quiet, _) => {
                // History, something late, or another session.
                if let Some(update) = params.get("update") {
                    self.tools.remember(update);
                }
                vec![updates::aside(&params)]
            }
        }
    }

    fn request(&mut self, id: Value, method: &str, params: &Value) -> Vec<Step> {
        if self.open.values().any(|(known, _)| *known == id) {
            return vec![Step::Note(
                json!({"ignored": "a request with the id of an open one", "id": id}),
            )];
        }
        let asked = match asked::read(method, params, self.wishes.serves) {
            Ok(asked) => asked,
            Err(Wrong(code, why)) => {
                let note = json!({"refused": why, "method": method, "params": params});
                return vec![Step::Note(note), Step::Say(message::error(&id, code, why))];
            }
        };
        let (form, is_question) = match &asked {
            Asked::Permission(permission) => (Form::Permission(permission.options.clone()), true),
            Asked::Elicitation(_) => (Form::Elicitation, true),
            Asked::Act(_) => (Form::Act, false),
        };
        // A question belongs to a turn; whoever asks outside of one is not heard.
        if is_question && self.state != State::Turn {
            return vec![said_of(&id, form.withdrawn())];
        }
        if self.open.len() >= OPEN {
            return vec![said_of(&id, form.surplus())];
        }
        self.asked += 1;
        let number = AskId(self.asked);
        self.open.insert(number, (id, form));
        match asked {
            Asked::Permission(permission) => self.ask_permission(number, permission, params),
            Asked::Elicitation(question) => vec![
                Step::Prompt(prompted(number, &question)),
                Step::Ask(number, Ask::Permit(question)),
            ],
            Asked::Act(ask) => vec![Step::Ask(number, ask)],
        }
    }

    /// Tells the call first, if it was not told yet, and asks with everything that is known of it.
    fn ask_permission(&mut self, number: AskId, mut permission: Permission, params: &Value) -> Vec<Step> {
        let call = params.get("toolCall").unwrap_or(&Value::Null);
        let mut steps = self.tools.hear(call, News::Permission);
        if let Some(known) = self.tools.known_use(&permission.tool.id) {
            permission.tool = completed(permission.tool, known, call);
        }
        if is_empty(&permission.tool.input) {
            permission.tool.input = changes(items_of(call, "content"));
        }
        steps.push(Step::Prompt(prompted(number, &permission)));
        steps.push(Step::Ask(number, Ask::Permit(permission)));
        steps
    }
}

impl Arm for Acp {
    fn open(&mut self) -> Vec<Step> {
        let hello = hello::initialize(self.wishes.serves);
        vec![self.say(Said::Initialize, "initialize", &hello)]
    }

    fn hear(&mut self, line: &[u8]) -> Vec<Step> {
        match message::read(line) {
            Message::Answer { id, outcome } => self.answer(id, outcome),
            Message::Notice { method, params } => self.notice(&method, params),
            Message::Request { id, method, params } => self.request(id, &method, &params),
            Message::Noise => {
                let most = line.get(..NOISE).unwrap_or(line);
                vec![Step::Note(json!({"noise": String::from_utf8_lossy(most)}))]
            }
        }
    }

    fn answered(&mut self, ask: AskId, answer: Answered) -> Vec<Step> {
        match self.open.remove(&ask) {
            Some((id, form)) => vec![said_of(&id, form.answer(answer))],
            None => Vec::new(),
        }
    }

    fn prompt(&mut self, text: &str) -> Vec<Step> {
        self.state = State::Turn;
        self.tools.begin();
        self.turns += 1;
        if self.turns > 1 && self.wishes.carryover == Carryover::Dropped {
            self.unsent = Some(text.to_owned());
            return vec![self.ask_for_session()];
        }
        vec![self.send_prompt(text)]
    }

    fn cancel(&mut self) -> Vec<Step> {
        if self.state != State::Turn {
            return Vec::new();
        }
        self.state = State::Cancelled;
        let mut steps = self.withdraw();
        let params = json!({"sessionId": self.session});
        steps.insert(0, Step::Say(message::notice("session/cancel", &params)));
        steps
    }

    fn close(&mut self) -> Vec<Step> {
        match (&self.session, self.offer.close) {
            (Some(session), true) => {
                let params = json!({"sessionId": session});
                vec![self.say(Said::Close, "session/close", &params)]
            }
            (Some(_) | None, _) => vec![Step::Closed],
        }
    }
}

fn cancelled() -> EventKind {
    EventKind::TurnEnd {
        reason: CANCELLED.to_owned(),
        usage: None,
    }
}

fn said_of(id: &Value, answer: Result<Value, (i64, String)>) -> Step {
    Step::Say(match answer {
        Ok(result) => message::result(id, &result),
        Err((code, why)) => message::error(id, code, &why),
    })
}

fn prompted(AskId(number): AskId, permission: &Permission) -> Prompted {
    Prompted {
        id: format!("ask-{number}"),
        prompt: permission.tool.name.clone(),
        options: permission.options.clone(),
    }
}

/// What the question says, and where it says nothing, what is known of the call. The id is that of the events.
fn completed(asked: ToolUse, known: &ToolUse, call: &Value) -> ToolUse {
    ToolUse {
        id: known.id.clone(),
        name: match text_of(call, "title") {
            Some(_) => asked.name,
            None => known.name.clone(),
        },
        kind: asked.kind.or(known.kind),
        input: match &asked.input {
            Value::Null => known.input.clone(),
            _ => asked.input,
        },
        paths: match asked.paths.is_empty() {
            true => known.paths.clone(),
            false => asked.paths,
        },
    }
}

fn usage(result: &Value) -> Option<Usage> {
    let usage = result.get("usage")?;
    let number = |name: &str| usage.get(name).and_then(Value::as_u64);
    let read = Usage {
        input_tokens: number("inputTokens"),
        output_tokens: number("outputTokens"),
        total_tokens: number("totalTokens"),
    };
    let says_something = read
        .input_tokens
        .or(read.output_tokens)
        .or(read.total_tokens)
        .is_some();
    says_something.then_some(read)
}

fn fatal(message: Text) -> Step {
    Step::Failed(lost(
        Code::ExecutionError,
        message,
        "Check the version and the settings of the agent",
    ))
}
