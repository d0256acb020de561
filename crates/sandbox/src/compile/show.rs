//! Programs in the view: the one that is started, what it may start, and the scripts under their names.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::program::{ProgramSearch, ResolvedProgram, name_of};
use super::spawnable::SpawnableFiles;
use super::view::{ChildView, MountAccess, MountContent, ViewMount};
use crate::launch::NodeKind;
use crate::policy::{Exec, Policy};
use crate::refusal::Refusal;

/// How many symlinks may stand behind one another in the name of a script.
const MAX_SCRIPT_LINKS: usize = 8;

/// Makes the program visible and startable, and what it may start.
pub(super) fn show_programs(
    view: &mut ChildView,
    resolved: &ResolvedProgram,
    policy: &Policy,
    search: &ProgramSearch<'_>,
) -> Result<SpawnableFiles, Refusal> {
    let Policy { exec, deny, .. } = policy;
    let mut spawnable = SpawnableFiles::default();
    spawnable.add(&resolved.binary, resolved.loader.as_deref());
    if matches!(exec, Exec::None) {
        spawnable.directories.clear();
    }
    if let Exec::List(programs) = exec {
        let writable = |file: &Path| {
            view.holder(file)
                .is_some_and(|(_, mount)| mount.access == MountAccess::Write)
        };
        spawnable.list(programs, search, writable)?;
    }
    spawnable.without(deny);
    for file in &spawnable.files {
        show(view, file, false, true);
    }
    let is_denied = |script: &&PathBuf| deny.iter().any(|pattern| pattern.matches(script));
    for script in resolved.scripts.iter().filter(|script| !is_denied(script)) {
        show(view, script, false, false);
    }
    for directory in &spawnable.directories {
        show(view, directory, true, true);
    }
    if matches!(exec, Exec::List(_)) {
        // A program outside the system's directories brings its libraries along, where they may be read.
        let libraries: Vec<PathBuf> = spawnable
            .files
            .iter()
            .filter_map(|file| file.parent()?.parent())
            .flat_map(|prefix| ["lib", "lib64"].map(|name| prefix.join(name)))
            .filter(|path| view.shows(path) && !path.is_symlink() && path.is_dir())
            .collect();
        for directory in libraries {
            show(view, &directory, true, true);
        }
    }
    Ok(spawnable)
}

/// Gives scripts the names that they were started by, where those lead to them in the sandbox too.
pub(super) fn name_scripts(view: &mut ChildView, resolved: &mut ResolvedProgram) {
    for (link, script) in std::mem::take(&mut resolved.links) {
        if view.holder(&link).is_none()
            && let Ok(target) = CString::new(script.as_os_str().as_bytes())
        {
            view.node(&link, NodeKind::Symlink(target));
            resolved.call(&script, &link);
        } else if leads_to(view, &link, &script) {
            resolved.call(&script, &link);
        }
    }
}

/// Whether a symlink leads to a file by way of what is shown only.
fn leads_to(view: &ChildView, link: &Path, file: &Path) -> bool {
    let mut at = link.to_owned();
    for _ in 0..MAX_SCRIPT_LINKS {
        if !view.shows(&at) {
            return false;
        }
        if at == file {
            return true;
        }
        let next = at.read_link().ok();
        let next = next.and_then(|target| name_of(&at.parent()?.join(target)));
        let Some(next) = next else { return false };
        at = next;
    }
    false
}

/// Shows one file or directory of the host, unless it is there already with the same rights.
fn show(view: &mut ChildView, path: &Path, directory: bool, exec: bool) {
    let held = view.holder(path).map(|(_, mount)| *mount);
    if held.is_some_and(|mount| mount.what == MountContent::Host && (mount.exec || !exec)) {
        return;
    }
    // What is denied stays so: the program then cannot start, and the launcher says it.
    if held.is_some_and(|mount| mount.what != MountContent::Host) {
        return;
    }
    view.mount(
        path,
        ViewMount {
            exec,
            base: held.is_some_and(|mount| mount.base),
            ..ViewMount::read(directory)
        },
    );
}
