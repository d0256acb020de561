//! What `serve`, `call`, `run`, `why` and `repl` need before they can answer: places, configuration, record, door.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Caller, Cli, Error, TokioHost};
use argrail_engine::audit::Chain;
use argrail_engine::call::{KnownSecrets, Shop, Surroundings, Wait};
use argrail_engine::config::Config;
use argrail_engine::consent::Leaving;
use argrail_engine::notify::Notifier;
use argrail_engine::output::CommandMask;
use argrail_engine::places::Places;
use argrail_engine::store::{SqliteStore, Store};
use argrail_engine::{Door, Stock, roots};
use argrail_sandbox::Launcher;
use argrail_spec::atip::Delegation;

use crate::out;

/// A door that is ready, and what it was made of.
pub(crate) struct Setup {
    /// The commands.
    pub(crate) door: Arc<Door>,
    /// Where our files are.
    pub(crate) places: Places,
    /// Where path arguments may lead; relative ones start at the first.
    pub(crate) roots: Vec<PathBuf>,
    /// Whether the configuration says that what a client answers counts for a person's word.
    pub(crate) elicitation: Option<bool>,
    /// Tells calls that wait for a person to wait no longer.
    pub(crate) leaving: Arc<Leaving>,
}

impl Setup {
    /// Reads the configuration and opens the record. Anything that cannot be read is a refusal.
    ///
    /// # Errors
    /// What is wrong, with what a person can do about it.
    pub(crate) fn new(delegation: Option<Delegation>) -> Result<Self, Error> {
        Self::waiting(delegation, Wait::For(Duration::ZERO))
    }

    /// The same, for calls that wait so long for a person.
    ///
    /// # Errors
    /// As [`Setup::new`].
    pub(crate) fn waiting(delegation: Option<Delegation>, wait: Wait) -> Result<Self, Error> {
        let places = Places::new(|name| std::env::var_os(name)).map_err(|error| {
            Error::execution(error).hint("Set HOME to the home directory of the user that runs argrail")
        })?;
        let config = Config::load(&places).map_err(|error| Error::execution(&error).hint(error.hint()))?;
        let file = places.config_file();
        for warning in &config.warnings {
            out::say(&format!("{}: {warning}", file.display()));
        }
        let directory = std::env::current_dir().map_err(|error| {
            Error::execution(error).hint("Start argrail in a directory that exists and that you may read")
        })?;
        if directory == Path::new("/") {
            out::say("started in /, so paths may lead anywhere: start in a project instead");
        }
        let roots = roots(&directory, &config);
        let elicitation = config.elicitation;
        let stock = Stock {
            places: places.clone(),
            config,
            directory,
            path: std::env::var_os("PATH"),
        };
        let store: Arc<dyn Store> = Arc::new(SqliteStore::new(&places));
        let record =
            Chain::open(&places.audit(), Some(Arc::clone(&store))).map_err(|error| Error::from(&error))?;
        let record = Arc::new(record);
        let environment = std::env::vars_os().collect();
        let notify = stock.config.notify.as_ref();
        let notifier = Notifier::new(notify, places.home(), &environment, Arc::new(out::say));
        let leaving = Arc::<Leaving>::default();
        let surroundings = Surroundings {
            launcher: Launcher::SelfExe,
            home: argrail_sandbox::home().unwrap_or_else(|_| places.home().to_owned()),
            environment,
            notifier: Arc::new(notifier),
            delegation,
            store,
            wait,
            leaving: Arc::clone(&leaving),
            record: Arc::clone(&record),
            secrets: Vec::new(),
        };
        let shop = Arc::new(Shop::new(stock, surroundings));
        let door = Arc::new(Door::new(shop, Arc::new(TokioHost::default()), record));
        Ok(Self {
            door,
            places,
            roots,
            elicitation,
            leaving,
        })
    }

    /// Returns the mask of this process, for what is told without a setup or when there can be none.
    pub(crate) fn mask() -> CommandMask {
        let places = Places::new(|name| std::env::var_os(name)).ok();
        let known = KnownSecrets::found(&std::env::vars_os().collect(), places.as_ref());
        known.mask().clone()
    }

    /// Returns the commands as they are now.
    ///
    /// # Errors
    /// What is wrong with our files.
    pub(crate) fn cli(&self) -> Result<Arc<Cli>, Error> {
        self.door.cli()
    }

    /// Tells a person which entries of the lists name no command: a deny that denies nothing is a trap.
    pub(crate) fn warn_of_rules(&self, cli: &Cli) {
        for rule in cli.unmatched_rules() {
            let file = self.places.config_file();
            out::say(&format!(
                "{}: allow or deny names no command: {rule:?}",
                file.display()
            ));
        }
    }

    /// Returns a caller with the roots of this process.
    pub(crate) fn caller(&self, id: &str, name: &str) -> Caller {
        Caller {
            id: id.to_owned(),
            account: None,
            name: Some(name.to_owned()),
            roots: self.roots.clone(),
        }
    }
}
