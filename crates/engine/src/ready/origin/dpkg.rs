//! Debian's own lists: one file per package, one path per line.

use std::path::Path;

use super::lists::{entries, has_line, read};

/// Returns the package that has one of the names of a program.
pub(super) fn owner(program: &Path, real: &Path, system: &Path) -> Option<String> {
    let names: Vec<String> = [program, real]
        .into_iter()
        .filter_map(|path| {
            let below = path.strip_prefix(system).ok()?;
            Some(format!("/{}", below.to_str()?))
        })
        .flat_map(|name| {
            // `/bin` is `/usr/bin`, and either stands in the lists.
            let other = match name.strip_prefix("/usr") {
                Some(short) => short.to_owned(),
                None => format!("/usr{name}"),
            };
            [name, other]
        })
        .collect();
    let lists = entries(&system.join("var/lib/dpkg/info"), |name| {
        std::path::Path::new(name)
            .extension()
            .is_some_and(|ending| ending == "list")
    });
    lists.iter().find_map(|list| {
        let text = read(list)?;
        if !names.iter().any(|name| has_line(&text, name)) {
            return None;
        }
        let stem = list.file_stem()?.to_str()?;
        // `libc6:amd64` is the package for one of several processors.
        Some(stem.split(':').next().unwrap_or(stem).to_owned())
    })
}
