//! `argrail doctor`: what this machine can enforce, tried; and with `--prove`, that it does.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use argrail_acli::{Answer, Envelope};
use argrail_engine::audit::{Chain, RecordError};
use argrail_engine::places::Places;
use argrail_engine::refusal::HOST_WORDS;
use argrail_sandbox::{Feature, Hold, Launcher, Machine, Proof, ProofOptions, ProofOutcome};
use serde_json::{Map, Value, json};

use crate::args::command_line::DoctorArgs;
use crate::deciding::{Boundary, ClientAnswers, boundary};
use crate::neutral::one_line as shown;
use crate::out::{self, Layout, Report};

/// What the exit says: nothing can be enforced, or something got through or could not be proven.
const UNAVAILABLE: u8 = 6;
const NOT_PROVEN: u8 = 1;
/// The disk of the record is full, so nothing would run. One that this user may not write to may be meant so.
const NO_RECORD: u8 = 1;

/// Whether a record could be kept.
struct Record {
    directory: PathBuf,
    trouble: Option<RecordError>,
}

impl Record {
    fn of(places: Option<&Places>) -> Self {
        let directory = places.map(Places::audit).unwrap_or_default();
        Self {
            trouble: places.and_then(|_| Chain::check(&directory).err()),
            directory,
        }
    }

    fn is_full(&self) -> bool {
        matches!(self.trouble, Some(RecordError::Full { .. }))
    }

    fn state(&self) -> &'static str {
        match &self.trouble {
            None => "ok",
            Some(RecordError::Full { .. }) => "full",
            Some(_) => "unwritable",
        }
    }

    fn to_json(&self) -> Value {
        let mut told = json!({"directory": self.directory.to_string_lossy(), "state": self.state()});
        if let Some(trouble) = &self.trouble {
            told["why"] = json!(trouble.to_string());
            told["fix"] = json!(trouble.hint().to_string());
        }
        told
    }
}

/// Looks, tries if asked to, and tells.
pub(crate) fn run(args: &DoctorArgs, report: Report) -> u8 {
    let machine = argrail_sandbox::probe();
    let proofs = args.prove.then(|| prove(&machine));
    // Without a home there is no state that anybody could write.
    let places = Places::new(|name| std::env::var_os(name)).ok();
    let clients = places
        .as_ref()
        .map_or(ClientAnswers::Ignored, ClientAnswers::look);
    let boundary = boundary(places.as_ref().map_or(Path::new("/"), Places::state), &clients);
    let record = Record::of(places.as_ref());
    let told = match report {
        Report::Envelope => {
            let mut data = data(&machine, &boundary, &record, proofs.as_deref());
            data.insert("elicitation".into(), json!(clients.as_str()));
            let answer = Answer::new(Value::Object(data));
            out::envelope(&Envelope::new("doctor", Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&text(&machine, &boundary, &record, proofs.as_deref())),
    };
    let held = |proofs: &[Proof]| proofs.iter().all(|proof| proof.outcome == ProofOutcome::Blocked);
    match (machine.tier, proofs) {
        _ if told != 0 => told,
        (1 | 2, Some(proofs)) if !held(&proofs) => NOT_PROVEN,
        (1 | 2, _) if record.is_full() => NO_RECORD,
        (1 | 2, _) => 0,
        _ => UNAVAILABLE,
    }
}

/// Makes every attempt. Where nothing can be confined, nothing is tried: it would only do the harm.
fn prove(machine: &Machine) -> Vec<Proof> {
    if !matches!(machine.tier, 1 | 2) {
        return Vec::new();
    }
    let proving = ProofOptions {
        launcher: Launcher::SelfExe,
        hold: Hold::Sandbox(machine.tier),
    };
    let watched = io::stderr().is_terminal();
    let total = argrail_sandbox::attempts().count();
    let mut proofs = Vec::with_capacity(total);
    for (index, name) in argrail_sandbox::attempts().enumerate() {
        if watched {
            out::say(&format!("[{}/{total}] {name}", index + 1));
        }
        proofs.extend(argrail_sandbox::prove(name, &proving));
    }
    proofs
}

fn data(
    machine: &Machine,
    boundary: &Boundary,
    record: &Record,
    proofs: Option<&[Proof]>,
) -> Map<String, Value> {
    let features: Map<String, Value> = machine
        .features
        .iter()
        .map(|feature| (feature.name.to_owned(), json!(feature.present)))
        .collect();
    let missing: Vec<Value> = machine
        .missing()
        .map(|feature| json!({"feature": feature.name, "why": feature.why, "fix": feature.fix.worded(HOST_WORDS)}))
        .collect();
    let mut data = Map::new();
    data.insert("tier".into(), json!(machine.tier));
    data.insert("features".into(), Value::Object(features));
    data.insert("landlockAbi".into(), json!(machine.landlock_abi));
    data.insert("missing".into(), Value::Array(missing));
    data.insert("approvalBoundary".into(), json!(boundary.hold.as_str()));
    data.insert("approvalBoundaryWhy".into(), json!(boundary.why));
    if let Some(fix) = boundary.fix {
        data.insert("approvalBoundaryFix".into(), json!(fix));
    }
    data.insert("record".into(), record.to_json());
    if let Some(proofs) = proofs {
        data.insert("attempts".into(), proofs.iter().map(attempt).collect());
    }
    data
}

fn attempt(proof: &Proof) -> Value {
    json!({
        "name": proof.name,
        "attempted": proof.attempted,
        "result": proof.outcome.as_str(),
        "detail": proof.detail,
    })
}

/// The tables for a person.
fn text(machine: &Machine, boundary: &Boundary, record: &Record, proofs: Option<&[Proof]>) -> String {
    let mut text = format!("tier {}: {}\n\n", machine.tier, meaning(machine.tier));
    let width = machine
        .features
        .iter()
        .map(|feature| feature.name.len())
        .max()
        .unwrap_or_default();
    for feature in &machine.features {
        text.push_str(&format!(
            "{:width$}  {}\n",
            feature.name,
            state(feature, machine.landlock_abi)
        ));
    }
    let hold = boundary.hold.as_str();
    text.push_str(&format!("{:width$}  {hold}\n", "approvalBoundary"));
    text.push_str(&format!("{:width$}  {}\n", "record", record.state()));
    if let Some(trouble) = &record.trouble {
        let (why, fix) = (shown(&trouble.to_string()), trouble.hint());
        text.push_str(&format!(
            "\nnothing can be recorded, so nothing runs: {why}\n  fix: {fix}\n"
        ));
    }
    text.push_str(&format!("\napprovals are {hold}: {}\n", shown(&boundary.why)));
    if let Some(fix) = boundary.fix {
        text.push_str(&format!("  fix: {fix}\n"));
    }
    for feature in machine.missing() {
        let (why, fix) = (shown(&feature.why), shown(&feature.fix.worded(HOST_WORDS)));
        text.push_str(&format!("\n{} is missing: {why}\n  fix: {fix}\n", feature.name));
    }
    if let Some(proofs) = proofs {
        text.push_str(&table(proofs));
    }
    text
}

fn meaning(tier: u8) -> &'static str {
    match tier {
        1 => "everything a policy says can be held",
        2 => "only policies that Landlock and a filter of system calls hold; the others are refused",
        _ => "nothing can be held, and nothing is run",
    }
}

fn state(feature: &Feature, landlock_abi: Option<u32>) -> String {
    match (feature.present, feature.name, landlock_abi) {
        (true, "landlock", Some(abi)) => format!("yes (ABI {abi})"),
        (true, ..) => "yes".to_owned(),
        (false, ..) => "no".to_owned(),
    }
}

fn table(proofs: &[Proof]) -> String {
    let width = proofs
        .iter()
        .map(|proof| proof.name.len())
        .max()
        .unwrap_or_default();
    let mut text = String::from("\n");
    for proof in proofs {
        let outcome = proof.outcome.as_str();
        text.push_str(&format!(
            "{outcome:8}  {:width$}  {}\n",
            proof.name, proof.attempted
        ));
        if proof.outcome != ProofOutcome::Blocked {
            text.push_str(&format!("{:8}  {:width$}  {}\n", "", "", shown(&proof.detail)));
        }
    }
    let count = |outcome| proofs.iter().filter(|proof| proof.outcome == outcome).count();
    text.push_str(&format!(
        "\n{} attempts: {} blocked, {} escaped, {} unproven\n",
        proofs.len(),
        count(ProofOutcome::Blocked),
        count(ProofOutcome::Escaped),
        count(ProofOutcome::Unproven)
    ));
    text
}
