//! What runs an entry, and the words that it is started with.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Our half of a module: it imports the entry, keeps what `defineCli` was given, and answers one request.
const SHIM: &str = include_str!("shim.mjs");

/// The switch with which node takes types away.
const STRIP: &str = "--experimental-strip-types";

/// What runs an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Runtime {
    /// The kernel.
    Own,
    /// The program of its first line.
    Interpreter(PathBuf),
    /// Node.
    Node(PathBuf),
    /// Node, if it can run types.
    TypedNode(PathBuf),
}

/// Whether node is told to take types away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Types {
    /// It does so by itself, or there are none.
    AsItDoes,
    /// It is told.
    Stripped,
}

impl Runtime {
    /// Returns the program that has to be seen beside the entry, if any.
    pub(super) fn program(&self) -> Option<&Path> {
        match self {
            Self::Own => None,
            Self::Interpreter(program) | Self::Node(program) | Self::TypedNode(program) => Some(program),
        }
    }

    /// Returns all words.
    pub(super) fn argv(&self, file: &Path, types: Types) -> Vec<OsString> {
        let file = file.as_os_str().to_owned();
        match self {
            Self::Own => vec![file],
            Self::Interpreter(program) => vec![program.as_os_str().to_owned(), file],
            Self::Node(node) | Self::TypedNode(node) => {
                let mut argv = vec![node.as_os_str().to_owned(), "--no-warnings".into()];
                if types == Types::Stripped {
                    argv.push(STRIP.into());
                }
                argv.extend(["--input-type=module".into(), "--eval".into(), SHIM.into()]);
                argv.extend(["--".into(), file]);
                argv
            }
        }
    }
}
