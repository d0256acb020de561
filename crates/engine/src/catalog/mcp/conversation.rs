//! What is said to a server and what is made of its answers. No stream and no clock is touched here.
//!
//! Hello, and then one question after another: `tools/list` page by page, or `tools/call`. A server may ask whether we
//! are there (`ping`); whatever else it asks is refused, since no capability was offered. Pages end with the last one,
//! with a cursor that was seen before, or when there are more than is read.

use std::collections::{HashSet, VecDeque};

use argrail_spec::mcp_tools::MOST_TOOLS;
use serde_json::{Map, Value, json};

use super::error::{Problem, Stage};
use super::limits::{CURSOR, MESSAGES, PAGES, REQUESTS};
use super::message::{Fault, Message};

/// The revision that is offered.
pub(super) const OFFERED: &str = "2025-11-25";
/// Those that are spoken, too: `tools/list` and `tools/call` are the same in all of them.
const OLDER: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];
/// There is no such method, says JSON-RPC.
const NO_METHOD: i64 = -32601;

/// Something to be said.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Saying {
    pub(super) message: Value,
    pub(super) expects: Expects,
}

/// Whether an answer is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expects {
    Answer,
    Nothing,
}

/// What is asked once hello is said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Question {
    /// Which tools there are.
    Tools,
    /// What a tool does with these.
    Call {
        tool: String,
        arguments: Map<String, Value>,
    },
}

/// Everything that a server said about its tools.
#[derive(Debug, PartialEq)]
pub(super) struct Listing {
    pub(super) info: Value,
    pub(super) tools: Vec<Value>,
    /// What is odd about it.
    pub(super) notes: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting(Stage, u64),
    Done,
}

/// Whether a server says that it has tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    Tools,
    Nothing,
}

/// A conversation with one server.
#[derive(Debug)]
pub(super) struct Conversation {
    state: State,
    to_say: VecDeque<Saying>,
    revision: Option<&'static str>,
    cursors: HashSet<String>,
    pages: usize,
    messages: usize,
    requests: usize,
    listing: Listing,
    asked: u64,
    offer: Offer,
    result: Option<Value>,
}

impl Conversation {
    /// Begins with a hello.
    pub(super) fn begin(version: &str) -> Self {
        let hello = json!({
            "protocolVersion": OFFERED,
            "capabilities": {},
            "clientInfo": {"name": "argrail", "version": version},
        });
        let mut conversation = Self {
            state: State::Done,
            to_say: VecDeque::new(),
            revision: None,
            cursors: HashSet::new(),
            pages: 0,
            messages: 0,
            requests: 0,
            listing: Listing {
                info: Value::Null,
                tools: Vec::new(),
                notes: Vec::new(),
            },
            asked: 0,
            offer: Offer::Nothing,
            result: None,
        };
        conversation.say(Stage::Greeting, "initialize", hello);
        conversation
    }

    /// Asks the next question, of a server that has greeted. What was heard before counts no more.
    pub(super) fn ask(&mut self, question: Question) -> Result<(), Problem> {
        (self.messages, self.requests) = (0, 0);
        match (question, self.offer) {
            (Question::Tools, Offer::Tools) => self.say(Stage::Listing, "tools/list", json!({})),
            (Question::Tools, Offer::Nothing) => {
                self.listing.notes.push("the server says that it has no tools");
            }
            (Question::Call { tool, arguments }, Offer::Tools) => {
                self.result = None;
                let params = json!({"name": tool, "arguments": arguments});
                self.say(Stage::Calling, "tools/call", params);
            }
            (Question::Call { .. }, Offer::Nothing) => return Err(Problem::NoTools),
        }
        Ok(())
    }

    /// Returns what is to be said next.
    pub(super) fn next(&mut self) -> Option<Saying> {
        self.to_say.pop_front()
    }

    /// Returns what is waited for; nothing when all was heard.
    pub(super) fn stage(&self) -> Option<Stage> {
        match self.state {
            State::Waiting(stage, _) => Some(stage),
            State::Done => None,
        }
    }

    /// Returns the number of the question that is open.
    pub(super) fn waits_for(&self) -> Option<u64> {
        match self.state {
            State::Waiting(_, id) => Some(id),
            State::Done => None,
        }
    }

    /// Returns the revision that was agreed on.
    pub(super) fn revision(&self) -> Option<&'static str> {
        self.revision
    }

    /// Counts something that was said and is no message.
    pub(super) fn noise(&mut self) -> Result<(), Problem> {
        self.messages += 1;
        match self.messages > MESSAGES {
            true => Err(Problem::TooMuch {
                what: "too many messages",
            }),
            false => Ok(()),
        }
    }

    /// Hears a message.
    pub(super) fn hear(&mut self, message: Message) -> Result<(), Problem> {
        self.noise()?;
        match (message, self.state) {
            (Message::Nothing, _) | (Message::Answer { .. }, State::Done) => Ok(()),
            (Message::Request { id, method }, _) => self.answer(&id, &method),
            (Message::Answer { id, outcome }, State::Waiting(stage, awaited)) => match outcome {
                // An error without a number is about the only question that is open.
                Err(fault) if id == awaited || id == 0 => Err(refused(stage, fault)),
                Ok(result) if id == awaited => self.answered(stage, result),
                Ok(_) | Err(_) => Ok(()),
            },
        }
    }

    /// Hands the conversation to another thread and leaves one that is over.
    pub(super) fn lend(&mut self) -> Self {
        let over = Self {
            state: State::Done,
            to_say: VecDeque::new(),
            revision: self.revision,
            cursors: HashSet::new(),
            pages: 0,
            messages: 0,
            requests: 0,
            listing: Listing {
                info: Value::Null,
                tools: Vec::new(),
                notes: Vec::new(),
            },
            asked: self.asked,
            offer: self.offer,
            result: None,
        };
        std::mem::replace(self, over)
    }

    /// Returns what was heard of the tools.
    pub(super) fn listing(self) -> Listing {
        self.listing
    }

    /// Returns what came of the last call.
    pub(super) fn result(&mut self) -> Option<Value> {
        self.result.take()
    }

    fn say(&mut self, stage: Stage, method: &str, params: Value) {
        self.asked += 1;
        let id = self.asked;
        self.state = State::Waiting(stage, id);
        self.to_say.push_back(Saying {
            message: json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
            expects: Expects::Answer,
        });
    }

    fn tell(&mut self, message: Value) {
        self.to_say.push_back(Saying {
            message,
            expects: Expects::Nothing,
        });
    }

    fn answer(&mut self, id: &Value, method: &str) -> Result<(), Problem> {
        self.requests += 1;
        if self.requests > REQUESTS {
            return Err(Problem::TooMuch {
                what: "too many questions",
            });
        }
        self.tell(if method == "ping" {
            json!({"jsonrpc": "2.0", "id": id, "result": {}})
        } else {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": NO_METHOD, "message": "argrail offers no such method"}})
        });
        Ok(())
    }

    fn answered(&mut self, stage: Stage, result: Value) -> Result<(), Problem> {
        match stage {
            Stage::Greeting => self.greeted(result),
            Stage::Listing => self.listed(result),
            Stage::Calling => {
                self.result = Some(result);
                self.state = State::Done;
                Ok(())
            }
        }
    }

    fn greeted(&mut self, mut result: Value) -> Result<(), Problem> {
        let Some(given) = result.get("protocolVersion").and_then(Value::as_str) else {
            return Err(unreadable(Stage::Greeting, "there is no \"protocolVersion\""));
        };
        let known = std::iter::once(OFFERED)
            .chain(OLDER)
            .find(|known| *known == given);
        let Some(revision) = known else {
            return Err(Problem::Revision {
                given: given.to_owned(),
            });
        };
        self.revision = Some(revision);
        self.tell(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let offers_tools = result
            .pointer("/capabilities/tools")
            .is_some_and(Value::is_object);
        self.listing.info = result.get_mut("serverInfo").map(Value::take).unwrap_or_default();
        if offers_tools {
            self.offer = Offer::Tools;
        }
        self.state = State::Done;
        Ok(())
    }

    fn listed(&mut self, mut result: Value) -> Result<(), Problem> {
        let Some(Value::Array(tools)) = result.get_mut("tools").map(Value::take) else {
            return Err(unreadable(Stage::Listing, "there is no array \"tools\""));
        };
        self.listing.tools.extend(tools);
        self.pages += 1;
        match self.cursor(&result) {
            Some(cursor) => self.say(Stage::Listing, "tools/list", json!({"cursor": cursor})),
            None => self.state = State::Done,
        }
        Ok(())
    }

    /// Returns the cursor of the next page, if there is one that is read.
    fn cursor(&mut self, result: &Value) -> Option<String> {
        let cursor = match result.get("nextCursor") {
            None | Some(Value::Null) => return None,
            Some(Value::String(cursor)) if cursor.is_empty() => return None,
            Some(Value::String(cursor)) if cursor.len() <= CURSOR => cursor.clone(),
            Some(_) => {
                self.listing
                    .notes
                    .push("a page of tools names no next page that can be asked for");
                return None;
            }
        };
        if !self.cursors.insert(cursor.clone()) {
            self.listing
                .notes
                .push("a page of tools names a next page that was read before");
            return None;
        }
        // One tool more than is kept shows that there were more.
        if self.pages >= PAGES || self.listing.tools.len() > MOST_TOOLS {
            self.listing
                .notes
                .push("there are more pages of tools than are read");
            return None;
        }
        Some(cursor)
    }
}

fn refused(stage: Stage, fault: Fault) -> Problem {
    Problem::Refused {
        stage,
        code: fault.code,
        said: fault.said,
    }
}

fn unreadable(stage: Stage, reason: &str) -> Problem {
    Problem::Unreadable {
        stage,
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::message::read;
    use super::*;

    /// Says these to a conversation that has begun; returns what it said, and how it ended. The tools are asked for
    /// once hello is said.
    fn talk(conversation: &mut Conversation, heard: &[Value]) -> (Vec<Value>, Result<(), Problem>) {
        talk_of(&Question::Tools, conversation, heard)
    }

    fn talk_of(
        question: &Question,
        conversation: &mut Conversation,
        heard: &[Value],
    ) -> (Vec<Value>, Result<(), Problem>) {
        let mut said = Vec::new();
        for message in heard {
            let message = read(message.to_string().as_bytes()).unwrap();
            let was_greeting = conversation.stage() == Some(Stage::Greeting);
            let mut outcome = conversation.hear(message);
            if outcome.is_ok() && was_greeting && conversation.stage().is_none() {
                outcome = conversation.ask(question.clone());
            }
            if let Err(problem) = outcome {
                return (said, Err(problem));
            }
            while let Some(saying) = conversation.next() {
                said.push(saying.message);
            }
        }
        (said, Ok(()))
    }

    fn begun() -> Conversation {
        let mut conversation = Conversation::begin("1");
        let hello = conversation.next().unwrap();
        assert_eq!(hello.message["params"]["protocolVersion"], OFFERED);
        assert_eq!(hello.message["params"]["capabilities"], json!({}));
        conversation
    }

    fn answer(id: u64, result: Value) -> Value {
        json!({"jsonrpc": "2.0", "id": id, "result": result})
    }

    fn hello() -> Value {
        answer(
            1,
            json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s"}}),
        )
    }

    fn page(id: u64, tools: Value, next: Value) -> Value {
        answer(id, json!({"tools": tools, "nextCursor": next}))
    }

    #[test]
    fn pages_are_read_to_the_last() {
        let mut conversation = begun();
        let heard = [
            hello(),
            page(2, json!([{"name": "a"}]), json!("p2")),
            page(3, json!([{"name": "b"}]), Value::Null),
        ];
        let (said, end) = talk(&mut conversation, &heard);
        assert!(end.is_ok() && conversation.stage().is_none());
        assert_eq!(said[0]["method"], "notifications/initialized");
        assert_eq!(
            (&said[1]["method"], &said[1]["params"]),
            (&json!("tools/list"), &json!({}))
        );
        assert_eq!(said[2]["params"], json!({"cursor": "p2"}));
        assert_eq!(conversation.revision(), Some("2025-06-18"));
        let listing = conversation.listing();
        assert_eq!(listing.tools, [json!({"name": "a"}), json!({"name": "b"})]);
        assert_eq!((listing.info, listing.notes.len()), (json!({"name": "s"}), 0));
    }

    #[test]
    fn questions_are_answered_and_nothing_is_offered() {
        let mut conversation = begun();
        let question = |method: &str| json!({"jsonrpc": "2.0", "id": method, "method": method});
        let heard: Vec<Value> = [
            "ping",
            "sampling/createMessage",
            "roots/list",
            "elicitation/create",
        ]
        .into_iter()
        .map(question)
        .collect();
        let (said, end) = talk(&mut conversation, &heard);
        assert!(end.is_ok());
        assert_eq!(said[0], json!({"jsonrpc": "2.0", "id": "ping", "result": {}}));
        for refusal in &said[1..] {
            assert_eq!(refusal["error"]["code"], NO_METHOD, "{refusal}");
        }
        assert_eq!(conversation.stage(), Some(Stage::Greeting));
        let flood = vec![question("ping"); REQUESTS];
        assert!(matches!(
            talk(&mut conversation, &flood).1,
            Err(Problem::TooMuch { .. })
        ));
    }

    #[test]
    fn endless_pages_end() {
        // A cursor that comes again.
        let mut conversation = begun();
        let again = [
            hello(),
            page(2, json!([]), json!("x")),
            page(3, json!([]), json!("x")),
        ];
        assert!(talk(&mut conversation, &again).1.is_ok() && conversation.stage().is_none());
        assert_eq!(conversation.listing().notes.len(), 1);
        // Always another one.
        let mut conversation = begun();
        let mut heard = vec![hello()];
        heard.extend((0..200).map(|n| page(2 + n, json!([{"name": n}]), json!(format!("p{n}")))));
        let (said, end) = talk(&mut conversation, &heard);
        assert!(end.is_ok() && conversation.stage().is_none());
        assert_eq!(said.len(), PAGES + 1);
        // More tools than are kept.
        let mut conversation = begun();
        let many: Value = (0..=MOST_TOOLS).map(|n| json!({"name": n})).collect();
        assert!(
            talk(&mut conversation, &[hello(), page(2, many, json!("p2"))])
                .1
                .is_ok()
        );
        assert!(conversation.stage().is_none());
        // What is no cursor.
        for odd in [json!(7), json!([]), json!("x".repeat(CURSOR + 1))] {
            let mut conversation = begun();
            assert!(
                talk(&mut conversation, &[hello(), page(2, json!([]), odd)])
                    .1
                    .is_ok()
            );
            assert!(conversation.stage().is_none());
        }
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        let check = |heard: &[Value], want: &str| {
            let problem = talk(&mut begun(), heard).1.unwrap_err();
            assert!(format!("{problem:?}").contains(want), "{problem:?}");
        };
        let error = json!({"code": -32602, "message": "no such revision"});
        check(&[json!({"jsonrpc": "2.0", "id": 1, "error": error})], "-32602");
        check(&[json!({"jsonrpc": "2.0", "id": null, "error": error})], "-32602");
        check(
            &[hello(), json!({"jsonrpc": "2.0", "id": 2, "error": error})],
            "Listing",
        );
        check(&[answer(1, json!({"protocolVersion": "2099-01-01"}))], "Revision");
        check(&[answer(1, json!({}))], "protocolVersion");
        check(&[answer(1, json!("x"))], "protocolVersion");
        check(&[hello(), answer(2, json!({"tools": {}}))], "tools");
        let noise = vec![json!({"jsonrpc": "2.0", "method": "notifications/message"}); MESSAGES + 1];
        check(&noise, "too many messages");
    }

    #[test]
    fn answers_to_what_nobody_asked_are_not_heard() {
        let mut conversation = begun();
        let heard = [
            page(2, json!([{"name": "early"}]), Value::Null),
            answer(7, json!({})),
            hello(),
            hello(),
        ];
        let (said, end) = talk(&mut conversation, &heard);
        assert!(end.is_ok());
        assert_eq!((said.len(), conversation.stage()), (2, Some(Stage::Listing)));
    }

    #[test]
    fn a_server_without_tools_is_not_asked_for_them() {
        let mut conversation = begun();
        let bare = answer(
            1,
            json!({"protocolVersion": OFFERED, "capabilities": {"resources": {}}}),
        );
        let (said, end) = talk(&mut conversation, &[bare]);
        assert!(end.is_ok() && conversation.stage().is_none());
        assert_eq!(said.len(), 1);
        let listing = conversation.listing();
        assert_eq!((listing.tools.len(), listing.notes.len()), (0, 1));
    }

    #[test]
    fn a_tool_is_called_and_its_result_is_kept_as_it_came() {
        let mut arguments = Map::new();
        arguments.insert("a".into(), json!([1, {"b": null}]));
        let tool = "get_time".to_owned();
        let question = Question::Call { tool, arguments };
        let mut conversation = begun();
        let result = json!({"content": [], "isError": true});
        let progress =
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}});
        let heard = [hello(), progress, answer(7, json!({})), answer(2, result.clone())];
        let (said, end) = talk_of(&question, &mut conversation, &heard);
        assert!(end.is_ok() && conversation.stage().is_none());
        assert_eq!(
            said[1],
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                "params": {"name": "get_time", "arguments": {"a": [1, {"b": null}]}}})
        );
        assert_eq!(conversation.result(), Some(result));
        // The next one has a number of its own, and what the last one said is not taken for it.
        conversation.ask(question.clone()).unwrap();
        assert_eq!(conversation.next().unwrap().message["id"], 3);
        let (_, end) = talk_of(&question, &mut conversation, &[answer(2, json!("old"))]);
        assert!(end.is_ok());
        assert_eq!(
            (conversation.result(), conversation.stage()),
            (None, Some(Stage::Calling))
        );
        // Of a server without tools none is called.
        let bare = answer(1, json!({"protocolVersion": OFFERED, "capabilities": {}}));
        let (said, end) = talk_of(&question, &mut begun(), &[bare]);
        assert!(matches!(end, Err(Problem::NoTools)), "{end:?}");
        assert_eq!(said.len(), 0);
    }

    fn some_message() -> impl Strategy<Value = Value> {
        let result = prop_oneof![
            Just(json!({"protocolVersion": OFFERED, "capabilities": {"tools": {}}})),
            Just(json!({"tools": [1], "nextCursor": "a"})),
            "[a-c]{0,2}".prop_map(|cursor| json!({"tools": [], "nextCursor": cursor})),
            Just(Value::Null),
        ];
        prop_oneof![
            6 => (0..6_u64, result).prop_map(|(id, result)| answer(id, result)),
            1 => (0..6_u64).prop_map(|id| json!({"jsonrpc": "2.0", "id": id, "method": "ping"})),
            1 => Just(json!({"jsonrpc": "2.0", "method": "x"})),
        ]
    }

    proptest! {
        #[test]
        fn any_order_of_messages_is_borne(heard in prop::collection::vec(some_message(), 0..40)) {
            let mut conversation = begun();
            let (said, _) = talk(&mut conversation, &heard);
            // Never more said than asked, answered and greeted.
            prop_assert!(said.len() <= heard.len() + 1);
        }
    }
}
