//! AIP-45, Continuation: how earlier turns reach the agent.

use crate::declare::{Own, Set, Whole, manifest, words};
use crate::doc::Spanned;

manifest! {
    /// Which ways there are, and which one is taken.
    pub struct Continuation closed {
        /// The one that is taken unless somebody chooses; one of `supported`.
        need default: Spanned<Strategy>,
        /// Those that are known to work.
        need supported: Vec<Spanned<Strategy>> as Set<Own, 1>,
        /// Settings of `pinned-session`.
        may pinned_session: Option<Spanned<PinnedSession>>,
    }

    /// How long a process is kept, and for whom.
    #[derive(Eq, Default)]
    pub struct PinnedSession closed {
        /// How long it is kept without a turn; half an hour unless told otherwise.
        may idle_timeout_ms: Option<u64> as Whole<1000>,
        /// What two turns must share to share it; conversation and operator unless told otherwise.
        may key_scope: Option<Vec<KeyScope>> as Set<Own, 1>,
    }
}

words! {
    /// A way for earlier turns to reach the agent.
    pub enum Strategy {
        /// They do not.
        None = "none",
        /// The process lives on.
        PinnedSession = "pinned-session",
        /// They are told again as text.
        Transcript = "transcript",
        /// The agent takes up the session itself.
        NativeResume = "native-resume",
    }

    /// Something that two turns may share.
    pub enum KeyScope {
        /// The conversation.
        Conversation = "conversation",
        /// The operator.
        Operator = "operator",
        /// The user.
        User = "user",
        /// The guild.
        Guild = "guild",
        /// The workspace.
        Workspace = "workspace",
    }
}

impl Continuation {
    /// Whether a way is among those that are known to work.
    pub fn supports(&self, strategy: Strategy) -> bool {
        self.supported.iter().any(|one| one.value == strategy)
    }
}

impl PinnedSession {
    /// How long a process is kept when nothing is said.
    pub const IDLE_TIMEOUT_MS: u64 = 1_800_000;

    /// Returns how long a process is kept without a turn.
    pub fn idle_timeout_ms(&self) -> u64 {
        self.idle_timeout_ms.unwrap_or(Self::IDLE_TIMEOUT_MS)
    }

    /// Returns what two turns must share.
    pub fn key_scope(&self) -> &[KeyScope] {
        let usual = &[KeyScope::Conversation, KeyScope::Operator];
        self.key_scope.as_deref().unwrap_or(usual)
    }
}
