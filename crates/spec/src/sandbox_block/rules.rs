//! What can be wrong with a sandbox block.

use crate::doc::rules;

rules! {
    pub(super) ENTRY = "sandbox/entry", "an entry that no sandbox can hold",
        "A rule that cannot be enforced is refused, never ignored.";
    pub(super) SPAWN_IGNORED = "sandbox/spawn-ignored", "a spawn list beside `allow: false`",
        "Nothing may be started: the list has no effect.";
    pub(super) SPAWN_EMPTY = "sandbox/spawn-empty", "`allow: true` without a spawn list",
        "The list is all that may be started; without one, nothing is.";
    pub(super) SPAWN_ANYTHING = "sandbox/spawn-anything", "a program in the spawn list that starts others",
        "Whoever may start a shell may start whatever the shell can find.";
    pub(super) PROVIDER = "sandbox/provider", "a sandbox that is not on this machine",
        "Commands run here and nowhere else, so the block is refused.";
    pub(super) NO_EFFECT = "sandbox/no-effect", "a part of the block that does nothing here",
        "Whoever wrote it may rely on it.";
    pub(crate) WIDENS = "sandbox/widens", "a tool that wants more than its bundle",
        "Tools may narrow the sandbox of their bundle and never widen it; the tool is refused.";
    => pub(crate) RULES
}
