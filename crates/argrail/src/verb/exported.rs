//! Which tools a model is told of: those of files that a person names, and those of the catalogue that may be used.

use std::path::PathBuf;

use argrail_acli::{Code, Error, Text};
use argrail_engine::catalog::Known;
use argrail_spec::atip::Metadata;

use crate::catalogue::{catalogue, shelf, tell};
use crate::metadata_file::{self, FileTools};
use crate::out::Report;
use crate::verb::show;

/// Returns the tools of `files`, then those of the catalogue called `names`; with neither, all that may be used.
///
/// # Errors
/// A file that cannot be read, a tool that is not known, or one that no model may be told of.
pub(crate) fn tools(names: &[String], files: &[PathBuf], report: Report) -> Result<FileTools, Error> {
    let mut found = FileTools::default();
    for file in files {
        let read = metadata_file::read_all(file, report)?;
        found.tools.extend(read.tools);
        found.notes.extend(read.notes);
    }
    if !names.is_empty() || files.is_empty() {
        found.tools.extend(catalogue_tools(names, report)?);
    }
    Ok(found)
}

fn catalogue_tools(names: &[String], report: Report) -> Result<Vec<Metadata>, Error> {
    let shelf = shelf()?;
    let catalogue = catalogue(&shelf)?;
    if names.is_empty() {
        let (known, problems) = catalogue.list();
        if report == Report::Text {
            tell(&problems);
        }
        let usable = known.into_iter().filter(Known::is_usable);
        return Ok(in_manifest_order(usable.collect()));
    }
    names
        .iter()
        .map(|name| {
            let known = show::get(&catalogue, name)?;
            if known.is_usable() {
                return Ok(known.tool.metadata);
            }
            let what = Text::new("tool {} was refused, or is not what was accepted: no model is told of it")
                .value(name);
            let hint = Text::new("Run: argrail show {}, then: argrail trust {}")
                .value(name)
                .value(name);
            Err(Error::new(Code::SetupRequired, what).hint(hint))
        })
        .collect()
}

/// Returns the metadata of tools; those of the project's manifest in the order in which it lists them, in the places that
/// they have among the others.
fn in_manifest_order(mut known: Vec<Known>) -> Vec<Metadata> {
    let index = |known: &Known| Some(known.tool.manifest.as_ref()?.index);
    let places: Vec<usize> = (0..known.len())
        .filter(|at| known.get(*at).is_some_and(|known| index(known).is_some()))
        .collect();
    let mut listed: Vec<Metadata> = Vec::new();
    known.sort_by_key(|known| index(known).is_some());
    let own = known.split_off(known.len() - places.len());
    let mut own: Vec<(Option<usize>, Metadata)> = own
        .into_iter()
        .map(|known| (index(&known), known.tool.metadata))
        .collect();
    own.sort_by_key(|(index, _)| *index);
    let (mut own, mut others) = (own.into_iter(), known.into_iter());
    for at in 0..own.len() + others.len() {
        let next = match places.binary_search(&at) {
            Ok(_) => own.next().map(|(_, metadata)| metadata),
            Err(_) => others.next().map(|known| known.tool.metadata),
        };
        listed.extend(next);
    }
    listed
}
