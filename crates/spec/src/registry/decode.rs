//! From the text of `registry.json` to the index: an entry that is not understood costs only itself.

use std::path::{Component, Path};

use argrail_acli::Text;
use indexmap::IndexMap;

use super::model::{Entry, Registry, Source, VERSION};
use crate::atip::check_tool_name;
use crate::doc::{Diagnostic, Document, Limits, Node, Severity, Span};
use crate::record::{Record, wrong};

/// The code of complaints about the file as a whole.
const INVALID: &str = "registry/invalid";
/// The code of the complaint that another version is spoken: the file is not broken, and not ours to write.
pub const LATER: &str = "registry/version";
/// The code of complaints about one entry.
const ENTRY: &str = "registry/entry";

/// How much is read: room for every program of a machine, each with words of its own.
const LIMITS: Limits = Limits {
    bytes: Registry::MAX_BYTES,
    depth: 64,
    nodes: 2_000_000,
};

/// The most tools that an index may hold. A machine has a few thousand programs.
const MAX_TOOLS: usize = 100_000;

/// What was understood, and what was not.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What was understood.
    pub registry: Registry,
    /// What was not.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the text of a registry.
///
/// # Errors
/// When it is no registry of version 0: guessing would write over what a later program knows.
pub fn load(text: &[u8]) -> Result<Loaded, Diagnostic> {
    let document = Document::json(text, &LIMITS)?;
    decode(&document.root)
}

fn decode(root: &Node) -> Result<Loaded, Diagnostic> {
    let mut warnings = Vec::new();
    let mut fields = Record::of(root, INVALID)?;
    let version = fields
        .read("version", "a version such as \"0.1\"", |node| {
            node.as_str().filter(|version| is_known_version(version))
        })
        .map_err(|problem| Diagnostic {
            code: LATER,
            ..problem
        })?;
    let updated = fields.time("updated").unwrap_or_else(|mut problem| {
        problem.severity = Severity::Warning;
        warnings.push(problem);
        None
    });
    let revision = fields.number("revision")?.unwrap_or_default();
    let mut tools = IndexMap::new();
    let mut unread = IndexMap::new();
    if let Some(node) = fields.node("tools") {
        let object = node
            .as_object()
            .ok_or_else(|| wrong(INVALID, node, "tools", "an object"))?;
        if object.members.len() > MAX_TOOLS {
            return Err(wrong(INVALID, node, "tools", "at most 100000 tools"));
        }
        for member in &object.members {
            match entry(&member.key, member.key_span, &member.node) {
                Ok(entry) => {
                    tools.insert(member.key.clone(), entry);
                }
                Err(problem) => {
                    warnings.push(problem);
                    unread.insert(member.key.clone(), member.node.to_json());
                }
            }
        }
    }
    let registry = Registry {
        version: version.unwrap_or(VERSION).to_owned(),
        updated,
        revision,
        tools,
        extra: fields.rest(),
        unread,
    };
    Ok(Loaded { registry, warnings })
}

/// `0.1`, `0.2`, …: whatever comes before 1.0 is taken to add, not to change.
fn is_known_version(version: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    version
        .strip_prefix("0.")
        .is_some_and(|rest| rest.split('.').all(digits))
}

fn entry(name: &str, name_span: Span, node: &Node) -> Result<Entry, Diagnostic> {
    let about = |problem: Diagnostic| Diagnostic {
        severity: Severity::Warning,
        message: format!("{}: {}", Text::new("tool {}").value(name), problem.message),
        ..problem
    };
    if let Err(problem) = check_tool_name(name) {
        return Err(about(Diagnostic::new(
            Severity::Warning,
            "registry/name",
            name_span,
            problem.to_string(),
        )));
    }
    fields(node).map_err(about)
}

fn fields(node: &Node) -> Result<Entry, Diagnostic> {
    let mut fields = Record::of(node, ENTRY)?;
    let path = fields.read("path", "an absolute path, or one below ~/", |node| {
        node.as_str()
            .filter(|path| is_whole_path(path))
            .map(str::to_owned)
    })?;
    let version = fields.text("version")?;
    let atip_version = fields.text("atipVersion")?;
    let source = fields.read("source", "native, shim, inferred or manual", |node| {
        node.as_str().and_then(Source::parse)
    })?;
    let source = fields.need("source", source)?;
    let last_checked = fields.time("lastChecked")?;
    let mut file = |key| {
        fields.read(key, "a path without \"..\"", |node| {
            node.as_str()
                .filter(|path| is_plain_path(path))
                .map(str::to_owned)
        })
    };
    let metadata_path = file("metadataPath")?;
    let shim_path = file("shimPath")?;
    Ok(Entry {
        path,
        version,
        atip_version,
        source,
        shim_path,
        last_checked,
        metadata_path,
        extra: fields.rest(),
    })
}

fn is_whole_path(path: &str) -> bool {
    is_plain_path(path) && (path.starts_with('/') || path.starts_with("~/"))
}

/// No way upwards, nothing that ends a string early, and no longer than the system takes.
fn is_plain_path(path: &str) -> bool {
    let upwards = Path::new(path)
        .components()
        .any(|part| part == Component::ParentDir);
    !path.is_empty() && path.len() <= 4096 && !path.contains('\0') && !upwards
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn text(value: &Value) -> Vec<u8> {
        value.to_string().into_bytes()
    }

    #[test]
    fn the_drafts_form_is_read_and_written_again() {
        let given = json!({
            "version": "0.1",
            "updated": "2026-01-05T10:30:00Z",
            "revision": 7,
            "tools": {
                "gh": {"path": "/opt/bin/gh", "version": "2.45.0", "atipVersion": "0.1", "source": "native",
                       "lastChecked": "2026-01-05T10:30:00Z", "metadataPath": "./tools/gh.json", "x-dialect": "schema"},
                "curl": {"path": "~/bin/curl", "version": "8.4.0", "source": "shim", "shimPath": "./shims/curl.json",
                         "lastChecked": "2026-01-05T10:30:00Z", "note": [1, {"a": null}]},
            },
            "x-owner": "me",
        });
        let loaded = load(&text(&given)).unwrap();
        assert_eq!(loaded.warnings, []);
        assert_eq!(loaded.registry.revision, 7);
        assert_eq!(loaded.registry.tools["curl"].source, Source::Shim);
        let emitted = loaded.registry.emit();
        assert_eq!(serde_json::from_str::<Value>(&emitted).unwrap(), given);
        assert_eq!(load(emitted.as_bytes()).unwrap(), loaded);
    }

    #[test]
    fn a_bad_entry_costs_only_itself_and_is_written_back() {
        let good = json!({"source": "native"});
        let check = |name: &str, entry: Value, want: &str| {
            let given = json!({"version": "0.1", "revision": 0, "tools": {"good": good, name: entry}});
            let loaded = load(&text(&given)).unwrap();
            assert_eq!(
                loaded.registry.tools.keys().collect::<Vec<_>>(),
                ["good"],
                "{given}"
            );
            let warning = &loaded.warnings[0];
            assert!(warning.message.contains(want), "{}", warning.message);
            assert_eq!(warning.severity, Severity::Warning);
            assert_eq!(
                serde_json::from_str::<Value>(&loaded.registry.emit()).unwrap(),
                given
            );
        };
        check(
            "../../x",
            good.clone(),
            "tool '../../x': a tool name may not hold '/'",
        );
        check("a\u{202e}b", good.clone(), "tool 'a\\u{202e}b'");
        check("", good.clone(), "may not be empty");
        check("x", json!([]), "expected an object, got an array");
        check("x", json!({}), "source is missing");
        check("x", json!({"source": "vendor"}), "source: expected native, shim");
        check(
            "x",
            json!({"source": "native", "path": "bin/x"}),
            "path: expected an absolute path",
        );
        check(
            "x",
            json!({"source": "native", "path": "/a/../b"}),
            "path: expected",
        );
        check(
            "x",
            json!({"source": "native", "path": 7}),
            "path: expected an absolute path, or one below ~/, got a number",
        );
        check(
            "x",
            json!({"source": "native", "version": null}),
            "version: expected",
        );
        check(
            "x",
            json!({"source": "native", "lastChecked": "yesterday"}),
            "lastChecked: expected a time",
        );
        check(
            "x",
            json!({"source": "native", "metadataPath": "../../etc/x"}),
            "metadataPath: expected a path without",
        );
        check(
            "x",
            json!({"source": "shim", "shimPath": "a\0b"}),
            "shimPath: expected a path",
        );
    }

    #[test]
    fn a_tool_that_is_understood_takes_the_place_of_what_was_not() {
        let given = json!({"version": "0.1", "tools": {"x": {"source": "vendor"}}});
        let mut registry = load(&text(&given)).unwrap().registry;
        registry.tools.insert("x".to_owned(), Entry::new(Source::Manual));
        let emitted: Value = serde_json::from_str(&registry.emit()).unwrap();
        assert_eq!(emitted["tools"]["x"], json!({"source": "manual"}));
    }

    #[test]
    fn what_is_no_registry_is_refused() {
        let check = |given: &str, want: &str| {
            let problem = load(given.as_bytes()).unwrap_err();
            assert!(problem.message.contains(want), "{given}: {}", problem.message);
        };
        check("", "");
        check("{\"version\":\"0.1\"", "");
        check("[]", "expected an object");
        check(r#"{"version":"1.0"}"#, "version: expected a version such as");
        check(r#"{"version":0.1}"#, "version: expected");
        check(r#"{"version":"0.1","tools":[]}"#, "tools: expected an object");
        check(
            r#"{"version":"0.1","revision":-1}"#,
            "revision: expected a whole number",
        );
        check(&"[".repeat(100_000), "");
    }

    #[test]
    fn what_is_missing_or_odd_about_the_head_is_no_reason_to_forget_the_tools() {
        let loaded = load(br#"{"updated":"soon","tools":{"a":{"source":"manual"}}}"#).unwrap();
        assert_eq!(loaded.registry.version, "0.1");
        assert_eq!(loaded.registry.revision, 0);
        assert_eq!(loaded.registry.tools.len(), 1);
        assert!(loaded.warnings[0].message.contains("updated: expected a time"));
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in any::<Vec<u8>>()) {
            let _ = load(&text);
        }

        #[test]
        fn what_was_read_is_read_again(
            tools in "[a-z/.\\\\]{0,3}", source in "(native|shim|manual|x)", path in "[/~.a]{0,6}", odd in "[a-z-]{1,9}",
        ) {
            let entry = json!({"source": source, "path": path, odd: [path]});
            let given = json!({"version": "0.1", "revision": 3, "tools": {tools: entry}});
            let loaded = load(&text(&given)).unwrap();
            prop_assert_eq!(load(loaded.registry.emit().as_bytes()).unwrap().registry, loaded.registry);
        }
    }
}
