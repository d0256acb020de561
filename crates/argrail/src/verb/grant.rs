//! `argrail grant`: a person allows calls before anybody asks for them.
//!
//! The pattern is written by hand, so it is shown as it was understood before it counts.

use argrail_acli::{Answer, Code, Envelope, Error, Text};
use argrail_engine::policy::{Grant, Pattern};
use jiff::Timestamp;
use serde_json::json;

use crate::args::deciding::GrantArgs;
use crate::deciding::{Authority, Office, give};
use crate::foreign::exact;
use crate::out::{self, Layout, Report};
use crate::setup::Setup;
use crate::verb::grants;

/// Gives the grant, and returns the exit number.
pub(crate) fn run(args: &GrantArgs, report: Report) -> u8 {
    let grant = match attempt(args) {
        Ok(grant) => grant,
        Err(error) => return out::refuse(error, report),
    };
    match report {
        Report::Envelope => {
            let answer = Answer::new(json!({"grant": grants::data(&grant, Timestamp::now())}));
            out::envelope(&Envelope::new("grant", Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&grants::given(&grant)),
    }
}

fn attempt(args: &GrantArgs) -> Result<Grant, Error> {
    let office = Office::open()?;
    let mut authority = Authority::obtain(args.token_file.as_deref(), &*office.store)?;
    let directory = std::env::current_dir().map_err(|error| {
        Error::execution(error).hint("Start argrail in a directory that exists and that you may read")
    })?;
    let pattern = Pattern::parse(&args.pattern, &directory).map_err(|error| {
        let what = Text::new("{}: {}").value(&args.pattern).value(error.to_string());
        Error::invalid(what, error.hint())
    })?;
    let pattern = Setup::new(None)?.door.shop().grantable(pattern, &directory)?;
    if is_wide(&pattern) {
        match &mut authority {
            Authority::Person(person) => {
                let question = format!(
                    "It covers what is dangerous, or any host: {}. Type y for yes:",
                    exact(&pattern.to_string())
                );
                let answer = person.ask(&question).map_err(Error::execution)?;
                if !matches!(answer.as_str(), "y" | "Y" | "yes") {
                    return Err(nothing_given());
                }
            }
            Authority::Token if args.destructive => {}
            Authority::Token => return Err(dangerous()),
        }
    }
    let now = Timestamp::now();
    let approver = authority.approver(now);
    give(
        &office,
        pattern,
        args.lives.limit(),
        args.caller.clone(),
        &approver,
    )
}

/// Whether a pattern covers what destroys, costs or nobody has read, lets credentials go somewhere, or opens every host.
fn is_wide(pattern: &Pattern) -> bool {
    let any_host = pattern.is_for_hosts() && pattern.hosts.iter().any(|host| host == "*");
    !pattern.dangers.is_empty() || pattern.credentials || any_host
}

fn nothing_given() -> Error {
    Error::new(Code::PermissionDenied, Text::new("nothing was granted"))
        .hint("Leave out what begins with + for a grant that does not cover it, and name the hosts")
        .detail("reason", "denied_by_human")
}

fn dangerous() -> Error {
    let what =
        Text::new("the pattern covers what is dangerous, lets credentials go somewhere, or opens any host");
    Error::new(Code::PermissionDenied, what)
        .hint("Add --destructive if that is meant, or give it at a terminal")
        .detail("reason", "denied_by_policy")
}
