//! `x-argrail path`: where a path leads, for an agent that wonders what it may name.

use std::path::PathBuf;

use argrail_acli::{Arg, Command, Error, Kind};
use serde_json::json;

pub(super) fn command() -> Command {
    Command::new("path", "Where a path really leads, and what is there")
        .arg(
            Arg::positional("path", Kind::File, "Path inside the allowed directories").example("src/main.rs"),
        )
        .example("x-argrail path README.md")
        .output_schema(json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "kind": {"enum": ["file", "directory", "other"]},
                "bytes": {"type": "integer"},
            },
        }))
        .handler(|call| async move {
            let path: PathBuf = call.get("path")?;
            let missing = |error| Error::execution(format_args!("{}: {error}", path.display()));
            let found = path.symlink_metadata().map_err(missing)?;
            let kind = if found.is_file() {
                "file"
            } else if found.is_dir() {
                "directory"
            } else {
                "other"
            };
            Ok(json!({"path": path.to_string_lossy(), "kind": kind, "bytes": found.len()}))
        })
}
