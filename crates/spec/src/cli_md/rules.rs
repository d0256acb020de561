//! What can be wrong with a `CLI.md` beyond the shape of its fields.

use crate::doc::Rule;
use crate::manifest::PLACEHOLDER;

pub(super) const METHOD: Rule = Rule {
    id: "cli/install-method",
    summary: "an install method that nobody knows",
    why: "It is skipped; if none remains, the program cannot be installed.",
};
pub(super) const UNFINISHED: Rule = Rule {
    id: "cli/unfinished",
    summary: "a list of install methods that nobody has written yet",
    why: "The bundle works where its program is there already; on other machines nothing can be installed.",
};
pub(super) const EXPERIMENTAL: Rule = Rule {
    id: "cli/experimental",
    summary: "an install method that is marked as experimental",
    why: "It is skipped unless somebody asks for it.",
};
pub(super) const NO_HASH: Rule = Rule {
    id: "cli/no-hash",
    summary: "a download without its SHA-256",
    why: "Nothing says what the file must be; a person is asked, and without one it is refused.",
};
pub(super) const WIDE_INSTALL: Rule = Rule {
    id: "cli/wide-install",
    summary: "an install outside of argrail's own folders",
    why: "It changes what every program of this user finds; it counts only with --global.",
};
pub(super) const ACTIONS: Rule = Rule {
    id: "cli/actions",
    summary: "the old name of `intents`",
    why: "The draft's text calls it intents, its schema actions; other readers may know only one.",
};
pub(super) const EXIT_CODE: Rule = Rule {
    id: "cli/exit-code",
    summary: "an exit code that means something else in the draft",
    why: "0, 1, 2, 4, 124 and 137 have their meaning everywhere; tools that say otherwise confuse whoever reads both.",
};
pub(super) const SIGNAL: Rule = Rule {
    id: "cli/expiry",
    summary: "a sign of an expired login that does not fit the exit codes",
    why: "The program would be taken to be signed out when it only failed, or the other way round.",
};
pub(super) const OTHER_PROGRAM: Rule = Rule {
    id: "cli/other-program",
    summary: "a command that starts another program than the bundle's",
    why: "Its version, sandbox and login are those of the bundle's program.",
};
pub(super) const STATE_DENIED: Rule = Rule {
    id: "cli/state-denied",
    summary: "a path that holds the login and is denied",
    why: "The login needs it and the sandbox forbids it; one of the two is wrong.",
};
pub(super) const NO_COMMANDS: Rule = Rule {
    id: "cli/no-commands",
    summary: "a bundle without subcommands",
    why: "It installs a program and describes no use of it.",
};
pub(super) const SECRET_PERSIST: Rule = Rule {
    id: "cli/secret-persist",
    summary: "a secret that is kept where secrets do not belong",
    why: "A command line can be read by every process of this user.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[
    PLACEHOLDER,
    METHOD,
    UNFINISHED,
    EXPERIMENTAL,
    NO_HASH,
    WIDE_INSTALL,
    ACTIONS,
    EXIT_CODE,
    SIGNAL,
    OTHER_PROGRAM,
    STATE_DENIED,
    NO_COMMANDS,
    SECRET_PERSIST,
];
