//! pip's records: every wheel lists its files, programs among them, and says its name and where it came from.

use std::path::Path;

use super::lists::{entries, has_line, read};

/// Tools that put wheels there by their name, from an index.
const INSTALLERS: [&str; 4] = ["pip", "pipx", "uv", "poetry"];

/// Returns the package of an index whose record has a program.
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
        // Written where it came from an address or a folder, under whatever name.
        if wheel.join("direct_url.json").symlink_metadata().is_ok() {
            return None;
        }
        let installer = read(&wheel.join("INSTALLER"))?;
        let installer = String::from_utf8_lossy(&installer);
        if !INSTALLERS.contains(&installer.trim()) {
            return None;
        }
        let about = read(&wheel.join("METADATA"))?;
        let about = String::from_utf8_lossy(&about);
        let name = about.lines().find_map(|line| line.strip_prefix("Name: "))?;
        Some(name.trim().to_owned())
    })
}
