//! AIP-30 `auth`: that of AIP-29, and what services have instead of commands.

use schemars::{Schema, SchemaGenerator, json_schema};

use crate::cli_md::{Detect, State};
use crate::declare::{Decode, WebPage, Whole, manifest};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Closed, CommandLine, Field, IsoDuration, Reference, VALUE};

manifest! {
    /// The whole block.
    #[derive(Default)]
    pub struct DriverAuth closed {
        /// The inventory of secrets.
        may inventory("ref"): Option<Reference>,
        /// Where a login is kept.
        may state: Option<State>,
        /// How one signs in.
        may login: Option<DriverLogin>,
        /// How a login is kept fresh.
        may refresh: Option<DriverRefresh>,
        /// How its loss shows.
        may expiry: Option<DriverExpiry>,
    }

    /// How one signs in: by a command or on a page.
    #[derive(Default)]
    pub struct DriverLogin closed, before check_ways {
        /// What is run.
        may cmd: Option<CommandLine>,
        /// The page.
        may url: Option<Spanned<String>> as WebPage,
        /// Whether a person must be there.
        may interactive: Option<bool>,
        /// Whether a browser must be able to call back.
        may requires_callback_url: Option<bool>,
        /// How it is known that it is done.
        may completes_when: Option<DriverCompletes>,
    }

    /// A command or a page that tells whether somebody is signed in.
    #[derive(Default)]
    pub struct DriverCompletes closed, before check_signs {
        /// What is run.
        may cmd: Option<CommandLine>,
        /// The exit code that says yes.
        may exit_code: Option<u8> as Whole<0, 255>,
        /// The page.
        may http: Option<HttpCheck> as PageOrAddress,
    }

    /// A page that is asked.
    pub struct HttpCheck unchecked {
        /// Its address.
        need url: Spanned<String> as WebPage,
        /// The status that says yes.
        may status: Option<u64> as Whole<100, 599>,
    }

    /// How a login is kept fresh.
    #[derive(Default)]
    pub struct DriverRefresh closed, before check_ways {
        /// What is run.
        may cmd: Option<CommandLine>,
        /// What is asked.
        may url: Option<Spanned<String>> as WebPage,
        /// How often.
        may every: Option<IsoDuration>,
    }

    /// How a lost login shows.
    #[derive(Default)]
    pub struct DriverExpiry closed {
        /// The sign.
        may detect: Option<Spanned<Detect>>,
    }
}

/// A page that is asked: its address, or more.
pub(super) struct PageOrAddress;

impl Decode<PageOrAddress> for HttpCheck {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        if field.node.as_str().is_none() {
            return <Self as Decode>::decode(field, out);
        }
        let url = <Spanned<String> as Decode<WebPage>>::decode(field, out)?;
        Some(Self { url, status: None })
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let address = <String as Decode<WebPage>>::schema(generator);
        let page = <Self as Decode>::schema(generator);
        json_schema!({"anyOf": [address, page]})
    }
}

fn check_ways(object: &mut Closed<'_>, out: &mut Complaints) {
    one_of(object, "url", out);
}

fn check_signs(object: &mut Closed<'_>, out: &mut Complaints) {
    one_of(object, "http", out);
}

/// Complains when neither a command nor a page is there.
fn one_of(object: &Closed<'_>, page: &str, out: &mut Complaints) {
    if !object.has("cmd") && !object.has(page) {
        let complaint = object.field().refuse(VALUE, "expected a command or a page");
        out.push(complaint.hint("add cmd or url"));
    }
}
