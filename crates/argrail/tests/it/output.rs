//! `x-output`: what a caller is told about outputs that are not there.

use argrail_testkit::Home;
use insta::assert_snapshot;

use super::ARGRAIL;

#[test]
fn an_output_that_is_not_there_is_not_told_from_one_of_somebody_else() {
    let home = Home::new();
    let folder = home.root().join("state/argrail/output/0123456789");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("about.json"),
        r#"{"account":"another","stdout":5,"stderr":0}"#,
    )
    .unwrap();
    std::fs::write(folder.join("stdout"), "words").unwrap();
    let said = |id: &str| {
        let run = home.run(ARGRAIL, &["call", &format!("x-output {id}")]);
        assert_eq!(run.exit, Some(2), "{run}");
        run.json()["error"].to_string().replace(id, "ID")
    };
    assert_eq!(said("0123456789"), said("9876543210"));
    assert_eq!(said("0123456789"), said("no-such-name"));
    assert_snapshot!(home.run(ARGRAIL, &["call", "x-output 0123456789 --offset 5"]), @r#"
    exit: 2
    --- stdout
    {
      "_meta": {
        "command": "x-output 0123456789 --offset 5"
      },
      "error": {
        "code": "VALIDATION_ERROR",
        "examples": [
          "x-output k3v9x2m7qa --offset 65536"
        ],
        "hint": "Outputs are kept for a day, for the caller whose command made them; run the command again",
        "message": "no such output: '0123456789'"
      },
      "success": false
    }
    --- stderr
    "#);
}

#[test]
fn a_page_is_asked_for_with_numbers() {
    let home = Home::new();
    for wrong in ["--offset -1", "--limit 0", "--limit 2000000", "--stream both"] {
        let run = home.run(ARGRAIL, &["call", &format!("x-output 0123456789 {wrong}")]);
        assert_eq!(run.json()["error"]["code"], "VALIDATION_ERROR", "{wrong}: {run}");
    }
}
