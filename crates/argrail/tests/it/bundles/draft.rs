//! The example of AIP-29 itself, a `CLI.md` for gh, with a stand-in for the program: what the draft says of it happens.
//!
//! The text is the draft's, but for the digest, which stands there as `abc123…`. Of the tools that it names the draft
//! shows one template, that of `pr create`; signing in and setup are not looked at here.

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{call, done};
use crate::ARGRAIL;
use crate::approvals::ground::{approve, asks_in};

const DIGEST: &str = "abc123…";
const REAL_DIGEST: &str = "1e8a8f5b0d9c3b7f2a6e4c1d5f0b9a8e7c6d4f3b2a190e8d7c6b5a4f3e2d1c0b";

const CLI: &str = r###"---
name: GitHub CLI
id: gh
description: GitHub command-line interface — operate PRs, issues, releases, repos, and gists from a single binary against any GitHub host (github.com or GHES).
version: 1.0.0
bin: gh
install:
  - { method: brew, package: gh }
  - { method: apt, package: gh }
  - { method: choco, package: gh }
  - { method: download, url: "https://github.com/cli/cli/releases/download/v2.40.0/gh_2.40.0_linux_amd64.tar.gz", extract_bin: "gh_2.40.0_linux_amd64/bin/gh", verify_sha256: "abc123…" }
version_check:
  cmd: "gh --version"
  parse: 'gh version (\S+)'
  range: ">=2.40 <3"
auth:
  ref: ./SECRETS.md
  state:
    paths: ["~/.config/gh"]
    env: ["GH_TOKEN", "GITHUB_TOKEN"]
  login:
    cmd: "gh auth login --web"
    interactive: true
    completes_when:
      cmd: "gh auth status"
      exit_code: 0
  refresh:
    cmd: "gh auth refresh -s repo,read:org"
    every: "PT24H"
  expiry:
    detect: "exit_code:4"
sandbox:
  network:
    egress:
      - api.github.com
      - github.com
      - "*.githubusercontent.com"
  fs:
    read: ["**/.git/**", "~/.config/gh/**"]
    write: ["~/.config/gh/**"]
    deny: ["~/.ssh/**"]
  exec:
    allow: true
    spawn: ["git"]
  env:
    pass: ["GH_TOKEN", "GITHUB_TOKEN", "HOME"]
    set:
      GH_PROMPT_DISABLED: "1"
output:
  default_format: text
  json_flag: "--json"
  json_flag_args: ["number,title,body,state,author"]
  exit_codes:
    0: ok
    1: error
    2: usage_error
    4: auth_required
  stream: stdout
  error_stream: stderr
commands:
  pr:
    create: ./tools/pr-create/TOOL.md
    list: ./tools/pr-list/TOOL.md
    merge: ./tools/pr-merge/TOOL.md
    view: ./tools/pr-view/TOOL.md
  issue:
    list: ./tools/issue-list/TOOL.md
    view: ./tools/issue-view/TOOL.md
    create: ./tools/issue-create/TOOL.md
  auth:
    status: ./tools/auth-status/TOOL.md
intents:
  - { ref: ./intents/open-pr/INTENT.md }
  - { ref: ./intents/triage-issues/INTENT.md }
tags: [git, github, devops]
examples:
  - { goal: "list open PRs", cmd: "gh pr list --state open --json number,title" }
  - { goal: "merge PR #42", cmd: "gh pr merge 42 --squash --delete-branch" }
  - { goal: "view issue #100", cmd: "gh issue view 100" }
  - { goal: "create a release", cmd: "gh release create v1.0.0 --notes 'First release'" }
---
## When to reach for this CLI
Use `gh` whenever the agent needs to operate against a GitHub repo or
org — list/merge PRs, triage issues, manage releases, fetch repo
metadata.
## Gotchas
- `gh auth refresh -s <new-scope>` is required after asking for a
  new scope; the existing token does not auto-upgrade.
- `gh --json <fields>` requires the comma-list to be supplied; bare
  `--json` errors. The `output.json_flag_args` block above declares
  the default field list the runner appends.
- `gh` shells out to `git` for some commands (`pr checkout`,
  `repo clone`); `sandbox.exec.spawn: ["git"]` allowlists this.
## Debugging
Set `GH_DEBUG=api` for verbose API logs (written to stderr).
"###;

/// The draft's own fragment.
const PR_CREATE: &str = r#"runner:
  cli: ../../CLI.md # ref back to the parent bundle
  argv:
    - pr
    - create
    - --title
    - "${input.title}"
    - --body
    - "${input.body}"
    - --base
    - "${input.base | default('main')}"
"#;

const SECRETS: &str = "---\nsecrets:\n  - { slug: gh/token, name: Token, description: A token of GitHub., kind: opaque, access: { bind: [{ tool: gh.pr-list }] }, \
                       exposures: [{ kind: env, name: GH_TOKEN, field: value }] }\n---\n";

/// As gh: a token or nothing; `--json` where there is one, with fields, and an error where there is none.
const GH: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo "gh version 2.45.0 (2024-03-04)"; exit; }
[ -n "$GH_TOKEN$GITHUB_TOKEN" ] || { echo "To get started, run: gh auth login" >&2; exit 4; }
all="$*"
case "$1 $2" in
  "auth status") echo "Logged in"; exit ;;
  "pr create"|"pr merge"|"issue create"|"release create")
    case "$all" in *--json*) echo "unknown flag: --json" >&2; exit 1 ;; esac
    echo "did: $all"; exit ;;
esac
case "$all" in *"view 404"*) exit 1 ;; *"view 402"*) exit 2 ;; *"view 401"*) exit 4 ;; *"view 137"*) exit 137 ;; esac
keys=no; { read -r line < "$HOME/.ssh/id_test"; } 2>/dev/null && keys=yes
while [ $# -gt 0 ]; do
  if [ "$1" = --json ]; then
    [ -n "$2" ] || { echo "Specify one or more comma-separated fields" >&2; exit 1; }
    printf '[{"fields":"%s","words":"%s","quiet":"%s","keys":"%s"}]' "$2" "$all" "$GH_PROMPT_DISABLED" "$keys"; exit
  fi
  shift
done
echo "text: $all"
"#;

/// A tool with inputs, of which the words are made.
fn tool(id: &str, properties: &str, more: &str) -> String {
    format!(
        "---\nname: {id}\nid: gh.{id}\ndescription: The subcommand {id}.\nversion: 1.0.0\n\
         inputs: {{ type: object, properties: {{ {properties} }}, additionalProperties: false }}\n\
         outputs: {{}}\n{more}---\n"
    )
}

fn intent(id: &str, tool: &str) -> String {
    format!(
        "---\nname: {id}\nid: gh.{id}\nlabel: {id}\ndescription: The use {id}.\nversion: 1.0.0\nintent: [{id}]\n\
         surfaces: [chat]\nimplements:\n  - {{ tool: ../../tools/{tool}/TOOL.md, default: true }}\n---\n"
    )
}

fn bundle(cli: &str) -> Home {
    let argv = |words: &str| format!("runner: {{ cli: ../../CLI.md, argv: [{words}] }}\n");
    let number = "number: { type: integer }";
    let changes = "mutates: [\"external:github.com\"]\n";
    let view = |of: &str| argv(&format!("{of}, view, \"${{input.number}}\""));
    let list = |of: &str| argv(&format!("{of}, list, \"${{input.state | optional('--state')}}\""));
    let state = "state: { type: string }";
    let texts = "title: { type: string }, body: { type: string }, base: { type: string }";
    let tools = [
        (
            "pr-create",
            tool("pr-create", texts, &format!("{changes}{PR_CREATE}")),
        ),
        ("pr-list", tool("pr-list", state, &list("pr"))),
        (
            "pr-merge",
            tool(
                "pr-merge",
                &format!("{number}, squash: {{ type: boolean }}, delete_branch: {{ type: boolean }}"),
                &format!(
                    "{changes}{}",
                    argv(
                        "pr, merge, \"${input.number}\", \"${input.squash | flag('--squash')}\", \
                          \"${input.delete_branch | flag('--delete-branch')}\""
                    )
                ),
            ),
        ),
        ("pr-view", tool("pr-view", number, &view("pr"))),
        ("issue-list", tool("issue-list", state, &list("issue"))),
        ("issue-view", tool("issue-view", number, &view("issue"))),
        (
            "issue-create",
            tool(
                "issue-create",
                "title: { type: string }",
                &format!("{changes}{}", argv("issue, create, --title, \"${input.title}\"")),
            ),
        ),
        ("auth-status", tool("auth-status", "", &argv("auth, status"))),
    ];
    let home = Home::new()
        .file(".cli/gh/CLI.md", cli)
        .file(".cli/gh/SECRETS.md", SECRETS)
        .file(
            ".cli/gh/intents/open-pr/INTENT.md",
            &intent("open-pr", "pr-create"),
        )
        .file(
            ".cli/gh/intents/triage-issues/INTENT.md",
            &intent("triage-issues", "issue-list"),
        );
    let home = tools.iter().fold(home, |home, (name, text)| {
        home.file(&format!(".cli/gh/tools/{name}/TOOL.md"), text)
    });
    let key = home.root().join("home/.ssh");
    std::fs::create_dir_all(&key).unwrap();
    std::fs::write(key.join("id_test"), "key\n").unwrap();
    home.tool("gh", GH).env("GH_TOKEN", "hunter2plain")
}

fn trusted() -> Home {
    let home = bundle(&CLI.replace(DIGEST, REAL_DIGEST));
    done(&home, &["trust", "--yes", "."]);
    home
}

#[test]
fn the_example_is_sound_but_for_its_placeholder() {
    let lint = |cli: &str| bundle(cli).run(ARGRAIL, &["lint", "--json", ".cli/gh"]);
    let run = lint(CLI);
    assert_eq!(run.exit, Some(1), "{run}");
    assert_eq!(run.stdout.matches("\"severity\":\"error\"").count(), 1, "{run}");
    assert!(run.stdout.contains("verify_sha256"), "{run}");
    let run = lint(&CLI.replace(DIGEST, REAL_DIGEST));
    assert_eq!(run.exit, Some(0), "{run}");
}

#[test]
fn help_and_schema_promise_the_flag_for_json_only_where_the_subcommand_has_it() {
    let home = trusted();
    for (command, has) in [("pr list", true), ("pr create", false)] {
        let help = call(&home, &format!("help gh {command}")).to_string();
        assert_eq!(help.contains("--json"), has, "{command}: {help}");
        let schema = call(&home, &format!("schema gh {command}")).to_string();
        assert_eq!(schema.contains("x-json-flag"), has, "{command}: {schema}");
    }
    // Whoever types it all the same asks for what nobody describes.
    let held = call(&home, "gh pr create --title T --body B --json number");
    let reasons = held["error"]["reasons"].to_string();
    assert!(
        reasons.contains(r#""rule":"default.unverified""#) && reasons.contains("--json"),
        "{held}"
    );
}

#[test]
fn the_flag_for_json_is_added_where_the_subcommand_has_it() {
    let home = trusted();
    let fields = "number,title,body,state,author";
    let answer = call(&home, "gh pr list --state open");
    assert_eq!(
        answer["data"],
        json!([{"fields": fields, "words": format!("pr list --state open --json {fields}"), "quiet": "1", "keys": "no"}]),
        "{answer}"
    );
    // The first and the third of its examples.
    let answer = call(&home, "gh pr list --state open --json number,title");
    assert_eq!(answer["data"][0]["fields"], "number,title", "{answer}");
    let answer = call(&home, "gh issue view 100");
    assert_eq!(
        answer["data"][0]["words"],
        format!("issue view 100 --json {fields}"),
        "{answer}"
    );
    for (command, did) in [
        (
            "gh pr create --title T --body 'B C'",
            "did: pr create --title T --body B C --base main\n",
        ),
        (
            "gh pr merge 42 --squash --delete-branch",
            "did: pr merge 42 --squash --delete-branch\n",
        ),
        (
            "gh release create v1.0.0 --notes 'First release'",
            "did: release create v1.0.0 --notes First release\n",
        ),
    ] {
        let id = asks_in(&call(&home, command));
        approve(&home, &id);
        let answer = call(&home, command);
        assert_eq!(answer["data"]["stdout"], did, "{command}: {answer}");
    }
}

#[test]
fn exit_codes_mean_what_the_example_says() {
    let home = trusted();
    for (number, code, meaning) in [
        (404, "EXECUTION_ERROR", Value::Null),
        (402, "VALIDATION_ERROR", Value::Null),
        (401, "AUTH_REQUIRED", Value::Null),
        (137, "EXECUTION_ERROR", json!("killed")),
    ] {
        let answer = call(&home, &format!("gh pr view {number}"));
        let error = &answer["error"];
        assert_eq!(
            (&error["code"], &error["meaning"]),
            (&json!(code), &meaning),
            "{answer}"
        );
    }
}

#[test]
fn closed_inputs_are_not_got_around() {
    let home = trusted();
    for command in [
        "gh pr list --web",
        "gh pr list --search x",
        "gh --repo o/r pr list",
        "gh pr view 1 --comments",
    ] {
        let answer = call(&home, command);
        assert_eq!(answer["error"]["code"], "VALIDATION_ERROR", "{command}: {answer}");
    }
    // What is in no contract comes from the catalogue.
    let answer = call(&home, "gh release list");
    assert_eq!(answer["data"]["stdout"], "text: release list\n", "{answer}");
}

#[test]
fn versions_examples_tags_and_gotchas_are_told() {
    let home = trusted();
    let help = call(&home, "help gh")["data"].clone();
    assert_eq!(help["tags"], json!(["git", "github", "devops"]), "{help}");
    assert_eq!(help["examples"].as_array().unwrap().len(), 4, "{help}");
    assert_eq!(help["notes"].as_array().unwrap().len(), 3, "{help}");
    let found = home
        .run(ARGRAIL, &["search", "auto-upgrade scope", "--json"])
        .json();
    assert_eq!(found["data"]["hits"][0]["command"], "gh", "{found}");
    let old = home.tool("gh", &GH.replace("2.45.0", "2.39.1"));
    assert_eq!(call(&old, "gh pr list")["error"]["code"], "VERSION_MISMATCH");
}
