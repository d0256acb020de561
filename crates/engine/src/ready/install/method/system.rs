//! What apt, dnf and pacman share: they install for the whole system, as root, with scripts of their packages.
//!
//! No sandbox can hold that: packages own files of every user, and their scripts start services. So a person has to say
//! yes to it, and without root's rights only the command is told. Never `sudo`.

use std::time::Duration;

use argrail_spec::cli_md::Os;

use crate::ready::install::machine::{Family, Rights};
use crate::ready::install::recipe::{Act, Check, Egress, Hold, Product, Recipe, Run, Word};
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::wishes::{Unconfined, Wishes};

/// How long a system's package manager may take.
const TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// A system's package manager.
pub(super) struct Manager<'m> {
    /// The program.
    pub(super) program: &'static str,
    /// Whose it is.
    pub(super) family: Family,
    /// What is run, each without the program: perhaps the list of packages first, then the package.
    pub(super) commands: Vec<Vec<&'m str>>,
    /// Variables that keep it from asking.
    pub(super) environment: Vec<(&'static str, &'static str)>,
    /// The hosts that its settings name.
    pub(super) hosts: Vec<String>,
}

impl Manager<'_> {
    /// Says what it will do.
    pub(super) fn recipe(self, site: &Site<'_>, wishes: &Wishes) -> Result<Recipe, Skip> {
        if site.machine.os != Some(Os::Linux) {
            return Err(Skip::Os(vec![Os::Linux]));
        }
        if site.machine.family != Some(self.family) {
            return Err(Skip::Family(self.family));
        }
        let program = site.find(self.program).ok_or(Skip::Absent(self.program))?;
        if site.machine.rights != Rights::Root {
            let last = self.commands.last().cloned().unwrap_or_default();
            let words = std::iter::once(self.program).chain(last);
            return Err(Skip::Privilege {
                command: words.map(str::to_owned).collect(),
            });
        }
        if wishes.unconfined == Unconfined::Refused {
            return Err(Skip::Unconfined);
        }
        let program = program.display().to_string();
        let acts = self.commands.iter().map(|words| {
            let words = words.iter().map(|word| Word::text(*word));
            Act::Run(Box::new(Run {
                argv: std::iter::once(Word::text(program.as_str()))
                    .chain(words)
                    .collect(),
                environment: self
                    .environment
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), Word::text(*value)))
                    .collect(),
                reads: Vec::new(),
                writes: Vec::new(),
                egress: Egress::Hosts {
                    names: self.hosts.clone(),
                    index: Vec::new(),
                    at: wishes.registries,
                },
                hold: Hold::Nothing,
                timeout: TIMEOUT,
            }))
        });
        Ok(Recipe {
            acts: acts.collect(),
            check: Check::Manager,
            product: Product::System(site.packaged.short().to_owned()),
            notes: vec![
                "it installs for the whole system and runs scripts of packages as root, without a sandbox",
                "the hosts are those of its settings; nothing holds it to them",
            ],
        })
    }
}
