//! Accepting a tool as it is now, and forgetting it.

use argrail_acli::{Error, Text};
use argrail_engine::catalog::registry;
use argrail_engine::catalog::trust::{
    Standing, accept as accept_tool, known, revoke as revoke_tool, standing,
};
use argrail_engine::files::identity;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::run::{Ground, Told, record_accepted};
use crate::ask::{Question, ask};
use crate::foreign::{Page, one_line};

/// Shows how the tool was and is, asks, and pins what it is.
pub(super) fn accept(ground: &Ground, name: &str) -> Result<Told, Error> {
    let registry = registry::read(&ground.places).map_err(|error| Error::from(&error))?;
    let tool = known(&ground.places, &registry.registry, name)
        .map_err(|error| Error::from(&error))?
        .ok_or_else(|| unknown(name))?;
    let candidate = tool.candidate();
    let judged = standing(&ground.trust, &candidate).map_err(|error| Error::from(&error))?;
    let binary = identity::fingerprint(&tool.path, identity::MAX_EXECUTABLE)
        .map_err(|error| Error::execution(&error).hint(error.hint()))?
        .map(|found| found.digest)
        .ok_or_else(|| unknown(name))?;
    let pin = ground.trust.tools.get(name);
    let mut data = json!({
        "tool": name,
        "path": tool.path.to_string_lossy(),
        "standing": judged.standing.as_str(),
        "binary": binary,
        "metadata": tool.metadata.kept,
        "pinned": pin.map(|pin| json!({
            "trust": pin.trust.as_str(),
            "path": pin.path,
            "binary": pin.binary,
            "metadata": pin.metadata,
            "at": pin.at.to_string(),
        })),
    });
    let about = match &judged.standing {
        Standing::Accepted => {
            data["trusted"] = json!(true);
            let text = format!("{}: trusted already\n", one_line(name));
            return Ok(Told { data, text });
        }
        Standing::Drift(drift) => {
            data["drift"] = json!({"what": drift.what.as_str(), "pinned": drift.pinned, "now": drift.now});
            Text::new("the {} of the tool {} is not what was pinned")
                .word(drift.what.as_str())
                .value(name)
        }
        Standing::Unknown | Standing::FirstUse => Text::new("nobody has accepted the tool {}").value(name),
        Standing::Denied => Text::new("the tool {} was denied").value(name),
    };
    let question = Question {
        about,
        verb: "trust",
        target: name,
        shown: shown(&data),
        data: &data,
    };
    ask(ground.consent, ground.report, question)?;
    record_accepted(ground.consent, "tool", name, Some(binary.to_string()))?;
    accept_tool(&ground.places, &candidate, binary, Timestamp::now()).map_err(|error| Error::from(&error))?;
    data["standing"] = json!("accepted");
    data["trusted"] = json!(true);
    let text = format!("{}: trusted\n", one_line(name));
    Ok(Told { data, text })
}

/// Forgets a tool: the next time it is seen, it is new.
pub(super) fn revoke(ground: &Ground, name: &str) -> Result<Told, Error> {
    let found = revoke_tool(&ground.places, name).map_err(|error| Error::from(&error))?;
    if !found {
        return Err(Error::invalid(
            Text::new("the tool {} has no pin").value(name),
            "Run 'argrail trust --list' for what is trusted",
        ));
    }
    Ok(Told {
        data: json!({"tool": name, "trusted": false}),
        text: format!("{}: forgotten\n", one_line(name)),
    })
}

/// The old and the new, one under the other.
fn shown(data: &Value) -> Page {
    let mut page = Page::default();
    page.line("tool", data["tool"].as_str().unwrap_or_default());
    for field in ["path", "binary", "metadata"] {
        let (old, new) = (&data["pinned"][field], &data[field]);
        let word = |value: &Value| value.as_str().unwrap_or("none").to_owned();
        if old == new || old.is_null() {
            page.line(field, &word(new));
        } else {
            page.line(&format!("{field} was"), &word(old));
            page.line(&format!("{field} is"), &word(new));
        }
    }
    page
}

fn unknown(name: &str) -> Error {
    Error::invalid(
        Text::new("no executable and metadata of the tool {} are known").value(name),
        "Run 'argrail scan --probe' to find it",
    )
}
