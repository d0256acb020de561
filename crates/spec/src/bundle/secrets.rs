//! The inventory of secrets of a bundle, and the slugs that its setup fills.

use super::reading::Reading;
use super::rules::SECRET;
use crate::cli_md::{Auth, SetupStep};
use crate::declare::Decode;
use crate::doc::fields::Quoted;
use crate::lint::FileKind;
use crate::secrets_md::{SecretKind, SecretsMd};

pub(crate) fn read(auth: Option<&Auth>, setup: &[SetupStep], reading: &mut Reading<'_>) -> Option<SecretsMd> {
    let reference = auth.and_then(|auth| auth.inventory.as_ref());
    let path = reference.and_then(|reference| reading.named(reference));
    let secrets = path.and_then(|path| reading.read(&path, FileKind::Secrets, SecretsMd::decode));
    let secrets = secrets.map(|(secrets, _)| secrets);
    // An inventory that is named and cannot be read says nothing about its slugs.
    if secrets.is_some() || reference.is_none() {
        slugs(setup, secrets.as_ref(), reading);
    }
    secrets
}

fn slugs(setup: &[SetupStep], secrets: Option<&SecretsMd>, reading: &mut Reading<'_>) {
    for step in setup {
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
        reading.tell(SECRET.error(slug.span, what).hint(hint));
    }
}
