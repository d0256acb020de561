//! Servers that are programs. Whatever they try, they end, nothing of them is left, and they reach nothing.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use argrail_testkit::{Home, with_time_to_begin};

use super::ask::{LONG, SHORT, command, failed, listed};
use crate::ARGRAIL;
use crate::attacks::hostile;

const HELLO: &str = r#"read hello
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'
read initialized
read list
"#;

/// A home with a server that greets, does `act`, and tells the variable `said` as the description of its tool.
fn telling(act: &str) -> Home {
    telling_in(Home::new(), act)
}

fn telling_in(home: Home, act: &str) -> Home {
    let tell = r#"printf '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"told","description":"%s"}]}}\n' "$said""#;
    home.tool("server", &format!("#!/bin/sh\n{HELLO}{act}\n{tell}\n"))
}

/// What the server told.
fn told(home: &Home, env: &[(&str, &str)]) -> String {
    let loaded = listed(home, &command("server", &[], env));
    loaded.metadata.commands["told"].description.clone()
}

fn fails(script: &str) -> (&'static str, String) {
    fails_within(10 * LONG, script)
}

fn fails_within(time: Duration, script: &str) -> (&'static str, String) {
    let home = Home::new().tool("server", &format!("#!/bin/sh\n{script}\n"));
    let outcome = failed(&home, &command("server", &[], &[]), time);
    assert_eq!(running(&home), Vec::<String>::new());
    outcome
}

/// Command lines of processes that name something in this home.
pub(super) fn running(home: &Home) -> Vec<String> {
    let root = home.root().to_string_lossy().into_owned();
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .filter_map(|process| fs::read(process.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(&root))
        .collect()
}

#[test]
fn our_own_server_is_listed() {
    let home = Home::new();
    let loaded = listed(&home, &command(ARGRAIL, &["serve"], &[]));
    assert_eq!(loaded.warnings, []);
    let metadata = serde_json::to_value(&loaded.metadata).unwrap();
    assert_eq!(metadata["name"], "demo");
    assert_eq!(metadata["x-mcp-server"], "argrail");
    let option = &metadata["commands"]["cli"]["options"][0];
    assert_eq!(option["flags"], serde_json::json!(["--command"]));
    assert_eq!(
        (&option["type"], &option["required"]),
        (&"string".into(), &true.into())
    );
}

#[test]
fn noise_questions_and_pages_are_borne() {
    let home = Home::new().tool(
        "server",
        r#"#!/bin/sh
echo 'Welcome to the server!'
echo '{"level":"info"}'
echo 'listening' >&2
echo '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
read hello
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"s"}}}'
read initialized
read list
echo '{"jsonrpc":"2.0","id":"q1","method":"ping"}'
read pong
echo '{"jsonrpc":"2.0","id":"q2","method":"sampling/createMessage","params":{}}'
read refusal
case $pong in *'"id":"q1"'*'"result":{}'*) a=ponged;; esac
case $refusal in *-32601*) b=refused;; esac
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"'$a'"}],"nextCursor":"two"}}'
read list
case $list in *'"cursor":"two"'*) echo '{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"'$b'"}]}}';; esac
read nothing
"#,
    );
    let loaded = listed(&home, &command("server", &[], &[]));
    let names: Vec<&String> = loaded.metadata.commands.keys().collect();
    assert_eq!(names, ["ponged", "refused"]);
    assert_eq!(running(&home), Vec::<String>::new());
}

#[test]
fn a_server_gets_what_is_configured_and_nothing_else() {
    let home = telling(r#"said="$HOME $(pwd) ${PATH:+path} $TOKEN_NAME ${USER:-nobody}""#);
    let said = told(&home, &[("TOKEN_NAME", "abc")]);
    assert_eq!(said, "/tmp /tmp path abc nobody");
}

#[test]
fn what_was_given_in_confidence_is_kept_nowhere() {
    let home = telling(r#"said="the key is $API_KEY""#);
    let env = [("API_KEY", "s3cret-value")];
    assert_eq!(told(&home, &env), "the key is ***");
    let home = Home::new().tool("server", "#!/bin/sh\necho \"bad key $API_KEY\" >&2\nexit 7\n");
    let (_, message) = failed(&home, &command("server", &["--key=k3y-in-args"], &env), LONG);
    assert!(
        message.contains("exit code 7") && message.contains("bad key ***"),
        "{message}"
    );
    assert!(
        !message.contains("s3cret") && !message.contains("k3y"),
        "{message}"
    );
}

#[test]
fn variables_that_steer_programs_are_refused() {
    let home = telling("");
    for name in ["LD_PRELOAD", "NODE_OPTIONS", "A-B", ""] {
        let (code, message) = failed(&home, &command("server", &[], &[(name, "s3cret")]), LONG);
        assert_eq!(code, "VALIDATION_ERROR", "{message}");
        assert!(!message.contains("s3cret"), "{message}");
    }
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    for script in [
        "while read line; do :; done",
        "trap '' TERM\nwhile :; do :; done",
        "exec sleep 6000",
    ] {
        let (code, message) = fails_within(SHORT, script);
        assert_eq!(code, "TIMEOUT", "{script}: {message}");
        assert!(message.contains("no answer to initialize in time"), "{message}");
    }
    with_time_to_begin(|time| {
        let (code, message) = fails_within(time, &format!("{HELLO}\necho 'thinking' >&2\nexec sleep 6000"));
        assert_eq!(code, "TIMEOUT", "{message}");
        let had_begun = message.contains("its last words: 'thinking'");
        had_begun.then(|| assert!(message.contains("no answer to tools/list in time"), "{message}"))
    });
}

#[test]
fn a_flood_is_stopped() {
    let check = |script: &str| {
        let home = Home::new().tool("server", &format!("#!/bin/sh\n{script}\n"));
        let (code, message) = failed(&home, &command("server", &[], &[]), LONG);
        assert_eq!(code, "OUTPUT_PARSE_FAILED", "{script}: {message}");
        assert!(message.contains("more than is listened to"), "{message}");
        assert_eq!(running(&home), Vec::<String>::new());
    };
    check("exec yes");
    check("exec tr '\\0' x </dev/zero");
    check("tr '\\0' x </dev/zero >&2");
    check("exec yes '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}'");
    check("exec yes '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}'");
}

#[test]
fn a_server_that_ends_too_early_says_why() {
    let check = |script: &str, parts: &[&str]| {
        let (code, message) = fails(script);
        assert_eq!(code, "EXECUTION_ERROR", "{script}: {message}");
        for part in parts {
            assert!(message.contains(part), "{script}: {message}");
        }
    };
    check(
        "echo 'no such module' >&2; exit 3",
        &["exit code 3", "'no such module'"],
    );
    check(
        "echo 'Usage: server'; exit 2",
        &["exit code 2", "'Usage: server'"],
    );
    check(
        "printf '{\"jsonrpc\":\"2.0\",\"id\":1,'",
        &["exit code 0", "jsonrpc"],
    );
    check("kill -9 $$", &["signal 9"]);
    check("printf '\\033[31mred\\n' >&2; exit 1", &["\\u{1b}[31mred"]);
    // One that stays is waited for until its time is up, and told when it is gone.
    with_time_to_begin(|time| {
        let (code, message) = fails_within(time, "exec >&- 2>&-; while :; do :; done");
        let had_begun = code != "TIMEOUT";
        had_begun.then(|| assert!(message.contains("closed its output"), "{code}: {message}"))
    });
}

#[test]
fn what_is_no_answer_is_told() {
    let (code, message) = fails("read hello\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}'\nread more");
    assert_eq!(code, "OUTPUT_PARSE_FAILED");
    assert!(message.contains("protocolVersion"), "{message}");
    let refusal = "read hello\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"go away\"}}'\nread more";
    let (code, message) = fails(refusal);
    assert_eq!(code, "EXECUTION_ERROR");
    assert!(
        message.contains("refuses initialize with -32602: 'go away'"),
        "{message}"
    );
}

#[test]
fn endless_pages_come_to_an_end() {
    let script = format!(
        r#"#!/bin/sh
{HELLO}n=2
while :; do
  echo '{{"jsonrpc":"2.0","id":'$n',"result":{{"tools":[{{"name":"t'$n'"}}],"nextCursor":"c'$n'"}}}}'
  n=$((n+1))
  read list || exit 0
done
"#
    );
    let home = Home::new().tool("server", &script);
    let loaded = listed(&home, &command("server", &[], &[]));
    assert_eq!(loaded.metadata.commands.len(), 100);
    assert!(
        loaded.warnings.iter().any(|note| note.code == "mcp/listing"),
        "{:?}",
        loaded.warnings
    );
    assert_eq!(running(&home), Vec::<String>::new());
}

#[test]
fn a_daemon_goes_with_its_server() {
    let home = telling(
        r#"setsid sh -c "while :; do : $0; done" </dev/null >/dev/null 2>&1 &
said=started"#,
    );
    assert_eq!(told(&home, &[]), "started");
    assert_eq!(running(&home), Vec::<String>::new());
}

#[test]
fn a_server_reads_its_own_files_and_writes_none() {
    let home = Home::new();
    let (secret, beside) = (home.root().join("home/secret"), home.bin().join("settings"));
    fs::write(&secret, "hunter2").unwrap();
    fs::write(&beside, "mine").unwrap();
    let new = [
        home.bin().join("new"),
        home.root().join("home/new"),
        home.root().join("work/new"),
    ];
    let writes: String = new
        .iter()
        .map(|path| format!("echo x > {} 2>/dev/null\n", path.display()))
        .collect();
    let act = format!(
        "{writes}said=\"$(cat {} {} 2>/dev/null)\"",
        secret.display(),
        beside.display()
    );
    let home = telling_in(home, &act);
    assert_eq!(told(&home, &[]), "mine");
    for path in new {
        assert!(!path.exists(), "{}", path.display());
    }
}

#[test]
fn a_server_reaches_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let peer = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 64]);
        let _ = stream.write_all(b"answer");
    });
    let home = telling(&format!("said=\"$(${{0%/*}}/hostile tcp {address})\""));
    let copy = home.bin().join("hostile");
    // A link is quick and opens nothing for writing; between two file systems only a copy is possible.
    fs::hard_link(hostile(), &copy)
        .or_else(|_| fs::copy(hostile(), &copy).map(drop))
        .unwrap();
    let said = told(&home, &[]);
    assert!(said.starts_with("blocked: "), "{said}");
    // The same act, outside, gets through.
    let outside = home.run(&copy, &["tcp", &address]).to_string();
    assert!(outside.contains("ESCAPED"), "{outside}");
    peer.join().unwrap();
}

#[test]
fn nothing_is_started_for_a_bad_configuration() {
    let home = telling("");
    for (program, part) in [
        ("absent", "no such program"),
        ("./server", "relative"),
        ("", "no program"),
    ] {
        let (code, message) = failed(&home, &command(program, &[], &[]), LONG);
        assert_eq!(code, "VALIDATION_ERROR", "{message}");
        assert!(message.contains(part), "{message}");
    }
}
