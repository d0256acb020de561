//! A program that lies in the bundle: copied, so that what runs later is what was trusted.

use argrail_spec::cli_md::VendoredInstall;

use crate::files::is_program;
use crate::ready::install::recipe::{Act, Check, Product, Recipe, Word};
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;

/// Says what is copied. A `bin` with a slash is the file of the bundle itself, and stays where it is.
pub(super) fn recipe(site: &Site<'_>, install: &VendoredInstall) -> Result<Recipe, Skip> {
    let wrong = |reason| Skip::Bundle {
        path: install.path.as_str().to_owned(),
        reason,
    };
    let path = install
        .path
        .resolve("")
        .map_err(|_| wrong("it leads out of the bundle"))?;
    let root = site
        .root
        .canonicalize()
        .map_err(|_| wrong("the bundle is not there"))?;
    let file = root
        .join(&path)
        .canonicalize()
        .map_err(|_| wrong("it is not there"))?;
    if !file.starts_with(&root) {
        return Err(wrong("it leads out of the bundle"));
    }
    if !is_program(&file) {
        return Err(wrong("it cannot be started"));
    }
    let bin = site.packaged.bin;
    let (acts, product) = match bin.contains('/') {
        true => (Vec::new(), Product::Bundle(bin.to_owned())),
        false => {
            let to = format!("bin/{}", site.packaged.short());
            let copy = Act::Copy {
                from: path,
                to: Word::Own(to.clone()),
            };
            (vec![copy], Product::Own(to))
        }
    };
    Ok(Recipe {
        acts,
        check: Check::Bundle,
        product,
        notes: Vec::new(),
    })
}
