//! Who asks, over restarts: the account of a credential, or this machine, and the name that the client gives itself.

use argrail_acli::Caller;

/// The most characters of a name that are kept.
const NAME: usize = 100;

/// Returns the key by which questions, their caps and grants know a caller. A name only ever narrows.
pub fn caller_key(caller: &Caller) -> String {
    let account = caller.account.as_deref().unwrap_or("local");
    let name = caller.name.as_deref().unwrap_or_default();
    let name: String = name.chars().take(NAME).collect();
    format!("{account}:{name}")
}
