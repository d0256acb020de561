//! Variables that keep programs from asking, paging, editing and colouring. The same for every call.
//!
//! An editor is `false`: a program that wants one gets a failure at once, and its caller an answer.

/// Names and values.
pub(super) const QUIET: &[(&str, &str)] = &[
    ("AWS_CLI_AUTO_PROMPT", "off"),
    ("AWS_PAGER", ""),
    ("CARGO_TERM_COLOR", "never"),
    ("CARGO_TERM_PROGRESS_WHEN", "never"),
    ("CLOUDSDK_CORE_DISABLE_PROMPTS", "1"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("DO_NOT_TRACK", "1"),
    ("EDITOR", "false"),
    ("GH_NO_UPDATE_NOTIFIER", "1"),
    ("GH_PAGER", "cat"),
    ("GH_PROMPT_DISABLED", "1"),
    ("GIT_EDITOR", "false"),
    ("GIT_PAGER", "cat"),
    ("GIT_SEQUENCE_EDITOR", "false"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LESSSECURE", "1"),
    ("MANPAGER", "cat"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
    ("PIP_NO_INPUT", "1"),
    ("PSQL_PAGER", "cat"),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("SYSTEMD_PAGER", "cat"),
    ("TERM", "dumb"),
    ("TF_INPUT", "0"),
    ("TF_IN_AUTOMATION", "1"),
    ("VISUAL", "false"),
    ("npm_config_fund", "false"),
    ("npm_config_update_notifier", "false"),
];

#[cfg(test)]
mod tests {
    use argrail_sandbox::policy::EnvName;

    use super::*;

    #[test]
    fn no_sandbox_refuses_them() {
        for (name, _) in QUIET {
            assert!(EnvName::parse_set("env", name).is_ok(), "{name}");
        }
        assert!(QUIET.is_sorted());
    }
}
