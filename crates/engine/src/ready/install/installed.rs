//! What is installed, as one small file says: written last, read by every call.

use std::path::{Path, PathBuf};

use argrail_spec::digest::Digest;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::files::atomic::{self, Access, Durability};
use crate::files::is_program;
use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};
use crate::places::Places;

/// The longest receipt, and its version.
const LONGEST: u64 = 64 << 10;
const SCHEMA: u32 = 2;
/// The name of the receipt in the folder of its bundle.
const NAME: &str = "receipt.json";

/// A program that is there for a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Whose it is: `gh@1`, or `goose@1@agent` for an agent's.
    pub id: String,
    /// The program, absolute.
    pub program: PathBuf,
    /// The method that put it there; `present` when it was there already.
    pub method: String,
    /// The version that it printed.
    pub version: String,
    /// The version of the manifest by which it was installed.
    pub manifest_version: String,
    /// The digest of the program's file then.
    pub digest: Digest,
    /// The folder that it is in, if argrail put it there.
    pub tree: Option<InstalledTree>,
    /// When that was.
    pub at: Timestamp,
}

/// A folder that argrail installed a program in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledTree {
    /// The folder, absolute.
    pub root: PathBuf,
    /// What everything in it was then.
    pub digest: Digest,
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Receipt {
    schema: u32,
    id: String,
    program: PathBuf,
    method: String,
    version: String,
    manifest_version: String,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tree: Option<ReceiptTree>,
    at: Timestamp,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReceiptTree {
    root: PathBuf,
    digest: String,
}

/// Returns what is installed for a bundle, if its program is still there. Reads one small file and starts nothing.
/// Whether the program still is what was installed is another question: [`check_integrity`](super::check_integrity).
///
/// A receipt that others could have written, or that is no receipt, counts as none.
pub fn receipt(places: &Places, identity: &str) -> Option<Installed> {
    let path = folder(places, identity)?.join(NAME);
    let reading = Reading {
        keeper: Keeper::Trusted,
        links: Links::Refuse,
        limit: LONGEST,
    };
    let contents = untrusted::read(&path, &reading).ok()??;
    let receipt: Receipt = serde_json::from_slice(&contents.bytes).ok()?;
    let tree = match receipt.tree {
        Some(tree) => Some(InstalledTree {
            root: tree.root,
            digest: tree.digest.parse().ok()?,
        }),
        None => None,
    };
    let fits = receipt.schema == SCHEMA && receipt.id == identity && receipt.program.is_absolute();
    let installed = Installed {
        id: receipt.id,
        program: receipt.program,
        method: receipt.method,
        version: receipt.version,
        manifest_version: receipt.manifest_version,
        digest: receipt.digest.parse().ok()?,
        tree,
        at: receipt.at,
    };
    (fits && is_program(&installed.program)).then_some(installed)
}

/// Writes the receipt: from here on it is installed.
pub(super) fn write(places: &Places, installed: &Installed) -> Result<(), FileError> {
    let path = match folder(places, &installed.id) {
        Some(folder) => folder.join(NAME),
        None => places.installed().join(NAME),
    };
    let receipt = Receipt {
        schema: SCHEMA,
        id: installed.id.clone(),
        program: installed.program.clone(),
        method: installed.method.clone(),
        version: installed.version.clone(),
        manifest_version: installed.manifest_version.clone(),
        digest: installed.digest.to_string(),
        tree: installed.tree.as_ref().map(|tree| ReceiptTree {
            root: tree.root.clone(),
            digest: tree.digest.to_string(),
        }),
        at: installed.at,
    };
    let text = serde_json::to_vec(&receipt).map_err(|error| FileError::io(&path, error.into()))?;
    atomic::replace(&path, &text, Access::Private, Durability::Synced)
}

/// Returns the folder of a bundle. An identity that is no name of a folder has none.
pub(super) fn folder(places: &Places, identity: &str) -> Option<PathBuf> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-@".contains(c);
    let fits = !identity.is_empty() && identity.len() <= 100 && identity.chars().all(plain);
    fits.then(|| places.installed().join(Path::new(identity)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use argrail_testkit::Home;

    use super::*;
    use crate::places::testing::places_of;

    fn installed(program: PathBuf) -> Installed {
        Installed {
            id: "gh@1".to_owned(),
            program,
            method: "download".to_owned(),
            version: "2.40.1".to_owned(),
            manifest_version: "1.2.0".to_owned(),
            digest: Digest::of("x"),
            tree: None,
            at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_receipt_holds_while_its_program_is_there() {
        let home = Home::new().tool("gh", "#!/bin/sh\n");
        let places = places_of(&home);
        let want = installed(home.bin().join("gh"));
        assert_eq!(receipt(&places, "gh@1"), None);
        write(&places, &want).unwrap();
        assert_eq!(receipt(&places, "gh@1"), Some(want.clone()));
        assert_eq!(receipt(&places, "gh@2"), None);
        fs::set_permissions(&want.program, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(receipt(&places, "gh@1"), None);
        fs::remove_file(&want.program).unwrap();
        assert_eq!(receipt(&places, "gh@1"), None);
    }

    #[test]
    fn what_is_no_receipt_or_could_be_anybodys_is_none() {
        let home = Home::new().tool("gh", "#!/bin/sh\n");
        let places = places_of(&home);
        write(&places, &installed(home.bin().join("gh"))).unwrap();
        let path = places.installed().join("gh@1/receipt.json");
        let text = fs::read_to_string(&path).unwrap();
        for broken in [
            "",
            "{}",
            "[]",
            &text.replace("gh@1", "gh@2"),
            &text.replace("\"schema\":2", "\"schema\":1"),
        ] {
            fs::write(&path, broken).unwrap();
            assert_eq!(receipt(&places, "gh@1"), None, "{broken}");
        }
        fs::write(&path, &text).unwrap();
        assert!(receipt(&places, "gh@1").is_some());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(receipt(&places, "gh@1"), None);
        for identity in ["", "..", "../gh@1", "gh@1/..", "GH@1"] {
            assert_eq!(folder(&places, identity), None, "{identity}");
        }
    }
}
