//! What the descriptions that are compiled in show of a home: nothing wide, and credentials never to code that nobody
//! vouches for.
//!
//! Every command is tried with every rule of its options and arguments, by the decision and the profile that a call gets,
//! in a home where every file is there that any description or the list of credentials names.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use argrail_sandbox::policy::PathPattern;
use argrail_spec::atip::{self, Authentication, Command, Effects, Metadata};
use argrail_spec::secret_places::{Certainty, Relation, is_too_wide, secret_places};
use argrail_testkit::Home;
use serde_json::{Map, Value, json};

use super::table::SHIPPED;
use crate::policy::tests::input::facts;
use crate::policy::{self, Confinement, Facts, Rules, Verdict};
use crate::profile::{Ground, Profile, profile};

/// What every file of the home says.
const SECRET: &str = "hunter2plain";

/// The description of each tool, as JSON and as it is read.
fn all() -> impl Iterator<Item = (&'static str, Value, Metadata)> {
    SHIPPED.iter().map(|entry| {
        let text = entry.text();
        let value = serde_json::from_slice(&text).unwrap();
        (entry.name, value, atip::load(&text).unwrap().metadata)
    })
}

/// Every effects in a description: those of the tool, of commands, and of rules.
fn every_effects<'v>(value: &'v Value, out: &mut Vec<&'v Map<String, Value>>) {
    let mut rules: Vec<&Value> = Vec::new();
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("effects", Value::Object(effects)) => out.push(effects),
                    ("x-effects", Value::Object(effects)) if !effects.contains_key("effects") => {
                        out.push(effects)
                    }
                    (_, value) => rules.push(value),
                }
            }
        }
        Value::Array(items) => rules.extend(items),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    rules.into_iter().for_each(|value| every_effects(value, out));
}

fn texts<'v>(effects: &'v Map<String, Value>, key: &str) -> Vec<&'v str> {
    let list = effects.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Files that methods of signing in keep a login in.
fn logins(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let path = fields.get("configPath").and_then(Value::as_str);
            out.extend(path.map(str::to_owned));
            fields.values().for_each(|value| logins(value, out));
        }
        Value::Array(items) => items.iter().for_each(|value| logins(value, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_listed(text: &str) -> bool {
    secret_places().any(|place| place.relation_of_text(text) == Relation::Within)
}

#[test]
fn no_description_shows_a_whole_system_or_a_place_of_credentials() {
    let mut wrong = Vec::new();
    for (name, value, _) in all() {
        let mut found = Vec::new();
        every_effects(&value, &mut found);
        for effects in found {
            for text in texts(effects, "x-reads") {
                if is_too_wide(text) {
                    wrong.push(format!("{name}: all of {text}"));
                }
                let listed = secret_places().find(|place| {
                    place.certainty == Certainty::Always && place.relation_of_text(text) != Relation::Apart
                });
                if let Some(place) = listed {
                    wrong.push(format!("{name}: {text} and {}", place.at));
                }
            }
            let secrets = texts(effects, "x-secrets");
            wrong.extend(
                secrets
                    .iter()
                    .filter(|text| is_too_wide(text))
                    .map(|text| format!("{name}: {text}")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn whatever_a_description_calls_a_credential_is_on_the_list() {
    let mut unlisted = Vec::new();
    for (name, value, _) in all() {
        let mut found = Vec::new();
        every_effects(&value, &mut found);
        let mut secrets: Vec<String> = Vec::new();
        logins(&value, &mut secrets);
        let named = found.iter().flat_map(|effects| texts(effects, "x-secrets"));
        secrets.extend(named.map(str::to_owned));
        let missing = secrets.into_iter().filter(|text| !is_listed(text));
        unlisted.extend(missing.map(|text| format!("{name}: {text}")));
    }
    assert!(unlisted.is_empty(), "{}", unlisted.join("\n"));
}

/// A home in which everything is there that is named.
struct Place {
    _home: Home,
    ground: Ground,
    secrets: Vec<PathBuf>,
}

impl Place {
    fn new() -> Self {
        let made = Home::new();
        let root = made.root().canonicalize().unwrap();
        let (home, directory) = (root.join("home"), root.join("work"));
        for (_, value, _) in all() {
            let mut found = Vec::new();
            every_effects(&value, &mut found);
            let mut named: Vec<String> = Vec::new();
            logins(&value, &mut named);
            let both = |effects: &&Map<String, Value>| {
                let reads = texts(effects, "x-reads").into_iter();
                let all = reads.chain(texts(effects, "x-secrets"));
                all.map(str::to_owned).collect::<Vec<_>>()
            };
            named.extend(found.iter().flat_map(both));
            named.iter().for_each(|text| put(&home, text));
        }
        let mut secrets = Vec::new();
        for place in secret_places().filter(|place| place.certainty == Certainty::Always) {
            if let Some(rest) = place.at.strip_prefix("~/") {
                let path = home.join(rest.replace('*', "x"));
                put(&home, &place.at.replace('*', "x"));
                secrets.push(path);
            }
        }
        let environment = [
            "GH_TOKEN",
            "AWS_ACCESS_KEY_ID",
            "VAULT_TOKEN",
            "PULUMI_ACCESS_TOKEN",
            "FIREBASE_TOKEN",
        ];
        let ground = Ground {
            roots: vec![directory.clone()],
            directory,
            search: vec![PathBuf::from("/usr/bin")],
            own: Vec::new(),
            installed: root.join("installed"),
            denied: Vec::new(),
            environment: environment.map(|name| (name.into(), "value".into())).into(),
            home,
        };
        Self {
            _home: made,
            ground,
            secrets,
        }
    }

    /// The credentials that a profile shows.
    fn shown(&self, profile: &Profile) -> Vec<String> {
        let is_shown = |path: &&PathBuf| {
            let mut patterns = profile.policy.read.iter().chain(&profile.policy.write);
            let is_part = patterns.any(|pattern| pattern.matches(path) || pattern.could_match_below(path));
            // What says something else to the call shows that.
            let text = profile.texts.get(*path).map(|text| String::from_utf8_lossy(text));
            is_part && text.is_none_or(|text| text.contains(SECRET))
        };
        let files = self.secrets.iter().filter(is_shown);
        let files = files.map(|path| {
            path.strip_prefix(&self.ground.home)
                .unwrap()
                .display()
                .to_string()
        });
        files.chain(profile.environment.secrets.keys().cloned()).collect()
    }
}

/// Makes a file or a directory below a home, as a description writes it.
fn put(home: &Path, text: &str) {
    let Some(rest) = text.strip_prefix("~/").filter(|rest| !rest.contains('*')) else {
        return;
    };
    let path = home.join(rest);
    if rest.ends_with('/') {
        fs::create_dir_all(&path).unwrap();
    } else if !path.exists() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("token = {SECRET}\n")).unwrap();
    }
}

/// A call of one command, with what one rule makes of it.
struct Tried {
    title: String,
    facts: Facts,
}

/// Every command of a tool: as it is, and with each rule and each text of a program that its parameters have.
fn tries(metadata: &Metadata) -> Vec<Tried> {
    fn walk(
        title: &str,
        command: &Command,
        (above, login): (&Effects, &Option<Authentication>),
        metadata: &Metadata,
        out: &mut Vec<Tried>,
    ) {
        let own = command.effects.as_ref();
        let effects = own.map_or_else(|| above.clone(), |own| own.inherit(above));
        let login = command.authentication.as_ref().or(login.as_ref()).cloned();
        for (name, below) in &command.commands {
            walk(
                &format!("{title} {name}"),
                below,
                (&effects, &login),
                metadata,
                out,
            );
        }
        if !command.commands.is_empty() {
            return;
        }
        let mut push = |title: String, effects: &Effects, programs: Value| {
            out.push(Tried {
                title,
                facts: made(metadata, effects, &programs, &login),
            });
        };
        push(title.to_owned(), &effects, json!([]));
        let options = metadata.global_options.iter().chain(&command.options);
        let options = options.map(|option| (&option.name, &option.extra));
        let arguments = command.arguments.iter();
        let arguments = arguments.map(|argument| (&argument.name, &argument.extra));
        for (name, extra) in options.chain(arguments) {
            for rule in rules(extra.get("x-effects")) {
                push(format!("{title} [{name}]"), &ruled(&effects, &rule), json!([]));
            }
            if let Some(language) = extra.get("x-program") {
                push(
                    format!("{title} [{name}]"),
                    &effects,
                    json!([{"language": language}]),
                );
            }
        }
    }
    let base = metadata.effects.clone().unwrap_or_default();
    let mut out = Vec::new();
    for (name, command) in &metadata.commands {
        let title = format!("{} {name}", metadata.name);
        walk(
            &title,
            command,
            (&base, &metadata.authentication),
            metadata,
            &mut out,
        );
    }
    out
}

/// The rules of `x-effects`: what it says, or each of a list.
fn rules(said: Option<&Value>) -> Vec<Value> {
    match said {
        Some(Value::Array(rules)) => rules.clone(),
        Some(Value::Object(rule)) if rule.contains_key("effects") => vec![json!(rule)],
        Some(Value::Object(effects)) => vec![json!({"effects": effects})],
        _ => Vec::new(),
    }
}

/// Effects with a rule, as a call has them.
fn ruled(effects: &Effects, rule: &Value) -> Effects {
    let said = facts(&json!({"effects": rule["effects"]})).invoked.effects;
    if rule["instead"] != true {
        return effects.with(&said);
    }
    let mut said = said;
    for (key, value) in &effects.extra {
        if !said.extra.contains_key(key) {
            said.extra.insert(key.clone(), value.clone());
        }
    }
    said
}

fn made(metadata: &Metadata, effects: &Effects, programs: &Value, login: &Option<Authentication>) -> Facts {
    // Which hosts does not matter here, and those that stand among words are nobody's.
    let egress = match (effects.network, effects.extra.contains_key("x-egress")) {
        (Some(true), true) => json!(["host.example"]),
        (Some(true), false) => json!("public"),
        (Some(false) | None, _) => Value::Null,
    };
    let call = json!({"tool": metadata.name, "programs": programs, "egress": egress});
    let mut facts = facts(&call);
    facts.invoked.effects = effects.clone();
    facts.invoked.authentication = login.clone();
    facts
}

/// Whether everything that a profile calls a credential is named by the description.
fn are_named(facts: &Facts, profile: &Profile, home: &Path) -> bool {
    let methods = facts.invoked.authentication.iter().flat_map(|auth| &auth.methods);
    let logins = methods.filter_map(|method| method.config_path.as_deref());
    // Some settings are credentials by what they say, and read by whoever needs them.
    let lists = ["x-secrets", "x-reads"].into_iter();
    let lists = lists.filter_map(|key| facts.invoked.effects.extra.get(key)?.as_array());
    let named = lists.flatten().filter_map(Value::as_str).chain(logins);
    let named: Vec<PathBuf> = named
        .filter_map(|text| Some(home.join(text.strip_prefix("~/")?)))
        .collect();
    let is_named = |pattern: &PathPattern| {
        named
            .iter()
            .any(|path| PathPattern::tree(path) == *pattern || PathPattern::exact(path) == *pattern)
    };
    profile.secrets.iter().all(is_named)
}

#[test]
fn code_that_nobody_vouches_for_and_credentials_never_meet_in_silence() {
    let place = Place::new();
    let (mut wrong, mut seen) = (Vec::new(), HashSet::new());
    let (mut silent, mut with_credentials) = (0, 0);
    for (_, _, metadata) in all() {
        for Tried { title, facts } in tries(&metadata) {
            let decision = policy::decide(&facts, &Rules::default());
            let terms = decision.terms();
            // Most commands of a tool have the same effects.
            let same = format!("{:?} {terms:?}", facts.invoked);
            if decision.verdict != Verdict::Allow || !seen.insert(same) {
                continue;
            }
            silent += 1;
            let profile = profile(&facts, terms, Path::new("/bin/sh"), &place.ground).unwrap();
            let shown = place.shown(&profile);
            let strange = terms.confinement == Confinement::Closed || facts.stranger().is_some();
            if strange && !shown.is_empty() || !are_named(&facts, &profile, &place.ground.home) {
                wrong.push(format!("{title}: {shown:?}"));
            }
            with_credentials += usize::from(!shown.is_empty());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What is tried is not nothing.
    assert!(
        silent > 200 && with_credentials > 40,
        "{silent} {with_credentials}"
    );
}
