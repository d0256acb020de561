//! What can be wrong between the files of a bundle.

use crate::doc::Rule;

pub(super) const MISSING_FILE: Rule = Rule {
    id: "bundle/missing-file",
    summary: "a reference to a file that is not there",
    why: "What it should say is not known, so the bundle is refused.",
};
pub(super) const NO_CLI: Rule = Rule {
    id: "bundle/no-cli",
    summary: "a folder without a CLI.md",
    why: "It is no bundle.",
};
pub(crate) const FOLDER: Rule = Rule {
    id: "bundle/folder",
    summary: "a bundle in a folder of another name",
    why: "People look for it under its id.",
};
pub(super) const TOOL_ID: Rule = Rule {
    id: "bundle/tool-id",
    summary: "two tools with one id",
    why: "Intents, drivers and records name a tool by its id.",
};
pub(super) const UNUSED: Rule = Rule {
    id: "bundle/unused-file",
    summary: "a manifest that nothing names",
    why: "It has no effect.",
};
pub(super) const OTHER_BUNDLE: Rule = Rule {
    id: "bundle/other-bundle",
    summary: "a tool that names another bundle than its own",
    why: "It would be run by a program that it was not written for.",
};
pub(super) const TIMEOUT: Rule = Rule {
    id: "bundle/timeout",
    summary: "a tool that wants more time than its bundle has",
    why: "The bundle's limit ends it first.",
};
pub(super) const NEEDS: Rule = Rule {
    id: "bundle/needs",
    summary: "a tool that needs what its bundle does not give",
    why: "It will fail when it is called.",
};
pub(super) const SECRET: Rule = Rule {
    id: "bundle/secret",
    summary: "a secret that no inventory lists",
    why: "Nobody knows who may have it, so nobody gets it.",
};
pub(super) const ROUTE: Rule = Rule {
    id: "bundle/route",
    summary: "an intent that leads nowhere",
    why: "It cannot be used.",
};
pub(super) const UNRESOLVED: Rule = Rule {
    id: "bundle/unresolved",
    summary: "a block under a name that nobody knows",
    why: "A sandbox or a runner that cannot be found is refused, never guessed.",
};
pub(super) const IDENTITY: Rule = Rule {
    id: "bundle/identity",
    summary: "two bundles with one id and one major version",
    why: "Caches, records and grants hang on id@major: they would be shared.",
};

pub(super) const JSON_ARGS: Rule = Rule {
    id: "bundle/json-flag-args",
    summary: "arguments of a flag that nobody names",
    why: "They are never used.",
};
pub(super) const ENTRY_TYPES: Rule = Rule {
    id: "bundle/entry-types",
    summary: "an entry in TypeScript that nothing names",
    why: "Node before 22.6 cannot run it, and the bundle is then used without it.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[
    MISSING_FILE,
    NO_CLI,
    FOLDER,
    TOOL_ID,
    UNUSED,
    OTHER_BUNDLE,
    TIMEOUT,
    NEEDS,
    SECRET,
    ROUTE,
    UNRESOLVED,
    IDENTITY,
    JSON_ARGS,
    ENTRY_TYPES,
];
