//! What can be wrong between the files of a bundle.

use crate::doc::rules;

rules! {
    pub(super) MISSING_FILE = "bundle/missing-file", "a reference to a file that is not there",
        "What it should say is not known, so the bundle is refused.";
    pub(super) NO_CLI = "bundle/no-cli", "a folder without a CLI.md",
        "It is no bundle.";
    pub(crate) FOLDER = "bundle/folder", "a bundle in a folder of another name",
        "People look for it under its id.";
    pub(super) TOOL_ID = "bundle/tool-id", "two tools with one id",
        "Intents, drivers and records name a tool by its id.";
    pub(super) UNUSED = "bundle/unused-file", "a manifest that nothing names",
        "It has no effect.";
    pub(super) OTHER_BUNDLE = "bundle/other-bundle", "a tool that names another bundle than its own",
        "It would be run by a program that it was not written for.";
    pub(super) TIMEOUT = "bundle/timeout", "a tool that wants more time than its bundle has",
        "The bundle's limit ends it first.";
    pub(super) NEEDS = "bundle/needs", "a tool that needs what its bundle does not give",
        "It will fail when it is called.";
    pub(super) SECRET = "bundle/secret", "a secret that no inventory lists",
        "Nobody knows who may have it, so nobody gets it.";
    pub(super) ROUTE = "bundle/route", "an intent that leads nowhere",
        "It cannot be used.";
    pub(super) UNRESOLVED = "bundle/unresolved", "a block under a name that nobody knows",
        "A sandbox or a runner that cannot be found is refused, never guessed.";
    pub(super) IDENTITY = "bundle/identity", "two bundles with one id and one major version",
        "Caches, records and grants hang on id@major: they would be shared.";
    pub(super) JSON_ARGS = "bundle/json-flag-args", "arguments of a flag that nobody names",
        "They are never used.";
    pub(super) ENTRY_TYPES = "bundle/entry-types", "an entry in TypeScript that nothing names",
        "Node before 22.6 cannot run it, and the bundle is then used without it.";
    => pub(crate) RULES
}
