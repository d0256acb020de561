//! MCP servers of the configuration, through the verbs: asked by `scan --probe`, read by everybody else.

use argrail_testkit::Home;
use serde_json::json;

use super::ground::data;
use crate::ARGRAIL;

#[test]
fn tools_of_servers_are_listed_as_commands() {
    let config = json!({"mcpServers": {
        "own": {"command": ARGRAIL, "args": ["serve"]},
        "gone": {"command": "no-such-server"},
        "off": {"command": ARGRAIL, "args": ["serve"], "disabled": true},
    }});
    let home = Home::new().config(&config.to_string());
    // Nothing starts for a look, and nothing is known before somebody asked.
    let looked = data(&home, &["scan"]);
    assert_eq!(
        (&looked["executed"], &looked["found"]),
        (&json!(0), &json!([])),
        "{looked}"
    );
    assert_eq!(data(&home, &["list"])["tools"], json!([]));

    let scanned = data(&home, &["scan", "--probe"]);
    let own = json!({"name": "own", "path": "", "source": "mcp", "dialect": "mcp"});
    assert_eq!(scanned["found"], json!([own]), "{scanned}");
    assert_eq!(scanned["failed"][0]["path"], "gone");
    let listed = data(&home, &["list", "--source", "mcp"]);
    assert_eq!(listed["tools"][0]["name"], "own");
    let shown = data(&home, &["show", "own", "cli"]);
    assert_eq!(shown["provenance"]["/commands/cli/description"], "mcp:own");
    let option = &shown["tool"]["commands"]["cli"]["options"][0];
    assert_eq!(
        (&option["name"], &option["required"]),
        (&json!("command"), &json!(true))
    );

    // The second time it is remembered; another server of the same name is not.
    let again = data(&home, &["scan", "--probe"]);
    assert_eq!(
        (&again["executed"], &again["found"][0]["name"]),
        (&json!(1), &json!("own")),
        "only the other one is tried"
    );
    let home = home.config(&json!({"mcpServers": {"own": {"command": "other"}}}).to_string());
    assert_eq!(data(&home, &["list"])["tools"], json!([]));
}
