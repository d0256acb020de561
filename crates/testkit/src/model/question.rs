//! What an agent asks, whichever provider it believes to talk to.

use super::script::Turn;
use crate::http::Request;
use serde_json::Value;

/// Whose words are spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Api {
    OpenaiChat,
    OpenaiResponses,
    Anthropic,
    Gemini,
}

impl Api {
    /// Returns what a path belongs to.
    pub(super) fn of(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or(path);
        if path.ends_with("/chat/completions") {
            Some(Self::OpenaiChat)
        } else if path.ends_with("/responses") {
            Some(Self::OpenaiResponses)
        } else if path.ends_with("/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") {
            Some(Self::Gemini)
        } else {
            None
        }
    }

    /// Returns its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }
}

/// One step of a conversation.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Prompt(String),
    Result(String),
    Other,
}

/// A request, read.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) api: Api,
    /// Whether the answer comes in pieces.
    pub(super) streamed: bool,
    /// The model that is asked for.
    pub(super) model: String,
    /// The names of the tools that may be called.
    pub(super) tools: Vec<String>,
    /// The shape that the answer should have, if it should be JSON.
    pub(super) schema: Option<Value>,
    steps: Vec<Step>,
}

impl Question {
    pub(super) fn read(api: Api, request: &Request) -> Option<Self> {
        let body: Value = serde_json::from_slice(&request.body).ok()?;
        let streamed = match api {
            Api::Gemini => request.path.contains(":stream"),
            Api::OpenaiChat | Api::OpenaiResponses | Api::Anthropic => body["stream"] == true,
        };
        let config = &body["generationConfig"];
        let schema = [
            &config["responseJsonSchema"],
            &config["responseSchema"],
            &body["response_format"]["json_schema"]["schema"],
            &body["text"]["format"]["schema"],
        ];
        let schema = schema.into_iter().find(|schema| schema.is_object());
        Some(Self {
            api,
            streamed,
            model: body["model"].as_str().unwrap_or("fake").to_owned(),
            tools: tools(&body["tools"]),
            schema: schema.cloned(),
            steps: steps(&body),
        })
    }

    /// The newest prompt.
    pub(super) fn prompt(&self) -> &str {
        let prompts = self.steps.iter().rev().filter_map(|step| match step {
            Step::Prompt(text) => Some(text.as_str()),
            Step::Result(_) | Step::Other => None,
        });
        { prompts }.next().unwrap_or_default()
    }

    /// The newest prompt for which there is a turn, and what tools gave back since. Agents put words of their own
    /// behind those of the person.
    pub(super) fn turn<'a>(&self, find: impl Fn(&str) -> Option<&'a Turn>) -> Option<(&'a Turn, Vec<&str>)> {
        self.steps
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, step)| match step {
                Step::Prompt(text) => find(text).map(|turn| (turn, self.results(at))),
                Step::Result(_) | Step::Other => None,
            })
    }

    fn results(&self, since: usize) -> Vec<&str> {
        let results = self.steps.iter().skip(since).filter_map(|step| match step {
            Step::Result(text) => Some(text.as_str()),
            Step::Prompt(_) | Step::Other => None,
        });
        results.collect()
    }

    /// The name by which the agent knows a tool: agents put the name of an MCP server before it.
    pub(super) fn tool(&self, name: &str) -> Option<&str> {
        let exact = self.tools.iter().find(|tool| *tool == name);
        let prefixed = || {
            let behind = |tool: &&String| {
                tool.strip_suffix(name)
                    .is_some_and(|before| before.ends_with('_'))
            };
            self.tools.iter().find(behind)
        };
        exact.or_else(prefixed).map(String::as_str)
    }
}

fn tools(list: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for tool in list.as_array().into_iter().flatten() {
        let declared = tool["functionDeclarations"].as_array();
        match declared {
            Some(declared) => names.extend(declared.iter().filter_map(|one| one["name"].as_str())),
            None => names.extend(tool["function"]["name"].as_str().or(tool["name"].as_str())),
        }
    }
    names.into_iter().map(str::to_owned).collect()
}

fn steps(body: &Value) -> Vec<Step> {
    let lists = [&body["messages"], &body["input"], &body["contents"]];
    let messages = lists.into_iter().find_map(Value::as_array);
    let mut steps = Vec::new();
    for message in messages.into_iter().flatten() {
        match message["role"].as_str().or(message["type"].as_str()) {
            Some("user") => {
                let parts = [&message["content"], &message["parts"]];
                let parts = parts.into_iter().find(|parts| !parts.is_null());
                user(parts.unwrap_or(&Value::Null), &mut steps);
            }
            Some("tool") => steps.push(Step::Result(text(&message["content"]))),
            Some("function_call_output") => steps.push(Step::Result(text(&message["output"]))),
            _ => steps.push(Step::Other),
        }
    }
    // The responses API takes a bare string too.
    if let Some(prompt) = body["input"].as_str() {
        steps.push(Step::Prompt(prompt.to_owned()));
    }
    steps
}

/// What a message of the user has: text, what tools gave back (Anthropic, Gemini), or both.
fn user(content: &Value, steps: &mut Vec<Step>) {
    let parts = content.as_array().map_or(&[][..], Vec::as_slice);
    for part in parts {
        if part["type"] == "tool_result" {
            steps.push(Step::Result(text(&part["content"])));
        } else if part["functionResponse"].is_object() {
            steps.push(Step::Result(part["functionResponse"]["response"].to_string()));
        }
    }
    let said = text(content);
    if !said.is_empty() {
        steps.push(Step::Prompt(said));
    }
}

/// The text of a string, or of a list of parts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(path: &str, body: &Value) -> Question {
        let request = Request {
            method: "POST".into(),
            path: path.into(),
            headers: [].into(),
            body: body.to_string().into_bytes(),
        };
        Question::read(Api::of(path).unwrap(), &request).unwrap()
    }

    #[test]
    fn every_provider_is_understood_alike() {
        let asked = [
            (
                "/v1/chat/completions",
                json!({"stream": true, "tools": [{"type": "function", "function": {"name": "a__cli"}}], "messages": [
                    {"role": "system", "content": "be good"}, {"role": "user", "content": "list"},
                    {"role": "assistant", "tool_calls": []}, {"role": "tool", "content": "out"}]}),
            ),
            (
                "/v1/responses",
                json!({"stream": true, "tools": [{"type": "function", "name": "a__cli"}], "input": [
                    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "list"}]},
                    {"type": "function_call", "name": "a__cli"}, {"type": "function_call_output", "output": "out"}]}),
            ),
            (
                "/v1/messages?beta=true",
                json!({"stream": true, "tools": [{"name": "mcp__a__cli"}], "messages": [
                    {"role": "user", "content": "list"}, {"role": "assistant", "content": []},
                    {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "out"}]}]}]}),
            ),
            (
                "/v1beta/models/m:streamGenerateContent?alt=sse",
                json!({"tools": [{"functionDeclarations": [{"name": "mcp_a_cli"}]}], "contents": [
                    {"role": "user", "parts": [{"text": "list"}]}, {"role": "model", "parts": []},
                    {"role": "user", "parts": [{"functionResponse": {"response": "out"}}]}]}),
            ),
        ];
        let turn = Turn::say("list", "");
        for (path, body) in &asked {
            let question = read(path, body);
            assert_eq!(question.prompt(), "list", "{path}");
            let (_, results) = question
                .turn(|text| text.contains("list").then_some(&turn))
                .unwrap();
            assert_eq!(results.len(), 1, "{path}");
            assert!(results[0].contains("out"), "{path}: {results:?}");
            assert!(question.streamed, "{path}");
            assert!(question.tool("cli").unwrap().ends_with("_cli"), "{path}");
            assert_eq!(question.tool("li"), None, "{path}");
        }
    }

    #[test]
    fn words_that_the_agent_adds_do_not_hide_the_prompt() {
        let body = json!({"messages": [{"role": "user", "content": "list"}, {"role": "user", "content": "<reminder>"}]});
        let question = read("/chat/completions", &body);
        let turn = Turn::say("list", "");
        assert_eq!(question.prompt(), "<reminder>");
        assert!(question.turn(|text| (text == "list").then_some(&turn)).is_some());
        assert_eq!(Api::of("/v1/models"), None);
    }
}
