//! Directories of scripts that are asked what they are.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// How many of each kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mix {
    pub(super) valid: usize,
    pub(super) hanging: usize,
    pub(super) invalid: usize,
    pub(super) ignoring: usize,
}

/// Everything, and all but those that hang.
pub(super) const ALL: Mix = Mix {
    valid: 20,
    hanging: 5,
    invalid: 5,
    ignoring: 170,
};
pub(super) const NO_HANGERS: Mix = Mix { hanging: 0, ..ALL };

/// Writes the scripts into a new directory. Names are mixed, so that kinds take turns.
pub(super) fn write(directory: &Path, mix: Mix) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(directory)?;
    let kinds = [
        ("valid", mix.valid),
        ("hanging", mix.hanging),
        ("invalid", mix.invalid),
        ("ignoring", mix.ignoring),
    ];
    let mut programs = Vec::new();
    for (kind, count) in kinds {
        for number in 0..count {
            // Spread over the list by a fixed rule.
            let place = (number * 200 / count.max(1) + kind.len() * 7) % 200;
            let name = format!("t{place:03}-{kind}-{number}");
            let path = directory.join(&name);
            fs::write(&path, script(kind, &name))?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            programs.push(path);
        }
    }
    programs.sort();
    Ok(programs)
}

fn script(kind: &str, name: &str) -> String {
    let metadata = format!(
        r#"{{"atip":"0.1","name":"{name}","version":"1.0.0","description":"A tool","commands":{{"go":{{"description":"Goes"}}}}}}"#
    );
    match kind {
        "valid" => format!("#!/bin/sh\n[ \"$1\" = --agent ] || exit 1\necho '{metadata}'\n"),
        "hanging" => "#!/bin/sh\nexec sleep 1000\n".to_owned(),
        "invalid" => format!("#!/bin/sh\necho 'hello'\necho '{metadata}'\n"),
        _ => "#!/bin/sh\necho 'unknown option' >&2\nexit 2\n".to_owned(),
    }
}
