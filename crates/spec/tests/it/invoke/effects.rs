//! What flags and values change.

use std::sync::Arc;

use argrail_spec::atip::{Metadata, Voice};
use serde_json::{Value, json};

use super::{effects, plain, read, read_as, tool, unverified};

fn raised(metadata: &Arc<Metadata>, line: &str) -> Vec<String> {
    let raised = read(metadata, line).raised;
    raised
        .into_iter()
        .map(|raised| format!("{}{}", raised.by, if raised.instead { " instead" } else { "" }))
        .collect()
}

/// `git push`, more or less.
fn push() -> Arc<Metadata> {
    tool(json!({
        "effects": {"network": true, "x-egress": ["git.example"]},
        "commands": {"push": {
            "description": "Push",
            "effects": {"modifies": ["ref"], "destructive": false, "idempotent": true},
            "options": [
                {"name": "force", "flags": ["-f", "--force"], "type": "boolean",
                 "x-effects": {"destructive": true, "idempotent": true}},
                {"name": "dry-run", "flags": ["-n", "--dry-run"], "type": "boolean",
                 "x-effects": [{"instead": true, "effects": {"network": true, "modifies": [], "idempotent": true}}]},
                {"name": "delete", "flags": ["-d", "--delete"], "type": "boolean",
                 "x-effects": [{"unless": ["dry-run"], "effects": {"deletes": ["ref"]}}]},
            ],
            "arguments": [
                {"name": "remote", "type": "string", "required": false},
                {"name": "ref", "type": "string", "variadic": true, "required": false, "x-effects": [
                    {"value": "^\\+", "effects": {"destructive": true, "reversible": false}},
                    {"value": "^:", "effects": {"deletes": ["remote ref"]}},
                ]},
            ],
        }},
    }))
}

#[test]
fn rules_add_up_and_only_instead_makes_it_better() {
    let push = push();
    let check = |line: &str, by: &[&str], want: Value| {
        assert_eq!(effects(&read(&push, line)), want, "{line}");
        assert_eq!(raised(&push, line), by, "{line}");
    };
    let base = |more: Value| {
        let mut base = json!({
            "network": true, "x-egress": ["git.example"], "modifies": ["ref"], "destructive": false, "idempotent": true,
        });
        base.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        base
    };
    check("push", &[], base(json!({})));
    check("push origin main", &[], base(json!({})));
    check("push -f", &["-f"], base(json!({"destructive": true})));
    check(
        "push origin main +x",
        &["+x"],
        base(json!({"destructive": true, "reversible": false})),
    );
    check(
        "push origin +x :y",
        &["+x", ":y"],
        base(json!({"destructive": true, "reversible": false, "deletes": ["remote ref"]})),
    );
    check("push -d", &["-d"], base(json!({"deletes": ["ref"]})));
    let dry = json!({"network": true, "x-egress": ["git.example"], "modifies": [], "idempotent": true});
    check("push -nd", &["-n instead"], dry.clone());
    let mut forced = dry;
    forced["destructive"] = true.into();
    check("push -n -f", &["-n instead", "-f"], forced);
}

#[test]
fn a_switch_that_is_off_relaxes_nothing() {
    let tool = plain(json!({
        "effects": {"destructive": true},
        "options": [
            {"name": "dry-run", "flags": ["--dry-run"], "type": "string", "x-takes": "attached", "x-effects": [
                {"value": "^(client|server)$", "instead": true, "effects": {"idempotent": true}},
            ]},
            {"name": "plan", "flags": ["--plan"], "type": "boolean", "x-takes": "attached", "x-effects": [
                {"instead": true, "effects": {"idempotent": true}},
            ]},
            {"name": "purge", "flags": ["--purge"], "type": "boolean", "x-effects": [
                {"unless": ["plan"], "effects": {"deletes": ["all"]}},
            ]},
            {"name": "odd", "flags": ["--odd"], "type": "string", "x-effects": [
                {"value": "(", "instead": true, "effects": {"idempotent": true}},
                {"value": "(", "effects": {"creates": ["x"]}},
            ]},
        ],
    }));
    let check = |line: &str, want: Value| assert_eq!(effects(&read(&tool, line)), want, "{line}");
    check("--dry-run=client", json!({"idempotent": true}));
    check("--dry-run", json!({"destructive": true}));
    check("--dry-run=none", json!({"destructive": true}));
    check("--dry-run=client --dry-run=none", json!({"destructive": true}));
    check("--plan", json!({"idempotent": true}));
    check("--plan=false", json!({"destructive": true}));
    check("--no-plan", json!({"destructive": true}));
    check("--plan --plan=false", json!({"destructive": true}));
    check(
        "--purge --plan=false",
        json!({"destructive": true, "deletes": ["all"]}),
    );
    check("--purge --plan", json!({"idempotent": true}));
    check("--odd x", json!({"destructive": true, "creates": ["x"]}));
}

#[test]
fn an_option_before_the_command_means_what_it_means_behind_it() {
    let format = |effects: Value| json!({"name": "format", "flags": ["--format"], "type": "string", "x-effects": effects});
    let tool = tool(json!({
        "globalOptions": [format(json!([]))],
        "commands": {"list": {
            "description": "List",
            "effects": {"destructive": true},
            "options": [format(json!([
                {"value": "json", "effects": {"x-prints": "credentials"}},
                {"value": "none", "instead": true, "effects": {"idempotent": true}},
            ]))],
        }},
    }));
    let check = |line: &str, want: Value| assert_eq!(effects(&read(&tool, line)), want, "{line}");
    let secret = json!({"destructive": true, "x-prints": "credentials"});
    check("list --format=json", secret.clone());
    check("--format=json list", secret.clone());
    check("--format=json list --format=csv", secret);
    check("--format=csv list", json!({"destructive": true}));
    // Nothing becomes better by it, and all that is given has to agree.
    check("list --format=none", json!({"idempotent": true}));
    check("--format=none list", json!({"destructive": true}));
    check("--format=x list --format=none", json!({"destructive": true}));
    check("--format=none list --format=none", json!({"idempotent": true}));
}

#[test]
fn a_host_may_have_a_default() {
    let tool = plain(json!({
        "effects": {"network": true, "x-egress": ["arg:uri|arg:host|localhost"]},
        "options": [
            {"name": "host", "flags": ["-h"], "type": "string"},
            {"name": "uri", "flags": ["-u"], "type": "string"},
        ],
    }));
    let check = |line: &str, hosts: Value, odd: &[&str]| {
        let given = read(&tool, line);
        assert_eq!(effects(&given)["x-egress"], hosts, "{line}");
        assert_eq!(unverified(&given), odd, "{line}");
    };
    check("", json!(["localhost"]), &[]);
    check("-h a.example", json!(["a.example"]), &[]);
    check("-u redis://b.example:1 -h a.example", json!(["b.example"]), &[]);
    check("-h 127.1", json!([]), &["127.1 word"]);
}

#[test]
fn paths_and_hosts_that_were_given_take_the_place_of_their_names() {
    let curl = plain(json!({
        "effects": {"network": true, "x-egress": ["arg:url", "*.cdn.example"], "filesystem": {"write": false}},
        "options": [
            {"name": "output", "flags": ["-o"], "type": "file",
             "x-effects": {"filesystem": {"write": true, "paths": ["arg:output"]}}},
            {"name": "proxy", "flags": ["-x"], "type": "string",
             "x-effects": {"network": true, "x-egress": ["arg:proxy"]}},
            {"name": "any", "flags": ["--any"], "type": "boolean", "x-effects": {"network": true}},
        ],
        "arguments": [{"name": "url", "type": "string", "variadic": true, "required": false}],
    }));
    let check = |line: &str, hosts: Value, paths: Value, odd: &[&str]| {
        let given = read(&curl, line);
        let said = effects(&given);
        assert_eq!(said["x-egress"], hosts, "{line}");
        assert_eq!(said["filesystem"]["paths"], paths, "{line}");
        assert_eq!(unverified(&given), odd, "{line}");
    };
    check(
        "https://a.example/x b.example:80",
        json!(["a.example", "b.example", "*.cdn.example"]),
        json!(null),
        &[],
    );
    check("", json!(["*.cdn.example"]), json!(null), &[]);
    check(
        "a.example -o x -o -",
        json!(["a.example", "*.cdn.example"]),
        json!(["x", "-"]),
        &[],
    );
    check(
        "a.example -x p.example:1",
        json!(["a.example", "*.cdn.example", "p.example"]),
        json!(null),
        &[],
    );
    check(
        "file:///x",
        json!(["*.cdn.example"]),
        json!(null),
        &["file:///x word"],
    );
    check(
        "'*.example'",
        json!(["*.cdn.example"]),
        json!(null),
        &["*.example word"],
    );
    check("a.example --any", json!(null), json!(null), &[]);
}

#[test]
fn hosts_that_only_the_words_name_are_told_from_described_ones() {
    let tool = plain(json!({
        "effects": {"network": true, "x-egress": ["arg:url|home.example", "api.example", "*.cdn.example"]},
        "options": [
            {"name": "proxy", "flags": ["-x"], "type": "string", "x-effects": {"x-egress": ["arg:proxy"]}},
            {"name": "mirror", "flags": ["-m"], "type": "boolean", "x-effects": {"x-egress": ["mirror.example"]}},
            {"name": "bucket", "flags": ["-b"], "type": "string",
             "x-effects": {"x-destinations": ["s3:arg:bucket"]}},
            {"name": "from", "flags": ["-f"], "type": "string", "variadic": true,
             "x-effects": {"x-destinations": ["s3://arg:from", "gs://arg:from"]}},
        ],
        "arguments": [{"name": "url", "type": "string", "variadic": true, "required": false}],
    }));
    let check = |line: &str, named: &[&str], odd: &[&str]| {
        let given = read(&tool, line);
        assert_eq!(given.caller_named, named, "{line}");
        assert_eq!(unverified(&given), odd, "{line}");
    };
    check("", &[], &[]);
    check("https://new.example/x", &["new.example"], &[]);
    check("https://new.example https://NEW.example", &["new.example"], &[]);
    check("https://api.example a.cdn.example", &[], &[]);
    check("cdn.example", &["cdn.example"], &[]);
    check("-x p.example", &["p.example"], &[]);
    check("-m mirror.example", &[], &[]);
    check("-b Ours", &["s3://ours"], &[]);
    check("-b 'a b'", &[], &["a b word"]);
    check(
        "-f s3://one/key -f GS://two -f local/path",
        &["s3://one", "gs://two"],
        &[],
    );
    check("-f s3://", &[], &["s3:// word"]);
    check("-f 's3://a b/c'", &[], &["s3://a b/c word"]);
}

#[test]
fn places_are_known_by_their_shape_in_any_word() {
    let tool = plain(json!({
        "effects": {
            "network": true,
            "x-egress": ["api.example"],
            "x-destinations": ["words:arn", "words:bucket", "words:url", "words:no-shape"],
        },
        "options": [
            {"name": "any", "flags": ["--any"], "type": "string", "variadic": true},
            {"name": "bucket", "flags": ["-b"], "type": "string",
             "x-effects": {"x-destinations": ["s3://?arg:bucket"]}},
        ],
        "arguments": [{"name": "rest", "type": "string", "variadic": true, "required": false}],
    }));
    let check = |line: &str, named: &[&str], odd: &[&str]| {
        let given = read(&tool, line);
        // What nobody knows the shape of is a name that nobody has agreed to.
        let (unknown, places): (Vec<String>, Vec<String>) =
            (given.caller_named.iter().cloned()).partition(|name| name == "words:no-shape");
        assert_eq!(
            (unknown.len(), places),
            (1, named.iter().map(|name| (*name).to_owned()).collect()),
            "{line}"
        );
        assert_eq!(unverified(&given), odd, "{line}");
    };
    check("", &[], &[]);
    check("one two", &[], &[]);
    check(
        "--any arn:aws:sns:r:123456789012:t x",
        &["aws-account://123456789012"],
        &[],
    );
    check(
        "x '[{\"Uri\": \"s3://Bucket/key\"}]' https://new.example/",
        &["s3://bucket", "new.example"],
        &[],
    );
    check("https://api.example/x", &[], &[]);
    check("arn:aws:sns:t", &[], &["arn:aws:sns:t word"]);
    check("-b bare/key", &["s3://bare"], &[]);
    check("-b s3://with/key", &["s3://with"], &[]);
    check("-b s3://", &[], &[]);
    check("-b gs://other/key", &["gs://other"], &[]);
}

#[test]
fn who_only_claims_can_only_tighten() {
    let tool = plain(json!({
        "effects": {
            "network": true, "x-egress": ["a"], "x-exec": ["b"], "x-reads": ["c"], "x-secrets": ["s"],
            "x-runs": "workspace-code",
        },
        "options": [
            {"name": "dry", "flags": ["--dry"], "type": "boolean", "x-effects": [
                {"instead": true, "effects": {"idempotent": true}},
                {"effects": {"destructive": true, "x-reads": ["d"], "x-prints": "credentials"}},
            ]},
        ],
        "x-prompts": {"advice": "x"}, "x-env": {"A": "1"}, "x-output": "json", "x-exit": {"1": "ok"},
    }));
    let given = read_as(&tool, Voice::Claimed, "--dry").unwrap();
    assert_eq!(
        effects(&given),
        json!({"network": true, "destructive": true, "x-runs": "workspace-code", "x-prints": "credentials"})
    );
    assert_eq!((given.prompts, given.env.len(), given.exits.len()), (None, 0, 1));
    let settled = read(&tool, "--dry");
    assert_eq!(settled.raised.len(), 2);
    assert_eq!((settled.prompts.as_deref(), settled.env.len()), (Some("x"), 1));
}

#[test]
fn the_nearest_effects_are_the_base() {
    let tool = tool(json!({
        "effects": {"network": true, "subprocess": false},
        "commands": {
            "": {"description": "It", "effects": {"network": false}},
            "a": {"description": "A", "effects": {"subprocess": true}, "commands": {
                "": {"description": "A itself", "effects": {"destructive": true}},
                "b": {"description": "B", "effects": {"network": false}},
            }},
        },
    }));
    let check = |line: &str, want: Value| assert_eq!(effects(&read(&tool, line)), want, "{line}");
    check("", json!({"network": false, "subprocess": false}));
    check(
        "a",
        json!({"network": true, "subprocess": true, "destructive": true}),
    );
    check("a b", json!({"network": false, "subprocess": true}));
}
