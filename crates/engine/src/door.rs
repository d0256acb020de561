//! The one door that agents use: argrail's command line, as the configuration allows it and the catalogue is now.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use argrail_acli::{AuditSink, Bucket, Cli, Error, Host, Mask};
use jiff::Timestamp;

use crate::call::{NamedSecret, Shop, described, undescribed};
use crate::catalog::{Shelf, system_directories};
use crate::config::{Config, RateLimit};
use crate::extension;
use crate::files::Fingerprint;

/// How often a caller may ask unless the configuration says otherwise: more than any agent that reads what it is
/// answered, and little enough that a loop of refused calls does not fill a disk overnight.
const DEFAULT_RATE: RateLimit = RateLimit {
    requests: 1_200,
    per: Duration::from_secs(60),
};
/// How many times that all callers of a process may ask together.
const CALLERS_TOGETHER: u32 = 4;

/// Makes the command line that MCP, `call`, `run` and `repl` share, and makes it anew when the catalogue changed.
pub struct Door {
    /// Made anew when the configuration changed.
    shop: Mutex<Arc<Shop>>,
    host: Arc<dyn Host>,
    audit: Arc<dyn AuditSink>,
    /// Requests are counted across command lines.
    rate: Arc<Bucket>,
    open: Mutex<Option<Open>>,
}

struct Open {
    read: Fingerprint,
    cli: Arc<Cli>,
}

impl Door {
    /// Prepares the door. Nothing is read before somebody comes.
    pub fn new(shop: Arc<Shop>, host: Arc<dyn Host>, audit: Arc<dyn AuditSink>) -> Self {
        let rate = shop.stock().config.rate_limit.unwrap_or(DEFAULT_RATE);
        let all = rate.requests.saturating_mul(CALLERS_TOGETHER);
        Self {
            rate: Arc::new(Bucket::new(rate.requests, rate.per).together(all, rate.per)),
            shop: Mutex::new(shop),
            host,
            audit,
            open: Mutex::default(),
        }
    }

    /// Returns the tools behind the door.
    pub fn shop(&self) -> Arc<Shop> {
        Arc::clone(&self.shop.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has nobody told these, beside what the environment and the configuration hold.
    pub fn conceal(&self, secrets: impl IntoIterator<Item = NamedSecret>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shop = self.shop.lock().unwrap_or_else(PoisonError::into_inner);
        *shop = Arc::new(shop.with_secrets(secrets));
        *open = None;
    }

    /// Reads the configuration again: a restriction holds from the moment it is written, also for a server that runs.
    /// One that cannot be read is a refusal.
    fn renewed(&self) -> Result<Arc<Shop>, Error> {
        let mut shop = self.shop.lock().unwrap_or_else(PoisonError::into_inner);
        let config = Config::load(&shop.stock().places)
            .map_err(|error| Error::execution(&error).hint(error.hint()))?;
        if config != shop.stock().config {
            *shop = Arc::new(shop.with_config(config));
        }
        Ok(Arc::clone(&shop))
    }

    /// Returns the command line as it is now.
    ///
    /// # Errors
    /// When a file of ours cannot be trusted or understood.
    pub fn cli(&self) -> Result<Arc<Cli>, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.as_ref().filter(|open| open.read.holds()) {
            return Ok(Arc::clone(&open.cli));
        }
        let shop = self.renewed()?;
        let shelf = shop.stock().shelf()?;
        // Looked at before anything is read, so that a change in between is seen the next time.
        let read = shelf
            .watched()
            .map(|project| Fingerprint::of([files(&shelf), project].concat()));
        let cli = Arc::new(self.build(&shop, &shelf)?);
        *open = read.map(|read| Open {
            read,
            cli: Arc::clone(&cli),
        });
        Ok(cli)
    }

    fn build(&self, shop: &Arc<Shop>, shelf: &Shelf) -> Result<Cli, Error> {
        let config = &shop.stock().config;
        let catalogue = shelf
            .catalogue(Timestamp::now())
            .map_err(|error| Error::from(&error))?;
        let description = "One command line for every tool an agent may use";
        let (others, programs) = (Arc::clone(shop), shelf.programs().clone());
        let delegated = Arc::clone(shop);
        let reachable: extension::Reachable =
            Arc::new(move |caller, tool| delegated.is_delegated(caller, tool));
        let mut cli = Cli::builder(
            "argrail",
            env!("CARGO_PKG_VERSION"),
            description,
            Arc::clone(&self.host),
        )
        .reachable({
            let reachable = Arc::clone(&reachable);
            move |caller, tool| reachable(caller, tool)
        })
        .commands(described(shop, &catalogue))
        .command(extension::argrail())
        .commands(extension::commands(shop.stock().clone(), reachable))
        .more(move || undescribed(&others, &programs))
        .example("help x-argrail")
        .example("x-argrail about")
        .deny(&config.deny)
        .limits(config.limits)
        .refuse_shell_syntax()
        .mask(Arc::new(ShopMask(Arc::clone(shop))))
        .rate_limit(Arc::clone(&self.rate) as _)
        .audit(Arc::clone(&self.audit));
        if let Some(allow) = &config.allow {
            cli = cli.allow(allow);
        }
        if let Some(timeout) = config.call_timeout {
            cli = cli.timeout(timeout);
        }
        cli.build().map_err(Error::execution)
    }
}

/// The mask of a shop, which knows what its tools must not tell.
struct ShopMask(Arc<Shop>);

impl Mask for ShopMask {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.mask().mask(text)
    }

    fn mask_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.mask().mask_text(text)
    }

    fn mask_known<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.mask().mask_known(text)
    }

    fn of_command(&self, name: &str) -> Option<Arc<dyn Mask>> {
        // Our own commands are no tools, and looking for one costs more than refusing it.
        if extension::is_ours(name) || matches!(name, "help" | "schema" | "version") {
            return None;
        }
        let mask = self.0.mask_of_tool(name)?;
        Some(Arc::new(mask))
    }
}

/// Everything whose change may add or take a name.
fn files(shelf: &Shelf) -> Vec<PathBuf> {
    let places = shelf.places();
    let mut files = vec![
        places.config_file(),
        places.registry_file(),
        places.trust_file(),
        places.shims(),
        places.tools(),
        places.overrides(),
        places.discovery(),
    ];
    for directory in system_directories(places).trusted {
        files.extend([directory.join("shims"), directory.join("tools"), directory]);
    }
    files.extend(shelf.programs().directories().iter().cloned());
    files.extend(shelf.config().tools.iter().filter_map(|tool| tool.path.clone()));
    files
}

/// Returns the directories that path arguments may lead into: the working directory and the configured ones,
/// symlinks followed. One that is not there is left out, since it would mean something else later.
pub fn roots(directory: &Path, config: &Config) -> Vec<PathBuf> {
    let wanted = std::iter::once(directory).chain(config.roots.iter().map(PathBuf::as_path));
    wanted.filter_map(|root| root.canonicalize().ok()).collect()
}
