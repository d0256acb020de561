//! Whether an agent is started so that it no longer asks: such a start needs a person's yes.
//!
//! By the words that agents use for it, wherever a manifest puts them. A word that looks like one of these and is none
//! asks once too often; the sandbox is the boundary either way.

use super::launch::Launch;

/// Parts of words that mean it.
const PARTS: [&str; 13] = [
    "bypass",
    "yolo",
    "danger",
    "skip-permission",
    "full-auto",
    "auto-approve",
    "autoapprove",
    "approve-all",
    "allow-all",
    "trust-all",
    "no-confirm",
    "no-approval",
    "no-ask",
];
/// Values that mean it: `GOOSE_MODE=auto`, `approval_policy=never`.
const WHOLE: [&str; 2] = ["auto", "never"];

impl Launch {
    /// Returns the word by which the agent is told to ask nobody, if there is one.
    pub fn lifts_permissions(&self) -> Option<&str> {
        let words = self.mode.iter().chain(&self.args).chain(self.env.values());
        let config = self.config.iter().map(|(_, value)| value);
        words.chain(config).map(String::as_str).find(|word| lifts(word))
    }
}

fn lifts(word: &str) -> bool {
    let small = word.to_ascii_lowercase().replace('_', "-");
    let value = small.rsplit('=').next().unwrap_or_default();
    let value = value.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    PARTS.iter().any(|part| small.contains(part)) || WHOLE.contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_real_agents_are_known() {
        for word in [
            "bypassPermissions",
            "bypass-permissions",
            "--dangerously-skip-permissions",
            "yolo",
            "--yolo",
            "danger-full-access",
            "--full-auto",
            "--allow-all-tools",
            "auto",
            "approval_policy=\"never\"",
            "AUTO_APPROVE",
        ] {
            assert!(lifts(word), "{word}");
        }
        for word in [
            "plan",
            "acceptEdits",
            "accept-edits",
            "auto_edit",
            "smart_approve",
            "acp",
            "",
        ] {
            assert!(!lifts(word), "{word}");
        }
    }
}
