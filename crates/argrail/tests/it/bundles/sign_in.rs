//! Who is signed in, and what the program's own check is given to tell it.

use argrail_testkit::{Home, Run};
use serde_json::{Value, json};

use super::ground::{CLI, LIST, call, done, project};
use crate::approvals::ground::{approve, asks_in};
use crate::attacks::harness::{Host, Target, each_host};

/// Says who it is by a token or a file, and what it sees of either.
const PROGRAM: &str = r#"#!/bin/sh
seen="${NOTES_TOKEN:+token }"
[ -r "$HOME/.config/notes/login" ] && seen="${seen}file "
case "$1" in
  --version) echo "notes 1.4.2" ;;
  whoami) [ -n "$seen" ] ;;
  list) printf '[{"id":"%s"}]' "$seen" ;;
  note) printf '{"id":"%s"}' "$seen" ;;
esac
"#;

const WHOAMI: &str = "./tools/whoami/TOOL.md";

fn cli() -> String {
    let auth = "auth:\n  state: { paths: [\"~/.config/notes\"], env: [NOTES_TOKEN] }\n  \
                login: { cmd: notes login, completes_when: { cmd: notes whoami } }\n";
    CLI.replace("sandbox:\n", &format!("{auth}sandbox:\n"))
        .replace("  list: ", &format!("  whoami: {WHOAMI}\n  list: "))
}

fn whoami() -> String {
    let tool = LIST
        .replace("notes.list", "notes.whoami")
        .replace("List notes", "Who");
    let (head, _) = tool.split_once("inputs:").unwrap();
    format!(
        "{head}inputs: {{ type: object }}\noutputs: {{ type: string }}\noutput: {{ default_format: json }}\n\
         runner: {{ cli: ../../CLI.md, argv: [whoami] }}\n---\n"
    )
}

fn ground(cli: &str) -> Home {
    let home = project()
        .file(".cli/notes/CLI.md", cli)
        .file(".cli/notes/tools/whoami/TOOL.md", &whoami())
        .tool("notes", PROGRAM);
    done(&home, &["trust", "--yes", "."]);
    home
}

/// The contract of the check is the bundle's own word, so it runs where there is no token: it cannot tell.
#[test]
fn a_check_that_is_not_given_the_token_does_not_say_that_nobody_is_signed_in() {
    let home = ground(&cli());
    assert_eq!(call(&home, "notes list")["error"]["code"], "AUTH_REQUIRED");
    let home = home.env("NOTES_TOKEN", "hunter2plain");
    let answer = call(&home, "notes list");
    assert_eq!(answer["success"], true, "{answer}");
    // `env.pass` does not repeat the token: it is the login's.
    let id = asks_in(&call(&home, "notes note add milk"));
    approve(&home, &id);
    let answer = call(&home, "notes note add milk");
    assert_eq!(answer["data"]["id"], "token ", "{answer}");
}

fn argrail(target: &Target, words: &[&str]) -> Run {
    target.own();
    let mut all = target.start_words();
    all.push(target.path("programs/argrail"));
    all.extend(words.iter().map(|word| (*word).to_owned()));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    target.home().run(target.hostile(), &all)
}

/// The shipped gh, as it is, where its settings are a directory, behind a link, and not there.
#[test]
fn a_login_behind_a_link_is_not_shown_and_refuses_no_call() {
    let gh = "#!/bin/sh\ncase \"$1\" in --version) echo 'gh version 2.45.0'; exit;; esac\n\
              [ -r \"$HOME/.config/gh/hosts.yml\" ] && seen=file\n\
              [ -n \"$GH_TOKEN$seen\" ] || exit 4\nprintf '[{\"seen\":\"%s\"}]' \"$seen\"\n";
    let check = |host: Host, target: Target, token: bool, want: Result<&str, &str>| {
        let target = target.tool("gh", gh);
        let target = match token {
            true => target.env("GH_TOKEN", "hunter2plain"),
            false => target,
        };
        let added = argrail(&target, &["add", "gh", "--yes"]);
        assert_eq!(added.exit, Some(0), "{host:?}: {added}");
        let run = argrail(&target, &["call", "gh pr list"]);
        let answer = run.json();
        match want {
            Ok(seen) => assert_eq!(answer["data"][0]["seen"], seen, "{host:?}: {run}"),
            Err(link) => {
                assert_eq!(answer["error"]["code"], "AUTH_REQUIRED", "{host:?}: {run}");
                assert_eq!(answer["error"]["withheld"][0]["path"], link, "{host:?}: {run}");
            }
        }
    };
    each_host(|host| {
        let plain = || Target::new(host).file("home/.config/gh/hosts.yml", "oauth_token: hunter2plain\n");
        let linked = || {
            Target::new(host)
                .file("home/dot/gh/hosts.yml", "oauth_token: hunter2plain\n")
                .directory("home/.config")
                .link("home/.config/gh", "../dot/gh")
        };
        check(host, Target::new(host), true, Ok(""));
        check(host, plain(), false, Ok("file"));
        check(host, linked(), true, Ok(""));
        check(host, linked(), false, Err("~/.config/gh"));
    });
}

/// A key without its secret is nobody's: what makes one credential is given together.
#[test]
fn variables_that_make_one_credential_are_given_together() {
    let aws = "#!/bin/sh\n[ -n \"$AWS_ACCESS_KEY_ID\" ] && [ -n \"$AWS_SECRET_ACCESS_KEY\" ] || exit 253\n\
               echo \"${AWS_SESSION_TOKEN:+session} ${AWS_REGION} ${OTHER_SECRET:-none} $AWS_SECRET_ACCESS_KEY\"\n";
    let home = Home::new()
        .env("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
        .env("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMIK7MDENGbPxRfiCY")
        .env("AWS_SESSION_TOKEN", "FwoGZXIvYXdzEXAMPLETOKEN")
        .env("AWS_REGION", "eu-west-1")
        .env("OTHER_SECRET", "hunter2plain")
        .tool("aws", aws);
    let answer = call(&home, "aws sts get-caller-identity");
    let said = answer.to_string();
    assert!(said.contains("session eu-west-1 none"), "{answer:#}");
    assert!(!said.contains("wJalrXUtnFEMIK7MDENGbPxRfiCY"), "{answer:#}");
}

#[test]
fn either_variable_of_gh_signs_in() {
    let gh = "#!/bin/sh\n[ -n \"$GH_TOKEN$GITHUB_TOKEN\" ] || exit 1\necho fine\n";
    let home = Home::new().env("GITHUB_TOKEN", "hunter2plain").tool("gh", gh);
    let answer = call(&home, "gh pr list");
    assert_eq!(answer["data"]["stdout"], "fine\n", "{answer}");
}

/// In the closed sandbox nothing is started, so who says that it starts programs is asked about, and then may.
#[test]
fn a_read_that_starts_programs_asks_and_then_starts_them() {
    let cli = CLI.replace(
        "exec: { allow: false }",
        "exec: { allow: true, spawn: [/bin/cat] }",
    );
    let program = "#!/bin/sh\ncase \"$1\" in --version) echo 'notes 1.4.2'; exit;; esac\n/bin/cat words\n";
    let home = project()
        .file(".cli/notes/CLI.md", &cli)
        .file("words", "[{\"id\":7}]\n")
        .tool("notes", program);
    done(&home, &["trust", "--yes", "."]);
    let asked = call(&home, "notes list");
    let rules: Vec<&Value> = asked["error"]["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["rule"])
        .collect();
    assert!(rules.contains(&&json!("default.subprocess")), "{asked}");
    approve(&home, &asks_in(&asked));
    assert_eq!(call(&home, "notes list")["data"], json!([{"id": 7}]));
}
