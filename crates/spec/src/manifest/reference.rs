//! A path in a manifest: relative, and inside of the bundle once it is put together with the folder it stands in.
//!
//! Pure text: whether the file exists, and where links lead, is asked by whoever has files.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::field::Field;
use super::rules::REFERENCE;
use crate::doc::fields::Complaints;
use crate::doc::{Span, Spanned};

/// The longest reference that is read.
const LONGEST: usize = 1024;

/// A reference as it is written, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Reference(Spanned<String>);

/// Why a text is no reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// It starts at the root, a home or a drive, or is a URL.
    #[error("it is not relative")]
    NotRelative,
    /// It has a backslash or a control character, or is very long.
    #[error("it holds a backslash or a control character, or is longer than 1024 bytes")]
    Odd,
    /// It names a folder.
    #[error("it names a folder, not a file")]
    Folder,
    /// It leads out of the bundle.
    #[error("it leads out of the bundle")]
    Outside,
}

impl Reference {
    /// Checks that a text is a relative path.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str, span: Span) -> Result<Self, ReferenceError> {
        if text.is_empty() {
            return Err(ReferenceError::Empty);
        }
        if text.len() > LONGEST || text.contains('\\') || text.chars().any(char::is_control) {
            return Err(ReferenceError::Odd);
        }
        let drive = text.as_bytes().get(1) == Some(&b':');
        if text.starts_with(['/', '~']) || text.contains("://") || drive {
            return Err(ReferenceError::NotRelative);
        }
        if text.ends_with('/') || matches!(text.rsplit('/').next(), Some("." | "..")) {
            return Err(ReferenceError::Folder);
        }
        Ok(Self(Spanned::new(text.to_owned(), span)))
    }

    /// Returns it as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns where it stands.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Returns the path from the root of the bundle, in its shortest form; `folder` is that of the file which holds the
    /// reference, from the root, empty for the root itself.
    ///
    /// # Errors
    /// When it leads out of the bundle.
    pub fn resolve(&self, folder: &str) -> Result<String, ReferenceError> {
        let mut parts: Vec<&str> = Vec::new();
        for part in folder.split('/').chain(self.as_str().split('/')) {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop().ok_or(ReferenceError::Outside)?),
                part => parts.push(part),
            }
        }
        if parts.is_empty() {
            return Err(ReferenceError::Folder);
        }
        Ok(parts.join("/"))
    }
}

impl JsonSchema for Reference {
    fn schema_name() -> Cow<'static, str> {
        "Reference".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A relative path inside of the bundle.",
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST,
            "pattern": r"^[^/~\\\u0000-\u001F\u007F-\u009F][^\\\u0000-\u001F\u007F-\u009F]*$",
        })
    }
}

impl Field<'_> {
    /// Reads a reference.
    pub(crate) fn reference(&self, out: &mut Complaints) -> Option<Reference> {
        let text = self.text(out)?;
        match Reference::parse(&text, self.span()) {
            Ok(reference) => Some(reference),
            Err(why) => {
                let what = format!(
                    "expected a relative path, got {}: {why}",
                    crate::doc::fields::came(self.node)
                );
                out.push(
                    self.refuse(REFERENCE, what)
                        .hint("write a path inside of the folder, such as ./docs/FILE.md"),
                );
                None
            }
        }
    }

    /// Reads a reference in a file that stands at the root of its bundle.
    pub(crate) fn root_reference(&self, out: &mut Complaints) -> Option<Reference> {
        let reference = self.reference(out)?;
        if let Err(why) = reference.resolve("") {
            let what = format!(
                "expected a path inside of the bundle, got {}: {why}",
                crate::doc::fields::came(self.node)
            );
            out.push(self.refuse(REFERENCE, what).hint("put the file into the bundle"));
            return None;
        }
        Some(reference)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(folder: &str, text: &str, want: Result<&str, ReferenceError>) {
        let came = Reference::parse(text, Span::default()).and_then(|reference| reference.resolve(folder));
        assert_eq!(came, want.map(str::to_owned), "{text} in {folder}");
    }

    #[test]
    fn references_stay_inside() {
        check("", "./tools/a/TOOL.md", Ok("tools/a/TOOL.md"));
        check("", "SECRETS.md", Ok("SECRETS.md"));
        check("tools/a", "../../CLI.md", Ok("CLI.md"));
        check("", "a/../b//./c", Ok("b/c"));
        check("", "..x/y", Ok("..x/y"));
        check("", "../x", Err(ReferenceError::Outside));
        check("tools", "../../x", Err(ReferenceError::Outside));
        check("", "a/../../x", Err(ReferenceError::Outside));
        check("", "", Err(ReferenceError::Empty));
        check("", "./", Err(ReferenceError::Folder));
        check("", "a/..", Err(ReferenceError::Folder));
        check("", "/etc/passwd", Err(ReferenceError::NotRelative));
        check("", "~/x", Err(ReferenceError::NotRelative));
        check("", "C:x", Err(ReferenceError::NotRelative));
        check("", "https://x.example/a", Err(ReferenceError::NotRelative));
        check("", "a\\b", Err(ReferenceError::Odd));
        check("", "a\nb", Err(ReferenceError::Odd));
    }

    proptest! {
        #[test]
        fn nothing_leads_out(folder in "[a/.]{0,8}", text in "[./a~\\\\:]{0,16}") {
            let resolved = Reference::parse(&text, Span::default()).and_then(|one| one.resolve(&folder));
            if let Ok(path) = resolved {
                prop_assert!(path.split('/').all(|part| !part.is_empty() && part != "." && part != ".."));
            }
        }
    }
}
