//! AIP-45, Continuation: how earlier turns reach the agent.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, TWICE};

const STRATEGIES: [(&str, Strategy); 4] = [
    ("none", Strategy::None),
    ("pinned-session", Strategy::PinnedSession),
    ("transcript", Strategy::Transcript),
    ("native-resume", Strategy::NativeResume),
];
const SCOPES: [(&str, KeyScope); 5] = [
    ("conversation", KeyScope::Conversation),
    ("operator", KeyScope::Operator),
    ("user", KeyScope::User),
    ("guild", KeyScope::Guild),
    ("workspace", KeyScope::Workspace),
];

/// Which ways there are, and which one is taken.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Continuation {
    /// The one that is taken unless somebody chooses; one of `supported`.
    pub default: Spanned<Strategy>,
    /// Those that are known to work.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub supported: Vec<Spanned<Strategy>>,
    /// Settings of `pinned-session`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinned_session: Option<Spanned<PinnedSession>>,
}

/// A way for earlier turns to reach the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// They do not.
    None,
    /// The process lives on.
    PinnedSession,
    /// They are told again as text.
    Transcript,
    /// The agent takes up the session itself.
    NativeResume,
}

impl Strategy {
    /// Returns the one of this word.
    pub fn named(word: &str) -> Option<Self> {
        let mut all = STRATEGIES.iter();
        all.find(|(known, _)| *known == word)
            .map(|(_, strategy)| *strategy)
    }

    /// Returns its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::PinnedSession => "pinned-session",
            Self::Transcript => "transcript",
            Self::NativeResume => "native-resume",
        }
    }
}

/// How long a process is kept, and for whom.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PinnedSession {
    /// How long it is kept without a turn; half an hour unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1000))]
    pub idle_timeout_ms: Option<u64>,
    /// What two turns must share to share it; conversation and operator unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub key_scope: Option<Vec<KeyScope>>,
}

/// Something that two turns may share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// The conversation.
    Conversation,
    /// The operator.
    Operator,
    /// The user.
    User,
    /// The guild.
    Guild,
    /// The workspace.
    Workspace,
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

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Continuation> {
    let mut object = field.open(out)?;
    let default = object
        .need("default", out)
        .and_then(|field| strategy(&field, out));
    let supported = object
        .need("supported", out)
        .and_then(|field| unique(&field, out, strategy));
    let pinned_session = object.take("pinned_session").and_then(|field| {
        let pinned = pinned(&field, out)?;
        Some(Spanned::new(pinned, field.span()))
    });
    object.shut(out);
    Some(Continuation {
        default: default?,
        supported: supported?,
        pinned_session,
    })
}

fn strategy(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<Strategy>> {
    let strategy = field.choice(&STRATEGIES, out)?;
    Some(Spanned::new(strategy, field.span()))
}

fn pinned(field: &Field<'_>, out: &mut Complaints) -> Option<PinnedSession> {
    let mut object = field.open(out)?;
    let idle = object
        .take("idle_timeout_ms")
        .and_then(|field| field.whole(1000..=u64::MAX, out));
    let key_scope = object
        .take("key_scope")
        .and_then(|field| unique(&field, out, |item, out| item.choice(&SCOPES, out)));
    object.shut(out);
    Some(PinnedSession {
        idle_timeout_ms: idle.map(|idle| idle.value),
        key_scope,
    })
}

/// Reads a list that has an entry and none twice.
fn unique<T: PartialEq>(
    field: &Field<'_>,
    out: &mut Complaints,
    read: impl Fn(&Field<'_>, &mut Complaints) -> Option<T>,
) -> Option<Vec<T>> {
    let mut list = Vec::new();
    for item in field.some_items(out)? {
        let Some(value) = read(&item, out) else { continue };
        if list.contains(&value) {
            out.push(
                item.refuse(TWICE, "the word stands twice")
                    .hint("remove one of the two"),
            );
        } else {
            list.push(value);
        }
    }
    Some(list)
}
