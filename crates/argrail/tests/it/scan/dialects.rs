//! Programs that describe themselves in other words than ATIP's: each is asked only in those that stand in its file.

use super::machine::{Machine, metadata};
use crate::attacks::harness::{Host, each_host};

/// A script that answers to these words and to nothing else.
fn speaking(words: &str, answer: &str) -> String {
    format!("#!/bin/sh\n[ \"$*\" = '{words}' ] || exit 1\ncat <<'EOF'\n{answer}\nEOF\n")
}

#[test]
fn each_dialect_is_understood() {
    each_host(|host| {
        let tree =
            r#"{"version":"3","description":"x","commands":[{"name":"go","options":[{"name":"fast"}]}]}"#;
        let opencli = r#"{"opencli":"0.1","info":{"title":"X","version":"3"},"commands":[{"name":"go"}]}"#;
        let machine = Machine::new(host)
            .tool("a-help-json-flag", &speaking("--help-json", tree))
            .tool("b-help-json", &speaking("help --json", tree))
            .tool("c-agent-help", &speaking("--agent-help", tree))
            .tool("d-help-agent", &speaking("--help-agent", tree))
            .tool("e-help-agents", &speaking("--help-agents", tree))
            .tool("f-opencli", &speaking("--help-opencli", opencli))
            .tool("g-dump", &speaking("--help-dump-opencli", opencli))
            .tool("h-schema", &speaking("schema", tree))
            .tool("i-atip", &speaking("--help-json", &metadata("i-atip")))
            .tool(
                "j-other",
                &speaking("schema", r#"{"type":"object","properties":{}}"#),
            )
            .tool(
                "k-impostor",
                &speaking(
                    "--help-json",
                    &tree.replace("{\"version\"", "{\"name\":\"git\",\"version\""),
                ),
            )
            .tool("l-text", &speaking("--agent-help", "# A guide for agents"));
        let found = machine.scan(&["--probe"]);
        assert_eq!(
            found.tools(),
            [
                "a-help-json-flag native help-json-flag",
                "b-help-json native help-json",
                "c-agent-help native agent-help",
                "d-help-agent native help-agent",
                "e-help-agents native help-agent",
                "f-opencli native opencli",
                "g-dump native opencli",
                "h-schema native schema",
                "i-atip native help-json-flag",
            ]
        );
        found.says("skipped", "k-impostor", "impostor: says it is \"git\"");
        assert_eq!(found.reason("invalid", ""), None);
        let entry = machine.json("data/agent-tools/tools/f-opencli.json");
        assert_eq!(entry["x-dialect"], "opencli");
        assert_eq!(entry["metadata"]["name"], "f-opencli");
        assert_eq!(entry["metadata"]["commands"]["go"]["description"], "");
        assert_eq!(machine.registry()["tools"]["h-schema"]["x-dialect"], "schema");
        // Remembered like any other.
        let again = machine.scan(&["--probe"]);
        assert_eq!(again.executed(), 0);
        assert_eq!(again.tools(), found.tools());
    });
}

#[test]
fn a_program_is_asked_only_in_the_words_that_it_holds() {
    let machine = Machine::new(Host::here())
        .tool("none", "#!/bin/sh\nexit 1\n")
        .tool("one", "#!/bin/sh\n# schema\nexit 1\n")
        .tool("two", "#!/bin/sh\n# --help-json and schema\nexit 1\n");
    assert_eq!(machine.scan(&["--probe"]).executed(), 1 + 2 + 3);
}
