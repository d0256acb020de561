//! Somebody else's text on a screen, by the one writer that there is for it.
//!
//! [`exact`] decides how a character is shown, [`line`] keeps foreign text out of the columns of our marks and says where a
//! line goes on, [`page`] and [`table`] are what verbs print. Nothing that comes from a tool, a manifest, a caller or a
//! record goes to a terminal in another way, but for an agent's own words (`verb/agent/telling`) and what a tool that a
//! person ran prints (`neutral`).

mod exact;
mod line;
mod look_alike;
mod page;
mod table;

pub(crate) use exact::{exact, one_line, pieces as exact_pieces};
pub(crate) use line::{Line, Part, Row, Tone, hanging, lay_out};
pub(crate) use page::Page;
pub(crate) use table::Table;
