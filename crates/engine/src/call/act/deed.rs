//! What an act does, as facts: commands as if they were called, files and hosts as they are named.
//!
//! An agent's word about its own act is taken for what it is about. A lie gains it nothing: what its sandbox lets it
//! do, it could do without asking.

use std::path::{Path, PathBuf};

use argrail_acli::Caller;
use argrail_spec::atip::{Effects, Filesystem, Inner, Invoked, Unverified, Why, Word};
use indexmap::IndexMap;

use crate::call::attempt::Reading;
use crate::call::bundle::Wanted;
use crate::call::facts::unknown;
use crate::call::shop::Shop;
use crate::policy::{Approval, Basis, Egress, Facts, Trust, tidy};
use crate::profile::real_path;

/// What rules and grants call an agent's acts. No tool can have this name.
const TOOL: &str = "x-agent";
/// What a line is run by that is more than one command.
const SHELL: &str = "sh";
/// Programs that only pass on what they read: what comes from another command does not make them do anything else.
const FILTERS: [&str; 34] = [
    "awk",
    "base64",
    "bat",
    "cat",
    "cmp",
    "column",
    "comm",
    "cut",
    "diff",
    "egrep",
    "fgrep",
    "fold",
    "gawk",
    "grep",
    "head",
    "hexdump",
    "jq",
    "join",
    "md5sum",
    "nl",
    "od",
    "paste",
    "rg",
    "sed",
    "sha1sum",
    "sha256sum",
    "sort",
    "strings",
    "tac",
    "tail",
    "tr",
    "uniq",
    "wc",
    "xxd",
];
/// The most commands of one line.
const STEPS: usize = 64;

/// What an act is, as far as it can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Commands, each by itself.
    Commands(Vec<Step>),
    /// Files are touched; absolute paths.
    Files(FileAct, Vec<PathBuf>),
    /// Something is got from the network.
    Fetch {
        /// Where from.
        from: Reached,
        /// Whether it is only read.
        reads: bool,
    },
    /// Nothing outside the agent is touched.
    Nothing,
    /// A line that only a shell can read.
    Line(String),
    /// Nobody can tell. The words are all that is known.
    Unknown(Vec<String>),
}

/// One command of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its words, the program first.
    pub words: Vec<String>,
    /// Where it starts.
    pub directory: PathBuf,
    /// What it reads.
    pub stdin: Stdin,
}

/// What a command of a line reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// Nothing.
    Nothing,
    /// What the command before it prints.
    Piped,
}

/// What is done to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAct {
    /// They are read.
    Read,
    /// Something is looked for in them.
    Search,
    /// They are written by the host.
    Write,
    /// They are changed by the agent.
    Edit,
    /// They are removed.
    Delete,
    /// They are moved.
    Move,
}

/// Where something is got from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reached {
    /// A host that the agent's sandbox reaches.
    Granted(String),
    /// Another one, or nobody can tell.
    Elsewhere,
}

impl FileAct {
    /// Returns the word that rules and grants know it by.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Search => "search",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Move => "move",
        }
    }

    fn effects(self) -> Effects {
        let files = |write: bool, delete: bool| {
            Some(Filesystem {
                read: Some(true),
                write: Some(write),
                delete: Some(delete),
                ..Filesystem::default()
            })
        };
        match self {
            Self::Read | Self::Search => Effects {
                filesystem: files(false, false),
                ..harmless()
            },
            Self::Write | Self::Edit => Effects {
                filesystem: files(true, false),
                ..harmless()
            },
            Self::Delete => Effects {
                filesystem: files(true, true),
                idempotent: Some(false),
                destructive: Some(true),
                reversible: Some(false),
                ..harmless()
            },
            Self::Move => Effects {
                filesystem: files(true, true),
                idempotent: Some(false),
                ..harmless()
            },
        }
    }
}

impl Shop {
    /// Returns what is known of an act. `origin` says whose word it is.
    pub fn deed(&self, deed: &Deed, caller: &Caller, origin: &str) -> Facts {
        match deed {
            Deed::Commands(steps) => self.commands(steps, caller),
            Deed::Files(act, paths) => files(*act, paths, origin),
            Deed::Fetch { from, reads } => {
                let mut facts = named("fetch", origin);
                facts.invoked.effects = Effects {
                    network: Some(true),
                    idempotent: Some(*reads),
                    ..harmless()
                };
                facts.egress = match from {
                    Reached::Granted(host) => Egress::Names(vec![host.clone()]),
                    Reached::Elsewhere => Egress::Public,
                };
                facts
            }
            Deed::Nothing => Facts {
                invoked: Invoked {
                    effects: harmless(),
                    ..named("think", origin).invoked
                },
                ..named("think", origin)
            },
            Deed::Line(text) => unknown(&Inner {
                words: vec![SHELL.to_owned(), text.clone()],
                open: false,
            }),
            Deed::Unknown(words) => undescribed(words),
        }
    }

    /// A single command is what it would be as a call. Several are run by a shell, and each is judged.
    fn commands(&self, steps: &[Step], caller: &Caller) -> Facts {
        let told = || steps.iter().flat_map(|step| step.words.iter().cloned());
        match steps {
            [] => undescribed(&[]),
            [step] if step.stdin == Stdin::Nothing => self.step(step, caller),
            steps if steps.len() > STEPS => undescribed(&told().collect::<Vec<_>>()),
            steps => {
                let line = steps.iter().map(|step| Inner {
                    words: step.words.clone(),
                    open: false,
                });
                Facts {
                    invoked: Invoked {
                        tool: SHELL.to_owned(),
                        effects: Effects {
                            subprocess: Some(true),
                            ..harmless()
                        },
                        inner: line.collect(),
                        ..Invoked::default()
                    },
                    inner: steps.iter().map(|step| self.step(step, caller)).collect(),
                    ..named("execute", "argrail")
                }
            }
        }
    }

    fn step(&self, step: &Step, caller: &Caller) -> Facts {
        let nobody_knows = || {
            unknown(&Inner {
                words: step.words.clone(),
                open: false,
            })
        };
        let name = step.words.first().map(String::as_str).unwrap_or_default();
        // A path may be anything, whatever it is called.
        let mut facts = match name.contains('/') {
            true => nobody_knows(),
            false => match self.read_at(&step.words, &step.directory, Wanted::Words) {
                Ok(Reading { facts, .. }) => facts,
                // What we would not run, the agent may; nobody says what it does then.
                Err(_) => nobody_knows(),
            },
        };
        if step.directory != self.directory(caller) {
            facts.paths.push(tidy(&step.directory));
            facts.paths.extend(real_path(&step.directory));
        }
        if step.stdin == Stdin::Piped && !FILTERS.contains(&name) {
            facts.invoked.unverified.push(Unverified {
                text: name.to_owned(),
                why: Why::Input,
            });
        }
        facts
    }
}

/// Changes nothing and talks to nobody.
fn harmless() -> Effects {
    Effects {
        network: Some(false),
        subprocess: Some(false),
        idempotent: Some(true),
        destructive: Some(false),
        ..Effects::default()
    }
}

fn named(act: &str, origin: &str) -> Facts {
    let keys = [
        "idempotent",
        "filesystem.write",
        "filesystem.delete",
        "destructive",
        "network",
    ];
    let origins: IndexMap<String, String> = keys
        .into_iter()
        .map(|key| (key.to_owned(), origin.to_owned()))
        .collect();
    Facts {
        invoked: Invoked {
            tool: TOOL.to_owned(),
            path: vec![act.to_owned()],
            ..Invoked::default()
        },
        basis: Basis::Settled,
        origins,
        trust: Trust::Unpinned,
        egress: Egress::None,
        paths: Vec::new(),
        approval: Approval::default(),
        programs: Vec::new(),
        inner: Vec::new(),
    }
}

fn files(act: FileAct, paths: &[PathBuf], origin: &str) -> Facts {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut facts = named(act.as_str(), origin);
    let mut effects = act.effects();
    if let Some(files) = effects.filesystem.as_mut().filter(|_| !paths.is_empty()) {
        files.paths = Some(paths.iter().map(|path| text(path)).collect());
    }
    facts.invoked.effects = effects;
    facts.invoked.words = paths
        .iter()
        .map(|path| Word {
            name: Some("path".to_owned()),
            text: text(path),
            is_path: true,
            ..Word::default()
        })
        .collect();
    facts.paths = paths.iter().map(|path| tidy(path)).collect();
    // A rule about a place holds for every way that leads there.
    for real in paths.iter().filter_map(|path| real_path(path)) {
        if !facts.paths.contains(&real) {
            facts.paths.push(real);
        }
    }
    facts
}

fn undescribed(words: &[String]) -> Facts {
    let unverified = words.iter().map(|word| Unverified {
        text: word.clone(),
        why: Why::UnknownWord,
    });
    let mut facts = named("other", "nobody");
    facts.invoked.unverified = unverified.collect();
    facts.basis = Basis::Undescribed;
    facts.origins.clear();
    facts
}
