//! The home directory of whoever runs this.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// Returns the home directory, without symlinks: `HOME` when it is a directory of ours, else what the list of users
/// says. A variable is easily set to a place that somebody else fills.
///
/// # Errors
/// When neither names a directory.
pub fn home() -> io::Result<PathBuf> {
    let uid = rustix::process::geteuid().as_raw();
    let ours = |path: &PathBuf| {
        path.metadata()
            .is_ok_and(|meta| meta.is_dir() && meta.uid() == uid)
    };
    let by_variable = std::env::var_os("HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .filter(ours);
    let home = match by_variable {
        Some(home) => home,
        None => by_list(&std::fs::read_to_string("/etc/passwd")?, uid).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::NotFound,
                "no home directory is known for this user",
            )
        })?,
    };
    home.canonicalize()
}

fn by_list(list: &str, uid: u32) -> Option<PathBuf> {
    let uid = uid.to_string();
    list.lines().find_map(|line| {
        let mut fields = line.split(':').skip(2);
        (fields.next()? == uid).then(|| fields.nth(2).map(PathBuf::from))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_users_names_homes() {
        let list = "root:x:0:0:root:/root:/bin/sh\nbad\nu:x:1000:1000::/data/u:/bin/sh\n";
        assert_eq!(by_list(list, 0), Some("/root".into()));
        assert_eq!(by_list(list, 1000), Some("/data/u".into()));
        assert_eq!(by_list(list, 7), None);
    }
}
