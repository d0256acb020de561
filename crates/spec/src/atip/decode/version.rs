//! The `atip` field: `"0.1"`, or `{"version": "0.6", "features": […], "minAgentVersion": …}`.

use super::super::model::{Atip, AtipForm};
use super::root::AGENT_VERSION;
use crate::doc::fields::{Complaints, Fields, Quoted, Trail, WRONG_TYPE, came};
use crate::doc::{Diagnostic, Node, Severity, Span, Value};

const FIELD: &str = "atip";

/// Reads the field.
///
/// # Errors
/// When it is neither a version nor an object with one.
pub(super) fn atip(node: &Node, complaints: &mut Complaints) -> Result<Atip, Diagnostic> {
    let root = Trail::root();
    let trail = root.key(FIELD);
    let refuse = |message: String| Diagnostic::new(Severity::Error, "atip/not-atip", node.span, message);
    let atip = match &node.value {
        Value::String(version) => Atip {
            version: version.clone(),
            ..Atip::default()
        },
        Value::Number(number) => {
            let message = format!("atip: expected the version as a string, got {number}");
            complaints.push(
                Diagnostic::new(Severity::Warning, WRONG_TYPE, node.span, message)
                    .fix(node.span, format!("\"{number}\"")),
            );
            Atip {
                version: number.to_string(),
                ..Atip::default()
            }
        }
        Value::Object(_) => {
            let Some(mut fields) = Fields::of(node, trail, complaints) else {
                return Err(refuse("atip: expected an object".to_owned()));
            };
            let Some(version) = fields.text("version", complaints) else {
                return Err(refuse("atip: the object has no \"version\"".to_owned()));
            };
            Atip {
                version,
                features: fields.texts("features", complaints).unwrap_or_default(),
                min_agent_version: fields.text("minAgentVersion", complaints),
                form: AtipForm::Object,
                extra: fields.rest(),
            }
        }
        Value::Null | Value::Bool(_) | Value::Array(_) => {
            let message = format!("atip: expected a version such as \"0.1\", got {}", came(node));
            return Err(refuse(message));
        }
    };
    if number(&atip.version).is_none_or(|(major, _)| major != 0) {
        let message = format!("atip: {} is no version that we know", Quoted(&atip.version));
        complaints.warn("atip/version", node.span, message);
    }
    Ok(atip)
}

/// Refuses metadata that says it needs a later protocol than ours.
pub(super) fn refuse_newer(atip: &Atip, span: Span) -> Result<(), Diagnostic> {
    let Some(minimum) = &atip.min_agent_version else {
        return Ok(());
    };
    let (major, minor) = AGENT_VERSION;
    let refuse = |message: String| Diagnostic::new(Severity::Error, "atip/too-new", span, message);
    match number(minimum) {
        Some(wanted) if wanted <= AGENT_VERSION => Ok(()),
        Some(_) => Err(refuse(format!(
            "it needs protocol {} and we know {major}.{minor}",
            Quoted(minimum)
        ))
        .hint("Update argrail")),
        // What cannot be read cannot be met.
        None => Err(refuse(format!(
            "atip.minAgentVersion: {} is no version",
            Quoted(minimum)
        ))),
    }
}

/// Reads `0.1` and `0.1.2`; the third number says nothing about what is understood.
fn number(text: &str) -> Option<(u64, u64)> {
    let mut parts = text.split('.');
    let mut next = || parts.next()?.parse::<u64>().ok();
    let (major, minor) = (next()?, next()?);
    let rest: Vec<_> = parts.collect();
    let fits = rest.len() <= 1 && rest.iter().all(|part| part.parse::<u64>().is_ok());
    fits.then_some((major, minor))
}
