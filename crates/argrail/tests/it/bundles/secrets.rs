//! A bundle's own files and the credentials among them: shown after a person's yes, and to no call that runs closed.

use std::fs;

use argrail_testkit::Home;
use serde_json::Value;

use super::ground::{CLI, call, done, project};
use crate::approvals::ground::{approve, asks_in};

/// What the program tries to open, below the home.
const FILES: [&str; 5] = [
    ".notes/login",
    ".aws/credentials",
    ".cargo/credentials.toml",
    ".cargo/registry/index",
    ".ssh/id_test",
];

fn ground() -> Home {
    let paths = r#"read: ["**", "~/.notes/**", "~/.aws/**", "~/.cargo/**"]"#;
    let auth =
        "auth:\n  state: { paths: [\"~/.notes\"], env: [NOTES_TOKEN] }\n  login: { cmd: notes login }\n";
    let cli = CLI
        .replace(r#"read: ["**"]"#, paths)
        .replace("sandbox:\n", &format!("{auth}sandbox:\n"))
        .replace(
            "pass: [NOTES_STYLE]",
            "pass: [NOTES_STYLE, NOTES_TOKEN, CLOUD_SECRET]",
        );
    let tries = FILES
        .map(|file| format!("{{ read -r line < \"$HOME/{file}\"; }} 2>/dev/null && seen=\"$seen{file} \"\n"));
    let program = format!(
        "#!/bin/sh\ncase \"$1\" in --version) echo 'notes 1.4.2'; exit;; esac\nseen=\"${{NOTES_TOKEN:+token }}${{CLOUD_SECRET:+cloud }}\"\n{}\
         case \"$1\" in list) printf '[{{\"id\":\"%s\"}}]' \"$seen\";; *) printf '{{\"id\":\"%s\"}}' \"$seen\";; esac\n",
        tries.concat()
    );
    let home = project()
        .env("NOTES_TOKEN", "hunter2plain")
        .env("CLOUD_SECRET", "hunter3plain")
        .file(".cli/notes/CLI.md", &cli)
        .file(".cli/notes/bin/notes", &program)
        .tool("notes", &program);
    for file in FILES {
        let path = home.root().join("home").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "token = x\n").unwrap();
    }
    done(&home, &["trust", "--yes", "."]);
    home
}

#[test]
fn a_call_on_the_bundles_own_word_sees_no_credential() {
    let home = ground();
    let answer = call(&home, "notes list");
    let seen = &answer["error"]["output"]["value"][0]["id"];
    assert_eq!(seen, ".cargo/registry/index ", "{answer:#}");
    // Who says that it only reads, and tries a credential, is named.
    let tried = &answer["error"]["tried"][0]["target"];
    assert_eq!(tried, "~/.cargo/credentials.toml", "{answer:#}");
    assert_eq!(answer["error"]["withheld"][0]["path"], "~/.notes", "{answer:#}");
}

#[test]
fn a_yes_opens_what_the_bundle_names_and_nothing_that_a_wider_path_holds() {
    let home = ground();
    let asked = call(&home, "notes note add milk");
    let id = asks_in(&asked);
    approve(&home, &id);
    let answer = call(&home, "notes note add milk");
    assert_eq!(
        answer["data"]["id"],
        Value::from("token cloud .notes/login .aws/credentials .cargo/registry/index "),
        "{answer:#}"
    );
}
