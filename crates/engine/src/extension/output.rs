//! `x-output`: the rest of an output that was too long for one answer, page by page, for the caller whose call made it.

use std::sync::Arc;

use argrail_acli::{Answer, Arg, Call, Command, Error, Kind, Typed};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use crate::output::{CAP, Keep, Page, Stream, Want};

/// The longest page.
const MOST: i64 = 1 << 20;

/// Returns the command.
pub(super) fn output(keep: Keep) -> Command {
    let keep = Arc::new(keep);
    let offset = Arg::option("--offset", Kind::Integer, "The byte to begin at")
        .default(0)
        .check("0 or more", |offset| matches!(offset, Typed::Integer(0..)));
    let limit = Arg::option("--limit", Kind::Integer, "How many bytes at most")
        .default(CAP)
        .check("1 to 1048576", |limit| matches!(limit, Typed::Integer(1..=MOST)));
    let streams = [Stream::Stdout, Stream::Stderr].map(Stream::as_str);
    Command::new(
        "x-output",
        "Read on in an output that was too long for one answer",
    )
    .arg(Arg::positional("output", Kind::String, "The 'output' of that answer").example("k3v9x2m7qa"))
    .arg(offset)
    .arg(limit)
    .arg(Arg::option("--stream", Kind::one_of(streams), "Which output of the command").default("stdout"))
    .example("x-output k3v9x2m7qa --offset 65536")
    .output_schema(json!({
        "type": "object",
        "properties": {
            "output": {"type": "string"},
            "stream": {"enum": streams},
            "offset": {"type": "integer"},
            "bytes": {"type": "integer"},
            "text": {"type": "string"},
            "encoding": {"const": "base64"},
            "next": {"type": "integer"},
        },
    }))
    .handler(move |call: Call| {
        let keep = Arc::clone(&keep);
        async move {
            let id: String = call.get("output")?;
            let stream: String = call.get("stream")?;
            let limit: u64 = call.get("limit")?;
            let want = Want {
                stream: Stream::of(&stream).unwrap_or(Stream::Stdout),
                offset: call.get("offset")?,
                limit: usize::try_from(limit).unwrap_or(CAP),
            };
            let page = keep.read(call.caller().account(), &id, want);
            let page = page.map_err(|error| Error::from(&error))?;
            Ok(Answer::new(shown(&id, want.stream, &page)).untrusted())
        }
    })
}

fn shown(id: &str, stream: Stream, page: &Page) -> Value {
    let mut data = Map::new();
    data.insert("output".into(), json!(id));
    data.insert("stream".into(), json!(stream.as_str()));
    data.insert("offset".into(), json!(page.offset));
    data.insert("bytes".into(), json!(page.total));
    match str::from_utf8(&page.bytes) {
        Ok(text) => data.insert("text".into(), json!(text)),
        Err(_) => {
            data.insert("encoding".into(), json!("base64"));
            data.insert("text".into(), json!(BASE64_STANDARD.encode(&page.bytes)))
        }
    };
    if let Some(next) = page.next() {
        data.insert("next".into(), json!(next));
    }
    if page.kept < page.total {
        data.insert("kept".into(), json!(page.kept));
    }
    Value::Object(data)
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_page_says_where_it_is_and_where_the_next_one_begins() {
        let home = Home::new();
        let keep = Keep::new(home.state().join("output"));
        let draft = keep.draft("me");
        let bytes = b"some text \xff\xfe";
        let mut file = draft.open(Stream::Stdout).unwrap();
        file.write(bytes);
        file.close();
        let id = draft.publish(20, 0).unwrap();
        let check = |offset, limit, want: Value| {
            let wanted = Want {
                stream: Stream::Stdout,
                offset,
                limit,
            };
            let page = keep.read("me", id.as_str(), wanted).unwrap();
            let mut data = shown("ID", Stream::Stdout, &page);
            for (name, value) in [
                ("output", json!("ID")),
                ("stream", json!("stdout")),
                ("bytes", json!(20)),
                ("kept", json!(12)),
            ] {
                assert_eq!(data.as_object_mut().unwrap().remove(name), Some(value), "{name}");
            }
            assert_eq!(data, want);
        };
        check(0, 4, json!({"offset": 0, "text": "some", "next": 4}));
        check(5, 5, json!({"offset": 5, "text": "text ", "next": 10}));
        check(
            10,
            100,
            json!({"offset": 10, "encoding": "base64", "text": "//4="}),
        );
    }
}
