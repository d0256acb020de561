//! A source of a page of the manual (man(7) or mdoc(7)), as lines with their indentation.
//!
//! Not a typesetter: it keeps what tells definitions from prose and drops the rest. Nothing in a page can make it do
//! more work than the page is long.

mod control;
mod escape;
mod glyph;
mod inline;
mod layout;
mod man_macros;
mod mdoc;
mod mdoc_line;
mod render;
mod request;

pub(super) use render::{include, is_source, render};
