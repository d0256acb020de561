//! What a tool of a manifest cannot do: change anything, reach anybody, or be another program than was accepted.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::ground::{Given, accepted, called, made, one};

#[test]
fn nothing_is_written_and_nobody_is_reached() {
    let home = one("#!/bin/sh\necho x > made\n", json!({}));
    let error = called(&home, &Given::default()).unwrap_err().to_json();
    assert_eq!(error["code"], "EXECUTION_ERROR", "{error}");
    assert!(!home.work().join("made").exists());
    let script = "#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/9 && echo '\"reached\"'\n";
    let error = called(&one(script, json!({})), &Given::default())
        .unwrap_err()
        .to_json();
    assert_eq!(error["code"], "EXECUTION_ERROR", "{error}");
}

#[test]
fn the_directory_of_the_manifest_can_be_read_and_the_home_cannot() {
    let home = one("#!/bin/sh\nexec /bin/cat data.json\n", json!({}))
        .file("data.json", "{\"read\":true}\n")
        .file("../home/key", "\"secret\"\n");
    assert_eq!(
        called(&home, &Given::default()).unwrap().data,
        json!({"read": true})
    );
    let home = one("#!/bin/sh\nexec /bin/cat ../home/key\n", json!({})).file("../home/key", "\"secret\"\n");
    assert!(called(&home, &Given::default()).is_err());
}

#[test]
fn a_program_that_changed_is_not_started() {
    let home = one("#!/bin/sh\necho '{}'\n", json!({}));
    let tools = accepted(&home);
    assert!(made(&home, &tools[0], &Given::default()).is_ok());
    let program = home.work().join("tools/bin/t");
    let check = |why: &str| {
        let error = made(&home, &tools[0], &Given::default()).unwrap_err().to_json();
        assert_eq!(error["code"], "SETUP_REQUIRED", "{error}");
        assert!(error["message"].as_str().unwrap().contains(why), "{error}");
    };
    fs::write(&program, "#!/bin/sh\necho '{\"evil\":1}'\n").unwrap();
    check("not what was accepted");
    fs::remove_file(&program).unwrap();
    check("cannot be started");
    symlink("/bin/true", &program).unwrap();
    check("leads out of ./tools/bin");
    fs::remove_file(&program).unwrap();
    let home_file = home.work().join("other");
    fs::write(&home_file, "#!/bin/sh\n").unwrap();
    symlink(&home_file, &program).unwrap();
    check("leads out of ./tools/bin");
}

#[test]
fn an_absolute_program_is_allowed_and_in_the_project_it_is_pinned_too() {
    let home = one("#!/bin/sh\n", json!({"command": ["/bin/echo", "7"]}));
    assert_eq!(called(&home, &Given::default()).unwrap().data, json!(7));
    let home = one("#!/bin/sh\necho 8\n", json!({}));
    let program = home.work().join("tools/bin/t");
    let manifest = json!({"tools": [{"name": "t", "command": [program.to_str().unwrap()]}]}).to_string();
    let home = home.file("tools.json", &manifest);
    let tools = accepted(&home);
    assert_eq!(made(&home, &tools[0], &Given::default()).unwrap().data, json!(8));
    fs::write(&program, "#!/bin/sh\necho 9\n").unwrap();
    assert!(made(&home, &tools[0], &Given::default()).is_err());
}

#[test]
fn a_program_that_is_written_with_backslashes_is_the_same_and_pinned() {
    let home = one("#!/bin/sh\necho 8\n", json!({"command": [".\\tools\\bin\\.\\t"]}));
    let tools = accepted(&home);
    assert_eq!(made(&home, &tools[0], &Given::default()).unwrap().data, json!(8));
    fs::write(home.work().join("tools/bin/t"), "#!/bin/sh\necho 9\n").unwrap();
    assert!(made(&home, &tools[0], &Given::default()).is_err());
}
