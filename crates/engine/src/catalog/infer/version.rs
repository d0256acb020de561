//! Which version a program is, as it says itself.

use argrail_spec::help::Page;

use super::asker::Ask;
use super::heard::Heard;
use crate::catalog::probe::version_in;

/// Returns the version that the help tells; else asks for it, if the help lists `--version`.
pub(super) fn of(program: &dyn Ask, root: &Page) -> Option<String> {
    if root.version.is_some() {
        return root.version.clone();
    }
    let mut spellings = root.options.iter().flat_map(|option| &option.spellings);
    if !spellings.any(|spelling| spelling == "--version") {
        return None;
    }
    match program.ask(&["--version"]) {
        Heard::Text(said) => version_in(&said.text),
        Heard::Silence(_) => None,
    }
}
