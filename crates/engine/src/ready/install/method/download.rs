//! An archive with the program inside, or the program itself.

use argrail_spec::cli_md::DownloadInstall;

use crate::ready::install::recipe::{Act, Check, Fetch, Product, Recipe};
use crate::ready::install::skip::Skip;
use crate::ready::install::wishes::{Unverified, Wishes};

/// Says what is downloaded.
pub(super) fn recipe(install: &DownloadInstall, wishes: &Wishes) -> Result<Recipe, Skip> {
    let sha256 = install
        .verify_sha256
        .as_ref()
        .map(|hash| hash.as_str().to_owned());
    let (check, notes) = match (&sha256, wishes.unverified) {
        (Some(hash), _) => (Check::Sha256(hash.clone()), Vec::new()),
        (None, Unverified::Accepted) => (Check::Nothing, vec!["nothing says what the file must be"]),
        (None, Unverified::Refused) => return Err(Skip::Unverified),
    };
    let program = install.extract_bin.resolve("").map_err(|_| Skip::Bundle {
        path: install.extract_bin.as_str().to_owned(),
        reason: "it leads out of the archive",
    })?;
    Ok(Recipe {
        acts: vec![
            Act::Fetch(Fetch {
                url: install.url.value.clone(),
                sha256,
            }),
            Act::Unpack {
                program: program.clone(),
            },
        ],
        check,
        product: Product::Own(program),
        notes,
    })
}
