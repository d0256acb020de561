//! From the text of `trust.json` to pins: all of it, or a refusal with its place.

use argrail_acli::Text;
use indexmap::IndexMap;

use super::model::{FilePin, ProjectPin, ToolPin, ToolTrust, TrustFile, VERSION};
use crate::atip::check_tool_name;
use crate::doc::{Diagnostic, Document, Limits, Member, Node, Severity};
use crate::identity::Identity;
use crate::record::{Record, wrong};

/// The code of complaints.
const INVALID: &str = "trust/invalid";

/// How much is read: the files of many projects.
const LIMITS: Limits = Limits {
    bytes: TrustFile::MAX_BYTES,
    depth: 64,
    nodes: 2_000_000,
};

/// Reads the text of a trust file.
///
/// # Errors
/// When any of it is not understood.
pub fn load(text: &[u8]) -> Result<TrustFile, Diagnostic> {
    decode(&Document::json(text, &LIMITS)?.root)
}

/// Reads a trust file from a document.
///
/// # Errors
/// When any of it is not understood.
pub fn decode(root: &Node) -> Result<TrustFile, Diagnostic> {
    let mut fields = Record::of(root, INVALID)?;
    let version = fields.read("version", "\"0.1\"", |node| {
        node.as_str().filter(|version| *version == VERSION)
    })?;
    let version = fields.need("version", version)?.to_owned();
    let revision = fields.number("revision")?.unwrap_or_default();
    let tools = entries(fields.node("tools"), "tools", |member| {
        check_tool_name(&member.key)
            .map_err(|problem| {
                Diagnostic::new(Severity::Error, INVALID, member.key_span, problem.to_string())
            })
            .and_then(|()| tool(&member.node))
    })?;
    let projects = entries(fields.node("projects"), "projects", |member| {
        if !member.key.starts_with('/') {
            let message = "a project is named by the absolute path of its directory";
            return Err(Diagnostic::new(
                Severity::Error,
                INVALID,
                member.key_span,
                message,
            ));
        }
        project(&member.node)
    })?;
    Ok(TrustFile {
        version,
        revision,
        tools,
        projects,
        extra: fields.rest(),
    })
}

/// Reads an object of named values; a complaint about one says its name.
fn entries<T>(
    node: Option<&Node>,
    what: &'static str,
    read: impl Fn(&Member) -> Result<T, Diagnostic>,
) -> Result<IndexMap<String, T>, Diagnostic> {
    let Some(node) = node else {
        return Ok(IndexMap::new());
    };
    let object = node
        .as_object()
        .ok_or_else(|| wrong(INVALID, node, what, "an object"))?;
    let entry = |member: &Member| match read(member) {
        Ok(value) => Ok((member.key.clone(), value)),
        Err(problem) => {
            let place = Text::new("{} {}").word(what).value(&member.key);
            Err(Diagnostic {
                message: format!("{place}: {}", problem.message),
                ..problem
            })
        }
    };
    object.members.iter().map(entry).collect()
}

fn tool(node: &Node) -> Result<ToolPin, Diagnostic> {
    let mut fields = Record::of(node, INVALID)?;
    let trust = fields.read("trust", "first-use, accepted or denied", |node| {
        node.as_str().and_then(ToolTrust::parse)
    })?;
    let trust = fields.need("trust", trust)?;
    let path = fields.text("path")?;
    let path = fields.need("path", path)?;
    let binary = fields.digest("binary")?;
    let binary = fields.need("binary", binary)?;
    let metadata = fields.digest("metadata")?;
    let metadata = fields.need("metadata", metadata)?;
    let said = fields.digest("said")?;
    let identity = fields.node("identity");
    let identity = fields.need("identity", identity)?;
    let identity = Identity::take(&mut Record::of(identity, INVALID)?)?;
    let at = fields.time("at")?;
    let at = fields.need("at", at)?;
    let checked = fields.time("checked")?;
    Ok(ToolPin {
        trust,
        path,
        binary,
        metadata,
        said,
        identity,
        at,
        checked,
        extra: fields.rest(),
    })
}

fn hosts(node: &Node) -> Result<Vec<String>, Diagnostic> {
    let complaint = || wrong(INVALID, node, "the remotes", "a list of hosts");
    let list = node.as_array().ok_or_else(complaint)?;
    let host = |item: &Node| item.as_str().map(str::to_owned).ok_or_else(complaint);
    list.iter().map(host).collect()
}

fn project(node: &Node) -> Result<ProjectPin, Diagnostic> {
    let mut fields = Record::of(node, INVALID)?;
    let digest = fields.digest("digest")?;
    let digest = fields.need("digest", digest)?;
    let files = entries(fields.node("files"), "files", |member| {
        let pin = member.node.as_str().and_then(FilePin::parse);
        pin.ok_or_else(|| wrong(INVALID, &member.node, "the pin", "sha256:…, sha256:…+x or link:…"))
    })?;
    let remotes = match fields.node("remotes") {
        Some(node) => hosts(node)?,
        None => Vec::new(),
    };
    let at = fields.time("at")?;
    let at = fields.need("at", at)?;
    Ok(ProjectPin {
        digest,
        files,
        remotes,
        at,
        extra: fields.rest(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::digest::Digest;

    fn digest(of: &str) -> String {
        Digest::of(of).to_string()
    }

    fn whole() -> Value {
        json!({
            "version": "0.1",
            "revision": 3,
            "tools": {
                "gh": {
                    "trust": "first-use", "path": "/usr/bin/gh", "binary": digest("b"), "metadata": digest("m"),
                    "identity": {"device": 1, "inode": 2, "size": 3, "mtime": 4, "ctime": 5},
                    "at": "2026-01-05T10:30:00Z", "x-note": "mine",
                },
            },
            "projects": {
                "/srv/p": {
                    "digest": digest("p"),
                    "files": {
                        "tools.json": digest("t"),
                        "bin/x": format!("{}+x", digest("x")),
                        ".cli/y": "link:../y",
                    },
                    "at": "2026-01-05T10:30:00Z",
                },
            },
            "x-more": [1],
        })
    }

    #[test]
    fn every_field_is_read_and_written_again() {
        let read = load(whole().to_string().as_bytes()).unwrap();
        assert_eq!(read.tools["gh"].trust, ToolTrust::FirstUse);
        assert_eq!(
            read.projects["/srv/p"].files[".cli/y"],
            FilePin::Link("../y".to_owned())
        );
        assert_eq!(serde_json::from_str::<Value>(&read.emit()).unwrap(), whole());
        assert_eq!(load(read.emit().as_bytes()).unwrap(), read);
        assert_eq!(load(br#"{"version":"0.1"}"#).unwrap(), TrustFile::default());
    }

    #[test]
    fn what_is_half_understood_is_refused_as_a_whole() {
        let check = |pointer: &str, value: Value, want: &str| {
            let mut json = whole();
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            let object = json.pointer_mut(parent).unwrap().as_object_mut().unwrap();
            match value {
                Value::Null => drop(object.shift_remove(&key.replace("~1", "/"))),
                value => drop(object.insert(key.replace("~1", "/"), value)),
            }
            let problem = load(json.to_string().as_bytes()).unwrap_err();
            assert!(problem.message.contains(want), "{pointer}: {}", problem.message);
        };
        check("/version", json!("0.2"), "version: expected \"0.1\"");
        check("/version", Value::Null, "version is missing");
        check("/revision", json!("3"), "revision: expected a whole number");
        check("/tools", json!([]), "tools: expected an object");
        check("/tools/..~1x", json!({}), "tools '../x': a tool name may not");
        check(
            "/tools/gh/trust",
            json!("always"),
            "tools 'gh': trust: expected first-use",
        );
        check(
            "/tools/gh/binary",
            json!("sha1:00"),
            "binary: expected \"sha256:\"",
        );
        check("/tools/gh/binary", Value::Null, "binary is missing");
        check("/tools/gh/identity/ctime", Value::Null, "ctime is missing");
        check("/tools/gh/identity/inode", json!(-1), "inode: expected");
        check("/tools/gh/at", json!("now"), "at: expected a time");
        check("/projects/rel", json!({}), "projects 'rel': a project is named");
        check("/projects/~1srv~1p/digest", Value::Null, "digest is missing");
        check(
            "/projects/~1srv~1p/files/tools.json",
            json!("sha256:00"),
            "files 'tools.json': the pin: expected",
        );
    }

    #[test]
    fn the_schema_names_every_field() {
        let schema = serde_json::to_value(schemars::schema_for!(TrustFile)).unwrap();
        for pointer in [
            "/properties/revision",
            "/$defs/ToolPin/properties/metadata",
            "/$defs/ProjectPin/properties/files",
            "/$defs/Identity/properties/ctime",
        ] {
            assert!(schema.pointer(pointer).is_some(), "{pointer} in {schema}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in any::<Vec<u8>>()) {
            let _ = load(&text);
        }

        #[test]
        fn a_pin_of_a_file_is_read_as_it_is_written(target in any::<String>(), bytes in any::<Vec<u8>>()) {
            let digest = Digest::of(bytes);
            for pin in [FilePin::Plain(digest), FilePin::Executable(digest), FilePin::Link(target.clone())] {
                prop_assert_eq!(FilePin::parse(&pin.to_string()), Some(pin));
            }
        }
    }
}
