//! Text that a tool declares to be data, read as such, within limits.
//!
//! A name twice in one object is refused: readers do not agree on what it means.

use argrail_spec::atip::OutputFormat;
use argrail_spec::doc::{Document, Limits};
use serde_json::Value;

/// The byte order mark that some programs print before UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// How many documents one YAML text may hold.
const DOCUMENTS: usize = 10_000;

/// Why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unparsed {
    /// It is not what it was declared to be; why. May hold foreign text.
    Wrong(String),
    /// It has more values than can be shown, or is deeper.
    TooMuch,
    /// It was not declared to be data.
    NotData,
}

/// Reads `text`, which holds no more than `most` values.
///
/// # Errors
/// When it is something else, or too much.
pub fn parse(format: OutputFormat, text: &[u8], most: usize) -> Result<Value, Unparsed> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    match format {
        OutputFormat::Json => json(text, most),
        OutputFormat::Ndjson => lines(text, most),
        OutputFormat::Yaml => yaml(text, most),
        OutputFormat::Text | OutputFormat::Binary => Err(Unparsed::NotData),
    }
}

fn json(text: &[u8], most: usize) -> Result<Value, Unparsed> {
    let limits = Limits {
        bytes: usize::MAX,
        depth: Limits::DEEPEST,
        nodes: most,
    };
    match Document::json(text, &limits) {
        Ok(document) => Ok(document.root.to_json()),
        Err(wrong) if wrong.code == "doc/too-many" => Err(Unparsed::TooMuch),
        Err(wrong) => Err(Unparsed::Wrong(wrong.message)),
    }
}

fn lines(text: &[u8], most: usize) -> Result<Value, Unparsed> {
    let mut values = Vec::new();
    let mut room = most;
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    for (index, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let value = json(line, room).map_err(|error| match error {
            Unparsed::Wrong(why) => Unparsed::Wrong(format!("line {}: {why}", index + 1)),
            Unparsed::TooMuch | Unparsed::NotData => error,
        })?;
        room = room.saturating_sub(count(&value));
        values.push(value);
    }
    Ok(Value::Array(values))
}

/// Returns how many values a value is, those inside included.
fn count(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(fields) => 1 + fields.values().map(count).sum::<usize>(),
    }
}

fn yaml(text: &[u8], most: usize) -> Result<Value, Unparsed> {
    let text = str::from_utf8(text).map_err(|_| Unparsed::Wrong("the text is not UTF-8".to_owned()))?;
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_nodes: most,
            max_depth: Limits::DEEPEST,
            max_documents: DOCUMENTS,
        },
    };
    let mut values: Vec<Value> =
        serde_saphyr::from_multiple_with_options(text, options).map_err(|error| {
            match error.without_snippet() {
                serde_saphyr::Error::Budget { .. } => Unparsed::TooMuch,
                other => Unparsed::Wrong(other.to_string()),
            }
        })?;
    Ok(match values.len() {
        0 => Value::Null,
        1 => values.remove(0),
        _ => Value::Array(values),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(format: OutputFormat, text: &str, want: Result<Value, &str>) {
        let found = parse(format, text.as_bytes(), 1000).map_err(|error| match error {
            Unparsed::Wrong(why) => why,
            Unparsed::TooMuch => "too much".to_owned(),
            Unparsed::NotData => "not data".to_owned(),
        });
        match (found, want) {
            (Ok(found), Ok(want)) => assert_eq!(found, want, "{text}"),
            (Err(found), Err(want)) => assert!(found.contains(want), "{text}: {found}"),
            (found, want) => panic!("{text}: {found:?} instead of {want:?}"),
        }
    }

    #[test]
    fn json_is_one_value_and_bounded() {
        let json = |text: &str, want| check(OutputFormat::Json, text, want);
        json(" {\"a\": [1, null]}\n", Ok(json!({"a": [1, null]})));
        json("\u{feff}true", Ok(json!(true)));
        json("{} {}", Err("value"));
        json("{\"a\":1,\"a\":2}", Err("a"));
        json("warning: x\n{}", Err(""));
        json(&format!("{}{}", "[".repeat(200), "]".repeat(200)), Err("deep"));
        json(&format!("[{}0]", "0,".repeat(1000)), Err("too much"));
    }

    #[test]
    fn lines_of_json_are_an_array() {
        let lines = |text: &str, want| check(OutputFormat::Ndjson, text, want);
        lines("", Ok(json!([])));
        lines("{\"a\":1}\r\n\n2\n", Ok(json!([{"a": 1}, 2])));
        lines("1\nx\n", Err("line 2"));
        lines(&"1\n".repeat(1001), Err("too much"));
    }

    #[test]
    fn yaml_is_strict_and_bounded() {
        let yaml = |text: &str, want| check(OutputFormat::Yaml, text, want);
        yaml(
            "a: 1\nb: [x, no, 'y', true]\n",
            Ok(json!({"a": 1, "b": ["x", "no", "y", true]})),
        );
        yaml("a: 1\n---\na: 2\n", Ok(json!([{"a": 1}, {"a": 2}])));
        yaml("a: 1\na: 2\n", Err("duplicate"));
        yaml("a: [1\n", Err(""));
        let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n";
        yaml(bomb, Err("budget"));
        yaml(&"- 1\n".repeat(2000), Err("too much"));
        yaml(&"[".repeat(100_000), Err(""));
    }
}
