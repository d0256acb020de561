//! What is trusted.

use argrail_spec::trust::TrustFile;
use serde_json::json;

use super::run::Told;
use crate::foreign::Table;

/// Lists tools and projects with their pins.
pub(super) fn list(trust: &TrustFile) -> Told {
    let tools = trust.tools.iter().map(|(name, pin)| {
        json!({
            "name": name,
            "trust": pin.trust.as_str(),
            "path": pin.path,
            "binary": pin.binary,
            "metadata": pin.metadata,
            "at": pin.at.to_string(),
        })
    });
    let projects = trust.projects.iter().map(|(directory, pin)| {
        json!({
            "directory": directory,
            "digest": pin.digest,
            "files": pin.files.len(),
            "at": pin.at.to_string(),
        })
    });
    let mut table = Table::new(&["what", "trust", "name", "holds for", "since"]);
    for (name, pin) in &trust.tools {
        table.row(["tool", pin.trust.as_str(), name, &pin.path, &pin.at.to_string()]);
    }
    for (directory, pin) in &trust.projects {
        let files = format!("{} files", pin.files.len());
        table.row(["project", "accepted", directory, &files, &pin.at.to_string()]);
    }
    let text = match trust.tools.is_empty() && trust.projects.is_empty() {
        true => String::new(),
        false => table.text(),
    };
    Told {
        data: json!({"tools": tools.collect::<Vec<_>>(), "projects": projects.collect::<Vec<_>>()}),
        text,
    }
}
