//! Bundles side by side: no two have one identity.

use super::rules::IDENTITY;
use crate::cli_md::CliMd;
use crate::doc::Diagnostic;
use crate::doc::fields::Quoted;

/// Returns a complaint for every bundle whose `id@major` another one before it has, with its place in the list.
pub fn same_identity(bundles: &[(&str, &CliMd)]) -> Vec<(usize, Diagnostic)> {
    let mut found = Vec::new();
    for (index, (_, cli)) in bundles.iter().enumerate() {
        let identity = cli.identity();
        let mut before = bundles.iter().take(index);
        if let Some((name, _)) = before.find(|(_, other)| other.identity() == identity) {
            let what = format!("id: {} is also the bundle of {}", Quoted(&identity), Quoted(name));
            let hint = "give one of them another id, or another major version";
            found.push((index, IDENTITY.error(cli.id.span, what).hint(hint)));
        }
    }
    found
}
