//! The inventory of secrets of a bundle, and the slugs that its setup fills.

use super::check::CLI;
use super::reading::Reading;
use super::rules::SECRET;
use crate::cli_md::{CliMd, SetupStep};
use crate::doc::fields::Quoted;
use crate::lint::FileKind;
use crate::secrets_md::{self, SecretKind, SecretsMd};

pub(super) fn read(cli: &CliMd, reading: &mut Reading<'_>) -> Option<SecretsMd> {
    let reference = cli.auth.as_ref().and_then(|auth| auth.inventory.as_ref());
    let path = reference.and_then(|reference| reading.follow(CLI, FileKind::Cli, reference));
    let secrets = path.and_then(|path| reading.read(&path, FileKind::Secrets, secrets_md::decode));
    let secrets = secrets.map(|(secrets, _)| secrets);
    // An inventory that is named and cannot be read says nothing about its slugs.
    if secrets.is_some() || reference.is_none() {
        slugs(cli, secrets.as_ref(), reading);
    }
    secrets
}

fn slugs(cli: &CliMd, secrets: Option<&SecretsMd>, reading: &mut Reading<'_>) {
    for step in &cli.setup {
        let Some(slug) = step.secret_slug() else { continue };
        let (what, hint) = match secrets.and_then(|secrets| secrets.get(slug)) {
            None => (
                format!("setup: no inventory of the bundle lists {}", Quoted(slug)),
                "list it in SECRETS.md, and name that in auth.ref",
            ),
            Some(entry) => {
                let kind = entry.kind.unwrap_or_default();
                if !matches!(step, SetupStep::Oauth(_)) || kind == SecretKind::Oauth {
                    continue;
                }
                (
                    format!("setup: {} is not listed as a secret of kind oauth", Quoted(slug)),
                    "write kind: oauth in SECRETS.md",
                )
            }
        };
        reading.push(CLI, FileKind::Cli, SECRET.error(slug.span, what).hint(hint));
    }
}
