//! A host that only the words of a call name: it asks, nothing of it leaves before the yes, and the yes is remembered for
//! the host where a person says so.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use argrail_testkit::Home;
use argrail_testkit::mcp::Client;
use serde_json::{Value, json};

use super::ground::{asks, asks_in, call, home, runs, work};
use crate::ARGRAIL;

/// Fetches the URL of its first word through the proxy of its sandbox, and prints what comes.
const FETCH: &str = r#"exec bash -c 'rest=${1#http://}; exec 3<>/dev/tcp/127.0.0.1/3128; \
    printf "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" "$1" "${rest%%/*}" >&3; cat <&3' fetch "$1""#;

/// A server on the loopback that counts who comes.
fn server() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            count.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello\n");
        }
    });
    (port, seen)
}

/// A home with a tool that fetches, and two names that lead to the loopback. Where a name leads is not whether a call may
/// use it.
fn fetching() -> Home {
    let effects = json!({
        "network": true, "x-egress": ["arg:url"], "subprocess": true, "x-exec": "any", "idempotent": true,
        "destructive": false, "filesystem": {"read": true, "write": false, "delete": false},
    });
    let metadata = json!({
        "atip": "0.1", "name": "fetch", "version": "1.0.0", "description": "Fetches", "effects": effects,
        "commands": {"": {"description": "Fetches", "arguments": [
            {"name": "url", "type": "string", "description": "Where from"},
        ]}},
    });
    let reach =
        json!({"resolve": {"new.example": "127.0.0.1", "other.example": "127.0.0.1"}, "allowLoopback": true});
    let home = home().config(&json!({"network": reach}).to_string());
    let folder = home.root().join("config/agent-tools/overrides");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("fetch.json"), metadata.to_string()).unwrap();
    home.tool("fetch", &format!("#!/bin/sh\n{FETCH}\n"))
}

/// The decision of `why`, and its reasons.
fn why(home: &Home, url: &str) -> (Value, Vec<String>) {
    let run = home.run(ARGRAIL, &["why", "--json", "--", "fetch", url]);
    let data = &run.json()["data"];
    let reasons = data["reasons"].as_array().unwrap();
    let told = reasons.iter().map(|reason| {
        format!(
            "{} {}",
            reason["rule"].as_str().unwrap(),
            reason["effect"].as_str().unwrap()
        )
    });
    (data["decision"].clone(), told.collect())
}

/// A person's yes at a terminal.
#[track_caller]
fn approve(home: &Home, id: &str, memory: &str) {
    let mut terminal = home.spawn_on_terminal(ARGRAIL, &["approve", id, "--hosts", memory]);
    terminal.expect("Type y for yes:");
    terminal.type_in("y\n");
    assert_eq!(terminal.wait(), Some(0));
}

/// The patterns of all grants, without the directories of the test.
fn patterns(home: &Home) -> Vec<String> {
    let run = home.run(ARGRAIL, &["grants", "--json"]);
    let grants = run.json()["data"]["grants"].as_array().unwrap().clone();
    let work = work(home).to_str().unwrap().to_owned();
    let pattern = |grant: &Value| grant["pattern"].as_str().unwrap().replace(&work, "WORK");
    grants.iter().map(pattern).collect()
}

#[test]
fn a_new_host_asks_and_nothing_leaves_before_the_yes() {
    let (port, seen) = server();
    let home = fetching();
    let url = |path: &str| format!("http://new.example:{port}/{path}");
    let asked = vec!["default.network new host new.example".to_owned()];
    assert_eq!(why(&home, &url("a")), (json!("ask"), asked));
    let id = asks(&call(&home, &format!("fetch {}", url("a"))));
    assert_eq!(seen.load(Ordering::SeqCst), 0);
    let shown = home.run(ARGRAIL, &["approvals", &id]);
    assert!(shown.stdout.contains("NEW HOST"), "{shown}");
    approve(&home, &id, "project");
    assert_eq!(patterns(&home), ["host=new.example 'path=WORK/**'"]);
    // The same call runs by its own yes, and another one by what is remembered.
    for path in ["a", "b?d=x"] {
        let run = call(&home, &format!("fetch '{}'", url(path)));
        runs(&run);
        assert!(run.stdout.contains("hello"), "{run}");
    }
    assert_eq!(seen.load(Ordering::SeqCst), 2);
    let remembered = vec!["grant new host new.example".to_owned()];
    assert_eq!(why(&home, &url("c")), (json!("allow"), remembered));
    // It is for this host alone, and answers nothing else.
    let (decision, reasons) = why(&home, &format!("http://other.example:{port}/"));
    assert_eq!((decision, reasons.len()), (json!("ask"), 1));
    asks(&call(&home, &format!("env fetch http://other.example:{port}/")));
    runs(&call(&home, &format!("env fetch {}", url("d"))));
    assert_eq!(seen.load(Ordering::SeqCst), 3);
}

#[test]
fn a_host_that_the_configuration_names_is_not_new() {
    let (port, seen) = server();
    let home = fetching();
    let reach = json!({
        "resolve": {"a.new.example": "127.0.0.1"}, "allowLoopback": true, "hosts": ["*.new.example"],
    });
    let home = home.config(&json!({"network": reach}).to_string());
    runs(&call(&home, &format!("fetch http://a.new.example:{port}/")));
    asks(&call(&home, &format!("fetch http://new.example:{port}/")));
    assert_eq!(seen.load(Ordering::SeqCst), 1);
}

#[test]
fn a_host_of_one_session_is_new_in_the_next() {
    let (port, seen) = server();
    let home = fetching();
    let command = |path: &str| format!("fetch http://new.example:{port}/{path}");
    let connect = || {
        let mut client = Client::new(home.spawn(ARGRAIL, &["serve", "--wait", "0"]));
        client.initialize();
        client
    };
    let mut first = connect();
    let id = asks_in(&envelope(&mut first, &command("a")));
    approve(&home, &id, "session");
    for path in ["a", "b"] {
        let answer = envelope(&mut first, &command(path));
        assert_eq!(answer["success"], true, "{answer:#}");
    }
    let mut second = connect();
    let id = asks_in(&envelope(&mut second, &command("b")));
    assert_eq!(seen.load(Ordering::SeqCst), 2);
    approve(&home, &id, "always");
    assert_eq!(
        patterns(&home),
        ["host=new.example 'path=/**'", "host=new.example 'path=/**'"]
    );
    let answer = envelope(&mut connect(), &command("c"));
    assert_eq!(answer["success"], true, "{answer:#}");
}

fn envelope(client: &mut Client, command: &str) -> Value {
    client.call(command)["structuredContent"].clone()
}

#[test]
fn a_person_grants_a_host_beforehand() {
    let (port, _) = server();
    let home = fetching();
    let url = format!("http://new.example:{port}/");
    let refused = home.run(ARGRAIL, &["grant", "host=new.example"]);
    assert_eq!(refused.exit, Some(3), "{refused}");
    let exit = home
        .spawn_on_terminal(ARGRAIL, &["grant", "host=new.example", "--for", "10m"])
        .wait();
    assert_eq!(exit, Some(0));
    runs(&call(&home, &format!("fetch {url}")));
    for wrong in ["host=http://new.example/", "host=new.example --all", "host=", ""] {
        let mut terminal = home.spawn_on_terminal(ARGRAIL, &["grant", wrong]);
        terminal.expect("argrail: ");
        assert_eq!(terminal.wait(), Some(2), "{wrong}");
    }
}

#[test]
fn a_grant_that_no_call_could_fit_is_refused() {
    let home = home().tool("strange", "#!/bin/sh\n");
    for (wrong, says) in [
        ("git pusch origin", "has no subcommand"),
        ("git '*'", "needs a subcommand"),
        ("ls --almots-all", "has no option"),
        ("python3 -c host=*", "text of a program"),
        ("sed '**' -i", "text of a program"),
        ("strange '**'", "nobody describes"),
        ("no-such-tool x", "not found"),
        ("rm '*'", "+destructive"),
        ("git push origin 'feature/*'", "host=NAME"),
    ] {
        let mut terminal = home.spawn_on_terminal(ARGRAIL, &["grant", wrong]);
        terminal.expect(says);
        assert_eq!(terminal.wait(), Some(2), "{wrong}");
    }
    let repository = home.work().join(".git");
    std::fs::create_dir_all(&repository).unwrap();
    let remote = "[remote \"origin\"]\nurl = https://git.example/x\n";
    std::fs::write(repository.join("config"), remote).unwrap();
    for right in [
        "git push origin 'feature/*'",
        "sed s/a/b/ '**' -i",
        "grep '**'",
        "gh pr list '**'",
    ] {
        let exit = home.spawn_on_terminal(ARGRAIL, &["grant", right]).wait();
        assert_eq!(exit, Some(0), "{right}");
    }
}
