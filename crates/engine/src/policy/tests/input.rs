//! Facts and rules from JSON, as the vectors write them.

use std::path::Path;

use argrail_spec::atip::{
    Effects, Given, Inner, Invoked, ProgramText, Raised, Unverified, Why, Word, decode, decode_delegation,
    decode_permission_policy,
};
use argrail_spec::doc::Node;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::policy::program::Purity;
use crate::policy::{
    Approval, Basis, CarriedOut, CostClass, Egress, Facts, Grant, GrantId, Pattern, Rules, Trust, Wish,
};

pub(in crate::policy) fn effects(value: &Value) -> Effects {
    let tool = json!({"atip": "0.1", "name": "demo", "effects": value});
    let metadata = decode(&Node::plain(&tool)).unwrap().metadata;
    metadata.effects.unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn texts(value: &Value) -> Vec<String> {
    list(value)
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

fn option(value: &Value) -> Given {
    let spellings = texts(&value["spellings"]);
    Given {
        name: "option".to_owned(),
        spelt: spellings[0].clone(),
        spellings,
        values: texts(&value["values"]),
        negated: value["negated"] == true,
        ..Given::default()
    }
}

fn invoked(value: &Value) -> Invoked {
    let word = |text: String| Word {
        text,
        ..Word::default()
    };
    let unverified = |text: String| Unverified {
        text,
        why: Why::UnknownOption,
    };
    let raised = |value: &Value| Raised {
        by: value["by"].as_str().unwrap().to_owned(),
        effects: effects(&value["effects"]),
        instead: false,
    };
    let inner = |value: &Value| Inner {
        words: vec![value["tool"].as_str().unwrap_or("demo").to_owned()],
        open: value["open"] == true,
    };
    let program = |value: &Value| ProgramText {
        language: value["language"].as_str().unwrap().to_owned(),
        text: value["text"].as_str().unwrap_or_default().to_owned(),
    };
    Invoked {
        tool: value["tool"].as_str().unwrap_or("demo").to_owned(),
        path: texts(&value["path"]),
        options: list(&value["options"]).iter().map(option).collect(),
        words: texts(&value["words"]).into_iter().map(word).collect(),
        unverified: texts(&value["unverified"]).into_iter().map(unverified).collect(),
        effects: effects(&value["effects"]),
        caller_named: texts(&value["callerNamed"]),
        raised: list(&value["raised"]).iter().map(raised).collect(),
        inner: list(&value["inner"]).iter().map(inner).collect(),
        programs: list(&value["programs"]).iter().map(program).collect(),
        ..Invoked::default()
    }
}

fn approval(value: &Value) -> Approval {
    Approval {
        wish: match value["wish"].as_str() {
            None | Some("auto") => Wish::Auto,
            Some("on-mutate") => Wish::OnMutate,
            Some("always") => Wish::Always,
            Some(other) => panic!("no wish: {other}"),
        },
        mutates: texts(&value["mutates"]),
        risk_level: u8::try_from(value["riskLevel"].as_u64().unwrap_or(0)).unwrap(),
        cost_class: match value["costClass"].as_str() {
            None | Some("trivial") => CostClass::Trivial,
            Some("metered") => CostClass::Metered,
            Some("expensive") => CostClass::Expensive,
            Some(other) => panic!("no class: {other}"),
        },
    }
}

fn purity(value: &Value) -> Option<(String, Purity)> {
    let language = value["language"].as_str().unwrap().to_owned();
    let purity = match value["does"].as_str()? {
        "pure" => Purity::Pure,
        "changes" => Purity::Changes("writes a file"),
        "unknown" => Purity::Unknown,
        other => panic!("no purity: {other}"),
    };
    Some((language, purity))
}

pub(crate) fn facts(value: &Value) -> Facts {
    let unread = |value: &&Value| value["unread"] != true;
    Facts {
        invoked: invoked(value),
        basis: match value["basis"].as_str() {
            None | Some("settled") => Basis::Settled,
            Some("claimed") => Basis::Claimed,
            Some("undescribed") => Basis::Undescribed,
            Some(other) => panic!("no basis: {other}"),
        },
        origins: value["origins"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, origin)| (key.clone(), origin.as_str().unwrap().to_owned()))
            .collect(),
        trust: match value["trust"].as_str() {
            None | Some("accepted") => Trust::Accepted,
            Some("drift") => Trust::Drift("the program has changed".to_owned()),
            Some("denied") => Trust::Denied,
            Some("untrusted") => Trust::Untrusted,
            Some(other) => panic!("no trust: {other}"),
        },
        egress: match &value["egress"] {
            Value::Null => Egress::None,
            Value::String(public) if public == "public" => Egress::Public,
            names => Egress::Names(texts(names)),
        },
        paths: texts(&value["paths"]).into_iter().map(Into::into).collect(),
        approval: approval(&value["approval"]),
        programs: list(&value["programs"]).iter().filter_map(purity).collect(),
        inner: list(&value["inner"]).iter().filter(unread).map(facts).collect(),
    }
}

/// Where the calls of the vectors start.
pub(in crate::policy) const DIRECTORY: &str = "/srv/desk";

fn grant((index, text): (usize, &Value)) -> Grant {
    let pattern = Pattern::parse(text.as_str().unwrap(), Path::new(DIRECTORY)).unwrap();
    granted(&format!("g-{index}"), pattern)
}

/// A grant of this name, which holds.
pub(in crate::policy) fn granted(id: &str, pattern: Pattern) -> Grant {
    Grant {
        id: GrantId(id.to_owned()),
        pattern,
        caller: None,
        session: None,
        request: None,
        given_by: "ann".to_owned(),
        created_at: Timestamp::UNIX_EPOCH,
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        uses: 0,
    }
}

pub(in crate::policy) fn rules(value: &Value) -> Rules {
    let policy = value.get("permissionPolicy");
    let delegations = list(&value["delegations"]).iter().enumerate();
    Rules {
        permission_policy: policy.map(|policy| decode_permission_policy(&Node::plain(policy)).unwrap()),
        delegations: delegations
            .map(|(index, one)| (format!("d{index}"), decode_delegation(&Node::plain(one)).unwrap()))
            .collect(),
        grants: list(&value["grants"]).iter().enumerate().map(grant).collect(),
        hosts: texts(&value["hosts"]),
        home: "/place/ann".into(),
        directory: DIRECTORY.into(),
        carried_out: match value.get("carriedOut") {
            Some(_) => CarriedOut::ByAgent,
            None => CarriedOut::Here,
        },
    }
}
