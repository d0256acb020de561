//! What a project's files say they want: programs, paths, secrets, the network. For a person who has to decide.
//!
//! Read from bundles, and from whatever JSON the files hold, by the names that ATIP and tools.json give these things;
//! what a file keeps to itself, or says in another format, is not here. Never a reason to allow anything.

use std::collections::BTreeSet;

use argrail_spec::agent_cli_md::{self, AgentCliMd};
use argrail_spec::cli_md::{self, Auth, CliMd};
use argrail_spec::doc::{Document, Limits, Node, Spanned, Value};
use argrail_spec::sandbox_block::{Mount, MountMode, MountSource, SandboxBlock};

use super::offers::{OfferKind, ProjectFiles};

/// The most values of one kind that are kept.
const MOST: usize = 1_000;

/// What the files say they want.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wants {
    /// Programs and command lines.
    pub programs: BTreeSet<String>,
    /// Hosts and addresses.
    pub hosts: BTreeSet<String>,
    /// Files and directories.
    pub paths: BTreeSet<String>,
    /// Environment variables, most of them secrets.
    pub secrets: BTreeSet<String>,
    /// Tools that say they use the network.
    pub network: BTreeSet<String>,
    /// Files that could not be read as JSON, are of a format that is not looked into, or want more than is kept.
    pub silent: BTreeSet<String>,
}

impl Wants {
    /// Reads what the offered files say.
    pub fn of(files: &ProjectFiles) -> Self {
        let mut wants = Self::default();
        let mut read = BTreeSet::new();
        for offer in &files.offers {
            if offer.kind == OfferKind::Executable {
                put(&mut wants.programs, &offer.file);
                continue;
            }
            if !read.insert(&offer.file) {
                continue;
            }
            let bytes = files.contents(&offer.file).ok();
            if offer.kind == OfferKind::Bundle {
                match bytes.and_then(|text| cli_md::load(&text).ok()) {
                    Some(loaded) => {
                        wants.bundle(&loaded.manifest, loaded.manifest.sandbox.inline(), &offer.file)
                    }
                    None => drop(wants.silent.insert(offer.file.clone())),
                }
                continue;
            }
            if offer.kind == OfferKind::Agent {
                match bytes.and_then(|text| agent_cli_md::load(&text).ok()) {
                    Some(loaded) => {
                        wants.agent(&loaded.manifest, loaded.manifest.sandbox.inline(), &offer.file)
                    }
                    None => drop(wants.silent.insert(offer.file.clone())),
                }
                continue;
            }
            let document = bytes.and_then(|bytes| Document::json(&bytes, &Limits::metadata()).ok());
            match document {
                Some(document) => {
                    wants.look(&document.root, &offer.name);
                    // Somebody who decides must know that there is more than what is shown.
                    if wants.is_full() {
                        wants.silent.insert(offer.file.clone());
                    }
                }
                None => {
                    wants.silent.insert(offer.file.clone());
                }
            }
        }
        wants
    }

    /// Adds what a bundle says. `file` is named where more is wanted than can be read here.
    pub fn bundle(&mut self, cli: &CliMd, sandbox: Option<&SandboxBlock>, file: &str) {
        put(&mut self.programs, &cli.bin.value);
        for command in cli.commands_run() {
            put(&mut self.programs, command.as_str());
        }
        self.state(cli.auth.as_ref());
        self.sandbox(sandbox, file);
    }

    /// Adds what an agent says, in the same way. What it keeps of itself lies in a home of its own.
    pub fn agent(&mut self, agent: &AgentCliMd, sandbox: Option<&SandboxBlock>, file: &str) {
        put(&mut self.programs, &agent.bin.value);
        for command in agent.commands_run() {
            put(&mut self.programs, command.as_str());
        }
        self.state(agent.auth.as_ref());
        for name in agent.models.iter().flat_map(|models| models.keys()) {
            put(&mut self.secrets, &name.value);
        }
        self.sandbox(sandbox, file);
    }

    fn state(&mut self, auth: Option<&Auth>) {
        let state = auth.and_then(|auth| auth.state.as_ref());
        each(state.and_then(|state| state.paths.as_ref()), &mut self.paths);
        each(state.and_then(|state| state.env.as_ref()), &mut self.secrets);
    }

    fn sandbox(&mut self, sandbox: Option<&SandboxBlock>, file: &str) {
        match sandbox {
            Some(SandboxBlock::Aip29(block)) => {
                each(block.network.egress.as_ref(), &mut self.hosts);
                each(block.fs.read.as_ref(), &mut self.paths);
                each(block.fs.write.as_ref(), &mut self.paths);
                each(block.env.pass.as_ref(), &mut self.secrets);
                if block.exec.allow {
                    each(block.exec.spawn.as_ref(), &mut self.programs);
                }
            }
            Some(SandboxBlock::Aip36(block)) => {
                let network = block.network.as_ref();
                each(
                    network.and_then(|network| network.egress.as_ref()),
                    &mut self.hosts,
                );
                let env = block.env.as_ref();
                each(env.and_then(|env| env.passthrough.as_ref()), &mut self.secrets);
                let state = env.and_then(|env| env.auth.as_ref()?.state.as_ref());
                each(state.and_then(|state| state.env.as_ref()), &mut self.secrets);
                for mount in block.mounts.iter().flatten() {
                    put(&mut self.paths, mounted(mount));
                }
                put(&mut self.programs, "every program that it can read");
            }
            None => drop(self.silent.insert(file.to_owned())),
        }
    }

    /// Whether something may have been left out.
    fn is_full(&self) -> bool {
        let kinds = [
            &self.programs,
            &self.hosts,
            &self.paths,
            &self.secrets,
            &self.network,
        ];
        kinds.iter().any(|kind| kind.len() >= MOST)
    }

    fn look(&mut self, node: &Node, tool: &str) {
        match &node.value {
            Value::Array(items) => items.iter().for_each(|item| self.look(item, tool)),
            Value::Object(object) => {
                let named = object.get("name").and_then(Node::as_str).unwrap_or(tool);
                for member in &object.members {
                    self.field(&member.key, &member.node, named);
                    self.look(&member.node, named);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn field(&mut self, key: &str, node: &Node, tool: &str) {
        let into = match key {
            "checkCommand" | "setupCommand" | "command" => &mut self.programs,
            "paths" | "configPath" | "creates" | "modifies" | "deletes" => &mut self.paths,
            "envVar" | "envPassthrough" => &mut self.secrets,
            "hosts" | "url" => &mut self.hosts,
            "network" if node.value == Value::Bool(true) => {
                put(&mut self.network, tool);
                return;
            }
            _ => return,
        };
        match (&node.value, key) {
            (Value::String(text), _) => put(into, text),
            // An argv: one command, not a list of them.
            (Value::Array(words), "command") => {
                let words: Vec<&str> = words.iter().filter_map(Node::as_str).collect();
                put(into, &words.join(" "));
            }
            (Value::Array(items), _) => items
                .iter()
                .filter_map(Node::as_str)
                .for_each(|text| put(into, text)),
            (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_), _) => {}
        }
    }
}

/// What a mount opens, in words.
fn mounted(mount: &Mount) -> &'static str {
    match (&mount.source, mount.mode) {
        (MountSource::Workspace, Some(MountMode::ReadOnly)) => "the workspace, to read",
        (MountSource::Workspace, Some(MountMode::ReadWrite) | None) => "the workspace, to read and write",
        (MountSource::Ref(_) | MountSource::File(_) | MountSource::Inline(_), _) => {
            "storage that argrail does not have"
        }
    }
}

fn each(from: Option<&Vec<Spanned<String>>>, into: &mut BTreeSet<String>) {
    for text in from.into_iter().flatten() {
        put(into, &text.value);
    }
}

fn put(into: &mut BTreeSet<String>, text: &str) {
    if into.len() < MOST {
        into.insert(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use argrail_testkit::Home;

    use super::*;
    use crate::catalog::project::{Bounds, Found, ProjectFinder};
    use crate::places::testing::places_of;

    #[test]
    fn what_the_files_say_is_gathered() {
        let home = Home::new()
            .file(
                ".agent-tools/shims/x.json",
                r#"{"atip":"0.1","name":"x","effects":{"network":true,"filesystem":{"paths":["/data"]}},
                    "authentication":{"methods":[{"type":"token","envVar":"X_TOKEN","setupCommand":"x login"}]},
                    "commands":{"y":{"effects":{"network":false,"creates":["/srv/y"]}}}}"#,
            )
            .file(
                "tools.json",
                r#"{"tools":[{"name":"t","command":["./tools/bin/t","-a"],"envPassthrough":["T_KEY"]}]}"#,
            )
            .file(".cli/z/CLI.md", "---\n")
            .file(".agent-tools/overrides/broken.json", "{");
        let Found::Project(project) = ProjectFinder::new(&places_of(&home)).find(&home.work()).unwrap()
        else {
            panic!("no project");
        };
        let path = Some(OsStr::new(""));
        let files = ProjectFiles::read(&project, path, &home.work(), Bounds::default()).unwrap();
        let wants = Wants::of(&files);
        let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join("|");
        assert_eq!(list(&wants.programs), "./tools/bin/t -a|x login");
        assert_eq!(list(&wants.paths), "/data|/srv/y");
        assert_eq!(list(&wants.secrets), "T_KEY|X_TOKEN");
        assert_eq!(list(&wants.network), "x");
        assert_eq!(
            list(&wants.silent),
            ".agent-tools/overrides/broken.json|.cli/z/CLI.md"
        );
    }

    #[test]
    fn what_is_left_out_is_said() {
        let commands: Vec<String> = (0..=MOST).map(|at| format!(r#"{{"command":"c{at}"}}"#)).collect();
        let steps = commands.join(",");
        let text = format!(r#"[{{"name":"p","description":"x","steps":[{steps}]}}]"#);
        let home = Home::new().file(".agent-tools/patterns/p.json", &text);
        let Found::Project(project) = ProjectFinder::new(&places_of(&home)).find(&home.work()).unwrap()
        else {
            panic!("no project");
        };
        let files = ProjectFiles::read(&project, None, &home.work(), Bounds::default()).unwrap();
        let wants = Wants::of(&files);
        assert_eq!(wants.programs.len(), MOST);
        assert!(wants.silent.contains(".agent-tools/patterns/p.json"));
    }
}
