//! Chocolatey: Windows only, where argrail does not install yet.

use argrail_spec::cli_md::Os;

use crate::ready::install::recipe::Recipe;
use crate::ready::install::skip::Skip;

/// Always refused: the method implies an operating system that argrail does not run on.
pub(super) fn recipe() -> Result<Recipe, Skip> {
    Err(Skip::Os(vec![Os::Windows]))
}
