//! `argrail add`: a bundle or an agent is shown, accepted, taken into the data home, and its program installed.

use std::collections::BTreeMap;
use std::path::Path;

use argrail_acli::{Answer, Envelope, Error, Text};
use argrail_engine::catalog::bundle::{BundleFile, BundleStanding, Given, adopt, gather, pin, standing};
use argrail_engine::catalog::trust;
use argrail_spec::digest::Digest;
use argrail_spec::trust::{FilePin, ProjectPin};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::bring::Workshop;
use super::given::{Source, source};
use super::offer::Offer;
use super::state::State;
use super::subject::Subject;
use crate::args::bundle::AddArgs;
use crate::ask::{Consent, Question, ask};
use crate::foreign::one_line;
use crate::out::{self, Layout, Report};
use crate::verb::trust::{accept_project, record_accepted};

/// Adds what the arguments name; returns the exit number.
pub(crate) fn run(args: &AddArgs, report: Report) -> u8 {
    match attempt(args, report) {
        Ok((data, text)) => match report {
            Report::Envelope => {
                let answer = Answer::new(data);
                out::envelope(&Envelope::new("add", Ok(answer), None), Layout::Compact)
            }
            Report::Text => out::data(&text),
        },
        Err(error) => out::refuse(error, report),
    }
}

fn attempt(args: &AddArgs, report: Report) -> Result<(Value, String), Error> {
    let consent = Consent::of(args.how.yes);
    match source(&args.what)? {
        Source::Manifest(folder) => {
            let told = accept_project(&folder, consent, report)?;
            Ok((told.data, told.text))
        }
        Source::Subject { given, subject, root } => {
            let shop = Workshop::open(&args.how, report)?;
            let pinned = match &given {
                Some(Given::Folder(folder)) => {
                    Some(pin(folder, Timestamp::now()).map_err(|error| Error::from(&error))?)
                }
                Some(Given::Files(_)) | None => None,
            };
            let added = Added {
                args,
                consent,
                report,
                shop: &shop,
                subject: &subject,
                given: given.as_ref(),
                pinned,
            };
            added.all(&root)
        }
    }
}

/// A bundle or an agent on its way.
struct Added<'a> {
    args: &'a AddArgs,
    consent: Consent,
    report: Report,
    shop: &'a Workshop,
    subject: &'a Subject,
    /// Nothing for what argrail has itself, which is not copied.
    given: Option<&'a Given>,
    /// What a person is shown, where it comes from a folder.
    pinned: Option<ProjectPin>,
}

impl Added<'_> {
    fn all(&self, root: &Path) -> Result<(Value, String), Error> {
        let plan = (!self.args.no_install).then(|| self.shop.plan(self.subject.packaged(), root));
        let accepted = self.before()?;
        let installed = self.shop.installed(self.subject.packaged());
        let nothing_new = accepted == Before::Same && matches!(installed, Ok(Some(_)));
        if !nothing_new {
            let changed = match accepted {
                Before::Other(files) => files,
                Before::Same | Before::Nothing => Vec::new(),
            };
            let offer = Offer::of(self.subject, plan.as_ref(), changed);
            let target = self.args.what.to_string_lossy();
            let data = offer.data();
            ask(
                self.consent,
                self.report,
                Question {
                    about: self.not_accepted(),
                    verb: "add",
                    target: &target,
                    shown: offer.page(),
                    data: &data,
                },
            )?;
            if self.given.is_some() {
                let shelved = self.subject.shelved(self.shop.places());
                let digest = self.pinned.as_ref().map(|pinned| pinned.digest.to_string());
                record_accepted(
                    self.consent,
                    "project",
                    &shelved.place().to_string_lossy(),
                    digest,
                )?;
            }
        }
        let places = self.shop.places();
        let shelved = self.subject.shelved(places);
        let (taken, place) = match self.given {
            Some(given) => {
                let now = Timestamp::now();
                let taken = adopt(places, &shelved, given, self.pinned.as_ref(), now);
                (taken.map_err(|error| Error::from(&error))?, shelved.place())
            }
            None => (false, root),
        };
        let installed = match self.args.no_install {
            true => None,
            false => Some(self.shop.install(self.subject.packaged(), place)?),
        };
        let state = State::of(self.shop, self.subject);
        let mut data = state.data();
        data[self.subject.noun()] = json!(self.given.map(|_| place.to_string_lossy()));
        data["added"] = json!(taken);
        data["method"] = json!(installed.as_ref().map(|installed| &installed.method));
        data["program"] = json!(
            installed
                .as_ref()
                .map(|installed| installed.program.to_string_lossy())
        );
        let next = state.next();
        let text = format!(
            "{}: {}{}\n",
            one_line(&self.subject.identity()),
            one_line(&state.line()),
            next.map(|next| format!("\nnext: {}", one_line(&next)))
                .unwrap_or_default(),
        );
        Ok((data, text))
    }

    fn not_accepted(&self) -> Text {
        let template = match self.subject {
            Subject::Tool(_) => "the bundle {} is not accepted",
            Subject::Agent(_) => "the agent {} is not accepted",
        };
        Text::new(template).value(self.subject.identity())
    }

    /// What a person accepted before.
    fn before(&self) -> Result<Before, Error> {
        let places = self.shop.places();
        let Some(given) = self.given else {
            return Ok(Before::Same);
        };
        let Ok(place) = self.subject.shelved(places).place().canonicalize() else {
            return Ok(Before::Nothing);
        };
        let trust = trust::read(places).map_err(|error| Error::from(&error))?;
        let key = place.to_string_lossy();
        let Some(known) = trust.projects.get(key.as_ref()) else {
            return Ok(Before::Nothing);
        };
        let shown = match (&self.pinned, given) {
            (Some(pinned), _) => pinned.files.clone().into_iter().collect(),
            (None, Given::Files(files)) => pins(files),
            (None, Given::Folder(_)) => return Ok(Before::Nothing),
        };
        let names = known.files.keys().chain(shown.keys());
        let mut changed: Vec<String> = names
            .filter(|name| known.files.get(*name) != shown.get(*name))
            .cloned()
            .collect();
        changed.sort();
        changed.dedup();
        let folder = gather(&place).map_err(|error| Error::execution(&error))?;
        let stands = standing(&trust, &place, &folder.digests) == BundleStanding::Accepted;
        Ok(match (changed.is_empty(), stands) {
            (true, true) => Before::Same,
            (true, false) => Before::Nothing,
            (false, _) => Before::Other(changed),
        })
    }
}

/// The pins of files that come from no folder.
fn pins(files: &[BundleFile]) -> BTreeMap<String, FilePin> {
    let pin = |file: &BundleFile| (file.name.clone(), FilePin::Plain(Digest::of(&file.bytes)));
    files.iter().map(pin).collect()
}

/// What a person accepted before.
#[derive(PartialEq, Eq)]
enum Before {
    /// Nothing of this name.
    Nothing,
    /// The same.
    Same,
    /// Another one; the files that differ.
    Other(Vec<String>),
}
