//! `argrail audit export`: whole, in order, and harmless.

use serde_json::{Value, json};

use super::ground::{audit, entries, home};
use crate::ARGRAIL;

#[test]
fn every_format_holds_every_entry() {
    let home = home();
    for command in ["version", "cat note", "rm note", "=1+1"] {
        home.run(ARGRAIL, &["call", command]);
    }
    let all = entries(&home);
    let array: Value = serde_json::from_str(&audit(&home, &["export", "--format", "json"]).stdout).unwrap();
    assert_eq!(array, Value::Array(all.clone()));
    let csv = audit(&home, &["export", "--format", "csv"]).stdout;
    assert_eq!(csv.matches("\r\n").count(), all.len() + 1);
    assert!(csv.contains(",\"'=1+1\","), "{csv}");
    let ocsf = audit(&home, &["export", "--format", "ocsf"]).stdout;
    let events: Vec<Value> = ocsf
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let types: Vec<u64> = events
        .iter()
        .map(|event| event["type_uid"].as_u64().unwrap())
        .collect();
    assert_eq!(types, [600_399, 100_701, 100_702, 600_301, 100_701, 600_399]);
    assert_eq!(events[2]["exit_code"], 0);
    assert_eq!(events[4]["disposition_id"], 2);
}

#[test]
fn an_export_can_begin_later_and_comes_in_an_envelope() {
    let home = super::ground::with(2);
    let check = |format: &str, since: &str, count: usize| {
        let run = audit(&home, &["export", "--format", format, "--since", since, "--json"]);
        let data = &run.json()["data"];
        let found = match format {
            "csv" => data["csv"].as_str().unwrap().lines().count() - 1,
            _ => data["entries"].as_array().unwrap().len(),
        };
        assert_eq!(found, count, "{run}");
    };
    for format in ["json", "csv", "ocsf"] {
        check(format, "1h", 2);
        check(format, "2999-01-01", 0);
    }
    let empty = audit(&super::ground::home(), &["export", "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&empty.stdout).unwrap(), json!([]));
}
