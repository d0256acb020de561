//! A loaded bundle at work: the words of a call, what it prints, its ATIP metadata and the way back, its intents.

mod argv;
mod intents;
mod metadata;

use argrail_spec::bundle::{self, Bundle, BundleTool, Files};

/// A bundle with one tool of each kind.
const CLI: &str = r#"---
name: Demo
id: demo
description: A program that
  shows everything.
version: 1.2.0
bin: demo-bin
bin_args: [--quiet]
install: [{ method: brew, package: demo }]
version_check: { cmd: demo-bin --version, parse: '(\S+)', range: ">=1" }
auth:
  state: { paths: ["~/.config/demo"], env: [DEMO_TOKEN] }
  login: { cmd: demo-bin login --web, completes_when: { cmd: demo-bin login status } }
sandbox:
  network: { egress: [api.example.org] }
  fs: { read: ["**/*", "~/.config/demo/**"], write: ["~/.config/demo/**", "out/**"] }
  exec: { allow: true, spawn: [git] }
  env: { pass: [HOME] }
output:
  json_flag: --json
  json_flag_args: ["id,name"]
  exit_codes: { 1: not_found, 3: conflict }
commands:
  item:
    list: ./tools/list/TOOL.md
    view: ./tools/view/TOOL.md
    "": ./tools/plain/TOOL.md
  item-drop: ./tools/drop/TOOL.md
  "": ./tools/plain/TOOL.md
intents: [{ ref: ./intents/look/INTENT.md }]
tags: [demo, items]
examples:
  - { goal: list open ones, cmd: demo-bin item list --state open }
  - { goal: something else, cmd: demo-bin unknown --flag }
---
## Gotchas

It forgets.

## Reference
"#;

const LIST: &str = r#"---
name: List
id: demo.list
description: Lists items.
version: 1.0.0
inputs:
  type: object
  properties:
    state: { type: string, enum: [open, closed], description: Which ones. }
    max_results: { type: integer, default: 30 }
    labels: { type: array, items: { type: string } }
    newestFirst: { type: boolean }
outputs: { type: array, items: { type: object, required: [id] } }
idempotent: true
risk_level: 0
timeout_ms: 5000
sandbox: { fs: { write: [] }, exec: { allow: false } }
examples: [{ name: closed, input: { state: closed, max_results: 2, newestFirst: true } }]
---
"#;

const VIEW: &str = r#"---
name: View
id: demo.view
description: Shows one item.
version: 1.0.0
inputs:
  type: object
  properties:
    number: { type: integer }
    fields: { type: array, items: { type: string } }
    where: { type: object }
    web: { type: boolean }
    title: { type: string }
  required: [number]
outputs: { type: object }
idempotent: false
metadata:
  cli:
    argv: [item, view, "${input.number}", "${input.web | flag('--web')}", "${input.where | json | optional('--where')}",
      "--title=${input.title | default('')}", "--", "${input.fields | default('')}"]
    bin_args: []
output: { default_format: yaml, json_flag: --format=json, error_stream: mixed, exit_codes: { 3: usage_error } }
examples: [{ name: one, input: { number: 7, fields: [a, b] } }]
---
## Gotchas
Slow.
"#;

const DROP: &str = r#"---
name: Drop
id: demo.drop
description: Drops an item.
version: 1.0.0
inputs: { type: object, properties: { id: { type: string } }, required: [id] }
outputs: {}
mutates: ["external:api.example.org", "workspace:out", "database:items"]
approval: always
risk_level: 3
cost_class: expensive
metadata: { cli: { argv: [item-drop, "${input.id}"] } }
output: { default_format: json }
---
"#;

const PLAIN: &str = r#"---
name: Plain
id: demo.plain
description: The program itself.
version: 1.0.0
inputs: { type: object }
outputs: {}
---
"#;

const LOOK: &str = r#"---
name: look
id: demo.look
label: { en: Look at an item, de: Ein Ding ansehen }
description: Shows an item.
version: 1.0.0
intent: [show me an item]
surfaces: [chat]
inputs:
  - { name: what, label: Number, type: number }
  - { name: how, label: How, type: choice, values: [{ value: web, label: Web }, { value: text, label: Text }], default: text }
  - { name: hidden, label: Hidden, type: text, depends_on: { how: web } }
implements:
  - { tool: ../../tools/view/TOOL.md, when: { what: { gt: 0 } }, mapping: { what: number, title: { from: hidden } } }
  - { tool: demo.list, default: true, mapping: {} }
examples: [{ user: show 7 }]
---
"#;

fn files() -> Files {
    let mut files = Files::default();
    for (path, text) in [
        ("CLI.md", CLI),
        ("tools/list/TOOL.md", LIST),
        ("tools/view/TOOL.md", VIEW),
        ("tools/drop/TOOL.md", DROP),
        ("tools/plain/TOOL.md", PLAIN),
        ("intents/look/INTENT.md", LOOK),
    ] {
        files.text(path, text);
    }
    files
}

fn demo() -> Bundle {
    bundle::load(Some("demo"), &files()).unwrap_or_else(|reports| panic!("{reports:#?}"))
}

fn tool<'b>(bundle: &'b Bundle, id: &str) -> &'b BundleTool {
    let mut tools = bundle.tools.iter();
    tools.find(|tool| tool.tool.id.as_str() == id).unwrap()
}
