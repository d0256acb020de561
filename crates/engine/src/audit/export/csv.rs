//! Entries as rows of a table (RFC 4180), for spreadsheets.
//!
//! A cell that a spreadsheet would take for a formula begins with an apostrophe: commands of agents are foreign text.

use serde_json::Value;

/// The columns, and where each is found in an entry.
const COLUMNS: [(&str, &str); 19] = [
    ("seq", "/seq"),
    ("ts", "/ts"),
    ("action", "/action"),
    ("actor", "/actor/id"),
    ("client", "/metadata/user_context/name"),
    ("subject", "/subject/ref"),
    ("path", "/subject/path"),
    ("command", "/metadata/command"),
    ("cli_id", "/metadata/cli_id"),
    ("decision", "/policy/decision"),
    ("approver", "/metadata/approver/who"),
    ("success", "/metadata/success"),
    ("error_code", "/metadata/error_code"),
    ("exit_code", "/metadata/exit_code"),
    ("duration_ms", "/metadata/duration_ms"),
    ("tier", "/metadata/sandbox/tier"),
    ("intent", "/metadata/intent"),
    ("problem", "/metadata/problem"),
    ("hash", "/hash"),
];

/// Returns the first row, with its end.
pub fn header() -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    format!("{}\r\n", names.join(","))
}

/// Returns the row of an entry, with its end.
pub fn row(entry: &Value) -> String {
    let cells: Vec<String> = COLUMNS
        .iter()
        .map(|(_, place)| match entry.pointer(place) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => cell(text),
            Some(other) => cell(&other.to_string()),
        })
        .collect();
    format!("{}\r\n", cells.join(","))
}

fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let apostrophe = if formula { "'" } else { "" };
    if formula || text.contains([',', '"', '\r', '\n']) {
        format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula() {
        let check = |text: &str, want: &str| assert_eq!(cell(text), want);
        check("git log", "git log");
        check("a,b", "\"a,b\"");
        check("a \"b\"\nc", "\"a \"\"b\"\"\nc\"");
        for text in ["=1+1", "+1", "-1", "@x", "\tx"] {
            assert_eq!(cell(text), format!("\"'{text}\""));
        }
    }

    #[test]
    fn a_row_has_a_cell_for_every_column() {
        let entry =
            json!({"seq": 3, "actor": {"id": "=cmd"}, "metadata": {"success": true, "exit_code": null}});
        let text = row(&entry);
        assert!(text.starts_with("3,,,\"'=cmd\","), "{text}");
        assert_eq!(text.matches(',').count(), header().matches(',').count());
    }

    proptest! {
        #[test]
        fn any_text_is_one_cell(text in any::<String>()) {
            let made = cell(&text);
            let inner = made.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            match inner {
                Some(inner) => prop_assert!(!inner.replace("\"\"", "").contains('"')),
                None => prop_assert_eq!(&made, &text),
            }
            prop_assert!(!made.starts_with(['=', '+', '-', '@']));
        }
    }
}
