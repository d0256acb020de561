//! `command[0]`: an absolute path, or one below `./tools/bin/` beside the manifest, whatever it looks like.
//!
//! Text only: where links lead is asked again by whoever starts the program.

use super::manifest_error::Quote;

/// Where programs of a manifest are.
const BIN: &str = "./tools/bin/";

/// Which program a tool starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// An absolute path.
    Absolute(String),
    /// A path below the directory of the manifest, in its shortest form: `tools/bin/NAME`.
    Beside(String),
}

/// Why a path is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// It is relative and not below `./tools/bin/`.
    #[error("relative command[0] must start with ./tools/bin/")]
    Elsewhere,
    /// It begins there and leads out.
    #[error(
        "command[0] escapes ./tools/bin after normalization (got {} -> {})",
        Quote(given),
        Quote(meant)
    )]
    Escapes {
        /// As it was written.
        given: String,
        /// What it means.
        meant: String,
    },
}

/// Reads the path of a program.
///
/// # Errors
/// When it is relative and no path below `./tools/bin/`.
pub fn program(given: &str) -> Result<Program, ProgramError> {
    if given.starts_with('/') {
        return Ok(Program::Absolute(given.to_owned()));
    }
    let slashed = given.replace('\\', "/");
    if !slashed.starts_with(BIN) {
        return Err(ProgramError::Elsewhere);
    }
    let meant = shortest(&slashed);
    match meant.strip_prefix("./") {
        Some(inside) if meant.len() > BIN.len() && meant.starts_with(BIN) => {
            Ok(Program::Beside(inside.to_owned()))
        }
        Some(_) | None => Err(ProgramError::Escapes {
            given: given.to_owned(),
            meant,
        }),
    }
}

/// Returns a relative path without `.`, `..` in the middle and doubled slashes. It starts with `./` or `..`.
fn shortest(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            (part, _) => parts.push(part),
        }
    }
    match parts.first() {
        Some(&"..") => parts.join("/"),
        Some(_) | None => format!("./{}", parts.join("/")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn programs_stand_in_their_place() {
        let check = |given: &str, want: Result<&str, &str>| {
            let came = program(given).map(|program| match program {
                Program::Absolute(path) | Program::Beside(path) => path,
            });
            let came = came.map_err(|error| error.to_string());
            assert_eq!(came.as_deref(), want.map_err(str::to_owned).as_deref(), "{given}");
        };
        let elsewhere = Err("relative command[0] must start with ./tools/bin/");
        check("./tools/bin/get_time", Ok("tools/bin/get_time"));
        check("./tools/bin/get_time.exe", Ok("tools/bin/get_time.exe"));
        check("./tools/bin//a/./b", Ok("tools/bin/a/b"));
        check("./tools/bin/a/../b", Ok("tools/bin/b"));
        check("./tools/bin/../bin/b", Ok("tools/bin/b"));
        check(".\\tools\\bin\\b", Ok("tools/bin/b"));
        check("/usr/bin/env", Ok("/usr/bin/env"));
        check("/../x", Ok("/../x"));
        for given in [
            "",
            "get_time",
            "tools/bin/get_time",
            "./tools/get_time",
            "./tools/bin",
            "../tools/bin/x",
            "./tools/binx/y",
            "C:\\x",
            "~/x",
        ] {
            check(given, elsewhere);
        }
        check(
            "./tools/bin/../hack",
            Err(
                "command[0] escapes ./tools/bin after normalization (got \"./tools/bin/../hack\" -> \"./tools/hack\")",
            ),
        );
        check(
            "./tools/bin/../../../etc/x",
            Err(
                "command[0] escapes ./tools/bin after normalization (got \"./tools/bin/../../../etc/x\" -> \"../etc/x\")",
            ),
        );
        check(
            "./tools/bin/..\\x",
            Err(
                "command[0] escapes ./tools/bin after normalization (got \"./tools/bin/..\\\\x\" -> \"./tools/x\")",
            ),
        );
        check(
            "./tools/bin/",
            Err(
                "command[0] escapes ./tools/bin after normalization (got \"./tools/bin/\" -> \"./tools/bin\")",
            ),
        );
        check(
            "./tools/bin/../bin",
            Err(
                "command[0] escapes ./tools/bin after normalization (got \"./tools/bin/../bin\" -> \"./tools/bin\")",
            ),
        );
    }

    proptest! {
        #[test]
        fn nothing_relative_leads_out(tail in "[./a\\\\]{0,24}") {
            if let Ok(Program::Beside(path)) = program(&format!("{BIN}{tail}")) {
                prop_assert!(path.starts_with("tools/bin/"));
                prop_assert!(path.split('/').all(|part| !part.is_empty() && part != ".." && part != "."));
            }
        }
    }
}
