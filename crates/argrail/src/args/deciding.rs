//! The flags of the verbs that decide.

use std::path::PathBuf;
use std::time::Duration;

use argrail_spec::config::Period;
use clap::Args;

/// `argrail approvals`.
#[derive(Debug, Args)]
pub struct ApprovalsArgs {
    /// Show this question in full.
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Stay and show what comes: a full screen to decide on, or with --json a line for each new question.
    #[arg(long, conflicts_with = "id")]
    pub watch: bool,
    /// Make a token, in this new file or one of ours, with which approve, deny and revoke work without a terminal.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "id"])]
    pub new_token: Option<Option<PathBuf>>,
    /// With --new-token: make it for an MCP client instead, whose answers to elicitation/create then count as yours at a
    /// server that was started with serve --http ADDR --elicitation.
    #[arg(long, requires = "new_token")]
    pub elicitation: bool,
}

/// `argrail approve`.
#[derive(Debug, Args)]
pub struct ApproveArgs {
    /// The question.
    #[arg(value_name = "ID")]
    pub id: String,
    /// Allow calls like it for this long, too: 15m, 8h, 2d, forever.
    #[arg(long = "for", value_name = "D", value_parser = lives)]
    pub lives: Option<Lives>,
    /// Allow calls that fit this pattern, too, for an hour unless --for says otherwise: 'git push origin *'.
    #[arg(long, value_name = "PATTERN")]
    pub scope: Option<String>,
    /// Remember its new hosts, too, for any tool.
    #[arg(long, value_enum, value_name = "WHERE", conflicts_with = "scope")]
    pub hosts: Option<HostMemory>,
    /// Answer with this token rather than at a terminal.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// With a token: say yes also to what destroys something, costs money, or runs what nobody has read.
    #[arg(long, requires = "token_file")]
    pub destructive: bool,
}

/// Where new hosts are remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum HostMemory {
    /// For the session that asks, a day at most.
    Session,
    /// In the project, or the directory, that it starts in.
    Project,
    /// Everywhere.
    Always,
}

/// `argrail grant`.
#[derive(Debug, Args)]
pub struct GrantArgs {
    /// What is allowed, in one string: 'git push origin feature/*', or 'host=api.example.org' for a host with any tool.
    #[arg(value_name = "PATTERN")]
    pub pattern: String,
    /// For how long: 15m, 8h, 2d, forever.
    #[arg(long = "for", value_name = "D", value_parser = lives, default_value = "1h")]
    pub lives: Lives,
    /// Whose calls, as 'argrail grants' names callers. Everybody's, unless said.
    #[arg(long, value_name = "CALLER")]
    pub caller: Option<String>,
    /// Give it with this token rather than at a terminal.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// With a token: also what destroys something or costs money.
    #[arg(long, requires = "token_file")]
    pub destructive: bool,
}

/// How long a grant is to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lives {
    /// This long.
    For(Duration),
    /// Until it is taken back.
    Forever,
}

impl Lives {
    /// Returns how long; nothing is until it is taken back.
    pub fn limit(self) -> Option<Duration> {
        match self {
            Self::For(lives) => Some(lives),
            Self::Forever => None,
        }
    }
}

fn lives(text: &str) -> Result<Lives, String> {
    if text == "forever" {
        return Ok(Lives::Forever);
    }
    let period = text.parse::<Period>().map(Period::duration);
    let read = period.or_else(|_| crate::amount::duration(text));
    read.map(Lives::For)
        .map_err(|_| "write a time like 15m, 8h or 2d, or forever".to_owned())
}

/// `argrail deny`.
#[derive(Debug, Args)]
pub struct DenyArgs {
    /// The question.
    #[arg(value_name = "ID")]
    pub id: String,
    /// Why, for whoever asked.
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Answer with this token rather than at a terminal.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// `argrail grants`.
#[derive(Debug, Args)]
pub struct GrantsArgs {
    /// Show those that are over, too.
    #[arg(long)]
    pub all: bool,
}

/// `argrail revoke`.
#[derive(Debug, Args)]
pub struct RevokeArgs {
    /// Grants, questions whose yes nobody has used yet, or files that tokens were made in.
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Answer with this token rather than at a terminal.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_lasts_as_long_as_people_write() {
        let check = |text: &str, want: Option<Lives>| assert_eq!(lives(text).ok(), want, "{text}");
        let of = |seconds| Some(Lives::For(Duration::from_secs(seconds)));
        check("15m", of(900));
        check("1h30m", of(5400));
        check("2d", of(172_800));
        check("60", of(60));
        check("forever", Some(Lives::Forever));
        check("0s", None);
        check("-1h", None);
        check("ever", None);
        check("", None);
    }
}
