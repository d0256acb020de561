//! What can be wrong with a sandbox block.

use crate::doc::Rule;

pub(super) const ENTRY: Rule = Rule {
    id: "sandbox/entry",
    summary: "an entry that no sandbox can hold",
    why: "A rule that cannot be enforced is refused, never ignored.",
};
pub(super) const SPAWN_IGNORED: Rule = Rule {
    id: "sandbox/spawn-ignored",
    summary: "a spawn list beside `allow: false`",
    why: "Nothing may be started: the list has no effect.",
};
pub(super) const SPAWN_EMPTY: Rule = Rule {
    id: "sandbox/spawn-empty",
    summary: "`allow: true` without a spawn list",
    why: "The list is all that may be started; without one, nothing is.",
};
pub(super) const SPAWN_ANYTHING: Rule = Rule {
    id: "sandbox/spawn-anything",
    summary: "a program in the spawn list that starts others",
    why: "Whoever may start a shell may start whatever the shell can find.",
};
pub(super) const PROVIDER: Rule = Rule {
    id: "sandbox/provider",
    summary: "a sandbox that is not on this machine",
    why: "Commands run here and nowhere else, so the block is refused.",
};
pub(super) const NO_EFFECT: Rule = Rule {
    id: "sandbox/no-effect",
    summary: "a part of the block that does nothing here",
    why: "Whoever wrote it may rely on it.",
};
pub(crate) const WIDENS: Rule = Rule {
    id: "sandbox/widens",
    summary: "a tool that wants more than its bundle",
    why: "Tools may narrow the sandbox of their bundle and never widen it; the tool is refused.",
};

/// Every rule of the family.
pub(crate) const RULES: &[Rule] = &[
    ENTRY,
    SPAWN_IGNORED,
    SPAWN_EMPTY,
    SPAWN_ANYTHING,
    PROVIDER,
    NO_EFFECT,
    WIDENS,
];
