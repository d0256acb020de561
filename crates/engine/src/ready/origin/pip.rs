//! pip's records: every wheel lists its files, programs among them.

use std::path::Path;

use super::lists::{entries, has_line, read};

/// Returns the package whose record has a program.
pub(super) fn owner(program: &Path) -> Option<String> {
    let name = program.file_name()?.to_str()?;
    let prefix = program.parent()?.parent()?;
    let line = format!("../../../bin/{name}");
    let versions = entries(&prefix.join("lib"), |name| name.starts_with("python"));
    let wheels = versions.iter().flat_map(|version| {
        ["site-packages", "dist-packages"]
            .into_iter()
            .flat_map(|packages| entries(&version.join(packages), |name| name.ends_with(".dist-info")))
    });
    wheels.into_iter().find_map(|wheel| {
        let record = read(&wheel.join("RECORD"))?;
        if !has_line(&record, &line) {
            return None;
        }
        let folder = wheel.file_name()?.to_str()?;
        Some(folder.split('-').next().unwrap_or(folder).replace('_', "-"))
    })
}
