//! What is trusted.

use argrail_spec::trust::TrustFile;
use serde_json::json;

use super::run::Told;
use crate::neutral::one_line;

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
    let mut text = String::new();
    for (name, pin) in &trust.tools {
        let (name, path) = (one_line(name), one_line(&pin.path));
        text.push_str(&format!(
            "tool     {:9}  {name}  {path}  {}\n",
            pin.trust.as_str(),
            pin.at
        ));
    }
    for (directory, pin) in &trust.projects {
        let files = pin.files.len();
        text.push_str(&format!(
            "project  accepted   {}  {files} files  {}\n",
            one_line(directory),
            pin.at
        ));
    }
    Told {
        data: json!({"tools": tools.collect::<Vec<_>>(), "projects": projects.collect::<Vec<_>>()}),
        text,
    }
}
