//! A client with roots on stdio: when it is asked, and that a call never hangs on the answer.

use std::path::Path;

use serde_json::{Value, json};

use super::talk::{Talk, inline_meta};

/// Answers the server's `roots/list`.
fn answer_roots(talk: &mut Talk, roots: &Value) {
    let question = talk.find(|message| message["method"] == "roots/list");
    talk.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": roots}}));
}

#[test]
fn a_client_with_roots_is_asked_once_and_again_when_they_change() {
    let mut talk = Talk::start();
    talk.initialize(json!({"roots": {"listChanged": true}}));
    talk.call("a", "x-argrail path .");
    talk.call("b", "x-argrail path .");
    answer_roots(&mut talk, &json!([{"uri": "file:///"}]));
    talk.answer("a");
    talk.answer("b");
    talk.call("c", "x-argrail path .");
    talk.answer("c"); // without another question: nobody answered one
    talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
    talk.call("d", "x-argrail path .");
    answer_roots(&mut talk, &json!([]));
    assert_eq!(talk.answer("d")["result"]["isError"], true);
    let (rest, _) = talk.end();
    assert!(
        !rest.iter().any(|message| message["method"] == "roots/list"),
        "{rest:?}"
    );
}

#[test]
fn a_client_narrows_where_paths_may_lead_and_never_widens() {
    let mut talk = Talk::start();
    let inner = talk.home().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("a.txt"), "x").unwrap();
    std::fs::write(talk.home().join("b.txt"), "x").unwrap();
    talk.initialize(json!({"roots": {"listChanged": true}}));
    let code = |talk: &mut Talk, id: &str, path: &Path, roots: Option<&Value>| {
        talk.call(id, &format!("x-argrail path '{}'", path.display()));
        if let Some(roots) = roots {
            answer_roots(talk, roots);
        }
        talk.answer(id)["result"]["structuredContent"]["error"]["code"].clone()
    };
    let roots = json!([{"uri": format!("file://{}", inner.display())}, {"uri": "file:///etc"}]);
    assert_eq!(
        code(&mut talk, "in", &inner.join("a.txt"), Some(&roots)),
        Value::Null
    );
    let outside = talk.home().join("b.txt");
    assert_eq!(code(&mut talk, "out", &outside, None), "PATH_TRAVERSAL_BLOCKED");
    assert_eq!(
        code(&mut talk, "etc", Path::new("/etc/hostname"), None),
        "PATH_TRAVERSAL_BLOCKED"
    );
}

#[test]
fn a_client_is_told_the_directories_that_are_left_to_it() {
    let mut talk = Talk::start();
    let inner = talk.home().join("inner");
    std::fs::create_dir(&inner).unwrap();
    talk.initialize(json!({"roots": {}}));
    talk.call("about", "x-argrail about");
    answer_roots(
        &mut talk,
        &json!([{"uri": format!("file://{}", inner.display())}]),
    );
    let about = talk.answer("about")["result"]["structuredContent"]["data"].clone();
    let inner = inner.canonicalize().unwrap();
    assert_eq!(about["roots"], json!([inner.to_str().unwrap()]), "{about:#}");
}

#[test]
fn a_client_that_declares_roots_and_names_none_gets_none() {
    let mut talk = Talk::start();
    talk.initialize(json!({"roots": {}}));
    talk.call("a", "x-argrail path .");
    answer_roots(&mut talk, &json!("nonsense"));
    assert_eq!(
        talk.answer("a")["result"]["structuredContent"]["error"]["code"],
        "PATH_TRAVERSAL_BLOCKED"
    );
}

#[test]
fn a_client_without_roots_is_not_asked() {
    let mut talk = Talk::ready();
    talk.is_alive();
    let (rest, _) = talk.end();
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn a_client_with_roots_is_not_asked_for_a_command_without_paths() {
    let mut talk = Talk::start();
    talk.initialize(json!({"roots": {}}));
    talk.call("v", "version");
    assert_eq!(talk.answer("v")["result"]["isError"], false);
    let meta = inline_meta(json!({"roots": {}}));
    let params = json!({"name": "cli", "arguments": {"command": "version"}, "_meta": meta});
    let answer = talk.request("i", "tools/call", &params);
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    let (rest, _) = talk.end();
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn a_client_that_does_not_answer_holds_up_its_call_for_seconds_only() {
    let mut talk = Talk::start();
    talk.initialize(json!({"roots": {}}));
    talk.call("a", "x-argrail path .");
    assert_eq!(
        talk.answer("a")["result"]["structuredContent"]["error"]["code"],
        "PATH_TRAVERSAL_BLOCKED"
    );
}

#[test]
fn a_client_of_the_revision_without_requests_is_asked_in_the_result() {
    let mut talk = Talk::start();
    let meta = inline_meta(json!({"roots": {}}));
    let mut params = json!({"name": "cli", "arguments": {"command": "x-argrail path ."}, "_meta": meta});
    let asked = talk.request("a", "tools/call", &params);
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    assert_eq!(
        asked["result"]["inputRequests"]["roots"]["method"], "roots/list",
        "{asked}"
    );
    params["inputResponses"] = json!({"roots": {"roots": [{"uri": "file:///"}]}});
    let answer = talk.request("b", "tools/call", &params);
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    params["inputResponses"] = json!({"roots": "nonsense"});
    let answer = talk.request("c", "tools/call", &params);
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
}

#[test]
fn the_answer_of_a_client_that_sends_more_calls_than_may_run_is_read() {
    const CALLS: usize = 3_000;
    let mut talk = Talk::start();
    talk.initialize(json!({"roots": {}}));
    for id in 0..CALLS {
        talk.call(&format!("{id}"), "x-argrail path .");
    }
    answer_roots(&mut talk, &json!([{"uri": "file:///"}]));
    let mut answered = 0;
    for id in 0..CALLS {
        let result = talk.answer(&format!("{id}"))["result"].clone();
        // They are more than may be asked in a minute, too.
        match result["isError"] == false {
            true => answered += 1,
            false => assert_eq!(
                result["structuredContent"]["error"]["code"], "RATE_LIMITED",
                "{result}"
            ),
        }
    }
    assert!(answered >= 1_200, "{answered}");
}
