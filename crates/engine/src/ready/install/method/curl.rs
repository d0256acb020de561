//! A script that installs: downloaded, held against its hash, then run in the sandbox with a home of its own.
//!
//! A shell reads it, since that is what the method means; it reads the one file that was checked, and nothing else.

use std::time::Duration;

use argrail_spec::cli_md::CurlInstall;

use crate::ready::install::fetch::host_of;
use crate::ready::install::recipe::{Act, Check, Egress, Fetch, Hold, Product, Recipe, Run, Word};
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::wishes::{Hosts, Registries, Unverified, Wishes};

/// How long a script may take.
const TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// What reads it.
const SHELL: &str = "/bin/sh";
/// Where it is put.
const SCRIPT: &str = "install.sh";

/// Says what the script will get.
pub(super) fn recipe(site: &Site<'_>, install: &CurlInstall, wishes: &Wishes) -> Result<Recipe, Skip> {
    let sha256 = install
        .verify_sha256
        .as_ref()
        .map(|hash| hash.as_str().to_owned());
    let check = match (&sha256, wishes.unverified) {
        (Some(hash), _) => Check::Sha256(hash.clone()),
        (None, Unverified::Accepted) => Check::Nothing,
        (None, Unverified::Refused) => return Err(Skip::Unverified),
    };
    let mut notes = vec!["a script is run, in the sandbox, with a home of its own"];
    let egress = match wishes.hosts {
        Hosts::Named => Egress::Hosts {
            names: host_of(&install.url).into_iter().collect(),
            index: Vec::new(),
            at: Registries::Public,
        },
        Hosts::Public => {
            notes.push("it reaches every public host, and nothing checks what it loads from there");
            Egress::Public
        }
    };
    let run = Run {
        argv: vec![Word::text(SHELL), Word::Scratch(SCRIPT.to_owned())],
        environment: vec![
            ("HOME".to_owned(), Word::Own("home".to_owned())),
            ("XDG_BIN_HOME".to_owned(), Word::Own("bin".to_owned())),
            ("TMPDIR".to_owned(), Word::Scratch("tmp".to_owned())),
        ],
        reads: Vec::new(),
        writes: Vec::new(),
        egress,
        hold: Hold::Sandbox,
        timeout: TIMEOUT,
    };
    Ok(Recipe {
        acts: vec![
            Act::Fetch(Fetch {
                url: install.url.value.clone(),
                sha256,
            }),
            Act::Keep {
                to: Word::Scratch(SCRIPT.to_owned()),
            },
            Act::Run(Box::new(run)),
        ],
        check,
        product: Product::Somewhere(site.packaged.short().to_owned()),
        notes,
    })
}
