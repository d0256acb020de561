//! Many calls at once: each is answered with its own output.

use std::collections::BTreeMap;

use super::ground::{connect, envelope, home, vouched};
use serde_json::json;

#[test]
fn outputs_of_calls_that_run_at_once_are_not_mixed() {
    const CALLS: usize = 32;
    const LINES: usize = 300;
    let script =
        format!("i=0; while [ $i -lt {LINES} ]; do echo \"$1\"; echo \"no $1\" >&2; i=$((i + 1)); done");
    let home = vouched(home(), "say", &script, &json!({}));
    let mut client = connect(&home, &[]);
    let calls: BTreeMap<i64, String> = (0..CALLS)
        .map(|number| {
            let word = format!("word-{number}");
            (client.start_call(&format!("say {word}")), word)
        })
        .collect();
    for (id, word) in calls {
        let answer = envelope(&client.result(id));
        assert_eq!(answer["success"], true, "{word}: {answer:#}");
        assert_eq!(
            answer["data"]["stdout"],
            format!("{word}\n").repeat(LINES),
            "{word}"
        );
        assert_eq!(
            answer["data"]["stderr"],
            format!("no {word}\n").repeat(LINES),
            "{word}"
        );
    }
}

#[test]
fn a_slow_call_does_not_hold_up_a_quick_one() {
    let home = vouched(home(), "waiter", "read line < never", &json!({}));
    super::cancelled::pipe(&home.work().join("never"));
    let mut client = connect(&home, &[]);
    let slow = client.start_call("waiter");
    let answer = envelope(&client.call("echo quick"));
    assert_eq!(answer["data"]["stdout"], "quick\n", "{answer:#}");
    client.notify("notifications/cancelled", json!({"requestId": slow}));
}
