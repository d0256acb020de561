//! What a person decides with: a question in full, who may answer it, and the answer.
//!
//! [`sheet`](sheet::sheet) is the one way in which a question is shown, on a line-by-line terminal, in the full screen
//! and to clients that ask for us.

mod age;
mod agent_act;
mod asked;
mod attendant;
mod authority;
mod boundary;
mod choice;
mod client_answers;
mod code;
mod decide;
#[cfg(test)]
pub(crate) mod example;
mod office;
mod person;
mod question;
mod scope;
mod screen;
mod sheet;
pub(crate) mod token;
mod user;

pub(crate) use age::between;
pub(crate) use asked::Asked;
pub(crate) use attendant::Attendant;
pub(crate) use authority::{Authority, nobody};
pub(crate) use boundary::{Boundary, boundary};
pub(crate) use choice::{Choice, Decision};
pub(crate) use client_answers::{Announcement, ClientAnswers};
pub(crate) use code::random as random_code;
pub(crate) use decide::{Decided, decide, discard, find, find_any, give, revoke, token_made};
pub(crate) use office::Office;
pub(crate) use person::{MARK, Person};
pub(crate) use question::{ask_for_yes, decide_here};
pub(crate) use scope::{everything_below, read as read_scope};
pub(crate) use screen::{Desk, run as run_screen};
pub(crate) use sheet::{lines as sheet_lines, meaning};
pub(crate) use user::name as user_name;
