//! Who answers for a person over HTTP: nobody but a client with a credential that a person made for it at a terminal, at a
//! server that was told to hear such clients. And what `doctor` says meanwhile, to us and to another user.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;

use argrail_testkit::{Child, Home, command};
use serde_json::{Value, json};

use super::http_client::{Open, Place, Request, rpc};
use super::talk::initialize_params;
use crate::ARGRAIL;

/// A user that no machine has.
const PLAIN: u32 = 64_124;

/// A home in which changes ask.
fn home() -> Home {
    let home = Home::new();
    let path = format!("{}:/usr/bin:/bin", home.bin().display());
    home.env("PATH", path)
}

/// A server in that home.
struct Server {
    _child: Child,
    place: Place,
    token: String,
}

impl Server {
    fn start(home: &Home, more: &[&str]) -> Self {
        let script = "exec \"$0\" serve --http 127.0.0.1:0 --wait 5m \"$@\" 2>&1";
        let words: Vec<&str> = ["-c", script, ARGRAIL].iter().chain(more).copied().collect();
        let mut child = home.spawn("/bin/sh", &words);
        let mut line = || String::from_utf8(child.line().unwrap()).unwrap();
        let url = line();
        let port = url
            .trim_end()
            .trim_end_matches("/mcp")
            .rsplit(':')
            .next()
            .unwrap()
            .parse();
        let file = line();
        let file = file.trim_end().strip_prefix("token file ").unwrap();
        Self {
            token: fs::read_to_string(file).unwrap().trim().to_owned(),
            place: Place::Port(port.unwrap()),
            _child: child,
        }
    }

    /// A client with this credential that declares elicitation.
    fn client(&self, token: &str) -> Client {
        let mut client = Client {
            place: self.place.clone(),
            token: token.to_owned(),
            session: String::new(),
        };
        let params = initialize_params("2025-11-25", json!({"elicitation": {}}));
        let answer = client
            .post(&rpc("i", "initialize", &params))
            .without("mcp-session-id")
            .send();
        assert_eq!(answer.status, 200, "{answer:?}");
        client.session = answer.header("mcp-session-id").unwrap().to_owned();
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(client.post(&initialized).send().status, 202);
        client
    }

    /// Whether a credential opens it at all.
    fn opens(&self, token: &str) -> bool {
        let hello = rpc("i", "initialize", &initialize_params("2025-11-25", json!({})));
        Request::to(self.place.clone(), token).body(&hello).send().status == 200
    }
}

struct Client {
    place: Place,
    token: String,
    session: String,
}

impl Client {
    fn post(&self, body: &Value) -> Request {
        Request::to(self.place.clone(), &self.token)
            .body(body)
            .session(&self.session)
    }

    /// Starts a call, and returns its stream with the question that the client is shown.
    fn asked(&self, command: &str) -> (Open, Value) {
        let params =
            json!({"name": "cli", "arguments": {"command": command}, "_meta": {"progressToken": command}});
        let mut call = self.post(&rpc(command, "tools/call", &params)).open();
        loop {
            let event = call.event().unwrap();
            if event["method"] == "elicitation/create" {
                return (call, event);
            }
            assert_eq!(event["method"], "notifications/progress", "{event}");
        }
    }

    fn answer(&self, question: &Value, result: &Value) {
        let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
        assert_eq!(self.post(&answer).send().status, 202);
    }

    /// Says yes to its own question.
    fn approve(&self, question: &Value) {
        self.answer(
            question,
            &json!({"action": "accept", "content": {"decision": "approve once"}}),
        );
    }
}

/// Makes a token as a person does, at a terminal, and returns it with its file.
fn made(home: &Home, name: &str, more: &[&str]) -> (String, String) {
    let path = home.root().join("config").join(name);
    let path = path.to_str().unwrap().to_owned();
    let words: Vec<&str> = ["approvals", "--new-token", &path]
        .iter()
        .chain(more)
        .copied()
        .collect();
    assert_eq!(home.spawn_on_terminal(ARGRAIL, &words).wait(), Some(0));
    (fs::read_to_string(&path).unwrap().trim().to_owned(), path)
}

/// Waits until a call has said so often that it waits.
fn goes_on_waiting(call: &mut Open) {
    for _ in 0..3 {
        let event = call.event().unwrap();
        assert_eq!(event["method"], "notifications/progress", "{event}");
    }
}

fn pending(home: &Home) -> usize {
    let data = home.run(ARGRAIL, &["approvals", "--json"]).json()["data"].clone();
    data["pending"].as_array().unwrap().len()
}

/// What `doctor` says: to another user where we can be one, else to ourselves.
fn doctor(home: &Home) -> Value {
    let root = home.root();
    let is_root = rustix::process::geteuid().is_root();
    let mut doctor = command(ARGRAIL);
    if is_root {
        let copy = root.join("argrail");
        if !copy.exists() {
            assert!(command("cp").arg(ARGRAIL).arg(&copy).status().unwrap().success());
        }
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        doctor = command(copy.to_str().unwrap());
        doctor.uid(PLAIN).gid(PLAIN);
    }
    doctor
        .args(["doctor", "--json"])
        .env_clear()
        .env("HOME", "/")
        .current_dir("/");
    doctor.env("XDG_STATE_HOME", root.join("state"));
    doctor
        .env("XDG_CONFIG_HOME", "/no-such-place")
        .env("PATH", "/usr/bin:/bin");
    let output = doctor.output().unwrap();
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    envelope["data"].clone()
}

/// Sees what `doctor` says about who answers.
#[track_caller]
fn boundary(home: &Home, elicitation: &str) {
    let data = doctor(home);
    assert_eq!(data["elicitation"], elicitation, "{data:#}");
    let is_root = rustix::process::geteuid().is_root();
    let hold = match (elicitation, is_root) {
        ("off", true) => "enforced",
        _ => "advisory",
    };
    assert_eq!(data["approvalBoundary"], hold, "{data:#}");
    let why = data["approvalBoundaryWhy"].as_str().unwrap();
    assert_eq!(why.contains("serve --elicitation"), elicitation == "on", "{why}");
}

#[test]
fn the_token_of_a_server_answers_nothing() {
    let home = home();
    for more in [&[][..], &["--elicitation"]] {
        let server = Server::start(&home, more);
        let client = server.client(&server.token);
        let (mut call, shown) = client.asked("touch note");
        assert_eq!(
            shown["params"]["requestedSchema"]["properties"],
            json!({}),
            "{shown}"
        );
        client.approve(&shown);
        goes_on_waiting(&mut call);
        assert_eq!(pending(&home), 1, "{more:?}");
        assert!(!home.work().join("note").exists(), "{more:?}");
        boundary(&home, "off");
        let (mut call, shown) = client.asked("touch other");
        client.answer(&shown, &json!({"action": "decline"}));
        goes_on_waiting(&mut call);
        let ids = home.run(ARGRAIL, &["approvals", "--json"]).json()["data"]["pending"].clone();
        assert_eq!(ids.as_array().unwrap().len(), 2, "a no is none either: {ids}");
        for id in ids.as_array().unwrap() {
            let words = ["deny", id["id"].as_str().unwrap()];
            assert_eq!(home.spawn_on_terminal(ARGRAIL, &words).wait(), Some(0));
        }
    }
}

#[test]
fn a_credential_that_a_person_made_for_it_answers_where_the_server_hears_it() {
    let home = home();
    let (secret, file) = made(&home, "client.token", &["--elicitation"]);
    let (verbs, _) = made(&home, "verbs.token", &[]);
    {
        let deaf = Server::start(&home, &[]);
        assert!(!deaf.opens(&secret));
        boundary(&home, "off");
    }
    let server = Server::start(&home, &["--elicitation"]);
    boundary(&home, "on");
    assert!(!server.opens(&verbs), "it answers for verbs, and opens no server");
    let client = server.client(&secret);
    // Who has the token of the server does not get into the session, nor the other way round.
    let ours = server.client(&server.token);
    for (token, session) in [(&server.token, &client.session), (&secret, &ours.session)] {
        let list = rpc("l", "tools/list", &json!({}));
        let answer = Request::to(server.place.clone(), token)
            .body(&list)
            .session(session)
            .send();
        assert_eq!(answer.status, 404, "{answer:?}");
    }
    let (mut call, form) = client.asked("touch note");
    client.approve(&form);
    let done = loop {
        let event = call.event().unwrap();
        if event["id"] == "touch note" {
            break event;
        }
    };
    assert_eq!(done["result"]["isError"], false, "{done}");
    assert!(home.work().join("note").exists());
    let shown = home.run(
        ARGRAIL,
        &["audit", "show", "--action", "approval.approved", "--json"],
    );
    let answer = shown.json()["data"]["entries"][0].clone();
    let who = answer["actor"]["id"].as_str().unwrap();
    assert!(
        who.starts_with("client http-") && !who.contains(&secret),
        "{answer:#}"
    );
    assert_eq!(answer["actor"]["role"], "client");
    assert_eq!(answer["metadata"]["means"], "elicitation");

    // What destroys is told there, too, and no more.
    let (mut call, form) = client.asked("rm note");
    client.approve(&form);
    goes_on_waiting(&mut call);
    assert!(home.work().join("note").exists());
    // It is good for nothing else.
    let id = home.run(ARGRAIL, &["approvals", "--json"]).json()["data"]["pending"][0]["id"].clone();
    let words = [
        "approve",
        id.as_str().unwrap(),
        "--token-file",
        &file,
        "--destructive",
        "--json",
    ];
    let run = home.run(ARGRAIL, &words);
    assert_eq!(run.exit, Some(3), "{run}");
    assert_eq!(pending(&home), 1);
    // What was taken back opens nothing any more, in a session that is there neither.
    assert_eq!(
        home.spawn_on_terminal(ARGRAIL, &["revoke", &file]).wait(),
        Some(0)
    );
    assert!(!server.opens(&secret));
    assert_eq!(
        client.post(&rpc("l", "tools/list", &json!({}))).send().status,
        401
    );
}

#[test]
fn a_client_on_stdio_that_answers_for_a_person_is_told_by_doctor() {
    let home = home();
    for (more, elicitation) in [(&[][..], "off"), (&["--elicitation"], "on")] {
        let words: Vec<&str> = ["serve"].iter().chain(more).copied().collect();
        let mut client = argrail_testkit::mcp::Client::new(home.spawn(ARGRAIL, &words));
        client.initialize();
        boundary(&home, elicitation);
    }
    boundary(&home, "off");
    let home = home.config(r#"{"elicitation": true}"#);
    let data = home.run(ARGRAIL, &["doctor", "--json"]).json()["data"].clone();
    assert_eq!(
        (&data["elicitation"], &data["approvalBoundary"]),
        (&json!("on"), &json!("advisory"))
    );
    let why = data["approvalBoundaryWhy"].as_str().unwrap();
    assert!(why.contains("switched on in config.json"), "{why}");
}

#[test]
fn only_a_person_makes_such_a_credential_and_only_where_no_tool_reads() {
    let home = home().file(".git/HEAD", "ref: x\n");
    let path = home.root().join("config/t");
    let words = [
        "approvals",
        "--new-token",
        path.to_str().unwrap(),
        "--elicitation",
    ];
    let run = home.run(ARGRAIL, &words);
    assert_eq!(run.exit, Some(3), "{run}");
    assert!(!path.exists());
    for (place, more) in [("t", None), ("sub/t", None), ("t", Some("--elicitation"))] {
        let path = home.work().join(place);
        let words = ["approvals", "--new-token", path.to_str().unwrap()];
        let words: Vec<&str> = words.into_iter().chain(more).collect();
        let mut terminal = home.spawn_on_terminal(ARGRAIL, &words);
        terminal.expect("where tools read");
        assert_eq!(terminal.wait(), Some(2));
        assert!(!path.exists());
    }
}
