//! What the model says to which prompt.

use serde_json::{Map, Value};

/// Words that one answer has at most, however often it is repeated.
const WORDS: usize = 10_000;

/// How a model answers.
#[derive(Debug, Clone, Default)]
pub struct Script {
    turns: Vec<Turn>,
}

/// The answer to one prompt.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    /// A piece of the prompt. The first turn whose piece is in it is taken.
    pub when: String,
    /// Tools that are called, one after the other, before anything is said.
    pub calls: Vec<Call>,
    /// What is said in the end.
    pub say: String,
    /// How often that is said.
    pub repeat: usize,
    /// Milliseconds before each word.
    pub pause_ms: u64,
    /// Whether the end never comes.
    pub stall: bool,
}

/// One call of a tool.
#[derive(Debug, Clone)]
pub struct Call {
    /// Its name, without what an agent puts before the tools of an MCP server.
    pub tool: String,
    /// What it is given.
    pub arguments: Map<String, Value>,
}

impl Script {
    /// Reads a script: `{"turns": [{"when", "calls"?: [{"tool", "arguments"}], "say"?, "repeat"?, "pauseMs"?, "stall"?}]}`.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let turns = value.get("turns").and_then(Value::as_array);
        let turns = turns.ok_or("a script has turns")?;
        let turns = turns.iter().map(Turn::read).collect::<Result<_, _>>()?;
        Ok(Self { turns })
    }

    /// Adds a turn.
    #[must_use]
    pub fn turn(mut self, turn: Turn) -> Self {
        self.turns.push(turn);
        self
    }

    /// Returns the turn for a prompt.
    pub(super) fn find(&self, prompt: &str) -> Option<&Turn> {
        self.turns.iter().find(|turn| prompt.contains(&turn.when))
    }
}

impl Turn {
    /// A turn that says something.
    pub fn say(when: &str, say: &str) -> Self {
        Self {
            when: when.to_owned(),
            say: say.to_owned(),
            repeat: 1,
            ..Self::default()
        }
    }

    /// Calls one more tool before that.
    #[must_use]
    pub fn call(mut self, tool: &str, arguments: &Value) -> Self {
        self.calls.push(Call {
            tool: tool.to_owned(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
        });
        self
    }

    /// Never comes to the end.
    #[must_use]
    pub fn stalled(mut self) -> Self {
        self.stall = true;
        self
    }

    fn read(value: &Value) -> Result<Self, String> {
        let fields = value.as_object().ok_or("a turn is an object")?;
        let mut turn = Self::say("", "");
        for (name, value) in fields {
            let wrong = || format!("a turn's {name} cannot be {value}");
            match name.as_str() {
                "when" => turn.when = value.as_str().ok_or_else(wrong)?.to_owned(),
                "say" => turn.say = value.as_str().ok_or_else(wrong)?.to_owned(),
                "stall" => turn.stall = value.as_bool().ok_or_else(wrong)?,
                "pauseMs" => turn.pause_ms = value.as_u64().ok_or_else(wrong)?,
                "repeat" => {
                    let times = value.as_u64().and_then(|times| usize::try_from(times).ok());
                    turn.repeat = times.ok_or_else(wrong)?;
                }
                "calls" => {
                    for call in value.as_array().ok_or_else(wrong)? {
                        let tool = call.get("tool").and_then(Value::as_str).ok_or_else(wrong)?;
                        turn = turn.call(tool, call.get("arguments").ok_or_else(wrong)?);
                    }
                }
                _ => return Err(format!("a turn has no {name}")),
            }
        }
        Ok(turn)
    }

    /// What is said, word by word. No two words of a repeated text are the same: agents end what looks like a loop.
    pub(super) fn words(&self) -> Vec<String> {
        let said = self.say.split_inclusive(' ');
        if self.repeat <= 1 {
            return said.take(WORDS).map(str::to_owned).collect();
        }
        let rounds =
            (1..=self.repeat).flat_map(|round| said.clone().map(move |word| format!("{round}:{word}")));
        rounds.take(WORDS).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_and_what_is_wrong_in_it_is_named() {
        let script =
            Script::read(r#"{"turns":[{"when":"a b","say":"x y","pauseMs":5},{"when":"a"}]}"#).unwrap();
        assert_eq!(script.find("say a b now").unwrap().words(), ["x ", "y"]);
        assert_eq!(script.find("say a").unwrap().words(), [""; 0]);
        assert!(script.find("nothing").is_none());
        for (text, wrong) in [
            ("[]", "a script has turns"),
            (r#"{"turns":[1]}"#, "a turn is an object"),
            (r#"{"turns":[{"what":1}]}"#, "a turn has no what"),
            (r#"{"turns":[{"repeat":-1}]}"#, "a turn's repeat cannot be -1"),
            (r#"{"turns":[{"calls":[{}]}]}"#, "a turn's calls cannot be [{}]"),
        ] {
            assert_eq!(Script::read(text).unwrap_err(), wrong);
        }
    }

    #[test]
    fn a_repeated_text_never_says_the_same_twice_and_has_an_end() {
        let mut turn = Turn::say("", "so it goes ");
        turn.repeat = usize::MAX;
        let words = turn.words();
        assert_eq!(words.len(), WORDS);
        assert_eq!(words[..4], ["1:so ", "1:it ", "1:goes ", "2:so "]);
    }
}
