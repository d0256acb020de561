//! A model that says what the test tells it to, for agents that believe they talk to a real one.
//!
//! It speaks what the providers speak (OpenAI chat completions and responses, Anthropic messages, Gemini), streamed
//! and whole. A [`Script`] says how it answers which prompt. What an agent asks besides (a title, a classifier) gets
//! something harmless, and every request is remembered.
//!
//! ```
//! use argrail_testkit::model::{Model, Script};
//!
//! let script = Script::read(r#"{"turns": [
//!     {"when": "list the files", "calls": [{"tool": "shell", "arguments": {"command": "ls"}}], "say": "there are two"},
//!     {"when": "take your time", "say": "one word after the other ", "repeat": 100, "pauseMs": 50},
//!     {"when": "never mind", "say": "let me", "stall": true}
//! ]}"#);
//! let model = Model::new(script.unwrap());
//! assert!(model.url().starts_with("http://127.0.0.1:"));
//! assert!(model.asked().is_empty());
//! ```

mod answer;
mod anthropic;
mod gemini;
mod harmless;
mod openai_chat;
mod openai_responses;
mod question;
mod script;
mod server;

pub use script::{Call, Script, Turn};
pub use server::{Model, Noted};
