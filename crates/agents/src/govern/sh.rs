//! A shell that is only given a line: `bash -lc LINE`.

use std::path::Path;

/// Programs that read a line in the way of `sh`.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];
/// Directories in which they are what they are called.
const PLACES: [&str; 3] = ["/bin", "/usr/bin", "/usr/local/bin"];

/// Returns the line, if the words are nothing but a shell with one.
pub(super) fn line(words: &[String]) -> Option<&str> {
    let (program, rest) = words.split_first()?;
    let path = Path::new(program);
    let place = path.parent().and_then(Path::to_str)?;
    let name = path.file_name()?.to_str()?;
    let known = SHELLS.contains(&name) && (place.is_empty() || PLACES.contains(&place));
    match rest {
        [flags, line] if known && matches!(flags.as_str(), "-c" | "-lc" | "-cl") => Some(line),
        [login, flag, line] if known && login == "-l" && flag == "-c" => Some(line),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_with_a_line_is_known() {
        let check = |words: &[&str], want: Option<&str>| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(line(&words), want, "{words:?}");
        };
        check(&["sh", "-c", "ls"], Some("ls"));
        check(&["/bin/bash", "-lc", "ls"], Some("ls"));
        check(&["zsh", "-l", "-c", "ls"], Some("ls"));
        check(&["bash", "-ic", "ls"], None);
        check(&["bash", "-c", "ls", "x"], None);
        check(&["./bash", "-c", "ls"], None);
        check(&["/srv/bash", "-c", "ls"], None);
        check(&["python3", "-c", "ls"], None);
        check(&["bash"], None);
    }
}
