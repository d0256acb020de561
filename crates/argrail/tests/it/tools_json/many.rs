//! Many calls at once over one connection: each gets its own answer. `bench/run call --full` does the same 100,000 times.

use std::collections::VecDeque;

use argrail_testkit::mcp::Client;
use serde_json::{Value, json};

use super::ground::one;
use crate::ARGRAIL;

const CALLS: u64 = 400;
const AT_ONCE: usize = 4;

#[test]
fn no_answer_of_many_calls_is_lost_or_mixed_up() {
    let schema = json!({"type": "object", "properties": {"number": {"type": "integer"}}});
    let entry = json!({"schema": schema, "command": ["/bin/cat"]});
    let home = one("#!/bin/sh\n", entry).file(
        "../config/agent-tools/overrides/t.json",
        r#"{"effects": {"network": false, "subprocess": false, "idempotent": true, "destructive": false,
            "filesystem": {"read": true, "write": false, "delete": false}}}"#,
    );
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    let mut client = Client::new(home.spawn(ARGRAIL, &["serve", "--wait", "0"]));
    client.initialize();
    let mut open = VecDeque::new();
    let answered = |(number, result): (u64, Value)| {
        assert_eq!(
            result["structuredContent"]["data"],
            json!({ "number": number }),
            "{result}"
        );
    };
    for number in 0..CALLS {
        open.push_back((number, client.start_call(&format!("t --number {number}"))));
        if open.len() == AT_ONCE
            && let Some((first, id)) = open.pop_front()
        {
            answered((first, client.result(id)));
        }
    }
    for (number, id) in open {
        answered((number, client.result(id)));
    }
}
