//! Programs that misbehave when they are asked for help: each is survived, told, and gone afterwards.

use std::fs;

use argrail_testkit::{command, with_time_to_begin};
use serde_json::Value;

use super::ground::{Ground, commands, flags, printing};

/// A number of seconds that no other process sleeps for.
fn unique(offset: u32) -> String {
    (200_000_000 + std::process::id() * 10 + offset).to_string()
}

/// Whether a process with this word is there.
fn runs(word: &str) -> bool {
    command("pgrep")
        .args(["-f", word])
        .output()
        .unwrap()
        .status
        .success()
}

const HELP: &str = "Usage: x [OPTIONS]\n\nOptions:\n  -a, --all    Show all";

fn problems(data: &Value) -> String {
    data["problems"].to_string()
}

#[test]
fn one_that_hangs_is_ended_and_named() {
    let word = unique(1);
    let ground = Ground::new().tool("arghang", &format!("#!/bin/sh\ntrap '' TERM INT\nsleep {word}\n"));
    let run = ground.run(&["infer", "arghang", "--json", "--timeout", "300ms"]);
    assert_eq!(run.exit, Some(124), "{run}");
    assert_eq!(run.json()["error"]["code"], "TIMEOUT");
    let hint = run.json()["error"]["hint"].to_string();
    assert!(hint.contains("--timeout 60s"), "{hint}");
    assert!(!runs(&word), "sleep {word} is still there");
}

#[test]
fn commands_that_hang_are_asked_a_few_times_and_not_all() {
    let listed: String = (0..40)
        .map(|number| format!("  c{number:02}    Number {number}\n"))
        .collect();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --help ] || exec sleep {}\ncat <<'EOF'\nUsage: argslow COMMAND\n\nCommands:\n{listed}EOF\n",
        unique(2)
    );
    let data = with_time_to_begin(|time| {
        let ground = Ground::new().tool("argslow", &script);
        let time = format!("{}ms", time.as_millis());
        let run = ground.run(&["infer", "--json", "argslow", "--timeout", &time]);
        // Else it had no time to list them.
        (run.exit == Some(0)).then(|| run.json()["data"].clone())
    });
    assert_eq!(commands(&data["tool"], "/commands").len(), 40);
    assert!(problems(&data).contains("did not end in time"), "{data:#}");
    assert!(
        problems(&data).contains("no more commands were asked"),
        "{data:#}"
    );
    assert!(data["started"].as_u64().unwrap() <= 40, "{data:#}");
    assert!(!runs(&unique(2)));
}

#[test]
fn a_flood_is_no_help() {
    let ground = Ground::new().tool(
        "argflood",
        "#!/bin/sh\n[ \"$1\" = -h ] && { echo 'usage: argflood [-x] file'; exit 0; }\nyes '  --all   Show all' | head -c 104857600\n",
    );
    let data = ground.infer(&["argflood"]);
    assert!(problems(&data).contains("wrote more than"), "{data:#}");
    assert_eq!(flags(&data["tool"], "/commands//options"), ["-x"]);
}

#[test]
fn nothing_is_written_started_or_left_behind() {
    let (holder, daemon) = (unique(3), unique(4));
    let ground = Ground::new();
    let mark = ground.path("work/mark");
    let script = format!(
        "#!/bin/sh\necho x > {mark} 2>/dev/null\necho x > \"$HOME/mark\" 2>/dev/null\nmkdir /tmp/argrail-infer-mark 2>/dev/null\n\
         sleep {holder} &\n(setsid sleep {daemon} >/dev/null 2>&1 &)\n\
         (exec 3<>/dev/tcp/127.0.0.1/1) 2>/dev/null\ncat <<'EOF'\n{HELP}\nEOF\n",
        mark = mark.display()
    );
    let ground = ground.tool("argbusy", &script);
    let data = ground.infer(&["argbusy"]);
    assert_eq!(flags(&data["tool"], "/commands//options"), ["--all", "-a"]);
    assert!(!mark.exists());
    assert!(!ground.path("home/mark").exists());
    assert!(!runs(&holder) && !runs(&daemon));
    let left: Vec<_> = fs::read_dir(ground.home.work()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_lead_that_is_no_help_is_never_tried() {
    let text = "Usage: argtrap [OPTIONS]\n\nOptions:\n  -a, --all    Show all\n\n\
                For more, run 'argtrap help --delete-everything' or 'argtrap purge --help-all' or 'argtrap help; rm -rf /'.";
    // The sandbox keeps what was tried from being written down; what was tried would be told on the next question.
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in\n--help) cat <<'EOF'\n{text}\nEOF\n;;\n*delete*|*purge*|*rm*) printf 'Usage: argtrap\\n\\nOptions:\\n  --tried    It was tried\\n';;\n\
         *) echo 'error: unknown option' >&2; exit 2;;\nesac\n"
    );
    let ground = Ground::new().tool("argtrap", &script);
    let data = ground.infer(&["argtrap"]);
    assert_eq!(flags(&data["tool"], "/commands//options"), ["--all", "-a"]);
}

#[test]
fn ten_thousand_commands_are_listed_and_not_all_asked() {
    let script = "#!/bin/sh\n[ \"$*\" = --help ] || { echo \"error: unknown option\" >&2; exit 2; }\n\
                  printf 'Usage: argmany COMMAND\\n\\nCommands:\\n'\ni=0\nwhile [ $i -lt 10000 ]; do printf '  cmd%s    Number %s\\n' $i $i; i=$((i+1)); done\n";
    let ground = Ground::new().tool("argmany", script);
    let data = ground.infer(&["argmany", "--depth", "0"]);
    let listed = commands(&data["tool"], "/commands").len();
    assert!((1_000..=10_000).contains(&listed), "{listed}");
    assert_eq!(data["started"], 1);
    assert_eq!(data["catalogued"], true, "what is kept can be read again");
    let shown = ground.run(&["show", "argmany"]);
    assert_eq!(shown.exit, Some(0), "{shown}");
}

#[test]
fn help_that_lists_itself_for_ever_ends() {
    let script = "#!/bin/sh\nprintf 'Usage: argdeep %s\\n\\nCommands:\\n  again    Go deeper\\n  other    Go elsewhere\\n\\nOptions:\\n  -n, --now    At once\\n' \"$*\"\n";
    let ground = Ground::new().tool("argdeep", script);
    let data = ground.infer(&["argdeep", "--depth", "8"]);
    assert_eq!(commands(&data["tool"], "/commands"), ["again", "other"]);
    assert_eq!(data["started"], 3, "{data:#}");
}

#[test]
fn colours_overstrikes_and_bytes_do_not_matter() {
    let ground = Ground::new()
        .tool(
            "argansi",
            "#!/bin/sh\nprintf '\\033[1mUsage:\\033[0m ansi [OPTIONS]\\n\\n\\033[4mOptions:\\033[0m\\n  \\033[1m-a\\033[0m, \\033[1m--all\\033[0m    Show all\\n'\n",
        )
        .tool("argbytes", "#!/bin/sh\nhead -c 65536 /dev/urandom\n")
        .tool("argzeroes", "#!/bin/sh\nhead -c 65536 /dev/zero\n");
    let data = ground.infer(&["argansi"]);
    assert_eq!(flags(&data["tool"], "/commands//options"), ["--all", "-a"]);
    for name in ["argbytes", "argzeroes"] {
        let run = ground.run(&["infer", name, "--json", "--timeout", "50s"]);
        assert!([Some(0), Some(1)].contains(&run.exit), "{run}");
    }
}

#[test]
fn what_cannot_be_asked_is_answered_with_what_to_do() {
    let ground = Ground::new()
        .tool("arggreet", &printing(&[("--help", HELP)]))
        .tool("argmute", "#!/bin/sh\nexit 1\n")
        .tool("argodd", "#!/nowhere/interpreter\n")
        .tool("reboot", &printing(&[("--help", HELP)]));
    ground.put("bin/text", "no program");
    let check = |name: &str, exit: i32, message: &str, hint: &str| {
        let run = ground.run(&["infer", name, "--json", "--timeout", "50s"]);
        assert_eq!(run.exit, Some(exit), "{run}");
        let error = &run.json()["error"];
        assert!(error["message"].as_str().unwrap().contains(message), "{run}");
        assert!(error["hint"].as_str().unwrap().contains(hint), "{run}");
    };
    check(
        "arggreeet",
        2,
        "'arggreeet' not found",
        "Did you mean 'arggreet'?",
    );
    check("nothing-like-it", 2, "not found", "--from-file FILE");
    check("text", 2, "is not executable", "chmod +x");
    check("../arggreet", 2, "is no name of a tool", "without a directory");
    check(
        "argmute",
        1,
        "nothing could be learned about 'argmute'",
        "--from-file FILE",
    );
    check(
        "argodd",
        1,
        "nothing could be learned about 'argodd'",
        "--from-file FILE",
    );
    check("reboot", 3, "is not asked", "--from-file FILE");
}
