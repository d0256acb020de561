//! `x-argrail wait`: let time pass without a shell, as polling a deployment needs. Tells its progress.

use std::time::Duration;

use argrail_acli::{Arg, Command, Kind, Text, Typed};
use serde_json::json;

/// The longest wait: shorter than the default timeout of a call.
const MOST: i64 = 50;

pub(super) fn command() -> Command {
    let seconds = Arg::positional("seconds", Kind::Integer, "How long, 0 to 50")
        .check("0 to 50", |seconds| matches!(seconds, Typed::Integer(0..=MOST)));
    Command::new("wait", "Wait, and tell how far it is")
        .arg(seconds)
        .example("x-argrail wait 5")
        .output_schema(json!({"type": "object", "properties": {"waited": {"type": "integer"}}}))
        .handler(|call| async move {
            let seconds: u32 = call.get("seconds")?;
            for done in 1..=seconds {
                call.host().sleep(Duration::from_secs(1)).await;
                call.progress(f64::from(done), Some(f64::from(seconds)), Text::new("waiting"));
            }
            Ok(json!({"waited": seconds}))
        })
}
