//! `argrail add`: a bundle is shown, accepted, taken into the data home, and its program installed.

use argrail_acli::{Answer, Envelope, Error, Text};
use argrail_engine::catalog::Shelf;
use argrail_engine::catalog::bundle::{About, Given, adopt, adopted_place, gather, pin};
use argrail_engine::catalog::bundle::{BundleStanding, standing};
use argrail_engine::catalog::trust;
use argrail_spec::bundle::Bundle;
use argrail_spec::trust::ProjectPin;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::bring::Bringing;
use super::given::{Source, source};
use super::offer::Offer;
use super::status::Standing;
use crate::ask::{Consent, Question, ask};
use crate::bundle_args::AddArgs;
use crate::catalogue::shelf;
use crate::neutral::one_line;
use crate::out::{self, Layout, Report};
use crate::verb::trust;

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
