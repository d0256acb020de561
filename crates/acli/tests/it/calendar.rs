//! `examples/calendar.rs` end to end: a real server, a real file, over MCP.

use argrail_testkit::Home;
use argrail_testkit::mcp::Client;
use serde_json::{Value, json};

use crate::corpus::example;

fn start(home: &Home) -> Client {
    let mut client = Client::new(home.spawn(example("calendar"), &["events.json"]));
    client.initialize();
    client
}

/// Calls `cli` and returns the envelope.
fn said(client: &mut Client, command: &str) -> Value {
    let result = client.call(command);
    let text = result["content"][0]["text"].as_str().unwrap();
    let envelope: Value = serde_json::from_str(text).unwrap();
    let is_repeated = text.len() <= 16 * 1024;
    assert_eq!(result.get("structuredContent"), is_repeated.then_some(&envelope));
    assert_eq!(result["isError"], !envelope["success"].as_bool().unwrap());
    envelope
}

fn create(client: &mut Client, summary: &str, from: &str, to: &str) -> Value {
    let envelope = said(
        client,
        &format!("calendar create --summary '{summary}' --from {from} --to {to}"),
    );
    assert_eq!(envelope["success"], true, "{envelope}");
    envelope["data"]["event"].clone()
}

fn listed(client: &mut Client, options: &str) -> Vec<String> {
    let envelope = said(client, &format!("calendar events {options}"));
    let events = envelope["data"]["events"]
        .as_array()
        .unwrap_or_else(|| panic!("{envelope}"));
    events
        .iter()
        .map(|event| event["summary"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn an_agent_finds_its_way_with_one_tool() {
    let home = Home::new();
    let mut client = start(&home);
    let id = client.request("tools/list", json!({}));
    let tools = client.result(id)["tools"].clone();
    assert_eq!(tools.as_array().unwrap().len(), 1);
    assert_eq!(tools[0]["name"], "cli");
    assert!(
        tools[0]["description"]
            .as_str()
            .unwrap()
            .ends_with("Commands: calendar")
    );
    let help = said(&mut client, "help calendar");
    assert_eq!(help["data"]["commands"][1]["name"], "create");
    let help = said(&mut client, "help calendar create");
    assert_eq!(help["data"]["arguments"][0]["required"], true);
    let example = help["data"]["examples"][0].as_str().unwrap().to_owned();
    assert_eq!(
        said(&mut client, &example)["success"],
        true,
        "an example works as it stands"
    );
    let id = client.request("tools/call", json!({"name": "other", "arguments": {}}));
    assert!(
        client.response(id)["error"]["message"]
            .as_str()
            .unwrap()
            .contains("'cli'")
    );
    let run = client.finish();
    assert_eq!(run.exit, Some(0), "{run}");
}

#[test]
fn events_are_listed_by_time() {
    let home = Home::new();
    let mut client = start(&home);
    assert_eq!(said(&mut client, "calendar events")["message"], "Found 0 events");
    let lunch = create(
        &mut client,
        "Lunch",
        "2026-02-02T12:00:00Z",
        "2026-02-02T13:00:00Z",
    );
    assert_eq!(
        lunch,
        json!({"id": "evt_1", "summary": "Lunch", "start": "2026-02-02T12:00:00Z", "end": "2026-02-02T13:00:00Z"})
    );
    create(
        &mut client,
        "Breakfast",
        "2026-02-02T10:00:00+02:00",
        "2026-02-02T11:00:00+02:00",
    );
    create(&mut client, "Holiday", "2026-02-05", "2026-02-08");
    create(&mut client, "Always", "2000-01-01", "2100-01-01");
    assert_eq!(
        listed(&mut client, ""),
        ["Always", "Breakfast", "Lunch", "Holiday"]
    );
    assert_eq!(listed(&mut client, "--today"), ["Always"]);
    assert_eq!(
        listed(&mut client, "--from 2026-02-02T12:30:00Z"),
        ["Always", "Lunch", "Holiday"]
    );
    assert_eq!(
        listed(&mut client, "--to 2026-02-02T09:00:00Z"),
        ["Always", "Breakfast"]
    );
    assert_eq!(
        listed(&mut client, "--from 2026-02-02 --to 2026-02-02"),
        ["Always", "Breakfast", "Lunch"]
    );
    assert_eq!(
        listed(&mut client, "--from 2026-02-03 --to 2026-02-04"),
        ["Always"]
    );
    assert_eq!(listed(&mut client, "--max 2"), ["Always", "Breakfast"]);
    assert_eq!(listed(&mut client, "-n0"), Vec::<String>::new());
}

#[test]
fn mistakes_are_answered_with_what_to_do() {
    let home = Home::new();
    let mut client = start(&home);
    let mut check = |command: &str, code: &str, hint: &str| {
        let error = said(&mut client, command)["error"].clone();
        assert_eq!(error["code"], code, "{command}: {error}");
        assert!(
            error["hint"].as_str().unwrap().contains(hint),
            "{command}: {error}"
        );
    };
    check(
        "calendar events --from 2026-02-30",
        "VALIDATION_ERROR",
        "2026-02-02T10:00:00Z",
    );
    check(
        "calendar events --from yesterday",
        "VALIDATION_ERROR",
        "2026-02-02T10:00:00Z",
    );
    check(
        "calendar events --max -1",
        "VALIDATION_ERROR",
        "a number from 0 on",
    );
    check(
        "calendar events --today --from 2026-02-02",
        "VALIDATION_ERROR",
        "Keep one of",
    );
    check(
        "calendar create --summary x --from 2026-02-02",
        "VALIDATION_ERROR",
        "--to",
    );
    check(
        "calendar create --summary x --from 2026-02-02 --to 2026-02-01",
        "VALIDATION_ERROR",
        "later",
    );
    check("calendar delete evt_9", "EXECUTION_ERROR", "calendar events");
    check("calender events", "COMMAND_NOT_FOUND", "did you mean 'calendar'?");
    assert!(
        !home.work().join("events.json").exists(),
        "nothing of this was a change"
    );
}

#[test]
fn a_restart_keeps_events_and_never_reuses_an_id() {
    let home = Home::new();
    let mut client = start(&home);
    create(
        &mut client,
        "It's \"quoted\" $HOME".replace('\'', r"'\''").as_str(),
        "2026-02-02",
        "2026-02-03",
    );
    create(&mut client, "second", "2026-02-03", "2026-02-04");
    assert_eq!(
        said(&mut client, "calendar rm evt_2")["data"]["deleted"]["summary"],
        "second"
    );
    client.finish();
    let mut client = start(&home);
    assert_eq!(listed(&mut client, ""), ["It's \"quoted\" $HOME"]);
    assert_eq!(
        create(&mut client, "third", "2026-02-03", "2026-02-04")["id"],
        "evt_3"
    );
}

#[test]
fn a_broken_file_is_an_error_and_stays_as_it_is() {
    let home = Home::new().file("events.json", "{ not json");
    let mut client = start(&home);
    for command in [
        "calendar events",
        "calendar create --summary x --from 2026-02-02 --to 2026-02-03",
    ] {
        assert_eq!(said(&mut client, command)["error"]["code"], "EXECUTION_ERROR");
    }
    let kept = std::fs::read_to_string(home.work().join("events.json")).unwrap();
    assert_eq!(kept, "{ not json");
}

#[test]
fn creates_at_the_same_time_lose_nothing() {
    let home = Home::new();
    let mut clients: Vec<Client> = (0..3).map(|_| start(&home)).collect();
    let mut waiting = Vec::new();
    for number in 0..60 {
        let at = number % clients.len();
        let summary = format!("event {number}");
        let command = format!("calendar create --summary '{summary}' --from 2026-02-02 --to 2026-02-03");
        waiting.push((at, clients[at].start_call(&command)));
    }
    let mut ids: Vec<String> = waiting
        .into_iter()
        .map(|(at, id)| clients[at].result(id)["structuredContent"]["data"]["event"]["id"].to_string())
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 60, "every event has an id of its own");
    let mut names = listed(&mut clients[0], "--max 100");
    names.sort();
    let mut wanted: Vec<String> = (0..60).map(|number| format!("event {number}")).collect();
    wanted.sort();
    assert_eq!(names, wanted);
}
