//! Where the calls of these rows happen: a home, a project, a server that is started in it, and what tools are.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;

use argrail_engine::catalog::shipped;
use argrail_engine::places::Places;
use argrail_engine::policy::{Approval, Basis, Egress, Facts, Trust};
use argrail_engine::profile;
use argrail_sandbox::policy::Protected;
use argrail_spec::atip::{Reader, Voice, load};

use crate::server::{Program, Programs, SYSTEM_PATH};

/// A home and a project in it.
pub(super) struct Ground {
    pub(super) home: PathBuf,
    pub(super) work: PathBuf,
    pub(super) launcher: PathBuf,
    server: Program,
}

impl Ground {
    /// Makes both, new.
    pub(super) fn new(programs: &Programs, name: &str) -> io::Result<Self> {
        let root = programs.home().canonicalize()?.join(name);
        let (home, work) = (root.join("home"), root.join("work"));
        fs::create_dir_all(&home)?;
        fs::create_dir_all(&work)?;
        Ok(Self {
            server: programs.ours.at(&home, &work),
            launcher: programs.argrail().to_owned(),
            home,
            work,
        })
    }

    /// The server, to be started in the project.
    pub(super) fn server(&self) -> &Program {
        &self.server
    }

    /// The surroundings that the server makes profiles for.
    pub(super) fn surroundings(&self) -> io::Result<profile::Ground> {
        let home = self.home.clone();
        let places = Places::new(|name| (name == "HOME").then(|| OsString::from(&home)));
        let places = places.map_err(io::Error::other)?;
        let own = places.own().into_iter();
        let search: Vec<PathBuf> = SYSTEM_PATH.split(':').map(PathBuf::from).collect();
        Ok(profile::Ground {
            denied: Vec::new(),
            home: self.home.clone(),
            directory: self.work.clone(),
            roots: vec![self.work.clone()],
            search,
            own: own.map(|path| path.canonicalize().unwrap_or(path)).collect(),
            installed: places.installed(),
            environment: BTreeMap::new(),
        })
    }

    /// What no child may touch, as the server has it.
    pub(super) fn protected(&self) -> io::Result<Protected> {
        let ground = self.surroundings()?;
        Ok(Protected::standard(&ground.home, &ground.directory)
            .search_path(ground.search)
            .hide("it belongs to argrail", ground.own))
    }
}

/// Prepares the reader of a tool that argrail knows.
pub(super) fn reader(name: &str) -> io::Result<Reader> {
    let known = shipped::find(name).ok_or_else(|| io::Error::other(format!("no description of {name}")))?;
    let loaded = load(&known.text())
        .map_err(|_| io::Error::other(format!("the description of {name} cannot be read")))?;
    Ok(Reader::new(loaded.metadata.into(), Voice::Settled))
}

/// What is known of a call: the words as the tool understands them, and nothing inside.
pub(super) fn facts(reader: &Reader, words: &[String]) -> io::Result<Facts> {
    let invoked = reader
        .read(words)
        .map_err(|error| io::Error::other(format!("{words:?}: {error:?}")))?;
    Ok(Facts {
        invoked,
        basis: Basis::Settled,
        origins: [("idempotent".to_owned(), "catalogue".to_owned())].into(),
        trust: Trust::Unpinned,
        egress: Egress::None,
        paths: Vec::new(),
        approval: Approval::default(),
        programs: Vec::new(),
        inner: Vec::new(),
    })
}

/// Words of a line without quotes.
pub(super) fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
