//! `argrail install`: the programs of bundles and agents that a person accepted.

use argrail_acli::{Answer, Envelope, Error, Text};
use serde_json::{Value, json};

use super::bring::Workshop;
use super::known::{Known, known};
use super::offer::Offer;
use super::state::State;
use crate::args::bundle::InstallArgs;
use crate::ask::{Consent, Question, ask};
use crate::foreign::one_line;
use crate::out::{self, Layout, Report};

/// Installs them; returns the exit number.
pub(crate) fn run(args: &InstallArgs, report: Report) -> u8 {
    match attempt(args, report) {
        Ok((data, text)) => match report {
            Report::Envelope => {
                let answer = Answer::new(data);
                out::envelope(&Envelope::new("install", Ok(answer), None), Layout::Compact)
            }
            Report::Text => out::data(&text),
        },
        Err(error) => out::refuse(error, report),
    }
}

fn attempt(args: &InstallArgs, report: Report) -> Result<(Value, String), Error> {
    let shop = Workshop::open(&args.how, report)?;
    let (mut states, mut text) = (Vec::new(), String::new());
    for Known { subject, root } in known(&shop, &args.ids)? {
        let about = match shop.installed(subject.packaged()) {
            Ok(Some(_)) => None,
            Ok(None) => Some(Text::new("the program of {} is not installed").value(subject.identity())),
            Err(drift) => Some(Text::new("{}").value(drift.to_string())),
        };
        if let Some(about) = about {
            let plan = shop.plan(subject.packaged(), &root);
            let offer = Offer::of(&subject, Some(&plan), Vec::new());
            let data = offer.data();
            ask(
                Consent::of(args.how.yes),
                report,
                Question {
                    about,
                    verb: "install",
                    target: subject.packaged().id,
                    shown: offer.page(),
                    data: &data,
                },
            )?;
        }
        let installed = shop.install(subject.packaged(), &root)?;
        let state = State::of(&shop, &subject);
        let mut data = state.data();
        data["method"] = json!(installed.method);
        text.push_str(&format!(
            "{}: {}\n",
            one_line(&subject.identity()),
            one_line(&state.line())
        ));
        states.push(data);
    }
    Ok((json!({"bundles": states}), text))
}
