//! The complaints that every Markdown manifest can get.

use crate::doc::rules;

rules! {
    pub(crate) MISSING = "manifest/missing", "a required field that is not there",
        "The manifest cannot be used without it.";
    pub(crate) UNKNOWN = "manifest/unknown-field", "a field that the draft does not know",
        "Nobody reads it; a misspelt restriction would restrict nothing.";
    pub(crate) TYPE = "manifest/type", "a value of another type",
        "The field cannot be used.";
    pub(crate) VALUE = "manifest/value", "a value that the draft does not allow",
        "The field cannot be used.";
    pub(crate) REFERENCE = "manifest/reference", "a reference that is no relative path inside of the bundle",
        "Files outside of a bundle are not part of it, and are never read for it.";
    pub(crate) SHELL = "manifest/shell", "a shell feature in a command",
        "Commands are started without a shell: its operators would become plain arguments.";
    pub(crate) TWICE = "manifest/twice", "something that stands twice and must be unique",
        "It is not clear which one is meant.";
    pub(crate) MISPLACED = "manifest/misplaced-field", "a field that belongs elsewhere",
        "The draft takes it from another place, so it would have no effect here.";
    pub(crate) PLAIN_HTTP = "manifest/plain-http", "a download without TLS",
        "Anybody on the way can put something else in its place.";
    => pub(crate) RULES
}
