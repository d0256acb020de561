//! Where files live: the XDG directories, under ATIP's names and our own.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The directory of ATIP's files below each XDG directory.
const AGENT_TOOLS: &str = "agent-tools";

/// Where a system keeps definitions for all of its users (ATIP §3.3.1), before `$XDG_DATA_DIRS` adds to it.
const SYSTEM: [&str; 2] = ["/usr/share/agent-tools", "/usr/local/share/agent-tools"];

/// The directories of one user. Built from the environment that is handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    home: PathBuf,
    config: PathBuf,
    state: PathBuf,
    data: PathBuf,
    /// Programs that argrail installed. Tools see them, so they lie outside of what belongs to argrail alone.
    programs: PathBuf,
    /// Homes of agents that argrail drives.
    homes: PathBuf,
    cache: PathBuf,
    system: Vec<PathBuf>,
}

/// Why no place could be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacesError {
    /// Neither `HOME` nor the XDG variables are there.
    #[error("HOME is not set to an absolute path, so argrail cannot tell where its files are")]
    NoHome,
}

impl Places {
    /// Reads `HOME` and the `XDG_` variables of files. A relative path counts as unset, as XDG says.
    ///
    /// # Errors
    /// When `HOME` is missing: guessing would put the record where nobody looks.
    pub fn new(env: impl Fn(&str) -> Option<OsString>) -> Result<Self, PlacesError> {
        let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME").ok_or(PlacesError::NoHome)?;
        let below = |name: &str, default: &str| absolute(name).unwrap_or_else(|| home.join(default));
        Ok(Self {
            config: below("XDG_CONFIG_HOME", ".config").join(AGENT_TOOLS),
            state: below("XDG_STATE_HOME", ".local/state").join("argrail"),
            data: below("XDG_DATA_HOME", ".local/share").join(AGENT_TOOLS),
            programs: below("XDG_DATA_HOME", ".local/share").join("argrail/installed"),
            homes: below("XDG_DATA_HOME", ".local/share").join("argrail/agents"),
            cache: below("XDG_CACHE_HOME", ".cache").join(AGENT_TOOLS),
            system: system(env("XDG_DATA_DIRS").as_deref()),
            home,
        })
    }

    /// Returns the home directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Returns the directory of what a person has set.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// Returns the configuration file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.json")
    }

    /// Returns the file of what a person trusts.
    pub fn trust_file(&self) -> PathBuf {
        self.config.join("trust.json")
    }

    /// Returns the directory of the user's own words about tools, one file per tool.
    pub fn overrides(&self) -> PathBuf {
        self.config.join("overrides")
    }

    /// Returns the directory of what is known about tools.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Returns the index of known tools.
    pub fn registry_file(&self) -> PathBuf {
        self.data.join("registry.json")
    }

    /// Returns the directory of cache entries, one file per tool.
    pub fn tools(&self) -> PathBuf {
        self.data.join("tools")
    }

    /// Returns the directory of the user's patterns.
    pub fn patterns(&self) -> PathBuf {
        self.data.join("patterns")
    }

    /// Returns the directory of metadata for tools that have none of their own.
    pub fn shims(&self) -> PathBuf {
        self.data.join("shims")
    }

    /// Returns the directory of `CLI.md` bundles.
    pub fn bundles(&self) -> PathBuf {
        self.data.join("cli")
    }

    /// Returns the directory of `AGENT-CLI.md` bundles.
    pub fn agents(&self) -> PathBuf {
        self.data.join("agents")
    }

    /// Returns the directory of programs that argrail installed, one folder per bundle.
    pub fn installed(&self) -> PathBuf {
        self.programs.clone()
    }

    /// Returns the directory of the homes of agents that argrail drives, one folder per agent. An agent sees its own.
    pub fn agent_homes(&self) -> PathBuf {
        self.homes.clone()
    }

    /// Returns the directory of downloads that are not whole yet.
    pub fn downloads(&self) -> PathBuf {
        self.data.join("downloads")
    }

    /// Returns the directory of what can be found again at any time.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Returns the directory of remembered scans.
    pub fn discovery(&self) -> PathBuf {
        self.cache.join("discovery")
    }

    /// Returns the directory of versions that programs were found to have, one file per program.
    pub fn versions(&self) -> PathBuf {
        self.cache.join("versions")
    }

    /// Returns the directories of definitions for all users, in the order in which they are asked.
    ///
    /// These are names from the environment: `catalog::system_directories` says which of them count.
    pub fn system(&self) -> &[PathBuf] {
        &self.system
    }

    /// Returns the directory of our own state.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Returns what belongs to argrail alone: no tool may see or change it.
    pub fn own(&self) -> Vec<PathBuf> {
        [&self.config, &self.state, &self.data, &self.cache, &self.homes]
            .map(PathBuf::clone)
            .into()
    }

    /// Returns the directory of the record.
    pub fn audit(&self) -> PathBuf {
        self.state.join("audit")
    }

    /// Returns the directory of files that people were asked about.
    pub fn snapshots(&self) -> PathBuf {
        self.state.join("snapshots")
    }

    /// Returns the directory of outputs that are too long for one answer.
    pub fn outputs(&self) -> PathBuf {
        self.state.join("output")
    }

    /// Returns `path` as it may be kept and shown: the home directory is written `~` (ATIP §5.3).
    pub fn home_relative(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
            Ok(rest) => format!("~/{}", rest.display()),
            Err(_) => path.display().to_string(),
        }
    }

    /// Returns the path that [`Places::home_relative`] wrote.
    pub fn expand(&self, text: &str) -> PathBuf {
        match text.strip_prefix('~') {
            Some("") => self.home.clone(),
            Some(rest) => match rest.strip_prefix('/') {
                Some(rest) => self.home.join(rest),
                None => PathBuf::from(text),
            },
            None => PathBuf::from(text),
        }
    }
}

/// The fixed directories, then those of `$XDG_DATA_DIRS`, each once.
fn system(data_dirs: Option<&OsStr>) -> Vec<PathBuf> {
    let given = data_dirs.map(std::env::split_paths).into_iter().flatten();
    let given = given
        .filter(|path| path.is_absolute())
        .map(|path| path.join(AGENT_TOOLS));
    let mut all = Vec::new();
    for path in SYSTEM.iter().map(PathBuf::from).chain(given) {
        if !all.contains(&path) {
            all.push(path);
        }
    }
    all
}

#[cfg(test)]
pub(crate) mod testing {
    use argrail_testkit::Home;

    use super::*;

    /// The places of a test's own home, as a child of that home would find them.
    pub(crate) fn places_of(home: &Home) -> Places {
        let root = home.root();
        let env = |name: &str| {
            let folder = match name {
                "HOME" => "home",
                "XDG_CONFIG_HOME" => "config",
                "XDG_STATE_HOME" => "state",
                "XDG_DATA_HOME" => "data",
                "XDG_CACHE_HOME" => "cache",
                _ => return None,
            };
            Some(root.join(folder).into())
        };
        Places::new(env).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(vars: &[(&str, &str)]) -> Option<Places> {
        let env = |name: &str| {
            vars.iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| OsString::from(value))
        };
        Places::new(env).ok()
    }

    #[test]
    fn xdg_variables_win_when_they_are_absolute() {
        let check = |vars: &[(&str, &str)], want: Option<[&str; 4]>| {
            let found = places(vars).map(|places| {
                [
                    places.config_file(),
                    places.audit(),
                    places.registry_file(),
                    places.discovery(),
                ]
            });
            assert_eq!(found, want.map(|want| want.map(PathBuf::from)), "{vars:?}");
        };
        check(&[], None);
        check(&[("HOME", "rel")], None);
        check(
            &[("HOME", "/h")],
            Some([
                "/h/.config/agent-tools/config.json",
                "/h/.local/state/argrail/audit",
                "/h/.local/share/agent-tools/registry.json",
                "/h/.cache/agent-tools/discovery",
            ]),
        );
        check(
            &[
                ("HOME", "/h"),
                ("XDG_CONFIG_HOME", "/c"),
                ("XDG_STATE_HOME", "rel"),
                ("XDG_DATA_HOME", "/d"),
                ("XDG_CACHE_HOME", ""),
            ],
            Some([
                "/c/agent-tools/config.json",
                "/h/.local/state/argrail/audit",
                "/d/agent-tools/registry.json",
                "/h/.cache/agent-tools/discovery",
            ]),
        );
    }

    #[test]
    fn the_files_of_a_home_have_the_names_of_the_draft() {
        let places = places(&[("HOME", "/h")]).unwrap();
        let data = "/h/.local/share/agent-tools";
        for (found, want) in [
            (places.tools(), format!("{data}/tools")),
            (places.patterns(), format!("{data}/patterns")),
            (places.shims(), format!("{data}/shims")),
            (places.bundles(), format!("{data}/cli")),
            (places.agents(), format!("{data}/agents")),
            (
                places.trust_file(),
                "/h/.config/agent-tools/trust.json".to_owned(),
            ),
            (places.overrides(), "/h/.config/agent-tools/overrides".to_owned()),
        ] {
            assert_eq!(found, PathBuf::from(want));
        }
        for own in [
            data,
            "/h/.config/agent-tools",
            "/h/.cache/agent-tools",
            "/h/.local/state/argrail",
        ] {
            assert!(places.own().contains(&PathBuf::from(own)), "{own}");
        }
    }

    #[test]
    fn system_directories_are_asked_in_order_and_once() {
        let check = |dirs: &str, want: &[&str]| {
            let places = places(&[("HOME", "/h"), ("XDG_DATA_DIRS", dirs)]).unwrap();
            let want: Vec<PathBuf> = SYSTEM.iter().chain(want).map(PathBuf::from).collect();
            assert_eq!(places.system(), want, "{dirs}");
        };
        check("", &[]);
        check("rel:.", &[]);
        check("/usr/local/share/:/usr/share", &[]);
        check(
            "/opt/share:/usr/share::/opt/share:/data",
            &["/opt/share/agent-tools", "/data/agent-tools"],
        );
    }

    #[test]
    fn the_home_is_written_as_a_tilde_and_read_again() {
        let places = places(&[("HOME", "/h")]).unwrap();
        for (path, want) in [
            ("/h", "~"),
            ("/h/bin/x", "~/bin/x"),
            ("/hat/x", "/hat/x"),
            ("/usr/bin/x", "/usr/bin/x"),
        ] {
            assert_eq!(places.home_relative(Path::new(path)), want);
            assert_eq!(places.expand(want), PathBuf::from(path));
        }
        assert_eq!(places.expand("~other/x"), PathBuf::from("~other/x"));
    }
}
